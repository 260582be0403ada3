/* Half-space, box, cylinder and frustum from outside, sphere from either side: one nearest point. */
#include <math.h>

#include "world/boundary/boundary_impl.h"
#include "world/rotation.h"

static void near_plane(int dim, const double c[3], DlsNearList *list) {
  const double normal[3] = {0, dim == 2, dim == 3};
  dls_near_add(list, 0, false, c[dim - 1], normal);
}

static void near_sphere(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  const double r = dls_vector_norm(c), sign = b->inside ? -1 : 1;
  /* From the very centre every direction is as good: up. */
  double normal[3] = {0, dim == 2 ? sign : 0, dim == 3 ? sign : 0};
  if (r > 0)
    for (int k = 0; k < 3; k++) normal[k] = sign * c[k] / r;
  dls_near_add(list, 0, false, sign * (r - b->radius[0]), normal);
}

static void near_box(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  double away[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
  int outside = 0, deepest = 0;
  double depth = -HUGE_VAL;
  for (int k = 0; k < dim; k++) {
    const double beyond = fabs(c[k]) - b->length[k] / 2;
    if (beyond > 0) {
      away[k] = copysign(beyond, c[k]);
      outside++;
    }
    if (beyond > depth) {
      depth = beyond;
      deepest = k;
    }
  }
  if (outside == 0) {
    /* Within: out through the nearest face. */
    normal[deepest] = copysign(1, c[deepest]);
    dls_near_add(list, 0, false, depth, normal);
    return;
  }
  const double distance = dls_vector_norm(away);
  for (int k = 0; k < 3; k++) normal[k] = away[k] / distance;
  dls_near_add(list, 0, outside > 1, distance, normal);
}

/* Cylinder and frustum: a convex figure of side and two caps in the half-plane (rho, z). */
static void near_turned(const DlsBoundary *b, const double c[3], DlsNearList *list) {
  DlsProfile lines[3];
  const int count = dls_boundary_profiles(b, lines);
  const double rho = hypot(c[0], c[1]), z = c[2];
  const double e[2] = {rho > 0 ? c[0] / rho : 1, rho > 0 ? c[1] / rho : 0};
  double within = -HUGE_VAL, best = HUGE_VAL, out[2] = {1, 0};
  bool edge = false;
  for (int i = 0; i < count; i++) {
    const double side = dls_profile_side(&lines[i], rho, z);
    if (side > within) {
      within = side;
      for (int k = 0; k < 2; k++) out[k] = lines[i].front[k];
    }
  }
  if (within > 0) {
    for (int i = 0; i < count; i++) {
      const DlsProfile *p = &lines[i];
      const double along = (rho - p->rho) * p->along[0] + (z - p->z) * p->along[1];
      const double s = fmax(-p->half, fmin(p->half, along));
      const double dr = rho - p->rho - s * p->along[0], dz = z - p->z - s * p->along[1];
      const double distance = hypot(dr, dz);
      if (!(distance < best) || !(distance > 0)) continue;
      best = distance;
      edge = s >= p->half || (s <= -p->half && !p->to_axis);
      out[0] = dr / distance;
      out[1] = dz / distance;
    }
  }
  const double normal[3] = {out[0] * e[0], out[0] * e[1], out[1]};
  dls_near_add(list, 0, edge, within > 0 && isfinite(best) ? best : within, normal);
}

void dls_near_solid(int dim, const DlsBoundary *boundary, const double c[3], DlsNearList *list) {
  switch (boundary->kind) {
  case DLS_BOUNDARY_PLANE:
    near_plane(dim, c, list);
    break;
  case DLS_BOUNDARY_SPHERE:
    near_sphere(dim, boundary, c, list);
    break;
  case DLS_BOUNDARY_BOX:
    near_box(dim, boundary, c, list);
    break;
  default:
    near_turned(boundary, c, list);
  }
}
