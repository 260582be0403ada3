#include "solver_bench/drawn.h"

#include <math.h>
#include <string.h>

static BenchMechanism planted(DlsRandom *random, BenchKind kind) {
  const BenchMechanism m = {.planted = bench_draw_planted(random, &kind)};
  return m;
}

static BenchMechanism deficient(DlsRandom *random) {
  return planted(random, (BenchKind){.matrix = BENCH_SINGULAR, .mu_most = 1});
}

static BenchMechanism guided(DlsRandom *random) { return bench_draw_guided(random, 3); }
static BenchMechanism plane(DlsRandom *random) { return bench_draw_guided(random, 2); }
static BenchMechanism wedged(DlsRandom *random) { return bench_draw_wedged(random, 0, 1); }

static BenchMechanism rough(DlsRandom *random) {
  return planted(random, (BenchKind){.matrix = BENCH_SINGULAR, .mu_most = 5});
}

static BenchMechanism unsymmetric(DlsRandom *random) {
  return planted(random, (BenchKind){.matrix = BENCH_WORST, .mu_most = 2});
}

static BenchMechanism squeezed(DlsRandom *random) {
  return bench_draw_wedged(random, bench_draw_power(random, -1.3, 0), dls_random_below(random, 2));
}

static BenchMechanism rolling(DlsRandom *random) {
  static const BenchShape turning[] = {
      {2, 3, DLS_CONE_ROLLING}, {3, 5, DLS_CONE_ROLLING}, {3, 6, DLS_CONE_ROLLING}};
  return planted(random,
                 (BenchKind){.matrix = dls_random_below(random, 2) ? BENCH_SINGULAR : BENCH_WORST,
                             .mu_most = 2,
                             .only = &turning[dls_random_below(random, 3)]});
}

static BenchMechanism stressed(DlsRandom *random) {
  return dls_random_below(random, 2) ? bench_draw_compliant(random)
                                     : bench_draw_prestressed(random);
}

/* Any other, from a guess that is made up, along the null space where that is known. */
static BenchMechanism misled(DlsRandom *random) {
  BenchMechanism m = bench_draw_kind(random, dls_random_below(random, 8));
  const double size = bench_draw_power(random, 3, 18);
  double along = 0;
  for (int k = 0; k < BENCH_ROWS; k++) along = fmax(along, fabs(m.null[k]));
  for (int k = 0; k < m.planted.rows; k++)
    m.null[k] = size * (along > 0 ? m.null[k] : fabs(dls_random_normal(random)));
  m.held = true;
  return m;
}

/* In the order of the names. */
static BenchMechanism (*const draws[BENCH_KINDS])(DlsRandom *random) = {deficient,
                                                                        guided,
                                                                        plane,
                                                                        wedged,
                                                                        rough,
                                                                        unsymmetric,
                                                                        squeezed,
                                                                        bench_draw_rigid,
                                                                        bench_draw_column,
                                                                        rolling,
                                                                        stressed,
                                                                        misled,
                                                                        bench_draw_weak};

const char *const bench_kind_names[BENCH_KINDS] = {
    "deficient", "guided", "plane",   "wedged",   "rough",  "unsymmetric", "squeezed",
    "rigid",     "masses", "rolling", "stressed", "misled", "weak"};

BenchMechanism bench_draw_kind(DlsRandom *random, int kind) { return draws[kind](random); }

DlsStatus bench_draw(DlsRandom *random, int kind, BenchDrawn *t) {
  static const long most[] = {10, 50, 200};
  static const double masses[] = {1, 1, 1e-3, 1e3}, speeds[] = {1, 1, 1e-2, 1e2};
  *t = (BenchDrawn){.mechanism = bench_draw_kind(random, kind)};
  BenchPlanted *p = &t->mechanism.planted;
  if (draws[kind] != stressed)
    bench_scale_planted(p, masses[dls_random_below(random, 4)],
                        speeds[dls_random_below(random, 4)]);
  t->limits = (DlsLimits){.tolerance = pow(10, -3 - dls_random_below(random, 6)),
                          .max_iterations = most[dls_random_below(random, 3)],
                          .measure = dls_random_below(random, 2) ? DLS_MEASURE_SCALED
                                                                 : DLS_MEASURE_NATURAL};
  if (draws[kind] == bench_draw_weak) { /* reactions run off slowly there */
    t->limits.max_iterations = 3000;
    t->limits.tolerance = fmax(t->limits.tolerance, 1e-6);
  }
  const double noise = dls_random_below(random, 3) ? 0 : bench_draw_power(random, -2, 4);
  for (int k = 0; k < p->rows; k++)
    t->guess[k] = t->mechanism.held ? t->mechanism.null[k] : noise * dls_random_normal(random);
  return bench_make_planted(p, &t->problem);
}

static const BenchKind corners[BENCH_CORNERS] = {
    {.matrix = BENCH_DEFINITE, .mu_most = 5},
    {.matrix = BENCH_SINGULAR, .frictionless = 1},
    {.matrix = BENCH_SINGULAR, .mu_most = 5},
    {.matrix = BENCH_UNSYMMETRIC, .mu_most = 1},
    {.matrix = BENCH_WORST, .mu_most = 5},
    {.matrix = BENCH_SINGULAR, .mu_most = 1, .twins = 1},
    [BENCH_CORNER_FILM] = {.matrix = BENCH_DEFINITE, .mu_most = 1}, /* and a law of its own */
    {.matrix = BENCH_WORST, .mu_most = 2, .dilatant = 1},
};

const char *const bench_corner_names[BENCH_CORNERS] = {
    "definite", "frictionless", "hyperstatic", "unsymmetric", "worst", "twins", "film", "dilatant"};

static void draw_guess(DlsRandom *random, BenchDrawn *t) {
  const BenchPlanted *p = &t->mechanism.planted;
  const int kind = dls_random_below(random, 5);
  double size = 0;
  for (int k = 0; k < p->rows; k++) size = fmax(size, fabs(p->r[k]));
  size += 1e-300;
  for (int k = 0; k < p->rows; k++) {
    const double noise = size * dls_random_normal(random), r = p->r[k];
    t->guess[k] = kind == 0   ? 0
                  : kind == 1 ? r
                  : kind == 2 ? r + 1e-4 * noise
                  : kind == 3 ? noise
                              : 1e12 * noise;
  }
}

DlsStatus bench_draw_corner(DlsRandom *random, int corner, long number, BenchDrawn *t) {
  static const double masses[] = {1, 1, 1e-6, 1e6}, speeds[] = {1, 1, 1e-3, 1e3};
  static const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
  static const long most[] = {1, 3, 30, 300};
  *t = (BenchDrawn){.mechanism = {.planted = bench_draw_planted(random, &corners[corner])}};
  BenchPlanted *p = &t->mechanism.planted;
  if (corner == BENCH_CORNER_FILM) bench_plant_film(random, p);
  bench_scale_planted(p, masses[dls_random_below(random, 4)], speeds[dls_random_below(random, 4)]);
  t->limits = (DlsLimits){.tolerance = tolerances[dls_random_below(random, 6)],
                          .max_iterations = most[dls_random_below(random, 4)],
                          .measure = number % 2 ? DLS_MEASURE_SCALED : DLS_MEASURE_NATURAL};
  draw_guess(random, t);
  return bench_make_planted(p, &t->problem);
}

void bench_drawn_clear(BenchDrawn *drawn) { dls_problem_destroy(&drawn->problem); }
