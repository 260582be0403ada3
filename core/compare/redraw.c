#include "compare/redraw.h"

#include <limits.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "compare/page.h"
#include "compare/problems.h"
#include "compare/race/csv.h"
#include "compare/race/row.h"

enum { LINE = 4096, COLUMNS = 128, SOLVERS = 256 };

/* What runs.csv tells besides its runs. */
typedef struct {
  char solver[SOLVERS][DLS_RACE_NAME];
  int solvers;
  double tolerance[DLS_RACE_TOLERANCES];
  int tolerances;
  double limit_s, limit_work;
  bool limitless; /* some run had no limit of work */
  long limit_mb;
  DlsMeasure measure;
  DlsClock clock;
  bool one_pass;
  char start[DLS_RACE_WORD];
} Findings;

static int cut(char *line, char *word[COLUMNS]) {
  int count = 0;
  for (char *at = line; at && count < COLUMNS;) {
    word[count++] = at;
    at = strchr(at, ',');
    if (at) *at++ = '\0';
  }
  return count;
}

/* Columns that are read, by name. */
enum { SOLVER, TOLERANCE, LIMIT_S, LIMIT_WORK, LIMIT_MB, MEASURE, CLOCK, PASS, START, WANTED };
static const char *const wanted[WANTED] = {"solver",     "tolerance", "limit_s",
                                           "limit_work", "limit_mb",  "measure",
                                           "clock",      "pass",      "start"};

static DlsStatus find_columns(char *line, const char *path, int column[WANTED]) {
  char *word[COLUMNS];
  const int count = cut(line, word);
  for (int k = 0; k < WANTED; k++) {
    column[k] = -1;
    for (int i = 0; i < count; i++)
      if (strcmp(word[i], wanted[k]) == 0) column[k] = i;
    DLS_CHECK(column[k] >= 0, DLS_ERR_FORMAT,
              "%s:1: no column %s; is this a folder of delassus compare?", path, wanted[k]);
  }
  return DLS_OK;
}

static void note_solver(const char *name, Findings *out) {
  for (int s = 0; s < out->solvers; s++)
    if (strcmp(out->solver[s], name) == 0) return;
  if (out->solvers < SOLVERS) snprintf(out->solver[out->solvers++], DLS_RACE_NAME, "%s", name);
}

static void note_tolerance(double tolerance, Findings *out) {
  for (int t = 0; t < out->tolerances; t++)
    if (out->tolerance[t] == tolerance) return;
  if (out->tolerances < DLS_RACE_TOLERANCES) out->tolerance[out->tolerances++] = tolerance;
}

static DlsStatus look_through(FILE *file, const char *path, Findings *out) {
  char line[LINE], *word[COLUMNS];
  int column[WANTED] = {0};
  for (int number = 1; fgets(line, sizeof line, file); number++) {
    line[strcspn(line, "\r\n")] = '\0';
    if (number == 1) {
      DLS_TRY(find_columns(line, path, column));
      continue;
    }
    const int count = cut(line, word);
    for (int k = 0; k < WANTED; k++)
      DLS_CHECK(column[k] < count, DLS_ERR_FORMAT, "%s:%d: a row without %s", path, number,
                wanted[k]);
    note_solver(word[column[SOLVER]], out);
    note_tolerance(strtod(word[column[TOLERANCE]], NULL), out);
    out->limit_s = fmax(out->limit_s, strtod(word[column[LIMIT_S]], NULL));
    const long megabytes = atol(word[column[LIMIT_MB]]);
    if (megabytes > out->limit_mb) out->limit_mb = megabytes;
    const double work = strtod(word[column[LIMIT_WORK]], NULL);
    out->limit_work = fmax(out->limit_work, work);
    out->limitless = out->limitless || !(work > 0);
    for (int m = 0; m < DLS_MEASURE_COUNT; m++)
      if (strcmp(word[column[MEASURE]], dls_measure_word((DlsMeasure)m)) == 0)
        out->measure = (DlsMeasure)m;
    out->clock = strcmp(word[column[CLOCK]], "cpu") == 0 ? DLS_CLOCK_CPU : DLS_CLOCK_WALL;
    out->one_pass = strcmp(word[column[PASS]], "one") == 0;
    snprintf(out->start, sizeof out->start, "%s", word[column[START]]);
  }
  return DLS_OK;
}

static DlsStatus look(const char *folder, Findings *out) {
  char path[PATH_MAX];
  FILE *file;
  snprintf(path, sizeof path, "%s/runs.csv", folder);
  DLS_TRY(dls_file_open(path, &file));
  const DlsStatus status = look_through(file, path, out);
  fclose(file);
  DLS_TRY(status);
  DLS_CHECK(out->solvers > 0, DLS_ERR_FORMAT, "%s: no runs in it", path);
  return DLS_OK;
}

/* The solvers that are wanted, in the order wanted, each one of those that ran. */
static DlsStatus choose_solvers(const char *list, Findings *f) {
  char chosen[SOLVERS][DLS_RACE_NAME];
  int count = 0;
  for (const char *at = list; at && *at && count < SOLVERS;) {
    const size_t length = strcspn(at, ",");
    snprintf(chosen[count], DLS_RACE_NAME, "%.*s", (int)length, at);
    bool ran = false;
    for (int s = 0; s < f->solvers; s++) ran = ran || strcmp(f->solver[s], chosen[count]) == 0;
    DLS_CHECK(ran, DLS_ERR_ARGUMENT, "solver %s did not run in this race; the first that did: %s",
              chosen[count], f->solver[0]);
    count++;
    at += length + (at[length] == ',');
  }
  if (!list || strcmp(list, "all") == 0) return DLS_OK;
  memcpy(f->solver, chosen, sizeof *chosen * (size_t)count);
  f->solvers = count;
  return DLS_OK;
}

/* Keeps the problems whose names match. */
static DlsStatus choose_problems(const char *pattern, DlsRaceProblem *problem, int *count) {
  regex_t regex;
  int kept = 0;
  if (!pattern) return DLS_OK;
  const int wrong = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB);
  if (wrong) {
    char why[128];
    regerror(wrong, &regex, why, sizeof why);
    return dls_fail(DLS_ERR_ARGUMENT, "problems %s: no regular expression: %s", pattern, why);
  }
  for (int p = 0; p < *count; p++)
    if (regexec(&regex, problem[p].name, 0, NULL, 0) == 0) problem[kept++] = problem[p];
  regfree(&regex);
  DLS_CHECK(kept > 0, DLS_ERR_ARGUMENT, "problems %s: none of %d names matches; the first is %s",
            pattern, *count, *count ? problem[0].name : "missing");
  *count = kept;
  return DLS_OK;
}

static DlsStatus fill(const char *folder, const DlsRedraw *what, Findings *f,
                      const DlsRaceProblem *problem, int problems, DlsRace *race) {
  int found = 0;
  DLS_TRY(dls_race_create(problems, f->solvers, race));
  memcpy(race->problem, problem, (size_t)problems * sizeof *problem);
  for (int s = 0; s < f->solvers; s++) memcpy(race->solver[s], f->solver[s], DLS_RACE_NAME);
  race->tolerances = what->tolerances ? what->tolerances : f->tolerances;
  memcpy(race->tolerance, what->tolerances ? what->tolerance : f->tolerance,
         (size_t)race->tolerances * sizeof *race->tolerance);
  dls_race_sort_tolerances(race);
  race->max_time = f->limit_s;
  race->max_memory = f->limit_mb;
  race->max_work = f->limitless ? 0 : f->limit_work;
  race->measure = f->measure;
  race->clock = f->clock;
  race->one_pass = f->one_pass;
  race->as_it_stands = true;
  memcpy(race->start, f->start, sizeof race->start);
  DLS_TRY(dls_race_resume(race, folder, &found));
  DLS_CHECK(found > 0, DLS_ERR_ARGUMENT,
            "%s: none of its runs has all tolerances that are wanted; name those that are", folder);
  dls_race_rows_clear(race);
  return DLS_OK;
}

DlsStatus dls_redraw_open(const char *folder, const DlsRedraw *what, DlsRace *race,
                          DlsAbout *about) {
  Findings *findings;
  DlsRaceProblem *problem = NULL;
  int problems = 0;
  DLS_NEW(findings, 1);
  DlsStatus status = look(folder, findings);
  if (status == DLS_OK) status = choose_solvers(what->solvers, findings);
  if (status == DLS_OK) status = dls_problems_read(folder, &problem, &problems);
  if (status == DLS_OK) status = choose_problems(what->problems, problem, &problems);
  if (status == DLS_OK) status = dls_about_read(folder, about);
  if (status == DLS_OK) status = fill(folder, what, findings, problem, problems, race);
  free(problem);
  free(findings);
  return status;
}

static bool same_folder(const char *a, const char *b) {
  struct stat one, other;
  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

DlsStatus dls_redraw_write(DlsRace *race, const DlsAbout *about, const char *folder,
                           const char *out) {
  DLS_TRY(dls_file_make_folder(out));
  if (!same_folder(folder, out)) {
    DLS_TRY(dls_race_write(race, out));
    DLS_TRY(dls_problems_write(race, out));
    DLS_TRY(dls_about_write(about, out));
  }
  return dls_race_page(race, about, out, true);
}
