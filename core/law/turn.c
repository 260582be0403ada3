#include "law/turn.h"

#include "base/rotation.h"

void dls_pair_turn(const double before[9], const double now[9], const double spin[3], double h,
                   double turn[3]) {
  const double angle = h * dls_vector_dot(spin, now);
  const double about[3] = {angle * now[0], angle * now[1], angle * now[2]};
  double swing[4], twist[4], both[4];
  dls_rotation_between(before, now, swing);
  dls_rotation_exp(about, twist);
  dls_rotation_multiply(twist, swing, both);
  dls_rotation_log(both, turn);
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
