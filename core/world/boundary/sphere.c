/* Sphere, in 2-D a circle, of radius[0]: from outside or inside. */
#include <math.h>

#include "world/boundary/kind.h"

enum { MERIDIAN = 24 }; /* chords of half a circle */

static DlsStatus check_sphere(int dim, DlsBoundary *b) {
  (void)dim;
  return dls_boundary_check_radius(b, 0, false);
}

static void near_sphere(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  const double r = dls_vector_norm(c), sign = b->inside ? -1 : 1;
  /* From the very centre every direction is as good: up. */
  double normal[3] = {0, dim == 2 ? sign : 0, dim == 3 ? sign : 0};
  if (r > 0)
    for (int k = 0; k < 3; k++) normal[k] = sign * c[k] / r;
  dls_near_add(list, 0, false, sign * (r - b->radius[0]), normal);
}

static void ray_sphere(const DlsBoundary *b, DlsRay *ray) {
  const double B = dls_vector_dot(ray->from, ray->way), sign = b->inside ? -1 : 1;
  const double r = b->radius[0], square = B * B - dls_vector_dot(ray->from, ray->from) + r * r;
  for (int root = 0; root < 2 && square >= 0; root++) {
    const double t = -B + (root ? sqrt(square) : -sqrt(square));
    dls_ray_meet(ray, t, sign * (B + t) / r, false);
  }
}

static bool behind_sphere(int dim, const DlsBoundary *b, const double x[3], double depth) {
  (void)dim;
  return (b->inside ? -1 : 1) * (dls_vector_norm(x) - b->radius[0]) < -depth;
}

static DlsStatus outline_sphere(int dim, const DlsBoundary *b, const DlsSight *sight,
                                const DlsPose *pose, int owner, DlsOutline *out) {
  (void)dim, (void)sight;
  return dls_outline_circle(out, pose, owner, b->radius[0], 0);
}

static DlsStatus faces_sphere(const DlsBoundary *b, const DlsSight *sight, const DlsPose *pose,
                              int owner, DlsFaces *out) {
  double line[MERIDIAN + 1][2];
  (void)sight;
  for (int k = 0; k <= MERIDIAN; k++) {
    const double angle = k * 3.14159265358979323846 / MERIDIAN;
    line[k][0] = k % MERIDIAN ? b->radius[0] * sin(angle) : 0;
    line[k][1] = -b->radius[0] * cos(angle);
  }
  return dls_faces_turned(out, pose, owner, line, MERIDIAN + 1);
}

static double side_sphere(int dim, const DlsBoundary *b) {
  const double r = b->radius[0], pi = 3.14159265358979323846;
  return dim == 3 ? 4 * pi * r * r : 2 * pi * r;
}

static void outward_sphere(int dim, const double x[3], double out[3]) {
  const double r = dls_vector_norm(x);
  (void)dim;
  for (int k = 0; k < 3; k++) out[k] = r > 0 ? x[k] / r : k == 0;
}

const DlsBoundaryOperations dls_boundary_sphere = {
    .name = "sphere",
    .radii = 1,
    .radius_example = "radius: [0.2]",
    .has_inside = true,
    .check = check_sphere,
    .near = near_sphere,
    .supports = dls_boundary_supports_outside,
    .ray = ray_sphere,
    .behind = behind_sphere,
    .side = side_sphere,
    .outward = outward_sphere,
    .outline = outline_sphere,
    .faces = faces_sphere,
};
