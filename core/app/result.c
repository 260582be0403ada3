/* Solving, and printing what came of it. */
#include "app/result.h"

#include "app/interrupt.h"

#include <stdlib.h>
#include <string.h>

/* The solver under watch until it returns: what dls_solve() does then takes its own time. */
static const DlsSolver *watched;

static DlsStatus solve_watched(void *self, const DlsProblem *problem, const DlsLimits *limits,
                               const DlsMonitor *monitor, double *r, DlsReport *report) {
  const DlsStatus status = watched->solve(self, problem, limits, monitor, r, report);
  app_watch_end();
  return status;
}

DlsStatus app_result_solve(const DlsProblem *problem, const DlsSolver *solver, const void *options,
                           const DlsLimits *limits, AppProgress *progress, double *r, double *u,
                           AppResult *out) {
  memset(out, 0, sizeof *out);
  out->problem = dls_problem_name(problem);
  out->contacts = dls_problem_contacts(problem);
  out->block = dls_problem_block(problem);
  out->dim = dls_problem_dim(problem);
  out->form = dls_operator_form(dls_problem_operator(problem));
  out->solver = solver->name;
  out->tolerance = limits->tolerance;
  out->measure = limits->measure;
  progress->problem = out->problem;
  progress->solver = solver->name;
  progress->tolerance = limits->tolerance;
  const DlsMonitor monitor = app_progress_monitor(progress);
  DlsSolver under_watch = *solver;
  watched = solver;
  under_watch.solve = solve_watched;
  app_watch_begin(limits->clock == DLS_CLOCK_WALL ? limits->max_time : 0);
  DlsStatus status =
      dls_solve(&under_watch, problem, options, limits, &monitor, r, u, &out->report);
  app_watch_end();
  app_progress_end(progress, status == DLS_OK ? &out->report : NULL);
  if (status == DLS_OK) status = dls_errors_measure(problem, r, u, &out->errors);
  DlsWorkPrice price;
  if (status == DLS_OK) status = dls_work_price(problem, &price);
  if (status == DLS_OK) out->work = dls_work_units(&price, &out->report.work);
  return status;
}

/* " (wanted 1e-06)" behind the error that was meant. */
static const char *wanted(const AppResult *self, DlsMeasure measure, char text[32]) {
  text[0] = '\0';
  if (self->measure == measure) snprintf(text, 32, " (wanted %.0e)", self->tolerance);
  return text;
}

/* The error that was meant, as it is reported; there the bi-potential is not relative. */
static double error_meant(const AppResult *self) {
  const DlsErrors *e = &self->errors;
  return self->measure == DLS_MEASURE_NATURAL     ? e->natural
         : self->measure == DLS_MEASURE_NATURAL_Q ? e->natural_q
         : self->measure == DLS_MEASURE_SCALED    ? e->scaled
                                                  : self->report.error;
}

void app_result_print(const AppResult *self) {
  const DlsErrors *e = &self->errors;
  printf("problem      %s: %d contacts of %d, %s\n", self->problem, self->contacts, self->block,
         self->form);
  printf("solver       %s\n", self->solver);
  printf("outcome      %s: %ld iterations, %.3g s, the work of %.4g products with W\n",
         dls_outcome_text(self->report.outcome), self->report.iterations, self->report.time_s,
         self->work);
  if (self->report.note[0]) printf("note         %s\n", self->report.note);
  char natural[32], natural_q[32], scaled[32], by_load[32];
  printf("errors       natural %.3e%s   natural_q %.3e%s   scaled %.3e%s\n", e->natural,
         wanted(self, DLS_MEASURE_NATURAL, natural), e->natural_q,
         wanted(self, DLS_MEASURE_NATURAL_Q, natural_q), e->scaled,
         wanted(self, DLS_MEASURE_SCALED, scaled));
  printf("             bipotential %.3e J   stagnation %.3e\n", e->bipotential, e->stagnation);
  if (self->measure == DLS_MEASURE_BIPOTENTIAL)
    printf("             bipotential %.3e relative%s\n", self->report.error,
           wanted(self, DLS_MEASURE_BIPOTENTIAL, by_load));
  printf("             penetration %.3e m/s   energy %.3e\n", e->penetration, e->energy);
  if (self->report.error > 1.01 * error_meant(self))
    printf(
        "             reactions are %.1e times the load: judged by the load, the error is %.3e\n",
        e->amplification, self->report.error);
  printf("contacts     %d open, %d slip, %d stick; %d within the scaled error of changing\n",
         e->open, e->slip, e->stick, e->undecided);
}

void app_result_table_head(int name_width) {
  printf("%-*s %8s  %-9s %-15s %10s %9s %9s %9s\n", name_width, "problem", "contacts", "solver",
         "outcome", "iterations", "time_s", "natural", "scaled");
}

void app_result_table_row(const AppResult *self, int name_width) {
  printf("%-*s %8d  %-9s %-15s %10ld %9.3g %9.1e %9.1e\n", name_width, self->problem,
         self->contacts, self->solver, dls_outcome_text(self->report.outcome),
         self->report.iterations, self->report.time_s, self->errors.natural, self->errors.scaled);
}

void app_result_json(const AppResult *self, DlsJson *json, const char *title) {
  const DlsErrors *e = &self->errors;
  dls_json_open(json, NULL, '{');
  dls_json_text(json, "problem", self->problem);
  if (title) dls_json_text(json, "title", title);
  dls_json_integer(json, "contacts", self->contacts);
  dls_json_integer(json, "block", self->block);
  dls_json_integer(json, "dimension", self->dim);
  dls_json_text(json, "form", self->form);
  dls_json_text(json, "solver", self->solver);
  dls_json_real(json, "tolerance", self->tolerance);
  dls_json_text(json, "measure", dls_measure_word(self->measure));
  dls_json_text(json, "status", dls_outcome_text(self->report.outcome));
  dls_json_text(json, "reason", dls_reason_text(self->report.reason));
  dls_json_integer(json, "iterations", self->report.iterations);
  dls_json_real(json, "time_s", self->report.time_s);
  dls_json_real(json, "cpu_s", self->report.cpu_s);
  dls_json_real(json, "error", self->report.error);
  dls_json_open(json, "errors", '{');
  dls_json_real(json, "natural", e->natural);
  dls_json_real(json, "natural_q", e->natural_q);
  dls_json_real(json, "scaled", e->scaled);
  dls_json_real(json, "bipotential", e->bipotential);
  dls_json_real(json, "stagnation", e->stagnation);
  dls_json_real(json, "penetration", e->penetration);
  dls_json_real(json, "energy", e->energy);
  dls_json_real(json, "amplification", e->amplification);
  dls_json_close(json, '}');
  dls_json_open(json, "statuses", '{');
  dls_json_integer(json, "open", e->open);
  dls_json_integer(json, "slip", e->slip);
  dls_json_integer(json, "stick", e->stick);
  dls_json_integer(json, "undecided", e->undecided);
  dls_json_close(json, '}');
  dls_json_open(json, "work", '{');
#define FIELD(name) dls_json_integer(json, #name, self->report.work.name);
  DLS_WORK_LIST(FIELD)
#undef FIELD
  dls_json_real(json, "units", self->work);
  dls_json_close(json, '}');
  if (self->report.note[0]) dls_json_text(json, "note", self->report.note);
  dls_json_close(json, '}');
}
