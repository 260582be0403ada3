/* The accounts of energy; what each field means is in simulation.h. */
#include "base/pool.h"
#include "step/step_impl.h"
#include "world/layout.h"

#include <string.h>

static double kinetic_energy(const DlsSimulation *s) {
  return s->settings.scheme->quasi_static ? 0 : dls_world_kinetic_energy(s->world);
}

void dls_simulation_recount(DlsSimulation *s) {
  double gravity[3] = {0};
  if (s->settings.influence.gravity)
    s->settings.influence.gravity(s->settings.influence.context, s->state.time, gravity);
  const DlsLedger before = s->state.ledger;
  s->state.ledger = (DlsLedger){.kinetic = kinetic_energy(s),
                                .potential = dls_world_potential_energy(s->world, gravity),
                                .stored = s->state.ledger.stored,
                                .strain = dls_world_strain_energy(s->world)};
  memcpy(s->state.ledger.stored_by, before.stored_by, sizeof before.stored_by);
  s->state.ledger.start = s->state.ledger.kinetic + s->state.ledger.stored + s->state.ledger.strain;
}

void dls_ledger_add_boundaries(DlsSimulation *s) {
  const DlsAssembly *a = &s->last.assembly;
  for (size_t e = 0; e < (size_t)a->step.count * (size_t)a->run.block; e++)
    s->state.ledger.boundary -= a->solve.r[e] * a->step.w[e];
}

enum { FORCE, GRAVITY, SCHEME, LOADS };

typedef struct {
  const DlsSimulation *s;
  const double *gravity;
  double beyond;
} Loads;

static void add_loads(void *context, size_t begin, size_t end, double *sum) {
  const Loads *loads = context;
  const DlsSimulation *s = loads->s;
  const DlsWorld *world = s->world;
  for (size_t b = begin; b < end; b++)
    for (int k = 0; k < 6; k++) {
      if (world->fixed[b] & (1 << k)) continue;
      const double v = world->velocity[b][k], next = s->work.velocity[6 * b + (size_t)k];
      const double moved = 0.5 * s->settings.h * (next + v);
      sum[FORCE] += s->work.force[b][k] * moved;
      if (k >= 3) continue;
      sum[GRAVITY] += world->mass[b] * loads->gravity[k] * moved;
      sum[SCHEME] += world->mass[b] * loads->gravity[k] * loads->beyond * (next - v);
    }
}

void dls_ledger_add_loads(DlsSimulation *s, const double gravity[3], const DlsStepPlan *plan) {
  DlsLedger *ledger = &s->state.ledger;
  double sum[LOADS];
  /* (theta - 1/2) h: x+ - x = h (v + v+)/2 + beyond (v+ - v) */
  Loads loads = {s, gravity, plan->after - 0.5 * s->settings.h};
  dls_pool_sum((size_t)s->world->count, LOADS, add_loads, &loads, sum);
  ledger->force += sum[FORCE];
  ledger->gravity += sum[GRAVITY];
  ledger->scheme += sum[SCHEME];
}

/* Exact for rigid bodies. The work of contacts is split in dissipation and the work of moving
 * boundaries. */
DlsStatus dls_scheme_account_impulses(DlsSimulation *s, const double gravity[3],
                                      const DlsStepPlan *plan) {
  const DlsAssembly *a = &s->last.assembly;
  DlsLedger *ledger = &s->state.ledger;
  for (int i = 0; i < a->step.count; i++) {
    const size_t first = (size_t)i * (size_t)a->run.block;
    double *by = &ledger->dissipated_by[s->settings.laws.item[a->step.interaction[i]].account];
    for (size_t e = first; e < first + (size_t)a->run.block; e++) {
      const double work = 0.5 * a->solve.r[e] * (a->solve.u[e] + a->step.u_before[e]);
      ledger->dissipated -= work;
      *by -= work;
    }
  }
  dls_ledger_add_boundaries(s);
  dls_ledger_add_loads(s, gravity, plan);
  return DLS_OK;
}

/* What was stored in a contact that is gone, is lost. */
void dls_scheme_account_stored(DlsSimulation *s) {
  s->state.ledger.dissipated -= s->last.assembly.step.stored - s->state.ledger.stored;
  s->state.ledger.stored = s->last.assembly.step.stored;
  for (int k = 0; k < DLS_LAW_ACCOUNTS; k++) {
    const double stored = s->last.assembly.step.stored_by[k];
    s->state.ledger.dissipated_by[k] -= stored - s->state.ledger.stored_by[k];
    s->state.ledger.stored_by[k] = stored;
  }
}

void dls_ledger_close(DlsSimulation *s) {
  DlsLedger *ledger = &s->state.ledger;
  double gravity[3] = {0};
  if (s->settings.influence.gravity)
    s->settings.influence.gravity(s->settings.influence.context, s->state.time, gravity);
  ledger->kinetic = kinetic_energy(s);
  ledger->potential = dls_world_potential_energy(s->world, gravity);
  if (!s->settings.scheme->account) return;
  ledger->balance = ledger->kinetic - ledger->start + ledger->stored - ledger->gravity -
                    ledger->force - ledger->boundary + ledger->dissipated;
  if (s->world->deformable.count == 0) return;
  ledger->strain = dls_world_strain_energy(s->world);
  ledger->balance += ledger->strain + ledger->within;
}
