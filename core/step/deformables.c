/* Deformable bodies in a step: their free velocities, what detection and control must know of
 * elements that move apart from their body, and their accounts. */
#include "assemble/coupling.h"
#include "base/memory.h"
#include "step/step_impl.h"
#include "world/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static DlsDeformableStep step_of(const DlsSimulation *s, const double gravity[3]) {
  const double h = s->settings.h, after = s->settings.scheme->after(s->settings.theta, h);
  return (DlsDeformableStep){.time = s->state.time,
                             .h = h,
                             .before = h - after,
                             .after = after,
                             .gravity = {gravity[0], gravity[1], gravity[2]},
                             .still = s->settings.scheme->quasi_static};
}

DlsStatus dls_deformables_check(const DlsSimulation *s) {
  const DlsWorld *world = s->world;
  char text[160];
  if (world->deformable.count == 0) return DLS_OK;
  snprintf(text, sizeof text,
           "the scheme %s moves rigid bodies alone; set time.scheme to moreau, euler or static",
           s->settings.scheme->name);
  if (!s->settings.scheme->moves_deformables) return dls_deformable_refuse(world, text);
  for (int b = 0; b < world->boundary_count; b++) {
    const int carrier = dls_world_carrier(world, b);
    DLS_CHECK(carrier < 0 || !dls_deformable_of(world, carrier), DLS_ERR_UNSUPPORTED,
              "boundary %d is carried by body %llu, which is not rigid", b,
              (unsigned long long)world->id[carrier]);
  }
  for (int k = 0; k < s->settings.links.count; k++)
    for (int side = 0; side < 2; side++) {
      const uint64_t id = s->settings.links.item[k].id[side];
      const int body = id & DLS_KEY_BOUNDARY ? -1 : dls_world_find(world, id);
      DLS_CHECK(body < 0 || !dls_deformable_of(world, body), DLS_ERR_UNSUPPORTED,
                "link %d holds body %llu, which is not rigid: let a law act at its elements", k,
                (unsigned long long)id);
    }
  return DLS_OK;
}

DlsStatus dls_deformables_free_velocity(DlsSimulation *s, const double gravity[3],
                                        const double *guess) {
  if (s->world->deformable.count == 0) return DLS_OK;
  DlsDeformableStep step = step_of(s, gravity);
  return dls_coupling_free_velocity(&s->last.assembly, s->world, &step,
                                    (const double(*)[6])s->work.force, guess,
                                    s->last.free_velocity);
}

DlsStatus dls_deformables_balance(const DlsSimulation *s, const double gravity[3],
                                  const double *velocity, const double *push, DlsBalanceLeft *out) {
  DlsDeformableStep step = step_of(s, gravity);
  const DlsBalance asked = {.step = &step,
                            .force = (const double(*)[6])s->work.force,
                            .velocity = velocity,
                            .push = push,
                            .tolerance = s->settings.limits.tolerance};
  return dls_coupling_balance(&s->last.assembly, s->world, &asked, out);
}

double dls_deformables_fastest(const DlsWorld *world, const double *flat) {
  const double rest[3] = {0, 0, 0};
  double fastest = 0;
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    fastest = fmax(fastest,
                   dls_deformable_speed(world, d, flat + dls_layout_start(world, d->body), rest));
  }
  return fastest;
}

DlsStatus dls_deformables_drift_of(DlsSimulation *s, const double *flat, const double (**out)[3]) {
  const DlsWorld *world = s->world;
  const int elements = world->first[world->count];
  *out = NULL;
  if (world->deformable.count == 0) return DLS_OK;
  free(s->work.drift);
  s->work.drift = NULL;
  DLS_NEW(s->work.drift, elements);
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    const double *v = flat + dls_layout_start(world, d->body), *mean = flat + 6 * (size_t)d->body;
    for (int e = 0; e < d->size.elements; e++) {
      const int number = world->first[d->body] + e;
      double point[3], *drift = s->work.drift[number];
      for (int i = 0; i < 3; i++)
        point[i] = world->position[d->body][i] + world->element[number].offset[i];
      dls_deformable_velocity(world, d, e, point, v, drift);
      for (int i = 0; i < 3; i++) drift[i] -= mean[i];
    }
  }
  *out = (const double(*)[3])s->work.drift;
  return DLS_OK;
}

bool dls_deformables_stay_close(const DlsSimulation *s, double way) {
  const DlsWorld *world = s->world;
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    const size_t at = dls_layout_start(world, d->body);
    for (int e = 0; e < d->size.elements; e++) {
      const double *offset = world->element[world->first[d->body] + e].offset;
      double point[3], solved[3], free_flight[3];
      for (int i = 0; i < 3; i++) point[i] = world->position[d->body][i] + offset[i];
      dls_deformable_velocity(world, d, e, point, s->work.velocity + at, solved);
      dls_deformable_velocity(world, d, e, point, s->last.free_velocity + at, free_flight);
      for (int i = 0; i < 3; i++) solved[i] -= free_flight[i];
      if (!(s->settings.h * dls_vector_norm(solved) <= way)) return false;
    }
  }
  return true;
}

void dls_deformables_begin(DlsSimulation *s, const double gravity[3]) {
  DlsWorld *world = s->world;
  const DlsDeformableStep step = step_of(s, gravity);
  bool any = false;
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    if (!d->kind->begin) continue;
    d->kind->begin(d->model, &step, world->deformable.state + d->state,
                   world->deformable.velocity + d->velocity);
    any = true;
  }
  if (any) dls_deformables_show(world);
}

DlsStatus dls_deformables_finish(DlsSimulation *s, const double gravity[3]) {
  const DlsWorld *world = s->world;
  DlsDeformableStep step = step_of(s, gravity);
  DlsStatus status = DLS_OK;
  double *push;
  if (world->deformable.count == 0) return DLS_OK;
  DLS_NEW(push, world->deformable.velocities);
  dls_coupling_push(&s->last.assembly, world, push);
  for (int k = 0; k < world->deformable.count && status == DLS_OK; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    DlsDeformableWorks works = {0};
    if (!d->kind->finish) continue;
    for (int i = 0; i < 3; i++) step.force[i] = s->work.force[d->body][i];
    step.push = push + d->velocity;
    status = d->kind->finish(d->model, &step, world->deformable.velocity + d->velocity,
                             s->work.velocity + dls_layout_start(world, d->body),
                             world->deformable.state + d->state, &works);
    s->state.ledger.within += works.lost;
    s->state.ledger.force += works.force;
    s->state.ledger.plastic += works.plastic;
    s->state.ledger.viscous += works.viscous;
  }
  free(push);
  return status;
}
