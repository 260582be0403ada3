/* What can be read of a run between two steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/small.h"
#include "post/packing.h"
#include "run/run_impl.h"

enum { BODIES, CONTACTS, BOUNDARIES };

static DlsRunEnergy energy_of(const DlsScene *scene) {
  const DlsLedger *l = &scene->simulation->state.ledger;
  return (DlsRunEnergy){.kinetic = l->kinetic,
                        .potential = l->potential,
                        .stored = l->stored,
                        .spring = dls_scene_spring_energy(scene),
                        .servo = dls_scene_servo_energy(scene),
                        .dissipated = l->dissipated,
                        .boundary_work = l->boundary,
                        .force_work = l->force,
                        .gravity_work = l->gravity,
                        .scheme_loss = l->scheme,
                        .balance = l->balance,
                        .strain = l->strain,
                        .lost_within = l->within,
                        .lost_plastic = l->plastic,
                        .lost_viscous = l->viscous,
                        .corrected = l->corrected};
}

DlsRunReport dls_run_report(const DlsRun *run) {
  if (!run) return (DlsRunReport){.state = DLS_RUN_FAILED};
  const DlsSimulation *s = run->scene->simulation;
  const DlsStepReport *r = &s->last.report;
  const bool going = run->state == DLS_RUN_GOES_ON;
  return (DlsRunReport){.state = run->state,
                        .dim = s->world->dim,
                        .time = s->state.time,
                        .step_length = s->settings.h,
                        .end_time = run->scene->data.time.end,
                        .step = s->state.step,
                        .first_step = run->first_step,
                        .bodies = dls_scene_bodies(run->scene),
                        .boundaries = run->scene->data.boundaries.count,
                        .contacts = r->contacts,
                        .active = r->active,
                        .converged = r->solver.outcome == DLS_CONVERGED,
                        .iterations = r->solver.iterations,
                        .error = r->solver.error,
                        .penetration = r->penetration,
                        .parts = r->parts,
                        .rounds = r->rounds,
                        .energy = energy_of(run->scene),
                        .not_converged = s->state.unconverged,
                        .without_solution = s->state.squeezed,
                        .not_captured = run->not_captured,
                        .worst_error = s->state.worst_error,
                        .worst_penetration = s->state.worst_penetration,
                        .wall_clock = going ? dls_clock_now() - run->began : run->lasted,
                        .shadowed = run->shadowed,
                        .folder = run->folder,
                        .reason = run->impossible,
                        .problem_kept = run->problem_kept,
                        .failure_kept = run->failure_kept};
}

const char *dls_run_average(DlsRun *run, int k) {
  if (!run) return NULL;
  return dls_averages_describe(run->averages, k, run->folder, run->line, sizeof run->line)
             ? run->line
             : NULL;
}

static bool is_shown(const DlsWorld *world, int body) {
  return !(world->flags[body] & DLS_BODY_GHOST);
}

static DlsStatus fill_bodies(const DlsWorld *world, DlsRunBodies *out) {
  uint64_t *id;
  double(*position)[3], (*orientation)[4], (*velocity)[3], (*spin)[3], *radius, *mass;
  int *material, count = 0;
  for (int b = 0; b < world->count; b++) count += is_shown(world, b);
  DLS_NEW(id, count);
  out->id = id;
  DLS_NEW(position, count);
  out->position = (const double(*)[3])position;
  DLS_NEW(orientation, count);
  out->orientation = (const double(*)[4])orientation;
  DLS_NEW(velocity, count);
  out->velocity = (const double(*)[3])velocity;
  DLS_NEW(spin, count);
  out->spin = (const double(*)[3])spin;
  DLS_NEW(radius, count);
  out->radius = radius;
  DLS_NEW(mass, count);
  out->mass = mass;
  DLS_NEW(material, count);
  out->material = material;
  for (int b = 0, k = 0; b < world->count; b++) {
    if (!is_shown(world, b)) continue;
    id[k] = world->id[b];
    memcpy(position[k], world->position[b], sizeof position[k]);
    memcpy(orientation[k], world->orientation[b], sizeof orientation[k]);
    memcpy(velocity[k], world->velocity[b], sizeof velocity[k]);
    memcpy(spin[k], world->velocity[b] + 3, sizeof spin[k]);
    radius[k] = dls_world_reach(world, b);
    mass[k] = world->mass[b];
    material[k++] = world->material[b];
  }
  out->count = count;
  return DLS_OK;
}

/* From the packing of the last step, whose arrays it takes over where they fit. */
static DlsStatus take_contacts(const DlsSimulation *s, DlsPacking *g, DlsRunContacts *out) {
  int64_t *candidate, *antagonist;
  double *gap;
  DlsContactStatus *status;
  DLS_NEW(candidate, g->contacts);
  out->candidate = candidate;
  DLS_NEW(antagonist, g->contacts);
  out->antagonist = antagonist;
  DLS_NEW(gap, g->contacts);
  out->gap = gap;
  DLS_NEW(status, g->contacts);
  out->status = status;
  for (int i = 0; i < g->contacts; i++) {
    candidate[i] = g->id[g->candidate[i]];
    antagonist[i] = g->antagonist[i] >= 0 ? g->id[g->antagonist[i]] : g->antagonist[i];
    gap[i] = s->last.contacts.gap[s->last.assembly.step.in_set[i]];
    status[i] = (DlsContactStatus)g->status[i];
  }
  out->point = (const double(*)[3])g->point;
  out->normal = (const double(*)[3])g->normal;
  out->force = (const double(*)[3])g->force;
  out->normal_force = g->normal_force;
  out->tangential_force = g->tangential_force;
  g->point = g->normal = g->force = NULL;
  g->normal_force = g->tangential_force = NULL;
  out->count = g->contacts;
  return DLS_OK;
}

static DlsStatus fill_contacts(const DlsSimulation *s, DlsRunContacts *out) {
  DlsPacking packing = {0};
  DlsStatus status = dls_packing_take(s, &packing);
  if (status == DLS_OK) status = take_contacts(s, &packing, out);
  dls_packing_clear(&packing);
  return status;
}

static DlsStatus fill_boundaries(const DlsScene *scene, DlsRunBoundaries *out) {
  const DlsSimulation *s = scene->simulation;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  const int count = scene->data.boundaries.count;
  int64_t *id;
  const char **name;
  double(*position)[3], (*velocity)[3], (*force)[3], (*torque)[3];
  DLS_NEW(id, count);
  out->id = id;
  DLS_NEW(name, count);
  out->name = name;
  DLS_NEW(position, count);
  out->position = (const double(*)[3])position;
  DLS_NEW(velocity, count);
  out->velocity = (const double(*)[3])velocity;
  DLS_NEW(force, count);
  out->force = (const double(*)[3])force;
  DLS_NEW(torque, count);
  out->torque = (const double(*)[3])torque;
  for (int b = 0; b < count; b++) {
    const DlsBoundary *boundary = &s->world->boundary[b];
    id[b] = (int64_t)boundary->id;
    name[b] = items[b].name;
    memcpy(position[b], boundary->position, sizeof position[b]);
    memcpy(velocity[b], boundary->velocity, sizeof velocity[b]);
    if (!s->state.boundary_force) continue;
    memcpy(force[b], s->state.boundary_force[b], sizeof force[b]);
    memcpy(torque[b], s->state.boundary_force[b] + 3, sizeof torque[b]);
  }
  out->count = count;
  return DLS_OK;
}

static void clear_bodies(DlsRunBodies *v) {
  const void *const all[] = {v->id,   v->position, v->orientation, v->velocity,
                             v->spin, v->radius,   v->mass,        v->material};
  for (int k = 0; k < DLS_COUNT(all); k++) free((void *)(size_t)all[k]);
  *v = (DlsRunBodies){.count = -1};
}

static void clear_contacts(DlsRunContacts *v) {
  const void *const all[] = {v->candidate, v->antagonist,   v->point,
                             v->normal,    v->force,        v->gap,
                             v->status,    v->normal_force, v->tangential_force};
  for (int k = 0; k < DLS_COUNT(all); k++) free((void *)(size_t)all[k]);
  *v = (DlsRunContacts){.count = -1};
}

static void clear_boundaries(DlsRunBoundaries *v) {
  const void *const all[] = {v->id, v->name, v->position, v->velocity, v->force, v->torque};
  for (int k = 0; k < DLS_COUNT(all); k++) free((void *)(size_t)all[k]);
  *v = (DlsRunBoundaries){.count = -1};
}

void dls_run_views_clear(DlsRun *run) {
  clear_bodies(&run->views.bodies);
  clear_contacts(&run->views.contacts);
  clear_boundaries(&run->views.boundaries);
}

DlsRunBodies dls_run_bodies(DlsRun *run) {
  if (!run) return (DlsRunBodies){0};
  DlsRunViews *v = &run->views;
  if (v->fresh[BODIES]) return v->bodies;
  clear_bodies(&v->bodies);
  v->fresh[BODIES] = fill_bodies(run->scene->simulation->world, &v->bodies) == DLS_OK;
  return v->bodies;
}

DlsRunContacts dls_run_contacts(DlsRun *run) {
  if (!run) return (DlsRunContacts){0};
  DlsRunViews *v = &run->views;
  if (v->fresh[CONTACTS]) return v->contacts;
  clear_contacts(&v->contacts);
  v->fresh[CONTACTS] = fill_contacts(run->scene->simulation, &v->contacts) == DLS_OK;
  return v->contacts;
}

DlsRunBoundaries dls_run_boundaries(DlsRun *run) {
  if (!run) return (DlsRunBoundaries){0};
  DlsRunViews *v = &run->views;
  if (v->fresh[BOUNDARIES]) return v->boundaries;
  clear_boundaries(&v->boundaries);
  v->fresh[BOUNDARIES] = fill_boundaries(run->scene, &v->boundaries) == DLS_OK;
  return v->boundaries;
}
