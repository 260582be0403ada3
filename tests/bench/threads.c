/* What several threads give in a step of the deposit (input/deposit.yaml), stage by stage: N
 * spheres settle in an open box, then steps of a fixed number of sweeps are made with 1, 2, 4 ...
 * threads in turns, so that all meet the same load of the machine. Medians of the wall clock;
 * processor time of all threads together. Prints a table, judges nothing.
 *   usage: delassus_bench_threads DECK [N [sweeps [steps of each]]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"
#include "scene/scene.h"
#include "tests/bench/cost.h"

enum { SETTLING = 200, MOST_STEPS = 1000, MOST_COUNTS = 8 };
enum { DETECT, ASSEMBLE, SOLVE, REST, STEP, PROCESSOR, STAGES };

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
  return scene;
}

static void measure(DlsSimulation *s, double seconds[STAGES]) {
  const double wall = dls_clock_now(), cpu = dls_clock_cpu();
  must(dls_simulation_step(s));
  const DlsStepReport *r = &s->last.report;
  seconds[STEP] = dls_clock_now() - wall;
  seconds[PROCESSOR] = dls_clock_cpu() - cpu;
  seconds[DETECT] = r->detect_s;
  seconds[ASSEMBLE] = r->assemble_s;
  seconds[SOLVE] = r->solve_s;
  seconds[REST] = seconds[STEP] - r->detect_s - r->assemble_s - r->solve_s;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(int count, double (*sample)[STAGES], int stage) {
  double value[MOST_STEPS];
  for (int k = 0; k < count; k++) value[k] = sample[k][stage];
  qsort(value, (size_t)count, sizeof *value, compare);
  return value[count / 2];
}

int main(int argc, char **argv) {
  static double sample[MOST_COUNTS][MOST_STEPS][STAGES];
  if (argc < 2) {
    fprintf(stderr, "usage: %s DECK [N [sweeps [steps of each]]]\n", argv[0]);
    return 2;
  }
  const int n = argc > 2 ? atoi(argv[2]) : 20000, sweeps = argc > 3 ? atoi(argv[3]) : 50;
  const int wish = argc > 4 ? atoi(argv[4]) : 20, steps = wish < MOST_STEPS ? wish : MOST_STEPS;
  const int processors = dls_pool_processors();
  DlsScene *scene = deposit(argv[1], n);
  DlsSimulation *s = scene->simulation;
  s->settings.limits.tolerance = 0;
  s->settings.limits.max_iterations = 10;
  for (int k = 0; k < SETTLING; k++) must(dls_simulation_step(s));
  s->settings.limits.max_iterations = sweeps;
  int counts = 0, threads[MOST_COUNTS];
  for (int t = 1; t <= 2 * processors && counts < MOST_COUNTS; t *= 2) threads[counts++] = t;
  for (int k = 0; k < steps; k++)
    for (int c = 0; c < counts; c++) {
      dls_pool_set(threads[c]);
      measure(s, sample[c][k]);
    }
  printf("%d spheres, %d contacts, %d sweeps, %d processors; ms\n", n, s->last.report.contacts,
         sweeps, processors);
  printf("%8s %9s %9s %9s %9s %9s %8s %10s\n", "threads", "detect", "assemble", "solve", "rest",
         "step", "faster", "processor");
  for (int c = 0; c < counts; c++) {
    double ms[STAGES];
    for (int stage = 0; stage < STAGES; stage++) ms[stage] = 1e3 * median(steps, sample[c], stage);
    printf("%8d %9.2f %9.2f %9.2f %9.2f %9.2f %8.2f %10.2f\n", threads[c], ms[DETECT], ms[ASSEMBLE],
           ms[SOLVE], ms[REST], ms[STEP], 1e3 * median(steps, sample[0], STEP) / ms[STEP],
           ms[PROCESSOR]);
  }
  dls_scene_destroy(&scene);
  return 0;
}
