/* The life of a simulation, and its accounts; the schemes are in step.c. */
#include "step/simulation.h"

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
  if (status == DLS_OK) status = dls_solver_find("nsgs", &s->solver);
  if (status != DLS_OK) {
    dls_simulation_destroy(&s);
    return status;
  }
  s->world = *world;
  *world = NULL;
  s->h = 1e-3;
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
  dls_contact_memory_clear(&s->memory);
  dls_assembly_clear(&s->assembly);
  free(s->solver_options);
  free(s->r);
  free(s->state);
  free(s->free_velocity);
  free(s->velocity);
  free(s->force);
  free(s->boundary_force);
  free(s);
  *simulation = NULL;
}

const DlsProblem *dls_simulation_problem(const DlsSimulation *s) { return s->assembly.problem; }

void dls_simulation_recount(DlsSimulation *s) {
  double gravity[3] = {0};
  if (s->influence.gravity) s->influence.gravity(s->influence.context, s->time, gravity);
  s->ledger = (DlsLedger){.kinetic = dls_world_kinetic_energy(s->world),
                          .potential = dls_world_potential_energy(s->world, gravity)};
  s->ledger.start = s->ledger.kinetic;
}
