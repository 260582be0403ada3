/* Semismooth Newton's method for a proximal step, with direct solves of our own; see system.h. */
#include "solvers/newton/system.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/small.h"
#include "solvers/newton/jacobian.h"
#include "solvers/newton/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMORY = 32 };

struct NewtonSystem {
  NewtonLinear *linear;
  bool dense;
  size_t n;
  double *x, *F, *u, *step, *trial; /* [contacts][block] each, one array */
  double past[MOST_MEMORY];         /* |F| of the last iterations, in a ring */
};

DlsStatus newton_system_create(const NewtonIsland *island, bool dense, NewtonSystem **out) {
  NewtonSystem *s;
  *out = NULL;
  DLS_NEW(s, 1);
  *out = s;
  s->dense = dense;
  s->n = (size_t)island->contacts * (size_t)island->block;
  DLS_NEW(s->x, 5 * s->n);
  s->F = s->x + s->n;
  s->u = s->F + s->n;
  s->step = s->u + s->n;
  s->trial = s->step + s->n;
  return newton_linear_create(island, dense, &s->linear);
}

void newton_system_destroy(NewtonSystem **system) {
  if (!*system) return;
  newton_linear_destroy(&(*system)->linear);
  free((*system)->x);
  free(*system);
  *system = NULL;
}

static double norm(size_t n, const double *x) {
  double sum = 0;
  for (size_t e = 0; e < n; e++) sum += x[e] * x[e];
  return sqrt(sum);
}

/* The bound on the next |F|: the largest of the last ones (Grippo, Lampariello and Lucidi 1986),
 * many times that in the first iterations, when the active set is still being found and a full step
 * pays more than a decrease. */
static double largest_allowed(const NewtonSystem *s, const NewtonRules *rules, int iteration) {
  double largest = 0;
  for (int k = 0; k <= iteration && k < rules->memory; k++) largest = fmax(largest, s->past[k]);
  return iteration < rules->watch ? rules->growth * largest : largest;
}

/* Halves the step until |F(x - t step)| <= (1 - 1e-4 t) bound; x, F and *size move when it is. */
static DlsStatus search(NewtonSystem *s, const NewtonStep *step, double bound, double *size,
                        bool *accepted) {
  const int halvings = 12;
  double t = 1;
  *accepted = false;
  for (int k = 0; k < halvings && !*accepted; k++, t *= 0.5) {
    for (size_t e = 0; e < s->n; e++) s->trial[e] = s->x[e] - t * s->step[e];
    DLS_TRY(newton_step_residual(step, s->trial, s->u, s->F));
    *size = norm(s->n, s->F);
    *accepted = *size <= (1 - 1e-4 * t) * bound;
  }
  if (*accepted) memcpy(s->x, s->trial, s->n * sizeof *s->x);
  return DLS_OK;
}

DlsStatus newton_system_solve(NewtonSystem *s, const NewtonIsland *island, const NewtonRules *rules,
                              double alpha, const double *centre, double tolerance, double *r,
                              int *iterations, bool *converged) {
  const NewtonStep step = {island, rules->residual, alpha, centre};
  double best = INFINITY, size, now = dls_clock_now(), longest = 0; /* s */
  int best_at = 0;
  *converged = false;
  memcpy(s->x, r, s->n * sizeof *r);
  DLS_TRY(newton_step_residual(&step, s->x, s->u, s->F));
  size = norm(s->n, s->F);
  for (*iterations = 0;; ++*iterations) {
    s->past[*iterations % rules->memory] = size;
    if (size < best) {
      best = size;
      best_at = *iterations;
    }
    if (!isfinite(size)) return DLS_OK;
    if (size <= tolerance) break;
    const double last = now;
    now = dls_clock_now();
    longest = fmax(longest, now - last);
    if (*iterations >= rules->most || *iterations - best_at >= rules->patience ||
        now + longest >= rules->deadline)
      return DLS_OK;
    bool accepted;
    DLS_TRY(newton_step_jacobian(&step, s->dense, s->x, s->u, newton_linear_values(s->linear)));
    if (!newton_linear_factor(s->linear)) return DLS_OK;
    newton_linear_solve(s->linear, s->F, s->step);
    if (!isfinite(norm(s->n, s->step))) return DLS_OK;
    DLS_TRY(search(s, &step, largest_allowed(s, rules, *iterations), &size, &accepted));
    if (!accepted) return DLS_OK;
  }
  memcpy(r, s->x, s->n * sizeof *r);
  *converged = true;
  return DLS_OK;
}
