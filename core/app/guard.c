/* exit() and its kin as the plugins of this process find them: the linker looks into the program
 * before it looks into the C library. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "app/guard.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <delassus/status.h>

#include "app/app.h"
#include "app/options.h"
#include "base/guard.h"

/* Ends the process as the function of that name in the C library does. */
static _Noreturn void really(const char *name, int status) {
  void *symbol = dlsym(RTLD_NEXT, name);
  void (*function)(int status);
  memcpy(&function, &symbol, sizeof function); /* POSIX: dlsym's pointer is the function's */
  if (symbol) function(status);
  for (;;) syscall(SYS_exit_group, status);
}

#define STAND_IN(name)                                                                             \
  DLS_EXPORT _Noreturn void name(int status) {                                                     \
    dls_guard_exit(status);                                                                        \
    really(#name, status);                                                                         \
  }
STAND_IN(exit)
STAND_IN(_exit)
STAND_IN(_Exit)
STAND_IN(quick_exit)

int app_guard_begin(void) {
  static const char variable[] = "DELASSUS_LAW_TIME";
  const char *text = getenv(variable);
  char *end = NULL;
  const double limit = 10; /* s, a thousand times what the slowest sound law takes, and more */
  const double seconds = text && *text ? strtod(text, &end) : limit;
  if (end && (*end || !(seconds >= 0) || seconds > 1e6)) {
    fprintf(stderr,
            "delassus: %s=%s: give seconds of processor time from 0 (no limit) to 1e6 that a "
            "call of a contact law may last\n",
            variable, text);
    return APP_WRONG_INPUT;
  }
  (void)dls_guard_begin(&(DlsGuardOptions){.seconds = seconds, .patience = 60});
  return APP_GO_ON;
}

int app_guard_close(int status) {
  if (!dls_guard.dead || status != APP_DONE) return status;
  fprintf(stderr, "delassus: %s\n", dls_guard_last_words());
  return APP_NOT_CONVERGED;
}
