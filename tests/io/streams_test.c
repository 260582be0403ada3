/* What the program prints arrives, or it says so: standard output is checked at the end of every
 * command, and a closed descriptor does not become the first file that is opened. */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/io/app_run.h"

/* A shell command with the program as $P and a scratch folder as $D; the exit status. */
static int shell(const char *script) {
  char command[8192];
  snprintf(command, sizeof command, "P=%s; D=%s; %s", APP_PROGRAM, app_folder("streams"), script);
  const int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Everything that prints, in a form that takes little time. */
static const char *const printing[] = {
    "",
    "--help",
    "--version",
    "run --help",
    "run --schema",
    "post --help",
    "solve --help",
    "solve --version",
    "solve --sample slope",
    "solve --sample slope --json",
    "solve --sample slope --sample table --json",
    "solve --sample slope --sample table",
    "compare --help",
    "show --sample slope",
    "show --sample slope --json",
    "sample list",
    "solver list",
    "solver show nsgs",
    "law list",
    "law show coulomb",
    "law page coulomb",
    "law page --index",
    "law check coulomb --cases 5 --only frame",
    "doctor",
    "demo --max-time 0.01",
};

TEST(a_full_disk_behind_standard_output_is_told_by_every_command) {
  for (int i = 0; i < DLS_COUNT(printing); i++) {
    char script[256];
    snprintf(script, sizeof script, "$P %s 2>$D/told.txt >/dev/full", printing[i]);
    const int status = shell(script);
    const bool told = shell("grep -q 'standard output could not be written' $D/told.txt") == 0;
    CHECK_TOLD(status == 2 && told, "delassus %s >/dev/full: exit %d, %stold", printing[i], status,
               told ? "" : "not ");
  }
}

TEST(a_simulation_tells_a_full_disk_behind_standard_output) {
  CHECK_INT(shell("cd $D && $P run " TEST_SOURCE_DIR
                  "/input/bouncing-ball.yaml --set time.end=0.01 "
                  "--out full >/dev/full 2>full.txt"),
            2);
  CHECK_INT(shell("grep -q 'standard output could not be written' $D/full.txt"), 0);
  CHECK_INT(shell("cd $D && $P post silo full 2>&1 >/dev/full | grep -q 'silo'"), 0);
  CHECK_INT(shell("cd $D && $P post stress full --help >/dev/full 2>&1"), 2);
}

TEST(standard_output_that_is_closed_is_told_where_something_is_printed) {
  CHECK_INT(shell("$P solve --sample slope >&- 2>$D/closed.txt"), 2);
  CHECK_INT(shell("grep -q 'standard output could not be written' $D/closed.txt"), 0);
  CHECK_INT(shell("$P solve --sample slope --quiet >&-"), 0);
}

/* The first file opened has descriptor 3 or more: nothing printed stands in it. */
TEST(nothing_printed_stands_in_a_file_where_streams_are_closed) {
  static const char *const closed[] = {"2>&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"};
  CHECK_INT(shell("cd $D && $P run " TEST_SOURCE_DIR
                  "/input/bouncing-ball.yaml --set time.end=0.05 --out open >/dev/null 2>&1"),
            0);
  for (int i = 0; i < DLS_COUNT(closed); i++) {
    char script[1024];
    snprintf(script, sizeof script,
             "cd $D && rm -rf shut && $P run " TEST_SOURCE_DIR
             "/input/bouncing-ball.yaml --set time.end=0.05 --out shut %s; "
             "cmp open/bodies.pvd shut/bodies.pvd && cmp open/resolved.yaml shut/resolved.yaml && "
             "! grep -q 'steps\\|done after\\|left' shut/history.csv && "
             "test $(wc -l < open/history.csv) = $(wc -l < shut/history.csv)",
             closed[i]);
    CHECK_INT(shell(script), 0);
    snprintf(
        script, sizeof script,
        "cd $D && $P solve --sample box:60 --tolerance 0 --max-iterations 200 --convergence h.csv "
        "%s;"
        "test -s h.csv && ! grep -v '^box:60,auto,[0-9.e+,-]*$' h.csv | grep -v '^problem,solver'",
        closed[i]);
    CHECK_INT(shell(script), 0);
  }
}

TEST(an_end_before_its_time_has_a_status_of_its_own) {
  CHECK_RUN("solve --sample wall:12 --tolerance 0 --max-time 0.05 --solver nsgs", 3, "time limit");
  CHECK_RUN("solve --sample wall:12 --tolerance 0 --max-iterations 2 --solver nsgs", 1,
            "iteration limit");
  CHECK_RUN("solve --sample wall:12 --sample nowhere --tolerance 0 --max-time 0.05", 2, "nowhere");
}

/* The kernel's word on whether the process catches SIGTERM already. */
static bool catches(pid_t child) {
  char path[64], line[256];
  unsigned long long caught = 0;
  snprintf(path, sizeof path, "/proc/%d/status", (int)child);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "SigCgt: %llx", &caught) == 1) break;
  if (file) fclose(file);
  return caught >> (SIGTERM - 1) & 1;
}

/* Begins the work, sends `first` when it can be caught, then SIGTERM until the process ends. */
static int interrupt(const char *arguments, int first) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    char command[1024];
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(99);
    snprintf(command, sizeof command, "exec %s %s", APP_PROGRAM, arguments);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(99);
  }
  while (!catches(child) && waitpid(child, &status, WNOHANG) == 0) usleep(2000);
  kill(child, first);
  while (waitpid(child, &status, WNOHANG) == 0) {
    usleep(20000);
    kill(child, SIGTERM);
  }
  for (int i = 0; i < 1000; i++) { /* what it started has died with it, and is ours to bury */
    const pid_t left = waitpid(-1, NULL, WNOHANG);
    if (left < 0) break;
    if (left == 0) usleep(20000);
    if (i == 999) test_fail(__FILE__, __LINE__, "delassus %s leaves a process behind", arguments);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Work of many seconds each: the first signal asks, or ends it; the second ends it. */
TEST(signals_end_every_command_with_that_status) {
  static const char *const work[] = {
      "solve --sample wall:30 --tolerance 0 --max-time 300",
      "solve --sample box:20000 --tolerance 0 --max-time 300 --solver newton",
      "demo --max-time 100",
      "law check coulomb --only solve --starts 100000000",
      "show --sample wall:120",
  };
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int i = 0; i < DLS_COUNT(work); i++)
    for (int k = 0; k < DLS_COUNT(signals); k++) {
      const int status = interrupt(work[i], signals[k]);
      CHECK_TOLD(status == 3, "delassus %s, signal %d: exit %d", work[i], signals[k], status);
    }
}
