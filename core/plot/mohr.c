#include "plot/mohr.h"

#include <math.h>
#include <stdio.h>

#include "plot/panel.h"

static const double pi = 3.14159265358979323846;
enum { TURN = 180, WIDTH = 480, HEIGHT = 400 };

DlsStatus dls_plot_mohr(int dim, const double principal[3], double pressure, double deviator,
                        const char *path) {
  static const int ends[3][2] = {{0, 1}, {1, 2}, {0, 2}};
  double x[3][TURN + 1], y[3][TURN + 1];
  DlsPlotCurve curves[3];
  char title[160];
  const int count = dim == 3 ? 3 : 1;
  for (int n = 0; n < count; n++) {
    const double a = -principal[ends[n][0]], b = -principal[ends[n][1]];
    for (int k = 0; k <= TURN; k++) {
      x[n][k] = 0.5 * (a + b) + 0.5 * (a - b) * cos(2 * pi * k / TURN);
      y[n][k] = 0.5 * (a - b) * sin(2 * pi * k / TURN);
    }
    curves[n] = (DlsPlotCurve){NULL,  x[n], y[n], TURN + 1, n == count - 1 ? 0xc0392b : 0x1f5fa8,
                               false, NULL, false};
  }
  snprintf(title, sizeof title, "Mohr: pressure %.4g Pa, deviator %.4g Pa", pressure, deviator);
  const DlsPlotPanel panel = {.title = title,
                              .x_label = "compression on the cut (Pa)",
                              .y_label = "shear (Pa)",
                              .curves = curves,
                              .count = count,
                              .equal = true};
  return dls_plot_panels(&panel, 1, 1, WIDTH, HEIGHT, path);
}
