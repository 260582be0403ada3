/* fork, a shared page for the result, a timer whose signal ends the child; a parent that kills it
 * where the signal does not. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

static void silence(void) {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

/* Bytes of address space in use; 0 where the system does not tell. */
static size_t address_space(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%ld", &pages) != 1) pages = 0;
  fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

void dls_child_die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* it died between fork() and the line above */
}

/* Leaves no core file, gets SIGALRM when the time is over, and no memory beyond the limit. */
static void confine(const DlsChildLimits *limits) {
  const struct rlimit no_core = {0, 0};
  const double s = limits->seconds;
  const struct itimerval limit = {
      .it_value = {.tv_sec = (time_t)s,
                   .tv_usec = (suseconds_t)(1e6 * (s - (double)(time_t)s)) + 1}};
  signal(SIGALRM, SIG_DFL);
  signal(SIGINT, limits->stop ? SIG_IGN : SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  setrlimit(RLIMIT_CORE, &no_core);
  if (s > 0) setitimer(ITIMER_REAL, &limit, NULL);
  const size_t used = address_space();
  if (limits->megabyte && used) {
    const rlim_t most = used + (limits->megabyte << 20);
    const struct rlimit memory = {most, most};
    setrlimit(RLIMIT_AS, &memory);
  }
}

/* Sleeps until the child ends, 100 ms at most: by a descriptor of the process where the system has
 * such, else in short naps. */
static void doze(int handle) {
  struct pollfd ended = {.fd = handle, .events = POLLIN};
  poll(&ended, handle >= 0, handle >= 0 ? 100 : 2);
}

/* The alarm ends a child that has not touched it; a solver may ignore signals, so that the limit is
 * held from outside too. */
static DlsChildEnd wait_for(pid_t child, const DlsChildLimits *limits) {
  int status = 0;
  struct rusage usage = {0};
  const double last =
      limits->seconds > 0 ? dls_clock_now() + limits->seconds + DLS_CHILD_GRACE : INFINITY;
  const int handle = (int)syscall(SYS_pidfd_open, child, 0);
  bool stopped = false, late = false;
  pid_t ended;
  while ((ended = wait4(child, &status, WNOHANG, &usage)) == 0 || (ended < 0 && errno == EINTR)) {
    stopped = stopped || (limits->stop && limits->stop(limits->stop_context));
    late = late || dls_clock_now() > last;
    if (stopped || late) kill(child, SIGKILL);
    doze(handle);
  }
  if (handle >= 0) close(handle);
  if (ended != child) return (DlsChildEnd){.outcome = DLS_CHILD_CRASHED};
  DlsChildEnd end = {.outcome = DLS_CHILD_CRASHED, .peak_mb = (double)usage.ru_maxrss / 1024};
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  if (end.signal == SIGALRM || (late && end.signal)) end.outcome = DLS_CHILD_TIMEOUT;
  if (stopped && end.signal) end.outcome = DLS_CHILD_STOPPED;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) end.outcome = DLS_CHILD_DONE;
  return end;
}

DlsChildEnd dls_child_run(void (*work)(void *context, void *result), void *context,
                          const DlsChildLimits *limits, void *result, size_t bytes) {
  /* The first byte says that work() returned: a library that calls exit(0) is no success. */
  const size_t head = 64;
  const DlsChildEnd none = {.outcome = DLS_CHILD_NOT_STARTED};
  char *page = mmap(NULL, head + bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return none;
  memcpy(page + head, result, bytes);
  fflush(NULL);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    dls_child_die_with(parent);
    if (!limits->loud) silence();
    confine(limits);
    work(context, page + head);
    page[0] = 1;
    _exit(0);
  }
  DlsChildEnd end = child < 0 ? none : wait_for(child, limits);
  if (end.outcome == DLS_CHILD_DONE && page[0] != 1) end.outcome = DLS_CHILD_CRASHED;
  memcpy(result, page + head, bytes);
  munmap(page, head + bytes);
  return end;
}

const char *dls_child_text(DlsChildOutcome outcome) {
  static const char *const texts[] = {"done", "crashed", "timeout", "stopped", "not started"};
  return texts[outcome];
}
