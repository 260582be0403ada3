/* Spectral projected gradient: r <- P_K(r - alpha F(r)), F = u + Γ(u) n, in scaled variables, with
 * the steps of Barzilai and Borwein (1988),
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
#include "solvers/kit/first_order.h"
#include "solvers/kit/solver_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
  DlsFirstOrder base;
  BbOptions options;
  double *r, *F, *next, *F_next, *work; /* [contacts][block] each */
  double *shift;                        /* [contacts] */
  double past[MOST_MEMORY], cap, alpha;
  long refused, products;
} Bb;

static void release(void *self) {
  Bb *s = self;
  free(s->shift);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Bb *s = self;
  s->base.check_every = s->options.check_every;
  s->base.rescue = s->options.rescue;
  s->r = dls_first_order_array(&s->base);
  s->F = dls_first_order_array(&s->base);
  s->next = dls_first_order_array(&s->base);
  s->F_next = dls_first_order_array(&s->base);
  s->work = dls_first_order_array(&s->base);
  DLS_NEW(s->shift, dls_problem_contacts(problem));
  return DLS_OK;
}

/* F(r), and the norm of the natural map there. */
static DlsStatus evaluate(Bb *s, const double *r, double *F, double *norm) {
  const DlsScaled *scaled = s->base.scaled;
  const size_t block = (size_t)scaled->block;
  dls_scaled_velocity(scaled, r, F);
  s->products++;
  dls_scaled_shift(scaled, F, s->shift);
  for (size_t i = 0; i < (size_t)scaled->contacts; i++) F[i * block] += s->shift[i];
  return dls_scaled_residual(scaled, NULL, F, r, s->work, norm);
}

static double largest_past(const Bb *s, long k) {
  double largest = 0;
  for (long j = 0; j < s->options.memory && j < k; j++) largest = fmax(largest, s->past[j]);
  return largest;
}

/* alpha of the next step from the last changes of r and F. */
static void choose_step(Bb *s, long k) {
  const double most = 1e6, least = 1e-8;
  const size_t n = s->base.scaled->n;
  double ss = 0, sy = 0, yy = 0;
  for (size_t e = 0; e < n; e++) {
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

static DlsStatus iterate(void *self, const DlsProblem *problem, long before) {
  Bb *s = self;
  const long k = before + 1;
  const double bound = s->options.growth * largest_past(s, k);
  double norm = 0, step = s->alpha;
  (void)problem;
  for (int halving = 0;; halving++) {
    DLS_TRY(dls_scaled_project(s->base.scaled, step, NULL, s->F, s->r, s->next));
    DLS_TRY(evaluate(s, s->next, s->F_next, &norm));
    if (norm <= bound || halving >= s->options.halvings) break;
    step *= 0.5;
    s->refused++;
  }
  choose_step(s, k);
  s->past[k % s->options.memory] = norm;
  dls_solver_state_swap(&s->r, &s->next);
  dls_solver_state_swap(&s->F, &s->F_next);
  s->base.r = s->r;
  return DLS_OK;
}

static void leave_cycle(void *self) {
  const double least = 1e-3;
  Bb *s = self;
  s->cap = fmax(least, 0.5 * fmin(s->cap, 20));
}

static DlsStatus begin(void *self, const DlsProblem *problem) {
  Bb *s = self;
  (void)problem;
  dls_scaled_take(s->base.scaled, s->base.r_hat, s->r);
  s->base.r = s->r;
  s->cap = INFINITY;
  s->alpha = 1;
  s->refused = s->products = 0;
  return evaluate(s, s->r, s->F, &s->past[0]);
}

static void describe(const void *self, DlsReport *report) {
  const Bb *s = self;
  report->work.products = s->products;
  char rescued[64] = "";
  if (s->base.rescues) snprintf(rescued, sizeof rescued, "; steps capped at %.2g", s->cap);
  snprintf(report->note, sizeof report->note, "%ld steps halved%s", s->refused, rescued);
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsFirstOrderMethod method = {
      .name = "bb",
      .bytes = sizeof(Bb),
      .options_at = offsetof(Bb, options),
      .option_bytes = sizeof(BbOptions),
      .scaled = true,
      .laws = DLS_LAWS_WITH_PROJECTION,
      .few = 200,
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
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
