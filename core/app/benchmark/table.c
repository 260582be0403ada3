/* The best of a race on the benchmark set, problem by problem; see table.h. */
#include "app/benchmark/table.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/benchmark/set.h"
#include "record/columns.h"

enum { TOLERANCES = 8 };

/* Columns of runs.csv that count here. */
typedef struct {
  DlsColumns table;
  int hash, solver, tolerance, status, time, error;
  int tolerances;
  double tight[TOLERANCES]; /* the loosest first */
} Runs;

static const char *cell(const DlsColumns *c, int row, int column) {
  return c->cell[(size_t)row * (size_t)c->columns + (size_t)column];
}

static void note_tolerance(Runs *runs, double tolerance) {
  int at = 0;
  while (at < runs->tolerances && runs->tight[at] > tolerance) at++;
  if (at < runs->tolerances && runs->tight[at] == tolerance) return;
  if (runs->tolerances == TOLERANCES) return;
  memmove(runs->tight + at + 1, runs->tight + at,
          (size_t)(runs->tolerances - at) * sizeof *runs->tight);
  runs->tight[at] = tolerance;
  runs->tolerances++;
}

static DlsStatus read_runs(const char *race, Runs *runs) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/runs.csv", race);
  DLS_TRY(dls_columns_read(path, &runs->table));
  DLS_TRY(dls_columns_need(&runs->table, "hash", &runs->hash));
  DLS_TRY(dls_columns_need(&runs->table, "solver", &runs->solver));
  DLS_TRY(dls_columns_need(&runs->table, "tolerance", &runs->tolerance));
  DLS_TRY(dls_columns_need(&runs->table, "status", &runs->status));
  runs->time = dls_columns_find(&runs->table, "cpu_s"); /* of the processor, where it is told */
  if (runs->time < 0) DLS_TRY(dls_columns_need(&runs->table, "time_s", &runs->time));
  DLS_TRY(dls_columns_need(&runs->table, "error_natural", &runs->error));
  for (int k = 0; k < runs->table.rows; k++)
    note_tolerance(runs, dls_columns_at(&runs->table, k, runs->tolerance));
  return DLS_OK;
}

/* The row with the least of a column; of those that reached `tolerance`, or of all where that is 0.
 * -1: none. */
static int best(const Runs *runs, const char *hash, double tolerance, int column) {
  int found = -1;
  for (int k = 0; k < runs->table.rows; k++) {
    const double value = dls_columns_at(&runs->table, k, column);
    if (strcmp(cell(&runs->table, k, runs->hash), hash) != 0 || !isfinite(value)) continue;
    if (tolerance > 0 && (dls_columns_at(&runs->table, k, runs->tolerance) != tolerance ||
                          strcmp(cell(&runs->table, k, runs->status), "converged") != 0))
      continue;
    if (found < 0 || value < dls_columns_at(&runs->table, found, column)) found = k;
  }
  return found;
}

static void print_row(const DlsColumns *m, const int *column, int row, const Runs *runs) {
  const char *hash = cell(m, row, column[5]);
  printf("| `%s` | %s | %s | %s | %s |", cell(m, row, column[0]), cell(m, row, column[1]),
         cell(m, row, column[2]), cell(m, row, column[3]), cell(m, row, column[4]));
  for (int t = 0; t < runs->tolerances; t++) {
    const int k = best(runs, hash, runs->tight[t], runs->time);
    if (k < 0)
      printf(" not reached |");
    else
      printf(" %s, %.3g s |", cell(&runs->table, k, runs->solver),
             dls_columns_at(&runs->table, k, runs->time));
  }
  const int k = best(runs, hash, 0, runs->error);
  if (k < 0)
    printf(" |");
  else
    printf(" %.1e, %s |", dls_columns_at(&runs->table, k, runs->error),
           cell(&runs->table, k, runs->solver));
  printf(" `%s` |\n", hash);
}

static DlsStatus print_table(const DlsColumns *manifest, const Runs *runs) {
  static const char *const names[] = {"name", "dimension", "contacts", "relations", "rank", "hash"};
  int column[DLS_COUNT(names)];
  for (int k = 0; k < DLS_COUNT(names); k++)
    DLS_TRY(dls_columns_need(manifest, names[k], &column[k]));
  printf("| problem | dimension | contacts | relations | rank of W |");
  for (int t = 0; t < runs->tolerances; t++) printf(" fastest to %g |", runs->tight[t]);
  printf(" best error | hash |\n|---|---|---|---|---|");
  for (int t = 0; t < runs->tolerances; t++) printf("---|");
  printf("---|---|\n");
  for (int row = 0; row < manifest->rows; row++) print_row(manifest, column, row, runs);
  return DLS_OK;
}

DlsStatus app_set_table(const char *folder, const char *race) {
  char path[PATH_MAX];
  DlsColumns manifest = {0};
  Runs runs = {0};
  snprintf(path, sizeof path, "%s/manifest.csv", folder);
  DlsStatus status = dls_columns_read(path, &manifest);
  if (status == DLS_OK) status = read_runs(race, &runs);
  if (status == DLS_OK) status = print_table(&manifest, &runs);
  dls_columns_clear(&manifest);
  dls_columns_clear(&runs.table);
  return status;
}
