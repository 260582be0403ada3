/* Accelerated projected gradient with restart (Mazhar, Heyn, Negrut and Tasora 2015, there for the
 * relaxation of Anitescu), with De Saxcé's shift brought up to date. What it solves is set by
 * `shift`:
 *
 *   each     s = Γ(u_y) in every iteration: Coulomb's law itself, r ∈ K, u + Γ(u) n ∈ K*
 *   restart  s = Γ(u) when momentum is dropped: the same law; between restarts a convex programme
 *   none     s = 0: the cone complementarity problem of Anitescu (2006), r ∈ K, u ∈ K*, a convex
 *            programme in which a sliding contact opens with u_N = mu |u_T|. That is not Coulomb's
 *            law: the error that is measured stays, and the outcome says so, unless nothing slides
 *
 * With s fixed the convergence of the method is Nesterov's; with s moving it is not proven. When it
 * goes round in a cycle s is brought up to date by a share only, momentum is damped, and steps
 * become shorter. */
#include <delassus/solver.h>

#include "base/memory.h"
#include "solvers/kit/accelerated.h"
#include "solvers/kit/first_order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EACH, RESTART, NONE };

typedef struct {
  int shift, rescue, check_every;
} ApgdOptions;

static const DlsOption options[] = {
    DLS_CHOICE_OPTION(ApgdOptions, shift, 0, "each|restart|none",
                      "when De Saxcé's shift is brought up to date; none: Anitescu's relaxation"),
    DLS_CHOICE_OPTION(ApgdOptions, rescue, 1, "no|yes",
                      "damp momentum, shift and step when the iteration goes round in a cycle"),
    DLS_INT_OPTION(ApgdOptions, check_every, 0, 0, 2147483647,
                   "iterations between two measures of the error; 0: as the rate suggests"),
};

typedef struct {
  DlsFirstOrder base;
  ApgdOptions options;
  DlsAccelerated *method;
  double *gamma; /* [contacts] */
  double share;  /* of the change of the shift */
} Apgd;

static void release(void *self) {
  Apgd *s = self;
  dls_accelerated_destroy(s->method);
  free(s->gamma);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Apgd *s = self;
  s->base.check_every = s->options.check_every;
  s->base.rescue = s->options.rescue;
  DLS_NEW(s->gamma, dls_problem_contacts(problem));
  return dls_accelerated_create(s->base.scaled, false, &s->method);
}

/* s <- s + share (Γ(u) - s). */
static void update_shift(Apgd *s, const double *u) {
  dls_scaled_shift(s->base.scaled, u, s->gamma);
  for (int i = 0; i < s->base.scaled->contacts; i++)
    s->method->shift[i] += s->share * (s->gamma[i] - s->method->shift[i]);
}

static void leave_cycle(void *self) {
  const double least = 0.05;
  Apgd *s = self;
  DlsAccelerated *method = s->method;
  method->limit = s->base.rescues == 1 ? 0.7 : 0;
  if (s->base.rescues > 1) s->share = fmax(0.7 * s->share, least);
  if (s->base.rescues > 2) method->least_L = fmax(1.5 * method->least_L, method->L);
  dls_accelerated_restart(method);
}

static DlsStatus iterate(void *self, const DlsProblem *problem, long k) {
  Apgd *s = self;
  (void)problem, (void)k;
  DlsAccelerated *method = s->method;
  const long restarts = method->restarts;
  dls_accelerated_extrapolate(method);
  if (s->options.shift == EACH) update_shift(s, method->u_y);
  DLS_TRY(dls_accelerated_step(method));
  if (s->options.shift == RESTART && method->restarts > restarts) update_shift(s, method->u);
  s->base.r = method->r;
  return DLS_OK;
}

static DlsStatus begin(void *self, const DlsProblem *problem) {
  Apgd *s = self;
  (void)problem;
  dls_scaled_take(s->base.scaled, s->base.r_hat, s->base.u);
  dls_accelerated_begin(s->method, s->base.u);
  s->base.r = s->method->r;
  s->share = 1;
  if (s->options.shift != NONE) update_shift(s, s->method->u);
  return DLS_OK;
}

static void describe(const void *self, DlsReport *report) {
  const Apgd *s = self;
  report->work.products = s->method->products;
  char rescued[64] = "";
  if (s->base.rescues)
    snprintf(rescued, sizeof rescued, "; damped %ld times out of a cycle", s->base.rescues);
  snprintf(report->note, sizeof report->note, "%ld restarts, %ld products with W%s",
           s->method->restarts, s->method->products, rescued);
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsFirstOrderMethod method = {
      .name = "apgd",
      .bytes = sizeof(Apgd),
      .options_at = offsetof(Apgd, options),
      .option_bytes = sizeof(ApgdOptions),
      .scaled = true,
      .laws = DLS_LAWS_WITH_PROJECTION,
      .few = 200,
      .prepare = prepare,
      .begin = begin,
      .iterate = iterate,
      .leave_cycle = leave_cycle,
      .describe = describe,
      .release = release,
  };
  return dls_first_order_create(&method, problem, chosen, out);
}

const DlsSolver dls_solver_apgd = {
    DLS_SOLVER_HEAD,
    .name = "apgd",
    .summary = "accelerated projected gradient with restart",
    .description =
        "Nesterov's method on the cones, all contacts at once, with De Saxcé's shift brought up to "
        "date in every iteration. Needs no W, only its product. Takes every canonical law, and "
        "custom laws that bring a projection.",
    .references =
        "Nesterov 1983; Anitescu 2006; Mazhar, Heyn, Negrut and Tasora 2015; De Saxcé and "
        "Feng 1998; O'Donoghue and Candès 2015",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(ApgdOptions),
    .create = create,
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
