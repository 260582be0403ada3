#include "world/rotation.h"

#include <float.h>
#include <stdbool.h>

enum { MAX_ITERATIONS = 60, MAX_HALVINGS = 20 };

void dls_rotation_from_matrix(const double matrix[9], double q[4]) {
  const double *m = matrix;
  /* The largest of w, x, y, z first: the others divide by it (Shepperd 1978). */
  const double square[4] = {1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8],
                            1 - m[0] - m[4] + m[8]};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (square[i] > square[k]) k = i;
  const double products[4][4] = {
      {square[0], m[7] - m[5], m[2] - m[6], m[3] - m[1]},
      {m[7] - m[5], square[1], m[3] + m[1], m[2] + m[6]},
      {m[2] - m[6], m[3] + m[1], square[2], m[7] + m[5]},
      {m[3] - m[1], m[2] + m[6], m[7] + m[5], square[3]},
  };
  for (int i = 0; i < 4; i++) q[i] = products[k][i];
  dls_rotation_normalise(q);
}

void dls_rotation_turn(double h, const double spin[3], double q[4]) {
  const double a[3] = {h * spin[0], h * spin[1], h * spin[2]};
  double turn[4], result[4];
  dls_rotation_exp(a, turn);
  dls_rotation_multiply(turn, q, result);
  dls_rotation_normalise(result);
  for (int i = 0; i < 4; i++) q[i] = result[i];
}

/* One midpoint step of the momentum P in body axes; false when the iteration does not contract.
 * turn receives exp(h w). Whatever w is, q P is kept; the energy is, where w has converged. */
static bool midpoint(double h, const double inertia[3], double P[3], double turn[4]) {
  const double size = dls_vector_norm(P);
  double next[3] = {P[0], P[1], P[2]}, change = DBL_MAX;
  for (int n = 0; n < MAX_ITERATIONS; n++) {
    double a[3], old[3], moved = 0;
    for (int i = 0; i < 3; i++) {
      a[i] = h * (P[i] + next[i]) / (2 * inertia[i]);
      old[i] = next[i];
    }
    dls_rotation_exp(a, turn);
    dls_rotation_apply_inverse(turn, P, next);
    for (int i = 0; i < 3; i++) moved = fmax(moved, fabs(next[i] - old[i]));
    /* At round-off the change stops falling: that is the end, not a failure. */
    if (moved <= 4 * DBL_EPSILON * size || (moved >= change && moved <= 1e-13 * size)) {
      for (int i = 0; i < 3; i++) P[i] = next[i];
      return true;
    }
    change = moved;
  }
  return false;
}

/* The step in 2^depth parts where one does not contract. */
static void advance(double h, const double inertia[3], int depth, double q[4], double P[3]) {
  double turn[4], result[4], start[3] = {P[0], P[1], P[2]};
  if (!midpoint(h, inertia, P, turn) && depth < MAX_HALVINGS) {
    for (int i = 0; i < 3; i++) P[i] = start[i];
    advance(h / 2, inertia, depth + 1, q, P);
    advance(h / 2, inertia, depth + 1, q, P);
    return;
  }
  dls_rotation_multiply(q, turn, result);
  dls_rotation_normalise(result);
  for (int i = 0; i < 4; i++) q[i] = result[i];
}

void dls_rotation_free_step(double h, const double inertia[3], double q[4], double spin[3]) {
  double P[3];
  if (!(inertia[0] > 0 && inertia[1] > 0 && inertia[2] > 0)) {
    dls_rotation_turn(h, spin, q);
    return;
  }
  dls_rotation_apply_inverse(q, spin, P);
  for (int i = 0; i < 3; i++) P[i] *= inertia[i];
  if (!(dls_vector_dot(P, P) > 0)) return;
  advance(h, inertia, 0, q, P);
  for (int i = 0; i < 3; i++) P[i] /= inertia[i];
  dls_rotation_apply(q, P, spin);
}
