/* A law of a user: built outside the tree against the installed package, once by CMake and once by
 * hand with pkg-config, then found by name and solved with through the installed library. */
#include "tests/test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/outside"
#define SOURCE TEST_SOURCE_DIR "/tests/plugins/outside"

/* A program that loads a library with sanitizers must have them too. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZE "-fsanitize=address,undefined"
#else
#define SANITIZE ""
#endif

static char libdir[4096]; /* below the prefix: lib, lib64, lib/x86_64-linux-gnu ... */

/* Runs a command; what it says is shown when it fails. */
static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run(const char *format, ...) {
  char command[8192], line[1024];
  va_list arguments;
  va_start(arguments, format);
  int used = vsnprintf(command, sizeof command, format, arguments);
  va_end(arguments);
  snprintf(command + used, sizeof command - (size_t)used, " > %s/log 2>&1", SCRAPS);
  const int status = system(command);
  CHECK_TOLD(status == 0, "failed: %s", command);
  if (status == 0) return;
  FILE *log = fopen(SCRAPS "/log", "r");
  while (log && fgets(line, sizeof line, log)) fprintf(stderr, "  %s", line);
  if (log) fclose(log);
}

static bool exists(const char *format, const char *part) {
  char path[8192];
  snprintf(path, sizeof path, format, part);
  return access(path, R_OK) == 0;
}

static void find_libdir(void) {
  FILE *found = popen("find " SCRAPS "/prefix -name delassus.pc", "r");
  CHECK(found && fgets(libdir, sizeof libdir, found));
  if (found) pclose(found);
  char *end = strstr(libdir, "/pkgconfig/");
  CHECK(end);
  if (end) *end = '\0';
}

static void install_once(void) {
  if (libdir[0]) return;
  if (system("cmake --version > /dev/null 2>&1") != 0) test_skip_package("cmake");
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  if (system("rm -rf " SCRAPS) != 0) test_skip("the scratch folder cannot be emptied");
  mkdir(SCRAPS, 0777);
  run("cmake --install %s --prefix %s/there", TEST_BINARY_DIR, SCRAPS);
  run("mv %s/there %s/prefix", SCRAPS, SCRAPS); /* an installed tree may be moved */
  find_libdir();
}

TEST(the_installed_tree_is_whole) {
  install_once();
  CHECK(exists(SCRAPS "/prefix/include/delassus/%s", "law.h"));
  CHECK(exists(SCRAPS "/prefix/include/delassus/%s", "laws.h"));
  CHECK(exists("%s/libdelassus.so", libdir));
  CHECK(exists("%s/delassus/laws/coulomb.so", libdir));
  CHECK(exists("%s/cmake/delassus/delassusConfig.cmake", libdir));
  CHECK(exists(SCRAPS "/prefix/bin/%s", "delassus"));
  if (exists("%s", TEST_BINARY_DIR "/lib/delassus/solvers/newton.so"))
    CHECK(exists("%s/delassus/solvers/newton.so", libdir));
}

/* The sources are copied away first, so that nothing of the tree can help. */
TEST(a_law_built_by_cmake_loads_and_solves) {
  install_once();
  run("cp -r %s %s/project", SOURCE, SCRAPS);
  run("cmake -S %s/project -B %s/build -DCMAKE_PREFIX_PATH=%s/prefix -DCMAKE_C_FLAGS='%s'", SCRAPS,
      SCRAPS, SCRAPS, SANITIZE);
  run("cmake --build %s/build", SCRAPS);
  run("DELASSUS_PLUGIN_PATH=%s/build %s/build/press", SCRAPS, SCRAPS);
}

TEST(a_law_built_by_hand_loads_and_solves) {
  install_once();
  if (system("pkg-config --version > /dev/null 2>&1") != 0) test_skip_package("pkg-config");
  const char *flags = "$(PKG_CONFIG_PATH=";
  mkdir(SCRAPS "/hand", 0777);
  mkdir(SCRAPS "/hand/laws", 0777);
  run("cc -std=c11 -Wall -Wextra -Werror -shared -fPIC %s%s/pkgconfig pkg-config --cflags "
      "delassus) "
      "%s/wall.c -o %s/hand/laws/wall.so",
      flags, libdir, SOURCE, SCRAPS);
  run("cc %s %s/press.c %s%s/pkgconfig pkg-config --cflags --libs delassus) -lm -Wl,-rpath,%s "
      "-o %s/hand/press",
      SANITIZE, SOURCE, flags, libdir, libdir, SCRAPS);
  run("DELASSUS_PLUGIN_PATH=%s/hand %s/hand/press", SCRAPS, SCRAPS);
  run("test -f $(PKG_CONFIG_PATH=%s/pkgconfig pkg-config --variable=lawdir delassus)/coulomb.so",
      libdir);
}
