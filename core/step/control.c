/* Control of the step: how far bodies go in it, and the way back to its beginning. */
#include "step/step_impl.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Speed of the fastest point among the centres of a body's elements, at most. */
static double speed_of(const DlsWorld *world, int body, const double *v) {
  double arm = 0;
  for (int e = world->first[body]; e < world->first[body + 1]; e++)
    arm = fmax(arm, dls_vector_norm(world->element[e].offset));
  return dls_vector_norm(v) + arm * dls_vector_norm(v + 3);
}

static double radius_of(const DlsWorld *world, int body) {
  double radius = INFINITY;
  for (int e = world->first[body]; e < world->first[body + 1]; e++)
    radius = fmin(radius, world->element[e].radius);
  return radius;
}

DlsFarthest dls_control_farthest(const DlsSimulation *s, double before, double after,
                                 const double (*velocity)[6]) {
  const DlsWorld *world = s->world;
  DlsFarthest farthest = {.body = -1};
  for (int b = 0; b < world->count; b++) {
    const double first = speed_of(world, b, world->velocity[b]);
    const double second = velocity ? speed_of(world, b, velocity[b]) : first;
    const double radius = radius_of(world, b), ratio = (before * first + after * second) / radius;
    if (farthest.body < 0 || ratio > farthest.ratio)
      farthest = (DlsFarthest){b, ratio * radius / (before + after), radius, ratio};
  }
  return farthest;
}

struct DlsStepSaved {
  int bodies, boundaries; /* capacities */
  double (*position)[3], (*orientation)[4], (*velocity)[6], *angle;
  DlsBoundary *boundary;
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
  free(k->boundary);
  free(k);
}

static DlsStatus make_room(DlsSimulation *s) {
  const DlsWorld *world = s->world;
  if (s->saved && world->count <= s->saved->bodies && world->boundary_count <= s->saved->boundaries)
    return DLS_OK;
  dls_control_destroy(&s->saved);
  DLS_NEW(s->saved, 1);
  DlsStepSaved *k = s->saved;
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

DlsStatus dls_control_save(DlsSimulation *s) {
  DLS_TRY(make_room(s));
  const DlsWorld *world = s->world;
  const size_t n = (size_t)world->count;
  DlsStepSaved *k = s->saved;
  k->ledger = s->ledger;
  memcpy(k->position, world->position, n * sizeof *k->position);
  memcpy(k->orientation, world->orientation, n * sizeof *k->orientation);
  memcpy(k->velocity, world->velocity, n * sizeof *k->velocity);
  if (world->angle) memcpy(k->angle, world->angle, n * sizeof *k->angle);
  if (world->boundary_count)
    memcpy(k->boundary, world->boundary, (size_t)world->boundary_count * sizeof *k->boundary);
  return DLS_OK;
}

void dls_control_restore(DlsSimulation *s) {
  DlsWorld *world = s->world;
  const size_t n = (size_t)world->count;
  const DlsStepSaved *k = s->saved;
  s->ledger = k->ledger;
  memcpy(world->position, k->position, n * sizeof *k->position);
  memcpy(world->orientation, k->orientation, n * sizeof *k->orientation);
  memcpy(world->velocity, k->velocity, n * sizeof *k->velocity);
  if (world->angle) memcpy(world->angle, k->angle, n * sizeof *k->angle);
  if (world->boundary_count)
    memcpy(world->boundary, k->boundary, (size_t)world->boundary_count * sizeof *k->boundary);
}
