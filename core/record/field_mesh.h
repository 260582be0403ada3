/* The grid of a field as cells of a VTU file: quadrilaterals, in 3-D hexahedra. */
#ifndef DELASSUS_RECORD_FIELD_MESH_H
#define DELASSUS_RECORD_FIELD_MESH_H

#include "post/field/field.h"
#include "record/vtu/vtu.h"

typedef struct {
  int64_t nodes, cells;
  double (*position)[3]; /* [nodes] */
  int64_t *corner, *end; /* [cells][4 or 8], [cells] */
  uint8_t *type;         /* [cells] */
} DlsFieldMesh;

/* *mesh is zeroed, ended with dls_field_mesh_clear(), also on failure. 2 points and more along each
 * axis. */
DlsStatus dls_field_mesh_make(const DlsFieldGrid *grid, int dim, DlsFieldMesh *mesh);
void dls_field_mesh_clear(DlsFieldMesh *mesh);

/* A VTU grid of it with these arrays at its nodes. */
DlsVtuGrid dls_field_mesh_grid(const DlsFieldMesh *mesh, const DlsVtuArray *arrays, int count,
                               double time);

#endif
