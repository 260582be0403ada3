/* Newton's loop around the contact solve where its whole way is too far: rubber that cannot give
 * way sideways is pressed by a dead load of up to five times its modulus in one quasi-static step,
 * whose first way turns its cells inside out. It ends where the closed form says,
 *
 *   F = diag(1, 1, l),  P = mu (l - 1 / l) + lambda ln l / l = -load. */
#include "scene/scene.h"
#include "tests/test.h"
#include "world/deformable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* l of a load over Young's modulus, nu = 0.3. */
static double stretch_of(double load) {
  const double mu = 1 / 2.6, lambda = 0.3 / (1.3 * 0.4);
  double low = 0.01, high = 1;
  for (int k = 0; k < 100; k++) {
    const double l = (low + high) / 2, P = mu * (l - 1 / l) + lambda * log(l) / l;
    *(P < -load ? &low : &high) = l;
  }
  return low;
}

/* A cube of 1 m in a fitting box; it stands on a floor, or is held there. */
static void press(int cells, double load, bool on_floor) {
  char text[3000];
  snprintf(
      text, sizeof text,
      "dimension: 3\n"
      "time: {step: 1, end: 1, scheme: static}\n"
      "gravity: [0, 0, 0]\n"
      "materials: {rubber: {density: 1000}}\n"
      "laws: [{law: coulomb, parameters: {mu: 0}}]\n"
      "bodies:\n"
      "  - material: rubber\n"
      "    position: [0, 0, 0.5]\n"
      "    deformable:\n"
      "      mesh: {kind: block, size: [1, 1, 1], cells: [%d, %d, %d]}\n"
      "      kinematics: total-lagrangian\n"
      "      bulk: {law: neo-hookean, parameters: {young: 1e6, poisson: 0.3}}\n"
      "      fixed: [{group: left, axes: x}, {group: right, axes: x}, {group: front, axes: y},\n"
      "              {group: back, axes: y}%s]\n"
      "      contact: {groups: [%s]}\n"
      "      loads: {group: top, traction: [0, 0, %g]}\n"
      "boundaries: {floor: {shape: plane, material: rubber, axis: [0, 0, 1]}}\n"
      "solver: {tolerance: 1e-10}\n",
      cells, cells, cells, on_floor ? "" : ", {group: bottom, axes: z}",
      on_floor ? "bottom" : "top", -load * 1e6);
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  if (!scene) return;
  CHECK_OK(dls_scene_step(scene));
  const DlsSimulation *s = scene->simulation;
  const double l = stretch_of(load);
  CHECK_INT(s->last.report.parts, 1);
  /* Its middle, and what it pushes by. */
  CHECK_NEAR(s->world->position[0][2], l / 2, 1e-7);
  if (on_floor) CHECK_NEAR(s->state.boundary_force[0][2], -load * 1e6, 1e-6 * load * 1e6);
  if (getenv("SHOW"))
    printf("%d cells, load %g, %s: %d rounds, l = %.9g, %.9g\n", cells, load,
           on_floor ? "floor" : "held", s->last.report.newton, 2 * s->world->position[0][2], l);
  dls_scene_destroy(&scene);
}

TEST(rubber_is_pressed_far_in_one_step) {
  press(1, 1, false);
  press(1, 2, false); /* from here on the whole way is refused by the first cell */
  press(1, 5, false);
  press(1, 2, true);
  press(1, 5, true);
  press(2, 2, true);
}
