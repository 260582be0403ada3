/* Control of the step: how far bodies go in it, and the way back to its beginning. */
#include "step/step_impl.h"

#include "base/memory.h"
#include "detect/place.h"
#include "world/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Speed with which a body's surface goes elsewhere, at most. */
static double speed_of(const DlsWorld *world, int body, const double *v) {
  return dls_vector_norm(v) + dls_world_arm(world, body) * dls_vector_norm(v + 3);
}

DlsFarthest dls_control_farthest(const DlsSimulation *s, double before, double after,
                                 const double *velocity) {
  const DlsWorld *world = s->world;
  DlsFarthest farthest = {.body = -1};
  for (int b = 0; b < world->count; b++) {
    if (dls_deformable_of(world, b)) continue;
    const double first = speed_of(world, b, world->velocity[b]);
    const double second = velocity ? speed_of(world, b, velocity + 6 * (size_t)b) : first;
    const double radius = dls_world_size(world, b),
                 ratio = (before * first + after * second) / radius;
    if (farthest.body < 0 || ratio > farthest.ratio)
      farthest = (DlsFarthest){b, ratio * radius / (before + after), radius, ratio, false};
  }
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    const double rest[3] = {0, 0, 0}, *v = world->deformable.velocity + d->velocity;
    const double first = dls_deformable_speed(world, d, v, rest);
    const double second =
        velocity ? dls_deformable_speed(world, d, velocity + dls_layout_start(world, d->body), rest)
                 : first;
    const double side = dls_deformable_length(world, d),
                 ratio = (before * first + after * second) / side;
    if (farthest.body < 0 || ratio > farthest.ratio)
      farthest = (DlsFarthest){d->body, ratio * side / (before + after), side, ratio,
                               d->faces || d->kind->mesh};
  }
  return farthest;
}

struct DlsStepSaved {
  int bodies, boundaries; /* capacities */
  double (*position)[3], (*orientation)[4], (*velocity)[6], *angle;
  double *soft; /* velocities, then states of deformable bodies */
  int soft_count;
  DlsBoundary *boundary;
  DlsCell cell;
  DlsLedger ledger; /* what drives bodies counts its work as it moves them */
};

void dls_control_destroy(DlsStepSaved **saved) {
  DlsStepSaved *k = *saved;
  *saved = NULL;
  if (!k) return;
  free(k->position);
  free(k->orientation);
  free(k->velocity);
  free(k->angle);
  free(k->soft);
  free(k->boundary);
  free(k);
}

static DlsStatus make_room(const DlsWorld *world, DlsStepSaved **saved) {
  if (*saved && world->count <= (*saved)->bodies && world->boundary_count <= (*saved)->boundaries)
    return DLS_OK;
  dls_control_destroy(saved);
  DLS_NEW(*saved, 1);
  DlsStepSaved *k = *saved;
  const int bodies = world->count + world->count / 4 + 16, boundaries = world->boundary_count + 8;
  DLS_NEW(k->position, bodies);
  DLS_NEW(k->orientation, bodies);
  DLS_NEW(k->velocity, bodies);
  DLS_NEW(k->angle, bodies);
  DLS_NEW(k->boundary, boundaries);
  k->bodies = bodies;
  k->boundaries = boundaries;
  return DLS_OK;
}

static DlsStatus save_deformables(const DlsDeformables *all, DlsStepSaved *k) {
  const size_t velocities = (size_t)all->velocities, states = (size_t)all->states;
  if (all->velocities + all->states > k->soft_count) {
    free(k->soft);
    k->soft = NULL;
    k->soft_count = 0;
    DLS_NEW(k->soft, velocities + states);
    k->soft_count = all->velocities + all->states;
  }
  dls_memory_copy(k->soft, all->velocity, velocities, sizeof *k->soft);
  if (states) memcpy(k->soft + velocities, all->state, states * sizeof *k->soft);
  return DLS_OK;
}

static void restore_deformables(DlsWorld *world, const DlsStepSaved *k) {
  const DlsDeformables *all = &world->deformable;
  const size_t velocities = (size_t)all->velocities, states = (size_t)all->states;
  if (all->count == 0) return;
  memcpy(all->velocity, k->soft, velocities * sizeof *k->soft);
  if (states) memcpy(all->state, k->soft + velocities, states * sizeof *k->soft);
  dls_deformables_show(world);
}

static DlsStatus save(const DlsSimulation *s, DlsStepSaved **saved) {
  const DlsWorld *world = s->world;
  const size_t n = (size_t)world->count;
  DLS_TRY(make_room(world, saved));
  DlsStepSaved *k = *saved;
  k->ledger = s->state.ledger;
  k->cell = world->cell;
  memcpy(k->position, world->position, n * sizeof *k->position);
  memcpy(k->orientation, world->orientation, n * sizeof *k->orientation);
  memcpy(k->velocity, world->velocity, n * sizeof *k->velocity);
  if (world->angle) memcpy(k->angle, world->angle, n * sizeof *k->angle);
  if (world->boundary_count)
    memcpy(k->boundary, world->boundary, (size_t)world->boundary_count * sizeof *k->boundary);
  return save_deformables(&world->deformable, k);
}

static void restore(DlsSimulation *s, const DlsStepSaved *k) {
  DlsWorld *world = s->world;
  const size_t n = (size_t)world->count;
  s->state.ledger = k->ledger;
  world->cell = k->cell;
  memcpy(world->position, k->position, n * sizeof *k->position);
  memcpy(world->orientation, k->orientation, n * sizeof *k->orientation);
  memcpy(world->velocity, k->velocity, n * sizeof *k->velocity);
  if (world->angle) memcpy(world->angle, k->angle, n * sizeof *k->angle);
  if (world->boundary_count)
    memcpy(world->boundary, k->boundary, (size_t)world->boundary_count * sizeof *k->boundary);
  restore_deformables(world, k);
}

DlsStatus dls_control_save(DlsSimulation *s) { return save(s, &s->work.saved); }

void dls_control_restore(DlsSimulation *s) { restore(s, s->work.saved); }

/* What remains of the contacts of the step before changes only where a part of this one has been
 * accepted, so it is copied only for steps in parts; and poses too: where the step is its only
 * part, dls_control_save() of that part is the way back. */
struct DlsStepBefore {
  DlsStepSaved *poses; /* of a step in parts */
  DlsStepReport report;
  double time;
  int block, states, contacts;
  bool in_parts;
  DlsContactKey *key;     /* [contacts], and the next three: of a step in parts */
  DlsContactPlace *place; /* NULL where there are none */
  double *r, *state;
  double (*frame)[9]; /* NULL where there are none */
  double moment;
  DlsSurfaces surfaces; /* likewise */
};

static void forget_contacts(DlsStepBefore *k) {
  free(k->key);
  free(k->place);
  free(k->r);
  free(k->state);
  free(k->frame);
  k->key = NULL;
  k->place = NULL;
  k->r = k->state = NULL;
  k->frame = NULL;
}

void dls_control_before_destroy(DlsStepBefore **before) {
  if (!*before) return;
  dls_control_destroy(&(*before)->poses);
  forget_contacts(*before);
  dls_surfaces_clear(&(*before)->surfaces);
  free(*before);
  *before = NULL;
}

DlsStatus dls_control_begin(DlsSimulation *s) {
  if (!s->work.before) DLS_NEW(s->work.before, 1);
  DlsStepBefore *k = s->work.before;
  k->report = s->last.report;
  k->time = s->state.time;
  k->block = s->state.block, k->states = s->state.states;
  k->contacts = s->state.memory.count;
  k->in_parts = s->settings.control == DLS_CONTROL_HALVE;
  if (!k->in_parts) return DLS_OK;
  DLS_TRY(save(s, &k->poses));
  DLS_TRY(dls_surfaces_copy(&s->state.surfaces, &k->surfaces));
  const size_t n = (size_t)k->contacts;
  forget_contacts(k);
  DLS_NEW(k->key, n);
  if (s->state.memory.placed) DLS_NEW(k->place, n);
  DLS_NEW(k->r, n * (size_t)k->block);
  DLS_NEW(k->state, n * (size_t)k->states);
  if (s->state.frame) DLS_NEW(k->frame, n);
  k->moment = s->state.moment;
  if (n == 0) return DLS_OK;
  memcpy(k->key, s->state.memory.key, n * sizeof *k->key);
  if (k->place) memcpy(k->place, s->state.memory.place, n * sizeof *k->place);
  memcpy(k->r, s->state.r, n * (size_t)k->block * sizeof *k->r);
  memcpy(k->state, s->state.law_state, n * (size_t)k->states * sizeof *k->state);
  if (k->frame) memcpy(k->frame, s->state.frame, n * sizeof *k->frame);
  return DLS_OK;
}

/* As after a checkpoint was read: the contacts of now belong to nothing. */
DlsStatus dls_control_undo(DlsSimulation *s) {
  DlsStepBefore *k = s->work.before;
  restore(s, k->in_parts ? k->poses : s->work.saved);
  s->last.report = k->report;
  s->state.time = k->time;
  s->last.contacts.count = 0;
  dls_assembly_clear(&s->last.assembly);
  s->state.block = k->block, s->state.states = k->states;
  if (!k->in_parts) return DLS_OK;
  DLS_TRY(dls_contact_memory_remember(&s->state.memory, k->contacts, k->key, NULL));
  if (k->place) {
    DLS_TRY(dls_contact_memory_make_places(&s->state.memory));
    dls_memory_copy(s->state.memory.place, k->place, (size_t)k->contacts, sizeof *k->place);
  }
  free(s->state.r);
  free(s->state.law_state);
  free(s->state.frame);
  s->state.r = k->r, s->state.law_state = k->state, s->state.kept = k->contacts;
  s->state.frame = k->frame, s->state.moment = k->moment;
  k->r = k->state = NULL;
  k->frame = NULL;
  dls_surfaces_clear(&s->state.surfaces);
  s->state.surfaces = k->surfaces;
  k->surfaces = (DlsSurfaces){0};
  return DLS_OK;
}
