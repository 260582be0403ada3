/* A law for tests: a constant pull at gaps up to a reach, that adds to what stands before it, and
 * remembers where a contact was found and how many steps it has lived. */
#include <delassus/law.h>

enum { FORCE, REACH };
static const DlsParam params[] = {
    [FORCE] = {"force", "N", "pull", .value = 1, .min = 0, .max = DLS_NO_BOUND},
    [REACH] = {"reach", "m", "gap up to which it pulls", .value = 1e-3, .min = 0, .max = 1},
};

enum { FOUND, AGE };
static const DlsParam states[] = {
    [FOUND] = {"found", "m", "gap at which the contact was found", .value = 0, .min = -DLS_NO_BOUND,
               .max = DLS_NO_BOUND},
    [AGE] = {"age", "1", "steps lived", .value = 0, .min = 0, .max = 10000},
};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[REACH];
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  (void)p;
  state[FOUND] = c->gap;
  return DLS_OK;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  if (c->gap <= p[REACH]) out->a[0] += c->h * p[FORCE];
  return DLS_OK;
}

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *out) {
  (void)state;
  (void)u;
  if (c->gap <= p[REACH]) out[0] = -p[FORCE];
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)c;
  (void)p;
  (void)u;
  (void)r;
  state[AGE]++;
  return DLS_OK;
}

/* The potential F g of what is within reach, zero at contact. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  (void)state;
  const double after = c->gap + c->h * u[0];
  *stored = p[FORCE] * fmin(fmax(after, 0), p[REACH]);
  *dissipated = p[FORCE] * fmin(fmax(c->gap, 0), p[REACH]) - *stored - dls_law_work(c, u, r);
  return DLS_OK;
}

static const DlsLaw pull = {
    DLS_LAW_HEAD,
    .name = "pull",
    .summary = "a constant pull within reach",
    .references = "",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .composes = 1,
    .range = range,
    .begin = begin,
    .prepare = prepare,
    .force = force,
    .commit = commit,
    .energy = energy,
};

const DlsLaw *dls_law_entry(void) { return &pull; }
