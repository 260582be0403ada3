/* Rays against the surfaces of boundaries, and what lies behind them. */
#include <math.h>

#include "world/boundary/boundary_impl.h"
#include "world/rotation.h"

/* A ray in local axes. A surface with a front stops what comes from there, from `slack` behind it on; others stop what
 * comes from either side. */
typedef struct {
  int dim;
  double from[3], way[3], slack;
  double nearest, leaves; /* m: where it meets the surface; where it leaves a solid */
} Ray;

/* A meeting at t with a surface whose unit normal makes `along` with the way; front above 0. */
static void meet(Ray *ray, double t, double along, bool thin) {
  if (!thin && along > 0 && t > 0) ray->leaves = fmin(ray->leaves, t);
  if (thin ? t <= 0 : along >= 0 || -t * along < -ray->slack) return;
  ray->nearest = fmin(ray->nearest, fmax(t, 0));
}

static double at(const Ray *ray, int axis, double t) {
  return ray->from[axis] + t * ray->way[axis];
}

static double open_bit(const DlsBoundary *b, int axis, int side) {
  return (b->open >> (2 * axis + side) & 1u) != 0;
}

static void ray_box(const DlsBoundary *b, Ray *ray) {
  const double front = b->inside ? -1 : 1;
  for (int k = 0; k < ray->dim; k++)
    for (int side = 0; side < 2; side++) {
      const double sign = side ? 1 : -1, t = (sign * b->length[k] / 2 - ray->from[k]) / ray->way[k];
      bool within = isfinite(t) && !open_bit(b, k, side);
      for (int m = 0; m < ray->dim; m++)
        within = within && (m == k || fabs(at(ray, m, t)) <= b->length[m] / 2 + ray->slack);
      if (within) meet(ray, t, front * sign * ray->way[k], false);
    }
}

/* A line of the half-plane (rho, z) turned about z: a flat ring, or rho = a + c z. */
static void ray_profile(const DlsProfile *p, bool thin, Ray *ray) {
  if (p->along[1] == 0) {
    const double t = (p->z - ray->from[2]) / ray->way[2];
    const double rho = isfinite(t) ? hypot(at(ray, 0, t), at(ray, 1, t)) : INFINITY;
    if (fabs(rho - p->rho) <= p->half) meet(ray, t, p->front[1] * ray->way[2], thin);
    return;
  }
  const double *x = ray->from, *u = ray->way, c = p->along[0] / p->along[1];
  const double radius = p->rho + c * (x[2] - p->z);
  const double A = u[0] * u[0] + u[1] * u[1] - c * c * u[2] * u[2];
  const double B = x[0] * u[0] + x[1] * u[1] - c * u[2] * radius;
  const double C = x[0] * x[0] + x[1] * x[1] - radius * radius, square = B * B - A * C;
  if (square < 0) return;
  for (int root = 0; root < 2; root++) {
    const double q = -(B + (B >= 0 ? sqrt(square) : -sqrt(square))), t = root ? C / q : q / A;
    if (!isfinite(t)) continue;
    const double z = at(ray, 2, t), rho = p->rho + c * (z - p->z);
    if (rho < 0 || fabs(z - p->z) > p->half * p->along[1]) continue;
    const double radial = rho > 0 ? (at(ray, 0, t) * u[0] + at(ray, 1, t) * u[1]) / rho : 0;
    meet(ray, t, p->front[0] * radial + p->front[1] * u[2], thin);
  }
}

static void ray_sphere(const DlsBoundary *b, Ray *ray) {
  const double B = dls_vector_dot(ray->from, ray->way), sign = b->inside ? -1 : 1;
  const double r = b->radius[0], square = B * B - dls_vector_dot(ray->from, ray->from) + r * r;
  for (int root = 0; root < 2 && square >= 0; root++) {
    const double t = -B + (root ? sqrt(square) : -sqrt(square));
    meet(ray, t, sign * (B + t) / r, false);
  }
}

double dls_boundary_ray(int dim, const DlsBoundary *b, const double from[3],
                        const double direction[3], double slack, double *leaves) {
  Ray ray = {.dim = dim, .slack = slack, .nearest = HUGE_VAL, .leaves = HUGE_VAL};
  DlsProfile lines[3];
  double away[3];
  for (int k = 0; k < 3; k++) away[k] = from[k] - b->position[k];
  dls_rotation_apply_inverse(b->orientation, away, ray.from);
  dls_rotation_apply_inverse(b->orientation, direction, ray.way);
  if (b->kind == DLS_BOUNDARY_PLANE) {
    const double t = -ray.from[dim - 1] / ray.way[dim - 1];
    if (isfinite(t)) meet(&ray, t, ray.way[dim - 1], false);
  } else if (b->kind == DLS_BOUNDARY_SEGMENT) {
    const double t = -ray.from[1] / ray.way[1];
    if (isfinite(t) && fabs(at(&ray, 0, t)) <= b->length[0] / 2) meet(&ray, t, 0, true);
  } else if (b->kind == DLS_BOUNDARY_BOX) {
    ray_box(b, &ray);
  } else if (b->kind == DLS_BOUNDARY_SPHERE) {
    ray_sphere(b, &ray);
  } else {
    const int count = dls_boundary_profiles(b, lines);
    for (int i = 0; i < count; i++) ray_profile(&lines[i], b->kind == DLS_BOUNDARY_PLATE, &ray);
  }
  const bool convex = !b->inside && b->kind != DLS_BOUNDARY_PLANE &&
                      b->kind != DLS_BOUNDARY_SEGMENT && b->kind != DLS_BOUNDARY_PLATE;
  *leaves = HUGE_VAL;
  if (!convex) return ray.nearest;
  if (ray.leaves == HUGE_VAL) return HUGE_VAL; /* the solid lies behind the ray */
  *leaves = fmax(ray.leaves, ray.nearest);
  return ray.nearest;
}

/* Of a container: beyond a wall, and not out through an opening. Of a solid: within. */
static bool behind_box(int dim, const DlsBoundary *b, const double x[3], double depth) {
  bool beyond = false, within = true;
  for (int k = 0; k < dim; k++)
    for (int side = 0; side < 2; side++) {
      const double out = (side ? x[k] : -x[k]) - b->length[k] / 2;
      if (b->inside && out > 0 && open_bit(b, k, side)) return false;
      beyond = beyond || out > depth;
      within = within && out < -depth;
    }
  return b->inside ? beyond : within;
}

static bool behind_turned(const DlsBoundary *b, const double x[3], double depth) {
  DlsProfile lines[3];
  const int count = dls_boundary_profiles(b, lines);
  bool beyond = false, within = true;
  if (b->kind == DLS_BOUNDARY_PLATE) return false;
  for (int side = 0; side < 2 && b->inside; side++)
    if ((b->open & (side ? DLS_OPEN_Z1 : DLS_OPEN_Z0)) && (side ? x[2] : -x[2]) > b->length[0] / 2)
      return false;
  for (int i = 0; i < count; i++) {
    const double front = dls_profile_side(&lines[i], hypot(x[0], x[1]), x[2]);
    beyond = beyond || front < -depth;
    within = within && front < -depth;
  }
  return b->inside ? beyond : within;
}

bool dls_boundary_behind(int dim, const DlsBoundary *b, const double x[3], double depth) {
  double away[3], place[3];
  for (int k = 0; k < 3; k++) away[k] = x[k] - b->position[k];
  dls_rotation_apply_inverse(b->orientation, away, place);
  switch (b->kind) {
  case DLS_BOUNDARY_PLANE:
    return place[dim - 1] < -depth;
  case DLS_BOUNDARY_SEGMENT:
    return false;
  case DLS_BOUNDARY_BOX:
    return behind_box(dim, b, place, depth);
  case DLS_BOUNDARY_SPHERE:
    return (b->inside ? -1 : 1) * (dls_vector_norm(place) - b->radius[0]) < -depth;
  default:
    return behind_turned(b, place, depth);
  }
}
