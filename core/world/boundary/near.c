/* What searches and rays of the kinds share. */
#include <math.h>

#include "world/boundary/kind.h"

void dls_near_add(DlsNearList *list, int feature, bool edge, double distance,
                  const double *normal) {
  if (!(distance < list->reach)) return;
  DlsNear *new = &list->near[list->count++];
  new->feature = feature;
  new->edge = edge;
  new->distance = distance;
  for (int k = 0; k < 3; k++) new->normal[k] = normal[k];
}

/* Distance to a wall from `away`, the vector from its foot to the centre, and `side`, its component
 * along the front: how far in front. */
void dls_near_add_wall(const DlsBoundary *b, int feature, bool edge, const double away[3],
                       const double front[3], DlsNearList *list) {
  const double distance = dls_vector_norm(away), side = dls_vector_dot(away, front);
  double normal[3];
  /* On the wall, or come through it: out by the front. */
  if (!(distance > 0) || (!edge && side < 0 && -side <= b->depth)) {
    dls_near_add(list, feature, edge, distance > 0 ? side : 0, front);
    return;
  }
  for (int k = 0; k < 3; k++) normal[k] = away[k] / distance;
  dls_near_add(list, feature, edge, distance, normal);
}

void dls_ray_meet(DlsRay *ray, double t, double along, bool thin) {
  if (!thin && along > 0 && t > 0) ray->leaves = fmin(ray->leaves, t);
  if (thin ? t <= 0 : along >= 0 || -t * along < -ray->slack) return;
  ray->nearest = fmin(ray->nearest, fmax(t, 0));
}

bool dls_near_same(const DlsNear *a, const DlsNear *b) {
  return fabs(a->distance - b->distance) <= 1e-9 * fabs(a->distance) &&
         dls_vector_dot(a->normal, b->normal) >= 1 - 1e-14;
}

DlsStatus dls_boundary_check_length(const DlsBoundary *b, int k, bool endless) {
  const double length = b->length[k];
  DLS_CHECK(length > 0 && (isfinite(length) || endless), DLS_ERR_ARGUMENT,
            "%s: length %g is not above 0%s", dls_boundary_text(b->kind), length,
            endless ? "" : ", or endless");
  return DLS_OK;
}

DlsStatus dls_boundary_check_radius(const DlsBoundary *b, int k, bool zero) {
  const double radius = b->radius[k];
  DLS_CHECK(isfinite(radius) && (radius > 0 || (zero && radius == 0)), DLS_ERR_ARGUMENT,
            "%s: radius %g is not above 0", dls_boundary_text(b->kind), radius);
  return DLS_OK;
}

bool dls_boundary_supports_always(const DlsBoundary *b, const DlsNear *near) {
  (void)b, (void)near;
  return true;
}

bool dls_boundary_supports_outside(const DlsBoundary *b, const DlsNear *near) {
  (void)near;
  return !b->inside;
}
