/* The tables of an earlier race, read back: what is whole is taken over, the rest is kept as it
 * stands. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/names.h"
#include "compare/race/csv.h"
#include "compare/race/row.h"

enum { LINE = 2048 };

/* Columns of runs.csv by the names in its head, and those of convergence.csv. */
enum {
  PROBLEM,
  CONTACTS,
  DIMENSION,
  SOLVER,
  TOLERANCE,
  STATUS,
  ITERATIONS,
  TIME,
  WALL,
  CPU,
  WORK,
  NATURAL,
  BIPOTENTIAL,
  PEAK,
  SCALED,
  NATURAL_Q,
  AMPLIFICATION,
  OPEN,
  SLIP,
  STICK,
  TOTAL_ITERATIONS,
  TOTAL_TIME,
  TOTAL_WALL,
  TOTAL_CPU,
  TOTAL_WORK,
  SAID,
  MEASURED,
  CLAIM_ITERATIONS,
  CLAIM_TIME,
  CLAIM_WALL,
  CLAIM_CPU,
  CLAIM_WORK,
  LIMIT_S,
  LIMIT_WORK,
  LIMIT_MB,
  MEASURE,
  CLOCK,
  PASS,
  HASH,
  FORM,
  START,
  REASON,
#define COLUMN(name) WORK_##name,
  DLS_WORK_LIST(COLUMN)
#undef COLUMN
      NOTE,
  RUN_COLUMNS
};
enum {
  H_PROBLEM,
  H_SOLVER,
  H_ITERATION,
  H_TIME,
  H_WALL,
  H_CPU,
  H_WORK,
  H_ERROR,
  H_MEASURE,
  H_CLOCK,
  H_PASS,
  H_HASH,
  H_FORM,
  H_START,
  H_TOLERANCE,
  CONVERGENCE_COLUMNS
};

typedef struct {
  DlsRace *race;
  DlsRaceTable table;
  int columns;
  unsigned *seen; /* [runs]: the tolerances whose row has been read, a bit each */
  DlsNames problems, solvers;
} Reading;

/* A line cut at commas. */
static int cut(char *line, char *word[RUN_COLUMNS], int most) {
  int count = 0;
  for (char *at = line; at && count < most;) {
    word[count++] = at;
    at = strchr(at, ',');
    if (at && count < most) *at++ = '\0';
  }
  return count;
}

/* A name as it is written. */
static bool same(const char *written, const char *name) {
  for (; *name && *written; name++, written++)
    if (dls_race_plain(*name) != *written) return false;
  return *name == *written;
}

/* A solver's name as it is written. */
static void write_plain(const char *name, char out[DLS_RACE_NAME]) {
  size_t k = 0;
  for (; name[k] && k + 1 < DLS_RACE_NAME; k++) out[k] = dls_race_plain(name[k]);
  out[k] = '\0';
}

/* What tells problems apart: the fingerprint and the form of W. */
static void write_key(const char *hash, const char *form, char out[LINE]) {
  snprintf(out, LINE, "%s %s", hash, form);
}

/* Tables may have millions of rows: problems and solvers are found without a walk over all. The
 * first of equals counts. */
static DlsStatus index_race(Reading *reading) {
  const DlsRace *race = reading->race;
  char key[LINE], name[DLS_RACE_NAME];
  for (int p = 0; p < race->problems; p++) {
    write_key(race->problem[p].hash, race->problem[p].form, key);
    DLS_TRY(dls_names_add(&reading->problems, key, p, NULL));
  }
  for (int s = 0; s < race->solvers; s++) {
    write_plain(race->solver[s], name);
    DLS_TRY(dls_names_add(&reading->solvers, name, s, NULL));
  }
  return DLS_OK;
}

/* Whether a row, whose columns from `first` on are measure, clock and pass, is of a race like this
 * one. */
static bool is_alike(const DlsRace *race, char *const *first) {
  return strcmp(first[0], dls_measure_word(race->measure)) == 0 &&
         strcmp(first[1], dls_race_clock_word(race)) == 0 &&
         strcmp(first[2], dls_race_pass_word(race)) == 0;
}

/* The run that a row is of; -1: none of this race. */
static int find_run(const Reading *reading, const char *hash, const char *form, const char *start,
                    const char *solver) {
  char key[LINE], name[DLS_RACE_NAME];
  if (!same(start, reading->race->start) || strlen(solver) >= sizeof name) return -1;
  write_key(hash, form, key);
  write_plain(solver, name);
  const int p = dls_names_find(&reading->problems, key, strlen(key));
  const int s = dls_names_find(&reading->solvers, name, strlen(name));
  return p < 0 || s < 0 ? -1 : p * reading->race->solvers + s;
}

static double number_of(const char *word) {
  char *end;
  const double value = strtod(word, &end);
  return end == word ? INFINITY : value;
}

/* A whole number from 0 to `most`; 0 where the word is none. */
static long count_of(const char *word, long most) {
  int64_t value = 0;
  return dls_checked_text(word, strlen(word), 0, most, &value) ? (long)value : 0;
}

/* The note without the claim that stands before it. */
static const char *note_of(const char *note) {
  if (strncmp(note, "said ", 5) != 0 || !strstr(note, "; measured ")) return note;
  const char *end = strstr(note, ". ");
  return end ? end + 2 : "";
}

static void take_end(const char *status, DlsRaceProof *solve) {
  static const char *const outcomes[] = {
#define TEXT(code, text) text,
      DLS_OUTCOME_LIST(TEXT)
#undef TEXT
  };
  solve->end = DLS_RACE_ENDED;
  solve->outcome = DLS_STALLED; /* what a claim that was not true ends as */
  for (int end = 0; end < (int)DLS_RACE_ENDS; end++)
    if (strcmp(status, dls_race_end_text((DlsRaceEnd)end)) == 0) solve->end = (DlsRaceEnd)end;
  for (int outcome = 0; outcome < DLS_COUNT(outcomes); outcome++)
    if (strcmp(status, outcomes[outcome]) == 0) solve->outcome = (DlsOutcome)outcome;
}

/* The solve that a row is of. */
static DlsRaceProof solve_of(char **word) {
  DlsRaceProof solve = {.iteration = count_of(word[CLAIM_ITERATIONS], LONG_MAX),
                        .time_s = number_of(word[CLAIM_TIME]),
                        .wall_s = number_of(word[CLAIM_WALL]),
                        .cpu_s = number_of(word[CLAIM_CPU]),
                        .work = number_of(word[CLAIM_WORK]),
                        .said = number_of(word[SAID]),
                        .boast = strcmp(word[SAID], "converged") == 0,
                        .measured = number_of(word[MEASURED]),
                        .peak_mb = number_of(word[PEAK])};
  take_end(word[STATUS], &solve);
  solve.errors = (DlsErrors){.natural = number_of(word[NATURAL]),
                             .natural_q = number_of(word[NATURAL_Q]),
                             .bipotential = number_of(word[BIPOTENTIAL]),
                             .scaled = number_of(word[SCALED]),
                             .amplification = number_of(word[AMPLIFICATION]),
                             .open = (int)count_of(word[OPEN], INT_MAX),
                             .slip = (int)count_of(word[SLIP], INT_MAX),
                             .stick = (int)count_of(word[STICK], INT_MAX)};
  for (int k = 0; k < DLS_REASON_COUNT; k++)
    if (same(word[REASON], dls_reason_text((DlsReason)k))) solve.reason = (DlsReason)k;
#define TAKE(name) solve.counts.name = count_of(word[WORK_##name], LONG_MAX);
  DLS_WORK_LIST(TAKE)
#undef TAKE
  snprintf(solve.note, sizeof solve.note, "%s", note_of(word[NOTE]));
  return solve;
}

/* A row has the solve to its tolerance, or the claim of it; that of the tightest says how the run
 * ended. */
static void take_row(Reading *reading, char **word, int number, int which) {
  DlsRace *race = reading->race;
  DlsRaceRun *run = &race->run[number];
  const DlsRaceProof solve = solve_of(word);
  reading->seen[number] |= 1u << which;
  run->proof[which] = solve;
  if (which != dls_race_last(race)) return;
  run->end = solve.end;
  run->outcome = solve.outcome;
  run->reason = solve.reason;
  run->counts = solve.counts;
  run->errors = solve.errors;
  run->peak_mb = solve.peak_mb;
  memcpy(run->note, solve.note, sizeof run->note);
  run->iterations = count_of(word[TOTAL_ITERATIONS], LONG_MAX);
  run->time_s = number_of(word[TOTAL_TIME]);
  run->wall_s = number_of(word[TOTAL_WALL]);
  run->cpu_s = number_of(word[TOTAL_CPU]);
  run->work = number_of(word[TOTAL_WORK]);
  run->limit_s = number_of(word[LIMIT_S]);
  run->limit_work = number_of(word[LIMIT_WORK]);
  run->limit_mb = count_of(word[LIMIT_MB], LONG_MAX);
}

static DlsStatus take_sample(DlsRaceRun *run, char **word) {
  if (!run->sample) DLS_NEW(run->sample, DLS_RACE_SAMPLES + 1);
  if (run->count > DLS_RACE_SAMPLES) return DLS_OK;
  run->sample[run->count++] = (DlsRaceSample){.iteration = count_of(word[H_ITERATION], LONG_MAX),
                                              .time_s = number_of(word[H_TIME]),
                                              .wall_s = number_of(word[H_WALL]),
                                              .cpu_s = number_of(word[H_CPU]),
                                              .work = number_of(word[H_WORK]),
                                              .error = number_of(word[H_ERROR])};
  return DLS_OK;
}

static DlsStatus take_line(Reading *reading, const char *path, long number, char *line) {
  DlsRace *race = reading->race;
  char *word[RUN_COLUMNS], whole[LINE];
  const bool runs = reading->table == DLS_RACE_RUNS;
  memcpy(whole, line, strlen(line) + 1);
  DLS_CHECK(cut(line, word, reading->columns) == reading->columns, DLS_ERR_FORMAT,
            "%s:%ld: a row of %d columns is wanted; give another folder", path, number,
            reading->columns);
  const double tolerance = number_of(word[runs ? TOLERANCE : H_TOLERANCE]);
  const int run = is_alike(race, &word[runs ? MEASURE : H_MEASURE])
                      ? find_run(reading, word[runs ? HASH : H_HASH], word[runs ? FORM : H_FORM],
                                 word[runs ? START : H_START], word[runs ? SOLVER : H_SOLVER])
                      : -1;
  const int which = dls_race_tolerance(race, tolerance);
  DLS_TRY(dls_race_rows_add(race, reading->table, run, tolerance, whole));
  if (run < 0 || which < 0) return DLS_OK;
  if (runs)
    take_row(reading, word, run, which);
  else if (which == dls_race_last(race) && race->run[run].end != DLS_RACE_NONE)
    return take_sample(&race->run[run], word);
  return DLS_OK;
}

static DlsStatus read_table(Reading *reading, const char *folder, const char *name,
                            const char *head) {
  char path[PATH_MAX], line[LINE];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file;
  if (access(path, F_OK) != 0 && errno == ENOENT) return DLS_OK;
  DLS_TRY(dls_file_open(path, &file));
  DlsStatus status = DLS_OK;
  for (long number = 1; status == DLS_OK && fgets(line, sizeof line, file); number++) {
    line[strcspn(line, "\r\n")] = '\0';
    if (number > 1)
      status = take_line(reading, path, number, line);
    else if (strcmp(line, head) != 0)
      status =
          dls_fail(DLS_ERR_FORMAT,
                   "%s:1: this is no table of a race like this one; give another folder", path);
  }
  fclose(file);
  return status;
}

/* Whether a limit that is larger now cut the solve of a tolerance. */
static bool solve_was_cut(const DlsRace *race, const DlsRaceRun *run, int which) {
  const DlsRaceProof *solve = &run->proof[which];
  const bool more_time = race->max_time > run->limit_s * (1 + 1e-6);
  const bool more_work =
      run->limit_work > 0 && (race->max_work <= 0 || race->max_work > run->limit_work * (1 + 1e-6));
  const bool more_memory =
      run->limit_mb && (race->max_memory == 0 || race->max_memory > run->limit_mb);
  const bool ended = solve->end == DLS_RACE_ENDED;
  const bool late = solve->end == DLS_RACE_KILLED ||
                    (ended && (solve->outcome == DLS_TIME_LIMIT || solve->time_s > run->limit_s));
  const bool spent = ended && run->limit_work > 0 &&
                     (solve->outcome == DLS_WORK_LIMIT || solve->work > run->limit_work);
  if (solve->measured <= race->tolerance[which] && solve->time_s <= run->limit_s && !spent)
    return false;
  return (more_time && late) || (more_work && spent) ||
         (more_memory && solve->end == DLS_RACE_MEMORY);
}

static bool was_cut(const DlsRace *race, const DlsRaceRun *run) {
  if (race->as_it_stands) return false;
  for (int t = race->one_pass ? dls_race_last(race) : 0; t < race->tolerances; t++)
    if (solve_was_cut(race, run, t)) return true;
  return false;
}

/* A run is taken whole, or is one to be done. */
static void choose(Reading *reading, int *found) {
  DlsRace *race = reading->race;
  const unsigned all = (1u << race->tolerances) - 1;
  for (int k = 0; k < race->problems * race->solvers; k++) {
    DlsRaceRun *run = &race->run[k];
    if (reading->seen[k] == all && !was_cut(race, run)) {
      (*found)++;
      continue;
    }
    *run = (DlsRaceRun){.end = DLS_RACE_NONE};
  }
}

/* The same problem may stand in the race twice: what is known of the first is known of the
 * second. */
static DlsStatus copy_twins(const Reading *reading, int *found) {
  DlsRace *race = reading->race;
  for (int p = 1; p < race->problems; p++)
    for (int s = 0; s < race->solvers; s++) {
      const int k = p * race->solvers + s;
      const int first = find_run(reading, race->problem[p].hash, race->problem[p].form, race->start,
                                 race->solver[s]);
      if (first < 0 || first >= k || race->run[first].end == DLS_RACE_NONE) continue;
      const DlsRaceRun *from = &race->run[first];
      DlsRaceRun *to = &race->run[k];
      free(to->sample);
      *to = *from;
      DLS_NEW(to->sample, DLS_RACE_SAMPLES + 1);
      if (from->count) memcpy(to->sample, from->sample, (size_t)from->count * sizeof *to->sample);
      (*found)++;
    }
  return DLS_OK;
}

DlsStatus dls_race_resume(DlsRace *race, const char *folder, int *found) {
  Reading reading = {.race = race, .table = DLS_RACE_RUNS, .columns = RUN_COLUMNS};
  *found = 0;
  DLS_NEW(reading.seen, (size_t)race->problems * (size_t)race->solvers);
  DlsStatus status = index_race(&reading);
  if (status == DLS_OK) status = read_table(&reading, folder, "runs.csv", dls_race_runs_head());
  if (status == DLS_OK) {
    choose(&reading, found);
    reading.table = DLS_RACE_CONVERGENCE;
    reading.columns = CONVERGENCE_COLUMNS;
    status = read_table(&reading, folder, "convergence.csv", dls_race_convergence_head());
  }
  if (status == DLS_OK) status = copy_twins(&reading, found);
  dls_names_clear(&reading.problems);
  dls_names_clear(&reading.solvers);
  free(reading.seen);
  return status;
}
