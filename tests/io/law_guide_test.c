/* The law author's guide, followed word by word: every line between ```sh and ``` of
 * docs/law-author.md is run, in order, in an empty folder. Then what the page promises is looked
 * for. */
#include "tests/io/app_run.h"

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/law_guide"

/* The commands of the guide as one script; counts the blocks. */
static int write_script(void) {
  FILE *guide = fopen(TEST_SOURCE_DIR "/docs/law-author.md", "r");
  FILE *script = fopen(SCRAPS "/commands.sh", "w");
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
  snprintf(line, sizeof line, "cd " SCRAPS " && PREFIX=" TEST_BINARY_DIR " %s > log 2>&1", command);
  const int status = system(line);
  if (status == 0) return 0;
  snprintf(line, sizeof line, "tail -30 " SCRAPS "/log >&2");
  return system(line) == 0 ? status : -1;
}

TEST(the_commands_of_the_guide_work) {
  if (system("cmake --version > /dev/null 2>&1") != 0) test_skip_package("cmake");
  app_folder("law_guide");
  CHECK(system("rm -rf " SCRAPS "/*") == 0);
  CHECK(write_script() >= 5);
  CHECK(shell("sh commands.sh") == 0);
  /* Held at 0.9 N without a gap, torn at 1.1 N, and free after that. */
  CHECK(shell("grep -q '^0.01,0,0,0,0,-0.\\(9,\\|8999\\)' joint/tear.csv") == 0);
  CHECK(shell("tail -1 joint/tear.csv | awk -F, '{exit !($2 > 0 && $6 == 0 && $9 == 2)}'") == 0);
  CHECK(shell("test -s joint/joint.svg -a -s joint/result/picture.svg -a -s "
              "joint/result/contacts.pvd") == 0);
}
