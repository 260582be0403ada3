/* Solving, and printing what came of it. */
#include "app/result.h"

#include <stdlib.h>
#include <string.h>

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
  progress->problem = out->problem;
  progress->solver = solver->name;
  progress->tolerance = limits->tolerance;
  const DlsMonitor monitor = app_progress_monitor(progress);
  DlsStatus status = dls_solve(solver, problem, options, limits, &monitor, r, u, &out->report);
  app_progress_end(progress, status == DLS_OK ? &out->report : NULL);
  if (status == DLS_OK) status = dls_errors_measure(problem, r, u, &out->errors);
  return status;
}

void app_result_print(const AppResult *self) {
  const DlsErrors *e = &self->errors;
  printf("problem      %s: %d contacts of %d, %s\n", self->problem, self->contacts, self->block,
         self->form);
  printf("solver       %s\n", self->solver);
  printf("outcome      %s: %ld iterations, %.3g s\n", dls_outcome_text(self->report.outcome),
         self->report.iterations, self->report.time_s);
  if (self->report.note[0]) printf("note         %s\n", self->report.note);
  printf("errors       natural %.3e (wanted %.0e)   natural_q %.3e   scaled %.3e\n", e->natural,
         self->tolerance, e->natural_q, e->scaled);
  printf("             bipotential %.3e J   stagnation %.3e\n", e->bipotential, e->stagnation);
  printf("             penetration %.3e m/s   energy %.3e\n", e->penetration, e->energy);
  if (self->report.error > 1.01 * e->natural)
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
  dls_json_text(json, "status", dls_outcome_text(self->report.outcome));
  dls_json_text(json, "reason", dls_reason_text(self->report.reason));
  dls_json_integer(json, "iterations", self->report.iterations);
  dls_json_real(json, "time_s", self->report.time_s);
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
  dls_json_close(json, '}');
  if (self->report.note[0]) dls_json_text(json, "note", self->report.note);
  dls_json_close(json, '}');
}
