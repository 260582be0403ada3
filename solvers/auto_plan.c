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
 * The numbers were searched on traces of all ways (tests/bench/trace.c) on that half, and then on
 * runs of the whole. How the ways are set against each other: auto_race.c. */
#include "solvers/auto_impl.h"

#include <delassus/islands.h>

#include "base/memory.h"
#include "problem/operator/operator_impl.h"

#include <math.h>

enum { LOOSE, DENSE, CHAIN, BODY, ROLLING, KINDS };

static const AutoPlan plans[KINDS][2] = {
    /* to 1e-4, and to 1e-8 */
    [LOOSE] = {{"loose",
                12,
                0,
                13,
                {{AUTO_DRIVEN, 60},
                 {AUTO_SPECTRAL, 150},
                 {AUTO_SPLIT, 300},
                 {AUTO_DIRECT, 60},
                 {AUTO_ACCELERATED, 500},
                 {AUTO_INTERIOR, 30},
                 {AUTO_CENTRED, 200}}},
               {"loose",
                12,
                0,
                10,
                {{AUTO_DRIVEN, 150},
                 {AUTO_DIRECT, 25},
                 {AUTO_ACCELERATED, 400},
                 {AUTO_SPLIT, 400},
                 {AUTO_SPECTRAL, 600},
                 {AUTO_INTERIOR, 150},
                 {AUTO_CENTRED, 300}}}},
    [DENSE] = {{"dense",
                15,
                0,
                6,
                {{AUTO_DRIVEN, 60},
                 {AUTO_ACCELERATED, 300},
                 {AUTO_INTERIOR, 18},
                 {AUTO_SPLIT, 700},
                 {AUTO_CENTRED, 150},
                 {AUTO_SPECTRAL, 1800},
                 {AUTO_DIRECT, 100}}},
               {"dense",
                8,
                0,
                4,
                {{AUTO_DRIVEN, 150},
                 {AUTO_SPLIT, 120},
                 {AUTO_ACCELERATED, 400},
                 {AUTO_DIRECT, 60},
                 {AUTO_INTERIOR, 40},
                 {AUTO_CENTRED, 300},
                 {AUTO_SPECTRAL, 4000}}}},
    [CHAIN] = {{"chain",
                4,
                0,
                1.2,
                {{AUTO_DRIVEN, 100},
                 {AUTO_SPLIT, 90},
                 {AUTO_ACCELERATED, 500},
                 {AUTO_DIRECT, 40},
                 {AUTO_SPECTRAL, 1000},
                 {AUTO_NONE, 0},
                 {AUTO_NONE, 0}}},
               {"chain",
                12,
                .1,
                1.2,
                {{AUTO_DRIVEN, 300},
                 {AUTO_SPLIT, 120},
                 {AUTO_DIRECT, 40},
                 {AUTO_ACCELERATED, 1400},
                 {AUTO_SPECTRAL, 3000},
                 {AUTO_NONE, 0},
                 {AUTO_NONE, 0}}}},
    [BODY] = {{"body",
               4,
               .3,
               1.5,
               {{AUTO_CONJUGATE, 12},
                {AUTO_ACCELERATED, 25},
                {AUTO_PLAIN, 31},
                {AUTO_SPLIT, 25},
                {AUTO_DRIVEN, 150},
                {AUTO_DIRECT, 5},
                {AUTO_NONE, 0}}},
              {"body",
               4,
               .3,
               1.5,
               {{AUTO_CONJUGATE, 25},
                {AUTO_ACCELERATED, 50},
                {AUTO_PLAIN, 100},
                {AUTO_SPLIT, 45},
                {AUTO_DRIVEN, 400},
                {AUTO_DIRECT, 6},
                {AUTO_NONE, 0}}}},
    [ROLLING] = {{"rolling",
                  8,
                  .5,
                  2,
                  {{AUTO_SPLIT, 100},
                   {AUTO_SPECTRAL, 290},
                   {AUTO_ACCELERATED, 300},
                   {AUTO_DIRECT, 60},
                   {AUTO_DRIVEN, 150},
                   {AUTO_NONE, 0},
                   {AUTO_NONE, 0}}},
                 {"rolling",
                  8,
                  .4,
                  1.2,
                  {{AUTO_SPLIT, 160},
                   {AUTO_DIRECT, 25},
                   {AUTO_ACCELERATED, 1200},
                   {AUTO_DRIVEN, 600},
                   {AUTO_SPECTRAL, 3000},
                   {AUTO_NONE, 0},
                   {AUTO_NONE, 0}}}},
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
  if (way == AUTO_INTERIOR) return s->price.interior > 0;
  if (way == AUTO_CENTRED) return s->centred;
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

bool auto_is_near(const Auto *s) {
  const double seen = s->samples ? s->error[(s->samples - 1) % AUTO_SAMPLES] : INFINITY;
  const double near = 10, tight = 1e-6;
  return s->tolerance <= tight && fmin(seen, s->best_error) < near * s->tolerance;
}

/* The tables are for 1e-4 and 1e-8: in proportion to the digits. Direct solves go on from the best
 * iterate, the others from the guess: where that is near few of them are left. */
double auto_taken(const Auto *s, const AutoPhase *phase) {
  const bool direct = phase->way == AUTO_DIRECT;
  const double digits = -log10(s->tolerance), table = s->tolerance > 1e-6 ? 4 : 8;
  const double taken = phase->taken * fmin(fmax(digits / table, 0.5), 1.5);
  return direct ? fmax(s->price.islands, 1) * taken * (auto_is_near(s) ? 0.1 : 1) : taken;
}

AutoWay auto_first_way(const Auto *s) {
  const int few = 12; /* contacts, for which a factor takes longer to make than to do without */
  const AutoWay rolling = dls_problem_contacts(s->problem) < few ? AUTO_ACCELERATED : AUTO_SPLIT;
  const AutoWay way = is_rolling(s) ? rolling : is_body(s) ? AUTO_CONJUGATE : AUTO_DRIVEN;
  return !s->warm && auto_may_go(s, way) ? way : AUTO_DRIVEN;
}

DlsStatus auto_choose_plan(Auto *s) {
  const double tight = 1e-6;
  if (s->plan) return DLS_OK;
  DLS_TRY(auto_estimate(s));
  if (!s->warm) s->plan = &plans[kind_of(s)][s->tolerance <= tight];
  return DLS_OK;
}
