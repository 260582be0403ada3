/* static: quasi-static steps for presses and indentations. Inertia is left out; what is solved for
 * is the displacement of the step, h v+, in balance with the loads of its end:
 *
 *   K h v+ = F(t + h) - f(x) + H^T r / h,   u_N + g / h >= 0,   x+ = x + h v+
 *
 * so that gaps close exactly, and W = H (h^2 K)^-1 H^T. t only orders the loads. Damping by mass,
 * alpha M v+, is a drag that holds what nothing else does.
 *
 * Rigid bodies have no K. Free ones set out from rest in each step, M v+ / h = F + H^T r / h: a
 * drag of M / h, which is nothing once they rest in their contacts. */
#include "step/step_impl.h"

#include "assemble/support.h"
#include "world/layout.h"

#include <string.h>

static double after(double theta, double h) {
  (void)theta;
  return h;
}

/* All that is free begins the step at rest. */
static DlsStatus set_out(DlsSimulation *s, const double gravity[3]) {
  DlsWorld *world = s->world;
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < 6; k++)
      if (!(world->fixed[b] >> k & 1)) world->velocity[b][k] = 0;
  for (int n = 0; n < world->deformable.velocities; n++) world->deformable.velocity[n] = 0;
  return dls_scheme_accelerate(s, gravity);
}

/* Overlaps are taken back within the step, too. */
static DlsStatus seek(DlsSimulation *s, DlsStepPlan *plan) {
  DLS_TRY(dls_scheme_seek_ahead(s, plan));
  plan->assemble.gap_term = DLS_GAP_SIGNED;
  return DLS_OK;
}

/* J: what the drag of a free rigid body takes, v+ M v+. */
static double dragged(const DlsSimulation *s, int b) {
  const DlsWorld *world = s->world;
  const int dof = world->dim == 2 ? 3 : 6;
  double M[36], v[6], six[6], sum = 0;
  for (int k = 0; k < 6; k++)
    six[k] = world->fixed[b] >> k & 1 ? 0 : s->work.velocity[6 * (size_t)b + (size_t)k];
  dls_support_columns(world->dim, six, v);
  dls_support_body_mass(world, b, M);
  for (int i = 0; i < dof; i++)
    for (int j = 0; j < dof; j++)
      if (v[i] != 0 && v[j] != 0) sum += v[i] * M[i * dof + j] * v[j];
  return sum;
}

/* Works of the forces at the end of the step along all of its way: the step is in balance there, so
 * that nothing is left over; it takes up to half of the gain of force times the way more than a
 * slow press would, which is lost within the bodies and goes with h. */
static DlsStatus account(DlsSimulation *s, const double gravity[3], const DlsStepPlan *plan) {
  const DlsAssembly *a = &s->last.assembly;
  const DlsWorld *world = s->world;
  DlsLedger *ledger = &s->state.ledger;
  (void)plan;
  for (int i = 0; i < a->step.count; i++) {
    const size_t first = (size_t)i * (size_t)a->run.block;
    double *by = &ledger->dissipated_by[s->settings.laws.item[a->step.interaction[i]].account];
    for (size_t e = first; e < first + (size_t)a->run.block; e++) {
      const double work = a->solve.r[e] * a->solve.u[e];
      ledger->dissipated -= work;
      *by -= work;
    }
  }
  dls_ledger_add_boundaries(s);
  for (int b = 0; b < world->count; b++) {
    if (!dls_deformable_of(world, b)) ledger->dissipated += dragged(s, b);
    for (int k = 0; k < 6; k++) {
      if (world->fixed[b] >> k & 1) continue;
      const double way = s->settings.h * s->work.velocity[6 * (size_t)b + (size_t)k];
      ledger->force += s->work.force[b][k] * way;
      if (k < 3) ledger->gravity += world->mass[b] * gravity[k] * way;
    }
  }
  return DLS_OK;
}

const DlsScheme dls_scheme_static = {
    DLS_SCHEME_HEAD(static),
    .asks = DLS_ASKS_RELATIONS,
    .loads = DLS_LOADS_ARE_FORCES,
    .moves_deformables = true,
    .quasi_static = true,
    .check_law = dls_scheme_check_relations,
    .after = after,
    .move = dls_scheme_move,
    .free_velocity = set_out,
    .seek = seek,
    .impulses = dls_scheme_solve,
    .look_ahead = dls_scheme_look_ahead,
    .account = account,
    .account_stored = dls_scheme_account_stored,
};
