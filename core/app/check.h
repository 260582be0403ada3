/* What `law check` and `solver check` share: the options, the loop over the checks of a bench, and
 * what is printed. */
#ifndef DELASSUS_APP_CHECK_H
#define DELASSUS_APP_CHECK_H

#include "app/options.h"
#include "base/file.h"
#include "base/json.h"
#include "bench/bench.h"

/* What one of the commands has of its own. */
typedef struct {
  const DlsBench *bench;
  const char *command;                       /* delassus COMMAND check */
  const char *not_asked;                     /* the word for it */
  const char *manual;                        /* "docs/law-check.md" */
  int widths[2];                             /* of the columns outcome and name */
  void (*print_limits)(const void *options); /* of the bench: what a check and a case may take */
  void (*print_counts)(const DlsBenchResult *result);
  void (*write_counts)(DlsJson *json, const DlsBenchResult *result);
} AppCheckKind;

enum { APP_MAX_CHECKS = 64, APP_CHECK_SETTINGS = 1024 };

typedef struct {
  /* Of the command line; the rows below fill them. */
  const char *subject, *report, *only;
  long seed, cases, number;
  double limit;
  bool json, list;
  /* Of the command, once it knows what stands on the bench. */
  const void *options; /* of the bench */
  const char *name, *summary, *references, *file;
  char settings[APP_CHECK_SETTINGS];                /* " --set mu=0.3 ...", or "" */
  void (*more)(DlsFile *file, const void *options); /* at the end of the page; NULL: nothing */
  /* What comes of it. */
  DlsBenchResult results[APP_MAX_CHECKS];
  int count;
} AppCheck;

#define APP_CHECK_ROWS(job, check)                                                                 \
  APP_TEXT_ROW(job, check.report, "report", "FILE.html", "writes the results as one page"),        \
      APP_INTEGER_ROW(job, check.seed, "seed", "N", 0, APP_ANY,                                    \
                      "of the random numbers (default 1)"),                                        \
      APP_TEXT_ROW(job, check.only, "only", "CHECK", "runs one check"),                            \
      APP_INTEGER_ROW(job, check.number, "case", "K", 0, APP_ANY,                                  \
                      "with --only: runs one case and tells all of it"),                           \
      APP_REAL_ROW(job, check.limit, "limit", "S", 0.001, APP_ANY,                                 \
                   "seconds that a check may take (default 300)"),                                 \
      APP_FLAG_ROW(job, check.json, "json", "prints an object"),                                   \
      APP_FLAG_ROW(job, check.list, "list", "the checks there are")

/* Before the command line is read. */
void app_check_begin(AppCheck *check);

/* Adds to the settings " --set TEXT", TEXT as the shell takes it: the command that repeats a
 * failure has them. */
void app_check_setting(AppCheck *check, const char *option, const char *text);
/* A limit in s that was given, above 0, holds for the command that repeats a failure too. */
void app_check_limit(AppCheck *check, const char *option, double seconds);

/* --list; then --only and --case as they were given, then the checks. The exit status. */
int app_check_list(const AppCheckKind *kind);
int app_check_run(const AppCommand *command, const AppCheckKind *kind, AppCheck *check);

/* The page, the object and the last line, of the results that there are. The exit status. */
int app_check_end(const AppCommand *command, const AppCheckKind *kind, const AppCheck *check);

#endif
