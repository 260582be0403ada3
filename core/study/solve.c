/* One solve of a study of solves: a problem, a solver with its options, limits; what came of it is
 * one row in the run's folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <delassus/errors.h>
#include <delassus/solver.h>

#include "base/number.h"
#include "record/csv.h"
#include "study/study_impl.h"

typedef struct {
  const DlsSolver *solver;
  void *options;
  DlsLimits limits;
  DlsProblem *problem;
  double *r, *u;
  DlsReport report;
  DlsErrors errors;
} Solve;

/* The value of a key in the row; NULL where no column sets it. */
static const char *value_of(const DlsStudy *s, int row, const char *key) {
  for (int c = 0; c < s->table.columns; c++)
    for (int k = 0; k < s->table.column[c].nkeys; k++)
      if (strcmp(s->table.column[c].keys[k], key) == 0) return dls_study_cell(&s->table, row, c);
  return NULL;
}

static DlsStatus read_limit(const char *key, const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  DLS_CHECK(end != text && *end == '\0' && *out >= 0, DLS_ERR_ARGUMENT,
            "%s: '%s' is no number from 0 on", key, text);
  return DLS_OK;
}

/* A key is a limit, or an option of the solver. */
static DlsStatus set_key(Solve *solve, const char *key, const char *text) {
  double iterations;
  if (strcmp(key, "problem") == 0 || strcmp(key, "solver") == 0) return DLS_OK;
  if (strcmp(key, "tolerance") == 0) return read_limit(key, text, &solve->limits.tolerance);
  if (strcmp(key, "max_time") == 0) return read_limit(key, text, &solve->limits.max_time);
  if (strcmp(key, "max_iterations") != 0)
    return dls_solver_set_option(solve->solver, solve->options, key, text);
  DLS_TRY(read_limit(key, text, &iterations));
  solve->limits.max_iterations = (long)iterations;
  return DLS_OK;
}

static DlsStatus prepare(const DlsStudy *s, int row, Solve *solve) {
  DLS_TRY(dls_solver_find(value_of(s, row, "solver"), &solve->solver));
  solve->options = calloc(1, solve->solver->option_bytes + 1);
  DLS_CHECK(solve->options, DLS_ERR_MEMORY, "out of memory for the options of the solver");
  dls_solver_defaults(solve->solver, solve->options);
  solve->limits = dls_limits_default();
  const double limit = s->options.limit > 0 ? s->options.limit : s->data.limit;
  if (limit > 0) solve->limits.max_time = limit;
  for (int c = 0; c < s->table.columns; c++)
    for (int k = 0; k < s->table.column[c].nkeys; k++)
      DLS_TRY(set_key(solve, s->table.column[c].keys[k], dls_study_cell(&s->table, row, c)));
  char *path = dls_study_beside(s->deck, value_of(s, row, "problem"));
  const bool there = path && access(path, R_OK) == 0;
  const DlsStatus status =
      s->options.load(there ? path : value_of(s, row, "problem"), &solve->problem);
  free(path);
  DLS_TRY(status);
  const size_t rows =
      (size_t)dls_problem_contacts(solve->problem) * (size_t)dls_problem_block(solve->problem);
  solve->r = calloc(rows + 1, sizeof *solve->r);
  solve->u = calloc(rows + 1, sizeof *solve->u);
  DLS_CHECK(solve->r && solve->u, DLS_ERR_MEMORY, "out of memory for %zu numbers", rows);
  return DLS_OK;
}

static int asked(void *context, long iteration, double time_s, double error) {
  const DlsStudy *s = context;
  (void)iteration, (void)time_s, (void)error;
  return atomic_load(&s->board->stop);
}

/* One row: what `delassus solve --json` tells, and the work counted. */
static DlsStatus write_row(const Solve *solve, const char *folder) {
  const DlsReport *r = &solve->report;
  const DlsErrors *e = &solve->errors;
  const struct {
    const char *name, *unit;
    double value;
  } cells[] = {{"contacts", "", dls_problem_contacts(solve->problem)},
               {"converged", "", r->outcome == DLS_CONVERGED},
               {"iterations", "", (double)r->iterations},
               {"time", "s", r->time_s},
               {"error", "", r->error},
               {"natural", "", e->natural},
               {"natural_q", "", e->natural_q},
               {"scaled", "", e->scaled},
               {"bipotential", "J", e->bipotential},
               {"penetration", "m/s", e->penetration},
               {"open", "", e->open},
               {"slip", "", e->slip},
               {"stick", "", e->stick},
#define WORK_CELL(name) {#name, "", (double)r->work.name},
               DLS_WORK_LIST(WORK_CELL)
#undef WORK_CELL
  };
  DlsCsvColumn column[DLS_COUNT(cells)];
  double value[DLS_COUNT(cells)];
  char path[DLS_STUDY_PATH + 64];
  DlsCsv *csv = NULL;
  for (int k = 0; k < DLS_COUNT(cells); k++) {
    column[k] = (DlsCsvColumn){cells[k].name, cells[k].unit};
    value[k] = cells[k].value;
  }
  snprintf(path, sizeof path, "%s/solve.csv", folder);
  DLS_TRY(dls_csv_create(path, column, DLS_COUNT(cells), NULL, &csv));
  const DlsStatus status = dls_csv_row(csv, value);
  const DlsStatus closed = dls_csv_close(&csv);
  return status != DLS_OK ? status : closed;
}

static DlsStatus solve_row(const DlsStudy *s, int row, const char *folder, Solve *solve,
                           DlsStudyOutcome *out) {
  const DlsMonitor monitor = {.call = asked, .context = (void *)s};
  DLS_TRY(prepare(s, row, solve));
  DLS_TRY(dls_solve(solve->solver, solve->problem, solve->options, &solve->limits, &monitor,
                    solve->r, solve->u, &solve->report));
  if (solve->report.outcome == DLS_STOPPED) {
    out->state = DLS_STUDY_WAITING;
    return DLS_OK;
  }
  DLS_TRY(dls_errors_measure(solve->problem, solve->r, solve->u, &solve->errors));
  return write_row(solve, folder);
}

/* How a solve ended is in its row: so is whether it is there. */
static DlsStatus look(const char *folder, DlsStudyOutcome *out, bool *there) {
  static const DlsStudyResult converged = {
      .of = "solve", .column = "converged", .take = 0, .at = NAN, .from = NAN, .to = NAN};
  char path[DLS_STUDY_PATH + 64], unit[DLS_STUDY_UNIT];
  double value;
  snprintf(path, sizeof path, "%s/solve.csv", folder);
  *there = access(path, R_OK) == 0 && dls_study_take(&converged, folder, &value, unit) == DLS_OK &&
           !isnan(value);
  if (*there && value == 0) out->state = DLS_STUDY_UNCONVERGED;
  return DLS_OK;
}

DlsStatus dls_study_solve(const DlsStudy *s, int row, const char *folder, DlsStudyOutcome *out) {
  Solve solve = {0};
  bool there;
  DLS_TRY(look(folder, out, &there));
  if (there) return DLS_OK;
  const DlsStatus status = solve_row(s, row, folder, &solve, out);
  dls_problem_destroy(&solve.problem);
  free(solve.options);
  free(solve.r);
  free(solve.u);
  DLS_TRY(status);
  return out->state == DLS_STUDY_DONE ? look(folder, out, &there) : DLS_OK;
}
