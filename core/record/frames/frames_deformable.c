/* Deformable bodies as cells: deformable.vtu, the moved mesh with what is at its nodes and in its
 * cells; gauss.vtu, on request, a vertex at each point of integration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "post/deformed.h"
#include "post/tensor.h"
#include "record/frames/arrays.h"
#include "record/frames/frames_impl.h"

/* What is read off a stress, for each of `count` nodes, cells or points. */
typedef struct {
  double (*stress)[9], (*strain)[9], *mises, *pressure, (*principal)[3], (*axis)[9];
} Stresses;

static void clear_stresses(Stresses *s) {
  free(s->stress), free(s->strain), free(s->mises), free(s->pressure);
  free(s->principal), free(s->axis);
}

/* All of space counts, in 2-D too: there the stress across the plane is that of plane strain. */
static DlsStatus make_stresses(int count, const double (*stress)[6], const double (*strain)[6],
                               Stresses *s) {
  DLS_NEW(s->stress, count);
  DLS_NEW(s->strain, count);
  DLS_NEW(s->mises, count);
  DLS_NEW(s->pressure, count);
  DLS_NEW(s->principal, count);
  DLS_NEW(s->axis, count);
  for (int a = 0; a < count; a++) {
    DlsStressState state;
    dls_tensor_unfold(stress[a], s->stress[a]);
    dls_tensor_unfold(strain[a], s->strain[a]);
    dls_stress_state(3, s->stress[a], &state);
    s->mises[a] = state.deviator;
    s->pressure[a] = state.pressure;
    memcpy(s->principal[a], state.principal, sizeof s->principal[a]);
    memcpy(s->axis[a], state.axis, sizeof s->axis[a]);
  }
  return DLS_OK;
}

enum { STRESS_ARRAYS = 8 };
static const char *const principal_names[] = {"1", "2", "3"};

/* Rows of `axis` are the directions of the principal values, ascending: three vectors, so that each
 * can be drawn by itself. */
static int list_stresses(const Stresses *s, int count, double (*direction[3])[3],
                         DlsVtuArray out[STRESS_ARRAYS]) {
  static const char *const names[] = {"principal_1", "principal_2", "principal_3"};
  const DlsVtuArray all[] = {
      DLS_FRAMES_REALS("von_mises", s->mises, 1, DLS_VTU_SCALARS),
      DLS_FRAMES_REALS("stress", s->stress, 9, DLS_VTU_TENSORS),
      DLS_FRAMES_REALS("strain", s->strain, 9, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("pressure", s->pressure, 1, DLS_VTU_PLAIN),
      {.name = "principal_stress",
       .values = s->principal,
       .components = 3,
       .component_names = principal_names},
  };
  int n = 0;
  for (; n < DLS_COUNT(all); n++) out[n] = all[n];
  for (int k = 0; k < 3; k++) {
    for (int a = 0; a < count; a++) memcpy(direction[k][a], s->axis[a] + 3 * k, 3 * sizeof(double));
    out[n++] = (DlsVtuArray)DLS_FRAMES_REALS(names[k], direction[k], 3, DLS_VTU_PLAIN);
  }
  return n;
}

/* Means over the points of cells; NaN where the law has no such state. */
static DlsStatus mean_states(const DlsDeformed *d, double **out) {
  const int points = d->point[d->cells.cells], cells = d->cells.cells;
  DLS_NEW(*out, (size_t)d->states * (size_t)cells);
  for (int s = 0; s < d->states; s++)
    for (int c = 0; c < cells; c++) {
      double *mean = *out + (size_t)s * (size_t)cells + c;
      for (int p = d->point[c]; p < d->point[c + 1]; p++)
        *mean +=
            d->weight[p] / d->cells.volume[c] * d->state[(size_t)s * (size_t)points + (size_t)p];
    }
  return DLS_OK;
}

/* The arrays of one list, and what they point to. */
typedef struct {
  Stresses stresses;
  double (*direction[3])[3];
  DlsVtuArray *array;
  int count;
} List;

static void clear_list(List *l) {
  clear_stresses(&l->stresses);
  for (int k = 0; k < 3; k++) free(l->direction[k]);
  free(l->array);
}

/* `own` arrays of one value or vector each, then those of stress, then states [states][count]. */
static DlsStatus make_list(const DlsDeformed *d, int count, const double (*stress)[6],
                           const double (*strain)[6], const DlsVtuArray *own, int owns,
                           const double *states, List *out) {
  DLS_TRY(make_stresses(count, stress, strain, &out->stresses));
  for (int k = 0; k < 3; k++) DLS_NEW(out->direction[k], count);
  DLS_NEW(out->array, (size_t)owns + STRESS_ARRAYS + (size_t)d->states);
  memcpy(out->array, own, (size_t)owns * sizeof *own);
  out->count = owns + list_stresses(&out->stresses, count, out->direction, out->array + owns);
  for (int s = 0; s < d->states && states; s++)
    out->array[out->count++] = (DlsVtuArray){.name = d->name[s],
                                             .values = states + (size_t)s * (size_t)count,
                                             .components = 1,
                                             .unknown = true};
  return DLS_OK;
}

/* The shares that nodes have of contacts, as fields: what a reader needs beside the cells. */
typedef struct {
  int64_t *of; /* [shares][3]: contact, side, node */
  double (*force)[3];
} Shares;

static DlsStatus make_shares(const DlsDeformed *d, Shares *out) {
  DLS_NEW(out->of, 3 * (size_t)d->cells.shares);
  DLS_NEW(out->force, d->cells.shares);
  for (int k = 0; k < d->cells.shares; k++) {
    const DlsNodeShare *s = &d->cells.share[k];
    const int64_t row[] = {s->contact, s->side, s->node};
    memcpy(out->of + 3 * (size_t)k, row, sizeof row);
    memcpy(out->force[k], s->force, sizeof s->force);
  }
  return DLS_OK;
}

static DlsStatus put_mesh(DlsFrames *f, const DlsSimulation *s, const DlsDeformed *d,
                          const List *nodes, const List *cells, const Shares *shares) {
  const DlsPackingCells *c = &d->cells;
  const int corners = c->start[c->cells];
  int64_t *connectivity, *end;
  DLS_NEW(connectivity, corners);
  end = dls_memory_array((size_t)c->cells, sizeof *end);
  for (int k = 0; k < corners; k++) connectivity[k] = c->node[k];
  for (int k = 0; k < c->cells && end; k++) end[k] = c->start[k + 1];
  const DlsVtuArray field[] = {
      {.name = "cell_force", .values = c->force, .components = 3, .tuples = corners},
      {.name = "share_of",
       .values = shares->of,
       .type = DLS_VTU_INT64,
       .components = 1,
       .tuples = 3 * (int64_t)c->shares},
      {.name = "share_force", .values = shares->force, .components = 3, .tuples = c->shares},
  };
  const DlsVtuGrid grid = {.points = c->nodes,
                           .cells = c->cells,
                           .position = c->place[0],
                           .connectivity = connectivity,
                           .end = end,
                           .type = d->type,
                           .point_data = nodes->array,
                           .point_arrays = nodes->count,
                           .cell_data = cells->array,
                           .cell_arrays = cells->count,
                           .field_data = field,
                           .field_arrays = c->shares ? 3 : 1,
                           .timed = true,
                           .time = s->state.time};
  DlsStatus status = end ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for a mesh");
  if (status == DLS_OK) status = dls_frames_open(f, DLS_FRAMES_DEFORMABLE);
  if (status == DLS_OK) status = dls_frames_put(f, DLS_FRAMES_DEFORMABLE, &grid);
  free(connectivity);
  free(end);
  return status;
}

static DlsStatus put_cells(DlsFrames *f, const DlsSimulation *s, const DlsDeformed *d,
                           const double *states) {
  const DlsPackingCells *c = &d->cells;
  const DlsVtuArray of_nodes[] = {
      DLS_FRAMES_REALS("displacement", d->displacement, 3, DLS_VTU_VECTORS),
      DLS_FRAMES_REALS("velocity", c->velocity, 3, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("reaction", d->reaction, 3, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("contact_traction", d->traction, 3, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("contact_pressure", d->pressure, 1, DLS_VTU_PLAIN),
      {.name = "gap", .values = d->gap, .unknown = true},
      DLS_FRAMES_NUMBERS("status", d->status, DLS_VTU_INT32),
      DLS_FRAMES_NUMBERS("id", d->body, DLS_VTU_INT64),
  };
  const DlsVtuArray of_cells[] = {
      DLS_FRAMES_NUMBERS("id", c->owner, DLS_VTU_INT64),
      DLS_FRAMES_NUMBERS("material", d->material, DLS_VTU_INT32),
      DLS_FRAMES_REALS("energy_density", d->energy, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("stress_error", d->error, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("volume", c->volume, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("mass", c->mass, 1, DLS_VTU_PLAIN),
  };
  List nodes = {0}, cells = {0};
  Shares shares = {0};
  DlsStatus status =
      make_list(d, c->nodes, (const double(*)[6])d->node_stress, (const double(*)[6])d->node_strain,
                of_nodes, DLS_COUNT(of_nodes), NULL, &nodes);
  if (status == DLS_OK)
    status = make_list(d, c->cells, (const double(*)[6])d->stress, (const double(*)[6])d->strain,
                       of_cells, DLS_COUNT(of_cells), states, &cells);
  if (status == DLS_OK) status = make_shares(d, &shares);
  if (status == DLS_OK) status = put_mesh(f, s, d, &nodes, &cells, &shares);
  clear_list(&nodes);
  clear_list(&cells);
  free(shares.of);
  free(shares.force);
  return status;
}

static DlsStatus put_points(DlsFrames *f, const DlsSimulation *s, const DlsDeformed *d) {
  const int points = d->point[d->cells.cells];
  int64_t *id;
  DLS_NEW(id, points);
  for (int c = 0; c < d->cells.cells; c++)
    for (int p = d->point[c]; p < d->point[c + 1]; p++) id[p] = d->cells.owner[c];
  const DlsVtuArray own[] = {
      DLS_FRAMES_NUMBERS("id", id, DLS_VTU_INT64),
      DLS_FRAMES_REALS("weight", d->weight, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("energy_density", d->point_energy, 1, DLS_VTU_PLAIN),
  };
  List list = {0};
  DlsStatus status =
      make_list(d, points, (const double(*)[6])d->point_stress, (const double(*)[6])d->point_strain,
                own, DLS_COUNT(own), d->state, &list);
  if (status == DLS_OK) status = dls_frames_open(f, DLS_FRAMES_GAUSS);
  if (status == DLS_OK) {
    const DlsVtuGrid grid =
        dls_frames_grid(s, DLS_VTU_VERTEX, points, d->place[0], list.array, list.count);
    status = dls_frames_put(f, DLS_FRAMES_GAUSS, &grid);
  }
  clear_list(&list);
  free(id);
  return status;
}

DlsStatus dls_frames_put_deformable(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  DlsDeformed d;
  double *states = NULL;
  DLS_TRY(dls_deformed_take(s, &v->packing, &d));
  DlsStatus status = d.cells.cells ? mean_states(&d, &states) : DLS_OK;
  if (status == DLS_OK && d.cells.cells) status = put_cells(f, s, &d, states);
  if (status == DLS_OK && d.cells.cells && f->options.gauss) status = put_points(f, s, &d);
  free(states);
  dls_deformed_clear(&d);
  return status;
}
