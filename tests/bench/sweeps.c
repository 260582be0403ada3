/* What a sweep costs on the deposit (input/deposit.yaml): in the order of the contacts, by colours,
 * and by colours with 2, 3 ... threads; and solves of 5 and of 50 sweeps, with all that belongs to
 * them. All are done in turn, many times, and the least wall clock of each counts: what else runs
 * on the machine meets all alike. Prints a table, judges nothing.
 *   usage: delassus_bench_sweeps DECK [N [threads [repeats]]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "scene/scene.h"
#include "solvers/kit/sweep.h"
#include "tests/bench/cost.h"

#include <delassus/solver.h>

enum { SETTLING = 150, SHORT_SETTLING = 20, LARGE = 100000, FEW = 5, MANY = 50, MOST = 16 };

/* A way to sweep, and the least that it took. */
typedef struct {
  const char *name;
  int threads;
  bool coloured;
  double sweep_s, few_s, many_s;
} Way;

/* The deck with N grains, drawn together from a pitch of 2.2 r to one of 2.02 r, after some
 * steps. */
static DlsScene *deposit(const char *path, int n) {
  char count[64];
  DlsDeck *deck;
  DlsScene *scene;
  snprintf(count, sizeof count, "grains[0].count=%d", n);
  must(dls_deck_open(path, &deck));
  must(dls_deck_set(deck, count));
  must(dls_deck_set(deck, "solver.name=nsgs"));
  must(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  DlsWorld *world = scene->simulation->world;
  const double radius = world->element[0].radius;
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < 3; k++)
      world->position[b][k] = radius + (world->position[b][k] - radius) * 2.02 / 2.2;
  scene->simulation->settings.limits.tolerance = 0;
  scene->simulation->settings.limits.max_iterations = 10;
  const int settling = n > LARGE ? SHORT_SETTLING : SETTLING;
  for (int k = 0; k < settling; k++) must(dls_simulation_step(scene->simulation));
  return scene;
}

/* Sweeps alone, from an answer that is about there. */
static double time_sweeps(const DlsProblem *problem, const Way *way, double *r) {
  DlsSweep *sweep;
  must(dls_sweep_create(problem, DLS_SWEEP_AUTO, &sweep));
  if (way->coloured) must(dls_sweep_colour(sweep, 0));
  dls_sweep_refresh(sweep, r);
  dls_sweep_pass(sweep, NULL, 0, 2, r);
  const double start = dls_clock_now();
  dls_sweep_pass(sweep, NULL, 0, 5, r);
  const double took = (dls_clock_now() - start) / 5;
  dls_sweep_destroy(sweep);
  return took;
}

static double time_solve(const DlsProblem *problem, const Way *way, int sweeps, double *r,
                         double *u) {
  const DlsSolver *nsgs;
  DlsReport report;
  const DlsLimits limits = {.max_iterations = sweeps};
  must(dls_solver_find("nsgs", &nsgs));
  void *options = calloc(1, nsgs->option_bytes);
  dls_solver_defaults(nsgs, options);
  if (!way->coloured) must(dls_solver_set_option(nsgs, options, "cluster", "2147483647"));
  memset(r, 0, 3 * (size_t)dls_problem_contacts(problem) * sizeof *r);
  const double start = dls_clock_now();
  must(dls_solve(nsgs, problem, options, &limits, NULL, r, u, &report));
  const double took = dls_clock_now() - start;
  free(options);
  return took;
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 20000, repeats = argc > 4 ? atoi(argv[4]) : 20;
  int threads = argc > 3 ? atoi(argv[3]) : 2;
  if (argc < 2 || n < 1 || repeats < 1) {
    fprintf(stderr, "usage: %s DECK [N [threads [repeats]]]\n", argv[0]);
    return 2;
  }
  if (threads > MOST) threads = MOST;
  Way way[MOST + 1] = {{"order of the contacts", 1, false, INFINITY, INFINITY, INFINITY}};
  for (int t = 1; t <= threads; t++)
    way[t] = (Way){"colours", t, true, INFINITY, INFINITY, INFINITY};
  DlsScene *scene = deposit(argv[1], n);
  const DlsProblem *problem = dls_simulation_problem(scene->simulation);
  const int contacts = dls_problem_contacts(problem);
  double *r = calloc(6 * (size_t)contacts + 1, sizeof *r), *u = r + 3 * contacts;
  for (int k = 0; k < repeats; k++)
    for (int w = 0; w <= threads; w++) {
      dls_pool_set(way[w].threads);
      way[w].few_s = fmin(way[w].few_s, time_solve(problem, &way[w], FEW, r, u));
      way[w].many_s = fmin(way[w].many_s, time_solve(problem, &way[w], MANY, r, u));
      way[w].sweep_s = fmin(way[w].sweep_s, time_sweeps(problem, &way[w], r));
    }
  printf("%d spheres, %d contacts, least of %d; ns per contact and sweep\n", n, contacts, repeats);
  printf("%-22s %8s %10s %10s %10s\n", "", "threads", "sweeps", "5 solved", "50 solved");
  for (int w = 0; w <= threads; w++)
    printf("%-22s %8d %10.2f %10.2f %10.2f\n", way[w].name, way[w].threads,
           1e9 * way[w].sweep_s / contacts, 1e9 * way[w].few_s / contacts / FEW,
           1e9 * way[w].many_s / contacts / MANY);
  free(r);
  dls_scene_destroy(&scene);
  return 0;
}
