/* Surface cells as triangles, and who stands beside whom. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/mesh.h"

void dls_mesh_triangles_clear(DlsMeshTriangles *t) {
  free(t->corner);
  free(t->neighbour);
  *t = (DlsMeshTriangles){0};
}

/* How many corners of a cell bound it, middle nodes left out; 0: it is no surface. */
static int outer_corners(const DlsMesh *m, int c) {
  switch (m->kind[c]) {
  case DLS_CELL_TRIANGLE:
  case DLS_CELL_TRIANGLE6:
    return 3;
  case DLS_CELL_QUAD:
  case DLS_CELL_QUAD8:
    return 4;
  case DLS_CELL_POLYGON:
    return dls_mesh_count(m, c);
  default:
    return 0;
  }
}

/* Twice the area as a vector. */
static void area_of(const DlsMesh *m, const int c[3], double out[3]) {
  double a[3], b[3];
  for (int k = 0; k < 3; k++) {
    a[k] = m->node[c[1]][k] - m->node[c[0]][k];
    b[k] = m->node[c[2]][k] - m->node[c[0]][k];
  }
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Longest side, squared. */
static double side_square(const DlsMesh *m, const int c[3]) {
  double most = 0;
  for (int i = 0; i < 3; i++) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
      const double d = m->node[c[i]][k] - m->node[c[(i + 1) % 3]][k];
      square += d * d;
    }
    most = fmax(most, square);
  }
  return most;
}

/* A triangle whose height is below 1e-9 of its longest side has no direction. */
static bool has_area(const DlsMesh *m, const int c[3]) {
  double n[3];
  area_of(m, c, n);
  return sqrt(dot(n, n)) > 1e-9 * side_square(m, c);
}

static DlsStatus add_fan(const DlsMesh *m, const char *path, int cell, int corners,
                         DlsMeshTriangles *out) {
  const int *c = dls_mesh_corners(m, cell);
  double whole[3] = {0}, n[3];
  for (int k = 1; k + 1 < corners; k++) {
    const int one[3] = {c[0], c[k], c[k + 1]};
    area_of(m, one, n);
    for (int i = 0; i < 3; i++) whole[i] += n[i];
  }
  for (int k = 1; k + 1 < corners; k++) {
    int *to = out->corner[out->count];
    to[0] = c[0], to[1] = c[k], to[2] = c[k + 1];
    DLS_CHECK(has_area(m, to), DLS_ERR_FORMAT,
              "%s: surface cell %d has no area between its nodes %d, %d and %d (counted from 0)",
              path, cell, to[0], to[1], to[2]);
    area_of(m, to, n);
    DLS_CHECK(corners == 3 || dot(n, whole) > 0, DLS_ERR_UNSUPPORTED,
              "%s: surface cell %d, of %d corners, is not convex; cut it into triangles", path,
              cell, corners);
    out->count++;
  }
  return DLS_OK;
}

DlsStatus dls_mesh_triangles(const DlsMesh *m, const char *path, int group, DlsMeshTriangles *out) {
  bool *chosen;
  int64_t most = 0;
  *out = (DlsMeshTriangles){0};
  DLS_NEW(chosen, m->cells);
  for (int k = 0; k < m->members; k++)
    if (m->member[k][0] == group) chosen[m->member[k][1]] = true;
  for (int c = 0; c < m->cells; c++) {
    chosen[c] = (group < 0 || chosen[c]) && outer_corners(m, c) > 0;
    if (chosen[c]) most += outer_corners(m, c) - 2;
  }
  out->corner = dls_memory_array((size_t)most, sizeof *out->corner);
  DlsStatus status = out->corner ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "%s: out of memory", path);
  if (status == DLS_OK && most == 0)
    status = dls_fail(DLS_ERR_FORMAT, "%s: holds no triangle or other surface", path);
  for (int c = 0; c < m->cells && status == DLS_OK; c++)
    if (chosen[c]) status = add_fan(m, path, c, outer_corners(m, c), out);
  free(chosen);
  if (status != DLS_OK) dls_mesh_triangles_clear(out);
  return status;
}

/* A side of a triangle: its ends in ascending order. */
typedef struct {
  int low, high, triangle, side;
  bool forward; /* it runs from low to high */
} Side;

static int by_ends(const void *a, const void *b) {
  const Side *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return p->triangle - q->triangle;
}

static DlsStatus join(const DlsMesh *m, const char *path, const Side *side, int count,
                      DlsMeshTriangles *t) {
  for (int k = 0; k < count;) {
    int same = 1;
    while (k + same < count && side[k + same].low == side[k].low &&
           side[k + same].high == side[k].high)
      same++;
    const Side *a = &side[k], *b = &side[k + 1];
    const double *p = m->node[a->low], *q = m->node[a->high];
    DLS_CHECK(same <= 2, DLS_ERR_FORMAT,
              "%s: %d triangles meet at the edge from (%g, %g, %g) to (%g, %g, %g); two at most "
              "make a surface",
              path, same, p[0], p[1], p[2], q[0], q[1], q[2]);
    if (same == 2) {
      DLS_CHECK(a->forward != b->forward, DLS_ERR_FORMAT,
                "%s: triangles %d and %d show opposite sides at their edge from (%g, %g, %g) to "
                "(%g, %g, %g): one of them is inverted",
                path, a->triangle, b->triangle, p[0], p[1], p[2], q[0], q[1], q[2]);
      t->neighbour[a->triangle][a->side] = b->triangle;
      t->neighbour[b->triangle][b->side] = a->triangle;
    }
    k += same;
  }
  return DLS_OK;
}

DlsStatus dls_mesh_join(const DlsMesh *m, const char *path, DlsMeshTriangles *t) {
  Side *side;
  DLS_NEW(t->neighbour, t->count);
  DLS_NEW(side, 3 * (size_t)t->count);
  for (int k = 0; k < 3 * t->count; k++) {
    const int *c = t->corner[k / 3], from = c[k % 3], to = c[(k + 1) % 3];
    t->neighbour[k / 3][k % 3] = -1;
    side[k] = (Side){from < to ? from : to, from < to ? to : from, k / 3, k % 3, from < to};
  }
  qsort(side, 3 * (size_t)t->count, sizeof *side, by_ends);
  const DlsStatus status = join(m, path, side, 3 * t->count, t);
  free(side);
  return status;
}
