/* The commands there are, and what all of them share: refusals, lists, words of two parts. */
#include "app/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/options.h"
#include "base/guard.h"

static const AppCommand *const commands[] = {
    &app_run,  &app_study,         &app_post,   &app_plot,   &app_solve,     &app_compare,
    &app_show, &app_indeterminacy, &app_sample, &app_import, &app_benchmark, &app_solver,
    &app_law,  &app_bulk,          &app_demo,   &app_doctor,
};

const AppCommand *const *app_commands(int *count) {
  *count = DLS_COUNT(commands);
  return commands;
}

int app_refuse(const AppCommand *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "delassus %s: ", command->name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return APP_WRONG_INPUT;
}

int app_refused(void) { return dls_guard_deaths() ? APP_NOT_CONVERGED : APP_WRONG_INPUT; }

int app_refuse_status(const AppCommand *command) {
  app_refuse(command, "%s", dls_error_message());
  return app_refused();
}

void app_print_lines(const char *title, const char *lines) {
  if (!*lines) return;
  printf("%s\n", title);
  for (const char *end; *lines; lines = *end ? end + 1 : end) {
    end = lines + strcspn(lines, "\n");
    if (end != lines) printf("  %.*s\n", (int)(end - lines), lines);
  }
}

const AppCommand *app_verb(const AppCommand *command, int argc, char **argv) {
  for (int i = 0; i < command->nverbs && argc > 0; i++)
    if (strcmp(strrchr(command->verbs[i]->name, ' ') + 1, argv[0]) == 0) return command->verbs[i];
  return NULL;
}

int app_list_or_show(const AppCommand *command, int argc, char **argv,
                     int (*list)(const AppCommand *command),
                     int (*show)(const AppCommand *command, const char *name)) {
  typedef struct {
    AppTexts words;
  } Job;
  static const AppOption rows[] = {APP_OPERANDS_ROW(Job, words)};
  AppCommand reads = *command;
  Job job = {0};
  const AppTexts *given = &job.words;
  reads.options = rows;
  reads.noptions = DLS_COUNT(rows);
  int status = app_options_read(&reads, argc, argv, &job);
  if (status == APP_GO_ON) {
    if (given->count == 1 && strcmp(given->item[0], "list") == 0)
      status = list(command);
    else if (show && given->count == 2 && strcmp(given->item[0], "show") == 0)
      status = show(command, given->item[1]);
    else
      status = app_refuse(command, "write: delassus %s %s", command->name, command->usage);
  }
  app_options_clear(&reads, &job);
  return status;
}
