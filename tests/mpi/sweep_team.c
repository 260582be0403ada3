/* Passes of a sweep shared among ranks, started by mpirun: each rank does its share, and all get
 * the bits of a pass that one does alone, forwards and backwards, also after passes that were not
 * gathered in between. */
#include <delassus/sample.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "solvers/kit/sweep_team.h"
#include "tests/test.h"

static DlsTeam *team;

static DlsSweep *make(const DlsProblem *problem, DlsTeam *lent) {
  DlsSweep *sweep = NULL;
  dls_team_lend(lent);
  CHECK_OK(dls_sweep_create(problem, DLS_SWEEP_AUTO, &sweep));
  CHECK_OK(dls_sweep_colour(sweep, 0));
  dls_team_lend(NULL);
  return sweep;
}

static void check_problem(const char *name, int size) {
  DlsProblem *problem = NULL;
  const DlsSample *sample = NULL;
  CHECK_OK(dls_sample_find(name, &sample));
  DlsSampleParams params = sample->defaults;
  params.size = size;
  CHECK_OK(dls_sample_create(name, &params, &problem, NULL));
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(2 * n, sizeof *r), *alone = r + n;
  DlsSweep *one = make(problem, NULL), *shared = make(problem, team);
  CHECK(r && !one->team);
  if (!shared->team) test_fail(__FILE__, __LINE__, "%s is not shared", name);
  int mine = 0;
  for (int c = 0; c < shared->colours->clusters; c++) mine += dls_sweep_team_does(shared->team, c);
  CHECK(mine < shared->colours->clusters * 3 / 4);
  CHECK(mine > 0);
  dls_sweep_refresh(one, alone);
  dls_sweep_refresh(shared, r);
  for (int k = 0; k < 12; k++) {
    dls_sweep_pass(one, NULL, k % 2, 1, alone);
    dls_sweep_pass_apart(shared, NULL, k % 2, 1, r);
    CHECK(test_same_bits(one->moved2, shared->moved2));
    if (k % 3 < 2) continue;
    dls_sweep_gather(shared, r);
    CHECK_INT(memcmp(r, alone, n * sizeof *r), 0);
    CHECK_INT(memcmp(one->y, shared->y, one->velocities * sizeof *one->y), 0);
  }
  dls_sweep_destroy(one);
  dls_sweep_destroy(shared);
  dls_problem_destroy(&problem);
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
