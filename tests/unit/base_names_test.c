/* Names are found without a search through all of them: the comparisons of strings, counted, grow
 * with the number of names and not with its square. strcmp(), strncmp() and memcmp() of this
 * program stand before those of the C library, so that every one that libdelassus makes is
 * counted. */
#include "base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deck/difference.h"
#include "record/csv.h"
#include "scene/scene.h"
#include "tests/test.h"

static long compared;

#pragma GCC visibility push(default)
int strcmp(const char *a, const char *b) {
  compared++;
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t bytes) {
  compared++;
  for (; bytes && *a && *a == *b; bytes--) a++, b++;
  return bytes ? (unsigned char)*a - (unsigned char)*b : 0;
}

int memcmp(const void *a, const void *b, size_t bytes) {
  const unsigned char *x = a, *y = b;
  compared++;
  for (; bytes && *x == *y; bytes--) x++, y++;
  return bytes ? *x - *y : 0;
}
#pragma GCC visibility pop

TEST(every_name_has_its_number) {
  enum { MOST = 20000 };
  DlsNames names = {0};
  char name[32];
  int before;
  CHECK_INT(dls_names_find(&names, "none", 4), -1);
  for (int k = 0; k < MOST; k++) {
    snprintf(name, sizeof name, "grain %d", k);
    CHECK_OK(dls_names_add(&names, name, k, &before));
    CHECK_INT(before, -1);
  }
  CHECK_OK(dls_names_add(&names, "grain 77", 5, &before));
  CHECK_INT(before, 77);
  CHECK_INT(names.count, MOST);
  for (int k = 0; k < MOST; k++) {
    snprintf(name, sizeof name, "grain %d.3", k);
    CHECK_INT(dls_names_find(&names, name, strlen(name) - 2), k);
    CHECK_INT(dls_names_find(&names, name, strlen(name)), -1);
  }
  dls_names_clear(&names);
}

/* n named bodies, n / 2 springs that name them, n / 4 chains, n / 40 named walls, 50 materials. */
static char *deck_of(int n, const char *gravity) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  fprintf(out,
          "dimension: 2\ngravity: %s\ntime: {step: 1 ms, end: 1 ms}\nlaws: [{law: coulomb}]\n"
          "materials:\n",
          gravity);
  for (int k = 0; k < 50; k++) fprintf(out, "  rock%d: {density: 2500}\n", k);
  fputs("bodies:\n", out);
  for (int k = 0; k < n; k++)
    fprintf(out, "  - {material: rock%d, name: b%d, radius: 0.4, position: [%d, %d]}\n", k % 50, k,
            k % 100, k / 100);
  fputs("chains:\n", out);
  for (int k = 0; k < n / 4; k++)
    fprintf(out,
            "  - {name: c%d, material: rock0, count: 2, radius: 0.4, start: [200, %d], "
            "end: [201, %d]}\n",
            k, k, k);
  fputs("springs:\n", out);
  for (int k = 0; k < n / 4; k++)
    fprintf(out,
            "  - {between: [b%d, b%d], stiffness: 1}\n  - {between: [c%d.1, b%d], stiffness: 1}\n",
            2 * k, 2 * k + 1, k, k);
  fputs("boundaries:\n", out);
  for (int k = 0; k < n / 40; k++)
    fprintf(out, "  w%d: {material: rock1, shape: plane, position: [0, %d]}\n", k, -2 - k);
  return fclose(out) == 0 ? text : NULL;
}

static long work_of_scene(int n) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  char *text = deck_of(n, "[0, 0]");
  CHECK(text != NULL);
  if (!text) return 0;
  compared = 0;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  CHECK_OK(dls_scene_build(deck, &scene));
  const long work = compared;
  dls_scene_destroy(&scene);
  dls_deck_destroy(&deck);
  free(text);
  return work;
}

/* Twice the names cost twice the comparisons, and a little for the sorted keys of maps (n log n);
 * a search through all of them would cost four times as many. */
static void check_linear(const char *what, long once, long twice) {
  if (once <= 0 || (double)twice > 2.5 * (double)once)
    test_fail(__FILE__, __LINE__, "%s: %ld comparisons, with twice the names %ld", what, once,
              twice);
}

TEST(a_deck_of_many_names_is_read_in_linear_work) {
  check_linear("scene", work_of_scene(8000), work_of_scene(16000));
}

static long work_of_difference(int n) {
  DlsDeck *deck[2] = {NULL, NULL};
  DlsDeckDifferences differences = {0};
  for (int k = 0; k < 2; k++) {
    char *text = deck_of(n, k ? "[0, 1]" : "[0, 0]");
    CHECK(text != NULL);
    if (!text) return 0;
    if (k) memcpy(strstr(text, "position: [0, -2]"), "position: [1, -2]", 17);
    if (k) memcpy(strstr(text, "radius: 0.4"), "radius: 0.3", 11);
    CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck[k]));
    free(text);
  }
  compared = 0;
  CHECK_OK(dls_deck_compare(dls_deck_root(deck[0]), dls_deck_root(deck[1]), deck[1], &differences));
  const long work = compared;
  CHECK_INT(differences.count, 3);
  dls_deck_differences_clear(&differences);
  for (int k = 0; k < 2; k++) dls_deck_destroy(&deck[k]);
  return work;
}

TEST(decks_of_many_names_are_compared_in_linear_work) {
  check_linear("difference", work_of_difference(8000), work_of_difference(16000));
}

static long work_of_table(int n) {
  DlsCsvColumn *columns = calloc((size_t)n, sizeof *columns);
  char(*name)[16] = calloc((size_t)n, sizeof *name);
  DlsCsv *csv = NULL;
  for (int k = 0; columns && name && k < n; k++) {
    snprintf(name[k], sizeof name[k], "wall %d", k);
    columns[k] = (DlsCsvColumn){.name = name[k], .unit = "N"};
  }
  compared = 0;
  CHECK_OK(dls_csv_create(TEST_BINARY_DIR "/tests/tmp/names.csv", columns, n, NULL, &csv));
  const long work = compared;
  CHECK_OK(dls_csv_close(&csv));
  columns[n - 1].name = "wall 5";
  CHECK_FAILS(dls_csv_create(TEST_BINARY_DIR "/tests/tmp/names.csv", columns, n, NULL, &csv),
              DLS_ERR_ARGUMENT, "two columns are named 'wall 5'");
  free(columns);
  free(name);
  return work;
}

TEST(a_table_of_many_columns_is_begun_in_linear_work) {
  const long once = work_of_table(8000), twice = work_of_table(16000);
  if (twice > 2 * once + 1000)
    test_fail(__FILE__, __LINE__, "table: %ld comparisons, with twice the names %ld", once, twice);
}
