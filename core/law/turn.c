#include "law/turn.h"

#include "base/rotation.h"

/* Sums of squares up to here: pairs turn by less than a tenth of a rad in a step, and contacts are
 * many, so that their angles are taken by series, to the last digit. */
static const double small = 0.0025;

/* cos and sin(x)/x of the square of x. */
static void cosine_and_sine(double square, double *cosine, double *sine) {
  const double s = square;
  if (s > small) {
    const double x = sqrt(s);
    *cosine = cos(x);
    *sine = sin(x) / x;
    return;
  }
  *cosine = 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90))));
  *sine = 1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72)));
}

/* x / sin(x) of the square of the sine, for a cosine above 0. */
static double angle_by_sine(double square, double cosine) {
  const double s = square;
  if (s > small) return atan2(sqrt(s), cosine) / sqrt(s);
  return 1 + s * (1.0 / 6 +
                  s * (3.0 / 40 + s * (5.0 / 112 +
                                       s * (35.0 / 1152 + s * (63.0 / 2816 + s * 231.0 / 13312)))));
}

void dls_pair_turn(const double before[9], const double now[9], const double spin[3], double h,
                   double turn[3]) {
  const double half = 0.5 * h * dls_vector_dot(spin, now);
  double swing[4], twist[4], both[4];
  dls_rotation_between(before, now, swing);
  cosine_and_sine(half * half, &twist[0], &twist[1]);
  const double sine = half * twist[1];
  for (int k = 0; k < 3; k++) twist[1 + k] = sine * now[k];
  dls_rotation_multiply(twist, swing, both);
  const double sign = both[0] < 0 ? -1 : 1;
  const double factor =
      2 * sign * angle_by_sine(dls_vector_dot(both + 1, both + 1), sign * both[0]);
  for (int k = 0; k < 3; k++) turn[k] = factor * both[1 + k];
}

void dls_pair_carry(const double before[9], const double now[9], const double turn[3],
                    double vector[2]) {
  double q[4], v[3];
  for (int k = 0; k < 3; k++) v[k] = vector[0] * before[3 + k] + vector[1] * before[6 + k];
  dls_rotation_exp(turn, q);
  dls_rotation_apply(q, v, v);
  vector[0] = dls_vector_dot(v, now + 3);
  vector[1] = dls_vector_dot(v, now + 6);
}
