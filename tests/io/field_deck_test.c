/* Fields in frames: of contacts what the laws were told, of bodies their own, also of bodies with
 * values of their own that come while the run is broken off. */
#include "tests/io/app_run.h"
#include "tests/io/run_files.h"

#include <math.h>

#include "record/vtu/vtu_read.h"

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/field_deck"
#define LAWS   TEST_BINARY_DIR "/tests/plugins/composed"

static const char deck[] =
    "time: {step: 1 ms, end: 40 ms}\ngravity: [1, 0, -9.81]\n"
    "materials: {sand: {density: 2500}, steel: {density: 7800}, ice: {density: 900}}\n"
    "laws:\n"
    "  - {law: " LAWS "/warm.so, parameters: {mu: 0.5, beta: 0.001}}\n"
    "  - {law: coulomb, between: [ice, steel]}\n"
    "fields:\n"
    "  temperature: [{value: \"300 + 10*x + 100*t\"}, {of: [hot, late], value: 400 K}]\n"
    "bodies:\n"
    "  - {material: sand, radius: 1 cm, position: [0, 0, 0.01]}\n"
    "  - {material: sand, radius: 1 cm, position: [0.1, 0, 0.01], name: hot}\n"
    "  - {material: ice, radius: 1 cm, position: [0.2, 0, 0.01]}\n"
    "  - {material: sand, radius: 1 cm, position: [0.3, 0, 0.01], name: late, from: 15 ms}\n"
    "boundaries: {floor: {shape: plane, material: steel}}\n"
    "output: {every: 20 ms, checkpoint: 20 ms}\n";

static bool run_deck(void) {
  app_folder("field_deck");
  FILE *file = fopen(SCRAPS "/deck.yaml", "w");
  CHECK(file != NULL);
  if (!file) return false;
  fputs(deck, file);
  CHECK_INT(fclose(file), 0);
  return app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/whole") == 0;
}

enum { MOST = 8 };

/* Points and an array of a frame; returns how many. */
static int read_frame(const char *name, int components, double *point, double *value) {
  DlsVtuFile *file = NULL;
  CHECK_OK(dls_vtu_open(name, &file));
  if (!file) return 0;
  const int count = (int)dls_vtu_points(file);
  CHECK(count <= MOST);
  if (count <= MOST) {
    CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "Points", 3, count, point));
    CHECK_OK(
        dls_vtu_reals_or_nan(file, DLS_VTU_OF_POINTS, "temperature", components, count, value));
  }
  dls_vtu_close(&file);
  return count <= MOST ? count : 0;
}

TEST(frames_have_the_fields_of_bodies_and_contacts) {
  double point[3 * MOST], value[2 * MOST];
  CHECK(run_deck());
  int count = read_frame(SCRAPS "/whole/bodies_000002.vtu", 1, point, value);
  CHECK_INT(count, 4);
  for (int k = 0; k < count; k++) { /* hot is the second, late the last */
    const double x = point[3 * k], own = k % 2 ? 400 : 300 + 10 * x + 100 * 0.04;
    CHECK_NEAR(value[k], own, 1e-9);
  }
  count = read_frame(SCRAPS "/whole/contacts_000002.vtu", 2, point, value);
  CHECK_INT(count, 4);
  for (int k = 0; k < count; k++) { /* at the start of the last step, at the contact */
    const double x = point[3 * k], there = 300 + 10 * x + 100 * 0.039;
    const bool ice = x > 0.15 && x<0.25, hot = x> 0.05 && !ice;
    if (ice) CHECK(isnan(value[2 * k]) && isnan(value[2 * k + 1])); /* coulomb does not ask */
    if (!ice) CHECK_NEAR(value[2 * k], there, 1e-9);
    if (!ice) CHECK_NEAR(value[2 * k + 1], hot ? 400 : there, 1e-9);
  }
}

TEST(a_run_with_hot_bodies_that_goes_on_leaves_the_same_files) {
  static const char *const names[] = {"bodies_000002.vtu", "contacts_000002.vtu", "checkpoint.h5"};
  CHECK(run_deck());
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --set time.end=0.02 --out " SCRAPS
                    "/broken"),
            0);
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --restart " SCRAPS
                    "/broken/checkpoint.h5 --out " SCRAPS "/broken"),
            0);
  for (int k = 0; k < DLS_COUNT(names); k++)
    CHECK_TOLD(run_same_file(SCRAPS "/whole", SCRAPS "/broken", names[k]), "%s differs", names[k]);
}
