/* Newton's loop around the contact solve, for deformable bodies that are not linear
 * (world/deformable_kind.h), and for those that only contacts hold in a quasi-static step.
 *
 * A round solves the step about v*, where impulses pushed by P*, and gives v+ and P+. Of the way
 *
 *   v* + s (v+ - v*),   P* + s (P+ - P*)
 *
 * what is left of the balance falls like 1 - s for small s. The whole way is gone, s = 1, as long
 * as a body can be there and what is left has fallen in one of the last rounds; else s is halved
 * until it falls. What contacts alone hold would come to its place by a share of the way in each
 * round: rounds before tell the rest of it (step/mixing.h). */
#include "step/mixing.h"
#include "step/step_impl.h"

#include "base/clock.h"
#include "base/memory.h"
#include "world/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 30, MOST_LOOSE = 60, MOST_STALE = 4, MOST_SHORTER = 8, MOST_BETTER = 3 };
static const double better = 0.01; /* of the tolerance, for which these last rounds are worth it */
static const double falls = 0.1;   /* of what a way so long should take off: it has fallen */

/* Solved anew about v+ of the last solve, from its impulses. */
static DlsStatus solve_again(DlsSimulation *s, DlsStepPlan *plan, const double gravity[3]) {
  DlsStepReport *report = &s->last.report;
  const double began = dls_clock_now();
  const int contacts = s->last.assembly.step.count;
  const long iterations = report->solver.iterations;
  const DlsWork work = report->solver.work;
  DLS_TRY(dls_deformables_free_velocity(s, gravity, s->work.velocity));
  s->work.unsettled = false;
  DLS_TRY(dls_step_assemble_again(s, plan, contacts));
  const double assembled = dls_clock_now();
  DLS_TRY(s->settings.scheme->impulses(s));
  DLS_TRY(
      dls_assemble_velocity(&s->last.assembly, s->world, s->last.free_velocity, s->work.velocity));
  report->solver.iterations += iterations;
  dls_work_add(&report->solver.work, &work);
  report->assemble_s += assembled - began;
  report->solve_s += dls_clock_now() - assembled;
  if (s->settings.scheme->look_ahead && report->solver.outcome != DLS_NO_SOLUTION)
    DLS_TRY(s->settings.scheme->look_ahead(s, plan));
  return DLS_OK;
}

/* [velocities of deformable bodies] each: what the step was solved about, and the pushes there;
 * what came out; the way between. */
typedef struct {
  double *all, *v, *push, *next, *next_push;
  double best; /* N s: the least that was left so far */
  int stale;   /* rounds since then */
  int within;  /* rounds within the tolerance, of bodies that contacts alone hold */
  int *loose;  /* velocities of bodies that contacts alone hold, as the first round saw them */
  double *from, *to;
  DlsMixing mixing;
} Way;

/* Goes the share of the way: into `next`, and work.velocity. */
static void go(DlsSimulation *s, Way *w, double share) {
  double *out = s->work.velocity + dls_layout_front(s->world);
  for (int n = 0; n < s->world->deformable.velocities; n++) {
    w->next[n] = w->v[n] + share * (w->next[n] - w->v[n]);
    w->next_push[n] = w->push[n] + share * (w->next_push[n] - w->push[n]);
    out[n] = w->next[n];
  }
}

/* A shorter way, where the whole one leads where a body cannot be (`whole` not DLS_OK) or, as the
 * rounds before it, to no less than was left at its start. */
static DlsStatus shorten(DlsSimulation *s, const double gravity[3], DlsStatus whole, Way *w) {
  const double begun = dls_coupling_begun(&s->last.assembly, s->world, w->push);
  double share = 1;
  for (int k = 0; k < MOST_SHORTER; k++) {
    DlsBalanceLeft left;
    share /= 2;
    go(s, w, 0.5);
    const DlsStatus status =
        dls_deformables_balance(s, gravity, s->work.velocity, w->next_push, &left);
    if (status == DLS_OK && left.norm <= (1 - falls * share) * begun) return DLS_OK;
    if (status == DLS_OK && whole != DLS_OK && k + 1 == MOST_SHORTER) return DLS_OK;
  }
  if (whole != DLS_OK) return whole; /* its sentence is of a shorter way */
  go(s, w, 1 / share);
  return DLS_OK;
}

static DlsStatus out_of_balance(const DlsSimulation *s, const DlsBalanceLeft *left) {
  const unsigned long long id = (unsigned long long)s->world->id[left->body];
  if (dls_coupling_is_loose(&s->last.assembly, s->world, left->body))
    return dls_fail(
        DLS_ERR_NUMERIC,
        "step %ld at t = %g s: body %llu is not held: it can move without being strained, and "
        "after "
        "%d rounds its contacts do not hold it against its loads (%.2g of the tolerance is left), "
        "and a quasi-static step has no inertia; hold it (fixed, prescribed or springs), or let it "
        "touch what holds it",
        s->state.step + 1, s->state.time, id, MOST_LOOSE, left->left);
  return dls_fail(
      DLS_ERR_NUMERIC,
      "step %ld at t = %g s: after %d rounds of Newton's loop body %llu is out of balance by "
      "%.2g of its tolerance; shorten time.step from %g s, or set time.control to halve",
      s->state.step + 1, s->state.time, MOST_ROUNDS, id, left->left, s->settings.h);
}

static DlsStatus open_mixing(const DlsSimulation *s, Way *w) {
  const DlsWorld *world = s->world;
  int count = 0;
  DLS_NEW(w->loose, world->deformable.velocities);
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    for (int n = 0; n < d->size.velocities; n++)
      if (dls_coupling_is_loose(&s->last.assembly, world, d->body))
        w->loose[count++] = d->velocity + n;
  }
  if (count == 0) return DLS_OK;
  DLS_NEW(w->from, 2 * (size_t)count);
  w->to = w->from + count;
  return dls_mixing_open(count, &w->mixing);
}

/* Where the next round begins: `next`, but for what contacts alone hold. */
static void mix(DlsSimulation *s, Way *w) {
  double *out = s->work.velocity + dls_layout_front(s->world);
  for (int k = 0; k < w->mixing.n; k++) {
    w->from[k] = w->v[w->loose[k]];
    w->to[k] = w->next[w->loose[k]];
  }
  if (w->mixing.n > 0) dls_mixing_round(&w->mixing, w->from, w->to);
  for (int k = 0; k < w->mixing.n; k++) out[w->loose[k]] = w->next[w->loose[k]] = w->to[k];
}

/* One more round unless all is in balance. */
static DlsStatus settle_round(DlsSimulation *s, DlsStepPlan *plan, const double gravity[3],
                              int round, Way *w, bool *done) {
  const size_t n = (size_t)s->world->deformable.velocities;
  DlsBalanceLeft left;
  memcpy(w->next, s->work.velocity + dls_layout_front(s->world), n * sizeof *w->next);
  dls_coupling_push(&s->last.assembly, s->world, w->next_push);
  const DlsStatus status =
      dls_deformables_balance(s, gravity, s->work.velocity, w->next_push, &left);
  *done = status == DLS_OK && (left.body < 0 || left.left <= 1);
  if (*done && w->mixing.n > 0) *done = left.left <= better || w->within++ == MOST_BETTER;
  if (*done) return DLS_OK;
  const int most = w->mixing.n > 0 ? MOST_LOOSE : MOST_ROUNDS;
  if (status == DLS_OK && round == most) return out_of_balance(s, &left);
  if (round == most || (status != DLS_OK && status != DLS_ERR_NUMERIC && status != DLS_ERR_LAW))
    return status;
  w->stale = status == DLS_OK && left.norm < w->best ? 0 : w->stale + 1;
  if (status == DLS_OK) w->best = fmin(w->best, left.norm);
  if (status != DLS_OK || w->stale >= MOST_STALE)
    DLS_TRY(shorten(s, gravity, status, w));
  else
    mix(s, w);
  memcpy(w->v, w->next, n * sizeof *w->v);
  memcpy(w->push, w->next_push, n * sizeof *w->push);
  s->last.report.newton++;
  return solve_again(s, plan, gravity);
}

DlsStatus dls_step_settle(DlsSimulation *s, DlsStepPlan *plan, const double gravity[3]) {
  const size_t n = (size_t)s->world->deformable.velocities;
  Way w = {.best = INFINITY};
  DlsStatus status = DLS_OK;
  bool done = false;
  if (n == 0) return DLS_OK;
  DLS_NEW(w.all, 4 * n);
  w.v = w.all, w.push = w.v + n, w.next = w.push + n, w.next_push = w.next + n;
  memcpy(w.v, s->world->deformable.velocity, n * sizeof *w.v);
  status = open_mixing(s, &w);
  for (int round = 0; status == DLS_OK && !done; round++) {
    if (s->last.report.solver.outcome == DLS_NO_SOLUTION) break;
    s->work.unsettled = true;
    status = settle_round(s, plan, gravity, round, &w, &done);
  }
  dls_mixing_clear(&w.mixing);
  free(w.from);
  free(w.loose);
  free(w.all);
  if (status == DLS_OK) s->work.unsettled = false;
  return status;
}
