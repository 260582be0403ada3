/* A problem as the command line names it: a file, or a sample NAME[:SIZE[:key=value,...]]. */
#ifndef DELASSUS_APP_PROBLEM_ARGUMENT_H
#define DELASSUS_APP_PROBLEM_ARGUMENT_H

#include <stdbool.h>

#include <delassus/fclib.h>

#include "app/arguments.h"

typedef struct {
  const char *text; /* the path, or what followed --sample */
  bool is_sample;
} AppSource;

/* The problems of a call, in their order; a zeroed list is empty. */
typedef struct {
  AppSource *item;
  int count, capacity;
} AppSources;

/* Takes the argument just met; on a failure it says so and sets the status of the arguments: false. */
bool app_sources_add(AppSources *sources, AppArguments *arguments, bool is_sample);
void app_sources_clear(AppSources *sources);

typedef struct {
  DlsProblem *problem;
  DlsFclibExtra extra; /* empty for a sample */
} AppProblem;

typedef enum { APP_FORM_AUTO, APP_FORM_ASSEMBLED, APP_FORM_FACTORED } AppForm;

/* auto, assembled or factored, the argument just met; on another word it says so: false. */
bool app_form_read(AppArguments *arguments, AppForm *form);

/* Reads or builds the problem, in the form asked for; auto leaves the form that it comes in. */
DlsStatus app_source_load(const AppSource *source, AppForm form, AppProblem *out);
void app_problem_clear(AppProblem *self);

/* r [contacts][block], to be ended with free(): zeros, the solution of the file ("file"), or its
 * guess number K ("0", "1" ...). */
DlsStatus app_problem_guess(const AppProblem *self, const char *which, double **r);

const char *app_form_name(DlsForm form);

#endif
