/* No pair overlaps at the end of a step, however long it is (Maury 2006, sec. 2): the contacts of a
 * step follow from the velocities that were solved for, not from those that bodies came with.
 *
 * A body that an impulse of this very step throws may close a pair that nobody looked for. So the
 * pairs are looked for again along v+, those that are new join the problem with their gaps, and it
 * is solved again from where it stands, until none is new. The set only grows, and there are so
 * many pairs: it ends.
 *
 * The gap g of two spheres, or of a sphere and a convex solid or a plane that moves straight, is a
 * convex function of the places of the bodies: g(x + h v) >= g(x) + h u_N, and u_N + g+/h >= 0
 * leaves no overlap but what the solver's tolerance does. Where it is not convex, a turning cluster
 * or a wall that turns (by h² w² r / 2) and a wall that is hollow (by h² u_T² / 2 R), the gap may
 * end that far below zero. */
#include "step/step_impl.h"
#include "world/layout.h"

#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 1000, SAMPLE = 65 };

static bool has_carriers(const DlsWorld *world) {
  for (int b = 0; b < world->boundary_count; b++)
    if (dls_world_carrier(world, b) >= 0) return true;
  return false;
}

/* The boundaries with the velocities that were solved for; NULL where they are those of the world.
 * */
static DlsStatus solved_boundaries(const DlsSimulation *s, DlsBoundary **out) {
  const DlsWorld *world = s->world;
  *out = NULL;
  if (!has_carriers(world)) return DLS_OK;
  DLS_NEW(*out, world->boundary_count);
  memcpy(*out, world->boundary, (size_t)world->boundary_count * sizeof **out);
  for (int b = 0; b < world->boundary_count; b++) {
    const int carrier = dls_world_carrier(world, b);
    if (carrier < 0) continue;
    const double *solved = s->work.velocity + 6 * (size_t)carrier;
    if (world->boundary[b].flags & DLS_BOUNDARY_SWELLS)
      (*out)[b].growth = solved[0];
    else
      memcpy((*out)[b].velocity, solved, sizeof(*out)[b].velocity);
  }
  return DLS_OK;
}

/* m/s: by what the contacts turned body b from its free flight. */
static void turned_by(const DlsSimulation *s, int b, double move[3], double turn[3]) {
  const double *solved = s->work.velocity + 6 * (size_t)b;
  const double *free_flight = s->last.free_velocity + 6 * (size_t)b;
  for (int k = 0; k < 3; k++) {
    move[k] = solved[k] - free_flight[k];
    turn[k] = solved[3 + k] - free_flight[3 + k];
  }
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Half of what most bodies were turned by: of a scene at rest -h g / 2, halfway between what lies,
 * which was to fall, and what flies or is fixed, which was not turned. Bodies, and boundaries,
 * which move by nothing, are all compared with it: two that are near it are near each other. 0
 * where boundaries would be too far from it. */
static void common(const DlsSimulation *s, double limit, double out[3]) {
  const int bodies = s->world->count, count = bodies < SAMPLE ? bodies : SAMPLE;
  double sample[3][SAMPLE];
  int turned = 0;
  for (int n = 0; n < count; n++) {
    double move[3], turn[3];
    turned_by(s, (int)((int64_t)n * bodies / count), move, turn);
    if (move[0] == 0 && move[1] == 0 && move[2] == 0) continue;
    for (int k = 0; k < 3; k++) sample[k][turned] = move[k];
    turned++;
  }
  for (int k = 0; k < 3; k++) {
    qsort(sample[k], (size_t)turned, sizeof *sample[k], compare);
    out[k] = turned ? 0.5 * sample[k][turned / 2] : 0;
  }
  if (!(dls_vector_norm(out) <= limit)) memset(out, 0, 3 * sizeof *out);
}

/* Which bodies were turned from their free flight otherwise than most by half of what the detection
 * had to spare, or more: two that were not close no pair beyond its alert, nor does one with a
 * boundary. NULL where all count: where walls were seen with the velocity of the step before, or a
 * deformable body was turned; *any: whether there are such. */
static DlsStatus find_turned(const DlsSimulation *s, double spare, bool **out, bool *any) {
  const DlsWorld *world = s->world;
  const double h = s->settings.h;
  double shared[3] = {0};
  *out = NULL;
  *any = has_carriers(world) || !dls_deformables_stay_close(s, 0.5 * spare);
  if (*any) return DLS_OK;
  DLS_NEW(*out, world->count);
  if (world->deformable.count == 0) common(s, 0.5 * spare / h, shared);
  for (int b = 0; b < world->count; b++) {
    double move[3], turn[3];
    turned_by(s, b, move, turn);
    for (int k = 0; k < 3; k++) move[k] -= shared[k];
    const double off = dls_vector_norm(move) + dls_world_arm(world, b) * dls_vector_norm(turn);
    (*out)[b] = !(h * off <= 0.5 * spare);
    *any |= (*out)[b];
  }
  return DLS_OK;
}

/* The pairs that close along v+, of those that may be new. */
static DlsStatus detect_ahead(DlsSimulation *s, double spare) {
  DlsBoundary *boundary = NULL;
  bool *turned = NULL, any = false;
  s->work.ahead.count = 0;
  DlsStatus status = find_turned(s, spare, &turned, &any);
  if (status == DLS_OK && any) status = solved_boundaries(s, &boundary);
  DlsDetection where = {.horizon = s->settings.h,
                        .velocity = dls_layout_six(s->work.velocity),
                        .boundary = boundary,
                        .of_interest = turned,
                        .sights = dls_interactions_sights(&s->settings.laws),
                        .memory = &s->state.memory};
  if (status == DLS_OK && any) status = dls_deformables_drift_of(s, s->work.velocity, &where.drift);
  if (status == DLS_OK && any) status = dls_detect(s->detector, s->world, &where, &s->work.ahead);
  free(boundary);
  free(turned);
  return status;
}

/* Pairs that close along v+ and are not in the set are put behind those that are; *found: how many.
 * */
static DlsStatus add_new(DlsSimulation *s, double spare, int *found) {
  DlsContactSet *set = &s->last.contacts, *ahead = &s->work.ahead;
  *found = 0;
  DLS_TRY(detect_ahead(s, spare));
  if (ahead->count == 0) return DLS_OK;
  DLS_TRY(dls_contact_memory_remember(&s->work.seen, set->count, set->key, NULL));
  dls_contact_memory_match(&s->work.seen, ahead);
  for (int c = 0; c < ahead->count; c++) {
    /* Of a pair whose points are frozen what is here by other features is there already. */
    if (dls_step_is_frozen(s, ahead->candidate[c], ahead->antagonist[c]) &&
        dls_contact_memory_pair(&s->work.seen, &ahead->key[c], 1, &ahead->previous[c]) == 0)
      ahead->previous[c] = -1;
    *found += ahead->previous[c] < 0;
  }
  if (*found == 0) return DLS_OK;
  DLS_TRY(dls_contact_set_reserve(set, set->count + *found));
  for (int c = 0; c < ahead->count; c++)
    if (ahead->previous[c] < 0) DLS_TRY(dls_contact_set_append(set, ahead, c));
  return dls_step_match(s, &(DlsDetection){0});
}

DlsStatus dls_step_assemble_again(DlsSimulation *s, const DlsStepPlan *plan, int before) {
  DlsAssembly *a = &s->last.assembly;
  const size_t size = (size_t)before * (size_t)a->run.block;
  double *r;
  DLS_NEW(r, size);
  memcpy(r, a->solve.r, size * sizeof *r);
  const DlsAssembleBefore kept = dls_step_before(s);
  const DlsStatus status =
      dls_assemble(a, s->world, &s->settings.laws, &s->last.contacts, &plan->assemble, &kept);
  if (status == DLS_OK) memcpy(a->solve.r, r, size * sizeof *r);
  free(r);
  return status;
}

DlsStatus dls_scheme_look_ahead(DlsSimulation *s, const DlsStepPlan *plan) {
  DlsStepReport *report = &s->last.report;
  for (int round = 0; report->solver.outcome == DLS_CONVERGED; round++) {
    const double began = dls_clock_now();
    const int before = s->last.assembly.step.count;
    const long iterations = report->solver.iterations;
    const DlsWork work = report->solver.work;
    int found;
    DLS_TRY(add_new(s, plan->spare, &found));
    const double detected = dls_clock_now();
    report->detect_s += detected - began;
    if (found == 0) return DLS_OK;
    DLS_CHECK(round < MOST_ROUNDS, DLS_ERR_NUMERIC,
              "step %ld at t = %g s: after %d solves bodies still close new pairs; shorten "
              "time.step from %g s, or set time.control to halve",
              s->state.step + 1, s->state.time, MOST_ROUNDS, s->settings.h);
    DLS_TRY(dls_step_assemble_again(s, plan, before));
    const double assembled = dls_clock_now();
    DLS_TRY(dls_scheme_solve(s));
    DLS_TRY(dls_assemble_velocity(&s->last.assembly, s->world, s->last.free_velocity,
                                  s->work.velocity));
    report->rounds++;
    report->solver.iterations += iterations;
    dls_work_add(&report->solver.work, &work);
    report->assemble_s += assembled - detected;
    report->solve_s += dls_clock_now() - assembled;
  }
  return DLS_OK;
}
