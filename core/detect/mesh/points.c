/* Points of one surface on the faces of another, or of its own. */
#include <math.h>
#include <string.h>

#include "detect/mesh/mesh.h"

/* Gauss: two on a line, three in a triangle, two by two in a quadrilateral. */
int dls_mesh_face_points(const DlsFacesNow *now, int face, DlsFacePoint *out) {
  const int *corner = now->faces->corner[face], corners = dls_face_corners(corner);
  const double g = 0.57735026918962576451;
  double L[DLS_FACE_CORNERS], dN[DLS_FACE_CORNERS][2], total = 0;
  const int count = corners;
  for (int p = 0; p < count; p++) {
    double s[2] = {0, 0};
    if (corners == 2) s[0] = 0.5 + (p ? g : -g) / 2;
    if (corners == 3) s[0] = p == 1 ? 2.0 / 3 : 1.0 / 6, s[1] = p == 2 ? 2.0 / 3 : 1.0 / 6;
    if (corners == 4) s[0] = p == 1 || p == 2 ? g : -g, s[1] = p > 1 ? g : -g;
    dls_face_weights(corners, s, L, dN);
    dls_face_nodes(now->faces, face, L, &out[p].at);
    out[p].share = 1;
    if (corners == 4) { /* the ratio of areas there */
      double a[2][3] = {{0}}, cross[3];
      for (int c = 0; c < 4; c++)
        for (int k = 0; k < 2; k++)
          for (int i = 0; i < 3; i++) a[k][i] += dN[c][k] * now->x[corner[c]][i];
      dls_vector_cross(a[0], a[1], cross);
      out[p].share = dls_vector_norm(cross);
    }
    total += out[p].share;
  }
  for (int p = 0; p < count; p++) out[p].share /= total;
  return count;
}

/* One of the surface `from`, a mean of its elements, at x. */
typedef struct {
  DlsMeshSide side;
  double x[3], way[3], area;
  const int *face; /* those that it is part of */
  int faces;
  int node; /* -1: it is none */
} Point;

static DlsStatus try_point(const DlsMeshMeeting *m, const DlsFacesNow *from, const DlsFacesNow *on,
                           const Point *p) {
  DlsFoot foot;
  DlsPlace place = {.reach = m->scene->alert + dls_vector_norm(p->way) + on->fastest,
                    .depth = 0.5 * (from->faces->size + on->faces->size),
                    .normal = (const double(*)[3])from->normal,
                    .face = p->face,
                    .faces = p->faces,
                    .apart = from == on ? p->node : -1};
  const double far = fmax(place.reach, place.depth);
  for (int k = 0; k < 3; k++)
    if (p->x[k] < on->whole.low[k] - far || p->x[k] > on->whole.high[k] + far) return DLS_OK;
  memcpy(place.x, p->x, sizeof place.x);
  if (!dls_faces_foot(on, &place, &foot)) return DLS_OK;
  double closing = 0;
  for (int k = 0; k < 3; k++) closing += (p->way[k] - foot.way[k]) * foot.normal[k];
  if (foot.gap + fmin(0, closing) > m->scene->alert) return DLS_OK;
  const DlsMeshSide other = {.body = on->body,
                             .feature = DLS_FEATURE_FACE,
                             .count = foot.at.count,
                             .element = foot.at.element,
                             .weight = foot.at.N};
  DlsMeshPoint point = {.gap = foot.gap, .area = p->area};
  memcpy(point.normal, foot.normal, sizeof point.normal);
  for (int k = 0; k < 3; k++) point.point[k] = p->x[k] - 0.5 * foot.gap * foot.normal[k];
  return dls_mesh_add(m, &p->side, &other, &point);
}

static DlsStatus try_nodes(const DlsMeshMeeting *m, const DlsFacesNow *from,
                           const DlsFacesNow *on) {
  const double one = 1;
  for (int e = 0; e < from->faces->elements; e++) {
    const int star = from->faces->star_start[e], faces = from->faces->star_start[e + 1] - star;
    if (faces == 0) continue;
    Point p = {.side = {from->body, (uint32_t)e, 1, &e, &one},
               .area = dls_faces_node_told(from, e, from->node_area[e]),
               .face = from->faces->star + star,
               .faces = faces,
               .node = e};
    memcpy(p.x, from->x[e], sizeof p.x);
    memcpy(p.way, from->way[e], sizeof p.way);
    DLS_TRY(try_point(m, from, on, &p));
  }
  return DLS_OK;
}

DlsStatus dls_mesh_points(const DlsMeshMeeting *m, const DlsFacesNow *from, const DlsFacesNow *on,
                          DlsMeetBy by) {
  DlsFacePoint at[DLS_FACE_CORNERS];
  if (by != DLS_MEET_BY_QUADRATURE) return try_nodes(m, from, on);
  for (int f = 0; f < from->faces->count; f++) {
    const int count = dls_mesh_face_points(from, f, at);
    for (int q = 0; q < count; q++) {
      const DlsNodesThere *own = &at[q].at;
      const uint32_t feature = DLS_FEATURE_POINT | (uint32_t)(f * DLS_FACE_CORNERS + q);
      Point p = {.side = {from->body, feature, own->count, own->element, own->N},
                 .area = dls_faces_told(from, f, at[q].share * from->area[f]),
                 .face = &f,
                 .faces = 1,
                 .node = -1};
      for (int k = 0; k < 3; k++)
        for (int c = 0; c < own->count; c++) {
          p.x[k] += own->N[c] * from->x[own->element[c]][k];
          p.way[k] += own->N[c] * from->way[own->element[c]][k];
        }
      DLS_TRY(try_point(m, from, on, &p));
    }
  }
  return DLS_OK;
}
