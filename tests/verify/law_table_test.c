/* The law `table` against laws with formulas: a curve that is sampled gives what the formula gives,
 * with an error that falls as the square of the spacing; curves that are straight give it exactly.
 */
#include "tests/test.h"

#include "law_bench/point.h"

#include <math.h>
#include <string.h>

enum { FRICTION, SLIP_FACTOR, TEMPERATURE_FACTOR, NORMAL, ROWS = 513 };

typedef struct {
  double x[ROWS], y[ROWS];
} Samples;

/* A law of its own with its default parameters, at rest, just touching. */
static bool open_point(const char *name, DlsPoint *point) {
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS];
  CHECK_OK(dls_law_find(name, &law));
  if (!law) return false;
  dls_law_defaults(law, params);
  CHECK_OK(dls_point_begin(law, params, 3, 0, 0.5, point));
  return true;
}

static void set(DlsPoint *point, const char *name, double value) {
  CHECK_OK(dls_law_set(point->law, point->params, name, value));
}

static void tabulate(DlsPoint *point, int table, const Samples *samples, int rows) {
  point->tables[table].rows = rows;
  point->tables[table].x = samples->x;
  point->tables[table].y = samples->y;
  CHECK_OK(dls_law_table_check(point->law, table, &point->tables[table], NULL));
}

/* The largest difference of the velocities of two points that are driven alike, in `steps`. */
static double apart(DlsPoint *one, DlsPoint *other, int steps, double h, const DlsDrive *drive) {
  double worst = 0;
  for (int k = 0; k < steps; k++) {
    CHECK_OK(dls_point_step(one, h, drive));
    CHECK_OK(dls_point_step(other, h, drive));
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(one->u[i] - other->u[i]));
  }
  return worst;
}

/* Pressed by 10 N and pulled by 3.6 N, above the friction of fast sliding and below that of rest:
 * it is given a push, and speeds up along the whole curve. */
static double stribeck_error(int rows, double fastest) {
  static const DlsDrive drive[3] = {{true, -10}, {true, 3.6}, {true, 0.2}};
  DlsPoint formula, table;
  Samples samples;
  if (!open_point("stribeck", &formula) || !open_point("table", &table)) return NAN;
  set(&formula, "mu_slow", 0.35);
  set(&formula, "mu_fast", 0.2);
  set(&formula, "v_scale", 0.3);
  for (int k = 0; k < rows; k++) {
    samples.x[k] = fastest * k / (rows - 1);
    samples.y[k] = 0.2 + 0.15 * exp(-samples.x[k] / 0.3);
  }
  tabulate(&table, FRICTION, &samples, rows);
  return apart(&formula, &table, 400, 1e-3, drive);
}

TEST(a_sampled_stribeck_curve_is_followed_at_second_order) {
  double before = NAN;
  for (int rows = 33; rows <= 257; rows = 2 * rows - 1) { /* spacings well below v_scale */
    const double error = stribeck_error(rows, 2), ratio = before / error;
    CHECK(error > 0);
    if (!isnan(before)) CHECK_TOLD(ratio > 3.5 && ratio < 4.5, "%d rows: ratio %g", rows, ratio);
    before = error;
  }
  /* 2 m/s are 256 spacings d, and the curve is off by at most d²/8 mu''; the force, 10 N of that,
   * acts for 0.4 s on 0.5 kg. Friction that falls with speed lets differences grow, by no more
   * than exp(10 N 0.5/(m/s) 0.4 s / 0.5 kg). */
  const double d = 2.0 / 256, off = d * d / 8 * 0.15 / (0.3 * 0.3);
  CHECK_BELOW(before, off * 10 * 0.4 / 0.5 * exp(4));
}

/* Two rows are a spring: elastic's linear one, through a strike and apart again. */
TEST(a_straight_line_of_force_is_a_linear_spring) {
  static const DlsDrive drive[3] = {{true, -2}, {true, 0}, {true, 0}};
  DlsPoint formula, table;
  const Samples samples = {{1e-4, 3e-4}, {5, 15}};
  if (!open_point("elastic", &formula) || !open_point("table", &table)) return;
  set(&formula, "k", 5e4);
  tabulate(&table, NORMAL, &samples, 2);
  formula.contact.u_before[0] = table.contact.u_before[0] = -0.2;
  CHECK_BELOW(apart(&formula, &table, 200, 1e-4, drive), 1e-12);
  CHECK(table.contact.gap > 0); /* it came back */
  CHECK_NEAR(table.dissipated, formula.dissipated, 1e-12);
}

/* Hertz's force k x^1.5, with rows that are dense where it bends: x = X (k/n)². */
static double hertz_error(int rows, double *stored) {
  static const DlsDrive drive[3] = {{true, -1}, {true, 0}, {true, 0}};
  DlsPoint formula, table;
  Samples samples;
  if (!open_point("elastic", &formula) || !open_point("table", &table)) return NAN;
  set(&formula, "k", 1e7);
  set(&formula, "exponent", 1.5);
  for (int k = 0; k < rows; k++) {
    const double part = (double)k / (rows - 1);
    samples.x[k] = 1e-3 * part * part;
    samples.y[k] = 1e7 * pow(samples.x[k], 1.5);
  }
  tabulate(&table, NORMAL, &samples, rows);
  formula.contact.u_before[0] = table.contact.u_before[0] = -0.3;
  const double error = apart(&formula, &table, 25, 1e-4, drive);
  *stored = fabs(table.stored / formula.stored - 1);
  return error;
}

TEST(a_sampled_force_of_hertz_is_followed_at_second_order) {
  double before = NAN, stored;
  for (int rows = 17; rows <= 129; rows = 2 * rows - 1) {
    const double error = hertz_error(rows, &stored), ratio = before / error;
    if (!isnan(before)) CHECK_TOLD(ratio > 3 && ratio < 5, "%d rows: ratio %g", rows, ratio);
    before = error;
  }
  CHECK_BELOW(stored, 1e-3);
}

/* Slip weakens, warmth too, and both factors stand before the coefficient: pulled at a given speed
 * the force is their product. */
TEST(factors_of_slip_and_temperature_multiply) {
  static const DlsDrive drive[3] = {{true, -10}, {false, 0.1}, {false, 0}};
  const Samples flat = {{0, 1}, {0.5, 0.5}}, slip = {{0, 0.01}, {1, 0.2}},
                warmth = {{300, 400}, {1, 0.5}};
  DlsPoint point;
  if (!open_point("table", &point)) return;
  tabulate(&point, FRICTION, &flat, 2);
  tabulate(&point, SLIP_FACTOR, &slip, 2);
  tabulate(&point, TEMPERATURE_FACTOR, &warmth, 2);
  point.fields[0][0] = 340;
  point.fields[1][0] = 380; /* 360 K: 0.7 */
  for (int k = 0; k < 150; k++) {
    const double slid = k * 1e-3 * 0.1, weak = slid < 0.01 ? 1 - 80 * slid : 0.2;
    CHECK_OK(dls_point_step(&point, 1e-3, drive));
    CHECK_NEAR(point.r[1] / 1e-3, -10 * 0.5 * weak * 0.7, 1e-6);
  }
}

/* The first row at an overlap of 0 with a force: the contact carries up to it as if it were
 * rigid. */
TEST(a_force_at_no_overlap_is_carried_before_it_yields) {
  const Samples samples = {{0, 1e-3}, {4, 14}};
  const double load[] = {3, 4, 9};
  for (int k = 0; k < 3; k++) {
    const DlsDrive drive[3] = {{true, -load[k]}, {true, 0}, {true, 0}};
    DlsPoint point;
    if (!open_point("table", &point)) return;
    tabulate(&point, NORMAL, &samples, 2);
    CHECK_OK(dls_point_step(&point, 1e-3, drive));
    if (load[k] <= 4) CHECK_NEAR(point.r[0] / 1e-3, load[k], 1e-9);
    if (load[k] <= 4) CHECK_NEAR(point.u[0], 0, 1e-12);
    if (load[k] > 4) CHECK(point.u[0] < 0);
    /* m u = h (f - load), f = 4 - 1e4 h u */
    if (load[k] > 4) CHECK_NEAR(point.u[0] * (0.5 + 1e4 * 1e-6), 1e-3 * (4 - load[k]), 1e-12);
  }
}
