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

static const double face_cosine = 0.998629534754574;   /* of 3 degrees */
static const double leave_cosine = 0.9975640502598242; /* of 4: those that touched so, manifold.h */
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

enum { MOST_OF_PAIR = 64 };

/* What the solid touched of a boundary a step ago: features of either side. */
static int remembered(const Search *s, uint32_t feature[][2]) {
  const DlsMeeting *m = s->meeting;
  int number[MOST_OF_PAIR], count = 0;
  if (!m->memory) return 0;
  const uint32_t first = (uint32_t)(m->pair.feature >> 32);
  const DlsConvex *core = &s->solid->core;
  const uint32_t all = (uint32_t)(core->vertices + core->edges + core->faces);
  const int all_of_pair = dls_contact_memory_pair(m->memory, &m->pair, MOST_OF_PAIR, number);
  for (int k = 0; k < all_of_pair; k++) {
    const uint64_t both = m->memory->key[number[k]].feature;
    if ((uint32_t)(both >> 32) - first >= all) continue; /* of other elements of the body */
    feature[count][0] = (uint32_t)(both >> 32) - first;
    feature[count++][1] = (uint32_t)both;
  }
  return count;
}

/* Whether the solid lay on the patch of a facet: by its corners, or where its edges cross those of
 * the facet, in 2-D a side of it an end. */
static bool touched_patch(const Search *s, int t) {
  const DlsFacets *f = s->f;
  const DlsConvex *core = &s->solid->core;
  uint32_t feature[MOST_OF_PAIR][2];
  const int count = remembered(s, feature);
  int crossings = 0;
  for (int k = 0; k < count; k++) {
    const uint32_t own = feature[k][0], other = feature[k][1];
    if (other == (uint32_t)f->patch[t]) return true;
    for (int i = 0; i < f->dim; i++) {
      if (f->dim == 2 && dls_convex_is_face(core, own) &&
          other == (uint32_t)dls_facets_corner_feature(f, f->corner[t][i]))
        return true;
      crossings += f->dim == 3 && own >= (uint32_t)core->vertices &&
                   other == (uint32_t)dls_facets_edge_feature(f, t, i);
    }
  }
  return crossings >= 2;
}

/* The front of a facet, or its back where that is met too. */
static int face_of(const Search *s, bool behind) {
  const int front = s->f->dim == 2;
  return behind ? !front : front;
}

/* Corners of what lies above the facet; the least gap of it. */
static double add_face(Search *s, int t, const double normal[3], const DlsPatch *patch) {
  DlsSupport *g = group_of(s, s->f->patch[t], normal);
  double least = dls_support_least(g), own = HUGE_VAL;
  for (int k = 0; k < patch->count; k++) {
    bool inner;
    DlsCorner corner = patch->corner[k];
    own = fmin(own, corner.gap);
    if (corner.gap > s->limit) continue;
    corner.feature[0] = patch->corner[k].feature[1];
    corner.feature[1] = (uint32_t)feature_of(s, t, patch->corner[k].feature[0], &inner);
    if (inner) continue;
    if (corner.gap < least - line_slack * s->solid->reach) { /* the normal where it is deepest */
      least = corner.gap;
      memcpy(g->normal, normal, sizeof g->normal);
    }
    dls_support_add(s->solid, &corner, g);
  }
  return own;
}

/* What of the solid lies above the facet; the least gap of it, HUGE_VAL where there is none. */
static double take_face(Search *s, int t, const DlsPosed *facet, bool behind) {
  static _Thread_local DlsPatch patch;
  const int face = face_of(s, behind);
  if (!dls_convex_above(facet, face, s->solid, &patch)) return HUGE_VAL;
  return add_face(s, t, facet->plane[face], &patch);
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
    dls_convex_patch(NULL, s->solid, facet, nearest, &patch);
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

/* Where the solid stands over the plane of a facet, seen from the side that its middle is on where
 * both are met. */
typedef struct {
  double n[3];
  double middle, lowest, highest; /* m */
  bool behind;
} Stand;

static Stand stand_on(const Search *s, int t) {
  const DlsPosed *p = s->solid;
  const double *plane = s->f->plane[t];
  Stand out = {.n = {plane[0], plane[1], plane[2]}, .lowest = HUGE_VAL, .highest = -HUGE_VAL};
  double offset = plane[3] - dls_vector_dot(plane, s->origin);
  out.middle = dls_vector_dot(plane, p->centre) - offset;
  out.behind = s->f->both && out.middle < 0;
  for (int k = 0; k < 3 && out.behind; k++) out.n[k] = -out.n[k];
  if (out.behind) offset = -offset;
  for (int v = 0; v < p->core.vertices; v++) {
    const double height = dls_vector_dot(out.n, p->vertex[v]) - offset;
    out.lowest = fmin(out.lowest, height);
    out.highest = fmax(out.highest, height);
  }
  return out;
}

/* Whether the facet lies as a whole farther than the limit above a face of the solid. */
static bool is_beside(const Search *s, int t) {
  const DlsPosed *p = s->solid;
  const DlsFacets *f = s->f;
  double x[3][3];
  for (int v = 0; v < f->dim; v++)
    for (int k = 0; k < 3; k++) x[v][k] = f->node[f->corner[t][v]][k] - s->origin[k];
  for (int face = 0; face < p->core.faces; face++) {
    const double *plane = p->plane[face];
    double least = HUGE_VAL;
    for (int v = 0; v < f->dim; v++) least = fmin(least, dls_vector_dot(plane, x[v]) - plane[3]);
    if (least > s->limit) return true;
  }
  return false;
}

/* Whether the patch goes on flat beyond all edges of a facet. */
static bool is_inner(const DlsFacets *f, int t) {
  for (int k = 0; k < f->dim; k++)
    if (f->neighbour[t][k] < 0 || f->bend[t][k] != 0) return false;
  return true;
}

/* The common case without a search: where the lowest of the solid is above the facet itself, that
 * is the distance, since no part is nearer than its height over the plane. Where they overlap, a
 * little, this holds of what lies on flat ground: up is the way out, whatever is shorter. */
static bool take_lowest(Search *s, int t, const DlsPosed *facet, const Stand *stand) {
  static _Thread_local DlsPatch patch;
  const DlsPosed *p = s->solid;
  const double lowest = stand->lowest;
  const int face = face_of(s, s->f->both && stand->behind);
  if (!(stand->middle >= 0 || stand->behind)) return false;
  if (!(lowest > 1e-7 * p->reach || (lowest > -0.5 * p->reach && is_inner(s->f, t)))) return false;
  if (!dls_convex_above(facet, face, p, &patch)) return false;
  int least = 0;
  for (int k = 1; k < patch.count; k++)
    if (patch.corner[k].gap < patch.corner[least].gap) least = k;
  const DlsCorner *c = &patch.corner[least];
  if (c->gap > lowest + line_slack * p->reach) return false;
  if (is_nearer(s, c->gap)) {
    s->nearest_facet = t;
    s->nearest = (DlsNearest){.distance = c->gap, .feature = {c->feature[1], c->feature[0]}};
    for (int k = 0; k < 3; k++) {
      s->nearest.normal[k] = stand->n[k];
      s->nearest.on_a[k] = c->x[k];
      s->nearest.on_b[k] = c->x[k] - c->gap * stand->n[k];
    }
  }
  add_face(s, t, facet->plane[face], &patch);
  return true;
}

static void test_nearest(Search *s, int t, const DlsPosed *facet, Stand *stand) {
  const DlsFacets *f = s->f;
  const DlsPosed *p = s->solid;
  DlsNearest nearest;
  dls_convex_nearest(p, facet, s->limit, &nearest);
  if (nearest.far) return;
  /* Its middle behind the plane: beyond an edge it may still come from the front. */
  const bool apart = nearest.distance > 1e-7 * p->reach;
  double along = dls_vector_dot(nearest.normal, stand->n);
  if (stand->middle < -s->depth && !f->both && !(apart && along > 0)) return;
  if (f->both && apart && along < 0) {
    stand->behind = !stand->behind;
    along = -along;
  }
  if (along > 0 && is_nearer(s, nearest.distance)) {
    s->nearest_facet = t;
    s->nearest = nearest;
  }
  if (along >= face_cosine || (along >= leave_cosine && touched_patch(s, t))) {
    /* Beside the face, on its edge, something may be nearer than what is above it. */
    const double least = take_face(s, t, facet, stand->behind);
    if (least > nearest.distance / face_cosine + dent * p->reach)
      take_edge(s, t, facet, stand->behind, &nearest, true);
    return;
  }
  if (take_edge(s, t, facet, stand->behind, &nearest, false)) return;
  /* Shallow beside an inner edge, the shortest way out is along the floor: up it goes all the
   * same. */
  if (!apart && stand->lowest > -0.5 * p->reach) take_face(s, t, facet, stand->behind);
}

static void test(void *context, int t) {
  static _Thread_local DlsPosed facet;
  Search *s = context;
  Stand stand = stand_on(s, t);
  if (stand.lowest > s->limit || stand.highest < -s->depth || is_beside(s, t)) return;
  pose_facet(s, t, &facet);
  if (!take_lowest(s, t, &facet, &stand)) test_nearest(s, t, &facet, &stand);
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
