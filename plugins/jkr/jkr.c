/* Adhesive elastic spheres (Johnson, Kendall and Roberts 1971). A contact of radius a has
 *   overlap  x = a²/R - sqrt(2 pi w a / E)        force  f = 4 E a³ / (3 R) - sqrt(8 pi w E a³)
 * R the reduced radius, E = E*, w the work of adhesion. It forms where the spheres touch and pulls
 * them in; it breaks where x falls to -3 a_c²/R, a_c³ = pi w R² / (8 E), at which dx/da = 0. The
 * greatest pull is 3/2 pi w R. Lengths go as R^(1/3), so that the range depends on the pair.
 * Tangent: a spring in series with Coulomb's slider, |f_T| <= mu (f + 3 pi w R), which is what
 * presses the areas together (Thornton 1991).
 *
 * A step is made with the bond of its beginning, so that f is continuous over it and the step has a
 * solution. Spheres that meet within it push as Hertz's do, w = 0, and are bonded from the next
 * step on; a bond that breaks within it pulls through it with the force at which it breaks,
 * -5/6 pi w R, and no more from the next step on: a step that goes far beyond has paid for it. */
#include <delassus/law_spring.h>

enum { YOUNG, WORK, MU, KT };
static const DlsParam params[] = {
    [YOUNG] = {"young", "Pa", "E*: 1/E* = (1 - nu1²)/E1 + (1 - nu2²)/E2", .value = 1e7, .min = 1e-3,
               .max = DLS_NO_BOUND},
    [WORK] = {"work", "J/m2", "w, the work of adhesion", .value = 0.05, .min = 0,
              .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient", .value = 0.3, .min = 0, .max = DLS_NO_BOUND},
    [KT] = {"kt", "N/m", "tangential stiffness", .value = 1e4, .min = 1e-9, .max = DLS_NO_BOUND},
};

enum { BOND, SPRING };
static const DlsParam states[] = {
    [BOND] = {"bond", "1", "1 where the spheres have touched and not parted, else 0", .value = 0,
              .min = 0, .max = 1},
    DLS_VECTOR_STATE("spring", "m", "elongation of the tangential spring", DLS_TANGENT),
};

static const double pi = 3.14159265358979323846;

/* m: the radius of the area where it breaks. */
static double last_radius(const double *p, double R) {
  return cbrt(pi * p[WORK] * R * R / (8 * p[YOUNG]));
}

static double reach(const double *p, double R) {
  const double a = last_radius(p, R);
  return R > 0 ? 3 * a * a / R : 0;
}

static double range(const DlsPair *pair, const double *p) { return reach(p, pair->radius); }

/* m: the radius of the area at an overlap x >= -reach: the larger root of x(a), which is convex
 * there: Newton's method falls to it from the right. */
static double radius_at(const double *p, double R, double x) {
  const double c = sqrt(2 * pi * p[WORK] / p[YOUNG]), least = last_radius(p, R);
  double a = fmax(sqrt(R * fmax(x, 0)) + cbrt(c * c * R * R), 2 * least);
  for (int i = 0; i < 100; i++) {
    const double rise = 2 * a / R - 0.5 * c / sqrt(a);
    const double down = rise > 0 ? (a * a / R - c * sqrt(a) - x) / rise : 0;
    if (!(down > 1e-16 * a) || a - down <= least) break;
    a -= down;
  }
  return a;
}

/* J, of a contact that holds: the work from where it breaks, in closed form over a. Below zero
 * where the surfaces have gained: what they gain when they touch is lost at once. */
static double stored_at(const double *p, double R, double x) {
  const double c = sqrt(2 * pi * p[WORK] / p[YOUNG]);
  const double ends[2] = {last_radius(p, R), radius_at(p, R, x)};
  double work[2];
  for (int k = 0; k < 2; k++) {
    const double a = ends[k], square = a * a;
    work[k] = 8 * square * square * a / (15 * R * R) - 4 * c / (3 * R) * square * a * sqrt(a) +
              0.5 * c * c * square;
  }
  return p[YOUNG] * (work[1] - work[0]);
}

/* N, the force at an overlap x >= -reach, and df/dx. */
static double force_at(const double *p, double R, double x, double *slope) {
  const double c = sqrt(2 * pi * p[WORK] / p[YOUNG]), a = radius_at(p, R, x);
  *slope = 0;
  if (!(a > 0)) return 0;
  const double rise = 2 * a / R - 0.5 * c / sqrt(a);
  const double grow = 4 * p[YOUNG] * a * a / R - 1.5 * sqrt(8 * pi * p[WORK] * p[YOUNG] * a);
  *slope = rise > 0 ? grow / rise : 0;
  return 4 * p[YOUNG] * a * a * a / (3 * R) - sqrt(8 * pi * p[WORK] * p[YOUNG] * a * a * a);
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  (void)p;
  state[BOND] = c->gap <= 0;
  return DLS_OK;
}

/* Whether the spheres are bonded after a step that ends at this gap. */
static int holds(const DlsContact *c, const double *p, const double *state, double gap) {
  const double most = fmax(gap, c->gap), R = c->radius;
  return R > 0 && (gap <= 0 || (state[BOND] != 0 && most <= reach(p, R)));
}

/* The normal force in a step that ends at this gap, df/dx, and what presses the areas together. */
typedef struct {
  double force, slope, whole;
} Normal;

static Normal normal_at(const DlsContact *c, const double *p, const double *state, double gap) {
  const double R = c->radius;
  const int bonded = state[BOND] != 0 && c->gap <= reach(p, R);
  const double own[] = {[YOUNG] = p[YOUNG], [WORK] = bonded ? p[WORK] : 0};
  const double least = -reach(own, R);
  Normal out = {0, 0, 0};
  if (!(R > 0) || (!bonded && gap >= 0)) return out;
  out.force = force_at(own, R, fmax(-gap, least), &out.slope);
  if (-gap <= least) out.slope = 0;
  out.whole = out.force + 3 * pi * own[WORK] * R;
  return out;
}

static DlsStatus traction(const DlsContact *c, const double *p, const double *state,
                          const double *jump, const double *u, double *t, double *dt_djump,
                          double *dt_du, double *next) {
  (void)u;
  const int n = c->block;
  const Normal normal = normal_at(c, p, state, jump[0]);
  const double limit = p[MU] * fmax(normal.whole, 0), slope = normal.slope;
  for (int i = 0; i < n; i++) t[i] = 0;
  t[0] = normal.force;
  for (int k = 0; dt_djump && dt_du && k < n * n; k++) dt_djump[k] = dt_du[k] = 0;
  if (dt_djump) dt_djump[0] = -slope;
  dls_law_spring(c, p[KT], limit, normal.whole > 0 ? -p[MU] * slope : 0, state + SPRING, jump, t,
                 dt_djump, next ? next + SPRING : NULL);
  if (next) next[BOND] = holds(c, p, state, jump[0]);
  return DLS_OK;
}

static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  const double R = c->radius, gap = c->gap + c->h * u[0];
  const double spring = dls_law_length(state + SPRING, 2), pull = dls_law_length(r + 1, c->dim - 1);
  const double held = state[BOND] != 0 && holds(c, p, state, c->gap) ? stored_at(p, R, -c->gap) : 0;
  *stored = holds(c, p, state, gap) ? stored_at(p, R, -gap) : 0;
  *stored += 0.5 * pull * pull / (c->h * c->h * p[KT]);
  *dissipated = -dls_law_work(c, u, r) - (*stored - held - 0.5 * p[KT] * spring * spring);
  return DLS_OK;
}

static const DlsLaw jkr = {
    DLS_LAW_HEAD,
    .name = "jkr",
    .summary = "adhesive elastic spheres of Johnson, Kendall and Roberts, with friction",
    .references = "Johnson, Kendall and Roberts 1971, Proc. R. Soc. A 324; Thornton 1991, J. Phys. "
                  "D 24",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .range = range,
    .begin = begin,
    .traction = traction,
    .energy = energy,
};

const DlsLaw *dls_law_entry(void) { return &jkr; }
