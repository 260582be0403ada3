/* Rods and wires: a spring and a dashpot along the normal alone, without friction, that may break.
 * Stretch x = -gap (of an axial link: how much longer than at rest), f the force that closes it:
 *   f = k x + c dx/dt      rod: of either sign      wire: not below 0, and 0 while slack
 * Implicit, at the end of the step: x1 = -(gap + h u_N), dx/dt = -u_N, so that r_N = h f is
 *   û_N = u_N + k gap / (k h + c),  û_N + r_N / (h (k h + c)) = 0     canonical
 * It breaks for good when a step ends with f above `strength`: from the next step on there is
 * nothing. A strength of 0 stands for none. */
#include <delassus/law.h>

enum { K, DAMPING, WIRE, STRENGTH, REACH };
static const DlsParam params[] = {
    [K] = {"k", "N/m", "stiffness", .value = 1e6, .min = 1e-9, .max = DLS_NO_BOUND},
    [DAMPING] = {"damping", "N s/m", "of the dashpot beside the spring", .value = 0, .min = 0,
                 .max = DLS_NO_BOUND},
    [WIRE] = {"wire", "1", "1: pulls only; 0: pushes as well", .value = 0, .min = 0, .max = 1},
    [STRENGTH] = {"strength", "N", "pull at which it breaks; 0: never", .value = 0, .min = 0,
                  .max = DLS_NO_BOUND},
    [REACH] = {"reach", "m", "how far a rod may be pressed together and still push", .value = 10,
               .min = 0, .max = 1e6},
};

enum { BROKEN };
static const DlsParam states[] = {
    [BROKEN] = {"broken", "1", "1 once broken", .value = 0, .min = 0, .max = 1},
};

static const char *const statuses[] = {"broken"};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[WIRE] < 0.5 ? p[REACH] : 0;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  const double firm = p[K] * c->h + p[DAMPING];               /* N s/m */
  if (state[BROKEN] != 0 || c->gap > p[REACH]) return DLS_OK; /* the cone FREE, as it came */
  out->cone = p[WIRE] < 0.5 ? DLS_CONE_SLIDER : DLS_CONE_SIGNORINI;
  out->b[0] = p[K] * c->gap / firm;
  out->C[0] = 1 / (c->h * firm);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)u;
  if (p[STRENGTH] > 0 && r[0] > p[STRENGTH] * c->h) state[BROKEN] = 1;
  return DLS_OK;
}

/* J in the spring at a gap. */
static double stored_at(const double *p, double gap) {
  return p[WIRE] < 0.5 || gap < 0 ? 0.5 * p[K] * gap * gap : 0;
}

/* What the spring holds is lost where it breaks, in the step that breaks it. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  const int breaks = p[STRENGTH] > 0 && r[0] > p[STRENGTH] * c->h;
  const int absent = state[BROKEN] != 0 || c->gap > p[REACH];
  const double before = absent ? 0 : stored_at(p, c->gap);
  *stored = absent || breaks ? 0 : stored_at(p, c->gap + c->h * u[0]);
  *dissipated = -dls_law_work(c, u, r) - (*stored - before);
  return DLS_OK;
}

static DlsStatus report(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, int *status, double *friction_limit, double *outputs) {
  (void)c;
  (void)p;
  (void)u;
  (void)r;
  (void)friction_limit;
  (void)outputs;
  if (state[BROKEN] != 0) *status = 0;
  return DLS_OK;
}

static const DlsLaw rod = {
    DLS_LAW_HEAD,
    .name = "rod",
    .summary = "spring and dashpot along the normal, for rods and wires, which may break",
    .references = "Jean 1999; Dubois et al. 2018, C. R. Mecanique 346",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .statuses = statuses,
    .nstatuses = DLS_COUNT(statuses),
    .claims = DLS_CLAIM_SWAP,
    .maturity = "verified",
    .range = range,
    .prepare = prepare,
    .commit = commit,
    .energy = energy,
    .report = report,
};

const DlsLaw *dls_law_entry(void) { return &rod; }
