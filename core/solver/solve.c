/* One solve from beginning to end, with its certificate. */
#include <delassus/errors.h>
#include <delassus/solver.h>
#include <delassus/squeeze.h>

#include "base/clock.h"
#include "base/ledger.h"
#include "base/memory.h"
#include "base/small.h"
#include "base/threads.h"
#include "problem/parted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static DlsStatus run(const DlsSolver *solver, const DlsProblem *problem, const void *options,
                     const DlsLimits *limits, const DlsMonitor *monitor, double *r,
                     DlsReport *report) {
  static const DlsMonitor silent = {NULL, NULL};
  void *self = NULL;
  DlsStatus status = solver->create(problem, options, &self);
  if (status == DLS_OK)
    status = solver->solve(self, problem, limits, monitor ? monitor : &silent, r, report);
  solver->destroy(self);
  return status;
}

DlsStatus dls_solver_measure(const DlsProblem *problem, const DlsLimits *limits,
                             const double *r_hat, double *u_hat, double *error) {
  typedef DlsStatus (*Error)(const DlsProblem *, const double *, double *, double *);
  static const Error errors[] = {[DLS_MEASURE_NATURAL] = dls_errors_natural,
                                 [DLS_MEASURE_SCALED] = dls_errors_scaled,
                                 [DLS_MEASURE_NATURAL_Q] = dls_errors_natural_q,
                                 [DLS_MEASURE_BIPOTENTIAL] = dls_errors_bipotential};
  dls_ledger.measures++;
  DLS_TRY(errors[limits->measure](problem, r_hat, u_hat, error));
  const bool natural =
      limits->measure == DLS_MEASURE_NATURAL || limits->measure == DLS_MEASURE_NATURAL_Q;
  double by_load;
  DlsShares share;
  DLS_TRY(dls_errors_by_load(problem, r_hat, u_hat, &by_load));
  *error = fmax(*error, by_load);
  dls_ledger_rules.times = *error / limits->tolerance;
  if (!(*error <= limits->tolerance) && !dls_ledger_rules.foresee) return DLS_OK;
  /* So many tolerances as it is times too large: what is asked for falls with e. */
  const double most = fmax(DLS_LITTLE_LOAD, limits->tolerance);
  const double times = natural ? 1 : dls_errors_allowance(problem);
  const double most_speed = fmax(DLS_LITTLE_SPEED, times * limits->tolerance);
  DLS_TRY(dls_errors_shares(problem, r_hat, u_hat, natural, most, &share));
  dls_ledger_rules.times = fmax(fmax(dls_ledger_rules.times, share.of_speed / most_speed),
                                fmax(share.of_load, share.worst_island) / most);
  if (!(*error <= limits->tolerance)) return DLS_OK;
  if (share.of_load > most) *error = limits->tolerance * share.of_load / most;
  if (share.of_speed > most_speed)
    *error = fmax(*error, limits->tolerance * share.of_speed / most_speed);
  if (share.worst_island > most)
    *error = fmax(*error, limits->tolerance * share.worst_island / most);
  return DLS_OK;
}

/* Among ranks; not by the measure that reads all at once. */
static DlsStatus part(const DlsProblem *problem, const DlsLimits *limits, bool *parted) {
  *parted = false;
  return limits->measure == DLS_MEASURE_BIPOTENTIAL ? DLS_OK : dls_problem_part(problem, parted);
}

/* Of the physical r; `work` holds twice as many numbers. */
static DlsStatus measure(const DlsProblem *problem, const DlsLimits *limits, const double *r,
                         double *work, double *error) {
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  bool parted;
  memcpy(work, r, n * sizeof *r);
  dls_problem_to_standard(problem, work);
  DLS_TRY(part(problem, limits, &parted));
  const DlsStatus status = dls_solver_measure(problem, limits, work, work + n, error);
  DLS_TRY(dls_problem_join(problem, parted, NULL));
  return status;
}

/* A guess that the load does not explain, and that is worse than none, is none: it would only be
 * carried on, or lead to where reactions run off. */
static DlsStatus drop_bad_guess(const DlsProblem *problem, const DlsLimits *limits, double *work,
                                double *r) {
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double by_load, given, without;
  memcpy(work, r, n * sizeof *r);
  dls_problem_to_standard(problem, work);
  DLS_TRY(dls_errors_by_load(problem, work, work + n, &by_load));
  if (by_load == 0) return DLS_OK;
  DLS_TRY(measure(problem, limits, r, work, &given));
  double *none;
  DLS_NEW(none, n);
  const DlsStatus status = measure(problem, limits, none, work, &without);
  if (status == DLS_OK && !(given <= without)) memset(r, 0, n * sizeof *r);
  free(none);
  return status;
}

/* The solver called converged what is not: both numbers go before its note. */
static void overrule(double said, double tolerance, DlsReport *report) {
  char claim[64] = "converged", note[sizeof report->note];
  if (isnan(said) || said <= tolerance) snprintf(claim, sizeof claim, "%.2g", said);
  report->note[sizeof report->note - 1] = '\0';
  memcpy(note, report->note, sizeof note);
  snprintf(report->note, sizeof report->note, "said %s, measured %.2g%s%.*s", claim, report->error,
           note[0] ? "; " : "", (int)sizeof note - 80, note);
  dls_report_end(report, DLS_REASON_OVERRULED);
}

/* The error measured here, whatever the solver said. */
static DlsStatus certify(const DlsProblem *problem, const DlsLimits *limits, const double *r,
                         double *work, double *u, DlsReport *report) {
  const double said = report->error;
  const DlsStatus status = measure(problem, limits, r, work, &report->error);
  bool parted;
  if (u) {
    DLS_TRY(dls_problem_part(problem, &parted));
    dls_problem_velocity(problem, r, u);
    DLS_TRY(dls_problem_join(problem, parted, u));
  }
  const bool within = report->error <= limits->tolerance;
  if (report->outcome == DLS_CONVERGED && !within) overrule(said, limits->tolerance, report);
  if (report->outcome != DLS_STOPPED && report->outcome != DLS_CONVERGED && within)
    dls_report_end(report, DLS_REASON_CERTIFIED);
  return status;
}

/* Whether no motion is possible at all: then nothing that a solver returns is an answer. */
static DlsStatus look_for_squeeze(const DlsProblem *problem, const double *r, DlsReport *report) {
  DlsSqueeze squeeze;
  DLS_TRY(dls_squeeze_find(problem, r, &squeeze));
  if (squeeze.count) {
    char proof[240];
    dls_squeeze_describe(&squeeze, proof, sizeof proof - sizeof "; ");
    const size_t length = strlen(proof), room = sizeof report->note - length;
    if (report->note[0]) strcat(proof, "; ");
    memmove(report->note + strlen(proof), report->note, room > 2 ? room - 2 : 0);
    memcpy(report->note, proof, strlen(proof));
    report->note[sizeof report->note - 1] = '\0';
    dls_report_end(report, DLS_REASON_NO_SOLUTION);
  } else if (report->outcome == DLS_NO_SOLUTION) {
    dls_report_end(report, DLS_REASON_UNPROVED);
  }
  dls_squeeze_clear(&squeeze);
  return DLS_OK;
}

/* A solver that gives no reason, or one of another outcome, has the plain one of its outcome. */
static void complete_reason(DlsReport *report) {
  if (report->reason != DLS_REASON_UNTOLD && dls_reason_outcome(report->reason) == report->outcome)
    return;
  report->reason = DLS_REASON_UNTOLD;
  for (int k = DLS_REASON_COUNT - 1; k > 0; k--)
    if (dls_reason_outcome((DlsReason)k) == report->outcome) report->reason = (DlsReason)k;
}

/* What the solve is limited by, for all that it calls. */
static DlsStatus set_rules(const DlsProblem *problem, const DlsLimits *limits,
                           const DlsLedger *begin) {
  dls_ledger_rules = (DlsLedgerRules){.cpu = limits->clock == DLS_CLOCK_CPU, .begin = *begin};
  if (!(limits->max_work > 0)) return DLS_OK;
  DlsWorkPrice price;
  DLS_TRY(dls_work_price(problem, &price));
  dls_ledger_rules.row_flops = price.row;
  dls_ledger_rules.contact_flops = price.contact;
  dls_ledger_rules.most = limits->max_work * price.product;
  return DLS_OK;
}

static void take_counts(const DlsLedger *before, DlsWork *work) {
  work->measures = dls_ledger.measures - before->measures;
  work->rows_applied = dls_ledger.rows - before->rows;
  work->contacts_solved = dls_ledger.contacts - before->contacts;
  work->factor_flops = dls_ledger.flops - before->flops;
}

DlsStatus dls_solve(const DlsSolver *solver, const DlsProblem *problem, const void *options,
                    const DlsLimits *limits, const DlsMonitor *monitor, double *r, double *u,
                    DlsReport *report) {
  const int n = dls_problem_contacts(problem) * dls_problem_block(problem);
  *report = (DlsReport){.outcome = DLS_DIVERGED, .error = INFINITY};
  DLS_CHECK(dls_small_finite(n, r), DLS_ERR_ARGUMENT, "the guess for %s is not finite",
            dls_problem_name(problem));
  const double begin = dls_clock_now(), begin_cpu = dls_clock_cpu();
  const DlsLedger before = dls_ledger;
  const DlsLedgerRules outer = dls_ledger_rules;
  double few[64], *work = few, *many = NULL;
  if (2 * n > DLS_COUNT(few)) {
    DLS_NEW(many, 2 * (size_t)n);
    work = many;
  }
  void *defaults = NULL;
  if (!options) {
    defaults = dls_memory_array(1, solver->option_bytes);
    if (defaults) dls_solver_defaults(solver, defaults);
    options = defaults;
  }
  DlsStatus status =
      options ? drop_bad_guess(problem, limits, work, r)
              : dls_fail(DLS_ERR_MEMORY, "out of memory for the options of %s", solver->name);
  const DlsThreads threads = dls_threads_one();
  if (status == DLS_OK) status = set_rules(problem, limits, &before);
  if (status == DLS_OK) status = run(solver, problem, options, limits, monitor, r, report);
  dls_threads_restore(threads);
  free(defaults);
  report->time_s = dls_clock_now() - begin;
  report->cpu_s = dls_clock_cpu() - begin_cpu;
  take_counts(&before, &report->work);
  if (dls_ledger_is_spent() && report->outcome != DLS_CONVERGED)
    dls_report_end(report, DLS_REASON_WORK_LIMIT);
  dls_ledger_rules = outer;
  complete_reason(report);
  if (status == DLS_OK) status = certify(problem, limits, r, work, u, report);
  free(many);
  if (status == DLS_OK && report->outcome != DLS_STOPPED)
    status = look_for_squeeze(problem, r, report);
  return status;
}
