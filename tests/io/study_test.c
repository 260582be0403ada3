/* delassus study as a user runs it: tables, stages, limits, solves, refusals. That a study which is
 * killed gives the same tables: study_check.py. */
#include "tests/io/app_run.h"

#include "record/columns.h"

static char out[700];

/* Writes NAME.yaml beside the deck of the tests, in the folder of the test; returns its path. */
static const char *put_study(const char *name, const char *text) {
  static char path[700];
  snprintf(path, sizeof path, "%s/%s.yaml", app_folder("study"), name);
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  if (file) {
    fputs(text, file);
    fclose(file);
  }
  snprintf(out, sizeof out, "%s/%s", app_folder("study"), name);
  return path;
}

#define DECK TEST_SOURCE_DIR "/tests/io/study_deck.yaml"

static void study(const char *path, const char *options, int status, const char *text) {
  char arguments[2000];
  snprintf(arguments, sizeof arguments, "study '%s' --out '%s' %s", path, out, options);
  CHECK_RUN(arguments, status, text);
}

static double cell(const DlsColumns *table, int row, const char *name) {
  const int column = dls_columns_find(table, name);
  CHECK_TOLD(column >= 0 && row < table->rows, "no cell %s of row %d", name, row);
  return column >= 0 && row < table->rows ? dls_columns_at(table, row, column) : NAN;
}

static bool read_results(DlsColumns *table) {
  char path[800];
  snprintf(path, sizeof path, "%s/results.csv", out);
  return dls_columns_read(path, table) == DLS_OK;
}

/* The numbers of the table are those of a run by hand with the same settings. */
TEST(results_are_those_of_the_runs) {
  const char *path =
      put_study("plain", "deck: " DECK "\n"
                         "keys:\n"
                         "  mu: {key: 'laws[0].parameters.mu', values: [0, 0.5]}\n"
                         "seeds: {key: 'grains[0].seed', count: 2, first: 3}\n"
                         "results:\n"
                         "  last: {column: kinetic}\n"
                         "  first: {column: kinetic, take: first}\n"
                         "  mean: {column: kinetic, take: mean, from: 4 ms, to: 6 ms}\n"
                         "  low: {column: 0-kinetic, take: max}\n"
                         "  at: {column: kinetic, take: at, at: 4.25 ms}\n"
                         "  never: {column: kinetic, take: at, at: 1 s}\n"
                         "  summary: {of: summary, column: energy.kinetic}\n"
                         "figures:\n"
                         "  - {x: mu, y: last}\n"
                         "  - {of: history, x: t, y: kinetic, by: mu}\n");
  char arguments[3000], hand[800];
  DlsColumns table, history;
  remove_folder(out);
  study(path, "--jobs 3", 0, "4 of 4 runs done");
  CHECK(read_results(&table));
  CHECK_INT(table.rows, 4);
  snprintf(hand, sizeof hand, "%s/hand", app_folder("study"));
  snprintf(arguments, sizeof arguments,
           "run " DECK " --quiet --set 'laws[0].parameters.mu=0.5' --set 'grains[0].seed=4' --out "
           "'%s' --overwrite",
           hand);
  CHECK_INT(app_run(arguments), 0);
  strcat(hand, "/history.csv");
  CHECK_OK(dls_columns_read(hand, &history));
  const int row = 3, k = dls_columns_find(&history, "kinetic");
  CHECK(strcmp(table.cell[(size_t)row * (size_t)table.columns + 1], "0.5") == 0);
  CHECK(cell(&table, row, "seed") == 4);
  CHECK(cell(&table, row, "last") == dls_columns_at(&history, 15, k));
  CHECK(cell(&table, row, "summary") == dls_columns_at(&history, 15, k));
  CHECK(cell(&table, row, "first") == dls_columns_at(&history, 0, k));
  double low = INFINITY;
  for (int i = 0; i < history.rows; i++) low = fmin(low, dls_columns_at(&history, i, k));
  CHECK(cell(&table, row, "low") == -low);
  /* Rows of 4, 5 and 6 ms; between 4 and 5 ms on the line. */
  const double a = dls_columns_at(&history, 3, k), b = dls_columns_at(&history, 4, k);
  CHECK_NEAR(cell(&table, row, "mean"), (a + b + dls_columns_at(&history, 5, k)) / 3, 1e-9 * a);
  CHECK_NEAR(cell(&table, row, "at"), a + 0.25 * (b - a), 1e-9 * a);
  CHECK(isnan(cell(&table, row, "never")));
  const int unit = dls_columns_find(&table, "last");
  CHECK(unit >= 0 && strcmp(table.unit[unit], "J") == 0);
  dls_columns_clear(&history);

  /* The figure has the mean over the seeds and its error. */
  char figure[800];
  DlsColumns curves;
  snprintf(figure, sizeof figure, "%s/figure_1.csv", out);
  CHECK_OK(dls_columns_read(figure, &curves));
  CHECK_INT(curves.rows, 2);
  const double p = cell(&table, 2, "last"), q = cell(&table, 3, "last");
  CHECK(cell(&curves, 1, "x") == 0.5 && cell(&curves, 1, "runs") == 2);
  CHECK_NEAR(cell(&curves, 1, "y"), 0.5 * (p + q), 1e-12 * p);
  CHECK_NEAR(cell(&curves, 1, "error"), 0.5 * fabs(p - q), 1e-9 * p); /* s / sqrt(2) of two */
  dls_columns_clear(&curves);
  snprintf(figure, sizeof figure, "%s/figure_2.csv", out);
  CHECK_OK(dls_columns_read(figure, &curves));
  CHECK_INT(curves.rows, 120);
  CHECK_NEAR(cell(&curves, 119, "y"), 0.5 * (p + q), 1e-9 * p);
  dls_columns_clear(&curves);
  dls_columns_clear(&table);

  /* Started again it runs nothing: the histories stay as they are. A new result needs no run. */
  study(path, "--set results.more.column=contacts --quiet", 0, "");
  CHECK(read_results(&table));
  CHECK(cell(&table, 3, "more") >= 0);
  dls_columns_clear(&table);
}

TEST(another_deck_begins_anew) {
  const char *path = put_study("anew", "deck: " DECK "\nresults: {steps: {of: summary, column: "
                                       "steps}}\n");
  DlsColumns table;
  study(path, "--quiet", 0, "");
  study(path, "--quiet --set 'set=[time.end=5 ms]'", 0, "");
  CHECK(read_results(&table));
  CHECK(cell(&table, 0, "steps") == 5);
  dls_columns_clear(&table);
}

TEST(stages_go_on_from_one_another) {
  const char *path = put_study("stages", "deck: [" DECK ", " DECK "]\n"
                                         "set: ['2:time.end=10 ms', output.every=0]\n"
                                         "keys:\n"
                                         "  g: {key: gravity, values: '[0, 0, -1]', stage: 2}\n"
                                         "results:\n"
                                         "  before: {column: kinetic, stage: 1}\n"
                                         "  begin: {column: kinetic, take: first}\n"
                                         "  t: {column: time}\n");
  DlsColumns table;
  remove_folder(out);
  study(path, "--quiet", 0, "");
  CHECK(read_results(&table));
  CHECK_NEAR(cell(&table, 0, "t"), 10e-3, 1e-12); /* its own clock, and end */
  /* It begins with the velocities that the first stage left. */
  CHECK(cell(&table, 0, "before") > 0);
  CHECK_NEAR(cell(&table, 0, "begin"), cell(&table, 0, "before"), 0.2 * cell(&table, 0, "before"));
  dls_columns_clear(&table);
}

TEST(limits_are_rows_of_the_table) {
  const char *path = put_study("limit", "deck: " DECK "\nset: [time.end=1000 s, output.every=0]\n");
  remove_folder(out);
  study(path, "--limit 0.3", 1, "1 timeout");
}

TEST(a_study_of_solves) {
  const char *path = put_study("solves", "kind: solve\n"
                                         "keys:\n"
                                         "  problem: {key: problem, values: ['sample:box:30', "
                                         "'sample:table']}\n"
                                         "  solver: {key: solver, values: [nsgs, uzawa]}\n"
                                         "  tolerance: {key: tolerance, values: [1e-3, 1e-6]}\n"
                                         "results:\n"
                                         "  iterations: {of: solve, column: iterations}\n"
                                         "  natural: {of: solve, column: natural}\n"
                                         "  contacts: {of: solve, column: contacts}\n"
                                         "figures: [{x: tolerance, y: iterations, log: x}]\n");
  DlsColumns table;
  remove_folder(out);
  study(path, "", 0, "8 of 8 runs done");
  CHECK(read_results(&table));
  for (int row = 0; row < 8; row++)
    CHECK_BELOW(cell(&table, row, "natural"), cell(&table, row, "tolerance"));
  CHECK(cell(&table, 0, "iterations") < cell(&table, 1, "iterations"));
  CHECK(cell(&table, 0, "contacts") > cell(&table, 4, "contacts"));
  dls_columns_clear(&table);
}

TEST(mistakes_are_told_where_they_are_written) {
  const char *path = put_study("wrong", "deck: " DECK "\n"
                                        "keys:\n"
                                        "  mu: {key: 'laws[0].parameters.muu', values: [0, 1]}\n");
  study(path, "", 2, "wrong.yaml:3: keys.mu.key:");
  study(path, "", 2, "did you mean 'mu'?");
  study(path, "--set keys.mu.key=laws[0].parameters.mu --set keys.mu.values=[0,-1]", 2,
        "out of bounds");
  study(path, "--set keys.mu.key=title --set keys.mu.values=[a,a]", 2, "runs 1 and 2 are the same");
  study(path, "--set keyz=1", 2, "did you mean 'keys'?");
  study("nowhere.yaml", "", 2, "nowhere.yaml");
  CHECK_RUN("study", 2, "which study?");
  CHECK_RUN("study --help", 0, "STUDY.yaml");
  /* What a run does not tell is known when it has run. */
  path = put_study("late", "deck: " DECK "\nresults: {k: {column: kinetc}}\n");
  study(path, "", 1, "did you mean `kinetic`?");
  study(path, "--set results.k.column=kinetic", 0, "1 of 1 runs done");
}

/* docs/study-keys.md is what the program says of itself; the cure stands on the page. */
TEST(the_page_of_keys_is_that_of_the_program) {
  static char page[APP_OUTPUT_BYTES];
  FILE *file = fopen(TEST_SOURCE_DIR "/docs/study-keys.md", "rb");
  CHECK(file != NULL);
  if (file) {
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
  }
  CHECK_INT(app_run("study --schema"), 0);
  CHECK(strcmp(page, app_output) == 0);
}
