/* Bulk laws with one error each are caught by the check of `delassus bulk check` that is meant for
 * it; the same laws without the error, their right twins, pass every check. */
#include "tests/io/app_run.h"

#define PLUGINS TEST_BINARY_DIR "/tests/plugins/"

/* The error, and the check that must find it. */
static const struct {
  const char *law, *check;
} errors[] = {
    {"prestressed", "rest"},          {"elastic-tangent", "tangent"},
    {"unsymmetric", "symmetric"},     {"stiff-along-x", "isotropic"},
    {"not-linear", "linear"},         {"rate-untold", "rate"},
    {"twice-green", "measures"},      {"heals", "dissipation"},
    {"half-forgotten", "energy"},     {"step-twice", "steps"},
    {"hidden-counter", "state"},      {"writes-state", "state"},
    {"beyond-one", "bounds"},         {"overflows", "limits"},
    {"incompressible", "parameters"}, {"crashes", "tangent"},
};

TEST(every_error_is_caught_by_the_check_meant_for_it) {
  CHECK(DLS_COUNT(errors) >= 10);
  for (int i = 0; i < DLS_COUNT(errors); i++) {
    char arguments[1024], expected[64];
    snprintf(arguments, sizeof arguments,
             "bulk check " PLUGINS "wrong_bulk/%s.so --only %s --cases 1000", errors[i].law,
             errors[i].check);
    snprintf(expected, sizeof expected, "\nFAILED       %s ", errors[i].check);
    CHECK_RUN(arguments, 1, expected);
  }
}

/* So it is the error that is caught, and not the law. */
TEST(the_right_twin_of_each_passes_every_check) {
  for (int i = 0; i < DLS_COUNT(errors); i++) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "bulk check " PLUGINS "right_bulk/%s.so --cases 400",
             errors[i].law);
    CHECK_RUN(arguments, 0, "all checks passed");
  }
}

/* And by no other check, where the error leaves the rest alone. */
TEST(an_error_fails_nothing_else) {
  static const char *const laws[] = {"elastic-tangent", "stiff-along-x", "not-linear",
                                     "rate-untold",     "twice-green",   "half-forgotten",
                                     "prestressed"};
  for (int i = 0; i < DLS_COUNT(laws); i++) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "bulk check " PLUGINS "wrong_bulk/%s.so --cases 300",
             laws[i]);
    CHECK_RUN(arguments, 1, "\n1 of ");
  }
}

/* The command that a failure prints shows it again, with its numbers. */
TEST(a_failure_can_be_had_again) {
  char again[1024];
  CHECK_RUN("bulk check " PLUGINS "wrong_bulk/elastic-tangent.so --only tangent --seed 7", 1,
            "--case ");
  const char *command = strstr(app_output, "delassus bulk check");
  CHECK(command != NULL);
  if (!command) return;
  command += strlen("delassus ");
  snprintf(again, sizeof again, "%.*s", (int)strcspn(command, "\n"), command);
  static const char *const told[] = {"FAILS", "strain", "stress", "parameters", "stored"};
  for (int i = 0; i < DLS_COUNT(told); i++) CHECK_RUN(again, 1, told[i]);
  CHECK_RUN("bulk check " PLUGINS "wrong_bulk/crashes.so --only tangent", 1, " in case ");
}
