#include "solvers/kit/status_cases.h"

#include <delassus/cone.h>
#include <delassus/errors.h>

#include "base/ledger.h"
#include "base/small.h"
#include "problem/natural_map.h"

enum { MOST_NEWTON = 30 };

enum { STICK, SLIDE, SLIDE_BACK }; /* of a group; the last for one component alone */

/* A state is 0, open, or 1 + a number that has a digit for each group: STICK, SLIDE ... */
static int digits(const DlsConeGroup *group) {
  if (!(group->mu > 0)) return 1; /* always sliding, with no reaction */
  return group->size == 1 ? 3 : 2;
}

static int friction_groups(const DlsStatusCases *c, int i, DlsConeGroup groups[3]) {
  const int number = c->number[i];
  return dls_scaled_rubs(c->scaled, number) ? dls_scaled_groups(c->scaled, number, groups) : 0;
}

void dls_status_cases_count(DlsStatusCases *c) {
  c->scale = dls_small_norm(c->rows, c->q);
  for (int i = 0; i < c->contacts; i++) {
    const DlsCone cone = c->scaled->relations[c->number[i]].cone;
    DlsConeGroup groups[3] = {{0}};
    int closed = 1;
    const int count = friction_groups(c, i, groups);
    for (int g = 0; g < count; g++) closed *= digits(&groups[g]);
    const bool opens = cone == DLS_CONE_SIGNORINI || dls_scaled_rubs(c->scaled, c->number[i]);
    c->states[i] = opens ? 1 + closed : 1;
  }
}

static void velocity(const DlsStatusCases *c, const double *r, double *u) {
  dls_small_affine(c->rows, c->W, r, c->q, u);
}

/* out = P_K(r - (u + Γ(u) n)) of contact i. */
static void natural_point(const DlsStatusCases *c, int i, const double *u, const double *r,
                          double *out) {
  const DlsScaled *s = c->scaled;
  const DlsRelation *relation = &s->relations[c->number[i]];
  dls_natural_unit_point(relation, s->dim, s->block, u, r, out, NULL);
  dls_cone_project(relation, s->dim, s->block, out);
}

/* The natural map of r, relative to the largest of |q|, |r| and |u|; reactions that have run off
 * count no more than what is still an answer. */
static double error_of(const DlsStatusCases *c, const double *r) {
  const int block = c->scaled->block;
  double u[DLS_STATUS_CASES_ROWS], e[DLS_STATUS_CASES_ROWS];
  velocity(c, r, u);
  for (int i = 0; i < c->contacts; i++)
    natural_point(c, i, u + i * block, r + i * block, e + i * block);
  for (int k = 0; k < c->rows; k++) e[k] = r[k] - e[k];
  const double error = dls_small_norm(c->rows, e);
  const double load = fmax(c->scale, dls_small_norm(c->rows, u));
  const double size = fmax(load, fmin(dls_small_norm(c->rows, r), DLS_RUN_OFF * load));
  if (!isfinite(error) || !isfinite(size)) return INFINITY;
  return size > 0 ? error / size : error;
}

void dls_status_cases_guess(const DlsStatusCases *c, const double *r, int *state) {
  const int block = c->scaled->block;
  const double edge = 1 - 1e-9;
  double u[DLS_STATUS_CASES_ROWS];
  velocity(c, r, u);
  for (int i = 0; i < c->contacts; i++) {
    double p[DLS_MAX_BLOCK] = {0};
    DlsConeGroup groups[3] = {{0}};
    const int count = friction_groups(c, i, groups);
    natural_point(c, i, u + i * block, r + i * block, p);
    state[i] = 0;
    if (c->states[i] == 1 || !(p[0] > 0)) continue;
    int place = 1;
    state[i] = 1;
    for (int g = 0; g < count; g++) {
      const DlsConeGroup *group = &groups[g];
      const double norm = dls_small_norm(group->size, p + group->first);
      if (digits(group) > 1 && norm >= edge * group->mu * p[0])
        state[i] += place * (group->size == 1 && p[group->first] < 0 ? SLIDE_BACK : SLIDE);
      place *= digits(group);
    }
  }
}

/* The equations of one contact: F and the rows of J = dF/dr, rows of W standing for du/dr. */
typedef struct {
  const DlsStatusCases *cases;
  const double *r, *u;
  const double *direction; /* of the reactions of sliding groups of two, given; NULL: unknown */
  double *F, *J;
} System;

static void row_reaction(System *s, int row) { /* r_row = 0 */
  s->F[row] = s->r[row];
  s->J[row * s->cases->rows + row] = 1;
}

static void row_velocity(System *s, int row) { /* u_row = 0 */
  const int n = s->cases->rows;
  s->F[row] = s->u[row];
  memcpy(s->J + row * n, s->cases->W + row * n, (size_t)n * sizeof *s->J);
}

/* Adds `share` u_row to the equation of row `normal`. */
static void add_velocity(System *s, int normal, int row, double share) {
  const int n = s->cases->rows;
  s->F[normal] += share * s->u[row];
  for (int k = 0; k < n; k++) s->J[normal * n + k] += share * s->cases->W[row * n + k];
}

/* A group that slides opens its normal: u_N + associated mu_g u_g·d = 0, d = r_g / |r_g|. */
static void dilate(System *s, const DlsConeGroup *group, double associated, int digit, int normal,
                   int first) {
  const int n = s->cases->rows;
  const double tangent = associated * group->mu, *r = s->r, *u = s->u;
  if (tangent == 0) return;
  if (group->size == 1) {
    add_velocity(s, normal, first, digit == SLIDE ? tangent : -tangent);
    return;
  }
  const double norm = fmax(dls_small_norm(2, r + first), 1e-300);
  const double *d = s->direction ? s->direction + first : NULL;
  const double a = d ? d[0] : r[first] / norm, b = d ? d[1] : r[first + 1] / norm;
  add_velocity(s, normal, first, tangent * a);
  add_velocity(s, normal, first + 1, tangent * b);
  if (d) return;
  const double across = tangent * (u[first] * b - u[first + 1] * a) / norm; /* d turns with r */
  s->J[normal * n + first] += across * b;
  s->J[normal * n + first + 1] -= across * a;
}

/* A group whose normal is row `normal` and whose first component is row `first`. */
static void rows_slide(System *s, const DlsConeGroup *group, int digit, int normal, int first) {
  const int n = s->cases->rows;
  const double mu = group->mu, *r = s->r, *u = s->u;
  if (group->size == 1) {
    const double sign = digit == SLIDE ? mu : -mu;
    s->F[first] = r[first] - sign * r[normal];
    s->J[first * n + first] = 1;
    s->J[first * n + normal] = -sign;
    return;
  }
  for (int k = first; s->direction && k < first + 2; k++) {
    s->F[k] = r[k] - mu * s->direction[k] * r[normal];
    s->J[k * n + k] = 1;
    s->J[k * n + normal] = -mu * s->direction[k];
  }
  if (s->direction) return;
  const int second = first + 1;
  const double norm = fmax(dls_small_norm(2, r + first), 1e-300);
  s->F[first] = norm - mu * r[normal];
  s->J[first * n + normal] = -mu;
  s->J[first * n + first] = r[first] / norm;
  s->J[first * n + second] = r[second] / norm;
  /* u × r / |r|: of the size of a velocity */
  const double a = r[first] / norm, b = r[second] / norm;
  s->F[second] = u[first] * b - u[second] * a;
  for (int k = 0; k < n; k++)
    s->J[second * n + k] = b * s->cases->W[first * n + k] - a * s->cases->W[second * n + k];
  const double along = (u[first] * a + u[second] * b) / norm; /* da = b (b dr1 - a dr2) / |r| */
  s->J[second * n + first] += -b * along;
  s->J[second * n + second] += a * along;
}

static void rows_contact(System *s, int i, int state) {
  const DlsStatusCases *c = s->cases;
  const int block = c->scaled->block, at = i * block;
  const DlsCone cone = c->scaled->relations[c->number[i]].cone;
  DlsConeGroup groups[3] = {{0}};
  const int count = friction_groups(c, i, groups);
  if (cone == DLS_CONE_BILATERAL) {
    for (int k = at; k < at + block; k++) row_velocity(s, k);
    return;
  }
  const bool closed = cone == DLS_CONE_SLIDER || (c->states[i] > 1 && state > 0);
  for (int k = at; k < at + block; k++) row_reaction(s, k);
  if (!closed) return;
  memset(s->J + at * c->rows, 0, (size_t)c->rows * sizeof *s->J);
  row_velocity(s, at);
  int code = state - 1;
  for (int g = 0; g < count; g++) {
    const DlsConeGroup *group = &groups[g];
    const int digit = code % digits(group), first = at + group->first;
    code /= digits(group);
    if (digits(group) == 1) continue;
    memset(s->J + first * c->rows, 0, (size_t)(group->size * c->rows) * sizeof *s->J);
    if (digit == STICK)
      for (int k = 0; k < group->size; k++) row_velocity(s, first + k);
    else {
      rows_slide(s, group, digit, at, first);
      dilate(s, group, c->scaled->relations[c->number[i]].associated, digit, at, first);
    }
  }
}

/* The shortest step with J step = F where J is singular: step = J^T (J J^T + eps)^-1 F. */
static bool shortest_step(int n, const double *J, const double *F, double *step) {
  double A[DLS_STATUS_CASES_ROWS * DLS_STATUS_CASES_ROWS], y[DLS_STATUS_CASES_ROWS], trace = 0;
  for (int i = 0; i < n; i++) {
    y[i] = F[i];
    for (int j = 0; j < n; j++) A[i * n + j] = dls_small_dot(n, J + i * n, J + j * n);
    trace += A[i * n + i];
  }
  for (int i = 0; i < n; i++) A[i * n + i] += 1e-11 * trace / n;
  dls_ledger.flops += dls_ledger_dense(n) + 2L * n * n * n; /* and J J^T */
  if (!dls_small_solve(n, A, y)) return false;
  for (int j = 0; j < n; j++) {
    step[j] = 0;
    for (int i = 0; i < n; i++) step[j] += J[i * n + j] * y[i];
  }
  return true;
}

/* Newton's method on the equations of a case, from r; *many tells whether J was singular. With
 * directions given the equations are linear, and one iteration does. */
static void newton(const DlsStatusCases *c, const int *state, const double *direction, int most,
                   double *r, bool *many) {
  const int n = c->rows;
  double u[DLS_STATUS_CASES_ROWS], F[DLS_STATUS_CASES_ROWS],
      J[DLS_STATUS_CASES_ROWS * DLS_STATUS_CASES_ROWS];
  double A[DLS_STATUS_CASES_ROWS * DLS_STATUS_CASES_ROWS], step[DLS_STATUS_CASES_ROWS],
      last = INFINITY;
  System system = {c, r, u, direction, F, J};
  for (int iteration = 0; iteration < most; iteration++) {
    velocity(c, r, u);
    dls_ledger.contacts += c->contacts;
    dls_ledger.flops += dls_ledger_dense(n);
    memset(J, 0, (size_t)(n * n) * sizeof *J);
    for (int i = 0; i < c->contacts; i++) rows_contact(&system, i, state[i]);
    const double norm = dls_small_norm(n, F), size = fmax(c->scale, dls_small_norm(n, r));
    if (!isfinite(norm) || norm <= 1e-16 * size) return;
    if (norm <= 1e-12 * size && norm >= 0.5 * last) return; /* at round-off */
    last = norm;
    memcpy(A, J, (size_t)(n * n) * sizeof *A);
    memcpy(step, F, (size_t)n * sizeof *step);
    const double large = 1e8; /* of a regular step, relative */
    if (!dls_small_solve(n, A, step) || !(dls_small_norm(n, step) <= large * size)) {
      *many = true;
      if (!shortest_step(n, J, F, step)) return;
    }
    for (int k = 0; k < n; k++) r[k] -= step[k];
  }
}

/* Sliding groups of two components in a case. */
static int count_directions(const DlsStatusCases *c, const int *state) {
  int directions = 0;
  for (int i = 0; i < c->contacts; i++) {
    DlsConeGroup groups[3] = {{0}};
    const int count = friction_groups(c, i, groups);
    int code = state[i] - 1;
    for (int g = 0; g < count && state[i] > 0; g++) {
      directions += groups[g].size == 2 && digits(&groups[g]) > 1 && code % digits(&groups[g]);
      code /= digits(&groups[g]);
    }
  }
  return directions;
}

/* Turns the sliding reactions of the guess: start 0 leaves them, others go round on a lattice. */
static void begin(const DlsStatusCases *c, const int *state, const double *guess, int start,
                  double *r) {
  static const double ratio[3] = {0.6180339887498949, 0.7548776662466927, 0.8191725133961645};
  int which = 0;
  memcpy(r, guess, (size_t)c->rows * sizeof *r);
  for (int i = 0; i < c->contacts; i++) {
    DlsConeGroup groups[3] = {{0}};
    const int count = friction_groups(c, i, groups);
    double *ri = r + i * c->scaled->block;
    for (int g = 0; g < count && state[i] > 0; g++, which++) {
      if (groups[g].size != 2) continue;
      double *t = ri + groups[g].first;
      const double norm = dls_small_norm(2, t);
      if (start == 0 && norm > 0) continue;
      if (!(ri[0] > 0)) ri[0] = fmax(1e-3 * c->scale, 1e-300);
      const double turn = start * ratio[which % 3] + 0.37 * which;
      const double angle = 6.283185307179586 * (turn - floor(turn));
      t[0] = groups[g].mu * ri[0] * cos(angle);
      t[1] = groups[g].mu * ri[0] * sin(angle);
    }
  }
}

/* Where a case has many solutions: back into the cones and on to the equations, by turns. */
static double alternate(const DlsStatusCases *c, const int *state, double enough, double *r) {
  const DlsScaled *s = c->scaled;
  const int rounds = 40;
  double error = error_of(c, r);
  for (int round = 0; round < rounds && !(error <= enough); round++) {
    bool many = false;
    for (int i = 0; i < c->contacts; i++)
      dls_cone_project(&s->relations[c->number[i]], s->dim, s->block, r + i * s->block);
    newton(c, state, NULL, MOST_NEWTON, r, &many);
    error = error_of(c, r);
  }
  return error;
}

/* Directions of slip by turns with the linear system that they leave, r_g = mu r_N d_g: each d_g
 * turns half-way to -u_g. Brings Newton's method near, and to the side on which friction opposes
 * slip. */
static void turn(const DlsStatusCases *c, const int *state, double *r) {
  const int rounds = 15, block = c->scaled->block;
  double d[DLS_STATUS_CASES_ROWS] = {0}, u[DLS_STATUS_CASES_ROWS];
  bool many = false;
  for (int round = 0; round < rounds; round++) {
    if (round > 0) velocity(c, r, u);
    for (int i = 0; i < c->contacts; i++) {
      DlsConeGroup groups[3] = {{0}};
      const int count = friction_groups(c, i, groups);
      for (int g = 0; g < count; g++) {
        const int first = i * block + groups[g].first;
        if (groups[g].size != 2) continue;
        const double slip = round > 0 ? dls_small_norm(2, u + first) : 0;
        for (int k = first; k < first + 2; k++) {
          if (round == 0) d[k] = r[k];
          if (slip > 0) d[k] -= u[k] / slip;
        }
        const double norm = dls_small_norm(2, d + first);
        for (int k = first; k < first + 2 && norm > 0; k++) d[k] /= norm;
      }
    }
    newton(c, state, d, 1, r, &many);
    if (!dls_small_finite(c->rows, r)) return;
  }
}

double dls_status_cases_solve(const DlsStatusCases *c, const int *state, const double *guess,
                              double enough, double *r) {
  const int directions = count_directions(c, state), most = 64;
  int starts = directions ? 1 + c->starts * directions : 1;
  if (starts > most) starts = most;
  double least = INFINITY;
  for (int start = 0; start < starts && !(least <= enough); start++) {
    double x[DLS_STATUS_CASES_ROWS];
    bool many = false;
    begin(c, state, guess, start, x);
    if (directions && start > 0) turn(c, state, x);
    newton(c, state, NULL, MOST_NEWTON, x, &many);
    const double error = many ? alternate(c, state, enough, x) : error_of(c, x);
    if (!(error < least)) continue;
    least = error;
    memcpy(r, x, (size_t)c->rows * sizeof *r);
  }
  return least;
}
