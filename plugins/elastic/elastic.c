/* Elastic contact within the implicit step: linear or Hertz's, with friction and a tangential
 * spring. Overlap x = -gap, force phi(x) = k x^n for x > 0, energy Phi(x) = k x^(n+1) / (n+1).
 *
 * The force is that of the end of the step, x1 = -(gap + h u_N): r_N = h phi(x1). For n = 1 this
 * is canonical, û_N = u_N + gap/h + r_N/(h² k); for other n the law solves it itself. With
 * `midpoint` the gap is the one in the middle of moreau's step, x0 = -(gap - h/2 u⁻_N) and
 * x1 = -(gap + h/2 u_N), and the force is the mean (Phi(x1) - Phi(x0)) / (x1 - x0), whose work is
 * exactly what Phi loses (Gonzalez 1996).
 *
 * Tangent: a spring of elongation s in series with Coulomb's slider,
 *   û_T = u_T + s/h + r_T/(h² k_t) is the slip,   s⁺ = -r_T/(h k_t).
 *
 * As an equation, with rho > 0 in kg: F = r - R(r - rho u), R the resolvent of the law: its normal
 * part y solves  y = h force(x),  y + rho x/span = r_N - rho (u_N + gap/span). */
#include <delassus/law.h>

enum { K, EXPONENT, MU, K_T, MIDPOINT };
static const DlsParam params[] = {
    [K] = {"k", "N/m^exponent", "stiffness: force at an overlap of 1 m", .value = 1e5, .min = 1e-9,
           .max = DLS_NO_BOUND},
    [EXPONENT] = {"exponent", "1", "n: 1 linear, 1.5 Hertz", .value = 1, .min = 1, .max = 4},
    [MU] = {"mu", "1", "friction coefficient", .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [K_T] = {"k_t", "N/m", "tangential stiffness; 0: rigid", .value = 0, .min = 0,
             .max = DLS_NO_BOUND},
    [MIDPOINT] = {"midpoint", "1",
                  "1: mean force of moreau's step, which keeps energy; 0: that "
                  "of its end",
                  .value = 0, .min = 0, .max = 1},
};

enum { OVERLAP, SPRING }; /* SPRING + 0, 1: along t1, t2 */
static const DlsParam states[] = {
    {"overlap", "m", "at the end of the last step", .value = 0, .min = 0, .max = DLS_NO_BOUND},
    DLS_VECTOR_STATE("spring", "m", "elongation of the tangential spring", DLS_TANGENT),
};

static double force_at(const double *p, double x) { return x > 0 ? p[K] * pow(x, p[EXPONENT]) : 0; }

static double slope_at(const double *p, double x) {
  return x > 0 ? p[K] * p[EXPONENT] * pow(x, p[EXPONENT] - 1) : 0;
}

static double stored_at(const double *p, double x) {
  return x > 0 ? p[K] * pow(x, p[EXPONENT] + 1) / (p[EXPONENT] + 1) : 0;
}

/* How the law sees a step: u_N takes the gap to its end in `span`, from the overlap x0. */
typedef struct {
  double span, x0;
} Step;

static Step step_of(const DlsContact *c, const double *p) {
  if (p[MIDPOINT] < 0.5) return (Step){c->h, -c->gap};
  return (Step){0.5 * c->h, -(c->gap - 0.5 * c->h * c->u_before[0])};
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  state[OVERLAP] = fmax(0, step_of(c, p).x0);
  return DLS_OK;
}

static double overlap_after(const DlsContact *c, const double *p, const double *u) {
  return -(c->gap + step_of(c, p).span * u[0]);
}

/* The force of the step as a function of its last overlap x, and its slope. Where x is near x0 the
 * quotient would cancel, and Simpson's rule has its mean to 1e-12. */
static double step_force(const double *p, const Step *step, double x, double *slope) {
  if (p[MIDPOINT] < 0.5) {
    *slope = slope_at(p, x);
    return force_at(p, x);
  }
  const double x0 = step->x0, way = x - x0;
  if (fabs(way) < 1e-3 * fmax(fabs(x), fabs(x0))) {
    const double middle = 0.5 * (x + x0);
    *slope = (2 * slope_at(p, middle) + slope_at(p, x)) / 6;
    return (force_at(p, x0) + 4 * force_at(p, middle) + force_at(p, x)) / 6;
  }
  if (way == 0) return *slope = 0; /* both zero */
  const double mean = (stored_at(p, x) - stored_at(p, x0)) / way;
  *slope = (force_at(p, x) - mean) / way;
  return mean;
}

/* y of the head, and dy/dz, for z = r_N - rho u_N. The left side rises, convex, from y = 0 on:
 * Newton's method from the right falls to the root. Right of it: where either term alone is the
 * target; with `midpoint` the mean of a convex force is at least the force at the mean. */
static double normal_part(const DlsContact *c, const double *p, double rho, double z,
                          double *dy_dz) {
  const Step step = step_of(c, p);
  const double weight = rho / step.span, target = z - weight * c->gap;
  double x = target / weight, slope;
  if (target > 0) {
    const double alone = pow(target / (c->h * p[K]), 1 / p[EXPONENT]);
    const double beyond = p[MIDPOINT] < 0.5 ? alone : fmax(step.x0, 2 * alone - step.x0);
    x = fmin(x, beyond);
  }
  double force = step_force(p, &step, x, &slope);
  for (int i = 0; i < 100 && force > 0; i++) {
    const double down = (c->h * force + weight * x - target) / (c->h * slope + weight);
    x -= down;
    force = step_force(p, &step, x, &slope);
    if (!(down > 1e-16 * fabs(x))) break;
  }
  *dy_dz = c->h * slope / (c->h * slope + weight);
  return c->h * force;
}

static double tangent_compliance(const DlsContact *c, const double *p) {
  return p[K_T] > 0 ? 1 / (c->h * c->h * p[K_T]) : 0;
}

static double tangent_shift(const DlsContact *c, const double *p, const double *state, int i) {
  return p[K_T] > 0 ? state[SPRING + i - 1] / c->h : 0;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  if (p[EXPONENT] != 1 || p[MIDPOINT] >= 0.5) {
    out->cone = DLS_CONE_CUSTOM;
    return DLS_OK;
  }
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
  out->b[0] = c->gap / c->h;
  out->C[0] = 1 / (c->h * c->h * p[K]);
  for (int i = 1; i < c->dim; i++) {
    out->b[i] = tangent_shift(c, p, state, i);
    out->C[i] = tangent_compliance(c, p);
  }
  return DLS_OK;
}

/* What residual, its derivatives and project share: R(r - rho u) = (y, P_s(x)), s = mu y. */
typedef struct {
  double rho, y, dy, s, soft; /* soft = 1 / (1 + rho C_T) */
  double x[2], size;
  int tangents;
} Point;

static Point point_at(const DlsContact *c, const double *p, const double *state, const double *u,
                      double rho, const double *r) {
  Point at = {.rho = rho, .tangents = c->dim - 1};
  at.y = normal_part(c, p, rho, r[0] - rho * u[0], &at.dy);
  at.s = p[MU] * at.y;
  at.soft = 1 / (1 + rho * tangent_compliance(c, p));
  for (int i = 0; i < at.tangents; i++)
    at.x[i] = at.soft * (r[1 + i] - rho * (u[1 + i] + tangent_shift(c, p, state, 1 + i)));
  at.size = dls_law_length(at.x, at.tangents);
  return at;
}

static void resolve(const DlsContact *c, const Point *at, double *out) {
  const double scale = at->size > at->s ? at->s / at->size : 1;
  out[0] = at->y;
  for (int i = 0; i < at->tangents; i++) out[1 + i] = scale * at->x[i];
  for (int i = c->dim; i < c->block; i++) out[i] = 0; /* no torque */
}

/* Rows of dF: with dP/dx of the disc, dP/ds = x/|x| where it slips, and x = soft (r_T - rho ..). */
static void derivatives(const DlsContact *c, const double *p, const Point *at, double *dF_du,
                        double *dF_dr) {
  const int n = c->block, slips = at->size > at->s;
  for (int k = 0; k < n * n; k++) dF_du[k] = dF_dr[k] = 0;
  for (int i = 0; i < n; i++) dF_dr[i * (n + 1)] = 1;
  dF_dr[0] -= at->dy;
  dF_du[0] = at->rho * at->dy;
  for (int i = 0; i < at->tangents; i++) {
    double *du = dF_du + (1 + i) * n, *dr = dF_dr + (1 + i) * n;
    const double along = slips ? at->x[i] / at->size : 0;
    dr[0] -= along * p[MU] * at->dy;
    du[0] += along * p[MU] * at->dy * at->rho;
    for (int j = 0; j < at->tangents; j++) {
      const double same = i == j;
      const double dP = slips ? at->s / at->size * (same - along * at->x[j] / at->size) : same;
      dr[1 + j] -= at->soft * dP;
      du[1 + j] += at->soft * at->rho * dP;
    }
  }
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  const Point at = point_at(c, p, state, u, c->mass > 0 ? c->mass : 1, r);
  resolve(c, &at, F);
  for (int i = 0; i < c->block; i++) F[i] = r[i] - F[i];
  if (dF_du && dF_dr) derivatives(c, p, &at, dF_du, dF_dr);
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  const Point at = point_at(c, p, state, u, rho, r);
  resolve(c, &at, r);
  return DLS_OK;
}

/* The explicit scheme: normal force, spring with what this step adds, cut by Coulomb's disc.
 * Without a spring, what stops the slip of a solid sphere within the step: its mass there is 2/7
 * m. */
static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *out) {
  const double normal = force_at(p, -c->gap), limit = p[MU] * normal;
  out[0] = normal;
  for (int i = 1; i < c->block; i++) out[i] = 0;
  for (int i = 1; i < c->dim; i++)
    out[i] = p[K_T] > 0 ? -p[K_T] * (state[SPRING + i - 1] + c->h * u[i])
                        : -2.0 / 7 * c->mass / c->h * u[i];
  const double size = dls_law_length(out + 1, c->dim - 1);
  for (int i = 1; i < c->dim; i++) out[i] *= size > limit ? limit / size : 1;
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  state[OVERLAP] = fmax(0, overlap_after(c, p, u));
  for (int i = 1; i < c->dim; i++) state[SPRING + i - 1] = p[K_T] > 0 ? -r[i] / (c->h * p[K_T]) : 0;
  return DLS_OK;
}

/* Both springs; what else the bodies lose is friction and, without `midpoint`, the damping of the
 * implicit step. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  const double stretch = dls_law_length(state + SPRING, 2);
  const double before = stored_at(p, state[OVERLAP]) + 0.5 * p[K_T] * stretch * stretch;
  const double pull = dls_law_length(r + 1, c->dim - 1) / c->h;
  *stored = stored_at(p, overlap_after(c, p, u)) + (p[K_T] > 0 ? 0.5 * pull * pull / p[K_T] : 0);
  *dissipated = -dls_law_work(c, u, r) - (*stored - before);
  return DLS_OK;
}

static const DlsLaw elastic = {
    DLS_LAW_HEAD,
    .name = "elastic",
    .summary = "elastic contact, linear or Hertz's, with friction and a tangential spring",
    .description = "Implicit in the overlap, so that no step is too large for the stiffness.\n"
                   "Linear contacts are canonical; Hertz's solve their own relation.",
    .references =
        "Hertz 1881; Gonzalez 1996, J. Nonlinear Sci. 6; Brendel, Unger and Wolf 2004, sec. 1.2",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .begin = begin,
    .prepare = prepare,
    .residual = residual,
    .project = project,
    .force = force,
    .commit = commit,
    .energy = energy,
};

const DlsLaw *dls_law_entry(void) { return &elastic; }
