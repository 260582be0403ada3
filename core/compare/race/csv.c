/* The tables of a race, written. */
#include "compare/race/csv.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "compare/race/row.h"

const char *dls_race_runs_head(void) {
  return "problem,contacts,dimension,solver,tolerance,status,iterations,time_s,wall_s,cpu_s,work,"
         "error_natural,error_bipotential,peak_rss_mb,error_scaled,error_natural_q,amplification,"
         "open,slip,stick,total_iterations,total_s,total_wall_s,total_cpu_s,total_work,said,"
         "measured,claim_iterations,claim_s,claim_wall_s,claim_cpu_s,claim_work,limit_s,limit_work,"
         "limit_mb,measure,clock,pass,hash,form,start,reason,"
#define NAME(name) #name ","
      DLS_WORK_LIST(NAME)
#undef NAME
          "note";
}

const char *dls_race_convergence_head(void) {
  return "problem,solver,iteration,time_s,wall_s,cpu_s,work,error,measure,clock,pass,hash,form,"
         "start,tolerance";
}

static void put_word(DlsFile *file, const char *text) {
  for (; *text; text++) {
    const char c = dls_race_plain(*text);
    dls_file_put(file, &c, 1);
  }
}

static void put_number(DlsFile *file, double value) {
  if (isfinite(value)) dls_file_print(file, "%.6g", value);
}

/* By the clock of the race, the wall's and the processor's, and work: each behind a comma. */
static void put_cost(DlsFile *file, double time_s, double wall_s, double cpu_s, double work) {
  const double cost[] = {time_s, wall_s, cpu_s, work};
  for (int k = 0; k < DLS_COUNT(cost); k++) {
    dls_file_put(file, ",", 1);
    put_number(file, cost[k]);
  }
}

static void put_claim(DlsFile *file, const DlsRaceProof *proof) {
  if (isinf(proof->said))
    put_word(file, proof->boast ? "converged" : "");
  else
    dls_file_print(file, "%.6g", proof->said);
  dls_file_put(file, ",", 1);
  put_number(file, proof->measured);
  dls_file_print(file, ",%ld", proof->iteration);
  put_cost(file, proof->time_s, proof->wall_s, proof->cpu_s, proof->work);
}

static void put_answer(DlsFile *file, const DlsRaceProof *solve) {
  const DlsErrors *errors = &solve->errors;
  put_number(file, errors->natural);
  dls_file_put(file, ",", 1);
  put_number(file, errors->bipotential);
  dls_file_print(file, ",%.1f,", solve->peak_mb);
  put_number(file, errors->scaled);
  dls_file_put(file, ",", 1);
  put_number(file, errors->natural_q);
  dls_file_put(file, ",", 1);
  put_number(file, errors->amplification);
  dls_file_print(file, ",%d,%d,%d,", errors->open, errors->slip, errors->stick);
}

/* What tells runs apart, besides problem, solver and tolerance. */
static void put_conditions(DlsFile *file, const DlsRace *race) {
  dls_file_print(file, "%s,%s,%s", dls_measure_word(race->measure), dls_race_clock_word(race),
                 dls_race_pass_word(race));
}

static void put_run(DlsFile *file, const DlsRace *race, int p, int s) {
  const DlsRaceProblem *problem = &race->problem[p];
  const DlsRaceRun *run = dls_race_at(race, p, s);
  for (int t = 0; t < race->tolerances && run->end != DLS_RACE_NONE; t++) {
    const DlsRaceProof *solve = &run->proof[race->one_pass ? dls_race_last(race) : t];
    const DlsRaceProof *counts = dls_race_proof(race, run, t), *shown = counts ? counts : solve;
    char claim[64];
    put_word(file, problem->name);
    dls_file_print(file, ",%d,%d,", problem->contacts, problem->dim);
    put_word(file, race->solver[s]);
    dls_file_print(file, ",%g,%s,%ld", race->tolerance[t], dls_race_status(race, run, t),
                   shown->iteration);
    put_cost(file, shown->time_s, shown->wall_s, shown->cpu_s, shown->work);
    dls_file_put(file, ",", 1);
    put_answer(file, solve);
    dls_file_print(file, "%ld", run->iterations);
    put_cost(file, run->time_s, run->wall_s, run->cpu_s, run->work);
    dls_file_put(file, ",", 1);
    put_claim(file, &run->proof[t]);
    dls_file_print(file, ",%.6g,%.6g,%ld,", run->limit_s, run->limit_work, run->limit_mb);
    put_conditions(file, race);
    dls_file_print(file, ",%s,%s,", problem->hash, problem->form);
    put_word(file, race->start);
    dls_file_put(file, ",", 1);
    put_word(file, solve->end == DLS_RACE_ENDED ? dls_reason_text(solve->reason) : "");
#define NUMBER(name) dls_file_print(file, ",%ld", solve->counts.name);
    DLS_WORK_LIST(NUMBER)
#undef NUMBER
    dls_file_put(file, ",", 1);
    put_word(file, dls_race_claim(race, run, t, claim));
    if (claim[0] && solve->note[0]) put_word(file, ". ");
    put_word(file, solve->note);
    dls_file_put(file, "\n", 1);
  }
}

static void put_convergence(DlsFile *file, const DlsRace *race, int p, int s) {
  const DlsRaceRun *run = dls_race_at(race, p, s);
  for (int i = 0; i < run->count; i++) {
    const DlsRaceSample *sample = &run->sample[i];
    put_word(file, race->problem[p].name);
    dls_file_put(file, ",", 1);
    put_word(file, race->solver[s]);
    dls_file_print(file, ",%ld,%.9g,%.9g,%.9g,%.6g,%.9g,", sample->iteration, sample->time_s,
                   sample->wall_s, sample->cpu_s, sample->work, sample->error);
    put_conditions(file, race);
    dls_file_print(file, ",%s,%s,", race->problem[p].hash, race->problem[p].form);
    put_word(file, race->start);
    dls_file_print(file, ",%g\n", race->tolerance[dls_race_last(race)]);
  }
}

static DlsStatus write_table(const DlsRace *race, const char *folder, const char *name,
                             DlsRaceTable table, const char *head,
                             void (*put)(DlsFile *file, const DlsRace *race, int p, int s)) {
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file, "%s\n", head);
  for (int p = 0; p < race->problems; p++)
    for (int s = 0; s < race->solvers; s++) put(file, race, p, s);
  for (int k = 0; k < race->rows; k++)
    if (race->row[k].table == table && !dls_race_rows_replaced(race, &race->row[k])) {
      dls_file_put(file, race->row[k].line, strlen(race->row[k].line));
      dls_file_put(file, "\n", 1);
    }
  return dls_file_commit(&file);
}

DlsStatus dls_race_write(const DlsRace *race, const char *folder) {
  DLS_TRY(dls_file_make_folder(folder));
  DLS_TRY(write_table(race, folder, "runs.csv", DLS_RACE_RUNS, dls_race_runs_head(), put_run));
  return write_table(race, folder, "convergence.csv", DLS_RACE_CONVERGENCE,
                     dls_race_convergence_head(), put_convergence);
}

DlsStatus dls_race_can_write(const char *folder) {
  static const char *const names[] = {"runs.csv", "convergence.csv", "index.html"};
  DLS_TRY(dls_file_make_folder(folder));
  for (int k = 0; k < DLS_COUNT(names); k++) {
    char path[PATH_MAX];
    struct stat there;
    DlsFile *file;
    snprintf(path, sizeof path, "%s/%s", folder, names[k]);
    DLS_CHECK(stat(path, &there) != 0 || S_ISREG(there.st_mode), DLS_ERR_FILE,
              "%s: is there, and is no file that could be replaced; give another folder", path);
    DLS_TRY(dls_file_begin(path, &file));
    dls_file_abandon(&file);
  }
  return DLS_OK;
}
