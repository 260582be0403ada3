/* The alternating direction method of multipliers, in scaled variables, on
 *
 *   min 1/2 r·W'r + r·(q' + s n)  over z ∈ K with r = z,   s = Γ(y) brought up to date on the fly
 *
 *   (W' + rho) r = y + rho z - q' - s n                    one solve with a factor (solvers/kit/shifted_solve.h)
 *   z <- P_K(x - y / rho),   y <- y - rho (x - z),         x = relax r + (1 - relax) z
 *
 * y is the velocity u + s n. With s fixed it converges for every rho > 0 and 0 < relax < 2, W being
 * monotone, symmetric or not (it is Douglas and Rachford's splitting). rho follows the ratio of the two
 * residuals, |r - z| and rho |z - z before|, relative to |z| and |y| (residual balancing); it is looked at
 * after 10, 20, 40 ... iterations, so that there are few factors and rho comes to rest. In a cycle s moves
 * by a share of its change, and rho no more. */
#include <delassus/solver.h>

#include "base/memory.h"
#include "solvers/kit/shifted_solve.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/stopping_rule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int form, balance, rescue, check_every;
  double rho, relax;
} AdmmOptions;

static const DlsOption options[] = {
    DLS_CHOICE_OPTION(AdmmOptions, form, 0, "auto|reactions|velocities",
                      "what is factored: W + rho, or M + H^T H / rho; auto: the smaller"),
    DLS_REAL_OPTION(AdmmOptions, rho, 0.3, 1e-9, 1e9,
                    "first penalty, relative to the diagonal of W"),
    DLS_REAL_OPTION(AdmmOptions, relax, 1.6, 0.1, 1.99, "over-relaxation"),
    DLS_CHOICE_OPTION(AdmmOptions, balance, 1, "no|yes", "let rho follow the residuals"),
    DLS_CHOICE_OPTION(AdmmOptions, rescue, 1, "no|yes",
                      "damp the shift when the iteration goes round in a cycle"),
    DLS_INT_OPTION(AdmmOptions, check_every, 0, 0, 2147483647,
                   "iterations between two measures of the error; 0: as the rate suggests"),
};

typedef struct {
  AdmmOptions options;
  DlsScaled *scaled;
  DlsShifted *penalty;
  double *memory;
  double *r, *z, *y, *b, *x; /* [contacts][block] each, as the next three */
  double *r_hat, *best, *u;
  double *shift, *gamma; /* [contacts] */
  double rho, share;
  double primal, dual;         /* residuals of the last iteration, relative */
  long factors, rescues, look; /* `look`: iteration at which rho is looked at next */
  DlsCycle cycle;
} Admm;

static void destroy(void *self) {
  Admm *s = self;
  if (!s) return;
  dls_shifted_destroy(&s->penalty);
  dls_scaled_destroy(s->scaled);
  free(s->memory);
  free(s);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Admm *s = self;
  const size_t n = dls_solver_state_size(problem), contacts = (size_t)dls_problem_contacts(problem);
  DLS_TRY(dls_solver_needs_project(problem, "admm"));
  DLS_TRY(dls_scaled_create(problem, &s->scaled));
  DLS_TRY(dls_shifted_create(s->scaled, (DlsShiftedForm)s->options.form, &s->penalty));
  DLS_NEW(s->memory, 8 * n + 2 * contacts);
  double *next = s->memory;
  s->r = dls_solver_state_slice(&next, n);
  s->z = dls_solver_state_slice(&next, n);
  s->y = dls_solver_state_slice(&next, n);
  s->b = dls_solver_state_slice(&next, n);
  s->x = dls_solver_state_slice(&next, n);
  s->r_hat = dls_solver_state_slice(&next, n);
  s->best = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  s->shift = dls_solver_state_slice(&next, contacts);
  s->gamma = dls_solver_state_slice(&next, contacts);
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(Admm), sizeof(AdmmOptions), prepare, destroy};
  return dls_solver_state_create(&kind, problem, chosen, out);
}

static DlsStatus factor(Admm *s) {
  s->factors++;
  return dls_shifted_factor(s->penalty, s->rho);
}

static DlsStatus begin(Admm *s, const DlsProblem *problem, const double *r) {
  const DlsScaled *scaled = s->scaled;
  memcpy(s->r_hat, r, scaled->n * sizeof *r);
  dls_problem_to_standard(problem, s->r_hat);
  dls_scaled_take(scaled, s->r_hat, s->z);
  dls_scaled_velocity(scaled, s->z, s->y);
  dls_scaled_shift(scaled, s->y, s->shift);
  for (int i = 0; i < scaled->contacts; i++) s->y[(size_t)i * (size_t)scaled->block] += s->shift[i];
  s->share = 1;
  s->factors = s->rescues = 0;
  s->look = 10;
  s->cycle = (DlsCycle){0};
  if (s->rho == s->options.rho) return DLS_OK; /* factored in the solve before */
  s->rho = s->options.rho;
  return factor(s);
}

static DlsStatus iterate(Admm *s) {
  const DlsScaled *scaled = s->scaled;
  const size_t block = (size_t)scaled->block;
  double apart = 0, moved = 0, z2 = 0, y2 = 0;
  dls_scaled_shift(scaled, s->y, s->gamma);
  for (size_t e = 0; e < scaled->n; e++) s->b[e] = s->y[e] + s->rho * s->z[e] - scaled->q[e];
  for (size_t i = 0; i < (size_t)scaled->contacts; i++) {
    s->shift[i] += s->share * (s->gamma[i] - s->shift[i]);
    s->b[i * block] -= s->shift[i];
  }
  DLS_TRY(dls_shifted_solve(s->penalty, s->b, s->r));
  for (size_t e = 0; e < scaled->n; e++)
    s->x[e] = s->options.relax * s->r[e] + (1 - s->options.relax) * s->z[e];
  DLS_TRY(dls_scaled_project(scaled, 1 / s->rho, NULL, s->y, s->x, s->b));
  for (size_t e = 0; e < scaled->n; e++) {
    const double next = s->b[e], gap = s->r[e] - next, step = next - s->z[e];
    s->y[e] -= s->rho * (s->x[e] - next);
    s->z[e] = next;
    apart += gap * gap;
    moved += step * step;
    z2 += next * next;
    y2 += s->y[e] * s->y[e];
  }
  s->primal = sqrt(apart / fmax(z2, 1e-300));
  s->dual = s->rho * sqrt(moved / fmax(y2, 1e-300));
  return DLS_OK;
}

/* rho moves towards even residuals, at most fivefold at a time. */
static DlsStatus balance(Admm *s, long k) {
  if (!s->options.balance || s->rescues || k < s->look) return DLS_OK;
  s->look = 2 * k;
  const double ratio = sqrt(s->primal / fmax(s->dual, 1e-300));
  if (!(ratio > 2 || ratio < 0.5)) return DLS_OK;
  s->rho *= fmin(5, fmax(0.2, ratio));
  s->rho = fmin(1e6, fmax(1e-6, s->rho));
  return factor(s);
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Admm *s = self;
  const double least = 0.05;
  DlsStopping watch;
  DLS_TRY(begin(s, problem, r));
  dls_stopping_begin(&watch, problem, limits, monitor, report, s->best, s->u,
                     s->options.check_every);
  for (long k = 0;; k++) {
    if (dls_stopping_due(&watch, k)) {
      if (k > 0) dls_scaled_give(s->scaled, s->z, s->r_hat);
      if (dls_stopping_measure(&watch, k, s->r_hat)) break;
    }
    if (s->options.rescue && dls_stopping_cycles(&watch, k, 300, &s->cycle)) {
      s->share = fmax(0.5 * s->share, least);
      s->rescues++;
    }
    if (k > 0) DLS_TRY(balance(s, k));
    DLS_TRY(iterate(s));
  }
  report->work.factorisations = s->factors;
  char rescued[64] = "";
  if (s->rescues) snprintf(rescued, sizeof rescued, "; share of the shift %.2g", s->share);
  snprintf(report->note, sizeof report->note, "factor of %s, %ld factors, rho %.3g%s",
           dls_shifted_name(s->penalty), s->factors, s->rho, rescued);
  return dls_stopping_end(&watch, r);
}

const DlsSolver dls_solver_admm = {
    DLS_SOLVER_HEAD,
    .name = "admm",
    .summary = "alternating direction method of multipliers on a sparse factor",
    .description =
        "Alternates a linear solve, with one factor of M + H^T H / rho or of W + rho, and a "
        "projection on the cones; De Saxcé's shift follows. A guess of the right set in few "
        "iterations, whatever the condition of W. Takes every canonical law, and custom laws that "
        "bring a projection.",
    .references = "Boyd et al. 2011; Tasora, Mangoni, Benatti and Garziera 2021; De Saxcé and Feng "
                  "1998; Acary, Brémond and Huber 2018",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(AdmmOptions),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};
