/* Tables of laws from a deck: by a CSV file in other units or by numbers, the same run; a
 * checkpoint has the numbers, so that it goes on when the file has gone or has changed; each
 * mistake of a file has its line. */
#include "tests/io/app_run.h"
#include "tests/io/run_files.h"

#include <unistd.h>

#include "law_bench/failure_file.h"

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/table_deck"

static bool write_text(const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, SCRAPS "/%s", name);
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  if (!file) return false;
  fputs(text, file);
  return fclose(file) == 0;
}

/* A ball slides on the floor, which it was thrown upon. */
static bool write_deck(const char *name, const char *friction) {
  char deck[2048];
  snprintf(
      deck, sizeof deck,
      "time: {step: 1 ms, end: 0.3 s}\ngravity: [0, 0, -9.81]\nmaterials: {steel: {}}\n"
      "laws:\n"
      "  - law: table\n"
      "    tables:\n"
      "      friction: %s\n"
      "      normal: {overlap: [0, 10 um], force: [0, 50]}\n"
      "bodies: [{material: steel, radius: 2 cm, position: [0, 0, 0.021], velocity: [1, 0, 0]}]\n"
      "boundaries: {floor: {shape: plane, material: steel}}\n"
      "output: {every: 0.1 s, checkpoint: 0.2 s}\n",
      friction);
  return write_text(name, deck);
}

static const char csv[] = "# measured on a dry day\nid, mu [1], speed [mm/s], deviation [1]\n"
                          "1, 0.4, 0, 0.01\n2, 0.3, 100.5, 0.02\n3, 0.25, 1000, 0.01\n";
#define FILE_AND_NUMBERS "{file: friction.csv}", "{speed: [0, 0.1005, 1], mu: [0.4, 0.3, 0.25]}"

static bool begin_test(void) {
  app_folder("table_deck");
  return write_text("friction.csv", csv);
}

#define RUN(deck, out, more)                                                                       \
  app_run("run " SCRAPS "/" deck " --overwrite --quiet --out " SCRAPS "/" out " " more)

TEST(a_file_and_its_numbers_give_the_same_run) {
  static const char *const friction[] = {FILE_AND_NUMBERS};
  if (!begin_test() || !write_deck("file.yaml", friction[0])) return;
  if (!write_deck("numbers.yaml", friction[1])) return;
  CHECK_INT(RUN("file.yaml", "file", ""), 0);
  CHECK_INT(RUN("numbers.yaml", "numbers", ""), 0);
  CHECK(run_same_file(SCRAPS "/file", SCRAPS "/numbers", "bodies_000003.vtu"));
  CHECK(run_same_file(SCRAPS "/file", SCRAPS "/numbers", "contacts_000003.vtu"));
  /* It is the table that counts: without it the law's own gives another. */
  CHECK_INT(RUN("numbers.yaml", "own", "--set laws[0].tables.friction=~"), 0);
  CHECK(!run_same_file(SCRAPS "/own", SCRAPS "/numbers", "bodies_000003.vtu"));
}

TEST(a_run_goes_on_when_the_file_has_gone_and_refuses_other_numbers) {
  static const char *const friction[] = {FILE_AND_NUMBERS};
  static const char *const names[] = {"bodies_000003.vtu", "contacts_000003.vtu", "checkpoint.h5"};
  if (!begin_test() || !write_deck("file.yaml", friction[0])) return;
  CHECK_INT(RUN("file.yaml", "whole", ""), 0);
  CHECK_INT(RUN("file.yaml", "broken", "--set time.end=0.2"), 0);
  CHECK_INT(remove(SCRAPS "/friction.csv"), 0);
  CHECK_INT(app_run("run --overwrite --quiet --set time.end=0.3 --change time --restart " SCRAPS
                    "/broken/checkpoint.h5 --out " SCRAPS "/broken"),
            0);
  for (int k = 0; k < DLS_COUNT(names); k++)
    CHECK_TOLD(run_same_file(SCRAPS "/whole", SCRAPS "/broken", names[k]), "%s differs", names[k]);
  if (!write_text("friction.csv", "speed [m/s], mu [1]\n0, 0.4\n1, 0.1\n")) return;
  CHECK_RUN("run " SCRAPS "/file.yaml --overwrite --quiet --restart " SCRAPS
            "/whole/checkpoint.h5 --set time.end=0.4 --out " SCRAPS "/other",
            2, "laws[0].tables.friction.mu");
}

static void refused(const char *text, const char *sentence) {
  if (!write_text("friction.csv", text)) return;
  CHECK_RUN("run " SCRAPS "/file.yaml --overwrite --quiet --out " SCRAPS "/wrong", 2, sentence);
  CHECK_TOLD(strstr(app_output, "file.yaml:7: laws[0].tables.friction.file: "), "%s", app_output);
}

TEST(mistakes_of_a_file_have_their_line) {
  if (!begin_test() || !write_deck("file.yaml", "{file: friction.csv}")) return;
  refused("0, 1\n1, 1\n", "friction.csv:1: the first line names the columns and their units");
  refused("speed [m/s], my [1]\n0, 1\n1, 1\n", "friction.csv:1: there is no column 'mu'");
  refused("\nspeed, mu [1]\n0, 1\n1, 1\n", "friction.csv:2: the column 'speed' has no unit; write "
                                           "'speed [m/s]'");
  refused("speed [m/h], mu [1]\n0, 1\n1, x\n", "friction.csv:3: column 2 is 'x': a finite number");
  refused("speed [kg], mu [1]\n0, 1\n1, 1\n", "friction.csv:1: the column 'speed' is in kg; a unit "
                                              "like m/s is wanted");
  refused("speed [furlong], mu [1]\n0, 1\n1, 1\n", "friction.csv:1: the column 'speed': ");
  refused("speed [m/s], mu [1]\n0, 1\n1, 1\n1, 2\n", "friction.csv:4: contact law 'table': table "
                                                     "friction: speed = 1 follows 1");
  refused("speed [m/s], mu [1]\n0, 1\n1, -1\n", "friction.csv:3: contact law 'table': table "
                                                "friction: mu = -1 is not within 0 and inf");
  refused("speed [m/s], mu [1]\n0, 1\n", "friction.csv: contact law 'table': table friction has 1 "
                                         "rows; 2 to 4096 are possible");
  refused("speed [m/s], mu [1]\n0, 1\n1\n", "friction.csv:3: this row has 1 numbers");
  refused("speed [m/s], mu [1]\n", "friction.csv: no row of numbers");
}

TEST(mistakes_of_a_deck_have_theirs) {
  if (!begin_test() || !write_deck("file.yaml", "{file: friction.csv}")) return;
#define TRY(set, sentence)                                                                         \
  CHECK_RUN("run " SCRAPS "/file.yaml --overwrite --quiet --out " SCRAPS "/wrong --set " set, 2,   \
            sentence)
  TRY("laws[0].tables.friction.file=none.csv", "laws[0].tables.friction.file: ");
  TRY("laws[0].tables.friction.mu=[1,2]", "has numbers beside it; give either a file or speed and");
  TRY("laws[0].tables.normal.force=[1,2,3]", "has 2 numbers of overlap and 3 of force");
  TRY("laws[0].tables.normal.force=[4,2]", "force falls from 4 to 2");
  TRY("laws[0].tables.frction.file=friction.csv", "unknown key; did you mean 'friction'?");
  TRY("laws[0].law=coulomb", "laws[0].tables: has no meaning here");
#undef TRY
}

/* In a list each law has its own section. */
TEST(laws_of_a_list_have_tables_under_their_names) {
  if (!begin_test() || !write_deck("file.yaml", "{file: friction.csv}")) return;
  CHECK_INT(RUN("file.yaml", "list",
                "--set laws[0].law=[table,capillary] --set laws[0].tables=~ "
                "--set laws[0].tables.table.friction.file=" SCRAPS "/friction.csv"),
            0);
}

TEST(a_failure_file_keeps_the_tables) {
  static const double numbers[] = {0, 1, 2, 0.3, 0.2, 0.1};
  DlsLawFailure kept = {.function = "commit", .sentence = "it failed", .contact = 3}, read;
  if (!begin_test()) return;
  CHECK_OK(dls_law_find("table", &kept.law[0]));
  kept.kinematics = dls_contact_default(3);
  kept.table[0].rows = 3;
  memcpy(kept.rows, numbers, sizeof numbers);
  CHECK_OK(dls_failure_write(&kept, SCRAPS "/failure.yaml"));
  CHECK_OK(dls_failure_read(SCRAPS "/failure.yaml", &read));
  const DlsLawUse use = dls_law_failure_use(&read);
  CHECK_INT(use.kinematics->tables[0].rows, 3);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(use.kinematics->tables[0].x[k], numbers[k], 0);
    CHECK_NEAR(use.kinematics->tables[0].y[k], numbers[3 + k], 0);
  }
  CHECK_INT(use.kinematics->tables[3].rows, 0);
  CHECK_OK(dls_law_failure_repeat(&read)); /* no failure now */
}
