#include "app/check_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/guard.h"

enum { LOAD_LIMIT = 60 }; /* s, unless --limit says otherwise */

typedef struct {
  const char *subject;
  DlsStatus (*find)(const char *subject);
} Trial;

/* In the child: found or refused, it is told; then what runs at the end of a process runs. */
static void load(void *context, void *result) {
  const Trial *trial = context;
  dls_guard_end(); /* who dies here ends this child */
  (void)trial->find(trial->subject);
  *(int *)result = 1;
  exit(0);
}

/* What went wrong; false where nothing did. */
static bool say_end(const char *noun, double limit, bool told, const DlsChildEnd *end,
                    DlsBenchResult *out) {
  char *text = out->sentence;
  const size_t size = sizeof out->sentence;
  const char *when = told ? "when the process ends, having been loaded" : "while it is loaded";
  if (end->outcome == DLS_CHILD_TIMEOUT)
    snprintf(text, size, "the %s is not done within %g s %s", noun, limit, when);
  else if (end->signal)
    snprintf(text, size, "the %s dies %s: %s", noun, when, strsignal(end->signal));
  else if (!told || end->status != 0)
    snprintf(text, size, "the %s ends the process with exit status %d %s", noun, end->status, when);
  else if (end->left > 0)
    snprintf(text, size, "the %s leaves %d processes behind, started while it is loaded", noun,
             end->left);
  return text[0] != '\0';
}

int app_check_load(const AppCommand *command, const AppCheckKind *kind, AppCheck *check,
                   DlsStatus (*find)(const char *subject)) {
  Trial trial = {check->subject, find};
  const DlsChildLimits limits = {.seconds = check->limit > 0 ? check->limit : LOAD_LIMIT};
  const double start = dls_clock_now();
  int told = 0;
  const DlsChildEnd end = dls_child_run(load, &trial, &limits, &told, sizeof told);
  if (end.outcome == DLS_CHILD_NOT_STARTED)
    return app_refuse(command, "no process in which to load %s", check->subject);
  DlsBenchResult *result = &check->results[0];
  *result = (DlsBenchResult){.name = "load",
                             .question = "Does it load without harm?",
                             .outcome = DLS_BENCH_FAILED,
                             .worst = INFINITY,
                             .worst_case = -1};
  if (!say_end(kind->bench->noun, limits.seconds, told, &end, result)) return APP_GO_ON;
  result->seconds = dls_clock_now() - start;
  check->count = 1;
  check->name = check->file = check->subject;
  check->summary = check->references = "";
  if (!check->json)
    printf("%s\n\n%-*s %-*s %s\n", check->subject, kind->widths[0], "FAILED", kind->widths[1],
           result->name, result->sentence);
  return app_check_end(command, kind, check);
}
