/* Rods and wires: a spring and a dashpot along the normal alone, without friction, that may break.
 * Stretch x = -gap (of an axial link: how much longer than at rest), f the force that closes it:
 *   f = k x + c dx/dt      rod: of either sign      wire: not below 0, and 0 while slack
 * Implicit, at the end of the step: x1 = -(gap + h u_N), dx/dt = (x1 - x0)/h, x0 = -gap; of a wire
 * that begins slack x0 = 0, for its dashpot acts once it is tight. So r_N = h f is canonical:
 *   tight, or a rod   û_N = u_N + k gap / (k h + c)        slack   û_N = u_N + gap / h
 *   û_N + r_N / (h (k h + c)) = 0
 * It breaks for good when a step ends with f above `strength` (0: never), and buckles for good when
 * it is pressed together by more than `reach`: from the next step on there is nothing. */
#include <delassus/law.h>

enum { K, DAMPING, WIRE, STRENGTH, REACH };
static const DlsParam params[] = {
    [K] = {"k", "N/m", "stiffness", .value = 1e6, .min = 1e-9, .max = DLS_NO_BOUND},
    [DAMPING] = {"damping", "N s/m", "of the dashpot beside the spring", .value = 0, .min = 0,
                 .max = DLS_NO_BOUND},
    [WIRE] = {"wire", "1", "1: pulls only; 0: pushes as well", .value = 0, .min = 0, .max = 1},
    [STRENGTH] = {"strength", "N", "pull at which it breaks; 0: never", .value = 0, .min = 0,
                  .max = DLS_NO_BOUND},
    [REACH] = {"reach", "m", "how far a rod may be pressed together before it buckles", .value = 10,
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

static int is_wire(const double *p) { return p[WIRE] >= 0.5; }

/* Whether nothing acts in this step. */
static int is_gone(const DlsContact *c, const double *p, const double *state) {
  return state[BROKEN] != 0 || (!is_wire(p) && c->gap > p[REACH]);
}

/* Whether nothing acts after a step that ended with (u, r). */
static int ends(const DlsContact *c, const double *p, const double *state, const double *u,
                const double *r) {
  if (is_gone(c, p, state)) return 1;
  if (p[STRENGTH] > 0 && r[0] > p[STRENGTH] * c->h) return 1;
  return !is_wire(p) && c->gap + c->h * u[0] > p[REACH];
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  const double firm = p[K] * c->h + p[DAMPING]; /* N s/m */
  if (is_gone(c, p, state)) return DLS_OK;      /* the cone FREE, as it came */
  out->cone = is_wire(p) ? DLS_CONE_SIGNORINI : DLS_CONE_SLIDER;
  out->b[0] = is_wire(p) && c->gap > 0 ? c->gap / c->h : p[K] * c->gap / firm;
  out->C[0] = 1 / (c->h * firm);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  if (ends(c, p, state, u, r)) state[BROKEN] = 1;
  return DLS_OK;
}

/* J in the spring at a gap. */
static double stored_at(const double *p, double gap) {
  return !is_wire(p) || gap < 0 ? 0.5 * p[K] * gap * gap : 0;
}

/* What the spring holds is lost where it breaks, in the step that breaks it. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  const double before = is_gone(c, p, state) ? 0 : stored_at(p, c->gap);
  *stored = ends(c, p, state, u, r) ? 0 : stored_at(p, c->gap + c->h * u[0]);
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
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .range = range,
    .prepare = prepare,
    .commit = commit,
    .energy = energy,
    .report = report,
};

const DlsLaw *dls_law_entry(void) { return &rod; }
