#include "solvers/kit/fixed_point.h"

#include "base/memory.h"
#include "solvers/kit/accelerated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
  DlsFirstOrder base;
  DlsFixedPointOptions options;
  DlsFreeze freeze;
  DlsAccelerated *method;
  double *gamma; /* [contacts] */
  double share;  /* of the change of what is frozen */
  double target; /* residual at which the inner problem ends */
  long outer;
  int done; /* iterations of this inner problem */
} FixedPoint;

static void release(void *self) {
  FixedPoint *s = self;
  dls_accelerated_destroy(s->method);
  free(s->gamma);
}

static DlsStatus prepare(FixedPoint *s, DlsFreeze freeze) {
  s->base.check_every = s->options.check_every;
  s->base.rescue = s->options.rescue;
  s->freeze = freeze;
  DLS_NEW(s->gamma, s->base.scaled->contacts);
  return dls_accelerated_create(s->base.scaled, freeze == DLS_FREEZE_RADII, &s->method);
}

static DlsStatus prepare_shift(void *self, const DlsProblem *problem) {
  (void)problem;
  return prepare(self, DLS_FREEZE_SHIFT);
}

static DlsStatus prepare_radii(void *self, const DlsProblem *problem) {
  (void)problem;
  return prepare(self, DLS_FREEZE_RADII);
}

/* What is frozen moves by its share towards what r and u say. */
static void freeze(FixedPoint *s) {
  DlsAccelerated *method = s->method;
  const DlsScaled *scaled = s->base.scaled;
  const double share = s->outer == 0 ? 1 : s->share;
  if (s->freeze == DLS_FREEZE_SHIFT) {
    dls_scaled_shift(scaled, method->u, s->gamma);
    for (int i = 0; i < scaled->contacts; i++)
      method->shift[i] += share * (s->gamma[i] - method->shift[i]);
    return;
  }
  for (int i = 0; i < scaled->contacts; i++) {
    DlsConeGroup groups[3] = {{0}};
    const size_t at = (size_t)i * (size_t)scaled->block;
    const double normal = fmax(0.0, method->r[at]);
    const double dilation = dls_scaled_dilation(scaled, i, method->u + at);
    method->shift[i] += share * (-dilation - method->shift[i]);
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

static DlsStatus begin(void *self, const DlsProblem *problem) {
  FixedPoint *s = self;
  (void)problem;
  dls_scaled_take(s->base.scaled, s->base.r_hat, s->base.u);
  dls_accelerated_begin(s->method, s->base.u);
  s->base.r = s->method->r;
  s->share = 1;
  s->outer = 0;
  s->done = 0;
  return DLS_OK;
}

static void leave_cycle(void *self) {
  const double least = 0.05;
  FixedPoint *s = self;
  s->share = fmax(0.6 * s->share, least);
}

static DlsStatus iterate(void *self, const DlsProblem *problem, long k) {
  FixedPoint *s = self;
  (void)problem, (void)k;
  DLS_TRY(go_on(s));
  dls_accelerated_extrapolate(s->method);
  DLS_TRY(dls_accelerated_step(s->method));
  s->base.r = s->method->r;
  return DLS_OK;
}

static void describe(const void *self, DlsReport *report) {
  const FixedPoint *s = self;
  report->work.products = s->method->products;
  char rescued[64] = "";
  if (s->base.rescues) snprintf(rescued, sizeof rescued, "; share %.2g out of a cycle", s->share);
  snprintf(report->note, sizeof report->note, "%ld inner problems, %ld products with W%s", s->outer,
           s->method->products, rescued);
}

DlsStatus dls_fixed_point_create(DlsFreeze freeze, const DlsProblem *problem, const void *chosen,
                                 void **out) {
#define METHOD(what, prepare_it)                                                                   \
  {                                                                                                \
    .name = what, .bytes = sizeof(FixedPoint), .options_at = offsetof(FixedPoint, options),        \
    .option_bytes = sizeof(DlsFixedPointOptions), .scaled = true,                                  \
    .laws = DLS_LAWS_WITH_PROJECTION, .few = 500, .prepare = prepare_it, .begin = begin,           \
    .iterate = iterate, .leave_cycle = leave_cycle, .describe = describe, .release = release       \
  }
  static const DlsFirstOrderMethod methods[] = {[DLS_FREEZE_SHIFT] = METHOD("aclm", prepare_shift),
                                                [DLS_FREEZE_RADII] =
                                                    METHOD("tresca", prepare_radii)};
#undef METHOD
  return dls_first_order_create(&methods[freeze], problem, chosen, out);
}
