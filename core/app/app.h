/* The command line: one file per command, each an AppCommand that main.c lists.
 * This is the one place of the project that prints and exits. */
#ifndef DELASSUS_APP_APP_H
#define DELASSUS_APP_APP_H

#include <stdbool.h>

#include <delassus/status.h>

#include "app/exit.h"
#include "app/interrupt.h"

/* One row of a command's options: --name, or --name VALUE when `value` names it. */
typedef struct {
  const char *name;
  const char *value; /* NULL for a flag */
  const char *meaning;
} AppOption;

typedef struct AppCommand {
  const char *name;
  const char *usage;   /* what follows "delassus NAME" */
  const char *summary; /* one line */
  const char *details; /* paragraphs and examples; may be NULL */
  const AppOption *options;
  int noptions;
  int (*run)(const struct AppCommand *self, int argc, char **argv); /* returns the exit status */
} AppCommand;

extern const AppCommand app_run, app_post, app_solve, app_compare, app_show, app_law, app_solver,
    app_sample, app_doctor, app_demo;

/* Commands of two words, such as `law new`: found by the second one. */
extern const AppCommand app_law_new, app_law_check, app_law_path, app_law_draw, app_law_page;

/* The command of the table whose second word is argv[0]; NULL when there is none. */
const AppCommand *app_second_word(const AppCommand *const *commands, int count, int argc,
                                  char **argv);

/* Prints "delassus NAME: sentence" on stderr and returns APP_WRONG_INPUT. */
int app_refuse(const AppCommand *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same with the library's own sentence. */
int app_refuse_status(const AppCommand *command);

/* A title and, indented, the lines of a text; nothing when it is empty. */
void app_print_lines(const char *title, const char *lines);

/* Seconds of a clock that never steps back. */
double app_clock(void);

#endif
