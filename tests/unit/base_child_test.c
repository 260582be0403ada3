/* Work in a child process: whatever it does is an outcome here, and no child is waited for for
 * ever. */
#include "base/child.h"
#include "tests/test.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void add_one(void *context, void *result) { *(int *)result += *(int *)context; }

TEST(what_a_child_leaves_comes_back) {
  int one = 1, result = 41;
  const DlsChildLimits limits = {.seconds = 60};
  CHECK_INT(dls_child_run(add_one, &one, &limits, &result, sizeof result).outcome, DLS_CHILD_DONE);
  CHECK_INT(result, 42);
}

static void leave(void *context, void *result) {
  (void)context, (void)result;
  exit(0);
}

static void crash(void *context, void *result) {
  (void)context, (void)result;
  raise(SIGABRT);
}

TEST(exit_and_crash_are_no_success) {
  int result = 0;
  const DlsChildLimits limits = {.seconds = 60};
  CHECK_INT(dls_child_run(leave, NULL, &limits, &result, sizeof result).outcome, DLS_CHILD_CRASHED);
  const DlsChildEnd end = dls_child_run(crash, NULL, &limits, &result, sizeof result);
  CHECK_INT(end.outcome, DLS_CHILD_CRASHED);
  CHECK_INT(end.signal, SIGABRT);
}

/* Hangs, and what it has done until then comes back. */
static void hang(void *context, void *result) {
  if (context) {
    signal(SIGALRM, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
  }
  *(int *)result = 7;
  for (;;) pause();
}

TEST(a_child_that_hears_its_alarm_or_not_ends) {
  const DlsChildLimits limits = {.seconds = 0.05};
  for (int deaf = 0; deaf < 2; deaf++) {
    int result = 0;
    const DlsChildEnd end =
        dls_child_run(hang, deaf ? &result : NULL, &limits, &result, sizeof result);
    CHECK_INT(end.outcome, DLS_CHILD_TIMEOUT);
    CHECK_INT(end.signal, deaf ? SIGKILL : SIGALRM);
    CHECK_INT(result, 7);
  }
}

static bool at_once(void *asked) { return ++*(int *)asked > 0; }

/* Without a limit of time: who started it ends it. */
TEST(a_child_ends_when_its_parent_is_told_to_stop) {
  int result = 0, asked = 0;
  const DlsChildLimits limits = {.stop = at_once, .stop_context = &asked};
  CHECK_INT(dls_child_run(hang, &result, &limits, &result, sizeof result).outcome,
            DLS_CHILD_STOPPED);
  CHECK_INT(asked, 1); /* once is enough */
}
