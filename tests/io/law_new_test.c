/* `delassus law new`: the folder that it writes builds at once against the build folder, without a
 * warning, and its deck runs. */
#include <delassus/status.h>

#include "tests/io/app_run.h"

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/law_new"

static int shell(const char *format, const char *name) {
  char command[4096];
  snprintf(command, sizeof command, format, name, name, name, name);
  return system(command);
}

static void make_and_run(const char *name, const char *options) {
  char arguments[1024];
  snprintf(arguments, sizeof arguments, "law new %s --out " SCRAPS "/%s %s", name, name, options);
  CHECK_RUN(arguments, 0, "build it, check it");
  CHECK(shell("test $(wc -l < " SCRAPS "/%s/%s.c) -lt 70", name) == 0);
  CHECK(shell("cmake -S " SCRAPS "/%s -B " SCRAPS "/%s/build -DCMAKE_PREFIX_PATH=" TEST_BINARY_DIR
              " -DCMAKE_C_FLAGS='-Wall -Wextra -Werror' > " SCRAPS
              "/%s.log 2>&1 && cmake --build " SCRAPS "/%s/build > " SCRAPS "/log 2>&1",
              name) == 0);
  snprintf(arguments, sizeof arguments,
           "run " SCRAPS "/%s/%s.yaml --set time.end=0.15 --out " SCRAPS "/%s/result", name, name,
           name);
  setenv("DELASSUS_PLUGIN_PATH", "", 1);
  char path[512];
  snprintf(path, sizeof path, SCRAPS "/%s/build", name);
  setenv("DELASSUS_PLUGIN_PATH", path, 1);
  CHECK_RUN(arguments, 0, "0 steps not converged");
}

TEST(each_kind_builds_and_runs) {
  if (system("cmake --version > /dev/null 2>&1") != 0) test_skip_package("cmake");
  app_folder("law_new");
  CHECK(system("rm -rf " SCRAPS "/*") == 0);
  make_and_run("dry", "--state wear,heat");
  make_and_run("smooth-friction", "--custom --dimension 2");
}

/* One line of cc, and one of c++, without CMake; no warning, and every check is passed. */
static void build_alone(const char *name, const char *options) {
  static const char *const compilers[] = {
      "cc -Wall -Wextra -Werror",
      "c++ -x c++ -std=c++20 -Wall -Wextra -Wno-missing-field-initializers -Werror"};
  char arguments[2048];
  snprintf(arguments, sizeof arguments, "law new %s --out " SCRAPS "/%s %s", name, name, options);
  CHECK_RUN(arguments, 0, "build it, check it");
  for (int k = 0; k < DLS_COUNT(compilers); k++) {
    snprintf(arguments, sizeof arguments,
             "%s -shared -fPIC -O2 -I" TEST_BINARY_DIR "/include " SCRAPS "/%s/%s.c -o " SCRAPS
             "/%s/%s.so -lm",
             compilers[k], name, name, name, name);
    CHECK_INT(system(arguments), 0);
    snprintf(arguments, sizeof arguments, "law check " SCRAPS "/%s/%s.so --cases %d", name, name,
             k ? 20 : 300);
    CHECK_RUN(arguments, 0, "all checks passed");
  }
}

TEST(every_template_passes_its_own_check_in_every_dimension_as_c_and_as_cpp) {
  static const char *const kinds[] = {"", "--custom"};
  static const char *const dimensions[] = {"", "--dimension 2", "--dimension 3"};
  static const char *const states[] = {"", "--state wear:m,heat:J,bond:1,age,top:m/s,push:N"};
  int number = 0;
  app_folder("law_new");
  CHECK(system("rm -rf " SCRAPS "/alone*") == 0);
  for (int i = 0; i < DLS_COUNT(kinds); i++)
    for (int k = 0; k < DLS_COUNT(dimensions); k++)
      for (int n = 0; n < DLS_COUNT(states); n++) {
        char name[32], options[256];
        snprintf(name, sizeof name, "alone%d", number++);
        snprintf(options, sizeof options, "%s %s %s", kinds[i], dimensions[k], states[n]);
        build_alone(name, options);
      }
}

TEST(wrong_words_are_refused_and_nothing_is_overwritten) {
  app_folder("law_new");
  CHECK(system("mkdir -p " SCRAPS "/there") == 0);
  CHECK_RUN("law new", 2, "which name?");
  CHECK_RUN("law new Big", 2, "no name of a law");
  CHECK_RUN("law new a b", 2, "one law at a time");
  CHECK_RUN("law new ../up", 2, "no name of a law");
  CHECK_RUN("law new all", 2, "a target that CMake keeps");
  CHECK_RUN("law new a --dimension 4", 2, "2 or 3");
  CHECK_RUN("law new a --state x,x", 2, "twice");
  CHECK_RUN("law new a --state 'x;y'", 2, "is no name");
  CHECK_RUN("law new a --state gap", 2, "take another name");
  CHECK_RUN("law new a --state x:furlong", 2, "is no unit");
  CHECK_RUN("law new a --out " SCRAPS "/there", 2, "is there already");
}
