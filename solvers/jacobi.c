/* Damped Jacobi: all contacts at once, each solved exactly with the others as they were,
 *
 *   r_i <- r_i + omega (s_i - r_i),   s_i the one-contact solution of Ŵ_ii and û_i - Ŵ_ii r_i.
 *
 * Every contact may be done by another processor, which is why it is of interest; on one it is a
 * yardstick for nsgs. Undamped it diverges as soon as bodies share contacts: omega = 1 / λ with λ
 * the largest eigenvalue of D^-1 Ŵ, D the diagonal blocks, makes it contract without friction (the
 * energy falls: 1/2 r·Ŵr + q·r is below its separable bound). λ comes from power iteration. */
#include <delassus/local.h>
#include <delassus/solver.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/small.h"
#include "solvers/kit/first_order.h"
#include "solvers/kit/solver_state.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int powers, rescue, check_every;
  double omega;
} JacobiOptions;

static const DlsOption options[] = {
    DLS_REAL_OPTION(JacobiOptions, omega, 0, 0, 1.999,
                    "relaxation; 0: 1 / largest eigenvalue of D^-1 W, at most 1"),
    DLS_INT_OPTION(JacobiOptions, powers, 20, 1, 100000,
                   "products with W that the eigenvalue is taken from"),
    DLS_CHOICE_OPTION(JacobiOptions, rescue, 1, "no|yes",
                      "relax more, by 4/5 a time, when the iteration goes round in a cycle"),
    DLS_INT_OPTION(JacobiOptions, check_every, 0, 0, 2147483647,
                   "iterations between two measures of the error; 0: as the rate suggests"),
};

typedef struct {
  DlsFirstOrder base;
  JacobiOptions options;
  double *D;             /* diagonal blocks of Ŵ */
  double *r, *u;         /* [contacts][block] each */
  double omega, lowered; /* relaxation at first, and after cycles */
  long unsolved;
} Jacobi;

static void release(void *self) {
  Jacobi *s = self;
  free(s->D);
}

/* The entry of the diagonal of Ŵ that belongs to number e. */
static double diagonal(const Jacobi *s, size_t block, size_t e) {
  return s->D[e / block * block * block + e % block * (block + 1)];
}

/* x <- D^-1 Ŵ x / |x|; returns the |x| that it was divided by, |x|² = Σ Ŵ_ee x_e²: impulses and
 * torques count alike, whatever the units. Contacts whose block is singular take
 * no part: a one-contact solve does not amplify there. */
static double power(const Jacobi *s, const DlsProblem *problem, double *x, double *y) {
  const size_t n = dls_solver_state_size(problem), block = (size_t)dls_problem_block(problem);
  double sum = 0;
  for (size_t e = 0; e < n; e++) sum += diagonal(s, block, e) * x[e] * x[e];
  const double norm = sqrt(sum);
  if (!(norm > 0)) return 0;
  for (size_t e = 0; e < n; e++) x[e] /= norm;
  dls_operator_apply(dls_problem_operator(problem), x, y);
  for (size_t at = 0; at < n; at += block) {
    double A[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
    const size_t i = at / block;
    for (size_t k = 0; k < block; k++)
      y[at + k] += dls_problem_relation(problem, (int)i)->C[k] * x[at + k];
    memcpy(A, s->D + i * block * block, block * block * sizeof *A);
    if (!dls_small_solve((int)block, A, y + at)) memset(y + at, 0, block * sizeof *y);
    memcpy(x + at, y + at, block * sizeof *x);
  }
  return norm;
}

static double estimate_omega(Jacobi *s, const DlsProblem *problem) {
  const size_t n = dls_solver_state_size(problem);
  DlsRandom random;
  double largest = 0;
  dls_random_seed(&random, 1);
  for (size_t e = 0; e < n; e++) {
    const double w = diagonal(s, (size_t)dls_problem_block(problem), e);
    s->r[e] = dls_random_normal(&random) / (w > 0 ? sqrt(w) : 1);
  }
  (void)power(s, problem, s->r, s->u);
  for (int k = 0; k < s->options.powers; k++) largest = power(s, problem, s->r, s->u);
  return largest > 1 ? 1 / largest : 1;
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Jacobi *s = self;
  const size_t block = (size_t)dls_problem_block(problem);
  s->base.check_every = s->options.check_every;
  s->base.rescue = s->options.rescue;
  s->r = dls_first_order_array(&s->base);
  s->u = dls_first_order_array(&s->base);
  DLS_NEW(s->D, dls_solver_state_size(problem) * block);
  dls_problem_standard_diagonal(problem, s->D);
  s->omega = s->options.omega > 0 ? s->options.omega : estimate_omega(s, problem);
  return DLS_OK;
}

static DlsStatus begin(void *self, const DlsProblem *problem) {
  Jacobi *s = self;
  memcpy(s->r, s->base.r_hat, dls_solver_state_size(problem) * sizeof *s->r);
  s->base.r = s->r;
  s->lowered = s->omega;
  s->unsolved = 0;
  return DLS_OK;
}

static DlsStatus iterate(void *self, const DlsProblem *problem, long number) {
  Jacobi *s = self;
  const double omega = s->lowered;
  (void)number;
  const DlsCustomRelation *custom = dls_problem_custom(problem);
  const int block = dls_problem_block(problem), dim = dls_problem_dim(problem);
  dls_problem_standard_velocity(problem, s->r, s->u);
  for (int i = 0; i < dls_problem_contacts(problem); i++) {
    double *r = s->r + (size_t)i * (size_t)block, *u = s->u + (size_t)i * (size_t)block;
    const double *D = s->D + (size_t)i * (size_t)(block * block);
    double q[DLS_MAX_BLOCK] = {0}, next[DLS_MAX_BLOCK] = {0};
    for (int k = 0; k < block; k++) q[k] = u[k] - dls_small_dot(block, D + k * block, r);
    memcpy(next, r, (size_t)block * sizeof *next);
    const DlsLocalOutcome outcome = dls_local_solve(dls_problem_relation(problem, i), dim, block,
                                                    custom ? &custom[i] : NULL, D, q, next);
    if (outcome == DLS_LOCAL_FAILED) return DLS_ERR_LAW; /* the law left its sentence */
    s->unsolved += outcome == DLS_LOCAL_NONE;
    for (int k = 0; k < block; k++) r[k] += omega * (next[k] - r[k]);
  }
  return DLS_OK;
}

static void leave_cycle(void *self) {
  const double least = 0.01;
  Jacobi *s = self;
  if (s->lowered > least * s->omega) s->lowered *= 0.8;
}

static void describe(const void *self, DlsReport *report) {
  const Jacobi *s = self;
  report->work.sweeps = report->work.products = report->iterations;
  report->work.local_failures = s->unsolved;
  char unsolved[80] = "";
  if (s->unsolved)
    snprintf(unsolved, sizeof unsolved, "; %ld one-contact problems had no solution", s->unsolved);
  snprintf(report->note, sizeof report->note, "relaxation %.3g%s%s", s->lowered,
           s->lowered < s->omega ? ", lowered out of a cycle" : "", unsolved);
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsFirstOrderMethod method = {
      .name = "jacobi",
      .bytes = sizeof(Jacobi),
      .options_at = offsetof(Jacobi, options),
      .option_bytes = sizeof(JacobiOptions),
      .laws = DLS_LAWS_ANY,
      .few = 100,
      .arrays = 2,
      .prepare = prepare,
      .begin = begin,
      .iterate = iterate,
      .leave_cycle = leave_cycle,
      .describe = describe,
      .release = release,
  };
  return dls_first_order_create(&method, problem, chosen, out);
}

const DlsSolver dls_solver_jacobi = {
    DLS_SOLVER_HEAD,
    .name = "jacobi",
    .summary = "damped Jacobi, all contacts at once, each solved exactly",
    .description =
        "Solves each contact exactly with the others as they were, and takes a share of the step. "
        "For comparison: what a sweep costs in convergence when all contacts are done in parallel. "
        "Takes every law.",
    .references = "Tonge, Benevolenski and Voroshilov 2012; Acary, Brémond and Huber 2018",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(JacobiOptions),
    .create = create,
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
