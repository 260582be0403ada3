#include "detect/convex/support.h"

#include <math.h>
#include <string.h>

#include "detect/convex/meet_impl.h"

static const double line_slack = 1e-9; /* of the size: so near to a line is on it */
static const double dent = 1e-6;       /* of the size: a corner within counts if so much deeper */

double dls_support_least(const DlsSupport *g) {
  double least = HUGE_VAL;
  for (int k = 0; k < g->count; k++) least = fmin(least, g->corner[k].gap);
  return least;
}

/* Axes across a normal. */
static void axes_across(int dim, const double n[3], double t[3], double u[3]) {
  const double e[3] = {dim == 2 ? 0 : fabs(n[0]) < 0.6, dim == 3 && fabs(n[0]) >= 0.6, dim == 2};
  dls_vector_cross(e, n, t);
  const double length = dls_vector_norm(t);
  for (int k = 0; k < 3; k++) t[k] /= length;
  dls_vector_cross(n, t, u);
}

typedef struct {
  double x, y;
  int corner;
} Flat;

static double turn_of(const Flat *a, const Flat *b, const Flat *c) {
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Whether b may go between a and c: it is no corner there. */
static bool is_straight(const Flat *a, const Flat *b, const Flat *c, double slack) {
  return turn_of(a, b, c) <= slack * hypot(c->x - a->x, c->y - a->y);
}

/* Andrew 1979. */
void dls_support_hull(const DlsPosed *solid, DlsSupport *g) {
  const int dim = solid->dim;
  const double slack = line_slack * solid->reach;
  double t[3], u[3];
  Flat flat[DLS_SUPPORT_CORNERS], hull[2 * DLS_SUPPORT_CORNERS + 2];
  DlsCorner old[DLS_SUPPORT_CORNERS];
  if (g->count < 2) return;
  axes_across(dim, g->normal, t, u);
  for (int k = 0; k < g->count; k++) {
    Flat one = {dls_vector_dot(t, g->corner[k].x), dim == 3 ? dls_vector_dot(u, g->corner[k].x) : 0,
                k};
    int at = k;
    for (;
         at > 0 && (flat[at - 1].x > one.x || (flat[at - 1].x == one.x && flat[at - 1].y > one.y));
         at--)
      flat[at] = flat[at - 1];
    flat[at] = one;
  }
  int n = 0;
  for (int k = 0; k < g->count; k++) {
    while (n >= 2 && is_straight(&hull[n - 2], &hull[n - 1], &flat[k], slack)) n--;
    hull[n++] = flat[k];
  }
  for (int k = g->count - 2, lower = n + 1; k >= 0; k--) {
    while (n >= lower && is_straight(&hull[n - 2], &hull[n - 1], &flat[k], slack)) n--;
    hull[n++] = flat[k];
  }
  n--; /* the first comes again at the end */
  if (n > 1 && hypot(hull[n - 1].x - hull[0].x, hull[n - 1].y - hull[0].y) <= slack) n--;
  memcpy(old, g->corner, (size_t)g->count * sizeof *old);
  int deepest = 0;
  double least = HUGE_VAL;
  for (int k = 0; k < g->count; k++)
    if (old[k].gap < old[deepest].gap) deepest = k;
  for (int k = 0; k < n; k++) {
    g->corner[k] = old[hull[k].corner];
    least = fmin(least, g->corner[k].gap);
  }
  g->count = n;
  if (old[deepest].gap < least - dent * solid->reach) g->corner[g->count++] = old[deepest];
}

void dls_support_add(const DlsPosed *solid, const DlsCorner *corner, DlsSupport *g) {
  for (int k = 0; k < g->count; k++) {
    DlsCorner *old = &g->corner[k];
    if (old->feature[0] != corner->feature[0] || old->feature[1] != corner->feature[1]) continue;
    if (corner->gap < old->gap) *old = *corner;
    return;
  }
  if (g->count == DLS_SUPPORT_CORNERS) dls_support_hull(solid, g);
  if (g->count < DLS_SUPPORT_CORNERS) g->corner[g->count++] = *corner;
}

static void point_in_space(const DlsPosed *solid, const double origin[3], const DlsSide *wall,
                           const double normal[3], const DlsCorner *corner, DlsManifoldPoint *out) {
  const double own = solid->rounding, rounding = wall->boundary->rounding;
  const double up = (rounding - own - corner->gap) / 2;
  double x[3];
  out->gap = corner->gap - own - rounding;
  for (int k = 0; k < 3; k++) x[k] = origin[k] + corner->x[k] + up * normal[k];
  dls_rotation_apply(wall->pose.orientation, normal, out->normal);
  dls_pose_to_space(&wall->pose, x, out->point);
  memcpy(out->feature, corner->feature, sizeof out->feature);
}

/* A corner that two supports share is told by the deeper one alone. */
static bool is_told(const DlsManifold *m, const DlsManifoldPoint *p) {
  for (int k = 0; k < m->count; k++)
    if (memcmp(m->point[k].feature, p->feature, sizeof p->feature) == 0) return true;
  return false;
}

static void give(const DlsMeeting *m, const DlsSide *a, const DlsSide *b, const DlsPosed *solid,
                 const double origin[3], DlsSupport *g, DlsManifold *out) {
  DlsManifoldPoint p = {0};
  DlsPatch patch = {.count = 0};
  dls_support_hull(solid, g);
  memcpy(patch.normal, g->normal, sizeof patch.normal);
  for (int k = 0; k < g->count; k++) {
    point_in_space(solid, origin, b, g->normal, &g->corner[k], &p);
    if (p.gap - dls_meeting_closing(m, a, b, p.point, p.normal) <= m->alert)
      patch.corner[patch.count++] = g->corner[k];
  }
  const double area = fmax(fmax(dls_patch_area(solid->dim, &patch), g->area),
                           dls_convex_least_area(solid->dim, solid, solid));
  dls_patch_reduce(&patch, DLS_FACE_POINTS);
  for (int k = 0; k < patch.count; k++) {
    point_in_space(solid, origin, b, g->normal, &patch.corner[k], &p);
    p.area = area / patch.count;
    if (!is_told(out, &p)) dls_manifold_insert(&p, out);
  }
}

void dls_supports_give(const DlsMeeting *m, const DlsSide *a, const DlsSide *b,
                       const DlsPosed *solid, const double origin[3], int count,
                       DlsSupport *support, DlsManifold *out) {
  int order[DLS_SUPPORTS];
  for (int k = 0; k < count; k++) {
    int at = k;
    for (; at > 0 && dls_support_least(&support[order[at - 1]]) > dls_support_least(&support[k]);
         at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
  for (int k = 0; k < count; k++)
    if (support[order[k]].count) give(m, a, b, solid, origin, &support[order[k]], out);
}
