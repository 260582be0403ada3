/* Kelvin and Voigt's contact within the implicit step: a spring, linear or Hertz's, and a dashpot
 * beside it; it never pulls. With the overlap x and q = (n + 1)/2,
 *   force(x, x') = max(0, k x^n + g x^(q-1) x')   for x > 0,   x1 = -(gap + h u_N), x' = -u_N.
 * The power of the dashpot is the one that makes restitution independent of the speed of impact:
 * with X = x^q, v = x', the motion is  v dv/dX + g/(q m) v + k/(q m) X = 0,  that of a linear
 * oscillator of damping ratio  zeta = g / (2 sqrt(q k m)).  It ends where the force does, at
 *   e = exp(-2 y cot y),   zeta = cos y   (zeta <= 1);     e = exp(-2 y coth y),   zeta = cosh y.
 * n = 1 is canonical: û_N = u_N + k gap/D + r_N/(h D), D = k h + g; a contact that is still open
 * has no dashpot. For other n the law solves its own relation, F = r - R(r - rho u), R its
 * resolvent: the normal part y solves  y = h force(x),  y + rho x/h = r_N - rho (u_N + gap/h). */
#include <delassus/law.h>

enum { K, EXPONENT, DAMPING, RESTITUTION, MU };
static const DlsParam params[] = {
    [K] = {"k", "N/m^exponent", "stiffness: force at an overlap of 1 m", .value = 1e5, .min = 1e-9,
           .max = DLS_NO_BOUND},
    [EXPONENT] = {"exponent", "1", "n: 1 linear, 1.5 Hertz", .value = 1, .min = 1, .max = 4},
    [DAMPING] = {"damping", "N s/m^((exponent+1)/2)", "g of the dashpot", .value = 0, .min = 0,
                 .max = DLS_NO_BOUND},
    [RESTITUTION] = {"restitution", "1",
                     "of a free impact, sets g in place of damping; 0: it does not", .value = 0,
                     .min = 0, .max = 1},
    [MU] = {"mu", "1", "friction coefficient", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

enum { OVERLAP };
static const DlsParam states[] = {
    [OVERLAP] = {"overlap", "m", "at the end of the last step", .value = 0, .min = 0,
                 .max = DLS_NO_BOUND},
};

/* -ln e as a function of s = y² (zeta < 1) or -y² (zeta > 1): 2 y cot y, then 2 y coth y; it falls
 * with s, through 2 at s = 0. */
static double losses(double s) {
  const double y = sqrt(fabs(s));
  if (y < 1e-4) return 2 - 2 * s / 3;
  return s > 0 ? 2 * y / tan(y) : 2 * y / tanh(y);
}

/* The damping ratio of a restitution, by halving: from y = pi/2 (e = 1) down past any e > 0. */
static double damping_ratio(double e) {
  const double wanted = -log(e), half_pi = 1.57079632679489661923;
  double high = half_pi * half_pi, low = -(0.25 * wanted * wanted + 1);
  for (int i = 0; i < 80; i++) {
    const double middle = 0.5 * (low + high);
    if (losses(middle) > wanted)
      low = middle;
    else
      high = middle;
  }
  return high > 0 ? cos(sqrt(high)) : cosh(sqrt(-high));
}

/* g. Where there is no reduced mass nothing can move, and restitution asks for nothing. */
static DlsStatus dashpot(const DlsContact *c, const double *p, double *out) {
  *out = p[DAMPING];
  if (p[RESTITUTION] == 0 || !(c->mass > 0)) return DLS_OK;
  const double q = 0.5 * (p[EXPONENT] + 1), ratio = damping_ratio(p[RESTITUTION]);
  *out = p[RESTITUTION] < 1 ? 2 * ratio * sqrt(q * p[K] * c->mass) : 0;
  return isfinite(*out) ? DLS_OK : DLS_ERR_LAW;
}

static double stored_at(const double *p, double x) {
  return x > 0 ? p[K] * pow(x, p[EXPONENT] + 1) / (p[EXPONENT] + 1) : 0;
}

/* The force at overlap x and rate x' = (gap + x)/h, and its slope along x. */
static double step_force(const DlsContact *c, const double *p, double g, double x, double *slope) {
  *slope = 0;
  if (x <= 0) return 0;
  const double n = p[EXPONENT], q = 0.5 * (n + 1), rate = (c->gap + x) / c->h;
  const double spring = p[K] * pow(x, n), drag = g * pow(x, q - 1);
  if (spring + drag * rate <= 0) return 0;
  *slope = n * spring / x + drag * ((q - 1) * rate / x + 1 / c->h);
  return spring + drag * rate;
}

/* y of the head, and dy/dz for z = r_N - rho u_N: the left side rises with x (where the force is
 * positive, its slope is at least q k x^(n-1)). Newton's method within brackets that halve. */
static double normal_part(const DlsContact *c, const double *p, double g, double rho, double z,
                          double *dy_dz) {
  const double weight = rho / c->h, target = z - weight * c->gap;
  double slope, force = 0;
  *dy_dz = 0;
  if (target <= 0) return 0;
  /* Where the spring alone is the target, or the dashpot no longer takes from it. */
  const double beyond = fmax(-c->gap, pow(target / (c->h * p[K]), 1 / p[EXPONENT]));
  double low = 0, high = fmin(target / weight, beyond), x = high;
  for (int i = 0; i < 200; i++) {
    force = step_force(c, p, g, x, &slope);
    const double excess = c->h * force + weight * x - target;
    if (excess > 0)
      high = x;
    else
      low = x;
    double next = x - excess / (c->h * slope + weight);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (fabs(next - x) <= 1e-16 * x || next == low || next == high) break;
    x = next;
  }
  force = step_force(c, p, g, x, &slope);
  *dy_dz = c->h * slope / (c->h * slope + weight);
  /* Where the force is stiffer than rho / h (n just above 1: a dashpot that starts nearly at once),
   * what is left of the target has lost fewer digits. */
  return c->h * slope > weight ? target - weight * x : c->h * force;
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  (void)p;
  state[OVERLAP] = fmax(0, -c->gap);
  return DLS_OK;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  double g;
  DLS_TRY(dashpot(c, p, &g));
  if (p[EXPONENT] != 1) {
    out->cone = DLS_CONE_CUSTOM;
    return DLS_OK;
  }
  const double drag = c->gap > 0 ? 0 : g, D = p[K] * c->h + drag;
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
  out->b[0] = p[K] * c->gap / D;
  out->C[0] = 1 / (c->h * D);
  return DLS_OK;
}

/* R(z) = (y, P_s(z_T)), z = r - rho u, s = mu y; out may be z. Returns dy/dz. */
static double resolve(const DlsContact *c, const double *p, double g, double rho, const double *z,
                      double *out) {
  double dy;
  const double size = dls_law_length(z + 1, c->dim - 1), y = normal_part(c, p, g, rho, z[0], &dy);
  const double scale = size > p[MU] * y ? p[MU] * y / size : 1;
  out[0] = y;
  for (int i = 1; i < c->dim; i++) out[i] = scale * z[i];
  for (int i = c->dim; i < c->block; i++) out[i] = 0; /* no torque */
  return dy;
}

/* F = r - R(r - rho u). */
static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1;
  double g, z[DLS_MAX_BLOCK] = {0}, at[DLS_MAX_BLOCK] = {0};
  DLS_TRY(dashpot(c, p, &g));
  for (int i = 0; i < n; i++) z[i] = r[i] - rho * u[i];
  const double dy = resolve(c, p, g, rho, z, at);
  for (int i = 0; i < n; i++) F[i] = r[i] - at[i];
  if (!dF_du || !dF_dr) return DLS_OK;
  dls_law_disc_slopes(c, z, rho, p[MU] * at[0], dy, p[MU] * dy, dF_du, dF_dr);
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  double g;
  DLS_TRY(dashpot(c, p, &g));
  for (int i = 0; i < c->block; i++) r[i] -= rho * u[i];
  (void)resolve(c, p, g, rho, r, r);
  return DLS_OK;
}

/* The explicit scheme: at this overlap and rate; friction stops the slip of a solid sphere, whose
 * mass there is 2/7 m, within the step, or slides. */
static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *out) {
  (void)state;
  const double x = -c->gap, n = p[EXPONENT];
  double g;
  DLS_TRY(dashpot(c, p, &g));
  for (int i = 0; i < c->block; i++) out[i] = 0;
  if (x > 0) out[0] = fmax(0, p[K] * pow(x, n) - g * pow(x, 0.5 * (n - 1)) * u[0]);
  const double drag = 2.0 / 7 * c->mass / c->h, limit = p[MU] * out[0];
  const double size = drag * dls_law_length(u + 1, c->dim - 1);
  for (int i = 1; i < c->dim; i++) out[i] = -drag * u[i] * (size > limit ? limit / size : 1);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p;
  (void)r;
  state[OVERLAP] = fmax(0, -(c->gap + c->h * u[0]));
  return DLS_OK;
}

/* The spring's energy: where the force has ended before the overlap, it goes with the overlap. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  *stored = stored_at(p, -(c->gap + c->h * u[0]));
  *dissipated = -dls_law_work(c, u, r) - (*stored - stored_at(p, state[OVERLAP]));
  return DLS_OK;
}

static const DlsLaw viscoelastic = {
    DLS_LAW_HEAD,
    .name = "viscoelastic",
    .summary = "spring and dashpot, linear or Hertz's, by damping or by restitution, with friction",
    .description = "Implicit in overlap and rate, so that no step is too large for the stiffness.\n"
                   "Linear contacts are canonical; Hertz's solve their own relation.",
    .references = "Tsuji, Tanaka, Ishida 1992, Powder Technology 71; Schwager, Poeschel 2007, "
                  "Granular Matter 9; Antypov, Elliott 2011, EPL 94",
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

const DlsLaw *dls_law_entry(void) { return &viscoelastic; }
