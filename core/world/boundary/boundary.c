/* What a boundary may be, where it goes, and the search for its nearest points in space axes. */
#include "world/boundary/boundary.h"

#include <math.h>

#include "base/small.h"
#include "world/boundary/boundary_impl.h"
#include "world/rotation.h"

static const double pi = 3.14159265358979323846;

const char *dls_boundary_text(DlsBoundaryKind kind) {
  static const char *const texts[] = {
#define TEXT(code, text) text,
      DLS_BOUNDARY_LIST(TEXT)
#undef TEXT
  };
  return (unsigned)kind < DLS_BOUNDARY_KINDS ? texts[kind] : "unknown";
}

static DlsStatus check_length(const DlsBoundary *b, int k, bool endless) {
  const double length = b->length[k];
  DLS_CHECK(length > 0 && (isfinite(length) || endless), DLS_ERR_ARGUMENT,
            "%s: length %g is not above 0%s", dls_boundary_text(b->kind), length,
            endless ? "" : ", or endless");
  return DLS_OK;
}

static DlsStatus check_radius(const DlsBoundary *b, int k, bool zero) {
  const double radius = b->radius[k];
  DLS_CHECK(isfinite(radius) && (radius > 0 || (zero && radius == 0)), DLS_ERR_ARGUMENT,
            "%s: radius %g is not above 0", dls_boundary_text(b->kind), radius);
  return DLS_OK;
}

static DlsStatus check_sizes(int dim, DlsBoundary *b) {
  switch (b->kind) {
  case DLS_BOUNDARY_PLANE:
    return DLS_OK;
  case DLS_BOUNDARY_SEGMENT:
    DLS_CHECK(dim == 2, DLS_ERR_ARGUMENT, "segment: only in 2-D; in 3-D use a thin box");
    DLS_TRY(check_length(b, 0, false));
    if (b->area == 0) b->area = b->length[0];
    return DLS_OK;
  case DLS_BOUNDARY_BOX:
    for (int k = 0; k < dim; k++) DLS_TRY(check_length(b, k, false));
    return DLS_OK;
  case DLS_BOUNDARY_CYLINDER:
    DLS_TRY(check_radius(b, 0, false));
    if (dim == 2) b->length[0] = HUGE_VAL;
    DLS_TRY(check_length(b, 0, true));
    return DLS_OK;
  case DLS_BOUNDARY_FRUSTUM:
    DLS_CHECK(dim == 3, DLS_ERR_ARGUMENT, "frustum: only in 3-D; in 2-D use two segments");
    DLS_TRY(check_length(b, 0, false));
    DLS_TRY(check_radius(b, 0, true));
    DLS_TRY(check_radius(b, 1, true));
    DLS_CHECK(b->radius[0] + b->radius[1] > 0, DLS_ERR_ARGUMENT, "frustum: both radii are 0");
    return DLS_OK;
  case DLS_BOUNDARY_PLATE:
    DLS_CHECK(dim == 3, DLS_ERR_ARGUMENT, "plate: only in 3-D; in 2-D use segments");
    DLS_TRY(check_radius(b, 0, true));
    DLS_TRY(check_radius(b, 1, false));
    DLS_CHECK(b->radius[0] < b->radius[1], DLS_ERR_ARGUMENT,
              "plate: the hole's radius %g is not below the plate's, %g", b->radius[0],
              b->radius[1]);
    if (b->area == 0) b->area = pi * (b->radius[1] * b->radius[1] - b->radius[0] * b->radius[0]);
    return DLS_OK;
  case DLS_BOUNDARY_SPHERE:
    return check_radius(b, 0, false);
  default:
    return dls_fail(DLS_ERR_ARGUMENT, "boundary: unknown kind %d", (int)b->kind);
  }
}

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
  const char *name = dls_boundary_text(b->kind);
  DLS_TRY(check_sizes(dim, b));
  DLS_TRY(check_pose(dim, b));
  DLS_CHECK(isfinite(b->rounding) && b->rounding >= 0, DLS_ERR_ARGUMENT,
            "%s: rounding %g is not a length from 0 on", name, b->rounding);
  DLS_CHECK(b->depth >= 0, DLS_ERR_ARGUMENT, "%s: depth %g is not a length from 0 on", name,
            b->depth);
  DLS_CHECK(isfinite(b->area) && b->area >= 0, DLS_ERR_ARGUMENT,
            "%s: area %g is not a number from 0 on", name, b->area);
  DLS_CHECK(b->open == 0 || b->inside, DLS_ERR_ARGUMENT,
            "%s: only a container, with grains inside, has open walls", name);
  const bool box = b->kind == DLS_BOUNDARY_BOX;
  const bool capped = b->kind == DLS_BOUNDARY_CYLINDER || b->kind == DLS_BOUNDARY_FRUSTUM;
  const unsigned caps = DLS_OPEN_Z0 | DLS_OPEN_Z1;
  const unsigned may_open = box ? (dim == 3 ? 63u : 15u) : capped && dim == 3 ? caps : 0;
  DLS_CHECK((b->open & ~may_open) == 0, DLS_ERR_ARGUMENT, "%s: it has no such wall to open", name);
  DLS_CHECK(!box || b->open != may_open, DLS_ERR_ARGUMENT, "box: every wall is open");
  return DLS_OK;
}

void dls_boundary_drift(double h, DlsBoundary *boundary) {
  for (int k = 0; k < 3; k++) boundary->position[k] += h * boundary->velocity[k];
  dls_rotation_turn(h, boundary->velocity + 3, boundary->orientation);
}

bool dls_boundary_closed(const DlsBoundary *b) {
  if (b->kind == DLS_BOUNDARY_CYLINDER && isinf(b->length[0])) return true;
  return b->open == 0;
}

void dls_near_add(DlsNearList *list, int feature, bool edge, double distance,
                  const double *normal) {
  if (!(distance < list->reach)) return;
  DlsNear *new = &list->near[list->count++];
  new->feature = feature;
  new->edge = edge;
  new->distance = distance;
  for (int k = 0; k < 3; k++) new->normal[k] = normal[k];
}

int dls_boundary_features(int dim, const DlsBoundary *boundary, const double centre[3],
                          double reach, DlsNear out[DLS_MAX_FEATURES]) {
  const DlsBoundary *b = boundary;
  DlsNearList list = {reach + b->rounding, 0, out};
  double c[3];
  for (int k = 0; k < 3; k++) c[k] = centre[k] - b->position[k];
  dls_rotation_apply_inverse(b->orientation, c, c);
  const bool thin = b->kind == DLS_BOUNDARY_SEGMENT || b->kind == DLS_BOUNDARY_PLATE;
  const bool walls = b->inside && b->kind != DLS_BOUNDARY_PLANE && b->kind != DLS_BOUNDARY_SPHERE;
  if (thin || walls)
    dls_near_walls(dim, b, c, &list);
  else
    dls_near_solid(dim, b, c, &list);
  for (int i = 0; i < list.count; i++) {
    out[i].distance -= b->rounding;
    dls_rotation_apply(b->orientation, out[i].normal, out[i].normal);
    for (int k = 0; k < 3; k++) out[i].point[k] = centre[k] - out[i].distance * out[i].normal[k];
  }
  return list.count;
}

bool dls_near_same(const DlsNear *a, const DlsNear *b) {
  return fabs(a->distance - b->distance) <= 1e-9 * fabs(a->distance) &&
         dls_vector_dot(a->normal, b->normal) >= 1 - 1e-14;
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
