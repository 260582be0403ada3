/* Newton's loop around the contact solve, for deformable bodies that are not linear
 * (world/deformable_kind.h). */
#include "step/step_impl.h"

#include "base/clock.h"

enum { MOST_ROUNDS = 30 };

/* Solved anew about v+ of the last solve, from its impulses. */
static DlsStatus solve_again(DlsSimulation *s, DlsStepPlan *plan, const double gravity[3]) {
  DlsStepReport *report = &s->last.report;
  const double began = dls_clock_now();
  const int contacts = s->last.assembly.step.count;
  const long iterations = report->solver.iterations;
  const DlsWork work = report->solver.work;
  DLS_TRY(dls_deformables_free_velocity(s, gravity, s->work.velocity));
  s->work.unsettled = false;
  DLS_TRY(dls_step_assemble_again(s, plan, contacts));
  const double assembled = dls_clock_now();
  DLS_TRY(s->settings.scheme->impulses(s));
  DLS_TRY(
      dls_assemble_velocity(&s->last.assembly, s->world, s->last.free_velocity, s->work.velocity));
  report->solver.iterations += iterations;
  dls_work_add(&report->solver.work, &work);
  report->assemble_s += assembled - began;
  report->solve_s += dls_clock_now() - assembled;
  if (s->settings.scheme->look_ahead && report->solver.outcome != DLS_NO_SOLUTION)
    DLS_TRY(s->settings.scheme->look_ahead(s, plan));
  return DLS_OK;
}

DlsStatus dls_step_settle(DlsSimulation *s, DlsStepPlan *plan, const double gravity[3]) {
  double left;
  int body;
  for (int round = 0; s->last.report.solver.outcome != DLS_NO_SOLUTION; round++) {
    s->work.unsettled = true;
    DLS_TRY(dls_deformables_balance(s, gravity, &left, &body));
    if (body < 0 || left <= 1) break;
    DLS_CHECK(
        round < MOST_ROUNDS, DLS_ERR_NUMERIC,
        "step %ld at t = %g s: after %d rounds of Newton's loop body %llu is out of balance by "
        "%.2g of its tolerance; shorten time.step from %g s, or set time.control to halve",
        s->state.step + 1, s->state.time, MOST_ROUNDS, (unsigned long long)s->world->id[body], left,
        s->settings.h);
    s->last.report.newton++;
    DLS_TRY(solve_again(s, plan, gravity));
  }
  s->work.unsettled = false;
  return DLS_OK;
}
