/* The rows of a study: grids, rows side by side, draws that repeat, seeds; names of folders; means
 * and their errors. */
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/curves.h"
#include "study/table.h"

typedef struct {
  DlsDeck *deck;
  DlsStudyData data;
  DlsStudyTable table;
} Read;

static Read read_study(const char *text) {
  Read r = {0};
  char whole[4000];
  snprintf(whole, sizeof whole, "deck: biaxial.yaml\n%s", text);
  CHECK_OK(dls_deck_parse(TEST_SOURCE_DIR "/input/made-up.yaml", whole, strlen(whole), &r.deck));
  CHECK_OK(dls_deck_read(r.deck, dls_study_section(), &r.data));
  CHECK_OK(dls_study_table(&r.data, &r.table));
  return r;
}

static void end(Read *r) {
  dls_study_table_clear(&r->table);
  dls_deck_release(dls_study_section(), &r->data);
  dls_deck_destroy(&r->deck);
}

static const char *name_of(const Read *r, int row) {
  static char name[DLS_STUDY_NAME];
  dls_study_row_name(&r->table, row, name);
  return name;
}

#define CHECK_NAME(read, row, text)                                                                \
  CHECK_TOLD(strcmp(name_of(&(read), row), text) == 0, "row %d is %s, not %s", row,                \
             name_of(&(read), row), text)

TEST(a_grid_has_all_combinations_the_last_key_and_the_seeds_fastest) {
  Read r =
      read_study("keys:\n  a: {key: x, values: [1, 2]}\n  b: {key: y, values: [0.5, 5 mm, z]}\n"
                 "seeds: {key: s, count: 2, first: 7}\n");
  CHECK_INT(r.table.rows, 12);
  CHECK_NAME(r, 0, "a=1,b=0.5,seed=7");
  CHECK_NAME(r, 1, "a=1,b=0.5,seed=8");
  CHECK_NAME(r, 4, "a=1,b=z,seed=7");
  CHECK_NAME(r, 6, "a=2,b=0.5,seed=7");
  /* A blank is no part of a name: a hash tells such values apart. */
  CHECK(strncmp(name_of(&r, 2), "a=1,b=5_mm,seed=7-", 18) == 0);
  end(&r);
}

TEST(rows_are_taken_side_by_side) {
  Read r = read_study("combine: rows\nkeys:\n  a: {key: x, values: [1, 2, 3]}\n"
                      "  b: {key: y, values: [9, 9, 8]}\n");
  CHECK_INT(r.table.rows, 3);
  CHECK_NAME(r, 0, "a=1,b=9");
  CHECK_NAME(r, 2, "a=3,b=8");
  end(&r);
}

TEST(without_keys_there_is_one_run) {
  Read r = read_study("");
  CHECK_INT(r.table.rows, 1);
  CHECK_NAME(r, 0, "run");
  end(&r);
}

/* The j-th draw depends on seed, name and j alone. */
TEST(draws_repeat_and_do_not_depend_on_other_keys) {
  static const char drawn[] = "draws: 40\nseed: %d\nkeys:\n  %su: {key: x, draw: uniform, min: 2, "
                              "max: 5}\n";
  char text[3][300];
  snprintf(text[0], sizeof text[0], drawn, 3, "");
  snprintf(text[1], sizeof text[1], drawn, 3, "k: {key: y, values: [1, 2]}\n  ");
  snprintf(text[2], sizeof text[2], drawn, 4, "");
  Read a = read_study(text[0]), b = read_study(text[1]), c = read_study(text[2]);
  CHECK_INT(a.table.rows, 40);
  CHECK_INT(b.table.rows, 80);
  int same = 0;
  const int u = dls_study_column(&b.table, "u");
  for (int k = 0; k < 40; k++) {
    const char *value = dls_study_cell(&a.table, k, 0);
    CHECK(strcmp(value, dls_study_cell(&b.table, k, u)) == 0); /* in both combinations */
    CHECK(strcmp(value, dls_study_cell(&b.table, 40 + k, u)) == 0);
    CHECK(atof(value) >= 2 && atof(value) < 5);
    same += strcmp(value, dls_study_cell(&c.table, k, 0)) == 0;
  }
  CHECK_INT(same, 0); /* another seed, other numbers */
  end(&a), end(&b), end(&c);
}

/* Means of 4000 draws within five standard errors of those of the distributions. */
TEST(distributions_have_their_means) {
  enum { N = 4000 };
  Read r = read_study("draws: 4000\nkeys:\n  u: {key: a, draw: uniform, min: -1, max: 3}\n"
                      "  l: {key: b, draw: log-uniform, min: 0.01, max: 100}\n"
                      "  n: {key: c, draw: normal, mean: 4, deviation: 2}\n"
                      "  i: {key: d, draw: integer, min: 1, max: 6}\n");
  const double mean[4] = {1, 0, 4, 3.5}; /* of the logarithm for l */
  const double deviation[4] = {4 / sqrt(12), log(1e4) / sqrt(12), 2, sqrt(35.0 / 12)};
  int faces = 0;
  for (int c = 0; c < 4; c++) {
    double sum = 0, square = 0;
    for (int k = 0; k < N; k++) {
      const double x = atof(dls_study_cell(&r.table, k, c)), value = c == 1 ? log(x) : x;
      sum += value / N, square += value * value / N;
      CHECK(c != 3 || (x == floor(x) && x >= 1 && x <= 6));
      if (c == 3) faces |= 1 << (int)x;
    }
    CHECK_NEAR(sum, mean[c], 5 * deviation[c] / sqrt(N));
    CHECK_NEAR(sqrt(square - sum * sum), deviation[c], 0.1 * deviation[c]);
  }
  CHECK_INT(faces, 126); /* each face falls */
  end(&r);
}

TEST(the_mean_has_its_standard_error) {
  const double values[] = {1, NAN, 2, 6};
  double mean, error;
  CHECK_INT(dls_study_mean(values, 4, &mean, &error), 3);
  CHECK_NEAR(mean, 3, 1e-15);
  CHECK_NEAR(error, sqrt(7.0 / 3), 1e-15); /* s^2 = (4 + 1 + 9) / 2 */
  CHECK_INT(dls_study_mean(values, 1, &mean, &error), 1);
  CHECK(mean == 1 && isnan(error));
  CHECK_INT(dls_study_mean(values + 1, 1, &mean, &error), 0);
  CHECK(isnan(mean));
}

/* What is wrong is told with line, key and cure. */
static void refuse(const char *text, const char *sentence) {
  DlsDeck *deck = NULL;
  DlsStudyData data;
  CHECK_OK(dls_deck_parse(TEST_SOURCE_DIR "/input/made-up.yaml", text, strlen(text), &deck));
  CHECK_FAILS(dls_deck_read(deck, dls_study_section(), &data), DLS_ERR_FORMAT, sentence);
  dls_deck_destroy(&deck);
}

TEST(mistakes_of_studies) {
  refuse("title: t\n", "deck: is missing");
  refuse("deck: biaxail.yaml\n", "made-up.yaml:1: deck: ");
  refuse("deck: biaxial.yaml\nkeys:\n  a: {key: x}\n",
         "made-up.yaml:3: keys.a.values: are not given");
  refuse("deck: biaxial.yaml\nkeys:\n  a: {key: x, draw: uniform, min: 2, max: 1}\n",
         "needs `min`");
  refuse("deck: biaxial.yaml\nkeys:\n  a: {key: x, draw: normal, mean: 2}\n", "`deviation`");
  refuse("deck: biaxial.yaml\nkeys:\n  a: {key: x, draw: log-uniform, min: 0, max: 1}\n",
         "above 0");
  refuse("deck: biaxial.yaml\nkeys:\n  a: {key: x, values: 1, stage: 2}\n", "keys.a.stage: is 2");
  refuse("deck: biaxial.yaml\nkeys:\n  status: {key: x, values: 1}\n", "another name");
  refuse("deck: biaxial.yaml\nresults:\n  a: {column: t, take: at}\n",
         "results.a.take: at is a time");
  refuse("deck: biaxial.yaml\ncombine: rows\nkeys:\n  a: {key: x, values: [1, 2]}\n"
         "  b: {key: y, values: [1, 2, 3]}\n",
         "keys.b.values: are 3");
  refuse("kind: solve\nkeys:\n  a: {key: solver, values: nsgs}\n", "`key: problem`");
}

/* The studies that docs/study.md shows are read: keys that it names are there. */
TEST(the_studies_of_the_page_are_read) {
  static char page[1 << 16];
  FILE *file = fopen(TEST_SOURCE_DIR "/docs/study.md", "rb");
  int blocks = 0;
  CHECK(file != NULL);
  if (!file) return;
  page[fread(page, 1, sizeof page - 1, file)] = '\0';
  fclose(file);
  for (char *at = page; (at = strstr(at, "\n```\n")); blocks++) {
    char *begin = at + 5, *end = strstr(begin, "\n```\n");
    DlsDeck *deck = NULL;
    DlsStudyData data;
    CHECK(end != NULL);
    if (!end) break;
    CHECK_OK(dls_deck_parse(TEST_SOURCE_DIR "/input/of-the-page.yaml", begin,
                            (size_t)(end + 1 - begin), &deck));
    CHECK_OK(dls_deck_read(deck, dls_study_section(), &data));
    dls_deck_release(dls_study_section(), &data);
    dls_deck_destroy(&deck);
    at = end + 4;
  }
  CHECK_INT(blocks, 2);
}
