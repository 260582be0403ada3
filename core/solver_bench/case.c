/* One case: solves, and all of it where it is told. */
#include "solver_bench/solver_bench_impl.h"

#include <delassus/cone.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

void bench_count(BenchCase *c, const char *name, bool reached) {
  for (int k = 0; k < BENCH_SCORES; k++) {
    BenchScore *score = (BenchScore *)c->bench.notes + k;
    if (score->tried && strncmp(score->name, name, sizeof score->name - 1) != 0) continue;
    if (!score->tried) snprintf(score->name, sizeof score->name, "%s", name);
    score->tried++;
    score->reached += reached;
    return;
  }
}

void bench_say_vector(BenchCase *c, const char *name, const double *x, int count) {
  enum { MOST = 48 }; /* numbers of a line: more are a packing's */
  if (!c->bench.story) return;
  bench_say(c, "  %-8s", name);
  for (int k = 0; k < count && k < MOST; k++) bench_say(c, " %.17g", x[k]);
  bench_say(c, count > MOST ? " ... %d numbers\n" : "\n", count);
}

static void say_relations(BenchCase *c, const DlsProblem *problem) {
  for (int i = 0; i < dls_problem_contacts(problem); i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    const int block = dls_problem_block(problem);
    bench_say(c, "  contact %d: %s\n", i, dls_cone_name(relation->cone));
    bench_say_vector(c, "  mu", relation->mu, DLS_MU_COUNT);
    if (relation->associated != 0) bench_say(c, "    associated %.17g\n", relation->associated);
    bench_say_vector(c, "  a", relation->a, block);
    bench_say_vector(c, "  b", relation->b, block);
    bench_say_vector(c, "  C", relation->C, block);
  }
}

/* W by columns, each the velocities that one unit of a reaction gives. */
static void say_operator(BenchCase *c, const DlsProblem *problem) {
  double one[BENCH_ROWS] = {0}, column[BENCH_ROWS];
  const int n = dls_problem_contacts(problem) * dls_problem_block(problem);
  for (int k = 0; k < n; k++) {
    one[k] = 1;
    dls_operator_apply(dls_problem_operator(problem), one, column);
    one[k] = 0;
    bench_say_vector(c, k ? "" : "W by columns", column, n);
  }
}

void bench_say_problem(BenchCase *c, const DlsProblem *problem, const DlsLimits *limits,
                       const double *guess) {
  const int n = dls_problem_contacts(problem) * dls_problem_block(problem);
  if (!c->bench.story) return;
  bench_say(c, "%s: %d contacts, block %d, %d-D\n", dls_problem_name(problem),
            dls_problem_contacts(problem), dls_problem_block(problem), dls_problem_dim(problem));
  if (n <= BENCH_ROWS) say_relations(c, problem);
  if (n <= BENCH_ROWS) say_operator(c, problem);
  bench_say_vector(c, "q", dls_problem_q(problem), n);
  bench_say_vector(c, "guess", guess, n);
  bench_say(c, "  tolerance %.17g (%s), max_iterations %ld, max_time %g s\n", limits->tolerance,
            dls_measure_word(limits->measure), limits->max_iterations, limits->max_time);
}

void bench_say_end(BenchCase *c, const DlsProblem *problem, const DlsReport *report,
                   const double *r) {
  if (!c->bench.story) return;
  bench_say(c, "%s: %s (%s), %ld iterations, error %.17g\n  %.*s\n", c->solver->name,
            dls_outcome_text(report->outcome), dls_reason_text(report->reason), report->iterations,
            report->error, (int)sizeof report->note - 1, report->note);
  bench_say_vector(c, "r", r, dls_problem_contacts(problem) * dls_problem_block(problem));
}

bool bench_status(BenchCase *c, DlsStatus status, const char *what) {
  if (status == DLS_OK) return true;
  bench_say(c, "%s %s: %s\n", c->solver->name, what, dls_error_message());
  if (status == DLS_ERR_SOLVER || status == DLS_ERR_UNSUPPORTED)
    c->bench.result->refused++;
  else
    bench_broken(c, "%s fails with \"%s\": %s", what, dls_status_text(status), dls_error_message());
  return false;
}

bool bench_solve(BenchCase *c, const DlsProblem *problem, const void *options,
                 const DlsLimits *limits, const DlsMonitor *monitor, double *r, DlsReport *report) {
  static const DlsMonitor silent = {NULL, NULL};
  const DlsSolver *solver = c->solver;
  void *self = NULL;
  *report = (DlsReport){.outcome = DLS_DIVERGED, .error = INFINITY};
  bench_say_problem(c, problem, limits, r);
  DlsStatus status = solver->create(problem, options ? options : c->options, &self);
  if (!bench_status(c, status, "create")) {
    if (self) bench_broken(c, "create fails and leaves something in *out");
    return false;
  }
  status = solver->solve(self, problem, limits, monitor ? monitor : &silent, r, report);
  solver->destroy(self);
  if (!bench_status(c, status, "solve")) return false;
  bench_say_end(c, problem, report, r);
  c->bench.result->converged += report->outcome == DLS_CONVERGED;
  return true;
}

bool bench_solve_certified(BenchCase *c, const DlsProblem *problem, const DlsLimits *limits,
                           double *r, DlsReport *report) {
  bench_say_problem(c, problem, limits, r);
  const DlsStatus status = dls_solve(c->solver, problem, c->options, limits, NULL, r, NULL, report);
  if (!bench_status(c, status, "dls_solve()")) return false;
  bench_say_end(c, problem, report, r);
  c->bench.result->converged += report->outcome == DLS_CONVERGED;
  return true;
}

bool bench_finite(BenchCase *c, const char *kind, int rows, const double *r) {
  for (int k = 0; k < rows; k++)
    if (!isfinite(r[k])) {
      bench_broken(c, "%s: r holds a number that is not finite, %g at %d of %d", kind, r[k], k,
                   rows);
      return false;
    }
  return true;
}

const char *bench_case_kind(const BenchCase *c) {
  const int turn = (int)(c->bench.number % (BENCH_KINDS + BENCH_CORNERS));
  return turn < BENCH_KINDS ? bench_kind_names[turn] : bench_corner_names[turn - BENCH_KINDS];
}

bool bench_case_draw(BenchCase *c, BenchDrawn *drawn) {
  const int turn = (int)(c->bench.number % (BENCH_KINDS + BENCH_CORNERS));
  const DlsStatus status =
      turn < BENCH_KINDS
          ? bench_draw(&c->bench.random, turn, drawn)
          : bench_draw_corner(&c->bench.random, turn - BENCH_KINDS,
                              c->bench.number / (BENCH_KINDS + BENCH_CORNERS), drawn);
  if (status != DLS_OK) bench_broken(c, "the problem was not made: %s", dls_error_message());
  return status == DLS_OK;
}
