/* Tables that grow row by row, are cut back at a restart, and end with a whole row. */
#include "tests/files.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"
#include "base/random.h"
#include "record/csv.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/record_csv"

static const DlsCsvColumn columns[] = {
    {"time", "s"}, {"kinetic", "J"}, {"contacts", NULL}, {"force, \"x\"", "N"}};
static const char header[] = "time [s],kinetic [J],contacts,\"force, \"\"x\"\" [N]\"\n";

static DlsStatus make(const char *path, const DlsCsvOptions *options, DlsCsv **out) {
  CHECK_OK(dls_file_make_folder(FOLDER));
  return dls_csv_create(path, columns, DLS_COUNT(columns), options, out);
}

static DlsStatus resume(const char *path, int64_t rows, DlsCsv **out) {
  return dls_csv_resume(path, columns, DLS_COUNT(columns), NULL, rows, out);
}

TEST(a_table_has_a_header_with_units_and_rows) {
  const char *path = FOLDER "/table.csv";
  const double row[] = {0.1, 1e-300, 12, -(double)INFINITY},
               other[] = {1.0 / 3, 0, 1e15, (double)NAN};
  const DlsCsvOptions exact = {.digits = 17, .flush_rows = 1}, short_ones = {.digits = 3};
  char expected[512];
  DlsCsv *csv;
  CHECK_OK(make(path, NULL, &csv));
  CHECK_INT(strcmp(get_text(path), header), 0);
  CHECK_OK(dls_csv_row(csv, row));
  CHECK_OK(dls_csv_row(csv, other));
  snprintf(expected, sizeof expected, "%s0.1,1e-300,12,-inf\n0.3333333333333333,0,1e+15,nan\n",
           header);
  CHECK_INT(strcmp(get_text(path), expected), 0); /* flushed at every row */
  CHECK_INT(dls_csv_rows(csv), 2);
  CHECK_OK(dls_csv_close(&csv));
  CHECK(!csv);
  CHECK_OK(dls_csv_close(&csv));
  CHECK_OK(make(path, &exact, &csv));
  CHECK_OK(dls_csv_row(csv, row));
  CHECK_OK(dls_csv_sync(csv));
  CHECK(test_contains(get_text(path), "\n0.10000000000000001,1e-300,12,-inf\n"));
  CHECK_OK(dls_csv_close(&csv));
  CHECK_OK(make(path, &short_ones, &csv));
  CHECK_OK(dls_csv_row(csv, other));
  CHECK_INT(strcmp(get_text(path), header), 0); /* not flushed yet */
  CHECK_OK(dls_csv_close(&csv));
  CHECK(test_contains(get_text(path), "\n0.333,0,1e+15,nan\n"));
}

/* Both the shortest texts and those of 17 digits give the same double back. */
TEST(numbers_come_back_as_they_were) {
  DlsRandom random;
  dls_random_seed(&random, 3);
  for (int i = 0; i < 20000; i++) {
    const uint64_t bits = dls_random_bits(&random);
    double value;
    char shortest[DLS_NUMBER_BYTES], exact[DLS_NUMBER_BYTES];
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    dls_number_text(shortest, value, 0);
    dls_number_text(exact, value, DLS_NUMBER_EXACT);
    CHECK(strtod(shortest, NULL) == value && strtod(exact, NULL) == value);
  }
}

static void fill(DlsCsv *csv, int from, int to) {
  for (int i = from; i < to; i++) {
    const double row[] = {i / 3.0, i * 0.7, i, -i / 7.0};
    CHECK_OK(dls_csv_row(csv, row));
  }
}

/* Whatever was written after the checkpoint, a torn row included: the rest gives the same bytes. */
TEST(a_restart_gives_the_same_bytes) {
  const char *path = FOLDER "/restart.csv";
  const DlsCsvOptions lazy = {.flush_rows = 7};
  DlsCsv *csv;
  CHECK_OK(make(path, &lazy, &csv));
  fill(csv, 0, 3000);
  CHECK_OK(dls_csv_close(&csv));
  char *unbroken = strdup(get_text(path));
  static const int64_t kept[] = {0, 1, 2, 1500, 2999, 3000};
  for (int i = 0; i < DLS_COUNT(kept); i++) {
    char *torn = strdup(unbroken);
    if (kept[i] < 3000) torn[strlen(torn) - 5] = '\0';
    put_text(path, torn);
    free(torn);
    CHECK_OK(resume(path, kept[i], &csv));
    CHECK_INT(dls_csv_rows(csv), kept[i]);
    fill(csv, (int)kept[i], 3000);
    CHECK_OK(dls_csv_close(&csv));
    CHECK_INT(strcmp(get_text(path), unbroken), 0);
  }
  free(unbroken);
}

TEST(rows_that_are_not_there_are_missed) {
  const char *path = FOLDER "/missed.csv";
  DlsCsv *csv;
  CHECK_OK(make(path, NULL, &csv));
  fill(csv, 0, 3);
  CHECK_OK(dls_csv_close(&csv));
  CHECK_FAILS(resume(path, 4, &csv), DLS_ERR_FORMAT, "has 3 whole rows, 4 are needed");
  CHECK_FAILS(resume(path, -1, &csv), DLS_ERR_ARGUMENT, "cannot keep -1 rows");
  CHECK_FAILS(resume(FOLDER "/absent.csv", 0, &csv), DLS_ERR_FILE, "does not exist");
  CHECK_FAILS(dls_csv_resume(path, columns, 2, NULL, 1, &csv), DLS_ERR_FORMAT,
              "its columns are not those of this run");
  CHECK(!csv);
}

TEST(columns_that_cannot_be_are_refused) {
  const DlsCsvColumn twice[] = {{"a", NULL}, {"a", "m"}}, nameless[] = {{"", NULL}};
  const DlsCsvColumn broken[] = {{"a\nb", NULL}};
  const DlsCsvOptions digits = {.digits = 18};
  const char *path = FOLDER "/refused.csv";
  DlsCsv *csv;
  CHECK_FAILS(dls_csv_create(path, twice, 2, NULL, &csv), DLS_ERR_ARGUMENT, "two columns");
  CHECK_FAILS(dls_csv_create(path, nameless, 1, NULL, &csv), DLS_ERR_ARGUMENT, "has no name");
  CHECK_FAILS(dls_csv_create(path, broken, 1, NULL, &csv), DLS_ERR_ARGUMENT, "the end of a line");
  CHECK_FAILS(dls_csv_create(path, twice, 0, NULL, &csv), DLS_ERR_ARGUMENT, "needs a column");
  CHECK_FAILS(make(path, &digits, &csv), DLS_ERR_ARGUMENT, "18 digits");
  CHECK(access(path, F_OK) != 0);
}

/* Time is a reason to flush, as is a full buffer; nothing is lost in between. */
TEST(rows_reach_the_file_by_time_and_by_size) {
  const char *path = FOLDER "/flush.csv";
  const DlsCsvOptions by_time = {.flush_s = 1e-9}, by_size = {0};
  DlsCsv *csv;
  CHECK_OK(make(path, &by_time, &csv));
  fill(csv, 0, 2);
  CHECK(strlen(get_text(path)) > strlen(header));
  CHECK_OK(dls_csv_close(&csv));
  CHECK_OK(make(path, &by_size, &csv));
  fill(csv, 0, 5000);
  CHECK(strlen(get_text(path)) > 1 << 16);
  CHECK_OK(dls_csv_flush(csv));
  int rows = -1;
  for (const char *c = get_text(path); *c; c++) rows += *c == '\n';
  CHECK_INT(rows, 5000);
  CHECK_OK(dls_csv_close(&csv));
}

/* 1000 bytes are all the disk that there is: the file ends with a whole row, and once there is room
 * again no row is missing. */
static int fill_a_small_disk(void) {
  struct rlimit limit = {1000, RLIM_INFINITY};
  const char *path = FOLDER "/full.csv";
  DlsCsv *csv;
  DlsStatus status = DLS_OK;
  int i = 0, rows = -1;
  signal(SIGXFSZ, SIG_IGN);
  if (make(path, NULL, &csv) != DLS_OK || setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
  while (status == DLS_OK && i < 1000) {
    const double row[] = {i++, 1.0 / 3, 2, 3};
    status = dls_csv_row(csv, row);
  }
  if (status != DLS_ERR_FILE || !test_contains(dls_error_message(), "full.csv")) return 2;
  const char *text = get_text(path);
  if (strlen(text) > 1000 || text[strlen(text) - 1] != '\n') return 3;
  limit.rlim_cur = RLIM_INFINITY;
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || dls_csv_close(&csv) != DLS_OK) return 4;
  for (text = get_text(path); *text; text++) rows += *text == '\n';
  return rows == i ? 0 : 5;
}

TEST(a_full_disk_tears_no_row) {
  int code = 0;
  CHECK_OK(dls_file_make_folder(FOLDER));
  const pid_t child = fork();
  if (child == 0) _exit(fill_a_small_disk());
  CHECK(child > 0 && waitpid(child, &code, 0) == child);
  CHECK(WIFEXITED(code));
  CHECK_INT(WEXITSTATUS(code), 0);
}
