/* Wear of sliding surfaces (Archard 1953), alone with friction or after another law.
 *   dV = k f_N |u_T| dt / hardness       m3, what the two surfaces lose together
 * Each side remembers what it lost at the patch where it was touched, and how deep that is. A worn
 * surface stands back: the solids touch where the gap and both depths d are g + d1 + d2 = 0, so
 * that
 *   b_N = gap_rate(g) becomes (g + d)/h where that is >= 0,   d = d1 + d2
 * and a body sinks into what it has worn. Where the law before is soft (C_N > 0) and sees the gap
 * itself, its b_N gets d/h. */
#include <delassus/law.h>

enum { K, HARDNESS, AREA, SHARE, MU };
static const DlsParam params[] = {
    [K] = {"k", "1", "Archard's coefficient", .value = 1e-4, .min = 0, .max = DLS_NO_BOUND},
    [HARDNESS] = {"hardness", "Pa", "of the softer surface", .value = 1e9, .min = 1e-3,
                  .max = DLS_NO_BOUND},
    [AREA] = {"area", "m2",
              "over which what a contact wears off is spread, where it does not tell its own; 0: "
              "volumes are counted, and no depth",
              .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [SHARE] = {"share", "1",
               "part of it that a body loses to a boundary, which loses the rest; two bodies lose "
               "half each",
               .value = 0.5, .min = 0, .max = 1},
    [MU] = {"mu", "1", "friction coefficient; not read where the law follows another", .value = 0.3,
            .min = 0, .max = DLS_NO_BOUND},
};

enum { VOLUME, DEPTH, VARIABLES };
static const DlsParam surfaces[] = {
    [VOLUME] = {"worn_volume", "m3", "what the patch has lost", .value = 0, .min = 0,
                .max = DLS_NO_BOUND},
    [DEPTH] = {"worn_depth", "m", "how far it stands back", .value = 0, .min = 0,
               .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  if (out->cone == DLS_CONE_FREE) { /* alone */
    out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
    out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
    out->b[0] = c->gap_rate;
  }
  const double depth = c->surface[0][DEPTH] + c->surface[1][DEPTH], gap = c->gap + depth;
  if (depth <= 0 || out->cone == DLS_CONE_BILATERAL || out->cone == DLS_CONE_SLIDER) return DLS_OK;
  if (out->C[0] > 0)
    out->b[0] += depth / c->h;
  else /* what is left of an overlap is pushed apart no faster than before */
    out->b[0] += (gap >= 0 ? gap / c->h : fmax(c->gap_rate, gap / c->h)) - c->gap_rate;
  return DLS_OK;
}

/* m3 in this step. */
static double worn(const DlsContact *c, const double *p, const double *u, const double *r) {
  return p[K] * fmax(r[0], 0) * dls_law_length(u + 1, c->dim - 1) / p[HARDNESS];
}

static DlsStatus surface(const DlsContact *c, const double *p, const double *state, const double *u,
                         const double *r, double *change) {
  const double volume = worn(c, p, u, r), area = c->area > 0 ? c->area : p[AREA];
  const double share = c->body[0] < 0 ? p[SHARE] : 0.5;
  (void)state;
  for (int side = 0; side < 2; side++) {
    const double own = volume * (side ? share : 1 - share);
    change[side * VARIABLES + VOLUME] = own;
    change[side * VARIABLES + DEPTH] = area > 0 ? own / area : 0;
  }
  return DLS_OK;
}

enum { RATE };
static const DlsParam outputs[] = {
    [RATE] = {"rate", "m3/s", "volume that is worn off", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus report(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, int *status, double *friction_limit, double *out) {
  (void)state, (void)status, (void)friction_limit; /* the cone's */
  out[RATE] = worn(c, p, u, r) / c->h;
  return DLS_OK;
}

static const DlsLaw wear = {
    DLS_LAW_HEAD,
    .name = "wear",
    .summary =
        "Archard's wear: surfaces lose what sliding takes off and stand back, alone or after "
        "another law",
    .references = "Archard 1953, J. Appl. Phys. 24",
    .params = params,
    .nparams = DLS_COUNT(params),
    .claims = DLS_CLAIM_SWAP,
    .maturity = "verified",
    .composes = 1,
    .surfaces = surfaces,
    .nsurfaces = VARIABLES,
    .surface_scope = DLS_SURFACE_PATCH,
    .outputs = outputs,
    .noutputs = DLS_COUNT(outputs),
    .prepare = prepare,
    .energy = dls_law_dissipates,
    .surface = surface,
    .report = report,
};

const DlsLaw *dls_law_entry(void) { return &wear; }
