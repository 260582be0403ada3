#include "compare/race_csv.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

static const char runs_head[] =
    "problem,contacts,dimension,solver,tolerance,status,iterations,time_s,error_natural,"
    "error_bipotential,peak_rss_mb,error_scaled,amplification,open,slip,stick,total_iterations,"
    "total_s,note";
static const char history_head[2][64] = {"problem,solver,iteration,time_s,error_natural",
                                         "problem,solver,iteration,time_s,error_scaled"};

/* Commas and quotes do not come through: a word stays a word. */
static void put_word(DlsFile *file, const char *text) {
  for (; *text; text++) {
    const char c = *text == ','                ? ';'
                   : *text == '"'              ? '\''
                   : (unsigned char)*text < 32 ? ' '
                                               : *text;
    dls_file_put(file, &c, 1);
  }
}

static void put_number(DlsFile *file, double value) {
  if (isfinite(value)) dls_file_print(file, "%.6g", value);
}

static void put_run(DlsFile *file, const DlsRace *race, int p, int s) {
  const DlsRaceRun *run = dls_race_at(race, p, s);
  for (int t = 0; t < race->tolerances && run->end != DLS_RACE_NONE; t++) {
    const double tolerance = race->tolerance[t], time = dls_race_time(run, tolerance);
    put_word(file, race->problem[p].name);
    dls_file_print(file, ",%d,%d,", race->problem[p].contacts, race->problem[p].dim);
    put_word(file, race->solver[s]);
    dls_file_print(file, ",%g,%s,", tolerance, dls_race_status(run, tolerance));
    if (isfinite(time))
      dls_file_print(file, "%.0f", dls_race_iterations(run, tolerance));
    else
      dls_file_print(file, "%ld", run->iterations);
    dls_file_put(file, ",", 1);
    put_number(file, isfinite(time) ? time : run->time_s);
    dls_file_put(file, ",", 1);
    put_number(file, run->errors.natural);
    dls_file_put(file, ",", 1);
    put_number(file, run->errors.bipotential);
    dls_file_print(file, ",%.1f,", run->peak_mb);
    put_number(file, run->errors.scaled);
    dls_file_put(file, ",", 1);
    put_number(file, run->errors.amplification);
    dls_file_print(file, ",%d,%d,%d,%ld,", run->errors.open, run->errors.slip, run->errors.stick,
                   run->iterations);
    put_number(file, run->time_s);
    dls_file_put(file, ",", 1);
    put_word(file, run->note);
    dls_file_put(file, "\n", 1);
  }
}

static void put_history(DlsFile *file, const DlsRace *race, int p, int s) {
  const DlsRaceRun *run = dls_race_at(race, p, s);
  for (int i = 0; i < run->count; i++) {
    put_word(file, race->problem[p].name);
    dls_file_put(file, ",", 1);
    put_word(file, race->solver[s]);
    dls_file_print(file, ",%ld,%.9g,%.9g\n", run->sample[i].iteration, run->sample[i].time_s,
                   run->sample[i].error);
  }
}

static DlsStatus write_file(const DlsRace *race, const char *folder, const char *name,
                            const char *head,
                            void (*put)(DlsFile *file, const DlsRace *race, int p, int s)) {
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file, "%s\n", head);
  for (int p = 0; p < race->problems; p++)
    for (int s = 0; s < race->solvers; s++) put(file, race, p, s);
  return dls_file_commit(&file);
}

DlsStatus dls_race_write(const DlsRace *race, const char *folder) {
  DLS_TRY(dls_file_make_folder(folder));
  DLS_TRY(write_file(race, folder, "runs.csv", runs_head, put_run));
  return write_file(race, folder, "history.csv", history_head[race->measure], put_history);
}

/* Reading back. Lines are cut at commas. */
enum { LINE = 2048, WORDS = 19 };

static int cut(char *line, char *word[WORDS]) {
  int count = 0;
  line[strcspn(line, "\r\n")] = '\0';
  for (char *at = line; at && count < WORDS;) {
    word[count++] = at;
    at = strchr(at, ',');
    if (at && count < WORDS) *at++ = '\0';
  }
  return count;
}

/* A name as put_word writes it. */
static bool same(const char *written, const char *name) {
  for (; *name && *written; name++, written++) {
    const char c = *name == ','                ? ';'
                   : *name == '"'              ? '\''
                   : (unsigned char)*name < 32 ? ' '
                                               : *name;
    if (c != *written) return false;
  }
  return *name == *written;
}

static DlsRaceRun *find_run(const DlsRace *race, const char *problem, const char *solver) {
  for (int p = 0; p < race->problems; p++)
    for (int s = 0; s < race->solvers; s++)
      if (same(problem, race->problem[p].name) && same(solver, race->solver[s]))
        return dls_race_at(race, p, s);
  return NULL;
}

static double number_of(const char *word) {
  char *end;
  const double value = strtod(word, &end);
  return end == word ? INFINITY : value;
}

/* A row of the tightest tolerance says how a run ended. */
static void take_run(DlsRace *race, char **word, int *found) {
  DlsRaceRun *run = find_run(race, word[0], word[3]);
  const double tightest = race->tolerance[race->tolerances - 1];
  if (!run || fabs(number_of(word[4]) / tightest - 1) > 1e-6) return;
  run->end = DLS_RACE_ENDED;
  run->outcome = DLS_STALLED;
  for (int end = 0; end <= (int)DLS_RACE_MEMORY; end++)
    if (strcmp(word[5], dls_race_end_text((DlsRaceEnd)end)) == 0) run->end = (DlsRaceEnd)end;
  for (int outcome = 0; outcome <= (int)DLS_STOPPED; outcome++)
    if (strcmp(word[5], dls_outcome_text((DlsOutcome)outcome)) == 0)
      run->outcome = (DlsOutcome)outcome;
  run->errors = (DlsErrors){.natural = number_of(word[8]),
                            .bipotential = number_of(word[9]),
                            .scaled = number_of(word[11]),
                            .amplification = number_of(word[12]),
                            .open = atoi(word[13]),
                            .slip = atoi(word[14]),
                            .stick = atoi(word[15])};
  run->peak_mb = number_of(word[10]);
  run->iterations = strtol(word[16], NULL, 10);
  run->time_s = number_of(word[17]);
  snprintf(run->note, sizeof run->note, "%s", word[18]);
  (*found)++;
}

static DlsStatus take_sample(DlsRace *race, char **word) {
  DlsRaceRun *run = find_run(race, word[0], word[1]);
  if (!run || run->end == DLS_RACE_NONE) return DLS_OK;
  if (!run->sample) DLS_NEW(run->sample, DLS_RACE_SAMPLES + 1);
  if (run->count > DLS_RACE_SAMPLES) return DLS_OK;
  run->sample[run->count++] =
      (DlsRaceSample){strtol(word[2], NULL, 10), number_of(word[3]), number_of(word[4])};
  return DLS_OK;
}

static DlsStatus read_file(DlsRace *race, const char *folder, const char *name, const char *head,
                           int columns, int *found) {
  char path[PATH_MAX], line[LINE], *word[WORDS];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file && errno == ENOENT) return DLS_OK;
  if (!file) return dls_file_fail(path, errno);
  DlsStatus status = DLS_OK;
  for (long number = 1; status == DLS_OK && fgets(line, sizeof line, file); number++) {
    if (number == 1) {
      line[strcspn(line, "\r\n")] = '\0';
      if (strcmp(line, head) != 0)
        status =
            dls_fail(DLS_ERR_FORMAT,
                     "%s:1: this is no table of a race like this one; give another --out", path);
      continue;
    }
    if (cut(line, word) != columns)
      status = dls_fail(DLS_ERR_FORMAT, "%s:%ld: a row of %d columns is wanted; give another --out",
                        path, number, columns);
    else if (columns == WORDS)
      take_run(race, word, found);
    else
      status = take_sample(race, word);
  }
  fclose(file);
  return status;
}

DlsStatus dls_race_resume(DlsRace *race, const char *folder, int *found) {
  *found = 0;
  DLS_TRY(read_file(race, folder, "runs.csv", runs_head, WORDS, found));
  return read_file(race, folder, "history.csv", history_head[race->measure], 5, found);
}
