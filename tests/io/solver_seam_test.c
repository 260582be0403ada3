/* A solver that lives in tests/ alone, tests/plugins/seam_solver.c, is found, checked and raced
 * like the built-in ones. */
#include "tests/io/app_run.h"

#define SEAM   TEST_BINARY_DIR "/tests/plugins/seam/solvers"
#define SCRAPS TEST_BINARY_DIR "/tests/tmp/solver_seam"

TEST(a_solver_of_the_tests_races_with_the_built_in_ones) {
  app_folder("solver_seam");
  CHECK(system("rm -rf " SCRAPS "/*") == 0);
  setenv("DELASSUS_PLUGIN_PATH", SEAM, 1);
  CHECK_RUN("solver list", 0, "seam ");
  CHECK_RUN("compare --sample box:20 --solvers seam,nsgs,auto --tolerance 1e-2,1e-3 --max-time 10 "
            "--out " SCRAPS "/race",
            0, "seam");
  CHECK(system("grep -q '^box.*,seam,0.001,converged,' " SCRAPS "/race/runs.csv") == 0);
  CHECK(system("grep -q '^box.*,nsgs,0.001,converged,' " SCRAPS "/race/runs.csv") == 0);
  CHECK_RUN("solver check seam --cases 40", 0, "all checks passed");
  unsetenv("DELASSUS_PLUGIN_PATH");
}
