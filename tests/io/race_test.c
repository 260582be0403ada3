/* `delassus compare` believes no solver: what counts is measured, within its time; and a folder
 * keeps what it holds. */
#include "tests/files.h"
#include "tests/io/app_run.h"

#include <math.h>
#include <signal.h>
#include <unistd.h>

static const char *folder(void) { return app_folder("race"); }

static char *read_table(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder(), name);
  return get_text(path);
}

static void race(const char *arguments, const char *name, int status, const char *expected) {
  char line[4096];
  snprintf(line, sizeof line, "compare %s --out %s/%s", arguments, folder(), name);
  CHECK_RUN(line, status, expected);
}

static void forget(const char *name) {
  char command[1024];
  snprintf(command, sizeof command, "rm -rf '%s/%s'", folder(), name);
  CHECK_INT(system(command), 0);
}

/* The number of a column, by the head of the table. */
static int column_of(const char *head, const char *name) {
  int column = 0;
  for (const char *at = head; at; column++) {
    const size_t length = strcspn(at, ",\n");
    if (strlen(name) == length && strncmp(at, name, length) == 0) return column;
    at = at[length] == ',' ? at + length + 1 : NULL;
  }
  return -1;
}

/* A cell of runs.csv: the row of a problem (a part of its name), a solver and a tolerance, as they
 * are written; "" where there is none. */
static const char *cell(const char *folder_name, const char *problem, const char *solver,
                        const char *tolerance, const char *column) {
  static char found[512];
  char name[256], key[256];
  snprintf(name, sizeof name, "%s/runs.csv", folder_name);
  snprintf(key, sizeof key, ",%s,%s,", solver, tolerance);
  char *text = read_table(name);
  const int wanted = column_of(text, column);
  found[0] = '\0';
  CHECK(wanted >= 0);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    const char *at = line, *place = strstr(line, problem);
    if (!strstr(line, key) || !place || place - line > (long)strcspn(line, ",")) continue;
    for (int k = 0; k < wanted && at; k++) at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    if (at) snprintf(found, sizeof found, "%.*s", (int)strcspn(at, ",\n"), at);
  }
  return found;
}

static double number(const char *folder_name, const char *solver, const char *tolerance,
                     const char *column) {
  return atof(cell(folder_name, "", solver, tolerance, column));
}

static int lines_of(const char *text) {
  int count = 0;
  for (; *text; text++) count += *text == '\n';
  return count;
}

static void check_status(const char *folder_name, const char *solver, const char *tolerance,
                         const char *status) {
  const char *found = cell(folder_name, "", solver, tolerance, "status");
  if (strcmp(found, status) != 0)
    test_fail(__FILE__, __LINE__, "%s to %s is %s, not %s", solver, tolerance, found, status);
}

static const char lies[] =
    "--sample column:3 --solvers flattering,dazed,early,late,claiming,forging,despairing,nsgs "
    "--tolerance 1e-4,1e-8 --max-time 0.5 --one-pass";

static void run_lies(void) {
  static bool done;
  if (done) return;
  done = true;
  forget("lies");
  setenv("DELASSUS_PLUGIN_PATH", TEST_BINARY_DIR "/tests/plugins/lying", 1);
  race(lies, "lies", 0, "flattering on column:3, to 0.0001: said ");
  unsetenv("DELASSUS_PLUGIN_PATH");
}

/* Who says a thousandth of his residual, or no number at all, or works on a problem that he
 * changed, does not win. */
TEST(a_tolerance_counts_by_the_measure_and_not_by_the_word) {
  run_lies();
  check_status("lies", "nsgs", "0.0001", "converged");
  check_status("lies", "nsgs", "1e-08", "converged");
  check_status("lies", "flattering", "1e-08", "mistaken");
  const double said = number("lies", "flattering", "1e-08", "said");
  const double measured = number("lies", "flattering", "1e-08", "measured");
  CHECK(said > 0 && said <= 1e-8 && measured > 1e-8);
  CHECK_NEAR(measured / said, 1e3, 1); /* six digits each */
  check_status("lies", "dazed", "0.0001", "mistaken");
  check_status("lies", "dazed", "1e-08", "mistaken");
  check_status("lies", "forging", "1e-08", "mistaken");
  check_status("lies", "despairing", "1e-08",
               "mistaken"); /* not "no solution", which is for a proof */
  CHECK(!test_contains(app_output, "have no solution"));
}

/* The 1e-4 that a thousandth of the residual pretends to is tested where it is claimed; the answer
 * counts when it is there. */
TEST(a_claim_on_the_way_is_put_to_the_test) {
  run_lies();
  CHECK(number("lies", "flattering", "0.0001", "measured") > 1e-4);
  CHECK(number("lies", "flattering", "0.0001", "said") <= 1e-4);
  check_status("lies", "flattering", "0.0001", "converged");
  const double whole = number("lies", "flattering", "0.0001", "total_iterations");
  CHECK(number("lies", "flattering", "0.0001", "claim_iterations") < whole);
  CHECK(number("lies", "flattering", "0.0001", "iterations") == whole);
  /* A limit that is far away: near to one errors are measured oftener, by the clock. */
  forget("far");
  setenv("DELASSUS_PLUGIN_PATH", TEST_BINARY_DIR "/tests/plugins/lying", 1);
  race("--sample column:3 --solvers early,nsgs --tolerance 1e-4,1e-8 --max-time 100 --one-pass",
       "far", 0, "");
  unsetenv("DELASSUS_PLUGIN_PATH");
  /* who says 1e-12 from the first sweep on, and is there at the end, has needed all of them */
  check_status("far", "early", "0.0001", "converged");
  CHECK(number("far", "early", "0.0001", "iterations") ==
        number("far", "nsgs", "1e-08", "iterations"));
  /* and an honest solver is stopped where it makes its claim, which holds */
  CHECK(number("far", "nsgs", "0.0001", "iterations") <
        number("far", "nsgs", "1e-08", "iterations"));
  CHECK(number("far", "nsgs", "0.0001", "measured") == number("far", "nsgs", "0.0001", "said"));
}

TEST(who_comes_after_the_limit_or_is_killed_has_not_solved) {
  run_lies();
  check_status("lies", "late", "1e-08", "time limit");
  check_status("lies", "late", "0.0001", "time limit");
  CHECK(number("lies", "late", "1e-08", "measured") <= 1e-8);
  CHECK(number("lies", "late", "1e-08", "total_s") > 0.5);
  check_status("lies", "claiming", "0.0001", "killed");
  check_status("lies", "claiming", "1e-08", "killed");
}

TEST(table_and_page_say_what_was_said_and_what_was_measured) {
  run_lies();
  char expected[128];
  const double said = number("lies", "flattering", "1e-08", "said");
  snprintf(expected, sizeof expected, "said %.2g; measured %.2g", said,
           number("lies", "flattering", "1e-08", "measured"));
  CHECK(test_contains(cell("lies", "", "flattering", "1e-08", "note"), expected));
  CHECK(test_contains(cell("lies", "", "dazed", "1e-08", "note"), "said nan; measured "));
  char *page = read_table("lies/index.html");
  CHECK(test_contains(page, "said nan, measured ") && test_contains(page, "<th>mistaken"));
  CHECK(!test_contains(page, "nsgs</b> said"));
}

/* Its alarm is not heard: the parent ends it. */
TEST(a_solver_that_ignores_signals_does_not_hang_the_race) {
  forget("deaf");
  setenv("DELASSUS_PLUGIN_PATH", TEST_BINARY_DIR "/tests/plugins/lying", 1);
  race("--sample column:3 --solvers deaf,nsgs --tolerance 1e-4 --max-time 0.1", "deaf", 0,
       "report:");
  check_status("deaf", "deaf", "0.0001", "killed");
  check_status("deaf", "nsgs", "0.0001", "converged");
  unsetenv("DELASSUS_PLUGIN_PATH");
}

TEST(resume_keeps_the_rows_of_other_problems_and_solvers) {
  forget("kept");
  race("--sample column:3 --sample slope --solvers nsgs,uzawa --tolerance 1e-6", "kept", 0,
       "4 of 4");
  CHECK_INT(lines_of(read_table("kept/runs.csv")), 5);
  const int samples = lines_of(read_table("kept/convergence.csv"));
  race("--sample slope --solvers nsgs --tolerance 1e-6 --resume", "kept", 0,
       "1 runs are there already");
  CHECK_INT(lines_of(read_table("kept/runs.csv")), 5);
  CHECK_INT(lines_of(read_table("kept/convergence.csv")), samples);
  /* another tolerance is another run, and the first ones stay */
  race("--sample slope --solvers nsgs --tolerance 1e-3 --resume", "kept", 0, "1 of 1");
  CHECK_INT(lines_of(read_table("kept/runs.csv")), 6);
  race("--sample column:3 --sample slope --solvers nsgs,uzawa --tolerance 1e-6 --resume", "kept", 0,
       "4 runs are there already");
  CHECK_INT(lines_of(read_table("kept/runs.csv")), 6);
}

/* nsgs does not solve the wall in a tenth of a second; at a larger limit that run is not kept as it
 * was. */
TEST(resume_does_again_what_a_smaller_limit_cut) {
  forget("longer");
  race("--sample wall --sample slope --solvers nsgs --tolerance 1e-12 --max-time 0.05", "longer", 0,
       "report:");
  CHECK(strcmp(cell("longer", "wall", "nsgs", "1e-12", "status"), "time limit") == 0);
  race("--sample wall --sample slope --solvers nsgs --tolerance 1e-12 --max-time 0.25 --resume",
       "longer", 0, "1 runs are there already");
  CHECK(atof(cell("longer", "wall", "nsgs", "1e-12", "limit_s")) == 0.25);
  CHECK(atof(cell("longer", "wall", "nsgs", "1e-12", "total_s")) >= 0.25);
  race("--sample wall --sample slope --solvers nsgs --tolerance 1e-12 --max-time 0.2 --resume",
       "longer", 0, "2 runs are there already");
}

/* Two files of one name in two folders. */
TEST(problems_are_told_apart_by_what_they_hold) {
  char line[2048];
  forget("twins");
  snprintf(line, sizeof line, "%s/one", folder());
  mkdir(line, 0777);
  snprintf(line, sizeof line, "%s/two", folder());
  mkdir(line, 0777);
  const char *samples[] = {"column:3", "column:4"}, *names[] = {"one", "two"};
  for (int k = 0; k < 2; k++) {
    snprintf(line, sizeof line, "solve --sample %s --solver nsgs --write %s/%s/same.hdf5",
             samples[k], folder(), names[k]);
    CHECK_RUN(line, 0, "");
  }
  snprintf(line, sizeof line, "%s/one/same.hdf5 --solvers nsgs --tolerance 1e-6", folder());
  race(line, "twins", 0, "1 of 1");
  snprintf(line, sizeof line, "%s/two/same.hdf5 --solvers nsgs --tolerance 1e-6 --resume",
           folder());
  race(line, "twins", 0, "1 of 1");
  CHECK(!test_contains(app_output, "are there already"));
  CHECK_INT(lines_of(read_table("twins/runs.csv")), 3);
  snprintf(line, sizeof line,
           "%s/one/same.hdf5 %s/two/same.hdf5 --solvers nsgs --tolerance 1e-6 "
           "--resume",
           folder(), folder());
  race(line, "twins", 0, "2 runs are there already");
  char *text = read_table("twins/runs.csv");
  CHECK_INT(lines_of(text), 3);
  CHECK(atof(cell("twins", "same", "nsgs", "1e-06", "contacts")) > 0);
}

TEST(a_folder_that_cannot_be_written_is_told_before_the_first_solve) {
  char line[2048];
  forget("blocked");
  snprintf(line, sizeof line, "%s/blocked", folder());
  FILE *file = fopen(line, "w");
  CHECK(file != NULL);
  if (file) fclose(file);
  race("--sample column:3 --solvers nsgs", "blocked", 2, "blocked");
  CHECK(!test_contains(app_output, "1 of 1"));
  forget("blocked");
  snprintf(line, sizeof line, "%s/blocked", folder());
  mkdir(line, 0777);
  snprintf(line, sizeof line, "%s/blocked/runs.csv", folder());
  mkdir(line, 0777);
  race("--sample column:3 --solvers nsgs", "blocked", 2, "runs.csv");
  CHECK(!test_contains(app_output, "1 of 1"));
}

/* Starts a race in the background: a shell that becomes the program. */
static pid_t start(const char *arguments) {
  char line[4096];
  snprintf(line, sizeof line, "exec %s %s >/dev/null 2>&1", APP_PROGRAM, arguments);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
  }
  return child;
}

static bool wait_until_there(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder(), name);
  for (int k = 0; k < 600; k++) {
    if (access(path, F_OK) == 0) return true;
    usleep(50000);
  }
  return false;
}

static int status_of(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The first problem is done, the second hangs; SIGTERM keeps the first. Meanwhile the folder is
 * taken. */
TEST(an_interrupted_race_keeps_what_is_done_and_locks_its_folder) {
  char line[2048];
  forget("stopped");
  setenv("DELASSUS_PLUGIN_PATH", TEST_BINARY_DIR "/tests/plugins/lying", 1);
  snprintf(line, sizeof line,
           "compare --sample slope --sample column:3 --solvers nsgs,deaf --tolerance 1e-6 "
           "--max-time 100 --out %s/stopped",
           folder());
  const pid_t child = start(line);
  const bool there = wait_until_there("stopped/runs.csv");
  CHECK(there);
  race("--sample slope --solvers nsgs", "stopped", 2, "writes its results there");
  CHECK_INT(kill(child, SIGTERM), 0);
  CHECK_INT(status_of(child), 3);
  char *runs = read_table("stopped/runs.csv");
  CHECK(test_contains(runs, "slope,1,"));
  CHECK(!test_contains(runs, "column:3,3,3,deaf") && !test_contains(runs, ",crashed,"));
  race("--sample slope --sample column:3 --solvers nsgs --tolerance 1e-6 --max-time 100 --resume",
       "stopped", 0, "are there already");
  unsetenv("DELASSUS_PLUGIN_PATH");
}

/* The command for one problem says it too, and closes its convergence with the measure. */
TEST(solve_tells_a_claim_that_is_not_true) {
  char line[2048], *end;
  setenv("DELASSUS_PLUGIN_PATH", TEST_BINARY_DIR "/tests/plugins/lying", 1);
  snprintf(line, sizeof line,
           "solve --sample column:3 --solver flattering --tolerance 1e-6 --convergence "
           "%s/convergence.csv",
           folder());
  CHECK_RUN(line, 1, "said ");
  CHECK(test_contains(app_output, ", measured "));
  CHECK_RUN("solve --sample column:3 --solver dazed --tolerance 1e-6 --json", 1,
            "said nan, measured ");
  unsetenv("DELASSUS_PLUGIN_PATH");
  char *text = read_table("convergence.csv"), *last = strrchr(text, ',');
  CHECK(last && strtod(last + 1, &end) > 1e-6);
}

/* Each tolerance is a solve that knows of it; in one pass the looser one is a place on the way.
 * Measures, clocks and passes do not mix: rows of one race stay beside those of another. */
TEST(races_that_are_not_alike_keep_their_rows_apart) {
  const char *base = "--sample column:3 --solvers nsgs --tolerance 1e-4,1e-8 --resume";
  const char *others[] = {"", " --one-pass", " --measure natural_q", " --clock cpu"};
  forget("alike");
  for (int k = 0; k < 4; k++) {
    char line[256];
    snprintf(line, sizeof line, "%s%s", base, others[k]);
    race(line, "alike", 0, "1 of 1");
    CHECK_INT(lines_of(read_table("alike/runs.csv")), 1 + 2 * (k + 1));
  }
  for (int k = 0; k < 4; k++) {
    char line[256];
    snprintf(line, sizeof line, "%s%s", base, others[k]);
    race(line, "alike", 0, "1 runs are there already");
    CHECK_INT(lines_of(read_table("alike/runs.csv")), 9);
  }
}

TEST(each_tolerance_is_a_solve_of_its_own) {
  forget("each");
  race("--sample box:30 --solvers nsgs,momentum --tolerance 1e-3,1e-7", "each", 0, "2 of 2");
  CHECK_INT((long)number("each", "nsgs", "0.001", "measures") > 0, 1);
  CHECK(number("each", "nsgs", "0.001", "sweeps") == number("each", "nsgs", "0.001", "iterations"));
  CHECK(number("each", "nsgs", "0.001", "sweeps") < number("each", "nsgs", "1e-07", "sweeps"));
  CHECK(number("each", "nsgs", "0.001", "error_natural") > 1e-7);
  CHECK(number("each", "nsgs", "0.001", "work") < number("each", "nsgs", "1e-07", "work"));
  CHECK(number("each", "nsgs", "0.001", "total_work") == number("each", "nsgs", "1e-07", "work"));
}

TEST(resume_does_again_what_a_smaller_budget_cut) {
  forget("budget");
  race("--sample box:30 --solvers nsgs --tolerance 1e-7 --budget 20", "budget", 0, "report:");
  check_status("budget", "nsgs", "1e-07", "work limit");
  CHECK(number("budget", "nsgs", "1e-07", "work") >= 20);
  race("--sample box:30 --solvers nsgs --tolerance 1e-7 --budget 15 --resume", "budget", 0,
       "1 runs are there already");
  race("--sample box:30 --solvers nsgs --tolerance 1e-7 --resume", "budget", 0, "1 of 1");
  check_status("budget", "nsgs", "1e-07", "converged");
  CHECK_INT(lines_of(read_table("budget/runs.csv")), 2);
}

/* Within a run the rows of convergence.csv are in the order of time, the measured end last. */
TEST(what_was_said_is_in_order_of_time) {
  forget("order");
  race("--sample column:4 --sample box:20 --solvers nsgs,proximal,alm,auto,enumerate,momentum "
       "--tolerance 1e-3,1e-8",
       "order", 0, "report:");
  char *text = read_table("order/convergence.csv"), key[300] = "";
  double last[4] = {0};
  int rows = 0;
  const int first = column_of(text, "time_s");
  for (char *line = strtok(text, "\n"); (line = strtok(NULL, "\n")); rows++) {
    const char *at = line;
    double now[4] = {0};
    for (int k = 0; k < first; k++) {
      at = strchr(at, ',') + 1;
      if (k == 1 && strncmp(key, line, (size_t)(at - line)) != 0) {
        snprintf(key, sizeof key, "%.*s", (int)(at - line), line);
        memset(last, 0, sizeof last);
      }
    }
    for (int k = 0; k < 4; k++, at = strchr(at, ',') + 1) now[k] = atof(at);
    for (int k = 0; k < 4; k++)
      if (!(now[k] >= last[k])) test_fail(__FILE__, __LINE__, "%s: after %g", line, last[k]);
    memcpy(last, now, sizeof last);
  }
  CHECK(rows > 20);
}

/* A solver that never comes back: the time limit and Ctrl-C end the program with a sentence. */
TEST(solve_ends_though_its_solver_does_not) {
  setenv("DELASSUS_PLUGIN_PATH", TEST_BINARY_DIR "/tests/plugins/naughty", 1);
  CHECK_RUN("solve --sample column:3 --solver hanging --max-time 0.2", 3, "cannot be broken off");
  const pid_t child = start("solve --sample column:3 --solver hanging --max-time 0");
  usleep(500000);
  CHECK_INT(kill(child, SIGINT), 0);
  CHECK_INT(status_of(child), 3);
  unsetenv("DELASSUS_PLUGIN_PATH");
}

TEST(show_of_many_problems_is_a_table) {
  CHECK_RUN("show --sample column:3 --sample box:30 --csv", 0, "column:3,");
  const char *head = strstr(app_output, "problem,hash,");
  CHECK(head != NULL && strstr(app_output, "\nbox:30,") != NULL);
  int columns[3] = {0}, row = 0;
  for (const char *at = head; at && *at && row < 3; at++) {
    columns[row] += *at == ',';
    row += *at == '\n';
  }
  CHECK_INT(row, 3);
  CHECK_INT(columns[1], columns[0]);
  CHECK_INT(columns[2], columns[0]);
  CHECK(test_contains(app_output, ",counted,"));
  CHECK_RUN("show --sample column:3 --sample slope --json", 0, "\"rank_kind\": \"counted\"");
}

/* The same answers; and the page says that they were not alone. */
TEST(solvers_race_side_by_side_when_asked) {
  static const char *const solvers[] = {"nsgs", "jacobi", "proximal", "interior"};
  char one[64];
  forget("jobs-1");
  forget("jobs-3");
  race("--sample wall --solvers nsgs,jacobi,proximal,interior --tolerance 1e-4 --quiet", "jobs-1",
       0, "report:");
  race("--sample wall --solvers nsgs,jacobi,proximal,interior --tolerance 1e-4 --quiet --jobs 3",
       "jobs-3", 0, "report:");
  for (int s = 0; s < DLS_COUNT(solvers); s++) {
    check_status("jobs-3", solvers[s], "0.0001", "converged");
    snprintf(one, sizeof one, "%s", cell("jobs-1", "", solvers[s], "0.0001", "iterations"));
    CHECK(*one && strcmp(one, cell("jobs-3", "", solvers[s], "0.0001", "iterations")) == 0);
  }
  CHECK(strstr(read_table("jobs-3/index.html"), "3 solves at a time"));
  CHECK(!strstr(read_table("jobs-1/index.html"), "solves at a time"));
}
