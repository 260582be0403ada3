/* A tangential spring kept in the contact's tangent axes, which the core is free to choose anew in
 * every step: the spring turns with them. */
#include "wrong.h"

enum { K, K_T, MU };
static const DlsParam params[] = {
    [K] = {"k", "N/m", "normal stiffness", .value = 1e4, .min = 0, .max = DLS_NO_BOUND},
    [K_T] = {"k_t", "N/m", "tangential stiffness", .value = 5e3, .min = 1, .max = DLS_NO_BOUND},
    [MU] = MU_ROW,
};

enum { KIND = MISTAKE(DLS_SCALAR, DLS_TANGENT) };
static const DlsParam states[] = {
    {"s1", "m", "stretch along t1", .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND, .kind = KIND},
    {"s2", "m", "stretch along t2", .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND, .kind = KIND},
};

/* The stretch after this step, no longer than sliding allows. */
static void stretch(const DlsContact *c, const double *p, const double *u, double *s) {
  const double limit = p[MU] * p[K] * fmax(0, -c->gap) / p[K_T];
  for (int i = 0; i < c->dim - 1; i++)
    s[i] += c->h * u[1 + i]; /* as a scalar, s is in the axes of last step */
  const double size = hypot(s[0], s[1]);
  for (int i = 0; i < 2 && size > limit; i++) s[i] *= limit / size;
}

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *f) {
  double s[2] = {state[0], state[1]};
  for (int i = 0; i < c->block; i++) f[i] = 0;
  if (c->gap >= 0) return DLS_OK;
  stretch(c, p, u, s);
  f[0] = -p[K] * c->gap;
  for (int i = 0; i < c->dim - 1; i++) f[1 + i] = -p[K_T] * s[i];
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)r;
  stretch(c, p, u, state);
  return DLS_OK;
}

WRONG_LAW("unturned-spring", .blocks = DLS_BLOCK(3), PARAMS(params), STATES(states), .force = force,
          .commit = commit)
