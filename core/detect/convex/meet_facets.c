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
#include "detect/convex/support.h"

static const double face_cosine = 0.998629534754574; /* of 3 degrees */
static const double cone_slack = 1e-3; /* directions within 1e-6 of a cone are within: facets.c */
static const double line_slack = 1e-9, dent = 1e-6; /* of the size: support.h */

typedef struct {
  const DlsMeeting *meeting;
  const DlsFacets *f;
  const DlsPosed *solid;
  const double *origin;
  double depth, limit; /* limit: m, of the gaps of cores */
  int groups;
  DlsSupport *group;
  /* The nearest of all facets whose front it meets. */
  int nearest_facet; /* -1: none */
  DlsNearest nearest;
} Search;

/* The group of a feature; a new one where there is none, in the place of the farthest if all are
 * taken. */
static DlsSupport *group_of(Search *s, int feature, const double normal[3]) {
  DlsSupport *far = NULL;
  for (int k = 0; k < s->groups; k++) {
    if (s->group[k].feature == feature) return &s->group[k];
    if (!far || dls_support_least(&s->group[k]) > dls_support_least(far)) far = &s->group[k];
  }
  if (s->groups < DLS_SUPPORTS) far = &s->group[s->groups++];
  *far = (DlsSupport){.feature = feature};
  memcpy(far->normal, normal, sizeof far->normal);
  return far;
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
  DlsSupport *g = group_of(s, s->f->patch[t], facet->plane[face]);
  double least = dls_support_least(g), own = HUGE_VAL;
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
    dls_support_add(s->solid, &corner, g);
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
  DlsSupport *g = group_of(s, feature_of(s, t, nearest->feature[1], &inner), patch.normal);
  if (g->count > 0 && least_of(&patch) >= dls_support_least(g) - line_slack * s->solid->reach)
    return true;
  g->count = 0;
  memcpy(g->normal, patch.normal, sizeof g->normal);
  g->area = patch.area;
  for (int i = 0; i < patch.count; i++) {
    DlsCorner corner = patch.corner[i];
    if (corner.gap > s->limit) continue;
    corner.feature[1] = (uint32_t)feature_of(s, t, corner.feature[1], &inner);
    for (int j = 0; j < 3 && patch.on_b; j++) corner.x[j] += corner.gap * patch.normal[j];
    dls_support_add(s->solid, &corner, g);
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

/* Where no facet has told of what is nearest, its point. */
static void take_nearest(Search *s) {
  static _Thread_local DlsPatch patch;
  double least = HUGE_VAL;
  bool inner;
  for (int k = 0; k < s->groups; k++) least = fmin(least, dls_support_least(&s->group[k]));
  if (s->nearest_facet < 0) return;
  const double missed = fmax(s->nearest.distance, 0) / face_cosine + dent * s->solid->reach;
  if (least <= missed) return;
  nearest_patch(&s->nearest, &patch);
  DlsCorner corner = patch.corner[0];
  for (int k = 0; k < 3; k++) corner.x[k] += corner.gap * patch.normal[k];
  corner.feature[1] = (uint32_t)feature_of(s, s->nearest_facet, corner.feature[1], &inner);
  DlsSupport *g = group_of(s, (int)corner.feature[1], patch.normal);
  memcpy(g->normal, patch.normal, sizeof g->normal);
  g->count = 0;
  dls_support_add(s->solid, &corner, g);
}

void dls_meet_convex_facets(const DlsMeeting *m, const DlsSide *a, const DlsSide *b,
                            DlsManifold *out) {
  static _Thread_local DlsSupport group[DLS_SUPPORTS];
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
  dls_supports_give(m, a, b, &solid, origin, s.groups, group, out);
}
