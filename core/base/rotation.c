#include "base/rotation.h"

void dls_rotation_between(const double a[3], const double b[3], double q[4]) {
  /* q = (1 + a.b, a x b), of half the angle once normalised. */
  q[0] = 1 + dls_vector_dot(a, b);
  dls_vector_cross(a, b, q + 1);
  if (q[0] < 1e-12) {
    /* Opposite: half a turn about the axis across a that is farthest from it. */
    const int k = fabs(a[0]) < fabs(a[1]) ? (fabs(a[0]) < fabs(a[2]) ? 0 : 2)
                                          : (fabs(a[1]) < fabs(a[2]) ? 1 : 2);
    const double axis[3] = {k == 0, k == 1, k == 2};
    q[0] = 0;
    dls_vector_cross(a, axis, q + 1);
  }
  dls_rotation_normalise(q);
}
