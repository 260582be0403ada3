#include "fem/surface.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- Sides of one cell alone ---- */

enum { KEY = 4 }; /* corners of a side, at most */

typedef struct {
  int corner[KEY]; /* ascending, -1 behind the last */
  DlsBodySide at;
} Keyed;

static int ascending(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int by_corners(const void *a, const void *b) {
  const Keyed *p = a, *q = b;
  for (int k = 0; k < KEY; k++)
    if (p->corner[k] != q->corner[k]) return p->corner[k] < q->corner[k] ? -1 : 1;
  if (p->at.cell != q->at.cell) return p->at.cell - q->at.cell;
  return p->at.side - q->at.side;
}

static bool same_corners(const Keyed *p, const Keyed *q) {
  return memcmp(p->corner, q->corner, sizeof p->corner) == 0;
}

static int by_cell(const void *a, const void *b) {
  const DlsBodySide *p = a, *q = b;
  return p->cell != q->cell ? p->cell - q->cell : p->side - q->side;
}

DlsStatus dls_cells_outside(const DlsCells *mesh, int *count, DlsBodySide **out) {
  Keyed *all = NULL;
  int sides = 0;
  *count = 0, *out = NULL;
  for (int c = 0; c < mesh->cells; c++) sides += dls_element_kind((int)mesh->type[c])->sides;
  DLS_NEW(all, sides);
  sides = 0;
  for (int c = 0; c < mesh->cells; c++) {
    const DlsElementKind *kind = dls_element_kind((int)mesh->type[c]);
    for (int s = 0; s < kind->sides; s++, sides++) {
      const int corners = dls_element_kind((int)kind->side[s].type)->corners;
      for (int k = 0; k < KEY; k++)
        all[sides].corner[k] =
            k < corners ? mesh->node[mesh->start[c] + kind->side[s].node[k]] : -1;
      qsort(all[sides].corner, (size_t)corners, sizeof(int), ascending);
      all[sides].at = (DlsBodySide){c, s};
    }
  }
  qsort(all, (size_t)sides, sizeof *all, by_corners);
  *out = dls_memory_array((size_t)sides, sizeof **out);
  if (!*out) {
    free(all);
    return dls_fail(DLS_ERR_MEMORY, "out of memory: %d sides of cells", sides);
  }
  for (int k = 0, end; k < sides; k = end) {
    for (end = k + 1; end < sides && same_corners(&all[k], &all[end]);) end++;
    if (end == k + 1) (*out)[(*count)++] = all[k].at;
  }
  free(all);
  qsort(*out, (size_t)*count, sizeof **out, by_cell);
  return DLS_OK;
}

/* ---- Faces ---- */

/* The faces of a side, by its own nodes. */
typedef struct {
  int count, node[4][DLS_FACE_CORNERS];
} Cut;

static const Cut cuts[DLS_ELEMENTS] = {
    [DLS_LINE2] = {1, {{0, 1, -1, -1}}},
    [DLS_LINE3] = {2, {{0, 2, -1, -1}, {2, 1, -1, -1}}},
    [DLS_T3] = {1, {{0, 1, 2, -1}}},
    [DLS_T6] = {4, {{0, 3, 5, -1}, {3, 1, 4, -1}, {5, 4, 2, -1}, {3, 4, 5, -1}}},
    [DLS_Q4] = {1, {{0, 1, 2, 3}}},
};

void dls_surface_nodes_clear(DlsSurfaceNodes *s) {
  dls_contact_faces_clear(&s->faces);
  free(s->node);
  *s = (DlsSurfaceNodes){0};
}

static const DlsElementSide *side_of(const DlsCells *m, DlsBodySide at) {
  return &dls_element_kind((int)m->type[at.cell])->side[at.side];
}

/* Elements of the nodes that have one, -1 of the others; *nodes: how many. */
static void number_nodes(const DlsCells *m, int sides, const DlsBodySide *side, int *element,
                         int *nodes) {
  for (int a = 0; a < m->nodes; a++) element[a] = -1;
  for (int s = 0; s < sides; s++) {
    const DlsElementSide *own = side_of(m, side[s]);
    for (int k = 0; k < dls_element_kind((int)own->type)->nodes; k++)
      element[m->node[m->start[side[s].cell] + own->node[k]]] = 0;
  }
  *nodes = 0;
  for (int a = 0; a < m->nodes; a++)
    if (element[a] == 0) element[a] = (*nodes)++;
}

static DlsStatus fill(const DlsCells *m, int sides, const DlsBodySide *side, const int *element,
                      DlsSurfaceNodes *out) {
  DlsContactFaces *f = &out->faces;
  double(*x)[3] = NULL;
  int count = 0;
  bool quadratic = false;
  for (int s = 0; s < sides; s++) {
    const DlsElementType type = side_of(m, side[s])->type;
    count += cuts[type].count;
    quadratic |= dls_element_kind((int)type)->order > 1;
  }
  DLS_NEW(f->corner, count);
  if (quadratic) DLS_NEW(f->side, count);
  DLS_NEW(out->node, out->nodes);
  for (int a = 0; a < m->nodes; a++)
    if (element[a] >= 0) out->node[element[a]] = a;
  for (int s = 0; s < sides; s++) {
    const DlsElementSide *own = side_of(m, side[s]);
    const Cut *cut = &cuts[own->type];
    const DlsElementKind *kind = dls_element_kind((int)own->type);
    const int *node = m->node + m->start[side[s].cell];
    for (int k = 0; k < cut->count; k++, f->count++) {
      for (int c = 0; c < DLS_FACE_CORNERS; c++) {
        const int local = cut->node[k][c];
        f->corner[f->count][c] = local < 0 ? -1 : element[node[own->node[local]]];
      }
      for (int a = 0; f->side && a < DLS_SIDE_NODES; a++)
        f->side[f->count][a] =
            kind->order > 1 && a < kind->nodes ? element[node[own->node[a]]] : -1;
    }
  }
  f->elements = out->nodes;
  DLS_NEW(x, out->nodes);
  for (int e = 0; e < out->nodes; e++) memcpy(x[e], m->X[out->node[e]], sizeof x[e]);
  const DlsStatus status = dls_contact_faces_join(f, (const double(*)[3])x);
  free(x);
  return status;
}

DlsStatus dls_surface_nodes_make(const DlsCells *mesh, int sides, const DlsBodySide *side,
                                 double thickness, DlsSurfaceNodes *out) {
  int *element = NULL;
  *out =
      (DlsSurfaceNodes){.faces = {.dim = mesh->dim, .thickness = mesh->dim == 2 ? thickness : 1}};
  DLS_CHECK(sides > 0, DLS_ERR_ARGUMENT, "a surface needs a side of a cell");
  for (int s = 0; s < sides; s++)
    DLS_CHECK(side[s].cell >= 0 && side[s].cell < mesh->cells && side[s].side >= 0 &&
                  side[s].side < dls_element_kind((int)mesh->type[side[s].cell])->sides,
              DLS_ERR_ARGUMENT, "side %d of cell %d of %d is none", side[s].side, side[s].cell,
              mesh->cells);
  DLS_NEW(element, mesh->nodes);
  number_nodes(mesh, sides, side, element, &out->nodes);
  const DlsStatus status = fill(mesh, sides, side, element, out);
  free(element);
  if (status != DLS_OK) dls_surface_nodes_clear(out);
  return status;
}
