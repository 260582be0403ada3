/* For custom laws: the one-contact problem of unilateral contact with friction, solved safely.
 *
 *   u = D r + q,   0 <= u_N ⟂ r_N >= 0,   |r_T| <= mu(v) r_N,   r_T = -mu(v) r_N u_T/v where v > 0
 *
 * v = |u_T|, with 1 to 5 tangents: two of space, or with scaled spins beside them. mu(v) >= 0 may
 * be any continuous function; where it falls with v, or D couples N with T, there may be several
 * solutions, of which one is found.
 *
 * At a given r_N = p the tangents follow from one number: u_T = -y r_T, y >= 0, so that r_T =
 * -(D_TT + y)^-1 c, c = q_T + D_TN p, which is explicit in the axes of D_TT. |r_T| falls and v =
 * y |r_T| rises with y: a root of |r_T| - mu(v) p is found between bounds; then one of u_N(p). */
#ifndef DELASSUS_LAW_FRICTION_H
#define DELASSUS_LAW_FRICTION_H

#include <string.h>

#include <delassus/law.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DLS_FRICTION_MOST = 5 }; /* tangents */

typedef double (*DlsFrictionCoefficient)(const void *context, double v);

/* The problem at hand, in the axes of D_TT. */
typedef struct {
  int tangents;
  DlsFrictionCoefficient mu;
  const void *context;
  double D, couple[DLS_FRICTION_MOST];               /* D_NN, D_NT */
  double q, slide[DLS_FRICTION_MOST];                /* q_N, q_T */
  double stiff[DLS_FRICTION_MOST];                   /* of D_TT, >= 0 */
  double axis[DLS_FRICTION_MOST][DLS_FRICTION_MOST]; /* columns */
  double p, r[DLS_FRICTION_MOST];                    /* the point tried last */
} DlsFriction;

/* Axes of a symmetric matrix by Jacobi's rotations: A becomes diagonal, axis its columns. */
static inline void dls_friction_axes(int n, double A[][DLS_FRICTION_MOST],
                                     double axis[][DLS_FRICTION_MOST]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) axis[i][j] = i == j;
  for (int sweep = 0; sweep < 30; sweep++) {
    double off = 0, on = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) *(i == j ? &on : &off) += fabs(A[i][j]);
    if (!(off > 1e-17 * on)) return;
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) {
        if (A[i][j] == 0) continue;
        const double half = (A[j][j] - A[i][i]) / (2 * A[i][j]);
        const double t = (half >= 0 ? 1 : -1) / (fabs(half) + hypot(1, half));
        const double c = 1 / hypot(1, t), s = t * c;
        for (int k = 0; k < n; k++) {
          const double a = A[k][i], b = A[k][j];
          A[k][i] = c * a - s * b;
          A[k][j] = s * a + c * b;
        }
        for (int k = 0; k < n; k++) {
          const double a = A[i][k], b = A[j][k], x = axis[k][i], y = axis[k][j];
          A[i][k] = c * a - s * b;
          A[j][k] = s * a + c * b;
          axis[k][i] = c * x - s * y;
          axis[k][j] = s * x + c * y;
        }
        A[i][j] = A[j][i] = 0;
      }
  }
}

/* |r_T| at p and y; fills r. Where nothing resists, it is as long as it can be. */
static inline double dls_friction_length(DlsFriction *f, double y) {
  double size = 0;
  for (int i = 0; i < f->tangents; i++) {
    const double c = f->slide[i] + f->couple[i] * f->p, resist = f->stiff[i] + y;
    f->r[i] = resist > 0 ? -c / resist : c == 0 ? 0 : -c * 1e300;
    size = hypot(size, f->r[i]);
  }
  return size;
}

/* |r_T| - mu(v) p, which is 0 where the contact slides and at most 0 at y = 0 where it sticks. */
static inline double dls_friction_excess(DlsFriction *f, double y) {
  const double size = dls_friction_length(f, y);
  return size - f->mu(f->context, y * size) * f->p;
}

/* u_N at p, with the tangents that belong to it. */
static inline double dls_friction_opening(DlsFriction *f, double p) {
  double low = 0, high, at_low, at_high, c = 0, u = f->D * p + f->q;
  f->p = p;
  at_low = dls_friction_excess(f, 0);
  if (at_low > 0) {
    for (int i = 0; i < f->tangents; i++) c = hypot(c, f->slide[i] + f->couple[i] * p);
    high = c / fmax(f->mu(f->context, c) * p, 1e-300);
    at_high = dls_friction_excess(f, high);
    for (int k = 0; k < 60 && at_high > 0; k++) at_high = dls_friction_excess(f, high *= 4);
    /* Regula falsi with halving (Illinois), between bounds that hold the root. */
    for (int k = 0, side = 0; k < 200 && high - low > 4e-16 * high; k++) {
      double y = (low * at_high - high * at_low) / (at_high - at_low);
      if (!(y > low && y < high) || k % 8 == 7) y = low > 0 ? sqrt(low * high) : 0.5 * high;
      if (!(y > low && y < high)) break;
      const double at = dls_friction_excess(f, y);
      if (at == 0) break;
      if (at > 0) {
        low = y;
        at_low = at;
        if (side == 1) at_high *= 0.5;
        side = 1;
      } else {
        high = y;
        at_high = at;
        if (side == -1) at_low *= 0.5;
        side = -1;
      }
    }
  }
  for (int i = 0; i < f->tangents; i++) u += f->couple[i] * f->r[i];
  return u;
}

/* Solves it: D [n][n], symmetric, row-major, q and r [n], n = 1 + tangents, N first. 1 where r is a
 * solution, 0 where none was found: with strong coupling there may be none. */
static inline int dls_friction_solve(int tangents, const double *D, const double *q,
                                     DlsFrictionCoefficient mu, const void *context, double *r) {
  const int n = tangents + 1;
  DlsFriction f;
  double A[DLS_FRICTION_MOST][DLS_FRICTION_MOST];
  memset(&f, 0, sizeof f);
  for (int i = 0; i < n; i++) r[i] = 0;
  if (q[0] >= 0) return 1;
  if (!(D[0] > 0)) return 0;
  f.p = 0;
  f.tangents = tangents;
  f.mu = mu;
  f.context = context;
  f.D = D[0];
  f.q = q[0];
  for (int i = 0; i < tangents; i++)
    for (int j = 0; j < tangents; j++) A[i][j] = D[(1 + i) * n + 1 + j];
  dls_friction_axes(tangents, A, f.axis);
  for (int i = 0; i < tangents; i++) {
    f.stiff[i] = fmax(A[i][i], 0);
    f.couple[i] = f.slide[i] = f.r[i] = 0;
    for (int k = 0; k < tangents; k++) {
      f.couple[i] += f.axis[k][i] * D[1 + k];
      f.slide[i] += f.axis[k][i] * q[1 + k];
    }
  }
  double low = 0, at_low = q[0], high = -q[0] / D[0], at_high = dls_friction_opening(&f, high);
  for (int k = 0; k < 100 && at_high < 0; k++) {
    low = high;
    at_low = at_high;
    at_high = dls_friction_opening(&f, high *= 2);
  }
  if (!(at_high >= 0)) return 0;
  for (int k = 0, side = 0; k < 200 && high - low > 2e-16 * high && at_high != 0; k++) {
    double p = (low * at_high - high * at_low) / (at_high - at_low);
    if (!(p > low && p < high) || k % 8 == 7) p = 0.5 * (low + high);
    if (!(p > low && p < high)) break;
    const double at = dls_friction_opening(&f, p);
    if (at >= 0) {
      high = p;
      at_high = at;
      if (side == 1) at_low *= 0.5;
      side = 1;
    } else {
      low = p;
      at_low = at;
      if (side == -1) at_high *= 0.5;
      side = -1;
    }
  }
  dls_friction_opening(&f, high);
  r[0] = high;
  for (int i = 0; i < tangents; i++)
    for (int k = 0; k < tangents; k++) r[1 + i] += f.axis[i][k] * f.r[k];
  return 1;
}

/* The same for the components N, T1, T2 of a contact's block, all else without reaction; û_N is u_N
 * + gap_rate. */
static inline int dls_friction_contact(const DlsContact *c, const double *D, const double *q,
                                       DlsFrictionCoefficient mu, const void *context, double *r) {
  double small[9], free_part[3], out[3] = {0, 0, 0};
  for (int i = 0; i < c->dim; i++) {
    free_part[i] = q[i] + (i == 0 ? c->gap_rate : 0);
    for (int j = 0; j < c->dim; j++) small[i * c->dim + j] = D[i * c->block + j];
  }
  const int found = dls_friction_solve(c->dim - 1, small, free_part, mu, context, out);
  for (int i = 0; i < c->block; i++) r[i] = i < c->dim ? out[i] : 0;
  return found;
}

/* |y| in the norm of the ellipsoid with the half axes `axis`. */
static inline double dls_friction_gauge(int count, const double *axis, const double *y) {
  double size = 0;
  for (int i = 0; i < count; i++) size = hypot(size, y[i] / axis[i]);
  return size;
}

/* The point of the ellipsoid |y_i / axis_i| <= s that is nearest to x, in place, axis > 0:
 * y_i = x_i / (1 + z / axis_i²), z >= 0 the root of a falling, convex function: Newton's method
 * rises to it. Far outside, z is large and y along axis_i² x_i. */
static inline void dls_friction_nearest(int count, const double *axis, double s, double *x) {
  const double far = dls_friction_gauge(count, axis, x), thin = 1e-12;
  double z = 0, y[DLS_FRICTION_MOST], size;
  if (!(far > s)) return;
  for (int i = 0; i < count; i++) y[i] = x[i] / far * axis[i] * axis[i];
  if (!(s > thin * far)) {
    size = dls_friction_gauge(count, axis, y);
    for (int i = 0; i < count; i++) x[i] = size > 0 ? y[i] / size * s : 0;
    return;
  }
  for (int k = 0; k < 100; k++) {
    double slope = 0;
    for (int i = 0; i < count; i++) {
      const double square = axis[i] * axis[i], part = 1 + z / square;
      y[i] = x[i] / far / part;
      slope += y[i] * y[i] / (square * square * part);
    }
    size = dls_friction_gauge(count, axis, y) * (far / s);
    if (!(size > 1 + 1e-15) || !(slope > 0)) break;
    z += (size - 1) * size * size * (s / far) * (s / far) / slope; /* 1/size is nearly straight */
  }
  for (int i = 0; i < count; i++) x[i] = y[i] * far;
}

#ifdef __cplusplus
}
#endif
#endif
