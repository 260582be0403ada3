/* Walks the arguments of a command: --name value, --name=value, operands, and what follows `--`. */
#ifndef DELASSUS_APP_ARGUMENTS_H
#define DELASSUS_APP_ARGUMENTS_H

#include "app/options.h"

#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Results of app_arguments_next() that are no option. */
enum { APP_END = -1, APP_OPERAND = -2, APP_REST = -3, APP_STOP = -4 };

typedef struct {
  const AppCommand *command;
  int argc, at;
  char **argv;
  const char *value; /* of the option or the operand just met */
  int status;        /* exit status, after APP_STOP */
} AppArguments;

AppArguments app_arguments(const AppCommand *command, int argc, char **argv);

/* The number of the option met, in the command's table; APP_OPERAND; APP_REST at `--`, where argv +
 * at is what follows; APP_END; APP_STOP when --help was answered or the arguments are wrong (said
 * so). */
int app_arguments_next(AppArguments *self);

/* Numbers of the option just met; on a wrong one they say so and set APP_STOP's status: false. */
bool app_arguments_real(AppArguments *self, const char *name, double min, double *out);
bool app_arguments_count(AppArguments *self, const char *name, long min, long *out);

#endif
