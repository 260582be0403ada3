#include "tests/test.h"

#include "post/janssen.h"

enum { LAYERS = 15 };

static const double gradient = 19000;

static void layers(double length, double depth[LAYERS], double pressure[LAYERS]) {
  for (int k = 0; k < LAYERS; k++) {
    depth[k] = 0.02 * k - 0.005; /* the first is above the surface */
    pressure[k] = dls_janssen_pressure(gradient, length, depth[k]);
  }
}

TEST(the_length_of_an_exponential_is_found) {
  static const double lengths[] = {0.003, 0.05, 0.2, 3};
  double depth[LAYERS], pressure[LAYERS];
  DlsJanssen fit;
  for (int n = 0; n < DLS_COUNT(lengths); n++) {
    layers(lengths[n], depth, pressure);
    CHECK_OK(dls_janssen_fit(LAYERS, depth, pressure, gradient, &fit));
    CHECK_NEAR(fit.length, lengths[n], 1e-6 * lengths[n]);
    CHECK_NEAR(fit.saturation, gradient * lengths[n], 1e-6 * gradient * lengths[n]);
    CHECK_BELOW(fit.residual, 1e-6);
  }
}

/* Far above its length the law is flat, far below it is that of a liquid. */
TEST(the_law_has_its_limits) {
  CHECK_NEAR(dls_janssen_pressure(gradient, 0.1, 10), 0.1 * gradient, 1e-9);
  CHECK_NEAR(dls_janssen_pressure(gradient, 1e6, 0.1), 0.1 * gradient, 1e-3);
  CHECK_NEAR(dls_janssen_pressure(gradient, HUGE_VAL, 0.1), 0.1 * gradient, 1e-12);
  CHECK_NEAR(dls_janssen_pressure(gradient, 0.1, -1), 0, 0);
}

/* The least squares of an exponential with a ripple across it: the ripple is what is left. */
TEST(what_the_fit_leaves_is_told) {
  double depth[LAYERS], pressure[LAYERS];
  DlsJanssen fit;
  layers(0.06, depth, pressure);
  for (int k = 1; k < LAYERS; k++) pressure[k] += (k % 2 ? 1 : -1) * 0.05 * 0.06 * gradient;
  CHECK_OK(dls_janssen_fit(LAYERS, depth, pressure, gradient, &fit));
  CHECK_NEAR(fit.length, 0.06, 0.02 * 0.06);
  CHECK_NEAR(fit.residual, 0.05 * sqrt((LAYERS - 1.0) / LAYERS), 0.002);
}

TEST(a_straight_line_has_no_length) {
  double depth[LAYERS], pressure[LAYERS];
  DlsJanssen fit;
  layers(HUGE_VAL, depth, pressure);
  CHECK_OK(dls_janssen_fit(LAYERS, depth, pressure, gradient, &fit));
  CHECK(isinf(fit.length));
  CHECK_FAILS(dls_janssen_fit(LAYERS, depth, pressure, 0, &fit), DLS_ERR_ARGUMENT, "weight per");
  CHECK_FAILS(dls_janssen_fit(1, depth, pressure, 1, &fit), DLS_ERR_ARGUMENT, "above 0");
}
