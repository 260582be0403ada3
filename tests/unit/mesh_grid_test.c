/* Meshes that need no file, and what deformable bodies take of meshes: volumes, closed skins, sides
 * in groups, for each kind and element; mistakes of meshes by their sentence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/body_mesh.h"
#include "mesh/grid.h"
#include "tests/files.h"
#include "tests/test.h"

static double volume_of(const DlsBodyMesh *b) {
  double sum = 0;
  for (int c = 0; c < b->cells; c++) {
    const DlsElementKind *kind = dls_element_kind((int)b->type[c]);
    double X[DLS_ELEMENT_NODES][3];
    for (int k = 0; k < kind->nodes; k++) memcpy(X[k], b->X[b->node[b->start[c] + k]], sizeof *X);
    sum += dls_element_volume(kind, (const double(*)[3])X);
  }
  return sum;
}

/* Area of the sides of a group, and the integral of x . n over them: dim times the volume where
 * they close. */
static double area_of(const DlsBodyMesh *b, const char *name, double *enclosed, double sum[3]) {
  const DlsBodyGroup *g = dls_body_mesh_group(b, name);
  double all = 0;
  memset(sum, 0, 3 * sizeof *sum);
  *enclosed = 0;
  if (!g) return -1;
  for (int s = 0; s < g->sides; s++) {
    const DlsBodySide at = g->side[s];
    const DlsElementSide *side = &dls_element_kind((int)b->type[at.cell])->side[at.side];
    const DlsElementKind *kind = dls_element_kind((int)side->type);
    double X[DLS_ELEMENT_NODES][3], w[DLS_ELEMENT_NODES], area[3], middle[3] = {0};
    for (int k = 0; k < kind->nodes; k++)
      memcpy(X[k], b->X[b->node[b->start[at.cell] + side->node[k]]], sizeof *X);
    dls_element_side_weights(kind, (const double(*)[3])X, w, area);
    for (int k = 0; k < kind->nodes; k++)
      for (int i = 0; i < 3; i++) middle[i] += X[k][i] / kind->nodes;
    all += sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
    for (int i = 0; i < 3; i++) sum[i] += area[i], *enclosed += middle[i] * area[i];
  }
  return all;
}

typedef struct {
  DlsGrid grid;
  double volume; /* of the round ones as they would be with infinitely many cells */
  const char *group;
  double area;
} Case;

static const double pi = 3.14159265358979323846;

static void check_grid(const Case *c, DlsCellKind cell, double tolerance) {
  DlsMesh mesh;
  DlsBodyMesh body;
  DlsGrid g = c->grid;
  double enclosed, sum[3];
  g.cell = cell;
  CHECK_OK(dls_mesh_grid(&g, &mesh));
  CHECK_OK(dls_body_mesh_create(&mesh, "grid", g.dim, 1, &body));
  dls_mesh_clear(&mesh);
  CHECK_INT(body.turned, 0);
  const double volume = volume_of(&body);
  CHECK_NEAR(volume / c->volume, 1, tolerance);
  area_of(&body, "skin", &enclosed, sum);
  CHECK_NEAR(enclosed / g.dim / volume, 1, 1e-12);
  for (int k = 0; k < 3; k++) CHECK_NEAR(sum[k] / sqrt(volume), 0, 1e-12);
  CHECK_NEAR(area_of(&body, c->group, &enclosed, sum) / c->area, 1, tolerance);
  dls_body_mesh_clear(&body);
}

TEST(grids_fill_what_they_are_named_for) {
  static const DlsCellKind flat[] = {DLS_CELL_TRIANGLE, DLS_CELL_TRIANGLE6, DLS_CELL_QUAD,
                                     DLS_CELL_QUAD8};
  static const DlsCellKind solid[] = {DLS_CELL_TETRAHEDRON, DLS_CELL_TETRAHEDRON10,
                                      DLS_CELL_HEXAHEDRON, DLS_CELL_WEDGE};
  const Case cases[] = {
      {{DLS_GRID_BLOCK, 2, {2, 3}, .cells = {4, 5}}, 6, "top", 2},
      {{DLS_GRID_BAR, 2, {5, 0.5}, .cells = {7, 2}}, 2.5, "bottom", 0.5},
      {{DLS_GRID_BEAM, 2, {5, 0.5}, .cells = {7, 2}}, 2.5, "left", 0.5},
      {{DLS_GRID_DISK, 2, .radius = 2, .cells = {12}}, 4 * pi, "rim", 4 * pi},
      {{DLS_GRID_RING, 2, .radius = 2, .inner = 1, .cells = {60, 3}}, 3 * pi, "inner", 2 * pi},
      {{DLS_GRID_BLOCK, 3, {2, 3, 4}, .cells = {2, 3, 4}}, 24, "front", 8},
      {{DLS_GRID_BAR, 3, {4, 2, 3}, .cells = {2, 3, 4}}, 24, "top", 6},
      {{DLS_GRID_BEAM, 3, {4, 2, 3}, .cells = {2, 3, 4}}, 24, "right", 6},
      {{DLS_GRID_CYLINDER, 3, .radius = 2, .height = 3, .cells = {12, 2}}, 12 * pi, "top", 4 * pi},
      {{DLS_GRID_TUBE, 3, .radius = 2, .inner = 1, .height = 3, .cells = {60, 2, 2}},
       9 * pi,
       "inner",
       6 * pi},
      {{DLS_GRID_SPHERE, 3, .radius = 2, .cells = {12}}, 32 * pi / 3, "rim", 16 * pi},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++)
    for (int e = 0; e < 4; e++) {
      const bool round = cases[k].grid.kind >= DLS_GRID_DISK;
      if (cases[k].grid.kind == DLS_GRID_SPHERE && solid[e] == DLS_CELL_WEDGE) continue;
      /* A chord of 1 / 48 of the rim takes (2 pi / 48)^2 / 6 of its area: 0.3 %. */
      check_grid(&cases[k], cases[k].grid.dim == 2 ? flat[e] : solid[e], round ? 1e-2 : 1e-12);
    }
}

TEST(grids_that_cannot_be_are_refused) {
  static const struct {
    DlsGrid grid;
    const char *part;
  } wrong[] = {
      {{DLS_GRID_SPHERE, 2, .radius = 1, .cell = DLS_CELL_QUAD}, "take a disk"},
      {{DLS_GRID_DISK, 3, .radius = 1, .cell = DLS_CELL_HEXAHEDRON}, "take a cylinder"},
      {{DLS_GRID_RING, 3, .radius = 1, .cell = DLS_CELL_HEXAHEDRON}, "take a tube"},
      {{DLS_GRID_BLOCK, 3, {1, 1}, .cell = DLS_CELL_HEXAHEDRON}, "give size: [1, 1, 1]"},
      {{DLS_GRID_BLOCK, 2, {1, 1}, .cell = DLS_CELL_HEXAHEDRON}, "take T3, T6, Q4 or Q8"},
      {{DLS_GRID_RING, 2, .radius = 1, .inner = 2, .cell = DLS_CELL_QUAD}, "below 1 m"},
      {{DLS_GRID_CYLINDER, 3, .radius = 1, .cell = DLS_CELL_HEXAHEDRON}, "has a height"},
      {{DLS_GRID_SPHERE, 3, .radius = 1, .cell = DLS_CELL_WEDGE}, "not of WEDGE6"},
      {{DLS_GRID_BLOCK, 2, {1, 1}, .cells = {100000, 100000}, .cell = DLS_CELL_QUAD}, "take fewer"},
  };
  for (int k = 0; k < DLS_COUNT(wrong); k++) {
    DlsMesh mesh;
    CHECK_FAILS(dls_mesh_grid(&wrong[k].grid, &mesh), DLS_ERR_ARGUMENT, wrong[k].part);
  }
}

/* A mesh as text of MSH 2.2: nodes of a row of squares, then cells. */
static void check_mesh(int dim, const char *nodes, const char *cells, const char *part) {
  char text[4096];
  DlsMesh mesh;
  DlsBodyMesh body;
  snprintf(text, sizeof text,
           "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 3 \"edge\"\n2 4 \"all\"\n"
           "$EndPhysicalNames\n$Nodes\n%s$EndNodes\n$Elements\n%s$EndElements\n",
           nodes, cells);
  CHECK_OK(dls_mesh_read_bytes("a.msh", text, strlen(text), &mesh));
  const DlsStatus status = dls_body_mesh_create(&mesh, "a.msh", dim, 1, &body);
  dls_mesh_clear(&mesh);
  if (!part) {
    CHECK_OK(status);
    CHECK_INT(body.turned, 1);
    CHECK_NEAR(volume_of(&body), 2, 1e-15);
    CHECK_INT(dls_body_mesh_group(&body, "edge")->sides, 1);
    CHECK_INT(dls_body_mesh_group(&body, "edge")->nodes, 2);
    CHECK_INT(dls_body_mesh_group(&body, "all")->cells, 1);
    CHECK_INT(dls_body_mesh_group(&body, "skin")->sides, 6);
    CHECK(!dls_body_mesh_group(&body, "none"));
    dls_body_mesh_clear(&body);
    return;
  }
  CHECK_TOLD(status != DLS_OK && strstr(dls_error_message(), part), "'%s' is not in: %s", part,
             status == DLS_OK ? "(none)" : dls_error_message());
}

#define SIX "6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n"

TEST(meshes_that_no_body_can_take_are_refused) {
  /* The second square is clockwise: it is turned. */
  const char *good = "3\n1 3 2 4 1 1 2 5 4\n2 3 2 0 1 2 5 6 3\n3 1 2 3 1 1 2\n";
  check_mesh(2, SIX, good, NULL);
  check_mesh(3, SIX, good, "has no cells of 3-D; mesh the volume too");
  check_mesh(2, SIX, "2\n1 3 2 4 1 1 2 5 4\n2 3 2 0 1 2 5 3 6\n", "cell 2, a Q4 at (1, 0, 0), is");
  check_mesh(2, SIX, "2\n1 3 2 4 1 1 2 5 4\n2 3 2 0 1 2 3 3 5\n", "cell 2, a Q4, has node 3 twice");
  check_mesh(2, SIX, "1\n1 3 2 4 1 1 2 5 4\n", "node 3, at (2, 0, 0), is of no cell");
  check_mesh(2, SIX, "3\n1 3 2 4 1 1 2 5 4\n2 3 2 0 1 2 3 6 5\n3 1 2 3 1 1 5\n",
             "cell 3 of group 'edge' is a segment that is a side of no cell");
  check_mesh(2, "6\n1 0 0 0\n2 1 0 0\n3 2 0 1\n4 0 1 0\n5 1 1 0\n6 2 1 0\n", good,
             "node 3 is at z = 1 m");
  check_mesh(2, SIX, "3\n1 3 2 4 1 1 2 5 4\n2 3 2 0 1 2 3 6 5\n3 2 2 4 1 2 5 3\n",
             "3 cells have one side in common");
}

TEST(hanging_nodes_are_found) {
  /* One square beside two halves. */
  const char *nodes = "8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 1 0.5 0\n6 2 0 0\n7 2 0.5 0\n"
                      "8 2 1 0\n";
  check_mesh(2, nodes, "3\n1 3 2 4 1 1 2 3 4\n2 3 2 4 1 2 6 7 5\n3 3 2 4 1 5 7 8 3\n",
             "node 5, at (1, 0.5, 0), hangs between nodes");
}
