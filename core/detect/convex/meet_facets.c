/* Convex solids and facets. All is done in the axes of the boundary.
 *
 * Facet by facet: where the nearest direction is that of the facet, what of the solid lies above it
 * (manifold.h). Else the direction counts only within the normal cone of the edge or corner on
 * which it is: what is beyond a flat or concave edge belongs to the facet beyond. Points of one
 * patch are merged into one polygon of support: corners that lie on its inner edges, or within it,
 * go. So a box on a floor of triangles has the four points that it has on a plane. */
#include <math.h>
#include <string.h>

#include "detect/convex/meet_impl.h"

enum { GROUPS = 32, CORNERS = 96 };

static const double face_cosine = 0.998629534754574; /* of 3 degrees */
static const double cone_slack = 1e-3; /* directions within 1e-6 of a cone are within: facets.c */
static const double line_slack = 1e-9; /* of the size: so near to a line is on it */
static const double dent = 1e-6;       /* of the size: a corner within counts if so much deeper */

/* What touches one patch, edge or corner of the facets. */
typedef struct {
  int feature;
  double normal[3];
  double area; /* of an edge: of its patch; of a face: that of its polygon */
  int count;
  DlsCorner corner[CORNERS]; /* x on the core of the solid; features of solid and facets */
} Group;

typedef struct {
  const DlsMeeting *meeting;
  const DlsFacets *f;
  const DlsPosed *solid;
  const double *origin;
  double depth, limit; /* limit: m, of the gaps of cores */
  int groups;
  Group *group;
  /* The nearest of all facets whose front it meets. */
  int nearest_facet; /* -1: none */
  DlsNearest nearest;
} Search;

static double least_gap(const Group *g) {
  double least = HUGE_VAL;
  for (int k = 0; k < g->count; k++) least = fmin(least, g->corner[k].gap);
  return least;
}

/* The group of a feature; a new one where there is none, in the place of the farthest if all are
 * taken. */
static Group *group_of(Search *s, int feature, const double normal[3]) {
  Group *far = NULL;
  for (int k = 0; k < s->groups; k++) {
    if (s->group[k].feature == feature) return &s->group[k];
    if (!far || least_gap(&s->group[k]) > least_gap(far)) far = &s->group[k];
  }
  if (s->groups < GROUPS) far = &s->group[s->groups++];
  *far = (Group){.feature = feature};
  memcpy(far->normal, normal, sizeof far->normal);
  return far;
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

/* The corners of the convex hull, seen along the normal, counter-clockwise (Andrew 1979); and the
 * deepest within, where it is deeper than all of them. */
static void take_hull(const Search *s, Group *g) {
  const int dim = s->solid->dim;
  const double slack = line_slack * s->solid->reach;
  double t[3], u[3];
  Flat flat[CORNERS], hull[2 * CORNERS + 2];
  DlsCorner old[CORNERS];
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
  if (old[deepest].gap < least - dent * s->solid->reach) g->corner[g->count++] = old[deepest];
}

static void add(Search *s, Group *g, const DlsCorner *corner) {
  for (int k = 0; k < g->count; k++) {
    DlsCorner *old = &g->corner[k];
    if (old->feature[0] != corner->feature[0] || old->feature[1] != corner->feature[1]) continue;
    if (corner->gap < old->gap) *old = *corner;
    return;
  }
  if (g->count == CORNERS) take_hull(s, g);
  if (g->count < CORNERS) g->corner[g->count++] = *corner;
}

/* A feature of a posed facet as one of all facets; *inner: it is between two facets of a patch. */
static int feature_of(const Search *s, int t, uint32_t own, bool *inner) {
  const DlsFacets *f = s->f;
  const int dim = f->dim, k = (int)own;
  *inner = false;
  if (k < dim) {
    if (dim == 2) { /* an end of a segment bounds it as an edge does a triangle */
      const int u = f->neighbour[t][k];
      *inner = u >= 0 && f->patch[u] == f->patch[t];
    }
    return dls_facets_corner_feature(f, f->corner[t][k]);
  }
  if (dim == 3 && k < 6) {
    const int u = f->neighbour[t][k - 3];
    *inner = u >= 0 && f->patch[u] == f->patch[t];
    return dls_facets_edge_feature(f, t, k - 3);
  }
  return f->patch[t];
}

/* What of the solid lies above the facet; the least gap of it, HUGE_VAL where there is none. */
static double take_face(Search *s, int t, const DlsPosed *facet, bool behind) {
  static _Thread_local DlsPatch patch;
  const int front = s->f->dim == 2, face = behind ? !front : front;
  if (!dls_convex_above(facet, face, s->solid, &patch)) return HUGE_VAL;
  Group *g = group_of(s, s->f->patch[t], facet->plane[face]);
  double least = least_gap(g), own = HUGE_VAL;
  for (int k = 0; k < patch.count; k++) {
    bool inner;
    DlsCorner corner = patch.corner[k];
    own = fmin(own, corner.gap);
    if (corner.gap > s->limit) continue;
    corner.feature[0] = patch.corner[k].feature[1];
    corner.feature[1] = (uint32_t)feature_of(s, t, patch.corner[k].feature[0], &inner);
    if (inner) continue;
    if (corner.gap < least - line_slack * s->solid->reach) { /* the normal where it is deepest */
      least = corner.gap;
      memcpy(g->normal, facet->plane[face], sizeof g->normal);
    }
    add(s, g, &corner);
  }
  return own;
}

/* The nearest points themselves. */
static void nearest_patch(const DlsNearest *nearest, DlsPatch *out) {
  out->count = 1;
  out->on_b = true;
  out->area = 0;
  memcpy(out->normal, nearest->normal, sizeof out->normal);
  out->corner[0].gap = nearest->distance;
  memcpy(out->corner[0].x, nearest->on_b, sizeof nearest->on_b);
  memcpy(out->corner[0].feature, nearest->feature, sizeof nearest->feature);
}

static double least_of(const DlsPatch *patch) {
  double least = HUGE_VAL;
  for (int k = 0; k < patch->count; k++) least = fmin(least, patch->corner[k].gap);
  return least;
}

/* The nearest direction where it belongs to an edge or a corner of the facet; `beside`: it is
 * nearly that of the face. The facet beyond the edge may have told of it: the nearer counts. */
static bool take_edge(Search *s, int t, const DlsPosed *facet, bool behind,
                      const DlsNearest *nearest, bool beside) {
  static _Thread_local DlsPatch patch;
  const DlsFacets *f = s->f;
  const int k = (int)nearest->feature[1];
  double away[3];
  bool inner;
  for (int i = 0; i < 3; i++) away[i] = cone_slack * f->size * nearest->normal[i];
  if (k < f->dim ? !dls_facets_in_corner_cone(f, t, k, behind, away)
                 : k >= 6 || f->dim == 2 || !dls_facets_in_edge_cone(f, t, k - 3, behind, away))
    return false;
  if (beside)
    nearest_patch(nearest, &patch);
  else
    dls_convex_patch(s->solid, facet, nearest, &patch);
  Group *g = group_of(s, feature_of(s, t, nearest->feature[1], &inner), patch.normal);
  if (g->count > 0 && least_of(&patch) >= least_gap(g) - line_slack * s->solid->reach) return true;
  g->count = 0;
  memcpy(g->normal, patch.normal, sizeof g->normal);
  g->area = patch.area;
  for (int i = 0; i < patch.count; i++) {
    DlsCorner corner = patch.corner[i];
    if (corner.gap > s->limit) continue;
    corner.feature[1] = (uint32_t)feature_of(s, t, corner.feature[1], &inner);
    for (int j = 0; j < 3 && patch.on_b; j++) corner.x[j] += corner.gap * patch.normal[j];
    add(s, g, &corner);
  }
  return true;
}

static void pose_facet(const Search *s, int t, DlsPosed *out) {
  const DlsFacets *f = s->f;
  double corner[3][3] = {{0}};
  for (int k = 0; k < 3 && k < f->dim; k++)
    memcpy(corner[k], f->node[f->corner[t][k]], sizeof corner[k]);
  if (f->dim == 2)
    dls_posed_line((const double(*)[3])corner, s->origin, out);
  else
    dls_posed_triangle((const double(*)[3])corner, s->origin, out);
}

/* What overlaps comes first, the shallowest of it. */
static bool is_nearer(const Search *s, double distance) {
  const double old = s->nearest.distance;
  if (s->nearest_facet < 0) return true;
  return (distance < 0) != (old < 0) ? distance < 0 : fabs(distance) < fabs(old);
}

static void test(void *context, int t) {
  static _Thread_local DlsPosed facet;
  Search *s = context;
  const DlsFacets *f = s->f;
  const DlsPosed *p = s->solid;
  double n[3], lowest = HUGE_VAL, highest = -HUGE_VAL;
  memcpy(n, f->plane[t], sizeof n);
  double offset = f->plane[t][3] - dls_vector_dot(n, s->origin);
  const double middle = dls_vector_dot(n, p->centre) - offset;
  bool behind = f->both && middle < 0;
  for (int k = 0; k < 3 && behind; k++) n[k] = -n[k];
  if (behind) offset = -offset;
  for (int v = 0; v < p->core.vertices; v++) {
    const double height = dls_vector_dot(n, p->vertex[v]) - offset;
    lowest = fmin(lowest, height);
    highest = fmax(highest, height);
  }
  if (lowest > s->limit || highest < -s->depth) return;
  DlsNearest nearest;
  pose_facet(s, t, &facet);
  dls_convex_nearest(p, &facet, s->limit, &nearest);
  if (nearest.far) return;
  /* Its middle behind the plane: beyond an edge it may still come from the front. */
  const bool apart = nearest.distance > 1e-7 * p->reach;
  const double along = dls_vector_dot(nearest.normal, n);
  if (middle < -s->depth && !f->both && !(apart && along > 0)) return;
  if (f->both && apart && along < 0) {
    behind = !behind;
    for (int k = 0; k < 3; k++) n[k] = -n[k];
  }
  if (dls_vector_dot(nearest.normal, n) > 0 && is_nearer(s, nearest.distance)) {
    s->nearest_facet = t;
    s->nearest = nearest;
  }
  if (dls_vector_dot(nearest.normal, n) >= face_cosine) {
    /* Beside the face, on its edge, something may be nearer than what is above it. */
    const double least = take_face(s, t, &facet, behind);
    if (least > nearest.distance / face_cosine + dent * p->reach)
      take_edge(s, t, &facet, behind, &nearest, true);
    return;
  }
  if (take_edge(s, t, &facet, behind, &nearest, false)) return;
  /* Shallow beside an inner edge, the shortest way out is along the floor: up it goes all the
   * same. */
  if (!apart && lowest > -0.5 * p->reach) take_face(s, t, &facet, behind);
}

static void point_in_space(const Search *s, const DlsSide *wall, const Group *g,
                           const DlsCorner *corner, double rounding, DlsManifoldPoint *out) {
  const double own = s->solid->rounding, up = (rounding - own - corner->gap) / 2;
  double x[3];
  out->gap = corner->gap - own - rounding;
  for (int k = 0; k < 3; k++) x[k] = s->origin[k] + corner->x[k] + up * g->normal[k];
  dls_rotation_apply(wall->pose.orientation, g->normal, out->normal);
  dls_pose_to_space(&wall->pose, x, out->point);
  memcpy(out->feature, corner->feature, sizeof out->feature);
}

/* A corner that two edges of the facets share is told by the deeper one alone. */
static bool is_told(const DlsManifold *m, const DlsManifoldPoint *p) {
  for (int k = 0; k < m->count; k++)
    if (memcmp(m->point[k].feature, p->feature, sizeof p->feature) == 0) return true;
  return false;
}

/* Corners within the alert distance, or that will be; all as points. */
static void give(const Search *s, const DlsSide *a, const DlsSide *b, Group *g, DlsManifold *out) {
  const double rounding = b->boundary->rounding;
  DlsManifoldPoint p = {0};
  DlsPatch patch = {.count = 0};
  take_hull(s, g);
  memcpy(patch.normal, g->normal, sizeof patch.normal);
  for (int k = 0; k < g->count; k++) {
    point_in_space(s, b, g, &g->corner[k], rounding, &p);
    if (p.gap - dls_meeting_closing(s->meeting, a, b, p.point, p.normal) <= s->meeting->alert)
      patch.corner[patch.count++] = g->corner[k];
  }
  const double area = fmax(fmax(dls_patch_area(s->solid->dim, &patch), g->area),
                           dls_convex_least_area(s->solid->dim, s->solid, s->solid));
  dls_patch_reduce(&patch, DLS_FACE_POINTS);
  for (int k = 0; k < patch.count; k++) {
    point_in_space(s, b, g, &patch.corner[k], rounding, &p);
    p.area = area / patch.count;
    if (!is_told(out, &p)) dls_manifold_insert(&p, out);
  }
}

/* Where no facet has told of what is nearest, its point. */
static void take_nearest(Search *s) {
  static _Thread_local DlsPatch patch;
  double least = HUGE_VAL;
  bool inner;
  for (int k = 0; k < s->groups; k++) least = fmin(least, least_gap(&s->group[k]));
  if (s->nearest_facet < 0) return;
  const double missed = fmax(s->nearest.distance, 0) / face_cosine + dent * s->solid->reach;
  if (least <= missed) return;
  nearest_patch(&s->nearest, &patch);
  DlsCorner corner = patch.corner[0];
  for (int k = 0; k < 3; k++) corner.x[k] += corner.gap * patch.normal[k];
  corner.feature[1] = (uint32_t)feature_of(s, s->nearest_facet, corner.feature[1], &inner);
  Group *g = group_of(s, (int)corner.feature[1], patch.normal);
  memcpy(g->normal, patch.normal, sizeof g->normal);
  g->count = 0;
  add(s, g, &corner);
}

/* Groups by their deepest point: when there is no room for all, these count. */
static void give_all(Search *s, const DlsSide *a, const DlsSide *b, DlsManifold *out) {
  int order[GROUPS];
  for (int k = 0; k < s->groups; k++) {
    int at = k;
    for (; at > 0 && least_gap(&s->group[order[at - 1]]) > least_gap(&s->group[k]); at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
  for (int k = 0; k < s->groups; k++)
    if (s->group[order[k]].count) give(s, a, b, &s->group[order[k]], out);
}

void dls_meet_convex_facets(const DlsMeeting *m, const DlsSide *a, const DlsSide *b,
                            DlsManifold *out) {
  static _Thread_local Group group[GROUPS];
  static _Thread_local DlsPosed solid;
  const DlsBoundary *wall = b->boundary;
  const double *q = b->pose.orientation, back[4] = {q[0], -q[1], -q[2], -q[3]};
  double origin[3], low[3], high[3];
  DlsPose local;
  out->count = 0;
  dls_pose_to_local(&b->pose, a->pose.position, origin);
  memcpy(local.position, origin, sizeof origin);
  dls_rotation_multiply(back, a->pose.orientation, local.orientation);
  dls_posed_solid(&a->solid, &local, origin, &solid);
  const double own = dls_vector_norm(solid.centre) + solid.reach + solid.rounding;
  const double far = own + dls_vector_norm(origin);
  const double limit =
      m->alert + dls_convex_closing(m, a, own, b, far) + solid.rounding + wall->rounding;
  for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
  for (int v = 0; v < solid.core.vertices; v++)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], origin[k] + solid.vertex[v][k] - limit);
      high[k] = fmax(high[k], origin[k] + solid.vertex[v][k] + limit);
    }
  Search s = {.meeting = m,
              .f = wall->facets,
              .solid = &solid,
              .origin = origin,
              .depth = wall->depth,
              .limit = limit,
              .group = group,
              .nearest_facet = -1};
  dls_facets_within(wall->facets, low, high, test, &s);
  take_nearest(&s);
  give_all(&s, a, b, out);
}
