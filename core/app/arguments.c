/* Arguments and help texts. */
#include "app/arguments.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/version.h>

#include "base/nearest.h"

AppArguments app_arguments(const AppCommand *command, int argc, char **argv) {
  return (AppArguments){.command = command, .argc = argc, .argv = argv};
}

static int stop(AppArguments *self, int status) {
  self->status = status;
  return APP_STOP;
}

static int unknown(AppArguments *self, const char *argument, const char *word) {
  const AppCommand *command = self->command;
  const char *names[64];
  int count = 0;
  for (; count < command->noptions && count < DLS_COUNT(names); count++)
    names[count] = command->options[count].name;
  const char *near = dls_nearest(word, names, count);
  if (near)
    app_refuse(command, "unknown option %s; did you mean --%s?", argument, near);
  else
    app_refuse(command, "unknown option %s; see delassus %s --help", argument, command->name);
  return stop(self, APP_WRONG_INPUT);
}

/* word is argument without the dashes, up to '='. */
static int match(AppArguments *self, const char *argument, const char *word, const char *equals) {
  const AppCommand *command = self->command;
  for (int i = 0; i < command->noptions; i++) {
    const AppOption *option = &command->options[i];
    if (strcmp(option->name, word) != 0) continue;
    self->value = NULL;
    if (!option->value) {
      if (!equals) return i;
      app_refuse(command, "--%s takes no value", word);
      return stop(self, APP_WRONG_INPUT);
    }
    if (equals) {
      self->value = equals + 1;
    } else if (self->at < self->argc) {
      self->value = self->argv[self->at++];
    } else {
      app_refuse(command, "--%s needs a value: --%s %s", word, word, option->value);
      return stop(self, APP_WRONG_INPUT);
    }
    return i;
  }
  return unknown(self, argument, word);
}

int app_arguments_next(AppArguments *self) {
  if (self->at >= self->argc) return APP_END;
  const char *argument = self->argv[self->at++];
  if (strcmp(argument, "--") == 0) return APP_REST;
  if (argument[0] != '-' || argument[1] == '\0') {
    self->value = argument;
    return APP_OPERAND;
  }
  if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
    app_options_help(self->command);
    return stop(self, APP_DONE);
  }
  if (strcmp(argument, "--version") == 0) {
    printf("delassus %s\n", DLS_VERSION);
    return stop(self, APP_DONE);
  }
  if (argument[1] != '-') return unknown(self, argument, argument + 1);
  char word[64];
  const char *equals = strchr(argument, '=');
  const size_t length = equals ? (size_t)(equals - argument - 2) : strlen(argument + 2);
  if (length >= sizeof word) return unknown(self, argument, argument + 2);
  memcpy(word, argument + 2, length);
  word[length] = '\0';
  return match(self, argument, word, equals);
}

bool app_arguments_real(AppArguments *self, const char *name, double min, double *out) {
  char *end;
  const double value = strtod(self->value, &end);
  if (end != self->value && *end == '\0' && isfinite(value) && value >= min) {
    *out = value;
    return true;
  }
  self->status =
      app_refuse(self->command, "--%s %s: give a number, %g or more", name, self->value, min);
  return false;
}

bool app_arguments_count(AppArguments *self, const char *name, long min, long *out) {
  char *end;
  errno = 0;
  const long value = strtol(self->value, &end, 10);
  if (end != self->value && *end == '\0' && errno == 0 && value >= min) {
    *out = value;
    return true;
  }
  self->status = app_refuse(self->command, "--%s %s: give a whole number, %ld or more", name,
                            self->value, min);
  return false;
}
