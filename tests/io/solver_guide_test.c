/* The solver author's guide, followed word by word against an installed tree: every line between
 * ```sh and ``` of docs/solver-author.md is run, in order, in an empty folder outside of the tree.
 * Then what the page promises is looked for. */
#include "tests/io/app_run.h"

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/solver_guide"

/* The commands of the guide as one script; counts the blocks. */
static int write_script(void) {
  FILE *guide = fopen(TEST_SOURCE_DIR "/docs/solver-author.md", "r");
  FILE *script = fopen(SCRAPS "/here/commands.sh", "w");
  char line[4096];
  int blocks = 0;
  bool inside = false;
  CHECK(guide && script);
  if (!guide || !script) return 0;
  fputs("set -e\n", script);
  while (fgets(line, sizeof line, guide)) {
    if (strncmp(line, "```", 3) == 0) {
      inside = strcmp(line, "```sh\n") == 0;
      blocks += inside;
    } else if (inside) {
      fputs(line, script);
    }
  }
  fclose(guide);
  fclose(script);
  return blocks;
}

static int shell(const char *command) {
  char line[2048];
  snprintf(line, sizeof line, "cd " SCRAPS "/here && PREFIX=" SCRAPS "/prefix %s > ../log 2>&1",
           command);
  const int status = system(line);
  if (status == 0) return 0;
  return system("tail -30 " SCRAPS "/log >&2") == 0 ? status : -1;
}

TEST(the_commands_of_the_guide_work) {
  if (system("cmake --version > /dev/null 2>&1") != 0) test_skip_package("cmake");
  app_folder("solver_guide");
  CHECK(system("rm -rf " SCRAPS "/* && mkdir " SCRAPS "/here") == 0);
  CHECK(system("cmake --install " TEST_BINARY_DIR " --prefix " SCRAPS "/prefix > " SCRAPS
               "/install.log 2>&1") == 0);
  CHECK(write_script() >= 6);
  CHECK(shell("sh commands.sh") == 0);
  /* The solver of the page is in the race and converges there, and the run is whole. */
  CHECK(shell("grep '^box' searching/race/runs.csv | grep searching | grep -q ',converged,'") == 0);
  CHECK(shell("test -s searching/race/index.html -a -s searching/result/bodies.pvd") == 0);
}
