/* Uzawa's method: r <- P_K(r - rho_α (û + Γ(û) n)), all contacts at once, with a step that adapts
 * itself.
 *
 *   projection     one application of W an iteration
 *   extragradient  r̄ as above, then r <- P_K(r - rho_α F(r̄)): two applications; converges whenever
 *                  F is monotone (Korpelevich 1976)
 *   bipotential    the one-step predictor-corrector of Sanni et al. 2009, eqs. 22 and 31, contact
 *                  after contact, velocities brought up to date in between
 *
 * rho_α = rho / w_α, w_α the largest diagonal entry of Ŵ_αα, spins times ℓ_α and torques over it,
 * ℓ² = Ŵ_NN / mean Ŵ of the spins: free of units. rho follows Khobotov's
 * rule (1987): a step is accepted when rho |F(r) - F(r̄)|_w⁻¹ <= L |r - r̄|_w, else shortened; a
 * fixed step of 1 diverges on rigid bodies that share contacts. */
#include <delassus/cone.h>
#include <delassus/solver.h>

#include "base/memory.h"
#include "base/small.h"
#include "problem/spins.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/stopping_rule.h"
#include "solvers/kit/sweep.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROJECTION, EXTRAGRADIENT, BIPOTENTIAL };

typedef struct {
  int method, adapt, check_every;
  double rho, shorten, accept, lengthen;
} UzawaOptions;

static const DlsOption options[] = {
    DLS_CHOICE_OPTION(UzawaOptions, method, 0, "projection|extragradient|bipotential",
                      "one projection, two, or the predictor-corrector of Sanni et al. in sweeps"),
    DLS_REAL_OPTION(UzawaOptions, rho, 1.0, 1e-12, 1e12,
                    "first step, in units of 1 / largest diagonal of a contact's block"),
    DLS_CHOICE_OPTION(UzawaOptions, adapt, 1, "no|yes", "let the step follow Khobotov's rule"),
    DLS_REAL_OPTION(UzawaOptions, accept, 0.9, 0.1, 0.999,
                    "L: a step is accepted below this ratio"),
    DLS_REAL_OPTION(UzawaOptions, lengthen, 0.3, 0, 0.9, "and lengthened by 3/2 below this one"),
    DLS_REAL_OPTION(UzawaOptions, shorten, 0.6667, 0.1, 0.99, "factor of a refused step"),
    DLS_INT_OPTION(UzawaOptions, check_every, 0, 0, 2147483647,
                   "iterations between two measures of the error; 0: as the rate suggests"),
};

typedef struct {
  UzawaOptions options;
  DlsSweep *sweep;                        /* bipotential */
  double *weight, *length;                /* w_α, ℓ_α: one array */
  double *memory;                         /* of those below */
  double *r, *bar, *F, *F_bar, *best, *u; /* [contacts][block] each */
  long shortened, products;
} Uzawa;

static void destroy(void *self) {
  Uzawa *s = self;
  if (!s) return;
  dls_sweep_destroy(s->sweep);
  free(s->weight);
  free(s->memory);
  free(s);
}

/* ℓ of a contact; 1 without spins, and for a custom law, which has one step for all components. */
static double length_of(const DlsProblem *problem, int i, const double *D) {
  const bool custom = dls_problem_relation(problem, i)->cone == DLS_CONE_CUSTOM;
  return custom ? 1 : dls_spin_length(dls_problem_dim(problem), dls_problem_block(problem), D);
}

static DlsStatus weigh(Uzawa *s, const DlsProblem *problem) {
  const int contacts = dls_problem_contacts(problem), block = dls_problem_block(problem);
  const int dim = dls_problem_dim(problem);
  double *D;
  DLS_NEW(s->weight, 2 * (size_t)contacts);
  s->length = s->weight + contacts;
  DLS_NEW(D, (size_t)contacts * (size_t)(block * block));
  dls_problem_standard_diagonal(problem, D);
  for (int i = 0; i < contacts; i++) {
    const double *own = D + (size_t)i * (size_t)(block * block);
    s->length[i] = length_of(problem, i, own);
    for (int k = 0; k < block; k++) {
      const double turn = dls_spin_turn(dim, k, s->length[i]);
      s->weight[i] = fmax(s->weight[i], turn * turn * own[k * (block + 1)]);
    }
    if (!(s->weight[i] > 0)) s->weight[i] = 1;
  }
  free(D);
  return DLS_OK;
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Uzawa *s = self;
  const size_t n = dls_solver_state_size(problem);
  DLS_TRY(dls_solver_needs_project(problem, "uzawa"));
  if (s->options.method == BIPOTENTIAL) {
    DLS_TRY(dls_sweep_create(problem, DLS_SWEEP_AUTO, &s->sweep));
    s->sweep->update = DLS_SWEEP_PROJECT;
    s->sweep->step = s->options.rho;
  }
  DLS_TRY(weigh(s, problem));
  DLS_NEW(s->memory, 6 * n);
  double *next = s->memory;
  s->r = dls_solver_state_slice(&next, n);
  s->bar = dls_solver_state_slice(&next, n);
  s->F = dls_solver_state_slice(&next, n);
  s->F_bar = dls_solver_state_slice(&next, n);
  s->best = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(Uzawa), sizeof(UzawaOptions), prepare, destroy};
  return dls_solver_state_create(&kind, problem, chosen, out);
}

/* F = û + Γ(û) n at r, û = Ŵ r + q̂. */
static void evaluate(Uzawa *s, const DlsProblem *problem, const double *r, double *F) {
  const int block = dls_problem_block(problem), dim = dls_problem_dim(problem);
  dls_problem_standard_velocity(problem, r, F);
  s->products++;
  for (int i = 0; i < dls_problem_contacts(problem); i++) {
    double *u = F + (size_t)i * (size_t)block;
    u[0] += dls_cone_shift(dls_problem_relation(problem, i), dim, block, u, NULL);
  }
}

/* out = P_K(r - rho / w F), contact by contact. */
static DlsStatus project(const Uzawa *s, const DlsProblem *problem, double rho, const double *F,
                         double *out) {
  const DlsCustomRelation *custom = dls_problem_custom(problem);
  const int block = dls_problem_block(problem), dim = dls_problem_dim(problem);
  for (int i = 0; i < dls_problem_contacts(problem); i++) {
    const size_t e = (size_t)i * (size_t)block;
    const double step = rho / s->weight[i];
    memcpy(out + e, s->r + e, (size_t)block * sizeof *out);
    if (dls_problem_relation(problem, i)->cone == DLS_CONE_CUSTOM) {
      DLS_TRY(custom[i].project(custom[i].context, F + e, step, out + e));
      continue;
    }
    const DlsRelation even = dls_spin_even(dls_problem_relation(problem, i), s->length[i]);
    for (int k = 0; k < block; k++) {
      const double turn = dls_spin_turn(dim, k, s->length[i]);
      out[e + (size_t)k] = out[e + (size_t)k] / turn - step * turn * F[e + (size_t)k];
    }
    dls_cone_project(&even, dim, block, out + e);
    for (int k = dim; k < block; k++) out[e + (size_t)k] *= s->length[i];
  }
  return DLS_OK;
}

/* rho |F(r) - F(r̄)| / |r - r̄| in the norms of the weights; 0 when r̄ = r. */
static double step_ratio(const Uzawa *s, const DlsProblem *problem, double rho) {
  const int block = dls_problem_block(problem);
  double change = 0, moved = 0;
  for (int i = 0; i < dls_problem_contacts(problem); i++)
    for (int k = 0; k < block; k++) {
      const size_t e = (size_t)i * (size_t)block + (size_t)k;
      const double turn = dls_spin_turn(dls_problem_dim(problem), k, s->length[i]);
      const double dF = turn * (s->F[e] - s->F_bar[e]), dr = (s->r[e] - s->bar[e]) / turn;
      change += dF * dF / s->weight[i];
      moved += dr * dr * s->weight[i];
    }
  return moved > 0 ? rho * sqrt(change / moved) : 0;
}

static void swap(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}

/* One iteration: F holds F(r) before and after. */
static DlsStatus iterate(Uzawa *s, const DlsProblem *problem, double *rho) {
  const UzawaOptions *o = &s->options;
  double ratio = 0;
  for (int attempt = 0; attempt < 60; attempt++) {
    DLS_TRY(project(s, problem, *rho, s->F, s->bar));
    evaluate(s, problem, s->bar, s->F_bar);
    ratio = step_ratio(s, problem, *rho);
    if (!o->adapt || ratio <= o->accept) break;
    *rho *= o->shorten * fmin(1.0, 1.0 / ratio);
    s->shortened++;
  }
  if (o->method == EXTRAGRADIENT) {
    DLS_TRY(project(s, problem, *rho, s->F_bar, s->bar));
    evaluate(s, problem, s->bar, s->F_bar);
  }
  swap(&s->r, &s->bar);
  swap(&s->F, &s->F_bar);
  if (o->adapt && ratio < o->lengthen) *rho *= 1.5;
  return DLS_OK;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Uzawa *s = self;
  const size_t n = dls_solver_state_size(problem);
  double rho = s->options.rho;
  DlsStatus status = DLS_OK;
  DlsStopping watch;
  memcpy(s->r, r, n * sizeof *r);
  dls_problem_to_standard(problem, s->r);
  s->shortened = s->products = 0;
  if (s->sweep) {
    s->sweep->status = DLS_OK;
    s->sweep->unsolved = s->sweep->newton_fallbacks = 0;
  }
  if (s->sweep)
    dls_sweep_refresh(s->sweep, s->r);
  else
    evaluate(s, problem, s->r, s->F);
  dls_stopping_begin(&watch, problem, limits, monitor, report, s->best, s->u,
                     s->options.check_every);
  for (long k = 0; !dls_stopping_due(&watch, k) || !dls_stopping_measure(&watch, k, s->r); k++) {
    if (s->sweep) {
      dls_sweep_pass(s->sweep, NULL, 0, 1, s->r);
      status = s->sweep->status;
    } else {
      status = iterate(s, problem, &rho);
    }
    if (status != DLS_OK) return status;
    if (s->sweep && (k + 1) % 200 == 0) dls_sweep_refresh(s->sweep, s->r); /* against drift */
  }
  if (s->sweep) {
    report->work.sweeps = report->iterations;
    report->work.local_failures = s->sweep->unsolved;
    report->work.newton_fallbacks = s->sweep->newton_fallbacks;
  }
  report->work.products = s->products;
  if (s->sweep)
    snprintf(report->note, sizeof report->note, "predictor-corrector sweeps, rho %.3g",
             s->options.rho);
  else
    snprintf(report->note, sizeof report->note, "%s, step %.3g at the end, shortened %ld times",
             s->options.method == PROJECTION ? "projection" : "extragradient", rho, s->shortened);
  return dls_stopping_end(&watch, r);
}

const DlsSolver dls_solver_uzawa = {
    DLS_SOLVER_HEAD,
    .name = "uzawa",
    .summary = "projection with a step that adapts itself, extragradient, or bi-potential sweeps",
    .description =
        "Projects all contacts at once on their cones, with a step per contact and Khobotov's rule "
        "for its length. Needs no W, only its product. Slow where W is ill-conditioned. Takes "
        "every "
        "canonical law, and custom laws that bring a projection.",
    .references = "Khobotov 1987; De Saxcé and Feng 1998; Sanni et al. 2009, eqs. 22 and 31",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(UzawaOptions),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};
