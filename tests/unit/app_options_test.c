/* Options of all commands, from their tables: the help is complete, and each mistake is refused
 * with exit status 2 and a sentence that says the cure. A table of the test's own shows what is
 * read. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/options.h"
#include "base/choices.h"
#include "tests/test.h"

static char output[1 << 16]; /* of the last run, both streams */

/* Runs a command with its arguments in a process of its own; its exit status. */
static int run(const AppCommand *command, int argc, const char *const *words) {
  int pipes[2], status = 0;
  size_t length = 0;
  output[0] = '\0';
  fflush(NULL);
  if (pipe(pipes) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    char *argv[8] = {NULL};
    for (int k = 0; k < argc; k++) argv[k] = strdup(words[k]);
    dup2(pipes[1], STDOUT_FILENO);
    dup2(pipes[1], STDERR_FILENO);
    close(pipes[0]);
    close(pipes[1]);
    const int done = command->run(command, argc, argv);
    fflush(NULL);
    _exit(done);
  }
  close(pipes[1]);
  for (ssize_t got; (got = read(pipes[0], output + length, sizeof output - 1 - length)) > 0;)
    length += (size_t)got;
  output[length] = '\0';
  close(pipes[0]);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void check_run(const AppCommand *command, const char *first, const char *second, int status,
                      const char *text) {
  const char *const words[] = {first, second};
  const int got = run(command, second ? 2 : 1, words);
  if (got != status || !test_contains(output, text))
    test_fail(__FILE__, __LINE__, "delassus %s %s %s: exit %d, not %d with \"%s\":\n%s",
              command->name, first, second ? second : "", got, status, text, output);
}

/* All commands, those of two words too. */
static void for_all(void (*check)(const AppCommand *command)) {
  int count, seen = 0;
  const AppCommand *const *commands = app_commands(&count);
  for (int i = 0; i < count; i++) {
    check(commands[i]);
    seen++;
    for (int k = 0; k < commands[i]->nverbs; k++, seen++) check(commands[i]->verbs[k]);
  }
  CHECK(seen >= 25);
}

static void check_help(const AppCommand *command) {
  check_run(command, "--help", NULL, 0, command->summary);
  for (int i = 0; i < command->noptions; i++) {
    const AppOption *option = &command->options[i];
    char line[400];
    if (!option->name) continue;
    snprintf(line, sizeof line, "  --%s%s%s", option->name, option->value ? " " : "",
             option->value ? option->value : "");
    if (!test_contains(output, line) || !test_contains(output, option->meaning))
      test_fail(__FILE__, __LINE__, "delassus %s --help does not tell of --%s", command->name,
                option->name);
  }
}

TEST(help_of_every_command_has_every_option_of_its_table) { for_all(check_help); }

static void check_unknown(const AppCommand *command) {
  char text[160];
  snprintf(text, sizeof text, "see delassus %s --help", command->name);
  check_run(command, "--frobnicate-xyzzy", NULL, APP_WRONG_INPUT, text);
  for (int i = 0; i < command->noptions; i++) {
    char word[96];
    if (!command->options[i].name || strlen(command->options[i].name) < 4) continue;
    snprintf(word, sizeof word, "--%sq", command->options[i].name);
    check_run(command, word, NULL, APP_WRONG_INPUT, "; did you mean --");
  }
}

TEST(unknown_options_of_every_command_are_refused_with_a_cure) { for_all(check_unknown); }

static void check_values(const AppCommand *command) {
  for (int i = 0; i < command->noptions; i++) {
    const AppOption *option = &command->options[i];
    char word[96], text[160];
    if (!option->name) continue;
    snprintf(word, sizeof word, "--%s%s", option->name, option->value ? "" : "=1");
    snprintf(text, sizeof text, option->value ? "--%s needs a value" : "--%s takes no value",
             option->name);
    check_run(command, word, NULL, APP_WRONG_INPUT, text);
    snprintf(word, sizeof word, "--%s=three", option->name);
    if (option->choices)
      check_run(command, word, NULL, APP_WRONG_INPUT, ": write ");
    else if (option->kind == APP_REAL || option->kind == APP_INTEGER)
      check_run(command, word, NULL, APP_WRONG_INPUT, "number; give a");
  }
}

TEST(values_that_are_missing_or_no_number_are_refused_with_a_cure) { for_all(check_values); }

/* Bounds are those of the row, and stand in the sentence. */
static void check_bounds(const AppCommand *command) {
  for (int i = 0; i < command->noptions; i++) {
    const AppOption *option = &command->options[i];
    char word[96];
    if ((option->kind != APP_REAL && option->kind != APP_INTEGER) || option->choices) continue;
    if (option->min > -APP_ANY) {
      snprintf(word, sizeof word, "--%s=%.0f", option->name,
               option->min == APP_ABOVE_0 ? 0 : option->min - 1);
      check_run(command, word, NULL, APP_WRONG_INPUT, "is out of bounds; give a");
    }
    if (option->max < APP_ANY) {
      snprintf(word, sizeof word, "--%s=%.0f", option->name, option->max + 1);
      check_run(command, word, NULL, APP_WRONG_INPUT, "is out of bounds; give a");
    }
  }
}

TEST(numbers_out_of_bounds_are_refused_with_the_bounds) { for_all(check_bounds); }

static void check_twice(const AppCommand *command) {
  for (int i = 0; i < command->noptions; i++) {
    const AppOption *option = &command->options[i];
    char word[96], choice[64] = "x";
    if (!option->name || option->kind == APP_READ || option->kind == APP_TEXTS) continue;
    if (option->choices) dls_choice_word(option->choices, 0, choice, sizeof choice);
    if (option->kind == APP_REAL || (option->kind == APP_INTEGER && !option->choices))
      snprintf(choice, sizeof choice, "%.0f", fmax(option->min, 0) + 1);
    snprintf(word, sizeof word, "--%s%s%s", option->name, option->value ? "=" : "",
             option->value ? choice : "");
    check_run(command, word, word, APP_WRONG_INPUT, " is given twice");
  }
}

TEST(options_that_do_not_repeat_are_refused_the_second_time) { for_all(check_twice); }

typedef struct {
  bool flag;
  const char *text, *one;
  AppTexts many;
  double real;
  long integer, number;
  DlsStatus choice; /* an enum */
  AppRemainder rest;
} Job;

static const AppOption rows[] = {
    APP_OPERAND_ROW(Job, one, "thing"),
    APP_FLAG_ROW(Job, flag, "flag", "a flag"),
    APP_TEXT_ROW(Job, text, "text", "T", "a text"),
    APP_TEXTS_ROW(Job, many, "many", "T", "texts"),
    APP_REAL_ROW(Job, real, "real", "X", -1, 2.5, "a number"),
    APP_INTEGER_ROW(Job, integer, "integer", "N", 0, APP_ANY, "a whole number"),
    APP_NUMBER_ROW(Job, number, "number", "N", "2|3|5", "one of these"),
    APP_CHOICE_ROW(Job, choice, "choice", "WORD", "first|second|third", "a word"),
    APP_REMAINDER_ROW(Job, rest),
};
static const AppCommand sample = {
    .name = "sample", .usage = "", .summary = "x", .options = rows, .noptions = DLS_COUNT(rows)};

TEST(values_reach_the_fields_of_the_job) {
  Job job = {.integer = 7};
  char words[][24] = {"--flag",      "--text",     "-x",       "thing", "--many=a", "--many", "b",
                      "--real=-0.5", "--number=5", "--choice", "third", "--",       "--text"};
  char *argv[DLS_COUNT(words)];
  for (int k = 0; k < DLS_COUNT(words); k++) argv[k] = words[k];
  CHECK_INT(app_options_read(&sample, DLS_COUNT(argv), argv, &job), APP_GO_ON);
  CHECK(job.flag && strcmp(job.text, "-x") == 0 && strcmp(job.one, "thing") == 0);
  CHECK_INT(job.many.count, 2);
  CHECK(job.many.count == 2 && strcmp(job.many.item[1], "b") == 0);
  CHECK_NEAR(job.real, -0.5, 0);
  CHECK_INT(job.integer, 7); /* not given: as it was */
  CHECK_INT(job.number, 5);
  CHECK_INT(job.choice, 2);
  CHECK_INT(job.rest.argc, 1);
  app_options_clear(&sample, &job);
  CHECK(job.many.item == NULL);
}
