/* A periodic cell from its deck to its files: restarts give the same bytes, stresses read from
 * frames are those of the copies, mistakes are told with their cure. */
#include "tests/io/app_run.h"
#include "tests/io/run_files.h"

#include "post/average.h"
#include "record/packing_read.h"

#include <string.h>

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/periodic_deck"

static const char head[] = "title: a cell\ndimension: 2\ntime: {step: 1 ms, end: 0.3 s}\n"
                           "materials: {glass: {density: 2500}}\n"
                           "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n";
static const char cell[] = "cell: {low: [0, 0], high: [0.2, 0.2], periodic: [x, y], "
                           "stretch: [\"-1 + t\", -1], shear: 0.5}\n";
static const char grains[] =
    "grains:\n  - {material: glass, place: random, count: 60, velocity: [0.1, 0.05],\n"
    "     region: {shape: box, low: [0, 0], high: [0.2, 0.2]},\n"
    "     sizes: {kind: uniform, min: 8 mm, max: 11 mm}}\n"
    "output: {every: 0.1 s, checkpoint: 0.1 s}\n";

static void write_deck(const char *one, const char *two, const char *more) {
  FILE *file = fopen(SCRAPS "/deck.yaml", "w");
  CHECK(file && fprintf(file, "%s%s%s%s", one, two, more, grains) > 0);
  if (file) fclose(file);
}

static const char driven[] = "cell: {low: [0, 0], high: [0.2, 0.2], periodic: [x, y], "
                             "stress: [\"-1000*(1 + t)\", -1500], mass: 40, damping: 200}\n";

static void check_same_files(const char *which) {
  static const char *const names[] = {"bodies_000003.vtu", "contacts_000003.vtu", "checkpoint.h5"};
  app_folder("periodic_deck");
  write_deck(head, which, "");
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/whole"), 0);
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --set time.end=0.2 --out " SCRAPS
                    "/broken"),
            0);
  CHECK_INT(app_run("run --quiet --restart " SCRAPS
                    "/broken/checkpoint.h5 --set time.end=0.3 --out " SCRAPS "/broken"),
            0);
  for (int k = 0; k < DLS_COUNT(names); k++)
    if (!run_same_file(SCRAPS "/whole", SCRAPS "/broken", names[k]))
      test_fail(__FILE__, __LINE__, "%s differs", names[k]);
}

TEST(a_run_that_goes_on_leaves_the_same_files) {
  check_same_files(driven);
  check_same_files(cell);
  CHECK_RUN("run --quiet --restart " SCRAPS "/broken/checkpoint.h5 --set time.end=0.4 --set "
            "cell.high=[0.3,0.2] --change cell --out " SCRAPS "/broken",
            2, "the cell of the checkpoint stays");
}

/* The sum over the arms is that over the border, f (x) shift, and the moments of momentum: two ways
 * to the stress that share no arm. Its volume is that of the cell, which has shrunk by the
 * rates. */
TEST(the_stress_of_a_frame_is_that_of_the_copies) {
  DlsPacking packing = {0};
  DlsAverage average;
  double outer[9], largest = 0;
  const DlsProbe all = {.kind = DLS_PROBE_ALL};
  app_folder("periodic_deck");
  write_deck(head, cell, "");
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/whole"), 0);
  CHECK_OK(dls_packing_read(SCRAPS "/whole", -1, &packing));
  CHECK_INT(packing.cell.axes, 3);
  CHECK_OK(dls_average(&packing, &all, DLS_AVERAGE_CENTRES, &average));
  CHECK_OK(dls_average_outer_moment(&packing, &all, outer));
  for (int k = 0; k < 9; k++) largest = fmax(largest, fabs(average.stress[k]));
  CHECK(largest > 1);
  for (int k = 0; k < 9; k++)
    CHECK_NEAR(average.stress[k], outer[k] / average.volume, 1e-11 * largest);
  /* Edges by the rule of the middle of each step, until half a step before the end. */
  double x = 0.2, y = 0.2;
  for (int n = 0; n < 300; n++) {
    const double part = n < 299 ? 1e-3 : 0.5e-3;
    x += part * x * (-1 + (n + 0.5) * 1e-3);
    y -= part * y;
  }
  CHECK_NEAR(average.volume, x * y, 1e-12);
  int crossing = 0;
  for (int c = 0; c < packing.contacts; c++)
    crossing += packing.shift[c][0] != 0 || packing.shift[c][1] != 0;
  CHECK(crossing > 5);
  dls_packing_clear(&packing);
}

static void refused(const char *one, const char *two, const char *more, const char *sentence) {
  write_deck(one, two, more);
  CHECK_RUN("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/bad", 2, sentence);
}

TEST(mistakes_are_told_with_their_cure) {
  app_folder("periodic_deck");
  refused(head, "cell: {low: [0, 0], high: [0, 0.2], periodic: [x]}\n", "",
          "high must be above low");
  refused(head, "cell: {low: [0, 0], high: [0.2, 0.2], periodic: [z]}\n", "", "none beyond z");
  refused(head, "cell: {low: [0, 0], high: [0.2, 0.2], periodic: [x], shear: 1}\n", "",
          "periodic along x and y");
  refused(head, "cell: {low: [0, 0], high: [0.2, 0.2], periodic: [x], stretch: [0, 1]}\n", "",
          "no edge along y");
  refused(head, "cell: {low: [0, 0], high: [0.04, 0.2], periodic: [x]}\n", "", "wide along x");
  refused(head, cell, "boundaries: {floor: {shape: plane, material: glass}}\n",
          "the same all along the periodic axes");
  refused(head, cell, "sinks: [{region: {shape: box, low: [0, 0], high: [1, 1]}}]\n",
          "do not reach across a periodic cell");
  refused("dimension: 2\ntime: {step: 1 us, end: 1 ms, scheme: explicit}\n"
          "materials: {glass: {density: 2500}}\n"
          "laws: [{law: spring-dashpot}]\n",
          cell, "", "periodic cell");
}

TEST(a_stress_drives_edges_with_a_mass_and_no_rates) {
  app_folder("periodic_deck");
  write_deck(head, "cell: {low: [0, 0], high: [0.2, 0.2], periodic: [x, y], stress: [-1, -1]}\n",
             "");
  CHECK_RUN("run " SCRAPS "/deck.yaml --quiet --out " SCRAPS "/none", 2, "edges that have a mass");
  write_deck(head,
             "cell: {low: [0, 0], high: [0.2, 0.2], periodic: [x, y], stress: [-1, -1], mass: 1, "
             "shear: 1}\n",
             "");
  CHECK_RUN("run " SCRAPS "/deck.yaml --quiet --out " SCRAPS "/none", 2, "leave out `stretch`");
}

TEST(a_stress_is_along_each_edge_and_no_other_axis) {
  static const char *const cells[][2] = {
      {"periodic: [x, y], mass: 1", "are of edges that a stress drives"},
      {"periodic: [x, y], damping: 1", "are of edges that a stress drives"},
      {"periodic: [x], stress: [-1, -1], mass: 1", "no edge along y"},
  };
  for (int k = 0; k < DLS_COUNT(cells); k++) {
    char section[200];
    snprintf(section, sizeof section, "cell: {low: [0, 0], high: [0.2, 0.2], %s}\n", cells[k][0]);
    refused(head, section, "", cells[k][1]);
  }
}

/* A stage for grains whose cell a run has left tilted: a stress would drive edges that lean. */
TEST(a_stress_does_not_drive_a_tilted_cell) {
  app_folder("periodic_deck");
  write_deck(head, cell, "");
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --set time.end=0.1 --out " SCRAPS
                    "/tilted"),
            0);
  write_deck(head, driven, "");
  CHECK_RUN("run --restart " SCRAPS "/tilted/checkpoint.h5 --stage " SCRAPS
            "/deck.yaml --quiet --overwrite --out " SCRAPS "/stage",
            2, "leans by");
}

TEST(equilibrium_is_not_told_of_a_cell_that_a_stress_drives) {
  app_folder("periodic_deck");
  write_deck(head, driven, "");
  CHECK_RUN("run " SCRAPS "/deck.yaml --equilibrium", 2, "leave `stress` out");
}

/* A floor across the other axis, and gravity along both: an inclined plane without an end. */
TEST(planes_that_go_on_are_allowed) {
  app_folder("periodic_deck");
  write_deck(head, "cell: {low: [0, 0], high: [0.2, 0.2], periodic: [x]}\n",
             "gravity: [3, -9]\nboundaries: {floor: {shape: plane, material: glass}}\n");
  CHECK_RUN("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/slope", 0, "");
}
