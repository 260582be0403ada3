/* The accounts of energy; what each field means is in simulation.h. */
#include "step/step_impl.h"

#include <string.h>

void dls_simulation_recount(DlsSimulation *s) {
  double gravity[3] = {0};
  if (s->settings.influence.gravity)
    s->settings.influence.gravity(s->settings.influence.context, s->state.time, gravity);
  s->state.ledger = (DlsLedger){.kinetic = dls_world_kinetic_energy(s->world),
                                .potential = dls_world_potential_energy(s->world, gravity),
                                .stored = s->state.ledger.stored};
  s->state.ledger.start = s->state.ledger.kinetic + s->state.ledger.stored;
}

/* Impulses meet the mean of the velocities before and after (Moreau 1994, eq. 6.5): exact for rigid bodies. The work
 * of contacts is split in dissipation and the work of moving boundaries. */
static void add_contacts(DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  for (size_t e = 0; e < (size_t)a->count * (size_t)a->block; e++) {
    if (s->settings.scheme != DLS_SCHEME_EXPLICIT)
      s->state.ledger.dissipated -= 0.5 * a->r[e] * (a->u[e] + a->u_before[e]);
    s->state.ledger.boundary -= a->r[e] * a->w[e];
  }
}

/* The laws of springs and dashpots say themselves what they keep and what they lose. */
static DlsStatus add_springs(DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  s->state.ledger.stored = 0;
  for (int i = 0; i < a->count; i++) {
    const size_t e = (size_t)i * (size_t)a->block;
    double stored, dissipated;
    DLS_TRY(dls_law_energy(&a->use[i], a->u + e, a->r + e, &stored, &dissipated));
    s->state.ledger.stored += stored;
    s->state.ledger.dissipated += dissipated;
  }
  return DLS_OK;
}

void dls_ledger_store(DlsSimulation *s) {
  if (s->settings.scheme == DLS_SCHEME_EXPLICIT || s->settings.scheme == DLS_SCHEME_FIRST_ORDER)
    return;
  s->state.ledger.dissipated -= s->last.assembly.stored - s->state.ledger.stored;
  s->state.ledger.stored = s->last.assembly.stored;
}

DlsStatus dls_ledger_add_step(DlsSimulation *s, const double gravity[3], double after) {
  const DlsWorld *world = s->world;
  DlsLedger *ledger = &s->state.ledger;
  const double beyond =
      after - 0.5 * s->settings.h; /* (theta - 1/2) h: x+ - x = h (v + v+)/2 + beyond (v+ - v) */
  if (s->settings.scheme == DLS_SCHEME_FIRST_ORDER) return DLS_OK; /* no inertia, no energy */
  add_contacts(s);
  if (s->settings.scheme == DLS_SCHEME_EXPLICIT) DLS_TRY(add_springs(s));
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < 6; k++) {
      if (world->fixed[b] & (1 << k)) continue;
      const double v = world->velocity[b][k], next = s->work.velocity[b][k];
      const double moved = 0.5 * s->settings.h * (next + v);
      ledger->force += s->work.force[b][k] * moved;
      if (k >= 3) continue;
      ledger->gravity += world->mass[b] * gravity[k] * moved;
      ledger->scheme += world->mass[b] * gravity[k] * beyond * (next - v);
    }
  return DLS_OK;
}

void dls_ledger_close(DlsSimulation *s) {
  DlsLedger *ledger = &s->state.ledger;
  double gravity[3] = {0};
  if (s->settings.influence.gravity)
    s->settings.influence.gravity(s->settings.influence.context, s->state.time, gravity);
  ledger->kinetic = dls_world_kinetic_energy(s->world);
  ledger->potential = dls_world_potential_energy(s->world, gravity);
  if (s->settings.scheme == DLS_SCHEME_FIRST_ORDER) return;
  ledger->balance = ledger->kinetic - ledger->start + ledger->stored - ledger->gravity -
                    ledger->force - ledger->boundary + ledger->dissipated;
}
