/* The same problem gives the same answer: in other units, and once more. */
#include "solver_bench/solver_bench_impl.h"

#include "solver_bench/units.h"

#include <math.h>
#include <string.h>

/* Other units, by turns: powers of two, so that nothing is rounded. With masses m, lengths l and
 * times t times as large, velocities are l / t, impulses m l / t and W 1 / m times what they were:
 * a number that all of these pass on their way is no pure number. Nothing here is slower than 1e-10
 * m/s, since below 1e-11 m/s there is no load (errors.h). */
static const struct {
  const char *name;
  BenchUnits units;
} systems[] = {
    {"g, mm, ms", {0x1p10, 0x1p10, 0x1p10}},
    {"masses in 1e-18 kg", {0x1p60, 1, 1}},
    {"masses in 1e18 kg", {0x1p-60, 1, 1}},
    {"velocities in 1e10 m/s, lengths in 1e10 m", {1, 0x1p-33, 1}},
    {"velocities in 1e10 m/s, times in 1e-10 s", {1, 1, 0x1p33}},
    {"velocities in 1e-18 m/s", {1, 0x1p60, 1}},
    {"impulses in 1e28 N s", {0x1p-60, 0x1p-33, 1}},
};

static void check_units(BenchCase *c) {
  static const BenchUnits same = {1, 1, 1};
  const int system = (int)(c->bench.number % DLS_COUNT(systems));
  const BenchUnits units = systems[system].units;
  const BenchKind kind = {.matrix = BENCH_DEFINITE, .mu_most = 0.3};
  const DlsLimits limits = {
      .tolerance = 1e-8, .max_iterations = 5000, .measure = DLS_MEASURE_SCALED};
  BenchPlanted p = bench_draw_planted(&c->bench.random, &kind);
  DlsProblem *given = NULL, *problem[2] = {NULL, NULL};
  double r[2][BENCH_ROWS] = {{0}, {0}}, apart = 0, size = 0;
  DlsReport report[2];
  bool solved = bench_make_planted(&p, &given) == DLS_OK &&
                bench_in_units(given, same, &problem[0]) == DLS_OK &&
                bench_in_units(given, units, &problem[1]) == DLS_OK;
  if (!solved) bench_broken(c, "the problem was not made: %s", dls_error_message());
  for (int k = 0; k < 2 && solved; k++)
    solved = bench_solve(c, problem[k], NULL, &limits, NULL, r[k], &report[k]) &&
             bench_finite(c, k ? systems[system].name : "kg, m, s", p.rows, r[k]);
  if (solved) {
    for (int e = 0; e < p.rows; e++) {
      const double unit = bench_unit_of_reaction(p.shape.dim, e % p.shape.block, units);
      apart = fmax(apart, fabs(r[1][e] / unit - r[0][e]));
      size = fmax(size, fabs(p.r[e]));
    }
    bench_say(c, "%s: apart by %.3g of %.3g N s\n", systems[system].name, apart, size);
    if (report[0].outcome == DLS_CONVERGED && report[1].outcome == DLS_CONVERGED)
      /* Each within 100 tolerances of the one solution; see `planted`. */
      bench_compare(c, apart, 200 * limits.tolerance * (1 + size),
                    "the answers in kg, m, s and in other units (%s) are apart by %.3g of %.3g N s",
                    systems[system].name, apart, size);
    else if (report[0].outcome != report[1].outcome)
      bench_broken(c, "%s in kg, m, s; %s in other units: %s", dls_outcome_text(report[0].outcome),
                   dls_outcome_text(report[1].outcome), systems[system].name);
  }
  for (int k = 0; k < 2; k++) dls_problem_destroy(&problem[k]);
  dls_problem_destroy(&given);
}

const BenchCheck bench_units = {
    .name = "units",
    .question = "Is the answer in other units that in kg, m, s?",
    .cases = 350,
    .run = check_units,
};

/* At once, and after another problem: nothing may be kept of a solve. */
static void check_repeat(BenchCase *c) {
  enum { TIMES = 3 };
  BenchDrawn t = {0}, other = {0};
  double r[TIMES][BENCH_ROWS], between[BENCH_ROWS];
  DlsReport report[TIMES], aside;
  if (!bench_case_draw(c, &t)) return;
  bool solved = bench_draw_corner(&c->bench.random, 0, c->bench.number, &other) == DLS_OK;
  memcpy(between, other.guess, sizeof between);
  for (int k = 0; k < TIMES && solved; k++) {
    memcpy(r[k], t.guess, sizeof r[k]);
    if (k == TIMES - 1)
      solved = bench_solve(c, other.problem, NULL, &other.limits, NULL, between, &aside);
    if (solved) solved = bench_solve(c, t.problem, NULL, &t.limits, NULL, r[k], &report[k]);
  }
  for (int k = 1; k < TIMES && solved; k++) {
    const size_t bytes = (size_t)t.mechanism.planted.rows * sizeof r[0][0];
    const bool same = memcmp(r[0], r[k], bytes) == 0 && report[0].outcome == report[k].outcome &&
                      report[0].iterations == report[k].iterations &&
                      memcmp(&report[0].error, &report[k].error, sizeof report[0].error) == 0;
    bench_compare(c, same ? 0 : INFINITY, 1,
                  "%s: the same problem and guess %s: %ld iterations, error %.17g, then %ld, %.17g",
                  bench_case_kind(c), k == 1 ? "twice" : "after another problem",
                  report[0].iterations, report[0].error, report[k].iterations, report[k].error);
  }
  bench_drawn_clear(&t);
  bench_drawn_clear(&other);
}

const BenchCheck bench_repeat = {
    .name = "repeat",
    .question = "Does the same problem give the same bits, whatever was solved in between?",
    .cases = 400,
    .run = check_repeat,
};
