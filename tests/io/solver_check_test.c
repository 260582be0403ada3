/* `delassus solver check`: every solver that is shipped passes; solvers with one fault each are
 * caught by the check meant for it; one that crashes, hangs or exits says so and takes nothing with
 * it. */
#include <delassus/solver.h>

#include "tests/io/app_run.h"

#include <errno.h>
#include <signal.h>

#define PLUGINS TEST_BINARY_DIR "/tests/plugins/"
#define WRONG   PLUGINS "wrong/solvers/"

/* The fault, and the check that must find it. */
static const struct {
  const char *file, *check;
} faults[] = {
    {WRONG "boastful", "honesty"},
    {WRONG "optimistic", "honesty"},
    {WRONG "hopeless", "impossible"},
    {WRONG "forgetful", "guess"},
    {WRONG "unreasoned", "report"},
    {WRONG "mislabelled", "report"},
    {WRONG "infinite", "report"},
    {WRONG "scaled", "units"},
    {WRONG "coarse-r", "units"},
    {WRONG "coarse-w", "units"},
    {WRONG "coarse-u", "units"},
    {WRONG "fickle", "repeat"},
    {WRONG "tireless", "limits"},
    {WRONG "slow", "limits"},
    {WRONG "unstoppable", "monitor"},
    {WRONG "mute", "monitor"},
    {WRONG "overflowing", "bounds"},
    {WRONG "underflowing", "bounds"},
    {WRONG "meddling", "bounds"},
    {WRONG "leaking", "leaks"},
    {WRONG "dripping", "leaks"},
    {WRONG "mapping", "leaks"},
    {WRONG "silent", "refusals"},
    {WRONG "hasty", "options"},
    {PLUGINS "lying/solvers/flattering", "honesty"},
    {PLUGINS "lying/solvers/dazed", "report"},
    {PLUGINS "lying/solvers/early", "monitor"},
    {PLUGINS "lying/solvers/forging", "bounds"},
    {PLUGINS "lying/solvers/despairing", "impossible"},
    {PLUGINS "naughty/solvers/boasting", "honesty"},
};

/* What every solver must pass. */
static const char *const musts[] = {"honesty", "impossible", "guess",   "report", "units",
                                    "repeat",  "limits",     "monitor", "bounds", "leaks",
                                    "options", "refusals",   "planted"};

TEST(every_fault_is_caught_by_the_check_meant_for_it) {
  for (int i = 0; i < DLS_COUNT(faults); i++) {
    char arguments[1024], expected[64];
#ifdef __SANITIZE_ADDRESS__ /* whose allocator does not tell, and finds leaks itself */
    if (strcmp(faults[i].check, "leaks") == 0) continue;
#endif
    snprintf(arguments, sizeof arguments, "solver check %s.so --only %s --cases 120 --limit 60",
             faults[i].file, faults[i].check);
    snprintf(expected, sizeof expected, "\nFAILED     %s ", faults[i].check);
    CHECK_RUN(arguments, 1, expected);
  }
}

/* And by no other, where the fault leaves the rest alone; without one, by none. */
TEST(a_fault_fails_nothing_else) {
  static const char *const solvers[] = {"unreasoned", "fickle", "mute", "silent", "hasty"};
  CHECK_RUN("solver check " WRONG "sound.so --cases 60", 0, "all checks passed");
  for (int i = 0; i < DLS_COUNT(solvers); i++) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "solver check " WRONG "%s.so --cases 60", solvers[i]);
    CHECK_RUN(arguments, 1, "\n1 of ");
  }
}

/* The command that a failure prints shows that failure again, with all its numbers. */
TEST(a_failure_can_be_had_again) {
  CHECK_RUN("solver check " WRONG "boastful.so --only honesty --cases 60 --seed 7", 1, "--case ");
  char *command = strstr(app_output, "delassus solver check"), again[1024];
  CHECK(command != NULL);
  if (!command) return;
  command[strcspn(command, "\n")] = '\0';
  snprintf(again, sizeof again, "%s", command + strlen("delassus "));
  CHECK(test_contains(again, "--only honesty") && test_contains(again, "--seed 7"));
  static const char *const told[] = {"FAILS",     "W by columns", "mu ",   "guess ",
                                     "tolerance", "iterations",   "judged"};
  for (int i = 0; i < DLS_COUNT(told); i++) CHECK_RUN(again, 1, told[i]);
}

/* NaN passes through maxima and comparisons: each check that measures r says what is wrong. */
TEST(an_answer_that_is_no_number_is_called_so) {
  static const char *const checks[] = {"honesty", "guess", "report", "monitor", "units", "options"};
  for (int i = 0; i < DLS_COUNT(checks); i++) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments,
             "solver check " WRONG "numberless.so --only %s --cases 40", checks[i]);
    CHECK_RUN(arguments, 1, "r holds a number that is not finite, nan at 0 of");
  }
}

TEST(a_solver_that_dies_says_where) {
  CHECK_RUN("solver check " WRONG "dying.so --only guess", 1, "the solver died in case 0");
  CHECK_RUN("solver check " WRONG "quitting.so --only guess", 1, "ended the process in case 0");
  CHECK_RUN("solver check " WRONG "stuck.so --only guess --limit 1", 1, "hangs");
  CHECK_RUN("solver check " WRONG "overflowing.so --only bounds", 1, " in case "); /* or by ASan */
}

/* A plugin's code runs before the first check, and after the last: at load, when it is entered, at
 * the end of the process. The command, its object and its page live to tell. */
TEST(a_solver_that_dies_while_it_is_loaded_says_so) {
  char arguments[1200], page[600], text[1 << 13];
  CHECK_RUN("solver check " WRONG "fatal.so", 1, "the solver dies while it is loaded: Aborted");
  CHECK(test_contains(app_output, "1 of 1 checks FAILED"));
  CHECK_RUN("solver check " WRONG "leaving.so --only honesty", 1,
            "ends the process with exit status 3 while it is loaded");
  CHECK_RUN("solver check " WRONG "endless.so --limit 0.5", 1,
            "is not done within 0.5 s while it is loaded");
  CHECK_RUN("solver check " WRONG "parting.so", 1,
            "dies when the process ends, having been loaded: Aborted");
  snprintf(page, sizeof page, "%s/fatal.html", app_folder("solver_check"));
  snprintf(arguments, sizeof arguments, "solver check " WRONG "fatal.so --json --report %s", page);
  CHECK_RUN(arguments, 1, "\"check\": \"load\"");
  CHECK(json_valid(app_output));
  FILE *file = fopen(page, "r");
  CHECK(file != NULL);
  if (!file) return;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  CHECK(test_contains(text, "dies while it is loaded") && test_contains(text, "</html>"));
}

/* What a solver starts ends with its check, and fails it. */
TEST(a_solver_that_leaves_a_process_behind_is_told_and_the_process_ended) {
  char file[600];
  long process = 0;
  snprintf(file, sizeof file, "%s/breeding", app_folder("solver_check"));
  setenv("BREEDING", file, 1);
  CHECK_RUN("solver check " WRONG "breeding.so --only repeat --cases 2000 --seed 3", 1,
            "the solver leaves 1 processes behind");
  FILE *told = fopen(file, "r");
  CHECK(told && fscanf(told, "%ld", &process) == 1 && process > 1);
  if (told) fclose(told);
  CHECK(kill((pid_t)process, 0) != 0 && errno == ESRCH);
  unsetenv("BREEDING");
}

/* The solvers of the build, whoever added them. A case of `enumerate` may take a second. */
TEST(every_solver_that_is_shipped_passes) {
  const DlsSolver *const *solvers;
  int count;
  CHECK_OK(dls_solver_list(&solvers, &count));
  CHECK(count >= 14);
  for (int i = 0; i < count; i++) {
    const char *name = solvers[i]->name;
    const bool slow = strcmp(name, "enumerate") == 0;
    for (int k = 0; k < DLS_COUNT(musts); k++) {
      char arguments[512];
      snprintf(arguments, sizeof arguments, "solver check %s --only %s --cases %d", name, musts[k],
               slow ? 6 : 30);
      CHECK_RUN(arguments, 0, "all checks passed");
    }
  }
}

TEST(the_report_is_a_page_and_the_json_an_object) {
  char arguments[1024], page[600];
  snprintf(page, sizeof page, "%s/nsgs.html", app_folder("solver_check"));
  snprintf(arguments, sizeof arguments,
           "solver check nsgs --option omega=1.1 --cases 40 --json --report %s", page);
  CHECK_RUN(arguments, 0, "\"solver\": \"nsgs\"");
  CHECK(json_valid(app_output));
  CHECK_NEAR(json_number(app_output, "failed"), 0, 0);
  FILE *file = fopen(page, "r");
  CHECK(file != NULL);
  if (!file) return;
  static char text[1 << 16];
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  CHECK(test_contains(text, "all checks passed") && test_contains(text, "--option omega=1.1"));
  CHECK(test_contains(text, "</html>") && !test_contains(text, "http"));
}

TEST(wrong_input_is_refused) {
  CHECK_RUN("solver check", 2, "give a solver");
  CHECK_RUN("solver check nsg", 2, "nsgs");
  CHECK_RUN("solver check nsgs --option omga=1", 2, "omega");
  CHECK_RUN("solver check nsgs --option omega", 2, "key=value");
  CHECK_RUN("solver check nsgs --option omega=7", 2, "omega");
  CHECK_RUN("solver check nsgs --only honest", 2, "did you mean honesty");
  CHECK_RUN("solver check nsgs --case 3", 2, "--only");
  CHECK_RUN("solver check nsgs jacobi", 2, "jacobi");
  CHECK_RUN("solver check nsgs --limit 0", 2, "0.001 or more"); /* no limit is no choice */
  CHECK_RUN("solver check nsgs --limit -1", 2, "0.001 or more");
  CHECK_RUN("solver check --list", 0, "honesty");
}
