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

#include <stdbool.h>

#include "base/memory.h"
#include "solvers/kit/accelerated.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/stopping_rule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  ApgdOptions options;
  DlsScaled *scaled;
  DlsAccelerated *method;
  double *memory, *gamma;   /* [contacts] */
  double *r_hat, *best, *u; /* [contacts][block] each */
  double share;             /* of the change of the shift */
  long rescues;
  DlsCycle cycle;
} Apgd;

static void destroy(void *self) {
  Apgd *s = self;
  if (!s) return;
  dls_accelerated_destroy(s->method);
  dls_scaled_destroy(s->scaled);
  free(s->memory);
  free(s);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Apgd *s = self;
  const size_t n = dls_solver_state_size(problem), contacts = (size_t)dls_problem_contacts(problem);
  DLS_TRY(dls_solver_needs_project(problem, "apgd"));
  DLS_TRY(dls_scaled_create(problem, &s->scaled));
  DLS_TRY(dls_accelerated_create(s->scaled, false, &s->method));
  DLS_NEW(s->memory, 3 * n + contacts);
  double *next = s->memory;
  s->r_hat = dls_solver_state_slice(&next, n);
  s->best = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  s->gamma = dls_solver_state_slice(&next, contacts);
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(Apgd), sizeof(ApgdOptions), prepare, destroy};
  return dls_solver_state_create(&kind, problem, chosen, out);
}

/* s <- s + share (Γ(u) - s). */
static void update_shift(Apgd *s, const double *u) {
  dls_scaled_shift(s->scaled, u, s->gamma);
  for (int i = 0; i < s->scaled->contacts; i++)
    s->method->shift[i] += s->share * (s->gamma[i] - s->method->shift[i]);
}

static void rescue(Apgd *s) {
  const double least = 0.05;
  DlsAccelerated *method = s->method;
  s->rescues++;
  method->limit = s->rescues == 1 ? 0.7 : 0;
  if (s->rescues > 1) s->share = fmax(0.7 * s->share, least);
  if (s->rescues > 2) method->least_L = fmax(1.5 * method->least_L, method->L);
  dls_accelerated_restart(method);
}

static DlsStatus iterate(Apgd *s) {
  DlsAccelerated *method = s->method;
  const long restarts = method->restarts;
  dls_accelerated_extrapolate(method);
  if (s->options.shift == EACH) update_shift(s, method->u_y);
  DLS_TRY(dls_accelerated_step(method));
  if (s->options.shift == RESTART && method->restarts > restarts) update_shift(s, method->u);
  return DLS_OK;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Apgd *s = self;
  DlsStopping watch;
  memcpy(s->r_hat, r, s->scaled->n * sizeof *r);
  dls_problem_to_standard(problem, s->r_hat);
  dls_scaled_take(s->scaled, s->r_hat, s->u);
  dls_accelerated_begin(s->method, s->u);
  s->share = 1;
  s->rescues = 0;
  s->cycle = (DlsCycle){0};
  if (s->options.shift != NONE) update_shift(s, s->method->u);
  dls_stopping_begin(&watch, problem, limits, monitor, report, s->best, s->u,
                     s->options.check_every);
  for (long k = 0;; k++) {
    if (dls_stopping_due(&watch, k)) {
      if (k > 0) dls_scaled_give(s->scaled, s->method->r, s->r_hat);
      if (dls_stopping_measure(&watch, k, s->r_hat)) break;
    }
    if (s->options.rescue && dls_stopping_cycles(&watch, k, 200, &s->cycle)) rescue(s);
    DLS_TRY(iterate(s));
  }
  report->work.products = s->method->products;
  char rescued[64] = "";
  if (s->rescues)
    snprintf(rescued, sizeof rescued, "; damped %ld times out of a cycle", s->rescues);
  snprintf(report->note, sizeof report->note, "%ld restarts, %ld products with W%s",
           s->method->restarts, s->method->products, rescued);
  return dls_stopping_end(&watch, r);
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
    .solve = solve,
    .destroy = destroy,
};
