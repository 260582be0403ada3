/* Semismooth Newton with a proximal outer loop, island by island.
 *
 * Each group of contacts that W does not couple to others is a problem of its own: one contact is
 * solved directly, more by proximal_steps.h, each step by the algebra that was passed in. Islands
 * that end above their share of the tolerance get sweeps of nsgs as a new start, and another
 * round. */
#include "solvers/newton/driver.h"

#include <delassus/local.h>

#include "solvers/kit/stopping_rule.h"
#include "solvers/newton/proximal_steps.h"

#include "base/ledger.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const DlsOption newton_options[NEWTON_OPTIONS] = {
    DLS_CHOICE_OPTION(NewtonOptions, residual, 0, NEWTON_RESIDUAL_CHOICES,
                      "the equations of a contact; cones that a choice does not know (rolling for "
                      "fischer-burmeister, those without friction) take the natural map"),
    DLS_REAL_OPTION(NewtonOptions, alpha, 0.1, 1e-12, 1e6,
                    "first proximal weight, relative to the diagonal of W"),
    DLS_REAL_OPTION(NewtonOptions, fall, 0.2, 1e-6, 1.0,
                    "factor of alpha after a step that Newton's method found easy"),
    DLS_REAL_OPTION(NewtonOptions, rise, 5.0, 1.0, 1e6, "factor of alpha after a step that failed"),
    DLS_REAL_OPTION(NewtonOptions, eta, 0.1, 1e-12, 0.9,
                    "residual at which a proximal step ends, relative to the error before it"),
    DLS_INT_OPTION(NewtonOptions, inner, 30, 1, 1e6, "most Newton iterations of a proximal step"),
    DLS_INT_OPTION(
        NewtonOptions, dense, 150, 0, 1e4,
        "unknowns up to which an island has a dense Jacobian (unless PETSc options name a "
        "linear solver)"),
    DLS_INT_OPTION(NewtonOptions, presweeps, 0, 0, 2147483647,
                   "sweeps of nsgs before the first step"),
    DLS_INT_OPTION(NewtonOptions, admm, 500, 0, 2147483647,
                   "most iterations of ADMM on an island where two proximal steps failed"),
    DLS_REAL_OPTION(NewtonOptions, rho, 0.3, 1e-6, 1e6,
                    "penalty of ADMM, relative to the diagonal of W"),
    DLS_INT_OPTION(NewtonOptions, rescue, 200, 0, 2147483647,
                   "sweeps of nsgs between two rounds, for the islands that are stuck"),
    DLS_INT_OPTION(NewtonOptions, rounds, 20, 1, 1e6, "most rounds over the islands"),
};

const DlsOption *dls_newton_options(int *count, size_t *bytes) {
  *count = NEWTON_OPTIONS;
  *bytes = sizeof(NewtonOptions);
  return newton_options;
}

typedef struct {
  NewtonOptions options;
  const DlsNewtonAlgebra *algebra; /* lent */
  NewtonIsland *islands;
  NewtonProgress *progress; /* [islands] */
  void **system;            /* [islands], of the algebra; lent by `dense` for the small ones */
  void **dense;             /* [most_dense + 1], by the number of contacts */
  int count, most_dense;
  NewtonProximalRules rules;
  DlsStopping stopping;
  DlsLimits limits;
  double *r, *best, *u;    /* r̂ of the problem, and for the stopping rule */
  double *island_r, *work; /* of the largest island: r', and three times that */
  NewtonCounts counts;
  long iterations, sweeps;
  DlsWork swept; /* of the sweeps of nsgs */
  int touched;   /* contacts moved since the last measure */
  bool over;     /* the stopping rule has said so */
} Newton;

void dls_newton_destroy(void *self) {
  Newton *s = self;
  if (!s) return;
  for (int k = 0; k < s->count && s->system; k++)
    if (!s->dense || s->islands[k].contacts > s->most_dense) s->algebra->destroy(s->system[k]);
  for (int n = 0; n <= s->most_dense && s->dense; n++) s->algebra->destroy(s->dense[n]);
  newton_islands_destroy(s->islands, s->count);
  free(s->system);
  free(s->dense);
  free(s->progress);
  free(s->r);
  free(s->best);
  free(s->u);
  free(s->island_r);
  free(s->work);
  free(s);
}

/* Small islands share one dense system per size; others have their own. */
static DlsStatus create_systems(Newton *s, int block, bool sparse) {
  s->most_dense = sparse ? 0 : s->options.dense / block;
  DLS_NEW(s->dense, s->most_dense + 1);
  DLS_NEW(s->system, s->count);
  for (int k = 0; k < s->count; k++) {
    const NewtonIsland *island = &s->islands[k];
    const DlsBlockRows rows = newton_island_rows(island);
    if (island->contacts > s->most_dense) {
      DLS_TRY(s->algebra->create(&rows, false, &s->system[k]));
      continue;
    }
    void **shared = &s->dense[island->contacts];
    if (!*shared) DLS_TRY(s->algebra->create(&rows, true, shared));
    s->system[k] = *shared;
  }
  return DLS_OK;
}

static DlsStatus prepare(Newton *s, const DlsProblem *problem, bool sparse) {
  const size_t block = (size_t)dls_problem_block(problem);
  const size_t n = (size_t)dls_problem_contacts(problem) * block;
  size_t largest = 0;
  DLS_TRY(newton_islands_create(problem, &s->islands, &s->count));
  for (int k = 0; k < s->count; k++) {
    const size_t size = (size_t)s->islands[k].contacts * block;
    largest = size > largest ? size : largest;
  }
  DLS_NEW(s->progress, s->count);
  DLS_NEW(s->r, n);
  DLS_NEW(s->best, n);
  DLS_NEW(s->u, n);
  DLS_NEW(s->island_r, largest);
  DLS_NEW(s->work, 3 * largest);
  return create_systems(s, (int)block, sparse);
}

DlsStatus dls_newton_create(const DlsProblem *problem, const void *chosen,
                            const DlsNewtonAlgebra *algebra, bool sparse, void **out) {
  Newton *s;
  *out = NULL;
  DLS_NEW(s, 1);
  s->algebra = algebra;
  memcpy(&s->options, chosen, sizeof s->options);
  const DlsStatus status = prepare(s, problem, sparse);
  if (status == DLS_OK)
    *out = s;
  else
    dls_newton_destroy(s);
  return status;
}

/* Measures the whole problem when a tenth of it has moved, or when `now`. */
static int measure(Newton *s, bool now) {
  if (s->over) return 1;
  if (now || 10 * s->touched >= dls_problem_contacts(s->stopping.problem)) {
    s->over = dls_stopping_measure(&s->stopping, s->iterations, s->r);
    s->touched = 0;
  }
  return s->over;
}

/* The Newton iterations that the limits still allow to one step. */
static int most_iterations(const Newton *s) {
  const long limit = s->stopping.limits->max_iterations, left = limit - s->iterations;
  return limit > 0 && left < s->options.inner ? (int)left : s->options.inner;
}

static int after_step(void *context, const NewtonIsland *island, const double *r, int iterations,
                      bool moved, int idle) {
  const int several = 5;
  Newton *s = context;
  s->iterations += iterations;
  s->rules.newton.most = most_iterations(s);
  if (moved) {
    newton_island_give(island, r, s->r);
    s->touched += island->contacts;
  }
  if (s->rules.newton.most <= 0 || dls_ledger_now() >= s->rules.newton.deadline) return 1;
  /* An island in trouble may be left as it is, if the whole problem is good enough. */
  s->stopping.patient = idle < several;
  return measure(s, false);
}

/* One contact alone: the one-contact problem is the problem. */
static void solve_alone(const NewtonIsland *island, double *r) {
  const int block = island->block;
  const NewtonContact *contact = &island->contact[0];
  const double *S = contact->scale,
               *W = island->value + (size_t)(island->diagonal[0] * block * block);
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0}, q[DLS_MAX_BLOCK] = {0}, r_hat[DLS_MAX_BLOCK];
  for (int i = 0; i < block; i++) {
    q[i] = island->q[i] / S[i];
    r_hat[i] = r[i] * S[i];
    for (int j = 0; j < block; j++) D[i * block + j] = W[i * block + j] / (S[i] * S[j]);
  }
  const DlsLocalOutcome outcome =
      dls_local_solve(dls_problem_relation(island->problem, island->number[0]), island->dim, block,
                      contact->custom, D, q, r_hat);
  if (outcome == DLS_LOCAL_NONE || outcome == DLS_LOCAL_FAILED) return;
  for (int i = 0; i < block; i++) r[i] = r_hat[i] / S[i];
}

static DlsStatus solve_island(Newton *s, int k) {
  const NewtonIsland *island = &s->islands[k];
  newton_island_take(island, s->r, s->island_r);
  if (island->contacts == 1) solve_alone(island, s->island_r);
  const DlsStatus status = newton_proximal_steps(&s->rules, island, s->algebra, s->system[k],
                                                 &s->progress[k], s->island_r, s->work, &s->counts);
  newton_island_give(island, s->island_r, s->r);
  s->touched += island->contacts;
  return status;
}

static double norm(size_t n, const double *x) {
  double sum = 0;
  for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* The largest of the norms of q', r' and u', of all islands together. */
static DlsStatus scaled_size(Newton *s, double *size) {
  double sum = 0, physical, scaled, own;
  for (int k = 0; k < s->count; k++) {
    newton_island_take(&s->islands[k], s->r, s->island_r);
    newton_island_velocity(&s->islands[k], s->island_r, s->work);
    DLS_TRY(newton_island_error(&s->islands[k], s->work, s->island_r, &physical, &scaled, &own));
    sum += own * own;
  }
  *size = sqrt(sum);
  return DLS_OK;
}

/* Half the tolerance, dealt to the islands in equal parts: errors add by their squares. In physical
 * units for `natural` and `natural_q`, without units for the others. */
static DlsStatus island_target(Newton *s, const DlsProblem *problem, double *target) {
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  const double load = norm(n, dls_problem_q(problem));
  double size = s->limits.measure == DLS_MEASURE_NATURAL_Q
                    ? load
                    : fmax(load, fmax(norm(n, s->r), norm(n, s->u)));
  if (newton_is_unitless(s->limits.measure))
    DLS_TRY(scaled_size(s, &size));
  else if (!(size > DBL_EPSILON))
    size = 1;
  *target = 0.5 * s->limits.tolerance * size / sqrt((double)s->count);
  return DLS_OK;
}

/* Sweeps of nsgs over the whole problem; the islands that are solved keep what they have. */
static DlsStatus sweep(Newton *s, const DlsProblem *problem, long count) {
  enum { OPTION_BYTES = 256 };
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  const double left = s->rules.newton.deadline - dls_ledger_clock();
  const DlsLimits limits = {.tolerance = s->limits.tolerance,
                            .max_time = isfinite(left) ? fmax(left, 1e-3) : 0,
                            .max_iterations = count,
                            .measure = s->limits.measure,
                            .clock = s->limits.clock,
                            .max_work = s->limits.max_work};
  const DlsMonitor silent = {0};
  const DlsSolver *nsgs;
  DlsReport report = {0};
  double nsgs_options[OPTION_BYTES / sizeof(double)];
  void *solver = NULL;
  if (count <= 0) return DLS_OK;
  DLS_TRY(dls_solver_find("nsgs", &nsgs));
  DLS_CHECK(nsgs->option_bytes <= sizeof nsgs_options, DLS_ERR_SOLVER,
            "newton: nsgs has %zu bytes of options, %zu at most are known", nsgs->option_bytes,
            sizeof nsgs_options);
  dls_solver_defaults(nsgs, nsgs_options);
  DLS_TRY(nsgs->create(problem, nsgs_options, &solver));
  memcpy(s->u, s->r, n * sizeof *s->u);
  dls_problem_from_standard(problem, s->u);
  const DlsStatus status = nsgs->solve(solver, problem, &limits, &silent, s->u, &report);
  nsgs->destroy(solver);
  DLS_TRY(status);
  dls_problem_to_standard(problem, s->u);
  s->sweeps += report.iterations;
  dls_work_add(&s->swept, &report.work);
  for (int k = 0; k < s->count; k++) {
    if (s->progress[k].solved) continue;
    newton_island_take(&s->islands[k], s->u, s->island_r);
    newton_island_give(&s->islands[k], s->island_r, s->r);
    s->progress[k].alpha = 0;
  }
  return DLS_OK;
}

/* Whether an island is left whose next factorisation would not end in time. */
static bool out_of_time(const Newton *s) {
  const double left = s->rules.newton.deadline - dls_ledger_clock();
  for (int k = 0; k < s->count; k++)
    if (!s->progress[k].solved && s->progress[k].seconds >= left) return true;
  return false;
}

/* Rounds over the islands until the stopping rule is content, or none of them can be bettered. */
static DlsStatus run(Newton *s, const DlsProblem *problem) {
  const double spare = 0.05; /* of the scaled error, which Newton's method gives for little */
  double share = 1;
  if (measure(s, true)) return DLS_OK;
  DLS_TRY(sweep(s, problem, s->options.presweeps));
  if (s->sweeps && measure(s, true)) return DLS_OK;
  for (int round = 0; round < s->options.rounds; round++) {
    DLS_TRY(island_target(s, problem, &s->rules.target));
    s->rules.target *= share;
    s->rules.first_order.target = s->rules.target;
    s->rules.tolerance = share * spare * s->limits.tolerance;
    bool stuck = false;
    s->stopping.patient = true;
    for (int k = 0; k < s->count && !s->over; k++) {
      DLS_TRY(solve_island(s, k));
      stuck |= !s->progress[k].solved;
      measure(s, false);
    }
    s->stopping.patient = false;
    if (measure(s, true)) return DLS_OK;
    if (dls_ledger_is_spent()) {
      dls_report_end(s->stopping.report, DLS_REASON_WORK_LIMIT);
      return DLS_OK;
    }
    if (stuck && out_of_time(s)) {
      dls_report_end(s->stopping.report, DLS_REASON_TIME_LIMIT);
      return DLS_OK;
    }
    if (stuck) {
      DLS_TRY(sweep(s, problem, s->options.rescue));
      if (measure(s, true)) return DLS_OK;
    } else {
      share *= 0.1;
    }
  }
  dls_report_end(s->stopping.report, DLS_REASON_EXHAUSTED);
  return DLS_OK;
}

static void set_rules(Newton *s, const DlsLimits *limits) {
  const NewtonOptions *o = &s->options;
  s->rules = (NewtonProximalRules){.newton = {.residual = (NewtonResidual)o->residual,
                                              .may_grow = 8,
                                              .growth = 100,
                                              .memory = 6,
                                              .patience = 12,
                                              .most = most_iterations(s),
                                              .deadline = limits->max_time > 0
                                                              ? s->stopping.begin + limits->max_time
                                                              : INFINITY},
                                   .alpha = o->alpha,
                                   .alpha_min = 1e-12,
                                   .alpha_max = 1e6,
                                   .fall = o->fall,
                                   .rise = o->rise,
                                   .easy = 8,
                                   .hard = 15,
                                   .hold = 3,
                                   .patience = 100,
                                   .first_order_after = 2,
                                   .first_order = {.rho = o->rho, .relax = 1.3, .most = o->admm},
                                   .eta = o->eta,
                                   .after = after_step,
                                   .context = s};
  s->rules.first_order.deadline = s->rules.newton.deadline;
}

static void describe(const Newton *s, DlsReport *report) {
  double least = INFINITY;
  int solved = 0;
  for (int k = 0; k < s->count; k++) {
    solved += s->progress[k].solved;
    if (s->progress[k].alpha > 0) least = fmin(least, s->progress[k].alpha);
  }
  report->work = s->swept;
  report->work.newton_steps = s->iterations;
  report->work.factorisations = s->iterations + s->counts.phases;
  char admm[48] = "", sweeps[48] = "";
  if (s->counts.first_order)
    snprintf(admm, sizeof admm, ", %ld iterations of ADMM", s->counts.first_order);
  if (s->sweeps) snprintf(sweeps, sizeof sweeps, ", %ld sweeps of nsgs", s->sweeps);
  snprintf(report->note, sizeof report->note,
           "%d of %d islands solved: %ld Newton iterations in %ld proximal steps and %ld that "
           "failed%s%s; least alpha %.1e",
           solved, s->count, s->iterations, s->counts.steps, s->counts.failures, admm, sweeps,
           isfinite(least) ? least : 0.0);
}

DlsStatus dls_newton_solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                           const DlsMonitor *monitor, double *r, DlsReport *report) {
  Newton *s = self;
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  s->iterations = s->sweeps = s->touched = 0;
  s->counts = (NewtonCounts){0};
  s->swept = (DlsWork){0};
  s->over = false;
  s->limits = *limits;
  memset(s->progress, 0, (size_t)s->count * sizeof *s->progress);
  for (int k = 0; k < s->count; k++) s->islands[k].unitless = newton_is_unitless(limits->measure);
  memcpy(s->r, r, n * sizeof *r);
  dls_problem_to_standard(problem, s->r);
  dls_stopping_begin(&s->stopping, problem, &s->limits, monitor, report, s->best, s->u, 1);
  set_rules(s, limits);
  const DlsStatus status = run(s, problem);
  report->iterations = s->iterations;
  describe(s, report);
  const DlsStatus ended = dls_stopping_end(&s->stopping, r);
  return status != DLS_OK ? status : ended;
}
