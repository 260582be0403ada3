/* `delassus law check`: every law that is shipped passes; a law that crashes, hangs or exits says
 * so and takes nothing with it; what failed can be had again. Laws with errors: law_wrong_test.c.
 * */
#include <delassus/laws.h>

#include "tests/io/app_run.h"

#define WRONG TEST_BINARY_DIR "/tests/plugins/wrong/"

/* The command that the last run printed below its failure, without the program's name; false where
 * there is none. */
static bool printed_command(char *out, size_t size) {
  const char *command = strstr(app_output, "delassus law check");
  CHECK(command != NULL);
  if (!command) return false;
  command += strlen("delassus ");
  snprintf(out, size, "%.*s", (int)strcspn(command, "\n"), command);
  return true;
}

/* The command that a failure prints shows that failure again, with all its numbers. */
TEST(a_failure_can_be_had_again) {
  char again[1024];
  CHECK_RUN("law check " WRONG "first-tangent.so --only frame --cases 300 --seed 7", 1, "--case ");
  if (!printed_command(again, sizeof again)) return;
  CHECK(test_contains(again, "--only frame") && test_contains(again, "--seed 7"));
  static const char *const told[] = {"FAILS", "u_before", "D   ", "q   ", "gap_rate", "frame"};
  for (int i = 0; i < DLS_COUNT(told); i++) CHECK_RUN(again, 1, told[i]);
}

/* So do all others, whatever the error: those that come only after many cases, those of a count,
 * those by dying, and those of a file whose name the shell would take apart. */
TEST(the_command_that_is_printed_repeats_every_failure) {
  static const char *const runs[] = {
      "late-counter.so --only state --cases 1000",
      "hard-to-solve.so --only solve --starts 3000",
      "crashes.so --only frame",
      "exits.so --only frame",
      "hangs.so --only frame --case-limit 0.2",
      "restitution-gain.so --only dissipation --cases 500 --set 'rho = 2'",
  };
  char arguments[2048], again[1024];
  for (int i = 0; i < DLS_COUNT(runs); i++) {
    snprintf(arguments, sizeof arguments, "law check " WRONG "%s", runs[i]);
    CHECK_RUN(arguments, 1, "FAILED");
    CHECK(i > 1 || test_contains(app_output, "--cases ")); /* not by one case alone */
    if (printed_command(again, sizeof again)) CHECK_RUN(again, 1, "");
  }
  const char *folder = app_folder("law check's");
  snprintf(arguments, sizeof arguments, "cp %sfirst-tangent.so \"%s/first-tangent.so\"", WRONG,
           folder);
  CHECK_INT(system(arguments), 0);
  snprintf(arguments, sizeof arguments,
           "law check \"%s/first-tangent.so\" --only frame --cases 300", folder);
  CHECK_RUN(arguments, 1, "FAILED");
  if (printed_command(again, sizeof again)) CHECK_RUN(again, 1, "FAILS");
}

/* Weakening friction has problems with more than one solution; solvers may find different ones. */
TEST(several_solutions_are_told_from_wrong_ones) {
  int several = 0;
  for (int seed = 1; seed <= 10; seed++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "law check stribeck --only solvers --seed %d", seed);
    CHECK_RUN(arguments, 0, "all checks passed");
    several += test_contains(app_output, "several solutions");
  }
  CHECK(several > 0);
}

/* Its projection leads nowhere, which is the matter of another check. */
TEST(solvers_that_stall_are_reported) {
  CHECK_RUN("law check " WRONG "project-drifts.so --only solvers --cases 2", 0,
            "solvers that did not get to 1e-9: uzawa in ");
}

TEST(limits_of_time_are_printed_and_kept) {
  CHECK_RUN("law check coulomb --only frame --cases 10 --limit 7 --case-limit 3", 0,
            "limits: 7 s a check, 3 s of processor time a case");
  CHECK_RUN("law check coulomb --only solve --limit 0.05", 0,
            "ended by its limit of 0.05 s after ");
  CHECK_RUN("law check " WRONG "hangs.so --only frame --case-limit 0.2", 1,
            "in case 0: not done within 0.2 s of processor time");
}

TEST(a_law_that_dies_says_where) {
  CHECK_RUN("law check " WRONG "crashes.so --only frame", 1, " in case "); /* sanitizers exit */
  CHECK(test_contains(app_output, "the law died") || test_contains(app_output, "exit status"));
  CHECK_RUN("law check " WRONG "exits.so --only frame", 1, "ended the process in case");
  CHECK_RUN("law check " WRONG "hangs.so --only frame --limit 1", 1, "hangs");
  CHECK_RUN("law check " WRONG "crashes.so --only parameters", 0, "has no parameters");
}

/* The laws of the build, whoever added them; with DELASSUS_SEEDS=N in the environment, as `make
 * check-long` has it, seeds 1 to N with all cases. */
TEST(every_law_that_is_shipped_passes) {
  const DlsLaw *const *laws;
  int count;
  const char *wish = getenv("DELASSUS_SEEDS");
  const int seeds = wish ? atoi(wish) : 1;
  CHECK_OK(dls_law_list(&laws, &count));
  CHECK(count >= 3);
  for (int i = 0; i < count; i++)
    for (int seed = 1; seed <= seeds; seed++) {
      char arguments[512];
      snprintf(arguments, sizeof arguments, "law check %s --seed %d %s", laws[i]->name, seed,
               wish ? "--starts 100000" : "--cases 200");
      CHECK_RUN(arguments, 0, "all checks passed");
    }
}

TEST(the_report_is_a_page_and_the_json_an_object) {
  char arguments[1024], page[600];
  snprintf(page, sizeof page, "%s/signorini.html", app_folder("law_check"));
  snprintf(arguments, sizeof arguments,
           "law check signorini --set rho=0.5 --starts 1000 --cases 100 --json --report %s", page);
  CHECK_RUN(arguments, 0, "\"law\": \"signorini\"");
  CHECK(json_valid(app_output));
  CHECK_NEAR(json_number(app_output, "failed"), 0, 0);
  FILE *file = fopen(page, "r");
  CHECK(file != NULL);
  if (!file) return;
  static char text[1 << 16];
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  CHECK(test_contains(text, "all checks passed") && test_contains(text, "held by --set"));
  CHECK(test_contains(text, "</html>") && !test_contains(text, "http"));
}

TEST(wrong_input_is_refused) {
  CHECK_RUN("law check", 2, "give a law");
  CHECK_RUN("law check coulom", 2, "coulomb");
  CHECK_RUN("law check coulomb --set nu=1", 2, "has no parameter 'nu'");
  CHECK_RUN("law check coulomb --set mu=-1", 2, "not within");
  CHECK_RUN("law check coulomb --only framed", 2, "did you mean frame");
  CHECK_RUN("law check coulomb --case 3", 2, "--only");
  CHECK_RUN("law check coulomb signorini", 2, "one law at a time");
  CHECK_RUN("law check --list", 0, "complete");
}
