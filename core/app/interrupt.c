/* The handlers of signals. */
#include "app/interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "app/exit.h"

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
