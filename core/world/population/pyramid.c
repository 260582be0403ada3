/* Cannon balls: each ball lies in the hollow of those below, at the pitch p = 2 r + gap.
 *
 *   square base      layer k has (n - k)^2 balls, p / sqrt(2) above the last: n (n+1) (2n+1) / 6
 *   triangular base  layer k has (n - k) (n - k + 1) / 2, p sqrt(2/3) above:  n (n+1) (n+2) / 6
 *   2-D              row k has n - k disks, p sqrt(3)/2 above:                n (n+1) / 2 */
#include <math.h>

#include "world/population/population_impl.h"

static const double half_root3 = 0.86602540378443865, root_half = 0.70710678118654752,
                    root_two_thirds = 0.81649658092772603;

/* Layer k, in pitches about the axis: x, y of ball (i, j), i <= j where the base is triangular. */
static double *square_layer(int side, double height, double *x) {
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++, x += 3) {
      x[0] = i - 0.5 * (side - 1);
      x[1] = j - 0.5 * (side - 1);
      x[2] = height;
    }
  return x;
}

/* Rows of 1, 2 ... side balls; the centre of the triangle lies a third of its height from the base.
 */
static double *triangular_layer(int side, double height, double *x) {
  for (int j = 0; j < side; j++)
    for (int i = 0; i <= j; i++, x += 3) {
      x[0] = i - 0.5 * j;
      x[1] = half_root3 * (2.0 / 3.0 * (side - 1) - j);
      x[2] = height;
    }
  return x;
}

static double *row(int side, double height, double *x) {
  for (int i = 0; i < side; i++, x += 3) {
    x[0] = i - 0.5 * (side - 1);
    x[1] = height;
  }
  return x;
}

DlsStatus dls_population_pyramid(DlsPyramidBase base, int dim, int layers, double radius,
                                 double gap, const double *foot, DlsPopulation *out) {
  const int64_t n = layers;
  dls_population_clear(out);
  DLS_CHECK(layers > 0 && layers <= 1000, DLS_ERR_ARGUMENT, "pyramid: %d layers: 1 to 1000",
            layers);
  DLS_CHECK(radius > 0 && isfinite(radius), DLS_ERR_ARGUMENT,
            "pyramid: the radius is %g: it must be positive", radius);
  DLS_CHECK(gap >= 0 && isfinite(gap), DLS_ERR_ARGUMENT,
            "pyramid: the gap is %g: it must not be negative", gap);
  DLS_CHECK(base == DLS_PYRAMID_SQUARE || base == DLS_PYRAMID_TRIANGULAR, DLS_ERR_ARGUMENT,
            "pyramid: there is no base %d", (int)base);
  const int64_t count = dim == 2                     ? n * (n + 1) / 2
                        : base == DLS_PYRAMID_SQUARE ? n * (n + 1) * (2 * n + 1) / 6
                                                     : n * (n + 1) * (n + 2) / 6;
  DLS_TRY(dls_population_create("pyramid", dim, count, out));
  double *x = out->centre;
  for (int k = 0; k < layers; k++)
    x = dim == 2                     ? row(layers - k, k * half_root3, x)
        : base == DLS_PYRAMID_SQUARE ? square_layer(layers - k, k * root_half, x)
                                     : triangular_layer(layers - k, k * root_two_thirds, x);
  for (int g = 0; g < out->count; g++) {
    out->radius[g] = radius;
    for (int a = 0; a < dim; a++)
      out->centre[3 * g + a] = foot[a] + (2 * radius + gap) * out->centre[3 * g + a];
    out->centre[3 * g + dim - 1] += radius;
  }
  return DLS_OK;
}
