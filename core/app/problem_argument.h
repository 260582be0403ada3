/* A problem as the command line names it: a file, or a sample NAME[:SIZE[:key=value,...]]. */
#ifndef DELASSUS_APP_PROBLEM_ARGUMENT_H
#define DELASSUS_APP_PROBLEM_ARGUMENT_H

#include <stdbool.h>

#include <delassus/fclib.h>

#include "app/options.h"

typedef struct {
  const char *text; /* the path, or what followed --sample */
  bool is_sample;
  bool changed; /* all friction is to have this `associated` (delassus/relation.h); else as the */
  double associated; /* problem has it */
} AppProblemName;

enum { APP_ASSOCIATED_MOST = 8 };

/* The problems of a call, in their order; a zeroed list is empty. */
typedef struct {
  AppProblemName *item;
  int count, capacity;
  double associated[APP_ASSOCIATED_MOST]; /* of --associated */
  int laws;                               /* how many of them */
} AppProblemNames;

/* Rows of a command: its operands are files of problems, --sample names one that is built. */
#define APP_PROBLEMS_ROW(job, field)                                                               \
  {                                                                                                \
    .kind = APP_READ, .operand = true, .repeats = true, .read = app_problem_names_add,             \
    .offset = APP_FIELD(AppProblemNames, job, field)                                               \
  }
#define APP_SAMPLE_ROW(job, field, meaning_)                                                       \
  {                                                                                                \
    .name = "sample", .value = "NAME[:SIZE]", .meaning = (meaning_), .kind = APP_READ,             \
    .repeats = true, .read = app_problem_names_add,                                                \
    .offset = APP_FIELD(AppProblemNames, job, field)                                               \
  }
#define APP_ASSOCIATED_ROW(job, field)                                                             \
  {                                                                                                \
    .name = "associated", .value = "A1,A2",                                                        \
    .meaning = "each problem with all its friction so far associated: 0 is Coulomb's law, 1 the "  \
               "convex one",                                                                       \
    .kind = APP_READ, .read = app_problem_names_associate,                                         \
    .offset = APP_FIELD(AppProblemNames, job, field)                                               \
  }
bool app_problem_names_associate(const AppCommand *command, const AppOption *option,
                                 const char *value, void *names);
/* Once all is read: every problem under each law of --associated, one behind the other. */
DlsStatus app_problem_names_spread(AppProblemNames *names);
bool app_problem_names_add(const AppCommand *command, const AppOption *option, const char *value,
                           void *names);
void app_problem_names_clear(AppProblemNames *names);

typedef struct {
  DlsProblem *problem;
  DlsFclibExtra extra; /* empty for a sample */
} AppProblem;

typedef enum { APP_FORM_AUTO, APP_FORM_ASSEMBLED, APP_FORM_FACTORED } AppForm;

#define APP_FORM_ROW(job, field)                                                                   \
  APP_CHOICE_ROW(job, field, "form", "FORM", "auto|assembled|factored",                            \
                 "of W: auto (as it comes), assembled, factored")

/* Reads or builds the problem, with another law where the name says so, in the form asked for; auto
 * leaves the form that it comes in. */
DlsStatus app_problem_load(const AppProblemName *name, AppForm form, AppProblem *out);
void app_problem_clear(AppProblem *self);

/* r [contacts][block], to be ended with free(): zeros, the solution of the file ("file"), or its
 * guess number K ("0", "1" ...). */
DlsStatus app_problem_guess(const AppProblem *self, const char *which, double **r);

#endif
