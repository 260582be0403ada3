/* Handlers of signals on a stack of their own, that jump back to where the call was made; a timer
 * of processor time that looks whether it is always the same call. */
#define _GNU_SOURCE /* sigdescr_np */
#include "base/guard.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int dls_guard_stands;
_Thread_local DlsGuard dls_guard;

enum { STACK_BYTES = 1 << 16, LOOKS = 4, WORDS_BYTES = 1200, MOST_JOINED = 256 };

/* The timer's signal is one that nobody else uses. */
static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
static const int tick = SIGVTALRM;
static struct sigaction before[DLS_COUNT(deadly)], before_tick;
static DlsGuardOptions options;
static char words[WORDS_BYTES];
static atomic_int deaths;
static timer_t watch, rescue;
static bool watches;
static atomic_bool rescues; /* asked by handlers in any thread */
static void *stack;

/* Threads that work for others, such as those of the pool. The timer asks the first thread of the
 * process alone, who passes it on. */
static pthread_t helper[MOST_JOINED];
static atomic_bool known[MOST_JOINED];
static atomic_int joined;

static void pass_on(void) {
  for (int k = 0; k < MOST_JOINED; k++)
    if (atomic_load(&known[k]) && !pthread_equal(helper[k], pthread_self()))
      pthread_kill(helper[k], tick);
}

static void print(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nobody listens */
}

static struct timespec time_of(double seconds) {
  const time_t whole = (time_t)seconds;
  return (struct timespec){whole, (long)(1e9 * (seconds - (double)whole))};
}

/* As much as a process can do that trusts nothing of its own any more. */
static void end_at_once(void) {
  print(words);
  print("\nwhat was being written is left as it is: the process could not end well\n");
  _exit(1);
}

/* Back to the call. What is blocked while a handler runs is nothing but what was before. */
static void die(int signal_number, int status) {
  DlsGuard *g = &dls_guard;
  g->inside = 0;
  g->dead = ++g->died;
  g->signal = signal_number;
  g->status = status;
  atomic_fetch_add(&deaths, 1);
  if (rescues) {
    const struct itimerspec once = {.it_value = time_of(options.patience)};
    timer_settime(rescue, 0, &once, NULL);
  }
  DLS_GUARD_JUMP(g->place);
}

static void on_deadly(int number, siginfo_t *info, void *context) {
  (void)context;
  if (dls_guard.inside) die(number, 0);
  if (rescues && atomic_load(&deaths)) end_at_once();
  for (int k = 0; k < DLS_COUNT(deadly); k++)
    if (deadly[k] == number) sigaction(number, &before[k], NULL);
  if (info->si_code <= 0) raise(number); /* sent; what the processor raised comes again by itself */
}

static void on_tick(int number, siginfo_t *info, void *context) {
  DlsGuard *g = &dls_guard;
  const int before_errno = errno;
  (void)context;
  if (rescues && info->si_value.sival_ptr == &rescue) end_at_once();
  if (info->si_code == SI_TIMER) pass_on();
  errno = before_errno;
  if (!g->inside) return;
  if (g->inside > LOOKS) die(number, 0);
  g->inside++; /* every call begins with 1 again */
}

static void install(int number, void (*handler)(int, siginfo_t *, void *), struct sigaction *old) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, old);
}

/* Handlers run on a stack of their own, or the overflow of the other one would be the last thing
 * that happens. */
static bool lend_stack(void **lent) {
  stack_t mine, now;
  if (sigaltstack(NULL, &now) == 0 && !(now.ss_flags & SS_DISABLE) && now.ss_size >= STACK_BYTES)
    return true; /* the sanitizers have theirs */
  *lent = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (*lent == MAP_FAILED) *lent = NULL;
  mine = (stack_t){.ss_sp = *lent, .ss_size = STACK_BYTES};
  return *lent && sigaltstack(&mine, NULL) == 0;
}

static void take_stack_back(void **lent) {
  const stack_t none = {.ss_flags = SS_DISABLE};
  if (!*lent) return;
  sigaltstack(&none, NULL);
  munmap(*lent, STACK_BYTES);
  *lent = NULL;
}

static bool make_timer(clockid_t clock, timer_t *timer) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = tick;
  event.sigev_value.sival_ptr = timer;
  return timer_create(clock, &event, timer) == 0;
}

/* Seen LOOKS times after the first, a call has lasted for as many periods at least. */
static bool start_watch(double seconds) {
  const struct timespec time = time_of(fmax(seconds / LOOKS, 1e-6));
  const struct itimerspec every = {time, time};
  watches = make_timer(CLOCK_PROCESS_CPUTIME_ID, &watch);
  return watches && timer_settime(watch, 0, &every, NULL) == 0;
}

DlsStatus dls_guard_begin(const DlsGuardOptions *wish) {
  if (dls_guard_stands) dls_guard_end();
  options = *wish;
  snprintf(words, sizeof words, "foreign code has died");
  DLS_CHECK(lend_stack(&stack), DLS_ERR_UNSUPPORTED, "no stack for handlers of signals");
  install(tick, on_tick, &before_tick);
  for (int k = 0; k < DLS_COUNT(deadly); k++) install(deadly[k], on_deadly, &before[k]);
  dls_guard_stands = 1;
  atomic_store(&rescues, wish->patience > 0 && make_timer(CLOCK_MONOTONIC, &rescue));
  if (wish->seconds > 0 && !start_watch(wish->seconds)) {
    dls_guard_end();
    return dls_fail(DLS_ERR_UNSUPPORTED, "no timer of processor time");
  }
  return DLS_OK;
}

void dls_guard_end(void) {
  if (!dls_guard_stands) return;
  dls_guard_stands = 0;
  if (watches) timer_delete(watch);
  if (rescues) timer_delete(rescue);
  watches = false;
  atomic_store(&rescues, false);
  for (int k = 0; k < DLS_COUNT(deadly); k++) sigaction(deadly[k], &before[k], NULL);
  signal(tick, SIG_IGN); /* what was passed on and has not arrived yet is dropped */
  sigaction(tick, &before_tick, NULL);
  take_stack_back(&stack);
}

void *dls_guard_join(void) {
  void *own = NULL;
  const int place = atomic_fetch_add(&joined, 1);
  if (place < MOST_JOINED) {
    helper[place] = pthread_self();
    atomic_store(&known[place], true);
  }
  if (dls_guard_stands) (void)lend_stack(&own);
  return own;
}

void dls_guard_leave(void *own) { take_stack_back(&own); }

void dls_guard_alone(void) {
  for (int k = 0; k < MOST_JOINED; k++) atomic_store(&known[k], false);
  atomic_store(&joined, 0);
}

void dls_guard_exit(int status) {
  if (dls_guard_stands && dls_guard.inside) die(0, status);
}

void dls_guard_describe(char *text, size_t bytes) {
  const DlsGuard *g = &dls_guard;
  const char *name = g->signal ? sigdescr_np(g->signal) : NULL;
  if (!g->signal)
    snprintf(text, bytes, "called exit(%d)", g->status);
  else if (g->signal == tick)
    snprintf(text, bytes, "did not return within %g s of processor time", options.seconds);
  else
    snprintf(text, bytes, "died: %s", name ? name : "of a signal");
}

void dls_guard_keep_words(const char *sentence) { snprintf(words, sizeof words, "%s", sentence); }
const char *dls_guard_last_words(void) { return words; }

int dls_guard_signal(void) { return tick; }
int dls_guard_deaths(void) { return atomic_load(&deaths); }
void dls_guard_count(void) { atomic_fetch_add(&deaths, 1); }
double dls_guard_seconds(void) { return dls_guard_stands ? options.seconds : 0; }
