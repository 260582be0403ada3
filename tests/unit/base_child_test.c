/* Work in a child process: whatever it does is an outcome here, and no child is waited for for
 * ever. */
#include "base/child.h"
#include "tests/test.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void add_one(void *context, void *result) { *(int *)result += *(int *)context; }

TEST(what_a_child_leaves_comes_back) {
  int one = 1, result = 41;
  const DlsChildLimits limits = {.seconds = 60};
  CHECK_INT(dls_child_run(add_one, &one, &limits, &result, sizeof result).outcome, DLS_CHILD_DONE);
  CHECK_INT(result, 42);
}

/* What `#pragma omp parallel num_threads(4)` becomes, as in libraries that we stand on. */
static void count_thread(void *count) { __atomic_add_fetch((int *)count, 1, __ATOMIC_SEQ_CST); }

static void run_team(void *context, void *result) {
  void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
  memcpy(&parallel, &context, sizeof parallel);
  parallel(count_thread, result, 4, 0);
}

TEST(a_child_has_no_team_of_its_parent_to_wait_for) {
  void *parallel = dlsym(RTLD_DEFAULT, "GOMP_parallel");
  int threads = 0;
  const DlsChildLimits limits = {.seconds = 20};
  if (!parallel) test_skip("no library here stands on GNU OpenMP");
  run_team(parallel, &threads);
  CHECK(threads >= 1);
  threads = 0;
  CHECK_INT(dls_child_run(run_team, parallel, &limits, &threads, sizeof threads).outcome,
            DLS_CHILD_DONE);
  CHECK_INT(threads, 1);
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

/* A child with a family: one process that it starts, and one that is started by another, leaves the
 * group and the session, and hears no signal that can be ignored. */
typedef enum { RETURNS, CRASHES, HANGS } Fate;

typedef struct {
  Fate fate;
  pid_t self, child, daemon;
} Family;

static void have_family(void *context, void *result) {
  Family *family = result;
  (void)context;
  family->self = getpid();
  const pid_t child = fork();
  if (child == 0)
    for (;;) pause();
  family->child = child;
  const pid_t between = fork();
  if (between == 0) {
    setsid();
    const pid_t daemon = fork();
    if (daemon > 0) family->daemon = daemon;
    if (daemon > 0) _exit(0);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (;;) pause();
  }
  waitpid(between, NULL, 0);
  if (family->fate == CRASHES) raise(SIGSEGV);
  while (family->fate == HANGS) pause();
}

static bool is_gone(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

TEST(nothing_that_a_child_starts_outlives_it) {
  static const DlsChildOutcome outcomes[] = {DLS_CHILD_DONE, DLS_CHILD_CRASHED, DLS_CHILD_TIMEOUT};
  for (int fate = RETURNS; fate <= HANGS; fate++) {
    Family family = {.fate = (Fate)fate};
    const DlsChildLimits limits = {.seconds = fate == HANGS ? 0.5 : 60};
    const DlsChildEnd end = dls_child_run(have_family, NULL, &limits, &family, sizeof family);
    CHECK_INT(end.outcome, outcomes[fate]);
    CHECK_INT(end.left, 2);
    CHECK(family.daemon > 0 && is_gone(family.self));
    CHECK(is_gone(family.child) && is_gone(family.daemon));
  }
}

/* Nor does any of them outlive who called, though that is killed where it stands. */
static void tell_all(void *context, void *result) {
  (void)result;
  have_family(NULL, context);
}

TEST(a_child_and_what_it_starts_end_with_who_called) {
  Family *family =
      mmap(NULL, sizeof *family, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(family != MAP_FAILED);
  *family = (Family){.fate = HANGS};
  const pid_t caller = fork();
  if (caller == 0) {
    const DlsChildLimits limits = {0};
    char nothing = 0;
    dls_child_run(tell_all, family, &limits, &nothing, 1);
    _exit(0);
  }
  const struct timespec nap = {.tv_nsec = 1000000};
  const volatile Family *seen = family;
  for (int k = 0; k < 60000 && seen->daemon == 0; k++) nanosleep(&nap, NULL);
  kill(caller, SIGKILL);
  waitpid(caller, NULL, 0);
  for (int k = 0;
       k < 60000 && !(is_gone(seen->self) && is_gone(seen->child) && is_gone(seen->daemon)); k++)
    nanosleep(&nap, NULL);
  CHECK(seen->daemon > 0 && is_gone(seen->self) && is_gone(seen->child) && is_gone(seen->daemon));
  munmap(family, sizeof *family);
}
