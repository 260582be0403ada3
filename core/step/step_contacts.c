/* The contacts of a step: which pairs count, what is kept of them, and what they do to
 * boundaries. */
#include "step/step_impl.h"
#include "world/deformable.h"
#include "world/layout.h"

#include "assemble/reach.h"
#include "base/memory.h"
#include "detect/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the smallest radius: how far others may push a body towards one that it does not fly to. */
static const double share = 0.2;

/* Of what loads give a body in the step, h^2 g: bodies at rest are held back from it by their
 * contacts, but for what the solver leaves, and are to be within what was looked at. */
static const double held = 1.125;

/* Overlaps that the solver leaves are of the order of tolerance x speed x h a step, and would add
 * up: a closed contact is held at u_N >= 0, not pushed back. So what exceeds `slack` of these units
 * is pushed apart, no faster than `push` of the speed, which is the fastest that a body would have
 * without contacts: at rest, g h. The push brings a ten-thousandth of the kinetic energy that the
 * step's loads would at most. */
static const double slack = 100, push = 0.01;

DlsStepExtent dls_step_extent(const DlsSimulation *s) {
  const DlsWorld *world = s->world;
  DlsStepExtent extent = {.smallest = INFINITY};
  for (int b = 0; b < world->count; b++) {
    const double *free_flight = dls_layout_six(s->last.free_velocity)[b];
    double gain[3];
    for (int k = 0; k < 3; k++) gain[k] = free_flight[k] - world->velocity[b][k];
    extent.fastest = fmax(extent.fastest, dls_vector_norm(free_flight));
    extent.gained = fmax(extent.gained, dls_vector_norm(gain));
  }
  extent.fastest = fmax(extent.fastest, dls_deformables_fastest(world, s->last.free_velocity));
  for (int b = 0; b < world->boundary_count; b++)
    extent.fastest = fmax(extent.fastest, dls_vector_norm(world->boundary[b].velocity) +
                                              fabs(world->boundary[b].growth));
  for (int k = 0; k < 3; k++)
    extent.fastest = fmax(extent.fastest, dls_vector_norm(world->cell.rate[k]));
  dls_world_sizes(world, &extent.smallest, &extent.largest);
  return extent;
}

DlsStatus dls_step_make_take(DlsSimulation *s) {
  const DlsContactSet *set = &s->last.contacts;
  if (set->count > s->work.take_capacity || !s->work.take) {
    free(s->work.take);
    s->work.take_capacity = 0;
    const int capacity = set->count + set->count / 4 + 16;
    DLS_NEW(s->work.take, capacity);
    s->work.take_capacity = capacity;
  }
  return DLS_OK;
}

DlsStatus dls_step_reach(const DlsSimulation *s, double *out) {
  DLS_TRY(dls_reach_bounds(&s->settings.laws, s->world, s->state.time, NULL, out));
  *out = fmax(*out, s->settings.alert);
  return DLS_OK;
}

static bool is_all_balls(const DlsWorld *world, int body) {
  for (int e = world->first[body]; e < world->first[body + 1]; e++)
    if (!dls_world_is_ball(world, e)) return false;
  return true;
}

bool dls_step_is_frozen(const DlsSimulation *s, int candidate, int antagonist) {
  const DlsWorld *world = s->world;
  const DlsInteractions *laws = &s->settings.laws;
  const int other =
      antagonist < 0 ? world->boundary[-1 - antagonist].material : world->material[antagonist];
  const int k = dls_interactions_between(laws, world->material[candidate], other, antagonist);
  if (k < 0 || !laws->item[k].frozen) return false;
  if (is_all_balls(world, candidate) && (antagonist < 0 || is_all_balls(world, antagonist)))
    return false;
  return world->deformable.count == 0 ||
         (!dls_deformable_of(world, candidate) &&
          (antagonist < 0 || !dls_deformable_of(world, antagonist)));
}

/* The two sides of a contact that was remembered, where both are still there. */
static bool sides_of(const DlsWorld *world, const DlsContactKey *key, int who[2]) {
  who[1] = dls_world_find(world, key->candidate);
  if (key->antagonist & DLS_KEY_BOUNDARY) {
    const int boundary = dls_world_find_boundary(world, dls_key_id(key->antagonist));
    who[0] = -1 - boundary;
    return who[1] >= 0 && boundary >= 0;
  }
  who[0] = dls_world_find(world, key->antagonist);
  return who[0] >= 0 && who[1] >= 0 &&
         !((world->flags[who[0]] | world->flags[who[1]]) & (DLS_BODY_GHOST | DLS_BODY_DOOMED));
}

/* Contacts of frozen interactions are where they were on both bodies; those that the detection did
 * not find, because nothing is there now, come last, in the order in which they were. */
static DlsStatus freeze(DlsSimulation *s, const DlsDetection *where) {
  const DlsContactMemory *memory = &s->state.memory;
  DlsContactSet *set = &s->last.contacts;
  if (memory->count == 0 || !memory->placed || !dls_interactions_freeze(&s->settings.laws))
    return DLS_OK;
  bool *found;
  DLS_NEW(found, memory->count);
  for (int c = 0; c < set->count; c++) {
    const int old = set->previous[c];
    if (old < 0) continue;
    found[old] = true;
    if (!dls_key_is_link(&set->key[c]) &&
        dls_step_is_frozen(s, set->candidate[c], set->antagonist[c]))
      dls_place_restore(memory, old, s->world, where, set, c);
  }
  DlsStatus status = dls_contact_set_reserve(set, set->count + memory->count);
  for (int old = 0; old < memory->count && status == DLS_OK; old++) {
    int who[2];
    if (found[old] || dls_key_is_link(&memory->key[old]) ||
        !sides_of(s->world, &memory->key[old], who) || !dls_step_is_frozen(s, who[1], who[0]))
      continue;
    const int c = set->count;
    set->candidate[c] = who[1];
    set->antagonist[c] = who[0];
    memset(set->mean[c], 0, sizeof set->mean[c]);
    if (dls_place_restore(memory, old, s->world, where, set, c)) set->count++;
  }
  free(found);
  return status;
}

DlsStatus dls_step_match(DlsSimulation *s, const DlsDetection *where) {
  dls_contact_memory_match(&s->state.memory, &s->last.contacts);
  DLS_TRY(dls_places_inherit(&s->state.memory, s->world, where, &s->last.contacts));
  return freeze(s, where);
}

/* Keys of the contacts of the problem, and where they are on their bodies. */
static DlsStatus remember_contacts(DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  const DlsContactSet *set = &s->last.contacts;
  DlsContactMemory *memory = &s->state.memory;
  DlsContactPlace *before = NULL;
  bool *frozen = NULL;
  const bool freezes = dls_interactions_freeze(&s->settings.laws);
  if (freezes) {
    DLS_NEW(frozen, a->step.count);
    for (int i = 0; i < a->step.count; i++) {
      const int c = a->step.in_set[i];
      frozen[i] = set->previous[c] >= 0 && !dls_key_is_link(&set->key[c]) &&
                  dls_step_is_frozen(s, set->candidate[c], set->antagonist[c]);
    }
    if (memory->placed) before = memory->place, memory->place = NULL;
  }
  DlsStatus status = dls_contact_memory_remember(memory, a->step.count, set->key, a->step.in_set);
  if (status == DLS_OK && dls_places_matter(s->world))
    status = dls_places_remember(memory, s->world, set, a->step.in_set, frozen, before);
  free(before);
  free(frozen);
  return status;
}

DlsStatus dls_step_detect(DlsSimulation *s, const DlsDetection *where) {
  DlsDetection seen = *where;
  seen.sights = dls_interactions_sights(&s->settings.laws);
  seen.memory = &s->state.memory;
  DLS_TRY(dls_detect(s->detector, s->world, &seen, &s->last.contacts));
  const int met = s->last.contacts.count;
  DLS_TRY(dls_links_append(&s->settings.links, s->world, where, &s->last.contacts));
  DLS_TRY(dls_step_match(s, where));
  for (int c = 0; c < met; c++)
    s->last.report.penetration = fmax(s->last.report.penetration, -s->last.contacts.gap[c]);
  return DLS_OK;
}

void dls_step_push_apart(const DlsSimulation *s, const DlsStepExtent *extent, DlsStepPlan *plan) {
  plan->assemble.slack = slack * s->settings.limits.tolerance * extent->fastest * s->settings.h;
  plan->assemble.push = push * extent->fastest;
}

DlsStatus dls_scheme_seek_closed(DlsSimulation *s, DlsStepPlan *plan) {
  DlsDetection where = {.horizon = 0};
  DLS_TRY(dls_step_reach(s, &where.alert));
  where.alert = fmax(where.alert, dls_step_hair * dls_step_extent(s).largest);
  plan->assemble.only_closed = 1;
  return dls_step_detect(s, &where);
}

/* As far as the fastest would go alone, or one from rest, but no more than a share of the smallest.
 * What bodies are pushed to farther is found once it is known (look_ahead.c). */
DlsStatus dls_scheme_seek_ahead(DlsSimulation *s, DlsStepPlan *plan) {
  const DlsStepExtent extent = dls_step_extent(s);
  const double h = s->settings.h;
  DlsDetection where = {.horizon = h, .velocity = dls_layout_six(s->last.free_velocity)};
  DLS_TRY(dls_step_reach(s, &where.alert));
  DLS_TRY(dls_deformables_drift_of(s, s->last.free_velocity, &where.drift));
  plan->spare = fmin(h * fmax(extent.fastest, held * extent.gained), share * extent.smallest);
  where.alert += plan->spare;
  plan->assemble.gap_term = s->settings.signed_gap ? DLS_GAP_SIGNED : DLS_GAP_POSITIVE;
  dls_step_push_apart(s, &extent, plan);
  return dls_step_detect(s, &where);
}

DlsStatus dls_step_remember(DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  const bool turns = dls_interactions_turn(&s->settings.laws);
  const size_t block = (size_t)a->run.block, states = (size_t)a->run.states;
  DLS_TRY(remember_contacts(s));
  if (a->step.count > s->state.kept || !s->state.r || a->run.block != s->state.block ||
      a->run.states != s->state.states || turns != (s->state.frame != NULL)) {
    free(s->state.r);
    free(s->state.law_state);
    free(s->state.frame);
    s->state.r = s->state.law_state = NULL;
    s->state.frame = NULL;
    s->state.kept = a->step.count + a->step.count / 4 + 16;
    DLS_NEW(s->state.r, (size_t)s->state.kept * block);
    DLS_NEW(s->state.law_state, (size_t)s->state.kept * states);
    if (turns) DLS_NEW(s->state.frame, (size_t)s->state.kept);
  }
  s->state.block = a->run.block;
  s->state.states = a->run.states;
  memcpy(s->state.r, a->solve.r, (size_t)a->step.count * block * sizeof *s->state.r);
  memcpy(s->state.law_state, a->step.state,
         (size_t)a->step.count * states * sizeof *s->state.law_state);
  s->state.moment = a->step.asked.moment;
  for (int i = 0; turns && i < a->step.count; i++)
    memcpy(s->state.frame[i], s->last.contacts.frame[a->step.in_set[i]], sizeof *s->state.frame);
  return DLS_OK;
}

DlsAssembleBefore dls_step_before(const DlsSimulation *s) {
  return (DlsAssembleBefore){.r = s->state.r,
                             .state = s->state.law_state,
                             .frame = (const double(*)[9])s->state.frame,
                             .moment = s->state.moment};
}

void dls_step_push_boundaries(DlsSimulation *s, double part) {
  const DlsAssembly *a = &s->last.assembly;
  for (int i = 0; i < a->step.count; i++) {
    const int c = a->step.in_set[i], who = s->last.contacts.antagonist[c];
    if (who >= 0) continue;
    const DlsBoundary *b = &s->world->boundary[-1 - who];
    const double *point = s->last.contacts.point[c], *frame = s->last.contacts.frame[c];
    double force[3] = {0}, lever[3], torque[3];
    for (int k = 0; k < s->world->dim; k++)
      for (int e = 0; e < 3; e++)
        force[e] -= part * frame[3 * k + e] *
                    a->solve.r[(size_t)i * (size_t)a->run.block + (size_t)k] / s->settings.h;
    for (int e = 0; e < 3; e++) lever[e] = point[e] - b->position[e];
    dls_vector_cross(lever, force, torque);
    for (int e = 0; e < 3; e++) {
      s->work.boundary_push[-1 - who][e] += force[e];
      s->work.boundary_push[-1 - who][3 + e] += torque[e];
    }
  }
}
