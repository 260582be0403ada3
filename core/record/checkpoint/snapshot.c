/* A simulation as a list of vectors. Arrays of structs go as columns, one vector per field, so that
 * no padding gets into a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/checkpoint/checkpoint_impl.h"

/* The fields of a boundary. */
static const struct {
  const char *name;
  DlsH5Kind kind;
  int width;
  size_t offset;
} columns[] = {
#define COLUMN(field, kind, width)                                                                 \
  { "/boundaries/" #field, kind, width, offsetof(DlsBoundary, field) }
    COLUMN(kind, DLS_H5_INT, 1),         COLUMN(inside, DLS_H5_BYTE, 1),
    COLUMN(open, DLS_H5_FLAGS, 1),       COLUMN(length, DLS_H5_REAL, 3),
    COLUMN(radius, DLS_H5_REAL, 2),      COLUMN(rounding, DLS_H5_REAL, 1),
    COLUMN(depth, DLS_H5_REAL, 1),       COLUMN(material, DLS_H5_INT, 1),
    COLUMN(area, DLS_H5_REAL, 1),        COLUMN(position, DLS_H5_REAL, 3),
    COLUMN(orientation, DLS_H5_REAL, 4), COLUMN(velocity, DLS_H5_REAL, 6),
    COLUMN(id, DLS_H5_LONG, 1),          COLUMN(flags, DLS_H5_FLAGS, 1),
    COLUMN(carrier, DLS_H5_LONG, 1),
#undef COLUMN
};

_Static_assert(DLS_COUNT(columns) <= DLS_CHECKPOINT_COLUMNS, "room for every column");
_Static_assert(sizeof(DlsBoundaryKind) == 4 && sizeof(bool) == 1 && sizeof(unsigned) == 4,
               "columns are copied byte by byte");
_Static_assert(sizeof(DlsElement) == 4 * sizeof(double), "elements go as they are");
_Static_assert(sizeof(DlsContactKey) == 3 * sizeof(uint64_t), "keys go as they are");

static size_t column_bytes(int c) {
  return (size_t)columns[c].width * dls_h5_bytes(columns[c].kind);
}

void dls_snapshot_clear(DlsSnapshot *s) {
  for (int c = 0; c < DLS_CHECKPOINT_COLUMNS; c++) free(s->column[c]);
  free(s->boundary_force);
  free(s->surface_law);
  free(s->surface_key);
  free(s->surface_height);
  free(s->surface_value);
  free(s->solid_kind);
  free(s->solid_count);
  free(s->solid_number);
  free(s->figure_solid);
  free(s->figure_place);
  free(s->soft_id);
  free(s->soft_digest);
  free(s->soft_size);
  free(s->soft_velocity);
  free(s->soft_state);
  free(s->facet_of);
  free(s->facet_size);
  free(s->facet_node);
  free(s->facet_corner);
  if (!s->lent) {
    dls_world_destroy(&s->world);
    free(s->key);
    free(s->r);
    free(s->state);
    free(s->frame);
    free(s->place);
  }
  *s = (DlsSnapshot){0};
}

static DlsStatus make_columns(DlsSnapshot *s, int boundaries) {
  s->boundaries = boundaries;
  for (int c = 0; c < DLS_COUNT(columns); c++) {
    s->column[c] = dls_memory_array((size_t)boundaries, column_bytes(c));
    DLS_CHECK(s->column[c], DLS_ERR_MEMORY, "checkpoint: out of memory for %d boundaries",
              boundaries);
  }
  DLS_NEW(s->boundary_force, boundaries);
  return DLS_OK;
}

static DlsStatus take(const DlsSimulation *from, DlsSnapshot *s) {
  const DlsWorld *world = from->world;
  const DlsStepReport *report = &from->last.report;
  const DlsLedger *l = &from->state.ledger;
  const double ledger[] = {l->kinetic,  l->potential,  l->start,   l->gravity, l->force,
                           l->boundary, l->dissipated, l->balance, l->stored,  l->scheme,
                           l->strain,   l->within,     l->plastic, l->viscous, l->corrected};
  _Static_assert(sizeof ledger == sizeof s->ledger &&
                     sizeof ledger == offsetof(DlsLedger, dissipated_by),
                 "all of it, but for the accounts of laws");
  memcpy(s->ledger, ledger, sizeof ledger);
  memcpy(s->accounts[0], l->dissipated_by, sizeof s->accounts[0]);
  memcpy(s->accounts[1], l->stored_by, sizeof s->accounts[1]);
  dls_cell_pack(&world->cell, s->cell);
  s->elements = world->first[world->count];
  s->time = from->state.time;
  s->step = (uint64_t)from->state.step;
  s->unconverged = (uint64_t)from->state.unconverged;
  s->worst[0] = from->state.worst_error, s->worst[1] = from->state.worst_penetration;
  s->report[0] = report->contacts, s->report[1] = report->active;
  s->report[2] = (int32_t)report->solver.outcome;
  s->iterations = (uint64_t)report->solver.iterations;
  s->report_real[0] = report->solver.error, s->report_real[1] = report->penetration;
  _Static_assert(sizeof s->note == sizeof report->solver.note, "the note fits");
  snprintf((char *)s->note, sizeof s->note, "%s", report->solver.note);
  DLS_TRY(make_columns(s, world->boundary_count));
  for (int b = 0; b < world->boundary_count; b++) {
    for (int c = 0; c < DLS_COUNT(columns); c++)
      memcpy((char *)s->column[c] + (size_t)b * column_bytes(c),
             (const char *)&world->boundary[b] + columns[c].offset, column_bytes(c));
    if (b < from->state.boundary_capacity) /* a boundary that came after the last step has none */
      memcpy(s->boundary_force[b], from->state.boundary_force[b], sizeof s->boundary_force[b]);
  }
  s->contacts = from->state.memory.count;
  s->block = from->state.block, s->states = from->state.states;
  s->key = from->state.memory.key, s->r = from->state.r, s->state = from->state.law_state;
  s->frame = from->state.frame, s->frames = s->frame ? s->contacts : 0;
  s->moment = from->state.moment;
  s->places = from->state.memory.placed ? s->contacts : 0;
  s->place = s->places ? from->state.memory.place : NULL;
  DLS_TRY(dls_snapshot_take_solids(world, s));
  DLS_TRY(dls_snapshot_take_deformables(world, s));
  DLS_TRY(dls_snapshot_take_facets(world, s));
  return dls_snapshot_take_surfaces(from, s);
}

DlsStatus dls_snapshot_take(const DlsSimulation *simulation, DlsSnapshot *out) {
  *out = (DlsSnapshot){.lent = true, .world = simulation->world, .dim = simulation->world->dim};
  const DlsStatus status = take(simulation, out);
  if (status != DLS_OK) dls_snapshot_clear(out);
  return status;
}

DlsStatus dls_snapshot_make(int dim, int bodies, int elements, int boundaries, DlsSnapshot *out) {
  *out = (DlsSnapshot){.dim = dim, .elements = elements};
  DlsStatus status = dls_world_create(dim, &out->world);
  if (status == DLS_OK) status = dls_world_resize(out->world, bodies, elements);
  if (status == DLS_OK) status = make_columns(out, boundaries);
  if (status != DLS_OK) dls_snapshot_clear(out);
  return status;
}

DlsStatus dls_snapshot_make_contacts(DlsSnapshot *s, int contacts, int block, int states,
                                     int frames, int places) {
  s->contacts = contacts;
  s->block = block, s->states = states, s->frames = frames;
  DLS_NEW(s->key, contacts);
  DLS_NEW(s->r, (size_t)contacts * (size_t)block);
  DLS_NEW(s->state, (size_t)contacts * (size_t)states);
  s->places = places;
  if (frames) DLS_NEW(s->frame, frames);
  if (places) DLS_NEW(s->place, places);
  return DLS_OK;
}

DlsStatus dls_snapshot_make_surfaces(DlsSnapshot *s, int bytes, int surfaces, int values) {
  s->surface_bytes = bytes, s->surfaces = surfaces, s->surface_values = values;
  DLS_NEW(s->surface_law, (size_t)bytes + 1);
  DLS_NEW(s->surface_key, 3 * (size_t)surfaces);
  DLS_NEW(s->surface_height, surfaces);
  DLS_NEW(s->surface_value, values);
  return DLS_OK;
}

typedef struct {
  const char *name;
  DlsH5Kind kind;
  long long count;
  void *values;
} Vector;

static DlsStatus visit_all(const Vector *vectors, int count, DlsSnapshotVisit *visit,
                           void *context) {
  for (int k = 0; k < count; k++)
    DLS_TRY(visit(context, vectors[k].name, vectors[k].kind, vectors[k].count, vectors[k].values));
  return DLS_OK;
}

static DlsStatus visit_run(DlsSnapshot *s, DlsSnapshotVisit *visit, void *context) {
  const Vector vectors[] = {
      {"/run/time", DLS_H5_REAL, 1, &s->time},
      {"/run/step", DLS_H5_LONG, 1, &s->step},
      {"/run/unconverged", DLS_H5_LONG, 1, &s->unconverged},
      {"/run/ledger", DLS_H5_REAL, DLS_COUNT(s->ledger), s->ledger},
      {"/run/accounts", DLS_H5_REAL, 2 * DLS_LAW_ACCOUNTS, s->accounts},
      {"/run/worst", DLS_H5_REAL, DLS_COUNT(s->worst), s->worst},
      {"/run/report", DLS_H5_INT, DLS_COUNT(s->report), s->report},
      {"/run/report_iterations", DLS_H5_LONG, 1, &s->iterations},
      {"/run/report_real", DLS_H5_REAL, DLS_COUNT(s->report_real), s->report_real},
      {"/run/report_note", DLS_H5_BYTE, DLS_COUNT(s->note), s->note},
      {"/run/cell", DLS_H5_REAL, 3LL * DLS_CELL_ROWS, s->cell},
  };
  return visit_all(vectors, DLS_COUNT(vectors), visit, context);
}

static DlsStatus visit_bodies(DlsSnapshot *s, DlsSnapshotVisit *visit, void *context) {
  DlsWorld *w = s->world;
  const long long n = w->count, elements = s->elements; /* first[] may yet come */
  const Vector vectors[] = {
      {"/bodies/next_id", DLS_H5_LONG, 1, &w->next_id},
      {"/bodies/position", DLS_H5_REAL, 3 * n, w->position},
      {"/bodies/orientation", DLS_H5_REAL, 4 * n, w->orientation},
      {"/bodies/velocity", DLS_H5_REAL, 6 * n, w->velocity},
      {"/bodies/mass", DLS_H5_REAL, n, w->mass},
      {"/bodies/volume", DLS_H5_REAL, n, w->volume},
      {"/bodies/inertia", DLS_H5_REAL, 3 * n, w->inertia},
      {"/bodies/id", DLS_H5_LONG, n, w->id},
      {"/bodies/flags", DLS_H5_FLAGS, n, w->flags},
      {"/bodies/material", DLS_H5_INT, n, w->material},
      {"/bodies/fixed", DLS_H5_BYTE, n, w->fixed},
      {"/bodies/isotropic", DLS_H5_BYTE, n, w->isotropic},
      {"/bodies/first", DLS_H5_INT, n + 1, w->first},
      {"/bodies/element", DLS_H5_REAL, 4 * elements, w->element},
      {"/bodies/angle", DLS_H5_REAL, n, w->angle}, /* last: in 2-D alone */
  };
  return visit_all(vectors, DLS_COUNT(vectors) - (s->dim == 3), visit, context);
}

DlsStatus dls_snapshot_visit(DlsSnapshot *s, DlsSnapshotVisit *visit, void *context) {
  DLS_TRY(visit_run(s, visit, context));
  DLS_TRY(visit_bodies(s, visit, context));
  DLS_TRY(visit(context, "/boundaries/next_id", DLS_H5_LONG, 1, &s->world->next_boundary_id));
  for (int c = 0; c < DLS_COUNT(columns); c++)
    DLS_TRY(visit(context, columns[c].name, columns[c].kind,
                  (long long)columns[c].width * s->boundaries, s->column[c]));
  const long long n = s->contacts;
  const Vector vectors[] = {
      {"/boundaries/force", DLS_H5_REAL, 6LL * s->boundaries, s->boundary_force},
      {"/contacts/key", DLS_H5_LONG, 3 * n, s->key},
      {"/contacts/r", DLS_H5_REAL, n * s->block, s->r},
      {"/contacts/state", DLS_H5_REAL, n * s->states, s->state},
      {"/contacts/frame", DLS_H5_REAL, 9LL * s->frames, s->frame},
      {"/contacts/moment", DLS_H5_REAL, 1, &s->moment},
      {"/contacts/place", DLS_H5_REAL, (long long)DLS_PLACE_NUMBERS * s->places, s->place},
      {"/solids/kind", DLS_H5_INT, s->solids, s->solid_kind},
      {"/solids/count", DLS_H5_INT, s->solids, s->solid_count},
      {"/solids/number", DLS_H5_REAL, s->solid_numbers, s->solid_number},
      {"/solids/element", DLS_H5_INT, s->figures, s->figure_solid},
      {"/solids/place", DLS_H5_REAL, 5LL * s->figures, s->figure_place},
      {"/deformable/id", DLS_H5_LONG, s->deformables, s->soft_id},
      {"/deformable/size", DLS_H5_INT, 2LL * s->deformables, s->soft_size},
      {"/deformable/digest", DLS_H5_LONG, s->deformables, s->soft_digest},
      {"/deformable/velocity", DLS_H5_REAL, s->soft_velocities, s->soft_velocity},
      {"/deformable/state", DLS_H5_REAL, s->soft_states, s->soft_state},
      {"/facets/boundary", DLS_H5_INT, s->facet_owners, s->facet_of},
      {"/facets/size", DLS_H5_INT, 3LL * s->facet_sets, s->facet_size},
      {"/facets/node", DLS_H5_REAL, 3LL * s->facet_nodes, s->facet_node},
      {"/facets/corner", DLS_H5_INT, 3LL * s->facet_corners, s->facet_corner},
      {"/surfaces/laws", DLS_H5_BYTE, s->surface_bytes, s->surface_law},
      {"/surfaces/key", DLS_H5_LONG, 3LL * s->surfaces, s->surface_key},
      {"/surfaces/height", DLS_H5_REAL, s->surfaces, s->surface_height},
      {"/surfaces/value", DLS_H5_REAL, s->surface_values, s->surface_value},
      {"/surfaces/patch_sizes", DLS_H5_REAL, DLS_COUNT(s->patch_sizes), s->patch_sizes},
  };
  return visit_all(vectors, DLS_COUNT(vectors), visit, context);
}

/* A bool must be 0 or 1 before it is one. */
DlsStatus dls_snapshot_scatter(DlsSnapshot *s, const char *path) {
  DlsWorld *world = s->world;
  for (int b = 0; b < s->boundaries; b++)
    for (int c = 0; c < DLS_COUNT(columns); c++)
      if (columns[c].offset == offsetof(DlsBoundary, inside))
        DLS_CHECK(((uint8_t *)s->column[c])[b] <= 1, DLS_ERR_FORMAT,
                  "%s: /boundaries/inside: boundary %d has %d, not 0 or 1", path, b,
                  ((uint8_t *)s->column[c])[b]);
  free(world->boundary);
  DLS_NEW(world->boundary, s->boundaries);
  world->boundary_count = world->boundary_capacity = s->boundaries;
  for (int b = 0; b < s->boundaries; b++)
    for (int c = 0; c < DLS_COUNT(columns); c++)
      memcpy((char *)&world->boundary[b] + columns[c].offset,
             (const char *)s->column[c] + (size_t)b * column_bytes(c), column_bytes(c));
  return DLS_OK;
}
