/* Two forks, a shared page for the result, a timer whose signal ends the child; a keeper between
 * parent and child that kills it where the signal does not, and all that it has started. */
#include "base/child.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pool.h"

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

/* From now on this child is killed when `parent`, which forked it, ends in whatever way. */
static void die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* it died between fork() and the line above */
}

void dls_child_wind_up(double seconds) {
  const struct itimerval limit = {
      .it_value = {.tv_sec = (time_t)seconds,
                   .tv_usec = (suseconds_t)(1e6 * (seconds - (double)(time_t)seconds)) + 1}};
  signal(SIGPROF, SIG_DFL);
  setitimer(ITIMER_PROF, &limit, NULL);
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

/* What parent, keeper and child share. `returned`: work() came to its end; a library that calls
 * exit(0) is no success. `ended`: the keeper has seen the end of the child. */
typedef struct {
  char returned, ended;
  DlsChildEnd end;
} Page;

enum { HEAD = 64 }; /* bytes of Page; the result lies behind it */
_Static_assert(sizeof(Page) <= HEAD, "the result lies behind the page's head");

/* One call of dls_child_run, as all three processes see it. */
typedef struct {
  void (*work)(void *context, void *result);
  void *context;
  const DlsChildLimits *limits;
  Page *page;
  sigset_t signals; /* that were blocked in the parent */
} Call;

/* OpenMP's threads are not there after a fork, and a team that its library remembers would be
 * waited for for ever: CHOLMOD asks for four, whatever OMP_NUM_THREADS says, and the parent may
 * have factored. With no active level every team is of one thread. Not all builds have the
 * library. */
static void forget_teams(void) {
  void *found = dlsym(RTLD_DEFAULT, "omp_set_max_active_levels");
  void (*set_levels)(int);
  memcpy(&set_levels, &found, sizeof set_levels);
  if (found) set_levels(0);
}

static void be_child(const Call *call, pid_t keeper) {
  pthread_sigmask(SIG_SETMASK, &call->signals, NULL);
  die_with(keeper);
  if (!call->limits->loud) silence();
  confine(call->limits);
  forget_teams();
  dls_pool_set(call->limits->threads > 0 ? call->limits->threads : 1);
  call->work(call->context, (char *)call->page + HEAD);
  call->page->returned = 1;
  _exit(0);
}

static double limit_of(const DlsChildLimits *limits, double grace) {
  return limits->seconds > 0 ? dls_clock_now() + limits->seconds + grace : INFINITY;
}

/* Sends SIGKILL to every child of this process. */
static void kill_children(void) {
  DIR *processes = opendir("/proc");
  const struct dirent *entry;
  while (processes && (entry = readdir(processes))) {
    char path[300], text[512] = "";
    snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
    FILE *file = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
    if (!file) continue;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *name_end = strrchr(text, ')'); /* "17 (its name) S 16 ...": the parent is 16 */
    int its_parent = 0;
    if (name_end && sscanf(name_end + 1, " %*c %d", &its_parent) == 1 && its_parent == getpid())
      kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
  }
  if (processes) closedir(processes);
}

/* Ends what the child left behind: those that lost their parent are children of the keeper, and
 * theirs will be. Returns how many there were. */
static int end_orphans(void) {
  const double last = dls_clock_now() + DLS_CHILD_GRACE;
  const struct timespec nap = {.tv_nsec = 1000000};
  int count = 0;
  pid_t ended;
  while (((ended = waitpid(-1, NULL, WNOHANG)) >= 0 || errno == EINTR) && dls_clock_now() < last) {
    count += ended > 0;
    if (ended > 0) continue;
    kill_children();
    nanosleep(&nap, NULL);
  }
  return count;
}

static void end_keeper(const Call *call, DlsChildEnd end) {
  call->page->end = end;
  call->page->ended = 1;
  _exit(0);
}

/* A timer in the child would do, but makes its own clock of processor time as coarse as a tick. */
static bool has_used_up(pid_t child, const DlsChildLimits *limits) {
  clockid_t clock;
  if (!(limits->cpu_seconds > 0) || clock_getcpuclockid(child, &clock) != 0) return false;
  return dls_clock_of(clock) > limits->cpu_seconds;
}

/* The keeper: a process of ours between parent and child, that hears no signal but those it asks
 * for. Whatever the child starts becomes the keeper's own when its parent ends, in whatever group
 * or session it is, so that it can be ended. The alarm ends a child that has not touched it; a
 * solver may ignore signals, so that the limit is held from outside too. */
static void be_keeper(const Call *call, pid_t parent) {
  const pid_t keeper = getpid();
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  sigaddset(&heard, SIGTERM); /* of the parent: stop; of the system: the parent is dead */
  signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1); /* it died between fork() and the line above */
  const pid_t child = fork();
  if (child == 0) be_child(call, keeper);
  if (child < 0) end_keeper(call, (DlsChildEnd){.outcome = DLS_CHILD_NOT_STARTED});
  const struct timespec nap = {.tv_nsec = 100000000};
  const double last = limit_of(call->limits, DLS_CHILD_GRACE);
  int status = 0;
  struct rusage usage = {0};
  bool late = false;
  pid_t ended;
  while ((ended = wait4(child, &status, WNOHANG, &usage)) == 0 || (ended < 0 && errno == EINTR)) {
    late = late || dls_clock_now() > last || has_used_up(child, call->limits);
    if (sigtimedwait(&heard, NULL, &nap) == SIGTERM || late) kill(child, SIGKILL);
  }
  DlsChildEnd end = {.outcome = DLS_CHILD_CRASHED, .peak_mb = (double)usage.ru_maxrss / 1024};
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  if (end.signal == SIGALRM || (late && end.signal)) end.outcome = DLS_CHILD_TIMEOUT;
  if (WIFEXITED(status) && end.status == 0 && call->page->returned) end.outcome = DLS_CHILD_DONE;
  end.left = end_orphans();
  end_keeper(call, end);
}

/* Sleeps until the keeper ends, 100 ms at most: by a descriptor of the process where the system has
 * such, else in short naps. */
static void doze(int handle) {
  struct pollfd ended = {.fd = handle, .events = POLLIN};
  poll(&ended, handle >= 0, handle >= 0 ? 100 : 2);
}

/* The parent asks whether to stop; the keeper does the rest, unless the child has harmed it. */
static DlsChildEnd wait_for(pid_t keeper, const Call *call) {
  const DlsChildLimits *limits = call->limits;
  const double last = limit_of(limits, 3 * DLS_CHILD_GRACE);
  const int handle = (int)syscall(SYS_pidfd_open, keeper, 0);
  bool stopped = false, late = false;
  pid_t ended;
  while ((ended = waitpid(keeper, NULL, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
    stopped = stopped || (limits->stop && limits->stop(limits->stop_context));
    late = late || dls_clock_now() > last;
    if (late) kill(keeper, SIGKILL); /* its child dies with it */
    if (stopped) kill(keeper, SIGTERM);
    doze(handle);
  }
  if (handle >= 0) close(handle);
  DlsChildEnd end = {.outcome = DLS_CHILD_CRASHED};
  if (call->page->ended) end = call->page->end;
  if (late) end.outcome = DLS_CHILD_TIMEOUT;
  if (stopped && end.outcome != DLS_CHILD_DONE && (end.signal || !call->page->ended))
    end.outcome = DLS_CHILD_STOPPED;
  return end;
}

DlsChildEnd dls_child_run(void (*work)(void *context, void *result), void *context,
                          const DlsChildLimits *limits, void *result, size_t bytes) {
  const DlsChildEnd none = {.outcome = DLS_CHILD_NOT_STARTED};
  Page *page = mmap(NULL, HEAD + bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return none;
  Call call = {.work = work, .context = context, .limits = limits, .page = page};
  sigset_t all;
  sigfillset(&all);
  memcpy((char *)page + HEAD, result, bytes);
  fflush(NULL);
  pthread_sigmask(SIG_SETMASK, &all, &call.signals);
  const pid_t parent = getpid(), keeper = fork();
  if (keeper == 0) be_keeper(&call, parent);
  pthread_sigmask(SIG_SETMASK, &call.signals, NULL);
  const DlsChildEnd end = keeper < 0 ? none : wait_for(keeper, &call);
  memcpy(result, (char *)page + HEAD, bytes);
  munmap(page, HEAD + bytes);
  return end;
}

const char *dls_child_text(DlsChildOutcome outcome) {
  static const char *const texts[] = {"done", "crashed", "timeout", "stopped", "not started"};
  return texts[outcome];
}
