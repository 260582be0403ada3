/* Options at their ends, and problems that a solver may refuse: with a sentence. */
#include "solver_bench/solver_bench_impl.h"

#include "solver_bench/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ends_of(const DlsOption *option) {
  int words = 1;
  if (option->kind != DLS_OPTION_CHOICE) return 2;
  for (const char *at = option->choices; *at; at++) words += *at == '|';
  return words;
}

static long count_ends(const DlsSolver *solver) {
  enum { PROBLEMS = 5 };
  long count = 0;
  for (int k = 0; k < solver->noptions; k++) count += ends_of(&solver->options[k]);
  return PROBLEMS * count;
}

static const char *has_options(const DlsSolver *solver) {
  return solver->noptions ? NULL : "the solver has no options";
}

/* Number `end` of all ends, set in `options`; its option, and the value. */
static const DlsOption *set_end(const DlsSolver *solver, long end, char *options, double *value) {
  for (int k = 0; k < solver->noptions; k++) {
    const DlsOption *option = &solver->options[k];
    const int ends = ends_of(option);
    if (end >= ends) {
      end -= ends;
      continue;
    }
    *value = option->kind == DLS_OPTION_CHOICE ? (double)end : end ? option->max : option->min;
    const int number = (int)*value;
    if (option->kind == DLS_OPTION_REAL)
      memcpy(options + option->offset, value, sizeof *value);
    else
      memcpy(options + option->offset, &number, sizeof number);
    return option;
  }
  return NULL;
}

static void check_ends(BenchCase *c) {
  const BenchKind kind = {.matrix = c->bench.number % 2 ? BENCH_SINGULAR : BENCH_DEFINITE,
                          .mu_most = 1};
  const DlsLimits limits = {.tolerance = 1e-6, .max_iterations = 50, .max_time = 1};
  const long all = count_ends(c->solver) / 5;
  BenchPlanted p = bench_draw_planted(&c->bench.random, &kind);
  double r[BENCH_ROWS] = {0}, value = 0;
  char *options = malloc(c->solver->option_bytes + 1);
  DlsProblem *problem = NULL;
  DlsReport report;
  if (!options || bench_make_planted(&p, &problem) != DLS_OK) {
    bench_broken(c, "the problem was not made");
    free(options);
    return;
  }
  memcpy(options, c->options, c->solver->option_bytes);
  const DlsOption *option = set_end(c->solver, c->bench.number % all, options, &value);
  bench_say(c, "option %s = %g\n", option->name, value);
  char what[96];
  snprintf(what, sizeof what, "%s = %g", option->name, value);
  if (bench_solve(c, problem, options, &limits, NULL, r, &report) &&
      bench_finite(c, what, p.rows, r)) {
    const BenchVerdict v = bench_judge(&p, r);
    const double error = (double)bench_judge_error(&v, limits.measure, limits.tolerance);
    bench_compare(c, report.outcome == DLS_CONVERGED ? error : 0,
                  limits.tolerance * (1 + 1e-6) + (double)v.rounding,
                  "%s: says converged at %.0e; the error is %.3g", what, limits.tolerance, error);
  }
  dls_problem_destroy(&problem);
  free(options);
}

const BenchCheck bench_option_ends = {
    .name = "options",
    .question = "Is every option sound at both of its ends, and with each of its words?",
    .count = count_ends,
    .applies = has_options,
    .run = check_ends,
};

/* A contact with a law of its own: how much of it is there goes by the case. */
static DlsStatus film(void *context, const double *u, const double *r, double *F, double *dF_du,
                      double *dF_dr) {
  const int n = *(const int *)context, touches = r[0] > u[0];
  F[0] = touches ? u[0] : r[0];
  for (int k = 1; k < n; k++) F[k] = r[k] + u[k];
  for (int k = 0; k < n * n && dF_du; k++) dF_du[k] = dF_dr[k] = 0;
  for (int k = 0; k < n && dF_du; k++) {
    dF_du[k * (n + 1)] = k ? 1 : touches;
    dF_dr[k * (n + 1)] = k ? 1 : !touches;
  }
  return DLS_OK;
}

static DlsStatus make_bare_film(int *block, DlsProblem **out) {
  const double W[9] = {1, 0.2, 0, 0.2, 1, 0.1, 0, 0.1, 1}, q[3] = {-1, 0.5, 0.2};
  const DlsRelation relation = {.cone = DLS_CONE_CUSTOM};
  const DlsCustomRelation custom = {
      .law = "film-without-projection", .context = block, .residual = film};
  const int start[2] = {0, 1}, column[1] = {0};
  DlsOperator *operator_W = NULL;
  DLS_TRY(dls_operator_create_assembled(1, 3, start, column, W, &operator_W));
  return dls_problem_create(3, &operator_W, q, &relation, &custom, out);
}

static DlsStatus make_empty(DlsProblem **out) {
  const int start[1] = {0};
  const double none[1] = {0};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB};
  DlsOperator *W = NULL;
  DLS_TRY(dls_operator_create_assembled(0, 3, start, start, none, &W));
  return dls_problem_create(3, &W, none, &relation, NULL, out);
}

static void check_refusals(BenchCase *c) {
  const DlsLimits limits = {.tolerance = 1e-6, .max_iterations = 50};
  const bool empty = c->bench.number == 0;
  int block = 3;
  double r[3] = {0};
  DlsProblem *problem = NULL;
  DlsReport report;
  if (c->bench.number == 2) { /* as the core does when create() failed */
    c->solver->destroy(NULL);
    bench_compare(c, 0, 1, "destroy(NULL) is fine");
    return;
  }
  if ((empty ? make_empty(&problem) : make_bare_film(&block, &problem)) != DLS_OK) {
    bench_broken(c, "the problem was not made: %s", dls_error_message());
    return;
  }
  const long refused = c->bench.result->refused;
  if (bench_solve(c, problem, NULL, &limits, NULL, r, &report))
    bench_compare(c, !empty || report.outcome == DLS_CONVERGED ? 0 : INFINITY, 1,
                  "no contact at all, and it ends %s", dls_outcome_text(report.outcome));
  else if (c->bench.result->refused > refused)
    bench_compare(c,
                  !empty && strstr(dls_error_message(), "film-without-projection") ? 0 : INFINITY,
                  1, "refuses %s: %s",
                  empty ? "a problem without contacts"
                        : "without a word of the law, `film-without-projection`",
                  dls_error_message());
  dls_problem_destroy(&problem);
}

const BenchCheck bench_refusals = {
    .name = "refusals",
    .question = "Is what is not taken refused with a sentence that names the law?",
    .cases = 3,
    .run = check_refusals,
};
