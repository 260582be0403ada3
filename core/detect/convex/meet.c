/* Convex solids and what they meet: each other, balls, boundaries. */
#include <math.h>
#include <string.h>

#include "detect/convex/meet_impl.h"
#include "world/boundary/kind.h"

double dls_convex_closing(const DlsMeeting *m, const DlsSide *a, double reach_a, const DlsSide *b,
                          double reach_b) {
  double u[3];
  for (int k = 0; k < 3; k++) u[k] = a->velocity[k] - b->velocity[k];
  return m->horizon * (dls_vector_norm(u) + dls_vector_norm(a->velocity + 3) * reach_a +
                       dls_vector_norm(b->velocity + 3) * reach_b);
}

static void pose_side(const DlsSide *side, const double origin[3], DlsPosed *out) {
  if (side->turned)
    dls_posed_turned(&side->solid, side->turned, side->pose.position, origin, out);
  else
    dls_posed_solid(&side->solid, &side->pose, origin, out);
}

static double whole_reach(const DlsPosed *p, const DlsSide *side, const double origin[3]) {
  double arm[3]; /* from the origin of the side's axes, about which it turns */
  for (int k = 0; k < 3; k++) arm[k] = p->centre[k] + origin[k] - side->pose.position[k];
  return p->reach + p->rounding + dls_vector_norm(arm);
}

static bool before(const DlsManifoldPoint *p, const DlsManifoldPoint *q) {
  if (p->feature[0] != q->feature[0]) return p->feature[0] < q->feature[0];
  return p->feature[1] < q->feature[1];
}

void dls_manifold_insert(const DlsManifoldPoint *point, DlsManifold *out) {
  if (out->count == DLS_MANIFOLD_POINTS) return;
  int place = out->count++;
  for (; place > 0 && before(point, &out->point[place - 1]); place--)
    out->point[place] = out->point[place - 1];
  out->point[place] = *point;
}

/* The place halfway between the two surfaces, space axes, and the gap there. */
static void point_at(const DlsPatch *patch, const DlsCorner *corner, double round_a, double round_b,
                     const double origin[3], DlsManifoldPoint *out) {
  const double up =
      patch->on_b ? (corner->gap + round_b - round_a) / 2 : (round_b - round_a - corner->gap) / 2;
  out->gap = corner->gap - round_a - round_b;
  for (int k = 0; k < 3; k++) {
    out->normal[k] = patch->normal[k];
    out->point[k] = origin[k] + corner->x[k] + up * patch->normal[k];
  }
  memcpy(out->feature, corner->feature, sizeof out->feature);
}

double dls_convex_small_area(int dim, double size) {
  const double side = 0.01 * size;
  return dim == 2 ? side : side * side;
}

double dls_convex_least_area(int dim, const DlsPosed *a, const DlsPosed *b) {
  if (a->core.vertices < 3 || b->core.vertices < 3) return 0;
  return dls_convex_small_area(dim, fmin(a->reach + a->rounding, b->reach + b->rounding));
}

/* Corners whose gap is within the alert distance, or will be; all as points. */
static void give(const DlsMeeting *m, const DlsSide *a, const DlsSide *b, double round_a,
                 double round_b, const double origin[3], double radius, DlsPatch *patch,
                 DlsManifold *out) {
  DlsManifoldPoint p = {.radius = radius};
  const double share = patch->count > 0 ? patch->area / patch->count : 0;
  int kept = 0;
  for (int k = 0; k < patch->count; k++) {
    point_at(patch, &patch->corner[k], round_a, round_b, origin, &p);
    if (p.gap - dls_meeting_closing(m, a, b, p.point, p.normal) > m->alert) continue;
    patch->corner[kept++] = patch->corner[k];
  }
  const double total = share * kept;
  patch->count = kept;
  dls_patch_reduce(patch, DLS_FACE_POINTS);
  for (int k = 0; k < patch->count; k++) {
    point_at(patch, &patch->corner[k], round_a, round_b, origin, &p);
    p.area = total / patch->count;
    dls_manifold_insert(&p, out);
  }
}

/* Two posed solids; `smooth`: one is a ball, whose contact is one whatever it rolls over. */
static void meet_posed(const DlsMeeting *m, const DlsSide *a, const DlsPosed *pa, const DlsSide *b,
                       const DlsPosed *pb, const double origin[3], bool smooth, double radius,
                       DlsManifold *out) {
  DlsNearest nearest;
  DlsPatch patch;
  const double round = pa->rounding + pb->rounding;
  const double way =
      dls_convex_closing(m, a, whole_reach(pa, a, origin), b, whole_reach(pb, b, origin));
  dls_convex_nearest(pa, pb, m->alert + way + round, &nearest);
  if (nearest.far) return;
  dls_convex_patch(m, pa, pb, &nearest, &patch);
  patch.area = fmax(patch.area, dls_convex_least_area(m->dim, pa, pb));
  if (smooth) patch.corner[0].feature[0] = patch.corner[0].feature[1] = 0;
  give(m, a, b, pa->rounding, pb->rounding, origin, radius, &patch, out);
}

void dls_meet_convex(const DlsMeeting *m, const DlsSide *a, const DlsSide *b, DlsManifold *out) {
  const double *origin = a->pose.position;
  DlsPosed pa, pb;
  const bool ball = b->solid.kind == DLS_SHAPE_BALL;
  double radius = 0;
  out->count = 0;
  pose_side(a, origin, &pa);
  if (ball) {
    dls_posed_ball(m->dim, b->ball->x, b->ball->radius, origin, &pb);
    radius = b->ball->radius; /* as on a plane; of a sharp edge no curvature is known */
  } else {
    pose_side(b, origin, &pb);
  }
  meet_posed(m, a, &pa, b, &pb, origin, ball, radius, out);
}

void dls_meet_convex_solid(const DlsMeeting *m, const DlsSide *a, const DlsSide *b,
                           DlsManifold *out) {
  const DlsBoundary *wall = b->boundary;
  const double *origin = a->pose.position;
  DlsPosed pa, pb;
  const bool ball = wall->kind == DLS_BOUNDARY_SPHERE || wall->kind == DLS_BOUNDARY_CYLINDER;
  const double half[3] = {wall->length[0] / 2, wall->length[1] / 2, wall->length[2] / 2};
  out->count = 0;
  pose_side(a, origin, &pa);
  if (ball) {
    dls_posed_ball(m->dim, wall->position, wall->radius[0], origin, &pb);
  } else if (wall->kind == DLS_BOUNDARY_SEGMENT) {
    dls_posed_segment(half[0], &b->pose, origin, &pb);
  } else {
    dls_posed_box(m->dim, half, &b->pose, origin, &pb);
  }
  pb.rounding += wall->rounding;
  meet_posed(m, a, &pa, b, &pb, origin, ball, ball ? wall->radius[0] : 0, out);
}

/* Vertices near a wall, with the wall's nearest points. */
typedef struct {
  int count;
  DlsManifoldPoint point[2 * DLS_CONVEX_VERTICES];
} Candidates;

static void find_candidates(const DlsMeeting *m, const DlsSide *a, const DlsPosed *p,
                            const DlsSide *b, Candidates *out) {
  const double *origin = a->pose.position, r = p->rounding;
  const double arm[3] = {origin[0] - b->pose.position[0], origin[1] - b->pose.position[1],
                         origin[2] - b->pose.position[2]};
  const double own = whole_reach(p, a, origin), far = own + dls_vector_norm(arm);
  const double reach = r + m->alert + dls_convex_closing(m, a, own, b, far);
  out->count = 0;
  for (int v = 0; v < p->core.vertices; v++) {
    DlsNear near[DLS_MAX_FEATURES];
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = p->vertex[v][k] + origin[k];
    const int count = dls_boundary_near(m->dim, b->boundary, x, reach, near);
    for (int i = 0; i < count && out->count < 2 * DLS_CONVEX_VERTICES; i++) {
      DlsManifoldPoint q = {.gap = near[i].distance - r,
                            .feature = {dls_convex_vertex_feature(v), (uint32_t)near[i].feature}};
      for (int k = 0; k < 3; k++) {
        q.normal[k] = near[i].normal[k];
        q.point[k] = x[k] - q.normal[k] * (r + q.gap / 2);
      }
      if (q.gap - dls_meeting_closing(m, a, b, q.point, q.normal) <= m->alert)
        out->point[out->count++] = q;
    }
  }
}

/* Round their middle, seen along the normal: then as a patch, with its area. */
static void order_around(const Candidates *c, DlsPatch *patch) {
  const double *n = c->point[0].normal;
  double middle[3] = {0}, t[3], s[3], angle[2 * DLS_CONVEX_VERTICES];
  const int axis = fabs(n[0]) < 0.6 ? 0 : 1;
  const double e[3] = {axis == 0, axis == 1, 0};
  dls_vector_cross(n, e, t);
  dls_vector_cross(n, t, s);
  for (int i = 0; i < c->count; i++)
    for (int k = 0; k < 3; k++) middle[k] += c->point[i].point[k] / c->count;
  patch->count = c->count;
  memcpy(patch->normal, n, sizeof patch->normal);
  for (int i = 0; i < c->count; i++) {
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = c->point[i].point[k] - middle[k];
    const double turn = atan2(dls_vector_dot(d, s), dls_vector_dot(d, t));
    int place = i;
    for (; place > 0 && angle[place - 1] > turn; place--) {
      angle[place] = angle[place - 1];
      patch->corner[place] = patch->corner[place - 1];
    }
    angle[place] = turn;
    patch->corner[place].gap = c->point[i].gap;
    memcpy(patch->corner[place].x, c->point[i].point, sizeof c->point[i].point);
    memcpy(patch->corner[place].feature, c->point[i].feature, sizeof c->point[i].feature);
  }
}

static bool one_normal(const Candidates *c) {
  for (int i = 1; i < c->count; i++)
    if (dls_vector_dot(c->point[i].normal, c->point[0].normal) < 1 - 1e-12) return false;
  return c->count > 0;
}

void dls_meet_convex_vertices(const DlsMeeting *m, const DlsSide *a, const DlsSide *b,
                              DlsManifold *out) {
  DlsPosed p;
  Candidates c;
  out->count = 0;
  pose_side(a, a->pose.position, &p);
  find_candidates(m, a, &p, b, &c);
  if (one_normal(&c)) { /* on a flat wall: the corners of what lies on it */
    DlsPatch patch;
    order_around(&c, &patch);
    const double area = fmax(dls_patch_area(m->dim, &patch), dls_convex_least_area(m->dim, &p, &p));
    dls_patch_reduce(&patch, DLS_FACE_POINTS);
    for (int k = 0; k < patch.count; k++) {
      DlsManifoldPoint q = {.gap = patch.corner[k].gap, .area = area / patch.count};
      memcpy(q.normal, patch.normal, sizeof q.normal);
      memcpy(q.point, patch.corner[k].x, sizeof q.point);
      memcpy(q.feature, patch.corner[k].feature, sizeof q.feature);
      dls_manifold_insert(&q, out);
    }
    return;
  }
  for (int n = 0; n < DLS_FACE_POINTS && n < c.count; n++) { /* the nearest first */
    int least = n;
    for (int i = n + 1; i < c.count; i++)
      if (c.point[i].gap < c.point[least].gap) least = i;
    const DlsManifoldPoint chosen = c.point[least];
    c.point[least] = c.point[n];
    c.point[n] = chosen;
    dls_manifold_insert(&chosen, out);
  }
}
