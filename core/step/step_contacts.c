/* The contacts of a step: which pairs count, what is kept of them, and what they do to boundaries. */
#include "step/step_impl.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the reduced radius: a contact of moreau's that was in the problem a step ago stays in it up to this gap. What
 * the solver leaves of u_N opens contacts at rest by a hair; a grain would fall through it for a step, g h^2. */
static const double kept = 1e-4;
/* Of the reduced radius: a contact that would be deeper than this in the middle of the next step counts at once. */
static const double deep = 0.5;
/* Of the smallest radius: how far others may push a body towards one that it does not fly to. */
static const double share = 0.2;

/* Overlaps that the solver leaves are of the order of tolerance x speed x h a step, and would add
 * up: a closed contact is held at u_N >= 0, not pushed back. So what exceeds `slack` of these units
 * is pushed apart, no faster than `push` of the speed, which is the fastest that a body would have
 * without contacts: at rest, g h. The push brings a ten-thousandth of the kinetic energy that the
 * step's loads would at most. */
static const double slack = 100, push = 0.01;

typedef struct {
  double fastest, smallest, largest; /* m/s; m, m */
} Extent;

static Extent extent_of(const DlsSimulation *s) {
  const DlsWorld *world = s->world;
  Extent extent = {0, INFINITY, 0};
  for (int b = 0; b < world->count; b++)
    extent.fastest = fmax(extent.fastest, dls_vector_norm(s->last.free_velocity[b]));
  for (int b = 0; b < world->boundary_count; b++)
    extent.fastest = fmax(extent.fastest, dls_vector_norm(world->boundary[b].velocity));
  for (int e = 0; e < world->first[world->count]; e++) {
    extent.smallest = fmin(extent.smallest, world->element[e].radius);
    extent.largest = fmax(extent.largest, world->element[e].radius);
  }
  return extent;
}

/* Where v + w x (point - x) of a body, or the velocity of a boundary there, goes along n. */
static double normal_speed(const DlsSimulation *s, int who, const double *point, const double *n) {
  double velocity[3], lever[3];
  if (who < 0 && dls_world_carrier(s->world, -1 - who) >= 0)
    who = dls_world_carrier(s->world, -1 - who);
  if (who < 0) {
    dls_boundary_velocity(&s->world->boundary[-1 - who], point, velocity);
    return dls_vector_dot(velocity, n);
  }
  const double *v = s->last.free_velocity[who];
  for (int k = 0; k < 3; k++) lever[k] = point[k] - s->world->position[who][k];
  dls_vector_cross(v + 3, lever, velocity);
  return dls_vector_dot(velocity, n) + dls_vector_dot(v, n);
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

static DlsStatus choose(DlsSimulation *s, bool fast) {
  const DlsContactSet *set = &s->last.contacts;
  DLS_TRY(dls_step_make_take(s));
  for (int c = 0; c < set->count; c++) {
    const double gap = set->gap[c], radius = set->radius[c];
    s->work.take[c] = set->previous[c] >= 0 && gap <= kept * radius;
    if (!fast || s->work.take[c] || gap <= 0) continue;
    const double *n = set->frame[c], *point = set->point[c];
    const double closing = normal_speed(s, set->candidate[c], point, n) -
                           normal_speed(s, set->antagonist[c], point, n);
    s->work.take[c] = gap + s->settings.h * closing < -deep * radius;
  }
  return DLS_OK;
}

/* In the middle of the step: what is closed there, what was a step ago and opened by a hair, and what flies so fast
 * that it would pass before the next middle. Else what may close within the step, at the velocities that the bodies
 * would have without contacts, or because others push them a little: as far as the fastest would go
 * alone, but no more than a share of the smallest. What they are pushed to farther is found once it
 * is known (look_ahead.c). */
DlsStatus dls_step_detect(DlsSimulation *s, DlsStepPlan *plan) {
  const Extent extent = extent_of(s);
  const bool middle = plan->assemble.only_closed != 0;
  /* Two of the fastest may meet head on. */
  const bool fast = s->settings.scheme == DLS_SCHEME_MOREAU &&
                    2 * s->settings.h * extent.fastest > 0.5 * deep * extent.smallest;
  DlsDetection where = {.horizon = fast ? s->settings.h : plan->horizon};
  DLS_TRY(dls_interactions_range(&s->settings.laws, NULL, &where.alert));
  where.alert = fmax(where.alert, s->settings.alert);
  if (where.horizon > 0) where.velocity = (const double(*)[6])s->last.free_velocity;
  plan->spare = middle ? 0 : fmin(s->settings.h * extent.fastest, share * extent.smallest);
  where.alert = middle ? fmax(where.alert, kept * extent.largest) : where.alert + plan->spare;
  plan->assemble.slack = slack * s->settings.limits.tolerance * extent.fastest * s->settings.h;
  plan->assemble.push = push * extent.fastest;
  DLS_TRY(dls_detect(s->detector, s->world, &where, &s->last.contacts));
  dls_contact_memory_match(&s->state.memory, &s->last.contacts);
  for (int c = 0; c < s->last.contacts.count; c++)
    s->last.report.penetration = fmax(s->last.report.penetration, -s->last.contacts.gap[c]);
  if (s->settings.scheme != DLS_SCHEME_MOREAU) return DLS_OK;
  DLS_TRY(choose(s, fast));
  plan->assemble.take = s->work.take;
  return DLS_OK;
}

DlsStatus dls_step_remember(DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  const size_t block = (size_t)a->block, states = (size_t)a->states;
  DLS_TRY(dls_contact_memory_remember(&s->state.memory, a->count, s->last.contacts.key, a->source));
  if (a->count > s->state.kept || !s->state.r) {
    free(s->state.r);
    free(s->state.law_state);
    s->state.r = s->state.law_state = NULL;
    s->state.kept = a->count + a->count / 4 + 16;
    DLS_NEW(s->state.r, (size_t)s->state.kept * block);
    DLS_NEW(s->state.law_state, (size_t)s->state.kept * states);
  }
  memcpy(s->state.r, a->r, (size_t)a->count * block * sizeof *s->state.r);
  memcpy(s->state.law_state, a->state, (size_t)a->count * states * sizeof *s->state.law_state);
  return DLS_OK;
}

void dls_step_push_boundaries(DlsSimulation *s, double part) {
  const DlsAssembly *a = &s->last.assembly;
  for (int i = 0; i < a->count; i++) {
    const int c = a->source[i], who = s->last.contacts.antagonist[c];
    if (who >= 0) continue;
    const DlsBoundary *b = &s->world->boundary[-1 - who];
    const double *point = s->last.contacts.point[c], *frame = s->last.contacts.frame[c];
    double force[3] = {0}, lever[3], torque[3];
    for (int k = 0; k < s->world->dim; k++)
      for (int e = 0; e < 3; e++)
        force[e] -= part * frame[3 * k + e] * a->r[(size_t)i * (size_t)a->block + (size_t)k] /
                    s->settings.h;
    for (int e = 0; e < 3; e++) lever[e] = point[e] - b->position[e];
    dls_vector_cross(lever, force, torque);
    for (int e = 0; e < 3; e++) {
      s->work.boundary_push[-1 - who][e] += force[e];
      s->work.boundary_push[-1 - who][3 + e] += torque[e];
    }
  }
}
