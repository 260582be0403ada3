/* A cell whose radius a pressure drives, by the command line: columns of the history, restarts to
 * the byte, a servo that goes and a radius that stays. */
#include "tests/io/app_run.h"

#include <stdlib.h>
#include <unistd.h>

static const char deck_text[] =
    "time: {step: 1 ms, end: 60 ms}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {grain: {density: 2500}, wall: {density: 7800}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.4}}]\n"
    "grains:\n"
    "  - {material: grain, place: lattice, lattice: cubic, region: {low: [-0.03, -0.03, 0], high: "
    "[0.03, 0.03, 0.06]},\n"
    "     sizes: {radius: 4.75 mm}, pitch: 1 cm}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: wall}\n"
    "  lid: {shape: plane, material: wall, position: [0, 0, 0.065], axis: [0, 0, -1],\n"
    "        servo: {pressure: 500, across: [cell], mass: 2, damping: 50}}\n"
    "  cell: {shape: cylinder, inside: true, open: [-z, +z], length: [1], radius: [0.046],\n"
    "         material: wall, servo: {pressure: 500, across: [floor, lid], mass: 2, damping: 50}}\n"
    "solver: {name: nsgs, tolerance: 1e-3, max_iterations: 20000}\n"
    "output: {every: 10 ms}\n";

static void begin(const char *test) {
  char command[2400];
  const char *folder = app_folder("cell_deck");
  snprintf(command, sizeof command, "rm -rf '%s/%s' && mkdir '%s/%s'", folder, test, folder, test);
  CHECK_INT(system(command), 0);
  snprintf(command, sizeof command, "%s/%s", folder, test);
  CHECK_INT(chdir(command), 0);
  FILE *file = fopen("deck.yaml", "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs(deck_text, file);
  fclose(file);
}

static bool shell(const char *command) { return system(command) == 0; }

/* A column of the last row of a history. */
static double last_of(const char *folder, const char *column) {
  char command[400], text[80] = "";
  snprintf(command, sizeof command,
           "awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if (index($i, \"%s \") == 1) c = i} "
           "END {print $c}' %s/history.csv",
           column, folder);
  FILE *pipe = popen(command, "r");
  CHECK(pipe && fgets(text, sizeof text, pipe));
  if (pipe) pclose(pipe);
  return strtod(text, NULL);
}

/* All columns but the last four, which are times of the clock. */
#define SAME_HISTORIES                                                                             \
  "for f in whole parts; do awk -F, 'NR > 1 {for (i = 1; i <= NF - 4; i++) printf \"%s,\", $i; "   \
  "print \"\"}' $f/history.csv > $f.rows; done; cmp whole.rows parts.rows"

TEST(a_restart_goes_on_to_the_byte) {
  begin("restart");
  CHECK_RUN("run deck.yaml --out whole", 0, "done");
  CHECK_RUN("run deck.yaml --out parts --set time.end=23ms", 0, "done");
  CHECK_RUN("run --restart parts/checkpoint.h5 --set time.end=41ms", 0, "done");
  CHECK_RUN("run --restart parts/checkpoint.h5 --set time.end=60ms", 0, "done");
  CHECK(shell(SAME_HISTORIES));
  CHECK(shell("for f in bodies contacts boundaries; do cmp $(ls whole/${f}_*.vtu | tail -1) $(ls "
              "parts/${f}_*.vtu | tail -1) || exit 1; done"));
  CHECK(last_of("whole", "radius_cell") < 0.046);
}

/* What held the cell goes: it stays as wide as it is, and another pressure drives it on. */
TEST(a_cell_without_its_servo_keeps_its_radius) {
  begin("servo");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  const double radius = last_of("a", "radius_cell");
  CHECK_RUN("run --restart a/checkpoint.h5 --set boundaries.cell.servo.pressure=2000 --change "
            "boundaries --set time.end=62ms --out b",
            0, "done");
  CHECK(last_of("b", "radius_cell") < radius);
  CHECK_RUN("run --restart a/checkpoint.h5 --set boundaries.cell.servo=~ --change boundaries --set "
            "time.end=70ms --out held",
            0, "done");
  CHECK_RUN("run --restart held/checkpoint.h5 --set boundaries.cell.servo='{pressure: 500, across: "
            "[floor, lid], mass: 2, damping: 50}' --change boundaries --set time.end=71ms --out c",
            0, "done");
  CHECK_NEAR(last_of("c", "radius_cell"), radius, 1e-2 * radius);
  CHECK(radius < 0.045);
}
