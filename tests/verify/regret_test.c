/* The default may not cost a large multiple of the simplest solver: on steps of shipped decks, from
 * the same guess and under the same limits, the work of `auto` is counted against that of `nsgs`.
 * Work is counted in sweeps, a Newton iteration at the price of solvers/kit/price.h, so that no
 * clock is asked and the counts are the same everywhere. */
#include "tests/decks.h"

#include "solvers/kit/price.h"

typedef struct {
  const char *deck;
  long first, last, every; /* steps that are looked at */
  const char *sets[4];
} Case;

typedef struct {
  const Case *scene;
  double ours, plain;           /* sweeps */
  long steps, unsolved, failed; /* looked at; not solved by auto, by nsgs */
} Count;

static const DlsSolver *find(const char *name) {
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find(name, &solver));
  return solver;
}

/* Sweeps of a solve by `auto`: its work says how many of its iterations were Newton's. */
static double work_of(const DlsProblem *problem, const DlsReport *report) {
  const double newtons = (double)report->work.newton_steps;
  DlsPrice price;
  if (newtons == 0) return (double)report->iterations;
  CHECK_OK(dls_price_estimate(problem, &price));
  const double newton = price.direct / (price.islands > 0 ? price.islands : 1);
  return (double)report->iterations - newtons + newtons * newton / price.sweep;
}

static DlsStatus look(void *context, const DlsSimulation *s, const double *guess) {
  Count *count = context;
  const Case *scene = count->scene;
  const long step = s->state.step + 1;
  if (step < scene->first || (step - scene->first) % scene->every != 0) return DLS_OK;
  const size_t n = (size_t)s->last.assembly.step.count * (size_t)s->last.assembly.run.block;
  const DlsProblem *problem = s->last.assembly.solve.problem;
  double *r = malloc((n + 1) * sizeof *r);
  DlsReport report;
  memcpy(r, guess, n * sizeof *r);
  CHECK_OK(dls_solve(find("nsgs"), problem, NULL, &s->settings.limits, NULL, r, NULL, &report));
  const double ours = work_of(problem, &s->last.report.solver), plain = (double)report.iterations;
  count->steps++;
  count->ours += ours;
  count->plain += plain;
  count->unsolved += s->last.report.solver.outcome != DLS_CONVERGED;
  count->failed += report.outcome != DLS_CONVERGED;
  free(r);
  return DLS_OK;
}

static Count count_work(const Case *scene) {
  Count count = {.scene = scene};
  TestDeck test;
  test_deck_open(&test, scene->deck, scene->sets);
  CHECK(test.simulation->settings.solver == find("auto"));
  test.simulation->settings.spectator = (DlsSpectator){&count, look};
  while (test.simulation->state.step < scene->last) CHECK_OK(dls_scene_step(test.scene));
  test_deck_close(&test);
  return count;
}

/* All but those with a few contacts, which one sweep solves, and the explicit ones, which solve
 * nothing. */
static const Case cases[] = {
    {"pyramid.yaml", 1, 200, 1, {NULL}},
    {"pyramid.yaml", 1, 200, 1, {"solver.tolerance=1e-5", NULL}},
    {"pyramid.yaml", 1, 200, 1, {"solver.tolerance=1e-7", NULL}},
    {"deposit.yaml", 100, 200, 10, {"grains[0].count=300", NULL}},
    {"drum.yaml", 1, 200, 5, {NULL}},
    {"biaxial.yaml", 1, 200, 5, {NULL}},
    {"capillary.yaml", 1, 600, 5, {NULL}},
    {"crowd.yaml", 1, 300, 3, {NULL}},
    {"k0.yaml", 1, 200, 20, {NULL}},
    {"hydrostatic.yaml", 1, 200, 20, {NULL}},
    {"janssen.yaml", 1, 200, 20, {NULL}},
    {"vibrated-box.yaml", 100, 500, 20, {NULL}},
};

TEST(auto_works_at_most_twice_as_much_as_nsgs_on_steps_of_the_decks) {
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    const Count count = count_work(&cases[k]);
    const char *set = cases[k].sets[0] ? cases[k].sets[0] : "";
    CHECK(count.steps > 0);
    if (count.ours > 2 * count.plain)
      test_fail(__FILE__, __LINE__, "%s %s: %g sweeps of auto, %g of nsgs", cases[k].deck, set,
                count.ours, count.plain);
    if (count.unsolved > count.failed)
      test_fail(__FILE__, __LINE__, "%s %s: auto leaves %ld of %ld steps unsolved, nsgs %ld",
                cases[k].deck, set, count.unsolved, count.steps, count.failed);
  }
}

/* The whole run, in which each solver meets the steps that its own answers lead to. */
static double run_work(const char *const *sets, long *unsolved) {
  const double rest = 10; /* sweeps, less than which detection and assembly of a step never cost */
  TestDeck test;
  double sum = 0;
  test_deck_open(&test, "pyramid.yaml", sets);
  DlsSimulation *s = test.simulation;
  while (s->state.step < 200) {
    CHECK_OK(dls_scene_step(test.scene));
    sum += rest + work_of(s->last.assembly.solve.problem, &s->last.report.solver);
  }
  *unsolved = s->state.unconverged;
  test_deck_close(&test);
  return sum;
}

TEST(the_pyramid_costs_auto_at_most_twice_what_it_costs_nsgs) {
  static const char *const tolerances[] = {"1e-5", "1e-6", "1e-7"};
  for (int k = 0; k < DLS_COUNT(tolerances); k++) {
    char set[64];
    long unsolved, failed;
    snprintf(set, sizeof set, "solver.tolerance=%s", tolerances[k]);
    const char *const default_sets[] = {set, NULL}, *const plain_sets[] = {set, "solver.name=nsgs",
                                                                           NULL};
    const double ours = run_work(default_sets, &unsolved), plain = run_work(plain_sets, &failed);
    CHECK_INT(unsolved, 0);
    if (ours > 2 * plain)
      test_fail(__FILE__, __LINE__, "%s: %g sweeps of auto, %g of nsgs", set, ours, plain);
  }
}

/* 960 contacts, on which sweeps go round in a circle, with momentum too, and spectral steps do
 * not. */
TEST(a_pyramid_of_eight_layers_is_solved_by_default) {
  TestDeck test;
  static const char *const sets[] = {"grains[0].layers=8", "solver.tolerance=1e-5", NULL};
  test_deck_open(&test, "pyramid.yaml", sets);
  while (test.simulation->state.step < 5) CHECK_OK(dls_scene_step(test.scene));
  CHECK_INT(test.simulation->state.unconverged, 0);
  test_deck_close(&test);
}
