/* The solver author's guide, followed word by word against an installed tree: every line between
 * ```sh and ``` of docs/solver-author.md is run, in order, in an empty folder outside of the tree.
 * Then what the page promises is looked for. */
#include "tests/io/guide.h"

#define SCRAPS         TEST_BINARY_DIR "/tests/tmp/solver_guide"
#define SHELL(command) guide_shell(SCRAPS "/here", SCRAPS "/prefix", command)

TEST(the_commands_of_the_guide_work) {
  if (system("cmake --version > /dev/null 2>&1") != 0) test_skip_package("cmake");
  app_folder("solver_guide");
  CHECK(system("rm -rf " SCRAPS "/* && mkdir " SCRAPS "/here") == 0);
  CHECK(system("cmake --install " TEST_BINARY_DIR " --prefix " SCRAPS "/prefix > " SCRAPS
               "/install.log 2>&1") == 0);
  CHECK(guide_script("solver-author.md", SCRAPS "/here/commands.sh") >= 6);
  CHECK(SHELL("sh commands.sh") == 0);
  /* The solver of the page is in the race and converges there, and the run is whole. */
  CHECK(SHELL("grep '^box' searching/race/runs.csv | grep searching | grep -q ',converged,'") == 0);
  CHECK(SHELL("test -s searching/race/index.html -a -s searching/result/bodies.pvd") == 0);
}
