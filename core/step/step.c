/* One step of each scheme; formulas in simulation.h. */
#include "base/clock.h"
#include "base/memory.h"
#include "step/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static DlsStatus make_room(DlsSimulation *s) {
  const DlsWorld *world = s->world;
  if (world->count > s->body_capacity || !s->force) {
    free(s->free_velocity);
    free(s->velocity);
    free(s->force);
    s->free_velocity = s->velocity = s->force = NULL;
    s->body_capacity = world->count + world->count / 4 + 16;
    DLS_NEW(s->free_velocity, s->body_capacity);
    DLS_NEW(s->velocity, s->body_capacity);
    DLS_NEW(s->force, s->body_capacity);
  }
  if (world->boundary_count > s->boundary_capacity || !s->boundary_force) {
    const int capacity = world->boundary_count + 8;
    double(*force)[6];
    DLS_NEW(force, capacity); /* those there are stay: they may drive this step */
    if (s->boundary_force)
      memcpy(force, s->boundary_force, (size_t)s->boundary_capacity * sizeof *force);
    free(s->boundary_force);
    s->boundary_force = force;
    s->boundary_capacity = capacity;
  }
  return DLS_OK;
}

static void drift(DlsSimulation *s, double h) {
  dls_world_drift(s->world, h);
  for (int b = 0; b < s->world->boundary_count; b++) dls_boundary_drift(h, &s->world->boundary[b]);
  dls_world_carry(s->world);
}

/* force = F of the influence without gravity; v_free = v + h (g + M^-1 F), free components only. */
static DlsStatus free_motion(DlsSimulation *s, const double gravity[3], double middle) {
  DlsWorld *world = s->world;
  memset(s->force, 0, (size_t)world->count * sizeof *s->force);
  if (s->influence.force)
    DLS_TRY(s->influence.force(s->influence.context, world, middle, s->force));
  for (int b = 0; b < world->count; b++) {
    double inverse[3], inertia[9], *v = s->free_velocity[b];
    if (s->scheme == DLS_SCHEME_FIRST_ORDER) {
      memcpy(v, s->force[b], sizeof *s->free_velocity);
      continue;
    }
    dls_world_inverse_mass(world, b, NULL, inverse, inertia);
    for (int k = 0; k < 3; k++) {
      const double weight = inverse[k] > 0 ? gravity[k] : 0; /* a fixed component does not fall */
      v[k] = world->velocity[b][k] + s->h * (weight + inverse[k] * s->force[b][k]);
      v[3 + k] =
          world->velocity[b][3 + k] + s->h * dls_vector_dot(inertia + 3 * k, s->force[b] + 3);
    }
  }
  return DLS_OK;
}

/* How far apart bodies may be and still touch within the step, because others push them: as far as the fastest
 * would go alone, but no more than a share of the smallest. */
static double reach_of(const DlsSimulation *s) {
  const double share = 0.2;
  const DlsWorld *world = s->world;
  double fastest = 0, smallest = INFINITY;
  for (int b = 0; b < world->count; b++)
    fastest = fmax(fastest, dls_vector_norm(s->free_velocity[b]));
  for (int b = 0; b < world->boundary_count; b++)
    fastest = fmax(fastest, dls_vector_norm(world->boundary[b].velocity));
  for (int e = 0; e < world->first[world->count]; e++)
    smallest = fmin(smallest, world->element[e].radius);
  return fmin(s->h * fastest, share * smallest);
}

/* Moreau: what is closed in the middle of the step. Others: what may close within it, at the velocities that the
 * bodies would have without contacts. */
static DlsStatus detect(DlsSimulation *s, double horizon) {
  DlsDetection where = {.horizon = horizon};
  DLS_TRY(dls_interactions_range(&s->laws, NULL, &where.alert));
  where.alert = fmax(where.alert, s->alert);
  if (horizon > 0) {
    where.velocity = (const double(*)[6])s->free_velocity;
    where.alert += reach_of(s);
  } else {
    /* As far as assembly calls a contact closed, or a little more: a share of the largest radius. */
    double largest = 0;
    for (int e = 0; e < s->world->first[s->world->count]; e++)
      largest = fmax(largest, s->world->element[e].radius);
    where.alert = fmax(where.alert, 1e-9 * largest);
  }
  DLS_TRY(dls_detect(s->detector, s->world, &where, &s->contacts));
  dls_contact_memory_match(&s->memory, &s->contacts);
  s->report.penetration = 0;
  for (int c = 0; c < s->contacts.count; c++)
    s->report.penetration = fmax(s->report.penetration, -s->contacts.gap[c]);
  return DLS_OK;
}

/* Impulses and states of the contacts of this step, for the next one. */
static DlsStatus remember(DlsSimulation *s) {
  const DlsAssembly *a = &s->assembly;
  const size_t block = (size_t)a->block, states = (size_t)a->states;
  DlsContactKey *key = NULL;
  DLS_NEW(key, a->count);
  for (int i = 0; i < a->count; i++) key[i] = s->contacts.key[a->source[i]];
  const DlsStatus status = dls_contact_memory_remember(&s->memory, a->count, key);
  free(key);
  DLS_TRY(status);
  if (a->count > s->kept || !s->r) {
    free(s->r);
    free(s->state);
    s->r = s->state = NULL;
    s->kept = a->count + a->count / 4 + 16;
    DLS_NEW(s->r, (size_t)s->kept * block);
    DLS_NEW(s->state, (size_t)s->kept * states);
  }
  memcpy(s->r, a->r, (size_t)a->count * block * sizeof *s->r);
  memcpy(s->state, a->state, (size_t)a->count * states * sizeof *s->state);
  return DLS_OK;
}

/* Work of the step on the bodies, impulses by the mean of the velocities before and after (Moreau 1994,
 * eq. 6.5): that of contacts is split in dissipation and the work of moving boundaries. */
static void account(DlsSimulation *s, const double gravity[3], const double (*velocity)[6]) {
  const DlsAssembly *a = &s->assembly;
  const DlsWorld *world = s->world;
  DlsLedger *ledger = &s->ledger;
  if (s->scheme == DLS_SCHEME_FIRST_ORDER) return; /* no inertia, no energy */
  for (size_t e = 0; e < (size_t)a->count * (size_t)a->block; e++) {
    ledger->dissipated -= 0.5 * a->r[e] * (a->u[e] + a->u_before[e]);
    ledger->boundary -= a->r[e] * a->w[e];
  }
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < 6; k++) {
      if (world->fixed[b] & (1 << k)) continue;
      const double moved = 0.5 * s->h * (velocity[b][k] + world->velocity[b][k]);
      ledger->force += s->force[b][k] * moved;
      if (k < 3) ledger->gravity += world->mass[b] * gravity[k] * moved;
    }
}

static void push_boundaries(DlsSimulation *s) {
  const DlsAssembly *a = &s->assembly;
  memset(s->boundary_force, 0, (size_t)s->world->boundary_count * sizeof *s->boundary_force);
  for (int i = 0; i < a->count; i++) {
    const int c = a->source[i], who = s->contacts.antagonist[c];
    if (who >= 0) continue;
    const DlsBoundary *b = &s->world->boundary[-1 - who];
    const double *point = s->contacts.point[c], *frame = s->contacts.frame[c];
    double force[3] = {0}, lever[3], torque[3];
    for (int k = 0; k < s->world->dim; k++)
      for (int e = 0; e < 3; e++)
        force[e] -= frame[3 * k + e] * a->r[(size_t)i * (size_t)a->block + (size_t)k] / s->h;
    for (int e = 0; e < 3; e++) lever[e] = point[e] - b->position[e];
    dls_vector_cross(lever, force, torque);
    for (int e = 0; e < 3; e++) {
      s->boundary_force[-1 - who][e] += force[e];
      s->boundary_force[-1 - who][3 + e] += torque[e];
    }
  }
}

static DlsStatus solve(DlsSimulation *s) {
  DlsAssembly *a = &s->assembly;
  s->report.contacts = a->count;
  s->report.active = 0;
  s->report.solver = (DlsReport){.outcome = DLS_CONVERGED};
  if (a->count == 0) return DLS_OK;
  DLS_TRY(dls_solve(s->solver, a->problem, s->solver_options, &s->limits, NULL, a->r, a->u,
                    &s->report.solver));
  for (int i = 0; i < a->count; i++) s->report.active += a->r[(size_t)i * (size_t)a->block] != 0;
  s->unconverged += s->report.solver.outcome != DLS_CONVERGED;
  s->worst_error = fmax(s->worst_error, s->report.solver.error);
  return DLS_OK;
}

/* v <- v+, and the work of the step. Moves nothing. */
static void change_velocities(DlsSimulation *s, const double gravity[3]) {
  DlsWorld *world = s->world;
  dls_assemble_velocity(&s->assembly, world, (const double(*)[6])s->free_velocity, s->velocity);
  account(s, gravity, (const double(*)[6])s->velocity);
  memcpy(world->velocity, s->velocity, (size_t)world->count * sizeof *s->velocity);
}

/* Energies now, and what the accounts leave unexplained. */
static void close_accounts(DlsSimulation *s) {
  DlsLedger *ledger = &s->ledger;
  double gravity[3] = {0};
  if (s->influence.gravity) s->influence.gravity(s->influence.context, s->time, gravity);
  ledger->kinetic = dls_world_kinetic_energy(s->world);
  ledger->potential = dls_world_potential_energy(s->world, gravity);
  if (s->scheme == DLS_SCHEME_FIRST_ORDER) return;
  ledger->balance = ledger->kinetic - ledger->start - ledger->gravity - ledger->force -
                    ledger->boundary + ledger->dissipated;
}

/* How a scheme sees the step. */
typedef struct {
  double before, after; /* s of drift before and after the change of velocities */
  double horizon;       /* s, of detection */
  DlsAssembleStep assemble;
} Plan;

static Plan plan_of(const DlsSimulation *s) {
  Plan plan = {.assemble = {.time = s->time,
                            .h = s->h,
                            .free_velocity = (const double(*)[6])s->free_velocity}};
  if (s->scheme == DLS_SCHEME_MOREAU) {
    plan.before = plan.after = 0.5 * s->h;
    plan.assemble.only_closed = 1;
    plan.assemble.gap_term = DLS_GAP_NONE;
  } else {
    plan.after = plan.horizon = s->h;
    plan.assemble.gap_term = s->signed_gap ? DLS_GAP_SIGNED : DLS_GAP_POSITIVE;
  }
  return plan;
}

DlsStatus dls_simulation_step(DlsSimulation *s) {
  DLS_CHECK(s->h > 0 && isfinite(s->h), DLS_ERR_ARGUMENT, "the time-step is %g s", s->h);
  DLS_TRY(make_room(s));
  double gravity[3] = {0};
  const double began = dls_clock_now();
  if (s->influence.gravity)
    s->influence.gravity(s->influence.context, s->time + 0.5 * s->h, gravity);
  if (s->influence.move) DLS_TRY(s->influence.move(s->influence.context, s->world, s->time, s->h));
  const Plan plan = plan_of(s);
  drift(s, plan.before);
  DLS_TRY(free_motion(s, gravity, s->time + 0.5 * s->h));
  DLS_TRY(detect(s, plan.horizon));
  const double detected = dls_clock_now();
  DLS_TRY(
      dls_assemble(&s->assembly, s->world, &s->laws, &s->contacts, &plan.assemble, s->r, s->state));
  const double assembled = dls_clock_now();
  DLS_TRY(solve(s));
  const double solved = dls_clock_now();
  change_velocities(s, gravity);
  push_boundaries(s);
  DLS_TRY(dls_assemble_commit(&s->assembly));
  DLS_TRY(remember(s));
  drift(s, plan.after);
  s->time += s->h;
  s->step++;
  close_accounts(s);
  s->worst_penetration = fmax(s->worst_penetration, s->report.penetration);
  s->report.detect_s = detected - began;
  s->report.assemble_s = assembled - detected;
  s->report.solve_s = solved - assembled;
  s->report.integrate_s = dls_clock_now() - solved;
  return DLS_OK;
}
