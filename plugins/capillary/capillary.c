/* Liquid bridges (Maury's slide 29): an attraction that needs a bridge.
 *   F(D) = pi gamma r (exp(-A D + B) + C),   D the gap, 0 where the bodies overlap
 *   r_N + h F = reaction of the solids, which obeys the relation of the laws before, or its own
 * A bridge forms when D comes down to D_form, 0 unless given: when the bodies touch; it breaks when
 * D passes D_rupt. The slide's law, F wherever D < D_rupt, has D_form = D_rupt. With a volume V and
 * a contact angle the numbers come from them (Soulie et al. 2006; Lian et al. 1993), v = V / r³:
 *   A r = 1.1 v^-0.53,  B = (-0.148 ln v - 0.96) angle² - 0.0082 ln v + 0.48,
 *   C = 0.0018 ln v + 0.078,  D_rupt = (1 + angle/2) V^(1/3) */
#include <delassus/law.h>

enum { GAMMA, A, B, C, D_RUPT, D_FORM, VOLUME, ANGLE, RADIUS, MU };
static const DlsParam params[] = {
    [GAMMA] = {"gamma", "N/m", "surface tension", .value = 0.0728, .min = 0, .max = DLS_NO_BOUND},
    [A] = {"A", "1/m", "decay of the force with the gap", .value = 12600, .min = 0,
           .max = DLS_NO_BOUND},
    [B] = {"B", "1", "exponent at contact", .value = 0.518, .min = -20, .max = 20},
    [C] = {"C", "1", "constant part of the force", .value = 0.0697, .min = 0, .max = DLS_NO_BOUND},
    [D_RUPT] = {"D_rupt", "m", "gap at which a bridge breaks", .value = 2.15e-4, .min = 0,
                .max = DLS_NO_BOUND},
    [D_FORM] = {"D_form", "m", "gap at which a bridge forms, D_rupt at most; 0: by touching",
                .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [VOLUME] = {"volume", "m3", "of a bridge; above 0 it gives A, B, C and D_rupt", .value = 0,
                .min = 0, .max = DLS_NO_BOUND},
    [ANGLE] = {"angle", "rad", "contact angle, for a bridge of given volume", .value = 0, .min = 0,
               .max = 1.5707963267948966},
    [RADIUS] = {"radius", "m", "common radius r; 0: twice the reduced radius", .value = 0, .min = 0,
                .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient; not read where the law follows another", .value = 0,
            .min = 0, .max = DLS_NO_BOUND},
};

enum { BRIDGE, FORMED };
static const DlsParam states[] = {
    [BRIDGE] = {"bridge", "1", "1 when a bridge is there, else 0", .value = 0, .min = 0, .max = 1},
    [FORMED] = {"formed", "m", "gap at which it formed", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

/* The bridge of a contact: F = scale (peak exp(-decay D) + constant). */
typedef struct {
  double scale, decay, peak, constant;
} Bridge;

static double rupture_at(const double *p) {
  return p[VOLUME] > 0 ? (1 + 0.5 * p[ANGLE]) * cbrt(p[VOLUME]) : p[D_RUPT];
}

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return rupture_at(p);
}

/* Without a radius there is no bridge. The fit holds for small v; where C is negative, as for v
 * below 1e-18, it is 0. */
static Bridge bridge_of(const DlsContact *c, const double *p) {
  const double r = p[RADIUS] > 0 ? p[RADIUS] : 2 * c->radius;
  if (!(r > 0)) return (Bridge){0};
  const double scale = 3.14159265358979323846 * p[GAMMA] * r;
  if (p[VOLUME] <= 0) return (Bridge){scale, p[A], exp(p[B]), p[C]};
  const double v = p[VOLUME] / (r * r * r), log_v = log(v);
  const double exponent = (-0.148 * log_v - 0.96) * p[ANGLE] * p[ANGLE] - 0.0082 * log_v + 0.48;
  return (Bridge){scale, 1.1 * pow(v, -0.53) / r, exp(exponent), fmax(0, 0.0018 * log_v + 0.078)};
}

/* N, at a gap. */
static double pull(const Bridge *bridge, double gap) {
  return bridge->scale * (bridge->peak * exp(-bridge->decay * fmax(gap, 0)) + bridge->constant);
}

/* J: the work that opens the bridge from contact to a gap. */
static double work_to(const Bridge *bridge, double gap) {
  const double D = fmax(gap, 0), x = bridge->decay * D;
  const double length = x > 1e-12 ? -expm1(-x) / bridge->decay : D;
  return bridge->scale * (bridge->peak * length + bridge->constant * D);
}

static double touch(const DlsContact *c) { return 1e-9 * c->radius; } /* m, round-off */

/* m: bridges form at gaps up to here. */
static double forms_at(const DlsContact *c, const double *p) {
  return fmax(fmin(p[D_FORM], rupture_at(p)), touch(c));
}

static void form(const DlsContact *c, double gap, double *state) {
  state[BRIDGE] = 1;
  state[FORMED] = gap > touch(c) ? gap : 0;
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  if (c->gap <= forms_at(c, p)) form(c, c->gap, state);
  return DLS_OK;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  if (out->cone == DLS_CONE_FREE) { /* alone */
    out->cone = p[MU] <= 0          ? DLS_CONE_SIGNORINI
                : c->block > c->dim ? DLS_CONE_ROLLING
                                    : DLS_CONE_COULOMB;
    out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
    out->b[0] = c->gap_rate;
  }
  if (state[BRIDGE] == 0) return DLS_OK;
  const Bridge bridge = bridge_of(c, p);
  out->a[0] += c->h * pull(&bridge, c->gap);
  return DLS_OK;
}

/* h u_N on from here is the gap of the next step, in every scheme. */
static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)r;
  const double gap = c->gap + c->h * u[0];
  if (state[BRIDGE] == 0 && fmin(c->gap, gap) <= forms_at(c, p)) form(c, gap, state);
  if (gap > rupture_at(p) + touch(c)) state[BRIDGE] = state[FORMED] = 0;
  return DLS_OK;
}

/* Stored: the work that opened the bridge from where it formed, lost where it breaks. Dissipated:
 * what the solids take from the bodies, by the mean of the velocities, and the bridge that
 * breaks. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  *stored = 0;
  *dissipated = -dls_law_work(c, u, r);
  if (state[BRIDGE] == 0) return DLS_OK;
  const Bridge bridge = bridge_of(c, p);
  const double gap = c->gap + c->h * u[0];
  const double zero = work_to(&bridge, state[FORMED]);
  *stored = gap > rupture_at(p) + touch(c) ? 0 : work_to(&bridge, gap) - zero;
  *dissipated -= *stored - (work_to(&bridge, c->gap) - zero);
  return DLS_OK;
}

static const DlsLaw capillary = {
    DLS_LAW_HEAD,
    .name = "capillary",
    .summary = "liquid bridges with a rupture distance, alone or after another law",
    .references =
        "Maury, slide 29; Soulie, Cherblanc, El Youssoufi and Saix 2006; Lian et al. 1993",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .composes = 1,
    .range = range,
    .begin = begin,
    .prepare = prepare,
    .commit = commit,
    .energy = energy,
};

const DlsLaw *dls_law_entry(void) { return &capillary; }
