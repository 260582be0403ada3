/* The joint of two blocks as a cohesive zone with damage and friction (after Raous, Cangemi, Cocu
 * 1999 and Monerie, Acary 2001). Jump d = (d_N >= 0, d_T) since the bond was made, damage D:
 *   r_N = r_solid - h A t_N(d_N),   0 <= d_N ⟂ r_solid >= 0
 *   r_T = r_rub - h A t_T(d_T),     |r_rub| <= mu D r_solid, against u_T where it slides
 *   t_i = (1 - D) k_i d_i: the stress of the joint, elastic until
 *   s = |(d_N k_n/f_t, d_T k_t/c)| = 1; then D(s) = S (s - 1)/(s (S - 1)), linear softening, and
 *   s = S is the end:  1/S = (cos² / S_I + sin² / S_II),  S_I = 2 G_I k_n/f_t², S_II = 2 G_II
 *       k_t/c²,
 * cos and sin the shares of the two jumps in s. A constant mix of modes then ends where the works
 * obey W_I/G_I + W_II/G_II = 1. D never falls. At D = 1 it is Coulomb's law.
 *
 * A step is solved with the damage of its beginning, and stresses no higher than the strength at
 * that damage (t_N <= f_t (1-D) s_I(D), t_T alike): the relation stays monotone, with one solution
 * at any step. The damage of the new jump then counts. As an equation, with rho > 0 in kg and
 * z = r - rho u: F = r - R(z), R the resolvent: r - rho w = z at a velocity w that the law
 * allows. */
#include <delassus/law.h>

enum { K_N, K_T, F_T, C, G_I, G_II, MU, AREA, UNTIL, REACH };
static const DlsParam params[] = {
    [K_N] = {"k_n", "Pa/m", "normal stiffness of the joint", .value = 1e10, .min = 1,
             .max = DLS_NO_BOUND},
    [K_T] = {"k_t", "Pa/m", "tangential stiffness of the joint", .value = 5e9, .min = 1,
             .max = DLS_NO_BOUND},
    [F_T] = {"f_t", "Pa", "tensile strength", .value = 2e5, .min = 1e-3, .max = DLS_NO_BOUND},
    [C] = {"c", "Pa", "cohesion: shear strength without pressure", .value = 3e5, .min = 1e-3,
           .max = DLS_NO_BOUND},
    [G_I] = {"G_I", "J/m2", "fracture energy of opening", .value = 20, .min = 1e-9,
             .max = DLS_NO_BOUND},
    [G_II] = {"G_II", "J/m2", "fracture energy of shear", .value = 100, .min = 1e-9,
              .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient of the broken joint", .value = 0.7, .min = 0,
            .max = DLS_NO_BOUND},
    [AREA] = {"area", "m2",
              "of the joint that a contact stands for; 0: the contact's own where it is known, "
              "else pi R², R the reduced radius",
              .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [UNTIL] = {"until", "s", "contacts found up to this time are bonded", .value = 0,
               .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    [REACH] = {"reach", "m", "gap up to which a found contact is bonded", .value = 1e-6, .min = 0,
               .max = DLS_NO_BOUND},
};

enum { DAMAGE, OPENING, JUMP, STATES = JUMP + 2 }; /* JUMP + 0, 1: along t1, t2 */
static const DlsParam states[] = {
    {"damage", "1", "0 sound, 1 broken or never bonded", .value = 1, .min = 0, .max = 1},
    {"opening", "m", "normal jump since the bond was made", .value = 0, .min = 0,
     .max = DLS_NO_BOUND},
    DLS_VECTOR_STATE("jump", "m", "tangential jump since the bond was made", DLS_TANGENT),
};

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  state[DAMAGE] = c->time > p[UNTIL] || c->gap > p[REACH];
  return DLS_OK;
}

/* S of one mode: 1 where the energy is less than that of the elastic part, a brittle end. */
static double end_of(double G, double k, double strength) {
  return fmax(1, 2 * G * k / (strength * strength));
}

/* As far as a bond made at `reach` can open: S cos f_t/k_n at its end, the largest over all mixes
 * of modes. With x = cos and 1/S = x²/S_I + (1 - x²)/S_II that is x S at x² = (1/S_II)/(1/S_I -
 * 1/S_II) where this is below 1, and S_I else. */
static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  const double I = 1 / end_of(p[G_I], p[K_N], p[F_T]), II = 1 / end_of(p[G_II], p[K_T], p[C]);
  const double most = I > 2 * II ? 1 / (2 * sqrt(II * (I - II))) : 1 / I;
  return p[REACH] + most * p[F_T] / p[K_N];
}

static double damage_at(const double *p, double opening, double slip) {
  const double a = opening * p[K_N] / p[F_T], b = slip * p[K_T] / p[C], s = hypot(a, b);
  if (s <= 1) return 0;
  const double inverse =
      (a * a / end_of(p[G_I], p[K_N], p[F_T]) + b * b / end_of(p[G_II], p[K_T], p[C])) / (s * s);
  const double S = 1 / inverse;
  return s >= S ? 1 : S * (s - 1) / (s * (S - 1));
}

/* One spring of the joint in this step: impulse = stiffness * jump, no more than limit. */
typedef struct {
  double stiffness, limit; /* N s/m, N s */
} Spring;

/* s(D) = S / (S - D (S - 1)) is where the damage D was reached. */
static Spring spring_of(const DlsContact *c, const double *p, double damage, double k,
                        double strength, double G) {
  const double S = end_of(G, k, strength);
  const double sound = c->h * dls_law_area(c, p[AREA]) * (1 - damage);
  return (Spring){sound * k, sound * strength * S / (S - damage * (S - 1))};
}

static double pull(const Spring *spring, double jump) {
  return fmin(spring->stiffness * jump, spring->limit);
}

/* Normal part: y, dy/dz, and r_solid with its slope. */
typedef struct {
  double y, dy, solid, dsolid;
} Normal;

/* Along the opening x = d_N + h w >= 0: -pull(x) - rho (x - d_N)/h = z, else the solids meet. */
static Normal normal_part(const DlsContact *c, const double *p, const double *state, double rho,
                          double z) {
  const Spring spring = spring_of(c, p, state[DAMAGE], p[K_N], p[F_T], p[G_I]);
  const double weight = rho / c->h, away = weight * state[OPENING] - z;
  if (away <= 0) return (Normal){-away, 1, -away, 1};
  const double elastic = spring.stiffness * away / (weight + spring.stiffness);
  if (elastic > spring.limit) return (Normal){-spring.limit, 0, 0, 0};
  return (Normal){-elastic, spring.stiffness / (weight + spring.stiffness), 0, 0};
}

/* Tangential part: w in R² is the least point of the convex
 *   f(w) = Psi(|d + h w|) + s |w| + rho |w|²/2 + z.w,   h Psi' = pull,
 * and r_T = z + rho w = -(pull + rubbing). Where the rubbing holds w = 0. */
typedef struct {
  Spring spring;
  double h, d[2], s, rho, z[2];
} Sliding;

typedef struct {
  double w[2], r[2];
  double H[3]; /* f'': 11, 12, 22 */
  int holds;
} Tangent;

/* r and H at w; returns the gradient of f, without the kink at w = 0, in slope. */
static void slope_at(const Sliding *q, Tangent *at, double slope[2]) {
  const double *w = at->w, x[2] = {q->d[0] + q->h * w[0], q->d[1] + q->h * w[1]};
  const double size = dls_law_length(x, 2), speed = dls_law_length(w, 2), k = q->spring.stiffness;
  const double across = size > 0 ? pull(&q->spring, size) / size : k; /* secant, N s/m */
  const double along = k * size <= q->spring.limit ? k : 0, rub = speed > 0 ? q->s / speed : 0;
  const double e[2] = {size > 0 ? x[0] / size : 1, size > 0 ? x[1] / size : 0};
  const double g[2] = {speed > 0 ? w[0] / speed : 0, speed > 0 ? w[1] / speed : 0};
  const double turn = q->h * (along - across), isotropic = q->h * across + rub + q->rho;
  for (int i = 0; i < 2; i++) {
    at->r[i] = -across * x[i] - rub * w[i];
    slope[i] = q->rho * w[i] + q->z[i] - at->r[i];
  }
  at->H[0] = isotropic + turn * e[0] * e[0] - rub * g[0] * g[0];
  at->H[1] = turn * e[0] * e[1] - rub * g[0] * g[1];
  at->H[2] = isotropic + turn * e[1] * e[1] - rub * g[1] * g[1];
}

static double value_at(const Sliding *q, const double w[2]) {
  const double x[2] = {q->d[0] + q->h * w[0], q->d[1] + q->h * w[1]}, size = dls_law_length(x, 2);
  const double k = q->spring.stiffness, knee = k > 0 ? q->spring.limit / k : 0;
  const double in = fmin(size, knee), speed = dls_law_length(w, 2);
  const double psi = 0.5 * k * in * in + q->spring.limit * (size - in);
  return psi / q->h + q->s * speed + 0.5 * q->rho * speed * speed + q->z[0] * w[0] + q->z[1] * w[1];
}

static void solve_2(const double H[3], const double b[2], double out[2]) {
  const double det = H[0] * H[2] - H[1] * H[1];
  out[0] = (H[2] * b[0] - H[1] * b[1]) / det;
  out[1] = (H[0] * b[1] - H[1] * b[0]) / det;
}

/* One step of Newton's method, halved until f falls; 0 when it moves no more. Where H is singular
 * to round-off, down the slope instead. */
static int descend(const Sliding *q, const double slope[2], Tangent *at) {
  double step[2], next[2] = {0}, size = 1;
  if (at->H[0] * at->H[2] - at->H[1] * at->H[1] > 1e-12 * at->H[0] * at->H[2])
    solve_2(at->H, slope, step);
  else
    for (int i = 0; i < 2; i++) step[i] = slope[i] / (at->H[0] + at->H[2]);
  const double value = value_at(q, at->w), gain = slope[0] * step[0] + slope[1] * step[1];
  for (int half = 0; half < 30; half++, size *= 0.5) {
    for (int i = 0; i < 2; i++) next[i] = at->w[i] - size * step[i];
    if (value_at(q, next) <= value - 1e-4 * size * gain + 1e-15 * fabs(value)) break;
  }
  if (dls_law_length(step, 2) * size <= 1e-16 * dls_law_length(at->w, 2)) return 0;
  for (int i = 0; i < 2; i++) at->w[i] = next[i];
  return 1;
}

/* Without rubbing: x = d + h w lies along d - h z/rho, shortened by the spring. */
static Tangent pulled(const Sliding *q) {
  const double weight = q->rho / q->h, k = q->spring.stiffness;
  const double b[2] = {weight * q->d[0] - q->z[0], weight * q->d[1] - q->z[1]}; /* N s */
  const double size = dls_law_length(b, 2),
               e[2] = {size > 0 ? b[0] / size : 1, size > 0 ? b[1] / size : 0};
  const double elastic = k * size / (weight + k), force = fmin(elastic, q->spring.limit);
  const double along = elastic <= q->spring.limit ? q->h * k : 0; /* f'' beyond rho */
  const double across = size > force ? q->rho * force / (size - force) : 0;
  Tangent at = {.r = {-force * e[0], -force * e[1]}, .holds = 0};
  for (int i = 0; i < 2; i++) at.w[i] = (at.r[i] - q->z[i]) / q->rho;
  at.H[0] = q->rho + across + (along - across) * e[0] * e[0];
  at.H[1] = (along - across) * e[0] * e[1];
  at.H[2] = q->rho + across + (along - across) * e[1] * e[1];
  return at;
}

/* From where the spring, if it stays elastic, would end. */
static Tangent tangent_part(const DlsContact *c, const double *p, const double *state, double s,
                            double rho, const double z[2]) {
  Sliding q = {.h = c->h, .s = s, .rho = rho, .z = {z[0], z[1]}};
  Tangent at = {.holds = 0};
  double slope[2];
  q.spring = spring_of(c, p, state[DAMAGE], p[K_T], p[C], p[G_II]);
  for (int i = 0; i < 2; i++) q.d[i] = state[JUMP + i];
  if (s <= 0) return pulled(&q);
  slope_at(&q, &at, slope);
  const double trial = dls_law_length(slope, 2);
  if (trial <= s) return (Tangent){.r = {z[0], z[1]}, .holds = 1};
  const double first = (trial - s) / (trial * (rho + c->h * q.spring.stiffness));
  for (int i = 0; i < 2; i++) at.w[i] = -first * slope[i];
  for (int k = 0; k < 60; k++) {
    slope_at(&q, &at, slope);
    if (dls_law_length(slope, 2) <= 1e-15 * trial || !descend(&q, slope, &at)) break;
  }
  return at;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  out->cone = DLS_CONE_CUSTOM;
  if (state[DAMAGE] < 1) return DLS_OK;
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
  out->b[0] = c->gap_rate;
  return DLS_OK;
}

/* R(z); out may be z. */
static Normal resolve(const DlsContact *c, const double *p, const double *state, double rho,
                      const double *z, double *out, Tangent *tangent) {
  const Normal normal = normal_part(c, p, state, rho, z[0]);
  const double z_T[2] = {z[1], c->dim == 3 ? z[2] : 0};
  *tangent = tangent_part(c, p, state, p[MU] * state[DAMAGE] * normal.solid, rho, z_T);
  out[0] = normal.y;
  for (int i = 1; i < c->dim; i++) out[i] = tangent->r[i - 1];
  for (int i = c->dim; i < c->block; i++) out[i] = 0; /* no torque */
  return normal;
}

/* F = r - R(r - rho u): dF/dr = 1 - R', dF/du = rho R'. Where it slides dw = -H⁻¹ (dz + ds
 * w/|w|). */
static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1;
  double z[DLS_MAX_BLOCK] = {0}, at[DLS_MAX_BLOCK] = {0}, R[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0};
  Tangent tangent;
  for (int i = 0; i < n; i++) z[i] = r[i] - rho * u[i];
  const Normal normal = resolve(c, p, state, rho, z, at, &tangent);
  for (int i = 0; i < n; i++) F[i] = r[i] - at[i];
  if (!dF_du || !dF_dr) return DLS_OK;
  R[0] = normal.dy;
  const double speed = dls_law_length(tangent.w, 2), ds = p[MU] * state[DAMAGE] * normal.dsolid;
  for (int j = 0; j < c->dim; j++) {
    double push[2] = {j == 1, j == 2}, dw[2] = {0, 0};
    for (int i = 0; j == 0 && speed > 0 && i < 2; i++) push[i] = ds * tangent.w[i] / speed;
    if (!tangent.holds) solve_2(tangent.H, push, dw);
    for (int i = 1; i < c->dim; i++) R[i * n + j] = (i == j) - rho * dw[i - 1];
  }
  for (int k = 0; k < n * n; k++) {
    dF_dr[k] = (k % (n + 1) == 0) - R[k];
    dF_du[k] = rho * R[k];
  }
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  Tangent tangent;
  for (int i = 0; i < c->block; i++) r[i] -= rho * u[i];
  (void)resolve(c, p, state, rho, r, r, &tangent);
  return DLS_OK;
}

/* The joint after the step; once broken it keeps nothing. */
static void joint_after(const DlsContact *c, const double *p, const double *u, const double *state,
                        double *out) {
  double jump[2] = {state[JUMP], state[JUMP + 1]};
  for (int k = 0; k < STATES; k++) out[k] = 0;
  out[DAMAGE] = 1;
  if (state[DAMAGE] >= 1) return;
  for (int i = 1; i < c->dim; i++) jump[i - 1] += c->h * u[i];
  const double opening = fmax(0, state[OPENING] + c->h * u[0]);
  out[DAMAGE] = fmax(state[DAMAGE], damage_at(p, opening, dls_law_length(jump, 2)));
  if (out[DAMAGE] >= 1) return;
  out[OPENING] = opening;
  for (int i = 0; i < 2; i++) out[JUMP + i] = jump[i];
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)r;
  double next[STATES];
  joint_after(c, p, u, state, next);
  for (int k = 0; k < STATES; k++) state[k] = next[k];
  return DLS_OK;
}

/* J, A (1 - D) (k_n d_N² + k_t d_T²) / 2. */
static double stored_in(const DlsContact *c, const double *p, const double *state) {
  const double slip = dls_law_length(state + JUMP, 2);
  const Spring normal = spring_of(c, p, state[DAMAGE], p[K_N], p[F_T], p[G_I]);
  const Spring tangent = spring_of(c, p, state[DAMAGE], p[K_T], p[C], p[G_II]);
  return 0.5 / c->h *
         (normal.stiffness * state[OPENING] * state[OPENING] + tangent.stiffness * slip * slip);
}

static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  double next[STATES];
  joint_after(c, p, u, state, next);
  *stored = stored_in(c, p, next);
  *dissipated = -dls_law_work(c, u, r) - (*stored - stored_in(c, p, state));
  return DLS_OK;
}

static const DlsLaw mortar = {
    DLS_LAW_HEAD,
    .name = "mortar",
    .summary = "masonry joint: cohesive zone with damage, fracture energies and friction",
    .description = "Bonds are made of the contacts found at the start; they soften linearly in\n"
                   "opening, shear and both, never heal, and leave dry friction.",
    .references = "Raous, Cangemi, Cocu 1999, Comput. Methods Appl. Mech. Engrg. 177; Monerie, "
                  "Acary 2001, Rev. Eur. Elem. Finis 10; Camanho, Davila 2002, NASA TM-211737",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_CLOCK | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .range = range,
    .begin = begin,
    .prepare = prepare,
    .residual = residual,
    .project = project,
    .commit = commit,
    .energy = energy,
};

const DlsLaw *dls_law_entry(void) { return &mortar; }
