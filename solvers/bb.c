/* Spectral projected gradient: r <- P_K(r - alpha F(r)), F = u + Γ(u) n, in scaled variables, with the
 * steps of Barzilai and Borwein (1988),
 *
 *   alpha = s·s / s·y  or  s·y / y·y,   s and y the last changes of r and of F, by turns,
 *
 * which know the curvature along the last step and let the error rise for a while. A safeguard in
 * the manner of Grippo, Lampariello and Lucidi (1986) and of La Cruz, Martínez and Raydan (2006)
 * bounds the rise: |r - P_K(r - F)| is at most `growth` times the largest of its last `memory`
 * values, else alpha is halved. F is no gradient where there is friction, so no energy is asked.
 * After a cycle steps are capped. */
#include <delassus/solver.h>

#include "base/memory.h"
#include "solvers/kit/scaled_problem.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/stopping_rule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMORY = 64, BY_TURNS = 0, LONG = 1, SHORT = 2 };

typedef struct {
  int steps, memory, halvings, rescue, check_every;
  double growth;
} BbOptions;

static const DlsOption options[] = {
    DLS_CHOICE_OPTION(BbOptions, steps, 0, "alternate|long|short",
                      "s·s / s·y and s·y / y·y by turns, or one of them"),
    DLS_INT_OPTION(BbOptions, memory, 20, 1, MOST_MEMORY,
                   "past residuals that the next is compared with"),
    DLS_REAL_OPTION(BbOptions, growth, 4.0, 1.0, 1e6, "of the residual that is let pass"),
    DLS_INT_OPTION(BbOptions, halvings, 3, 0, 60, "of a step that is refused"),
    DLS_CHOICE_OPTION(BbOptions, rescue, 1, "no|yes",
                      "cap the steps, shorter each time, when the iteration goes round in a cycle"),
    DLS_INT_OPTION(BbOptions, check_every, 0, 0, 2147483647,
                   "iterations between two measures of the error; 0: as the rate suggests"),
};

typedef struct {
  BbOptions options;
  DlsScaled *scaled;
  double *memory;
  double *r, *F, *next, *F_next; /* [contacts][block] each, as the next four */
  double *work, *r_hat, *best, *u;
  double *shift; /* [contacts] */
  double past[MOST_MEMORY], cap, alpha;
  long refused, rescues, products;
  DlsCycle cycle;
} Bb;

static void destroy(void *self) {
  Bb *s = self;
  if (!s) return;
  dls_scaled_destroy(s->scaled);
  free(s->memory);
  free(s);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Bb *s = self;
  const size_t n = dls_solver_state_size(problem);
  DLS_TRY(dls_solver_needs_project(problem, "bb"));
  DLS_TRY(dls_scaled_create(problem, &s->scaled));
  DLS_NEW(s->memory, 8 * n + (size_t)s->scaled->contacts);
  double *next = s->memory;
  s->r = dls_solver_state_slice(&next, n);
  s->F = dls_solver_state_slice(&next, n);
  s->next = dls_solver_state_slice(&next, n);
  s->F_next = dls_solver_state_slice(&next, n);
  s->work = dls_solver_state_slice(&next, n);
  s->r_hat = dls_solver_state_slice(&next, n);
  s->best = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  s->shift = dls_solver_state_slice(&next, (size_t)s->scaled->contacts);
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(Bb), sizeof(BbOptions), prepare, destroy};
  return dls_solver_state_create(&kind, problem, chosen, out);
}

/* F(r), and the norm of the natural map there. */
static DlsStatus evaluate(Bb *s, const double *r, double *F, double *norm) {
  const size_t block = (size_t)s->scaled->block;
  dls_scaled_velocity(s->scaled, r, F);
  s->products++;
  dls_scaled_shift(s->scaled, F, s->shift);
  for (size_t i = 0; i < (size_t)s->scaled->contacts; i++) F[i * block] += s->shift[i];
  return dls_scaled_residual(s->scaled, NULL, F, r, s->work, norm);
}

static double largest_past(const Bb *s, long k) {
  double largest = 0;
  for (long j = 0; j < s->options.memory && j < k; j++) largest = fmax(largest, s->past[j]);
  return largest;
}

/* alpha of the next step from the last changes of r and F. */
static void choose_step(Bb *s, long k) {
  const double most = 1e6, least = 1e-8;
  double ss = 0, sy = 0, yy = 0;
  for (size_t e = 0; e < s->scaled->n; e++) {
    const double dr = s->next[e] - s->r[e], dF = s->F_next[e] - s->F[e];
    ss += dr * dr;
    sy += dr * dF;
    yy += dF * dF;
  }
  const int kind = s->options.steps;
  const int is_long = kind == LONG || (kind == BY_TURNS && k % 2 == 0);
  if (sy > 0 && yy > 0)
    s->alpha = is_long ? ss / sy : sy / yy;
  else if (ss > 0)
    s->alpha *= 2;
  s->alpha = fmin(fmax(s->alpha, least), fmin(most, s->cap));
}

static void swap(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}

static DlsStatus iterate(Bb *s, long k) {
  const double bound = s->options.growth * largest_past(s, k);
  double norm = 0, step = s->alpha;
  for (int halving = 0;; halving++) {
    DLS_TRY(dls_scaled_project(s->scaled, step, NULL, s->F, s->r, s->next));
    DLS_TRY(evaluate(s, s->next, s->F_next, &norm));
    if (norm <= bound || halving >= s->options.halvings) break;
    step *= 0.5;
    s->refused++;
  }
  choose_step(s, k);
  s->past[k % s->options.memory] = norm;
  swap(&s->r, &s->next);
  swap(&s->F, &s->F_next);
  return DLS_OK;
}

static void rescue(Bb *s) {
  const double least = 1e-3;
  s->rescues++;
  s->cap = fmax(least, 0.5 * fmin(s->cap, 20));
}

static DlsStatus begin(Bb *s, const DlsProblem *problem, const double *r) {
  memcpy(s->r_hat, r, s->scaled->n * sizeof *r);
  dls_problem_to_standard(problem, s->r_hat);
  dls_scaled_take(s->scaled, s->r_hat, s->r);
  s->cap = INFINITY;
  s->alpha = 1;
  s->refused = s->rescues = s->products = 0;
  s->cycle = (DlsCycle){0};
  return evaluate(s, s->r, s->F, &s->past[0]);
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  Bb *s = self;
  DlsStopping watch;
  DLS_TRY(begin(s, problem, r));
  dls_stopping_begin(&watch, problem, limits, monitor, report, s->best, s->u,
                     s->options.check_every);
  for (long k = 0;; k++) {
    if (dls_stopping_due(&watch, k)) {
      if (k > 0) dls_scaled_give(s->scaled, s->r, s->r_hat);
      if (dls_stopping_measure(&watch, k, s->r_hat)) break;
    }
    if (s->options.rescue && dls_stopping_cycles(&watch, k, 200, &s->cycle)) rescue(s);
    DLS_TRY(iterate(s, k + 1));
  }
  report->work.products = s->products;
  char rescued[64] = "";
  if (s->rescues) snprintf(rescued, sizeof rescued, "; steps capped at %.2g", s->cap);
  snprintf(report->note, sizeof report->note, "%ld steps halved%s", s->refused, rescued);
  return dls_stopping_end(&watch, r);
}

const DlsSolver dls_solver_bb = {
    DLS_SOLVER_HEAD,
    .name = "bb",
    .summary = "spectral projected gradient with Barzilai-Borwein steps",
    .description =
        "Projects all contacts at once, with steps that the last change of the velocities suggests "
        "and a bound on how far the error may rise. Needs no W, only its product. Takes every "
        "canonical law, and custom laws that bring a projection.",
    .references = "Barzilai and Borwein 1988; Birgin, Martínez and Raydan 2000; Heyn, Anitescu, "
                  "Tasora and Negrut 2013; De Saxcé and Feng 1998",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(BbOptions),
    .create = create,
    .solve = solve,
    .destroy = destroy,
};
