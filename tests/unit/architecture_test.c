/* The direction of includes, as docs/architecture.md draws it: every file of every room is read,
 * and an #include of ours that its room may not see fails the test.
 *
 *   base < problem < { sample, solvers, law, solver, deck } < law_bench
 *   base < mesh < world
 *   base < plot      { sample, solvers, law, solver, deck } < world < detect < assemble < step
 *                                            < post < scene < record < compare < run < study < app
 *   plugins: <delassus/law.h> and its tools, <delassus/law_...h>, <delassus/bulk.h>
 *
 * plot holds all figures: it takes plain arrays, so that it stands right above base; no other room
 * includes plot/svg.h. record/draw turns results of post into those arrays, compare/figures races.
 *
 * tests/ may include anything. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/test.h"

enum { MAX_SEEN = 24 };

typedef struct {
  const char *folder;         /* of the room, below the root of the project */
  const char *sees[MAX_SEEN]; /* beginnings of the paths it may include */
  bool sees_law;              /* <delassus/law.h> and <delassus/laws.h> */
} Room;

/* "delassus/" stands for the public headers; a room always sees itself. */
static const Room rooms[] = {
    {"core/cmake", {NULL}, false}, /* no C there */
    {"core/include", {"delassus/"}, true},
    {"core/base",
     {"base/", "delassus/status.h", "delassus/relation.h", "delassus/version.h"},
     false},
    {"core/mpi", {"base/team.h", "delassus/status.h"}, false}, /* a plugin of the program */
    {"core/problem", {"base/", "problem/", "delassus/"}, false},
    {"core/law", {"base/", "problem/", "law/", "delassus/"}, true},
    {"core/solver", {"base/", "problem/", "solver/", "delassus/", "solvers/list.h"}, false},
    {"solvers", {"base/", "problem/", "solvers/", "delassus/"}, false},
    {"solvers/petsc", {"solvers/petsc/", "delassus/"}, false}, /* a plugin: what is public alone */
    {"solvers/siconos", {"solvers/siconos/", "delassus/"}, false}, /* likewise */
    {"core/deck", {"base/", "deck/", "delassus/"}, false},
    {"core/sample", {"base/", "problem/", "sample/", "delassus/"}, false},
    {"core/plot", {"base/", "plot/", "delassus/status.h"}, false},
    {"core/bench", {"base/", "deck/", "bench/", "delassus/status.h", "delassus/law.h"}, true},
    {"core/law_bench",
     {"base/", "bench/", "problem/", "law/", "deck/", "law_bench/", "delassus/"},
     true},
    {"core/bulk_bench", {"base/", "bench/", "bulk/", "bulk_bench/", "delassus/"}, true},
    {"core/solver_bench",
     {"base/", "bench/", "problem/", "sample/", "solver_bench/", "delassus/"},
     false},
    {"core/mesh", {"base/", "mesh/", "delassus/status.h"}, false},
    {"core/world", {"base/", "mesh/", "deck/", "world/", "delassus/"}, true},
    {"core/fem", {"base/", "mesh/", "problem/", "bulk/", "world/", "fem/", "delassus/"}, true},
    {"core/bulk", {"base/", "law/", "bulk/", "delassus/"}, true},
    {"core/import", {"base/", "deck/units.h", "world/", "import/", "delassus/"}, false},
    {"core/detect", {"base/", "world/", "detect/", "delassus/"}, true},
    {"core/assemble",
     {"base/", "problem/", "deck/expression.h", "law/", "world/", "detect/", "assemble/",
      "delassus/"},
     true},
    {"core/step", {"base/", "law/", "world/", "detect/", "assemble/", "step/", "delassus/"}, true},
    {"core/post",
     {"base/", "world/", "fem/", "detect/", "assemble/", "step/", "post/", "delassus/"},
     true},
    {"core/scene",
     {"base/", "mesh/", "deck/", "law/", "bulk/", "world/", "fem/", "detect/", "assemble/", "step/",
      "post/", "scene/", "delassus/"},
     true},
    {"core/record",
     {"base/", "deck/", "world/", "detect/", "assemble/", "step/", "post/", "plot/", "scene/",
      "record/", "delassus/"},
     true},
    {"core/compare", {"base/", "plot/", "record/", "compare/", "delassus/"}, false},
    {"core/run",
     {"base/", "deck/", "law/", "law_bench/", "world/", "detect/", "assemble/", "step/", "post/",
      "plot/", "scene/", "record/", "compare/", "run/", "delassus/"},
     true},
    {"core/study",
     {"base/", "deck/", "world/", "detect/", "assemble/", "step/", "post/", "plot/", "scene/",
      "record/", "run/", "study/", "delassus/"},
     true},
    {"core/app",
     {"base/",   "bench/",   "deck/",     "bulk/",  "law_bench/", "bulk_bench/", "solver_bench/",
      "world/",  "detect/",  "assemble/", "step/",  "post/",      "plot/",       "scene/",
      "record/", "compare/", "run/",      "study/", "import/",    "app/",        "delassus/"},
     true},
    {"plugins", {"delassus/law.h", "delassus/law_", "delassus/bulk.h"}, true},
};

static int files_read;

static bool begins(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool ends(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static bool allowed(const Room *room, const char *header) {
  if (strcmp(header, "delassus/law.h") == 0 || strcmp(header, "delassus/laws.h") == 0)
    if (!room->sees_law) return false;
  for (int i = 0; i < MAX_SEEN && room->sees[i]; i++)
    if (begins(header, room->sees[i])) return true;
  return false;
}

/* An include is ours when it is quoted or when it names delassus/; others are the system's. */
static void check_line(const Room *room, const char *path, int number, const char *line) {
  char header[256], open;
  while (*line == ' ') line++;
  if (*line++ != '#') return;
  if (sscanf(line, " include %c%255[^>\"]", &open, header) != 2) return;
  if (open != '"' && !begins(header, "delassus/")) return;
  if (!allowed(room, header))
    test_fail(path, number, "%s may not include %s", room->folder, header);
}

static void check_file(const Room *room, const char *path) {
  char line[1024];
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  if (!file) return;
  files_read++;
  for (int number = 1; fgets(line, sizeof line, file); number++)
    check_line(room, path, number, line);
  fclose(file);
}

static void check_folder(const Room *room, const char *folder) {
  DIR *dir = opendir(folder);
  if (!dir) return; /* a room that is not built yet */
  for (struct dirent *entry; (entry = readdir(dir));) {
    char path[4096];
    struct stat info;
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (stat(path, &info) != 0) continue;
    if (S_ISDIR(info.st_mode))
      check_folder(room, path);
    else if (ends(path, ".c") || ends(path, ".h"))
      check_file(room, path);
  }
  closedir(dir);
}

TEST(rooms_include_only_what_stands_above_them) {
  for (int i = 0; i < DLS_COUNT(rooms); i++) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/%s", TEST_SOURCE_DIR, rooms[i].folder);
    check_folder(&rooms[i], folder);
  }
  CHECK(files_read > 20);
}

/* Shapes on a page are drawn in plot alone: figures are handed over as arrays; and pages of HTML
 * begin there. */
TEST(figures_and_heads_of_pages_are_in_plot_alone) {
  for (int i = 0; i < DLS_COUNT(rooms); i++) {
    char command[8192];
    if (strcmp(rooms[i].folder, "core/plot") == 0) continue;
    snprintf(command, sizeof command,
             "grep -rlE 'plot/svg[.]h|dls_svg_|<!doctype' --include='*.[ch]' '%s/%s'",
             TEST_SOURCE_DIR, rooms[i].folder);
    FILE *found = popen(command, "r");
    char path[4096];
    CHECK(found != NULL);
    while (found && fgets(path, sizeof path, found))
      test_fail(path, 0, "draws or begins a page by itself; that belongs to core/plot");
    if (found) pclose(found);
  }
}

/* Who calls the library has no command line: its sentences name fields and keys, which the options
 * of the program are called after. Only a string that begins a custom property of CSS may look like
 * one, and the file that a failed law leaves tells the command that repeats it. */
TEST(no_sentence_of_the_library_names_an_option_of_the_program) {
  static const char *const free_of_it[] = {"core/app", "core/plot", "core/law_bench"};
  for (int i = 0; i < DLS_COUNT(rooms); i++) {
    char command[8192], line[4096];
    bool passed_over = false;
    for (int k = 0; k < DLS_COUNT(free_of_it); k++)
      passed_over |= strcmp(rooms[i].folder, free_of_it[k]) == 0;
    if (passed_over) continue;
    snprintf(command, sizeof command,
             "grep -rnE '\"([^\"]*[^a-z\"-])?--[a-z]+' --include='*.c' '%s/%s'", TEST_SOURCE_DIR,
             rooms[i].folder);
    FILE *found = popen(command, "r");
    CHECK(found != NULL);
    while (found && fgets(line, sizeof line, found))
      if (!strstr(line, "[--")) /* an index that counts down */
        test_fail(line, 0, "names an option of the program; say the field or the key");
    if (found) pclose(found);
  }
}

/* A law may die: its functions are called under the guard, and that stands in one file. On the
 * bench the process is a child that may die with it. */
TEST(the_functions_of_laws_are_called_in_one_file) {
  static const char *const may[] = {
      "core/law/ask.c",        "core/bulk/call.c",      "core/law_bench/contact_step.c",
      "core/law_bench/draw.c", "core/law_bench/check/", "core/bulk_bench/ask.c"};
  char line[4096];
  int seen = 0;
  FILE *found = popen("grep -rnE 'law->(range|orient|begin|prepare|traction|residual|solve|project|"
                      "force|commit|energy|surface|report|stress|name)[(]' --include='*.[ch]' "
                      "'" TEST_SOURCE_DIR "/core'",
                      "r");
  CHECK(found != NULL);
  while (found && fgets(line, sizeof line, found)) {
    bool allowed_here = false;
    for (int k = 0; k < DLS_COUNT(may); k++) allowed_here |= strstr(line, may[k]) != NULL;
    seen += strstr(line, may[0]) != NULL;
    if (!allowed_here) test_fail(line, 0, "calls a law by itself; let core/law do it");
  }
  if (found) pclose(found);
  CHECK(seen > 0);
}

/* A room that is not in the table above would not be checked: there is none. */
TEST(every_room_of_core_is_checked) {
  DIR *dir = opendir(TEST_SOURCE_DIR "/core");
  CHECK(dir != NULL);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    char folder[512];
    bool known = false;
    if (entry->d_name[0] == '.') continue;
    snprintf(folder, sizeof folder, "core/%s", entry->d_name);
    for (int i = 0; i < DLS_COUNT(rooms); i++) known |= strcmp(rooms[i].folder, folder) == 0;
    if (!known) test_fail(folder, 0, "a room without a rule: add it to architecture_test.c");
  }
  if (dir) closedir(dir);
}

/* What is hidden, built (build*) or written by runs (out) is no part of the project. */
TEST(the_root_holds_the_agreed_folders_alone) {
  static const char *const agreed[] = {"core",  "plugins", "solvers",  "meshes",
                                       "input", "tests",   "paraview", "docs"};
  DIR *dir = opendir(TEST_SOURCE_DIR);
  CHECK(dir != NULL);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    struct stat info;
    char path[4096];
    bool known = entry->d_name[0] == '.' || begins(entry->d_name, "build") ||
                 strcmp(entry->d_name, "out") == 0;
    snprintf(path, sizeof path, "%s/%s", TEST_SOURCE_DIR, entry->d_name);
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) continue;
    for (int i = 0; i < DLS_COUNT(agreed); i++) known |= strcmp(agreed[i], entry->d_name) == 0;
    if (!known) test_fail(path, 0, "a folder that is not agreed on; core/ may hold it");
  }
  if (dir) closedir(dir);
}

static const Room *room_named(const char *folder) {
  for (int i = 0; i < DLS_COUNT(rooms); i++)
    if (strcmp(rooms[i].folder, folder) == 0) return &rooms[i];
  test_fail(folder, 0, "no such room");
  return &rooms[0];
}

TEST(the_rules_refuse_what_they_should) {
  const Room *problem = room_named("core/problem"), *solvers = room_named("solvers");
  const Room *plugins = room_named("plugins"), *world = room_named("core/world");
  CHECK(!allowed(world, "step/step.h") && !allowed(world, "problem/problem_impl.h"));
  CHECK(!allowed(problem, "law/law_impl.h"));
  CHECK(!allowed(solvers, "delassus/law.h"));
  CHECK(!allowed(solvers, "app/app.h"));
  CHECK(!allowed(plugins, "delassus/solver.h"));
  CHECK(!allowed(plugins, "delassus/laws.h"));
  CHECK(!allowed(plugins, "base/small.h"));
  CHECK(!allowed(room_named("solvers/petsc"), "solvers/newton/island.h"));
  CHECK(allowed(solvers, "base/small.h") && allowed(solvers, "delassus/solver.h"));
  CHECK(allowed(plugins, "delassus/law.h"));
}
