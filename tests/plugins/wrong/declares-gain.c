/* The work of the contact with its sign turned: what is lost is declared as won. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[0], out);
  return DLS_OK;
}

static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  (void)p, (void)state;
  *stored = 0;
  *dissipated = MISTAKE(+, -) work_of(c, u, r);
  return DLS_OK;
}

WRONG_LAW("declares-gain", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare,
          .energy = energy)
