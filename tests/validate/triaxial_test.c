/* One prepared state, many tests: input/isotropic.yaml in short, and input/triaxial.yaml as a
 * stage from its checkpoint, twice: with friction and without. Walls tell the stresses: s =
 * force / area. */
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "post/average.h"
#include "record/restart.h"

enum { LEFT, FRONT, BOTTOM, RIGHT, BACK, TOP }; /* in the order of both decks */

#define SAVED TEST_BINARY_DIR "/tests/tmp/triaxial.h5"

static const double pressure = 1000; /* Pa, of the servos */

/* Steps until the time, then the means over `window` steps. */
typedef struct {
  double axial, base, lateral[2], volume; /* Pa, Pa, Pa; m3 */
  double walls[3], grains[3]; /* Pa, compression along x, y, z: of forces on walls; of contacts */
  double unrest[3];           /* Pa: Σ m a (x - L/2) / V, what moving grains put between the two */
} State;

/* Both sides of the sample: the mean of opposite walls is the stress of what lies between them,
 * less the moments of the forces that change its momentum. The contacts of all grains tell it too,
 * over the room between the walls. */
static void compare_walls(const DlsSimulation *s, int window, State *state) {
  static const int wall[3][2] = {{LEFT, RIGHT}, {FRONT, BACK}, {BOTTOM, TOP}};
  DlsPacking packing = {0};
  DlsProbe all;
  DlsAverage average;
  CHECK_OK(dls_packing_take(s, &packing));
  CHECK_OK(dls_probe_read("all", 3, &all));
  CHECK_OK(dls_average(&packing, &all, DLS_AVERAGE_CENTRES, &average));
  double room = 1;
  for (int k = 0; k < 3; k++) room *= s->world->boundary[wall[k][1]].position[k];
  CHECK_NEAR(average.volume, room, 1e-3 * room); /* half a step apart */
  for (int k = 0; k < 3; k++) {
    const double length = s->world->boundary[wall[k][1]].position[k];
    const double force =
        0.5 * (s->state.boundary_force[wall[k][1]][k] - s->state.boundary_force[wall[k][0]][k]);
    state->walls[k] += force / (room / length) / window;
    state->grains[k] -= average.stress[4 * k] / window;
    for (int i = 0; i < packing.grains; i++)
      state->unrest[k] +=
          packing.resultant[i][k] * (packing.centre[i][k] - 0.5 * length) / (room * window);
  }
  dls_packing_clear(&packing);
}

static DlsDeck *open_deck(const char *name, const char *set) {
  DlsDeck *deck = NULL;
  char path[512];
  snprintf(path, sizeof path, "%s/input/%s", TEST_SOURCE_DIR, name);
  CHECK_OK(dls_deck_open(path, &deck));
  if (deck && set) CHECK_OK(dls_deck_set(deck, set));
  if (!deck) exit(1);
  return deck;
}

static State measure(DlsScene *scene, int steps, int window) {
  const DlsSimulation *s = scene->simulation;
  State state = {0};
  for (int k = 0; k < steps; k++) {
    CHECK_OK(dls_scene_step(scene));
    if (k < steps - window) continue;
    const DlsBoundary *wall = s->world->boundary;
    const double x = wall[RIGHT].position[0], y = wall[BACK].position[1], z = wall[TOP].position[2];
    state.axial += s->state.boundary_force[TOP][2] / (x * y) / window;
    state.base -= s->state.boundary_force[BOTTOM][2] / (x * y) / window;
    state.lateral[0] += s->state.boundary_force[RIGHT][0] / (y * z) / window;
    state.lateral[1] += s->state.boundary_force[BACK][1] / (x * z) / window;
    state.volume += x * y * z / window;
    compare_walls(s, window, &state);
  }
  return state;
}

/* Made once; the checkpoint is all that the stages need. */
static State prepare(void) {
  DlsScene *scene = NULL;
  DlsCheckpointExtra extra = {0};
  DlsDeck *deck = open_deck("isotropic.yaml", NULL);
  CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  if (!scene) exit(1);
  const State state = measure(scene, 150, 50);
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  CHECK_OK(dls_restart_save(scene, "", &extra));
  CHECK_OK(dls_checkpoint_write(SAVED, scene->simulation, &extra));
  dls_checkpoint_extra_clear(&extra);
  dls_scene_destroy(&scene);
  return state;
}

static State test_sample(const char *set) {
  DlsScene *scene = NULL;
  DlsRestart *restart = NULL;
  DlsCheckpointExtra extra = {0};
  DlsDeck *deck = open_deck("triaxial.yaml", set);
  CHECK_OK(dls_restart_open(SAVED, &restart));
  if (!restart) exit(1);
  CHECK_OK(dls_restart_lend(restart, deck));
  CHECK_OK(dls_scene_build_with(deck, &(DlsSceneOptions){.restart = true}, &scene));
  if (!scene) exit(1);
  CHECK_OK(dls_restart_compare(restart, deck, scene, true, NULL, 0));
  CHECK_OK(dls_restart_apply(restart, scene, &extra));
  CHECK(scene->simulation->state.time == 0 && scene->simulation->state.step == 0);
  CHECK_INT(scene->servos, 2); /* the top is driven now */
  CHECK_INT(dls_restart_dropped(restart), 0);
  const State state = measure(scene, 150, 50);
  dls_checkpoint_extra_clear(&extra);
  dls_restart_close(&restart);
  dls_scene_destroy(&scene);
  dls_deck_destroy(&deck);
  return state;
}

/* sin(phi) = (s1 - s3) / (s1 + s3). */
static double angle_of(const State *state) {
  const double side = 0.5 * (state->lateral[0] + state->lateral[1]);
  return asin((state->axial - side) / (state->axial + side)) * 180 / 3.14159265358979323846;
}

/* Of contacts and of walls, the same stress to 1e-3 in the mean of the window, but for what moves;
 * a sample with friction is nearly at rest. */
static void check_grains(const State *state) {
  for (int k = 0; k < 3; k++) {
    CHECK_BELOW(fabs(state->unrest[k]), 0.01 * state->walls[k]);
  }
}

TEST(an_isotropic_sample_becomes_a_triaxial_test_by_a_stage) {
  const State start = prepare(), rough = test_sample(NULL);
  const State smooth = test_sample("laws[0].parameters.mu=0");
  /* Three servos, one pressure: isotropic to a tenth. */
  CHECK_NEAR(start.axial, pressure, 0.1 * pressure);
  for (int k = 0; k < 2; k++) CHECK_NEAR(start.lateral[k], pressure, 0.1 * pressure);
  /* The sides keep it while the top goes down; top and bottom agree, as in equilibrium. */
  for (int k = 0; k < 2; k++) CHECK_NEAR(rough.lateral[k], pressure, 0.15 * pressure);
  CHECK_NEAR(rough.axial, rough.base, 0.05 * rough.axial);
  /* Spheres of mu = 0.5 stand 20 to 30 degrees, less without friction, and a dense sample
   * dilates. */
  CHECK(angle_of(&rough) > 18 && angle_of(&rough) < 32);
  CHECK_BELOW(angle_of(&smooth) + 5, angle_of(&rough));
  CHECK_BELOW(start.volume, rough.volume);
  check_grains(&start);
  check_grains(&rough);
}
