/* The convex hull of points: in 3-D by Qhull (libqhull_r), which makes facets in one plane one
 * face; in 2-D by the chain of Andrew (1979). Vertices keep the order of the points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "base/memory.h"
#include "base/small.h"
#include "world/convex.h"

typedef struct {
  int faces, corners;
  int *number;         /* [points]: its vertex, -1 none */
  int *start, *corner; /* faces, by points */
  double (*vertex)[3];
} Hull;

static DlsStatus make_room(int points, Hull *h) {
  DLS_NEW(h->number, points);
  DLS_NEW(h->vertex, points);
  DLS_NEW(h->start, DLS_CONVEX_FACES + 2);
  DLS_NEW(h->corner, 2 * DLS_CONVEX_EDGES + points);
  return DLS_OK;
}

static void clear(Hull *h) {
  free(h->number);
  free(h->vertex);
  free(h->start);
  free(h->corner);
}

/* The corners of a facet, counter-clockwise as seen from outside. */
static DlsStatus add_facet(qhT *qh, facetT *facet, const double (*point)[3], Hull *h) {
  setT *corners = qh_facet3vertex(qh, facet);
  const int n = qh_setsize(qh, corners);
  DlsStatus status = DLS_OK;
  if (h->faces >= DLS_CONVEX_FACES || h->corners + n > 2 * DLS_CONVEX_EDGES) {
    status = dls_fail(DLS_ERR_UNSUPPORTED, "the hull has more than %d faces or %d edges",
                      DLS_CONVEX_FACES, DLS_CONVEX_EDGES);
  } else {
    int *list = h->corner + h->corners;
    double area[3] = {0};
    for (int k = 0; k < n; k++) list[k] = qh_pointid(qh, SETelemt_(corners, k, vertexT)->point);
    for (int k = 1; k + 1 < n; k++) {
      double a[3], b[3], c[3];
      for (int i = 0; i < 3; i++) {
        a[i] = point[list[k]][i] - point[list[0]][i];
        b[i] = point[list[k + 1]][i] - point[list[0]][i];
      }
      dls_vector_cross(a, b, c);
      for (int i = 0; i < 3; i++) area[i] += c[i];
    }
    if (dls_vector_dot(area, facet->normal) < 0)
      for (int k = 0; k < n / 2; k++) {
        const int other = list[n - 1 - k];
        list[n - 1 - k] = list[k];
        list[k] = other;
      }
    h->corners += n;
    h->start[++h->faces] = h->corners;
  }
  qh_settempfree(qh, &corners);
  return status;
}

static DlsStatus hull_3d(int points, const double (*point)[3], Hull *h) {
  qhT state, *qh = &state;
  int left, bytes;
  char command[] = "qhull Pp";
  coordT *copy;
  DLS_NEW(copy, 3 * points);
  memcpy(copy, point, (size_t)points * sizeof *point);
  FILE *nowhere = fopen("/dev/null", "w"); /* it explains at length; the sentence is ours */
  if (!nowhere) {
    free(copy);
    return dls_fail(DLS_ERR_FILE, "/dev/null cannot be opened");
  }
  qh_zero(qh, nowhere);
  DlsStatus status = DLS_OK;
  if (qh_new_qhull(qh, 3, points, copy, False, command, NULL, nowhere) != 0) {
    status = dls_fail(DLS_ERR_ARGUMENT, "%d points that lie in one plane have no hull", points);
  } else {
    facetT *facet;
    FORALLfacets {
      if (status == DLS_OK) status = add_facet(qh, facet, point, h);
    }
  }
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &left, &bytes);
  fclose(nowhere);
  free(copy);
  return status;
}

typedef struct {
  double x, y;
  int number;
} Place;

static int by_place(const void *a, const void *b) {
  const Place *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return p->number < q->number ? -1 : 1;
}

static bool left_turn(const Place *a, const Place *b, const Place *c, double least) {
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x) > least;
}

/* Lower then upper chain of the sorted points; h->corner takes them counter-clockwise. */
static DlsStatus hull_2d(int points, const double (*point)[3], Hull *h) {
  Place *place, *chain;
  DLS_NEW(place, 3 * points + 1);
  chain = place + points;
  for (int p = 0; p < points; p++) place[p] = (Place){point[p][0], point[p][1], p};
  qsort(place, (size_t)points, sizeof *place, by_place);
  double extent = place[points - 1].x - place[0].x, low = HUGE_VAL, high = -HUGE_VAL;
  for (int p = 0; p < points; p++) low = fmin(low, place[p].y), high = fmax(high, place[p].y);
  extent = fmax(extent, high - low);
  const double least = 1e-12 * extent * extent;
  int n = 0;
  for (int p = 0; p < points; p++) {
    while (n >= 2 && !left_turn(&chain[n - 2], &chain[n - 1], &place[p], least)) n--;
    chain[n++] = place[p];
  }
  for (int p = points - 2, lower = n + 1; p >= 0; p--) {
    while (n >= lower && !left_turn(&chain[n - 2], &chain[n - 1], &place[p], least)) n--;
    chain[n++] = place[p];
  }
  n--; /* the first point once more */
  DlsStatus status = DLS_OK;
  if (n < 3) status = dls_fail(DLS_ERR_ARGUMENT, "%d points on a line have no hull", points);
  for (int k = 0; k < n && status == DLS_OK; k++) h->corner[h->corners++] = chain[k].number;
  free(place);
  return status;
}

static DlsStatus hull(int dim, double rounding, int points, const double (*point)[3], Hull *h,
                      DlsConvexNumbers *out) {
  int vertices = 0;
  DLS_TRY(make_room(points, h));
  DLS_TRY(dim == 2 ? hull_2d(points, point, h) : hull_3d(points, point, h));
  if (dim == 2) { /* the order round the polygon is that of its vertices */
    for (int k = 0; k < h->corners; k++) memcpy(h->vertex[k], point[h->corner[k]], sizeof *point);
    return dls_convex_build(2, rounding, h->corners, (const double(*)[3])h->vertex, 0, NULL, NULL,
                            out);
  }
  for (int p = 0; p < points; p++) h->number[p] = -1;
  for (int k = 0; k < h->corners; k++) h->number[h->corner[k]] = 0;
  for (int p = 0; p < points; p++)
    if (h->number[p] == 0) {
      memcpy(h->vertex[vertices], point[p], sizeof *point);
      h->number[p] = vertices++;
    }
  for (int k = 0; k < h->corners; k++) h->corner[k] = h->number[h->corner[k]];
  return dls_convex_build(3, rounding, vertices, (const double(*)[3])h->vertex, h->faces, h->start,
                          h->corner, out);
}

DlsStatus dls_convex_hull(int dim, double rounding, int points, const double (*point)[3],
                          DlsConvexNumbers *out) {
  Hull h = {0};
  *out = (DlsConvexNumbers){0};
  DLS_CHECK(points > dim, DLS_ERR_ARGUMENT, "a hull of %d points: %d or more", points, dim + 1);
  for (int p = 0; p < points; p++)
    DLS_CHECK(dls_small_finite(3, point[p]), DLS_ERR_ARGUMENT, "point %d is not finite", p);
  const DlsStatus status = hull(dim, rounding, points, point, &h, out);
  clear(&h);
  return status;
}
