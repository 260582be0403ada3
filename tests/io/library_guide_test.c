/* docs/library.md, followed word by word: its program is taken from the page, built outside the
 * tree against the installed package by the page's own lines, for pkg-config and for CMake, and
 * run. What it writes is what the program writes; under AddressSanitizer it is clean. */
#define INSTALLED_FOLDER "library_guide"
#include "tests/io/installed.h"

#include "tests/files.h"
#include "tests/io/run_files.h"

#define GUIDE TEST_SOURCE_DIR "/docs/library.md"
#define DECK  TEST_SOURCE_DIR "/input/pyramid.yaml"

/* The block of the page, indented by four blanks, that begins with the line `first`; as it is read
 * without the blanks. "" where there is none. */
static const char *block(const char *first) {
  static char out[1 << 14];
  char *text = get_text(GUIDE), *to = out;
  char start[256];
  snprintf(start, sizeof start, "\n    %s", first);
  const char *at = strstr(text, start);
  out[0] = '\0';
  for (at = at ? at + 1 : "x"; *at == '\n' || strncmp(at, "    ", 4) == 0;) {
    const size_t length = strcspn(at, "\n");
    if (length) to += sprintf(to, "%.*s", (int)length - 4, at + 4);
    to += sprintf(to, "\n");
    at += length + (at[length] == '\n');
  }
  CHECK_TOLD(out[0], "%s: no block begins with '%s'", GUIDE, first);
  return out;
}

static void write_program(void) {
  static bool written;
  if (written) return;
  written = true;
  install_once();
  mkdir(SCRAPS "/mine", 0777);
  put_text(SCRAPS "/mine/heights.c", block("#include <delassus/delassus.h>"));
}

/* Twenty lines, but for the includes, braces that stand alone and blank ones. */
TEST(the_program_of_the_guide_is_short) {
  write_program();
  char *text = get_text(SCRAPS "/mine/heights.c");
  int lines = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    line += strspn(line, " ");
    lines += *line && *line != '#' && strcmp(line, "}") != 0;
  }
  CHECK_BELOW(lines, 20);
}

/* Runs it as the page does, with a folder: the files are those of the program. */
static void check_program(const char *path, const char *word) {
  char ours[512], theirs[512];
  snprintf(ours, sizeof ours, "%s/%s-library", SCRAPS, word);
  snprintf(theirs, sizeof theirs, "%s/%s-program", SCRAPS, word);
  run("cd %s && %s %s %s", SCRAPS, path, DECK, ours);
  const char *said = get_text(SCRAPS "/log");
  CHECK(test_contains(said, "body 30 at height "));
  CHECK(test_contains(said, "t = 0.2 s, largest normal force 105"));
  run("%s/bin/delassus run %s --out %s --quiet", PREFIX, DECK, theirs);
  CHECK(run_compare_folders(ours, theirs) > 10);
}

TEST(the_guide_builds_with_pkg_config) {
  if (system("pkg-config --version > /dev/null 2>&1") != 0) test_skip_package("pkg-config");
  write_program();
  put_text(SCRAPS "/build.sh", block("cc heights.c"));
  run("sed -i 's/^cc /cc %s /' %s/build.sh", SANITIZE, SCRAPS);
  run("cd %s/mine && PKG_CONFIG_PATH=%s/pkgconfig sh -e ../build.sh", SCRAPS, libdir);
  run("mv %s/mine/heights %s/by-hand", SCRAPS, SCRAPS);
  check_program("env -u LD_LIBRARY_PATH " SCRAPS "/by-hand", "hand"); /* as the page builds it */
}

TEST(the_guide_builds_with_cmake) {
  write_program();
  char lines[4096];
  snprintf(lines, sizeof lines, "cmake_minimum_required(VERSION 3.20)\nproject(mine C)\n%s",
           block("find_package(delassus REQUIRED)"));
  put_text(SCRAPS "/mine/CMakeLists.txt", lines);
  run("cmake -S %s/mine -B %s/build -DCMAKE_PREFIX_PATH=%s -DCMAKE_C_FLAGS='%s'", SCRAPS, SCRAPS,
      PREFIX, SANITIZE);
  run("cmake --build %s/build", SCRAPS);
  check_program(SCRAPS "/build/heights", "cmake");
}

/* Leaks count: what the library keeps for the life of the process can be reached. */
TEST(the_program_of_the_guide_is_clean_under_asan) {
  write_program();
  run("cc -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -I%s/include "
      "%s/mine/heights.c -L%s -ldelassus -Wl,-rpath,%s -o %s/checked",
      PREFIX, SCRAPS, libdir, libdir, SCRAPS);
  check_program("env ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0 "
                "LSAN_OPTIONS=suppressions=" TEST_SOURCE_DIR
                "/tests/lsan.supp:print_suppressions=0 " SCRAPS "/checked",
                "asan");
  run("cd %s && ! ASAN_OPTIONS=detect_leaks=1 ./checked no-such-deck.yaml", SCRAPS);
  CHECK(test_contains(get_text(SCRAPS "/log"), "no-such-deck.yaml: "));
  CHECK(!test_contains(get_text(SCRAPS "/log"), "Sanitizer"));
}
