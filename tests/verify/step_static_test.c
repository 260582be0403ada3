/* Quasi-static steps (time.scheme: static) against closed forms: a gap closes exactly whatever the
 * step, the works of a press, a metal that flows and is let go, a free rigid die, what is not held
 * and what then happens, halved steps. */
#include "scene/scene.h"
#include "tests/scene_text.h"
#include "tests/test.h"
#include "world/deformable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(DlsScene *scene, int steps) {
  for (int k = 0; k < steps; k++) CHECK_OK(dls_scene_step(scene));
}

/* N along an axis on boundary k, of the names in the order of the deck. */
static double force_on(const DlsScene *scene, int k, int axis) {
  return scene->simulation->state.boundary_force[k][axis];
}

/* A block of 1 x 0.5 m, E = 1000 Pa, free across, 0.02 m above a floor; its top is driven down by
 * 0.06 m in 3 s. */
#define BLOCK(step)                                                                                \
  "dimension: 2\n"                                                                                 \
  "time: {step: " step ", end: 10 s, scheme: static}\n"                                            \
  "gravity: [0, 0]\n"                                                                              \
  "materials: {rubber: {density: 1000}}\n"                                                         \
  "laws: [{law: coulomb, parameters: {mu: 0}}]\n"                                                  \
  "bodies:\n"                                                                                      \
  "  - material: rubber\n"                                                                         \
  "    position: [0, 0.27]\n"                                                                      \
  "    deformable:\n"                                                                              \
  "      mesh: {kind: block, size: [1, 0.5], cells: [4, 3]}\n"                                     \
  "      bulk: {law: elastic, parameters: {young: 1000, poisson: 0.3}}\n"                          \
  "      plane: stress\n"                                                                          \
  "      fixed: {group: left, axes: x}\n"                                                          \
  "      contact: {groups: [bottom]}\n"
#define FLOOR "boundaries: {floor: {shape: plane, material: rubber, axis: [0, 1]}}\n"
#define EXACT "solver: {tolerance: 1e-12, measure: natural}\n"
#define DRIVEN                                                                                     \
  "      prescribed: {group: top, vy: -0.02}\n" FLOOR EXACT /* 0.04 m of it press, on 0.5 m */

TEST(a_gap_closes_exactly_whatever_the_step) {
  static const char *const deck[] = {BLOCK("3 s") DRIVEN, BLOCK("1 s") DRIVEN,
                                     BLOCK("0.25 s") DRIVEN};
  static const int steps[] = {1, 3, 12};
  for (int k = 0; k < 3; k++) {
    DlsScene *scene = test_scene_of_text(deck[k]);
    run(scene, steps[k]);
    const DlsSimulation *s = scene->simulation;
    CHECK_NEAR(force_on(scene, 0, 1), -1000 * 0.04 / 0.5, 1e-6);
    /* The foot of the block lies on the floor. */
    for (int c = 0; c < s->last.contacts.count; c++) {
      double lowest = INFINITY;
      const DlsWorld *world = s->world;
      for (int e = 0; e < world->first[1]; e++)
        lowest = fmin(lowest, world->position[0][1] + world->element[e].offset[1]);
      CHECK_NEAR(lowest, 0, 1e-9);
    }
    const DlsLedger *e = &s->state.ledger;
    CHECK_NEAR(e->kinetic, 0, 0);
    CHECK_NEAR(e->balance, 0, 1e-10);
    CHECK_NEAR(e->strain, 0.5 * 80 * 0.04, 1e-6);
    dls_scene_destroy(&scene);
  }
}

/* Of a force that grows evenly in n steps from nothing the work is that of its ends: what is more
 * than the strain is a share 1 / n of it. */
TEST(works_of_a_press_are_kept) {
  static const char *const deck[] = {
      BLOCK("1 s") "      damping: {mass: 1e-6}\n"
                   "      loads: {group: top, pressure: 't'}\n" FLOOR EXACT,
      BLOCK("0.1 s") "      damping: {mass: 1e-6}\n"
                     "      loads: {group: top, pressure: 't'}\n" FLOOR EXACT};
  for (int k = 0; k < 2; k++) {
    const int steps = k == 0 ? 4 : 40;
    DlsScene *scene = test_scene_of_text(deck[k]);
    run(scene, steps);
    const DlsLedger *e = &scene->simulation->state.ledger;
    const double strain = 0.5 * 4 * 4 / 1000.0 * 0.5;
    CHECK_NEAR(force_on(scene, 0, 1), -4, 1e-4);
    CHECK_NEAR(e->strain, strain, 1e-4 * strain);
    CHECK_NEAR(e->balance, 0, 1e-10);
    if (getenv("SHOW"))
      printf("%d steps: force %.9g N, strain %.9g of %.9g J, lost %.6g, contacts %.3g\n", steps,
             force_on(scene, 0, 1), e->strain, strain, e->within, e->dissipated);
    dls_scene_destroy(&scene);
  }
}

/* W of a stiff body has a wide spectrum: at 1e-12 sweeps may stand 3e-5 of the force away, which a
 * factor does not. */
#define DIRECT "solver: {name: proximal, tolerance: 1e-12, measure: natural}\n"

/* A cube of 0.1 m of metal between a floor and a plate that comes down by 1 mm and goes up again:
 * sigma = yield + E h / (E + h) (e - yield / E), then down by E; it stays shorter by e - sigma / E
 * and is let go there. */
static const char metal[] =
    "dimension: 3\n"
    "time: {step: 1 s, end: 20 s, scheme: static}\n"
    "gravity: [0, 0, 0]\n"
    "materials: {metal: {density: 8000}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0}}]\n"
    "bodies:\n"
    "  - material: metal\n"
    "    position: [0, 0, 0.05]\n"
    "    deformable:\n"
    "      mesh: {kind: block, size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}\n"
    "      bulk: {law: j2, parameters: {young: 1e9, poisson: 0.3, yield: 1e6, hardening: 5e7}}\n"
    "      fixed: [{group: left, axes: x}, {group: front, axes: y}, {group: bottom, axes: z}]\n"
    "      contact: {groups: [top]}\n"
    "boundaries: {plate: {shape: plane, material: metal, position: [0, 0, 0.1], axis: [0, 0, -1],\n"
    "                     displacement: [0, 0, '-1e-4*(10 - abs(t - 10))']}}\n" DIRECT;

TEST(a_metal_flows_under_a_plate_and_is_let_go) {
  const double E = 1e9, yield = 1e6, h = 5e7, area = 0.01, slope = E * h / (E + h);
  double at = 0, top = 0, before = 0, work = 0;
  DlsScene *scene = test_scene_of_text(metal);
  for (int k = 1; k <= 20; k++) {
    run(scene, 1);
    const double e = 1e-3 * (10 - fabs(k - 10.0)), pushed = force_on(scene, 0, 2) / area;
    const double up = e < yield / E ? E * e : yield + slope * (e - yield / E);
    if (k == 10) at = e, top = up;
    const double known = k <= 10 ? up : fmax(top + E * (e - at), 0);
    CHECK_NEAR(pushed, known, 1e-5 * yield);
    work += known * area * 0.1 * (e - before); /* of the end of each step */
    before = e;
  }
  const DlsLedger *e = &scene->simulation->state.ledger;
  /* What hardening stores, h p^2 / 2, is left of the work; a slow press would lose yield p. */
  const double p = at - top / E, volume = area * 0.1;
  CHECK_NEAR(e->strain, 0.5 * h * p * p * volume, 1e-4 * e->strain);
  CHECK_NEAR(e->within, work - 0.5 * h * p * p * volume, 1e-4 * work);
  CHECK(e->within > yield * p * volume);
  CHECK_NEAR(e->balance, 0, 1e-7 * e->within);
  if (getenv("SHOW"))
    printf("strain left %g J, lost %g J of %g J\n", e->strain, e->within, yield * p * volume);
  dls_scene_destroy(&scene);
}

/* ---- What is not held ---- */

TEST(a_body_that_nothing_holds_is_refused) {
  static const char *const bulk[] = {"elastic", "j2"};
  for (int k = 0; k < 2; k++) {
    char text[2000];
    snprintf(text, sizeof text,
             "dimension: 2\ntime: {step: 1 s, end: 10 s, scheme: static}\ngravity: [0, -10]\n"
             "materials: {rubber: {density: 1000}}\nlaws: [{law: coulomb}]\nbodies:\n"
             "  - material: rubber\n    position: [0, 0.27]\n    deformable:\n"
             "      mesh: {kind: block, size: [1, 0.5], cells: [4, 3]}\n"
             "      bulk: {law: %s}\n"
             "      fixed: {group: left, axes: x}\n",
             bulk[k]);
    DlsScene *scene = test_scene_of_text(text);
    CHECK_FAILS(dls_scene_step(scene), DLS_ERR_NUMERIC, "is not held");
    dls_scene_destroy(&scene);
  }
}

/* Holds that leave a rigid motion along the load are refused, whatever mesh, kinematics and
 * stiffness; those that leave none, or one that no load drives, are not, and the block is shortened
 * by p (1 - nu^2) / E in the plane, p / E in space. */
TEST(rigid_motions_are_found_whatever_the_mesh) {
  static const struct {
    const char *fixed;
    int dim;
    bool held;
  } holds[] = {
      {"[{group: left, axes: x}]", 2, false},
      {"[{group: bottom, axes: y}]", 2, true},
      {"[{group: left, axes: x}, {group: bottom, axes: y}]", 2, true},
      {"[{group: left, axes: x}, {group: bottom, axes: z}]", 3, true},
      {"[{group: left, axes: x}, {group: front, axes: y}]", 3, false},
      {"[{group: bottom, axes: z}]", 3, true},
      {"[{group: left, axes: x}, {group: front, axes: y}, {group: bottom, axes: z}]", 3, true},
  };
  static const char *const elements[2][3] = {{"Q4", "T3", "Q8"}, {"HEX8", "TET4", "WEDGE6"}};
  static const char *const cells[2][3] = {{"[4, 3]", "[9, 7]", "[3, 5]"},
                                          {"[2, 2, 2]", "[3, 2, 4]", "[2, 3, 2]"}};
  static const char *const kinematics[] = {"small", "total-lagrangian"};
  for (int k = 0; k < DLS_COUNT(holds); k++)
    for (int e = 0; e < 3; e++)
      for (int way = 0; way < 2; way++) {
        const int dim = holds[k].dim, in = dim - 2;
        const double young = pow(10, 3 * (e + way) - 1), p = 1e-6 * young, nu = 0.3;
        char text[2000];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {step: 1 s, end: 10 s, scheme: static}\n"
                 "gravity: [0, 0%s]\nmaterials: {rubber: {density: 1000}}\nlaws: [{law: coulomb}]\n"
                 "bodies:\n  - material: rubber\n    position: [0, 0%s]\n    deformable:\n"
                 "      mesh: {kind: block, size: [1, 0.5%s], cells: %s, element: %s}\n"
                 "      kinematics: %s\n"
                 "      bulk: {law: elastic, parameters: {young: %g, poisson: %g}}\n"
                 "      loads: {group: top, pressure: %g}\n      fixed: %s\n" EXACT,
                 dim, in ? ", 0" : "", in ? ", 0" : "", in ? ", 0.5" : "", cells[in][e],
                 elements[in][e], kinematics[way], young, nu, p, holds[k].fixed);
        DlsScene *scene = test_scene_of_text(text);
        if (!holds[k].held) {
          CHECK_FAILS(dls_scene_step(scene), DLS_ERR_NUMERIC, "is not held");
          dls_scene_destroy(&scene);
          continue;
        }
        CHECK_OK(dls_scene_step(scene));
        const double strain = in ? p / young : p / young * (1 - nu * nu), area = in ? 0.5 : 1;
        /* Work of the pressure along the shortening; of finite strain to its own size. */
        CHECK_NEAR(scene->simulation->state.ledger.strain, 0.5 * p * strain * 0.5 * area,
                   1e-5 * p * strain);
        dls_scene_destroy(&scene);
      }
}

/* A rigid die of 1 kg, free to fall, is pressed on the block by 3 N: it comes to rest on it. */
TEST(a_free_die_presses_a_block) {
  DlsScene *scene = test_scene_of_text(
      "dimension: 2\ntime: {step: 1 s, end: 10 s, scheme: static}\ngravity: [0, 0]\n"
      "materials: {rubber: {density: 1000}}\nlaws: [{law: coulomb, parameters: {mu: 0}}]\n"
      "bodies:\n"
      "  - material: rubber\n    position: [0, -0.25]\n    deformable:\n"
      "      mesh: {kind: block, size: [1, 0.5], cells: [4, 3]}\n"
      "      bulk: {law: elastic, parameters: {young: 1000, poisson: 0.3}}\n"
      "      plane: stress\n"
      "      fixed: [{group: left, axes: x}, {group: bottom, axes: y}]\n"
      "      contact: {groups: [top]}\n"
      "  - material: rubber\n    shape: {kind: box, lengths: [1.2, 0.2]}\n"
      "    position: [0, 0.11]\n    mass: 1 kg\n    fixed: [x, turn_z]\n"
      "    force: [0, '-3*min(t/2, 1)']\n" EXACT);
  run(scene, 8);
  const DlsWorld *world = scene->simulation->world;
  CHECK_NEAR(world->position[1][1], 0.1 - 3.0 / 1000 * 0.5, 1e-8);
  CHECK_NEAR(world->velocity[1][1], 0, 1e-8);
  CHECK_NEAR(scene->simulation->state.ledger.balance, 0, 1e-10);
  dls_scene_destroy(&scene);
}

/* ---- Halved steps ---- */

/* Rubber pressed by a fifth of its height in one step is too much for Newton's loop; in parts it is
 * not. */
TEST(a_step_that_is_too_long_is_halved) {
  static const char text[] =
      "dimension: 2\ntime: {step: 1 s, end: 10 s, scheme: static, control: halve, fraction: 1e3}\n"
      "gravity: [0, 0]\n"
      "materials: {rubber: {density: 1000}}\nlaws: [{law: coulomb, parameters: {mu: 0.3}}]\n"
      "bodies:\n"
      "  - material: rubber\n    position: [0, 0.25]\n    deformable:\n"
      "      mesh: {kind: block, size: [1, 0.5], cells: [8, 6]}\n"
      "      kinematics: total-lagrangian\n"
      "      bulk: {law: neo-hookean}\n"
      "      fixed: {group: top, axes: x}\n"
      "      contact: {groups: [bottom]}\n"
      "      prescribed: {group: top, vy: -0.1}\n" FLOOR "solver: {tolerance: 1e-8}\n";
  DlsScene *scene = test_scene_of_text(text);
  run(scene, 1);
  CHECK(scene->simulation->last.report.parts > 1);
  CHECK_NEAR(scene->simulation->state.time, 1, 1e-12);
  CHECK(force_on(scene, 0, 1) < 0);
  dls_scene_destroy(&scene);
}
