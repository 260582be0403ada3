/* A block cut into elements of one kind, as a body of finite elements, for tests. */
#ifndef DELASSUS_TESTS_FEM_CELLS_H
#define DELASSUS_TESTS_FEM_CELLS_H

#include <stdlib.h>

#include "tests/simulating.h"

#include "bulk/bulk.h"
#include "fem/body.h"
#include "world/deformable.h"

enum { BLOCK_NODES = 4000, BLOCK_CELLS = 3000 };

/* The setup points into the block; what a test changes in it counts. */
typedef struct {
  double X[BLOCK_NODES][3];
  DlsElementType type[BLOCK_CELLS];
  int start[BLOCK_CELLS + 1], node[BLOCK_CELLS * DLS_ELEMENT_NODES];
  unsigned char held[BLOCK_NODES];
  int contact[BLOCK_NODES];
  double params[DLS_MAX_PARAMS];
  DlsBodyMaterial material;
  DlsBodySetup setup;
} Block;

static inline int block_node(Block *b, const double *x) {
  for (int a = b->setup.nodes - 1; a >= 0; a--)
    if (fabs(b->X[a][0] - x[0]) + fabs(b->X[a][1] - x[1]) + fabs(b->X[a][2] - x[2]) < 1e-9)
      return a;
  CHECK(b->setup.nodes < BLOCK_NODES);
  memcpy(b->X[b->setup.nodes], x, 3 * sizeof *x);
  return b->setup.nodes++;
}

/* size[k] m long along each axis, in so many boxes, each cut into cells of the type; the nodes of
 * its boxes are moved by `bend` (m, NULL: none) before nodes halfway are put. By the law, its
 * parameters from a list that ends with NULL: name, value, ... Its node 0 meets others. */
static inline void block_make(Block *b, DlsElementType type, const double size[3],
                              const int count[3], void (*bend)(double x[3]), const char *law,
                              DlsKinematics kinematics) {
  static const int cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  static const int tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                 {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  static const int wedges[2][6] = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
  static const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
  static const int edges[DLS_ELEMENTS][6][2] = {
      [DLS_T6] = {{0, 1}, {1, 2}, {2, 0}},
      [DLS_Q8] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
      [DLS_TET10] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
  const DlsElementKind *kind = dls_element_kind((int)type);
  const int dim = kind->dim, corners = kind->corners, layers = dim == 3 ? count[2] : 1;
  const bool whole = corners == (dim == 3 ? 8 : 4);
  const int pieces = whole ? 1 : dim == 2 ? 2 : corners == 6 ? 2 : 6;
  memset(b, 0, sizeof *b);
  for (int at = 0; at < count[0] * count[1] * layers; at++) {
    const int i = at % count[0], j = at / count[0] % count[1], k = at / count[0] / count[1];
    double box[8][3];
    for (int c = 0; c < 8; c++) {
      box[c][0] = size[0] * (i + cube[c][0]) / count[0];
      box[c][1] = size[1] * (j + cube[c][1]) / count[1];
      box[c][2] = dim == 3 ? size[2] * (k + cube[c][2]) / count[2] : 0;
      if (bend) bend(box[c]);
    }
    for (int p = 0; p < pieces; p++) {
      const int cell = b->setup.cells++;
      CHECK(cell < BLOCK_CELLS);
      int *node = b->node + b->start[cell];
      b->type[cell] = type;
      b->start[cell + 1] = b->start[cell] + kind->nodes;
      for (int a = 0; a < corners; a++) {
        const int c = whole          ? a
                      : dim == 2     ? triangles[p][a]
                      : corners == 6 ? wedges[p][a]
                                     : tets[p][a];
        node[a] = block_node(b, box[c]);
      }
      for (int a = corners; a < kind->nodes; a++) {
        const double *x = b->X[node[edges[type][a - corners][0]]];
        const double *y = b->X[node[edges[type][a - corners][1]]];
        const double mid[3] = {(x[0] + y[0]) / 2, (x[1] + y[1]) / 2, (x[2] + y[2]) / 2};
        node[a] = block_node(b, mid);
      }
    }
  }
  CHECK_OK(dls_bulk_find(law, &b->material.law));
  dls_bulk_defaults(b->material.law, b->params);
  b->material.params = b->params;
  b->material.density = 1000;
  b->setup.dim = dim;
  b->setup.X = (const double(*)[3])b->X;
  b->setup.type = b->type;
  b->setup.start = b->start;
  b->setup.node = b->node;
  b->setup.materials = 1;
  b->setup.material = &b->material;
  b->setup.thickness = 1;
  b->setup.kinematics = kinematics;
  b->setup.held = b->held;
  b->setup.contacts = 1;
  b->setup.contact = b->contact;
  b->setup.radius = 1e-4;
}

static inline void block_set(Block *b, const char *name, double value) {
  CHECK_OK(dls_bulk_set(b->material.law, b->params, name, value));
}

static inline DlsDeformableSize block_size(const void *model) {
  DlsDeformableSize size;
  dls_body_kind(model)->size(model, &size);
  return size;
}

/* Into the world of a scene, which takes the model; velocities [nodes][dim] of nodes, NULL: rest.
 * Its number there. */
static inline int block_add(TestScene *scene, void *model, const double *state, const double *v) {
  const DlsDeformableSize size = block_size(model);
  double *velocity = calloc((size_t)size.velocities, sizeof *velocity);
  DlsShape shape;
  if (v) dls_body_take_velocity(model, state, v, velocity);
  CHECK_OK(dls_body_shape(model, &shape));
  const DlsBody body = {.shape = &shape};
  CHECK_OK(
      dls_world_add_deformable(scene->world, &body, dls_body_kind(model), model, state, velocity));
  dls_shape_clear(&shape);
  free(velocity);
  return scene->world->count - 1;
}

#endif
