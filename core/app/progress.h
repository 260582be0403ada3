/* What happens while a solver works: a progress line and the table of its convergence. */
#ifndef DELASSUS_APP_PROGRESS_H
#define DELASSUS_APP_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include <delassus/solver.h>

typedef struct {
  const char *problem, *solver;
  double tolerance;
  bool quiet;
  FILE *convergence; /* CSV, or NULL */
  double last_line;  /* s, when the line was last written */
  bool shown;
} AppProgress;

/* Lent for the life of the monitor. */
DlsMonitor app_progress_monitor(AppProgress *self);

/* Wipes the line, and closes the table with the answer as it was measured: the rows before are
 * what the solver's monitor said. `report` NULL: there is no answer. */
void app_progress_end(AppProgress *self, const DlsReport *report);

void app_progress_head(FILE *file, DlsMeasure measure);

#endif
