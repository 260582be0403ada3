#include "record/field_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Corners of cell (i, j, k) in VTK's order: around the bottom, then around the top. */
static void set_corners(const DlsFieldGrid *grid, int dim, int i, int j, int k, int64_t *corner) {
  static const int place[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const int64_t nx = grid->points[0], ny = grid->points[1];
  for (int c = 0; c < (dim == 3 ? 8 : 4); c++)
    corner[c] = ((k + place[c][2]) * ny + j + place[c][1]) * nx + i + place[c][0];
}

DlsStatus dls_field_mesh_make(const DlsFieldGrid *grid, int dim, DlsFieldMesh *m) {
  const int *n = grid->points, size = dim == 3 ? 8 : 4, deep = dim == 3 ? n[2] - 1 : 1;
  m->nodes = (int64_t)n[0] * n[1] * n[2];
  m->cells = (int64_t)(n[0] - 1) * (n[1] - 1) * deep;
  DLS_CHECK(m->cells > 0, DLS_ERR_ARGUMENT,
            "field: a file needs 2 points along each axis, not %d x %d x %d", n[0], n[1], n[2]);
  DLS_NEW(m->position, m->nodes);
  DLS_NEW(m->corner, m->cells * size);
  DLS_NEW(m->end, m->cells);
  DLS_NEW(m->type, m->cells);
  int64_t cell = 0;
  for (int k = 0; k < deep; k++)
    for (int j = 0; j + 1 < n[1]; j++)
      for (int i = 0; i + 1 < n[0]; i++, cell++) {
        set_corners(grid, dim, i, j, k, m->corner + cell * size);
        m->end[cell] = (cell + 1) * size;
        m->type[cell] = dim == 3 ? DLS_VTU_HEXAHEDRON : DLS_VTU_QUAD;
      }
  for (int node = 0; node < m->nodes; node++) dls_field_place(grid, node, m->position[node]);
  return DLS_OK;
}

void dls_field_mesh_clear(DlsFieldMesh *m) {
  free(m->position);
  free(m->corner);
  free(m->end);
  free(m->type);
  memset(m, 0, sizeof *m);
}

DlsVtuGrid dls_field_mesh_grid(const DlsFieldMesh *m, const DlsVtuArray *arrays, int count,
                               double time) {
  return (DlsVtuGrid){.points = m->nodes,
                      .cells = m->cells,
                      .position = m->position[0],
                      .connectivity = m->corner,
                      .end = m->end,
                      .type = m->type,
                      .point_data = arrays,
                      .point_arrays = count,
                      .timed = true,
                      .time = time};
}
