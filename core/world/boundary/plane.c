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
static DlsStatus outline_plane(int dim, const DlsBoundary *b, const DlsSight *sight,
                               const DlsPose *pose, int owner, DlsOutline *out) {
  const double reach = sight->reach;
  double c[3];
  (void)b;
  dls_pose_to_local(pose, sight->centre, c);
  for (int k = dim == 2 ? 0 : -1; k <= (dim == 2 ? 0 : 1); k++) {
    const double y = dim == 2 ? 0 : c[1] + k * reach, x = c[0] + k * reach;
    const double x0[3] = {c[0] - reach, y, 0}, x1[3] = {c[0] + reach, y, 0};
    const double y0[3] = {x, c[1] - reach, 0}, y1[3] = {x, c[1] + reach, 0};
    DLS_TRY(dls_outline_line(out, pose, owner, x0, x1));
    if (dim == 3) DLS_TRY(dls_outline_line(out, pose, owner, y0, y1));
  }
  return DLS_OK;
}

static DlsStatus faces_plane(const DlsBoundary *b, const DlsSight *sight, const DlsPose *pose,
                             int owner, DlsFaces *out) {
  const double reach = sight->reach;
  double c[3], corner[4][3] = {{0}};
  (void)b;
  dls_pose_to_local(pose, sight->centre, c);
  for (int k = 0; k < 4; k++) {
    corner[k][0] = c[0] + (k == 1 || k == 2 ? reach : -reach);
    corner[k][1] = c[1] + (k >= 2 ? reach : -reach);
  }
  return dls_faces_polygon(out, pose, owner, corner, 4);
}

const DlsBoundaryOperations dls_boundary_plane = {
    .name = "plane",
    .near = near_plane,
    .supports = dls_boundary_supports_always,
    .ray = ray_plane,
    .behind = behind_plane,
    .flat = flat_plane,
    .outline = outline_plane,
    .faces = faces_plane,
};
