/* Half-space: solid below the local plane z = 0, in 2-D y = 0. */
#include <math.h>

#include "world/boundary/kind.h"

static void near_plane(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  const double normal[3] = {0, dim == 2, dim == 3};
  (void)b;
  dls_near_add(list, 0, false, c[dim - 1], normal);
}

static void ray_plane(const DlsBoundary *b, DlsRay *ray) {
  const int up = ray->dim - 1;
  const double t = -ray->from[up] / ray->way[up];
  (void)b;
  if (isfinite(t)) dls_ray_meet(ray, t, ray->way[up], false);
}

static bool behind_plane(int dim, const DlsBoundary *b, const double x[3], double depth) {
  (void)b;
  return x[dim - 1] < -depth;
}

static bool flat_plane(int dim, const DlsBoundary *b, const double x[3], double reach) {
  (void)dim, (void)b, (void)x, (void)reach;
  return true;
}

/* A part of it: a segment in 2-D, a square and its middle lines in 3-D. */
static DlsStatus outline_plane(int dim, const DlsBoundary *b, double reach, const DlsPose *pose,
                               int owner, DlsOutline *out) {
  (void)b;
  for (int k = dim == 2 ? 0 : -1; k <= (dim == 2 ? 0 : 1); k++) {
    const double across = k * reach;
    const double x0[3] = {-reach, across, 0}, x1[3] = {reach, across, 0};
    const double y0[3] = {across, -reach, 0}, y1[3] = {across, reach, 0};
    DLS_TRY(dls_outline_line(out, pose, owner, x0, x1));
    if (dim == 3) DLS_TRY(dls_outline_line(out, pose, owner, y0, y1));
  }
  return DLS_OK;
}

const DlsBoundaryOperations dls_boundary_plane = {
    .name = "plane",
    .near = near_plane,
    .supports = dls_boundary_supports_always,
    .ray = ray_plane,
    .behind = behind_plane,
    .flat = flat_plane,
    .outline = outline_plane,
};
