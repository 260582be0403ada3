/* Laws for tests that ask for fields: `warm`, whose friction is mu (1 + beta (T - 300 K)), T the
 * mean temperature of both sides, and which fails beyond 4000 K; and `damp`, which composes: a pull
 * of `force` times the humidity of the candidate, nothing where the antagonist is below 273 K. Both
 * ask for the temperature. */
#include <delassus/law.h>

enum { TEMPERATURE, HUMIDITY };
static const DlsParam fields[] = {
    [TEMPERATURE] = {"temperature", "K", "of the surface", .value = 300, .min = 0, .max = 5000},
    [HUMIDITY] = {"humidity", "1", "of the air, relative", .value = 0.5, .min = 0, .max = 1},
};

#ifdef CASE_warm
enum { MU, BETA };
static const DlsParam params[] = {
    [MU] = {"mu", "1", "friction at 300 K", .value = 0.4, .min = 0, .max = DLS_NO_BOUND},
    [BETA] = {"beta", "1/K", "change with temperature", .value = 1e-3, .min = -1, .max = 1},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  const double mean = 0.5 * (c->fields[0][TEMPERATURE] + c->fields[1][TEMPERATURE]);
  (void)state;
  if (mean > 4000) return DLS_ERR_LAW;
  out->cone = DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = fmax(0, p[MU] * (1 + p[BETA] * (mean - 300)));
  dls_law_restitution(c, 0, 0, out->b);
  return DLS_OK;
}

static const DlsLaw law = {
    DLS_LAW_HEAD,     .name = CASE_NAME, .summary = "friction that depends on the temperature",
    .references = "", .params = params,  .nparams = DLS_COUNT(params),
    .fields = fields, .nfields = 1,      .prepare = prepare,
};
#else
/* The other way round, so that slices that are mixed up are seen. */
static const DlsParam own[] = {
    {"humidity", "1", "of the air, relative", .value = 0.5, .min = 0, .max = 1},
    {"temperature", "K", "of the surface", .value = 280, .min = 0, .max = 5000},
};
static const DlsParam params[] = {
    {"force", "N", "pull at full humidity", .value = 1, .min = 0, .max = DLS_NO_BOUND}};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  (void)fields;
  if (c->fields[0][1] >= 273) out->a[0] += c->h * p[0] * c->fields[1][0];
  return DLS_OK;
}

static const DlsLaw law = {
    DLS_LAW_HEAD,       .name = CASE_NAME,         .summary = "a pull that depends on the humidity",
    .references = "",   .params = params,          .nparams = DLS_COUNT(params),
    .fields = own,      .nfields = DLS_COUNT(own), .composes = 1,
    .prepare = prepare,
};
#endif

const DlsLaw *dls_law_entry(void) { return &law; }
