/* Box of edges length[3], in 2-D the first two: a solid from outside, a container with walls that
 * may be open from inside. */
#include <math.h>
#include <string.h>

#include "world/boundary/kind.h"

static DlsStatus check_box(int dim, DlsBoundary *b) {
  for (int k = 0; k < dim; k++) DLS_TRY(dls_boundary_check_length(b, k, false));
  DLS_CHECK(b->open != dls_by_dim(dls_boundary_box.openings, dim), DLS_ERR_ARGUMENT,
            "box: every wall is open");
  return DLS_OK;
}

static void near_outside(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
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

/* Faces -x +x -y +y -z +z are features 0 to 5. */
static void near_inside(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  bool within = true;
  for (int k = 0; k < dim; k++) within = within && fabs(c[k]) <= b->length[k] / 2;
  for (int face = 0; face < 2 * dim; face++) {
    if (b->open & (1u << face)) continue;
    const int k = face / 2;
    const double sign = face % 2 ? 1 : -1, side = b->length[k] / 2 - sign * c[k];
    double front[3] = {0, 0, 0}, away[3] = {0, 0, 0};
    bool edge = false;
    if (side >= list->reach) continue;
    front[k] = -sign;
    if (b->open == 0) {
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
    dls_near_add_wall(b, face, edge, away, front, list);
  }
}

static void near_box(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  if (b->inside)
    near_inside(dim, b, c, list);
  else
    near_outside(dim, b, c, list);
}

static bool is_open(const DlsBoundary *b, int axis, int side) {
  return (b->open >> (2 * axis + side) & 1u) != 0;
}

static void ray_box(const DlsBoundary *b, DlsRay *ray) {
  const double front = b->inside ? -1 : 1;
  for (int k = 0; k < ray->dim; k++)
    for (int side = 0; side < 2; side++) {
      const double sign = side ? 1 : -1, t = (sign * b->length[k] / 2 - ray->from[k]) / ray->way[k];
      bool within = isfinite(t) && !is_open(b, k, side);
      for (int m = 0; m < ray->dim; m++)
        within = within && (m == k || fabs(dls_ray_at(ray, m, t)) <= b->length[m] / 2 + ray->slack);
      if (within) dls_ray_meet(ray, t, front * sign * ray->way[k], false);
    }
}

/* Of a container: beyond a wall, and not out through an opening. Of a solid: within. */
static bool behind_box(int dim, const DlsBoundary *b, const double x[3], double depth) {
  bool beyond = false, within = true;
  for (int k = 0; k < dim; k++)
    for (int side = 0; side < 2; side++) {
      const double out = (side ? x[k] : -x[k]) - b->length[k] / 2;
      if (b->inside && out > 0 && is_open(b, k, side)) return false;
      beyond = beyond || out > depth;
      within = within && out < -depth;
    }
  return b->inside ? beyond : within;
}

/* From inside, with no opening near. */
static bool flat_box(int dim, const DlsBoundary *b, const double x[3], double reach) {
  if (!b->inside) return false;
  for (int k = 0; k < dim; k++)
    for (int side = 0; side < 2; side++)
      if (is_open(b, k, side) && b->length[k] / 2 - (side ? x[k] : -x[k]) < reach) return false;
  return true;
}

/* Edges of its walls, in 2-D corners: those between two, seen from without, and where one ends. */
static int rims_box(int dim, const DlsBoundary *b, DlsRim out[DLS_MAX_RIMS]) {
  int count = 0;
  for (int k = 0; k < dim; k++)
    for (int j = k + 1; j < dim; j++)
      for (int corner = 0; corner < 4; corner++) {
        const int side[2] = {corner & 1, corner >> 1}, axis[2] = {k, j}, along = 3 - k - j;
        DlsRim rim = {.round = false};
        for (int w = 0; w < 2; w++) {
          for (int end = 0; end < 2; end++)
            rim.end[end][axis[w]] = (side[w] ? 0.5 : -0.5) * b->length[axis[w]];
          if (is_open(b, axis[w], side[w])) continue;
          rim.into[rim.walls++][axis[!w]] = side[!w] ? -1 : 1;
        }
        if (rim.walls == 0) continue;
        for (int end = 0; end < 2 && dim == 3; end++)
          rim.end[end][along] = (end ? 0.5 : -0.5) * b->length[along];
        out[count++] = rim;
      }
  return count;
}

static DlsStatus outline_box(int dim, const DlsBoundary *b, const DlsSight *sight,
                             const DlsPose *pose, int owner, DlsOutline *out) {
  const int flat = dim == 2;
  const double h[3] = {b->length[0] / 2, b->length[1] / 2, flat ? 0 : b->length[2] / 2};
  (void)sight;
  for (int axis = 0; axis < (flat ? 2 : 3); axis++)
    for (int corner = 0; corner < (flat ? 2 : 4); corner++) {
      double p[3] = {0}, q[3];
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const double su = corner & 1 ? 1 : -1, sv = corner & 2 ? 1 : -1;
      p[u] = su * h[u];
      p[v] = sv * h[v];
      if (flat) p[1 - axis] = su * h[1 - axis];
      memcpy(q, p, sizeof q);
      p[axis] = -h[axis];
      q[axis] = h[axis];
      DLS_TRY(dls_outline_line(out, pose, owner, p, q));
    }
  return DLS_OK;
}

/* The walls that are there. */
static DlsStatus faces_box(const DlsBoundary *b, const DlsSight *sight, const DlsPose *pose,
                           int owner, DlsFaces *out) {
  (void)sight;
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      double corner[4][3];
      if (is_open(b, axis, side)) continue;
      for (int k = 0; k < 4; k++) {
        corner[k][axis] = (side ? 0.5 : -0.5) * b->length[axis];
        corner[k][u] = (k == 1 || k == 2 ? 0.5 : -0.5) * b->length[u];
        corner[k][v] = (k >= 2 ? 0.5 : -0.5) * b->length[v];
      }
      DLS_TRY(dls_faces_polygon(out, pose, owner, corner, 4));
    }
  return DLS_OK;
}

const DlsBoundaryOperations dls_boundary_box = {
    .name = "box",
    .lengths = {2, 3},
    .has_inside = true,
    .openings = {15, 63},
    .check = check_box,
    .near = near_box,
    .supports = dls_boundary_supports_always,
    .rims = rims_box,
    .ray = ray_box,
    .behind = behind_box,
    .flat = flat_box,
    .outline = outline_box,
    .faces = faces_box,
};
