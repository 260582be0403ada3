/* delassus run --halve: the table of differences against the histories of both runs, and against
 * what the scheme is known to do. */
#include <math.h>
#include <stdio.h>

#include "record/columns.h"
#include "tests/files.h"
#include "tests/io/app_run.h"

static const char fall[] = "time: {step: 4 ms, end: 0.2 s, scheme: euler}\n"
                           "gravity: [0, 0, -10]\n"
                           "materials: {steel: {}}\n"
                           "laws: [{law: coulomb}]\n"
                           "bodies:\n"
                           "  - {material: steel, radius: 0.1, position: [0, 0, 1]}\n"
                           "  - {material: steel, radius: 0.1, position: [1, 0, 1]}\n";

static const char *folder_of(const char *name) {
  static char path[4][800];
  static int turn;
  snprintf(path[turn = (turn + 1) % 4], sizeof path[0], "%s/%s", app_folder("halved"), name);
  return path[turn];
}

static void run_deck(const char *name, const char *text, const char *words) {
  char deck[1000], command[4000], file[100];
  snprintf(file, sizeof file, "%.60s.yaml", name);
  snprintf(deck, sizeof deck, "%.900s", test_file("halved", file, text));
  snprintf(command, sizeof command, "run %s --out %s --overwrite %s", deck, folder_of(name), words);
  CHECK_RUN(command, 0, "");
}

static void read_table(const char *name, const char *file, DlsColumns *out) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%.100s", folder_of(name), file);
  CHECK_OK(dls_columns_read(path, out));
}

static double at(const DlsColumns *table, int row, const char *name) {
  const int column = dls_columns_find(table, name);
  CHECK(column >= 0);
  return column < 0 ? NAN : dls_columns_at(table, row, column);
}

/* x+ = x + h v+ falls by g h t / 2 too far: the runs are g h t / 4 apart. */
TEST(implicit_euler_falls_too_far_by_half_a_step) {
  DlsColumns table;
  run_deck("fall", fall, "--halve");
  CHECK(test_contains(app_output, "2 bodies end 0.002 m apart in the mean, 0.002 m at most"));
  read_table("fall", "halved.csv", &table);
  CHECK_INT(table.rows, 50);
  for (int k = 0; k < table.rows; k++) {
    const double t = at(&table, k, "time");
    CHECK_NEAR(t, 4e-3 * (k + 1), 1e-12);
    CHECK_NEAR(at(&table, k, "mean_apart"), 10 * 4e-3 * t / 4, 1e-13);
    CHECK_NEAR(at(&table, k, "largest_apart"), 10 * 4e-3 * t / 4, 1e-13);
  }
  dls_columns_clear(&table);
}

/* Columns of the table are those of the histories, and the second run is the deck with half its
 * step as anybody would run it. */
TEST(the_table_holds_both_histories) {
  static const char *const names[] = {"kinetic", "potential", "dissipated", "penetration"};
  DlsColumns table, one, two, alone;
  run_deck("fall", fall, "--quiet --halve --set time.end=0.1");
  run_deck("alone", fall, "--quiet --set time.end=0.1 --set time.step=0.002");
  read_table("fall", "halved.csv", &table);
  read_table("fall", "history.csv", &one);
  read_table("fall", "halved/history.csv", &two);
  read_table("alone", "history.csv", &alone);
  CHECK_INT(table.rows, 25);
  CHECK_INT(two.rows, 50);
  CHECK_INT(alone.rows, 50);
  for (int k = 0; k < 25; k++)
    for (int n = 0; n < DLS_COUNT(names); n++) {
      char halved[100];
      snprintf(halved, sizeof halved, "%s_halved", names[n]);
      CHECK_NEAR(at(&table, k, names[n]), at(&one, k, names[n]), 0);
      CHECK_NEAR(at(&table, k, halved), at(&two, 2 * k + 1, names[n]), 0);
      CHECK_NEAR(at(&table, k, halved), at(&alone, 2 * k + 1, names[n]), 0);
    }
  dls_columns_clear(&table), dls_columns_clear(&one), dls_columns_clear(&two);
  dls_columns_clear(&alone);
}

/* From a checkpoint the first run goes on, and the second begins there with half the step. */
TEST(a_restart_is_halved_from_its_checkpoint) {
  char command[2000];
  DlsColumns table;
  run_deck("again", fall, "--quiet --set time.end=0.1");
  snprintf(command, sizeof command, "run --restart %s/checkpoint.h5 --set time.end=0.2 --halve",
           folder_of("again"));
  CHECK_RUN(command, 0, "the same with half the step, 0.002 s");
  read_table("again", "halved.csv", &table);
  CHECK_INT(table.rows, 25);
  CHECK_NEAR(at(&table, 24, "mean_apart"), 10 * 4e-3 * 0.1 / 4, 1e-13); /* since the restart */
  dls_columns_clear(&table);
}

TEST(what_has_no_step_is_refused) {
  char command[2000];
  snprintf(command, sizeof command, "run %.1900s --halve --equilibrium",
           test_file("halved", "none.yaml", fall));
  CHECK_RUN(command, 2, "--equilibrium runs nothing whose step could be halved");
}
