/* `delassus solver new`: the folder that it writes builds at once against the build folder, without
 * a warning, and its solver solves. */
#include "tests/io/app_run.h"

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/solver_new"

static int shell(const char *format, const char *name) {
  char command[4096];
  snprintf(command, sizeof command, format, name, name, name, name);
  return system(command);
}

TEST(the_folder_builds_and_its_solver_solves) {
  if (system("cmake --version > /dev/null 2>&1") != 0) test_skip_package("cmake");
  app_folder("solver_new");
  CHECK(system("rm -rf " SCRAPS "/*") == 0);
  CHECK_RUN("solver new my-own --out " SCRAPS "/my-own", 0, "build it, check it");
  CHECK(shell("test $(wc -l < " SCRAPS "/%s/%s.c) -lt 130", "my-own") == 0);
  CHECK(shell("cmake -S " SCRAPS "/%s -B " SCRAPS "/%s/build -DCMAKE_PREFIX_PATH=" TEST_BINARY_DIR
              " -DCMAKE_C_FLAGS='-Wall -Wextra -Werror' > " SCRAPS
              "/%s.log 2>&1 && cmake --build " SCRAPS "/%s/build > " SCRAPS "/log 2>&1",
              "my-own") == 0);
  setenv("DELASSUS_PLUGIN_PATH", SCRAPS "/my-own/build", 1);
  CHECK_RUN("solver show my-own", 0, "relaxation");
  CHECK_RUN("solve --sample box:30 --solver my-own --tolerance 1e-3 --json", 0,
            "\"reason\": \"converged\"");
  CHECK(json_valid(app_output) && json_number(app_output, "products") > 0);
  unsetenv("DELASSUS_PLUGIN_PATH");
}

TEST(wrong_words_are_refused_and_nothing_is_overwritten) {
  app_folder("solver_new");
  CHECK(system("mkdir -p " SCRAPS "/there") == 0);
  CHECK_RUN("solver new", 2, "which name?");
  CHECK_RUN("solver new Big", 2, "no name of a solver");
  CHECK_RUN("solver new a b", 2, "one solver");
  CHECK_RUN("solver new ../up", 2, "no name of a solver");
  CHECK_RUN("solver new install", 2, "a target that CMake keeps");
  CHECK_RUN("solver new nsgs", 2, "a built-in solver");
  CHECK_RUN("solver check nsgs --limit 0", 2, "limit");
  CHECK_RUN("solver new a --out " SCRAPS "/there", 2, "is there already");
}
