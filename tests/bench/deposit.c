/* Cost of a step on the deposit (input/deposit.yaml), by size: N spheres settle in an open box,
 * then steps of a fixed number of sweeps are measured. Processor time of one thread; with
 * DELASSUS_THREADS the wall clock of so many. Of the measured steps the cheapest, of detection the
 * mean. Prints a table, judges nothing.
 *   usage: delassus_bench_deposit DECK [largest N [sweeps [smallest N [KEY=VALUE ...]]]]
 * KEY=VALUE: of the deck, such as grains[0].shape.kind=irregular. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pool.h"
#include "scene/scene.h"
#include "tests/bench/cost.h"

enum { STEPS = 200, MEASURED = 20, SHORT_STEPS = 20, LARGE = 50000 };

/* What one size costs. */
typedef struct {
  int steps;
  double contacts, step_s, detect_s, assemble_s, solve_s, integrate_s, bytes;
} Cost;

static double peak_bytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

/* The deck with N grains; the box follows. `sets` ends with NULL. */
static DlsScene *deposit(const char *path, int n, char *const *sets) {
  char count[64];
  DlsDeck *deck;
  DlsScene *scene;
  snprintf(count, sizeof count, "grains[0].count=%d", n);
  must(dls_deck_open(path, &deck));
  must(dls_deck_set(deck, count));
  must(dls_deck_set(deck, "solver.name=nsgs")); /* plain sweeps, as others count them */
  for (; *sets; sets++) must(dls_deck_set(deck, *sets));
  must(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  return scene;
}

/* The lattice drawn together, from a pitch of 2.2 r to one of 2.02 r: many contacts from the first
 * step on. */
static void draw_together(DlsWorld *world) {
  const double radius = world->element[0].radius;
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < 3; k++)
      world->position[b][k] = radius + (world->position[b][k] - radius) * 2.02 / 2.2;
}

static double clock_of_steps(void) { return dls_pool_threads() > 1 ? dls_clock_now() : now(); }

/* Stages are timed by the wall clock: their shares of the step's wall clock, of its processor
 * time. */
static void measure_step(DlsSimulation *s, Cost *least) {
  const DlsDetectorReport before = dls_detector_report(s->detector);
  const double start = clock_of_steps();
  must(dls_simulation_step(s));
  const double step = clock_of_steps() - start;
  const DlsStepReport *r = &s->last.report;
  const DlsDetectorReport after = dls_detector_report(s->detector);
  const double detect = after.build_s + after.narrow_s - before.build_s - before.narrow_s;
  const double scale = step / (r->detect_s + r->assemble_s + r->solve_s + r->integrate_s);
  /* Of detection the mean, since the pairs are found anew in some steps only; of the rest the
   * least. */
  least->detect_s += scale * detect;
  least->steps++;
  if (!(step < least->step_s)) return;
  least->step_s = step;
  least->contacts = r->contacts;
  least->assemble_s = scale * r->assemble_s;
  least->solve_s = scale * r->solve_s;
  least->integrate_s = scale * (r->integrate_s + r->detect_s - detect);
}

static Cost measure(const char *path, int n, int sweeps, char *const *sets) {
  Cost least = {.step_s = INFINITY};
  const double before = peak_bytes();
  DlsScene *scene = deposit(path, n, sets);
  DlsSimulation *s = scene->simulation;
  /* A settling of few sweeps: what is measured does not depend on it. Large ones begin nearer
   * together. */
  const int steps = n > LARGE ? SHORT_STEPS : STEPS;
  if (n > LARGE) draw_together(s->world);
  s->settings.limits.tolerance = 0;
  s->settings.limits.max_iterations = 10;
  for (int k = 0; k < steps; k++) must(dls_simulation_step(s));
  s->settings.limits.max_iterations = sweeps;
  for (int k = 0; k < (n > LARGE ? 3 : MEASURED); k++) measure_step(s, &least);
  least.detect_s /= least.steps;
  least.bytes = peak_bytes() - before;
  dls_scene_destroy(&scene);
  return least;
}

static void print(int n, int sweeps, const Cost *c) {
  printf("%9d %10.0f %9.1f %9.1f %9.2f %8.1f %8.1f %8.1f %8.0f %9.4f\n", n, c->contacts,
         1e9 * c->step_s / c->contacts / sweeps, 1e9 * c->solve_s / c->contacts / sweeps,
         1e6 * c->detect_s / n, 100 * c->detect_s / c->step_s, 100 * c->assemble_s / c->step_s,
         100 * c->integrate_s / c->step_s, c->bytes / n, c->step_s);
  fflush(stdout);
}

int main(int argc, char **argv) {
  dls_pool_set(getenv("DELASSUS_THREADS") ? 0 : 1);
  const int largest = argc > 2 ? atoi(argv[2]) : 1000000, sweeps = argc > 3 ? atoi(argv[3]) : 50;
  if (argc < 2) {
    fprintf(stderr, "usage: %s DECK [largest N [sweeps [smallest N [KEY=VALUE ...]]]]\n", argv[0]);
    return 2;
  }
  printf("%d sweeps, %d threads\n%9s %10s %9s %9s %9s %8s %8s %8s %8s %9s\n", sweeps,
         dls_pool_threads(), "spheres", "contacts", "step", "solve", "detect", "detect", "assemble",
         "rest", "bytes", "step");
  printf("%9s %10s %9s %9s %9s %8s %8s %8s %8s %9s\n", "", "", "ns/c/swp", "ns/c/swp", "us/sph",
         "%", "%", "%", "/sphere", "s");
  fflush(stdout);
  for (int n = argc > 4 ? atoi(argv[4]) : 1000; n > 0 && n <= largest; n *= 10) {
    /* A process for each size, so that the peak of memory is its own. */
    const pid_t child = fork();
    if (child == 0) {
      const Cost cost = measure(argv[1], n, sweeps, argv + (argc > 5 ? 5 : argc));
      print(n, sweeps, &cost);
      _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) return 1;
  }
  return 0;
}
