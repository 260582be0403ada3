/* delassus post displacements and trajectory on a small run: numbers against the frames themselves,
 * the picture, the lines for ParaView, and what is refused. */
#include <math.h>
#include <stdio.h>

#include "record/columns.h"
#include "record/vtu/vtu_read.h"
#include "tests/files.h"
#include "tests/io/app_run.h"

/* Two balls without contacts: one falls, one flies sideways; the third lies held. */
static const char deck[] =
    "time: {step: 1 ms, end: 0.4 s, scheme: euler}\n"
    "gravity: [0, 0, -10]\n"
    "materials: {steel: {}}\n"
    "laws: [{law: coulomb}]\n"
    "bodies:\n"
    "  - {material: steel, radius: 0.1, position: [0, 0, 1]}\n"
    "  - {material: steel, radius: 0.1, position: [3, 4, 1], velocity: [3, 4, 2]}\n"
    "output: {every: 0.05}\n";

static const char *run_once(void) {
  static char folder[800];
  char words[6000];
  if (folder[0]) return folder;
  snprintf(folder, sizeof folder, "%.700s/run", app_folder("post_motion"));
  snprintf(words, sizeof words, "run %s --out %s --overwrite --quiet",
           test_file("post_motion", "deck.yaml", deck), folder);
  CHECK_RUN(words, 0, "");
  return folder;
}

static double after(const char *key) {
  const char *found = strstr(app_output, key);
  return found ? strtod(found + strlen(key), NULL) : NAN;
}

/* Euler's fall: z after n steps is 1 - g h^2 n (n + 1) / 2. */
static double fallen(double t) { return -10 * 1e-3 * t * (t / 1e-3 + 1) / 2; }

TEST(between_two_moments) {
  char words[6000], path[1000];
  const char *folder = run_once();
  snprintf(path, sizeof path, "%s.csv", folder);
  snprintf(words, sizeof words,
           "post displacements %s --from 0.1 --to 0.3 --csv %s --vtu %s.vtu --svg %s.svg", folder,
           path, folder, folder);
  CHECK_RUN(words, 0, "moments        2, from t = 0.1 to 0.3 s");
  DlsColumns table;
  CHECK_OK(dls_columns_read(path, &table));
  CHECK_INT(table.rows, 2);
  const double dz = fallen(0.3) - fallen(0.1);
  CHECK_NEAR(dls_columns_at(&table, 0, dls_columns_find(&table, "dz")), dz, 1e-9);
  CHECK_NEAR(dls_columns_at(&table, 0, dls_columns_find(&table, "dx")), 0, 1e-12);
  CHECK_NEAR(dls_columns_at(&table, 1, dls_columns_find(&table, "dx")), 0.6, 1e-9);
  CHECK_NEAR(dls_columns_at(&table, 1, dls_columns_find(&table, "dz")), dz + 0.4, 1e-9);
  dls_columns_clear(&table);
  DlsVtuFile *file = NULL;
  double way[6];
  snprintf(path, sizeof path, "%s.vtu", folder);
  CHECK_OK(dls_vtu_open(path, &file));
  CHECK_INT((int)dls_vtu_points(file), 4);
  CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_CELLS, "displacement", 3, 2, way));
  CHECK_NEAR(way[4], 0.8, 1e-9);
  dls_vtu_close(&file);
}

TEST(from_period_to_period) {
  char words[3000];
  snprintf(words, sizeof words, "post displacements %s --period 0.1 --json", run_once());
  CHECK_RUN(words, 0, "\"moments\": 5");
  /* The mean of the two from period to period; the fall grows, and so does its scatter. */
  CHECK_NEAR(after("\"moved\": ["), 0.15, 1e-9);
  snprintf(words, sizeof words,
           "post displacements %s --period 0.1 --count 2 --from 0.1 --meridian", run_once());
  CHECK_RUN(words, 0, "meridian plane");
}

TEST(the_way_of_a_body) {
  char words[3000], path[1000];
  snprintf(path, sizeof path, "%s/path.csv", app_folder("post_motion"));
  snprintf(words, sizeof words, "post trajectory %s --body 2 --csv %s --svg %s.svg", run_once(),
           path, path);
  CHECK_RUN(words, 0, "9 frames");
  DlsColumns table;
  CHECK_OK(dls_columns_read(path, &table));
  CHECK_INT(table.rows, 9);
  CHECK_NEAR(dls_columns_at(&table, 8, dls_columns_find(&table, "x_2")), 3 + 3 * 0.4, 1e-9);
  CHECK_NEAR(dls_columns_at(&table, 8, dls_columns_find(&table, "vy_2")), 4, 1e-12);
  dls_columns_clear(&table);
}

TEST(what_is_refused) {
  char words[3000];
  snprintf(words, sizeof words, "post displacements %s --period 0.07", run_once());
  CHECK_RUN(words, 2, "there is no frame at t = 0.07 s, and the next is at 0.1 s");
  snprintf(words, sizeof words, "post displacements %s --period 3", run_once());
  CHECK_RUN(words, 2, "run for longer");
  snprintf(words, sizeof words, "post displacements %s --profile q:3", run_once());
  CHECK_RUN(words, 2, "an axis of x, y, z");
  snprintf(words, sizeof words, "post displacements %s --from 0.3 --to 0.1", run_once());
  CHECK_RUN(words, 2, "is not before");
  snprintf(words, sizeof words, "post trajectory %s --body 77", run_once());
  CHECK_RUN(words, 2, "no frame has a body 77");
  snprintf(words, sizeof words, "post trajectory %s", run_once());
  CHECK_RUN(words, 2, "which bodies");
}
