/* Uzawa's method: r <- P_K(r - rho_α (û + Γ(û) n)), all contacts at once, with a step that adapts
 * itself.
 *
 *   projection     one application of W an iteration
 *   extragradient  r̄ as above, then r <- P_K(r - rho_α F(r̄)): two applications; converges
 *                  whenever F is monotone (Korpelevich 1976)
 *   bipotential    the one-step predictor-corrector of Sanni et al. 2009, eqs. 22 and 31, contact
 *                  after contact, velocities brought up to date in between
 *   alternate      the two-step one that they compare it with: of each contact first the normal
 *                  component, then the tangential ones within mu r_N
 *
 * rho_α = rho / w_α, w_α the largest diagonal entry of Ŵ_αα, spins times ℓ_α and torques over it,
 * ℓ² = Ŵ_NN / mean Ŵ of the spins: free of units. rho follows Khobotov's
 * rule (1987): a step is accepted when rho |F(r) - F(r̄)|_w⁻¹ <= L |r - r̄|_w, else shortened; a
 * fixed step of 1 diverges on rigid bodies that share contacts. */
#include <delassus/cone.h>
#include <delassus/solver.h>

#include "base/ledger.h"
#include "base/memory.h"
#include "base/small.h"
#include "problem/spins.h"
#include "solvers/kit/first_order.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/sweep.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROJECTION, EXTRAGRADIENT, BIPOTENTIAL, ALTERNATE };

typedef struct {
  int method, adapt, check_every;
  double rho, shorten, accept, lengthen;
} UzawaOptions;

static const DlsOption options[] = {
    DLS_CHOICE_OPTION(UzawaOptions, method, 0, "projection|extragradient|bipotential|alternate",
                      "one projection, two, or in sweeps: the predictor-corrector of Sanni et al., "
                      "or one for contact and one for friction"),
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
  DlsFirstOrder base;
  UzawaOptions options;
  DlsSweep *sweep;             /* bipotential, alternate */
  double *weight, *length;     /* w_α, ℓ_α: one array */
  double *r, *bar, *F, *F_bar; /* [contacts][block] each */
  double rho;                  /* of the moment */
  long shortened, products;
} Uzawa;

static void release(void *self) {
  Uzawa *s = self;
  dls_sweep_destroy(s->sweep);
  free(s->weight);
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
  s->base.check_every = s->options.check_every;
  if (s->options.method == BIPOTENTIAL || s->options.method == ALTERNATE) {
    DLS_TRY(dls_sweep_create(problem, DLS_SWEEP_AUTO, &s->sweep));
    s->sweep->update = s->options.method == BIPOTENTIAL ? DLS_SWEEP_PROJECT : DLS_SWEEP_ALTERNATE;
    s->sweep->step = s->options.rho;
  }
  s->r = dls_first_order_array(&s->base);
  s->bar = dls_first_order_array(&s->base);
  s->F = dls_first_order_array(&s->base);
  s->F_bar = dls_first_order_array(&s->base);
  return weigh(s, problem);
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
  dls_ledger.contacts += dls_problem_contacts(problem);
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

/* F holds F(r) before and after. */
static DlsStatus project_all(Uzawa *s, const DlsProblem *problem) {
  const UzawaOptions *o = &s->options;
  double ratio = 0;
  for (int attempt = 0; attempt < 60; attempt++) {
    DLS_TRY(project(s, problem, s->rho, s->F, s->bar));
    evaluate(s, problem, s->bar, s->F_bar);
    ratio = step_ratio(s, problem, s->rho);
    if (!o->adapt || ratio <= o->accept) break;
    s->rho *= o->shorten * fmin(1.0, 1.0 / ratio);
    s->shortened++;
  }
  if (o->method == EXTRAGRADIENT) {
    DLS_TRY(project(s, problem, s->rho, s->F_bar, s->bar));
    evaluate(s, problem, s->bar, s->F_bar);
  }
  dls_solver_state_swap(&s->r, &s->bar);
  dls_solver_state_swap(&s->F, &s->F_bar);
  if (o->adapt && ratio < o->lengthen) s->rho *= 1.5;
  s->base.r = s->r;
  return DLS_OK;
}

static DlsStatus iterate(void *self, const DlsProblem *problem, long k) {
  Uzawa *s = self;
  if (!s->sweep) return project_all(s, problem);
  dls_sweep_pass(s->sweep, NULL, 0, 1, s->r);
  if ((k + 1) % 200 == 0) dls_sweep_refresh(s->sweep, s->r); /* against drift */
  return s->sweep->status;
}

static DlsStatus begin(void *self, const DlsProblem *problem) {
  Uzawa *s = self;
  memcpy(s->r, s->base.r_hat, dls_solver_state_size(problem) * sizeof *s->r);
  s->base.r = s->r;
  s->rho = s->options.rho;
  s->shortened = s->products = 0;
  if (!s->sweep) {
    evaluate(s, problem, s->r, s->F);
    return DLS_OK;
  }
  s->sweep->status = DLS_OK;
  s->sweep->unsolved = s->sweep->newton_fallbacks = 0;
  dls_sweep_refresh(s->sweep, s->r);
  return DLS_OK;
}

static void describe(const void *self, DlsReport *report) {
  const Uzawa *s = self;
  if (s->sweep) {
    report->work.sweeps = report->iterations;
    report->work.local_failures = s->sweep->unsolved;
    report->work.newton_fallbacks = s->sweep->newton_fallbacks;
  }
  report->work.products = s->products;
  if (s->sweep)
    snprintf(report->note, sizeof report->note, "%s predictor-corrector sweeps, rho %.3g",
             s->options.method == BIPOTENTIAL ? "one-step" : "two-step", s->options.rho);
  else
    snprintf(report->note, sizeof report->note, "%s, step %.3g at the end, shortened %ld times",
             s->options.method == PROJECTION ? "projection" : "extragradient", s->rho,
             s->shortened);
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsFirstOrderMethod method = {
      .name = "uzawa",
      .bytes = sizeof(Uzawa),
      .options_at = offsetof(Uzawa, options),
      .option_bytes = sizeof(UzawaOptions),
      .laws = DLS_LAWS_WITH_PROJECTION,
      .arrays = 4,
      .prepare = prepare,
      .begin = begin,
      .iterate = iterate,
      .describe = describe,
      .release = release,
  };
  return dls_first_order_create(&method, problem, chosen, out);
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
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
