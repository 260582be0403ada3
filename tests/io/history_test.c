/* What history.csv tells of driven walls and bodies and of laws, against what the deck prescribes
 * and statics demands; populations that are held or driven; membranes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/files.h"
#include "tests/io/app_run.h"

static char table[1 << 22];

/* Runs a deck into tests/tmp/history/NAME; its history.csv is in `table`. */
static void run_deck(const char *name, const char *text) {
  char deck[2000], command[6000], path[1000];
  snprintf(path, sizeof path, "%.60s.yaml", name);
  snprintf(deck, sizeof deck, "%.1900s", test_file("history", path, text));
  snprintf(command, sizeof command, "run %s --out %s/%s --quiet --overwrite", deck,
           app_folder("history"), name);
  CHECK_RUN(command, 0, "");
  snprintf(path, sizeof path, "%s/%.60s/history.csv", app_folder("history"), name);
  FILE *file = fopen(path, "rb");
  const size_t length = file ? fread(table, 1, sizeof table - 1, file) : 0;
  table[length] = '\0';
  if (file) fclose(file);
}

/* The number of the column `name` [unit], -1: there is none. */
static int find_column(const char *name) {
  const size_t length = strlen(name);
  const char *at = table;
  for (int k = 0;; k++) {
    if (strncmp(at, name, length) == 0 && strchr(" ,\n", at[length])) return k;
    at += strcspn(at, ",\n");
    if (*at++ != ',') return -1;
  }
}

static const char *line_of(int row) { /* 0: the heading; negative: from the end */
  const char *at = table;
  int rows = 0;
  for (const char *c = table; (c = strchr(c, '\n')); c++) rows++;
  for (int k = row < 0 ? rows + row : row; k > 0; k--) at = strchr(at, '\n') + 1;
  return at;
}

static double value_in(int row, const char *name) {
  const int column = find_column(name);
  const char *at = line_of(row);
  if (column < 0) {
    test_fail(__FILE__, __LINE__, "no column %s", name);
    exit(1);
  }
  for (int k = 0; k < column; k++) at = strchr(at, ',') + 1;
  return strtod(at, NULL);
}

static int count_rows(void) {
  int rows = 0;
  for (const char *c = table; (c = strchr(c, '\n')); c++) rows++;
  return rows - 1;
}

/* Prescribed: position(t) = origin + displacement, angle = spin t, wrapped. */
TEST(driven_walls_are_where_the_deck_says) {
  run_deck("walls", "dimension: 2\n"
                    "time: {step: 10 ms, end: 1 s}\n"
                    "materials: {steel: {}}\n"
                    "laws: [{law: coulomb}]\n"
                    "bodies: [{material: steel, radius: 0.1, position: [0, 0]}]\n"
                    "boundaries:\n"
                    "  drum: {shape: cylinder, inside: true, radius: [1], material: steel, spin: "
                    "[0, 0, 7]}\n"
                    "  sieve: {shape: plane, material: steel, position: [0.2, -3], displacement: "
                    "[0.1*sin(5*t), t^2]}\n"
                    "  still: {shape: plane, material: steel, position: [0, -5]}\n");
  CHECK_INT(count_rows(), 100);
  for (int row = 1; row <= 100; row++) {
    const double t = value_in(row, "time"), turn = remainder(7 * t, 2 * 3.14159265358979323846);
    CHECK_NEAR(value_in(row, "position_x_sieve"), 0.2 + 0.1 * sin(5 * t), 1e-12);
    CHECK_NEAR(value_in(row, "position_y_sieve"), -3 + t * t, 1e-12);
    CHECK_NEAR(value_in(row, "angle_z_drum"), turn, 1e-9);
  }
  CHECK_INT(find_column("position_x_still"), -1);
  CHECK_INT(find_column("position_x_drum"), -1);
  CHECK_INT(find_column("angle_z_sieve"), -1);
}

/* A ball rests on three held ones: they bear its weight, each along its normal where there is no
 * friction. The named one has columns, and so has the population. */
TEST(forces_on_held_and_driven_bodies_are_those_of_statics) {
  run_deck("held",
           "dimension: 2\n"
           "time: {step: 5 ms, end: 0.5 s, scheme: euler, alert: 1 mm}\n"
           "gravity: [0, -10]\n"
           "materials: {steel: {density: 1000}}\n"
           "laws: [{law: coulomb, parameters: {mu: 0}}]\n"
           "solver: {tolerance: 1e-12, max_iterations: 100000}\n"
           "bodies:\n"
           "  - {name: left, material: steel, radius: 0.1, position: [-0.1, 0], fixed: [all]}\n"
           "  - {material: steel, radius: 0.1, position: [0.1, 0], motion: {x: 0, vy: 0, wz: 0}}\n"
           "  - {material: steel, radius: 0.1, mass: 2 kg, position: [0, 0.17320508]}\n"
           "  - {material: steel, radius: 0.1, position: [5, 0], fixed: [all]}\n");
  const double weight = 2 * 10, side = weight / 2 * tan(3.14159265358979323846 / 6);
  CHECK_NEAR(value_in(-1, "force_y_left"), -weight / 2, 1e-6 * weight);
  CHECK_NEAR(value_in(-1, "force_x_left"), -side, 1e-6 * weight);
  CHECK_NEAR(value_in(-1, "torque_z_left"), 0, 1e-6 * weight);
  CHECK_NEAR(value_in(-1, "force_y_body2"), -weight / 2, 1e-6 * weight);
  CHECK_NEAR(value_in(-1, "force_x_body2"), side, 1e-6 * weight);
  CHECK_INT(find_column("force_x_body4"), -1); /* held, and without a name */
}

/* Ten grains of a rough floor that moves as one: each is where it was born and the displacement;
 * what lies on them, 3 kg, presses with its weight once it rests on them. */
TEST(a_population_is_driven_as_one) {
  static const char deck[] =
      "dimension: 2\n"
      "time: {step: 5 ms, end: 2 s, scheme: euler, alert: 1 mm}\n"
      "gravity: [0, -10]\n"
      "materials: {steel: {density: 1000}}\n"
      "laws: [{law: coulomb, parameters: {mu: 0.8}}]\n"
      "drag: 5\n"
      "solver: {tolerance: 1e-10, max_iterations: 100000}\n"
      "grains:\n"
      "  - {name: floor, material: steel, place: lattice, lattice: square, pitch: 0.2, sizes: "
      "{radius: "
      "0.1}, region: {shape: box, low: [-1, -0.2], high: [1, 0]}, motion: {x: 0.05*(1-cos(t)), vy: "
      "0, wz: 0}}\n"
      "bodies:\n"
      "  - {material: steel, radius: 0.1, mass: 1 kg, position: [0, 0.08]}\n"
      "  - {material: steel, radius: 0.1, mass: 1 kg, position: [0.4, 0.08]}\n"
      "  - {material: steel, radius: 0.1, mass: 1 kg, position: [-0.4, 0.08]}\n"
      "output: {every: 1 s, csv: true, arrays: [id, held]}\n";
  double x, y, first = NAN;
  run_deck("rough", deck);
  char *text = get_text(test_path("history/rough", "bodies_000002.csv"));
  CHECK(strncmp(text, "x,y,z,id,held\n", 14) == 0);
  text += 14;
  for (int k = 0; k < 10; k++) {
    x = strtod(text, &text), y = strtod(text + 1, &text);
    if (k == 0) first = x;
    CHECK_NEAR(x - first, 0.2 * k, 1e-12);
    CHECK_NEAR(y, -0.1, 1e-12);
    text += strcspn(text, "\n") + 1;
  }
  CHECK_NEAR(first, -0.9 + 0.05 * (1 - cos(2)), 1e-9);
  /* Quasi-static: accelerations of the floor, up to 0.05 m/s2, and what is left of the fall. */
  CHECK_NEAR(value_in(-1, "force_y_floor"), -30, 0.3);
}

/* With two laws, one of which stores: the columns add up to the account of all contacts, at every
 * step, also where steps are halved. */
TEST(the_columns_of_laws_add_up) {
  static const char deck[] =
      "dimension: 2\n"
      "time: {step: 4 ms, end: 0.8 s%s}\n"
      "gravity: [0, -10]\n"
      "materials: {steel: {density: 1000}, rubber: {density: 1000}}\n"
      "laws:\n"
      "  - {law: coulomb, parameters: {mu: 0.3}}\n"
      "  - {between: [rubber, rubber], law: [coulomb, rolling]}\n"
      "  - {between: [steel, rubber], law: elastic, parameters: {k: 1e4}}\n"
      "grains:\n"
      "  - {material: steel, place: lattice, lattice: square, pitch: 0.11, sizes: {radius: 0.05}, "
      "region: {shape: box, low: [-0.5, 0.05], high: [0.5, 0.5]}, velocity: [1, -1]}\n"
      "  - {material: rubber, place: lattice, lattice: square, pitch: 0.11, sizes: {radius: 0.05}, "
      "region: {shape: box, low: [-0.5, 0.6], high: [0.5, 0.9]}}\n"
      "boundaries:\n"
      "  floor: {shape: plane, material: steel}\n"
      "  drum: {shape: cylinder, inside: true, radius: [1.2], material: rubber, spin: [0, 0, 2]}\n";
  char text[4096];
  for (int halved = 0; halved < 2; halved++) {
    snprintf(text, sizeof text, deck, halved ? ", control: halve" : "");
    run_deck(halved ? "laws_halved" : "laws", text);
    double most = 0, parts = 0, share = 0;
    for (int row = 1; row <= count_rows(); row++) {
      const double all = value_in(row, "dissipated"), one = value_in(row, "dissipated_coulomb");
      const double two = value_in(row, "dissipated_elastic");
      const double three = value_in(row, "dissipated_coulomb+rolling");
      most = fmax(most, fabs(all));
      share = fmax(share, fmin(fabs(one), fabs(two) + fabs(three)));
      parts = fmax(parts, value_in(row, "parts"));
      CHECK(fabs(one + two + three - all) <= 1e-9 * most);
    }
    CHECK(share > 1e-3 * most && most > 0); /* more than one law has a share */
    CHECK(parts > 1 || !halved);
  }
}

/* A membrane of 40 beads between two points 1 m apart, 100 Pa below it: at rest the held ends bear
 * the pressure of the chord, 100 N in sum, whatever the arc, less the halves of the outer pieces,
 * which act on them. The arc is a circle: T = p R at its crown. */
TEST(a_membrane_bears_the_pressure_of_its_chord) {
  static const char deck[] = "dimension: 2\n"
                             "time: {step: 2 ms, end: 6 s}\n"
                             "materials: {skin: {density: 1000}}\n"
                             "laws: [{law: coulomb}]\n"
                             "drag: 8\n"
                             "chains:\n"
                             "  - {name: skin, material: skin, count: 41, radius: 0.01, mass: 0.05 "
                             "kg, start: [1, 0], end: "
                             "[0, 0], stiffness: 4000, pressure: 100, fixed: [first, last]}\n"
                             "output: {every: 6 s, csv: true, arrays: [id]}\n";
  double x[41], y[41];
  run_deck("membrane", deck);
  char *text = get_text(test_path("history/membrane", "bodies_000001.csv"));
  text += strcspn(text, "\n") + 1;
  for (int k = 0; k < 41; k++) {
    x[k] = strtod(text, &text), y[k] = strtod(text + 1, &text);
    text += strcspn(text, "\n") + 1;
  }
  CHECK(value_in(-1, "kinetic") < 1e-9);
  CHECK(y[20] > 0.05); /* the fluid is below: on the left of a chain from right to left */
  /* Tension of the piece at the crown: k (length - rest), against p R of the circle through the
   * crown and its neighbours five beads away. Polygon and circle differ by 1/8 of the angle of a
   * piece squared, below 1e-3 here. */
  const double tension = 4000 * (hypot(x[20] - x[21], y[20] - y[21]) - 1.0 / 40);
  const double sag = y[20] - (y[15] + y[25]) / 2, half = hypot(x[15] - x[25], y[15] - y[25]) / 2;
  const double radius = (half * half + sag * sag) / (2 * sag);
  CHECK_NEAR(tension, 100 * radius, 2e-3 * tension);
}

TEST(mistakes_of_membranes_are_told) {
  char command[6000];
  const char *deck = test_file("history", "space.yaml",
                               "time: {step: 1 ms, end: 1 ms}\n"
                               "materials: {skin: {}}\n"
                               "laws: [{law: coulomb}]\n"
                               "chains: [{material: skin, count: 3, radius: 0.1, start: [0, 0, 0], "
                               "end: [1, 0, 0], pressure: 5}]\n");
  snprintf(command, sizeof command, "run %.2000s --out %s/space --quiet", deck,
           app_folder("history"));
  CHECK_RUN(command, 2, "acts on a line of beads in 2-D");
}

/* Five disks in a row between two walls: without the walls four contacts, all along x. */
TEST(fabric_without_walls_counts_grains_alone) {
  run_deck("row", "dimension: 2\n"
                  "time: {step: 5 ms, end: 0.1 s, scheme: euler, alert: 1 mm}\n"
                  "materials: {steel: {density: 1000}}\n"
                  "laws: [{law: coulomb, parameters: {mu: 0}}]\n"
                  "gravity: [-10, 0]\n"
                  "grains: [{material: steel, place: lattice, lattice: square, pitch: 0.2, sizes: "
                  "{radius: 0.1}, region: {shape: box, low: [0, 0], high: [1, 0.2]}}]\n"
                  "boundaries: {left: {shape: plane, material: steel, axis: [1, 0]}}\n");
  char folder[700];
  snprintf(folder, sizeof folder, "%s/row", app_folder("history"));
  app_post(folder, "fabric", 0, "contacts       5 with a force, 1.8 per grain");
  app_post(folder, "fabric --no-walls", 0, "contacts       4 with a force, 1.6 per grain");
  app_post(folder, "fabric --no-walls --mean all", 2, "--no-walls is of one frame");
}
