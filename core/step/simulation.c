/* The life of a simulation; the step is in step.c, the schemes in scheme_....c. */
#include "step/step_impl.h"
#include "world/deformable.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

DlsStatus dls_simulation_create(DlsWorld **world, DlsSimulation **out) {
  *out = NULL;
  DlsSimulation *s;
  DLS_NEW(s, 1);
  DlsStatus status = dls_detector_create(&s->detector);
  if (status == DLS_OK) status = dls_solver_find("auto", &s->settings.solver);
  if (status != DLS_OK) {
    dls_simulation_destroy(&s);
    return status;
  }
  s->world = *world;
  *world = NULL;
  s->settings.scheme = dls_schemes[0];
  s->settings.h = 1e-3;
  s->settings.theta = 0.5;
  s->settings.fraction = 0.1;
  s->settings.overlap = 1e-4;
  s->settings.patches = (DlsPatchSizes){.directions = 100, .cell = 0.01};
  s->settings.limits =
      (DlsLimits){.tolerance = 1e-4, .max_iterations = 10000, .measure = DLS_MEASURE_SCALED};
  *out = s;
  return DLS_OK;
}

void dls_simulation_destroy(DlsSimulation **simulation) {
  if (!simulation || !*simulation) return;
  DlsSimulation *s = *simulation;
  dls_world_destroy(&s->world);
  dls_interactions_clear(&s->settings.laws);
  dls_links_clear(&s->settings.links);
  dls_detector_destroy(&s->detector);
  dls_contact_set_clear(&s->last.contacts);
  dls_contact_set_clear(&s->work.ahead);
  dls_contact_memory_clear(&s->work.seen);
  dls_contact_memory_clear(&s->state.memory);
  dls_assembly_clear(&s->last.assembly);
  dls_contact_set_clear(&s->work.near);
  dls_assembly_clear(&s->work.correction);
  free(s->work.still);
  free(s->work.way);
  free(s->settings.solver_options);
  free(s->state.r);
  free(s->last.guess);
  free(s->state.law_state);
  free(s->state.frame);
  dls_surfaces_clear(&s->state.surfaces);
  free(s->last.free_velocity);
  free(s->work.velocity);
  free(s->work.force);
  free(s->work.drift);
  free(s->work.take);
  dls_squeeze_clear(&s->last.squeeze);
  dls_control_destroy(&s->work.saved);
  dls_control_before_destroy(&s->work.before);
  free(s->state.boundary_force);
  free(s->work.boundary_push);
  free(s);
  *simulation = NULL;
}

const DlsProblem *dls_simulation_problem(const DlsSimulation *s) {
  return s->settings.scheme->asks == DLS_ASKS_FORCES ? NULL : s->last.assembly.solve.problem;
}

static DlsStatus check_cell(const DlsSimulation *s) {
  if (!s->world->cell.axes) return DLS_OK;
  DLS_CHECK(s->settings.scheme->takes_cell, DLS_ERR_UNSUPPORTED,
            "%s knows no periodic cell; set time.scheme to moreau or euler",
            s->settings.scheme->name);
  DLS_TRY(dls_deformable_refuse(s->world, "a periodic cell"));
  DLS_CHECK(s->settings.links.count == 0, DLS_ERR_UNSUPPORTED,
            "links do not reach across a periodic cell; take the links or the cell away");
  return DLS_OK;
}

DlsStatus dls_simulation_check(const DlsSimulation *s) {
  const DlsScheme *scheme = s->settings.scheme;
  DLS_TRY(dls_deformables_check(s));
  DLS_TRY(check_cell(s));
  DLS_TRY(dls_simulation_check_correction(s));
  for (int k = 0; k < s->settings.laws.count; k++) {
    DLS_TRY(scheme->check_law(scheme, s->settings.laws.item[k].law));
    for (const DlsLaw *const *then = s->settings.laws.item[k].then; *then; then++)
      DLS_TRY(scheme->check_law(scheme, *then));
  }
  return DLS_OK;
}

DlsStatus dls_simulation_stable_step(const DlsSimulation *s, DlsStableStep *out) {
  *out = (DlsStableStep){.longest = INFINITY};
  return s->settings.scheme->stable_step ? s->settings.scheme->stable_step(s, out) : DLS_OK;
}
