/* Checkpoints read, without trusting them: all of the file first, its digest, its numbers, its
 * settings, and only then the simulation changes. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <delassus/version.h>

#include "base/memory.h"
#include "record/checkpoint/checkpoint_impl.h"
#include "world/deformable.h"

/* Formats of before. The first: two words for a key, id << 16 | number of the ball or feature in
 * each. Both: no frames of the contacts, so that states stand as they are, and no surfaces. A
 * ledger without deformable bodies had five numbers less, one that did not tell apart what is lost
 * within them three, one without corrected positions one. */
enum {
  TWO_WORD_KEYS = 3,
  NO_FRAMES = 4,
  NO_SURFACES = 4,
  NO_SOLIDS = 5,
  NO_DEFORMABLES = 6,
  NO_FACETS = 7,
  NO_PLACES = 8,
  NO_LOSSES = 9,
  NO_CELL = 10,
  NO_CORRECTIONS = 11
};

typedef struct {
  DlsH5File file;
  int32_t format;
  uint64_t digest;
  DlsSnapshot snapshot;
  char *settings;
  int *pairs, pair_count;
  DlsCheckpointExtra extra;
  bool keep_contacts;
} Reading;

static void reading_clear(Reading *r) {
  dls_h5_close(&r->file);
  dls_snapshot_clear(&r->snapshot);
  free(r->settings);
  free(r->pairs);
  dls_checkpoint_extra_clear(&r->extra);
}

static DlsStatus get(void *context, const char *name, DlsH5Kind kind, long long count,
                     void *values) {
  Reading *r = context;
  DLS_TRY(dls_h5_read(&r->file, name, NULL, kind, count, "as the others say", values));
  r->digest ^= dls_checkpoint_hash(name, values, (size_t)count * dls_h5_bytes(kind));
  return DLS_OK;
}

/* As get(), of the vectors of a snapshot in the format of the file. */
static DlsStatus get_vector(void *context, const char *name, DlsH5Kind kind, long long count,
                            void *values) {
  Reading *r = context;
  if (r->format <= NO_FRAMES &&
      (strcmp(name, "/contacts/frame") == 0 || strcmp(name, "/contacts/moment") == 0))
    return DLS_OK;
  if (r->format <= NO_PLACES && strcmp(name, "/contacts/place") == 0) return DLS_OK;
  if (r->format <= NO_SURFACES && strncmp(name, "/surfaces/", 10) == 0) return DLS_OK;
  if (r->format <= NO_SOLIDS &&
      (strncmp(name, "/solids/", 8) == 0 || strcmp(name, "/run/accounts") == 0))
    return DLS_OK;
  if (r->format <= NO_DEFORMABLES && strncmp(name, "/deformable/", 12) == 0) return DLS_OK;
  if (r->format <= NO_CORRECTIONS && strcmp(name, "/run/ledger") == 0)
    count -= r->format <= NO_DEFORMABLES ? 5 : r->format <= NO_LOSSES ? 3 : 1;
  if (r->format <= NO_CELL && strcmp(name, "/run/cell") == 0) return DLS_OK;
  if (r->format <= NO_FACETS && strncmp(name, "/facets/", 8) == 0) return DLS_OK;
  if (r->format != TWO_WORD_KEYS || strcmp(name, "/contacts/key") != 0)
    return get(context, name, kind, count, values);
  DlsContactKey *key = values;
  uint64_t(*words)[2];
  DLS_NEW(words, r->snapshot.contacts);
  const DlsStatus status = get(r, name, kind, 2LL * r->snapshot.contacts, words);
  for (int c = 0; c < r->snapshot.contacts && status == DLS_OK; c++) {
    const uint64_t one = words[c][0], other = words[c][1], wall = other & DLS_KEY_BOUNDARY;
    key[c] = (DlsContactKey){one >> 16, wall | (other & ~DLS_KEY_BOUNDARY) >> 16,
                             dls_key_features(one & 0xffff, other & 0xffff)};
  }
  free(words);
  return status;
}

/* Bytes of any number, with a 0 behind them; freed by the caller. */
static DlsStatus get_bytes(Reading *r, const char *name, char **out, int *count) {
  *out = NULL;
  DLS_TRY(dls_h5_stored(&r->file, name, NULL, count));
  DLS_NEW(*out, (size_t)*count + 1);
  const DlsStatus status = get(r, name, DLS_H5_BYTE, *count, *out);
  if (status == DLS_OK) return DLS_OK;
  free(*out);
  *out = NULL;
  return status;
}

static DlsStatus check_format(Reading *r) {
  const char *path = r->file.path;
  bool found;
  DLS_TRY(dls_h5_find(&r->file, "/delassus_checkpoint", NULL, &found));
  DLS_CHECK(found, DLS_ERR_FORMAT,
            "%s: /delassus_checkpoint: is missing: this is no checkpoint; name a file that "
            "`delassus run` wrote as one",
            path);
  DLS_TRY(get(r, "/delassus_checkpoint", DLS_H5_INT, 1, &r->format));
  if (r->format >= TWO_WORD_KEYS && r->format <= DLS_CHECKPOINT_FORMAT) return DLS_OK;
  char *version = NULL;
  if (dls_h5_read_text(&r->file, "/version", NULL, &version) != DLS_OK) version = NULL;
  for (char *c = version; c && *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
  dls_fail(DLS_ERR_UNSUPPORTED,
           "%s: /delassus_checkpoint: is of format %d, by version %.40s; this one, " DLS_VERSION
           ", reads formats %d to %d: go on with that version, or start the run anew",
           path, r->format, version ? version : "unknown", TWO_WORD_KEYS, DLS_CHECKPOINT_FORMAT);
  free(version);
  return DLS_ERR_UNSUPPORTED;
}

/* A length that must be a multiple of `width`. */
static DlsStatus get_size(Reading *r, const char *name, int width, int *out) {
  DLS_TRY(dls_h5_stored(&r->file, name, NULL, out));
  DLS_CHECK(*out % width == 0, DLS_ERR_FORMAT, "%s: %s: holds %d numbers, not a multiple of %d",
            r->file.path, name, *out, width);
  *out /= width;
  return DLS_OK;
}

/* Sizes come from vectors that are there in full, so that a small file cannot ask for much. */
static DlsStatus make_snapshot(Reading *r) {
  const char *path = r->file.path;
  int bodies, elements, boundaries, contacts, frames = 0, places = 0;
  int32_t dim, block, states;
  DLS_TRY(get(r, "/dimension", DLS_H5_INT, 1, &dim));
  DLS_CHECK(dim == 2 || dim == 3, DLS_ERR_FORMAT, "%s: /dimension: is %d, not 2 or 3", path, dim);
  DLS_TRY(get_size(r, "/bodies/id", 1, &bodies));
  DLS_TRY(get_size(r, "/bodies/element", 4, &elements));
  DLS_TRY(get_size(r, "/boundaries/id", 1, &boundaries));
  DLS_TRY(get_size(r, "/contacts/key", r->format == TWO_WORD_KEYS ? 2 : 3, &contacts));
  DLS_CHECK(elements >= bodies, DLS_ERR_FORMAT, "%s: /bodies/element: %d spheres for %d bodies",
            path, elements, bodies);
  DLS_TRY(get(r, "/contacts/block", DLS_H5_INT, 1, &block));
  DLS_TRY(get(r, "/contacts/states", DLS_H5_INT, 1, &states));
  DLS_CHECK(block >= 0 && block <= DLS_MAX_BLOCK && (block >= dim || contacts == 0), DLS_ERR_FORMAT,
            "%s: /contacts/block: is %d", path, block);
  DLS_CHECK(states >= 0 && states <= DLS_MAX_PARAMS, DLS_ERR_FORMAT, "%s: /contacts/states: is %d",
            path, states);
  if (r->format > NO_FRAMES) DLS_TRY(get_size(r, "/contacts/frame", 9, &frames));
  DLS_CHECK(frames == 0 || frames == contacts, DLS_ERR_FORMAT,
            "%s: /contacts/frame: %d frames for %d contacts", path, frames, contacts);
  if (r->format > NO_PLACES) DLS_TRY(get_size(r, "/contacts/place", DLS_PLACE_NUMBERS, &places));
  DLS_CHECK(places == 0 || places == contacts, DLS_ERR_FORMAT,
            "%s: /contacts/place: %d places for %d contacts", path, places, contacts);
  DLS_TRY(dls_snapshot_make(dim, bodies, elements, boundaries, &r->snapshot));
  DLS_TRY(dls_snapshot_make_contacts(&r->snapshot, contacts, block, states, frames, places));
  int bytes = 0, surfaces = 0, values = 0;
  if (r->format > NO_SURFACES) {
    DLS_TRY(get_size(r, "/surfaces/laws", 1, &bytes));
    DLS_TRY(get_size(r, "/surfaces/key", 3, &surfaces));
    DLS_TRY(get_size(r, "/surfaces/value", 1, &values));
  }
  int solids = 0, numbers = 0, figures = 0;
  if (r->format > NO_SOLIDS) {
    DLS_TRY(get_size(r, "/solids/kind", 1, &solids));
    DLS_TRY(get_size(r, "/solids/number", 1, &numbers));
    DLS_TRY(get_size(r, "/solids/element", 1, &figures));
  }
  DLS_TRY(dls_snapshot_make_solids(&r->snapshot, solids, numbers, figures));
  int deformables = 0, velocities = 0, soft_states = 0;
  if (r->format > NO_DEFORMABLES) {
    DLS_TRY(get_size(r, "/deformable/id", 1, &deformables));
    DLS_TRY(get_size(r, "/deformable/velocity", 1, &velocities));
    DLS_TRY(get_size(r, "/deformable/state", 1, &soft_states));
  }
  DLS_TRY(dls_snapshot_make_deformables(&r->snapshot, deformables, velocities, soft_states));
  int sets = 0, owners = 0, nodes = 0, corners = 0;
  if (r->format > NO_FACETS) {
    DLS_TRY(get_size(r, "/facets/boundary", 1, &owners));
    DLS_TRY(get_size(r, "/facets/size", 3, &sets));
    DLS_TRY(get_size(r, "/facets/node", 3, &nodes));
    DLS_TRY(get_size(r, "/facets/corner", 3, &corners));
  }
  DLS_TRY(dls_snapshot_make_facets(&r->snapshot, sets, owners, nodes, corners));
  return dls_snapshot_make_surfaces(&r->snapshot, bytes, surfaces, values);
}

static DlsStatus get_extra(Reading *r) {
  char *names;
  int length;
  DLS_TRY(get_bytes(r, "/extra_names", &names, &length));
  DlsStatus status = DLS_OK;
  for (char *name = names, *end; status == DLS_OK && (end = strchr(name, '\n')); name = end + 1) {
    char full[sizeof "/extra/" + DLS_CHECKPOINT_NAME], *bytes = NULL;
    int size;
    *end = '\0';
    if (!dls_checkpoint_name_ok(name) || dls_checkpoint_extra_find(&r->extra, name)) {
      status = dls_fail(DLS_ERR_FORMAT, "%s: /extra_names: has a name that is none, or twice",
                        r->file.path);
      break;
    }
    snprintf(full, sizeof full, "/extra/%s", name);
    status = get_bytes(r, full, &bytes, &size);
    if (status == DLS_OK) status = dls_checkpoint_extra_put(&r->extra, name, bytes, (size_t)size);
    free(bytes);
  }
  free(names);
  return status;
}

static DlsStatus get_all(Reading *r) {
  int length;
  uint64_t digest;
  DLS_TRY(check_format(r));
  DLS_TRY(get_bytes(r, "/settings", &r->settings, &length));
  DLS_TRY(get_size(r, "/pairs", 1, &r->pair_count));
  DLS_NEW(r->pairs, r->pair_count);
  DLS_TRY(get(r, "/pairs", DLS_H5_INT, r->pair_count, r->pairs));
  DLS_TRY(make_snapshot(r));
  DLS_TRY(dls_snapshot_visit(&r->snapshot, get_vector, r));
  DLS_TRY(get_extra(r));
  DLS_TRY(dls_h5_read(&r->file, "/digest", NULL, DLS_H5_LONG, 1, "a single number", &digest));
  DLS_CHECK(
      digest == r->digest, DLS_ERR_FORMAT,
      "%s: /digest: does not belong to what the file holds: it was damaged after it was written",
      r->file.path);
  if (dls_cell_unpack(r->snapshot.dim, r->snapshot.cell, &r->snapshot.world->cell) != DLS_OK)
    return dls_fail_context(DLS_ERR_FORMAT, "%s: /run/cell", r->file.path);
  DLS_TRY(dls_snapshot_scatter(&r->snapshot, r->file.path));
  DLS_TRY(dls_snapshot_put_facets(&r->snapshot, r->file.path));
  return dls_snapshot_put_solids(&r->snapshot, r->file.path);
}

/* Settings of then and now; what a difference that is forced leaves of the contacts. */
static DlsStatus compare(Reading *r, const DlsSimulation *s, bool force) {
  const char *path = r->file.path;
  const int materials = s->settings.laws.materials;
  bool same_laws;
  char *now;
  DLS_CHECK(r->snapshot.dim == s->world->dim, DLS_ERR_ARGUMENT,
            "%s: /dimension: the run was in %d-D and is in %d-D now; go on with its deck", path,
            r->snapshot.dim, s->world->dim);
  DLS_TRY(dls_checkpoint_settings(s, &now));
  const DlsStatus status = dls_checkpoint_compare(path, r->settings, now, force, &same_laws);
  free(now);
  DLS_TRY(status);
  const bool same_pairs =
      r->pair_count == materials * materials &&
      memcmp(r->pairs, s->settings.laws.pair, (size_t)r->pair_count * sizeof *r->pairs) == 0;
  DLS_CHECK(
      same_pairs || force, DLS_ERR_ARGUMENT,
      "%s: /pairs: the laws are given to other pairs of materials now; go on with the deck of "
      "that run",
      path);
  int block;
  DLS_TRY(dls_interactions_block(&s->settings.laws, s->world->dim, &block));
  r->keep_contacts = same_laws && same_pairs;
  DLS_CHECK(!r->keep_contacts || r->snapshot.contacts == 0 ||
                (r->snapshot.block == block &&
                 r->snapshot.states == dls_interactions_states(&s->settings.laws)),
            DLS_ERR_FORMAT, "%s: /contacts/block: does not go with the laws in /settings", path);
  return DLS_OK;
}

/* All that can fail on the way into the simulation, before it changes. */
typedef struct {
  DlsContactMemory memory;
  double (*boundary_force)[6];
  int boundary_capacity;
  DlsSurfaces surfaces;
  DlsDeformables deformable; /* with the models of the world */
} Room;

static DlsStatus make_room(const Reading *r, const DlsSimulation *s, Room *room) {
  const DlsSnapshot *from = &r->snapshot;
  DLS_TRY(dls_snapshot_put_surfaces(from, r->file.path, s, &room->surfaces));
  if (r->keep_contacts)
    DLS_TRY(dls_contact_memory_remember(&room->memory, from->contacts, from->key, NULL));
  if (r->keep_contacts && from->places) {
    DLS_TRY(dls_contact_memory_make_places(&room->memory));
    memcpy(room->memory.place, from->place, (size_t)from->places * sizeof *from->place);
  }
  DLS_TRY(dls_snapshot_put_deformables(from, r->file.path, s->world, &room->deformable));
  room->boundary_capacity = from->boundaries + 8;
  DLS_NEW(room->boundary_force, room->boundary_capacity);
  return DLS_OK;
}

/* The world keeps its place and its materials; its revision is one that nobody has seen. */
static void put_world(DlsSnapshot *from, const DlsDeformables *deformable, DlsWorld *world) {
  dls_deformables_pass(&world->deformable, deformable);
  const DlsWorld old = *world;
  DlsWorld *new = from->world;
  const uint64_t seen = old.revision > new->revision ? old.revision : new->revision;
  for (int i = 0; i < new->count; i++)
    for (int e = new->first[i]; e < new->first[i + 1]; e++) new->element_body[e] = i;
  *world = *new;
  world->materials = old.materials;
  world->deformable = *deformable;
  world->revision = seen + 1;
  *new = old; /* goes with the snapshot */
  new->materials = (DlsMaterials){0};
}

static void put_report(const DlsSnapshot *from, DlsStepReport *report) {
  *report = (DlsStepReport){
      .contacts = from->report[0], .active = from->report[1], .penetration = from->report_real[1]};
  report->solver.outcome = (DlsOutcome)from->report[2];
  report->solver.iterations = (long)from->iterations;
  report->solver.error = from->report_real[0];
  memcpy(report->solver.note, from->note, sizeof report->solver.note);
}

/* Where the laws are others, or the file is older, the first account takes it all: the sum is that
 * of the ledger. */
static void put_accounts(const Reading *r, DlsLedger *ledger) {
  if (r->format > NO_SOLIDS && r->keep_contacts) {
    memcpy(ledger->dissipated_by, r->snapshot.accounts[0], sizeof ledger->dissipated_by);
    memcpy(ledger->stored_by, r->snapshot.accounts[1], sizeof ledger->stored_by);
    return;
  }
  ledger->dissipated_by[0] = ledger->dissipated;
  ledger->stored_by[0] = ledger->stored;
}

static void put_all(Reading *r, Room *room, DlsSimulation *s) {
  DlsSnapshot *from = &r->snapshot;
  const double *l = from->ledger;
  put_world(from, &room->deformable, s->world);
  s->state.time = from->time;
  s->state.step = (long)from->step;
  s->state.unconverged = (long)from->unconverged;
  s->state.worst_error = from->worst[0];
  s->state.worst_penetration = from->worst[1];
  s->state.ledger = (DlsLedger){.kinetic = l[0],
                                .potential = l[1],
                                .start = l[2],
                                .gravity = l[3],
                                .force = l[4],
                                .boundary = l[5],
                                .dissipated = l[6],
                                .balance = l[7],
                                .stored = l[8],
                                .scheme = l[9],
                                .strain = l[10],
                                .within = l[11],
                                .plastic = l[12],
                                .viscous = l[13],
                                .corrected = l[14]};
  put_accounts(r, &s->state.ledger);
  put_report(from, &s->last.report);
  memcpy(room->boundary_force, from->boundary_force,
         (size_t)from->boundaries * sizeof *room->boundary_force);
  free(s->state.boundary_force);
  s->state.boundary_force = room->boundary_force;
  s->state.boundary_capacity = room->boundary_capacity;
  dls_surfaces_clear(&s->state.surfaces);
  s->state.surfaces = room->surfaces;
  dls_contact_memory_clear(&s->state.memory);
  s->state.memory = room->memory;
  free(s->state.r);
  free(s->state.law_state);
  free(s->state.frame);
  s->state.r = r->keep_contacts ? from->r : NULL;
  s->state.law_state = r->keep_contacts ? from->state : NULL;
  s->state.frame = r->keep_contacts ? from->frame : NULL;
  s->state.moment = from->moment;
  s->state.kept = r->keep_contacts ? from->contacts : 0;
  s->state.block = r->keep_contacts ? from->block : 0;
  s->state.states = r->keep_contacts ? from->states : 0;
  if (r->keep_contacts) from->r = from->state = NULL, from->frame = NULL;
  /* What belongs to the step before is no more. */
  s->last.contacts.count = 0;
  dls_assembly_clear(&s->last.assembly);
  dls_detector_forget(s->detector);
}

static DlsStatus read_into(Reading *r, DlsSimulation *s, bool force) {
  DLS_TRY(get_all(r));
  DLS_TRY(compare(r, s, force));
  DLS_TRY(dls_snapshot_check(&r->snapshot, r->file.path, s->world->materials.count));
  Room room = {0};
  const DlsStatus status = make_room(r, s, &room);
  if (status == DLS_OK) {
    put_all(r, &room, s);
    return DLS_OK;
  }
  dls_contact_memory_clear(&room.memory);
  dls_surfaces_clear(&room.surfaces);
  room.deformable.count = 0; /* the models are the world's */
  dls_deformables_clear(&room.deformable);
  free(room.boundary_force);
  return status;
}

/* The cure of a file that is missing or spoilt, behind the sentence. */
static DlsStatus add_cure(DlsStatus status, const char *path) {
  char *previous = dls_checkpoint_previous(path);
  if (previous && access(previous, R_OK) == 0)
    dls_fail(status, "%s; the checkpoint before it is %s", dls_error_message(), previous);
  else
    dls_fail(status, "%s; go on from another checkpoint, or start the run anew",
             dls_error_message());
  free(previous);
  return status;
}

static DlsStatus open_reading(const char *path, Reading *r) {
  *r = (Reading){.file.id = -1};
  DLS_CHECK(path && *path, DLS_ERR_ARGUMENT, "checkpoint: the path is empty");
  DLS_TRY(dls_h5_open(path, &r->file));
  r->extra.from = strdup(path);
  return DLS_OK;
}

/* A failure tells the file and the cure. */
static DlsStatus judge(DlsStatus status, const char *path) {
  if (status == DLS_OK || !path || !*path) return status;
  if (strncmp(dls_error_message(), path, strlen(path)) != 0)
    dls_fail_context(status, "%s", path); /* such as: out of memory */
  if (status == DLS_ERR_FORMAT || status == DLS_ERR_FILE) add_cure(status, path);
  return status;
}

DlsStatus dls_checkpoint_look(const char *path, DlsCheckpointLook *out) {
  Reading reading;
  *out = (DlsCheckpointLook){0};
  DlsStatus status = open_reading(path, &reading);
  if (status == DLS_OK) status = get_all(&reading);
  /* Materials are not known yet: a number of one is looked at when it is read into a simulation. */
  if (status == DLS_OK) status = dls_snapshot_check(&reading.snapshot, path, INT_MAX);
  if (status == DLS_OK) {
    out->time = reading.snapshot.time;
    out->step = (long)reading.snapshot.step;
    out->contacts = reading.snapshot.contacts;
    out->extra = reading.extra;
    reading.extra = (DlsCheckpointExtra){0};
  }
  reading_clear(&reading);
  return judge(status, path);
}

void dls_checkpoint_look_clear(DlsCheckpointLook *look) {
  dls_checkpoint_extra_clear(&look->extra);
  *look = (DlsCheckpointLook){0};
}

static DlsStatus take_bodies(Reading *r, DlsWorld **out) {
  DLS_TRY(get_all(r));
  DLS_CHECK(r->snapshot.deformables == 0, DLS_ERR_UNSUPPORTED,
            "%s: /deformable/id: body %llu is deformable, and what it is made of is not in the "
            "file: go on with the whole run, or take the bodies of one that are rigid",
            r->file.path, (unsigned long long)r->snapshot.soft_id[0]);
  DlsWorld *world = r->snapshot.world;
  DLS_TRY(dls_checkpoint_materials(r->file.path, r->settings, &world->materials));
  DLS_TRY(dls_snapshot_check(&r->snapshot, r->file.path, world->materials.count));
  for (int i = 0; i < world->count; i++)
    for (int e = world->first[i]; e < world->first[i + 1]; e++) world->element_body[e] = i;
  *out = world;
  r->snapshot.world = NULL;
  return DLS_OK;
}

DlsStatus dls_checkpoint_bodies(const char *path, DlsWorld **out) {
  Reading reading;
  *out = NULL;
  DlsStatus status = open_reading(path, &reading);
  if (status == DLS_OK) status = take_bodies(&reading, out);
  reading_clear(&reading);
  return judge(status, path);
}

DlsStatus dls_checkpoint_read(const char *path, DlsSimulation *simulation, bool force,
                              DlsCheckpointExtra *extra) {
  Reading reading;
  DlsStatus status = open_reading(path, &reading);
  if (status == DLS_OK) status = read_into(&reading, simulation, force);
  status = judge(status, path);
  if (status == DLS_OK && extra) {
    *extra = reading.extra;
    reading.extra = (DlsCheckpointExtra){0};
  }
  reading_clear(&reading);
  return status;
}
