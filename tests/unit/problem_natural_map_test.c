/* The natural map: zero at pairs that obey the relation, whatever rho, and nowhere else; its forms
 * agree; spins made even leave it what it is. */
#include "tests/test.h"

#include "problem/natural_map.h"
#include "problem/spins.h"
#include "tests/cones.h"

#include "base/small.h"

enum { MAX = DLS_MAX_BLOCK };

TEST(the_map_vanishes_at_exact_pairs_for_every_rho) {
  DlsRandom random;
  dls_random_seed(&random, 1);
  for (int c = 0; c < DLS_COUNT(test_cones); c++)
    for (int trial = 0; trial < 500; trial++) {
      const TestCone *kind = &test_cones[c];
      const DlsRelation relation = test_cone_relation(&random, kind);
      const double rho = pow(10, dls_random_between(&random, -1, 1));
      double u[MAX], r[MAX], e[MAX];
      test_cone_pair(&random, &relation, kind, u, r);
      dls_natural_map(&relation, kind->dim, kind->block, rho, u, r, e);
      CHECK_BELOW(dls_small_norm(kind->block, e), 1e-12);
      r[0] +=
          1e-3; /* pushed, and still at rest or sliding: wrong, unless tied or free of K's edge */
      dls_natural_map(&relation, kind->dim, kind->block, rho, u, r, e);
      const bool any = kind->cone == DLS_CONE_BILATERAL || kind->cone == DLS_CONE_SLIDER;
      const bool carries = r[0] > 2e-3;
      if (!any && !carries) CHECK(dls_small_norm(kind->block, e) > 1e-5);
    }
}

/* Added up in another order, and by the formulas in line for Coulomb's cone. */
TEST(the_forms_of_the_map_agree) {
  DlsRandom random;
  dls_random_seed(&random, 2);
  for (int c = 0; c < DLS_COUNT(test_cones); c++)
    for (int trial = 0; trial < 500; trial++) {
      const TestCone *kind = &test_cones[c];
      const int dim = kind->dim, block = kind->block;
      const DlsRelation relation = test_cone_relation(&random, kind);
      const double theta = (1 - relation.associated) * relation.mu[DLS_MU_1];
      double u[MAX], r[MAX], e[MAX], x[MAX], other[MAX];
      for (int k = 0; k < block; k++) {
        u[k] = dls_random_normal(&random);
        r[k] = dls_random_normal(&random);
      }
      dls_natural_map(&relation, dim, block, 1, u, r, e);
      dls_natural_unit_point(&relation, dim, block, u, r, x, NULL);
      dls_natural_rest(&relation, dim, block, r, x, other);
      for (int k = 0; k < block; k++) CHECK_NEAR(other[k], e[k], 1e-14);
      const bool plain = kind->cone == DLS_CONE_COULOMB && block == dim && !kind->elliptic;
      if (plain)
        CHECK_NEAR(dls_natural_coulomb2(relation.mu[DLS_MU_1], theta, dim - 1, 1, u, r),
                   dls_small_dot(block, e, e), 1e-13);
    }
}

/* Four in line at a time, inside the cone, outside, at its apex and at rest, each with its own
 * numbers. */
TEST(four_contacts_at_a_time_agree) {
  DlsRandom random;
  dls_random_seed(&random, 3);
  for (int trial = 0; trial < 2000; trial++) {
    double mu[4], theta[4], rho[4], u[12], r[12], e2[4];
    for (int l = 0; l < 4; l++) {
      mu[l] = trial % 5 == l ? 0 : dls_random_between(&random, 0.1, 1.5);
      theta[l] = mu[l] * (trial % 3 == l ? 0.5 : 1);
      rho[l] = dls_random_between(&random, 0.1, 3);
      for (int k = 0; k < 3; k++) {
        u[3 * l + k] = trial % 7 == l ? 0 : dls_random_normal(&random);
        r[3 * l + k] = trial % 11 == l ? 0 : dls_random_normal(&random) + 2 * (k == 0);
      }
    }
    dls_natural_coulomb2_four(mu, theta, rho, u, r, e2);
    for (int l = 0; l < 4; l++) {
      const double one = dls_natural_coulomb2(mu[l], theta[l], 2, rho[l], u + 3 * l, r + 3 * l);
      CHECK_NEAR(e2[l], one, 1e-13 * (1 + one));
    }
  }
}

/* In another unit of length, d of them to the old one, a diagonal block has normal entries D and
 * spins D d²: the length is d times smaller, and so are torques over it, beside the same
 * impulses. */
TEST(even_spins_do_not_know_the_unit_of_length) {
  const double d = 1e3, mu = 0.02, torque = 0.3, spin = 4;
  double D[36] = {0}, E[36] = {0};
  for (int k = 0; k < 6; k++) {
    D[k * 7] = k < 3 ? 2 : 50;
    E[k * 7] = k < 3 ? 2 : 50 * d * d;
  }
  const double l = dls_spin_length(3, 6, D), m = dls_spin_length(3, 6, E);
  CHECK_NEAR(l, sqrt(2.0 / 50), 1e-15);
  CHECK_NEAR(m * d, l, 1e-15);
  const DlsRelation here = {.cone = DLS_CONE_ROLLING, .mu = {0.5, 0.5, mu, mu}};
  const DlsRelation there = {.cone = DLS_CONE_ROLLING, .mu = {0.5, 0.5, mu / d, mu / d}};
  const DlsRelation a = dls_spin_even(&here, l), b = dls_spin_even(&there, m);
  for (int k = 0; k < DLS_MU_COUNT; k++) CHECK_NEAR(a.mu[k], b.mu[k], 1e-15);
  for (int k = 0; k < 6; k++) {
    const double to = k < 3 ? 1 : d; /* torques and spins in the other unit: torque / d, spin d */
    CHECK_NEAR(torque / dls_spin_turn(3, k, l), torque / to / dls_spin_turn(3, k, m), 1e-14);
    CHECK_NEAR(spin * dls_spin_turn(3, k, l), spin * to * dls_spin_turn(3, k, m), 1e-14);
  }
  CHECK_NEAR(dls_spin_length(3, 3, D), 1, 0); /* no spins */
  memset(E, 0, sizeof E);
  E[0] = 2;
  CHECK_NEAR(dls_spin_length(3, 6, E), 1, 0); /* bodies that do not turn */
}
