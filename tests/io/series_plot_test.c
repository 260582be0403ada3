/* delassus post stress --series and delassus plot: tables and pictures, and what they refuse. */
#include "tests/io/app_run.h"

#include "record/columns.h"

static const char *result(int dim) {
  static char folder[2][600];
  static bool made[2];
  char *path = folder[dim - 2], arguments[2000];
  if (made[dim - 2]) return path;
  snprintf(path, sizeof folder[0], "%s/%d", app_folder("series_plot"), dim);
  snprintf(arguments, sizeof arguments,
           "run '%s/input/%s.yaml' --quiet --set time.end=%g --set output.every=%g --set "
           "'grains[0].count=%d' --out '%s'",
           TEST_SOURCE_DIR, dim == 2 ? "biaxial" : "isotropic", dim == 2 ? 0.12 : 0.04,
           dim == 2 ? 0.03 : 0.01, dim == 2 ? 400 : 120, path);
  const int status = app_run(arguments);
  if (status < 0 || status > 1)
    test_fail(__FILE__, __LINE__, "delassus %s: %s", arguments, app_output);
  made[dim - 2] = true;
  return path;
}

/* A column of a row of the table by its name. */
static double at(const DlsColumns *table, int row, const char *name) {
  const int column = dls_columns_find(table, name);
  CHECK(column >= 0 && row < table->rows);
  return column >= 0 && row < table->rows ? dls_columns_at(table, row, column) : NAN;
}

/* The row of a frame says what `post stress` and `post fabric` say of it. */
static void check_series(int dim) {
  char path[800], words[200];
  DlsColumns table;
  app_post(result(dim), "stress --series", 0, "5 frames");
  snprintf(path, sizeof path, "%s/series.csv", result(dim));
  CHECK_OK(dls_columns_read(path, &table));
  CHECK_INT(table.rows, 5);
  CHECK(isnan(at(&table, 0, "pressure")) && at(&table, 0, "volumetric_strain") == 0);
  CHECK(strcmp(table.unit[dls_columns_find(&table, "volume")], dim == 2 ? "m2" : "m3") == 0);
  for (int frame = 2; frame < 5; frame += 2) {
    snprintf(words, sizeof words, "stress --json --frame %d", frame);
    app_post(result(dim), words, 0, "pressure");
    const double p = json_number(app_output, "pressure"), q = json_number(app_output, "deviator");
    CHECK(p > 0);
    CHECK_NEAR(at(&table, frame, "pressure"), p, 1e-12 * p);
    CHECK_NEAR(at(&table, frame, "deviator"), q, 1e-12 * p);
    CHECK_NEAR(at(&table, frame, "stress_ratio"), q / p, 1e-12);
    CHECK_NEAR(at(&table, frame, "solid"), json_number(app_output, "solid"), 1e-12);
    snprintf(words, sizeof words, "fabric --json --frame %d", frame);
    app_post(result(dim), words, 0, "coordination");
    CHECK_NEAR(at(&table, frame, "coordination"), json_number(app_output, "coordination"), 1e-12);
    CHECK_NEAR(at(&table, frame, "anisotropy"), json_number(app_output, "anisotropy"), 1e-12);
  }
  /* Grains are rigid: volumes go as the inverse of the solid fraction. */
  CHECK_NEAR(at(&table, 4, "volumetric_strain"),
             log(at(&table, 4, "volume") / at(&table, 0, "volume")), 1e-9);
  dls_columns_clear(&table);
}

TEST(a_series_in_the_plane) { check_series(2); }
TEST(a_series_in_space) { check_series(3); }

TEST(series_of_regions_pictures_and_refusals) {
  char words[1200], path[800];
  DlsColumns table;
  const char *folder = app_folder("series_plot");
  snprintf(words, sizeof words,
           "stress --series --region sphere:0.09,0.09:0.05 --axis x --out '%s/core' --svg "
           "'%s/core.svg'",
           folder, folder);
  app_post(result(2), words, 0, "core.csv");
  snprintf(path, sizeof path, "%s/core.csv", folder);
  CHECK_OK(dls_columns_read(path, &table));
  CHECK(at(&table, 4, "grains") < 400 && at(&table, 4, "grains") > 5);
  CHECK_NEAR(at(&table, 4, "volume"), at(&table, 0, "volume"), 1e-12); /* the disk stays */
  dls_columns_clear(&table);
  app_post(result(2), "stress --series --axis z", 2, "take x or y");
  app_post(result(2), "stress --axis x", 2, "--series; give both");
  app_post(result(2), "stress --series --profile x", 2, "leave one out");
  app_post(result(2), "stress --series --frame 1", 2, "all frames");
  app_post(folder, "stress --series", 2, folder);
}

static void plot(const char *table, const char *words, int status, const char *text) {
  char arguments[2000];
  snprintf(arguments, sizeof arguments, "plot '%s/%s' %s", result(2), table, words);
  CHECK_RUN(arguments, status, text);
}

/* The picture that a plot has just made holds the text. */
static void check_picture(const char *name, const char *text) {
  char path[800], line[4096];
  bool found = false;
  snprintf(path, sizeof path, "%s/%s", result(2), name);
  FILE *file = fopen(path, "rb");
  while (file && fgets(line, sizeof line, file)) found |= strstr(line, text) != NULL;
  if (file) fclose(file);
  CHECK_TOLD(found, "%s has no \"%s\"", path, text);
}

TEST(columns_are_drawn_with_their_units) {
  plot("history.csv", "t kinetic", 0, "history.svg");
  check_picture("history.svg", ">kinetic [J]<");
  check_picture("history.svg", ">t [s]<");
  plot("history.csv", "time kinetic potential 'kinetic+potential' --title Energies", 0, "svg");
  check_picture("history.svg", ">Energies<");
  check_picture("history.svg", ">kinetic+potential<");
  plot("history.csv", "t error --log xy", 0, "svg");
  check_picture("history.svg", "10⁻");
}

TEST(plots_refuse_what_they_cannot_draw) {
  plot("history.csv", "t kinetc", 2, "did you mean `kinetic`?");
  plot("history.csv", "t", 2, "what?");
  plot("history.csv", "t kinetic --log z", 2, "--log z");
  plot("nothing.csv", "t kinetic", 2, "nothing.csv");
  plot("resolved.yaml", "t kinetic", 2, "resolved.yaml");
  CHECK_RUN("plot --help", 0, "FILE.csv X Y");
}
