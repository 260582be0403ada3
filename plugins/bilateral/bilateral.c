/* Joints: two bodies that are kept together at the point where they touch.
 *   tied    û = 0, of the points and, in blocks with spins, of the spins: one rigid body
 *   hinge   û = 0 of the points; spins turn against a viscous torque -drag u_R
 *   slider  û_N = 0, no tangential reaction and no torque
 *   û_N = u_N + correction (gap - rest_gap) / h
 * A pair is joined when it is first seen within the gap `join`, or touches later; its gap is then
 * the rest_gap. Until then it is in unilateral contact without friction. */
#include <delassus/law.h>

enum { KIND, JOIN, SLACK, CORRECTION, DRAG };
enum { TIED, HINGE, SLIDER };
static const DlsParam params[] = {
    [KIND] = {"kind", "1", "0 tied, 1 hinge, 2 slider", .value = TIED, .min = TIED, .max = SLIDER},
    [JOIN] = {"join", "m", "gap up to which a pair is joined when first seen", .value = 0, .min = 0,
              .max = DLS_NO_BOUND},
    [SLACK] = {"slack", "m", "gap beyond join up to which a joint is kept in sight", .value = 1e-3,
               .min = 0, .max = DLS_NO_BOUND},
    [CORRECTION] = {"correction", "1", "part of the drift of the gap taken back in a step",
                    .value = 0.2, .min = 0, .max = 1},
    [DRAG] = {"drag", "N m s", "viscous torque of a hinge over its spin", .value = 1e-9,
              .min = 1e-15, .max = DLS_NO_BOUND},
};

enum { JOINED, REST_GAP };
static const DlsParam states[] = {
    [JOINED] = {"joined", "1", "1 when the pair is joined, else 0", .value = 0, .min = 0, .max = 1},
    [REST_GAP] = {"rest_gap", "m", "gap of the joint", .value = 0, .min = -DLS_NO_BOUND,
                  .max = DLS_NO_BOUND},
};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[JOIN] + p[SLACK];
}

static double touch(const DlsContact *c) { return 1e-9 * c->radius; } /* m, round-off */

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  state[JOINED] = c->gap <= p[JOIN] + touch(c);
  state[REST_GAP] = state[JOINED] != 0 ? c->gap : 0;
  return DLS_OK;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  const int kind = (int)(p[KIND] + 0.5);
  if (state[JOINED] == 0) {
    out->cone = DLS_CONE_SIGNORINI;
    out->b[0] = c->gap_rate;
    return DLS_OK;
  }
  out->cone = kind == SLIDER ? DLS_CONE_SLIDER : DLS_CONE_BILATERAL;
  out->b[0] = p[CORRECTION] * (c->gap - state[REST_GAP]) / c->h;
  if (kind == HINGE) /* u_R + C r_R = 0: r_R = -h drag u_R */
    for (int i = c->dim; i < c->block; i++) out->C[i] = 1 / (c->h * p[DRAG]);
  return DLS_OK;
}

/* Pairs that touch are joined where they are at the end of the step. */
static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p;
  if (state[JOINED] != 0) return DLS_OK;
  if (r[0] <= 0 && c->gap > touch(c)) return DLS_OK;
  state[JOINED] = 1;
  state[REST_GAP] = c->gap + c->h * u[0];
  return DLS_OK;
}

static const DlsLaw bilateral = {
    DLS_LAW_HEAD,
    .name = "bilateral",
    .summary = "joints at contact points: tied, hinge, slider",
    .references = "Jean 1999; Moreau 1994, sec. 4",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .blocks = DLS_BLOCK(3) | DLS_BLOCK(6),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .range = range,
    .begin = begin,
    .prepare = prepare,
    .commit = commit,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &bilateral; }
