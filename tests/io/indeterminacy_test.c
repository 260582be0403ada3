/* delassus indeterminacy, as a user calls it: numbers of a sample, of an arch from its checkpoint
 * with its table and its file for ParaView, and what is refused. */
#include <math.h>
#include <stdio.h>

#include "record/columns.h"
#include "record/vtu/vtu_read.h"
#include "tests/io/app_run.h"

enum { MOST = 400 };

static double number(const char *key) {
  char pattern[80];
  snprintf(pattern, sizeof pattern, "\"%s\": ", key);
  const char *found = strstr(app_output, pattern);
  return found ? strtod(found + strlen(pattern), NULL) : NAN;
}

/* Bricks with four points a face: six equations a brick, twelve unknowns a face. */
TEST(a_wall_of_bricks) {
  CHECK_RUN("indeterminacy --sample wall:3 --starts 3 --json", 0, "\"contacts\": 60");
  CHECK_NEAR(number("self_stress"), 120, 0);
  CHECK_NEAR(number("networks"), 3, 0);
  CHECK_NEAR(number("motions"), 0, 0);
  CHECK_BELOW(number("outside"), 1e-3); /* answers of other starts lie in the intervals */
  CHECK(number("covered") > 0.05);
  CHECK(number("width") > 1 && number("outer_width") >= number("width"));
}

TEST(an_arch_from_its_checkpoint) {
  char words[2000], path[800];
  const char *folder = app_folder("indeterminacy");
  remove_folder(folder);
  snprintf(words, sizeof words, "run %s/input/arch.yaml --set time.end=0.01 --quiet --out '%s'",
           TEST_SOURCE_DIR, folder);
  CHECK_RUN(words, 0, "");
  snprintf(words, sizeof words,
           "indeterminacy '%s/checkpoint.h5' --starts 0 --csv '%s/i.csv' --vtu '%s/i.vtu'", folder,
           folder, folder);
  CHECK_RUN(words, 0, "self-stress");
  DlsColumns table;
  snprintf(path, sizeof path, "%s/i.csv", folder);
  CHECK_OK(dls_columns_read(path, &table));
  DlsVtuFile *file = NULL;
  snprintf(path, sizeof path, "%s/i.vtu", folder);
  CHECK_OK(dls_vtu_open(path, &file));
  const int64_t points = dls_vtu_points(file);
  double force[MOST], low[MOST], high[MOST], width[MOST];
  CHECK(points > 10 && points <= MOST);
  CHECK_INT((int)points, table.rows);
  CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "force", 1, points, force));
  CHECK_OK(dls_vtu_reals_or_nan(file, DLS_VTU_OF_POINTS, "force_low", 1, points, low));
  CHECK_OK(dls_vtu_reals_or_nan(file, DLS_VTU_OF_POINTS, "force_high", 1, points, high));
  CHECK_OK(dls_vtu_reals_or_nan(file, DLS_VTU_OF_POINTS, "width", 1, points, width));
  double widest = 0;
  for (int i = 0; i < points; i++) {
    CHECK(low[i] <= force[i] * (1 + 1e-6) && force[i] <= high[i] * (1 + 1e-6));
    CHECK_NEAR(width[i], high[i] - low[i], 1e-9 * high[i]);
    widest = fmax(widest, width[i]);
  }
  CHECK(widest > 0); /* of an arch that is fixed at both ends the thrust is not decided */
  dls_vtu_close(&file);
  dls_columns_clear(&table);
}

TEST(what_is_refused) {
  CHECK_RUN("indeterminacy", 2, "give one of a problem");
  CHECK_RUN("indeterminacy --sample wall:3 --vtu x.vtu", 2, "does not say where");
  CHECK_RUN("indeterminacy --sample rolling:20", 2, "torques");
  CHECK_RUN("indeterminacy --sample wall:3 --edges 3", 2, "edges");
  CHECK_RUN("indeterminacy no-such.hdf5", 2, "no-such.hdf5");
}
