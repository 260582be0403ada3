/* Colour maps from formulas in Oklab (Ottosson 2020), where Euclid's distance is what the eye sees.
 *
 * A map of lightness L, chroma C and hue h along s in [0, 1] moves with the speed
 *   |d/ds|^2 = L'^2 + C'^2 + C^2 h'^2
 * L and C linear in s and h' = k / C make each term constant: h = h0 + (h1 - h0) ln(C/C0) /
 * ln(C1/C0). */
#include "plot/svg.h"

#include <math.h>

typedef struct {
  double L[2], C[2], h[2]; /* at s = 0 and s = 1; h in degrees */
} Spiral;

/* Chosen so that the whole path lies inside sRGB. */
static const Spiral cool = {{0.33, 0.92}, {0.12, 0.10}, {310, 110}};
static const Spiral warm = {{0.97, 0.38}, {0.06, 0.15}, {105, 5}};

static double gamma_of(double linear) {
  if (linear <= 0) return 0;
  if (linear >= 1) return 1;
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

static DlsColour from_oklab(double L, double a, double b) {
  const double l = pow(L + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = pow(L - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = pow(L - 0.0894841775 * a - 1.2914855480 * b, 3);
  const double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
  return ((DlsColour)lround(255 * gamma_of(red)) << 16) |
         ((DlsColour)lround(255 * gamma_of(green)) << 8) | (DlsColour)lround(255 * gamma_of(blue));
}

static DlsColour from_polar(double L, double C, double degrees) {
  const double h = degrees * (3.141592653589793 / 180);
  return from_oklab(L, C * cos(h), C * sin(h));
}

static DlsColour on_spiral(const Spiral *p, double s) {
  const double C = p->C[0] + (p->C[1] - p->C[0]) * s;
  const double turn = log(C / p->C[0]) / log(p->C[1] / p->C[0]);
  return from_polar(p->L[0] + (p->L[1] - p->L[0]) * s, C, p->h[0] + (p->h[1] - p->h[0]) * turn);
}

DlsColour dls_map_colour(DlsMap map, double share) {
  const double s = share > 0 ? fmin(share, 1) : 0; /* NaN is 0 */
  const double side = fabs(2 * s - 1);
  switch (map) {
  case DLS_MAP_COOL:
    return on_spiral(&cool, s);
  case DLS_MAP_WARM:
    return on_spiral(&warm, s);
  case DLS_MAP_SIGNED:
    return from_polar(0.96 - 0.46 * side, 0.15 * side, s < 0.5 ? 255 : 25);
  default:
    return from_oklab(0.96 - 0.76 * s, 0, 0);
  }
}
