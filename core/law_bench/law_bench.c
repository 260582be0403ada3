/* Checks in child processes: memory shared with the child holds the result as it grows, so that a
 * law that dies leaves the number of the case it died in. */
#include "law_bench/law_bench_impl.h"

#include "base/child.h"
#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const LawCaseCheck *const checks[] = {
    &law_case_complete,   &law_case_dissipation, &law_case_energy, &law_case_frame,
    &law_case_swap,       &law_case_homogeneous, &law_case_units,  &law_case_solve,
    &law_case_limits,     &law_case_parameters,  &law_case_state,  &law_case_derivatives,
    &law_case_projection, &law_case_force,       &law_case_loops,  &law_case_solvers,
    &law_case_step,
};

int dls_law_bench_count(void) { return DLS_COUNT(checks); }
const char *dls_law_bench_name(int check) { return checks[check]->name; }
const char *dls_law_bench_question(int check) { return checks[check]->question; }

int dls_law_bench_find(const char *name) {
  for (int k = 0; k < DLS_COUNT(checks); k++)
    if (strcmp(checks[k]->name, name) == 0) return k;
  return -1;
}

void dls_law_bench_defaults(const DlsLaw *law, DlsLawBenchOptions *out) {
  *out = (DlsLawBenchOptions){.law = law, .seed = 1, .starts = 1000000, .time_limit = 300};
  dls_law_defaults(law, out->params);
}

typedef struct {
  DlsLawBenchResult result;
  long current;
  int finished;
  char story[DLS_LAW_BENCH_STORY];
} Shared;

/* The random numbers of a case depend on seed, check and number alone. */
static void seed_case(LawCase *law_case, int check) {
  uint64_t mixed = law_case->options->seed * 0x9e3779b97f4a7c15u;
  for (const char *c = checks[check]->name; *c; c++)
    mixed = (mixed ^ (uint64_t)(unsigned char)*c) * 0x100000001b3u;
  dls_random_seed(&law_case->random, mixed + (uint64_t)law_case->number * 0xd1342543de82ef95u);
}

static void run_case(const DlsLawBenchOptions *options, int check, long number, const DlsLaw *first,
                     Shared *shared, bool told) {
  LawCase law_case = {.options = options,
                      .law = options->law,
                      .first = first,
                      .number = number,
                      .result = &shared->result,
                      .story = told ? shared->story : NULL};
  shared->current = number;
  seed_case(&law_case, check);
  checks[check]->run(&law_case);
  shared->result.cases++;
}

/* The child: all cases, or the one that is told. */
static void run_cases(const DlsLawBenchOptions *options, int check, long only, Shared *shared) {
  const DlsLaw *first = NULL;
  if (options->law->composes && dls_law_find("coulomb", &first) != DLS_OK) first = NULL;
  const long own = checks[check]->cases, most = options->cases > 0 ? options->cases : own;
  const long cases = own > 0 ? (own < most ? own : most) : options->starts;
  if (only >= 0)
    run_case(options, check, only, first, shared, true);
  else
    for (long number = 0; number < cases; number++)
      run_case(options, check, number, first, shared, false);
  shared->finished = 1;
  _exit(0);
}

/* Waits for the child to end; kills it at the limit. Returns the status of wait(), -1 when killed.
 */
static int wait_for(pid_t child, double limit) {
  const double start = dls_clock_now();
  int status = 0;
  for (long pause = 200000;; pause = pause < 20000000 ? 2 * pause : pause) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    if (dls_clock_now() - start > limit) break;
    nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return -1;
}

static void say_dead(const Shared *shared, int status, double limit, DlsLawBenchResult *out) {
  out->outcome = DLS_LAW_BENCH_FAILED;
  out->worst = INFINITY;
  out->worst_case = shared->current;
  if (status == -1)
    snprintf(out->sentence, sizeof out->sentence,
             "not done within %g s; the law hangs, or is slow, in case %ld", limit,
             shared->current);
  else if (WIFSIGNALED(status))
    snprintf(out->sentence, sizeof out->sentence, "the law died in case %ld: %s", shared->current,
             strsignal(WTERMSIG(status)));
  else
    snprintf(out->sentence, sizeof out->sentence,
             "the law ended the process in case %ld with exit status %d", shared->current,
             WEXITSTATUS(status));
}

static void conclude(int check, DlsLawBenchResult *out) {
  if (checks[check] == &law_case_step) {
    out->outcome = DLS_LAW_BENCH_REPORTED;
    return;
  }
  out->outcome = out->worst > 1 ? DLS_LAW_BENCH_FAILED : DLS_LAW_BENCH_PASSED;
  if (out->measured > 0 || out->outcome == DLS_LAW_BENCH_FAILED) return;
  out->outcome = DLS_LAW_BENCH_NOT_CLAIMED;
  snprintf(out->sentence, sizeof out->sentence, "no case had anything to compare");
}

static DlsStatus run(const DlsLawBenchOptions *options, int check, long only,
                     DlsLawBenchResult *out, char *story) {
  DLS_CHECK(check >= 0 && check < DLS_COUNT(checks), DLS_ERR_ARGUMENT, "there is no check %d",
            check);
  *out = (DlsLawBenchResult){
      .name = checks[check]->name, .question = checks[check]->question, .worst_case = -1};
  const char *reason = checks[check]->applies ? checks[check]->applies(options->law) : NULL;
  if (reason) {
    out->outcome = DLS_LAW_BENCH_NOT_CLAIMED;
    snprintf(out->sentence, sizeof out->sentence, "%s", reason);
    return DLS_OK;
  }
  Shared *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  DLS_CHECK(shared != MAP_FAILED, DLS_ERR_MEMORY, "out of memory for the check %s", out->name);
  shared->result = *out;
  const double start = dls_clock_now();
  fflush(NULL); /* a law that exits must not print what is ours again */
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    dls_child_die_with(parent); /* a law that hangs does not outlive the program */
    run_cases(options, check, only, shared);
  }
  if (child < 0) {
    munmap(shared, sizeof *shared);
    return dls_fail(DLS_ERR_UNSUPPORTED, "no process for the check %s: %s", out->name,
                    strerror(errno));
  }
  const int status = wait_for(child, options->time_limit);
  *out = shared->result;
  out->seconds = dls_clock_now() - start;
  if (shared->finished)
    conclude(check, out);
  else
    say_dead(shared, status, options->time_limit, out);
  if (story) memcpy(story, shared->story, DLS_LAW_BENCH_STORY);
  munmap(shared, sizeof *shared);
  return DLS_OK;
}

DlsStatus dls_law_bench_run(const DlsLawBenchOptions *options, int check, DlsLawBenchResult *out) {
  return run(options, check, -1, out, NULL);
}

DlsStatus dls_law_bench_tell(const DlsLawBenchOptions *options, int check, long number,
                             DlsLawBenchResult *out, char *story) {
  story[0] = '\0';
  return run(options, check, number, out, story);
}
