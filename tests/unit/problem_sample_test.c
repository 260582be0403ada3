/* The samples: weights, geometry, symmetry, and the reactions known in closed form. */
#include <delassus/errors.h>
#include <delassus/sample.h>

#include <stdlib.h>
#include <string.h>

#include "tests/solving.h"

static const double gravity = 9.81;

/* Reactions that come with a sample solve it, whatever their number. */
TEST(known_reactions_solve_their_problem) {
  static const struct {
    const char *name;
    int size;
  } cases[] = {{"slope", 1}, {"slope", 50}, {"column", 1},  {"column", 30},
               {"table", 4}, {"table", 7},  {"random", 30}, {"random", 400}};
  for (int i = 0; i < DLS_COUNT(cases); i++) {
    double *r = NULL;
    DlsErrors errors;
    DlsProblem *problem = test_sample_solved(cases[i].name, cases[i].size, &r);
    CHECK(r != NULL);
    CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
    CHECK_BELOW(errors.natural, 1e-13);
    CHECK_BELOW(errors.scaled, 1e-13);
    free(r);
    dls_problem_destroy(&problem);
  }
}

/* A particle of 2 kg is held when tan(tilt) <= mu: r = h m g (cos, -sin), t1 down the slope. */
TEST(slope_holds_or_slides_by_the_friction_angle) {
  const double h = 1e-3, hmg = h * 2.0 * gravity, tilt = 0.3;
  for (int slides = 0; slides < 2; slides++) {
    const double mu = tan(tilt) * (slides ? 0.8 : 1.2);
    const DlsSampleParams params = {.size = 1, .mu = mu, .h = h, .tilt = tilt};
    DlsProblem *problem = NULL;
    double *r = NULL, u[3];
    CHECK_OK(dls_sample_create("slope", &params, &problem, &r));
    dls_problem_velocity(problem, r, u);
    CHECK_NEAR(r[0], hmg * cos(tilt), 1e-15);
    CHECK_NEAR(r[1], slides ? -mu * hmg * cos(tilt) : -hmg * sin(tilt), 1e-15);
    CHECK_NEAR(u[0], 0, 1e-15);
    CHECK_NEAR(u[1], slides ? h * gravity * (sin(tilt) - mu * cos(tilt)) : 0, 1e-15);
    free(r);
    dls_problem_destroy(&problem);
  }
}

/* All samples: W r.s = r.W s, r.W r >= 0, and q is what bodies do that nothing holds. */
TEST(samples_have_a_symmetric_semidefinite_operator) {
  int count;
  const DlsSample *samples = dls_sample_list(&count);
  for (int i = 0; i < count; i++) {
    DlsProblem *problem =
        test_sample_solved(samples[i].name, samples[i].defaults.size < 50 ? 6 : 60, NULL);
    const DlsOperator *W = dls_problem_operator(problem);
    const int rows = dls_problem_contacts(problem) * dls_problem_block(problem);
    CHECK(dls_operator_has_parts(W));
    CHECK(rows > 0);
    double *x = malloc((size_t)rows * 4 * sizeof *x), *y = x + rows, *Wx = y + rows,
           *Wy = Wx + rows;
    for (int k = 0; k < rows; k++) {
      x[k] = sin(1.0 + 7.0 * k);
      y[k] = cos(2.0 + 5.0 * k);
    }
    dls_operator_apply(W, x, Wx);
    dls_operator_apply(W, y, Wy);
    double xWy = 0, yWx = 0, xWx = 0;
    for (int k = 0; k < rows; k++) {
      xWy += x[k] * Wy[k];
      yWx += y[k] * Wx[k];
      xWx += x[k] * Wx[k];
    }
    CHECK_NEAR(xWy, yWx, 1e-12 * xWx);
    CHECK(xWx > 0);
    free(x);
    dls_problem_destroy(&problem);
  }
}

/* The sum of what the ground gives must stop the free fall: with all bodies stopped, the impulse of
 * the ground is the weight times h. For a table that is the sum of its legs. */
TEST(table_legs_carry_the_weight) {
  double *r = NULL, sum = 0;
  DlsProblem *problem = test_sample_solved("table", 5, &r);
  const double mass = 600 * 1.4 * 1.4 * 0.04;
  for (int k = 0; k < 5; k++) sum += r[3 * k];
  CHECK_NEAR(sum, 1e-3 * gravity * mass, 1e-12);
  free(r);
  dls_problem_destroy(&problem);
}

/* A sphere on the ground: W_NN = 1/m, W_TT = 1/m + R^2/J = 3.5/m, and W_TN = 0. */
TEST(column_has_the_inertia_of_spheres) {
  double D[9 * 2];
  DlsProblem *problem = test_sample_solved("column", 2, NULL);
  const double mass = 2500 * 4.0 / 3.0 * M_PI * 1e-6;
  dls_operator_diagonal(dls_problem_operator(problem), D);
  CHECK_NEAR(D[0] * mass, 1.0, 1e-13);
  CHECK_NEAR(D[4] * mass, 3.5, 1e-13);
  CHECK_NEAR(D[8] * mass, 3.5, 1e-13);
  CHECK_NEAR(D[1] * mass, 0, 1e-13);
  CHECK_NEAR(D[9] * mass, 2.0, 1e-13); /* two spheres */
  CHECK_NEAR(dls_problem_q(problem)[0], -1e-3 * gravity, 1e-15);
  CHECK_NEAR(dls_problem_q(problem)[3], 0, 1e-15);
  dls_problem_destroy(&problem);
}

/* Counts by formula: n courses of n bricks rest on 4 n points of the ground and on 2 n faces of
 * four points between courses; a pyramid has n^2 on the ground, 4 below each other sphere, 2 k (k -
 * 1) within a layer of side k. */
TEST(walls_and_piles_have_the_contacts_of_their_geometry) {
  for (int n = 1; n <= 7; n++) {
    DlsProblem *wall = test_sample_solved("wall", n, NULL),
               *pile = test_sample_solved("pile", n, NULL);
    int spheres = 0, inside = 0;
    for (int k = 1; k <= n; k++) {
      spheres += k * k;
      inside += 2 * k * (k - 1);
    }
    CHECK_INT(dls_problem_contacts(wall), 4 * n + (n - 1) * 2 * n * 4);
    CHECK_INT(dls_problem_contacts(pile), n * n + 4 * (spheres - n * n) + inside);
    dls_problem_destroy(&wall);
    dls_problem_destroy(&pile);
  }
}

/* Packings are dense networks, and of public size by default. */
TEST(packings_are_dense) {
  DlsProblem *box = NULL, *disks = NULL, *wall = NULL;
  CHECK_OK(dls_sample_create("box", NULL, &box, NULL));
  CHECK_OK(dls_sample_create("disks", NULL, &disks, NULL));
  CHECK_OK(dls_sample_create("wall", NULL, &wall, NULL));
  CHECK(dls_problem_contacts(box) >= 2000 && dls_problem_contacts(box) <= 4000);
  CHECK(dls_problem_contacts(disks) >= 1500 && dls_problem_contacts(disks) <= 3000);
  CHECK(dls_problem_contacts(wall) >= 2000 && dls_problem_contacts(wall) <= 3000);
  CHECK_INT(dls_problem_block(disks), 2);
  dls_problem_destroy(&box);
  dls_problem_destroy(&disks);
  dls_problem_destroy(&wall);
}

TEST(blocks_follow_the_law_of_the_sample) {
  static const struct {
    const char *name;
    int dim, block;
  } cases[] = {{"rolling", 3, 5}, {"torsion", 3, 6}, {"rolling-disks", 2, 3}};
  for (int i = 0; i < DLS_COUNT(cases); i++) {
    DlsProblem *problem = test_sample_solved(cases[i].name, 40, NULL);
    CHECK_INT(dls_problem_dim(problem), cases[i].dim);
    CHECK_INT(dls_problem_block(problem), cases[i].block);
    CHECK(dls_problem_has(problem, DLS_CONE_ROLLING));
    dls_problem_destroy(&problem);
  }
}

/* The same seed gives the same problem to the last bit, another seed another. */
TEST(seeds_decide_and_nothing_else) {
  DlsProblem *a = test_sample_solved("box", 100, NULL), *b = test_sample_solved("box", 100, NULL),
             *c = NULL;
  const DlsSampleParams other = {.size = 100, .seed = 2, .mu = 0.3, .h = 1e-3};
  CHECK_OK(dls_sample_create("box", &other, &c, NULL));
  const size_t bytes = (size_t)dls_problem_contacts(a) * 3 * sizeof(double);
  CHECK_INT(dls_problem_contacts(a), dls_problem_contacts(b));
  CHECK(memcmp(dls_problem_q(a), dls_problem_q(b), bytes) == 0);
  CHECK(dls_problem_contacts(a) != dls_problem_contacts(c) ||
        memcmp(dls_problem_q(a), dls_problem_q(c), bytes) != 0);
  dls_problem_destroy(&a);
  dls_problem_destroy(&b);
  dls_problem_destroy(&c);
}

TEST(wrong_samples_are_refused) {
  DlsProblem *problem = NULL;
  DlsSampleParams params = {.size = 0, .mu = 0.3, .h = 1e-3};
  CHECK_FAILS(dls_sample_create("bix", NULL, &problem, NULL), DLS_ERR_ARGUMENT, "box");
  CHECK_FAILS(dls_sample_create("box", &params, &problem, NULL), DLS_ERR_ARGUMENT, "size 0");
  params.size = 10;
  params.mu = -1;
  CHECK_FAILS(dls_sample_create("box", &params, &problem, NULL), DLS_ERR_ARGUMENT, "mu");
  params.mu = 0.3;
  params.h = 0;
  CHECK_FAILS(dls_sample_create("box", &params, &problem, NULL), DLS_ERR_ARGUMENT, "h = 0");
  params.h = 1e-3;
  params.tilt = 2;
  CHECK_FAILS(dls_sample_create("box", &params, &problem, NULL), DLS_ERR_ARGUMENT, "tilt");
  CHECK(problem == NULL);
}
