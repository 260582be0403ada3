/* Results of others, read, kept and shown as such; see reported.h. */
#include "compare/reported.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/race/csv.h"
#include "compare/race/row.h"
#include "plot/page.h"
#include "record/columns.h"

enum { MOST_SOLVERS = 64 };

/* Where the columns of a table stand; -1: not there. */
typedef struct {
  DlsColumns table;
  int problem, hash, solver, tolerance, time, iterations, error, status, source;
} Reported;

static int either(const DlsColumns *table, const char *first, const char *second) {
  const int column = dls_columns_find(table, first);
  return column >= 0 ? column : dls_columns_find(table, second);
}

static DlsStatus open_table(const char *path, Reported *out) {
  DLS_TRY(dls_columns_read(path, &out->table));
  const DlsColumns *t = &out->table;
  DLS_TRY(dls_columns_need(t, "solver", &out->solver));
  DLS_TRY(dls_columns_need(t, "tolerance", &out->tolerance));
  out->problem = dls_columns_find(t, "problem");
  out->hash = dls_columns_find(t, "hash");
  out->time = either(t, "time_s", "time");
  if (out->time < 0) out->time = dls_columns_find(t, "cpu_s");
  out->iterations = dls_columns_find(t, "iterations");
  out->error = either(t, "error", "error_natural");
  out->status = dls_columns_find(t, "status");
  out->source = dls_columns_find(t, "source");
  DLS_CHECK(out->problem >= 0 || out->hash >= 0, DLS_ERR_FORMAT,
            "%s: no column `problem` and none `hash`: give one, so that its rows find their "
            "problems",
            path);
  DLS_CHECK(out->time >= 0, DLS_ERR_FORMAT, "%s: no column `time_s`, in seconds", path);
  return DLS_OK;
}

static const char *cell(const Reported *r, int row, int column) {
  return column < 0 ? "" : r->table.cell[(size_t)row * (size_t)r->table.columns + (size_t)column];
}

static double number(const Reported *r, int row, int column) {
  return column < 0 ? NAN : dls_columns_at(&r->table, row, column);
}

/* The problem of a row, by its hash, else by its name; -1: none of the race. */
static int problem_of(const Reported *r, int row, const DlsRace *race) {
  const char *hash = cell(r, row, r->hash), *name = cell(r, row, r->problem);
  for (int p = 0; p < race->problems; p++)
    if (hash[0] ? strcmp(hash, race->problem[p].hash) == 0
                : name[0] && strcmp(name, race->problem[p].name) == 0)
      return p;
  return -1;
}

/* Solved, by the word of who reports it. */
static bool says_solved(const Reported *r, int row) {
  const char *status = cell(r, row, r->status);
  const double time = number(r, row, r->time), error = number(r, row, r->error);
  if (!(time >= 0) || !isfinite(time)) return false;
  if (status[0]) return strcmp(status, "converged") == 0 || strcmp(status, "solved") == 0;
  return isnan(error) || error <= number(r, row, r->tolerance);
}

static void put_words(DlsFile *file, const char *text) {
  for (; *text; text++) {
    const char c = dls_race_plain(*text);
    dls_file_put(file, &c, 1);
  }
  dls_file_put(file, ",", 1);
}

static void put_number(DlsFile *file, double value, const char *after) {
  if (isfinite(value)) dls_file_print(file, "%.9g", value);
  dls_file_print(file, "%s", after);
}

static void put_row(DlsFile *file, const DlsRace *race, const Reported *r, int row,
                    const char *source) {
  const DlsRaceProblem *problem = &race->problem[problem_of(r, row, race)];
  put_words(file, source);
  put_words(file, problem->name);
  put_words(file, problem->hash);
  put_words(file, cell(r, row, r->solver));
  put_number(file, number(r, row, r->tolerance), ",");
  put_words(file, says_solved(r, row) ? "solved" : "not solved");
  put_number(file, number(r, row, r->iterations), ",");
  put_number(file, number(r, row, r->time), ",");
  put_number(file, number(r, row, r->error), "\n");
}

/* Those of the table that the race knows, behind what is there already. */
static void put_rows(DlsFile *file, const DlsRace *race, const Reported *r, const char *source,
                     int *taken, int *left) {
  for (int row = 0; row < r->table.rows; row++) {
    const bool known = problem_of(r, row, race) >= 0;
    *(known ? taken : left) += 1;
    if (known) put_row(file, race, r, row, source ? source : cell(r, row, r->source));
  }
}

static void path_of(const char *folder, char path[PATH_MAX]) {
  snprintf(path, PATH_MAX, "%s/reported.csv", folder);
}

DlsStatus dls_reported_join(const DlsRace *race, const char *path, const char *folder, bool first,
                            int *taken, int *left) {
  char kept[PATH_MAX];
  Reported old = {0}, new = {0};
  DlsFile *file = NULL;
  int unused = 0;
  const char *slash = strrchr(path, '/');
  *taken = *left = 0;
  path_of(folder, kept);
  DlsStatus status = open_table(path, &new);
  if (status == DLS_OK && !first && access(kept, R_OK) == 0) status = open_table(kept, &old);
  if (status == DLS_OK) status = dls_file_begin(kept, &file);
  if (status == DLS_OK) {
    dls_file_print(file, "source,problem,hash,solver,tolerance,status,iterations,time_s,error\n");
    put_rows(file, race, &old, NULL, &unused, &unused);
    put_rows(file, race, &new, slash ? slash + 1 : path, taken, left);
    status = dls_file_commit(&file);
  }
  dls_columns_clear(&old.table);
  dls_columns_clear(&new.table);
  return status;
}

/* Each solver once, in the order of the rows. */
static int list_solvers(const Reported *r, const char *solver[MOST_SOLVERS]) {
  int count = 0;
  for (int row = 0; row < r->table.rows; row++) {
    const char *name = cell(r, row, r->solver);
    int k = 0;
    while (k < count && strcmp(solver[k], name) != 0) k++;
    if (k == count && count < MOST_SOLVERS) solver[count++] = name;
  }
  return count;
}

typedef struct {
  int solved;
  double time_s;
} Sum;

static Sum sum_of(const Reported *r, const DlsRace *race, const char *solver, int t) {
  Sum sum = {0, 0};
  for (int row = 0; row < r->table.rows; row++)
    if (strcmp(cell(r, row, r->solver), solver) == 0 && says_solved(r, row) &&
        dls_race_tolerance(race, number(r, row, r->tolerance)) == t) {
      sum.solved++;
      sum.time_s += number(r, row, r->time);
    }
  return sum;
}

/* *there: some rows are. */
static DlsStatus open_kept(const char *folder, Reported *r, bool *there) {
  char path[PATH_MAX];
  *there = false;
  path_of(folder, path);
  if (access(path, R_OK) != 0) return DLS_OK;
  DLS_TRY(open_table(path, r));
  *there = r->table.rows > 0;
  return DLS_OK;
}

DlsStatus dls_reported_print(const DlsRace *race, const char *folder, FILE *out) {
  Reported r = {0};
  bool there;
  const char *solver[MOST_SOLVERS];
  const DlsStatus status = open_kept(folder, &r, &there);
  const int count = status == DLS_OK && there ? list_solvers(&r, solver) : 0;
  if (count) fprintf(out, "as reported by others, not measured here:\n");
  for (int k = 0; k < count; k++) {
    fprintf(out, "%-24.24s", solver[k]);
    for (int t = 0; t < race->tolerances; t++) {
      const Sum sum = sum_of(&r, race, solver[k], t);
      fprintf(out, "  %6d of %-6d  %10.4g", sum.solved, race->problems, sum.time_s);
    }
    fprintf(out, "\n");
  }
  dls_columns_clear(&r.table);
  return status;
}

static void put_cell(DlsFile *page, double value, const char *format) {
  dls_file_print(page, "<td>");
  if (isfinite(value)) dls_file_print(page, format, value);
}

DlsStatus dls_reported_page(DlsFile *page, const DlsRace *race, const char *folder) {
  Reported r = {0};
  bool there;
  const DlsStatus status = open_kept(folder, &r, &there);
  if (status == DLS_OK && there) {
    dls_file_print(page,
                   "<h2 id=reported>As reported by others</h2><p>Rows that were joined from files: "
                   "measured elsewhere, on another machine, by who made them. They were not "
                   "checked, and are in no profile, count or best time of this page.</p>\n");
    dls_page_table(page, "dense",
                   "problem|:solver, as reported|tolerance|:status|iterations|time in s|error"
                   "|:file</tr>\n");
    for (int row = 0; row < r.table.rows; row++) {
      if (problem_of(&r, row, race) < 0 ||
          dls_race_tolerance(race, number(&r, row, r.tolerance)) < 0)
        continue;
      dls_file_print(page, "<tr><td>");
      dls_page_text(page, cell(&r, row, r.problem));
      dls_file_print(page, "<td class=left><i>");
      dls_page_text(page, cell(&r, row, r.solver));
      dls_file_print(page, "</i><td>%g<td class=left>", number(&r, row, r.tolerance));
      dls_page_text(page, cell(&r, row, r.status));
      put_cell(page, number(&r, row, r.iterations), "%.0f");
      put_cell(page, number(&r, row, r.time), "%.4g");
      put_cell(page, number(&r, row, r.error), "%.2e");
      dls_file_print(page, "<td class=left>");
      dls_page_text(page, cell(&r, row, r.source));
      dls_file_print(page, "</tr>\n");
    }
    dls_page_table_end(page);
  }
  dls_columns_clear(&r.table);
  return status;
}
