/* Surfaces turned about the local z axis: cylinder (in 2-D a circle), frustum and plate. Each is
 * made of up to three straight lines of the half-plane (rho, z), rho >= 0: side and caps, or the
 * ring. */
#include <math.h>

#include "world/boundary/kind.h"

enum { GENERATORS = 12 }; /* lines of the outline from rim to rim */

static const double pi = 3.14159265358979323846;

typedef struct {
  double rho, z;   /* m, its middle */
  double along[2]; /* unit */
  double half;     /* m, may be HUGE_VAL */
  double front[2]; /* unit normal, to the side of the grains */
  int feature;     /* the first of three: nearest meridian, and those 120 degrees on */
  bool to_axis;    /* the end at -half lies on the axis: no rim there */
} Profile;

static bool is_plate(const DlsBoundary *b) { return b->kind == DLS_BOUNDARY_PLATE; }
static bool is_cylinder(const DlsBoundary *b) { return b->kind == DLS_BOUNDARY_CYLINDER; }

/* A container without an opening: an endless cylinder has none. */
static bool is_closed(const DlsBoundary *b) {
  return b->open == 0 || (is_cylinder(b) && isinf(b->length[0]));
}

/* Signed distance to the endless line, in front above 0. */
static inline double profile_side(const Profile *p, double rho, double z) {
  return (rho - p->rho) * p->front[0] + (z - p->z) * p->front[1];
}

/* The lines: side, then the caps that are there; a plate is its own only line. Returns how many.
 * Front is inside for containers, outside else. */
static int profiles(const DlsBoundary *b, Profile out[3]) {
  if (is_plate(b)) {
    out[0] = (Profile){.rho = (b->radius[0] + b->radius[1]) / 2,
                       .along = {1, 0},
                       .half = (b->radius[1] - b->radius[0]) / 2,
                       .front = {0, 1},
                       .to_axis = b->radius[0] == 0};
    return 1;
  }
  const bool cylinder = is_cylinder(b);
  const double r0 = b->radius[0], r1 = cylinder ? r0 : b->radius[1], sign = b->inside ? -1 : 1;
  const double length = b->length[0];
  const bool endless = isinf(length);
  const double slant = cylinder ? length : hypot(r1 - r0, length);
  const double along[2] = {cylinder ? 0 : (r1 - r0) / slant, cylinder ? 1 : length / slant};
  int count = 1;
  out[0] = (Profile){.rho = (r0 + r1) / 2,
                     .along = {along[0], along[1]},
                     .half = slant / 2,
                     .front = {sign * along[1], -sign * along[0]}};
  for (int cap = 0; cap < 2 && !endless; cap++) {
    const double radius = cap ? r1 : r0;
    if (radius == 0 || b->open & (cap ? DLS_OPEN_Z1 : DLS_OPEN_Z0)) continue;
    out[count++] = (Profile){.rho = radius / 2,
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
static void near_meridian(const DlsBoundary *b, const Profile *p, int feature, const double e[2],
                          const double c[3], DlsNearList *list) {
  const double d[3] = {c[0] - p->rho * e[0], c[1] - p->rho * e[1], c[2] - p->z};
  const double line[3] = {p->along[0] * e[0], p->along[0] * e[1], p->along[1]};
  const double front[3] = {p->front[0] * e[0], p->front[0] * e[1], p->front[1]};
  const double s = fmax(-p->half, fmin(p->half, dls_vector_dot(d, line)));
  const bool edge = s >= p->half || (s <= -p->half && !p->to_axis);
  const double away[3] = {d[0] - s * line[0], d[1] - s * line[1], d[2] - s * line[2]};
  dls_near_add_wall(b, feature, edge, away, front, list);
}

static void near_profile(const DlsBoundary *b, const Profile *p, const double c[3],
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

static void near_inside(const DlsBoundary *b, const double c[3], DlsNearList *list) {
  Profile lines[3];
  const int count = profiles(b, lines);
  const double rho = hypot(c[0], c[1]);
  bool within = true;
  if (!is_plate(b) && is_closed(b)) {
    for (int i = 0; i < count; i++) within = within && profile_side(&lines[i], rho, c[2]) >= 0;
  }
  for (int i = 0; i < count; i++) {
    if (within) {
      near_profile(b, &lines[i], c, list);
      continue;
    }
    /* Out of a closed container: the walls it is behind push, however far. */
    const double side = profile_side(&lines[i], rho, c[2]);
    const double e[2] = {rho > 0 ? c[0] / rho : 1, rho > 0 ? c[1] / rho : 0};
    const double front[3] = {lines[i].front[0] * e[0], lines[i].front[0] * e[1], lines[i].front[1]};
    if (side < 0) dls_near_add(list, lines[i].feature, false, side, front);
  }
}

/* Cylinder and frustum: a convex figure of side and two caps in the half-plane (rho, z). */
static void near_outside(const DlsBoundary *b, const double c[3], DlsNearList *list) {
  Profile lines[3];
  const int count = profiles(b, lines);
  const double rho = hypot(c[0], c[1]), z = c[2];
  const double e[2] = {rho > 0 ? c[0] / rho : 1, rho > 0 ? c[1] / rho : 0};
  double within = -HUGE_VAL, best = HUGE_VAL, out[2] = {1, 0};
  bool edge = false;
  for (int i = 0; i < count; i++) {
    const double side = profile_side(&lines[i], rho, z);
    if (side > within) {
      within = side;
      for (int k = 0; k < 2; k++) out[k] = lines[i].front[k];
    }
  }
  if (within > 0) {
    for (int i = 0; i < count; i++) {
      const Profile *p = &lines[i];
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

static void near_turned(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  (void)dim;
  if (b->inside || is_plate(b))
    near_inside(b, c, list);
  else
    near_outside(b, c, list);
}

static bool supports_plate(const DlsBoundary *b, const DlsNear *near) {
  (void)b;
  return !near->edge;
}

/* A line of the half-plane (rho, z) turned about z: a flat ring, or rho = a + c z. */
static void ray_profile(const Profile *p, bool thin, DlsRay *ray) {
  if (p->along[1] == 0) {
    const double t = (p->z - ray->from[2]) / ray->way[2];
    const double rho = isfinite(t) ? hypot(dls_ray_at(ray, 0, t), dls_ray_at(ray, 1, t)) : INFINITY;
    if (fabs(rho - p->rho) <= p->half) dls_ray_meet(ray, t, p->front[1] * ray->way[2], thin);
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
    const double z = dls_ray_at(ray, 2, t), rho = p->rho + c * (z - p->z);
    if (rho < 0 || fabs(z - p->z) > p->half * p->along[1]) continue;
    const double radial =
        rho > 0 ? (dls_ray_at(ray, 0, t) * u[0] + dls_ray_at(ray, 1, t) * u[1]) / rho : 0;
    dls_ray_meet(ray, t, p->front[0] * radial + p->front[1] * u[2], thin);
  }
}

static void ray_turned(const DlsBoundary *b, DlsRay *ray) {
  Profile lines[3];
  const int count = profiles(b, lines);
  for (int i = 0; i < count; i++) ray_profile(&lines[i], is_plate(b), ray);
}

/* Of a container: beyond a wall, and not out through an opening. Of a solid: within. */
static bool behind_turned(int dim, const DlsBoundary *b, const double x[3], double depth) {
  Profile lines[3];
  const int count = profiles(b, lines);
  bool beyond = false, within = true;
  (void)dim;
  for (int side = 0; side < 2 && b->inside; side++)
    if ((b->open & (side ? DLS_OPEN_Z1 : DLS_OPEN_Z0)) && (side ? x[2] : -x[2]) > b->length[0] / 2)
      return false;
  for (int i = 0; i < count; i++) {
    const double front = profile_side(&lines[i], hypot(x[0], x[1]), x[2]);
    beyond = beyond || front < -depth;
    within = within && front < -depth;
  }
  return b->inside ? beyond : within;
}

/* One of the rims: circles. `into` of each wall are (rho, z). */
static DlsRim circle(double radius, double z, int walls, const double into[2][2]) {
  DlsRim rim = {.round = true, .radius = radius, .walls = walls};
  rim.end[0][2] = rim.end[1][2] = z;
  for (int w = 0; w < walls; w++) rim.into[w][0] = into[w][0], rim.into[w][2] = into[w][1];
  return rim;
}

static int rims_plate(int dim, const DlsBoundary *b, DlsRim out[DLS_MAX_RIMS]) {
  static const double outward[2][2] = {{1, 0}}, inward[2][2] = {{-1, 0}};
  int count = 0;
  (void)dim;
  if (b->radius[0] > 0) out[count++] = circle(b->radius[0], 0, 1, outward);
  out[count++] = circle(b->radius[1], 0, 1, inward);
  return count;
}

/* At either end of the side, with the cap where there is one. */
static int rims_side(int dim, const DlsBoundary *b, DlsRim out[DLS_MAX_RIMS]) {
  Profile lines[3];
  profiles(b, lines);
  if (dim == 2 || isinf(lines[0].half)) return 0;
  for (int end = 0; end < 2; end++) {
    const double sign = end ? -1 : 1, radius = is_cylinder(b) ? b->radius[0] : b->radius[end];
    const double into[2][2] = {{sign * lines[0].along[0], sign * lines[0].along[1]}, {-1, 0}};
    const bool cap = radius > 0 && !(b->open & (end ? DLS_OPEN_Z1 : DLS_OPEN_Z0));
    out[end] = circle(radius, (end ? 0.5 : -0.5) * b->length[0], cap ? 2 : 1, into);
  }
  return 2;
}

static DlsStatus check_cylinder(int dim, DlsBoundary *b) {
  DLS_TRY(dls_boundary_check_radius(b, 0, false));
  if (dim == 2) b->length[0] = HUGE_VAL;
  return dls_boundary_check_length(b, 0, true);
}

static DlsStatus check_frustum(int dim, DlsBoundary *b) {
  (void)dim;
  DLS_TRY(dls_boundary_check_length(b, 0, false));
  DLS_TRY(dls_boundary_check_radius(b, 0, true));
  DLS_TRY(dls_boundary_check_radius(b, 1, true));
  DLS_CHECK(b->radius[0] + b->radius[1] > 0, DLS_ERR_ARGUMENT, "frustum: both radii are 0");
  return DLS_OK;
}

static DlsStatus check_plate(int dim, DlsBoundary *b) {
  (void)dim;
  DLS_TRY(dls_boundary_check_radius(b, 0, true));
  DLS_TRY(dls_boundary_check_radius(b, 1, false));
  DLS_CHECK(b->radius[0] < b->radius[1], DLS_ERR_ARGUMENT,
            "plate: the hole's radius %g is not below the plate's, %g", b->radius[0], b->radius[1]);
  if (b->area == 0) b->area = pi * (b->radius[1] * b->radius[1] - b->radius[0] * b->radius[0]);
  return DLS_OK;
}

static DlsStatus outline_plate(int dim, const DlsBoundary *b, const DlsSight *sight,
                               const DlsPose *pose, int owner, DlsOutline *out) {
  (void)dim, (void)sight;
  DLS_TRY(dls_outline_circle(out, pose, owner, b->radius[0], 0));
  return dls_outline_circle(out, pose, owner, b->radius[1], 0);
}

/* Where the side begins and ends along the axis: an endless cylinder as far as the sight goes. */
static void side_ends(const DlsBoundary *b, const DlsSight *sight, const DlsPose *pose,
                      double z[2]) {
  double c[3] = {0};
  if (isinf(b->length[0])) dls_pose_to_local(pose, sight->centre, c);
  const double half = isinf(b->length[0]) ? sight->reach : b->length[0] / 2;
  z[0] = c[2] - half;
  z[1] = c[2] + half;
}

/* The rims, and in 3-D lines between them. */
static DlsStatus outline_side(int dim, const DlsBoundary *b, const DlsSight *sight,
                              const DlsPose *pose, int owner, DlsOutline *out) {
  const double low = b->radius[0], high = is_cylinder(b) ? low : b->radius[1];
  const double step = 6.283185307179586 / GENERATORS;
  double z[2];
  if (dim == 2) return dls_outline_circle(out, pose, owner, low, 0);
  side_ends(b, sight, pose, z);
  DLS_TRY(dls_outline_circle(out, pose, owner, low, z[0]));
  DLS_TRY(dls_outline_circle(out, pose, owner, high, z[1]));
  for (int k = 0; k < GENERATORS; k++) {
    const double from[3] = {low * cos(k * step), low * sin(k * step), z[0]};
    const double to[3] = {high * cos(k * step), high * sin(k * step), z[1]};
    DLS_TRY(dls_outline_line(out, pose, owner, from, to));
  }
  return DLS_OK;
}

static DlsStatus faces_plate(const DlsBoundary *b, const DlsSight *sight, const DlsPose *pose,
                             int owner, DlsFaces *out) {
  const double line[2][2] = {{b->radius[0], 0}, {b->radius[1], 0}};
  (void)sight;
  return dls_faces_turned(out, pose, owner, line, 2);
}

/* The side, and the caps that are there. */
static DlsStatus faces_side(const DlsBoundary *b, const DlsSight *sight, const DlsPose *pose,
                            int owner, DlsFaces *out) {
  double z[2], line[4][2];
  int count = 0;
  const bool endless = isinf(b->length[0]);
  side_ends(b, sight, pose, z);
  for (int end = 0; end < 2; end++) {
    const double radius = is_cylinder(b) ? b->radius[0] : b->radius[end];
    const bool cap = !endless && !(b->open & (end ? DLS_OPEN_Z1 : DLS_OPEN_Z0)) && radius > 0;
    const double rho[2] = {end ? radius : 0, end ? 0 : radius};
    for (int k = 0; k < 2; k++) {
      if (!cap && rho[k] != radius) continue;
      line[count][0] = rho[k];
      line[count++][1] = z[end];
    }
  }
  return dls_faces_turned(out, pose, owner, line, count);
}

static double side_cylinder(int dim, const DlsBoundary *b) {
  return 2 * pi * b->radius[0] * (dim == 3 ? b->length[0] : 1);
}

/* From the axis; on it, where all directions are one, along x as the nearest point is. */
static void outward_cylinder(int dim, const double x[3], double out[3]) {
  const double rho = hypot(x[0], x[1]);
  (void)dim;
  out[0] = rho > 0 ? x[0] / rho : 1;
  out[1] = rho > 0 ? x[1] / rho : 0;
  out[2] = 0;
}

const DlsBoundaryOperations dls_boundary_cylinder = {
    .name = "cylinder",
    .lengths = {0, 1},
    .radii = 1,
    .radius_example = "radius: [0.2]",
    .has_inside = true,
    .openings = {0, DLS_OPEN_Z0 | DLS_OPEN_Z1},
    .check = check_cylinder,
    .near = near_turned,
    .supports = dls_boundary_supports_outside,
    .rims = rims_side,
    .ray = ray_turned,
    .behind = behind_turned,
    .side = side_cylinder,
    .outward = outward_cylinder,
    .outline = outline_side,
    .faces = faces_side,
};

const DlsBoundaryOperations dls_boundary_frustum = {
    .name = "frustum",
    .only_dim = 3,
    .instead = "in 2-D use two segments",
    .lengths = {1, 1},
    .radii = 2,
    .radius_example = "both, radius: [0.1, 0.2]",
    .has_inside = true,
    .openings = {0, DLS_OPEN_Z0 | DLS_OPEN_Z1},
    .check = check_frustum,
    .near = near_turned,
    .supports = dls_boundary_supports_outside,
    .rims = rims_side,
    .ray = ray_turned,
    .behind = behind_turned,
    .outline = outline_side,
    .faces = faces_side,
};

const DlsBoundaryOperations dls_boundary_plate = {
    .name = "plate",
    .only_dim = 3,
    .instead = "in 2-D use segments",
    .radii = 2,
    .radius_example = "hole and rim, radius: [0, 0.2]",
    .check = check_plate,
    .near = near_turned,
    .supports = supports_plate,
    .rims = rims_plate,
    .ray = ray_turned,
    .outline = outline_plate,
    .faces = faces_plate,
};
