/* Facets made from corners: planes, neighbours, edges, patches, the tree of boxes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "world/facets.h"
#include "world/rotation.h"

enum { LEAF = 4 };

static const double flat_sine = 1e-9;                 /* of the angle at an edge */
static const double one_degree = 0.99984769515639124; /* its cosine */

static void clear(DlsFacets *f) {
  free(f->node);
  free(f->corner);
  free(f->neighbour);
  free(f->bend);
  free(f->plane);
  free(f->outward);
  free(f->patch);
  free(f->star_start);
  free(f->star);
  free(f->order);
  free(f->box);
  free(f);
}

DlsFacets *dls_facets_share(DlsFacets *facets) {
  facets->users++;
  return facets;
}

void dls_facets_release(DlsFacets **facets) {
  DlsFacets *f = *facets;
  *facets = NULL;
  if (f && --f->users == 0) clear(f);
}

DlsStatus dls_facets_hold(DlsFacetsList *list, DlsFacets *facets) {
  if (!facets) return DLS_OK;
  for (int k = 0; k < list->count; k++)
    if (list->item[k] == facets) return DLS_OK;
  DlsFacets **item = realloc(list->item, ((size_t)list->count + 1) * sizeof *item);
  DLS_CHECK(item, DLS_ERR_MEMORY, "out of memory for a list of meshes");
  list->item = item;
  item[list->count++] = dls_facets_share(facets);
  return DLS_OK;
}

void dls_facets_list_clear(DlsFacetsList *list) {
  for (int k = 0; k < list->count; k++) dls_facets_release(&list->item[k]);
  free(list->item);
  *list = (DlsFacetsList){0};
}

static void set_plane(DlsFacets *f, int t) {
  const int *c = f->corner[t];
  const double *p = f->node[c[0]], *q = f->node[c[1]];
  double a[3], b[3], n[3];
  for (int k = 0; k < 3; k++) a[k] = q[k] - p[k];
  if (f->dim == 2) {
    n[0] = -a[1], n[1] = a[0], n[2] = 0;
  } else {
    for (int k = 0; k < 3; k++) b[k] = f->node[c[2]][k] - p[k];
    dls_vector_cross(a, b, n);
  }
  const double length = dls_vector_norm(n);
  for (int k = 0; k < 3; k++) f->plane[t][k] = n[k] / length;
  f->plane[t][3] = dls_vector_dot(f->plane[t], p);
}

/* Whether corner i of the neighbour is one that facet t has not. */
static bool is_far(const DlsFacets *f, int t, int node) {
  for (int k = 0; k < f->dim; k++)
    if (f->corner[t][k] == node) return false;
  return true;
}

/* Convex where the far corner of the neighbour lies below the plane. */
static void set_bend(DlsFacets *f, int t, int k) {
  const int u = f->neighbour[t][k];
  f->bend[t][k] = 1;
  if (u < 0) {
    f->closed = false;
    return;
  }
  const double *at = f->node[f->corner[t][k]];
  for (int i = 0; i < f->dim; i++) {
    const int far = f->corner[u][i];
    if (!is_far(f, t, far)) continue;
    double away[3];
    for (int j = 0; j < 3; j++) away[j] = f->node[far][j] - at[j];
    const double sine = dls_vector_dot(f->plane[t], away) / fmax(dls_vector_norm(away), 1e-300);
    f->bend[t][k] = (int8_t)(sine < -flat_sine ? 1 : sine > flat_sine ? -1 : 0);
  }
}

/* The nodes that edges lead to from each node; inner edges come twice, which does no harm. */
static DlsStatus set_stars(DlsFacets *f) {
  const int dim = f->dim, corners = dim * f->count;
  DLS_NEW(f->star_start, f->nodes + 1);
  DLS_NEW(f->star, (size_t)(dim - 1) * (size_t)corners);
  for (int c = 0; c < corners; c++) f->star_start[f->corner[c / dim][c % dim] + 1] += dim - 1;
  for (int n = 0; n < f->nodes; n++) f->star_start[n + 1] += f->star_start[n];
  int *fill;
  DLS_NEW(fill, f->nodes);
  for (int c = 0; c < corners; c++) {
    const int *corner = f->corner[c / dim], n = corner[c % dim];
    for (int k = 1; k < dim; k++) f->star[f->star_start[n] + fill[n]++] = corner[(c + k) % dim];
  }
  free(fill);
  return DLS_OK;
}

/* Normals around a node by the angles there: on which side of it a place is (Baerentzen and Aanaes
 * 2005). */
static void set_outward(DlsFacets *f) {
  for (int t = 0; t < f->count; t++)
    for (int k = 0; k < f->dim; k++) {
      const int *c = f->corner[t];
      double a[3], b[3], angle = 1;
      for (int i = 0; i < 3 && f->dim == 3; i++) {
        a[i] = f->node[c[(k + 1) % 3]][i] - f->node[c[k]][i];
        b[i] = f->node[c[(k + 2) % 3]][i] - f->node[c[k]][i];
      }
      if (f->dim == 3) {
        double across[3];
        dls_vector_cross(a, b, across);
        angle = atan2(dls_vector_norm(across), dls_vector_dot(a, b));
      }
      for (int i = 0; i < 3; i++) f->outward[c[k]][i] += angle * f->plane[t][i];
    }
}

/* From each facet that has none yet, all that hang on to it and face as it does. */
static DlsStatus set_patches(DlsFacets *f) {
  int *queue;
  DLS_NEW(f->patch, f->count);
  DLS_NEW(queue, f->count);
  for (int t = 0; t < f->count; t++) f->patch[t] = -1;
  for (int first = 0; first < f->count; first++) {
    int length = 0;
    if (f->patch[first] >= 0) continue;
    f->patch[first] = f->patches;
    queue[length++] = first;
    for (int at = 0; at < length; at++)
      for (int k = 0; k < f->dim; k++) {
        const int u = f->neighbour[queue[at]][k];
        if (u < 0 || f->patch[u] >= 0) continue;
        if (dls_vector_dot(f->plane[u], f->plane[first]) < one_degree) continue;
        f->patch[u] = f->patches;
        queue[length++] = u;
      }
    f->patches++;
  }
  free(queue);
  return DLS_OK;
}

static void box_of(const DlsFacets *f, int first, int count, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
  for (int i = first; i < first + count; i++)
    for (int c = 0; c < f->dim; c++)
      for (int k = 0; k < 3; k++) {
        const double x = f->node[f->corner[f->order[i]][c]][k];
        low[k] = fmin(low[k], x);
        high[k] = fmax(high[k], x);
      }
}

typedef struct {
  double middle;
  int facet;
} Place;

static int by_place(const void *a, const void *b) {
  const Place *p = a, *q = b;
  if (p->middle != q->middle) return p->middle < q->middle ? -1 : 1;
  return p->facet - q->facet;
}

/* Halves by the median along the longest axis, until four are left. */
static void split(DlsFacets *f, int box, int first, int count, Place *place) {
  DlsFacetBox *b = &f->box[box];
  box_of(f, first, count, b->low, b->high);
  b->first = first, b->count = count;
  if (count <= LEAF) return;
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (b->high[k] - b->low[k] > b->high[axis] - b->low[axis]) axis = k;
  for (int i = 0; i < count; i++) {
    const int t = f->order[first + i];
    place[i] = (Place){0, t};
    for (int k = 0; k < f->dim; k++) place[i].middle += f->node[f->corner[t][k]][axis];
  }
  qsort(place, (size_t)count, sizeof *place, by_place);
  for (int i = 0; i < count; i++) f->order[first + i] = place[i].facet;
  const int children = f->boxes, half = count / 2;
  f->boxes += 2;
  b->first = children, b->count = 0;
  split(f, children, first, half, place);
  split(f, children + 1, first + half, count - half, place);
}

static DlsStatus set_tree(DlsFacets *f) {
  Place *place;
  DLS_NEW(f->order, f->count);
  DLS_NEW(f->box, 2 * (size_t)f->count + 1);
  DLS_NEW(place, f->count);
  for (int t = 0; t < f->count; t++) f->order[t] = t;
  f->boxes = 1;
  split(f, 0, 0, f->count, place);
  free(place);
  for (int k = 0; k < 3; k++) f->size = fmax(f->size, f->box[0].high[k] - f->box[0].low[k]);
  return DLS_OK;
}

/* Segments: at most one ends and one begins at a node. */
static DlsStatus join_segments(DlsFacets *f, const char *name) {
  int(*at)[2]; /* of a node: the segment that ends there, and that which begins, from 1 on */
  DLS_NEW(at, f->nodes);
  DlsStatus status = DLS_OK;
  for (int t = 0; t < f->count && status == DLS_OK; t++)
    for (int k = 0; k < 2; k++) {
      int *place = &at[f->corner[t][k]][k == 0];
      const double *x = f->node[f->corner[t][k]];
      if (*place)
        status = dls_fail(DLS_ERR_FORMAT,
                          "%s: more than one segment %s at the point (%g, %g); a line goes on by "
                          "one",
                          name, k ? "ends" : "begins", x[0], x[1]);
      *place = t + 1;
    }
  for (int t = 0; t < f->count; t++) {
    f->neighbour[t][0] = at[f->corner[t][0]][0] - 1;
    f->neighbour[t][1] = at[f->corner[t][1]][1] - 1;
    f->neighbour[t][2] = -1;
  }
  free(at);
  return status;
}

static DlsStatus join(DlsFacets *f, const char *name) {
  if (f->dim == 2) return join_segments(f, name);
  const DlsMesh mesh = {.nodes = f->nodes, .node = f->node};
  DlsMeshTriangles triangles = {.count = f->count, .corner = f->corner};
  const DlsStatus status = dls_mesh_join(&mesh, name, &triangles);
  free(f->neighbour);
  f->neighbour = triangles.neighbour;
  return status;
}

static DlsStatus check(const DlsFacets *f, const char *name) {
  for (int n = 0; n < f->nodes; n++)
    DLS_CHECK(dls_small_finite(3, f->node[n]) && (f->dim == 3 || f->node[n][2] == 0),
              DLS_ERR_FORMAT, "%s: point %d is not finite, or out of the plane in 2-D", name, n);
  for (int t = 0; t < f->count; t++) {
    const int *c = f->corner[t];
    double longest = 0;
    for (int k = 0; k < f->dim; k++) {
      DLS_CHECK(c[k] >= 0 && c[k] < f->nodes, DLS_ERR_FORMAT, "%s: facet %d has no corner %d", name,
                t, c[k]);
      const double *p = f->node[c[k]], *q = f->node[c[(k + 1) % f->dim]];
      DLS_CHECK(c[k] != c[(k + 1) % f->dim] && !dls_small_same(3, p, q), DLS_ERR_FORMAT,
                "%s: facet %d has the corner (%g, %g, %g) twice; leave one out", name, t, p[0],
                p[1], p[2]);
      for (int i = 0; i < 3; i++) longest = fmax(longest, fabs(p[i]));
    }
    DLS_CHECK(longest < 1e100, DLS_ERR_FORMAT, "%s: facet %d is too far away", name, t);
  }
  return DLS_OK;
}

static DlsStatus check_planes(const DlsFacets *f, const char *name) {
  for (int t = 0; t < f->count; t++)
    DLS_CHECK(dls_small_finite(4, f->plane[t]), DLS_ERR_FORMAT,
              "%s: facet %d has no area; take it out", name, t);
  return DLS_OK;
}

static DlsStatus make(DlsFacets *f, const char *name, const double (*node)[3],
                      const int (*corner)[3]) {
  DLS_NEW(f->node, f->nodes);
  DLS_NEW(f->corner, f->count);
  DLS_NEW(f->bend, f->count);
  DLS_NEW(f->plane, f->count);
  DLS_NEW(f->outward, f->nodes);
  memcpy(f->node, node, (size_t)f->nodes * sizeof *f->node);
  memcpy(f->corner, corner, (size_t)f->count * sizeof *f->corner);
  if (f->dim == 2) DLS_NEW(f->neighbour, f->count);
  DLS_TRY(check(f, name));
  DLS_TRY(join(f, name));
  for (int t = 0; t < f->count; t++) set_plane(f, t);
  DLS_TRY(check_planes(f, name));
  for (int t = 0; t < f->count; t++)
    for (int k = 0; k < f->dim; k++) set_bend(f, t, k);
  DLS_TRY(set_stars(f));
  set_outward(f);
  DLS_TRY(set_patches(f));
  return set_tree(f);
}

DlsStatus dls_facets_make(int dim, bool both, const char *name, int nodes, const double (*node)[3],
                          int count, const int (*corner)[3], DlsFacets **out) {
  DlsFacets *f;
  *out = NULL;
  DLS_CHECK(count > 0 && nodes > 0, DLS_ERR_ARGUMENT, "%s: has no %s", name,
            dim == 2 ? "segment" : "triangle");
  DLS_CHECK(count <= 100000000 && nodes <= 300000000, DLS_ERR_UNSUPPORTED,
            "%s: %d facets are too many", name, count);
  DLS_NEW(f, 1);
  f->dim = dim, f->both = both, f->nodes = nodes, f->count = count, f->closed = true;
  const DlsStatus status = make(f, name, node, corner);
  if (status != DLS_OK) {
    clear(f);
    return status;
  }
  *out = dls_facets_share(f);
  return DLS_OK;
}
