/* delassus study: many runs that differ in the values of keys, one table, figures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/options.h"
#include "app/problem_argument.h"
#include "study/study.h"

typedef struct {
  const AppCommand *command;
  const char *file, *out;
  AppTexts set;
  long jobs;
  double limit;
  bool quiet, schema;
  double last_line; /* s, when the progress was last told */
  int mistakes;
  DlsStudy *study;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, file, "study"),
    APP_TEXT_ROW(Job, out, "out", "DIR",
                 "folder of the study (default: its name, without .yaml); runs that have finished "
                 "there are kept"),
    APP_INTEGER_ROW(Job, jobs, "jobs", "N", 1, 1024,
                    "runs side by side (default: as many as the machine has cores)"),
    APP_REAL_ROW(Job, limit, "limit", "S", APP_ABOVE_0, APP_ANY,
                 "seconds of wall clock for each run, in the place of the study's `limit`"),
    APP_TEXTS_ROW(Job, set, "set", "KEY=VALUE",
                  "overrides a key of the study, such as seeds.count=2; repeats"),
    APP_FLAG_ROW(Job, schema, "schema", "prints all keys of a study as Markdown, and runs nothing"),
    APP_FLAG_ROW(Job, quiet, "quiet", "no progress"),
};

static bool is_terminal(void) { return isatty(STDERR_FILENO) != 0; }

static void hear_mistake(void *context, const char *text) {
  Job *job = context;
  job->mistakes++;
  fprintf(stderr, "%s\n", text);
}

static void show_progress(void *context, const DlsStudyProgress *p) {
  Job *job = context;
  const double now = app_clock();
  if (job->quiet || now - job->last_line < (is_terminal() ? 0.2 : 10)) return;
  job->last_line = now;
  fprintf(stderr, "%s%d of %d runs, %d at work", is_terminal() ? "\r\033[K" : "", p->ended, p->rows,
          p->working);
  if (isfinite(p->left)) fprintf(stderr, ", %.0f s left", p->left);
  fputs(is_terminal() ? "" : "\n", stderr);
  fflush(stderr);
}

/* "sample:NAME[:SIZE]" or a file. */
static DlsStatus load_problem(const char *name, DlsProblem **out) {
  static const char sample[] = "sample:";
  const bool is_sample = strncmp(name, sample, sizeof sample - 1) == 0;
  const AppProblemName argument = {.text = is_sample ? name + sizeof sample - 1 : name,
                                   .is_sample = is_sample};
  AppProblem problem;
  *out = NULL;
  const DlsStatus status = app_problem_load(&argument, APP_FORM_AUTO, &problem);
  if (status == DLS_OK) {
    *out = problem.problem;
    problem.problem = NULL;
  }
  app_problem_clear(&problem);
  return status;
}

/* The states that have a sentence, with the first of it. */
static void say_faults(const Job *job) {
  for (int state = DLS_STUDY_UNCONVERGED; state < DLS_STUDY_WAITING; state++) {
    int row;
    const int count = dls_study_count(job->study, (DlsStudyState)state);
    const char *note = dls_study_note(job->study, (DlsStudyState)state, &row);
    if (!count) continue;
    printf("%d %s", count,
           state == DLS_STUDY_UNCONVERGED ? "of them not converged everywhere"
                                          : dls_study_state_text((DlsStudyState)state));
    if (*note) printf("; run %d: %s", row, note);
    printf("\n");
  }
}

static int say(const Job *job) {
  const int rows = dls_study_rows(job->study);
  const int done = dls_study_count(job->study, DLS_STUDY_DONE);
  const int unsure = dls_study_count(job->study, DLS_STUDY_UNCONVERGED);
  if (!job->quiet) {
    printf("%d of %d runs done\n", done + unsure, rows);
    say_faults(job);
    if (app_interrupted()) printf("stopped; the same command goes on\n");
    printf("page: %s/index.html   table: %s/results.csv   runs: %s/runs\n", job->out, job->out,
           job->out);
  }
  if (app_interrupted()) return APP_INTERRUPTED;
  return done == rows ? APP_DONE : APP_NOT_CONVERGED;
}

static int study(Job *job) {
  const DlsStudyOptions o = {.set = job->set.item,
                             .nset = job->set.count,
                             .jobs = (int)job->jobs,
                             .limit = job->limit,
                             .stop = app_stop_asked,
                             .mistake = hear_mistake,
                             .progress = show_progress,
                             .load = load_problem,
                             .context = job};
  if (dls_study_open(job->file, &o, &job->study) != DLS_OK) {
    if (!job->mistakes) return app_refuse_status(job->command);
    return app_refuse(job->command, "%d mistake%s; nothing was run", job->mistakes,
                      job->mistakes == 1 ? "" : "s");
  }
  app_catch_signals();
  const DlsStatus ran = dls_study_run(job->study, job->out);
  if (!job->quiet && is_terminal()) fputs("\r\033[K", stderr);
  if (ran != DLS_OK || dls_study_report(job->study) != DLS_OK)
    return app_refuse_status(job->command);
  return say(job);
}

/* docs/study-keys.md is this text. */
static int print_schema(const AppCommand *self) {
  char *text = NULL;
  if (dls_deck_describe(dls_study_section(), &text) != DLS_OK) return app_refuse_status(self);
  printf("# Keys of a study\n\nMade from the tables of the program by `delassus study --schema > "
         "docs/study-keys.md`. How a study is\nwritten and what it leaves: "
         "[study.md](study.md).\n%s",
         text);
  free(text);
  return APP_DONE;
}

static int run_job(Job *job) {
  char folder[2048];
  if (job->schema) return print_schema(job->command);
  if (!job->file)
    return app_refuse(job->command, "which study? delassus study STUDY.yaml; an example is "
                                    "input/triaxial-study.yaml");
  if (!job->out) {
    const char *name = strrchr(job->file, '/');
    snprintf(folder, sizeof folder, "%s", name ? name + 1 : job->file);
    char *dot = strrchr(folder, '.');
    if (dot && dot != folder) *dot = '\0';
    job->out = folder;
  }
  const int status = study(job);
  dls_study_close(&job->study);
  return status;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.command = self};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = run_job(&job);
  app_options_clear(self, &job);
  return status;
}

static const char details[] =
    "A study is a YAML file: a deck, or several as stages; keys with values (grid, rows, drawn at\n"
    "random); seeds; results, any column of history.csv, of post stress --series, of "
    "summary.json;\n"
    "figures with error bars over seeds. See docs/study.md.\n"
    "\n"
    "Each run is a process of its own with a folder of its own. Killed at any moment and started\n"
    "again the study goes on: runs that have finished are kept, the others go on from their last\n"
    "checkpoint (output: checkpoint of the deck) or begin anew; the tables become the same, byte "
    "for\nbyte. Exit status: 0 all runs done, 1 some not converged, failed or over their limit, 2 "
    "wrong\ninput, 3 stopped.\n"
    "\n"
    "  delassus study input/triaxial-study.yaml --out out/triaxial --jobs 2\n"
    "  delassus study input/triaxial-study.yaml --set seeds.count=2 --out out/short\n";

const AppCommand app_study = {
    .name = "study",
    .usage = "STUDY.yaml [options]",
    .summary = "Runs a deck for many values and seeds: one table, figures with error bars",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
