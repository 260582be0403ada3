/* Friction by the slope of the contact against the axes of space, of which a law knows nothing. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  const double up[3] = {0, 1, 0}, *way = MISTAKE(up, c->axes[0][1]);
  double along = 0;
  (void)up;
  for (int e = 0; e < 3; e++) along += c->frame[0][e] * way[e];
  dry(c, p[0] * (1 + along * along), out);
  return DLS_OK;
}

WRONG_LAW("upright", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare)
