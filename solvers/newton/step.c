/* The equations of a proximal step and its rules; see newton.h. */
#include "solvers/newton/step.h"

#include "base/ledger.h"

#include <math.h>

DlsNewtonStep newton_step_begin(const NewtonIsland *island, const NewtonRules *rules, double alpha,
                                const double *centre, double tolerance, double *u) {
  return (DlsNewtonStep){.equations = {island, rules->residual, alpha, centre},
                         .rules = rules,
                         .tolerance = tolerance,
                         .u = u,
                         .best = INFINITY,
                         .now = dls_ledger_clock()};
}

DlsBlockRows dls_newton_step_rows(const DlsNewtonStep *step) {
  return newton_island_rows(step->equations.island);
}

DlsStatus dls_newton_step_residual(DlsNewtonStep *step, const double *r, double *F) {
  return newton_step_residual(&step->equations, r, step->u, F);
}

DlsStatus dls_newton_step_jacobian(DlsNewtonStep *step, bool dense, const double *r,
                                   double *value) {
  return newton_step_jacobian(&step->equations, dense, r, step->u, value);
}

DlsNewtonVerdict dls_newton_step_judge(DlsNewtonStep *step, int iteration, double norm) {
  const NewtonRules *rules = step->rules;
  step->past[iteration % rules->memory] = norm;
  if (norm < step->best) {
    step->best = norm;
    step->best_at = iteration;
  }
  if (!isfinite(norm)) return DLS_NEWTON_GIVE_UP;
  if (norm <= step->tolerance) return DLS_NEWTON_CONVERGED;
  const double last = step->now;
  step->now = dls_ledger_clock();
  step->longest = fmax(step->longest, step->now - last);
  /* A factorisation cannot be broken off: none is begun that would not end in time. */
  if (iteration >= rules->most || iteration - step->best_at >= rules->patience ||
      step->now + step->longest >= rules->deadline)
    return DLS_NEWTON_GIVE_UP;
  return DLS_NEWTON_GO_ON;
}

bool dls_newton_step_accepts(const DlsNewtonStep *step, int iteration, double t, double norm) {
  const NewtonRules *rules = step->rules;
  double largest = 0;
  for (int k = 0; k <= iteration && k < rules->memory; k++) largest = fmax(largest, step->past[k]);
  const double bound = iteration < rules->may_grow ? rules->growth * largest : largest;
  return norm <= (1 - 1e-4 * t) * bound;
}
