/* The monitor of the command line. */
#include "app/progress.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/app.h"
#include "app/interrupt.h"

double app_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* On a terminal one line that changes, from half a second on; elsewhere a line every ten seconds.
 */
static void show(AppProgress *self, long iteration, double time_s, double error) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (time_s - self->last_line < (terminal ? (self->shown ? 0.1 : 0.5) : 10.0)) return;
  self->last_line = time_s;
  self->shown = terminal;
  fprintf(stderr, "%s%s  %s  iteration %ld  %.1f s  error %.2e, wanted %.0e%s",
          terminal ? "\r\033[K" : "", self->problem, self->solver, iteration, time_s, error,
          self->tolerance, terminal ? "" : "\n");
  fflush(stderr);
}

/* A field of a CSV line, quoted where it must be (RFC 4180). */
static void csv_field(FILE *file, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (; *text; text++) fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
  fputc('"', file);
}

void app_progress_head(FILE *file, DlsMeasure measure) {
  fprintf(file, "problem,solver,iteration,time_s,error_%s\n", dls_measure_word(measure));
}

static void convergence_row(const AppProgress *self, long iteration, double time_s, double error) {
  if (!self->convergence) return;
  csv_field(self->convergence, self->problem);
  fputc(',', self->convergence);
  csv_field(self->convergence, self->solver);
  fprintf(self->convergence, ",%ld,%.6f,%.6e\n", iteration, time_s, error);
}

static int on_measure(void *context, long iteration, double time_s, double error) {
  AppProgress *self = context;
  app_watch_tell(iteration, error);
  convergence_row(self, iteration, time_s, error);
  if (!self->quiet) show(self, iteration, time_s, error);
  return app_interrupted();
}

DlsMonitor app_progress_monitor(AppProgress *self) {
  return (DlsMonitor){.call = on_measure, .context = self};
}

void app_progress_end(AppProgress *self, const DlsReport *report) {
  if (report) convergence_row(self, report->iterations, report->time_s, report->error);
  if (self->shown) fputs("\r\033[K", stderr);
  self->shown = false;
  self->last_line = 0;
}
