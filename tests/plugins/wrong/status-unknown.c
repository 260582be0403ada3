/* A report whose third status stands in no table. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};
static const char *const statuses[] = {"apart", "pressed", "crushed"};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[0], out);
  return DLS_OK;
}

static DlsStatus report(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, int *status, double *friction_limit, double *outputs) {
  (void)p, (void)state, (void)u, (void)friction_limit, (void)outputs;
  *status = c->gap < 0 ? 2 : r[0] > 0;
  return DLS_OK;
}

WRONG_LAW("status-unknown", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .statuses = statuses,
          .nstatuses = MISTAKE(2, 3), .prepare = prepare, .report = report)
