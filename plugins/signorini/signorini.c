/* Unilateral contact without friction, with Newton's restitution (Moreau 1994, eqs. 5.7 and 6.1).
 *   û_N = u_N + rho u⁻_N,   0 <= û_N ⟂ r_N >= 0,   r_T = 0
 * A scheme that lets a gap close within the step adds it: û_N = u_N + gap_rate while the gap is
 * open and does not close at u⁻_N (dls_law_restitution). */
#include <delassus/law.h>

enum { RHO };
static const DlsParam params[] = {
    [RHO] = {"rho", "1", "normal restitution", .value = 0, .min = 0, .max = 1},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  out->cone = DLS_CONE_SIGNORINI;
  dls_law_restitution(c, p[RHO], 0, out->b);
  return DLS_OK;
}

static const DlsLaw signorini = {
    DLS_LAW_HEAD,
    .name = "signorini",
    .summary = "unilateral contact without friction, with restitution",
    .references = "Moreau 1994, eqs. 5.7 and 6.1",
    .params = params,
    .nparams = DLS_COUNT(params),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_HOMOGENEOUS | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .prepare = prepare,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &signorini; }
