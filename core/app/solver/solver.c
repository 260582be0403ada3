/* delassus solver: the solvers that are found, and their options. */
#include <delassus/solver.h>

#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "base/choices.h"

static int list(const AppCommand *self) {
  const DlsSolver *const *solvers;
  int count;
  if (dls_solver_list(&solvers, &count) != DLS_OK) return app_refuse_status(self);
  for (int i = 0; i < count; i++) printf("%-12s %s\n", solvers[i]->name, solvers[i]->summary);
  app_print_lines("\nnot loaded:", dls_solver_failures());
  if (dls_solver_peers(&solvers, &count) != DLS_OK) return app_refuse_status(self);
  if (count) printf("\nof other libraries, in a race where named:\n");
  for (int i = 0; i < count; i++) printf("%-12s %s\n", solvers[i]->name, solvers[i]->summary);
  return APP_DONE;
}

/* The default as --option would take it. */
static void print_option(const DlsOption *option) {
  char value[64], bounds[96];
  if (option->kind == DLS_OPTION_CHOICE) {
    dls_choice_word(option->choices, (int)option->value, value, sizeof value);
    snprintf(bounds, sizeof bounds, "%s", option->choices);
  } else {
    snprintf(value, sizeof value, "%g", option->value);
    snprintf(bounds, sizeof bounds, "%g .. %g", option->min, option->max);
  }
  printf("  %-18s %-12s %s\n  %-18s %-12s %s\n", option->name, value, option->meaning, "", "",
         bounds);
}

static int show(const AppCommand *self, const char *name) {
  const DlsSolver *solver;
  if (dls_solver_find(name, &solver) != DLS_OK) return app_refuse_status(self);
  const char *path = dls_solver_path(solver);
  printf("%s: %s\n", solver->name, solver->summary);
  if (solver->description) printf("\n%s\n", solver->description);
  if (solver->references && *solver->references) printf("\nreferences   %s\n", solver->references);
  printf("file         %s\n", path ? path : "built in");
  if (solver->noptions) printf("\noptions, for --option key=value\n");
  for (int i = 0; i < solver->noptions; i++) print_option(&solver->options[i]);
  return APP_DONE;
}

static const AppCommand *const verbs[] = {&app_solver_new, &app_solver_check};

static const char details[] =
    "A solver is built in, or a shared object NAME.so, looked for in DELASSUS_PLUGIN_PATH and "
    "then\n"
    "beside the library; NAME may also be a path. delassus doctor prints the folders.\n"
    "delassus solver new --help, and so for each of the words. docs/solver-author.md begins at\n"
    "nothing.\n";

static int run(const AppCommand *self, int argc, char **argv) {
  const AppCommand *verb = app_verb(self, argc, argv);
  if (verb) return verb->run(verb, argc - 1, argv + 1);
  return app_list_or_show(self, argc, argv, list, show);
}

const AppCommand app_solver = {
    .name = "solver",
    .usage = "list | show NAME | new NAME | check NAME",
    .summary = "The solvers that are found, and their options; new ones: made, checked",
    .details = details,
    .verbs = verbs,
    .nverbs = DLS_COUNT(verbs),
    .run = run,
};
