/* The one-contact solve on two million random problems, easy and nasty. A problem with definite D
 * has a solution, and so has a planted one: a failure to find it is counted, and the count must be
 * zero. */
#include "tests/test.h"

#include "base/random.h"
#include "base/small.h"

#include <delassus/cone.h>
#include <delassus/local.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX = DLS_MAX_BLOCK };

typedef struct {
  int dim, block;
  DlsRelation relation;
  double D[MAX * MAX], q[MAX];
} Contact;

/* A matrix with condition number up to `condition`, rotated, plus a skew part: definite either way.
 */
static void random_block(DlsRandom *random, int n, double condition, double skew, double *D) {
  double Q[MAX * MAX], scale[MAX];
  for (int i = 0; i < n * n; i++) Q[i] = dls_random_normal(random);
  for (int i = 0; i < n; i++) { /* Gram-Schmidt on rows */
    for (int j = 0; j < i; j++) {
      const double along = dls_small_dot(n, Q + i * n, Q + j * n);
      for (int k = 0; k < n; k++) Q[i * n + k] -= along * Q[j * n + k];
    }
    const double size = dls_small_norm(n, Q + i * n);
    for (int k = 0; k < n; k++) Q[i * n + k] /= size;
  }
  for (int i = 0; i < n; i++) scale[i] = pow(condition, -dls_random_unit(random));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      D[i * n + j] = 0;
      for (int k = 0; k < n; k++) D[i * n + j] += Q[k * n + i] * scale[k] * Q[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      const double s = skew * dls_random_between(random, -1, 1);
      D[i * n + j] += s;
      D[j * n + i] -= s;
    }
}

static double random_power(DlsRandom *random, double decades) {
  return pow(10, dls_random_between(random, -decades, decades));
}

static void random_relation(DlsRandom *random, DlsCone cone, double decades, Contact *c) {
  c->relation = (DlsRelation){.cone = cone};
  for (int k = 0; k < DLS_MU_COUNT; k++) c->relation.mu[k] = random_power(random, decades);
  if (dls_random_below(random, 20) == 0) c->relation.mu[dls_random_below(random, 4)] = 0;
}

static void isotropic(Contact *c) { c->relation.mu[DLS_MU_2] = c->relation.mu[DLS_MU_1]; }

/* A pair (u, r) that obeys the relation: open, stick, or slip in every group; isotropic. */
static void plant(DlsRandom *random, const Contact *c, double *u, double *r) {
  const DlsLayout layout = dls_cone_layout(c->relation.cone, c->dim, c->block);
  const int kind = dls_random_below(random, 3), first[4] = {1, 1 + layout.tangents, 5, 6};
  const int size[3] = {layout.tangents, layout.rollings, layout.torsions};
  const double mu[3] = {c->relation.mu[DLS_MU_1], c->relation.mu[DLS_MU_ROLL],
                        c->relation.mu[DLS_MU_TORSION]};
  for (int k = 0; k < c->block; k++) u[k] = r[k] = 0;
  if (kind == 0) {
    for (int k = 0; k < c->block; k++) u[k] = dls_random_normal(random);
    u[0] = fabs(u[0]);
  } else {
    r[0] = fabs(dls_random_normal(random));
  }
  for (int g = 0; g < 3; g++) {
    double direction[2];
    if (!size[g]) continue;
    if (kind == 0) {
      u[0] += c->relation.associated * mu[g] * dls_small_norm(size[g], u + first[g]);
      continue;
    }
    for (int k = 0; k < size[g]; k++) direction[k] = dls_random_normal(random);
    const double norm = dls_small_norm(size[g], direction);
    const double slide = kind == 1 || dls_random_below(random, 2) ? 0 : random_power(random, 3);
    const double share = slide > 0 ? 1 : dls_random_unit(random);
    for (int k = 0; k < size[g]; k++) {
      r[first[g] + k] = -share * mu[g] * r[0] * direction[k] / norm;
      u[first[g] + k] = slide * direction[k] / norm;
    }
    u[0] += c->relation.associated * mu[g] * slide;
  }
}

static void planted_q(DlsRandom *random, Contact *c) {
  double u[MAX], r[MAX];
  plant(random, c, u, r);
  for (int i = 0; i < c->block; i++)
    c->q[i] = u[i] - dls_small_dot(c->block, c->D + i * c->block, r);
}

typedef struct {
  long tried, unsolved;
  double worst;
} Tally;

static void solve_one(DlsRandom *random, Contact *c, Tally *average, double *r) {
  const double before = c->q[0];
  for (int k = 0; k < MAX; k++) r[k] = 0;
  for (int k = 0; k < c->block; k++)
    r[k] = dls_random_below(random, 2) ? 0 : dls_random_normal(random);
  const DlsLocalOutcome outcome =
      dls_local_solve(&c->relation, c->dim, c->block, NULL, c->D, c->q, r);
  const double error = dls_local_error(&c->relation, c->dim, c->block, NULL, c->D, c->q, r);
  average->tried++;
  if (outcome == DLS_LOCAL_NONE) {
    if (average->unsolved++ == 0 && getenv("SHOW")) {
      printf("unsolved: cone %d block %d mu %g %g %g %g error %g\nD", c->relation.cone, c->block,
             c->relation.mu[0], c->relation.mu[1], c->relation.mu[2], c->relation.mu[3], error);
      for (int i = 0; i < c->block * c->block; i++) printf(" %.17g", c->D[i]);
      printf("\nq");
      for (int i = 0; i < c->block; i++) printf(" %.17g", c->q[i]);
      printf("\n");
    }
    return;
  }
  if (error > average->worst) average->worst = error;
  CHECK(before == c->q[0]);
  CHECK(outcome != DLS_LOCAL_OPEN || (r[0] == 0 && c->q[0] >= 0));
}

/* `count` problems of a cone: definite D of a given condition and skewness, masses over many
 * decades. Contacts that dilate are associated, or anything between that and Coulomb's. */
static Tally draw(bool dilates, uint64_t seed, long count, DlsCone cone, int dim, int block,
                  double condition, double skew, double mu_decades, bool circle) {
  Tally average = {0};
  DlsRandom random;
  dls_random_seed(&random, seed);
  for (long k = 0; k < count; k++) {
    Contact c = {.dim = dim, .block = block};
    random_block(&random, block, pow(condition, dls_random_unit(&random)),
                 skew * dls_random_unit(&random), c.D);
    const double mass = random_power(&random, 9), speed = random_power(&random, 6);
    for (int i = 0; i < block * block; i++) c.D[i] *= mass;
    random_relation(&random, cone, mu_decades, &c);
    if (circle) isotropic(&c);
    if (dilates)
      c.relation.associated = dls_random_below(&random, 2) ? 1 : dls_random_unit(&random);
    if (dls_random_below(&random, 2) && circle)
      planted_q(&random, &c);
    else
      for (int i = 0; i < block; i++)
        c.q[i] = dls_random_normal(&random) * pow(10, -4 * dls_random_unit(&random));
    if (c.q[0] > 0 && dls_random_below(&random, 4)) c.q[0] = -c.q[0];
    for (int i = 0; i < block; i++) c.q[i] *= speed;
    solve_one(&random, &c, &average, (double[MAX]){0});
  }
  return average;
}

static Tally definite(uint64_t seed, long count, DlsCone cone, int dim, int block, double condition,
                      double skew, double mu_decades, bool circle) {
  return draw(false, seed, count, cone, dim, block, condition, skew, mu_decades, circle);
}

static Tally dilatant(uint64_t seed, long count, DlsCone cone, int dim, int block, double condition,
                      double skew, double mu_decades, bool circle) {
  return draw(true, seed, count, cone, dim, block, condition, skew, mu_decades, circle);
}

static void check(const char *what, Tally average, double tolerance) {
  if (getenv("SHOW"))
    printf("%-28s %8ld tried, %ld unsolved, worst %.2e\n", what, average.tried, average.unsolved,
           average.worst);
  CHECK_INT(average.unsolved, 0);
  CHECK_BELOW(average.worst, tolerance);
}

TEST(coulomb_in_3d_easy) {
  check("3-D easy", definite(1, 500000, DLS_CONE_COULOMB, 3, 3, 10, 0, 1, true), 1e-12);
}
TEST(coulomb_in_3d_nasty) {
  check("3-D ill-conditioned", definite(2, 300000, DLS_CONE_COULOMB, 3, 3, 1e12, 0, 3, true),
        1e-10);
  check("3-D unsymmetric", definite(3, 300000, DLS_CONE_COULOMB, 3, 3, 1e6, 0.5, 3, true), 1e-10);
}
TEST(coulomb_in_2d) {
  check("2-D easy", definite(4, 300000, DLS_CONE_COULOMB, 2, 2, 10, 0, 1, true), 1e-12);
  check("2-D nasty", definite(5, 300000, DLS_CONE_COULOMB, 2, 2, 1e12, 0.5, 3, true), 1e-10);
}
TEST(elliptic_friction) {
  check("elliptic easy", definite(6, 100000, DLS_CONE_COULOMB, 3, 3, 10, 0, 0.5, false), 1e-11);
  check("elliptic nasty", definite(7, 100000, DLS_CONE_COULOMB, 3, 3, 1e8, 0.3, 2, false), 1e-9);
}
TEST(rolling_friction) {
  check("rolling 5 easy", definite(8, 60000, DLS_CONE_ROLLING, 3, 5, 10, 0, 1, true), 1e-12);
  check("rolling 6 easy", definite(9, 60000, DLS_CONE_ROLLING, 3, 6, 10, 0, 1, true), 1e-12);
  check("rolling 3 in 2-D", definite(10, 60000, DLS_CONE_ROLLING, 2, 3, 100, 0.3, 1, true), 1e-12);
  check("rolling 6 nasty", definite(11, 20000, DLS_CONE_ROLLING, 3, 6, 1e4, 0.3, 2, true), 1e-11);
}
TEST(contacts_that_dilate) {
  check("dilatant 3-D easy", dilatant(31, 200000, DLS_CONE_COULOMB, 3, 3, 10, 0, 1, true), 1e-12);
  check("dilatant 3-D nasty", dilatant(32, 50000, DLS_CONE_COULOMB, 3, 3, 1e12, 0, 3, true), 1e-10);
  check("dilatant unsymmetric", dilatant(33, 50000, DLS_CONE_COULOMB, 3, 3, 1e6, 0.5, 3, true),
        1e-10);
  check("dilatant 2-D easy", dilatant(34, 100000, DLS_CONE_COULOMB, 2, 2, 10, 0, 1, true), 1e-12);
  check("dilatant 2-D nasty", dilatant(35, 50000, DLS_CONE_COULOMB, 2, 2, 1e12, 0.5, 3, true),
        1e-10);
  check("dilatant elliptic", dilatant(36, 50000, DLS_CONE_COULOMB, 3, 3, 10, 0, 0.5, false), 1e-11);
  check("dilatant rolling 3", dilatant(37, 30000, DLS_CONE_ROLLING, 2, 3, 100, 0.3, 1, true),
        1e-12);
  check("dilatant rolling 6", dilatant(38, 30000, DLS_CONE_ROLLING, 3, 6, 10, 0, 1, true), 1e-12);
}
TEST(frictionless_and_tied) {
  check("signorini", definite(12, 50000, DLS_CONE_SIGNORINI, 3, 3, 1e8, 0.3, 1, true), 1e-12);
  check("slider", definite(13, 50000, DLS_CONE_SLIDER, 3, 3, 1e8, 0.3, 1, true), 1e-12);
  check("bilateral", definite(14, 50000, DLS_CONE_BILATERAL, 3, 6, 1e8, 0.3, 1, true), 1e-12);
}

/* The worst of the groups, each by its own sizes: û by what it is made of where it must vanish
 * (D_ij by the root of D_ii D_jj, as units would have it), r_g by mu_g r_N where it slips. Stricter
 * than dls_local_error(), which has one size for all. */
static double own_error(const Contact *c, const double *r) {
  const int n = c->block;
  const DlsLayout layout = dls_cone_layout(c->relation.cone, c->dim, n);
  const int first[3] = {1, 1 + layout.tangents, 5};
  const int size[3] = {layout.tangents, layout.rollings, layout.torsions};
  const double mu[3] = {c->relation.mu[DLS_MU_1], c->relation.mu[DLS_MU_ROLL],
                        c->relation.mu[DLS_MU_TORSION]};
  double u[MAX], made[MAX];
  for (int i = 0; i < n; i++) {
    u[i] = c->q[i];
    made[i] = fabs(c->q[i]);
    for (int j = 0; j < n; j++) u[i] += c->D[i * n + j] * r[j];
    for (int j = 0; j < n; j++) made[i] += sqrt(c->D[i * (n + 1)] * c->D[j * (n + 1)]) * fabs(r[j]);
  }
  if (r[0] == 0 && c->q[0] >= 0) return 0;
  double worst = r[0] > 0 ? fabs(u[0]) / made[0] : INFINITY;
  for (int g = 0; g < 3; g++) {
    double sticks = 0, slips = 0;
    const double disc = mu[g] * r[0], speed = dls_small_norm(size[g], u + first[g]);
    for (int k = first[g]; k < first[g] + size[g]; k++) {
      sticks = fmax(sticks, fabs(u[k]) / made[k]);
      if (disc > 0) slips = fmax(slips, fabs(r[k] + disc * u[k] / speed) / disc);
    }
    if (size[g] && disc > 0)
      sticks = fmax(sticks, dls_small_norm(size[g], r + first[g]) / disc - 1);
    if (size[g]) worst = fmax(worst, slips < sticks || !(disc > 0) ? slips : sticks);
  }
  return worst;
}

/* D + C with compliances, or masses, 17 decades above and below D, each component's its own: a soft
 * normal spring on stiff friction, a film on a light body, and all between. */
static Tally compliant(uint64_t seed, long count, DlsCone cone, int dim, int block) {
  Tally average = {0};
  DlsRandom random;
  dls_random_seed(&random, seed);
  for (long k = 0; k < count; k++) {
    Contact c = {.dim = dim, .block = block};
    double r[MAX];
    random_block(&random, block, 10, 0, c.D);
    random_relation(&random, cone, 1, &c);
    isotropic(&c);
    const double normal = random_power(&random, 17), tangent = random_power(&random, 17);
    const int which = dls_random_below(&random, 4);
    for (int i = 0; i < dim; i++)
      if (which & (i == 0 ? 1 : 2)) c.D[i * (block + 1)] += i == 0 ? normal : tangent;
    for (int i = 0; i < block; i++) c.q[i] = dls_random_normal(&random) * random_power(&random, 6);
    if (dls_random_below(&random, 4)) c.q[0] = -fabs(c.q[0]);
    if (dls_random_below(&random, 2)) c.q[0] *= normal; /* b = gap / h in proportion to C */
    solve_one(&random, &c, &average, r);
    if (cone != DLS_CONE_BILATERAL) average.worst = fmax(average.worst, own_error(&c, r));
  }
  return average;
}

TEST(compliances_of_any_size) {
  check("compliant 3-D", compliant(17, 200000, DLS_CONE_COULOMB, 3, 3), 1e-11);
  check("compliant 2-D", compliant(18, 200000, DLS_CONE_COULOMB, 2, 2), 1e-11);
  check("compliant tied", compliant(19, 50000, DLS_CONE_BILATERAL, 3, 6), 1e-11);
  check("compliant rolling 3", compliant(20, 30000, DLS_CONE_ROLLING, 2, 3), 1e-11);
  check("compliant rolling 5", compliant(21, 30000, DLS_CONE_ROLLING, 3, 5), 1e-11);
  check("compliant rolling 6", compliant(22, 30000, DLS_CONE_ROLLING, 3, 6), 1e-11);
}

/* D need not be definite for a solution to exist: any matrix with D_NN > 0, and a planted pair. */
TEST(indefinite_blocks_with_a_planted_solution) {
  Tally average = {0};
  DlsRandom random;
  dls_random_seed(&random, 15);
  for (int k = 0; k < 200000; k++) {
    Contact c = {.dim = 3, .block = 3};
    for (int i = 0; i < 9; i++) c.D[i] = dls_random_normal(&random);
    c.D[0] = fabs(c.D[0]) + 0.01;
    random_relation(&random, DLS_CONE_COULOMB, 1, &c);
    isotropic(&c);
    planted_q(&random, &c);
    solve_one(&random, &c, &average, (double[MAX]){0});
  }
  check("indefinite, planted", average, 1e-9);
}

/* Infinite mass in one direction, or in both: D is singular, and a planted solution is still found.
 */
TEST(singular_blocks_with_a_planted_solution) {
  Tally average = {0};
  DlsRandom random;
  dls_random_seed(&random, 16);
  for (int k = 0; k < 100000; k++) {
    Contact c = {.dim = 3, .block = 3};
    double x[3], y[3];
    const bool rank_two = dls_random_below(&random, 2);
    for (int i = 0; i < 3; i++) {
      x[i] = dls_random_normal(&random);
      y[i] = rank_two ? dls_random_normal(&random) : 0;
    }
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) c.D[3 * i + j] = x[i] * x[j] + y[i] * y[j];
    random_relation(&random, DLS_CONE_COULOMB, 1, &c);
    isotropic(&c);
    planted_q(&random, &c);
    solve_one(&random, &c, &average, (double[MAX]){0});
  }
  check("singular, planted", average, 1e-7);
}

/* The same two with dilatancy. */
TEST(indefinite_and_singular_blocks_that_dilate) {
  DlsRandom random;
  dls_random_seed(&random, 23);
  for (int singular = 0; singular < 2; singular++) {
    Tally average = {0};
    for (int k = 0; k < 20000; k++) {
      Contact c = {.dim = 3, .block = 3};
      double x[6];
      for (int i = 0; i < 9; i++) c.D[i] = dls_random_normal(&random);
      c.D[0] = fabs(c.D[0]) + 0.01;
      for (int i = 0; i < 6; i++) x[i] = dls_random_normal(&random);
      for (int i = 0; i < 9 && singular; i++)
        c.D[i] = x[i / 3] * x[i % 3] + (k % 2 ? x[3 + i / 3] * x[3 + i % 3] : 0);
      random_relation(&random, DLS_CONE_COULOMB, 1, &c);
      isotropic(&c);
      c.relation.associated = k % 3 ? dls_random_unit(&random) : 1;
      planted_q(&random, &c);
      solve_one(&random, &c, &average, (double[MAX]){0});
    }
    check(singular ? "dilatant singular" : "dilatant indefinite", average, singular ? 1e-7 : 1e-9);
  }
}

TEST(limits_give_finite_numbers) {
  const double D[9] = {1, 0.2, 0, 0.2, 1, 0, 0, 0, 1};
  const double qs[][3] = {{0, 0, 0},      {-1, 0, 0},     {-1e-300, 1, 1},
                          {-1, 1e300, 0}, {-1e300, 1, 1}, {1e-300, 1, 0}};
  const double mus[] = {0, 1e-300, 1e-12, 1, 1e12};
  for (int i = 0; i < DLS_COUNT(qs); i++)
    for (int m = 0; m < DLS_COUNT(mus); m++) {
      double r[3] = {0};
      const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {mus[m], mus[m]}};
      dls_local_solve(&relation, 3, 3, NULL, D, qs[i], r);
      for (int k = 0; k < 3; k++) CHECK(isfinite(r[k]));
    }
}

/* NaN passes through projections as 0 and through fmax as nothing; an error must not read as 0. */
TEST(an_answer_that_is_not_finite_is_no_answer) {
  const DlsCone cones[] = {DLS_CONE_FREE,      DLS_CONE_BILATERAL, DLS_CONE_SLIDER,
                           DLS_CONE_SIGNORINI, DLS_CONE_COULOMB,   DLS_CONE_ROLLING};
  const double D[25] = {[0] = 1, [6] = 1, [12] = 1, [18] = 1, [24] = 1}, q[5] = {-1, 1, 0, 1, 0};
  for (int c = 0; c < DLS_COUNT(cones); c++)
    for (int k = 0; k < 5; k++) {
      const DlsRelation relation = {.cone = cones[c], .mu = {0.5, 0.5, 0.5}};
      double r[5] = {1, 0, 0, 0, 0}, velocity[5] = {-1, 1, 0, 1, 0};
      r[k] = NAN;
      CHECK(isinf(dls_local_error(&relation, 3, 5, NULL, D, q, r)));
      r[k] = INFINITY;
      CHECK(isinf(dls_local_error(&relation, 3, 5, NULL, D, q, r)));
      r[k] = 0;
      velocity[k] = NAN;
      CHECK(isinf(dls_local_error(&relation, 3, 5, NULL, D, velocity, r)));
    }
}

static DlsStatus residual_nan(void *context, const double *u, const double *r, double *F,
                              double *dF_du, double *dF_dr) {
  (void)context;
  F[0] = u[0];
  F[1] = NAN;
  for (int k = 0; k < 4 && dF_du; k++) dF_du[k] = dF_dr[k] = r[0];
  return DLS_OK;
}

static DlsStatus solve_nan(void *context, const double *D, const double *q, double *r) {
  (void)context;
  r[0] = -q[0] / D[0];
  r[1] = NAN;
  return DLS_OK;
}

/* A custom law that gives NaN has not solved, and the guess is not spoilt. */
TEST(a_law_that_gives_nan_has_not_solved) {
  const DlsRelation relation = {.cone = DLS_CONE_CUSTOM};
  const DlsCustomRelation bad_residual = {"nan", NULL, residual_nan, NULL, NULL};
  const DlsCustomRelation bad_solve = {"nan", NULL, residual_nan, solve_nan, NULL};
  const double D[4] = {1, 0, 0, 1}, q[2] = {-1, 0.5};
  double r[2] = {0.25, 0.125};
  CHECK_INT(dls_local_solve(&relation, 2, 2, &bad_residual, D, q, r), DLS_LOCAL_NONE);
  CHECK(dls_small_finite(2, r));
  r[0] = 0.25;
  r[1] = 0.125;
  CHECK_INT(dls_local_solve(&relation, 2, 2, &bad_solve, D, q, r), DLS_LOCAL_NONE);
  CHECK_NEAR(r[0], 0.25, 0);
  CHECK_NEAR(r[1], 0.125, 0);
  CHECK(isinf(dls_local_error(&relation, 2, 2, &bad_residual, D, q, r)));
}

/* A grain of 1 nm, tied: its spins move 1e18 times more easily than its centre (SI units). */
TEST(tied_contacts_of_mixed_units) {
  const DlsRelation relation = {.cone = DLS_CONE_BILATERAL};
  double D[36] = {0}, q[6], r[6] = {0};
  for (int i = 0; i < 6; i++) {
    q[i] = i < 3 ? 1 : 1e9;
    for (int j = 0; j < 6; j++)
      D[6 * i + j] = (i == j ? 1 : 0.1) * (i < 3 ? 1 : 1e9) * (j < 3 ? 1 : 1e9);
  }
  CHECK_INT(dls_local_solve(&relation, 3, 6, NULL, D, q, r), DLS_LOCAL_STICK);
  for (int i = 0; i < 6; i++) /* (1 + 5/10) r = -1 in units of each component */
    CHECK_NEAR(r[i] * (i < 3 ? 1 : 1e9), -1 / 1.5, 1e-14);
}

/* A soft contact: the compliance of 1e10 must not hide the coupling of 1e-5 between the tangents,
 * on which the direction of sticking rests. D r = -q by hand: r_T = (-1, 1 + 1e-5) / (1 - 1e-10)
 * to first order. */
TEST(compliance_does_not_hide_the_tangents) {
  const double D[9] = {1e10, 0, 0, 0, 1, 1e-5, 0, 1e-5, 1}, q[3] = {-1e12, 1, -1};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  double r[3] = {0};
  CHECK_INT(dls_local_solve(&relation, 3, 3, NULL, D, q, r), DLS_LOCAL_STICK);
  for (int i = 1; i < 3; i++)
    CHECK_NEAR(D[3 * i] * r[0] + D[3 * i + 1] * r[1] + D[3 * i + 2] * r[2], -q[i], 1e-13);
}

/* Zero mass tangent to the contact and none at all: no solution, and it is said. */
TEST(no_solution_is_reported) {
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  const double zero[9] = {0}, q[3] = {-1, 0, 0};
  double r[3] = {0};
  CHECK_INT(dls_local_solve(&relation, 3, 3, NULL, zero, q, r), DLS_LOCAL_NONE);
}
