/* Checks in child processes: memory shared with the child holds the result as it grows, so that
 * what dies leaves the number of the case it died in. */
#include "bench/bench.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/guard.h"
#include "base/memory.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What comes back from the child. */
typedef struct {
  DlsBenchResult result;
  long current;
  int finished, late; /* came to its end; by the time limit, before the last case */
  int slow;           /* set by the parent: it was ended, for it took too long */
  char story[DLS_BENCH_STORY];
  max_align_t notes[]; /* note_bytes */
} Shared;

int dls_bench_find(const DlsBench *bench, const char *name) {
  for (int k = 0; k < bench->count; k++)
    if (strcmp(bench->name(k), name) == 0) return k;
  return -1;
}

/* The random numbers of a case depend on seed, check and number alone. */
static void seed_case(DlsBenchCase *c, const char *check) {
  uint64_t mixed = c->seed * 0x9e3779b97f4a7c15u;
  for (const char *at = check; *at; at++)
    mixed = (mixed ^ (uint64_t)(unsigned char)*at) * 0x100000001b3u;
  dls_random_seed(&c->random, mixed + (uint64_t)c->number * 0xd1342543de82ef95u);
}

static void run_case(const DlsBenchCheck *check, long number, Shared *shared) {
  DlsBenchCase c = {.seed = check->seed,
                    .number = number,
                    .result = &shared->result,
                    .notes = shared->notes,
                    .story = check->only >= 0 ? shared->story : NULL};
  shared->current = number;
  seed_case(&c, check->name);
  check->run(&c, check->context);
  shared->result.cases++;
}

/* A case takes no longer than the check may. */
static double case_limit(const DlsBenchCheck *check) {
  return fmin(check->case_limit, check->time_limit);
}

/* The child: all cases, or the one that is told. */
static void run_cases(void *context, void *result) {
  const DlsBenchCheck *check = context;
  Shared *shared = result;
  const double start = dls_clock_now();
  const long first = check->only >= 0 ? check->only : 0;
  const long end = check->only >= 0 ? check->only + 1 : check->cases;
  dls_guard_end(); /* who dies here ends this child */
  for (long number = first; number < end && !shared->late; number++) {
    if (check->case_limit > 0) dls_child_wind_up(case_limit(check));
    run_case(check, number, shared);
    shared->late =
        check->case_limit > 0 && number + 1 < end && dls_clock_now() - start > check->time_limit;
  }
  shared->finished = 1;
}

static void say_dead(const DlsBenchCheck *check, long number, const DlsChildEnd *end,
                     DlsBenchResult *out) {
  out->outcome = DLS_BENCH_FAILED;
  out->worst = INFINITY;
  out->worst_case = number;
  if (end->signal == SIGPROF)
    snprintf(out->sentence, sizeof out->sentence,
             "the %s hangs, or is slow, in case %ld: not done within %g s of processor time",
             check->noun, number, case_limit(check));
  else if (end->outcome == DLS_CHILD_TIMEOUT)
    snprintf(out->sentence, sizeof out->sentence,
             "not done within %g s; the %s hangs, or is slow, in case %ld", check->time_limit,
             check->noun, number);
  else if (end->signal)
    snprintf(out->sentence, sizeof out->sentence, "the %s died in case %ld: %s", check->noun,
             number, strsignal(end->signal));
  else
    snprintf(out->sentence, sizeof out->sentence,
             "the %s ended the process in case %ld with exit status %d", check->noun, number,
             end->status);
}

static DlsStatus run_in_child(const DlsBenchCheck *check, Shared *shared, DlsBenchResult *out) {
  const double start = dls_clock_now();
  /* Where cases have a limit the clock on the wall is for those that sleep: it leaves what other
   * processes take. */
  const double wall = check->time_limit + (check->case_limit > 0 ? 4 * case_limit(check) + 1 : 0);
  const DlsChildLimits limits = {.seconds = wall, .loud = check->loud};
  shared->result = *out;
  const DlsChildEnd end =
      dls_child_run(run_cases, (void *)check, &limits, shared, sizeof *shared + check->note_bytes);
  DLS_CHECK(end.outcome != DLS_CHILD_NOT_STARTED, DLS_ERR_UNSUPPORTED,
            "no process for the check %s", check->name);
  *out = shared->result;
  out->name = check->name; /* whatever the child wrote over */
  out->question = check->question;
  out->sentence[sizeof out->sentence - 1] = out->remark[sizeof out->remark - 1] = '\0';
  out->seconds = dls_clock_now() - start;
  shared->slow = !shared->finished && (end.outcome == DLS_CHILD_TIMEOUT || end.signal == SIGPROF);
  if (!shared->finished) {
    say_dead(check, shared->current, &end, out);
    return DLS_OK;
  }
  out->outcome = out->worst > 1 ? DLS_BENCH_FAILED : DLS_BENCH_PASSED;
  if (out->measured == 0 && out->outcome == DLS_BENCH_PASSED) {
    out->outcome = DLS_BENCH_NOT_ASKED;
    snprintf(out->sentence, sizeof out->sentence, "no case had anything to compare");
  }
  if (end.left > 0 && out->outcome != DLS_BENCH_FAILED) {
    out->outcome = DLS_BENCH_FAILED;
    out->worst = INFINITY;
    snprintf(out->sentence, sizeof out->sentence,
             "the %s leaves %d processes behind, started by it; they were ended", check->noun,
             end.left);
  }
  if (check->conclude) check->conclude(out, shared->notes, check->context);
  if (shared->late) {
    const size_t used = strlen(out->remark);
    snprintf(out->remark + used, sizeof out->remark - used,
             "%sended by its limit of %g s after %ld of %ld cases", used ? "; " : "",
             check->time_limit, out->cases, check->cases);
  }
  return DLS_OK;
}

/* Whether the worst case fails by itself, so that --case repeats it. What the law or solver kept
 * from the cases before it, or how often something happened in all of them, is not there. One that
 * was too slow is not waited for again. */
static DlsStatus find_whether_alone(const DlsBenchCheck *check, Shared *shared,
                                    DlsBenchResult *out) {
  DlsBenchCheck one = *check;
  DlsBenchResult again = {.name = check->name, .question = check->question, .worst_case = -1};
  one.only = out->worst_case;
  one.loud = false;
  memset(shared, 0, sizeof *shared + check->note_bytes);
  DLS_TRY(run_in_child(&one, shared, &again));
  out->alone = again.outcome == DLS_BENCH_FAILED;
  return DLS_OK;
}

DlsStatus dls_bench_run(const DlsBenchCheck *check, DlsBenchResult *out, char *story) {
  *out = (DlsBenchResult){.name = check->name, .question = check->question, .worst_case = -1};
  if (story) story[0] = '\0';
  if (check->reason) {
    out->outcome = DLS_BENCH_NOT_ASKED;
    snprintf(out->sentence, sizeof out->sentence, "%s", check->reason);
    return DLS_OK;
  }
  Shared *shared = dls_memory_array(1, sizeof *shared + check->note_bytes);
  DLS_CHECK(shared, DLS_ERR_MEMORY, "out of memory for the check %s", check->name);
  DlsStatus status = run_in_child(check, shared, out);
  out->alone = true;
  if (story) {
    memcpy(story, shared->story, DLS_BENCH_STORY);
    story[DLS_BENCH_STORY - 1] = '\0';
  }
  if (status == DLS_OK && out->outcome == DLS_BENCH_FAILED && check->only < 0 && !shared->slow)
    status = find_whether_alone(check, shared, out);
  free(shared);
  return status;
}
