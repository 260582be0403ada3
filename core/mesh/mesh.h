/* Meshes from files: nodes, cells of several kinds, named groups of cells. Surfaces (STL, OBJ, MSH,
 * VTU) become bodies and boundaries; volumes (MSH, VTU) are for elements of deformable bodies.
 *
 * Files are not trusted: whatever their bytes are, they are read or refused with a sentence that
 * names the file and the line (in binary parts the byte). Lengths have the unit of the file. */
#ifndef DELASSUS_MESH_MESH_H
#define DELASSUS_MESH_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/status.h>

#include "base/names.h"

/* Kinds of cells: code, name, dimension, nodes (0: three or more), number in files of Gmsh (0:
 * none). Nodes of a cell stand in the order of Gmsh: corners first, then middles of edges. */
#define DLS_CELL_LIST(X)                                                                           \
  X(POINT, "point", 0, 1, 15)                                                                      \
  X(SEGMENT, "segment", 1, 2, 1)                                                                   \
  X(SEGMENT3, "segment of 3 nodes", 1, 3, 8)                                                       \
  X(TRIANGLE, "triangle", 2, 3, 2)                                                                 \
  X(QUAD, "quadrilateral", 2, 4, 3)                                                                \
  X(TRIANGLE6, "triangle of 6 nodes", 2, 6, 9)                                                     \
  X(QUAD8, "quadrilateral of 8 nodes", 2, 8, 16)                                                   \
  X(POLYGON, "polygon", 2, 0, 0)                                                                   \
  X(TETRAHEDRON, "tetrahedron", 3, 4, 4)                                                           \
  X(TETRAHEDRON10, "tetrahedron of 10 nodes", 3, 10, 11)                                           \
  X(HEXAHEDRON, "hexahedron", 3, 8, 5)                                                             \
  X(WEDGE, "wedge", 3, 6, 6)                                                                       \
  X(PYRAMID, "pyramid", 3, 5, 7)

typedef enum {
#define DLS_CELL_ENUM(code, name, dim, nodes, gmsh) DLS_CELL_##code,
  DLS_CELL_LIST(DLS_CELL_ENUM)
#undef DLS_CELL_ENUM
      DLS_CELL_KINDS
} DlsCellKind;

typedef struct {
  const char *name;
  int dim, nodes, gmsh;
} DlsCellFacts;

extern const DlsCellFacts dls_cell_facts[DLS_CELL_KINDS];

enum { DLS_MESH_NAME = 128, DLS_MESH_CORNERS = 256 }; /* bytes of a name; nodes of a polygon */

/* Cells under one name: a physical group of Gmsh, an object or group of an OBJ, a solid of an
 * STL. */
typedef struct {
  char name[DLS_MESH_NAME];
  int dim; /* of a physical group: of its cells; -1: any */
  int tag; /* likewise, its number; -1: it has none */
} DlsMeshGroup;

typedef struct {
  int nodes, node_room;
  double (*node)[3];

  int cells, cell_room;
  uint8_t *kind;  /* [cells] a DlsCellKind */
  int64_t *start; /* [cells + 1] into corner */
  int64_t corner_room;
  int *corner; /* nodes of the cells, one cell behind the other */

  int groups, group_room;
  DlsMeshGroup *group;
  DlsNames names; /* of the groups that came by name */
  /* Who is in which group, in the order of the file; a cell may be in none or in several. */
  int members, member_room;
  int (*member)[2]; /* group, cell */

  int dropped; /* triangles of an STL that have the same corner twice, left out */
  int welded;  /* nodes of an STL that were one with another to single precision only */
} DlsMesh;

/* By what the file is called: .stl, .obj, .msh, .vtu (any case). DLS_ERR_FILE or DLS_ERR_FORMAT
 * with the sentence. The caller ends *out with dls_mesh_clear(). */
DlsStatus dls_mesh_read(const char *path, DlsMesh *out);
/* The same of bytes in memory; `path` tells the format, and is for sentences. */
DlsStatus dls_mesh_read_bytes(const char *path, const char *bytes, size_t size, DlsMesh *out);
/* Whether dls_mesh_read() knows the ending. */
bool dls_mesh_known(const char *path);

void dls_mesh_clear(DlsMesh *mesh); /* a zeroed one is fine */

/* Nodes of cell c: how many, and which. */
static inline int dls_mesh_count(const DlsMesh *mesh, int c) {
  return (int)(mesh->start[c + 1] - mesh->start[c]);
}
static inline const int *dls_mesh_corners(const DlsMesh *mesh, int c) {
  return mesh->corner + mesh->start[c];
}

/* The number of a group by its name, -1: none. */
int dls_mesh_find_group(const DlsMesh *mesh, const char *name);

/* The sides of the triangles of a surface: two each, with who stands on either side. */
typedef struct {
  int count;           /* triangles */
  int (*corner)[3];    /* nodes, counter-clockwise from the front */
  int (*neighbour)[3]; /* behind the side from corner k to the next: triangle, -1: none */
} DlsMeshTriangles;

/* All surface cells as triangles: quadrilaterals and polygons as fans about their first corner,
 * which is right where they are convex, others are refused; of cells with middle nodes the corners
 * alone. group >= 0: those of one group only. Refuses triangles of no area. `neighbour` is NULL. */
DlsStatus dls_mesh_triangles(const DlsMesh *mesh, const char *path, int group,
                             DlsMeshTriangles *out);
/* Fills `neighbour`. Refuses an edge of three triangles or more, and one that both of its triangles
 * run along in the same direction: one of them is inverted. */
DlsStatus dls_mesh_join(const DlsMesh *mesh, const char *path, DlsMeshTriangles *triangles);
void dls_mesh_triangles_clear(DlsMeshTriangles *triangles);

#endif
