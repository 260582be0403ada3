/* Springs and dashpots (Cundall and Strack 1979), for the explicit scheme; with Hertz's and
 * Mindlin's stiffness as an option. Overlap d = -gap > 0, elongation x of the tangential spring, f
 * the force on the candidate:
 *   f_N = k_n d - gamma_n u_N
 *   f_T = -k_t x - gamma_t u_T,  shortened to |f_T| <= mu max(f_N, 0);
 *       dx/dt = u_T, |k_t x| <= mu max(f_N, 0)
 * Hertz-Mindlin, S = 2 E' sqrt(R d): k_n d becomes 2/3 S d, and k_t = 8 G' sqrt(R d).
 * x turns with the pair: the core sees to it. */
#include <delassus/law.h>

enum { KN, GAMMA_N, RESTITUTION, KT, GAMMA_T, MU, NO_PULL, YOUNG, POISSON };
static const DlsParam params[] = {
    [KN] = {"kn", "N/m", "normal stiffness", .value = 1e5, .min = 0, .max = DLS_NO_BOUND},
    [GAMMA_N] = {"gamma_n", "N s/m", "normal damping", .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [RESTITUTION] = {"restitution", "1", "above 0: damping that gives it, in the place of gamma_n",
                     .value = 0, .min = 0, .max = 1},
    [KT] = {"kt", "N/m", "tangential stiffness", .value = 2e4, .min = 0, .max = DLS_NO_BOUND},
    [GAMMA_T] = {"gamma_t", "N s/m", "tangential damping", .value = 0, .min = 0,
                 .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient", .value = 0.3, .min = 0, .max = DLS_NO_BOUND},
    [NO_PULL] = {"no_pull", "1", "1: the dashpot never pulls the bodies together", .value = 0,
                 .min = 0, .max = 1},
    [YOUNG] = {"young", "Pa", "above 0: Hertz-Mindlin, in the place of kn and kt", .value = 0,
               .min = 0, .max = DLS_NO_BOUND},
    [POISSON] = {"poisson", "1", "Poisson's ratio, for Hertz-Mindlin", .value = 0.3, .min = -0.99,
                 .max = 0.5},
};

static const DlsParam states[] = {
    DLS_VECTOR_STATE("stretch", "m", "tangential spring", DLS_TANGENT),
};

/* The normal spring at an overlap, and what follows from it. */
typedef struct {
  double overlap, push, energy; /* m, N, J */
  double gamma_n, kt;           /* N s/m, N/m */
} Spring;

static Spring spring_at(const DlsContact *c, const double *p, double gap) {
  const double overlap = gap < 0 ? -gap : 0;
  Spring s = {overlap, p[KN] * overlap, 0.5 * p[KN] * overlap * overlap, p[GAMMA_N], p[KT]};
  double stiffness = p[KN], share = 1;
  if (p[YOUNG] > 0) {
    const double nu = p[POISSON], root = sqrt(c->radius * overlap);
    stiffness = p[YOUNG] / (1 - nu * nu) * root; /* S, E' = E / (2 (1 - nu^2)) */
    s.push = 2.0 / 3 * stiffness * overlap;
    s.energy = 4.0 / 15 * stiffness * overlap * overlap;
    s.kt = 2 * p[YOUNG] / ((1 + nu) * (2 - nu)) * root; /* 8 G', G' = E / (4 (1 + nu) (2 - nu)) */
    share = sqrt(5.0 / 6);                              /* Tsuji, Tanaka and Ishida 1992 */
  }
  if (p[RESTITUTION] > 0) {
    const double pi = 3.14159265358979323846, loss = -log(p[RESTITUTION]);
    s.gamma_n = 2 * share * loss / hypot(pi, loss) * sqrt(stiffness * c->mass);
  }
  return s;
}

/* Shortens a vector of the tangent plane to the limit. */
static void shorten(double *v, double limit) {
  const double length = hypot(v[0], v[1]);
  for (int i = 0; i < 2 && length > limit; i++) v[i] *= limit / length;
}

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *f) {
  const Spring s = spring_at(c, p, c->gap);
  double pull[2] = {0, 0};
  for (int i = 0; i < c->block; i++) f[i] = 0;
  if (s.overlap == 0) return DLS_OK;
  f[0] = s.push - s.gamma_n * u[0];
  if (p[NO_PULL] != 0 && f[0] < 0) f[0] = 0;
  /* The elongation in the middle of the step, after its first half. */
  for (int i = 0; i + 1 < c->dim; i++)
    pull[i] = -s.kt * (state[i] + 0.5 * c->h * c->u_before[1 + i]) - p[GAMMA_T] * u[1 + i];
  shorten(pull, p[MU] * fmax(f[0], 0));
  for (int i = 0; i + 1 < c->dim; i++) f[1 + i] = pull[i];
  return DLS_OK;
}

/* The elongation at the end of the step, in t1, t2. */
static void stretch_after(const DlsContact *c, const double *p, const double *u, const double *r,
                          const double *state, double out[2]) {
  const Spring s = spring_at(c, p, c->gap);
  for (int i = 0; i < 2; i++) out[i] = state[i];
  for (int i = 0; i + 1 < c->dim; i++) out[i] += 0.5 * c->h * (c->u_before[1 + i] + u[1 + i]);
  if (s.overlap == 0 || s.kt == 0)
    out[0] = out[1] = 0;
  else
    shorten(out, p[MU] * fmax(r[0] / c->h, 0) / s.kt);
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  double stretch[2];
  stretch_after(c, p, u, r, state, stretch);
  for (int i = 0; i < 2; i++) state[i] = stretch[i];
  return DLS_OK;
}

/* Stored: both springs at the end of the step. Dissipated: by the dashpots, by sliding, and what a
 * spring gives to nobody where no_pull cuts the force. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  const Spring middle = spring_at(c, p, c->gap);
  const Spring end = spring_at(c, p, c->gap + 0.5 * c->h * u[0]);
  double after[2];
  stretch_after(c, p, u, r, state, after);
  *stored = end.energy;
  *dissipated = 0.5 * (middle.push * c->h - r[0]) * (u[0] + c->u_before[0]);
  for (int i = 0; i + 1 < c->dim; i++) {
    *stored += 0.5 * middle.kt * after[i] * after[i];
    *dissipated -= 0.5 * r[1 + i] * (u[1 + i] + c->u_before[1 + i]);
    *dissipated -= 0.5 * middle.kt * (after[i] * after[i] - state[i] * state[i]);
  }
  return DLS_OK;
}

static const DlsLaw spring_dashpot = {
    DLS_LAW_HEAD,
    .name = "spring-dashpot",
    .summary = "springs and dashpots with a friction limit, linear or Hertz-Mindlin",
    .references = "Cundall and Strack 1979; Mindlin and Deresiewicz 1953; Tsuji et al. 1992",
    .params = params,
    .nparams = DLS_COUNT(params),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .states = states,
    .nstates = DLS_COUNT(states),
    .force = force,
    .commit = commit,
    .energy = energy,
};

const DlsLaw *dls_law_entry(void) { return &spring_dashpot; }
