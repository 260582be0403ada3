/* The outer sides of the meshes of deformable bodies. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fem/body_view.h"
#include "post/deformed.h"

/* A side of a cell; sides of two cells are the same where their least three nodes are. */
typedef struct {
  int key[3], cell, side;
} Side;

static int compare(const void *a, const void *b) {
  const Side *one = a, *other = b;
  for (int k = 0; k < 3; k++)
    if (one->key[k] != other->key[k]) return one->key[k] < other->key[k] ? -1 : 1;
  return one->cell - other->cell;
}

/* The node of the cell that is node k of the element. */
static int node_of(const DlsDeformed *d, int c, int type, int k) {
  const int first = d->cells.start[c];
  for (int v = 0; v < d->cells.start[c + 1] - first; v++)
    if (dls_element_vtk_node(type, v) == k) return d->cells.node[first + v];
  return -1;
}

static void put_key(const DlsDeformed *d, int type, Side *s) {
  const DlsElementSide *side = &dls_element_kind(type)->side[s->side];
  const int corners = dls_element_kind((int)side->type)->corners;
  int least[4] = {-1, -1, -1, -1};
  for (int k = 0; k < corners; k++) {
    int at = k;
    const int a = node_of(d, s->cell, type, side->node[k]);
    for (; at > 0 && least[at - 1] > a; at--) least[at] = least[at - 1];
    least[at] = a;
  }
  memcpy(s->key, least, sizeof s->key);
}

static void take_side(const DlsDeformed *d, const Side *s, DlsOuterSide *out) {
  const int type = dls_element_of_vtk(d->type[s->cell]);
  const DlsElementSide *side = &dls_element_kind(type)->side[s->side];
  *out = (DlsOuterSide){.cell = s->cell, .kind = dls_element_kind((int)side->type)};
  for (int k = 0; k < out->kind->nodes; k++)
    out->node[k] = node_of(d, s->cell, type, side->node[k]);
}

DlsStatus dls_deformed_outside(const DlsDeformed *d, int first, int last, int *count,
                               DlsOuterSide **out) {
  Side *all;
  int sides = 0;
  *count = 0;
  DLS_NEW(all, (size_t)(last - first) * DLS_ELEMENT_SIDES);
  for (int c = first; c < last; c++) {
    const int type = dls_element_of_vtk(d->type[c]);
    for (int k = 0; type >= 0 && k < dls_element_kind(type)->sides; k++) {
      all[sides] = (Side){.cell = c, .side = k};
      put_key(d, type, &all[sides++]);
    }
  }
  *out = dls_memory_array((size_t)sides, sizeof **out);
  DlsStatus status =
      *out ? DLS_OK
           : dls_fail(DLS_ERR_MEMORY, "out of memory for the sides of %d cells", last - first);
  qsort(all, (size_t)sides, sizeof *all, compare);
  for (int k = 0, next; k < sides && status == DLS_OK; k = next) {
    for (next = k + 1; next < sides && memcmp(all[k].key, all[next].key, sizeof all->key) == 0;)
      next++;
    if (next == k + 1) take_side(d, &all[k], &(*out)[(*count)++]);
  }
  free(all);
  return status;
}

DlsStatus dls_deformed_seen(const DlsDeformed *d, int *count, DlsOuterSide **out) {
  if (d->dim == 3) return dls_deformed_outside(d, 0, d->cells.cells, count, out);
  *count = 0;
  DLS_NEW(*out, d->cells.cells);
  for (int c = 0; c < d->cells.cells; c++) {
    const int type = dls_element_of_vtk(d->type[c]);
    if (type < 0) continue;
    DlsOuterSide *cell = &(*out)[(*count)++];
    *cell = (DlsOuterSide){.cell = c, .kind = dls_element_kind(type)};
    for (int k = 0; k < cell->kind->nodes; k++) cell->node[k] = node_of(d, c, type, k);
  }
  return DLS_OK;
}
