/* A law of a user: built outside the tree against the installed package, once by CMake and once by
 * hand with pkg-config, then found by name and solved with through the installed library. */
#define INSTALLED_FOLDER "outside"
#include "tests/io/installed.h"

#define SOURCE TEST_SOURCE_DIR "/tests/plugins/outside"

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
