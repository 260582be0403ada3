/* The numbers of a law: defaults, and setting one by name within its bounds. */
#include <delassus/laws.h>

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "law/assignment.h"

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

DlsStatus dls_law_set_text(const DlsLaw *law, double *params, const char *text) {
  char who[128], name[DLS_ASSIGNMENT_NAME];
  double value;
  snprintf(who, sizeof who, "contact law '%s'", law->name);
  DLS_TRY(dls_assignment_read(who, text, name, &value));
  return dls_law_set(law, params, name, value);
}
