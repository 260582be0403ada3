/* The bulk law author's guide, followed word by word: every line between ```sh and ``` of
 * docs/bulk-author.md is run, in order, in an empty folder. Then what the page promises is looked
 * for. */
#include "tests/io/guide.h"

#define SCRAPS         TEST_BINARY_DIR "/tests/tmp/bulk_guide"
#define SHELL(command) guide_shell(SCRAPS, TEST_BINARY_DIR, command)

TEST(the_commands_of_the_guide_work) {
  if (system("cmake --version > /dev/null 2>&1") != 0) test_skip_package("cmake");
  app_folder("bulk_guide");
  CHECK(system("rm -rf " SCRAPS "/*") == 0);
  CHECK(guide_script("bulk-author.md", SCRAPS "/commands.sh") >= 5);
  CHECK(SHELL("sh commands.sh") == 0);
  /* Crushed by 0.03 at -366.7 kPa; at the end under a tension of 300 kPa. */
  CHECK(SHELL("awk -F, '$1 > 0.499 && $1 < 0.501 {exit !($8 < -366660 && $8 > -366670 && "
              "$14 > 0.02999 && $14 < 0.03001)}' foam/press.csv") == 0);
  CHECK(SHELL("tail -1 foam/press.csv | awk -F, '{exit !($8 > 299990 && $8 < 300010)}'") == 0);
  CHECK(SHELL("test -s foam/foam.svg -a -s foam/result/history.csv") == 0);
}
