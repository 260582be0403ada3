/* No file of core/ or solvers/ asks which form an operator has: a form is known to its own file,
 * and a layout to the form and to the kernel that reads it. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/test.h"

/* A word, and the files that may hold it. */
typedef struct {
  const char *word;
  const char *files[6];
} Rule;

static const Rule rules[] = {
    {"DLS_FORM_", {NULL}},
    {"DlsForm ", {NULL}},
    {"strcmp(dls_operator_form(", {NULL}},
    {"->does ==", {NULL}},
    {"->does !=", {NULL}},
    {"DLS_LAYOUT_SPHERES",
     {"core/problem/operator/spheres.h", "core/problem/operator/spheres.c",
      "solvers/kit/sweep_spheres.c"}},
    {"DlsSpheres",
     {"core/problem/operator/spheres.h", "core/problem/operator/spheres.c",
      "solvers/kit/sweep_spheres.c", "solvers/kit/sweep_lanes_impl.h"}},
    {"DLS_LAYOUT_SUPPORTS",
     {"core/problem/operator/operator_impl.h", "core/problem/operator/operator.c",
      "core/problem/operator/factored.c", "solvers/kit/sweep_factored.c"}},
};

static int files_read;

static bool may_hold(const Rule *rule, const char *path) {
  for (int i = 0; i < DLS_COUNT(rule->files) && rule->files[i]; i++)
    if (test_contains(path, rule->files[i])) return true;
  return false;
}

/* How many rules the line of this file breaks. */
static int broken_by(const char *path, const char *line) {
  int broken = 0;
  for (int i = 0; i < DLS_COUNT(rules); i++)
    broken += strstr(line, rules[i].word) && !may_hold(&rules[i], path);
  return broken;
}

static int count_in_file(const char *path) {
  char line[1024];
  int found = 0;
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  if (!file) return 0;
  files_read++;
  for (int number = 1; fgets(line, sizeof line, file); number++) {
    const int broken = broken_by(path, line);
    if (broken) test_fail(path, number, "asks which form an operator has: %s", line);
    found += broken;
  }
  fclose(file);
  return found;
}

static int count_in_folder(const char *folder) {
  int found = 0;
  DIR *dir = opendir(folder);
  CHECK(dir != NULL);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    char path[4096];
    struct stat info;
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (stat(path, &info) != 0) continue;
    const size_t length = strlen(path);
    if (S_ISDIR(info.st_mode))
      found += count_in_folder(path);
    else if (length > 2 && (!strcmp(path + length - 2, ".c") || !strcmp(path + length - 2, ".h")))
      found += count_in_file(path);
  }
  if (dir) closedir(dir);
  return found;
}

TEST(no_file_asks_which_form_an_operator_has) {
  CHECK_INT(count_in_folder(TEST_SOURCE_DIR "/core"), 0);
  CHECK_INT(count_in_folder(TEST_SOURCE_DIR "/solvers"), 0);
  CHECK(files_read > 200);
}

TEST(the_rules_find_what_they_should) {
  CHECK_INT(broken_by("core/problem/islands.c", "if (form == DLS_FORM_SPHERES) {"), 1);
  CHECK_INT(broken_by("solvers/nsgs.c", "!strcmp(dls_operator_form(W), \"coupled\")"), 1);
  CHECK_INT(broken_by("solvers/momentum.c", "const DlsSpheres s = *view;"), 1);
  CHECK_INT(broken_by("solvers/kit/sweep_spheres.c", "const DlsSpheres s = *view;"), 0);
  CHECK_INT(broken_by("core/app/result.c", "out->form = dls_operator_form(W);"), 0);
}
