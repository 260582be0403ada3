/* Impulses of a step that is not solved: h times the forces that the laws give in its middle. */
#include "step/step_impl.h"

#include <string.h>

/* r = h f(gap, u), at velocities u. */
static DlsStatus apply(DlsSimulation *s, const double *u) {
  DlsAssembly *a = &s->last.assembly;
  for (int i = 0; i < a->count; i++) {
    const size_t e = (size_t)i * (size_t)a->block;
    DLS_TRY(dls_law_force(&a->use[i], u + e, a->r + e));
    for (int k = 0; k < a->block; k++) a->r[e + (size_t)k] *= s->settings.h;
  }
  return DLS_OK;
}

/* A force that depends on the velocity meets that of the middle, (v + v+)/2, with v+ from the force at v: of second
 * order, as the scheme is without it. */
DlsStatus dls_step_evaluate(DlsSimulation *s) {
  DlsAssembly *a = &s->last.assembly;
  s->last.report.contacts = a->count;
  s->last.report.active = 0;
  if (a->count == 0) return DLS_OK;
  DLS_TRY(dls_step_check_stiffness(s));
  DLS_TRY(apply(s, a->u_before));
  dls_problem_velocity(a->problem, a->r, a->u);
  for (size_t e = 0; e < (size_t)a->count * (size_t)a->block; e++)
    a->u[e] = 0.5 * (a->u[e] + a->u_before[e]);
  DLS_TRY(apply(s, a->u));
  dls_problem_velocity(a->problem, a->r, a->u);
  for (int i = 0; i < a->count; i++)
    s->last.report.active += a->r[(size_t)i * (size_t)a->block] != 0;
  return DLS_OK;
}
