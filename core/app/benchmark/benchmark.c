/* delassus benchmark: the benchmark set of contact problems, listed, made, and its table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/benchmark/set.h"
#include "app/benchmark/table.h"
#include "app/options.h"
#include "base/file.h"
#include "base/nearest.h"

enum { MOST = 64 };

typedef struct {
  const char *out;
  AppTexts only;
  bool quiet;
} MakeJob;

static const AppOption make_options[] = {
    APP_TEXT_ROW(MakeJob, out, "out", "DIR", "folder of the files (default benchmark)"),
    APP_TEXTS_ROW(MakeJob, only, "only", "NAME", "this problem; repeats (default all)"),
    APP_FLAG_ROW(MakeJob, quiet, "quiet", "no progress"),
};

/* Which members are asked for; false, and a sentence, for a name that is none. */
static bool choose(const AppCommand *self, const AppTexts *only, bool *wanted) {
  int count;
  const AppMember *members = app_set_members(&count);
  const char *names[MOST];
  for (int k = 0; k < count; k++) {
    names[k] = members[k].name;
    wanted[k] = only->count == 0;
  }
  for (int i = 0; i < only->count; i++) {
    int found = -1;
    for (int k = 0; k < count; k++)
      if (strcmp(only->item[i], names[k]) == 0) found = k;
    if (found < 0) {
      const char *near = dls_nearest(only->item[i], names, count);
      app_refuse(self,
                 "--only %s: there is none of that name%s%s%s; delassus benchmark list names "
                 "them",
                 only->item[i], near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
      return false;
    }
    wanted[found] = true;
  }
  return true;
}

static bool stop_asked(void *context) {
  (void)context;
  return app_interrupted();
}

static DlsStatus make_all(const MakeJob *job, const bool *wanted) {
  AppMemberFacts facts[MOST] = {{0}};
  int count, done = 0, all = 0;
  const AppMember *members = app_set_members(&count);
  DLS_TRY(dls_file_make_folder(job->out));
  for (int k = 0; k < count; k++) all += wanted[k];
  for (int k = 0; k < count && !app_interrupted(); k++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.hdf5", job->out, members[k].name);
    if (!wanted[k]) { /* what was made before stays in the manifest */
      if (access(path, R_OK) == 0) DLS_TRY(app_set_look(&members[k], job->out, &facts[k]));
      continue;
    }
    const double began = app_clock();
    bool made;
    if (!job->quiet) {
      printf("%d of %d  %-18s ", ++done, all, members[k].name);
      fflush(stdout);
    }
    DLS_TRY(app_set_make(&members[k], job->out, stop_asked, &made, &facts[k]));
    if (!job->quiet && made)
      printf("%6d contacts  %5.2f MB  %s  %.0f s\n", facts[k].contacts,
             1e-6 * (double)facts[k].bytes, facts[k].hash, app_clock() - began);
  }
  return app_set_write_manifest(members, facts, count, job->out);
}

static int make(const AppCommand *self, int argc, char **argv) {
  MakeJob job = {.out = "benchmark"};
  bool wanted[MOST];
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON && !choose(self, &job.only, wanted)) status = APP_WRONG_INPUT;
  if (status == APP_GO_ON) {
    app_catch_signals();
    status = make_all(&job, wanted) == DLS_OK ? APP_DONE : app_refuse_status(self);
    if (status == APP_DONE && app_interrupted()) status = APP_INTERRUPTED;
  }
  app_options_clear(self, &job);
  return status;
}

typedef struct {
  const char *folder, *race;
} TableJob;

static const AppOption table_options[] = {
    APP_TEXT_ROW(TableJob, folder, "set", "DIR", "folder of the set (default benchmark)"),
    APP_TEXT_ROW(TableJob, race, "race", "DIR", "folder of its race (default compare)"),
};

static int table(const AppCommand *self, int argc, char **argv) {
  TableJob job = {.folder = "benchmark", .race = "compare"};
  const int status = app_options_read(self, argc, argv, &job);
  if (status != APP_GO_ON) return status;
  return app_set_table(job.folder, job.race) == DLS_OK ? APP_DONE : app_refuse_status(self);
}

static const AppCommand app_benchmark_make = {
    .name = "benchmark make",
    .usage = "[options]",
    .summary = "Makes the files of the set, and a manifest",
    .details = "Each file is FCLIB, compressed, without solution; a run leaves its deck beside it. "
               "The same\n"
               "program on the same kind of processor gives the same bytes. Minutes for all.\n",
    .options = make_options,
    .noptions = DLS_COUNT(make_options),
    .run = make,
};

static const AppCommand app_benchmark_table = {
    .name = "benchmark table",
    .usage = "[options]",
    .summary = "The best of a race on the set, as a table in Markdown",
    .options = table_options,
    .noptions = DLS_COUNT(table_options),
    .run = table,
};

static int list(const AppCommand *self) {
  int count;
  const AppMember *members = app_set_members(&count);
  (void)self;
  printf("benchmark set, version %d\n\n", APP_SET_VERSION);
  for (int k = 0; k < count; k++) {
    printf("%-18s %s", members[k].name, members[k].summary);
    if (members[k].sample)
      printf("; sample %s\n", members[k].sample);
    else
      printf("; step %ld of a run\n", members[k].step);
  }
  return APP_DONE;
}

static const AppCommand *const verbs[] = {&app_benchmark_make, &app_benchmark_table};

static int run(const AppCommand *self, int argc, char **argv) {
  const AppCommand *verb = app_verb(self, argc, argv);
  if (verb) return verb->run(verb, argc - 1, argv + 1);
  return app_list_or_show(self, argc, argv, list, NULL);
}

static const char details[] =
    "A named, seeded, versioned collection of contact problems, from 2000 to 50,000 contacts, for "
    "races\n"
    "that others can repeat: docs/benchmark-set.md.\n"
    "\n"
    "  delassus benchmark make --out benchmark\n"
    "  delassus compare benchmark/*.hdf5 --tolerance 1e-4,1e-8 --out race\n"
    "  delassus benchmark table --set benchmark --race race\n";

const AppCommand app_benchmark = {
    .name = "benchmark",
    .usage = "list | make | table",
    .summary = "The benchmark set: problems made here, and the best that is known of them",
    .details = details,
    .verbs = verbs,
    .nverbs = DLS_COUNT(verbs),
    .run = run,
};
