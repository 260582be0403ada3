/* A cohesive zone with energies per area: bilinear, opening and shear mixed, friction as it breaks.
 * Jump since the bond was made d = (d_N, d_T), damage D, t the stress on the candidate:
 *   t_N = k_n <-d_N> - (1 - D) k_n <d_N>
 *   t_T = -(1 - D) k_t d_T - D k_t (d_T - slid),   k_t |d_T - slid| <= mu k_n <-d_N>
 *   s = |(<d_N> k_n/f_t, d_T k_t/c)|,   D(s) = (s - 1)/(s (1 - elastic)) from s = 1 to 1/elastic
 * (Alfano, Sacco 2006; Camanho, Davila 2002). `elastic` is the share of the fracture energy that is
 * elastic at the peak, k_n = f_t²/(2 elastic G_I), k_t = c²/(2 elastic G_II): a constant mix of
 * modes ends at s = 1/elastic, where the works per area obey W_I/G_I + W_II/G_II = 1. D never
 * falls.
 *
 * A step is made with the damage of its beginning, and stresses no higher than the strength at that
 * damage, (1 - D) s(D) f_t and c alike, s(D) = 1/(1 - D (1 - elastic)): one answer at any step,
 * where softening within it would have several once h² A times its slope passes the mass. The
 * damage of the new jump counts from the next step on. */
#include <delassus/law.h>

enum { F_T, C, G_I, G_II, ELASTIC, MU, UNTIL, REACH };
static const DlsParam params[] = {
    [F_T] = {"f_t", "Pa", "tensile strength", .value = 2e5, .min = 1e-3, .max = DLS_NO_BOUND},
    [C] = {"c", "Pa", "shear strength", .value = 3e5, .min = 1e-3, .max = DLS_NO_BOUND},
    [G_I] = {"G_I", "J/m2", "fracture energy of opening", .value = 20, .min = 0.01,
             .max = DLS_NO_BOUND},
    [G_II] = {"G_II", "J/m2", "fracture energy of shear", .value = 100, .min = 0.01,
              .max = DLS_NO_BOUND},
    [ELASTIC] = {"elastic", "1", "share of these that is elastic at the peak", .value = 0.1,
                 .min = 0.01, .max = 1},
    [MU] = {"mu", "1", "friction coefficient of what is broken", .value = 0.7, .min = 0,
            .max = DLS_NO_BOUND},
    [UNTIL] = {"until", "s", "contacts found up to this time are bonded", .value = 0,
               .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    [REACH] = {"reach", "m", "gap up to which a found contact is bonded", .value = 1e-6, .min = 0,
               .max = DLS_NO_BOUND},
};

enum { DAMAGE, REST, JUMP, SLID = JUMP + 2 };
static const DlsParam states[] = {
    {"damage", "1", "0 sound, 1 broken or never bonded", .value = 1, .min = 0, .max = 1},
    {"rest", "m", "gap at which the bond was made", .value = 0, .min = -DLS_NO_BOUND,
     .max = DLS_NO_BOUND},
    DLS_VECTOR_STATE("jump", "m", "tangential jump since the contact was found", DLS_JUMP),
    DLS_VECTOR_STATE("slid", "m", "of which what is broken has slid", DLS_TANGENT),
};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[REACH] + 2 * p[G_I] / p[F_T];
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  state[DAMAGE] = c->time > p[UNTIL] || c->gap > p[REACH];
  state[REST] = state[DAMAGE] < 1 ? c->gap : 0;
  return DLS_OK;
}

/* Pa/m. */
static double stiffness(const double *p, double strength, double G) {
  return strength * strength / (2 * p[ELASTIC] * G);
}

/* No less than before. */
static double damage_at(const double *p, double before, double opening, const double *slip) {
  const double a = 2 * p[ELASTIC] * p[G_I] / p[F_T], b = 2 * p[ELASTIC] * p[G_II] / p[C];
  const double s = hypot(opening / a, dls_law_length(slip, 2) / b);
  return s <= 1 ? before : fmin(1, fmax(before, (s - 1) / (s * (1 - p[ELASTIC]))));
}

/* A spring of stiffness k along x in the plane whose pull is no more than limit: the part of k that
 * holds, and the slope of hold * x, [2][2]. */
static double spring(const double *x, double k, double limit, double slope[4]) {
  const double size = dls_law_length(x, 2);
  const int slides = k * size > limit;
  const double hold = slides ? limit / (k * size) : 1;
  for (int e = 0; e < 4; e++) {
    const double same = e % 3 == 0;
    slope[e] = slides ? hold * (same - x[e / 2] / size * (x[e % 2] / size)) : same;
  }
  return hold;
}

static DlsStatus traction(const DlsContact *c, const double *p, const double *state,
                          const double *jump, const double *u, double *t, double *dt_djump,
                          double *dt_du, double *next) {
  (void)u;
  const int n = c->block;
  const double k_n = stiffness(p, p[F_T], p[G_I]), k_t = stiffness(p, p[C], p[G_II]);
  const double D = state[DAMAGE], sound = 1 - D, s = 1 / (1 - D * (1 - p[ELASTIC]));
  const double d_N = jump[0] - state[REST], d_T[2] = {jump[1], c->dim == 3 ? jump[2] : 0};
  const double bent[2] = {d_T[0] - state[SLID], d_T[1] - state[SLID + 1]};
  const double press = k_n * fmax(-d_N, 0), pull = fmin(k_n * fmax(d_N, 0), s * p[F_T]);
  double bond_slope[4], rub_slope[4];
  const double bond = spring(d_T, k_t, s * p[C], bond_slope);
  const double rub = spring(bent, k_t, p[MU] * press, rub_slope), size = dls_law_length(bent, 2);
  for (int i = 0; i < n; i++) t[i] = 0;
  t[0] = press - sound * pull;
  for (int i = 1; i < c->dim; i++)
    t[i] = -k_t * (sound * bond * d_T[i - 1] + D * rub * bent[i - 1]);
  if (next) {
    next[DAMAGE] = damage_at(p, D, fmax(d_N, 0), d_T);
    /* What has just broken is not bent yet: D (d_T - slid), the force, is as before. */
    const double share = next[DAMAGE] > 0 ? D / next[DAMAGE] : 0;
    for (int i = 0; i < 2; i++) next[SLID + i] = d_T[i] - share * rub * bent[i];
  }
  if (!dt_djump || !dt_du) return DLS_OK;
  for (int k = 0; k < n * n; k++) dt_djump[k] = dt_du[k] = 0;
  dt_djump[0] = d_N <= 0 ? -k_n : k_n * d_N <= s * p[F_T] ? -sound * k_n : 0;
  for (int i = 1; i < c->dim; i++) {
    if (rub < 1 && d_N < 0) dt_djump[i * n] = D * p[MU] * k_n * bent[i - 1] / size;
    for (int j = 1; j < c->dim; j++) {
      const int e = 2 * (i - 1) + j - 1;
      dt_djump[i * n + j] = -k_t * (sound * bond_slope[e] + D * rub_slope[e]);
    }
  }
  return DLS_OK;
}

/* J/m2. */
static double stored_at(const double *p, double d_N, const double *state) {
  const double k_n = stiffness(p, p[F_T], p[G_I]), k_t = stiffness(p, p[C], p[G_II]);
  const double sound = 1 - state[DAMAGE], slip = dls_law_length(state + JUMP, 2);
  const double rest[2] = {state[JUMP] - state[SLID], state[JUMP + 1] - state[SLID + 1]};
  const double bent = dls_law_length(rest, 2);
  return 0.5 * k_n * (d_N > 0 ? sound : 1) * d_N * d_N +
         0.5 * k_t * (sound * slip * slip + state[DAMAGE] * bent * bent);
}

/* Springs stored, of what is sound and of what is broken and rubs; the rest is damage, friction and
 * the damping of the step. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  double jump[DLS_MAX_BLOCK] = {0}, next[SLID + 2], t[DLS_MAX_BLOCK];
  for (int i = 0; i < SLID + 2; i++) next[i] = state[i];
  for (int i = 0; i < c->dim; i++) {
    jump[i] = (i == 0 ? c->gap : state[JUMP + i - 1]) + c->h * u[i];
    if (i > 0) next[JUMP + i - 1] = jump[i];
  }
  DLS_TRY(traction(c, p, state, jump, u, t, NULL, NULL, next));
  *stored = c->area * stored_at(p, jump[0] - next[REST], next);
  *dissipated =
      -dls_law_work(c, u, r) - (*stored - c->area * stored_at(p, c->gap - state[REST], state));
  return DLS_OK;
}

static const char *const statuses[] = {"bonded", "softening", "broken"};

static DlsStatus report(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, int *status, double *friction_limit, double *outputs) {
  (void)u;
  (void)outputs;
  if (state[DAMAGE] < 1) *status = state[DAMAGE] > 0;
  if (state[DAMAGE] >= 1 && r[0] == 0 && c->gap > state[REST]) *status = 2;
  if (state[DAMAGE] >= 1) *friction_limit = p[MU] * fmax(r[0], 0);
  return DLS_OK;
}

static const DlsLaw cohesive_zone = {
    DLS_LAW_HEAD,
    .name = "cohesive-zone",
    .summary = "bilinear cohesive zone: fracture energies per area, mixed modes, friction",
    .description = "A stress that follows from the jump: between faces, whose contacts have areas.",
    .references = "Alfano, Sacco 2006, Int. J. Numer. Meth. Engng 68; Camanho, Davila 2002, NASA "
                  "TM-211737",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_CLOCK | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .per_area = 1,
    .statuses = statuses,
    .nstatuses = DLS_COUNT(statuses),
    .range = range,
    .begin = begin,
    .traction = traction,
    .energy = energy,
    .report = report,
};

const DlsLaw *dls_law_entry(void) { return &cohesive_zone; }
