/* Hysteretic contact of Walton and Braun (1986), with the adhesion of Luding (2008): loading along
 * a soft branch, unloading along a stiff one, so that the work between them is lost at any speed.
 * Overlap x = -gap, largest so far X, rest overlap x0 = (1 - k1/k2) X:
 *   f = k1 x             loading
 *   f = k2 (x - x0)      unloading and loading again, up to k1 x
 *   f = -kc x            where that would pull harder
 * On the last branch X falls with x: the contact forgets. Without adhesion a ball leaves with
 * sqrt(k1/k2) of its speed.
 * Tangent: a spring s in series with Coulomb's slider, |f_T| <= mu (f + kc x). */
#include <delassus/law_spring.h>

enum { K1, K2, KC, MU, KT };
static const DlsParam params[] = {
    [K1] = {"k1", "N/m", "stiffness of loading", .value = 1e5, .min = 1e-9, .max = DLS_NO_BOUND},
    [K2] = {"k2", "N/m", "stiffness of unloading; k1 where that is more", .value = 2e5, .min = 0,
            .max = DLS_NO_BOUND},
    [KC] = {"kc", "N/m", "stiffness of adhesion", .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient", .value = 0.3, .min = 0, .max = DLS_NO_BOUND},
    [KT] = {"kt", "N/m", "tangential stiffness", .value = 5e4, .min = 1e-9, .max = DLS_NO_BOUND},
};

enum { LARGEST, SPRING };
static const DlsParam states[] = {
    [LARGEST] = {"largest", "m", "X, the largest overlap so far", .value = 0, .min = 0,
                 .max = DLS_NO_BOUND},
    DLS_VECTOR_STATE("spring", "m", "elongation of the tangential spring", DLS_TANGENT),
};

/* The normal force at an overlap, its slope df/dx, and X after it. */
typedef struct {
  double force, slope, largest;
} Normal;

static Normal normal_at(const double *p, double largest, double x) {
  const double k2 = fmax(p[K2], p[K1]), X = fmax(largest, x), rest = (1 - p[K1] / k2) * X;
  if (x <= 0) return (Normal){0, 0, largest};
  if (x >= largest) return (Normal){p[K1] * x, p[K1], x};
  const double elastic = k2 * (x - rest);
  if (elastic >= -p[KC] * x) return (Normal){elastic, k2, largest};
  return (Normal){-p[KC] * x, -p[KC], (k2 + p[KC]) / (k2 - p[K1]) * x};
}

static DlsStatus traction(const DlsContact *c, const double *p, const double *state,
                          const double *jump, const double *u, double *t, double *dt_djump,
                          double *dt_du, double *next) {
  (void)u;
  const int n = c->block;
  const double x = -jump[0];
  const Normal normal = normal_at(p, state[LARGEST], x);
  const double limit = x > 0 ? p[MU] * (normal.force + p[KC] * x) : 0;
  const double limit_slope = x > 0 ? p[MU] * (normal.slope + p[KC]) : 0; /* d/dx */
  for (int i = 0; i < n; i++) t[i] = 0;
  t[0] = normal.force;
  for (int k = 0; dt_djump && dt_du && k < n * n; k++) dt_djump[k] = dt_du[k] = 0;
  if (dt_djump) dt_djump[0] = -normal.slope;
  dls_law_spring(c, p[KT], limit, -limit_slope, state + SPRING, jump, t, dt_djump,
                 next ? next + SPRING : NULL);
  if (next) next[LARGEST] = normal.largest;
  return DLS_OK;
}

/* J in the contact that unloading gives back. */
static double stored_at(const double *p, double largest, double x) {
  const double k2 = fmax(p[K2], p[K1]);
  const Normal normal = normal_at(p, largest, x);
  return normal.force > 0 ? 0.5 * normal.force * normal.force / k2 : 0;
}

static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  const double before = dls_law_length(state + SPRING, 2), pull = dls_law_length(r + 1, c->dim - 1);
  const double held =
      stored_at(p, state[LARGEST], fmin(-c->gap, state[LARGEST])) + 0.5 * p[KT] * before * before;
  *stored = stored_at(p, state[LARGEST], -(c->gap + c->h * u[0])) +
            0.5 * pull * pull / (c->h * c->h * p[KT]);
  *dissipated = -dls_law_work(c, u, r) - (*stored - held);
  return DLS_OK;
}

static const DlsLaw walton_braun = {
    DLS_LAW_HEAD,
    .name = "walton-braun",
    .summary = "hysteretic springs: soft to load, stiff to unload, with adhesion and friction",
    .references = "Walton and Braun 1986, J. Rheol. 30; Luding 2008, Granular Matter 10",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .traction = traction,
    .energy = energy,
};

const DlsLaw *dls_law_entry(void) { return &walton_braun; }
