#include <stdbool.h>

#include "solvers/kit/fixed_point.h"

#include "base/memory.h"
#include "solvers/kit/accelerated.h"
#include "solvers/kit/solver_state.h"
#include "solvers/kit/stopping_rule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const DlsOption dls_fixed_point_options[DLS_FIXED_POINT_OPTIONS] = {
    DLS_REAL_OPTION(DlsFixedPointOptions, eta, 0.1, 1e-12, 0.99,
                    "residual at which an inner problem ends, relative to where it began"),
    DLS_INT_OPTION(DlsFixedPointOptions, inner, 1000, 1, 2147483647,
                   "most iterations of an inner problem"),
    DLS_CHOICE_OPTION(DlsFixedPointOptions, rescue, 1, "no|yes",
                      "change what is frozen by a share only when the fixed point goes in a cycle"),
    DLS_INT_OPTION(DlsFixedPointOptions, check_every, 0, 0, 2147483647,
                   "inner iterations between two measures of the error; 0: as the rate suggests"),
};

typedef struct {
  DlsFixedPointOptions options;
  DlsFreeze freeze;
  DlsScaled *scaled;
  DlsAccelerated *method;
  double *memory, *gamma;   /* [contacts] */
  double *r_hat, *best, *u; /* [contacts][block] each */
  double share;             /* of the change of what is frozen */
  double target;            /* residual at which the inner problem ends */
  long outer, rescues;
  int done; /* iterations of this inner problem */
  DlsCycle cycle;
} FixedPoint;

void dls_fixed_point_destroy(void *self) {
  FixedPoint *s = self;
  if (!s) return;
  dls_accelerated_destroy(s->method);
  dls_scaled_destroy(s->scaled);
  free(s->memory);
  free(s);
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  FixedPoint *s = self;
  const size_t n = dls_solver_state_size(problem), contacts = (size_t)dls_problem_contacts(problem);
  DLS_TRY(dls_scaled_create(problem, &s->scaled));
  DLS_NEW(s->memory, 3 * n + contacts);
  double *next = s->memory;
  s->r_hat = dls_solver_state_slice(&next, n);
  s->best = dls_solver_state_slice(&next, n);
  s->u = dls_solver_state_slice(&next, n);
  s->gamma = dls_solver_state_slice(&next, contacts);
  return DLS_OK;
}

static DlsStatus finish(FixedPoint *s, const char *name, DlsFreeze freeze) {
  s->freeze = freeze;
  DLS_TRY(dls_solver_needs_project(s->scaled->problem, name));
  return dls_accelerated_create(s->scaled, freeze == DLS_FREEZE_RADII, &s->method);
}

DlsStatus dls_fixed_point_create(const char *name, DlsFreeze freeze, const DlsProblem *problem,
                                 const void *chosen, void **out) {
  static const DlsSolverState kind = {sizeof(FixedPoint), sizeof(DlsFixedPointOptions), prepare,
                                      dls_fixed_point_destroy};
  DLS_TRY(dls_solver_state_create(&kind, problem, chosen, out));
  const DlsStatus status = finish(*out, name, freeze);
  if (status == DLS_OK) return DLS_OK;
  dls_fixed_point_destroy(*out);
  *out = NULL;
  return status;
}

/* What is frozen moves by its share towards what r and u say. */
static void freeze(FixedPoint *s) {
  DlsAccelerated *method = s->method;
  const DlsScaled *scaled = s->scaled;
  const double share = s->outer == 0 ? 1 : s->share;
  if (s->freeze == DLS_FREEZE_SHIFT) {
    dls_scaled_shift(scaled, method->u, s->gamma);
    for (int i = 0; i < scaled->contacts; i++)
      method->shift[i] += share * (s->gamma[i] - method->shift[i]);
    return;
  }
  for (int i = 0; i < scaled->contacts; i++) {
    DlsConeGroup groups[3] = {{0}};
    const double normal = fmax(0.0, method->r[(size_t)i * (size_t)scaled->block]);
    const int count = dls_scaled_groups(scaled, i, groups);
    for (int g = 0; g < count; g++) {
      double *radius = &method->radius[3 * i + g];
      *radius += share * (groups[g].mu * normal - *radius);
    }
  }
}

/* The next inner problem, when this one is done. */
static DlsStatus go_on(FixedPoint *s) {
  const int every = 5;
  double residual;
  if (s->outer > 0) {
    if (++s->done % every && s->done < s->options.inner) return DLS_OK;
    DLS_TRY(dls_accelerated_residual(s->method, &residual));
    if (residual > s->target && s->done < s->options.inner) return DLS_OK;
  }
  freeze(s);
  s->outer++;
  s->done = 0;
  dls_accelerated_restart(s->method);
  DLS_TRY(dls_accelerated_residual(s->method, &residual));
  s->target = s->options.eta * residual;
  return DLS_OK;
}

static void begin(FixedPoint *s, const DlsProblem *problem, const double *r) {
  memcpy(s->r_hat, r, s->scaled->n * sizeof *r);
  dls_problem_to_standard(problem, s->r_hat);
  dls_scaled_take(s->scaled, s->r_hat, s->u);
  dls_accelerated_begin(s->method, s->u);
  s->share = 1;
  s->outer = s->rescues = 0;
  s->done = 0;
  s->cycle = (DlsCycle){0};
}

DlsStatus dls_fixed_point_solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                                const DlsMonitor *monitor, double *r, DlsReport *report) {
  FixedPoint *s = self;
  const double least = 0.05;
  DlsStopping watch;
  begin(s, problem, r);
  dls_stopping_begin(&watch, problem, limits, monitor, report, s->best, s->u,
                     s->options.check_every);
  for (long k = 0;; k++) {
    if (dls_stopping_due(&watch, k)) {
      if (k > 0) dls_scaled_give(s->scaled, s->method->r, s->r_hat);
      if (dls_stopping_measure(&watch, k, s->r_hat)) break;
    }
    if (s->options.rescue && dls_stopping_cycles(&watch, k, 500, &s->cycle)) {
      s->share = fmax(0.6 * s->share, least);
      s->rescues++;
    }
    DLS_TRY(go_on(s));
    dls_accelerated_extrapolate(s->method);
    DLS_TRY(dls_accelerated_step(s->method));
  }
  report->work.products = s->method->products;
  char rescued[64] = "";
  if (s->rescues) snprintf(rescued, sizeof rescued, "; share %.2g out of a cycle", s->share);
  snprintf(report->note, sizeof report->note, "%ld inner problems, %ld products with W%s", s->outer,
           s->method->products, rescued);
  return dls_stopping_end(&watch, r);
}
