/* The steps of a run. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "run/run_impl.h"

bool dls_run_is_asked(const DlsRun *run) {
  return atomic_load(&run->asked_to_stop) || (run->stop && run->stop(run->context));
}

bool dls_run_is_over(const DlsRun *run) {
  const bool late = run->max_time > 0 && dls_clock_now() - run->began > run->max_time;
  return dls_team_any(run->team, late || dls_run_is_asked(run));
}

void dls_run_stop(DlsRun *run) {
  if (run) atomic_store(&run->asked_to_stop, true);
}

static int on_measure(void *context, long iteration, double time_s, double error) {
  (void)iteration, (void)time_s, (void)error;
  return dls_run_is_over(context);
}

/* With solver.no_solution = continue. */
static DlsStatus tell_squeezed(const DlsRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  char text[600];
  if (s->last.report.solver.outcome != DLS_NO_SOLUTION || !run->tell) return DLS_OK;
  DLS_TRY(dls_scene_describe_squeeze(run->scene, text, sizeof text));
  dls_run_tell(run, DLS_RUN_SQUEEZED, "step %ld, t = %.6g s: no motion is possible: %s",
               s->state.step, s->state.time - s->settings.h, text);
  return DLS_OK;
}

static bool has_ended(const DlsRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  return !(s->state.time < run->scene->data.time.end - dls_run_nearly * s->settings.h);
}

/* What the first rank writes, and works out for it, it does without the others. */
static DlsStatus alone(DlsRun *run, DlsStatus (*work)(DlsRun *run)) {
  DlsTeam *before = dls_team_lend(NULL);
  const DlsStatus status = work(run);
  dls_team_lend(before);
  return status;
}

/* One step of the scene and what it leaves. A step that is cut in its solve has not been: what is
 * saved is the state before it; likewise one in which no motion is possible. */
static DlsStatus take_step(DlsRun *run) {
  DlsSimulation *s = run->scene->simulation;
  s->settings.monitor = (DlsMonitor){on_measure, run};
  DlsTeam *before = dls_team_lend(run->team);
  const DlsStatus status = dls_scene_step(run->scene);
  dls_team_lend(before);
  s->settings.monitor = (DlsMonitor){0};
  if (status == DLS_ERR_NO_SOLUTION) {
    run->state = DLS_RUN_IMPOSSIBLE;
    dls_run_keep_problem(run);
    return DLS_OK;
  }
  if (status == DLS_ERR_LAW) return dls_run_keep_failure(run);
  DLS_TRY(status);
  if (s->last.cut) {
    run->state = DLS_RUN_STOPPED;
    return DLS_OK;
  }
  DLS_TRY(tell_squeezed(run));
  DLS_TRY(dls_team_agree(run->team, alone(run, dls_run_results_step)));
  if (dls_run_is_over(run)) run->state = DLS_RUN_STOPPED;
  return DLS_OK;
}

static DlsStatus advance(DlsRun *run) {
  memset(run->views.fresh, 0, sizeof run->views.fresh);
  if (!has_ended(run)) DLS_TRY(take_step(run));
  if (run->state == DLS_RUN_GOES_ON && has_ended(run)) run->state = DLS_RUN_FINISHED;
  return run->state == DLS_RUN_GOES_ON ? DLS_OK
                                       : dls_team_agree(run->team, alone(run, dls_run_results_end));
}

static DlsStatus check_run(const DlsRun *run, const bool *more) {
  DLS_CHECK(run, DLS_ERR_ARGUMENT, "there is no run: it was not opened, or is closed");
  DLS_CHECK(more, DLS_ERR_ARGUMENT, "`more` is NULL: where it is told whether the run goes on");
  return DLS_OK;
}

DlsStatus dls_run_step(DlsRun *run, bool *more) {
  if (more) *more = false;
  DLS_TRY(check_run(run, more));
  DLS_CHECK(run->state != DLS_RUN_FAILED, DLS_ERR_ARGUMENT,
            "the run has failed at t = %g s; go on from its last checkpoint",
            run->scene->simulation->state.time);
  if (run->state != DLS_RUN_GOES_ON) return DLS_OK;
  const DlsStatus status = dls_run_mind_death(run, advance(run));
  if (status != DLS_OK) run->state = DLS_RUN_FAILED;
  *more = run->state == DLS_RUN_GOES_ON;
  return status;
}

DlsStatus dls_run_until(DlsRun *run, double time, bool *more) {
  if (more) *more = false;
  DLS_TRY(check_run(run, more));
  DLS_CHECK(!isnan(time), DLS_ERR_ARGUMENT, "the time to run to is not a number");
  const DlsSimulation *s = run->scene->simulation;
  *more = run->state == DLS_RUN_GOES_ON;
  while (*more && s->state.time < time - dls_run_nearly * s->settings.h)
    DLS_TRY(dls_run_step(run, more));
  return DLS_OK;
}
