/* A convex cell cut by planes. Vertices beyond a plane go; each edge that crosses it gets one new
 * vertex, which both of its faces share; the new vertices, linked face by face, are the new face. A
 * vertex on the plane stays. */
#include "world/blocks/cell.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"

void dls_cell_box(int dim, const double low[3], const double high[3], DlsCell *out) {
  static const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                  {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  *out = (DlsCell){.dim = dim, .vertices = dim == 2 ? 4 : 8, .faces = dim == 2 ? 0 : 6};
  for (int v = 0; v < out->vertices; v++) {
    const int k = v % 4;
    out->vertex[v][0] = k == 1 || k == 2 ? high[0] : low[0];
    out->vertex[v][1] = k >= 2 ? high[1] : low[1];
    out->vertex[v][2] = dim == 2 ? 0 : v >= 4 ? high[2] : low[2];
  }
  for (int f = 0; f <= out->faces; f++) out->start[f] = 4 * f;
  for (int f = 0; f < out->faces; f++) memcpy(out->corner + 4 * f, faces[f], sizeof faces[f]);
}

/* Where the line from a vertex that stays (height p <= 0) to one that goes (q > 0) meets the plane.
 * Always from the inner one: both faces of the edge get the same bits. */
static void crossing(const double *inner, double p, const double *outer, double q, double out[3]) {
  const double share = p / (p - q);
  for (int k = 0; k < 3; k++) out[k] = inner[k] + share * (outer[k] - inner[k]);
}

static DlsStatus full(void) {
  return dls_fail(DLS_ERR_UNSUPPORTED,
                  "a cell has more than %d vertices or %d faces; take other points, or relax them",
                  DLS_CELL_VERTICES, DLS_CELL_FACES);
}

static DlsStatus cut_polygon(const DlsCell *old, const double *height, DlsCell *cell) {
  cell->vertices = 0;
  for (int v = 0; v < old->vertices; v++) {
    const int next = (v + 1) % old->vertices;
    if (cell->vertices + 2 > DLS_CELL_VERTICES) return full();
    if (height[v] <= 0) memcpy(cell->vertex[cell->vertices++], old->vertex[v], sizeof *old->vertex);
    if ((height[v] <= 0) == (height[next] <= 0)) continue;
    const int inner = height[v] <= 0 ? v : next, outer = height[v] <= 0 ? next : v;
    crossing(old->vertex[inner], height[inner], old->vertex[outer], height[outer],
             cell->vertex[cell->vertices++]);
  }
  return DLS_OK;
}

/* New vertices by the edge that they are on. */
typedef struct {
  int count;
  int inner[DLS_CELL_VERTICES], outer[DLS_CELL_VERTICES], vertex[DLS_CELL_VERTICES];
  int next[DLS_CELL_VERTICES]; /* of the new face: the crossing behind this one, -1 */
} Crossings;

static int cross(const DlsCell *old, const double *height, int inner, int outer, DlsCell *cell,
                 Crossings *all) {
  for (int k = 0; k < all->count; k++)
    if (all->inner[k] == inner && all->outer[k] == outer) return k;
  if (all->count == DLS_CELL_VERTICES || cell->vertices == DLS_CELL_VERTICES) return -1;
  const int k = all->count++;
  all->inner[k] = inner;
  all->outer[k] = outer;
  all->vertex[k] = cell->vertices;
  all->next[k] = -1;
  crossing(old->vertex[inner], height[inner], old->vertex[outer], height[outer],
           cell->vertex[cell->vertices++]);
  return k;
}

/* What is left of face f; where it is cut it is left at one crossing and entered at another. */
static DlsStatus cut_face(const DlsCell *old, const double *height, const int *kept, int f,
                          DlsCell *cell, Crossings *all) {
  const int first = old->start[f], end = old->start[f + 1], begin = cell->start[cell->faces];
  int n = begin, leaves = -1, enters = -1;
  for (int k = first; k < end; k++) {
    const int v = old->corner[k], w = old->corner[k + 1 < end ? k + 1 : first];
    if (n + 2 > DLS_CELL_CORNERS) return full();
    if (height[v] <= 0) cell->corner[n++] = kept[v];
    if ((height[v] <= 0) == (height[w] <= 0)) continue;
    const bool out = height[v] <= 0;
    const int x = cross(old, height, out ? v : w, out ? w : v, cell, all);
    if (x < 0) return full();
    cell->corner[n++] = all->vertex[x];
    *(out ? &leaves : &enters) = x;
  }
  if (leaves >= 0 && enters >= 0) all->next[enters] = leaves; /* the new face runs the other way */
  if (n - begin < 3) return DLS_OK;
  if (cell->faces + 2 > DLS_CELL_FACES) return full();
  cell->start[++cell->faces] = n;
  return DLS_OK;
}

static DlsStatus close_cell(const Crossings *all, DlsCell *cell) {
  int n = cell->start[cell->faces], steps = 0;
  if (all->count < 3) return DLS_OK;
  if (n + all->count > DLS_CELL_CORNERS) return full();
  for (int k = 0; k >= 0 && steps < all->count; k = all->next[k], steps++)
    cell->corner[n++] = all->vertex[k];
  cell->start[++cell->faces] = n;
  return DLS_OK;
}

DlsStatus dls_cell_cut(DlsCell *cell, const double n[3], double offset) {
  double height[DLS_CELL_VERTICES];
  int kept[DLS_CELL_VERTICES], inside = 0;
  for (int v = 0; v < cell->vertices; v++) {
    height[v] = dls_vector_dot(n, cell->vertex[v]) - offset;
    inside += height[v] <= 0;
  }
  if (inside == cell->vertices) return DLS_OK;
  if (inside == 0) {
    cell->vertices = cell->faces = 0;
    return DLS_OK;
  }
  const DlsCell old = *cell;
  if (old.dim == 2) return cut_polygon(&old, height, cell);
  Crossings all;
  all.count = 0;
  cell->vertices = cell->faces = 0;
  for (int v = 0; v < old.vertices; v++) {
    kept[v] = cell->vertices;
    if (height[v] <= 0) memcpy(cell->vertex[cell->vertices++], old.vertex[v], sizeof *old.vertex);
  }
  for (int f = 0; f < old.faces; f++) DLS_TRY(cut_face(&old, height, kept, f, cell, &all));
  return close_cell(&all, cell);
}

double dls_cell_volume(const DlsCell *cell, double centre[3]) {
  const double *o = cell->vertex[0];
  double sum = 0, first[3] = {0};
  const int faces = cell->dim == 2 ? 1 : cell->faces;
  for (int f = 0; f < faces; f++) { /* triangles, or tetrahedra, with a corner at vertex 0 */
    const int begin = cell->dim == 2 ? 0 : cell->start[f];
    const int end = cell->dim == 2 ? cell->vertices : cell->start[f + 1];
    for (int k = begin + 1; k + 1 < end; k++) {
      const int at[3] = {begin, k, k + 1};
      double e[3][3], c[3], part;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          e[i][j] = cell->vertex[cell->dim == 2 ? at[i] : cell->corner[at[i]]][j] - o[j];
      dls_vector_cross(e[1], e[2], c);
      part = cell->dim == 2 ? c[2] / 2 : dls_vector_dot(e[0], c) / 6;
      sum += part;
      for (int j = 0; j < 3; j++)
        first[j] += part * (e[0][j] + e[1][j] + e[2][j]) / (cell->dim + 1);
    }
  }
  for (int j = 0; j < 3; j++) centre[j] = o[j] + (sum > 0 ? first[j] / sum : 0);
  return sum;
}

double dls_cell_reach(const DlsCell *cell, const double x[3]) {
  double most = 0;
  for (int v = 0; v < cell->vertices; v++) {
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = cell->vertex[v][k] - x[k];
    most = fmax(most, dls_vector_dot(d, d));
  }
  return sqrt(most);
}
