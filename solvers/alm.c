/* The augmented Lagrangian method of Alart and Curnier, with semismooth Newton inside, island by
 * island, in scaled variables. Uzawa's update of the multipliers,
 *
 *   c <- Π(c - rho u),   Π_N = max(0, ·),  Π_g = projection on the disk of radius mu_g Π_N,
 *
 * is made implicit: u is the velocity that belongs to the new reactions, so that a step solves
 *
 *   F(r) = r - Π(c - rho (W' r + q')) = 0,   J = I + rho B W',   B the derivative of -Π
 *
 * by Newton's method with a direct factor of J (UMFPACK, dense for small islands). That is the
 * method of multipliers: it converges for every rho where the problem is monotone, faster as rho
 * grows. rho rises after a step that Newton found easy and falls after one that failed. A custom
 * law has no Π: its own residual is taken at u + (r - c) / rho, which says the same. Islands that
 * get stuck are given sweeps of nsgs, and begin again. */
#include <delassus/solver.h>

#include "base/ledger.h"
#include "base/memory.h"
#include "base/small.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/stopping_rule.h"
#include "solvers/kit/sweep.h"
#include "solvers/newton/jacobian.h"
#include "solvers/newton/linear.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int residual, inner, dense, presweeps, rescue, rounds;
  double rho, rise, fall, eta;
} AlmOptions;

static const DlsOption options[] = {
    DLS_CHOICE_OPTION(AlmOptions, residual, 0, "alart-curnier|jean-moreau|natural",
                      "Π: disks that follow r_N - rho u_N, disks that follow r_N, or the cone with "
                      "De Saxcé's shift"),
    DLS_REAL_OPTION(AlmOptions, rho, 10.0, 1e-6, 1e12,
                    "first penalty, in units of 1 / diagonal of W"),
    DLS_REAL_OPTION(AlmOptions, rise, 5.0, 1.0, 1e6, "factor of rho after an easy step"),
    DLS_REAL_OPTION(AlmOptions, fall, 0.2, 1e-6, 1.0, "factor of rho after a step that failed"),
    DLS_REAL_OPTION(AlmOptions, eta, 0.1, 1e-12, 0.9,
                    "residual at which a step ends, relative to the error before it"),
    DLS_INT_OPTION(AlmOptions, inner, 30, 1, 1000000, "most Newton iterations of a step"),
    DLS_INT_OPTION(AlmOptions, dense, 60, 0, 10000,
                   "unknowns up to which an island has a dense matrix"),
    DLS_INT_OPTION(AlmOptions, presweeps, 200, 0, 2147483647,
                   "sweeps of nsgs before the first step, for a guess of what slides and sticks"),
    DLS_INT_OPTION(AlmOptions, rescue, 200, 0, 2147483647,
                   "sweeps of nsgs for islands that are stuck"),
    DLS_INT_OPTION(AlmOptions, rounds, 10, 0, 1000000, "times that islands are rescued at most"),
};

/* How far along an island is. */
typedef struct {
  double rho, least; /* least: physical error of its best r */
  int idle, hold;    /* steps without a better error; steps before rho may rise */
  bool solved, stuck;
} Progress;

typedef struct {
  AlmOptions options;
  NewtonIsland *islands;
  int count;
  NewtonLinear **linear; /* [islands] */
  Progress *progress;
  DlsSweep *sweep;
  double *memory;
  double *r, *kept;                    /* r' of the islands, one behind the other, and the best */
  double *r_hat, *best, *u_hat;        /* of the problem */
  double *next, *trial, *u, *F, *step; /* of the largest island */
  double deadline;
  long newton, steps, failures, most;
} Alm;

static void destroy(void *self) {
  Alm *s = self;
  if (!s) return;
  for (int m = 0; s->linear && m < s->count; m++) newton_linear_destroy(&s->linear[m]);
  newton_islands_destroy(s->islands, s->count);
  dls_sweep_destroy(s->sweep);
  free(s->linear);
  free(s->progress);
  free(s->memory);
  free(s);
}

static size_t rows_of(const NewtonIsland *island) {
  return (size_t)island->contacts * (size_t)island->block;
}

static bool is_dense(const Alm *s, int m) {
  return rows_of(&s->islands[m]) <= (size_t)s->options.dense;
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Alm *s = self;
  const size_t n = dls_solver_state_size(problem);
  DLS_TRY(newton_islands_create(problem, &s->islands, &s->count));
  DLS_TRY(dls_sweep_create(problem, DLS_SWEEP_AUTO, &s->sweep));
  DLS_NEW(s->linear, s->count);
  DLS_NEW(s->progress, s->count);
  for (int m = 0; m < s->count; m++) {
    const DlsBlockRows rows = newton_island_rows(&s->islands[m]);
    DLS_TRY(newton_linear_create(&rows, is_dense(s, m), &s->linear[m]));
  }
  DLS_NEW(s->memory, 10 * n);
  double *next = s->memory;
  s->r = dls_solver_state_slice(&next, n);
  s->kept = dls_solver_state_slice(&next, n);
  s->r_hat = dls_solver_state_slice(&next, n);
  s->best = dls_solver_state_slice(&next, n);
  s->u_hat = dls_solver_state_slice(&next, n);
  s->next = dls_solver_state_slice(&next, n);
  s->trial = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  s->F = dls_solver_state_slice(&next, n);
  s->step = dls_solver_state_slice(&next, n);
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(Alm), sizeof(AlmOptions), prepare, destroy};
  return dls_solver_state_create(&kind, problem, chosen, out);
}

/* F of contact i at r with multipliers c, u = W' r + q'; A and B as newton_step_rows() takes them,
 * unless NULL. */
static DlsStatus contact_map(const Alm *s, const NewtonIsland *island, int i, double rho,
                             const double *u, const double *r, const double *c, double *F,
                             double *A, double *B) {
  const NewtonContact *contact = &island->contact[i];
  const NewtonResidual kind = (NewtonResidual)s->options.residual;
  const int block = island->block;
  double v[DLS_MAX_BLOCK] = {0};
  if (contact->relation.cone == DLS_CONE_CUSTOM) {
    for (int k = 0; k < block; k++) v[k] = u[k] + (r[k] - c[k]) / rho;
    DLS_TRY(newton_residual(kind, contact, island->dim, block, v, r, F, A, B));
    for (int k = 0; A && k < block * block; k++) A[k] += B[k] / rho;
    return DLS_OK;
  }
  for (int k = 0; k < block; k++) v[k] = rho * u[k];
  DLS_TRY(newton_residual(kind, contact, island->dim, block, v, c, F, A, B)); /* c - Π */
  for (int k = 0; k < block; k++) F[k] += r[k] - c[k];
  for (int k = 0; A && k < block * block; k++) {
    A[k] = k % (block + 1) == 0;
    B[k] *= rho;
  }
  return DLS_OK;
}

/* F of all contacts into s->F, its norm; the matrix too when asked for. */
static DlsStatus evaluate(Alm *s, int m, double rho, const double *r, const double *c, bool matrix,
                          double *norm) {
  const NewtonIsland *island = &s->islands[m];
  const NewtonStep step = {.island = island};
  const size_t n = rows_of(island), block = (size_t)island->block;
  double A[DLS_MAX_BLOCK * DLS_MAX_BLOCK], B[DLS_MAX_BLOCK * DLS_MAX_BLOCK], sum = 0;
  double *value = newton_linear_values(s->linear[m]);
  newton_island_velocity(island, r, s->u);
  if (matrix && is_dense(s, m)) memset(value, 0, n * n * sizeof *value);
  for (int i = 0; i < island->contacts; i++) {
    const size_t at = (size_t)i * block;
    DLS_TRY(contact_map(s, island, i, rho, s->u + at, r + at, c + at, s->F + at, matrix ? A : NULL,
                        matrix ? B : NULL));
    if (matrix) newton_step_rows(&step, is_dense(s, m), i, A, B, value);
    sum += dls_small_dot(island->block, s->F + at, s->F + at);
  }
  *norm = sqrt(sum);
  return DLS_OK;
}

/* Solves a step from c, into s->next; *iterations is inner + 1 where it did not converge. */
static DlsStatus newton(Alm *s, int m, const double *c, double tolerance, int *iterations) {
  const int most = s->options.inner, free_steps = 8, halvings = 8;
  const double growth = 100, rho = s->progress[m].rho;
  const size_t n = rows_of(&s->islands[m]);
  double norm, bound;
  memcpy(s->next, c, n * sizeof *c);
  DLS_TRY(evaluate(s, m, rho, s->next, c, false, &norm));
  bound = norm;
  tolerance = fmax(s->options.eta * norm, tolerance);
  *iterations = most + 1;
  for (int k = 0; k <= most; k++) {
    if (norm <= tolerance) {
      *iterations = k;
      return DLS_OK;
    }
    if (k == most || !isfinite(norm) || s->newton >= s->most) return DLS_OK;
    if (dls_ledger_now() >= s->deadline) return DLS_OK;
    DLS_TRY(evaluate(s, m, rho, s->next, c, true, &norm));
    if (!newton_linear_factor(s->linear[m])) return DLS_OK;
    newton_linear_solve(s->linear[m], s->F, s->step);
    s->newton++;
    double share = 1, now = INFINITY;
    for (int h = 0; h < halvings; h++, share *= 0.5) {
      for (size_t e = 0; e < n; e++) s->trial[e] = s->next[e] - share * s->step[e];
      DLS_TRY(evaluate(s, m, rho, s->trial, c, false, &now));
      if (now <= (k < free_steps ? growth : 1) * bound) break;
    }
    memcpy(s->next, s->trial, n * sizeof *s->next);
    norm = now;
    bound = fmax(norm, 0.5 * bound); /* forgets slowly: the residual may rise for a while */
  }
  return DLS_OK;
}

/* One step of the multipliers c of an island. */
static DlsStatus advance(Alm *s, int m, double *c, double *kept) {
  const double least_rho = 1e-6, most_rho = 1e10;
  const int easy = 8, patience = 30;
  const NewtonIsland *island = &s->islands[m];
  Progress *p = &s->progress[m];
  const size_t n = rows_of(island);
  double physical, scaled, size;
  int iterations;
  newton_island_velocity(island, c, s->u);
  DLS_TRY(newton_island_error(island, s->u, c, &physical, &scaled, &size));
  p->solved = scaled <= 4e-16 * size;
  if (p->solved) return DLS_OK;
  if (!(p->least < INFINITY)) p->least = physical;
  DLS_TRY(newton(s, m, c, 1e-15 * size, &iterations));
  if (iterations > s->options.inner) {
    s->failures++;
    p->rho *= s->options.fall;
    p->hold = 3;
    p->stuck = p->rho < least_rho;
    return DLS_OK;
  }
  s->steps++;
  memcpy(c, s->next, n * sizeof *c);
  if (p->hold > 0) p->hold--;
  if (iterations <= easy && p->hold == 0) p->rho = fmin(most_rho, s->options.rise * p->rho);
  newton_island_velocity(island, c, s->u);
  DLS_TRY(newton_island_error(island, s->u, c, &physical, &scaled, &size));
  p->idle++;
  if (physical < p->least) {
    p->least = physical;
    p->idle = 0;
    memcpy(kept, c, n * sizeof *c);
  }
  p->stuck = p->idle > patience;
  return DLS_OK;
}

/* Islands begin again, from r_hat: all, or those that are stuck. */
static void begin_islands(Alm *s, bool stuck_only) {
  double *c = s->r, *kept = s->kept;
  for (int m = 0; m < s->count; m++) {
    const size_t n = rows_of(&s->islands[m]);
    if (!stuck_only || s->progress[m].stuck) {
      newton_island_take(&s->islands[m], s->r_hat, c);
      memcpy(kept, c, n * sizeof *c);
      s->progress[m] = (Progress){.rho = s->options.rho, .least = INFINITY};
    }
    c += n;
    kept += n;
  }
}

/* One step of each island that is not done; *active counts them. r_hat receives the best of
 * each. */
static DlsStatus advance_all(Alm *s, int *active) {
  double *c = s->r, *kept = s->kept;
  *active = 0;
  for (int m = 0; m < s->count; m++) {
    Progress *p = &s->progress[m];
    if (!p->solved && !p->stuck) {
      DLS_TRY(advance(s, m, c, kept));
      *active += !p->solved && !p->stuck;
    }
    newton_island_give(&s->islands[m], kept, s->r_hat);
    c += rows_of(&s->islands[m]);
    kept += rows_of(&s->islands[m]);
  }
  return DLS_OK;
}

static DlsStatus sweep(Alm *s, int passes, DlsWork *work) {
  s->sweep->status = DLS_OK;
  dls_sweep_refresh(s->sweep, s->r_hat);
  work->sweeps += dls_sweep_passes(s->sweep, passes, s->deadline, s->r_hat);
  return s->sweep->status;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Alm *s = self;
  DlsStopping stopping;
  int active = 1, rounds = 0;
  memcpy(s->r_hat, r, dls_solver_state_size(problem) * sizeof *r);
  dls_problem_to_standard(problem, s->r_hat);
  for (int m = 0; m < s->count; m++) s->islands[m].unitless = newton_is_unitless(limits->measure);
  s->newton = s->steps = s->failures = 0;
  s->sweep->unsolved = s->sweep->newton_fallbacks = 0;
  s->most = limits->max_iterations > 0 ? limits->max_iterations : LONG_MAX;
  s->deadline = limits->max_time > 0 ? dls_ledger_clock() + limits->max_time : INFINITY;
  dls_stopping_begin(&stopping, problem, limits, monitor, report, s->best, s->u_hat, 1);
  for (bool first = true; !dls_stopping_measure(&stopping, s->newton, s->r_hat); first = false) {
    if (first) {
      DLS_TRY(sweep(s, s->options.presweeps, &report->work));
      begin_islands(s, false);
    }
    if (active == 0) {
      dls_report_end(report, DLS_REASON_EXHAUSTED);
      if (rounds++ >= s->options.rounds || s->options.rescue == 0) break;
      DLS_TRY(sweep(s, s->options.rescue, &report->work));
      begin_islands(s, true);
    }
    DLS_TRY(advance_all(s, &active));
  }
  report->work.local_failures = s->sweep->unsolved;
  report->work.newton_fallbacks = s->sweep->newton_fallbacks;
  report->work.newton_steps = report->work.factorisations = s->newton;
  char rescued[64] = "";
  if (rounds) snprintf(rescued, sizeof rescued, "; rescued %d times by sweeps", rounds);
  snprintf(report->note, sizeof report->note, "%d island%s, %ld steps, %ld failed%s", s->count,
           s->count == 1 ? "" : "s", s->steps, s->failures, rescued);
  return dls_stopping_end(&stopping, r);
}

const DlsSolver dls_solver_alm = {
    DLS_SOLVER_HEAD,
    .name = "alm",
    .summary = "augmented Lagrangian: Uzawa's update made implicit by semismooth Newton",
    .description =
        "Updates the multipliers of each island by the projections of Alart and Curnier, with the "
        "velocities that the new multipliers give, found by Newton's method on a sparse factor. "
        "High accuracy, also where W is singular. Takes every law.",
    .references = "Alart and Curnier 1991; Simo and Laursen 1992; Rockafellar 1976",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(AlmOptions),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};
