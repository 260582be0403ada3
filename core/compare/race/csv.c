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
  return "problem,contacts,dimension,solver,tolerance,status,iterations,time_s,error_natural,"
         "error_bipotential,peak_rss_mb,error_scaled,amplification,open,slip,stick,"
         "total_iterations,total_s,said,measured,claim_iterations,claim_s,limit_s,limit_mb,hash,"
         "form,start,reason,"
#define NAME(name) #name ","
      DLS_WORK_LIST(NAME)
#undef NAME
          "note";
}

const char *dls_race_convergence_head(DlsMeasure measure) {
  return measure == DLS_MEASURE_NATURAL
             ? "problem,solver,iteration,time_s,error_natural,hash,form,start,tolerance"
             : "problem,solver,iteration,time_s,error_scaled,hash,form,start,tolerance";
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

static void put_claim(DlsFile *file, const DlsRaceProof *proof) {
  if (isinf(proof->said))
    put_word(file, proof->boast ? "converged" : "");
  else
    dls_file_print(file, "%.6g", proof->said);
  dls_file_put(file, ",", 1);
  put_number(file, proof->measured);
  dls_file_print(file, ",%ld,", proof->iteration);
  put_number(file, proof->time_s);
}

static void put_run(DlsFile *file, const DlsRace *race, int p, int s) {
  const DlsRaceProblem *problem = &race->problem[p];
  const DlsRaceRun *run = dls_race_at(race, p, s);
  for (int t = 0; t < race->tolerances && run->end != DLS_RACE_NONE; t++) {
    const double tolerance = race->tolerance[t], time = dls_race_time(race, run, tolerance);
    char claim[64];
    put_word(file, problem->name);
    dls_file_print(file, ",%d,%d,", problem->contacts, problem->dim);
    put_word(file, race->solver[s]);
    dls_file_print(file, ",%g,%s,", tolerance, dls_race_status(race, run, t));
    if (isfinite(time))
      dls_file_print(file, "%.0f", dls_race_iterations(race, run, tolerance));
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
    put_claim(file, &run->proof[t]);
    dls_file_print(file, ",%.6g,%ld,%s,%s,", run->limit_s, run->limit_mb, problem->hash,
                   problem->form);
    put_word(file, race->start);
    dls_file_put(file, ",", 1);
    put_word(file, run->end == DLS_RACE_ENDED ? dls_reason_text(run->reason) : "");
#define NUMBER(name) dls_file_print(file, ",%ld", run->work.name);
    DLS_WORK_LIST(NUMBER)
#undef NUMBER
    dls_file_put(file, ",", 1);
    put_word(file, dls_race_claim(race, run, t, claim));
    if (claim[0] && run->note[0]) put_word(file, ". ");
    put_word(file, run->note);
    dls_file_put(file, "\n", 1);
  }
}

static void put_convergence(DlsFile *file, const DlsRace *race, int p, int s) {
  const DlsRaceRun *run = dls_race_at(race, p, s);
  for (int i = 0; i < run->count; i++) {
    put_word(file, race->problem[p].name);
    dls_file_put(file, ",", 1);
    put_word(file, race->solver[s]);
    dls_file_print(file, ",%ld,%.9g,%.9g,%s,%s,", run->sample[i].iteration, run->sample[i].time_s,
                   run->sample[i].error, race->problem[p].hash, race->problem[p].form);
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
                     dls_race_convergence_head(race->measure), put_convergence);
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
