/* The life of a simulation; the schemes are in step.c, the accounts in ledger.c. */
#include "step/step_impl.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *dls_scheme_text(DlsScheme scheme) {
  static const char *const texts[] = {
#define TEXT(code, text) text,
      DLS_SCHEME_LIST(TEXT)
#undef TEXT
  };
  return (int)scheme >= 0 && (int)scheme < DLS_COUNT(texts) ? texts[scheme] : "unknown";
}

DlsStatus dls_simulation_create(DlsWorld **world, DlsSimulation **out) {
  *out = NULL;
  DlsSimulation *s;
  DLS_NEW(s, 1);
  DlsStatus status = dls_detector_create(&s->detector);
  if (status == DLS_OK) status = dls_solver_find("auto", &s->solver);
  if (status != DLS_OK) {
    dls_simulation_destroy(&s);
    return status;
  }
  s->world = *world;
  *world = NULL;
  s->h = 1e-3;
  s->theta = 0.5;
  s->fraction = 0.1;
  s->limits =
      (DlsLimits){.tolerance = 1e-4, .max_iterations = 10000, .measure = DLS_MEASURE_SCALED};
  *out = s;
  return DLS_OK;
}

void dls_simulation_destroy(DlsSimulation **simulation) {
  if (!simulation || !*simulation) return;
  DlsSimulation *s = *simulation;
  dls_world_destroy(&s->world);
  dls_interactions_clear(&s->laws);
  dls_detector_destroy(&s->detector);
  dls_contact_set_clear(&s->contacts);
  dls_contact_set_clear(&s->ahead);
  dls_contact_memory_clear(&s->seen);
  dls_contact_memory_clear(&s->memory);
  dls_assembly_clear(&s->assembly);
  free(s->solver_options);
  free(s->r);
  free(s->guess);
  free(s->state);
  free(s->free_velocity);
  free(s->velocity);
  free(s->force);
  free(s->take);
  dls_squeeze_clear(&s->squeeze);
  dls_control_destroy(&s->saved);
  dls_control_before_destroy(&s->before);
  free(s->boundary_force);
  free(s->boundary_push);
  free(s);
  *simulation = NULL;
}

const DlsProblem *dls_simulation_problem(const DlsSimulation *s) {
  return s->scheme == DLS_SCHEME_EXPLICIT ? NULL : s->assembly.problem;
}

static DlsStatus check_law(const DlsSimulation *s, const DlsLaw *law) {
  if (s->scheme == DLS_SCHEME_EXPLICIT)
    DLS_CHECK(law->force, DLS_ERR_LAW,
              "the contact law '%s' gives no force, which the explicit scheme needs; take "
              "spring-dashpot, or set time.scheme to moreau or euler",
              law->name);
  else
    DLS_CHECK(law->prepare || law->residual, DLS_ERR_LAW,
              "the contact law '%s' gives a force alone, but the scheme %s solves for impulses; "
              "take coulomb, or set time.scheme to explicit",
              law->name, dls_scheme_text(s->scheme));
  return DLS_OK;
}

DlsStatus dls_simulation_check(const DlsSimulation *s) {
  for (int k = 0; k < s->laws.count; k++) {
    DLS_TRY(check_law(s, s->laws.item[k].law));
    for (const DlsLaw *const *then = s->laws.item[k].then; *then; then++)
      DLS_TRY(check_law(s, *then));
  }
  return DLS_OK;
}
