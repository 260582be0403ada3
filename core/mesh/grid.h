/* Meshes that need no file: blocks, bars and beams, disks and rings, cylinders and tubes, spheres,
 * of elements of any kind, with their sides as named groups.
 *
 * Their middle is the origin, but for nothing. Groups: left -x, right +x, in 2-D bottom -y, top +y,
 * in 3-D bottom -z, top +z, front -y, back +y; of round ones rim, of hollow ones inner too. */
#ifndef DELASSUS_MESH_GRID_H
#define DELASSUS_MESH_GRID_H

#include "mesh/mesh.h"

/* Code, name, and what numbers of `size` and `cells` are. */
#define DLS_GRID_LIST(X)                                                                           \
  X(BLOCK, "block")                                                                                \
  X(BAR, "bar")                                                                                    \
  X(BEAM, "beam")                                                                                  \
  X(DISK, "disk")                                                                                  \
  X(RING, "ring")                                                                                  \
  X(CYLINDER, "cylinder")                                                                          \
  X(TUBE, "tube")                                                                                  \
  X(SPHERE, "sphere")

typedef enum {
#define DLS_GRID_ENUM(code, name) DLS_GRID_##code,
  DLS_GRID_LIST(DLS_GRID_ENUM)
#undef DLS_GRID_ENUM
      DLS_GRID_KINDS
} DlsGridKind;

typedef struct {
  DlsGridKind kind;
  int dim; /* 2 or 3 */
  /* m. block: along x, y, z; bar: its length, which stands upright, then its sides; beam: its
   * length, along x, then its sides. */
  double size[3];
  /* m. Of round ones; of hollow ones `inner` too; height of cylinders and tubes, along z. */
  double radius, inner, height;
  /* block, bar, beam: along each of `size`; disk, sphere: in the quarter of the rim that one side
   * of the square within faces, at least 1; ring: around, through; cylinder: as disk, then along;
   * tube: around, through, along. 0: 1 (around: 12). */
  int cells[3];
  DlsCellKind cell; /* of the elements: DLS_CELL_TRIANGLE ... */
} DlsGrid;

/* The caller ends *out with dls_mesh_clear(). DLS_ERR_ARGUMENT with a sentence. */
DlsStatus dls_mesh_grid(const DlsGrid *grid, DlsMesh *out);

/* ---- Of this room alone ---- */

/* Quadrilaterals and hexahedra become cells of `kind`, and their sides sides of these: diagonals
 * begin at the node of the lowest number, so that neighbours agree; wedges stand along the third
 * axis of their hexahedron. Middle nodes are the means of their two corners. */
DlsStatus dls_mesh_convert(const DlsMesh *from, DlsCellKind kind, DlsMesh *out);

#endif
