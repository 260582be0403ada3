/* Quasi-static steps (time.scheme: static) of bodies that only contacts hold: what holds them bears
 * their weight and stays where it is, whatever the step; what nothing holds is refused, unless
 * nothing moves it. */
#include "scene/scene.h"
#include "tests/scene_text.h"
#include "tests/test.h"
#include "world/deformable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double force_on(const DlsScene *scene, int boundary, int axis) {
  return scene->simulation->state.boundary_force[boundary][axis];
}

/* The lowest element of body 0, m. */
static double lowest(const DlsScene *scene, int axis) {
  const DlsWorld *world = scene->simulation->world;
  double low = INFINITY;
  for (int e = world->first[0]; e < world->first[1]; e++)
    low = fmin(low, world->position[0][axis] + world->element[e].offset[axis]);
  return low;
}

/* A block of 1 x 0.5 (x 1) m, 1000 kg/m3, E = 1e5 Pa, `gap` above a floor of friction 0.5; pushed
 * sideways by this share of its weight. */
typedef struct {
  int dim;
  const char *kinematics, *bulk, *points;
  double gap, sideways, tolerance;
} Block;

static DlsScene *block_on_floor(const Block *b) {
  const bool in_space = b->dim == 3;
  char text[3000];
  snprintf(text, sizeof text,
           "dimension: %d\n"
           "time: {step: 1 s, end: 10 s, scheme: static}\n"
           "gravity: [0, %s-10]\n"
           "materials: {rubber: {density: 1000}}\n"
           "laws: [{law: coulomb, parameters: {mu: 0.5}}]\n"
           "bodies:\n"
           "  - material: rubber\n"
           "    position: [0, %s%.17g]\n"
           "    deformable:\n"
           "      mesh: {kind: block, size: [1, %s0.5], cells: [4, %s3]}\n"
           "      kinematics: %s\n"
           "      bulk: {law: %s, parameters: {young: 1e5, poisson: 0.3}}\n"
           "      force: [%.17g, 0%s]\n"
           "      contact: {groups: [bottom], points: %s}\n"
           "boundaries: {floor: {shape: plane, material: rubber, axis: [0, %s1]}}\n"
           "solver: {tolerance: %g}\n",
           b->dim, in_space ? "0, " : "", in_space ? "0, " : "", 0.25 + b->gap,
           in_space ? "1, " : "", in_space ? "4, " : "", b->kinematics, b->bulk, b->sideways * 1e4,
           in_space ? ", 0" : "", b->points, in_space ? "0, " : "", b->tolerance);
  return test_scene_of_text(text);
}

TEST(a_block_lies_on_a_floor_and_stays) {
  static const Block cases[] = {
      {2, "small", "elastic", "nodes", 0, 0.4, 1e-8},
      {2, "small", "elastic", "quadrature", 0, 0.4, 1e-8},
      {2, "corotational", "elastic", "nodes", 0, 0.4, 1e-8},
      {2, "total-lagrangian", "neo-hookean", "nodes", 0, 0.4, 1e-8},
      {2, "small", "elastic", "nodes", 0.02, 0, 1e-8}, /* it comes down first */
      {2, "small", "elastic", "nodes", 0, 0.4, 1e-4},
      {3, "small", "elastic", "nodes", 0, 0.4, 1e-8},
      {3, "total-lagrangian", "neo-hookean", "nodes", 0, 0.4, 1e-6},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    const Block *b = &cases[k];
    const double weight = 1000 * 0.5 * 10, share = fmax(b->tolerance, 1e-8) * 10;
    DlsScene *scene = block_on_floor(b);
    double first = 0, aside = 0;
    int rounds = 0;
    for (int step = 0; step < 6; step++) {
      const double *x = scene->simulation->world->position[0];
      CHECK_OK(dls_scene_step(scene));
      rounds += scene->simulation->last.report.newton;
      CHECK_NEAR(force_on(scene, 0, b->dim - 1), -weight, share * weight);
      CHECK_NEAR(force_on(scene, 0, 0), b->sideways * weight, share * weight);
      /* No deeper than the tolerance of what one step sinks, and no step farther than the first. */
      CHECK_NEAR(lowest(scene, b->dim - 1), 0, 1e3 * b->tolerance * 0.025);
      /* Co-rotational bodies have the axes of their step before, and settle. */
      if (step == (strcmp(b->kinematics, "corotational") ? 0 : 4))
        first = x[b->dim - 1], aside = x[0];
      if (first == 0) continue;
      CHECK_NEAR(x[b->dim - 1], first, 1e3 * b->tolerance * 0.025);
      CHECK_NEAR(x[0], aside, 1e3 * b->tolerance * 0.025);
    }
    if (getenv("SHOW"))
      printf("%d %s %s: rounds of 6 steps %d, iterations of the last %ld, lowest %.3g m, floor "
             "%.9g of "
             "%g N, sideways %.9g, balance %.3g\n",
             b->dim, b->kinematics, b->points, rounds,
             scene->simulation->last.report.solver.iterations, lowest(scene, b->dim - 1),
             force_on(scene, 0, b->dim - 1), weight, force_on(scene, 0, 0),
             scene->simulation->state.ledger.balance);
    dls_scene_destroy(&scene);
  }
}

TEST(a_block_that_slides_or_flies_is_refused) {
  static const Block slides = {2, "small", "elastic", "nodes", 0, 0.6, 1e-8};
  static const Block large = {2, "total-lagrangian", "neo-hookean", "nodes", 0, 0.6, 1e-8};
  DlsScene *scene = block_on_floor(&slides);
  CHECK_FAILS(dls_scene_step(scene), DLS_ERR_NUMERIC, "is not held");
  dls_scene_destroy(&scene);
  scene = block_on_floor(&large);
  CHECK_FAILS(dls_scene_step(scene), DLS_ERR_NUMERIC, "is not held");
  dls_scene_destroy(&scene);
}

/* A disk between two plates, the upper one driven down: nothing holds it sideways, nothing turns
 * it, and nothing pushes it there. The plates press alike, as on one that soft springs hold. */
static double press_disk(const char *hold, double *lower) {
  char text[3000];
  snprintf(text, sizeof text,
           "dimension: 2\ntime: {step: 0.5 s, end: 10 s, scheme: static}\ngravity: [0, 0]\n"
           "materials: {rubber: {density: 1000}}\nlaws: [{law: coulomb, parameters: {mu: 0}}]\n"
           "bodies:\n"
           "  - material: rubber\n    position: [0, 0]\n    deformable:\n"
           "      mesh: {kind: disk, radius: 0.1, cells: [8]}\n"
           "      bulk: {law: elastic, parameters: {young: 1e6, poisson: 0.3}}\n%s"
           "      contact: {groups: [rim]}\n"
           "boundaries:\n"
           "  floor: {shape: plane, material: rubber, position: [0, -0.1], axis: [0, 1]}\n"
           "  plate: {shape: plane, material: rubber, position: [0, 0.1], axis: [0, -1],\n"
           "          displacement: [0, '-1e-3*t']}\n"
           "solver: {tolerance: 1e-10}\n",
           hold);
  DlsScene *scene = test_scene_of_text(text);
  for (int k = 0; k < 4; k++) CHECK_OK(dls_scene_step(scene));
  const double upper = force_on(scene, 1, 1);
  if (getenv("SHOW"))
    printf("disk: rounds of the last step %d\n", scene->simulation->last.report.newton);
  *lower = force_on(scene, 0, 1);
  dls_scene_destroy(&scene);
  return upper;
}

TEST(a_disk_between_plates_needs_no_hold) {
  double lower, held_lower;
  const double upper = press_disk("", &lower);
  const double held = press_disk("      springs: {group: rim, stiffness: 1}\n", &held_lower);
  CHECK(upper > 0);
  CHECK_NEAR(upper, -lower, 1e-7 * upper);
  CHECK_NEAR(upper, held, 1e-5 * upper);
}

/* ---- What nothing touches ---- */

static DlsScene *alone(const char *gravity) {
  char text[1500];
  snprintf(text, sizeof text,
           "dimension: 2\ntime: {step: 1 s, end: 10 s, scheme: static}\ngravity: %s\n"
           "materials: {rubber: {density: 1000}}\nlaws: [{law: coulomb}]\nbodies:\n"
           "  - material: rubber\n    position: [0, 0.27]\n    deformable:\n"
           "      mesh: {kind: block, size: [1, 0.5], cells: [4, 3]}\n"
           "      bulk: {law: elastic}\n",
           gravity);
  return test_scene_of_text(text);
}

TEST(what_nothing_touches_and_nothing_moves_stays) {
  DlsScene *scene = alone("[0, 0]");
  for (int k = 0; k < 3; k++) CHECK_OK(dls_scene_step(scene));
  CHECK_NEAR(scene->simulation->world->position[0][1], 0.27, 1e-15);
  dls_scene_destroy(&scene);
  scene = alone("[0, -10]");
  CHECK_FAILS(dls_scene_step(scene), DLS_ERR_NUMERIC, "is not held");
  dls_scene_destroy(&scene);
}
