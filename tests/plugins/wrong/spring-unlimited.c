/* Cundall and Strack's spring without Coulomb's limit: sliding never begins. */
#include "wrong.h"

enum { K, K_T, MU };
static const DlsParam params[] = {
    [K] = {"k", "N/m", "normal stiffness", .value = 1e4, .min = 0, .max = DLS_NO_BOUND},
    [K_T] = {"k_t", "N/m", "tangential stiffness", .value = 5e3, .min = 1, .max = DLS_NO_BOUND},
    [MU] = MU_ROW,
};

static const DlsParam states[] = {
    {"stretch", "m", "of the tangential spring", .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
};

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *f) {
  for (int i = 0; i < c->block; i++) f[i] = 0;
  if (c->gap >= 0) return DLS_OK;
  f[0] = -p[K] * c->gap;
  const double limit = MISTAKE(DLS_NO_BOUND, p[MU] * f[0]);
  f[1] = fmax(-limit, fmin(-p[K_T] * (state[0] + c->h * u[1]), limit));
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)u;
  state[0] = c->gap < 0 ? -r[1] / (c->h * p[K_T]) : 0;
  return DLS_OK;
}

WRONG_LAW("spring-unlimited", .blocks = DLS_BLOCK(2), PARAMS(params), STATES(states),
          .force = force, .commit = commit)
