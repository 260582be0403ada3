/* Schemes are a table: nothing outside their own files asks which one it is. */
#define _GNU_SOURCE /* nftw */
#include "tests/test.h"

#include "step/simulation.h"

#include <ctype.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>

static int files_read, asked;

static bool ends(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* A word `scheme` that is compared, or switched on; or a scheme that is named. */
static bool asks_for_a_scheme(const char *line) {
  for (const char *at = strstr(line, "scheme"); at; at = strstr(at + 1, "scheme")) {
    const char *next = at + strlen("scheme");
    while (*next == ' ' || *next == ')') next++;
    if (strncmp(next, "==", 2) == 0 || strncmp(next, "!=", 2) == 0) return true;
  }
  if (strstr(line, "switch") && strstr(line, "scheme")) return true;
#define NAMED(code, name, summary)                                                                 \
  if (strstr(line, "dls_scheme_" #code) || strstr(line, "== \"" name "\"")) return true;
  DLS_SCHEME_LIST(NAMED)
#undef NAMED
  return false;
}

static int look_at(const char *path, const struct stat *info, int kind, struct FTW *place) {
  char line[1024];
  (void)info;
  if (kind != FTW_F || (!ends(path, ".c") && !ends(path, ".h"))) return 0;
  if (strncmp(path + place->base, "scheme", strlen("scheme")) == 0 && strstr(path, "core/step/"))
    return 0;
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  if (!file) return 0;
  files_read++;
  for (int number = 1; fgets(line, sizeof line, file); number++)
    if (asks_for_a_scheme(line)) {
      test_fail(path, number, "asks which scheme it is; give the table (step/scheme.h) a word");
      asked++;
    }
  fclose(file);
  return 0;
}

TEST(nothing_outside_the_schemes_asks_which_one_it_is) {
  CHECK(nftw(TEST_SOURCE_DIR "/core", look_at, 16, FTW_PHYS) == 0);
  CHECK(nftw(TEST_SOURCE_DIR "/solvers", look_at, 16, FTW_PHYS) == 0);
  CHECK(files_read > 100);
  CHECK_INT(asked, 0);
}

TEST(the_search_finds_what_it_looks_for) {
  CHECK(asks_for_a_scheme("  if (s->settings.scheme == other) return;"));
  CHECK(asks_for_a_scheme("  if ((time->scheme) != 2) return;"));
  CHECK(asks_for_a_scheme("  switch (s->scheme) {"));
  CHECK(asks_for_a_scheme("  s->settings.scheme = &dls_scheme_euler;"));
  CHECK(!asks_for_a_scheme("  const DlsScheme *scheme = s->settings.scheme;"));
  CHECK(!asks_for_a_scheme("  if (scheme->asks == DLS_ASKS_FORCES) return;"));
}

/* What a step calls unasked is there, and names are told apart. */
TEST(every_scheme_of_the_list_is_complete) {
  int count = 0;
  for (; dls_schemes[count]; count++) {
    const DlsScheme *scheme = dls_schemes[count];
    CHECK(scheme->name && scheme->summary && scheme->check_law && scheme->after && scheme->move &&
          scheme->free_velocity && scheme->seek && scheme->impulses);
    for (int k = 0; k < count; k++) CHECK(strcmp(dls_schemes[k]->name, scheme->name) != 0);
    for (double theta = 0; theta <= 1; theta += 0.25) {
      const double after = scheme->after(theta, 2.0);
      CHECK(after >= 0 && after <= 2);
      CHECK(scheme->takes_theta || after == scheme->after(0.5, 2.0));
    }
  }
  CHECK(count >= 4);
}
