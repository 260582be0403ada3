/* delassus bulk path: one material point driven along a path, and what the law answers, as a
 * table. */
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/bulk/choice.h"
#include "app/bulk/words.h"
#include "record/csv.h"

enum { MAX_COLUMNS = 1 + 12 + DLS_MAX_PARAMS + 3 };

typedef struct {
  AppBulkChoice choice;
  AppTexts words; /* the law and the path */
  const char *file, *out;
  int mode;
} Job;

static const AppOption options[] = {
    APP_OPERANDS_ROW(Job, words),
    APP_BULK_ROWS(Job, choice),
    APP_CHOICE_ROW(Job, mode, "mode", "M", DLS_BULK_MODES,
                   "what components are that the path does not name: free of stress; held without "
                   "strain; plane-strain; plane-stress; uniaxial along xx"),
    APP_TEXT_ROW(Job, out, "out", "FILE.csv", "the table; NAME-path.csv unless given"),
};

/* The header of the table, names kept in `text`. */
static int name_columns(const DlsBulk *law, DlsCsvColumn *columns, char text[][16]) {
  int count = 0;
  columns[count++] = (DlsCsvColumn){"t", "s"};
  for (int k = 0; k < 12; k++) {
    snprintf(text[k], sizeof text[k], "%s_%s", k < 6 ? "strain" : "stress",
             dls_bulk_component[k % 6]);
    columns[count++] = (DlsCsvColumn){text[k], k < 6 ? "1" : "Pa"};
  }
  for (int k = 0; k < law->nstates; k++)
    columns[count++] = (DlsCsvColumn){law->states[k].name, law->states[k].unit};
  columns[count++] = (DlsCsvColumn){"stored", "J/m3"};
  columns[count++] = (DlsCsvColumn){"dissipated", "J/m3"};
  columns[count++] = (DlsCsvColumn){"work", "J/m3"};
  return count;
}

static DlsStatus write_row(DlsCsv *csv, const DlsBulkDrive *point) {
  double row[MAX_COLUMNS];
  int count = 0;
  row[count++] = point->point.time;
  for (int k = 0; k < 6; k++) row[count++] = point->strain[k];
  for (int k = 0; k < 6; k++) row[count++] = point->stress[k];
  for (int k = 0; k < point->law->nstates; k++) row[count++] = point->state[k];
  row[count++] = point->stored;
  row[count++] = point->dissipated;
  row[count++] = point->work;
  for (int k = 0; k < count; k++) row[k] += 0.0; /* no minus zero */
  return dls_csv_row(csv, row);
}

static DlsStatus drive(DlsBulkDrive *point, const DlsPath *path, DlsCsv *csv) {
  double before = path->begin;
  point->point.time = before;
  for (int i = 0; i < path->count; i++) {
    const DlsStatus status =
        dls_bulk_drive_step(point, path->time[i] - before, path->drive + (size_t)i * 6);
    if (status != DLS_OK) return dls_fail_context(status, "step %d of the path", i + 1);
    DLS_TRY(write_row(csv, point));
    before = path->time[i];
  }
  return DLS_OK;
}

static DlsStatus follow(const Job *job, const char *out, DlsBulkDrive *point, int *steps) {
  DlsPath path;
  DlsCsv *csv = NULL;
  DlsCsvColumn columns[MAX_COLUMNS];
  char text[12][16], sentence[1024];
  const DlsCsvOptions often = {.flush_rows = 10000};
  DLS_TRY(dls_bulk_path_read(job->file, (DlsBulkMode)job->mode, &path));
  *steps = path.count;
  DlsStatus status =
      dls_csv_create(out, columns, name_columns(point->law, columns, text), &often, &csv);
  if (status == DLS_OK) status = drive(point, &path, csv);
  dls_path_clear(&path);
  if (status == DLS_OK) return dls_csv_close(&csv);
  snprintf(sentence, sizeof sentence, "%s", dls_error_message());
  dls_csv_close(&csv); /* the rows before stand in the table */
  return dls_fail(status, "%s", sentence);
}

static int drive_law(const AppCommand *self, Job *job) {
  DlsBulkDrive point;
  char name[128];
  int steps = 0;
  if (job->words.count > 2)
    return app_refuse(self, "one path at a time; %s is the second", job->words.item[2]);
  if (job->words.count < 2) return app_refuse(self, "write: delassus bulk path NAME PATH.yaml");
  job->choice.name = job->words.item[0];
  job->file = job->words.item[1];
  if (!app_bulk_choose(self, &job->choice, &point)) return app_refused();
  snprintf(name, sizeof name, "%s-path.csv", point.law->name);
  const char *out = job->out ? job->out : name;
  const DlsStatus status = follow(job, out, &point, &steps);
  if (status != DLS_OK) {
    const int refused = app_refuse_status(self);
    return status == DLS_ERR_LAW ? APP_NOT_CONVERGED : refused;
  }
  printf(
      "%s: %d steps to t = %g s, strains %s; stored %g, dissipated %g, work %g J/m3\ntable: %s\n",
      point.law->name, steps, point.point.time, app_bulk_measure(point.point.measure), point.stored,
      point.dissipated, point.work, out);
  return APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {0};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = drive_law(self, &job);
  app_options_clear(self, &job);
  return status;
}

static const char details[] =
    "A path is a CSV file with the columns t and any of strain_xx, strain_yy, strain_zz, "
    "strain_xy,\n"
    "strain_yz, strain_xz (shears twice the tensor's) and stress_xx ... (Pa), or a YAML file with\n"
    "expressions of t, which hold at the end of each step:\n"
    "\n"
    "  {step: 10 ms, end: 2 s, strain: {xx: \"0.01*sin(pi*t)\"}, stress: {yy: -1e5}}\n"
    "\n"
    "Components that are not named have no stress, unless --mode says otherwise. Strains and\n"
    "stresses are those of the measure: with green, stresses are the second of Piola and "
    "Kirchhoff.\n"
    "A law that fails ends the path: the rows before it stand in the table, the exit status is 1.\n"
    "\n"
    "  delassus bulk path j2 pull.yaml --set hardening=1e8\n";

const AppCommand app_bulk_path = {
    .name = "bulk path",
    .usage = "NAME PATH.csv|PATH.yaml [options]",
    .summary = "Drives one material point along a path and writes what the law answers",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
