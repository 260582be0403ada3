/* Solves shared among ranks, started by mpirun: each rank does its share of sweeps and measures,
 * and all get the bits of what one does alone, forwards and backwards, from zero, from a guess. */
#include <delassus/sample.h>
#include <delassus/solver_tools.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "problem/parted.h"
#include "solvers/kit/sweep.h"
#include "tests/test.h"

static DlsTeam *team;

static DlsSweep *make(const DlsProblem *problem) {
  DlsSweep *sweep = NULL;
  CHECK_OK(dls_sweep_create(problem, DLS_SWEEP_AUTO, &sweep));
  CHECK_OK(dls_sweep_colour(sweep, 0));
  return sweep;
}

static DlsProblem *make_problem(const char *name, int size) {
  DlsProblem *problem = NULL;
  const DlsSample *sample = NULL;
  CHECK_OK(dls_sample_find(name, &sample));
  DlsSampleParams params = sample->defaults;
  params.size = size;
  CHECK_OK(dls_sample_create(name, &params, &problem, NULL));
  return problem;
}

/* The problem parted among the ranks, as a solver does it. */
static void part(DlsSweep *sweep, bool *parted) {
  const DlsLimits limits = {.measure = DLS_MEASURE_SCALED};
  dls_team_lend(team);
  CHECK_OK(dls_sweep_share(sweep, &limits, parted));
  dls_team_lend(NULL);
}

static int count_mine(const DlsPortions *portions) {
  int mine = 0;
  for (int c = 0; c < portions->colours->clusters; c++) mine += dls_portions_does(portions, c);
  return mine;
}

/* All measures of the error, of the one and of the parted problem. */
static void check_errors(const DlsProblem *one, const DlsProblem *shared, const double *r_one,
                         const double *r, double *u_one, double *u) {
  const DlsMeasure measures[] = {DLS_MEASURE_NATURAL, DLS_MEASURE_SCALED, DLS_MEASURE_NATURAL_Q};
  for (int k = 0; k < 3; k++)
    for (int loose = 0; loose < 2; loose++) { /* within the tolerance more is asked */
      const DlsLimits limits = {.measure = measures[k], .tolerance = loose ? 1e3 : 1e-12};
      double alone, together;
      CHECK_OK(dls_solver_measure(one, &limits, r_one, u_one, &alone));
      CHECK_OK(dls_solver_measure(shared, &limits, r, u, &together));
      CHECK(test_same_bits(alone, together));
    }
}

static void check_problem(const char *name, int size) {
  DlsProblem *problem = make_problem(name, size), *second = make_problem(name, size);
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(4 * n, sizeof *r), *alone = r + n, *u = alone + n, *u_alone = u + n;
  DlsSweep *one = make(problem), *shared = make(second);
  bool parted;
  CHECK(r);
  for (int round = 0; round < 3; round++) {
    part(shared, &parted);
    if (!parted) test_fail(__FILE__, __LINE__, "%s is not shared", name);
    const DlsPortions *portions = dls_sweep_portions(shared);
    CHECK(count_mine(portions) > 0);
    CHECK(count_mine(portions) < portions->colours->clusters * 3 / 4);
    dls_sweep_refresh(one, alone);
    dls_sweep_refresh(shared, r);
    for (int k = 0; k < 4; k++) {
      dls_sweep_pass(one, NULL, k % 2, 1, alone);
      dls_sweep_pass(shared, NULL, k % 2, 1, r);
      CHECK(test_same_bits(one->moved2, shared->moved2));
    }
    for (int p = 0; p < portions->parts; p++)
      if (portions->mine[p])
        CHECK_INT(memcmp(one->y + p * one->stride, shared->y + p * one->stride,
                         (size_t)one->stride * sizeof *one->y),
                  0);
    check_errors(problem, second, alone, r, u_alone, u);
    CHECK_OK(dls_problem_join(second, parted, r));
    CHECK_INT(memcmp(r, alone, n * sizeof *r), 0);
  }
  dls_sweep_destroy(one);
  dls_sweep_destroy(shared);
  dls_problem_destroy(&problem);
  dls_problem_destroy(&second);
  free(r);
}

/* What the bodies get of the reactions. */
static void check_bodies(const DlsProblem *one, const DlsProblem *shared, const double *r) {
  const size_t most = 6 * (size_t)dls_operator_freedom(dls_problem_operator(one));
  double *v = calloc(2 * most, sizeof *v), *together = v + most;
  CHECK(v);
  CHECK_OK(dls_operator_velocity(dls_problem_operator(one), r, v));
  dls_team_lend(team);
  CHECK_OK(dls_operator_velocity(dls_problem_operator(shared), r, together));
  dls_team_lend(NULL);
  CHECK_INT(memcmp(v, together, most * sizeof *v), 0);
  free(v);
}

/* A whole solve, from zero and from a guess that is wrong at some spots. */
static void check_solver(const char *solver, const char *name, int size) {
  DlsProblem *problem = make_problem(name, size), *second = make_problem(name, size);
  const DlsSolver *which = NULL;
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  const DlsLimits limits = {.measure = DLS_MEASURE_SCALED, .tolerance = 1e-4, .max_iterations = 60};
  double *r = calloc(4 * n, sizeof *r), *alone = r + n, *u = alone + n, *u_alone = u + n;
  CHECK(r);
  CHECK_OK(dls_solver_find(solver, &which));
  for (int warm = 0; warm < 2; warm++) {
    DlsReport one, shared;
    for (size_t e = 0; warm && e < n / 50; e++) r[e] = alone[e] = 0;
    CHECK_OK(dls_solve(which, problem, NULL, &limits, NULL, alone, u_alone, &one));
    dls_team_lend(team);
    CHECK_OK(dls_solve(which, second, NULL, &limits, NULL, r, u, &shared));
    dls_team_lend(NULL);
    CHECK_INT(memcmp(r, alone, n * sizeof *r), 0);
    CHECK_INT(memcmp(u, u_alone, n * sizeof *u), 0);
    check_bodies(problem, second, r);
    CHECK(test_same_bits(one.error, shared.error));
    CHECK_INT(one.iterations, shared.iterations);
    CHECK(strcmp(one.note, shared.note) == 0);
  }
  dls_problem_destroy(&problem);
  dls_problem_destroy(&second);
  free(r);
}

TEST(ranks_meet) {
  CHECK_OK(dls_team_join(&team));
  CHECK(team && dls_team_size(team) == dls_team_ranks(NULL));
  CHECK(dls_team_any(team, dls_team_rank(team) == 1));
  CHECK(!dls_team_any(team, false));
  CHECK_FAILS(dls_team_agree(team, dls_team_rank(team) < 1 ? DLS_OK
                                                           : dls_fail(DLS_ERR_FILE, "rank %d fails",
                                                                      dls_team_rank(team))),
              DLS_ERR_FILE, "rank 1 fails");
}

TEST(spheres) { check_problem("box", 3000); }
TEST(disks) { check_problem("disks", 4000); }
TEST(bricks_with_four_points_a_face) { check_problem("wall", 18); }
TEST(with_rolling) { check_problem("rolling", 3000); }

TEST(plain_sweeps) { check_solver("nsgs", "box", 3000); }
TEST(momentum) { check_solver("momentum", "box", 3000); }
TEST(momentum_of_bricks) { check_solver("momentum", "wall", 18); }
/* Clusters that are alone in their colour are solved by all, and moved by all. */
TEST(momentum_with_rolling) { check_solver("momentum", "rolling", 3000); }
TEST(automatic) { check_solver("auto", "disks", 4000); }
TEST(automatic_with_rolling) { check_solver("auto", "rolling", 3000); }
