/* Dry friction whose cone has a polygon D for its section (Moreau 1994, sec. 5: any convex cone):
 *   0 <= û_N ⟂ r_N >= 0,   r_T ∈ r_N D,   -û_T ∈ N_D(r_T / r_N) where r_N > 0:  most is dissipated
 *   û = u + (b_N, 0), b_N of restitution and gap
 * In De Saxcé's form r ∈ K = {(N, T): T ∈ N D}, û + h(-û_T) n ∈ K*, h the support function of D:
 * the polar of K is {(N, T): N + h(T) <= 0}. D is the convex hull of the origin and of vertices
 * (angle, mu) in polar coordinates.
 * As an equation, rho > 0 in kg, g = max(0, r_N - rho û_N): F_N = r_N - g, F_T = r_T - P(r_T - rho
 * û_T), P the nearest point of g D. The one-contact problem is linear on every face of K: no
 * reaction, stick, slip at a vertex or along an edge; all are tried, so the answer is exact.
 * Angles are from t1, which follows the direction (x, y, z) of one body, towards t2 = n x t1. */
#include <string.h>

#include <delassus/law.h>

enum { RHO, X, Y, Z, BODY };
static const DlsParam params[] = {
    [RHO] = {"rho", "1", "normal restitution", .value = 0, .min = 0, .max = 1},
    [X] = {"x", "1", "direction in the material axes of the body: first component", .value = 1,
           .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    [Y] = {"y", "1", "its second component", .value = 0, .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    [Z] = {"z", "1", "its third component", .value = 0, .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    [BODY] = {"body", "1", "whose direction: below 1/2 the antagonist's, else the candidate's",
              .value = 0, .min = 0, .max = 1},
};

enum { VERTICES };
static const double angles[] = {-2.4, -0.9, 0.5, 1.7}, radii[] = {0.4, 0.3, 0.6, 0.5};
static const DlsTableParam tables[] = {
    [VERTICES] = {.name = "vertices",
                  .meaning = "corners of the section: friction coefficient against direction",
                  .x = {"angle", "1", "of the reaction, rad from t1", .min = -7, .max = 7},
                  .y = {"mu", "1", "r_T / r_N there", .min = 0, .max = DLS_NO_BOUND},
                  .standard = {DLS_COUNT(angles), DLS_TABLE_HOLD, angles, radii}},
};

enum { MOST = 64 }; /* rows */

typedef struct {
  int count; /* corners, counter-clockwise; 1 a point, 2 a segment */
  double v[MOST + 1][2];
} Section;

static double cross(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* The convex hull of the points in s (Jarvis): from corner to corner, the outermost next. */
static void wrap(Section *s) {
  Section hull = {0};
  int first = 0, at;
  for (int i = 1; i < s->count; i++)
    if (s->v[i][0] < s->v[first][0] ||
        (s->v[i][0] == s->v[first][0] && s->v[i][1] < s->v[first][1]))
      first = i;
  at = first;
  do {
    int next = -1;
    memcpy(hull.v[hull.count++], s->v[at], sizeof *hull.v);
    for (int i = 0; i < s->count; i++) {
      const double *p = s->v[at], *q = s->v[i];
      if (q[0] == p[0] && q[1] == p[1]) continue;
      const double side = next < 0 ? -1 : cross(p, s->v[next], q);
      const double way = hypot(q[0] - p[0], q[1] - p[1]);
      if (side < 0 || (side == 0 && way > hypot(s->v[next][0] - p[0], s->v[next][1] - p[1])))
        next = i;
    }
    if (next < 0) break;
    at = next;
  } while ((s->v[at][0] != s->v[first][0] || s->v[at][1] != s->v[first][1]) &&
           hull.count < s->count);
  *s = hull;
}

/* In 2-D there is one tangent. What slides along t1 meets the section's support numbers there. */
static void flatten(Section *s) {
  double low = 0, high = 0;
  for (int i = 0; i < s->count; i++) {
    low = fmin(low, s->v[i][0]);
    high = fmax(high, s->v[i][0]);
  }
  *s = (Section){.count = 2, .v = {{low, 0}, {high, 0}}};
}

static DlsStatus section_of(const DlsContact *c, Section *s) {
  const DlsLawTable *corners = &c->tables[VERTICES];
  if (corners->rows > MOST) return DLS_ERR_LAW;
  *s = (Section){.count = 1}; /* the origin */
  for (int k = 0; k < corners->rows; k++) {
    s->v[s->count][0] = corners->y[k] * cos(corners->x[k]);
    s->v[s->count++][1] = corners->y[k] * sin(corners->x[k]);
  }
  wrap(s);
  if (c->dim == 2) flatten(s);
  return DLS_OK;
}

/* P, the point of size * D nearest to y, with dP/dy and dP/dsize. */
typedef struct {
  double at[2], dy[2][2], dsize[2];
} Nearest;

static int inside(const Section *s, double size, const double *y) {
  const double x[2] = {y[0] / size, y[1] / size};
  if (s->count < 3) return 0;
  for (int i = 0; i < s->count; i++)
    if (cross(s->v[i], s->v[(i + 1) % s->count], x) < 0) return 0;
  return 1;
}

/* Where nothing presses the section is a point; it grows from there towards the corner that y
 * leans on. */
static Nearest from_nothing(const Section *s, const double *y) {
  Nearest out = {.at = {0, 0}};
  double best = -1;
  for (int i = 0; i < s->count; i++) {
    const double lean = y[0] * s->v[i][0] + y[1] * s->v[i][1];
    if (lean <= best) continue;
    best = lean;
    memcpy(out.dsize, s->v[i], sizeof out.dsize);
  }
  return out;
}

static Nearest nearest(const Section *s, double size, const double *y) {
  Nearest out = {{y[0], y[1]}, {{1, 0}, {0, 1}}, {0, 0}};
  double best = HUGE_VAL;
  if (!(size > 0)) return from_nothing(s, y);
  if (inside(s, size, y)) return out;
  for (int i = 0; i < s->count; i++) {
    const double *p = s->v[i], *q = s->v[(i + 1) % s->count];
    const double e[2] = {q[0] - p[0], q[1] - p[1]}, length = hypot(e[0], e[1]);
    const double t[2] = {length > 0 ? e[0] / length : 0, length > 0 ? e[1] / length : 0};
    const double way = (y[0] - size * p[0]) * t[0] + (y[1] - size * p[1]) * t[1];
    const int edge = way > 0 && way < size * length;
    const double *corner = way > 0 && !edge ? q : p, along = edge ? way : 0;
    const double at[2] = {size * corner[0] + along * t[0], size * corner[1] + along * t[1]};
    const double apart = hypot(y[0] - at[0], y[1] - at[1]);
    if (apart >= best) continue;
    best = apart;
    const double lean = edge ? p[0] * t[0] + p[1] * t[1] : 0;
    for (int j = 0; j < 2; j++) {
      out.at[j] = at[j];
      out.dsize[j] = corner[j] - lean * t[j];
      for (int k = 0; k < 2; k++) out.dy[j][k] = edge ? t[j] * t[k] : 0;
    }
  }
  return out;
}

static double normal_shift(const DlsContact *c, const double *p) {
  double b[DLS_MAX_BLOCK] = {0};
  dls_law_restitution(c, p[RHO], 0, b);
  return b[0];
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  Section s;
  const int n = c->block, dim = c->dim == 3 ? 3 : 2;
  const double rho = c->mass > 0 ? c->mass : 1, push = r[0] - rho * (u[0] + normal_shift(c, p));
  const double g = fmax(0, push), dg = push > 0;
  double y[2] = {0};
  DLS_TRY(section_of(c, &s));
  for (int i = 1; i < dim; i++) y[i - 1] = r[i] - rho * u[i];
  const Nearest near = nearest(&s, g, y);
  for (int i = 0; i < n; i++) F[i] = r[i];
  F[0] = r[0] - g;
  for (int i = 1; i < dim; i++) F[i] = r[i] - near.at[i - 1];
  if (!dF_du || !dF_dr) return DLS_OK;
  for (int k = 0; k < n * n; k++) {
    dF_du[k] = 0;
    dF_dr[k] = k % (n + 1) == 0;
  }
  dF_dr[0] -= dg;
  dF_du[0] = rho * dg;
  for (int i = 1; i < dim; i++) {
    dF_dr[i * n] -= near.dsize[i - 1] * dg;
    dF_du[i * n] = rho * near.dsize[i - 1] * dg;
    for (int j = 1; j < dim; j++) {
      dF_dr[i * n + j] -= near.dy[i - 1][j - 1];
      dF_du[i * n + j] = rho * near.dy[i - 1][j - 1];
    }
  }
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  Section s;
  double y[2] = {0};
  DLS_TRY(section_of(c, &s));
  for (int i = 1; i < c->dim; i++) y[i - 1] = r[i] - rho * u[i];
  const double g = fmax(0, r[0] - rho * (u[0] + normal_shift(c, p)));
  const Nearest near = nearest(&s, g, y);
  for (int i = 0; i < c->block; i++) r[i] = 0;
  r[0] = g;
  for (int i = 1; i < c->dim; i++) r[i] = near.at[i - 1];
  return DLS_OK;
}

/* The one-contact problem on N, T1, T2: D and q with the shift. */
typedef struct {
  double D[3][3], q[3];
} Small;

/* r_N and x with û_N = 0 and û_T·e = 0, r_T = r_N v + x e; without e, x = 0. 0: none. */
static int slip(const Small *m, const double *v, const double *e, double *r) {
  double a[2][2] = {{0}}, b[2] = {-m->q[0], 0}, column[3];
  for (int i = 0; i < 3; i++) column[i] = m->D[i][0] + m->D[i][1] * v[0] + m->D[i][2] * v[1];
  a[0][0] = column[0];
  if (e) {
    a[1][0] = column[1] * e[0] + column[2] * e[1];
    b[1] = -(m->q[1] * e[0] + m->q[2] * e[1]);
    for (int i = 0; i < 3; i++) {
      const double along = m->D[i][1] * e[0] + m->D[i][2] * e[1];
      if (i == 0) a[0][1] = along;
      if (i > 0) a[1][1] += along * e[i - 1];
    }
  }
  const double det = e ? a[0][0] * a[1][1] - a[0][1] * a[1][0] : a[0][0];
  if (!(fabs(det) > 0)) return 0;
  const double N = e ? (b[0] * a[1][1] - a[0][1] * b[1]) / det : b[0] / det;
  const double x = e ? (a[0][0] * b[1] - a[1][0] * b[0]) / det : 0;
  r[0] = N;
  for (int k = 0; k < 2; k++) r[1 + k] = N * v[k] + (e ? x * e[k] : 0);
  return 1;
}

/* Sticks: û = 0. By elimination, D being positive; 0: D has a direction that nothing moves. */
static int stick(const Small *m, int n, double *r) {
  double A[3][4];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) A[i][j] = m->D[i][j];
    A[i][n] = -m->q[i];
  }
  for (int k = 0; k < n; k++) {
    if (!(A[k][k] > 0)) return 0;
    for (int i = k + 1; i < n; i++)
      for (int j = n; j >= k; j--) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  }
  for (int i = n - 1; i >= 0; i--) {
    r[i] = A[i][n];
    for (int j = i + 1; j < n; j++) r[i] -= A[i][j] * r[j];
    r[i] /= A[i][i];
  }
  return 1;
}

/* |F| at r, u = D r + q of the block. */
static double miss(const DlsContact *c, const double *p, const double *D, const double *q,
                   const double *r) {
  double u[DLS_MAX_BLOCK] = {0}, F[DLS_MAX_BLOCK];
  for (int i = 0; i < c->block; i++) {
    u[i] = q[i];
    for (int j = 0; j < c->block; j++) u[i] += D[i * c->block + j] * r[j];
  }
  if (residual(c, p, NULL, u, r, F, NULL, NULL) != DLS_OK) return HUGE_VAL;
  return dls_law_length(F, c->block);
}

/* Takes the trial for r where it misses less; 1 where it is a solution to round-off. */
static int try_one(const DlsContact *c, const double *p, const double *D, const double *q,
                   const double *trial, double *best, double *r) {
  double full[DLS_MAX_BLOCK] = {0};
  for (int i = 0; i < c->dim; i++) full[i] = trial[i];
  if (!(full[0] >= 0)) return 0;
  const double at = miss(c, p, D, q, full);
  if (!(at < *best)) return 0;
  *best = at;
  for (int i = 0; i < c->block; i++) r[i] = full[i];
  return at <= 1e-14 * dls_law_length(full, c->dim);
}

static DlsStatus solve(const DlsContact *c, const double *p, const double *state, const double *D,
                       const double *q, double *r) {
  (void)state;
  Section s;
  Small m = {.q = {0, 0, 0}};
  double trial[3] = {0}, best = HUGE_VAL;
  DLS_TRY(section_of(c, &s));
  for (int i = 0; i < c->dim; i++) {
    m.q[i] = q[i] + (i == 0 ? normal_shift(c, p) : 0);
    for (int j = 0; j < c->dim; j++) m.D[i][j] = D[i * c->block + j];
  }
  for (int i = 0; i < c->block; i++) r[i] = 0;
  if (m.q[0] >= 0) return DLS_OK;
  if (stick(&m, c->dim, trial) && try_one(c, p, D, q, trial, &best, r)) return DLS_OK;
  for (int i = 0; i < s.count; i++) {
    const double *v = s.v[i], *w = s.v[(i + 1) % s.count], e[2] = {w[0] - v[0], w[1] - v[1]};
    if (slip(&m, v, NULL, trial) && try_one(c, p, D, q, trial, &best, r)) return DLS_OK;
    if (c->dim == 3 && slip(&m, v, e, trial) && try_one(c, p, D, q, trial, &best, r)) return DLS_OK;
  }
  return best <= 1e-10 * dls_law_length(r, c->dim) ? DLS_OK : DLS_ERR_LAW;
}

static DlsStatus orient(const DlsContact *c, const double *p, double t1[3]) {
  const double(*axes)[3] = c->axes[p[BODY] < 0.5 ? 0 : 1];
  for (int k = 0; k < 3; k++) t1[k] = p[X] * axes[0][k] + p[Y] * axes[1][k] + p[Z] * axes[2][k];
  return DLS_OK;
}

/* How far friction could go in the direction in which it acts. */
static DlsStatus report(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, int *status, double *friction_limit, double *outputs) {
  (void)p;
  (void)state;
  (void)u;
  (void)status;
  (void)outputs;
  Section s;
  const double y[2] = {r[1], c->dim == 3 ? r[2] : 0}, size = hypot(y[0], y[1]);
  double low = 0, high = 0;
  DLS_TRY(section_of(c, &s));
  for (int i = 0; i < s.count; i++) high = fmax(high, hypot(s.v[i][0], s.v[i][1]));
  for (int k = 0; k < 60 && size > 0; k++) { /* by halving, to round-off */
    const double half = 0.5 * (low + high), x[2] = {half * y[0] / size, half * y[1] / size};
    const Nearest near = nearest(&s, 1, x);
    *(hypot(near.at[0] - x[0], near.at[1] - x[1]) <= 1e-14 ? &low : &high) = half;
  }
  *friction_limit = fmax(r[0], 0) * low;
  return DLS_OK;
}

static const DlsLaw coulomb_polygon = {
    DLS_LAW_HEAD,
    .name = "coulomb-polygon",
    .summary = "dry friction whose cone has any convex polygon for its section",
    .references = "Moreau 1994, sec. 5; Goyal, Ruina and Papadopoulos 1991",
    .params = params,
    .nparams = DLS_COUNT(params),
    .tables = tables,
    .ntables = DLS_COUNT(tables),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_HOMOGENEOUS,
    .maturity = "verified",
    .orient = orient,
    .residual = residual,
    .solve = solve,
    .project = project,
    .energy = dls_law_dissipates,
    .report = report,
};

const DlsLaw *dls_law_entry(void) { return &coulomb_polygon; }
