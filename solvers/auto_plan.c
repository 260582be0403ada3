/* The plans of `auto`: which way goes first and which come next where it is slow, by the kind of a
 * problem. Which is the quickest was measured on the tuned half of tests/bench/families.c, as were
 * the iterations that a way takes where it is among the quickest; what those cost says price.h.
 *
 *   loose    a body touches few others
 *   dense    rows of W of more than 12 blocks: more reactions than the motions of bodies can tell
 *   chain    few neighbours, far ends: sweeps carry news by one neighbour each, a factor at once
 *   body     reactions many times the velocities, as of a table on its legs: few eigenvalues
 *   rolling  one-contact problems are dear, projections cheap
 *
 * The first way goes until the next ones are expected to be far quicker, and what is left is far
 * more than what was done (auto.c); then each of the others has eight times what it is taken to
 * need, less where it is seen not to get there, and after each the first goes on for two fifths of
 * that. A way that costs more than three times all that was done waits for the turns
 * (auto_turns.c), which follow. The numbers are the best of a search over the measured runs of all
 * ways on that half. */
#include "solvers/auto_impl.h"

#include <delassus/islands.h>

#include "base/memory.h"
#include "problem/operator/operator_impl.h"

#include <math.h>

enum { LOOSE, DENSE, CHAIN, BODY, ROLLING, KINDS };

static const AutoPlan plans[KINDS][2] = {
    /* to 1e-4, and to 1e-8 */
    [LOOSE] = {{"loose",
                1,
                12,
                4.5,
                {{AUTO_DRIVEN, 40, 80},
                 {AUTO_SPLIT, 100, 300},
                 {AUTO_ACCELERATED, 120, 300},
                 {AUTO_INTERIOR, 30, 40},
                 {AUTO_SPECTRAL, 190, 900},
                 {AUTO_DIRECT, 40, 40}}},
               {"loose",
                1,
                12,
                4,
                {{AUTO_DRIVEN, 40, 80},
                 {AUTO_ACCELERATED, 120, 300},
                 {AUTO_DIRECT, 40, 40},
                 {AUTO_INTERIOR, 30, 40},
                 {AUTO_SPLIT, 100, 300},
                 {AUTO_SPECTRAL, 190, 900}}}},
    [DENSE] = {{"dense",
                0.3,
                5,
                4,
                {{AUTO_DRIVEN, 60, 150},
                 {AUTO_SPLIT, 120, 300},
                 {AUTO_ACCELERATED, 250, 400},
                 {AUTO_INTERIOR, 30, 40},
                 {AUTO_DIRECT, 30, 40},
                 {AUTO_SPECTRAL, 490, 900}}},
               {"dense",
                0.3,
                4,
                3,
                {{AUTO_DRIVEN, 60, 150},
                 {AUTO_INTERIOR, 30, 40},
                 {AUTO_ACCELERATED, 250, 400},
                 {AUTO_SPLIT, 120, 300},
                 {AUTO_DIRECT, 30, 40},
                 {AUTO_SPECTRAL, 490, 900}}}},
    [CHAIN] = {{"chain",
                0.15,
                0.5,
                1.5,
                {{AUTO_DRIVEN, 40, 100},
                 {AUTO_SPLIT, 70, 110},
                 {AUTO_ACCELERATED, 200, 500},
                 {AUTO_DIRECT, 40, 60},
                 {AUTO_SPECTRAL, 300, 600},
                 {AUTO_NONE, 0, 0}}},
               {"chain",
                0.15,
                0.5,
                1.5, /* a factor alone tells far ends apart: chains are soft */
                {{AUTO_DRIVEN, 40, 100},
                 {AUTO_DIRECT, 20, 20},
                 {AUTO_SPLIT, 70, 110},
                 {AUTO_ACCELERATED, 200, 500},
                 {AUTO_SPECTRAL, 300, 600},
                 {AUTO_NONE, 0, 0}}}},
    [BODY] = {{"body",
               0.5,
               2,
               2,
               {{AUTO_CONJUGATE, 12, 25},
                {AUTO_ACCELERATED, 25, 50},
                {AUTO_PLAIN, 31, 100},
                {AUTO_SPLIT, 23, 45},
                {AUTO_DRIVEN, 150, 400},
                {AUTO_DIRECT, 5, 6}}},
              {"body",
               0.5,
               2,
               2,
               {{AUTO_CONJUGATE, 12, 25},
                {AUTO_ACCELERATED, 25, 50},
                {AUTO_PLAIN, 31, 100},
                {AUTO_SPLIT, 23, 45},
                {AUTO_DRIVEN, 150, 400},
                {AUTO_DIRECT, 5, 6}}}},
    [ROLLING] = {{"rolling",
                  0.6,
                  8,
                  4,
                  {{AUTO_SPLIT, 60, 160},
                   {AUTO_ACCELERATED, 100, 300},
                   {AUTO_DIRECT, 20, 30},
                   {AUTO_DRIVEN, 40, 250},
                   {AUTO_SPECTRAL, 100, 500},
                   {AUTO_NONE, 0, 0}}},
                 {"rolling",
                  0.5,
                  3,
                  2,
                  {{AUTO_SPLIT, 60, 160},
                   {AUTO_DIRECT, 20, 30},
                   {AUTO_ACCELERATED, 100, 300},
                   {AUTO_DRIVEN, 40, 250},
                   {AUTO_SPECTRAL, 100, 500},
                   {AUTO_NONE, 0, 0}}}},
};

static bool is_rolling(const Auto *s) {
  return dls_problem_block(s->problem) > dls_problem_dim(s->problem);
}

static bool is_body(const Auto *s) {
  const DlsOperator *W = dls_problem_operator(s->problem);
  const double many = 5, few = 18, velocities = dls_operator_freedom(W);
  return velocities > 0 && velocities <= few && !is_rolling(s) && (double)s->n >= many * velocities;
}

static int kind_of(const Auto *s) {
  const DlsPrice *price = &s->price;
  const int contacts = dls_problem_contacts(s->problem);
  if (is_rolling(s)) return ROLLING;
  if (is_body(s)) return BODY;
  if (price->blocks < 4.05 && 2 * price->most > contacts) return CHAIN;
  return price->blocks > 12 ? DENSE : LOOSE;
}

bool auto_may_go(const Auto *s, AutoWay way) {
  const bool projects =
      way == AUTO_SPECTRAL || way == AUTO_ACCELERATED || way == AUTO_SPLIT || way == AUTO_CONJUGATE;
  if (way == AUTO_INTERIOR) return s->price.interior > 0 && !s->centred;
  return !projects || !dls_problem_has(s->problem, DLS_CONE_CUSTOM);
}

double auto_price(const Auto *s, AutoWay way) {
  switch (way) {
  case AUTO_SPECTRAL:
  case AUTO_ACCELERATED:
    return s->price.step;
  case AUTO_CONJUGATE:
    return 2 * s->price.step;
  case AUTO_SPLIT:
    return s->price.split;
  case AUTO_DIRECT:
    return s->price.direct / fmax(s->price.islands, 1);
  case AUTO_INTERIOR:
    return s->price.interior;
  default:
    return s->price.sweep;
  }
}

/* Iterations to the tolerance, by those to 1e-4 and to 1e-8, in all islands. */
static double expected(const Auto *s, const AutoPhase *phase) {
  const double way = fmin(fmax(log10(1e-4 / s->tolerance) / 4, 0), 1.5);
  const double islands = phase->way == AUTO_DIRECT ? fmax(s->price.islands, 1) : 1;
  return islands * phase->loose * pow((double)phase->tight / phase->loose, way);
}

/* s of the model; making a factor is about a Newton iteration. */
static double cost(const Auto *s, const AutoPhase *phase) {
  const double begin = phase->way == AUTO_SPLIT ? s->price.direct : 0;
  return begin + expected(s, phase) * auto_price(s, phase->way);
}

AutoWay auto_first_way(const Auto *s) {
  const int few = 12; /* contacts, for which a factor takes longer to make than to do without */
  const AutoWay rolling = dls_problem_contacts(s->problem) < few ? AUTO_ACCELERATED : AUTO_SPLIT;
  const AutoWay way = is_rolling(s) ? rolling : is_body(s) ? AUTO_CONJUGATE : AUTO_DRIVEN;
  return !s->warm && auto_may_go(s, way) ? way : AUTO_DRIVEN;
}

DlsStatus auto_choose_plan(Auto *s) {
  const int ahead = 3; /* of those that come next the cheapest is the rival */
  if (s->plan) return DLS_OK;
  DLS_TRY(auto_estimate(s));
  if (s->warm) return DLS_OK;
  const double tight = 1e-6;
  s->plan = &plans[kind_of(s)][s->tolerance <= tight];
  s->rival = INFINITY;
  for (int k = 0, seen = 0; k < AUTO_PHASES && seen < ahead; k++) {
    const AutoPhase *phase = &s->plan->phase[k];
    if (phase->way == AUTO_NONE) break;
    if (phase->way == s->first || !auto_may_go(s, phase->way)) continue;
    s->rival = fmin(s->rival, cost(s, phase));
    seen++;
  }
  return DLS_OK;
}

static DlsStatus follow(Auto *s, const AutoPhase *phase, double times, bool fresh,
                        const DlsLimits *limits, DlsReport *report) {
  const double late = s->tolerance > 1e-6 ? 3 : 6, go_on = 0.4, few = 10;
  const AutoWay way = phase->way;
  const bool factors = way == AUTO_DIRECT || way == AUTO_SPLIT;
  const double most = times * expected(s, phase), before = s->spent;
  if (way == s->first || !auto_may_go(s, way) || (factors && !auto_may_factor(s, limits)) ||
      cost(s, phase) > late * fmax(s->spent, s->rival) ||
      (way != AUTO_DIRECT && auto_is_last_chance(s, most)))
    return DLS_OK;
  if (way == AUTO_DIRECT)
    DLS_TRY(auto_run_other(s, s->direct, limits, most, fresh, report));
  else if (way == AUTO_INTERIOR)
    DLS_TRY(auto_run_interior(s, limits, report));
  else
    DLS_TRY(auto_sweep(s, way, limits, most, report));
  const AutoWay next = way == AUTO_INTERIOR ? AUTO_CENTRED : s->first;
  const double again = fmax(go_on * (s->spent - before) / auto_price(s, next), few);
  return auto_is_over(s, limits, report) ? DLS_OK : auto_sweep(s, next, limits, again, report);
}

DlsStatus auto_follow_plan(Auto *s, const DlsLimits *limits, DlsReport *report) {
  if (!s->plan) return DLS_OK;
  static const double times[] = {3, 9};
  for (int round = 0; round < DLS_COUNT(times); round++)
    for (int k = 0; k < AUTO_PHASES && !auto_is_over(s, limits, report); k++) {
      if (s->plan->phase[k].way == AUTO_NONE) break;
      DLS_TRY(follow(s, &s->plan->phase[k], times[round], (round == 0) == is_rolling(s), limits,
                     report));
    }
  return DLS_OK;
}
