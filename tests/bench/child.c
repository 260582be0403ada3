/* fork, a shared page for the result, a timer whose signal ends the child. */
#include "tests/bench/child.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void silence(void) {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

/* Dies with its parent, leaves no core file, and gets SIGALRM when the time is over. */
static void confine(double limit_s) {
  const struct rlimit no_core = {0, 0};
  const struct itimerval limit = {
      .it_value = {.tv_sec = (time_t)limit_s,
                   .tv_usec = (suseconds_t)(1e6 * (limit_s - (double)(time_t)limit_s)) + 1}};
  signal(SIGALRM, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setrlimit(RLIMIT_CORE, &no_core);
  setitimer(ITIMER_REAL, &limit, NULL);
}

static ChildOutcome wait_for(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return CHILD_CRASHED;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return CHILD_TIMEOUT;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CHILD_DONE : CHILD_CRASHED;
}

ChildOutcome child_run(void (*work)(void *context, void *result), void *context, double limit_s,
                       void *result, size_t bytes) {
  /* The first byte says that work() returned: a library that calls exit(0) is no success. */
  const size_t head = 64;
  char *page = mmap(NULL, head + bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return CHILD_NOT_STARTED;
  memcpy(page + head, result, bytes);
  const pid_t child = fork();
  if (child == 0) {
    silence();
    confine(limit_s);
    work(context, page + head);
    page[0] = 1;
    _exit(0);
  }
  ChildOutcome outcome = child < 0 ? CHILD_NOT_STARTED : wait_for(child);
  if (outcome == CHILD_DONE && page[0] != 1) outcome = CHILD_CRASHED;
  memcpy(result, page + head, bytes);
  munmap(page, head + bytes);
  return outcome;
}

const char *child_text(ChildOutcome outcome) {
  static const char *const texts[] = {"done", "crashed", "timeout", "not started"};
  return texts[outcome];
}
