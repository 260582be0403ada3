/* What the default solver costs beside the simplest one, on whole runs: each deck is run with
 * `auto` and then with `nsgs`, the same number of steps from the same start, at the deck's
 * tolerance and limit of iterations, and nothing written. Processor time of one core; detection and
 * assembly count, which are in both. Prints a table, judges nothing: work is judged by
 * tests/verify/regret_test.c.
 *   usage: delassus_bench_regret SECONDS DECK...
 *   a deck ends after so many seconds of `auto`, if not by itself
 *   or:    delassus_bench_regret race SOLVER|all|each tuned|held [DECKS [COUNT]] or FILE...
 *   single problems instead, against all of our solvers (race.c)
 *   or:    delassus_bench_regret trace tuned|held [DECKS [COUNT]]: trace.c */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"
#include "tests/bench/cost.h"
#include "tests/bench/race.h"

typedef struct {
  long steps, iterations, unsolved;
  int contacts; /* most */
  double time;  /* s, simulated */
  double seconds;
} Cost;

/* At most `steps` steps, and `seconds` of processor time where steps is 0. */
static Cost run(const char *path, const char *solver, long steps, double seconds) {
  char set[64];
  DlsDeck *deck;
  DlsScene *scene;
  Cost cost = {0};
  snprintf(set, sizeof set, "solver.name=%s", solver);
  must(dls_deck_open(path, &deck));
  must(dls_deck_set(deck, set));
  must(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  const DlsSimulation *s = scene->simulation;
  const double begin = now(), end = scene->data.time.end - 0.5 * s->settings.h;
  while (s->state.time < end && (steps ? s->state.step < steps : now() - begin < seconds)) {
    must(dls_scene_step(scene));
    cost.iterations += s->last.report.solver.iterations;
    if (s->last.report.contacts > cost.contacts) cost.contacts = s->last.report.contacts;
  }
  cost.seconds = now() - begin;
  cost.steps = s->state.step;
  cost.time = s->state.time;
  cost.unsolved = s->state.unconverged;
  dls_scene_destroy(&scene);
  return cost;
}

int main(int argc, char **argv) {
  double worst = 0;
  if (argc > 3 && strcmp(argv[1], "race") == 0) return race_main(argc - 2, argv + 2);
  if (argc > 2 && strcmp(argv[1], "trace") == 0) return trace_main(argc - 2, argv + 2);
  if (argc < 3) {
    fprintf(stderr, "usage: %s SECONDS DECK... | race SOLVER|all tuned|held [DECKS [COUNT]]\n",
            argv[0]);
    return 2;
  }
  printf("%-26s %7s %8s %8s %9s %9s %7s %10s %10s %12s\n", "deck", "steps", "to s", "contacts",
         "auto s", "nsgs s", "ratio", "iterations", "of nsgs", "not solved");
  for (int k = 2; k < argc; k++) {
    const char *name = strrchr(argv[k], '/');
    const Cost ours = run(argv[k], "auto", 0, atof(argv[1]));
    const Cost plain = run(argv[k], "nsgs", ours.steps, 0);
    const double ratio = ours.seconds / plain.seconds;
    printf("%-26s %7ld %8.3g %8d %9.3f %9.3f %7.2f %10ld %10ld %6ld %5ld\n",
           name ? name + 1 : argv[k], ours.steps, ours.time, ours.contacts, ours.seconds,
           plain.seconds, ratio, ours.iterations, plain.iterations, ours.unsolved, plain.unsolved);
    fflush(stdout);
    worst = fmax(worst, ratio);
  }
  printf("worst ratio %.2f\n", worst);
  return 0;
}
