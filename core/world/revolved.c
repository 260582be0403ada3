#include "world/revolved.h"

#include <math.h>
#include <stdlib.h>

#include "world/convex.h"

static const double pi = 3.14159265358979323846;

static DlsStatus check(const char *what, int sides, double radius, double height) {
  DLS_CHECK(sides >= 3 && sides <= DLS_REVOLVED_SIDES, DLS_ERR_ARGUMENT,
            "a %s of %d sides: from 3 to %d", what, sides, DLS_REVOLVED_SIDES);
  DLS_CHECK(isfinite(radius) && radius > 0 && isfinite(height) && height > 0, DLS_ERR_ARGUMENT,
            "a %s has a radius and a height above 0, not %g and %g m", what, radius, height);
  return DLS_OK;
}

static void circle(int sides, double radius, double z, double (*out)[3]) {
  for (int k = 0; k < sides; k++) {
    out[k][0] = radius * cos(2 * pi * k / sides);
    out[k][1] = radius * sin(2 * pi * k / sides);
    out[k][2] = z;
  }
}

/* The shape of these numbers, with the mass of the true solid: inertia across the axis, and along
 * it. */
static DlsStatus finish(DlsConvexNumbers *numbers, double volume, double across, double along,
                        DlsShape *out) {
  const DlsShapePart part = {
      .kind = DLS_SHAPE_CONVEX, .count = numbers->count, .number = numbers->number};
  const double centre[3] = {0}, tensor[9] = {across, 0, 0, 0, across, 0, 0, 0, along};
  DlsStatus status = dls_shape_compose(3, 1, &part, out);
  free(numbers->number);
  if (status == DLS_OK) status = dls_shape_set_mass(out, volume, centre, tensor);
  if (status != DLS_OK) dls_shape_clear(out);
  return status;
}

DlsStatus dls_shape_cylinder(int sides, double radius, double height, DlsShape *out) {
  double corner[DLS_REVOLVED_SIDES][3];
  DlsConvexNumbers numbers;
  *out = (DlsShape){0};
  DLS_TRY(check("cylinder", sides, radius, height));
  circle(sides, radius, 0, corner);
  DLS_TRY(dls_convex_prism(0, sides, (const double(*)[3])corner, height, &numbers));
  const double volume = pi * radius * radius * height;
  return finish(&numbers, volume, volume * (3 * radius * radius + height * height) / 12,
                volume * radius * radius / 2, out);
}

/* The centre of mass is a quarter of the height above the base. */
DlsStatus dls_shape_cone(int sides, double radius, double height, DlsShape *out) {
  double vertex[DLS_REVOLVED_SIDES + 1][3];
  int start[DLS_REVOLVED_SIDES + 2], corner[4 * DLS_REVOLVED_SIDES], n = 0;
  DlsConvexNumbers numbers;
  *out = (DlsShape){0};
  DLS_TRY(check("cone", sides, radius, height));
  circle(sides, radius, -height / 4, vertex);
  vertex[sides][0] = vertex[sides][1] = 0;
  vertex[sides][2] = 0.75 * height;
  for (int k = 0; k < sides; k++) {
    start[k] = n;
    corner[n++] = k;
    corner[n++] = (k + 1) % sides;
    corner[n++] = sides;
  }
  start[sides] = n;
  for (int k = sides - 1; k >= 0; k--) corner[n++] = k;
  start[sides + 1] = n;
  DLS_TRY(dls_convex_build(3, 0, sides + 1, (const double(*)[3])vertex, sides + 1, start, corner,
                           &numbers));
  const double volume = pi * radius * radius * height / 3;
  return finish(&numbers, volume, volume * 3 * (4 * radius * radius + height * height) / 80,
                volume * 3 * radius * radius / 10, out);
}
