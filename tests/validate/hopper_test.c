/* Spheres and irregular polyhedra out of one hopper, twice: as triangles (input/hopper-mesh.yaml,
 * 24 sides) and as a frustum below a cylinder. What has run out after a time is a count of a few
 * grains that arch and break: one seed tells it to a tenth, so that only means over seeds compare.
 * DELASSUS_LONG: 32 seeds and 1 s. */
#include "tests/decks.h"

#include <math.h>
#include <string.h>

static const char round_hopper[] =
    "dimension: 3\n"
    "time: {step: 1 ms, end: 2 s}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {steel: {}, gravel: {density: 2500}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n"
    "boundaries:\n"
    "  funnel: {shape: frustum, inside: true, open: [+z, -z], material: steel, radius: [0.11, "
    "0.3],\n"
    "           length: [0.25], position: [0, 0, 0.125]}\n"
    "  bin: {shape: cylinder, inside: true, open: [+z, -z], material: steel, radius: [0.3],\n"
    "        length: [0.6], position: [0, 0, 0.55]}\n"
    "grains:\n"
    "  - {material: gravel, place: random, count: 120, seed: 1,\n"
    "     sizes: {kind: uniform, min: 2.5 cm, max: 3.5 cm},\n"
    "     region: {shape: cylinder, centre: [0, 0, 0.26], radius: 0.29, height: 0.35}}\n"
    "  - {material: gravel, place: random, count: 120, seed: 2,\n"
    "     sizes: {kind: uniform, min: 3 cm, max: 4 cm},\n"
    "     shape: {kind: irregular, corners: 8, most_corners: 16},\n"
    "     region: {shape: cylinder, centre: [0, 0, 0.62], radius: 0.29, height: 0.4}}\n"
    "sinks: [{region: {low: [-1, -1, -0.4], high: [1, 1, -0.3]}}]\n"
    "solver: {tolerance: 1e-3}\n";

static DlsScene *hopper(bool mesh, int seed) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  char set[64];
  if (mesh)
    CHECK_OK(dls_deck_open(TEST_SOURCE_DIR "/input/hopper-mesh.yaml", &deck));
  else
    CHECK_OK(dls_deck_parse("round.yaml", round_hopper, strlen(round_hopper), &deck));
  for (int k = 0; k < 2; k++) {
    snprintf(set, sizeof set, "grains[%d].seed=%d", k, 2 * seed + k);
    CHECK_OK(dls_deck_set(deck, set));
  }
  CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  if (!scene) exit(1);
  return scene;
}

/* How many of 240 the sink has taken. */
static int discharged(bool mesh, int seed, double until) {
  DlsScene *scene = hopper(mesh, seed);
  while (scene->simulation->state.time < until - 1e-9) CHECK_OK(dls_scene_step(scene));
  const int taken = (int)scene->taken[0];
  dls_scene_destroy(&scene);
  return taken;
}

typedef struct {
  double mean, error; /* of the mean */
} Flow;

static Flow flow(bool mesh, int seeds, double until) {
  double sum = 0, squares = 0;
  for (int k = 0; k < seeds; k++) {
    const double count = discharged(mesh, 50 + k, until);
    sum += count;
    squares += count * count;
  }
  const double variance = (squares - sum * sum / seeds) / (seeds - 1);
  return (Flow){sum / seeds, sqrt(variance / seeds)};
}

/* The outlet of 24 sides within the circle has an area of sin(2 pi / 24) / (2 pi / 24) of it. By
 * Beverloo's law the flow goes as (D - k d)^(5/2), D = 0.22 m, k = 1.4, d = 63 mm: a diameter less
 * by between nothing and the sagitta of a side is a flow less by up to 3.7 %. The bound is that and
 * four standard errors, which have to be below a tenth themselves. */
TEST(grains_run_out_of_triangles_as_out_of_the_round_hopper) {
  const bool is_long = getenv("DELASSUS_LONG") != NULL;
  const int seeds = is_long ? 32 : 8;
  const double until = is_long ? 1 : 0.8;
  const Flow round = flow(false, seeds, until), mesh = flow(true, seeds, until);
  const double error = hypot(round.error, mesh.error);
  const double sagitta = 0.22 * (1 - cos(acos(-1) / 24));
  const double smaller = round.mean * 2.5 * sagitta / (0.22 - 1.4 * 0.063);
  CHECK_TOLD(error < 0.1 * round.mean, "%.1f +- %.1f", round.mean, error);
  CHECK_TOLD(mesh.mean < round.mean + 4 * error, "%.1f and %.1f +- %.1f", mesh.mean, round.mean,
             error);
  CHECK_TOLD(mesh.mean > round.mean - smaller - 4 * error, "%.1f and %.1f +- %.1f", mesh.mean,
             round.mean, error);
}
