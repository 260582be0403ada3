#include "record/wall_shape.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "world/boundary/kind.h"

/* Endless is -1 in a file: not every reader knows infinite numbers. */
void dls_wall_pack(const DlsBoundary *wall, const DlsFacetsList *facets,
                   double out[DLS_WALL_NUMBERS]) {
  out[0] = (double)wall->kind;
  out[1] = wall->inside;
  out[2] = wall->open;
  for (int k = 0; k < 3; k++) out[3 + k] = isinf(wall->length[k]) ? -1 : wall->length[k];
  for (int k = 0; k < 2; k++) out[6 + k] = wall->radius[k];
  out[8] = wall->rounding;
  out[9] = wall->depth;
  memcpy(out + 10, wall->position, sizeof wall->position);
  memcpy(out + 13, wall->orientation, sizeof wall->orientation);
  out[17] = 0;
  for (int k = 0; k < facets->count; k++)
    if (facets->item[k] == wall->facets) out[17] = k + 1;
}

DlsStatus dls_wall_unpack(const double number[DLS_WALL_NUMBERS], int dim,
                          const DlsFacetsList *facets, const char *path, DlsBoundary *out) {
  int kind, inside, open, set;
  DLS_CHECK(dls_checked_real(number[0], 0, INT_MAX, &kind) &&
                dls_boundary_operations((DlsBoundaryKind)kind) &&
                dls_checked_real(number[1], 0, 1, &inside) &&
                dls_checked_real(number[2], 0, 63, &open),
            DLS_ERR_FORMAT, "%s: wall_shape has a wall of kind %g, inside %g, open %g", path,
            number[0], number[1], number[2]);
  DLS_CHECK(dls_checked_real(number[17], 0, facets->count, &set), DLS_ERR_FORMAT,
            "%s: wall_shape has a wall of facets %g, there are %d", path, number[17],
            facets->count);
  *out = (DlsBoundary){.kind = (DlsBoundaryKind)kind,
                       .inside = inside,
                       .open = (unsigned)open,
                       .rounding = number[8],
                       .depth = number[9],
                       .facets = set ? facets->item[set - 1] : NULL};
  for (int k = 0; k < 3; k++) out->length[k] = number[3 + k] < 0 ? HUGE_VAL : number[3 + k];
  for (int k = 0; k < 2; k++) out->radius[k] = number[6 + k];
  memcpy(out->position, number + 10, sizeof out->position);
  memcpy(out->orientation, number + 13, sizeof out->orientation);
  return dls_boundary_check(dim, out);
}

int64_t dls_wall_facet_rows(const DlsFacetsList *facets) {
  int64_t rows = 0;
  for (int k = 0; k < facets->count; k++)
    rows += 1 + facets->item[k]->nodes + (int64_t)facets->item[k]->count;
  return rows;
}

void dls_wall_pack_facets(const DlsFacetsList *facets, double *out) {
  for (int k = 0; k < facets->count; k++) {
    const DlsFacets *f = facets->item[k];
    *out++ = f->both, *out++ = f->nodes, *out++ = f->count;
    memcpy(out, f->node, (size_t)f->nodes * sizeof *f->node);
    out += 3 * (size_t)f->nodes;
    for (int c = 0; c < 3 * f->count; c++) *out++ = f->corner[c / 3][c % 3];
  }
}

/* One set of `left` rows or fewer; *used: how many it was. */
static DlsStatus unpack_set(const double *number, int64_t left, int dim, const char *path,
                            int64_t *used, DlsFacets **out) {
  int both, nodes, count, (*corner)[3];
  const double *x = number + 3, *c;
  DLS_CHECK(
      dls_checked_real(number[0], 0, 1, &both) && dls_checked_real(number[1], 1, INT_MAX, &nodes) &&
          dls_checked_real(number[2], 1, INT_MAX, &count) && 1 + (int64_t)nodes + count <= left,
      DLS_ERR_FORMAT, "%s: wall_facets: %g nodes and %g facets in %" PRId64 " rows", path,
      number[1], number[2], left);
  *used = 1 + (int64_t)nodes + count;
  c = x + 3 * (size_t)nodes;
  DLS_NEW(corner, count);
  bool whole = true;
  for (int k = 0; k < 3 * count; k++)
    whole = whole && dls_checked_real(c[k], 0, nodes - 1, &corner[k / 3][k % 3]);
  DlsStatus status =
      whole ? dls_facets_make(dim, both, path, nodes, (const double(*)[3])(const void *)x, count,
                              (const int(*)[3])corner, out)
            : dls_fail(DLS_ERR_FORMAT, "%s: wall_facets: a corner is no number of a node", path);
  free(corner);
  return status;
}

DlsStatus dls_wall_unpack_facets(const double *number, int64_t rows, int dim, const char *path,
                                 DlsFacetsList *out) {
  for (int64_t row = 0, used = 1; row < rows; row += used) {
    DlsFacets *set;
    DLS_TRY(unpack_set(number + 3 * row, rows - row, dim, path, &used, &set));
    const DlsStatus status = dls_facets_hold(out, set);
    dls_facets_release(&set);
    DLS_TRY(status);
  }
  return DLS_OK;
}
