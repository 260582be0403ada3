/* Vectors of space and rotations as unit quaternions q = (w, x, y, z): q turns body axes into space
 * axes, a' = q a q*. */
#ifndef DELASSUS_BASE_ROTATION_H
#define DELASSUS_BASE_ROTATION_H

#include <math.h>

static inline double dls_vector_dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* c = a x b; c apart from a and b. */
static inline void dls_vector_cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double dls_vector_norm(const double *a) { return sqrt(dls_vector_dot(a, a)); }

/* out = q a q*, from body to space axes; out may be a. */
static inline void dls_rotation_apply(const double *q, const double *a, double *out) {
  double t[3], s[3];
  dls_vector_cross(q + 1, a, t);
  for (int i = 0; i < 3; i++) t[i] *= 2;
  dls_vector_cross(q + 1, t, s);
  for (int i = 0; i < 3; i++) out[i] = a[i] + q[0] * t[i] + s[i];
}

/* out = q* a q, from space to body axes; out may be a. */
static inline void dls_rotation_apply_inverse(const double *q, const double *a, double *out) {
  const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
  dls_rotation_apply(inverse, a, out);
}

/* out = a b: first b, then a; out apart from both. */
static inline void dls_rotation_multiply(const double *a, const double *b, double *out) {
  out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static inline void dls_rotation_normalise(double *q) {
  const double scale = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) q[i] *= scale;
}

/* out = exp(a): the turn by |a| radians about a. */
static inline void dls_rotation_exp(const double *a, double *out) {
  const double square = dls_vector_dot(a, a), angle = sqrt(square);
  /* sin(x/2)/x by its series where the quotient would lose digits. */
  const double factor = angle > 1e-4 ? sin(angle / 2) / angle : 0.5 - square / 48;
  out[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++) out[i + 1] = factor * a[i];
}

/* out = log(q), |out| <= pi: exp(out) is the rotation of q, or of -q, which is the same. */
static inline void dls_rotation_log(const double *q, double *out) {
  const double sign = q[0] < 0 ? -1 : 1, sine = dls_vector_norm(q + 1);
  const double angle = 2 * atan2(sine, sign * q[0]);
  const double factor = sine > 1e-4 ? angle / sine : 2 + sine * sine / 3;
  for (int i = 0; i < 3; i++) out[i] = sign * factor * q[i + 1];
}

/* Columns of the matrix are the body axes in space: out[3 i + j] = component i of axis j. */
static inline void dls_rotation_matrix(const double *q, double *out) {
  const double w = q[0], x = 2 * q[1], y = 2 * q[2], z = 2 * q[3];
  const double xx = x * q[1], yy = y * q[2], zz = z * q[3];
  const double xy = x * q[2], xz = x * q[3], yz = y * q[3], wx = w * x, wy = w * y, wz = w * z;
  out[0] = 1 - yy - zz, out[1] = xy - wz, out[2] = xz + wy;
  out[3] = xy + wz, out[4] = 1 - xx - zz, out[5] = yz - wx;
  out[6] = xz - wy, out[7] = yz + wx, out[8] = 1 - xx - yy;
}

/* The same by rows: out[j] is body axis j in space. Written where it goes, without a copy, for
 * those who ask often. */
static inline void dls_rotation_axes(const double *q, double (*out)[3]) {
  const double w = q[0], x = 2 * q[1], y = 2 * q[2], z = 2 * q[3];
  const double xx = x * q[1], yy = y * q[2], zz = z * q[3];
  const double xy = x * q[2], xz = x * q[3], yz = y * q[3], wx = w * x, wy = w * y, wz = w * z;
  out[0][0] = 1 - yy - zz, out[1][0] = xy - wz, out[2][0] = xz + wy;
  out[0][1] = xy + wz, out[1][1] = 1 - xx - zz, out[2][1] = yz - wx;
  out[0][2] = xz - wy, out[1][2] = yz + wx, out[2][2] = 1 - xx - yy;
}

/* The shortest turn that takes the unit vector a to the unit vector b; where they are opposite,
 * half a turn about some axis across. */
void dls_rotation_between(const double a[3], const double b[3], double q[4]);

#endif
