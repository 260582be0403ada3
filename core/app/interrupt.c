/* The handlers of signals. */
#include "app/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "app/exit.h"
#include "base/clock.h"

static volatile sig_atomic_t interrupted;

static void at_once(int number) {
  (void)number;
  _exit(APP_INTERRUPTED);
}

/* Of app_prepare_begin() and app_watch_begin(): the clock at which to speak and to end, s; 0:
 * never. What is said at the end. */
static volatile double speak_at, end_at;
static const char *volatile last_words;

/* Of app_watch_begin(): after a signal a solver has so long, s; after its limit so long of the
 * processor too, for on a busy machine the clock alone would end what has hardly begun. For what
 * only sleeps `patience_beyond` bounds the wait. */
static const double grace = 1.2, patience_beyond = 8;
static volatile double end_cpu; /* s of the processor; 0: the clock alone counts */
static volatile sig_atomic_t watching;

static void on_signal(int number) {
  if (interrupted) at_once(number);
  interrupted = 1;
  if (watching) end_at = dls_clock_now() + grace, end_cpu = 0;
}

static void install(void (*handler)(int number)) {
  struct sigaction action, hangup;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = (int)SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
}

void app_signals_end(void) { install(at_once); }

void app_catch_signals(void) { install(on_signal); }

bool app_interrupted(void) { return interrupted != 0; }

bool app_stop_asked(void *nobody) {
  (void)nobody;
  return app_interrupted();
}

static void print(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nobody listens */
}

/* Of app_watch_ranks(). mpirun sends SIGTERM when a rank is gone, and a second later SIGKILL. */
static double (*volatile ranks_wait)(void);
static const double patience_with_ranks = 0.5; /* s */

static bool is_alone(void) {
  return interrupted && ranks_wait && ranks_wait() > patience_with_ranks;
}

/* Calls nothing but what a handler of signals may. */
static void on_tick(int number) {
  const double now = dls_clock_now();
  const bool spent = end_cpu == 0 || now >= end_at + patience_beyond || dls_clock_cpu() >= end_cpu;
  if (end_at > 0 && now >= end_at && spent) {
    print(last_words);
    at_once(number);
  }
  if (is_alone()) {
    print(
        "delassus run: the other ranks do not answer; the run ends here, and its folder holds the "
        "last checkpoint whole: go on with `delassus run --restart FOLDER/checkpoint.h5`, on any "
        "number of ranks\n");
    at_once(number);
  }
  if (speak_at > 0 && now >= speak_at) {
    speak_at = 0;
    print("reading the deck and placing its bodies ...\n");
  }
}

static void set_ticks(double first, double every) {
  const struct itimerval timer = {
      .it_value = {(time_t)first, (suseconds_t)((first - (double)(time_t)first) * 1e6)},
      .it_interval = {(time_t)every, (suseconds_t)((every - (double)(time_t)every) * 1e6)}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

static void begin_ticks(void) {
  const double tick = 0.1; /* s */
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_tick;
  action.sa_flags = (int)SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  set_ticks(tick, tick);
}

void app_prepare_begin(double limit, bool quiet) {
  const double patience = 2; /* s */
  last_words = "delassus: --max-time is over before the first step: reading the deck and placing "
               "its bodies takes longer; nothing was run\n";
  speak_at = quiet ? 0 : dls_clock_now() + patience;
  end_at = limit > 0 ? dls_clock_now() + limit : 0;
  end_cpu = 0;
  if (speak_at != 0 || end_at != 0) begin_ticks();
}

void app_prepare_end(void) {
  speak_at = end_at = 0;
  if (ranks_wait) return; /* the ticks go on for them */
  set_ticks(0, 0);
  signal(SIGALRM, SIG_DFL);
}

void app_watch_ranks(double (*waits)(void)) {
  ranks_wait = waits;
  begin_ticks();
}

/* Two sentences by turns, so that the one that a tick may print is whole. */
static char sentence[2][240];

void app_watch_tell(long iteration, double error) {
  static int turn;
  char *text = sentence[turn = !turn];
  snprintf(text, sizeof sentence[0],
           "delassus: ended in the midst of work that cannot be broken off, such as a "
           "factorisation; the last error told was %.3g after iteration %ld; no answer is kept\n",
           error, iteration);
  last_words = text;
}

void app_watch_begin(double limit) {
  last_words = "delassus: ended before the first measure of the error, in the midst of work that "
               "cannot be broken off, such as the analysis of a matrix; no answer is kept\n";
  speak_at = 0;
  end_at = interrupted ? dls_clock_now() + grace : limit > 0 ? dls_clock_now() + limit + grace : 0;
  end_cpu = interrupted || !(limit > 0) ? 0 : dls_clock_cpu() + grace;
  watching = 1;
  begin_ticks();
}

void app_watch_end(void) {
  watching = 0;
  end_at = 0;
  app_prepare_end();
}
