/* Curves of a race are told apart: in grey by dash and mark, in colour by those who see all colours
 * and by those who do not. */
#include "tests/test.h"

#include "plot/runner.h"

/* Colours come again; dash and mark together do not. */
TEST(runners_differ_without_colour) {
  for (int a = 0; a < DLS_PLOT_RUNNERS; a++)
    for (int b = 0; b < a; b++) {
      const DlsSvgStyle x = dls_plot_line(a), y = dls_plot_line(b);
      const bool dashes = x.dash != y.dash || x.gap != y.gap || x.dot != y.dot;
      CHECK(dashes || dls_plot_mark(a) != dls_plot_mark(b));
    }
}

static double linear(int byte) {
  const double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Oklab of a colour as one sees it for whom `see` [3][3] mixes linear red, green and blue. */
static void to_oklab(DlsColour colour, const double see[3][3], double out[3]) {
  const double rgb[3] = {linear(colour >> 16 & 255), linear(colour >> 8 & 255),
                         linear(colour & 255)};
  double seen[3];
  for (int i = 0; i < 3; i++) {
    seen[i] = see[i][0] * rgb[0] + see[i][1] * rgb[1] + see[i][2] * rgb[2];
    seen[i] = fmin(fmax(seen[i], 0), 1);
  }
  const double l = cbrt(0.4122214708 * seen[0] + 0.5363325363 * seen[1] + 0.0514459929 * seen[2]);
  const double m = cbrt(0.2119034982 * seen[0] + 0.6806995451 * seen[1] + 0.1073969566 * seen[2]);
  const double s = cbrt(0.0883024619 * seen[0] + 0.2817188376 * seen[1] + 0.6299787005 * seen[2]);
  out[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  out[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  out[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

/* Machado, Oliveira and Fernandes 2009: all colours, no red cones, no green cones. A difference of
 * 0.02 in Oklab is just seen side by side; what shares a dash or a mark has to differ by twice
 * that, and nothing may be lost on white paper. */
TEST(colours_are_seen_by_all) {
  static const double eyes[3][3][3] = {
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {{0.152286, 1.052583, -0.204868},
       {0.114503, 0.786281, 0.099216},
       {-0.003882, -0.048116, 1.051998}},
      {{0.367322, 0.860646, -0.227968},
       {0.280085, 0.672501, 0.047413},
       {-0.011820, 0.042940, 0.968881}},
  };
  for (int eye = 0; eye < 3; eye++)
    for (int a = 0; a < DLS_PLOT_RUNNERS; a++) {
      double x[3], y[3];
      to_oklab(dls_plot_colour(a), eyes[eye], x);
      CHECK_BELOW(x[0], 0.80);
      for (int b = 0; b < a; b++) {
        const DlsSvgStyle p = dls_plot_line(a), q = dls_plot_line(b);
        const bool alike =
            dls_plot_mark(a) == dls_plot_mark(b) || (p.dash == q.dash && p.dot == q.dot);
        if (!alike || dls_plot_colour(a) == dls_plot_colour(b)) continue;
        to_oklab(dls_plot_colour(b), eyes[eye], y);
        const double far = sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                                (x[2] - y[2]) * (x[2] - y[2]));
        CHECK_BELOW(0.04, far);
      }
    }
}
