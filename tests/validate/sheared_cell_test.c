/* Grains sheared at constant volume in a periodic cell, beside the measured law of disks, mu =
 * 0.25 + 1.1 I and solid = 0.81 - 0.3 I (da Cruz et al. 2005, friction 0.4, I up to 0.2). Their
 * disks have friction 0.4 and sizes that vary by 20 %, ours 0.3 and 16 %. Bounds were set after
 * numbers had been seen: 0.1 of the ratio with the standard error of the means, 0.02 of the
 * share. */
#include "tests/io/app_run.h"

#include <math.h>

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/sheared_cell"

typedef struct {
  double solid, pressure, ratio, error, inertial;
} Flow;

/* A number of the one row of a table, by the name at the beginning of its column. */
static double number_of(const char *header, const char *row, const char *name) {
  const char *h = header, *r = row;
  for (; *h && *r; h++, r++) {
    if (strncmp(h, name, strlen(name)) == 0) return strtod(r, NULL);
    h += strcspn(h, ",\n");
    r += strcspn(r, ",\n");
    if (*h != ',' || *r != ',') break;
  }
  test_fail(__FILE__, __LINE__, "no column %s", name);
  return NAN;
}

static Flow shear(double shrink) {
  char command[1000], header[8192] = "", row[8192] = "";
  Flow flow = {0};
  snprintf(
      command, sizeof command,
      "run %s/input/sheared-cell.yaml --quiet --overwrite --set 'cell.stretch=[\"t < 0.25 ? -%g "
      ": 0\", \"t < 0.25 ? -%g : 0\"]' --set time.end=1.5 --set output.every=0 --out " SCRAPS,
      TEST_SOURCE_DIR, shrink, shrink);
  CHECK_INT(app_run(command), 0);
  FILE *file = fopen(SCRAPS "/average_sheared.csv", "r");
  CHECK(file && fgets(header, sizeof header, file) && fgets(row, sizeof row, file));
  if (file) fclose(file);
  const double rate = 5, diameter = 19e-3, density = 2500;
  flow.solid = number_of(header, row, "solid");
  flow.pressure =
      -0.5 * (number_of(header, row, "stress_xx") + number_of(header, row, "stress_yy"));
  flow.ratio = 0.5 * (number_of(header, row, "stress_xy") + number_of(header, row, "stress_yx")) /
               flow.pressure;
  flow.error = number_of(header, row, "stress_xy_error") / flow.pressure;
  flow.inertial = rate * diameter * sqrt(density / flow.pressure);
  printf("solid %.4f  I %.3f  mu %.3f +- %.3f\n", flow.solid, flow.inertial, flow.ratio,
         flow.error);
  return flow;
}

TEST(friction_rises_and_the_packing_opens_with_the_inertial_number) {
  app_folder("sheared_cell");
  const Flow fast = shear(0.8), slow = shear(1.0);
  CHECK(fast.inertial > 3 * slow.inertial);
  CHECK(fast.ratio - slow.ratio > 0);
  CHECK(fabs(slow.ratio - (0.25 + 1.1 * slow.inertial)) < 0.1 + slow.error);
  CHECK(fabs(slow.solid - (0.81 - 0.3 * slow.inertial)) < 0.02);
  CHECK(fast.ratio < 0.25 + 1.1 * fast.inertial); /* beyond 0.2 it bends down */
}
