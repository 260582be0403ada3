/* Options of a solver: defaults, and one option from text, by the solver's table. */
#include <delassus/solver.h>
#include <delassus/solver_tools.h>

#include "base/choices.h"
#include "base/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void store(const DlsOption *option, void *options, double value) {
  char *field = (char *)options + option->offset;
  if (option->kind == DLS_OPTION_REAL) {
    memcpy(field, &value, sizeof value);
  } else {
    const int number = (int)value;
    memcpy(field, &number, sizeof number);
  }
}

void dls_solver_defaults(const DlsSolver *solver, void *options) {
  memset(options, 0, solver->option_bytes);
  for (int k = 0; k < solver->noptions; k++)
    store(&solver->options[k], options, solver->options[k].value);
}

static DlsStatus unknown_option(const DlsSolver *solver, const char *name) {
  enum { MOST = 64 };
  const char *names[MOST];
  const int count = solver->noptions < MOST ? solver->noptions : MOST;
  for (int k = 0; k < count; k++) names[k] = solver->options[k].name;
  const char *nearest = dls_nearest(name, names, count);
  return dls_fail(DLS_ERR_ARGUMENT,
                  "solver %s has no option '%s'%s%s%s; 'delassus solver show %s' lists them",
                  solver->name, name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                  nearest ? "'?" : "", solver->name);
}

const char *dls_solver_nearest(const char *word, const char *const *names, int count) {
  return dls_nearest(word, names, count);
}

DlsStatus dls_solver_set_option(const DlsSolver *solver, void *options, const char *name,
                                const char *value) {
  for (int k = 0; k < solver->noptions; k++) {
    const DlsOption *option = &solver->options[k];
    if (strcmp(option->name, name) != 0) continue;
    if (option->kind == DLS_OPTION_CHOICE) {
      const int number = dls_choice_find(option->choices, value);
      DLS_CHECK(number >= 0, DLS_ERR_ARGUMENT, "option %s of %s is one of %s, not '%s'", name,
                solver->name, option->choices, value);
      store(option, options, number);
      return DLS_OK;
    }
    char *end;
    const double number = strtod(value, &end);
    DLS_CHECK(end != value && *end == '\0' && isfinite(number), DLS_ERR_ARGUMENT,
              "option %s of %s is a number, not '%s'", name, solver->name, value);
    DLS_CHECK(option->kind == DLS_OPTION_REAL || number == floor(number), DLS_ERR_ARGUMENT,
              "option %s of %s is a whole number, not %s", name, solver->name, value);
    DLS_CHECK(number >= option->min && number <= option->max, DLS_ERR_ARGUMENT,
              "option %s of %s is from %g to %g, not %s", name, solver->name, option->min,
              option->max, value);
    store(option, options, number);
    return DLS_OK;
  }
  return unknown_option(solver, name);
}
