/* One step, whatever the scheme (scheme.h): in parts where it must be, with the way back. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/team.h"
#include "step/step_impl.h"
#include "world/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HALVINGS = 20, MOST_EASIER = 5, MOST_EVENTS = 1000000 };

/* Of the step: the time that an event is given, and less than which is none. */
static const double instant = 1e-12;

DlsStatus dls_step_make_room(DlsSimulation *s) {
  const DlsWorld *world = s->world;
  if (world->count > s->work.body_capacity || !s->work.force) {
    free(s->work.force);
    s->work.force = NULL;
    s->work.body_capacity = world->count + world->count / 4 + 16;
    DLS_NEW(s->work.force, s->work.body_capacity);
  }
  if (dls_layout_size(world) > s->work.flat_capacity || !s->work.velocity) {
    free(s->last.free_velocity);
    free(s->work.velocity);
    s->last.free_velocity = s->work.velocity = NULL;
    s->work.flat_capacity = dls_layout_size(world) + dls_layout_size(world) / 4 + 96;
    DLS_NEW(s->last.free_velocity, s->work.flat_capacity);
    DLS_NEW(s->work.velocity, s->work.flat_capacity);
  }
  if (world->boundary_count > s->state.boundary_capacity || !s->state.boundary_force) {
    const int capacity = world->boundary_count + 8;
    double(*force)[6];
    DLS_NEW(force, capacity); /* those there are stay: they may drive this step */
    if (s->state.boundary_force)
      memcpy(force, s->state.boundary_force, (size_t)s->state.boundary_capacity * sizeof *force);
    free(s->state.boundary_force);
    s->state.boundary_force = force;
    s->state.boundary_capacity = capacity;
  }
  if (s->state.boundary_capacity > s->work.push_capacity || !s->work.boundary_push) {
    free(s->work.boundary_push);
    s->work.boundary_push = NULL;
    s->work.push_capacity = s->state.boundary_capacity;
    DLS_NEW(s->work.boundary_push, s->work.push_capacity);
  }
  return DLS_OK;
}

double dls_step_load_time(const DlsSimulation *s) {
  return s->state.time + (s->settings.scheme->quasi_static ? 1 : 0.5) * s->settings.h;
}

DlsStatus dls_step_free_motion(DlsSimulation *s, const double gravity[3], double middle) {
  memset(s->work.force, 0, (size_t)s->world->count * sizeof *s->work.force);
  if (s->settings.influence.force)
    DLS_TRY(s->settings.influence.force(s->settings.influence.context, s->world, middle,
                                        s->work.force));
  return s->settings.scheme->free_velocity(s, gravity);
}

/* Where the solver begins, for those who ask for it later. */
static DlsStatus keep_guess(DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  const size_t size = (size_t)a->step.count * (size_t)a->run.block;
  free(s->last.guess);
  s->last.guess = NULL;
  if (!s->settings.keep_guess && !s->settings.spectator.look) return DLS_OK;
  DLS_NEW(s->last.guess, size);
  memcpy(s->last.guess, a->solve.r, size * sizeof *s->last.guess);
  return DLS_OK;
}

/* One solve under the simulation's monitor; DLS_ERR_SOLVER, with s->cut, where that says stop. */
static DlsStatus solve(DlsSimulation *s) {
  DlsAssembly *a = &s->last.assembly;
  DlsReport *report = &s->last.report.solver;
  DlsLimits limits = s->settings.limits;
  if (dls_coupling_any_loose(a)) limits.tolerance *= DLS_COUPLING_LOOSENESS;
  DLS_TRY(dls_solve(s->settings.solver, a->solve.problem, s->settings.solver_options, &limits,
                    s->settings.monitor.call ? &s->settings.monitor : NULL, a->solve.r, a->solve.u,
                    report));
  if (report->outcome != DLS_NO_SOLUTION && report->outcome != DLS_STOPPED &&
      report->outcome != DLS_CONVERGED && report->error <= s->settings.limits.tolerance) {
    report->outcome = DLS_CONVERGED; /* to what was asked for */
    report->reason = DLS_REASON_CERTIFIED;
  }
  s->last.cut = s->settings.monitor.call && s->last.report.solver.outcome == DLS_STOPPED;
  return s->last.cut ? dls_fail(DLS_ERR_SOLVER, "the step was cut") : DLS_OK;
}

DlsStatus dls_scheme_solve(DlsSimulation *s) {
  DlsAssembly *a = &s->last.assembly;
  s->last.report.contacts = a->step.count;
  s->last.report.active = 0;
  s->last.report.solver = (DlsReport){.outcome = DLS_CONVERGED, .reason = DLS_REASON_GOOD_GUESS};
  if (a->step.count == 0) return DLS_OK;
  DLS_TRY(keep_guess(s));
  DLS_TRY(solve(s));
  if (s->last.report.solver.outcome == DLS_NO_SOLUTION) {
    dls_squeeze_clear(&s->last.squeeze);
    DLS_TRY(dls_squeeze_find(a->solve.problem, a->solve.r, &s->last.squeeze));
  }
  for (int i = 0; i < a->step.count; i++)
    s->last.report.active += a->solve.r[(size_t)i * (size_t)a->run.block] != 0;
  return DLS_OK;
}

DlsStatus dls_step_show(DlsSimulation *s) {
  if (!s->settings.spectator.look || s->last.assembly.step.count == 0) return DLS_OK;
  DlsTeam *team = dls_team_lend(NULL); /* who looks on does it alone */
  const DlsStatus status =
      s->settings.spectator.look(s->settings.spectator.context, s, s->last.guess);
  dls_team_lend(team);
  return status;
}

static DlsStepPlan plan_of(DlsSimulation *s) {
  const DlsStepSettings *set = &s->settings;
  const double after = set->scheme->after(set->theta, set->h);
  return (DlsStepPlan){.before = set->h - after,
                       .after = after,
                       .assemble = {.time = s->state.time,
                                    .h = set->h,
                                    .links = &set->links,
                                    .moment = s->state.time + (set->h - after),
                                    .forces = set->scheme->asks == DLS_ASKS_FORCES,
                                    .free_velocity = s->last.free_velocity,
                                    .surfaces = &s->state.surfaces}};
}

/* The impulses of a part of the step and s->velocity = v+; the world stands where its contacts were
 * found. */
static DlsStatus find_impulses(DlsSimulation *s, DlsStepPlan *plan, const double gravity[3]) {
  DlsStepReport *report = &s->last.report;
  const DlsScheme *scheme = s->settings.scheme;
  const double began = dls_clock_now();
  if (s->settings.influence.move)
    DLS_TRY(s->settings.influence.move(s->settings.influence.context, s->world, s->state.time,
                                       s->settings.h));
  dls_deformables_begin(s, gravity);
  scheme->move(s, plan->before);
  s->work.unsettled = s->world->deformable.count > 0; /* until these have a v_free */
  DLS_TRY(dls_step_free_motion(s, gravity, dls_step_load_time(s)));
  s->work.unsettled = false;
  DLS_TRY(scheme->seek(s, plan));
  const double detected = dls_clock_now();
  const DlsAssembleBefore before = dls_step_before(s);
  DLS_TRY(dls_assemble(&s->last.assembly, s->world, &s->settings.laws, &s->last.contacts,
                       &plan->assemble, &before));
  const double assembled = dls_clock_now();
  DLS_TRY(scheme->impulses(s));
  DLS_TRY(
      dls_assemble_velocity(&s->last.assembly, s->world, s->last.free_velocity, s->work.velocity));
  report->detect_s += detected - began;
  report->assemble_s += assembled - detected;
  report->solve_s += dls_clock_now() - assembled;
  if (scheme->look_ahead && report->solver.outcome != DLS_NO_SOLUTION)
    DLS_TRY(scheme->look_ahead(s, plan));
  DLS_TRY(dls_step_settle(s, plan, gravity));
  return scheme->asks == DLS_ASKS_FORCES ? DLS_OK : dls_step_show(s);
}

/* v <- v+, accounts, states, and the way that is left. */
static DlsStatus accept(DlsSimulation *s, const DlsStepPlan *plan, const double gravity[3],
                        double part) {
  const DlsScheme *scheme = s->settings.scheme;
  const double began = dls_clock_now();
  DlsWorld *world = s->world;
  if (scheme->account) DLS_TRY(scheme->account(s, gravity, plan));
  DLS_TRY(dls_deformables_finish(s, gravity));
  DLS_TRY(dls_assemble_commit(&s->last.assembly)); /* told of the spins at the start of the step */
  memcpy(world->velocity, s->work.velocity, (size_t)world->count * sizeof *world->velocity);
  dls_memory_copy(world->deformable.velocity, s->work.velocity + dls_layout_front(world),
                  (size_t)world->deformable.velocities, sizeof *s->work.velocity);
  dls_step_push_boundaries(s, part);
  double rate[3], work;
  if (dls_assemble_cell(&s->last.assembly, world, rate, &work)) {
    for (int k = 0; k < 3; k++)
      if (world->drive.axes & (1u << k)) world->cell.rate[k][k] = rate[k];
    s->state.ledger.boundary += work;
  }
  if (scheme->account_stored) scheme->account_stored(s);
  DLS_TRY(dls_step_remember(s));
  scheme->move(s, plan->after);
  if (s->settings.correction == DLS_CORRECTION_PROJECT) DLS_TRY(dls_correction_project(s, gravity));
  s->state.time += s->settings.h;
  s->last.report.h = s->settings.h;
  s->last.report.parts++;
  s->last.report.integrate_s += dls_clock_now() - began;
  return DLS_OK;
}

/* The solver's report of all parts so far: iterations of all, the worst error and outcome. */
static void join_reports(const DlsReport *before, DlsReport *now) {
  now->iterations += before->iterations;
  dls_work_add(&now->work, &before->work);
  if (before->error > now->error) now->error = before->error;
  if (before->outcome == DLS_CONVERGED || now->outcome == DLS_NO_SOLUTION) return;
  now->outcome = before->outcome;
  now->reason = before->reason;
  memcpy(now->note, before->note, sizeof now->note);
}

static DlsStatus refuse(const DlsSimulation *s, const DlsFarthest *far) {
  const double *x = s->world->position[far->body];
  return dls_fail(
      DLS_ERR_NUMERIC,
      "step %ld at t = %g s: body %llu at (%g, %g, %g) m would cross %.3g of its %s "
      "of %g m, at %.4g m/s in %g s, more than time.fraction = %g; shorten time.step to "
      "%.2g s%s",
      s->state.step + 1, s->state.time, (unsigned long long)s->world->id[far->body], x[0], x[1],
      x[2], far->ratio, far->soft ? "mean side" : "radius", far->radius, far->speed, s->settings.h,
      s->settings.fraction, s->settings.fraction * far->radius / far->speed,
      s->settings.control == DLS_CONTROL_HALVE ? "" : ", or set time.control to halve");
}

/* Back to the beginning of the part, with the impulses and velocities of the step before. */
static DlsStatus refuse_squeeze(DlsSimulation *s) {
  DlsAssembly *a = &s->last.assembly;
  const size_t block = (size_t)a->run.block;
  char text[240];
  dls_control_restore(s);
  memcpy(a->solve.u, a->step.u_before, (size_t)a->step.count * block * sizeof *a->solve.u);
  for (int i = 0; i < a->step.count; i++) {
    const int before = s->last.contacts.previous[a->step.in_set[i]];
    double *r = a->solve.r + (size_t)i * block;
    memset(r, 0, block * sizeof *r);
    if (before >= 0) memcpy(r, s->state.r + (size_t)before * block, block * sizeof *r);
  }
  dls_squeeze_describe(&s->last.squeeze, text, sizeof text);
  return dls_fail(DLS_ERR_NO_SOLUTION, "step %ld, t = %g s: %s", s->state.step + 1, s->state.time,
                  text);
}

/* A part of the step in one go. *far_out: whether a body went too far and all is as it was
 * before; so it is where there is an event on the way, at *event. */
static DlsStatus try_part(DlsSimulation *s, double part, int halvings, bool at_event,
                          DlsFarthest *farthest, bool *far_out, double *event) {
  const DlsStepReport report = s->last.report;
  DlsStepPlan plan = plan_of(s);
  double gravity[3] = {0};
  plan.instant = at_event;
  *far_out = false;
  *event = INFINITY;
  if (s->settings.influence.gravity)
    s->settings.influence.gravity(s->settings.influence.context, dls_step_load_time(s), gravity);
  if (s->settings.control != DLS_CONTROL_NONE || s->settings.impossible == DLS_IMPOSSIBLE_STOPS ||
      s->settings.monitor.call || s->settings.scheme->until_event)
    DLS_TRY(dls_control_save(s));
  DLS_TRY(find_impulses(s, &plan, gravity));
  if (s->settings.scheme->until_event) {
    DLS_TRY(s->settings.scheme->until_event(s, &plan, event));
    if (*event < s->settings.h) {
      dls_control_restore(s);
      s->last.report = report;
      return DLS_OK;
    }
  }
  if (s->last.report.solver.outcome == DLS_NO_SOLUTION &&
      s->settings.impossible == DLS_IMPOSSIBLE_STOPS)
    return refuse_squeeze(s);
  if (s->settings.control != DLS_CONTROL_NONE && !s->settings.scheme->until_event) {
    *farthest = dls_control_farthest(s, plan.before, plan.after, s->work.velocity);
    if (farthest->ratio > s->settings.fraction) {
      dls_control_restore(s);
      s->last.report = report;
      *far_out = true;
      return DLS_OK;
    }
  }
  if (s->settings.scheme->quasi_static && s->settings.control == DLS_CONTROL_HALVE &&
      halvings < MOST_EASIER && s->last.report.solver.outcome != DLS_CONVERGED) {
    dls_control_restore(s); /* a smaller load may be an easier problem */
    s->last.report = report;
    *far_out = true;
    return DLS_OK;
  }
  if (s->last.report.solver.outcome != DLS_CONVERGED)
    DLS_TRY(dls_assemble_check_custom(&s->last.assembly));
  join_reports(&report.solver, &s->last.report.solver);
  return accept(s, &plan, gravity, part);
}

/* `length` seconds, a share `part` of the step. Where a body would go too far: as two halves, each
 * of them likewise. All follows from the state at the beginning of the step, so that a restart
 * takes the same parts. */
static DlsStatus advance(DlsSimulation *s, double length, double part, int halvings) {
  DlsFarthest farthest = {.body = -1};
  bool too_far = false;
  double event;
  s->settings.h = length;
  s->work.unsettled = false;
  /* Spares a try that is bound to fail; a quasi-static step sets out from rest. */
  if (s->settings.control == DLS_CONTROL_HALVE && !s->settings.scheme->quasi_static) {
    farthest = dls_control_farthest(s, length, 0, NULL);
    too_far = farthest.ratio > 2 * s->settings.fraction;
  }
  if (!too_far) {
    const DlsStepReport report = s->last.report;
    const DlsStatus status = try_part(s, part, halvings, false, &farthest, &too_far, &event);
    if (status != DLS_OK) {
      if (!s->work.unsettled || s->settings.control != DLS_CONTROL_HALVE ||
          halvings == MOST_HALVINGS)
        return status;
      dls_control_restore(s); /* a body that is not linear is, in a shorter step */
      s->last.report = report;
      too_far = true;
    }
  }
  if (!too_far) return DLS_OK;
  if (s->settings.control == DLS_CONTROL_REFUSE || halvings == MOST_HALVINGS)
    return refuse(s, &farthest);
  DLS_TRY(advance(s, length / 2, part / 2, halvings + 1));
  return advance(s, length / 2, part / 2, halvings + 1);
}

/* The step from event to event. */
static DlsStatus advance_by_events(DlsSimulation *s, double length) {
  double left = length, part = length;
  bool at_event = false;
  for (long events = 0; left > instant * length;) {
    DlsFarthest farthest;
    bool too_far;
    double event;
    s->settings.h = part;
    DLS_TRY(try_part(s, part / length, 0, at_event, &farthest, &too_far, &event));
    DLS_CHECK(events < MOST_EVENTS, DLS_ERR_NUMERIC,
              "step %ld, t = %g s: %ld events, and no end; shorten time.step, or take "
              "time.scheme moreau, which takes all of a step together",
              s->state.step + 1, s->state.time, events);
    at_event = event <= instant * length;
    if (event < part) {
      part = at_event ? instant * length : event;
      events++;
    } else {
      left -= part;
      part = left;
    }
  }
  return DLS_OK;
}

DlsStatus dls_simulation_step(DlsSimulation *s) {
  const double h = s->settings.h, end = s->state.time + h;
  DLS_CHECK(h > 0 && isfinite(h), DLS_ERR_ARGUMENT, "the time-step is %g s", h);
  DLS_CHECK(s->settings.theta >= 0 && s->settings.theta <= 1, DLS_ERR_ARGUMENT,
            "theta is %g, not from 0 to 1", s->settings.theta);
  DLS_TRY(dls_simulation_check(s));
  s->state.ledger.boundary += dls_world_wrap(s->world);
  DLS_TRY(dls_step_make_room(s));
  DLS_TRY(
      dls_surfaces_ready(&s->state.surfaces, &s->settings.laws, s->world, &s->settings.patches));
  s->last.cut = false;
  if (s->settings.monitor.call) DLS_TRY(dls_control_begin(s));
  memset(s->work.boundary_push, 0,
         (size_t)s->world->boundary_count * sizeof *s->work.boundary_push);
  s->last.report = (DlsStepReport){.solver = {.outcome = DLS_CONVERGED}};
  const DlsStatus status =
      s->settings.scheme->until_event ? advance_by_events(s, h) : advance(s, h, 1, 0);
  s->settings.h = h;
  if (s->last.cut) return dls_control_undo(s);
  DLS_TRY(status);
  memcpy(s->state.boundary_force, s->work.boundary_push,
         (size_t)s->world->boundary_count * sizeof *s->state.boundary_force);
  s->state.time = end;
  s->state.step++;
  dls_ledger_close(s);
  s->state.unconverged += s->last.report.solver.outcome != DLS_CONVERGED;
  s->state.squeezed += s->last.report.solver.outcome == DLS_NO_SOLUTION;
  s->state.worst_error = fmax(s->state.worst_error, s->last.report.solver.error);
  s->state.worst_penetration = fmax(s->state.worst_penetration, s->last.report.penetration);
  return DLS_OK;
}
