/* delassus indeterminacy: where forces are decided by equilibrium, and where not. */
#include <delassus/indeterminacy.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/run.h>
#include <delassus/solver.h>

#include "app/app.h"
#include "app/force_starts.h"
#include "app/options.h"
#include "app/problem_argument.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "record/csv.h"
#include "record/vtu/vtu.h"
#include "run/scene.h"

typedef struct {
  const AppCommand *command;
  const char *what, *sample, *csv, *vtu;
  AppTexts set;
  DlsIndeterminacyOptions options;
  double tolerance, max_time;
  long edges, most, starts, seed;
  bool json;

  /* What it is about: a problem, and where it comes from a deck or a checkpoint, its run. */
  AppProblem loaded;
  DlsRun *run;
  const DlsProblem *problem;
  double *r;
  DlsReport report;
  DlsIndeterminacy found;
  DlsForceInterval *interval;
  DlsContactStatus *status;
  AppForceStarts start;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, what, "problem, deck or checkpoint"),
    APP_TEXT_ROW(Job, sample, "sample", "NAME[:SIZE]", "a problem built here"),
    APP_TEXTS_ROW(Job, set, "set", "KEY=VALUE", "overrides a key of the deck; repeats"),
    APP_REAL_ROW(Job, tolerance, "tolerance", "T", APP_ABOVE_0, APP_ANY,
                 "natural error of the answer that is begun from (default 1e-10)"),
    APP_REAL_ROW(Job, max_time, "max-time", "S", 0, APP_ANY,
                 "seconds of wall clock for each solve, 0 for no limit (default 60)"),
    APP_INTEGER_ROW(Job, edges, "edges", "N", 4, 64,
                    "of the polygon that stands for the circle of friction in 3-D (default 16)"),
    APP_INTEGER_ROW(Job, most, "contacts", "N", 1, 1000000000,
                    "intervals of at most so many contacts, drawn at random (default 100)"),
    APP_INTEGER_ROW(Job, starts, "starts", "N", 0, 100000,
                    "solves from random guesses, to count the answers found (default 20)"),
    APP_INTEGER_ROW(Job, seed, "seed", "N", 0, 2147483647, "of what is random (default 1)"),
    APP_TEXT_ROW(Job, csv, "csv", "FILE", "a table with a row for each contact"),
    APP_TEXT_ROW(Job, vtu, "vtu", "FILE",
                 "points of contact for ParaView, of a deck or a checkpoint"),
    APP_FLAG_ROW(Job, json, "json", "print an object"),
};

static void tell(void *context, DlsRunEvent event, const char *text) {
  (void)context;
  if (event == DLS_RUN_MISTAKE || event == DLS_RUN_CHANGE) fprintf(stderr, "%s\n", text);
}

/* The bodies where they are, at rest: the problem of their equilibrium. */
static DlsStatus open_scene(Job *job, bool restart) {
  DlsRunOptions o = dls_run_options_default();
  DlsEquilibrium verdict;
  o.set = job->set.item, o.nset = job->set.count;
  o.tell = tell;
  if (restart) o.restart = job->what;
  DLS_TRY(dls_run_open(restart ? NULL : job->what, &o, &job->run));
  DlsSimulation *s = dls_run_scene(job->run)->simulation;
  DLS_TRY(dls_simulation_equilibrium(s, 1e-3, &verdict));
  job->problem = dls_simulation_problem(s);
  DLS_CHECK(job->problem && dls_problem_contacts(job->problem) > 0, DLS_ERR_ARGUMENT,
            "%s: nothing touches; take a checkpoint at which bodies do", job->what);
  return DLS_OK;
}

static DlsStatus open_problem(Job *job) {
  const AppProblemName name = {.text = job->sample ? job->sample : job->what,
                               .is_sample = job->sample != NULL};
  if (!job->sample && (dls_file_ends(job->what, ".yaml") || dls_file_ends(job->what, ".yml")))
    return open_scene(job, false);
  if (!job->sample && dls_file_ends(job->what, "checkpoint.h5")) return open_scene(job, true);
  DLS_TRY(app_problem_load(&name, APP_FORM_AUTO, &job->loaded));
  job->problem = job->loaded.problem;
  DLS_CHECK(dls_problem_contacts(job->problem) > 0, DLS_ERR_ARGUMENT, "%s: has no contacts",
            name.text);
  return DLS_OK;
}

static DlsStatus solve(Job *job) {
  const DlsSolver *solver;
  DlsLimits limits = dls_limits_default();
  const size_t contacts = (size_t)dls_problem_contacts(job->problem);
  DLS_NEW(job->r, contacts * (size_t)dls_problem_block(job->problem));
  DLS_NEW(job->interval, contacts);
  DLS_NEW(job->status, contacts);
  limits.tolerance = job->tolerance;
  limits.max_time = job->max_time;
  DLS_TRY(dls_solver_find("auto", &solver));
  return dls_solve(solver, job->problem, NULL, &limits, NULL, job->r, NULL, &job->report);
}

static DlsStatus measure(Job *job) {
  DLS_TRY(dls_indeterminacy_measure(job->problem, job->r, &job->options, &job->found, job->interval,
                                    job->status));
  if (job->starts == 0) return DLS_OK;
  return app_force_starts(job->problem, job->r, &job->found, job->interval, (int)job->starts,
                          (uint64_t)job->seed, 1e-8, job->max_time, &job->start);
}

/* Columns of the table, and arrays at the points of contact. */
enum { FORCE, LOW, HIGH, OUTER_LOW, OUTER_HIGH, STATUS, NUMBERS };

/* Reactions in N s, or divided by `step` in N. */
static void numbers_of(const Job *job, int i, double step, double out[NUMBERS]) {
  const DlsForceInterval *v = &job->interval[i];
  out[FORCE] = job->r[(size_t)i * (size_t)dls_problem_block(job->problem)] / step;
  out[LOW] = v->low / step, out[HIGH] = v->high / step;
  out[OUTER_LOW] = v->outer_low / step, out[OUTER_HIGH] = v->outer_high / step;
  out[STATUS] = job->status[i];
}

static DlsStatus write_csv(const Job *job) {
  static const DlsCsvColumn columns[] = {
      {"contact", NULL},    {"r_n", "N s"},        {"low", "N s"},  {"high", "N s"},
      {"outer_low", "N s"}, {"outer_high", "N s"}, {"status", NULL}};
  DlsCsv *csv = NULL;
  if (!job->csv) return DLS_OK;
  DLS_TRY(dls_csv_create(job->csv, columns, DLS_COUNT(columns), NULL, &csv));
  DlsStatus status = DLS_OK;
  for (int i = 0; status == DLS_OK && i < job->found.contacts; i++) {
    double row[1 + NUMBERS] = {i};
    numbers_of(job, i, 1, row + 1);
    status = dls_csv_row(csv, row);
  }
  const DlsStatus closed = dls_csv_close(&csv);
  return status != DLS_OK ? status : closed;
}

/* No limit is written as NaN, and the array `unlimited` says where. */
static DlsStatus write_vtu(const Job *job) {
  static const char *const names[] = {"force", "force_low", "force_high",
                                      "width", "unlimited", "status"};
  enum { WIDTH = 3, UNLIMITED, KIND, ARRAYS };
  if (!job->vtu) return DLS_OK;
  const DlsSimulation *s = dls_run_scene(job->run)->simulation;
  const size_t contacts = (size_t)job->found.contacts;
  const double step = s->settings.h;
  double *values;
  DlsVtuArray arrays[ARRAYS];
  DLS_NEW(values, ARRAYS * contacts);
  for (size_t i = 0; i < contacts; i++) {
    double n[NUMBERS];
    numbers_of(job, (int)i, step, n);
    values[i] = n[FORCE], values[contacts + i] = n[LOW];
    values[2 * contacts + i] = isinf(n[HIGH]) ? NAN : n[HIGH];
    values[WIDTH * contacts + i] = isinf(n[HIGH]) ? NAN : n[HIGH] - n[LOW];
    values[UNLIMITED * contacts + i] = isinf(n[HIGH]);
    values[KIND * contacts + i] = n[STATUS];
  }
  for (int k = 0; k < ARRAYS; k++)
    arrays[k] = (DlsVtuArray){.name = names[k],
                              .values = values + (size_t)k * contacts,
                              .type = DLS_VTU_FLOAT64,
                              .components = 1,
                              .role = k == WIDTH ? DLS_VTU_SCALARS : DLS_VTU_PLAIN,
                              .unknown = true};
  const DlsVtuGrid grid = {.points = (int64_t)contacts,
                           .cells = (int64_t)contacts,
                           .position = s->last.contacts.point[0],
                           .cell_type = DLS_VTU_VERTEX,
                           .cell_size = 1,
                           .point_data = arrays,
                           .point_arrays = ARRAYS};
  const DlsStatus status = dls_vtu_write(job->vtu, &grid, NULL, NULL);
  free(values);
  return status;
}

static void print_page(const Job *job) {
  const DlsIndeterminacy *f = &job->found;
  const AppForceStarts *s = &job->start;
  printf("problem       %s, solved to %.1e\n", dls_problem_name(job->problem), job->report.error);
  printf("contacts      %d: %d stick, %d slip, %d open; mean reaction %.4g N s\n", f->contacts,
         f->stick, f->slip, f->open, f->mean);
  if (f->rank < 0)
    printf("self-stress   not counted: %d unknowns are too many\n", f->unknowns);
  else
    printf("self-stress   dimension %d: %d unknowns, %d equations that differ%s\n", f->self_stress,
           f->unknowns, f->rank, f->self_stress == 0 ? "; forces are unique" : "");
  printf("intervals     of %d contacts%s: %d decided, %d without an upper limit\n", f->bounded,
         f->bounded < f->contacts ? ", drawn at random" : "", f->decided, f->unlimited);
  printf("width         %.4g of the mean reaction, averaged", f->width);
  if (f->outer_width > f->width * (1 + 1e-6)) printf("; at most %.4g", f->outer_width);
  printf("\n");
  if (s->starts > 0)
    printf("random starts %d, %d converged: %d networks of forces, %d with another motion; the "
           "rest span %.0f %% of the intervals\n",
           s->starts, s->converged, s->networks, s->motions, 100 * s->covered);
}

static void print_json(const Job *job) {
  const DlsIndeterminacy *f = &job->found;
  const AppForceStarts *s = &job->start;
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_text(&json, "problem", dls_problem_name(job->problem));
  dls_json_real(&json, "error", job->report.error);
  dls_json_integer(&json, "contacts", f->contacts);
  dls_json_integer(&json, "open", f->open);
  dls_json_integer(&json, "slip", f->slip);
  dls_json_integer(&json, "stick", f->stick);
  dls_json_integer(&json, "unknowns", f->unknowns);
  dls_json_integer(&json, "rank", f->rank);
  dls_json_integer(&json, "self_stress", f->self_stress);
  dls_json_integer(&json, "bounded", f->bounded);
  dls_json_integer(&json, "decided", f->decided);
  dls_json_integer(&json, "unlimited", f->unlimited);
  dls_json_real(&json, "mean", f->mean);
  dls_json_real(&json, "width", f->width);
  dls_json_real(&json, "outer_width", f->outer_width);
  dls_json_integer(&json, "starts", s->starts);
  dls_json_integer(&json, "converged", s->converged);
  dls_json_integer(&json, "networks", s->networks);
  dls_json_integer(&json, "motions", s->motions);
  dls_json_real(&json, "covered", s->covered);
  dls_json_real(&json, "outside", s->outside);
  dls_json_close(&json, '}');
}

static int work(Job *job) {
  if (open_problem(job) != DLS_OK || solve(job) != DLS_OK) return app_refuse_status(job->command);
  if (job->report.outcome != DLS_CONVERGED) {
    fprintf(stderr,
            "delassus indeterminacy: no answer to begin from: error %.1e, asked %.1e (%s); give a "
            "larger --tolerance or --max-time\n",
            job->report.error, job->tolerance, dls_reason_text(job->report.reason));
    return APP_NOT_CONVERGED;
  }
  if (measure(job) != DLS_OK || write_csv(job) != DLS_OK || write_vtu(job) != DLS_OK)
    return app_refuse_status(job->command);
  if (job->json)
    print_json(job);
  else
    print_page(job);
  return APP_DONE;
}

static void clear(Job *job) {
  if (job->run) (void)dls_run_close(&job->run);
  app_problem_clear(&job->loaded);
  free(job->r);
  free(job->interval);
  free(job->status);
}

static int check(const Job *job) {
  const AppCommand *self = job->command;
  const bool scene =
      job->what && (dls_file_ends(job->what, ".yaml") || dls_file_ends(job->what, ".yml") ||
                    dls_file_ends(job->what, "checkpoint.h5"));
  if (!job->what == !job->sample)
    return app_refuse(self, "give one of a problem, a deck, a checkpoint.h5, or --sample NAME");
  if (job->vtu && !scene)
    return app_refuse(self, "--vtu: a problem alone does not say where its contacts are; give a "
                            "deck or a checkpoint.h5");
  if (job->set.count && !scene)
    return app_refuse(self, "--set goes with a deck or a checkpoint.h5");
  return APP_GO_ON;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.command = self, .tolerance = 1e-10, .max_time = 60, .starts = 20, .seed = 1};
  const DlsIndeterminacyOptions plain = dls_indeterminacy_options_default();
  job.edges = plain.edges, job.most = plain.most;
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = check(&job);
  job.options = (DlsIndeterminacyOptions){
      .edges = (int)job.edges, .most = (int)job.most, .seed = (uint64_t)job.seed};
  if (status == APP_GO_ON) status = work(&job);
  clear(&job);
  app_options_clear(self, &job);
  return status;
}

static const char details[] =
    "With rigid bodies the velocities are given by the loads, forces often are not. Of all\n"
    "forces that leave the same velocities and obey the laws: how many self-stresses there are,\n"
    "between which limits each normal force lies (by linear programmes; in 3-D from within, and\n"
    "in the table from without too), and how many answers solves from random guesses find. A deck\n"
    "or a checkpoint is asked as it stands, at rest under its loads. See docs/indeterminacy.md.\n"
    "\n"
    "  delassus indeterminacy problem.hdf5 --csv intervals.csv\n"
    "  delassus indeterminacy out/deposit/checkpoint.h5 --vtu where.vtu\n";

const AppCommand app_indeterminacy = {
    .name = "indeterminacy",
    .usage = "PROBLEM|DECK|CHECKPOINT [options]",
    .summary = "Where forces are decided by equilibrium, and where not",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
