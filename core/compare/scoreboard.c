/* Runs, verdicts and the table of scoreboard.h. */
#include "compare/scoreboard.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

DlsStatus dls_scoreboard_create(DlsRace *race, DlsScoreboard *out) {
  *out = (DlsScoreboard){.race = race};
  DLS_NEW(out->analytic, dls_analytic_count());
  DLS_NEW(out->error, (size_t)dls_analytic_count() * (size_t)race->solvers);
  for (int k = 0; k < dls_analytic_count(); k++) {
    DLS_TRY(dls_analytic_create(k, &out->analytic[k]));
    out->cases++;
    DLS_TRY(dls_race_describe(race, k, out->analytic[k].problem));
  }
  return DLS_OK;
}

void dls_scoreboard_clear(DlsScoreboard *board) {
  for (int k = 0; k < board->cases; k++) dls_analytic_clear(&board->analytic[k]);
  free(board->analytic);
  free(board->error);
  memset(board, 0, sizeof *board);
}

DlsStatus dls_scoreboard_run(DlsScoreboard *board, int number, int solver, const DlsSolver *with,
                             const void *options) {
  const DlsAnalytic *a = &board->analytic[number];
  DlsAnalyticError *error =
      &board->error[(size_t)number * (size_t)board->race->solvers + (size_t)solver];
  double *r;
  DLS_NEW(r, dls_problem_contacts(a->problem) * dls_problem_block(a->problem));
  *error = (DlsAnalyticError){INFINITY, INFINITY, INFINITY, 0};
  DlsStatus status =
      dls_race_start(board->race, number, solver, a->problem, with, options, NULL, r);
  if (status == DLS_OK && dls_race_at(board->race, number, solver)->end == DLS_RACE_ENDED)
    status = dls_analytic_judge(a, r, error);
  free(r);
  return status;
}

DlsVerdict dls_scoreboard_verdict(const DlsScoreboard *board, int number, int solver) {
  const DlsRace *race = board->race;
  const DlsRaceRun *run = dls_race_at(race, number, solver);
  const double tolerance = race->tolerance[race->tolerances - 1];
  if (run->end != DLS_RACE_ENDED) return DLS_VERDICT_FAILED;
  if (!isfinite(dls_race_time(race, run, tolerance))) return DLS_VERDICT_UNFINISHED;
  return dls_scoreboard_error(board, number, solver)->worst <= DLS_SCORE_FACTOR * tolerance
             ? DLS_VERDICT_RIGHT
             : DLS_VERDICT_MISLED;
}

const char *dls_verdict_text(DlsVerdict verdict) {
  static const char *const texts[] = {
#define TEXT(code, text) text,
      DLS_VERDICT_LIST(TEXT)
#undef TEXT
  };
  return (int)verdict >= 0 && (int)verdict < DLS_COUNT(texts) ? texts[verdict] : "unknown";
}

static void put_number(DlsFile *file, double value) {
  dls_file_print(file, isfinite(value) ? ",%.6g" : ",", value);
}

DlsStatus dls_scoreboard_write(const DlsScoreboard *board, const char *folder) {
  const DlsRace *race = board->race;
  const double tolerance = race->tolerance[race->tolerances - 1];
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/analytic.csv", folder);
  DLS_TRY(dls_file_make_folder(folder));
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file,
                 "case,contacts,dimension,solver,tolerance,status,verdict,error_velocity,"
                 "error_impulse,error_natural,error_scaled,iterations,time_s,answer,answers\n");
  for (int k = 0; k < board->cases; k++)
    for (int s = 0; s < race->solvers; s++) {
      const DlsRaceRun *run = dls_race_at(race, k, s);
      const DlsAnalyticError *error = dls_scoreboard_error(board, k, s);
      if (run->end == DLS_RACE_NONE) continue;
      dls_file_print(file, "%s,%d,%d,%s,%g,%s,%s", board->analytic[k].name,
                     race->problem[k].contacts, race->problem[k].dim, race->solver[s], tolerance,
                     dls_race_status(race, run, dls_race_last(race)),
                     dls_verdict_text(dls_scoreboard_verdict(board, k, s)));
      put_number(file, error->velocity);
      put_number(file, error->impulse);
      put_number(file, run->errors.natural);
      put_number(file, run->errors.scaled);
      dls_file_print(file, ",%ld", run->iterations);
      put_number(file, run->time_s);
      dls_file_print(file, ",%d,%d\n", error->answer + 1, board->analytic[k].answers);
    }
  return dls_file_commit(&file);
}
