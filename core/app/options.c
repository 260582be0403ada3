/* Reads the arguments of a command into its job, by the table of its options. */
#include "app/options.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/version.h>

#include "base/choices.h"
#include "base/nearest.h"

enum { MOST_OPTIONS = 64, WORD = 64 };

typedef struct {
  const AppCommand *command;
  int argc, at;
  char **argv;
  char *job;
  uint64_t given; /* a bit for each row */
} Reader;

void app_options_help(const AppCommand *command) {
  printf("delassus %s %s\n\n%s.\n", command->name, command->usage, command->summary);
  bool space = false;
  for (int i = 0; i < command->noptions; i++) {
    const AppOption *option = &command->options[i];
    char left[WORD];
    if (!option->name) continue;
    if (!space) printf("\n");
    space = true;
    snprintf(left, sizeof left, "--%s%s%s", option->name, option->value ? " " : "",
             option->value ? option->value : "");
    printf("  %-28s %s\n", left, option->meaning);
  }
  printf("  %-28s %s\n", "--help", "this text");
  if (command->details) printf("\n%s", command->details);
}

static bool refuse_unknown(const AppCommand *command, const char *argument, const char *word) {
  const char *names[MOST_OPTIONS];
  int count = 0;
  for (; count < command->noptions && count < MOST_OPTIONS; count++)
    names[count] = command->options[count].name;
  const char *near = dls_nearest(word, names, count);
  if (near)
    app_refuse(command, "unknown option %s; did you mean --%s?", argument, near);
  else
    app_refuse(command, "unknown option %s; see delassus %s --help", argument, command->name);
  return false;
}

static bool refuse_choice(const AppCommand *command, const AppOption *option, const char *value) {
  char list[256];
  dls_choice_list(option->choices, " or ", list, sizeof list);
  app_refuse(command, "--%s %s: write %s", option->name, value, list);
  return false;
}

/* Not a number, or out of its bounds, and which ones would do. */
static bool refuse_number(const AppCommand *command, const AppOption *option, const char *value,
                          bool number) {
  const char *kind = option->kind == APP_INTEGER ? "a whole number" : "a number";
  char cure[96];
  if (option->min == APP_ABOVE_0 && option->max == APP_ANY)
    snprintf(cure, sizeof cure, "%s above 0", kind);
  else if (option->min == -APP_ANY && option->max == APP_ANY)
    snprintf(cure, sizeof cure, "%s", kind);
  else if (option->max == APP_ANY)
    snprintf(cure, sizeof cure, "%s, %.9g or more", kind, option->min);
  else
    snprintf(cure, sizeof cure, "%s from %.9g to %.9g", kind, option->min, option->max);
  app_refuse(command, "--%s %s: %s; give %s", option->name, value,
             number                        ? "is out of bounds"
             : value[0] == 0               ? "is empty"
             : option->kind == APP_INTEGER ? "is no whole number"
                                           : "is no number",
             cure);
  return false;
}

static bool take_real(Reader *reader, const AppOption *option, const char *value, double *out) {
  char *end;
  const double number = strtod(value, &end);
  const bool whole = end != value && *end == '\0' && !isnan(number);
  if (!whole || !isfinite(number) || number < option->min || number > option->max)
    return refuse_number(reader->command, option, value, whole);
  *out = number;
  return true;
}

static bool take_integer(Reader *reader, const AppOption *option, const char *value, long *out) {
  char *end;
  errno = 0;
  const long number = strtol(value, &end, 10);
  const bool whole = end != value && *end == '\0';
  if (option->choices) {
    if (dls_choice_find(option->choices, value) < 0)
      return refuse_choice(reader->command, option, value);
  } else if (!whole || errno || (double)number < option->min || (double)number > option->max) {
    return refuse_number(reader->command, option, value, whole);
  }
  *out = number;
  return true;
}

static bool take_choice(Reader *reader, const AppOption *option, const char *value, int *out) {
  const int number = dls_choice_find(option->choices, value);
  if (number < 0) return refuse_choice(reader->command, option, value);
  *out = number;
  return true;
}

static bool add_text(Reader *reader, const char *value, AppTexts *texts) {
  if (texts->count == texts->capacity) {
    const int capacity = 2 * texts->capacity + 16;
    const char **more = realloc(texts->item, (size_t)capacity * sizeof *more);
    if (!more) {
      app_refuse(reader->command, "out of memory for %d arguments", capacity);
      return false;
    }
    texts->item = more;
    texts->capacity = capacity;
  }
  texts->item[texts->count++] = value;
  return true;
}

static bool refuse_second(const AppCommand *command, const AppOption *option, const char *value) {
  if (option->operand)
    app_refuse(command, "one %s at a time; %s is the second", option->value, value);
  else if (option->value)
    app_refuse(command, "--%s is given twice, the second time as %s; leave one out", option->name,
               value);
  else
    app_refuse(command, "--%s is given twice; leave one out", option->name);
  return false;
}

static bool take(Reader *reader, int row, const char *value) {
  const AppOption *option = &reader->command->options[row];
  void *field = reader->job + option->offset;
  const uint64_t bit = UINT64_C(1) << row;
  const bool again = option->kind == APP_TEXTS || option->repeats;
  if ((reader->given & bit) && !again) return refuse_second(reader->command, option, value);
  reader->given |= bit;
  switch (option->kind) {
  case APP_FLAG:
    *(bool *)field = true;
    return true;
  case APP_TEXT:
    *(const char **)field = value;
    return true;
  case APP_TEXTS:
    return add_text(reader, value, field);
  case APP_REAL:
    return take_real(reader, option, value, field);
  case APP_INTEGER:
    return take_integer(reader, option, value, field);
  case APP_CHOICE:
    return take_choice(reader, option, value, field);
  case APP_READ:
    return option->read(reader->command, option, value, field);
  case APP_REMAINDER:
  default:
    return false;
  }
}

static bool take_operand(Reader *reader, const char *word) {
  for (int i = 0; i < reader->command->noptions; i++)
    if (reader->command->options[i].operand) return take(reader, i, word);
  app_refuse(reader->command, "takes no argument, and %s is one; see delassus %s --help", word,
             reader->command->name);
  return false;
}

/* All that stands behind `--`. */
static bool take_rest(Reader *reader) {
  for (int i = 0; i < reader->command->noptions; i++)
    if (reader->command->options[i].kind == APP_REMAINDER) {
      AppRemainder *rest =
          (AppRemainder *)(void *)(reader->job + reader->command->options[i].offset);
      *rest = (AppRemainder){reader->argc - reader->at, reader->argv + reader->at};
      reader->at = reader->argc;
      return true;
    }
  app_refuse(reader->command, "nothing follows --; see delassus %s --help", reader->command->name);
  return false;
}

/* --name, --name value or --name=value. */
static bool take_option(Reader *reader, const char *argument) {
  const AppCommand *command = reader->command;
  if (argument[1] != '-') return refuse_unknown(command, argument, argument + 1);
  const char *name = argument + 2, *equals = strchr(name, '=');
  const size_t length = equals ? (size_t)(equals - name) : strlen(name);
  for (int i = 0; i < command->noptions; i++) {
    const AppOption *option = &command->options[i];
    if (!option->name || strlen(option->name) != length || memcmp(option->name, name, length) != 0)
      continue;
    if (!option->value) {
      if (!equals) return take(reader, i, NULL);
      app_refuse(command, "--%s takes no value", option->name);
      return false;
    }
    if (equals) return take(reader, i, equals + 1);
    if (reader->at < reader->argc) return take(reader, i, reader->argv[reader->at++]);
    app_refuse(command, "--%s needs a value: --%s %s", option->name, option->name, option->value);
    return false;
  }
  char word[WORD];
  snprintf(word, sizeof word, "%.*s", (int)(length < WORD ? length : WORD), name);
  return refuse_unknown(command, argument, word);
}

int app_options_read(const AppCommand *command, int argc, char **argv, void *job) {
  Reader reader = {.command = command, .argc = argc, .argv = argv, .job = job};
  while (reader.at < argc) {
    const char *argument = argv[reader.at++];
    bool good;
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      app_options_help(command);
      return APP_DONE;
    }
    if (strcmp(argument, "--version") == 0) {
      printf("delassus %s\n", DLS_VERSION);
      return APP_DONE;
    }
    if (strcmp(argument, "--") == 0)
      good = take_rest(&reader);
    else if (argument[0] != '-' || argument[1] == '\0')
      good = take_operand(&reader, argument);
    else
      good = take_option(&reader, argument);
    if (!good) return APP_WRONG_INPUT;
  }
  return APP_GO_ON;
}

void app_options_clear(const AppCommand *command, void *job) {
  for (int i = 0; i < command->noptions; i++) {
    const AppOption *option = &command->options[i];
    if (option->kind != APP_TEXTS) continue;
    AppTexts *texts = (AppTexts *)(void *)((char *)job + option->offset);
    free(texts->item);
    *texts = (AppTexts){0};
  }
}
