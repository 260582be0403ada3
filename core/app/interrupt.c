/* The handlers of signals. */
#include "app/interrupt.h"

#include <signal.h>
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

static void on_signal(int number) {
  if (interrupted) at_once(number);
  interrupted = 1;
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

/* Of app_prepare_begin(): the clock at which to speak and to end, s; 0: never. */
static volatile double speak_at, end_at;

static void print(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nobody listens */
}

/* Calls nothing but what a handler of signals may. */
static void on_tick(int number) {
  const double now = dls_clock_now();
  if (end_at > 0 && now >= end_at) {
    print("delassus: --max-time is over before the first step: reading the deck and placing its "
          "bodies takes longer; nothing was run\n");
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

void app_prepare_begin(double limit, bool quiet) {
  const double patience = 2, tick = 0.1; /* s */
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_tick;
  action.sa_flags = (int)SA_RESTART;
  sigemptyset(&action.sa_mask);
  speak_at = quiet ? 0 : dls_clock_now() + patience;
  end_at = limit > 0 ? dls_clock_now() + limit : 0;
  if (speak_at == 0 && end_at == 0) return;
  sigaction(SIGALRM, &action, NULL);
  set_ticks(tick, tick);
}

void app_prepare_end(void) {
  set_ticks(0, 0);
  signal(SIGALRM, SIG_DFL);
}
