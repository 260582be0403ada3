/* Plastic crushing booked as stored: the energy is never given back, not even by an open
 * contact. */
#include "wrong.h"

static const DlsParam states[] = {
    {"crushed", "J", "work taken so far", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)p;
  (void)state;
  out->cone = DLS_CONE_SIGNORINI;
  out->b[0] = c->gap_rate;
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p;
  state[0] += fmax(0, -work_of(c, u, r));
  return DLS_OK;
}

static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  (void)p;
  const double taken = -work_of(c, u, r);
  *stored = MISTAKE(state[0] + fmax(0, taken), 0 * state[0]);
  *dissipated = MISTAKE(fmin(0, taken), taken);
  return DLS_OK;
}

WRONG_LAW("stored-forever", STATES(states), .prepare = prepare, .commit = commit, .energy = energy)
