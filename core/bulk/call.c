/* The numbers of a bulk law, and checked calls of its functions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/guard.h"
#include "base/nearest.h"
#include "base/small.h"
#include "bulk/bulk.h"
#include "law/assignment.h"

void dls_bulk_defaults(const DlsBulk *law, double *params) {
  for (int i = 0; i < law->nparams; i++) params[i] = law->params[i].value;
}

void dls_bulk_new_state(const DlsBulk *law, double *state) {
  for (int i = 0; i < law->nstates; i++) state[i] = law->states[i].value;
}

DlsStatus dls_bulk_set(const DlsBulk *law, double *params, const char *name, double value) {
  const char *names[DLS_MAX_PARAMS];
  int i = 0;
  for (int k = 0; k < law->nparams; k++) names[k] = law->params[k].name;
  while (i < law->nparams && strcmp(names[i], name) != 0) i++;
  const char *near = i == law->nparams ? dls_nearest(name, names, law->nparams) : NULL;
  DLS_CHECK(i < law->nparams, DLS_ERR_ARGUMENT, "bulk law '%s' has no parameter '%s'%s%s%s",
            law->name, name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  const DlsParam *p = &law->params[i];
  DLS_CHECK(isfinite(value) && value >= p->min && value <= p->max, DLS_ERR_ARGUMENT,
            "bulk law '%s': %s = %g is not within %g and %g (%s, unit %s)", law->name, name, value,
            p->min, p->max, p->meaning, p->unit);
  params[i] = value;
  return DLS_OK;
}

DlsStatus dls_bulk_set_text(const DlsBulk *law, double *params, const char *text) {
  char who[128], name[DLS_ASSIGNMENT_NAME];
  double value;
  snprintf(who, sizeof who, "bulk law '%s'", law->name);
  DLS_TRY(dls_assignment_read(who, text, name, &value));
  return dls_bulk_set(law, params, name, value);
}

DlsStatus dls_bulk_check_params(const DlsBulk *law, const double *params) {
  const char *why = "its parameters do not fit each other";
  if (!law->check || law->check(params, &why) == DLS_OK) return DLS_OK;
  return dls_fail(DLS_ERR_ARGUMENT, "bulk law '%s': %s", law->name, why);
}

/* A law that dies in a call has failed it (base/guard.h); after that no law is asked any more. */
static DlsStatus dead(const DlsBulk *law, const char *function) {
  return dls_fail(DLS_ERR_LAW, "bulk law '%s': %s is not asked, since a law has died", law->name,
                  function);
}

static DlsStatus tell_death(const DlsBulk *law, const char *function) {
  char how[160];
  dls_guard_describe(how, sizeof how);
  dls_fail(DLS_ERR_LAW, "bulk law '%s': %s %s", law->name, function, how);
  dls_guard_keep_words(dls_error_message());
  return DLS_ERR_LAW;
}

DlsStatus dls_bulk_stress(const DlsBulk *law, const DlsBulkPoint *point, const double *params,
                          const double *state, const double *strain_before, const double *strain,
                          double *stress, double *tangent, double *next) {
  DLS_CHECK(law->measures & (uint32_t)point->measure, DLS_ERR_LAW,
            "bulk law '%s' is not meant for the strain of this body's kinematics", law->name);
  if (next) memcpy(next, state, (size_t)law->nstates * sizeof *next);
  DLS_GUARD(guard, return dead(law, "stress"), return tell_death(law, "stress"));
  const DlsStatus status =
      law->stress(point, params, state, strain_before, strain, stress, tangent, next);
  DLS_GUARD_END(guard);
  DLS_CHECK(status == DLS_OK, DLS_ERR_LAW, "bulk law '%s': stress failed", law->name);
  DLS_CHECK(dls_small_finite(6, stress) && (!tangent || dls_small_finite(36, tangent)), DLS_ERR_LAW,
            "bulk law '%s': stress gives what is not finite", law->name);
  for (int i = 0; next && i < law->nstates; i++)
    DLS_CHECK(next[i] >= law->states[i].min && next[i] <= law->states[i].max, DLS_ERR_LAW,
              "bulk law '%s': state %s = %g is not within %g and %g", law->name,
              law->states[i].name, next[i], law->states[i].min, law->states[i].max);
  return DLS_OK;
}

DlsStatus dls_bulk_energy(const DlsBulk *law, const DlsBulkPoint *point, const double *params,
                          const double *state, const double *strain_before, const double *strain,
                          const double *next, double *stored, double *dissipated) {
  *stored = *dissipated = 0;
  DLS_GUARD(guard, return dead(law, "energy"), return tell_death(law, "energy"));
  const DlsStatus status =
      law->energy(point, params, state, strain_before, strain, next, stored, dissipated);
  DLS_GUARD_END(guard);
  DLS_CHECK(status == DLS_OK && isfinite(*stored) && isfinite(*dissipated), DLS_ERR_LAW,
            "bulk law '%s': energy failed or gives what is not finite", law->name);
  return DLS_OK;
}
