/* A guarded call that dies ends the call and nothing else; what dies elsewhere goes where it went
 * before. */
#include "base/guard.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "tests/test.h"

enum { SOUND = 7, REFUSED = -1, DEAD = -2 };

static volatile int zero;

static int sound(void) { return SOUND; }
static int raise_segv(void) { return raise(SIGSEGV); }
static int call_abort(void) { abort(); }
static int leave(void) {
  dls_guard_exit(3);
  return SOUND;
}
static int loop(void) {
  while (!zero) continue;
  return SOUND;
}
static int write_low(void) {
  *(volatile int *)(uintptr_t)(8 + zero) = 1;
  return SOUND;
}
__attribute__((noinline)) static int fall(volatile char *above) {
  volatile char room[4096];
  room[0] = above ? above[0] : 0;
  return zero ? 1 : fall(room) + room[0];
}
static int overflow(void) { return fall(NULL); }

static int guarded(int (*function)(void)) {
  DLS_GUARD(guard, return REFUSED, return DEAD);
  const int answer = function();
  DLS_GUARD_END(guard);
  return answer;
}

static void check_death(int (*function)(void), const char *how) {
  char text[160];
  CHECK_INT(guarded(function), DEAD);
  dls_guard_describe(text, sizeof text);
  CHECK_TOLD(strcmp(text, how) == 0, "%s, not %s", text, how);
  CHECK_INT(guarded(sound), REFUSED); /* what is dead is not asked again */
  dls_guard_forget();
  CHECK_INT(guarded(sound), SOUND);
}

TEST(a_call_that_dies_ends_alone) {
  CHECK_OK(dls_guard_begin(&(DlsGuardOptions){.seconds = 0.1}));
  const int before = dls_guard_deaths();
  CHECK_INT(guarded(sound), SOUND);
  check_death(raise_segv, "died: Segmentation fault");
  check_death(call_abort, "died: Aborted");
  check_death(leave, "called exit(3)");
  check_death(loop, "did not return within 0.1 s of processor time");
  check_death(loop, "did not return within 0.1 s of processor time");
  check_death(write_low, "died: Segmentation fault");
  check_death(overflow, "died: Segmentation fault");
  check_death(overflow, "died: Segmentation fault"); /* the stack of handlers is free again */
  CHECK_INT(dls_guard_deaths(), before + 8);
  dls_guard_end();
}

/* The limit is one of a call: many calls together may take longer. */
static int short_loop(void) {
  for (volatile long k = 0; k < 200000; k++) continue;
  return SOUND;
}
TEST(many_calls_may_last_longer_than_one) {
  CHECK_OK(dls_guard_begin(&(DlsGuardOptions){.seconds = 0.1}));
  const clock_t start = clock();
  long calls = 0;
  while (clock() - start < CLOCKS_PER_SEC / 2) {
    CHECK_INT(guarded(short_loop), SOUND);
    calls++;
  }
  CHECK(calls > 1);
  dls_guard_end();
}

static volatile sig_atomic_t heard;
static void listener(int number) { heard = number; }

TEST(signals_from_elsewhere_go_where_they_went_before) {
  struct sigaction own = {.sa_handler = listener}, now;
  struct sigaction old[2];
  sigaction(SIGTRAP, &own, &old[0]);
  CHECK_OK(dls_guard_begin(&(DlsGuardOptions){.seconds = 1}));
  raise(SIGTRAP); /* within no call */
  CHECK_INT(heard, SIGTRAP);
  dls_guard_end();
  sigaction(SIGTRAP, NULL, &now);
  CHECK(now.sa_handler == listener);
  sigaction(SIGTRAP, &old[0], NULL);
}

/* Without dls_guard_begin() nothing is installed, and nothing is caught. */
static void die_unguarded(void *context, void *result) {
  (void)context;
  dls_guard_end();
  signal(SIGSEGV, SIG_DFL); /* a sanitizer has a handler of its own */
  *(int *)result = guarded(raise_segv);
}
TEST(without_a_guard_a_death_is_the_end) {
  const DlsChildLimits limits = {.seconds = 60};
  int result = 0;
  const DlsChildEnd end = dls_child_run(die_unguarded, NULL, &limits, &result, sizeof result);
  CHECK_INT(end.outcome, DLS_CHILD_CRASHED);
  CHECK_INT(end.signal, SIGSEGV);
  CHECK_INT(result, 0);
}

/* Once a call has died the process must be able to end: it prints its last words where it dies
 * again. */
static void die_twice(void *context, void *result) {
  (void)result;
  signal(SIGABRT, SIG_DFL);
  if (dls_guard_begin(&(DlsGuardOptions){.seconds = 1, .patience = *(double *)context}) != DLS_OK)
    return;
  if (guarded(raise_segv) != DEAD) return;
  dls_guard_keep_words("the last words");
  if (*(double *)context < 1) pause(); /* as who waits for a lock that nobody gives back */
  abort();
}
TEST(a_process_that_cannot_go_on_after_a_death_ends_with_status_1) {
  const DlsChildLimits limits = {.seconds = 60};
  double patience[] = {60, 0.2};
  for (int k = 0; k < DLS_COUNT(patience); k++) {
    int result = 0;
    const DlsChildEnd end = dls_child_run(die_twice, &patience[k], &limits, &result, sizeof result);
    CHECK_INT(end.outcome, DLS_CHILD_CRASHED);
    CHECK_INT(end.signal, 0);
    CHECK_INT(end.status, 1);
  }
}
