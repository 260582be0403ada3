/* Quadrilaterals and hexahedra cut into other cells, and middle nodes put on their edges. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/grid.h"
#include "mesh/mesh_impl.h"

typedef struct {
  int low, high, node;
} Edge;

typedef struct {
  DlsMesh *out;
  DlsCellKind kind;
  int room, used; /* of edges: an open hash table, room a power of two */
  Edge *edge;
} Converter;

/* ---- Middle nodes ---- */

static size_t slot_of(const Converter *c, int low, int high) {
  const uint64_t key = ((uint64_t)(unsigned)low << 32 | (unsigned)high) * 0x9E3779B97F4A7C15u;
  size_t at = (size_t)(key >> 20) & (size_t)(c->room - 1);
  while (c->edge[at].high && (c->edge[at].low != low || c->edge[at].high != high))
    at = (at + 1) & (size_t)(c->room - 1);
  return at;
}

static DlsStatus grow(Converter *c) {
  Edge *old = c->edge;
  const int before = c->room;
  if (2 * c->used < c->room) return DLS_OK;
  c->room = before ? 2 * before : 1024;
  c->edge = dls_memory_array((size_t)c->room, sizeof *c->edge);
  if (!c->edge) {
    c->edge = old, c->room = before;
    return dls_fail(DLS_ERR_MEMORY, "out of memory for %d edges", 2 * before);
  }
  for (int k = 0; k < before; k++)
    if (old[k].high) c->edge[slot_of(c, old[k].low, old[k].high)] = old[k];
  free(old);
  return DLS_OK;
}

static DlsStatus middle(Converter *c, int a, int b, int *out) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  DLS_TRY(grow(c));
  Edge *e = &c->edge[slot_of(c, low, high)];
  if (!e->high) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = (c->out->node[a][k] + c->out->node[b][k]) / 2;
    *e = (Edge){low, high, c->out->nodes};
    c->used++;
    DLS_TRY(dls_mesh_add_node(c->out, x));
  }
  *out = e->node;
  return DLS_OK;
}

static bool has_middles(DlsCellKind kind) {
  return kind == DLS_CELL_TRIANGLE6 || kind == DLS_CELL_QUAD8 || kind == DLS_CELL_TETRAHEDRON10;
}

/* A cell by its corners, with middle nodes where the wanted kind has them. */
static DlsStatus put(Converter *c, DlsCellKind kind, int corners, const int *corner) {
  static const int segment[][2] = {{0, 1}}, triangle[][2] = {{0, 1}, {1, 2}, {2, 0}},
                   quad[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
                   tetrahedron[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {2, 3}, {1, 3}};
  const int(*edge)[2] = NULL;
  DlsCellKind full = kind;
  int node[16], edges = 0;
  memcpy(node, corner, (size_t)corners * sizeof *node);
  if (has_middles(c->kind)) switch (kind) {
    case DLS_CELL_SEGMENT:
      full = DLS_CELL_SEGMENT3, edge = segment, edges = 1;
      break;
    case DLS_CELL_TRIANGLE:
      full = DLS_CELL_TRIANGLE6, edge = triangle, edges = 3;
      break;
    case DLS_CELL_QUAD:
      full = DLS_CELL_QUAD8, edge = quad, edges = 4;
      break;
    case DLS_CELL_TETRAHEDRON:
      full = DLS_CELL_TETRAHEDRON10, edge = tetrahedron, edges = 6;
      break;
    default:
      break;
    }
  for (int e = 0; e < edges; e++)
    DLS_TRY(middle(c, corner[edge[e][0]], corner[edge[e][1]], &node[corners + e]));
  return dls_mesh_add_cell(c->out, full, corners + edges, node);
}

/* ---- Cuts ---- */

static int lowest(int count, const int *node) {
  int at = 0;
  for (int k = 1; k < count; k++)
    if (node[k] < node[at]) at = k;
  return at;
}

/* Two triangles, whose common side begins at the lowest node. */
static void cut_quad(const int q[4], int out[2][3]) {
  const int s = lowest(4, q);
  for (int k = 0; k < 2; k++) {
    out[k][0] = q[s];
    out[k][1] = q[(s + 1 + k) % 4];
    out[k][2] = q[(s + 2 + k) % 4];
  }
}

static const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

/* Six tetrahedra: from the lowest node to the triangles of the faces that it is not on. */
static DlsStatus cut_hexahedron(Converter *c, const int h[8]) {
  const int s = lowest(8, h);
  for (int f = 0; f < 6; f++) {
    int q[4], triangle[2][3];
    bool on = false;
    for (int k = 0; k < 4; k++) {
      q[k] = h[faces[f][k]];
      on |= faces[f][k] == s;
    }
    if (on) continue;
    cut_quad(q, triangle);
    for (int t = 0; t < 2; t++) { /* the triangle shows outward: seen from within it turns right */
      const int corner[4] = {triangle[t][0], triangle[t][2], triangle[t][1], h[s]};
      DLS_TRY(put(c, DLS_CELL_TETRAHEDRON, 4, corner));
    }
  }
  return DLS_OK;
}

static DlsStatus cut_wedges(Converter *c, const int h[8]) {
  const int s = lowest(4, h);
  for (int k = 0; k < 2; k++) {
    const int a = s, b = (s + 1 + k) % 4, d = (s + 2 + k) % 4;
    const int corner[6] = {h[a], h[b], h[d], h[4 + a], h[4 + b], h[4 + d]};
    DLS_TRY(put(c, DLS_CELL_WEDGE, 6, corner));
  }
  return DLS_OK;
}

/* Whether a quadrilateral becomes triangles: a cell of 2-D, or a side of 3-D (of the group `side`),
 * of wedges only where it is below or above. */
static bool is_cut(const Converter *c, const char *side) {
  if (!side) return c->kind == DLS_CELL_TRIANGLE || c->kind == DLS_CELL_TRIANGLE6;
  if (c->kind == DLS_CELL_WEDGE) return strcmp(side, "bottom") == 0 || strcmp(side, "top") == 0;
  return c->kind == DLS_CELL_TETRAHEDRON || c->kind == DLS_CELL_TETRAHEDRON10;
}

static DlsStatus convert(Converter *c, const DlsMesh *from, int cell, const char *side) {
  const int *q = dls_mesh_corners(from, cell);
  int triangle[2][3];
  switch (from->kind[cell]) {
  case DLS_CELL_HEXAHEDRON:
    if (c->kind == DLS_CELL_HEXAHEDRON) return put(c, DLS_CELL_HEXAHEDRON, 8, q);
    return c->kind == DLS_CELL_WEDGE ? cut_wedges(c, q) : cut_hexahedron(c, q);
  case DLS_CELL_QUAD:
    if (!is_cut(c, side)) return put(c, DLS_CELL_QUAD, 4, q);
    cut_quad(q, triangle);
    for (int t = 0; t < 2; t++) DLS_TRY(put(c, DLS_CELL_TRIANGLE, 3, triangle[t]));
    return DLS_OK;
  default:
    return put(c, (DlsCellKind)from->kind[cell], dls_mesh_count(from, cell), q);
  }
}

static DlsStatus convert_all(Converter *c, const DlsMesh *from) {
  const int dim = dls_cell_facts[c->kind].dim;
  int member = 0; /* members come in the order of cells, one group each */
  for (int n = 0; n < from->nodes; n++) DLS_TRY(dls_mesh_add_node(c->out, from->node[n]));
  for (int cell = 0; cell < from->cells; cell++) {
    const int before = c->out->cells;
    const bool grouped = member < from->members && from->member[member][1] == cell;
    const char *name = grouped ? from->group[from->member[member][0]].name : "";
    DLS_TRY(convert(c, from, cell, dls_cell_facts[from->kind[cell]].dim < dim ? name : NULL));
    for (; member < from->members && from->member[member][1] == cell; member++) {
      const DlsMeshGroup *group = &from->group[from->member[member][0]];
      int number;
      DLS_TRY(dls_mesh_name_group(c->out, group->name, strlen(group->name), &number));
      c->out->group[number].dim = group->dim;
      for (int k = before; k < c->out->cells; k++)
        DLS_TRY(dls_mesh_put_in_group(c->out, number, k));
    }
  }
  return DLS_OK;
}

DlsStatus dls_mesh_convert(const DlsMesh *from, DlsCellKind kind, DlsMesh *out) {
  Converter c = {.out = out, .kind = kind};
  const DlsStatus status = convert_all(&c, from);
  free(c.edge);
  return status;
}
