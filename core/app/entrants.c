#include "app/entrants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "omega=1.2:order=random" */
static bool set_options(const AppCommand *command, const char *option, AppEntrant *entrant,
                        char *text) {
  for (char *at = text; at;) {
    char *next = strchr(at, ':');
    if (next) *next++ = '\0';
    char *equals = strchr(at, '=');
    if (!equals) {
      app_refuse(command, "--%s: %s is no key=value", option, at);
      return false;
    }
    *equals = '\0';
    if (dls_solver_set_option(entrant->solver, entrant->options, at, equals + 1) != DLS_OK) {
      app_refuse_status(command);
      return false;
    }
    at = next;
  }
  return true;
}

static bool add(const AppCommand *command, const char *option, const char *text, size_t length,
                AppEntrants *entrants) {
  char word[DLS_RACE_NAME];
  if (entrants->count == APP_MAX_ENTRANTS || length >= sizeof word) {
    app_refuse(command, "--%s: more than %d solvers, or a word of more than %d letters", option,
               APP_MAX_ENTRANTS, DLS_RACE_NAME - 1);
    return false;
  }
  AppEntrant *entrant = &entrants->entrant[entrants->count];
  memcpy(word, text, length);
  word[length] = '\0';
  snprintf(entrant->label, sizeof entrant->label, "%s", word);
  char *options = strchr(word, ':');
  if (options) *options++ = '\0';
  if (dls_solver_find(word, &entrant->solver) != DLS_OK) {
    app_refuse_status(command);
    return false;
  }
  entrant->options = calloc(1, entrant->solver->option_bytes + 1);
  if (!entrant->options) {
    app_refuse(command, "out of memory");
    return false;
  }
  entrants->count++;
  dls_solver_defaults(entrant->solver, entrant->options);
  return set_options(command, option, entrant, options);
}

bool app_entrants_read(const AppCommand *command, const char *option, const char *list,
                       AppEntrants *entrants) {
  if (strcmp(list, "all") == 0) {
    const DlsSolver *const *solvers;
    int count;
    if (dls_solver_list(&solvers, &count) != DLS_OK) {
      app_refuse_status(command);
      return false;
    }
    for (int k = 0; k < count; k++)
      if (!add(command, option, solvers[k]->name, strlen(solvers[k]->name), entrants)) return false;
    return true;
  }
  for (const char *at = list; *at;) {
    const size_t length = strcspn(at, ",");
    if (!add(command, option, at, length, entrants)) return false;
    at += length + (at[length] == ',');
  }
  return true;
}

void app_entrants_clear(AppEntrants *entrants) {
  for (int k = 0; k < entrants->count; k++) free(entrants->entrant[k].options);
  entrants->count = 0;
}
