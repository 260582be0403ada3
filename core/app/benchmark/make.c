/* Members of the benchmark set made: a sample built, or a run stepped to the step that counts; its
 * problem written as FCLIB and packed, without solution and guess. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/benchmark/set.h"
#include "app/problem_argument.h"
#include "base/file.h"
#include "base/h5/pack.h"

#include <delassus/cone.h>
#include <delassus/run.h>
#include <delassus/statistics.h>

/* M, H and w say all of a problem of Coulomb's, in a quarter of the space of W; elsewhere W, q and
 * what our group adds. */
static DlsStatus pack(const char *from, const char *to) {
  static const char *const global[] = {"fclib_global"};
  static const char *const local[] = {"fclib_local", "delassus"};
  struct stat info;
  DLS_TRY(dls_h5_pack(from, global, DLS_COUNT(global), to));
  DlsProblem *problem = NULL;
  const DlsStatus status = dls_fclib_read(to, &problem, NULL); /* there was such a group */
  dls_problem_destroy(&problem);
  if (status == DLS_OK && stat(to, &info) == 0) return DLS_OK;
  return dls_h5_pack(from, local, DLS_COUNT(local), to);
}

static DlsStatus write_sample(const AppMember *member, const char *path) {
  const AppProblemName name = {.text = member->sample, .is_sample = true};
  AppProblem loaded = {0};
  DlsStatus status = app_problem_load(&name, APP_FORM_AUTO, &loaded);
  if (status == DLS_OK)
    status = dls_fclib_write(path, loaded.problem, member->name, NULL, NULL, NULL);
  app_problem_clear(&loaded);
  return status;
}

/* Removes a folder of ours with the files in it. */
static void remove_folder(const char *folder) {
  char path[PATH_MAX];
  DIR *listing = opendir(folder);
  const struct dirent *entry;
  while (listing && (entry = readdir(listing))) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (unlink(path) != 0) remove_folder(path);
  }
  if (listing) closedir(listing);
  (void)!rmdir(folder);
}

static DlsStatus write_deck(const AppMember *member, const char *folder) {
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/%s.yaml", folder, member->name);
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file,
                 "# %s of the benchmark set of delassus, version %d: the problem of step %ld of\n"
                 "#   delassus run %s.yaml --capture %ld\n%s",
                 member->name, APP_SET_VERSION, member->step, member->name, member->step,
                 member->deck);
  return dls_file_commit(&file);
}

/* The run, up to its step, in a folder aside; *made is false where it was stopped. */
static DlsStatus run_deck(const AppMember *member, const char *aside, bool (*stop)(void *context),
                          bool *made) {
  DlsRunOptions options = dls_run_options_default();
  DlsRun *run = NULL;
  bool more = true;
  options.text = member->deck;
  options.out = aside;
  options.overwrite = true;
  options.capture = member->step;
  options.stop = stop;
  DLS_TRY(dls_run_open(member->name, &options, &run));
  DlsStatus status = DLS_OK;
  while (status == DLS_OK && more && dls_run_report(run).step < member->step)
    status = dls_run_step(run, &more);
  *made = dls_run_report(run).step == member->step;
  const bool stopped = dls_run_report(run).state == DLS_RUN_STOPPED;
  const DlsStatus closed = dls_run_close(&run);
  DLS_TRY(status);
  DLS_TRY(closed);
  DLS_CHECK(*made || stopped, DLS_ERR_NUMERIC, "%s: its run ends before step %ld", member->name,
            member->step);
  return DLS_OK;
}

static DlsStatus make_run(const AppMember *member, const char *folder, const char *path,
                          bool (*stop)(void *context), bool *made) {
  char aside[PATH_MAX - 32], capture[PATH_MAX];
  snprintf(aside, sizeof aside, "%s/%s.run", folder, member->name);
  DlsStatus status = run_deck(member, aside, stop, made);
  snprintf(capture, sizeof capture, "%s/capture_%06ld.hdf5", aside, member->step);
  if (status == DLS_OK && *made) status = pack(capture, path);
  if (status == DLS_OK && *made) status = write_deck(member, folder);
  remove_folder(aside);
  return status;
}

static DlsStatus make_sample(const AppMember *member, const char *path) {
  char aside[PATH_MAX];
  snprintf(aside, sizeof aside, "%s.whole", path);
  DlsStatus status = write_sample(member, aside);
  if (status == DLS_OK) status = pack(aside, path);
  unlink(aside);
  return status;
}

DlsStatus app_set_make(const AppMember *member, const char *folder, bool (*stop)(void *context),
                       bool *made, AppMemberFacts *facts) {
  char path[PATH_MAX - 16];
  snprintf(path, sizeof path, "%s/%s.hdf5", folder, member->name);
  *made = true;
  DLS_TRY(member->sample ? make_sample(member, path) : make_run(member, folder, path, stop, made));
  return *made ? app_set_look(member, folder, facts) : DLS_OK;
}

DlsStatus app_set_look(const AppMember *member, const char *folder, AppMemberFacts *facts) {
  char path[PATH_MAX];
  struct stat info;
  DlsStatistics s;
  DlsProblem *problem = NULL;
  snprintf(path, sizeof path, "%s/%s.hdf5", folder, member->name);
  DLS_TRY(dls_fclib_read(path, &problem, NULL));
  DlsStatus status = dls_statistics_measure(problem, &s);
  if (status == DLS_OK) status = dls_problem_fingerprint(problem, facts->hash);
  dls_problem_destroy(&problem);
  DLS_TRY(status);
  facts->dim = s.dim;
  facts->block = s.block;
  facts->contacts = s.contacts;
  facts->bodies = s.bodies;
  facts->mu_min = s.mu_min;
  facts->mu_max = s.mu_max;
  facts->rank = s.rank;
  facts->rows = s.rows;
  facts->rank_is_bound = s.rank_is_bound;
  facts->relations[0] = '\0';
  for (int k = 0; k < DLS_CONE_COUNT; k++) {
    const size_t used = strlen(facts->relations);
    if (s.cones[k])
      snprintf(facts->relations + used, sizeof facts->relations - used, "%s%d %s", used ? " " : "",
               s.cones[k], dls_cone_name((DlsCone)k));
  }
  facts->bytes = stat(path, &info) == 0 ? (long)info.st_size : 0;
  return DLS_OK;
}

DlsStatus app_set_write_manifest(const AppMember *members, const AppMemberFacts *facts, int count,
                                 const char *folder) {
  char path[PATH_MAX];
  DlsFile *file;
  snprintf(path, sizeof path, "%s/manifest.csv", folder);
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file, "name,version,seed,dimension,components,contacts,bodies,relations,mu_min,"
                       "mu_max,rank,rank_is_bound,rows,bytes,hash,source,summary\n");
  for (int k = 0; k < count; k++) {
    const AppMember *m = &members[k];
    const AppMemberFacts *f = &facts[k];
    if (!f->contacts) continue;
    dls_file_print(file, "%s,%d,%d,%d,%d,%d,", m->name, APP_SET_VERSION, m->seed, f->dim, f->block,
                   f->contacts);
    if (f->bodies) dls_file_print(file, "%d", f->bodies);
    dls_file_print(file, ",%s,%g,%g,%d,%d,%d,%ld,%s,", f->relations, f->mu_min, f->mu_max, f->rank,
                   f->rank_is_bound, f->rows, f->bytes, f->hash);
    if (m->sample) {
      for (const char *c = m->sample; *c; c++) dls_file_put(file, *c == ',' ? ";" : c, 1);
    } else {
      dls_file_print(file, "step %ld of %s.yaml", m->step, m->name);
    }
    dls_file_print(file, ",");
    for (const char *c = m->summary; *c; c++) dls_file_put(file, *c == ',' ? ";" : c, 1);
    dls_file_print(file, "\n");
  }
  return dls_file_commit(&file);
}
