/* What a deformable body takes of a mesh (mesh/mesh.h): its cells as elements, its skin, and named
 * groups of nodes, sides and cells. Cells that turn the wrong way are turned; what cannot be
 * computed with is refused with its cell: inverted cells, hanging nodes, sides of three cells,
 * nodes of no cell, cells that are no element. */
#ifndef DELASSUS_FEM_BODY_MESH_H
#define DELASSUS_FEM_BODY_MESH_H

#include "fem/body.h"
#include "mesh/mesh.h"

/* Of a physical group or of a side of a grid, by its name. Sides come of cells of one dimension
 * less, nodes of all its cells. */
typedef struct {
  char name[DLS_MESH_NAME];
  int nodes, sides, cells;
  int *node; /* ascending, each once */
  DlsBodySide *side;
  int *cell;
} DlsBodyGroup;

typedef struct {
  int dim, nodes, cells;
  double (*X)[3]; /* m */
  DlsElementType *type;
  int *start; /* [cells + 1] */
  int *node;  /* in the element's order */
  int turned; /* cells that were given the other way round */

  int groups; /* the last is "skin": all sides of one cell alone */
  DlsBodyGroup *group;
} DlsBodyMesh;

/* `path` is for sentences; lengths are multiplied by `scale`. The caller ends *out with
 * dls_body_mesh_clear(). */
DlsStatus dls_body_mesh_create(const DlsMesh *mesh, const char *path, int dim, double scale,
                               DlsBodyMesh *out);
void dls_body_mesh_clear(DlsBodyMesh *mesh); /* a zeroed one is fine */

/* NULL: there is none of this name. */
const DlsBodyGroup *dls_body_mesh_group(const DlsBodyMesh *mesh, const char *name);

/* The element of a cell, -1: none. */
int dls_element_of_cell(DlsCellKind kind);
DlsCellKind dls_cell_of_element(DlsElementType type);

#endif
