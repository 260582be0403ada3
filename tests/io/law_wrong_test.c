/* Laws with one error each are caught by the check of `delassus law check` that is meant for it;
 * the same laws without the error, their right twins, pass every check. */
#include "tests/io/app_run.h"

#define PLUGINS TEST_BINARY_DIR "/tests/plugins/"

/* The error, and the check that must find it. */
static const struct {
  const char *law, *check;
} errors[] = {
    {"restitution-sign", "complete"},
    {"associated-flow", "complete"},
    {"gap-forgotten", "complete"},
    {"gap-twice", "complete"},
    {"pulls-afar", "distance"},
    {"ruptures-late", "distance"},
    {"drags-afar", "distance"},
    {"far-force", "force"},
    {"spring-unlimited", "force"},
    {"damping-sign", "loops"},
    {"restitution-gain", "dissipation"},
    {"tangential-gain", "dissipation"},
    {"cohesion-sign", "dissipation"},
    {"declares-gain", "dissipation"},
    {"stale-stretch", "energy"},
    {"stored-forever", "energy"},
    {"first-tangent", "frame"},
    {"square-cone", "frame"},
    {"unturned-spring", "frame"},
    {"upright", "frame"},
    {"turned-spring", "turn"},
    {"spin-of-one", "turn"},
    {"swap-asymmetric", "swap"},
    {"one-radius", "swap"},
    {"not-homogeneous", "homogeneous"},
    {"cohesion-without-step", "units"},
    {"missing-division", "units"},
    {"residual-velocity", "units"},
    {"state-unit", "units"},
    {"torque-unit", "units"},
    {"torque-residual", "units"},
    {"clock-friction", "clock"},
    {"clock-untold", "clock"},
    {"favours-walls", "plain"},
    {"size-untold", "plain"},
    {"counts-steps", "drag"},
    {"fades-by-step", "drag"},
    {"hard-to-solve", "solve"},
    {"sloppy-solve", "solve"},
    {"gap-pole", "limits"},
    {"overflows", "limits"},
    {"status-unknown", "limits"},
    {"negative-compliance", "parameters"},
    {"root-of-bound", "parameters"},
    {"commit-overshoot", "state"},
    {"hidden-counter", "state"},
    {"late-counter", "state"},
    {"writes-behind", "state"},
    {"derivative-factor", "derivatives"},
    {"derivative-missing", "derivatives"},
    {"project-drifts", "projection"},
    {"project-elsewhere", "projection"},
};

TEST(every_error_is_caught_by_the_check_meant_for_it) {
  CHECK(DLS_COUNT(errors) >= 40);
  for (int i = 0; i < DLS_COUNT(errors); i++) {
    char arguments[1024], expected[64];
    snprintf(arguments, sizeof arguments, "law check " PLUGINS "wrong/%s.so --only %s --cases 2000",
             errors[i].law, errors[i].check);
    snprintf(expected, sizeof expected, "\nFAILED       %s ", errors[i].check);
    CHECK_RUN(arguments, 1, expected);
  }
}

/* So it is the error that is caught, and not the law. */
TEST(the_right_twin_of_each_passes_every_check) {
  for (int i = 0; i < DLS_COUNT(errors); i++) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "law check " PLUGINS "right/%s.so --only %s --cases 2000",
             errors[i].law, errors[i].check);
    CHECK_RUN(arguments, 0, "all checks passed");
    snprintf(arguments, sizeof arguments, "law check " PLUGINS "right/%s.so --cases 100",
             errors[i].law);
    CHECK_RUN(arguments, 0, "all checks passed");
  }
}

/* And by no other check, where the error leaves the rest alone. */
TEST(an_error_fails_nothing_else) {
  static const char *const laws[] = {"gap-twice",     "tangential-gain",      "first-tangent",
                                     "turned-spring", "pulls-afar",           "clock-friction",
                                     "counts-steps",  "cohesion-without-step"};
  for (int i = 0; i < DLS_COUNT(laws); i++) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "law check " PLUGINS "wrong/%s.so --cases 300", laws[i]);
    CHECK_RUN(arguments, 1, "\n1 of ");
  }
}
