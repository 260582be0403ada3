/* Semismooth Newton's method for a proximal step, with direct solves of our own; see direct.h. */
#include "solvers/newton/direct.h"

#include "base/memory.h"
#include "solvers/newton/linear.h"
#include "solvers/newton/reduced.h"
#include "solvers/newton/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  NewtonLinear *linear; /* made by the first step, unless it is solved on parts: */
  NewtonReduced *reduced;
  bool dense;
  size_t n;
  double *x, *F, *step, *trial; /* [contacts][block] each, one array */
} Direct;

static DlsStatus create(const DlsBlockRows *rows, bool dense, void **out) {
  Direct *s;
  *out = NULL;
  DLS_NEW(s, 1);
  *out = s;
  s->dense = dense;
  s->n = (size_t)rows->contacts * (size_t)rows->block;
  DLS_NEW(s->x, 4 * s->n);
  s->F = s->x + s->n;
  s->step = s->F + s->n;
  s->trial = s->step + s->n;
  return DLS_OK;
}

static void destroy(void *system) {
  Direct *s = system;
  if (!s) return;
  newton_linear_destroy(&s->linear);
  newton_reduced_destroy(&s->reduced);
  free(s->x);
  free(s);
}

static double norm(size_t n, const double *x) {
  double sum = 0;
  for (size_t e = 0; e < n; e++) sum += x[e] * x[e];
  return sqrt(sum);
}

/* Halves the way along s->step until |F| is accepted; x, F and *size move when it is. */
static DlsStatus search(Direct *s, DlsNewtonStep *step, int iteration, double *size,
                        bool *accepted) {
  double t = 1;
  *accepted = false;
  for (int k = 0; k < DLS_NEWTON_HALVINGS && !*accepted; k++, t *= 0.5) {
    for (size_t e = 0; e < s->n; e++) s->trial[e] = s->x[e] - t * s->step[e];
    DLS_TRY(dls_newton_step_residual(step, s->trial, s->F));
    *size = norm(s->n, s->F);
    *accepted = dls_newton_step_accepts(step, iteration, t, *size);
  }
  if (*accepted) memcpy(s->x, s->trial, s->n * sizeof *s->x);
  return DLS_OK;
}

/* A dense system serves all islands of its size, so it knows none of their parts. */
static DlsStatus prepare(Direct *s, const DlsNewtonStep *step) {
  const NewtonIsland *island = step->equations.island;
  if (s->linear || s->reduced) return DLS_OK;
  if (island->parts && !s->dense) return newton_reduced_create(island, &s->reduced);
  const DlsBlockRows rows = dls_newton_step_rows(step);
  return newton_linear_create(&rows, s->dense, &s->linear);
}

/* The Newton step at x, from F there. */
static DlsStatus direction(Direct *s, DlsNewtonStep *step, bool *regular) {
  if (s->reduced) {
    DLS_TRY(newton_reduced_factor(s->reduced, &step->equations, s->x, step->u, regular));
    if (*regular) newton_reduced_solve(s->reduced, s->F, s->step);
  } else {
    DLS_TRY(dls_newton_step_jacobian(step, s->dense, s->x, newton_linear_values(s->linear)));
    *regular = newton_linear_factor(s->linear);
    if (*regular) newton_linear_solve(s->linear, s->F, s->step);
  }
  *regular = *regular && isfinite(norm(s->n, s->step));
  return DLS_OK;
}

static DlsStatus solve(void *system, DlsNewtonStep *step, double *r, int *iterations,
                       bool *converged) {
  Direct *s = system;
  double size;
  *converged = false;
  *iterations = 0;
  DLS_TRY(prepare(s, step));
  memcpy(s->x, r, s->n * sizeof *r);
  DLS_TRY(dls_newton_step_residual(step, s->x, s->F));
  size = norm(s->n, s->F);
  for (;; ++*iterations) {
    const DlsNewtonVerdict verdict = dls_newton_step_judge(step, *iterations, size);
    if (verdict == DLS_NEWTON_CONVERGED) break;
    if (verdict == DLS_NEWTON_GIVE_UP) return DLS_OK;
    bool accepted, regular;
    DLS_TRY(direction(s, step, &regular));
    if (!regular) return DLS_OK;
    DLS_TRY(search(s, step, *iterations, &size, &accepted));
    if (!accepted) return DLS_OK;
  }
  memcpy(r, s->x, s->n * sizeof *r);
  *converged = true;
  return DLS_OK;
}

const DlsNewtonAlgebra newton_direct = {create, solve, destroy};
