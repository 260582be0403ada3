/* One contact that three reactions cannot all move: D = A Aᵀ with A of 3 x 2 whole numbers, so that
 * D n = 0 for the cross product n of its columns, exactly. The reactions that stop the contact are
 * a line r* + t n; which of them lie in the cone of friction is a quadratic inequality in t. With z
 * the unit vector along n_T, e = -n_N / |n_T|, and ω the length of r_T across z,
 *
 *   |r_T| - mu r_N = sqrt(ω² + τ²) + mu e τ - mu k,   k = r_N at τ = 0
 *
 * is least at τ = -mu e ω / sqrt(1 - mu² e²), where it is ω sqrt(1 - mu² e²) - mu k; for mu |e| > 1
 * it falls without end against e. The planted lines meet the cone near that least place alone, or
 * far out alone: nowhere else can the contact stick. It may slip besides; some answer there is. */
#include "base/random.h"
#include "base/small.h"
#include "problem/local/local_impl.h"
#include "tests/test.h"

#include <math.h>

typedef struct {
  double D[9], n[3], z[2], across[2]; /* `across`: unit, square to z */
  double e;
} Line;

/* True where the normal moves and n has a part along the tangents. D is that of whole numbers. */
static bool draw_line(DlsRandom *random, Line *l) {
  double A[3][2];
  for (int i = 0; i < 6; i++) A[i / 2][i % 2] = dls_random_below(random, 9) - 4;
  for (int i = 0; i < 9; i++) l->D[i] = A[i / 3][0] * A[i % 3][0] + A[i / 3][1] * A[i % 3][1];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    l->n[i] = A[j][0] * A[k][1] - A[k][0] * A[j][1];
  }
  const double length = hypot(l->n[1], l->n[2]);
  if (!(l->D[0] > 0) || !(length > 0) || l->n[0] == 0) return false;
  for (int k = 0; k < 2; k++) l->z[k] = l->n[1 + k] / length;
  l->across[0] = -l->z[1];
  l->across[1] = l->z[0];
  l->e = -l->n[0] / length;
  return true;
}

/* q = -D r with r_T = ω across, r_N = k; false where that does not approach. */
static bool plant(const Line *l, double omega, double k, double *q) {
  const double r[3] = {k, omega * l->across[0], omega * l->across[1]};
  for (int i = 0; i < 3; i++) q[i] = -dls_small_dot(3, l->D + 3 * i, r);
  return q[0] < -1e-3;
}

/* By every case in extended precision, and as solvers call it. */
static void check_solved(const Line *l, double mu, const double *q) {
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
  double r[3] = {0};
  CHECK(dls_local_coulomb_cases(mu, 2, l->D, q, r) != DLS_LOCAL_NONE);
  CHECK_BELOW(dls_local_error(&relation, 3, 3, NULL, l->D, q, r), 1e-12);
  CHECK(dls_local_solve(&relation, 3, 3, NULL, l->D, q, r) != DLS_LOCAL_NONE);
  CHECK_BELOW(dls_local_error(&relation, 3, 3, NULL, l->D, q, r), 1e-12);
}

/* The line dips into the cone by a hundredth of ω or less, where mu |e| < 1. */
TEST(a_singular_block_with_a_narrow_place_to_stick_is_solved) {
  DlsRandom random;
  int held = 0;
  dls_random_seed(&random, 7);
  for (int drawn = 0; drawn < 20000 && held < 1000; drawn++) {
    Line l;
    double q[3];
    if (!draw_line(&random, &l)) continue;
    const double slope = dls_random_between(&random, 0.3, 0.95), mu = slope / fabs(l.e);
    const double omega =
        dls_random_between(&random, 0.1, 2) * (dls_random_below(&random, 2) ? 1 : -1);
    const double k = fabs(omega) * sqrt(1 - slope * slope) / mu * 1.01;
    if (!plant(&l, omega, k, q)) continue;
    check_solved(&l, mu, q);
    held++;
  }
  CHECK_INT(held, 1000);
}

/* Where mu |e| > 1, pushing along the line alone, far enough, holds: r at τ = 0 is out of the cone.
 */
TEST(a_singular_block_that_sticks_far_out_alone_is_solved) {
  DlsRandom random;
  int held = 0;
  dls_random_seed(&random, 8);
  for (int drawn = 0; drawn < 20000 && held < 1000; drawn++) {
    Line l;
    double q[3];
    if (!draw_line(&random, &l)) continue;
    const double slope = dls_random_between(&random, 1.5, 4), mu = slope / fabs(l.e);
    const double omega =
        dls_random_between(&random, 0.1, 2) * (dls_random_below(&random, 2) ? 1 : -1);
    const double k = dls_random_between(&random, -0.5, 0.5) * fabs(omega) / mu;
    if (!plant(&l, omega, k, q)) continue;
    check_solved(&l, mu, q);
    held++;
  }
  CHECK_INT(held, 1000);
}
