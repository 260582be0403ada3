#include "compare/entrants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/choices.h"
#include "compare/petsc_entrant.h"

/* A word alone chooses: it is the value of the first option that has it among its choices. */
static DlsStatus set_word(const char *option, DlsEntrant *entrant, const char *word) {
  const DlsSolver *solver = entrant->solver;
  const DlsOption *choice = NULL;
  for (int k = 0; k < solver->noptions; k++) {
    const DlsOption *o = &solver->options[k];
    if (o->kind != DLS_OPTION_CHOICE) continue;
    if (!choice) choice = o;
    if (dls_choice_find(o->choices, word) >= 0)
      return dls_solver_set_option(solver, entrant->options, o->name, word);
  }
  DLS_CHECK(!choice, DLS_ERR_ARGUMENT, "--%s: %s is no key=value, and %s of %s is one of %s",
            option, word, choice->name, solver->name, choice->choices);
  return dls_fail(DLS_ERR_ARGUMENT, "--%s: %s is no key=value", option, word);
}

/* "omega=1.2:order=random", "nsn_ac", "-ksp_type=gmres" */
static DlsStatus set_options(const char *option, DlsEntrant *entrant, char *text) {
  char petsc[DLS_PETSC_TEXT] = "";
  for (char *at = text; at;) {
    char *next = strchr(at, ':');
    if (next) *next++ = '\0';
    if (at[0] == '-') {
      DLS_TRY(dls_petsc_add(at, petsc));
      at = next;
      continue;
    }
    char *equals = strchr(at, '=');
    if (equals) *equals = '\0';
    DLS_TRY(equals ? dls_solver_set_option(entrant->solver, entrant->options, at, equals + 1)
                   : set_word(option, entrant, at));
    at = next;
  }
  return petsc[0] ? dls_petsc_stand_in(petsc, &entrant->solver, &entrant->options) : DLS_OK;
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

/* "siconos:all": one entrant for each word of the solver's first choice. */
static DlsStatus add_choices(const char *option, const char *name, DlsEntrants *entrants) {
  const DlsSolver *solver;
  char word[DLS_RACE_WORD], text[DLS_RACE_NAME];
  int k = 0;
  DLS_TRY(dls_solver_find(name, &solver));
  while (k < solver->noptions && solver->options[k].kind != DLS_OPTION_CHOICE) k++;
  DLS_CHECK(k < solver->noptions, DLS_ERR_ARGUMENT,
            "--%s: %s:all means each choice of an option of %s, which has none", option, name,
            name);
  const char *choices = solver->options[k].choices;
  for (int i = 0; dls_choice_word(choices, i, word, sizeof word); i++) {
    const int length = snprintf(text, sizeof text, "%s:%s", name, word);
    DLS_TRY(add(option, text, (size_t)length, entrants));
  }
  return DLS_OK;
}

static DlsStatus add_all(const char *option, DlsEntrants *entrants) {
  const DlsSolver *const *solvers;
  int count;
  DLS_TRY(dls_solver_list(&solvers, &count));
  for (int k = 0; k < count; k++)
    DLS_TRY(add(option, solvers[k]->name, strlen(solvers[k]->name), entrants));
  return DLS_OK;
}

/* One word of the list, which may stand for several entrants. */
static DlsStatus add_word(const char *option, const char *text, size_t length,
                          DlsEntrants *entrants) {
  static const char suffix[] = ":all";
  const size_t ending = sizeof suffix - 1;
  char name[DLS_RACE_NAME];
  if (length == 3 && strncmp(text, "all", length) == 0) return add_all(option, entrants);
  if (length <= ending || length >= sizeof name ||
      strncmp(text + length - ending, suffix, ending) != 0)
    return add(option, text, length, entrants);
  snprintf(name, sizeof name, "%.*s", (int)(length - ending), text);
  return add_choices(option, name, entrants);
}

DlsStatus dls_entrants_read(const char *option, const char *list, DlsEntrants *entrants) {
  for (const char *at = list; *at;) {
    const size_t length = strcspn(at, ",");
    DLS_TRY(add_word(option, at, length, entrants));
    at += length + (at[length] == ',');
  }
  return DLS_OK;
}

void dls_entrants_clear(DlsEntrants *entrants) {
  for (int k = 0; k < entrants->count; k++) free(entrants->entrant[k].options);
  entrants->count = 0;
}
