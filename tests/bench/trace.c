/* Error against time of each way of `auto` on the problems of families.h, from the same guess:
 * what the plans of solvers/auto_plan.c are drawn from. One line a problem, P, with what is known
 * of it before it is solved; one for each way and tolerance, T; then iterations, s and, from some
 * iterations on with foresight (base/ledger.h), the error. A way with '+' begins where some sweeps
 * with momentum lead, whose time does not count.
 *   usage: delassus_bench_regret trace tuned|held [DECKS [COUNT]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/solver.h>

#include "base/ledger.h"
#include "problem/operator/operator_impl.h"
#include "solvers/kit/price.h"
#include "tests/bench/cost.h"
#include "tests/bench/families.h"
#include "tests/bench/race.h"

enum { MOST = 4096, REPEATS = 2, BLIND = 15, SOME = 60 };

static const struct {
  const char *label, *name, *option, *value;
} ways[] = {
    {"momentum", "momentum", NULL, NULL}, {"nsgs", "nsgs", NULL, NULL},
    {"apgd", "apgd", NULL, NULL},         {"bb", "bb", NULL, NULL},
    {"admm", "admm", NULL, NULL},         {"proximal", "proximal", NULL, NULL},
    {"interior", "interior", NULL, NULL}, {"proximal+", "proximal", NULL, NULL},
    {"admm+", "admm", NULL, NULL},
};

typedef struct {
  int count;
  double tolerance;
  long iteration[MOST];
  double time[MOST], error[MOST];
} Trace;

static int note(void *context, long iteration, double time, double error) {
  Trace *trace = context;
  const int last = trace->count - 1;
  if (dls_ledger_rules.foresee == DLS_SEEN && iteration >= BLIND)
    dls_ledger_rules.foresee = DLS_FORESEEN_NEXT;
  if (dls_ledger_rules.foresee == DLS_FORESEEN && error > trace->tolerance)
    error = trace->tolerance * dls_ledger_rules.times;
  if (last >= 0 && trace->iteration[last] == iteration) return 0;
  if (trace->count == MOST) return 0;
  trace->iteration[trace->count] = iteration;
  trace->time[trace->count] = time;
  trace->error[trace->count++] = error;
  return 0;
}

static double run(int way, const DlsProblem *problem, const double *guess, double tolerance,
                  double limit) {
  static Trace trace, best;
  const DlsLimits limits = {.tolerance = tolerance, .max_time = limit, .clock = DLS_CLOCK_CPU};
  const DlsMonitor monitor = {note, &trace};
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  const DlsSolver *solver;
  double chosen[64], least = INFINITY, *r = calloc(n + 1, sizeof *r);
  DlsReport report, kept = {0};
  must(dls_solver_find(ways[way].name, &solver));
  dls_solver_defaults(solver, chosen);
  if (ways[way].option)
    must(dls_solver_set_option(solver, chosen, ways[way].option, ways[way].value));
  for (int k = 0; k < REPEATS; k++) {
    if (guess)
      memcpy(r, guess, n * sizeof *r);
    else
      memset(r, 0, n * sizeof *r);
    if (strchr(ways[way].label, '+')) { /* from where some sweeps with momentum lead */
      const DlsSolver *sweeps;
      const DlsLimits some = {.tolerance = tolerance, .max_iterations = SOME};
      must(dls_solver_find("momentum", &sweeps));
      must(dls_solve(sweeps, problem, NULL, &some, NULL, r, NULL, &report));
      if (report.outcome == DLS_CONVERGED) break;
    }
    trace.count = 0;
    trace.tolerance = tolerance;
    if (dls_solve(solver, problem, chosen, &limits, &monitor, r, NULL, &report) != DLS_OK) break;
    if (report.cpu_s < least) {
      least = report.cpu_s;
      kept = report;
      best = trace;
    }
    if (report.cpu_s > 0.003) break;
  }
  free(r);
  if (!isfinite(least)) return INFINITY;
  printf("T %s %.0e %d %.7g %ld %d\n", ways[way].label, tolerance, kept.outcome == DLS_CONVERGED,
         least, kept.iterations, best.count);
  for (int k = 0; k < best.count; k++)
    printf("%ld %.4g %.3e%s", best.iteration[k], best.time[k], best.error[k],
           k + 1 < best.count ? " " : "\n");
  return kept.outcome == DLS_CONVERGED ? least : INFINITY;
}

static void look(void *context, const char *name, const DlsProblem *problem, const double *guess) {
  static const double tolerances[] = {1e-4, 1e-8};
  const DlsOperator *W = dls_problem_operator(problem);
  DlsPrice price;
  (void)context;
  double mu = 0;
  must(dls_price_estimate(problem, &price));
  const int contacts = dls_problem_contacts(problem);
  for (int i = 0; i < contacts; i++) mu += dls_problem_relation(problem, i)->mu[0] / contacts;
  printf("P %s%s %d %d %d %g %d %d %g %g %g %g %g %g %g\n", name, guess ? "+" : "", contacts,
         dls_problem_block(problem), dls_problem_dim(problem), (double)dls_operator_freedom(W),
         price.islands, price.most, price.blocks, mu, price.sweep, price.step, price.split,
         price.direct, price.interior);
  for (int t = 0; t < 2; t++) {
    double best = INFINITY;
    for (int k = 0; k < DLS_COUNT(ways); k++) {
      const double most = 0.25, limit = fmin(most, isfinite(best) ? 6 * best + 2e-4 : most);
      best = fmin(best, run(k, problem, guess, tolerances[t], limit));
    }
  }
  fflush(stdout);
}

int trace_main(int argc, char **argv) {
  if (argc < 1) return 2;
  const bool held = strcmp(argv[0], "held") == 0;
  const char *decks = argc > 1 && strcmp(argv[1], "-") != 0 ? argv[1] : NULL;
  families_visit(decks, argc > 2 ? atoi(argv[2]) : 20, held, look, NULL);
  return 0;
}
