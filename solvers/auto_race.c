/* The ways of a plan against each other. Each is expected to cost
 *
 *   T = spent + price · left    s of the model
 *
 * in the end, `left` being what it is taken to need (auto_plan.c) until it has begun, and then what
 * its own rate says, at most some times what it has done. The way with the least T goes on, for a
 * third of what it has done in any case, and until that of another is less by a factor: broken off,
 * it has to begin again from where it stood. What a way has spent counts against it, so that one
 * whose rate promises much and keeps nothing loses to the others; together they cost a small
 * multiple of the best, whichever that is.
 *
 * On the problems of tests/bench/families.c what rates say is right in the median where it is below
 * twelve times what was done, one time in four three times too little; of those who seem to stand
 * still one half is through after three times what was done. Errors that jump when they come within
 * the tolerance would spoil that: hence foresight (base/ledger.h). */
#include "solvers/auto_impl.h"

#include <math.h>

/* Ends suddenly, and has to begin anew when it is broken off. */
static bool is_sudden(AutoWay way) { return way == AUTO_DIRECT || way == AUTO_INTERIOR; }

/* Analysing, factors, arrays: s of the model. */
static double beginning(const Auto *s, AutoWay way) {
  const double some = is_sudden(way) ? 1 : 5, factor = way == AUTO_SPLIT ? s->price.direct : 0;
  return factor + some * auto_price(s, way);
}

/* T of a way; INFINITY where it is closed. */
static double foreseen(const Auto *s, const AutoPhase *phase) {
  const AutoTrack *track = &s->track[phase->way];
  if (track->out || !auto_may_go(s, phase->way)) return INFINITY;
  if (track->begun) return track->spent + track->left;
  return beginning(s, phase->way) + auto_taken(s, phase) * auto_price(s, phase->way);
}

/* The one with the least T but for `way`, and its T; NULL and INFINITY where all are closed. */
static const AutoPhase *best_but(const Auto *s, AutoWay way, double *T) {
  const AutoPhase *best = NULL;
  *T = INFINITY;
  for (int k = 0; k < AUTO_PHASES && s->plan->phase[k].way != AUTO_NONE; k++) {
    const AutoPhase *phase = &s->plan->phase[k];
    const double its = phase->way == way ? INFINITY : foreseen(s, phase);
    if (its >= *T) continue;
    *T = its;
    best = phase;
  }
  return best;
}

/* Of this phase too, s of the model. */
static double spent_after(const Auto *s, double iterations) {
  const AutoTrack *track = &s->track[s->way];
  const double before = track->begun ? track->spent : beginning(s, s->way);
  return before + iterations * auto_price(s, s->way);
}

bool auto_is_beaten(Auto *s, double done, double left) {
  AutoTrack *track = &s->track[s->way];
  const bool first = s->way == s->first;
  const double sure = auto_is_near(s) ? 3 : INFINITY;
  const double patience = fmin(5 * s->options.patience, 1); /* 1 by default */
  const double hold = first ? patience * fmin(s->plan->hold, sure) : is_sudden(s->way) ? 3 : 2;
  const double spent = spent_after(s, done);
  if (s->stage == AUTO_FIRST) best_but(s, s->way, &s->rival);
  track->left = left * auto_price(s, s->way);
  return done >= s->least && !(first && spent < s->plan->share * s->rival) &&
         spent + track->left > hold * s->rival;
}

void auto_mark(Auto *s, double iterations) {
  AutoTrack *track = &s->track[s->way];
  track->spent = spent_after(s, iterations);
  track->done += iterations;
  track->begun = true;
  track->out = !s->switched || iterations == 0;
  if (s->way == AUTO_INTERIOR) /* begins at its own beginning */
    track->left = fmax(track->left, iterations * auto_price(s, s->way));
}

static DlsStatus go(Auto *s, const AutoPhase *phase, const DlsLimits *limits, DlsReport *report) {
  const double few = 10, third = 0.3;
  const AutoWay way = phase->way;
  const long before = s->done, points = s->interior_count;
  s->way = way;
  s->taken = auto_taken(s, phase);
  s->least = fmax(few, third * s->track[way].done);
  s->switched = false;
  best_but(s, way, &s->rival);
  if (way == AUTO_DIRECT)
    DLS_TRY(auto_run_other(s, s->direct, limits, INFINITY, false, report));
  else if (way == AUTO_INTERIOR)
    DLS_TRY(auto_run_interior(s, limits, report));
  else
    DLS_TRY(auto_sweep(s, way, limits, INFINITY, report));
  DLS_TRY(s->status);
  auto_mark(s, (double)(way == AUTO_INTERIOR ? s->interior_count - points : s->done - before));
  return DLS_OK;
}

/* What all of the plan together are taken to cost. */
static double whole(const Auto *s) {
  double sum = 0;
  for (int k = 0; k < AUTO_PHASES && s->plan->phase[k].way != AUTO_NONE; k++)
    if (auto_may_go(s, s->plan->phase[k].way))
      sum += auto_taken(s, &s->plan->phase[k]) * auto_price(s, s->plan->phase[k].way);
  return sum;
}

DlsStatus auto_race(Auto *s, const DlsLimits *limits, DlsReport *report) {
  const double many = 4;
  double T;
  if (!s->plan) return DLS_OK;
  const double most = many * whole(s);
  while (!auto_is_over(s, limits, report) && s->spent < most && !s->late) {
    const AutoPhase *phase = best_but(s, AUTO_NONE, &T);
    if (!phase) break;
    const bool factors = phase->way == AUTO_DIRECT || phase->way == AUTO_SPLIT;
    if (factors && !auto_may_factor(s, limits))
      s->track[phase->way].out = true;
    else
      DLS_TRY(go(s, phase, limits, report));
  }
  return DLS_OK;
}
