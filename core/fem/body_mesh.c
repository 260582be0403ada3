#include "fem/body_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CORNERS = 4 }; /* of a side, at most */

static const struct {
  DlsCellKind cell;
  DlsElementType type;
} pairs[] = {{DLS_CELL_SEGMENT, DLS_LINE2},    {DLS_CELL_SEGMENT3, DLS_LINE3},
             {DLS_CELL_TRIANGLE, DLS_T3},      {DLS_CELL_TRIANGLE6, DLS_T6},
             {DLS_CELL_QUAD, DLS_Q4},          {DLS_CELL_QUAD8, DLS_Q8},
             {DLS_CELL_TETRAHEDRON, DLS_TET4}, {DLS_CELL_TETRAHEDRON10, DLS_TET10},
             {DLS_CELL_HEXAHEDRON, DLS_HEX8},  {DLS_CELL_WEDGE, DLS_WEDGE6}};

int dls_element_of_cell(DlsCellKind kind) {
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    if (pairs[k].cell == kind) return (int)pairs[k].type;
  return -1;
}

DlsCellKind dls_cell_of_element(DlsElementType type) {
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    if (pairs[k].type == type) return pairs[k].cell;
  return DLS_CELL_POINT;
}

/* A side of a cell by its corners in ascending order, -1 behind the last. */
typedef struct {
  int corner[CORNERS];
  DlsBodySide of;
} Side;

typedef struct {
  const DlsMesh *mesh;
  const char *path;
  DlsBodyMesh *out;
  int *body; /* [cells of the mesh]: cell of the body, -1 none */
  int sides; /* of all cells, ascending by corners, then by cell */
  Side *side;
} Maker;

/* ---- Cells ---- */

/* Nodes the other way round: the volume changes its sign. */
static void turn(DlsElementType type, int *node) {
  static const int t3[] = {0, 2, 1}, t6[] = {0, 2, 1, 5, 4, 3}, q4[] = {0, 3, 2, 1},
                   q8[] = {0, 3, 2, 1, 7, 6, 5, 4}, tet4[] = {0, 2, 1, 3},
                   tet10[] = {0, 2, 1, 3, 6, 5, 4, 7, 9, 8}, hex8[] = {0, 3, 2, 1, 4, 7, 6, 5},
                   wedge6[] = {0, 2, 1, 3, 5, 4};
  static const int *const orders[DLS_ELEMENTS] = {
      [DLS_T3] = t3,     [DLS_T6] = t6,       [DLS_Q4] = q4,     [DLS_Q8] = q8,
      [DLS_TET4] = tet4, [DLS_TET10] = tet10, [DLS_HEX8] = hex8, [DLS_WEDGE6] = wedge6};
  int before[DLS_ELEMENT_NODES];
  const int nodes = dls_element_kind((int)type)->nodes;
  memcpy(before, node, (size_t)nodes * sizeof *node);
  for (int k = 0; k < nodes; k++) node[k] = before[orders[type][k]];
}

/* Signs of the ratio of volumes at all nodes and points of integration: 1, -1, 0 where they differ
 * or one is none. */
static int sign_of(const DlsElementKind *kind, const double (*X)[3]) {
  double N[DLS_ELEMENT_NODES], gradient[DLS_ELEMENT_NODES][3];
  int positive = 0, negative = 0;
  for (int k = 0; k < kind->nodes + kind->inner->count; k++) {
    const double *x = k < kind->nodes ? kind->place[k] : kind->inner->point[k - kind->nodes].x;
    const double ratio = dls_element_gradient(kind, X, x, N, gradient);
    positive += ratio > 0, negative += ratio < 0;
  }
  const int all = kind->nodes + kind->inner->count;
  return positive == all ? 1 : negative == all ? -1 : 0;
}

static DlsStatus add_cell(Maker *w, int cell) {
  DlsBodyMesh *b = w->out;
  const DlsMesh *m = w->mesh;
  const int element = dls_element_of_cell((DlsCellKind)m->kind[cell]);
  const DlsElementKind *kind = dls_element_kind(element);
  const int *corner = dls_mesh_corners(m, cell);
  DLS_CHECK(kind && kind->dim == b->dim, DLS_ERR_UNSUPPORTED,
            "%s: cell %d is a %s, which is no element; there are %s", w->path, cell + 1,
            dls_cell_facts[m->kind[cell]].name,
            b->dim == 2 ? "T3, T6, Q4 and Q8" : "TET4, TET10, HEX8 and WEDGE6");
  int *node = b->node + b->start[b->cells];
  double X[DLS_ELEMENT_NODES][3];
  memcpy(node, corner, (size_t)kind->nodes * sizeof *node);
  if (element == DLS_TET10) node[8] = corner[9], node[9] = corner[8]; /* Gmsh's last two */
  for (int k = 0; k < kind->nodes; k++) {
    for (int l = 0; l < k; l++)
      DLS_CHECK(node[k] != node[l], DLS_ERR_FORMAT, "%s: cell %d, a %s, has node %d twice", w->path,
                cell + 1, kind->name, node[k] + 1);
    memcpy(X[k], b->X[node[k]], sizeof X[k]);
  }
  const int sign = sign_of(kind, (const double(*)[3])X);
  DLS_CHECK(sign != 0, DLS_ERR_FORMAT,
            "%s: cell %d, a %s at (%g, %g, %g), is inverted or has no volume; mend the mesh there",
            w->path, cell + 1, kind->name, X[0][0], X[0][1], X[0][2]);
  if (sign < 0) {
    turn((DlsElementType)element, node);
    b->turned++;
  }
  b->type[b->cells] = (DlsElementType)element;
  b->start[b->cells + 1] = b->start[b->cells] + kind->nodes;
  w->body[cell] = b->cells++;
  return DLS_OK;
}

static DlsStatus add_cells(Maker *w, double scale) {
  DlsBodyMesh *b = w->out;
  const DlsMesh *m = w->mesh;
  int cells = 0, above = 0;
  int64_t nodes = 0;
  for (int c = 0; c < m->cells; c++) {
    const int dim = dls_cell_facts[m->kind[c]].dim;
    if (dim == b->dim) cells++, nodes += dls_mesh_count(m, c);
    above += dim > b->dim;
  }
  DLS_CHECK(above == 0, DLS_ERR_ARGUMENT, "%s: has cells of 3-D, and the deck is of 2-D", w->path);
  DLS_CHECK(cells > 0, DLS_ERR_ARGUMENT,
            "%s: has no cells of %d-D; mesh the %s too, and put it into a physical group", w->path,
            b->dim, b->dim == 2 ? "surface" : "volume");
  DLS_CHECK(nodes < INT32_MAX, DLS_ERR_UNSUPPORTED, "%s: is too large", w->path);
  b->nodes = m->nodes;
  DLS_NEW(b->X, m->nodes);
  for (int n = 0; n < m->nodes; n++)
    for (int k = 0; k < 3; k++) b->X[n][k] = scale * m->node[n][k];
  double extent = 0;
  for (int n = 0; n < m->nodes; n++)
    for (int k = 0; k < 2; k++) extent = fmax(extent, fabs(b->X[n][k] - b->X[0][k]));
  for (int n = 0; b->dim == 2 && n < m->nodes; n++) {
    DLS_CHECK(fabs(b->X[n][2] - b->X[0][2]) <= 1e-9 * extent, DLS_ERR_ARGUMENT,
              "%s: node %d is at z = %g m, others at %g m; meshes of 2-D are flat", w->path, n + 1,
              b->X[n][2], b->X[0][2]);
  }
  for (int n = 0; b->dim == 2 && n < m->nodes; n++) b->X[n][2] = 0;
  DLS_NEW(b->type, cells);
  DLS_NEW(b->start, cells + 1);
  DLS_NEW(b->node, nodes + DLS_ELEMENT_NODES);
  DLS_NEW(w->body, m->cells);
  for (int c = 0; c < m->cells; c++) {
    w->body[c] = -1;
    if (dls_cell_facts[m->kind[c]].dim == b->dim) DLS_TRY(add_cell(w, c));
  }
  return DLS_OK;
}

static DlsStatus check_nodes(const Maker *w) {
  const DlsBodyMesh *b = w->out;
  bool *used;
  int lost = -1;
  DLS_NEW(used, b->nodes);
  for (int k = 0; k < b->start[b->cells]; k++) used[b->node[k]] = true;
  for (int n = b->nodes - 1; n >= 0; n--)
    if (!used[n]) lost = n;
  free(used);
  DLS_CHECK(lost < 0, DLS_ERR_FORMAT,
            "%s: node %d, at (%g, %g, %g), is of no cell of %d-D; take it out of the mesh (of "
            "Gmsh, save physical groups alone)",
            w->path, lost + 1, b->X[lost][0], b->X[lost][1], b->X[lost][2], b->dim);
  return DLS_OK;
}

/* ---- Sides ---- */

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int compare_corners(const int a[CORNERS], const int b[CORNERS]) {
  for (int k = 0; k < CORNERS; k++)
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  return 0;
}

static int by_corners(const void *a, const void *b) {
  const Side *p = a, *q = b;
  const int way = compare_corners(p->corner, q->corner);
  return way ? way : p->of.cell - q->of.cell;
}

static void key_of(const int *node, int corners, int key[CORNERS]) {
  for (int k = 0; k < CORNERS; k++) key[k] = k < corners ? node[k] : INT32_MAX;
  qsort(key, (size_t)corners, sizeof *key, by_number);
  for (int k = corners; k < CORNERS; k++) key[k] = -1;
}

static DlsStatus list_sides(Maker *w) {
  const DlsBodyMesh *b = w->out;
  DLS_NEW(w->side, (size_t)b->cells * DLS_ELEMENT_SIDES);
  for (int c = 0; c < b->cells; c++) {
    const DlsElementKind *kind = dls_element_kind((int)b->type[c]);
    for (int s = 0; s < kind->sides; s++) {
      const DlsElementKind *side = dls_element_kind((int)kind->side[s].type);
      int node[CORNERS];
      for (int k = 0; k < side->corners; k++)
        node[k] = b->node[b->start[c] + kind->side[s].node[k]];
      w->side[w->sides].of = (DlsBodySide){c, s};
      key_of(node, side->corners, w->side[w->sides++].corner);
    }
  }
  qsort(w->side, (size_t)w->sides, sizeof *w->side, by_corners);
  return DLS_OK;
}

/* Of side k: how many cells have it. */
static int count_alike(const Maker *w, int k) {
  int same = 1;
  while (k + same < w->sides && compare_corners(w->side[k].corner, w->side[k + same].corner) == 0)
    same++;
  return same;
}

/* ---- Hanging nodes: an edge of the skin beside two others that make the same way ---- */

typedef struct {
  int from, to;
} Edge;

static int by_from(const void *a, const void *b) {
  const Edge *p = a, *q = b;
  return p->from != q->from ? p->from - q->from : p->to - q->to;
}

static bool is_edge(const Edge *edge, int edges, int from, int to) {
  const Edge key = {from, to};
  return bsearch(&key, edge, (size_t)edges, sizeof key, by_from) != NULL;
}

/* Whether n is on the way from a to b, between them. */
static bool is_between(const double *a, const double *b, const double *n) {
  double way = 0, square = 0, off = 0;
  for (int k = 0; k < 3; k++) {
    way += (b[k] - a[k]) * (n[k] - a[k]);
    square += (b[k] - a[k]) * (b[k] - a[k]);
  }
  const double share = way / square;
  if (!(share > 1e-6 && share < 1 - 1e-6)) return false;
  for (int k = 0; k < 3; k++) {
    const double d = n[k] - a[k] - share * (b[k] - a[k]);
    off += d * d;
  }
  return off < 1e-12 * square;
}

static DlsStatus look_for_hanging(const Maker *w, Edge *edge, int edges) {
  const DlsBodyMesh *b = w->out;
  qsort(edge, (size_t)edges, sizeof *edge, by_from);
  for (int k = 0; k < edges; k++) {
    int near = k;
    while (near > 0 && edge[near - 1].from == edge[k].from) near--;
    for (; near < edges && edge[near].from == edge[k].from; near++) {
      const int n = edge[near].to;
      if (n == edge[k].to || !is_edge(edge, edges, n, edge[k].to)) continue;
      const double *x = b->X[n];
      DLS_CHECK(!is_between(b->X[edge[k].from], b->X[edge[k].to], x), DLS_ERR_FORMAT,
                "%s: node %d, at (%g, %g, %g), hangs between nodes %d and %d of a larger cell: "
                "cells must meet by whole sides",
                w->path, n + 1, x[0], x[1], x[2], edge[k].from + 1, edge[k].to + 1);
    }
  }
  return DLS_OK;
}

static DlsStatus check_hanging(const Maker *w, const DlsBodyGroup *skin) {
  const DlsBodyMesh *b = w->out;
  Edge *edge;
  int edges = 0;
  DLS_NEW(edge, 2 * CORNERS * (size_t)skin->sides + 1);
  for (int s = 0; s < skin->sides; s++) {
    const DlsElementSide *side =
        &dls_element_kind((int)b->type[skin->side[s].cell])->side[skin->side[s].side];
    const int corners = dls_element_kind((int)side->type)->corners;
    const int *node = b->node + b->start[skin->side[s].cell];
    for (int k = 0; k < (corners == 2 ? 1 : corners); k++) {
      const int from = node[side->node[k]], to = node[side->node[(k + 1) % corners]];
      edge[edges++] = (Edge){from, to};
      edge[edges++] = (Edge){to, from};
    }
  }
  const DlsStatus status = look_for_hanging(w, edge, edges);
  free(edge);
  return status;
}

/* ---- Groups ---- */

static DlsStatus end_group(const DlsBodyMesh *b, const bool *in, DlsBodyGroup *g) {
  for (int n = 0; n < b->nodes; n++) g->nodes += in[n];
  DLS_NEW(g->node, g->nodes);
  for (int n = 0, k = 0; n < b->nodes; n++)
    if (in[n]) g->node[k++] = n;
  return DLS_OK;
}

static DlsStatus make_skin(Maker *w) {
  DlsBodyMesh *b = w->out;
  DlsBodyGroup *g = &b->group[b->groups++];
  bool *in;
  int count = 0;
  memcpy(g->name, "skin", sizeof "skin");
  for (int k = 0, same; k < w->sides; k += same) {
    same = count_alike(w, k);
    count += same == 1;
    DLS_CHECK(same <= 2, DLS_ERR_FORMAT,
              "%s: %d cells have one side in common (%d, %d and more of the body); two at most "
              "meet there",
              w->path, same, w->side[k].of.cell + 1, w->side[k + 1].of.cell + 1);
  }
  DLS_NEW(g->side, count);
  for (int k = 0, same; k < w->sides; k += same) {
    same = count_alike(w, k);
    if (same == 1) g->side[g->sides++] = w->side[k].of;
  }
  DLS_NEW(in, b->nodes);
  for (int s = 0; s < g->sides; s++) {
    const DlsElementSide *side =
        &dls_element_kind((int)b->type[g->side[s].cell])->side[g->side[s].side];
    for (int k = 0; k < dls_element_kind((int)side->type)->nodes; k++)
      in[b->node[b->start[g->side[s].cell] + side->node[k]]] = true;
  }
  const DlsStatus status = end_group(b, in, g);
  free(in);
  return status;
}

/* Members of one name: groups of several dimensions may share it. */
static DlsStatus fill_group(Maker *w, DlsBodyGroup *g, bool *in) {
  const DlsMesh *m = w->mesh;
  const DlsBodyMesh *b = w->out;
  int most = 0;
  for (int k = 0; k < m->members; k++) most += strcmp(m->group[m->member[k][0]].name, g->name) == 0;
  DLS_NEW(g->side, most);
  DLS_NEW(g->cell, most);
  memset(in, 0, (size_t)b->nodes * sizeof *in);
  for (int k = 0; k < m->members; k++) {
    const int cell = m->member[k][1], dim = dls_cell_facts[m->kind[cell]].dim;
    const int *corner = dls_mesh_corners(m, cell), corners = dls_mesh_count(m, cell);
    if (strcmp(m->group[m->member[k][0]].name, g->name) != 0) continue;
    for (int c = 0; c < corners; c++) in[corner[c]] = true;
    if (w->body[cell] >= 0) g->cell[g->cells++] = w->body[cell];
    if (dim != b->dim - 1) continue;
    const int element = dls_element_of_cell((DlsCellKind)m->kind[cell]);
    const DlsElementKind *kind = dls_element_kind(element);
    Side key;
    const Side *found = NULL;
    if (kind) {
      key_of(corner, kind->corners, key.corner);
      int low = 0, high = w->sides;
      while (low < high) {
        const int half = low + (high - low) / 2;
        if (compare_corners(w->side[half].corner, key.corner) < 0)
          low = half + 1;
        else
          high = half;
      }
      if (low < w->sides && compare_corners(w->side[low].corner, key.corner) == 0)
        found = &w->side[low];
    }
    DLS_CHECK(found, DLS_ERR_FORMAT,
              "%s: cell %d of group '%s' is a %s that is a side of no cell of the body", w->path,
              cell + 1, g->name, dls_cell_facts[m->kind[cell]].name);
    g->side[g->sides++] = found->of;
  }
  return end_group(b, in, g);
}

static DlsStatus make_groups(Maker *w) {
  DlsBodyMesh *b = w->out;
  const DlsMesh *m = w->mesh;
  bool *in;
  DLS_NEW(b->group, m->groups + 1);
  DLS_NEW(in, b->nodes);
  DlsStatus status = DLS_OK;
  for (int k = 0; k < m->groups && status == DLS_OK; k++) {
    if (dls_body_mesh_group(b, m->group[k].name) || strcmp(m->group[k].name, "skin") == 0) continue;
    DlsBodyGroup *g = &b->group[b->groups++];
    memcpy(g->name, m->group[k].name, sizeof g->name);
    status = fill_group(w, g, in);
  }
  free(in);
  DLS_TRY(status);
  DLS_TRY(make_skin(w));
  return check_hanging(w, &b->group[b->groups - 1]);
}

DlsStatus dls_body_mesh_create(const DlsMesh *mesh, const char *path, int dim, double scale,
                               DlsBodyMesh *out) {
  Maker w = {.mesh = mesh, .path = path, .out = out};
  *out = (DlsBodyMesh){.dim = dim};
  DlsStatus status = add_cells(&w, scale);
  if (status == DLS_OK) status = check_nodes(&w);
  if (status == DLS_OK) status = list_sides(&w);
  if (status == DLS_OK) status = make_groups(&w);
  free(w.body);
  free(w.side);
  if (status != DLS_OK) dls_body_mesh_clear(out);
  return status;
}

void dls_body_mesh_clear(DlsBodyMesh *b) {
  for (int k = 0; k < b->groups; k++) {
    free(b->group[k].node);
    free(b->group[k].side);
    free(b->group[k].cell);
  }
  free(b->X), free(b->type), free(b->start), free(b->node), free(b->group);
  *b = (DlsBodyMesh){0};
}

const DlsBodyGroup *dls_body_mesh_group(const DlsBodyMesh *b, const char *name) {
  for (int k = 0; k < b->groups; k++)
    if (strcmp(b->group[k].name, name) == 0) return &b->group[k];
  return NULL;
}
