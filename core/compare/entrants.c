#include "compare/entrants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "omega=1.2:order=random" */
static DlsStatus set_options(const char *option, DlsEntrant *entrant, char *text) {
  for (char *at = text; at;) {
    char *next = strchr(at, ':');
    if (next) *next++ = '\0';
    char *equals = strchr(at, '=');
    DLS_CHECK(equals, DLS_ERR_ARGUMENT, "--%s: %s is no key=value", option, at);
    *equals = '\0';
    DLS_TRY(dls_solver_set_option(entrant->solver, entrant->options, at, equals + 1));
    at = next;
  }
  return DLS_OK;
}

static DlsStatus add(const char *option, const char *text, size_t length, DlsEntrants *entrants) {
  char word[DLS_RACE_NAME];
  DLS_CHECK(entrants->count < DLS_MAX_ENTRANTS && length < sizeof word, DLS_ERR_ARGUMENT,
            "--%s: more than %d solvers, or a word of more than %d letters", option,
            DLS_MAX_ENTRANTS, DLS_RACE_NAME - 1);
  DlsEntrant *entrant = &entrants->entrant[entrants->count];
  memcpy(word, text, length);
  word[length] = '\0';
  snprintf(entrant->label, sizeof entrant->label, "%s", word);
  char *options = strchr(word, ':');
  if (options) *options++ = '\0';
  DLS_TRY(dls_solver_find(word, &entrant->solver));
  entrant->options = calloc(1, entrant->solver->option_bytes + 1);
  DLS_CHECK(entrant->options, DLS_ERR_MEMORY, "out of memory");
  entrants->count++;
  dls_solver_defaults(entrant->solver, entrant->options);
  return set_options(option, entrant, options);
}

DlsStatus dls_entrants_read(const char *option, const char *list, DlsEntrants *entrants) {
  if (strcmp(list, "all") == 0) {
    const DlsSolver *const *solvers;
    int count;
    DLS_TRY(dls_solver_list(&solvers, &count));
    for (int k = 0; k < count; k++)
      DLS_TRY(add(option, solvers[k]->name, strlen(solvers[k]->name), entrants));
    return DLS_OK;
  }
  for (const char *at = list; *at;) {
    const size_t length = strcspn(at, ",");
    DLS_TRY(add(option, at, length, entrants));
    at += length + (at[length] == ',');
  }
  return DLS_OK;
}

void dls_entrants_clear(DlsEntrants *entrants) {
  for (int k = 0; k < entrants->count; k++) free(entrants->entrant[k].options);
  entrants->count = 0;
}
