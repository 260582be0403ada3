#include "solvers/kit/first_order.h"

#include "base/memory.h"
#include "solvers/kit/solver_state.h"

#include <stdlib.h>

enum { OWN_ARRAYS = 3 }; /* r_hat, best, u */

void dls_first_order_destroy(void *self) {
  DlsFirstOrder *base = self;
  if (!base) return;
  if (base->method->release) base->method->release(self);
  dls_scaled_destroy(base->scaled);
  free(base->memory);
  free(base);
}

double *dls_first_order_array(DlsFirstOrder *base) {
  double *array = base->next;
  base->next += base->best - base->r_hat;
  return array;
}

static DlsStatus prepare(DlsFirstOrder *base, const DlsProblem *problem) {
  const DlsFirstOrderMethod *method = base->method;
  const size_t n = dls_solver_state_size(problem);
  if (method->laws == DLS_LAWS_WITH_PROJECTION)
    DLS_TRY(dls_solver_needs_project(problem, method->name));
  else if (method->laws == DLS_LAWS_WITH_CONE)
    DLS_TRY(dls_solver_needs_cones(problem, method->name));
  if (method->scaled) DLS_TRY(dls_scaled_create(problem, &base->scaled));
  DLS_NEW(base->memory, (OWN_ARRAYS + method->arrays) * n);
  base->r_hat = base->memory;
  base->best = base->r_hat + n;
  base->u = base->best + n;
  base->next = base->u + n;
  return method->prepare(base, problem);
}

DlsStatus dls_first_order_create(const DlsFirstOrderMethod *method, const DlsProblem *problem,
                                 const void *options, void **out) {
  *out = NULL;
  DlsFirstOrder *base = dls_memory_array(1, method->bytes);
  DLS_CHECK(base, DLS_ERR_MEMORY, "out of memory: %zu bytes for %s", method->bytes, method->name);
  base->method = method;
  memcpy((char *)base + method->options_at, options, method->option_bytes);
  const DlsStatus status = prepare(base, problem);
  if (status == DLS_OK)
    *out = base;
  else
    dls_first_order_destroy(base);
  return status;
}

/* Measures where the iteration stands; nonzero when it is over. The guess is measured as it was
 * given. */
static int measure(DlsFirstOrder *base, DlsStopping *stopping, long k) {
  if (!base->scaled) return dls_stopping_measure(stopping, k, base->r);
  if (k > 0) dls_scaled_give(base->scaled, base->r, base->r_hat);
  return dls_stopping_measure(stopping, k, base->r_hat);
}

DlsStatus dls_first_order_solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                                const DlsMonitor *monitor, double *r, DlsReport *report) {
  DlsFirstOrder *base = self;
  const DlsFirstOrderMethod *method = base->method;
  DlsStopping stopping;
  memcpy(base->r_hat, r, dls_solver_state_size(problem) * sizeof *r);
  dls_problem_to_standard(problem, base->r_hat);
  base->rescues = 0;
  base->cycle = (DlsCycle){0};
  DLS_TRY(method->begin(self, problem));
  dls_stopping_begin(&stopping, problem, limits, monitor, report, base->best, base->u,
                     base->check_every);
  for (long k = 0;; k++) {
    if (dls_stopping_due(&stopping, k) && measure(base, &stopping, k)) break;
    if (base->rescue && dls_stopping_cycles(&stopping, k, method->few, &base->cycle)) {
      base->rescues++;
      method->leave_cycle(self);
    }
    if (base->exhausted) {
      dls_report_end(report, DLS_REASON_EXHAUSTED);
      break;
    }
    DLS_TRY(method->iterate(self, problem, k));
  }
  method->describe(self, report);
  return dls_stopping_end(&stopping, r);
}
