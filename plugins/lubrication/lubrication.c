/* A viscous film between two bodies, implicit in the gap (Maury 1997; Maury's slides 47-55).
 *   force = -kappa(gap) gap',  kappa(g) = K / g,  K = 6 pi eta R² between spheres (Cox and
 *   Brenner 1967)
 * With kappa = L' K its impulse over a step is exact, whatever happens in between:
 *   r_N = -K (L(gap + h u_N) - L(gap)) + r_solid,   0 <= u_N + gap_rate ⟂ r_solid >= 0
 *   L(g) = ln(g / range) between cutoff and range; 0 beyond; below the cutoff, where roughness ends
 *   the formula, kappa stays K / cutoff: L(g) = ln(cutoff / range) + (g - cutoff) / cutoff.
 * So a film alone never lets the gap jump to zero, and the sum over steps telescopes: m u + K
 * L(gap) changes by the impulse of other forces alone, which is the first integral of slide 55.
 * Friction belongs to the solid reaction.
 *
 * As an equation, with rho > 0 in kg: F = r - R(r - rho u), R the resolvent of this law: its normal
 * part is y = film(w) + r_solid with y - rho w = z; the left side falls, convex, as w grows from
 * -gap_rate on. */
#include <delassus/law.h>

enum { VISCOSITY, KAPPA, CUTOFF, RANGE, MU };
static const DlsParam params[] = {
    [VISCOSITY] = {"viscosity", "Pa s", "eta of the fluid", .value = 1, .min = 0,
                   .max = DLS_NO_BOUND},
    [KAPPA] = {"kappa", "N s", "K itself; 0: 6 pi eta R², R the reduced radius", .value = 0,
               .min = 0, .max = DLS_NO_BOUND},
    [CUTOFF] = {"cutoff", "m", "gap below which kappa stays what it is there", .value = 1e-6,
                .min = 1e-12, .max = 1},
    [RANGE] = {"range", "m", "gap up to which the film acts", .value = 1e-3, .min = 1e-12,
               .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient of the solids", .value = 0, .min = 0,
            .max = DLS_NO_BOUND},
};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[RANGE];
}

static double coefficient(const DlsContact *c, const double *p) {
  const double six_pi = 18.8495559215387594308;
  return p[KAPPA] > 0 ? p[KAPPA] : six_pi * p[VISCOSITY] * c->radius * c->radius;
}

/* L(g), and its slope. */
static double film_log(const double *p, double g, double *slope) {
  const double cutoff = fmin(p[CUTOFF], p[RANGE]);
  *slope = 0;
  if (g >= p[RANGE]) return 0;
  *slope = 1 / fmax(g, cutoff);
  return g >= cutoff ? log(g / p[RANGE]) : log(cutoff / p[RANGE]) + (g - cutoff) / cutoff;
}

/* The film's impulse at u_N = w, and minus its slope. Close to the start the difference of
 * logarithms is that of log1p. */
static double film(const DlsContact *c, const double *p, double K, double w, double *fall) {
  const double way = c->h * w, end = c->gap + way, cutoff = fmin(p[CUTOFF], p[RANGE]);
  double slope, unused, change = film_log(p, end, &slope);
  *fall = K * c->h * slope;
  if (fmin(c->gap, end) >= cutoff && fmax(c->gap, end) < p[RANGE])
    change = log1p(way / c->gap);
  else if (fmax(c->gap, end) <= cutoff)
    change = way / cutoff;
  else
    change -= film_log(p, c->gap, &unused);
  return -K * change;
}

/* Normal part of R at z = r_N - rho u_N. */
typedef struct {
  double y, dy;         /* reaction, and its slope along z */
  double solid, dsolid; /* of which solid */
} Normal;

/* Newton's method on the convex left side, from the left: w rises to the root. Where the film is
 * stiffer than rho, y = z + rho w has lost fewer digits than the film at w. */
static Normal normal_part(const DlsContact *c, const double *p, double rho, double z) {
  const double K = coefficient(c, p), least = -c->gap_rate;
  double w = least, fall, force = film(c, p, K, w, &fall);
  if (force - rho * w <= z) return (Normal){z + rho * least, 1, z + rho * least - force, 1};
  for (int i = 0; i < 100; i++) {
    const double up = (force - rho * w - z) / (fall + rho), next = w + up;
    if (!(up > 0) || next == w) break;
    w = next;
    force = film(c, p, K, w, &fall);
  }
  return (Normal){fall > rho ? z + rho * w : force, fall / (fall + rho), 0, 0};
}

/* Without a film the law is Coulomb's. */
static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  out->cone = DLS_CONE_CUSTOM;
  if (coefficient(c, p) > 0) return DLS_OK;
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
  out->b[0] = c->gap_rate;
  return DLS_OK;
}

/* R(z) = (y, P_s(z_T)), s = mu r_solid; out may be z. */
static Normal resolve(const DlsContact *c, const double *p, double rho, const double *z,
                      double *out) {
  const Normal normal = normal_part(c, p, rho, z[0]);
  const double s = p[MU] * normal.solid, size = dls_law_length(z + 1, c->dim - 1);
  const double scale = size > s ? s / size : 1;
  out[0] = normal.y;
  for (int i = 1; i < c->dim; i++) out[i] = scale * z[i];
  for (int i = c->dim; i < c->block; i++) out[i] = 0; /* no torque */
  return normal;
}

/* F = r - R(r - rho u). */
static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1;
  double z[DLS_MAX_BLOCK] = {0}, at[DLS_MAX_BLOCK] = {0};
  for (int i = 0; i < n; i++) z[i] = r[i] - rho * u[i];
  const Normal normal = resolve(c, p, rho, z, at);
  for (int i = 0; i < n; i++) F[i] = r[i] - at[i];
  if (!dF_du || !dF_dr) return DLS_OK;
  dls_law_disc_slopes(c, z, rho, p[MU] * normal.solid, normal.dy, p[MU] * normal.dsolid, dF_du,
                      dF_dr);
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  for (int i = 0; i < c->block; i++) r[i] -= rho * u[i];
  (void)resolve(c, p, rho, r, r);
  return DLS_OK;
}

static const DlsLaw lubrication = {
    DLS_LAW_HEAD,
    .name = "lubrication",
    .summary = "viscous film whose force goes as 1/gap, with unilateral contact below it",
    .description = "The impulse of the film over a step is exact in the change of the gap, so\n"
                   "that large steps neither diverge nor pass through the film.",
    .references = "Cox, Brenner 1967, Chem. Eng. Sci. 22; Maury 1997, C. R. Acad. Sci. Paris 325; "
                  "Maury, Numerical modelling of granular flows, slides 47-55",
    .params = params,
    .nparams = DLS_COUNT(params),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .range = range,
    .prepare = prepare,
    .residual = residual,
    .project = project,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &lubrication; }
