#include "record/field_write.h"

#include <stdlib.h>

#include "base/memory.h"

typedef struct {
  double (*position)[3];
  int64_t *corner;
  double *pressure, *deviator;
  int64_t cells;
} Mesh;

/* Corners of cell (i, j, k) in VTK's order: around the bottom, then around the top. */
static void set_corners(const DlsFieldGrid *grid, int dim, int i, int j, int k, int64_t *corner) {
  static const int place[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const int64_t nx = grid->points[0], ny = grid->points[1];
  for (int c = 0; c < (dim == 3 ? 8 : 4); c++)
    corner[c] = ((k + place[c][2]) * ny + j + place[c][1]) * nx + i + place[c][0];
}

static DlsStatus make(const DlsField *f, Mesh *m) {
  const int *n = f->grid.points, size = f->dim == 3 ? 8 : 4, deep = f->dim == 3 ? n[2] - 1 : 1;
  m->cells = (int64_t)(n[0] - 1) * (n[1] - 1) * deep;
  DLS_CHECK(m->cells > 0, DLS_ERR_ARGUMENT,
            "field: a file needs 2 points along each axis, not %d x %d x %d", n[0], n[1], n[2]);
  DLS_NEW(m->position, f->nodes);
  DLS_NEW(m->pressure, f->nodes);
  DLS_NEW(m->deviator, f->nodes);
  DLS_NEW(m->corner, m->cells * size);
  int64_t *corner = m->corner;
  for (int k = 0; k < deep; k++)
    for (int j = 0; j + 1 < n[1]; j++)
      for (int i = 0; i + 1 < n[0]; i++, corner += size)
        set_corners(&f->grid, f->dim, i, j, k, corner);
  for (int node = 0; node < f->nodes; node++) {
    DlsStressState state;
    dls_field_place(&f->grid, node, m->position[node]);
    dls_stress_state(f->dim, f->stress[node], &state);
    m->pressure[node] = state.pressure;
    m->deviator[node] = state.deviator;
  }
  return DLS_OK;
}

#define ARRAY(name_, values_, n, role_)                                                            \
  { .name = (name_), .values = (values_), .components = (n), .role = (role_) }

static DlsStatus put(const DlsField *f, const Mesh *m, double time, const DlsVtuOptions *options,
                     const char *path) {
  const DlsVtuArray data[] = {
      ARRAY("pressure", m->pressure, 1, DLS_VTU_SCALARS),
      ARRAY("deviator", m->deviator, 1, DLS_VTU_PLAIN),
      ARRAY("stress", f->stress, 9, DLS_VTU_TENSORS),
      ARRAY("kinetic_stress", f->kinetic, 9, DLS_VTU_PLAIN),
      ARRAY("velocity", f->velocity, 3, DLS_VTU_VECTORS),
      ARRAY("density", f->density, 1, DLS_VTU_PLAIN),
      ARRAY("solid_fraction", f->solid, 1, DLS_VTU_PLAIN),
      ARRAY("contact_density", f->contacts, 1, DLS_VTU_PLAIN),
      ARRAY("fabric", f->fabric, 9, DLS_VTU_PLAIN),
      ARRAY("wall_force", f->wall_force, 3, DLS_VTU_PLAIN),
  };
  /* Ends and types of cells of one kind are made by the writer, unless the corners are given. */
  int64_t *end;
  uint8_t *type;
  const int size = f->dim == 3 ? 8 : 4;
  DLS_NEW(end, m->cells);
  type = dls_memory_array((size_t)m->cells, sizeof *type);
  for (int64_t c = 0; c < m->cells && type; c++) {
    end[c] = (c + 1) * size;
    type[c] = f->dim == 3 ? DLS_VTU_HEXAHEDRON : DLS_VTU_QUAD;
  }
  const DlsVtuGrid grid = {.points = f->nodes,
                           .cells = m->cells,
                           .position = m->position[0],
                           .connectivity = m->corner,
                           .end = end,
                           .type = type,
                           .point_data = data,
                           .point_arrays = DLS_COUNT(data),
                           .timed = true,
                           .time = time};
  const DlsStatus status = type
                               ? dls_vtu_write(path, &grid, options, NULL)
                               : dls_fail(DLS_ERR_MEMORY, "out of memory for the cells of a field");
  free(end);
  free(type);
  return status;
}

DlsStatus dls_field_write(const DlsField *field, double time, const DlsVtuOptions *options,
                          const char *path) {
  Mesh mesh = {0};
  DlsStatus status = make(field, &mesh);
  if (status == DLS_OK) status = put(field, &mesh, time, options, path);
  free(mesh.position);
  free(mesh.corner);
  free(mesh.pressure);
  free(mesh.deviator);
  return status;
}
