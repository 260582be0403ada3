/* delassus_bench: our nsgs beside Siconos' nsgs, and our default beside the best of Siconos'
 * solvers, on one core.
 *
 * Contenders take turns, each attempt in a child process from r = 0, the best of several counts. A
 * sweep is timed as the difference of a run of N + 1 sweeps and a run of one, without error
 * measures in between; a race to a tolerance is the wall clock of the whole call, errors included.
 */
#include "tests/bench/contender.h"
#include "tests/bench/entry.h"
#include "tests/bench/hindsight.h"
#include "tests/bench/report.h"

#include <fnmatch.h>
#include <glob.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CONTENDERS = 12, SWEEPS = 100 };

typedef struct {
  const char *problems, *csv, *shared, *table;
  double budget; /* s, of one solve */
  int repeat;
} Settings;

static const char usage[] =
    "usage: delassus_bench [--problems GLOB] [--budget S] [--repeat K] [--csv FILE] [--shared "
    "DIR]\n"
    "                      [--table NAME]\n"
    "  --problems GLOB  only problems of such names; @(a|b*) works (default *)\n"
    "  --budget S       seconds that one solve may take (default 10)\n"
    "  --repeat K       turns of every measurement, the best counts (default 5)\n"
    "  --csv FILE       every figure in long form\n"
    "  --table NAME     nsgs (sweeps and races of nsgs), hindsight (the best of Siconos' solvers), "
    "all\n"
    "  --shared DIR     folder with fclib/ (default DELASSUS_SHARED, or ../shared beside the "
    "source)\n";

/* Our nsgs with and without error measures between the sweeps, one for each form. */
typedef struct {
  const DlsSolver *nsgs;
  void *options, *without_errors;
} Ours;

static DlsStatus ours_create(Ours *ours) {
  DLS_TRY(dls_solver_find("nsgs", &ours->nsgs));
  ours->options = calloc(1, ours->nsgs->option_bytes);
  ours->without_errors = calloc(1, ours->nsgs->option_bytes);
  DLS_CHECK(ours->options && ours->without_errors, DLS_ERR_MEMORY, "out of memory");
  dls_solver_defaults(ours->nsgs, ours->options);
  dls_solver_defaults(ours->nsgs, ours->without_errors);
  return dls_solver_set_option(ours->nsgs, ours->without_errors, "check_every", "1000000");
}

static void ours_clear(Ours *ours) {
  free(ours->options);
  free(ours->without_errors);
}

static Contender our_contender(const Ours *ours, const char *name, const DlsProblem *problem,
                               Peer *peer) {
  return (Contender){.name = name,
                     .problem = problem,
                     .peer = peer,
                     .solver = ours->nsgs,
                     .options = ours->options,
                     .options_without_errors = ours->without_errors};
}

/* Appends Siconos' variants, at most so many, where it can state the problem. */
static int add_peers(const Entry *entry, int most, Contender *contenders, int count) {
  int variants = 0;
  const PeerVariant *variant = entry->peer ? peer_variants(entry->peer, &variants) : NULL;
  for (int i = 0; i < variants && i < most && count < MAX_CONTENDERS; i++)
    contenders[count++] = (Contender){.name = variant[i].name,
                                      .problem = entry->assembled,
                                      .peer = entry->peer,
                                      .variant = variant[i]};
  return count;
}

/* Siconos takes no limit of time: its sweeps are limited instead, by what one was measured to cost.
 */
static Task race_task(const Contender *contender, double tolerance, double limit_s, double rate) {
  const double sweep = 1e-9 * rate * dls_problem_contacts(contender->problem);
  const double sweeps = contender->solver || !(sweep > 0) ? 1e8 : fmin(1e8, limit_s / sweep + 1);
  return (Task){
      .tolerance = tolerance, .max_iterations = (long)sweeps, .limit_s = limit_s, .slice_s = 0.002};
}

/* Ours, the default and quartic have the whole budget; another variant can only matter by being
 * quicker than ours, and gets as long as ours took (a quarter of the budget, if ours failed). */
static void race(const Settings *settings, Report *report, const Entry *entry,
                 const Contender *contenders, int count, const Rate *rates, double tolerance) {
  Attempt attempts[MAX_CONTENDERS];
  Task tasks[MAX_CONTENDERS];
  int full = count < 3 ? count : 3;
  for (int i = 0; i < full; i++) {
    /* Sweeps that end in NaN would go on to the end of the budget. */
    const double budget = isfinite(rates[i].error) ? settings->budget : 0.05;
    tasks[i] = race_task(&contenders[i], tolerance, budget, rates[i].ns);
  }
  contenders_try(contenders, full, tasks, settings->repeat, attempts);
  const double ours =
      attempt_reached(&attempts[0], tolerance) ? attempts[0].time_s : settings->budget / 4;
  for (int i = full; i < count; i++)
    tasks[i] = race_task(&contenders[i], tolerance, ours, rates[i].ns);
  if (count > full)
    contenders_try(contenders + full, count - full, tasks + full, settings->repeat,
                   attempts + full);
  report_race(report, entry->name, contenders, count, tolerance, attempts);
}

typedef struct {
  Entry *entries;
  int count;
} Field;

/* A global problem whose condensed twin is here too: raced once. */
static bool is_twin(const Field *field, const Entry *entry) {
  const char *prefix = "global/";
  if (strncmp(entry->name, prefix, strlen(prefix)) != 0) return false;
  for (int i = 0; i < field->count; i++)
    if (strcmp(field->entries[i].name, entry->name + strlen(prefix)) == 0) return true;
  return false;
}

static void rate_assembled(const Settings *settings, const Ours *ours, Report *report,
                           const Entry *entry, Rate *rates) {
  Contender contenders[MAX_CONTENDERS];
  contenders[0] = our_contender(ours, "ours", entry->assembled, entry->peer);
  const int count = add_peers(entry, MAX_CONTENDERS, contenders, 1);
  contenders_rate(contenders, count, SWEEPS, settings->repeat, rates);
  report_rate(report, entry->name, contenders, count, rates);
}

static void rate_factored(const Settings *settings, const Ours *ours, Report *report,
                          const Entry *entry) {
  Contender contenders[MAX_CONTENDERS];
  Rate rates[MAX_CONTENDERS];
  contenders[0] = our_contender(ours, "ours_factored", entry->factored, entry->peer);
  contenders[1] = our_contender(ours, "ours", entry->assembled, entry->peer);
  const int count = add_peers(entry, 2, contenders, 2);
  contenders_rate(contenders, count, SWEEPS, settings->repeat, rates);
  report_factored(report, entry->name, contenders, count, rates);
}

static void race_all(const Settings *settings, const Ours *ours, Report *report, const Field *field,
                     Rate (*rates)[MAX_CONTENDERS], double tolerance) {
  report_race_head(tolerance);
  for (int i = 0; i < field->count; i++) {
    Contender contenders[MAX_CONTENDERS];
    if (is_twin(field, &field->entries[i])) continue;
    contenders[0] =
        our_contender(ours, "ours", field->entries[i].assembled, field->entries[i].peer);
    const int count = add_peers(&field->entries[i], MAX_CONTENDERS, contenders, 1);
    race(settings, report, &field->entries[i], contenders, count, rates[i], tolerance);
  }
}

static DlsStatus run(const Settings *settings, const Ours *ours, Report *report,
                     const Field *field) {
  Rate(*rates)[MAX_CONTENDERS] = calloc((size_t)field->count + 1, sizeof *rates);
  DLS_CHECK(rates, DLS_ERR_MEMORY, "out of memory");
  report_rate_head();
  for (int i = 0; i < field->count; i++)
    if (!is_twin(field, &field->entries[i]))
      rate_assembled(settings, ours, report, &field->entries[i], rates[i]);
  report_factored_head();
  for (int i = 0; i < field->count; i++)
    if (field->entries[i].factored) rate_factored(settings, ours, report, &field->entries[i]);
  race_all(settings, ours, report, field, rates, 1e-4);
  race_all(settings, ours, report, field, rates, 1e-8);
  report_summary(report);
  free(rates);
  return DLS_OK;
}

/* Figures of this table go to FILE.hindsight.csv beside those of the others, or to FILE when it is
 * alone. */
static DlsStatus hindsight(const Settings *settings, const Field *field) {
  const double tolerances[] = {1e-4, 1e-8};
  char csv[4200];
  snprintf(csv, sizeof csv, strcmp(settings->table, "all") == 0 ? "%s.hindsight.csv" : "%s",
           settings->csv ? settings->csv : "");
  Entry *entries = calloc((size_t)field->count + 1, sizeof *entries);
  DLS_CHECK(entries, DLS_ERR_MEMORY, "out of memory");
  int count = 0;
  for (int i = 0; i < field->count; i++)
    if (!is_twin(field, &field->entries[i])) entries[count++] = field->entries[i]; /* lent */
  const HindsightSettings asked = {settings->budget, settings->repeat, settings->csv ? csv : NULL};
  const DlsStatus status = hindsight_run(&asked, entries, count, tolerances, DLS_COUNT(tolerances));
  free(entries);
  return status;
}

static bool wanted(const Settings *settings, const char *name) {
  return fnmatch(settings->problems, name, FNM_EXTMATCH) == 0;
}

/* Keeps the entry where its name is asked for. */
static DlsStatus join(const Settings *settings, Field *field, Entry *entry) {
  if (!wanted(settings, entry->name)) {
    entry_clear(entry);
    return DLS_OK;
  }
  Entry *more = realloc(field->entries, ((size_t)field->count + 1) * sizeof *more);
  DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory");
  field->entries = more;
  field->entries[field->count++] = *entry;
  return DLS_OK;
}

static DlsStatus gather_files(const Settings *settings, const char *folder, Field *field) {
  char pattern[4200];
  glob_t files;
  snprintf(pattern, sizeof pattern, "%s/fclib/%s/*.hdf5", settings->shared, folder);
  if (glob(pattern, 0, NULL, &files) != 0) {
    printf("no problems in %s/fclib/%s\n", settings->shared, folder);
    return DLS_OK;
  }
  DlsStatus status = DLS_OK;
  for (size_t k = 0; status == DLS_OK && k < files.gl_pathc; k++) {
    Entry entry;
    if (entry_read(files.gl_pathv[k], &entry) == DLS_OK) {
      status = join(settings, field, &entry);
    } else {
      printf("left out: %s\n", dls_error_message());
    }
  }
  globfree(&files);
  return status;
}

static DlsStatus gather(const Settings *settings, Field *field) {
  static const struct {
    const char *name;
    int contacts;
  } samples[] = {{"box", 1000}, {"box", 10000}, {"disks", 1000}, {"disks", 10000}, {"wall", 1000}};
  DLS_TRY(gather_files(settings, "local", field));
  DLS_TRY(gather_files(settings, "global", field));
  for (int i = 0; i < DLS_COUNT(samples); i++) {
    Entry entry;
    char name[96];
    snprintf(name, sizeof name, "%s-%d", samples[i].name, samples[i].contacts);
    if (!wanted(settings, name)) continue;
    DLS_TRY(entry_sample(samples[i].name, samples[i].contacts, &entry));
    DLS_TRY(join(settings, field, &entry));
  }
  DLS_CHECK(field->count > 0, DLS_ERR_ARGUMENT, "no problem is called %s", settings->problems);
  return DLS_OK;
}

static bool read_settings(int argc, char **argv, Settings *settings) {
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (!value) return false;
    if (strcmp(argv[i], "--problems") == 0) {
      settings->problems = value;
    } else if (strcmp(argv[i], "--csv") == 0) {
      settings->csv = value;
    } else if (strcmp(argv[i], "--shared") == 0) {
      settings->shared = value;
    } else if (strcmp(argv[i], "--table") == 0) {
      settings->table = value;
    } else if (strcmp(argv[i], "--budget") == 0) {
      settings->budget = strtod(value, NULL);
    } else if (strcmp(argv[i], "--repeat") == 0) {
      settings->repeat = (int)strtol(value, NULL, 10);
    } else {
      return false;
    }
  }
  return settings->budget > 0 && settings->repeat > 0 &&
         fnmatch("@(nsgs|hindsight|all)", settings->table, FNM_EXTMATCH) == 0;
}

/* The last core that we may use: the first ones serve interrupts. */
static int pin(void) {
  cpu_set_t allowed, one;
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -1;
  int core = CPU_SETSIZE - 1;
  while (core > 0 && !CPU_ISSET((size_t)core, &allowed)) core--;
  CPU_SET((size_t)core, &one);
  return sched_setaffinity(0, sizeof one, &one) == 0 ? core : -1;
}

/* Siconos' BLAS reads its number of threads when it is loaded, before main(). */
static void use_one_thread(char **argv) {
  if (getenv("OPENBLAS_NUM_THREADS")) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);
}

int main(int argc, char **argv) {
  use_one_thread(argv);
  const char *shared = getenv("DELASSUS_SHARED");
  Settings settings = {"*", NULL, shared ? shared : BENCH_SHARED, "all", 10, 5};
  if (!read_settings(argc, argv, &settings)) {
    fputs(usage, stderr);
    return 2;
  }
  printf("one core: number %d; best of %d turns; %g s for a solve\n", pin(), settings.repeat,
         settings.budget);
  Ours ours = {0};
  Report report = {0};
  Field field = {0};
  DlsStatus status = ours_create(&ours);
  if (status == DLS_OK) status = gather(&settings, &field);
  if (status == DLS_OK && strcmp(settings.table, "hindsight") != 0)
    status = report_open(settings.csv, &report);
  if (status == DLS_OK && strcmp(settings.table, "hindsight") != 0)
    status = run(&settings, &ours, &report, &field);
  if (status == DLS_OK && strcmp(settings.table, "nsgs") != 0)
    status = hindsight(&settings, &field);
  if (status != DLS_OK) fprintf(stderr, "delassus_bench: %s\n", dls_error_message());
  report_close(&report);
  for (int i = 0; i < field.count; i++) entry_clear(&field.entries[i]);
  free(field.entries);
  ours_clear(&ours);
  return status != DLS_OK || report.disagreements > 0;
}
