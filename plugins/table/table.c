/* Contact by measured curves: tables of a CSV file, straight lines between their rows.
 *   mu = friction(v) slip_factor(s) temperature_factor(T)
 * v the speed of sliding at the end of the step, s the length slid so far, T the mean temperature
 * of both sides; factors that no deck gives are 1.
 *   |r_T| <= mu r_N,  r_T against u_T where it slides
 * Normal: without a table rigid, 0 <= u_N + gap_rate ⟂ r_N >= 0; with `normal` the force f(x) of
 * the overlap at the end of the step, x = -(gap + h u_N): f = 0 for x < 0, straight from the origin
 * to the first row, the last line goes on. Where the first row is at x = 0 with a force f0 > 0,
 * the contact carries anything from 0 to f0 before it yields.
 *
 * As an equation, with rho > 0 in kg and z = r - rho u: F_N = r_N - y, F_T = r_T - P_s(z_T),
 * s = mu y, P_s the projection on the disc; y is max(0, z_N - rho gap_rate), or solves
 *   y = h f(x),  y + (rho/h) x = z_N - (rho/h) gap,
 * whose left side rises with x: the line on which the answer lies is found by halving. */
#include <delassus/law_sliding.h>

enum { FRICTION, SLIP_FACTOR, TEMPERATURE_FACTOR, NORMAL };

/* Stribeck's curve 0.3 + 0.1 exp(-v / (0.1 m/s)), by its values. */
static const double speeds[] = {0, 0.05, 0.1, 0.2, 0.4, 0.8};
static const double coefficients[] = {0.4, 0.360653, 0.336788, 0.313534, 0.301832, 0.300034};
static const double slips[] = {0, 1e-4, 1e-3}, weakening[] = {1, 0.9, 0.5};
static const double temperatures[] = {273, 373, 573}, softening[] = {1, 0.95, 0.6};
static const double overlaps[] = {0, 1e-5, 1e-4}, forces[] = {0, 1, 20};

static const DlsTableParam tables[] = {
    [FRICTION] = {.name = "friction",
                  .meaning = "friction coefficient against the speed of sliding",
                  .x = {"speed", "m/s", "of sliding", .min = 0, .max = DLS_NO_BOUND},
                  .y = {"mu", "1", "friction coefficient", .min = 0, .max = DLS_NO_BOUND},
                  .standard = {DLS_COUNT(speeds), DLS_TABLE_HOLD, speeds, coefficients}},
    [SLIP_FACTOR] = {.name = "slip_factor",
                     .meaning = "factor of friction against the length slid",
                     .x = {"slip", "m", "slid by the contact", .min = 0, .max = DLS_NO_BOUND},
                     .y = {"factor", "1", "of the coefficient", .min = 0, .max = DLS_NO_BOUND},
                     .optional = 1,
                     .standard = {DLS_COUNT(slips), DLS_TABLE_HOLD, slips, weakening}},
    [TEMPERATURE_FACTOR] =
        {.name = "temperature_factor",
         .meaning = "factor of friction against the mean temperature",
         .x = {"temperature", "K", "mean of both sides", .min = 0, .max = DLS_NO_BOUND},
         .y = {"factor", "1", "of the coefficient", .min = 0, .max = DLS_NO_BOUND},
         .optional = 1,
         .standard = {DLS_COUNT(temperatures), DLS_TABLE_HOLD, temperatures, softening}},
    [NORMAL] = {.name = "normal",
                .meaning = "normal force against the overlap",
                .x = {"overlap", "m", "of the bodies", .min = 0, .max = DLS_NO_BOUND},
                .y = {"force", "N", "between them", .min = 0, .max = DLS_NO_BOUND},
                .rising = 1,
                .optional = 1,
                .standard = {DLS_COUNT(overlaps), DLS_TABLE_LINE, overlaps, forces}},
};

enum { TEMPERATURE };
static const DlsParam fields[] = {
    [TEMPERATURE] = {"temperature", "K", "of the surface", .value = 293, .min = 0,
                     .max = DLS_NO_BOUND},
};

enum { SLIP, OVERLAP };
static const DlsParam states[] = {
    [SLIP] = {"slip", "m", "length slid", .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [OVERLAP] = {"overlap", "m", "at the end of the last step", .value = 0, .min = 0,
                 .max = DLS_NO_BOUND},
};

static double factor(const DlsLawTable *table, double x) {
  return table->rows ? dls_law_table_at(table, x, NULL) : 1;
}

/* mu(v), and its derivative. */
static double friction(const DlsContact *c, const double *state, double v, double *slope) {
  const double T = 0.5 * (c->fields[0][TEMPERATURE] + c->fields[1][TEMPERATURE]);
  const double share =
      factor(&c->tables[SLIP_FACTOR], state[SLIP]) * factor(&c->tables[TEMPERATURE_FACTOR], T);
  const double mu = dls_law_table_at(&c->tables[FRICTION], v, slope);
  if (slope) *slope *= share;
  return mu * share;
}

/* f at row k, the origin being row -1; the slope behind it. */
static double row_slope(const DlsLawTable *f, int k) {
  if (k < 0) return f->y[0] / f->x[0];
  if (k == f->rows - 1) k--;
  return (f->y[k + 1] - f->y[k]) / (f->x[k + 1] - f->x[k]);
}

/* y and dy/dz_N of the head, of a contact with the table `normal`. */
static double normal_part(const DlsContact *c, double rho, double z, double *dy) {
  const DlsLawTable *f = &c->tables[NORMAL];
  const double h = c->h, weight = rho / h, target = z - weight * c->gap;
  const int origin = f->x[0] > 0 ? -1 : 0;
  const double first = origin < 0 ? 0 : h * f->y[0]; /* what it carries at x = 0 */
  int low = origin, high = f->rows;                  /* rows whose left side is at most `target` */
  *dy = target > 0;
  if (target <= first) return fmax(target, 0); /* apart, or at x = 0 */
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (h * f->y[middle] + weight * f->x[middle] <= target)
      low = middle;
    else
      high = middle;
  }
  const double slope = h * row_slope(f, low), x = low < 0 ? 0 : f->x[low];
  const double y = low < 0 ? 0 : h * f->y[low];
  *dy = slope / (slope + weight);
  return y + *dy * (target - y - weight * x);
}

/* J, the energy of the overlap x: the area below f. */
static double stored_at(const DlsLawTable *f, double x) {
  double sum = 0, from = 0, force = 0;
  if (f->rows == 0 || !(x > 0)) return 0;
  if (f->x[0] == 0) force = f->y[0];
  for (int k = f->x[0] > 0 ? -1 : 0; k < f->rows; k++) {
    const double to = k + 1 < f->rows ? fmin(x, f->x[k + 1]) : x, way = to - from;
    const double rise = row_slope(f, k) * way;
    sum += (force + 0.5 * rise) * way;
    force += rise;
    from = to;
    if (to >= x) break;
  }
  return sum;
}

/* A point (u, r), and what F and its derivatives share there. */
typedef struct {
  double rho, z[DLS_MAX_BLOCK], y, dy, v, mu, slope, size, s;
} Point;

static Point point_at(const DlsContact *c, const double *state, const double *u, double rho,
                      const double *r) {
  Point at;
  at.rho = rho;
  for (int i = 0; i < c->block; i++) at.z[i] = r[i] - rho * u[i];
  at.v = dls_sliding_speed(c, u);
  at.mu = friction(c, state, at.v, &at.slope);
  if (c->tables[NORMAL].rows) {
    at.y = normal_part(c, rho, at.z[0], &at.dy);
  } else {
    at.y = fmax(0, at.z[0] - rho * c->gap_rate);
    at.dy = at.y > 0;
  }
  at.s = at.mu * at.y;
  at.size = dls_law_length(at.z + 1, c->dim - 1);
  return at;
}

/* The reaction (y, P_s(z_T)), without torques. */
static void resolve(const DlsContact *c, const Point *at, double *out) {
  out[0] = at->y;
  for (int i = 1; i < c->block; i++)
    out[i] = i >= c->dim ? 0 : at->size > at->s ? at->s / at->size * at->z[i] : at->z[i];
}

/* Those of a disc of constant mu, and what mu(v) adds: dP/ds ds/du_T, ds/du_T = y mu' u_T/v. */
static void derivatives(const DlsContact *c, const Point *at, const double *u, double *dF_du,
                        double *dF_dr) {
  dls_law_disc_slopes(c, at->z, at->rho, at->s, at->dy, at->mu * at->dy, dF_du, dF_dr);
  if (!(at->size > at->s) || !(at->v > 0)) return;
  for (int i = 1; i < c->dim; i++)
    for (int j = 1; j < c->dim; j++)
      dF_du[i * c->block + j] -= at->z[i] / at->size * at->y * at->slope * u[j] / at->v;
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  (void)p;
  if (c->tables[NORMAL].rows) state[OVERLAP] = fmax(0, -c->gap);
  return DLS_OK;
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)p;
  const Point at = point_at(c, state, u, c->mass > 0 ? c->mass : 1, r);
  resolve(c, &at, F);
  for (int i = 0; i < c->block; i++) F[i] = r[i] - F[i];
  if (dF_du && dF_dr) derivatives(c, &at, u, dF_du, dF_dr);
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)p;
  const Point at = point_at(c, state, u, rho, r);
  resolve(c, &at, r);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p;
  if (r[0] > 0) state[SLIP] += c->h * dls_sliding_speed(c, u);
  if (c->tables[NORMAL].rows) state[OVERLAP] = fmax(0, -(c->gap + c->h * u[0]));
  return DLS_OK;
}

/* What the curve stores; what else the bodies lose is friction and the damping of the step. */
static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  const DlsLawTable *f = &c->tables[NORMAL];
  (void)p;
  *stored = stored_at(f, -(c->gap + c->h * u[0]));
  *dissipated = -dls_law_work(c, u, r) - (*stored - stored_at(f, state[OVERLAP]));
  return DLS_OK;
}

static const DlsParam outputs[] = {
    {"mu", "1", "friction coefficient of the step", 0, 0, DLS_NO_BOUND, DLS_SCALAR}};

static DlsStatus report(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, int *status, double *friction_limit, double *out) {
  (void)p, (void)status;
  out[0] = friction(c, state, dls_sliding_speed(c, u), NULL);
  *friction_limit = out[0] * fmax(r[0], 0);
  return DLS_OK;
}

static const DlsLaw law = {
    DLS_LAW_HEAD,
    .name = "table",
    .summary = "friction and normal force by measured curves, from CSV files",
    .description = "A custom law: the friction coefficient follows a table against the speed of\n"
                   "sliding, with factors against the length slid and the temperature; the normal\n"
                   "force one against the overlap, or the contact is rigid.",
    .references = "Alart and Curnier 1991",
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .fields = fields,
    .nfields = DLS_COUNT(fields),
    .tables = tables,
    .ntables = DLS_COUNT(tables),
    .outputs = outputs,
    .noutputs = DLS_COUNT(outputs),
    .begin = begin,
    .residual = residual,
    .project = project,
    .commit = commit,
    .energy = energy,
    .report = report,
};

const DlsLaw *dls_law_entry(void) { return &law; }
