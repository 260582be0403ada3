/* The numbers of a law: defaults, and setting one by name within its bounds. */
#include <delassus/laws.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

void dls_law_defaults(const DlsLaw *law, double *params) {
  for (int i = 0; i < law->nparams; i++) params[i] = law->params[i].value;
}

void dls_law_default_fields(const DlsLaw *law, double *values) {
  for (int i = 0; i < law->nfields; i++) values[i] = law->fields[i].value;
}

void dls_law_new_state(const DlsLaw *law, double *state) {
  for (int i = 0; i < law->nstates; i++) state[i] = law->states[i].value;
}

static DlsStatus fail_unknown(const DlsLaw *law, const char *name) {
  const char *names[DLS_MAX_PARAMS];
  char there[400] = "";
  for (int i = 0; i < law->nparams; i++) {
    names[i] = law->params[i].name;
    const size_t used = strlen(there);
    if (used + strlen(names[i]) + 3 < sizeof there)
      snprintf(there + used, sizeof there - used, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = dls_nearest(name, names, law->nparams);
  return dls_fail(DLS_ERR_ARGUMENT, "contact law '%s' has no parameter '%s'%s%s%s; it has: %s",
                  law->name, name, near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "", there[0] ? there : "none");
}

DlsStatus dls_law_set(const DlsLaw *law, double *params, const char *name, double value) {
  int i = 0;
  while (i < law->nparams && strcmp(law->params[i].name, name) != 0) i++;
  if (i == law->nparams) return fail_unknown(law, name);
  const DlsParam *p = &law->params[i];
  DLS_CHECK(isfinite(value), DLS_ERR_ARGUMENT,
            "contact law '%s': %s = %g is no finite number (%s, unit %s)", law->name, name, value,
            p->meaning, p->unit);
  DLS_CHECK(value >= p->min && value <= p->max, DLS_ERR_ARGUMENT,
            "contact law '%s': %s = %g is not within %g and %g (%s, unit %s)", law->name, name,
            value, p->min, p->max, p->meaning, p->unit);
  params[i] = value;
  return DLS_OK;
}

/* Cuts blanks off both ends of text[from, to); returns the length left, *start its beginning. */
static int trim(const char *from, const char *to, const char **start) {
  while (from < to && strchr(" \t", *from)) from++;
  while (from < to && strchr(" \t", to[-1])) to--;
  *start = from;
  return (int)(to - from);
}

DlsStatus dls_law_set_text(const DlsLaw *law, double *params, const char *text) {
  const char *equals = strchr(text, '='), *start;
  DLS_CHECK(equals, DLS_ERR_ARGUMENT, "contact law '%s': '%s' is not of the form name=number",
            law->name, text);
  char name[64], number[64], *end;
  int length = trim(text, equals, &start);
  DLS_CHECK(length > 0 && length < (int)sizeof name, DLS_ERR_ARGUMENT,
            "contact law '%s': '%s' has no name before the '='", law->name, text);
  snprintf(name, sizeof name, "%.*s", length, start);
  length = trim(equals + 1, text + strlen(text), &start);
  snprintf(number, sizeof number, "%.*s", length, start);
  const double value = strtod(number, &end);
  DLS_CHECK(length > 0 && length < (int)sizeof number && *end == '\0', DLS_ERR_ARGUMENT,
            "contact law '%s': %s = '%.*s' is no number", law->name, name, length, start);
  return dls_law_set(law, params, name, value);
}
