/* The units of a contact are its own: the scaled contact is the same in metres and in any other
 * unit of length, though spins and torques take it where velocities and impulses do not. */
#include "solvers/kit/contact_scale.h"
#include "tests/test.h"

#include <math.h>

enum { DIM = 3, BLOCK = 6 };

/* D = S_l D S_l, torques and spins in units of 1 / `length` m; a power of two, nothing is rounded.
 */
static void scale_in(double length, const double *diagonal, double *S, DlsRelation *relation) {
  double D[BLOCK * BLOCK] = {0};
  *relation = (DlsRelation){.cone = DLS_CONE_ROLLING, .mu = {0.5, 0.5, 0.25, 0.125}};
  for (int k = 0; k < BLOCK; k++)
    D[k * (BLOCK + 1)] = diagonal[k] / (k < DIM ? 1 : length * length);
  relation->mu[DLS_MU_ROLL] *= length;
  relation->mu[DLS_MU_TORSION] *= length;
  dls_contact_scale(DIM, BLOCK, D, relation, S);
}

TEST(the_scaled_contact_does_not_depend_on_the_unit_of_length) {
  static const double diagonal[][BLOCK] = {{1, 1.5, 1.5, 2, 3, 4}, /* all give way */
                                           {1, 0, 0, 2, 3, 4},     /* the tangents do not */
                                           {1, 1.5, 1.5, 2, 3, 0}, /* nor the torsion */
                                           {0, 1.5, 1.5, 2, 3, 4}};
  for (int d = 0; d < 4; d++) {
    double S[BLOCK], S_here[BLOCK];
    DlsRelation even, even_here;
    scale_in(1, diagonal[d], S, &even);
    for (int power = -60; power <= 60; power += 12) {
      const double length = ldexp(1, power);
      scale_in(length, diagonal[d], S_here, &even_here);
      for (int k = 0; k < BLOCK; k++)
        CHECK_NEAR(S_here[k] / (k < DIM ? 1 : length), S[k], 1e-15 * S[k]);
      for (int k = 0; k < DLS_MU_COUNT; k++)
        CHECK_NEAR(even_here.mu[k], even.mu[k], 1e-15 * even.mu[k]);
    }
  }
}
