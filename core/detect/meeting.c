/* The table of narrow-phase functions, and those that are built in. */
#include "detect/meeting.h"

#include <math.h>

#include "world/boundary/kind.h"

enum { MAX_BOUNDARY_KINDS = 32, MAX_STRIDES = 64 };

void dls_manifold_add(DlsManifold *m, const DlsManifoldPoint *point) {
  if (m->count < DLS_MANIFOLD_POINTS) m->point[m->count++] = *point;
}

static void velocity_at(const DlsSide *side, const double point[3], double out[3]) {
  const double *v = side->velocity;
  double lever[3];
  for (int k = 0; k < 3; k++) lever[k] = point[k] - side->pose.position[k];
  dls_vector_cross(v + 3, lever, out);
  for (int k = 0; k < 3; k++) out[k] += v[k];
}

double dls_meeting_closing(const DlsMeeting *meeting, const DlsSide *a, const DlsSide *b,
                           const double point[3], const double normal[3]) {
  double u[3], v[3];
  velocity_at(a, point, u);
  velocity_at(b, point, v);
  return fmax(0, meeting->horizon * (dls_vector_dot(v, normal) - dls_vector_dot(u, normal)));
}

static void meet_balls(const DlsMeeting *meeting, const DlsSide *a, const DlsSide *b,
                       DlsManifold *out) {
  double d[3], square;
  out->count = 0;
  if (!dls_balls_approach(a->ball, b->ball, meeting->alert, d, &square)) return;
  dls_balls_point(meeting->dim, a->ball, b->ball, d, square, &out->point[out->count++]);
}

/* Whether the ball comes within the alert distance of a feature on its straight way relative to the
 * boundary. Distance changes by no more than the way does, so strides of the present gap never
 * pass the first moment (sphere tracing, Hart 1996). */
static bool reaches(const DlsBoundary *b, int dim, const DlsBall *a, const double way[3],
                    double length, double limit, const DlsNear *start) {
  double gap = start->distance - limit, along = 0;
  if (dls_boundary_supports(b, start) && gap + dls_vector_dot(start->normal, way) > 0) return false;
  for (int n = 0; n < MAX_STRIDES && gap > 1e-6 * a->radius; n++) {
    DlsNear near[DLS_MAX_FEATURES];
    double x[3];
    along += gap;
    if (along > length) return false;
    for (int k = 0; k < 3; k++) x[k] = a->x[k] + along / length * way[k];
    const int count = dls_boundary_features(dim, b, x, HUGE_VAL, near);
    gap = HUGE_VAL;
    for (int i = 0; i < count; i++)
      if (near[i].feature == start->feature) gap = near[i].distance - limit;
  }
  return true;
}

void dls_ball_meets_boundary(const DlsMeeting *meeting, const DlsBall *a, const DlsBoundary *b,
                             DlsManifold *out) {
  DlsNear near[DLS_MAX_FEATURES];
  double way[3];
  if (b->facets) {
    dls_ball_meets_facets(meeting, a, b, out);
    return;
  }
  out->count = 0;
  dls_boundary_velocity(b, a->x, way);
  for (int k = 0; k < 3; k++) way[k] = a->way[k] - meeting->horizon * way[k];
  const double length = dls_vector_norm(way), limit = a->radius + meeting->alert + a->sag;
  const int count = dls_boundary_features(meeting->dim, b, a->x, limit + length, near);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (near[i].distance > limit && !reaches(b, meeting->dim, a, way, length, limit, &near[i]))
      continue;
    bool seen = false;
    for (int j = 0; j < kept; j++) seen = seen || dls_near_same(&near[i], &near[j]);
    if (seen) continue;
    near[kept++] = near[i];
    DlsManifoldPoint p = {.gap = near[i].distance - a->radius,
                          .radius = a->radius,
                          .feature = {0, (uint32_t)near[i].feature}};
    for (int k = 0; k < 3; k++) {
      p.normal[k] = near[i].normal[k];
      p.point[k] = a->x[k] - p.normal[k] * (a->radius + p.gap / 2);
    }
    dls_manifold_add(out, &p);
  }
}

void dls_meet_ball_boundary(const DlsMeeting *meeting, const DlsSide *a, const DlsSide *b,
                            DlsManifold *out) {
  dls_ball_meets_boundary(meeting, a->ball, b->boundary, out);
}

static DlsMeet *elements[DLS_MAX_SHAPE_KINDS][DLS_MAX_SHAPE_KINDS] = {
    [DLS_SHAPE_BALL] = {[DLS_SHAPE_BALL] = meet_balls},
    [DLS_SHAPE_CONVEX] = {[DLS_SHAPE_BALL] = dls_meet_convex, [DLS_SHAPE_CONVEX] = dls_meet_convex},
};

/* [from outside, from inside]. Balls meet every boundary by its nearest points, unless it brings a
 * function of its own. */
static DlsMeet *walls[DLS_MAX_SHAPE_KINDS][MAX_BOUNDARY_KINDS][2] = {
    [DLS_SHAPE_CONVEX] = {[DLS_BOUNDARY_PLANE] = {dls_meet_convex_vertices,
                                                  dls_meet_convex_vertices},
                          [DLS_BOUNDARY_SEGMENT] = {dls_meet_convex_solid, dls_meet_convex_solid},
                          [DLS_BOUNDARY_BOX] = {dls_meet_convex_solid, dls_meet_convex_rims},
                          [DLS_BOUNDARY_SPHERE] = {dls_meet_convex_solid, dls_meet_convex_vertices},
                          [DLS_BOUNDARY_CYLINDER] = {dls_meet_convex_rims, dls_meet_convex_rims},
                          [DLS_BOUNDARY_FRUSTUM] = {dls_meet_convex_rims, dls_meet_convex_rims},
                          [DLS_BOUNDARY_PLATE] = {dls_meet_convex_rims, NULL},
                          [DLS_BOUNDARY_MESH] = {dls_meet_convex_facets, NULL},
                          [DLS_BOUNDARY_POLYLINE] = {dls_meet_convex_facets, NULL}},
};

DlsStatus dls_meeting_register(DlsShapeKind a, DlsShapeKind b, DlsMeet *meet) {
  DLS_CHECK(dls_shape_operations(a) && dls_shape_operations(b), DLS_ERR_ARGUMENT,
            "no kind of shape has the number %d or %d", (int)a, (int)b);
  if (a != b) elements[b][a] = NULL;
  elements[a][b] = meet;
  return DLS_OK;
}

DlsStatus dls_meeting_register_boundary(DlsShapeKind a, DlsBoundaryKind b, DlsMeet *meet) {
  DLS_CHECK(dls_shape_operations(a) && dls_boundary_operations(b) && (int)b < MAX_BOUNDARY_KINDS,
            DLS_ERR_ARGUMENT, "no kind of shape has the number %d, or no boundary %d", (int)a,
            (int)b);
  walls[a][b][0] = walls[a][b][1] = meet;
  return DLS_OK;
}

DlsMeet *dls_meeting_of(DlsShapeKind a, DlsShapeKind b, bool *swapped) {
  *swapped = !elements[a][b];
  return *swapped ? elements[b][a] : elements[a][b];
}

DlsMeet *dls_meeting_of_boundary(DlsShapeKind a, DlsBoundaryKind b, bool inside) {
  if (walls[a][b][inside]) return walls[a][b][inside];
  return a == DLS_SHAPE_BALL ? dls_meet_ball_boundary : NULL;
}
