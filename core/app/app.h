/* The command line: one file per command, each an AppCommand that main.c lists.
 * This is the one place of the project that prints and exits. */
#ifndef DELASSUS_APP_APP_H
#define DELASSUS_APP_APP_H

#include <stdbool.h>

#include <delassus/status.h>

#include "app/exit.h"
#include "app/interrupt.h"

typedef struct AppOption AppOption; /* app/options.h */

typedef struct AppCommand {
  const char *name;
  const char *usage;   /* what follows "delassus NAME" */
  const char *summary; /* one line */
  const char *details; /* paragraphs and examples; may be NULL */
  const AppOption *options;
  int noptions;
  const struct AppCommand *const *verbs; /* commands of two words, found by the second one */
  int nverbs;
  int (*run)(const struct AppCommand *self, int argc, char **argv); /* returns the exit status */
} AppCommand;

/* All commands of one word, in the order of the help. */
const AppCommand *const *app_commands(int *count);

extern const AppCommand app_run, app_post, app_solve, app_compare, app_show, app_indeterminacy,
    app_law, app_bulk, app_solver, app_sample, app_doctor, app_demo, app_plot, app_study,
    app_benchmark, app_import;

/* Commands of two words, such as `law new`. */
extern const AppCommand app_law_new, app_law_check, app_law_path, app_law_draw, app_law_page,
    app_bulk_new, app_bulk_check, app_bulk_path, app_bulk_draw, app_bulk_page, app_solver_new,
    app_solver_check;

/* The verb of the command that argv[0] names; NULL when there is none. */
const AppCommand *app_verb(const AppCommand *command, int argc, char **argv);

/* Runs a command that knows `list` and, unless show is NULL, `show NAME`. */
int app_list_or_show(const AppCommand *command, int argc, char **argv,
                     int (*list)(const AppCommand *command),
                     int (*show)(const AppCommand *command, const char *name));

/* Prints "delassus NAME: sentence" on stderr and returns APP_WRONG_INPUT. */
int app_refuse(const AppCommand *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same with the library's own sentence; returns app_refused(). */
int app_refuse_status(const AppCommand *command);
/* What a failure of the library means: APP_WRONG_INPUT, or APP_NOT_CONVERGED where a plugin has
 * died. */
int app_refused(void);

/* A title and, indented, the lines of a text; nothing when it is empty. */
void app_print_lines(const char *title, const char *lines);

/* Seconds of a clock that never steps back. */
double app_clock(void);

#endif
