/* delassus law path: one contact driven along a path, and what the law answers, as a table and a
 * drawing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/law/choice.h"
#include "app/law/failed.h"
#include "law_bench/failure_file.h"
#include "law_bench/point.h"
#include "record/csv.h"

enum {
  MAX_WORDS = 2 * DLS_MAX_BLOCK + 2 * DLS_MAX_PARAMS,
  MAX_COLUMNS = MAX_WORDS + DLS_MAX_PARAMS + 8,
};

typedef struct {
  AppLawChoice choice;
  AppTexts words; /* the law and the path */
  const char *file, *out, *replay;
  double mass, radius, gap, area;
} Job;

static const AppOption options[] = {
    APP_OPERANDS_ROW(Job, words),
    APP_LAW_ROWS(Job, choice),
    APP_REAL_ROW(Job, mass, "mass", "KG", APP_ABOVE_0, APP_ANY,
                 "reduced mass behind a component driven by a force; 1"),
    APP_REAL_ROW(Job, radius, "radius", "M", 0, APP_ANY, "reduced radius that the law sees; 0.005"),
    APP_REAL_ROW(Job, gap, "gap", "M", -APP_ANY, APP_ANY, "gap at the beginning; 0"),
    APP_REAL_ROW(Job, area, "area", "M2", 0, APP_ANY,
                 "area that the contact stands for, for laws that give a stress; 1e-4; 0 unknown"),
    APP_TEXT_ROW(Job, out, "out", "FILE.csv", "the table; NAME-path.csv unless given"),
    APP_TEXT_ROW(Job, replay, "replay", "FILE",
                 "asks again what a run left in law-failure.yaml; no NAME, no PATH"),
};

/* The header of the table, names kept in `text`. */
static int name_columns(const DlsPoint *point, DlsCsvColumn *columns, char text[][48]) {
  static const struct {
    const char *letter, *unit, *spin;
  } kinds[] = {{"u", "m/s", "rad/s"}, {"f", "N", "N m"}};
  const DlsContact *c = &point->contact;
  const int surfaces = point->law->nsurfaces;
  int count = 0, words = 0;
  columns[count++] = (DlsCsvColumn){"t", "s"};
  columns[count++] = (DlsCsvColumn){"gap", "m"};
  for (int kind = 0; kind < DLS_COUNT(kinds); kind++)
    for (int k = 0; k < c->block; k++) {
      snprintf(text[words], sizeof text[words], "%s_%s", kinds[kind].letter,
               dls_point_component(c->dim, c->block, k));
      columns[count++] =
          (DlsCsvColumn){text[words++], k < c->dim ? kinds[kind].unit : kinds[kind].spin};
    }
  for (int k = 0; k < point->law->nstates; k++)
    columns[count++] = (DlsCsvColumn){point->law->states[k].name, point->law->states[k].unit};
  for (int k = 0; k < 2 * surfaces; k++) {
    const DlsParam *row = &point->law->surfaces[k % surfaces];
    snprintf(text[words], sizeof text[words], "%s.%s", k < surfaces ? "antagonist" : "candidate",
             row->name);
    columns[count++] = (DlsCsvColumn){text[words++], row->unit};
  }
  columns[count++] = (DlsCsvColumn){"stored", "J"};
  columns[count++] = (DlsCsvColumn){"dissipated", "J"};
  columns[count++] = (DlsCsvColumn){"work", "J"};
  return count;
}

static DlsStatus write_row(DlsCsv *csv, const DlsPoint *point, double h) {
  double row[MAX_COLUMNS];
  int count = 0;
  row[count++] = point->contact.time;
  row[count++] = point->contact.gap;
  for (int k = 0; k < point->contact.block; k++) row[count++] = point->u[k];
  for (int k = 0; k < point->contact.block; k++) row[count++] = point->r[k] / h;
  for (int k = 0; k < point->law->nstates; k++) row[count++] = point->state[k];
  for (int k = 0; k < 2 * point->law->nsurfaces; k++)
    row[count++] = point->surface[k / point->law->nsurfaces][k % point->law->nsurfaces];
  row[count++] = point->stored;
  row[count++] = point->dissipated;
  row[count++] = point->work;
  for (int k = 0; k < count; k++) row[k] += 0.0; /* no minus zero */
  return dls_csv_row(csv, row);
}

static DlsStatus drive(DlsPoint *point, const DlsPath *path, DlsCsv *csv, long *held) {
  double before = path->begin;
  point->contact.time = before;
  for (int i = 0; i < path->count; i++) {
    const double h = path->time[i] - before;
    const DlsStatus status =
        dls_point_step(point, h, path->drive + (size_t)i * (size_t)path->block);
    if (status != DLS_OK) return dls_fail_context(status, "step %d of the path", i + 1);
    *held += point->held;
    DLS_TRY(write_row(csv, point, h));
    before = path->time[i];
  }
  return DLS_OK;
}

static DlsStatus follow(const Job *job, const char *out, DlsPoint *point, long *held, int *steps) {
  DlsPath path;
  DlsCsv *csv = NULL;
  DlsCsvColumn columns[MAX_COLUMNS];
  char text[MAX_WORDS][48];
  const DlsCsvOptions often = {.flush_rows = 10000};
  DLS_TRY(dls_point_begin(job->choice.law, job->choice.params, (int)job->choice.dim,
                          (int)job->choice.block, job->mass, point));
  point->contact.gap = job->gap;
  point->contact.radius = job->radius;
  point->contact.area = job->area;
  DLS_TRY(dls_point_path(job->file, point->contact.dim, point->contact.block, &path));
  *steps = path.count;
  DlsStatus status = dls_csv_create(out, columns, name_columns(point, columns, text), &often, &csv);
  if (status == DLS_OK) status = drive(point, &path, csv, held);
  dls_path_clear(&path);
  const DlsStatus closed = status;
  if (status == DLS_OK) return dls_csv_close(&csv);
  char sentence[1024];
  snprintf(sentence, sizeof sentence, "%s", dls_error_message());
  dls_csv_close(&csv);
  return dls_fail(closed, "%s", sentence);
}

static int finish(const AppCommand *self, const Job *job) {
  char name[128];
  DlsPoint point;
  long held = 0;
  int steps = 0;
  snprintf(name, sizeof name, "%s-path.csv", job->choice.law->name);
  const char *out = job->out ? job->out : name;
  const DlsStatus status = follow(job, out, &point, &held, &steps);
  if (status != DLS_OK) return app_law_failed(self, status, out);
  printf("%s: %d steps to t = %g s; gap %g m, stored %g J, dissipated %g J, work %g J\n",
         job->choice.law->name, steps, point.contact.time, point.contact.gap, point.stored,
         point.dissipated, point.work);
  if (held)
    printf("in %ld steps the contact held the machine back: the path asks for what a rigid contact "
           "refuses\n",
           held);
  printf("table: %s\n", out);
  return APP_DONE;
}

/* The call that failed in a run, alone: 1 when it fails again. */
static int replay(const AppCommand *self, const char *file) {
  DlsLawFailure failure;
  if (dls_failure_read(file, &failure) != DLS_OK) return app_refuse_status(self);
  const DlsContact *c = &failure.kinematics;
  if (dls_law_failure_is_load(&failure))
    printf("%s of %s, as it is loaded\nit was: %s\n", failure.function, failure.file,
           failure.sentence);
  else
    printf("%s of %s at t = %g s, gap %g m, step %g s, contact %d\nit was: %s\n", failure.function,
           failure.law[0]->name, c->time, c->gap, c->h, failure.contact, failure.sentence);
  if (dls_law_failure_repeat(&failure) == DLS_OK) {
    printf("now: no failure\n");
    return APP_DONE;
  }
  printf("now: %s\n", dls_error_message());
  return APP_NOT_CONVERGED;
}

static int drive_law(const AppCommand *self, Job *job) {
  if (job->replay) return replay(self, job->replay);
  if (job->words.count > 2)
    return app_refuse(self, "one path at a time; %s is the second", job->words.item[2]);
  if (job->words.count < 2) return app_refuse(self, "write: delassus law path NAME PATH.csv");
  job->choice.name = job->words.item[0];
  job->file = job->words.item[1];
  return app_law_choose(self, &job->choice) ? finish(self, job) : app_refused();
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.mass = 1, .radius = 0.005, .area = 1e-4};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = drive_law(self, &job);
  app_options_clear(self, &job);
  return status;
}

static const char details[] =
    "A path is a CSV file with the columns t and any of u_N, u_T1, u_T2 ... (m/s) and f_N, f_T1 "
    "...\n"
    "(N), or a YAML file with expressions of t:\n"
    "\n"
    "  {step: 1 ms, end: 2 s, u: {T1: \"0.1*sin(2*pi*t)\"}, f: {N: -10}}\n"
    "\n"
    "Components that are not named do not move. u_N > 0 opens the contact; a force f_N < 0 "
    "presses.\n"
    "A law that fails or dies ends the path: the rows before it stand in the table, what it was\n"
    "asked in law-failure.yaml beside it, and the exit status is 1.\n"
    "\n"
    "  delassus law path coulomb slide.yaml --set mu=0.5 --mass 2\n"
    "  delassus law path --replay out/silo/law-failure.yaml\n";

const AppCommand app_law_path = {
    .name = "law path",
    .usage = "NAME PATH.csv|PATH.yaml [options]",
    .summary = "Drives one contact along a path and writes what the law answers",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
