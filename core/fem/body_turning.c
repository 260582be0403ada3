/* The kind of bodies that turn as they like, with small strains and linear laws: one rotation R for
 * the body, that of the moments of its nodes,
 *
 *   sum m_a (x_a - c) (X_a - C)^T = R U,
 *
 * and the displacements beside it in axes that turn with it, w = R^T (x - c) - (X - C), in which K
 * is what it was made. The velocities of the body are told in axes that turn too, so that M^ is one
 * for a run: these axes are R where free flight leads in the mean of the step, and stay for the
 * step.
 *
 * Stored is w K w / 2; its exact slope is
 *
 *   f = R (K w - g),   g_a = m_a (J^-1 t) x (X_a - C),
 *   t = sum (R^T (x_a - c)) x (K w)_a,   J = tr U - U,
 *
 * where g, by the slope of R, keeps f without a torque. In a step K w is taken in its mean, linear
 * in v+, and g where free flight leads: without iteration. A mean of two places lies inside of
 * their arc: X stands for S X, S = (Q + Q^T) / 2, Q = R_n^T R, so that a rigid body that turns
 * steadily feels nothing. What that leaves of the energy is of the second order of the step, and in
 * the accounts as lost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "fem/body_impl.h"
#include "fem/rotation_part.h"

/* Behind displacements and drives in the state: R, S, both [3][3], and the J stored. */
enum { TURN = 0, ARC = 9, STORED = 18, MORE = 19 };

static const double *more_of(const DlsBodyModel *m, const double *state) {
  return state + m->n + 2 * m->drives;
}

static void size(const void *model, DlsDeformableSize *out) {
  const DlsBodyModel *m = model;
  *out = (DlsDeformableSize){.velocities = m->free,
                             .states = m->n + 2 * m->drives + MORE,
                             .elements = m->contacts,
                             .weights = m->dim};
}

void dls_body_turning_new(const DlsBodyModel *m, double *state) {
  double *more = state + m->n + 2 * m->drives;
  for (int k = 0; k < 3; k++) more[TURN + 4 * k] = more[ARC + 4 * k] = 1;
}

const double *dls_body_turn(const DlsBodyModel *m, const double *state) {
  return m->kinematics == DLS_KINEMATICS_COROTATIONAL ? more_of(m, state) + TURN : NULL;
}

/* out = R a, or R^T a, of a vector of space; of a body's [dim] in 2-D. */
static void turn(const double *R, const double *a, double *out) {
  for (int i = 0; i < 3; i++) out[i] = dls_small_dot(3, R + 3 * i, a);
}

static void turn_back(const double *R, const double *a, double *out) {
  for (int i = 0; i < 3; i++) out[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
}

/* All of [n], turned node by node, in place. */
static void turn_all(const DlsBodyModel *m, const double *R, bool back, double *x) {
  for (int a = 0; a < m->nodes; a++) {
    double from[3] = {0}, to[3];
    memcpy(from, x + a * m->dim, (size_t)m->dim * sizeof *x);
    (back ? turn_back : turn)(R, from, to);
    memcpy(x + a * m->dim, to, (size_t)m->dim * sizeof *x);
  }
}

/* [n], in space, of velocities along the body's axes. */
void dls_body_space_velocity(const DlsBodyModel *m, const double *state, const double *v,
                             double *out) {
  const double *R = dls_body_turn(m, state);
  for (int i = 0; i < m->n; i++) out[i] = m->number[i] >= 0 ? v[m->number[i]] : 0;
  if (R) turn_all(m, R, false, out);
  for (int k = 0; k < m->drives; k++) out[m->drive_of[k]] = state[m->n + k];
}

/* ---- Where it is turned to ---- */

static void centre_of(const DlsBodyModel *m, const double *u, double c[3]) {
  c[0] = c[1] = c[2] = 0;
  for (int i = 0; i < m->n; i++)
    c[i % m->dim] += m->share[i] * (m->X[i / m->dim][i % m->dim] + u[i]) / m->mass;
}

/* R of displacements u, their centre c, and that of X, C; the moments P. */
static DlsStatus find_turn(const DlsBodyModel *m, const double *u, double c[3], double C[3],
                           double P[3][3], double R[3][3]) {
  memset(C, 0, 3 * sizeof *C);
  memset(P, 0, 9 * sizeof(double));
  for (int i = 0; i < m->n; i++)
    C[i % m->dim] += m->share[i] * m->X[i / m->dim][i % m->dim] / m->mass;
  centre_of(m, u, c);
  for (int a = 0; a < m->nodes; a++)
    for (int i = 0; i < m->dim; i++)
      for (int j = 0; j < m->dim; j++)
        P[i][j] +=
            m->share[a * m->dim] * (m->X[a][i] + u[a * m->dim + i] - c[i]) * (m->X[a][j] - C[j]);
  if (m->dim == 2) P[2][2] = sqrt(fabs(P[0][0] * P[1][1] - P[0][1] * P[1][0]));
  return dls_rotation_part((const double(*)[3])P, R);
}

/* w [n] = R^T (x - c) - S (X - C); S NULL: 1. */
static void relative(const DlsBodyModel *m, const double *u, const double c[3], const double C[3],
                     const double *R, const double *S, double *w) {
  for (int a = 0; a < m->nodes; a++) {
    double x[3] = {0}, X[3] = {0}, own[3], rest[3];
    for (int k = 0; k < m->dim; k++) {
      X[k] = m->X[a][k] - C[k];
      x[k] = m->X[a][k] + u[a * m->dim + k] - c[k];
    }
    turn_back(R, x, own);
    memcpy(rest, X, sizeof rest);
    if (S) turn(S, X, rest);
    for (int k = 0; k < m->dim; k++) w[a * m->dim + k] = own[k] - rest[k];
  }
}

/* J, of displacements u; w [n] is scratch. */
static DlsStatus stored_of(const DlsBodyModel *m, const double *u, double *w, double *out) {
  double c[3], C[3], P[3][3], R[3][3];
  DLS_TRY(find_turn(m, u, c, C, P, R));
  relative(m, u, c, C, R[0], NULL, w);
  *out = 0;
  for (int i = 0; i < m->n; i++) *out += 0.5 * w[i] * dls_body_row(m, m->K, i, w);
  return DLS_OK;
}

static void begin(const void *model, const DlsDeformableStep *step, double *state,
                  double *velocity) {
  const DlsBodyModel *m = model;
  double *more = state + m->n + 2 * m->drives, c[3], C[3], P[3][3], R[3][3], old[3][3];
  double *v = dls_memory_array(2 * (size_t)m->n, sizeof *v);
  if (!v) return; /* the axes stay: the step is one of a body that does not turn */
  double *mean = v + m->n;
  dls_body_begin_drives(m, step, state);
  dls_body_space_velocity(m, state, velocity, v);
  for (int i = 0; i < m->n; i++) mean[i] = state[i] + step->after * v[i]; /* theta h v */
  if (find_turn(m, mean, c, C, P, R) == DLS_OK && find_turn(m, state, c, C, P, old) == DLS_OK) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double Q = 0, back = 0; /* R_n^T R and its transpose */
        for (int k = 0; k < 3; k++) Q += old[k][i] * R[k][j], back += old[k][j] * R[k][i];
        more[ARC + 3 * i + j] = 2 * step->after == step->h ? (Q + back) / 2 : i == j;
        more[TURN + 3 * i + j] = R[i][j];
      }
    turn_all(m, R[0], true, v);
    for (int i = 0; i < m->n; i++)
      if (m->number[i] >= 0) velocity[m->number[i]] = v[i];
  }
  free(v);
}

static void move(const void *model, double seconds, const double *v, double *state) {
  const DlsBodyModel *m = model;
  const double *R = more_of(m, state) + TURN;
  for (int a = 0; a < m->nodes; a++)
    for (int i = 0; i < m->dim; i++)
      for (int k = 0; k < m->dim; k++) {
        const int number = m->number[a * m->dim + k];
        if (number >= 0) state[a * m->dim + i] += seconds * R[3 * i + k] * v[number];
      }
  for (int k = 0; k < m->drives; k++) state[m->drive_of[k]] += seconds * state[m->n + k];
}

/* ---- The step ---- */

/* What internal forces are in a step, in the body's axes, [n] each. */
typedef struct {
  double *all;
  double *v;           /* m/s, along the body's axes, at the start, driven nodes too */
  double *w;           /* m: beside the turned body, in the mean of the step as free flight leads */
  double *g;           /* N: by the slope of R */
  double *outer;       /* N: weights and loads */
  double *gain;        /* m/s: of driven nodes */
  double *next, *work; /* scratch */
  double *own;         /* N, in space: loads of its own */
} Trial;

static DlsStatus open_trial(const DlsBodyModel *m, const double *state,
                            const DlsDeformableStep *step, const double *v, Trial *t) {
  const size_t n = (size_t)m->n;
  const double *R = more_of(m, state) + TURN, *S = more_of(m, state) + ARC;
  const double reach = step->after - step->before;
  double c[3], C[3], P[3][3], own[3][3], J[9] = {0}, torque[3] = {0};
  t->all = dls_memory_array(8 * n, sizeof *t->all);
  DLS_CHECK(t->all, DLS_ERR_MEMORY, "out of memory for %d displacements", m->n);
  t->v = t->all, t->w = t->v + n, t->g = t->w + n, t->outer = t->g + n, t->gain = t->outer + n;
  t->next = t->gain + n, t->work = t->next + n, t->own = t->work + n;
  dls_body_space_velocity(m, state, v, t->v);
  for (int i = 0; i < m->n; i++) t->work[i] = state[i] + reach * t->v[i];
  DLS_TRY(find_turn(m, t->work, c, C, P, own));
  relative(m, t->work, c, C, R, S, t->w);
  /* t and J in the body's axes: x there is S X + w; U = R^T P, and its trace without the third. */
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        if (m->dim == 3 || (i < 2 && j < 2)) J[3 * i + j] -= R[3 * k + i] * P[k][j];
  const double trace = -(J[0] + J[4] + J[8]);
  for (int k = 0; k < 3; k++) J[4 * k] += trace;
  for (int a = 0; a < m->nodes; a++) {
    double x[3] = {0}, lever[3], f[3] = {0}, moment[3];
    for (int k = 0; k < m->dim; k++) {
      x[k] = m->X[a][k] + t->work[a * m->dim + k] - c[k];
      f[k] = dls_body_row(m, m->K, a * m->dim + k, t->w);
    }
    turn_back(R, x, lever);
    dls_vector_cross(lever, f, moment);
    for (int k = 0; k < 3; k++) torque[k] += moment[k];
  }
  if (!dls_small_solve(3, J, torque)) memset(torque, 0, sizeof torque);
  for (int a = 0; a < m->nodes; a++) {
    double X[3] = {0}, g[3];
    for (int k = 0; k < m->dim; k++) X[k] = m->X[a][k] - C[k];
    dls_vector_cross(torque, X, g);
    for (int k = 0; k < m->dim; k++) t->g[a * m->dim + k] = m->share[a * m->dim] * g[k];
  }
  dls_body_add_loads(m, step, R, NULL, t->own);
  for (int i = 0; i < m->n; i++) {
    t->outer[i] =
        t->own[i] + m->share[i] * (step->gravity[i % m->dim] + step->force[i % m->dim] / m->mass);
    if (m->drives && m->number[i] < 0)
      t->gain[i] = (1 - step->still) * (t->v[i] - dls_body_driven(m, state, i, true));
  }
  turn_all(m, R, true, t->outer);
  turn_all(m, R, true, t->own);
  turn_all(m, R, true, t->gain);
  turn_all(m, R, true, t->v);
  return DLS_OK;
}

static DlsStatus load(const void *model, const double *state, const DlsDeformableStep *step,
                      const double *v, double *out) {
  const DlsBodyModel *m = model;
  Trial t = {0};
  const DlsStatus status = open_trial(m, state, step, v, &t);
  for (int i = 0; i < m->n && status == DLS_OK; i++) {
    t.w[i] += m->beta * t.v[i];
    t.gain[i] += step->h * m->alpha * t.v[i];
  }
  for (int i = 0; i < m->n && status == DLS_OK; i++) {
    if (m->number[i] < 0) continue;
    out[m->number[i]] = step->h * (t.outer[i] + t.g[i] - dls_body_row(m, m->K, i, t.w));
    if (m->drives || m->alpha > 0) out[m->number[i]] -= dls_body_mass_row(m, i, t.gain);
  }
  free(t.all);
  return status;
}

/* As of the linear body, with w in the place of u. */
static DlsStatus account(const DlsBodyModel *m, const DlsDeformableStep *step, const double *v,
                         double *next, double *state, Trial *t, double *stored,
                         DlsDeformableWorks *out) {
  const double theta = step->after / step->h, moves = 1 - step->still;
  const double *R = more_of(m, state) + TURN;
  double *end = t->work, *half = t->next, gained;
  for (int i = 0; i < m->n; i++) {
    const double a = t->v[i], b = m->number[i] >= 0 ? next[m->number[i]] : a;
    const double first = a - t->gain[i]; /* with `moves` = 0 it has no share */
    half[i] = 0.5 * step->h * (moves * first + (2 - moves) * b);
    end[i] = step->after * b;
    t->w[i] += theta * step->after * (b - a) + m->beta * ((1 - theta) * a + theta * b);
    t->gain[i] = moves * (b - first);
    t->v[i] = (1 - theta) * a + theta * b;
  }
  for (int i = 0; i < m->n; i++) {
    const double inner = dls_body_row(m, m->K, i, t->w) - t->g[i];
    const double path = m->number[i] < 0 ? step->h * t->v[i] : half[i];
    const double drag = m->alpha > 0 ? m->alpha * dls_body_mass_row(m, i, t->v) : 0;
    const double damps = m->beta > 0 ? m->beta * dls_body_row(m, m->K, i, t->v) : 0;
    out->lost += (inner + drag) * path;
    out->viscous += (drag + damps) * path;
    out->force += t->own[i] * half[i];
    if (m->number[i] >= 0 || (half[i] == 0 && path == 0)) continue;
    out->force += (dls_body_mass_row(m, i, t->gain) / step->h - t->outer[i]) * half[i];
    out->force += (inner + drag) * path;
    /* The ledger has the work of its weight along the path. */
    out->force += (t->outer[i] - t->own[i]) * (half[i] - path);
  }
  /* Where it ends: nodes without mass elsewhere than the step led them. */
  double *there = t->gain, *calmed = t->v;
  turn_all(m, R, false, end);
  for (int i = 0; i < m->n; i++) end[i] += state[i];
  if (dls_body_calm(m, step, v, next, state)) {
    for (int i = 0; i < m->n; i++)
      there[i] = m->number[i] >= 0 ? step->after * next[m->number[i]] : 0;
    turn_all(m, R, false, there);
    for (int i = 0; i < m->n; i++) {
      there[i] = m->share[i] > 0 || m->number[i] < 0 ? end[i] : there[i] + state[i];
      calmed[i] = there[i] - end[i];
    }
    memcpy(end, there, (size_t)m->n * sizeof *end);
    turn_all(m, R, true, calmed);
    for (int i = 0; i < m->n; i++) {
      out->force += t->own[i] * calmed[i];
      out->lost += t->own[i] * calmed[i];
    }
  }
  DLS_TRY(stored_of(m, end, t->w, &gained));
  out->lost -= gained - *stored;
  *stored = gained;
  return DLS_OK;
}

static DlsStatus finish(const void *model, const DlsDeformableStep *step, const double *v,
                        double *next, double *state, DlsDeformableWorks *out) {
  const DlsBodyModel *m = model;
  Trial t = {0};
  DlsStatus status = open_trial(m, state, step, v, &t);
  if (status == DLS_OK)
    status = account(m, step, v, next, state, &t, &state[m->n + 2 * m->drives + STORED], out);
  free(t.all);
  return status;
}

DlsStatus dls_body_turning_settle(const DlsBodyModel *m, double *state) {
  double *w;
  DLS_NEW(w, m->n);
  const DlsStatus status = stored_of(m, state, w, &state[m->n + 2 * m->drives + STORED]);
  free(w);
  return status;
}

static double strain(const void *model, const double *state) {
  return more_of(model, state)[STORED];
}

/* The slope of what is stored. */
DlsStatus dls_body_turning_forces(const DlsBodyModel *m, const double *state, double *out) {
  const DlsDeformableStep step = {.h = 1, .before = 0.5, .after = 0.5};
  double *at = NULL, *v = NULL, c[3], C[3], P[3][3], R[3][3];
  Trial t = {0};
  const size_t states = (size_t)(m->n + 2 * m->drives + MORE);
  DLS_NEW(at, states);
  DLS_NEW(v, m->free);
  memcpy(at, state, (size_t)m->n * sizeof *at);
  dls_body_turning_new(m, at);
  DlsStatus status = find_turn(m, state, c, C, P, R);
  memcpy(at + m->n + 2 * m->drives + TURN, R, sizeof R);
  if (status == DLS_OK) status = open_trial(m, at, &step, v, &t);
  for (int i = 0; i < m->n && status == DLS_OK; i++)
    out[i] = dls_body_row(m, m->K, i, t.w) - t.g[i];
  if (status == DLS_OK) turn_all(m, R[0], false, out);
  free(t.all), free(at), free(v);
  return status;
}

/* ---- What else is asked ---- */

static void mean_velocity(const void *model, const double *state, const double *v, double out[3]) {
  const DlsBodyModel *m = model;
  double own[3] = {0};
  for (int i = 0; i < m->n; i++)
    if (m->number[i] >= 0) own[i % m->dim] += m->share[i] * v[m->number[i]] / m->mass;
  turn(more_of(m, state) + TURN, own, out);
  for (int k = 0; k < m->drives; k++)
    out[m->drive_of[k] % m->dim] += m->share[m->drive_of[k]] * state[m->n + k] / m->mass;
}

/* A tensor of the body's axes in space. */
static void turn_tensor(const double *R, double t[6]) {
  static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  static const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  double out[6] = {0};
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++)
        out[i] += R[3 * at[i][0] + k] * t[place[k][l]] * R[3 * at[i][1] + l];
  memcpy(t, out, sizeof out);
}

static DlsStatus fields(const void *model, const double *state, const double *v,
                        DlsDeformableFields *out) {
  const DlsBodyModel *m = model;
  const DlsDeformableMesh *mesh = dls_body_mesh(m);
  double c[3], C[3], P[3][3], R[3][3], *w;
  DLS_TRY(find_turn(m, state, c, C, P, R));
  DLS_NEW(w, 2 * (size_t)m->n);
  double *speed = w + m->n;
  relative(m, state, c, C, R[0], NULL, w);
  dls_body_space_velocity(m, state, v, speed);
  const DlsStatus status = dls_body_view_fields(m->view, w, dls_body_linear_stress, m, out);
  for (int i = 0; i < m->n; i++) {
    out->displacement[i / m->dim][i % m->dim] = state[i];
    out->velocity[i / m->dim][i % m->dim] = speed[i];
  }
  for (int k = 0; k < mesh->start[m->cells]; k++) {
    double f[3];
    turn(R[0], out->force[k], f);
    memcpy(out->force[k], f, sizeof f);
  }
  for (int p = 0; p < mesh->point[m->cells]; p++) {
    double x[3], own[3];
    turn_tensor(R[0], out->stress[p]);
    turn_tensor(R[0], out->strain[p]);
    for (int k = 0; k < 3; k++) own[k] = out->place[p][k] - C[k];
    turn(R[0], own, x);
    for (int k = 0; k < 3; k++) out->place[p][k] = c[k] + x[k];
  }
  free(w);
  return status;
}

const DlsDeformableOperations dls_body_turning_kind = {
    .name = "co-rotational body",
    DLS_BODY_ALIKE,
    .size = size,
    .begin = begin,
    .move = move,
    .matrix = dls_body_linear_matrix,
    .load = load,
    .noise = dls_body_linear_noise,
    .surface = dls_body_surface,
    .mean_velocity = mean_velocity,
    .strain = strain,
    .finish = finish,
    .fields = fields,
};
