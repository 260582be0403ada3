#include "tests/capsule.h"

#include <math.h>
#include <string.h>

#include "tests/test.h"

static const double pi = 3.14159265358979323846;

static double half_of(const DlsSolid *s) { return s->scale * s->number[CAPSULE_HALF]; }
static double radius_of(const DlsSolid *s) { return s->scale * s->number[CAPSULE_RADIUS]; }

static DlsStatus check(const DlsSolid *s) {
  DLS_CHECK(s->count == CAPSULE_NUMBERS && s->number[CAPSULE_HALF] >= 0 &&
                s->number[CAPSULE_RADIUS] > 0,
            DLS_ERR_ARGUMENT, "a capsule has a half length from 0 on and a radius above 0");
  return DLS_OK;
}

static double reach(const DlsSolid *s) { return half_of(s) + radius_of(s); }

static uint32_t features(const DlsSolid *s) { /* its two ends */
  (void)s;
  return 2;
}

/* 3-D: cylinder of length 2a and two half balls; 2-D: rectangle and two half disks. The half balls
 * have their own second moments and stand at a, their centres of mass 3r/8 (4r/3pi) farther out. */
static void moments(const DlsSolid *s, DlsMoments *out) {
  const double a = half_of(s), r = radius_of(s);
  *out = (DlsMoments){0};
  if (s->dim == 2) {
    const double box = 4 * a * r, disk = pi * r * r;
    out->volume = box + disk;
    out->second[0] = box * a * a / 3 + disk * (r * r / 4 + a * a + 2 * a * 4 * r / (3 * pi));
    out->second[1] = box * r * r / 3 + disk * r * r / 4;
    return;
  }
  const double rod = 2 * pi * r * r * a, ball = 4.0 / 3.0 * pi * r * r * r;
  out->volume = rod + ball;
  out->second[0] = rod * a * a / 3 + ball * (r * r / 5 + a * a + 2 * a * 3 * r / 8);
  out->second[1] = out->second[2] = rod * r * r / 4 + ball * r * r / 5;
}

static void bounds(const DlsSolid *s, const DlsPose *pose, double low[3], double high[3]) {
  const double along[3] = {half_of(s), 0, 0};
  double end[3];
  dls_rotation_apply(pose->orientation, along, end);
  for (int k = 0; k < 3; k++) {
    low[k] = pose->position[k] - fabs(end[k]) - radius_of(s);
    high[k] = pose->position[k] + fabs(end[k]) + radius_of(s);
  }
}

static void ends_of(const DlsSide *side, double a[3], double b[3]) {
  const double from[3] = {-half_of(&side->solid), 0, 0}, to[3] = {half_of(&side->solid), 0, 0};
  dls_pose_to_space(&side->pose, from, a);
  dls_pose_to_space(&side->pose, to, b);
}

/* Two long sides, and in 2-D half circles, in 3-D the circles where the caps begin. */
static DlsStatus outline(const DlsSolid *s, const DlsPose *pose, int owner, DlsOutline *out) {
  enum { CHORDS = 12 };
  const double a = half_of(s), r = radius_of(s);
  for (int side = -1; side <= 1; side += 2) {
    const double from[3] = {-a, side * r, 0}, to[3] = {a, side * r, 0};
    DLS_TRY(dls_outline_line(out, pose, owner, from, to));
    for (int k = 0; k < CHORDS; k++) {
      const double one = (k / (double)CHORDS - 0.5) * pi, next = one + pi / CHORDS;
      const double p[3] = {side * (a + r * cos(one)), r * sin(one), 0};
      const double q[3] = {side * (a + r * cos(next)), r * sin(next), 0};
      DLS_TRY(dls_outline_line(out, pose, owner, p, q));
    }
  }
  return DLS_OK;
}

const DlsShapeOperations capsule_operations = {
    .name = "capsule",
    .check = check,
    .reach = reach,
    .size = radius_of,
    .features = features,
    .moments = moments,
    .bounds = bounds,
    .outline = outline,
};

static double clamp(double x) { return fmax(0, fmin(1, x)); }

double segment_distance(const double a0[3], const double a1[3], const double b0[3],
                        const double b1[3], double on_a[3], double on_b[3]) {
  double u[3], v[3], w[3], s = 0;
  for (int k = 0; k < 3; k++) u[k] = a1[k] - a0[k], v[k] = b1[k] - b0[k], w[k] = a0[k] - b0[k];
  const double uu = dls_vector_dot(u, u), vv = dls_vector_dot(v, v), uv = dls_vector_dot(u, v);
  const double uw = dls_vector_dot(u, w), vw = dls_vector_dot(v, w), det = uu * vv - uv * uv;
  if (det > 1e-12 * uu * vv) s = clamp((uv * vw - vv * uw) / det);
  const double t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
  s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
  double d[3];
  for (int k = 0; k < 3; k++) {
    on_a[k] = a0[k] + s * u[k];
    on_b[k] = b0[k] + t * v[k];
    d[k] = on_a[k] - on_b[k];
  }
  return dls_vector_dot(d, d);
}

/* Two rounded segments; a ball is one of no length. */
static void meet_rounded(const DlsMeeting *m, const DlsSide *a, const DlsSide *b, double ra,
                         double rb, const double ends[4][3], DlsManifold *out) {
  double on_a[3], on_b[3];
  const double distance = sqrt(segment_distance(ends[0], ends[1], ends[2], ends[3], on_a, on_b));
  DlsManifoldPoint p = {.gap = distance - ra - rb,
                        .normal = {0, m->dim == 2, m->dim == 3},
                        .radius = ra * rb / (ra + rb)};
  for (int k = 0; k < 3; k++) {
    if (distance > 0) p.normal[k] = (on_a[k] - on_b[k]) / distance;
    p.point[k] = on_a[k] - p.normal[k] * (ra + p.gap / 2);
  }
  if (p.gap - dls_meeting_closing(m, a, b, p.point, p.normal) <= m->alert)
    dls_manifold_add(out, &p);
}

static void meet_ball(const DlsMeeting *m, const DlsSide *a, const DlsSide *b, DlsManifold *out) {
  double ends[4][3];
  ends_of(a, ends[0], ends[1]);
  memcpy(ends[2], b->ball->x, sizeof ends[2]);
  memcpy(ends[3], b->ball->x, sizeof ends[3]);
  meet_rounded(m, a, b, radius_of(&a->solid), b->ball->radius, ends, out);
}

static void meet_capsule(const DlsMeeting *m, const DlsSide *a, const DlsSide *b,
                         DlsManifold *out) {
  double ends[4][3];
  ends_of(a, ends[0], ends[1]);
  ends_of(b, ends[2], ends[3]);
  meet_rounded(m, a, b, radius_of(&a->solid), radius_of(&b->solid), ends, out);
}

/* The balls at its two ends. */
static void meet_plane(const DlsMeeting *m, const DlsSide *a, const DlsSide *b, DlsManifold *out) {
  const double up[3] = {0, m->dim == 2, m->dim == 3}, r = radius_of(&a->solid);
  double ends[2][3], n[3];
  ends_of(a, ends[0], ends[1]);
  dls_rotation_apply(b->pose.orientation, up, n);
  for (int end = 0; end < 2; end++) {
    double away[3];
    for (int k = 0; k < 3; k++) away[k] = ends[end][k] - b->pose.position[k];
    DlsManifoldPoint p = {
        .gap = dls_vector_dot(away, n) - r, .radius = r, .feature = {(uint32_t)end, 0}};
    memcpy(p.normal, n, sizeof n);
    for (int k = 0; k < 3; k++) p.point[k] = ends[end][k] - n[k] * (r + p.gap / 2);
    if (p.gap - dls_meeting_closing(m, a, b, p.point, n) <= m->alert) dls_manifold_add(out, &p);
  }
}

DlsShapeKind capsule_register(void) {
  DlsShapeKind kind;
  CHECK_OK(dls_shape_register(&capsule_operations, &kind));
  CHECK_OK(dls_meeting_register(kind, DLS_SHAPE_BALL, meet_ball));
  CHECK_OK(dls_meeting_register(kind, kind, meet_capsule));
  CHECK_OK(dls_meeting_register_boundary(kind, DLS_BOUNDARY_PLANE, meet_plane));
  return kind;
}

static DlsStatus slab_check(int dim, DlsBoundary *b) {
  (void)dim;
  return dls_boundary_check_length(b, 0, false);
}

static void slab_near(int dim, const DlsBoundary *b, const double c[3], DlsNearList *list) {
  const double z = c[dim - 1], sign = copysign(1, z);
  const double n[3] = {0, dim == 2 ? sign : 0, dim == 3 ? sign : 0};
  dls_near_add(list, 0, false, fabs(z) - b->length[0] / 2, n);
}

static void slab_ray(const DlsBoundary *b, DlsRay *ray) {
  const int up = ray->dim - 1;
  for (int side = -1; side <= 1; side += 2) {
    const double t = (side * b->length[0] / 2 - ray->from[up]) / ray->way[up];
    if (isfinite(t)) dls_ray_meet(ray, t, side * ray->way[up], false);
  }
}

static DlsStatus slab_outline(int dim, const DlsBoundary *b, const DlsSight *sight,
                              const DlsPose *pose, int owner, DlsOutline *out) {
  for (int side = -1; side <= 1; side += 2) {
    double from[3] = {-sight->reach, 0, 0}, to[3] = {sight->reach, 0, 0};
    from[dim - 1] = to[dim - 1] = side * b->length[0] / 2;
    DLS_TRY(dls_outline_line(out, pose, owner, from, to));
  }
  return DLS_OK;
}

const DlsBoundaryOperations slab_operations = {
    .name = "slab",
    .lengths = {1, 1},
    .check = slab_check,
    .near = slab_near,
    .supports = dls_boundary_supports_always,
    .ray = slab_ray,
    .outline = slab_outline,
};

DlsBoundaryKind slab_register(void) {
  DlsBoundaryKind kind;
  CHECK_OK(dls_boundary_register(&slab_operations, &kind));
  return kind;
}
