/* Whether a configuration is in equilibrium: "launch iterations with zero initial velocity; if the
 * step-end velocity is found zero, the values obtained for the contact forces agree with
 * equilibrium" (Moreau 2001, sec. 2.1). */
#include "step/step_impl.h"
#include "world/layout.h"

#include "assemble/coupling.h"
#include "assemble/reach.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double near =
    1e-4; /* of the largest radius: contacts that round-off opens are contacts */

static DlsStatus find_contacts(DlsSimulation *s) {
  double least, largest;
  dls_world_sizes(s->world, &least, &largest);
  const double touching = fmax(s->settings.alert, near * largest);
  DlsDetection where = {.sights = dls_interactions_sights(&s->settings.laws),
                        .memory = &s->state.memory};
  DLS_TRY(dls_reach_bounds(&s->settings.laws, s->world, s->state.time, NULL, &where.alert));
  where.alert = fmax(where.alert, touching);
  DLS_TRY(dls_detect(s->detector, s->world, &where, &s->last.contacts));
  DLS_TRY(dls_links_append(&s->settings.links, s->world, &where, &s->last.contacts));
  DLS_TRY(dls_step_match(s, &where));
  DLS_TRY(dls_step_make_take(s));
  for (int c = 0; c < s->last.contacts.count; c++)
    s->work.take[c] = s->last.contacts.gap[c] <= touching;
  return DLS_OK;
}

/* m/s2 of a body whose velocity went from zero to v in the step: of its centre, or of its rim. */
static double acceleration_of(const DlsSimulation *s, int body, const double *v) {
  const double rim = dls_world_reach(s->world, body);
  return fmax(dls_vector_norm(v), rim * dls_vector_norm(v + 3)) / s->settings.h;
}

/* The same of deformable bodies, by what is left at their velocities: sum |M^ v| / (m h). Elastic
 * modes answer a force with less motion than free mass does, and would seem to rest too soon. */
static DlsStatus judge_deformables(DlsSimulation *s, const double *flat, double *largest,
                                   int *body) {
  const DlsWorld *world = s->world;
  double *impulse;
  *largest = 0;
  if (world->deformable.count == 0) return DLS_OK;
  DLS_NEW(impulse, world->deformable.velocities);
  const DlsStatus status =
      dls_coupling_impulses(&s->last.assembly, world, flat + dls_layout_front(world), impulse);
  for (int k = 0; k < world->deformable.count && status == DLS_OK; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    double sum = 0;
    for (int v = 0; v < d->size.velocities; v++) sum += fabs(impulse[d->velocity + v]);
    sum /= world->mass[d->body] * s->settings.h;
    if (sum <= *largest) continue;
    *largest = sum;
    *body = d->body;
  }
  free(impulse);
  return status;
}

/* The problem of a step from rest; the world is at rest. */
static DlsStatus solve(DlsSimulation *s, double tolerance, DlsEquilibrium *out) {
  double gravity[3] = {0};
  if (s->settings.influence.gravity)
    s->settings.influence.gravity(s->settings.influence.context, s->state.time, gravity);
  DLS_TRY(dls_step_free_motion(s, gravity, s->state.time));
  DLS_TRY(find_contacts(s));
  DLS_TRY(
      dls_surfaces_ready(&s->state.surfaces, &s->settings.laws, s->world, &s->settings.patches));
  const DlsAssembleStep step = {.time = s->state.time,
                                .h = s->settings.h,
                                .moment = s->state.time,
                                .gap_term = DLS_GAP_NONE,
                                .only_closed = 1,
                                .take = s->work.take,
                                .links = &s->settings.links,
                                .free_velocity = s->last.free_velocity,
                                .surfaces = &s->state.surfaces};
  const DlsAssembleBefore before = dls_step_before(s);
  DLS_TRY(dls_assemble(&s->last.assembly, s->world, &s->settings.laws, &s->last.contacts, &step,
                       &before));
  const DlsStepReport report = s->last.report;
  const DlsStatus status = dls_scheme_solve(s);
  out->solver = s->last.report.solver;
  s->last.report = report;
  DLS_TRY(status);
  DLS_TRY(
      dls_assemble_velocity(&s->last.assembly, s->world, s->last.free_velocity, s->work.velocity));
  out->contacts = s->last.assembly.step.count;
  for (int b = 0; b < s->world->count; b++) {
    if (dls_world_is_fixed(s->world, b) || dls_deformable_of(s->world, b)) continue;
    const double left = acceleration_of(s, b, dls_layout_six(s->work.velocity)[b]);
    out->load = fmax(out->load, acceleration_of(s, b, dls_layout_six(s->last.free_velocity)[b]));
    if (out->body >= 0 && left <= out->acceleration) continue;
    out->acceleration = left;
    out->body = b;
  }
  double left, load;
  int body = -1;
  DLS_TRY(judge_deformables(s, s->last.free_velocity, &load, &body));
  DLS_TRY(judge_deformables(s, s->work.velocity, &left, &body));
  out->load = fmax(out->load, load);
  if (body >= 0 && (out->body < 0 || left > out->acceleration)) {
    out->acceleration = left;
    out->body = body;
  }
  out->holds = out->acceleration <= tolerance * out->load;
  return DLS_OK;
}

DlsStatus dls_simulation_equilibrium(DlsSimulation *s, double tolerance, DlsEquilibrium *out) {
  DlsWorld *world = s->world;
  *out = (DlsEquilibrium){.body = -1};
  DLS_CHECK(s->settings.h > 0 && isfinite(s->settings.h), DLS_ERR_ARGUMENT, "the time-step is %g s",
            s->settings.h);
  const DlsScheme *scheme = s->settings.scheme;
  DLS_CHECK(scheme->asks == DLS_ASKS_RELATIONS && scheme->loads == DLS_LOADS_ARE_FORCES &&
                !scheme->quasi_static,
            DLS_ERR_ARGUMENT,
            "equilibrium is a question of impulses, which the scheme %s does not solve for; set "
            "time.scheme to moreau or euler",
            scheme->name);
  for (int k = 0; k < world->deformable.count; k++)
    if (world->deformable.item[k].kind->linearise)
      return dls_deformable_refuse(world,
                                   "a single problem does not tell whether such a body is in "
                                   "equilibrium; run until it rests");
  DLS_TRY(dls_simulation_check(s));
  DLS_TRY(dls_step_make_room(s));
  DLS_TRY(dls_control_save(s));
  memset(world->velocity, 0, (size_t)world->count * sizeof *world->velocity);
  for (int v = 0; v < world->deformable.velocities; v++) world->deformable.velocity[v] = 0;
  for (int b = 0; b < world->boundary_count; b++)
    memset(world->boundary[b].velocity, 0, sizeof world->boundary[b].velocity);
  memset(world->cell.rate, 0, sizeof world->cell.rate);
  const DlsStatus status = solve(s, tolerance, out);
  dls_control_restore(s);
  return status;
}
