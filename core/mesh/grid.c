#include "mesh/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/mesh_impl.h"

/* A lattice of nodes along up to three axes; in 2-D the third has one layer and no cells. */
typedef struct {
  int dim, n[3]; /* cells along each axis */
} Lattice;

static int node_at(const Lattice *l, int i, int j, int k) {
  return i + (l->n[0] + 1) * (j + (l->n[1] + 1) * k);
}

static DlsStatus put_cell(DlsMesh *m, int dim, const int corner[8]) {
  return dls_mesh_add_cell(m, dim == 2 ? DLS_CELL_QUAD : DLS_CELL_HEXAHEDRON, dim == 2 ? 4 : 8,
                           corner);
}

/* A segment or quadrilateral of a group. */
static DlsStatus put_side(DlsMesh *m, int dim, const char *group, const int *corner) {
  int number;
  DLS_TRY(dls_mesh_name_group(m, group, strlen(group), &number));
  m->group[number].dim = dim - 1;
  DLS_TRY(
      dls_mesh_add_cell(m, dim == 2 ? DLS_CELL_SEGMENT : DLS_CELL_QUAD, dim == 2 ? 2 : 4, corner));
  return dls_mesh_put_in_group(m, number, m->cells - 1);
}

static const char *const side_names[2][3][2] = {
    {{"left", "right"}, {"bottom", "top"}, {"", ""}},
    {{"left", "right"}, {"front", "back"}, {"bottom", "top"}}};

/* Sides of a lattice across one axis; their nodes go round the outward normal. */
static DlsStatus put_lattice_sides(const Lattice *l, int axis, int high, DlsMesh *m) {
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  const char *name = side_names[l->dim - 2][axis][high];
  int at[3] = {0};
  if (l->dim == 2) {
    const int along = 1 - axis;
    at[axis] = high ? l->n[axis] : 0;
    for (int i = 0; i < l->n[along]; i++) {
      int corner[2];
      const bool turned = (axis == 0) == !high; /* the outside is to the right of the way */
      for (int k = 0; k < 2; k++) {
        at[along] = i + k;
        corner[turned ? 1 - k : k] = node_at(l, at[0], at[1], 0);
      }
      DLS_TRY(put_side(m, 2, name, corner));
    }
    return DLS_OK;
  }
  static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  at[axis] = high ? l->n[axis] : 0;
  for (int j = 0; j < l->n[b]; j++)
    for (int i = 0; i < l->n[a]; i++) {
      int corner[4];
      for (int k = 0; k < 4; k++) {
        at[a] = i + step[k][0], at[b] = j + step[k][1];
        corner[high ? k : 3 - k] = node_at(l, at[0], at[1], at[2]);
      }
      DLS_TRY(put_side(m, 3, name, corner));
    }
  return DLS_OK;
}

static void lattice_corners(const Lattice *l, int i, int j, int k, int corner[8]) {
  static const int step[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int c = 0; c < (l->dim == 2 ? 4 : 8); c++)
    corner[c] = node_at(l, i + step[c][0], j + step[c][1], k + step[c][2]);
}

static DlsStatus put_lattice_cells(const Lattice *l, DlsMesh *m) {
  for (int k = 0; k < (l->dim == 2 ? 1 : l->n[2]); k++)
    for (int j = 0; j < l->n[1]; j++)
      for (int i = 0; i < l->n[0]; i++) {
        int corner[8];
        lattice_corners(l, i, j, k, corner);
        DLS_TRY(put_cell(m, l->dim, corner));
      }
  return DLS_OK;
}

/* Edges along the axes of space, from what the kind calls its length and its sides. */
static DlsStatus make_block(const DlsGrid *g, DlsMesh *m) {
  const int upright = g->dim - 1;
  Lattice l = {.dim = g->dim};
  double size[3] = {0};
  for (int k = 0; k < g->dim; k++) {
    int axis = k;
    if (g->kind == DLS_GRID_BAR) axis = k == 0 ? upright : k - 1;
    size[axis] = g->size[k];
    l.n[axis] = g->cells[k];
  }
  for (int k = 0; k <= l.n[2]; k++)
    for (int j = 0; j <= l.n[1]; j++)
      for (int i = 0; i <= l.n[0]; i++) {
        const int at[3] = {i, j, k};
        double x[3] = {0};
        for (int c = 0; c < g->dim; c++) x[c] = size[c] * ((double)at[c] / l.n[c] - 0.5);
        DLS_TRY(dls_mesh_add_node(m, x));
      }
  DLS_TRY(put_lattice_cells(&l, m));
  for (int axis = 0; axis < g->dim; axis++)
    for (int high = 0; high < 2; high++) DLS_TRY(put_lattice_sides(&l, axis, high, m));
  return DLS_OK;
}

/* ---- Disk and sphere: a lattice in the middle, shells of its surface about it ---- */

typedef struct {
  Lattice l;
  int shells, surface; /* nodes of the lattice on its surface */
  int *shell;          /* [nodes of the lattice]: number on the surface, -1 within */
} Ball;

/* Node of the lattice, or of shell s > 0 above it. */
static int ball_node(const Ball *b, int inside, int lattice, int s) {
  return s == 0 ? lattice : inside + (s - 1) * b->surface + b->shell[lattice];
}

/* Where node (i, j, k) of the lattice is: half the side is `half`, a little round; and on the ball
 * above it, spaced by equal angles. */
static void ball_place(const Ball *b, const int at[3], double radius, double half, int s,
                       double x[3]) {
  double p[3] = {0}, square = 0;
  for (int k = 0; k < b->l.dim; k++) {
    p[k] = tan(acos(-1) / 4 * (2.0 * at[k] / b->l.n[k] - 1));
    square += p[k] * p[k];
  }
  const double share = (double)s / b->shells, size = square > 0 ? sqrt(square) : 1;
  for (int k = 0; k < 3; k++) x[k] = p[k] * ((1 - share) * half + share * radius / size);
}

static DlsStatus put_ball_nodes(Ball *b, double radius, DlsMesh *m) {
  const double half = radius * (b->l.dim == 2 ? 0.48 : 0.42);
  double x[3];
  for (int s = 0; s <= b->shells; s++)
    for (int k = 0; k <= b->l.n[2]; k++)
      for (int j = 0; j <= b->l.n[1]; j++)
        for (int i = 0; i <= b->l.n[0]; i++) {
          const int at[3] = {i, j, k}, number = node_at(&b->l, i, j, k);
          bool on = false;
          for (int c = 0; c < b->l.dim; c++) on |= at[c] == 0 || at[c] == b->l.n[c];
          if (s == 0) b->shell[number] = on ? b->surface++ : -1;
          if (s > 0 && !on) continue;
          ball_place(b, at, radius, half, s, x);
          DLS_TRY(dls_mesh_add_node(m, x));
        }
  return DLS_OK;
}

/* A cell of each shell above each side of the lattice, the last with the rim on it. */
static DlsStatus put_shells(const Ball *b, const DlsMesh *sides, const char *rim, DlsMesh *m) {
  const int inside = (b->l.n[0] + 1) * (b->l.n[1] + 1) * (b->l.n[2] + 1), dim = b->l.dim;
  const int corners = dim == 2 ? 2 : 4;
  for (int c = 0; c < sides->cells; c++) {
    const int *low = dls_mesh_corners(sides, c);
    int corner[8], out[4];
    for (int s = 0; s < b->shells; s++) {
      for (int k = 0; k < corners; k++) {
        corner[k] = ball_node(b, inside, low[k], s);
        /* In 2-D round the quadrilateral, which the way with the outside on its right makes
         * clockwise; in 3-D below and above. */
        corner[dim == 2 ? 3 - k : 4 + k] = ball_node(b, inside, low[k], s + 1);
        out[k] = ball_node(b, inside, low[k], s + 1);
      }
      if (dim == 2) {
        const int other = corner[1];
        corner[1] = corner[3], corner[3] = other;
      }
      DLS_TRY(put_cell(m, dim, corner));
    }
    DLS_TRY(put_side(m, dim, rim, out));
  }
  return DLS_OK;
}

static DlsStatus fill_ball(const DlsGrid *g, Ball *b, DlsMesh *sides, DlsMesh *m) {
  b->l.dim = g->dim;
  for (int k = 0; k < g->dim; k++) b->l.n[k] = g->cells[0];
  b->shells = g->cells[0] / 2 > 1 ? g->cells[0] / 2 : 1;
  DLS_NEW(b->shell, (b->l.n[0] + 1) * (b->l.n[1] + 1) * (b->l.n[2] + 1));
  DLS_TRY(put_ball_nodes(b, g->radius, m));
  DLS_TRY(put_lattice_cells(&b->l, m));
  for (int axis = 0; axis < g->dim; axis++)
    for (int high = 0; high < 2; high++) DLS_TRY(put_lattice_sides(&b->l, axis, high, sides));
  return put_shells(b, sides, "rim", m);
}

static DlsStatus make_ball(const DlsGrid *g, DlsMesh *m) {
  Ball b = {.surface = 0};
  DlsMesh sides = {0};
  const DlsStatus status = fill_ball(g, &b, &sides, m);
  dls_mesh_clear(&sides);
  free(b.shell);
  return status;
}

/* ---- Rings ---- */

static DlsStatus make_ring(const DlsGrid *g, DlsMesh *m) {
  const int around = g->cells[0], through = g->cells[1];
  for (int j = 0; j <= through; j++)
    for (int i = 0; i < around; i++) {
      const double angle = 2 * acos(-1) * i / around;
      const double r = g->inner + (g->radius - g->inner) * j / through;
      DLS_TRY(dls_mesh_add_node(m, (double[3]){r * cos(angle), r * sin(angle), 0}));
    }
  for (int j = 0; j < through; j++)
    for (int i = 0; i < around; i++) {
      const int next = (i + 1) % around, low = j * around, high = low + around;
      DLS_TRY(put_cell(m, 2, (int[8]){low + i, high + i, high + next, low + next}));
    }
  for (int i = 0; i < around; i++) {
    const int next = (i + 1) % around, high = through * around;
    DLS_TRY(put_side(m, 2, "rim", (int[2]){high + i, high + next}));
    DLS_TRY(put_side(m, 2, "inner", (int[2]){next, i}));
  }
  return DLS_OK;
}

/* ---- Flat ones drawn along z ---- */

static DlsStatus extrude(const DlsMesh *flat, double height, int layers, DlsMesh *m) {
  for (int k = 0; k <= layers; k++)
    for (int n = 0; n < flat->nodes; n++) {
      const double x[3] = {flat->node[n][0], flat->node[n][1], height * ((double)k / layers - 0.5)};
      DLS_TRY(dls_mesh_add_node(m, x));
    }
  const int top = layers * flat->nodes;
  for (int c = 0; c < flat->cells; c++) {
    const int *q = dls_mesh_corners(flat, c);
    if (flat->kind[c] != DLS_CELL_QUAD) continue;
    for (int k = 0; k < layers; k++) {
      int corner[8];
      for (int a = 0; a < 4; a++) {
        corner[a] = q[a] + k * flat->nodes;
        corner[4 + a] = corner[a] + flat->nodes;
      }
      DLS_TRY(put_cell(m, 3, corner));
    }
    DLS_TRY(put_side(m, 3, "bottom", (int[4]){q[3], q[2], q[1], q[0]}));
    DLS_TRY(put_side(m, 3, "top", (int[4]){top + q[0], top + q[1], top + q[2], top + q[3]}));
  }
  for (int e = 0; e < flat->members; e++) {
    const int *s = dls_mesh_corners(flat, flat->member[e][1]);
    for (int k = 0; k < layers; k++) {
      const int low = k * flat->nodes, high = low + flat->nodes;
      DLS_TRY(put_side(m, 3, flat->group[flat->member[e][0]].name,
                       (int[4]){low + s[0], low + s[1], high + s[1], high + s[0]}));
    }
  }
  return DLS_OK;
}

static DlsStatus make_drawn(const DlsGrid *g, DlsMesh *m) {
  DlsMesh flat = {0};
  DlsGrid below = *g;
  below.dim = 2;
  DlsStatus status = g->kind == DLS_GRID_TUBE ? make_ring(&below, &flat) : make_ball(&below, &flat);
  const int layers = g->kind == DLS_GRID_TUBE ? g->cells[2] : g->cells[1];
  if (status == DLS_OK) status = extrude(&flat, g->height, layers, m);
  dls_mesh_clear(&flat);
  return status;
}

/* ---- All ---- */

static const char *const names[] = {
#define NAME(code, name) name,
    DLS_GRID_LIST(NAME)
#undef NAME
};

static DlsStatus check(const DlsGrid *g) {
  const char *name = names[g->kind];
  const bool square = g->kind <= DLS_GRID_BEAM,
             drawn = g->kind == DLS_GRID_CYLINDER || g->kind == DLS_GRID_TUBE;
  const bool hollow = g->kind == DLS_GRID_RING || g->kind == DLS_GRID_TUBE;
  const bool flat = g->kind == DLS_GRID_DISK || g->kind == DLS_GRID_RING;
  DLS_CHECK(g->dim == 2 ? !drawn && g->kind != DLS_GRID_SPHERE : !flat, DLS_ERR_ARGUMENT,
            "a %s is of %d-D, and the deck of %d-D; take a %s", name, 5 - g->dim, g->dim,
            g->dim == 3 ? hollow ? "tube" : "cylinder"
            : hollow    ? "ring"
                        : "disk");
  double volume = 1;
  for (int k = 0; square && k < g->dim; k++) {
    DLS_CHECK(g->size[k] > 0, DLS_ERR_ARGUMENT, "a %s has %d lengths; give size: %s", name, g->dim,
              g->dim == 2 ? "[1, 1]" : "[1, 1, 1]");
    volume *= g->cells[k] > 0 ? g->cells[k] : 1;
  }
  DLS_CHECK(square || g->radius > 0, DLS_ERR_ARGUMENT, "a %s has a radius; give it in m", name);
  DLS_CHECK(!hollow || (g->inner > 0 && g->inner < g->radius), DLS_ERR_ARGUMENT,
            "a %s is hollow; give its radius `inner`, above 0 and below %g m", name, g->radius);
  DLS_CHECK(!drawn || g->height > 0, DLS_ERR_ARGUMENT, "a %s has a height; give it in m", name);
  for (int k = 0; !square && k < 3; k++) volume *= g->cells[k] > 0 ? g->cells[k] : 1;
  DLS_CHECK(volume < 2e7, DLS_ERR_ARGUMENT, "a %s of %.3g cells; take fewer", name, volume);
  DLS_CHECK(dls_cell_facts[g->cell].dim == g->dim, DLS_ERR_ARGUMENT,
            "a %s is no element of %d-D; take %s", dls_cell_facts[g->cell].name, g->dim,
            g->dim == 2 ? "T3, T6, Q4 or Q8" : "TET4, TET10, HEX8 or WEDGE6");
  DLS_CHECK(g->cell != DLS_CELL_WEDGE || g->kind != DLS_GRID_SPHERE, DLS_ERR_ARGUMENT,
            "a sphere is made of TET4, TET10 or HEX8, not of WEDGE6");
  return DLS_OK;
}

DlsStatus dls_mesh_grid(const DlsGrid *grid, DlsMesh *out) {
  DlsMesh plain = {0};
  DlsGrid g = *grid;
  *out = (DlsMesh){0};
  DLS_TRY(check(grid));
  for (int k = 0; k < 3; k++)
    if (g.cells[k] <= 0) g.cells[k] = 1;
  const bool hollow = g.kind == DLS_GRID_RING || g.kind == DLS_GRID_TUBE;
  if (hollow && grid->cells[0] <= 0) g.cells[0] = 12;
  if (hollow && g.cells[0] < 3) g.cells[0] = 3;
  DlsStatus status = g.kind <= DLS_GRID_BEAM   ? make_block(&g, &plain)
                     : g.kind == DLS_GRID_RING ? make_ring(&g, &plain)
                     : g.kind == DLS_GRID_CYLINDER || g.kind == DLS_GRID_TUBE
                         ? make_drawn(&g, &plain)
                         : make_ball(&g, &plain);
  if (status == DLS_OK) status = dls_mesh_convert(&plain, g.cell, out);
  dls_mesh_clear(&plain);
  if (status != DLS_OK) dls_mesh_clear(out);
  return status;
}
