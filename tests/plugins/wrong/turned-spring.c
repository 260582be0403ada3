/* A tangential spring kept in space axes and projected on the contact plane: it keeps its direction
 * when both bodies turn together about their normal. */
#include "wrong.h"

enum { K, K_T, MU };
static const DlsParam params[] = {
    [K] = {"k", "N/m", "normal stiffness", .value = 1e4, .min = 0, .max = DLS_NO_BOUND},
    [K_T] = {"k_t", "N/m", "tangential stiffness", .value = 5e3, .min = 1, .max = DLS_NO_BOUND},
    [MU] = MU_ROW,
};

static const DlsParam states[] = {
#ifdef DELASSUS_RIGHT_TWIN
    DLS_VECTOR_STATE("s", "m", "stretch", DLS_TANGENT),
#else
    {"s_x", "m", "stretch", .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    {"s_y", "m", "stretch", .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    {"s_z", "m", "stretch", .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
#endif
};

/* Along t1 and t2, after this step, no longer than sliding allows. */
static void stretch(const DlsContact *c, const double *p, const double *state, const double *u,
                    double *s) {
  const double limit = p[MU] * p[K] * fmax(0, -c->gap) / p[K_T];
  for (int i = 0; i < 2; i++) {
    s[i] = i < c->dim - 1 ? c->h * u[1 + i] : 0;
#ifdef DELASSUS_RIGHT_TWIN
    s[i] += state[i];
#else
    for (int e = 0; e < 3 && i < c->dim - 1; e++) s[i] += state[e] * c->frame[1 + i][e];
#endif
  }
  const double size = hypot(s[0], s[1]);
  for (int i = 0; i < 2 && size > limit; i++) s[i] *= limit / size;
}

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *f) {
  double s[2];
  for (int i = 0; i < c->block; i++) f[i] = 0;
  if (c->gap >= 0) return DLS_OK;
  stretch(c, p, state, u, s);
  f[0] = -p[K] * c->gap;
  for (int i = 0; i < c->dim - 1; i++) f[1 + i] = -p[K_T] * s[i];
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  double s[2];
  (void)r;
  stretch(c, p, state, u, s);
#ifdef DELASSUS_RIGHT_TWIN
  state[0] = s[0];
  state[1] = s[1];
#else
  for (int e = 0; e < 3; e++) {
    state[e] = 0;
    for (int i = 0; i < c->dim - 1; i++) state[e] += s[i] * c->frame[1 + i][e];
  }
#endif
  return DLS_OK;
}

WRONG_LAW("turned-spring", PARAMS(params), STATES(states), .force = force, .commit = commit)
