/* What all boundaries share: their pose and motion, and questions to their kind in space axes. */
#include "world/boundary/boundary.h"

#include <math.h>

#include "base/small.h"
#include "world/boundary/kind.h"

static DlsStatus check_pose(int dim, DlsBoundary *b) {
  const char *name = dls_boundary_text(b->kind);
  double *q = b->orientation;
  DLS_CHECK(dls_small_finite(3, b->position) && dls_small_finite(4, q) &&
                dls_small_finite(6, b->velocity),
            DLS_ERR_ARGUMENT, "%s: position, orientation or velocity is not finite", name);
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) q[0] = 1;
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  DLS_CHECK(fabs(square - 1) < 1e-6, DLS_ERR_ARGUMENT,
            "%s: the orientation is a quaternion of length %g, not 1", name, sqrt(square));
  dls_rotation_normalise(q);
  if (dim == 3) return DLS_OK;
  DLS_CHECK(b->position[2] == 0 && q[1] == 0 && q[2] == 0 && b->velocity[2] == 0 &&
                b->velocity[3] == 0 && b->velocity[4] == 0,
            DLS_ERR_ARGUMENT, "%s: place or motion out of the plane in 2-D", name);
  return DLS_OK;
}

DlsStatus dls_boundary_check(int dim, DlsBoundary *boundary) {
  DlsBoundary *b = boundary;
  const DlsBoundaryOperations *kind = dls_boundary_operations(b->kind);
  DLS_CHECK(kind, DLS_ERR_ARGUMENT, "boundary: unknown kind %d", (int)b->kind);
  DLS_CHECK(!kind->only_dim || kind->only_dim == dim, DLS_ERR_ARGUMENT, "%s: only in %d-D; %s",
            kind->name, kind->only_dim, kind->instead);
  DLS_TRY(check_pose(dim, b));
  DLS_CHECK(isfinite(b->rounding) && b->rounding >= 0, DLS_ERR_ARGUMENT,
            "%s: rounding %g is not a length from 0 on", kind->name, b->rounding);
  DLS_CHECK(b->depth >= 0, DLS_ERR_ARGUMENT, "%s: depth %g is not a length from 0 on", kind->name,
            b->depth);
  DLS_CHECK(isfinite(b->area) && b->area >= 0, DLS_ERR_ARGUMENT,
            "%s: area %g is not a number from 0 on", kind->name, b->area);
  DLS_CHECK(b->open == 0 || b->inside, DLS_ERR_ARGUMENT,
            "%s: only a container, with grains inside, has open walls", kind->name);
  DLS_CHECK((b->open & ~dls_by_dim(kind->openings, dim)) == 0, DLS_ERR_ARGUMENT,
            "%s: it has no such wall to open", kind->name);
  DLS_CHECK(!(b->flags & DLS_BOUNDARY_SWELLS) || kind->side, DLS_ERR_ARGUMENT,
            "%s: it has no radius that can change", kind->name);
  return kind->check ? kind->check(dim, b) : DLS_OK;
}

void dls_boundary_drift(double h, DlsBoundary *boundary) {
  for (int k = 0; k < 3; k++) boundary->position[k] += h * boundary->velocity[k];
  dls_rotation_turn(h, boundary->velocity + 3, boundary->orientation);
}

/* A place in the axes of a boundary. */
static inline void to_local(const DlsBoundary *b, const double x[3], double out[3]) {
  double away[3];
  for (int k = 0; k < 3; k++) away[k] = x[k] - b->position[k];
  dls_rotation_apply_inverse(b->orientation, away, out);
}

int dls_boundary_features(int dim, const DlsBoundary *boundary, const double centre[3],
                          double reach, DlsNear out[DLS_MAX_FEATURES]) {
  const DlsBoundary *b = boundary;
  DlsNearList list = {reach + b->rounding, 0, out};
  double c[3];
  to_local(b, centre, c);
  dls_boundary_operations(b->kind)->near(dim, b, c, &list);
  for (int i = 0; i < list.count; i++) {
    out[i].distance -= b->rounding;
    dls_rotation_apply(b->orientation, out[i].normal, out[i].normal);
    for (int k = 0; k < 3; k++) out[i].point[k] = centre[k] - out[i].distance * out[i].normal[k];
  }
  return list.count;
}

int dls_boundary_near(int dim, const DlsBoundary *boundary, const double centre[3], double reach,
                      DlsNear out[DLS_MAX_FEATURES]) {
  const int found = dls_boundary_features(dim, boundary, centre, reach, out);
  int count = 0;
  for (int i = 0; i < found; i++) {
    bool seen = false;
    for (int j = 0; j < count; j++) seen = seen || dls_near_same(&out[i], &out[j]);
    if (!seen) out[count++] = out[i];
  }
  return count;
}

double dls_boundary_ray(int dim, const DlsBoundary *b, const double from[3],
                        const double direction[3], double slack, double *leaves) {
  const DlsBoundaryOperations *kind = dls_boundary_operations(b->kind);
  DlsRay ray = {.dim = dim, .slack = slack, .nearest = HUGE_VAL, .leaves = HUGE_VAL};
  to_local(b, from, ray.from);
  dls_rotation_apply_inverse(b->orientation, direction, ray.way);
  kind->ray(b, &ray);
  *leaves = HUGE_VAL;
  if (b->inside || !kind->has_inside) return ray.nearest; /* no convex solid */
  if (ray.leaves == HUGE_VAL) return HUGE_VAL;            /* the solid lies behind the ray */
  *leaves = fmax(ray.leaves, ray.nearest);
  return ray.nearest;
}

bool dls_boundary_behind(int dim, const DlsBoundary *b, const double x[3], double depth) {
  const DlsBoundaryOperations *kind = dls_boundary_operations(b->kind);
  double place[3];
  to_local(b, x, place);
  return kind->behind && kind->behind(dim, b, place, depth);
}

bool dls_boundary_flat(int dim, const DlsBoundary *b, const double x[3], double reach) {
  const DlsBoundaryOperations *kind = dls_boundary_operations(b->kind);
  double place[3];
  to_local(b, x, place);
  return kind->flat && kind->flat(dim, b, place, reach);
}

bool dls_boundary_supports(const DlsBoundary *b, const DlsNear *near) {
  const DlsBoundaryOperations *kind = dls_boundary_operations(b->kind);
  return kind->supports && kind->supports(b, near);
}

double dls_boundary_side(int dim, const DlsBoundary *b) {
  const DlsBoundaryOperations *kind = dls_boundary_operations(b->kind);
  return kind->side ? kind->side(dim, b) : 0;
}

double dls_boundary_outward(int dim, const DlsBoundary *b, const double point[3],
                            const double normal[3]) {
  const DlsBoundaryOperations *kind = dls_boundary_operations(b->kind);
  double place[3], n[3], e[3];
  if (!kind->outward) return 0;
  to_local(b, point, place);
  dls_rotation_apply_inverse(b->orientation, normal, n);
  kind->outward(dim, place, e);
  return dls_vector_dot(n, e);
}
