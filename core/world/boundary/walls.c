/* Thin walls and containers: segment, box from inside, and lines turned about the axis (cylinder
 * and frustum from inside, plate). Each wall is a feature of its own. */
#include <math.h>
#include <string.h>

#include "world/boundary/boundary_impl.h"
#include "world/rotation.h"

/* Distance to a wall from `away`, the vector from its foot to the centre, and `side`, its component
 * along the front: how far in front. */
static void add_wall(const DlsBoundary *b, int feature, bool edge, const double away[3],
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

static void near_segment(const DlsBoundary *b, const double c[3], DlsNearList *list) {
  const double half = b->length[0] / 2, foot = fmax(-half, fmin(half, c[0]));
  const double away[3] = {c[0] - foot, c[1], 0}, front[3] = {0, 1, 0};
  add_wall(b, 0, fabs(c[0]) > half, away, front, list);
}

/* Faces -x +x -y +y -z +z are features 0 to 5. */
static void near_box_inside(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  bool within = true;
  const bool closed = dls_boundary_closed(b);
  for (int k = 0; k < dim; k++) within = within && fabs(c[k]) <= b->length[k] / 2;
  for (int face = 0; face < 2 * dim; face++) {
    if (b->open & (1u << face)) continue;
    const int k = face / 2;
    const double sign = face % 2 ? 1 : -1, side = b->length[k] / 2 - sign * c[k];
    double front[3] = {0, 0, 0}, away[3] = {0, 0, 0};
    bool edge = false;
    if (side >= list->reach) continue;
    front[k] = -sign;
    if (closed) {
      /* Beyond a corner of a closed box only the walls it is behind push. */
      if (within || side < 0) dls_near_add(list, face, false, side, front);
      continue;
    }
    away[k] = -sign * side;
    for (int j = 0; j < dim; j++) {
      if (j == k) continue;
      const double beyond = fabs(c[j]) - b->length[j] / 2;
      if (beyond <= 0) continue;
      away[j] = copysign(beyond, c[j]);
      edge = true;
    }
    add_wall(b, face, edge, away, front, list);
  }
}

int dls_boundary_profiles(const DlsBoundary *b, DlsProfile out[3]) {
  if (b->kind == DLS_BOUNDARY_PLATE) {
    out[0] = (DlsProfile){.rho = (b->radius[0] + b->radius[1]) / 2,
                          .along = {1, 0},
                          .half = (b->radius[1] - b->radius[0]) / 2,
                          .front = {0, 1},
                          .to_axis = b->radius[0] == 0};
    return 1;
  }
  const bool cylinder = b->kind == DLS_BOUNDARY_CYLINDER;
  const double r0 = b->radius[0], r1 = cylinder ? r0 : b->radius[1], sign = b->inside ? -1 : 1;
  const double length = b->length[0];
  const bool endless = isinf(length);
  const double slant = cylinder ? length : hypot(r1 - r0, length);
  const double along[2] = {cylinder ? 0 : (r1 - r0) / slant, cylinder ? 1 : length / slant};
  int count = 1;
  out[0] = (DlsProfile){.rho = (r0 + r1) / 2,
                        .along = {along[0], along[1]},
                        .half = slant / 2,
                        .front = {sign * along[1], -sign * along[0]}};
  for (int cap = 0; cap < 2 && !endless; cap++) {
    const double radius = cap ? r1 : r0;
    if (radius == 0 || b->open & (cap ? DLS_OPEN_Z1 : DLS_OPEN_Z0)) continue;
    out[count++] = (DlsProfile){.rho = radius / 2,
                                .z = (cap ? 0.5 : -0.5) * length,
                                .along = {1, 0},
                                .half = radius / 2,
                                .front = {0, sign * (cap ? 1 : -1)},
                                .feature = 3 * (cap + 1),
                                .to_axis = true};
  }
  return count;
}

/* The wall's line in the meridian plane of direction e. */
static void near_meridian(const DlsBoundary *b, const DlsProfile *p, int feature, const double e[2],
                          const double c[3], DlsNearList *list) {
  const double d[3] = {c[0] - p->rho * e[0], c[1] - p->rho * e[1], c[2] - p->z};
  const double line[3] = {p->along[0] * e[0], p->along[0] * e[1], p->along[1]};
  const double front[3] = {p->front[0] * e[0], p->front[0] * e[1], p->front[1]};
  const double s = fmax(-p->half, fmin(p->half, dls_vector_dot(d, line)));
  const bool edge = s >= p->half || (s <= -p->half && !p->to_axis);
  const double away[3] = {d[0] - s * line[0], d[1] - s * line[1], d[2] - s * line[2]};
  add_wall(b, feature, edge, away, front, list);
}

static void near_profile(const DlsBoundary *b, const DlsProfile *p, const double c[3],
                         DlsNearList *list) {
  const double rho = hypot(c[0], c[1]);
  const double e[2] = {rho > 0 ? c[0] / rho : 1, rho > 0 ? c[1] / rho : 0};
  const double along = (rho - p->rho) * p->along[0] + (c[2] - p->z) * p->along[1];
  const double foot = p->rho + fmax(-p->half, fmin(p->half, along)) * p->along[0];
  near_meridian(b, p, p->feature, e, c, list);
  /* A ball that plugs a hole, pipe or funnel touches all around: three contacts hold it. They are
   * within reach only then; over a flat plate, or from outside, there is one nearest point. */
  if (!(rho < foot)) return;
  for (int turn = 1; turn <= 2; turn++) {
    const double sine = turn == 1 ? sqrt(0.75) : -sqrt(0.75);
    const double other[2] = {-0.5 * e[0] - sine * e[1], sine * e[0] - 0.5 * e[1]};
    near_meridian(b, p, p->feature + turn, other, c, list);
  }
}

static void near_turned_inside(const DlsBoundary *b, const double c[3], DlsNearList *list) {
  DlsProfile lines[3];
  const int count = dls_boundary_profiles(b, lines);
  const double rho = hypot(c[0], c[1]);
  bool within = true;
  if (b->kind != DLS_BOUNDARY_PLATE && dls_boundary_closed(b)) {
    for (int i = 0; i < count; i++) within = within && dls_profile_side(&lines[i], rho, c[2]) >= 0;
  }
  for (int i = 0; i < count; i++) {
    if (within) {
      near_profile(b, &lines[i], c, list);
      continue;
    }
    /* Out of a closed container: the walls it is behind push, however far. */
    const double side = dls_profile_side(&lines[i], rho, c[2]);
    const double e[2] = {rho > 0 ? c[0] / rho : 1, rho > 0 ? c[1] / rho : 0};
    const double front[3] = {lines[i].front[0] * e[0], lines[i].front[0] * e[1], lines[i].front[1]};
    if (side < 0) dls_near_add(list, lines[i].feature, false, side, front);
  }
}

void dls_near_walls(int dim, const DlsBoundary *boundary, const double c[3], DlsNearList *list) {
  switch (boundary->kind) {
  case DLS_BOUNDARY_SEGMENT:
    near_segment(boundary, c, list);
    break;
  case DLS_BOUNDARY_BOX:
    near_box_inside(dim, boundary, c, list);
    break;
  default:
    near_turned_inside(boundary, c, list);
  }
}
