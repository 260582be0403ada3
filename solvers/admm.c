/* The alternating direction method of multipliers on scaled variables; the iteration is that of
 * solvers/kit/admm_iteration.h, W' + rho is solved with one factor (solvers/kit/shifted_solve.h).
 *
 * With the shift s fixed it converges for every rho > 0 and 0 < relax < 2, W being monotone,
 * symmetric or not (it is Douglas and Rachford's splitting). rho follows the ratio of the two
 * residuals, |r - z| and rho |z - z before|, relative to |z| and |y| (residual balancing); it is
 * looked at after 10, 20, 40 ... iterations, so that there are few factors and rho comes to rest.
 * In a cycle s moves by a share of its change, and rho no more. */
#include <delassus/solver.h>

#include "base/memory.h"
#include "solvers/kit/admm_iteration.h"
#include "solvers/kit/first_order.h"
#include "solvers/kit/shifted_solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
  DlsFirstOrder base;
  AdmmOptions options;
  DlsShifted *factor; /* of W' + rho */
  DlsAdmm admm;
  double *shift, *gamma; /* [contacts] each, one array */
  double share;          /* of the change of s */
  long factors, look;    /* `look`: iteration at which rho is looked at next */
} Admm;

static void release(void *self) {
  Admm *s = self;
  dls_shifted_destroy(&s->factor);
  free(s->shift);
}

/* s <- s + share (Γ(y) - s). */
static void update_shift(void *context, const double *y, double *shift) {
  const Admm *s = context;
  dls_scaled_shift(s->base.scaled, y, s->gamma);
  for (int i = 0; i < s->base.scaled->contacts; i++)
    shift[i] += s->share * (s->gamma[i] - shift[i]);
}

static DlsStatus solve_shifted(void *context, const double *b, double *r) {
  const Admm *s = context;
  return dls_shifted_solve(s->factor, b, r);
}

static DlsStatus project(void *context, double rho, const double *y, const double *x, double *z) {
  const Admm *s = context;
  return dls_scaled_project(s->base.scaled, 1 / rho, NULL, y, x, z);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  static const DlsAdmmActions actions = {update_shift, solve_shifted, project};
  Admm *s = self;
  const DlsScaled *scaled = s->base.scaled;
  (void)problem;
  s->base.check_every = s->options.check_every;
  s->base.rescue = s->options.rescue;
  DLS_TRY(dls_shifted_create(scaled, (DlsShiftedForm)s->options.form, &s->factor));
  DLS_NEW(s->shift, 2 * (size_t)scaled->contacts);
  s->gamma = s->shift + scaled->contacts;
  s->admm = (DlsAdmm){.actions = &actions,
                      .context = s,
                      .contacts = (size_t)scaled->contacts,
                      .block = (size_t)scaled->block,
                      .q = scaled->q,
                      .relax = s->options.relax,
                      .shift = s->shift};
  s->admm.r = dls_first_order_array(&s->base);
  s->admm.z = dls_first_order_array(&s->base);
  s->admm.y = dls_first_order_array(&s->base);
  s->admm.b = dls_first_order_array(&s->base);
  s->admm.x = dls_first_order_array(&s->base);
  return DLS_OK;
}

static DlsStatus factor(Admm *s) {
  s->factors++;
  return dls_shifted_factor(s->factor, s->admm.rho);
}

static DlsStatus begin(void *self, const DlsProblem *problem) {
  Admm *s = self;
  DlsAdmm *admm = &s->admm;
  const DlsScaled *scaled = s->base.scaled;
  (void)problem;
  dls_scaled_take(scaled, s->base.r_hat, admm->z);
  dls_scaled_velocity(scaled, admm->z, admm->y);
  dls_scaled_shift(scaled, admm->y, s->shift);
  for (size_t i = 0; i < admm->contacts; i++) admm->y[i * admm->block] += s->shift[i];
  s->base.r = admm->z;
  s->share = 1;
  s->factors = 0;
  s->look = 10;
  if (admm->rho == s->options.rho) return DLS_OK; /* factored in the solve before */
  admm->rho = s->options.rho;
  return factor(s);
}

/* rho moves towards even residuals, at most fivefold at a time. */
static DlsStatus balance(Admm *s, long k) {
  DlsAdmm *admm = &s->admm;
  if (!s->options.balance || s->base.rescues || k < s->look) return DLS_OK;
  s->look = 2 * k;
  const double ratio = sqrt(admm->primal / fmax(admm->dual, 1e-300));
  if (!(ratio > 2 || ratio < 0.5)) return DLS_OK;
  admm->rho *= fmin(5, fmax(0.2, ratio));
  admm->rho = fmin(1e6, fmax(1e-6, admm->rho));
  return factor(s);
}

static DlsStatus iterate(void *self, const DlsProblem *problem, long k) {
  Admm *s = self;
  (void)problem;
  if (k > 0) DLS_TRY(balance(s, k));
  return dls_admm_iterate(&s->admm);
}

static void leave_cycle(void *self) {
  const double least = 0.05;
  Admm *s = self;
  s->share = fmax(0.5 * s->share, least);
}

static void describe(const void *self, DlsReport *report) {
  const Admm *s = self;
  report->work.factorisations = s->factors;
  char rescued[64] = "";
  if (s->base.rescues) snprintf(rescued, sizeof rescued, "; share of the shift %.2g", s->share);
  snprintf(report->note, sizeof report->note, "factor of %s, %ld factors, rho %.3g%s",
           dls_shifted_name(s->factor), s->factors, s->admm.rho, rescued);
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsFirstOrderMethod method = {
      .name = "admm",
      .bytes = sizeof(Admm),
      .options_at = offsetof(Admm, options),
      .option_bytes = sizeof(AdmmOptions),
      .scaled = true,
      .laws = DLS_LAWS_WITH_PROJECTION,
      .few = 300,
      .arrays = 5,
      .prepare = prepare,
      .begin = begin,
      .iterate = iterate,
      .leave_cycle = leave_cycle,
      .describe = describe,
      .release = release,
  };
  return dls_first_order_create(&method, problem, chosen, out);
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
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
