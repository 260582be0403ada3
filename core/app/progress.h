/* What happens while a solver works: a progress line and the history file. */
#ifndef DELASSUS_APP_PROGRESS_H
#define DELASSUS_APP_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include <delassus/solver.h>

typedef struct {
  const char *problem, *solver;
  double tolerance;
  bool quiet;
  FILE *history;    /* CSV, or NULL */
  double last_line; /* s, when the line was last written */
  bool shown;
} AppProgress;

/* Lent for the life of the monitor. */
DlsMonitor app_progress_monitor(AppProgress *self);

/* Wipes the line. */
void app_progress_end(AppProgress *self);

void app_history_head(FILE *file);

#endif
