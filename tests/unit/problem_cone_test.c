/* Projections on the cones: what characterises them, and their derivatives against differences. */
#include "tests/cones.h"
#include "tests/test.h"

#include "base/random.h"
#include "base/small.h"

#include <delassus/cone.h>

enum { MAX = DLS_MAX_BLOCK };

/* Coefficients over three decades, one in ten of them zero. */
static DlsRelation relation_of(const TestCone *shape, DlsRandom *random) {
  DlsRelation relation = {.cone = shape->cone};
  for (int k = 0; k < DLS_MU_COUNT; k++)
    relation.mu[k] = pow(10, dls_random_between(random, -1.5, 1.5));
  if (dls_random_below(random, 10) == 0) relation.mu[dls_random_below(random, 4)] = 0;
  if (dls_random_below(random, 2)) relation.associated = dls_random_unit(random);
  if (!shape->elliptic) relation.mu[DLS_MU_2] = relation.mu[DLS_MU_1];
  return relation;
}

static void random_point(DlsRandom *random, int block, double *x) {
  for (int k = 0; k < block; k++) x[k] = dls_random_normal(random);
  if (dls_random_below(random, 8) == 0) x[dls_random_below(random, block)] = 0;
}

/* How far x is outside K, by the definition of the cone. */
static double outside(const TestCone *shape, const DlsRelation *relation, const double *x) {
  const DlsLayout l = dls_cone_layout(shape->cone, shape->dim, shape->block);
  const double *mu = relation->mu;
  double worst = 0;
  int used = 1;
  if (shape->cone == DLS_CONE_BILATERAL) return 0;
  if (shape->cone == DLS_CONE_FREE) worst = fabs(x[0]);
  if (shape->cone != DLS_CONE_FREE && shape->cone != DLS_CONE_SLIDER) worst = fmax(0, -x[0]);
  if (l.tangents == 2 && mu[0] != mu[1]) {
    for (int k = 0; k < 2; k++) /* |x_i| <= mu_i x_N along each axis, then the ellipse itself */
      worst = fmax(worst, fabs(x[1 + k]) - mu[k] * x[0]);
    if (mu[0] > 0 && mu[1] > 0)
      worst = fmax(worst, fmin(mu[0], mu[1]) * (hypot(x[1] / mu[0], x[2] / mu[1]) - x[0]));
  } else if (l.tangents) {
    worst = fmax(worst, dls_small_norm(l.tangents, x + 1) - mu[0] * x[0]);
  }
  used += l.tangents;
  if (l.rollings)
    worst = fmax(worst, dls_small_norm(l.rollings, x + used) - mu[DLS_MU_ROLL] * x[0]);
  used += l.rollings;
  if (l.torsions) worst = fmax(worst, fabs(x[used]) - mu[DLS_MU_TORSION] * x[0]);
  used += l.torsions;
  for (; used < shape->block; used++) worst = fmax(worst, fabs(x[used]));
  return worst;
}

/* p = P_K(x) exactly when p ∈ K, x - p ⟂ p, and (x - p)·k <= 0 for all k ∈ K. */
TEST(projection_is_the_nearest_point) {
  DlsRandom random;
  dls_random_seed(&random, 1);
  for (int s = 0; s < DLS_COUNT(test_cones); s++)
    for (int trial = 0; trial < 3000; trial++) {
      const TestCone *shape = &test_cones[s];
      const DlsRelation relation = relation_of(shape, &random);
      double x[MAX], p[MAX], gap[MAX], k[MAX], again[MAX];
      random_point(&random, shape->block, x);
      memcpy(p, x, sizeof p);
      dls_cone_project(&relation, shape->dim, shape->block, p);
      for (int i = 0; i < shape->block; i++) gap[i] = x[i] - p[i];
      CHECK_BELOW(outside(shape, &relation, p), 1e-13);
      CHECK_NEAR(dls_small_dot(shape->block, gap, p), 0, 1e-12);
      memcpy(again, p, sizeof again);
      dls_cone_project(&relation, shape->dim, shape->block, again);
      for (int i = 0; i < shape->block; i++) CHECK_NEAR(again[i], p[i], 1e-13);
      random_point(&random, shape->block, k);
      dls_cone_project(&relation, shape->dim, shape->block, k);
      CHECK_BELOW(dls_small_dot(shape->block, gap, k), 1e-12);
    }
}

TEST(projection_does_not_expand) {
  DlsRandom random;
  dls_random_seed(&random, 2);
  for (int s = 0; s < DLS_COUNT(test_cones); s++)
    for (int trial = 0; trial < 1000; trial++) {
      const TestCone *shape = &test_cones[s];
      const DlsRelation relation = relation_of(shape, &random);
      double x[MAX], y[MAX], before = 0, after = 0;
      random_point(&random, shape->block, x);
      random_point(&random, shape->block, y);
      for (int i = 0; i < shape->block; i++) before += (x[i] - y[i]) * (x[i] - y[i]);
      dls_cone_project(&relation, shape->dim, shape->block, x);
      dls_cone_project(&relation, shape->dim, shape->block, y);
      for (int i = 0; i < shape->block; i++) after += (x[i] - y[i]) * (x[i] - y[i]);
      CHECK_BELOW(after, before * (1 + 1e-12));
    }
}

/* Moreau: x = P_K(x) - P_K*(-x). */
TEST(dual_projection_completes_the_decomposition) {
  DlsRandom random;
  dls_random_seed(&random, 3);
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.4, 0.4}};
  for (int trial = 0; trial < 1000; trial++) {
    double x[3], p[3], d[3];
    random_point(&random, 3, x);
    for (int k = 0; k < 3; k++) {
      p[k] = x[k];
      d[k] = -x[k];
    }
    dls_cone_project(&relation, 3, 3, p);
    dls_cone_project_dual(&relation, 3, 3, d);
    for (int k = 0; k < 3; k++) CHECK_NEAR(x[k], p[k] - d[k], 1e-14);
    CHECK_BELOW(0.4 * hypot(d[1], d[2]) - d[0], 1e-14); /* K* : u_N >= mu |u_T| */
  }
}

/* Central differences agree where the map is smooth; near a kink they disagree among themselves. */
TEST(derivative_matches_differences) {
  const double step = 1e-6;
  DlsRandom random;
  dls_random_seed(&random, 4);
  for (int s = 0; s < DLS_COUNT(test_cones); s++) {
    int compared = 0;
    for (int trial = 0; trial < 500; trial++) {
      const TestCone *shape = &test_cones[s];
      const int n = shape->block;
      const DlsRelation relation = relation_of(shape, &random);
      double x[MAX], J[MAX * MAX];
      random_point(&random, n, x);
      dls_cone_project_derivative(&relation, shape->dim, n, x, J);
      for (int j = 0; j < n; j++) {
        double right[MAX], left[MAX], centre[MAX];
        memcpy(right, x, sizeof right);
        memcpy(left, x, sizeof left);
        memcpy(centre, x, sizeof centre);
        right[j] += step;
        left[j] -= step;
        dls_cone_project(&relation, shape->dim, n, right);
        dls_cone_project(&relation, shape->dim, n, left);
        dls_cone_project(&relation, shape->dim, n, centre);
        for (int i = 0; i < n; i++) {
          const double forward = (right[i] - centre[i]) / step, back = (centre[i] - left[i]) / step;
          if (fabs(forward - back) > 1e-3) continue;
          CHECK_NEAR(J[i * n + j], 0.5 * (forward + back), 2e-3);
          compared++;
        }
      }
    }
    CHECK(compared > 1000);
  }
}

TEST(shift_and_its_gradient) {
  DlsRandom random;
  dls_random_seed(&random, 5);
  for (int s = 0; s < DLS_COUNT(test_cones); s++)
    for (int trial = 0; trial < 200; trial++) {
      const TestCone *shape = &test_cones[s];
      const DlsRelation relation = relation_of(shape, &random);
      double u[MAX], gradient[MAX];
      random_point(&random, shape->block, u);
      const double shift = dls_cone_shift(&relation, shape->dim, shape->block, u, gradient);
      CHECK(shift >= 0);
      CHECK_NEAR(dls_small_dot(shape->block, gradient, u), shift, 1e-12 * (1 + shift)); /* Euler */
      for (int j = 0; j < shape->block; j++) {
        double v[MAX];
        memcpy(v, u, sizeof v);
        v[j] += 1e-7;
        const double moved = dls_cone_shift(&relation, shape->dim, shape->block, v, NULL);
        if (fabs(u[j]) > 1e-2) CHECK_NEAR((moved - shift) / 1e-7, gradient[j], 1e-3 * (1 + shift));
      }
    }
}

/* Sanni et al. 2009, eq. 26, by hand: mu = 1/2, tau = (1, 2): r = tau - (2 - 1/2)/(1 + 1/4) (1,
 * -1/2). */
TEST(coulomb_projection_by_hand) {
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  double x[2] = {1, 2};
  dls_cone_project(&relation, 2, 2, x);
  CHECK_NEAR(x[0], 1 + 1.2 * 0.5, 1e-15);
  CHECK_NEAR(x[1], 2 - 1.2, 1e-15);
}
