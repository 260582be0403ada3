/* The law author's guide, followed word by word: every line between ```sh and ``` of
 * docs/law-author.md is run, in order, in an empty folder. Then what the page promises is looked
 * for. */
#include "tests/io/guide.h"

#define SCRAPS         TEST_BINARY_DIR "/tests/tmp/law_guide"
#define SHELL(command) guide_shell(SCRAPS, TEST_BINARY_DIR, command)

TEST(the_commands_of_the_guide_work) {
  if (system("cmake --version > /dev/null 2>&1") != 0) test_skip_package("cmake");
  app_folder("law_guide");
  CHECK(system("rm -rf " SCRAPS "/*") == 0);
  CHECK(guide_script("law-author.md", SCRAPS "/commands.sh") >= 5);
  CHECK(SHELL("sh commands.sh") == 0);
  /* Held at 0.9 N without a gap, torn at 1.1 N, and free after that. */
  CHECK(SHELL("grep -q '^0.01,0,0,0,0,-0.\\(9,\\|8999\\)' joint/tear.csv") == 0);
  CHECK(SHELL("tail -1 joint/tear.csv | awk -F, '{exit !($2 > 0 && $6 == 0 && $9 == 2)}'") == 0);
  CHECK(SHELL("test -s joint/joint.svg -a -s joint/result/picture.svg -a -s "
              "joint/result/contacts.pvd") == 0);
}
