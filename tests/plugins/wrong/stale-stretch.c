/* An elastic contact that keeps its own overlap, carried on with the velocity at the start of the
 * step: one step late. What it takes from the bodies is not what it says to store. */
#include "wrong.h"

static const DlsParam params[] = {
    {"k", "N/m", "stiffness", .value = 1e5, .min = 1e-3, .max = DLS_NO_BOUND},
};

static const DlsParam states[] = {
    {"overlap", "m", "of the spring", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

/* r_N = h k x with x = overlap - h u_N: û_N = u_N - overlap/h + r_N/(h² k). */
static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  out->cone = DLS_CONE_SIGNORINI;
  out->b[0] = c->gap > 0 ? c->gap_rate : -state[0] / c->h;
  out->C[0] = 1 / (c->h * c->h * p[0]);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p, (void)u, (void)r;
  state[0] = MISTAKE(fmax(0, state[0] - c->h * c->u_before[0]), r[0] / (c->h * p[0]));
  return DLS_OK;
}

static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  const double x = r[0] / (c->h * p[0]), before = 0.5 * p[0] * state[0] * state[0];
  *stored = 0.5 * p[0] * x * x;
  *dissipated = -work_of(c, u, r) - (*stored - before);
  return DLS_OK;
}

WRONG_LAW("stale-stretch", PARAMS(params), STATES(states), .prepare = prepare, .commit = commit,
          .energy = energy)
