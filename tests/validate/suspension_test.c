/* A sheared suspension of disks with films between them (Maury's slides 43 to 46):
 * input/suspension.yaml, in short for a strain of 3. What films add to the viscosity is next to
 * nothing where disks are few, where a suspension thickens by what each alone does (Einstein: 2 phi
 * in the plane), which films between pairs do not know; it grows steeply with the solid share, by
 * more than three standard errors of the means over blocks from each to the next. The shear stress
 * that the contacts tell is the power that the films dissipate. */
#include "tests/io/app_run.h"

#include <math.h>

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/suspension"

typedef struct {
  double films, error, power; /* over eta; the same by what was dissipated */
} Suspension;

/* A number of the last row of a table, by the name at the beginning of its column. */
static double last_of(const char *file, const char *name) {
  char header[8192] = "", row[8192] = "", path[600];
  snprintf(path, sizeof path, SCRAPS "/%s", file);
  FILE *table = fopen(path, "r");
  CHECK(table && fgets(header, sizeof header, table));
  while (table && fgets(row, sizeof row, table)) continue;
  if (table) fclose(table);
  const char *h = header, *r = row;
  while (*h && *r) {
    if (strncmp(h, name, strlen(name)) == 0) return strtod(r, NULL);
    h += strcspn(h, ",\n");
    r += strcspn(r, ",\n");
    if (*h != ',' || *r != ',') break;
    h++, r++;
  }
  test_fail(__FILE__, __LINE__, "no column %s", name);
  return NAN;
}

static Suspension shear(double solid) {
  char command[1000];
  const char *end = getenv("DELASSUS_LONG") ? "6" : "3";
  const double eta = 1e-5 / (6 * M_PI * 0.25e-6), depth = 2e-3, room = 4e-4;
  Suspension out = {0};
  /* Averages and dissipation of the same time: a run to its beginning, and the whole. */
  snprintf(command, sizeof command,
           "run %s/input/suspension.yaml --quiet --overwrite --set grains[0].fraction=%g --set "
           "time.end=1 --set output.every=0 --set output.averages={} --out " SCRAPS,
           TEST_SOURCE_DIR, solid);
  CHECK_INT(app_run(command), 0);
  const double before = last_of("history.csv", "dissipated [J]");
  snprintf(command, sizeof command,
           "run %s/input/suspension.yaml --quiet --overwrite --set grains[0].fraction=%g --set "
           "time.end=%s --set output.every=0 --out " SCRAPS,
           TEST_SOURCE_DIR, solid, end);
  CHECK_INT(app_run(command), 0);
  const double stress = 0.5 * (last_of("average_films.csv", "stress_xy [Pa]") +
                               last_of("average_films.csv", "stress_yx [Pa]"));
  out.films = stress / (eta * depth);
  out.error = last_of("average_films.csv", "stress_xy_error") / (eta * depth);
  out.power = (last_of("history.csv", "dissipated [J]") - before) / (strtod(end, NULL) - 1) / room /
              (eta * depth);
  if (getenv("SHOW"))
    printf("solid %.2f: films add %.4f +- %.4f, by power %.4f\n", solid, out.films, out.error,
           out.power);
  return out;
}

TEST(films_thicken_a_suspension_steeply_with_the_solid_share) {
  static const double solid[] = {0.1, 0.3, 0.5, 0.6};
  Suspension s[4];
  app_folder("suspension");
  for (int k = 0; k < 4; k++) s[k] = shear(solid[k]);
  CHECK_BELOW(s[0].films, 0.2 * 2 * solid[0]);
  for (int k = 1; k < 4; k++)
    CHECK(s[k].films - s[k - 1].films > 3 * hypot(s[k].error, s[k - 1].error));
  /* Steeper than any power series of the first terms: the last step more than the one before. */
  CHECK((s[3].films - s[2].films) / 0.1 > (s[2].films - s[1].films) / 0.2);
  for (int k = 2; k < 4; k++) CHECK_NEAR(s[k].power, s[k].films, 0.1 * s[k].films);
}
