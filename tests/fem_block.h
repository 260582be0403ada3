/* Blocks of square or cubic cells, as deformable bodies in tests. */
#ifndef DELASSUS_TESTS_FEM_BLOCK_H
#define DELASSUS_TESTS_FEM_BLOCK_H

#include "tests/test.h"

#include "bulk/bulk.h"
#include "fem/body.h"
#include "world/deformable.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int dim, cells[3];   /* along each axis */
  double low[3], size; /* m: the lowest corner, and the edge of a cell */
  double young, poisson, density;
  double radius;        /* m, of the balls about the nodes by which it meets others */
  const char *law;      /* NULL: elastic, of young and poisson */
  const double *params; /* of another law */
  DlsMassKind mass;
  DlsKinematics kinematics;
  bool all_round; /* it meets others by all nodes of its surface, else by the lowest */
  int held;       /* bits 1 2 4: axes along which its lowest nodes are held */
  int material;
  double thickness; /* m, in 2-D; 0: 1 m */
} FemBlock;

static inline int fem_block_node(const FemBlock *b, int i, int j, int k) {
  return i + (b->cells[0] + 1) * (j + (b->cells[1] + 1) * k);
}

/* Node after node; *X, *start and so on are to be freed. */
static inline DlsBodySetup fem_block_setup(const FemBlock *b) {
  const int flat = b->dim == 2, *n = b->cells, layers = flat ? 0 : n[2];
  const int nodes = (n[0] + 1) * (n[1] + 1) * (layers + 1);
  const int count = n[0] * n[1] * (flat ? 1 : n[2]), corners = flat ? 4 : 8;
  double(*X)[3] = calloc((size_t)nodes, sizeof *X);
  DlsElementType *type = calloc((size_t)count, sizeof *type);
  int *start = calloc((size_t)count + 1, sizeof *start);
  int *node = calloc((size_t)(count * corners), sizeof *node);
  int *contact = calloc((size_t)nodes, sizeof *contact), contacts = 0, cell = 0;
  unsigned char *held = calloc((size_t)nodes, 1);
  for (int k = 0; k <= layers; k++)
    for (int j = 0; j <= n[1]; j++)
      for (int i = 0; i <= n[0]; i++) {
        const int a = fem_block_node(b, i, j, k), at[3] = {i, j, k};
        bool rim = false;
        for (int e = 0; e < b->dim; e++) {
          X[a][e] = b->low[e] + at[e] * b->size;
          rim = rim || at[e] == 0 || at[e] == n[e];
        }
        const bool lowest = at[b->dim - 1] == 0;
        if (lowest) held[a] = (unsigned char)b->held;
        if (b->all_round ? rim : lowest) contact[contacts++] = a;
      }
  for (int k = 0; k < (flat ? 1 : n[2]); k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++, cell++) {
        static const int way[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        type[cell] = flat ? DLS_Q4 : DLS_HEX8;
        start[cell + 1] = corners * (cell + 1);
        for (int c = 0; c < corners; c++)
          node[start[cell] + c] =
              fem_block_node(b, i + way[c % 4][0], j + way[c % 4][1], k + c / 4);
      }
  DlsBodySetup body = {.dim = b->dim,
                       .nodes = nodes,
                       .cells = count,
                       .X = (const double(*)[3])X,
                       .type = type,
                       .start = start,
                       .node = node,
                       .materials = 1,
                       .held = held,
                       .thickness = b->thickness > 0 ? b->thickness : 1,
                       .mass = b->mass,
                       .kinematics = b->kinematics,
                       .contacts = contacts,
                       .contact = contact,
                       .radius = b->radius};
  return body;
}

/* The new body is number count - 1; it moves with `velocity` (3 numbers, NULL: rests) where it is
 * not held. */
static inline void fem_block_add(DlsWorld *world, const FemBlock *b, const double *velocity) {
  double params[DLS_MAX_PARAMS] = {b->young, b->poisson};
  DlsBodyMaterial material = {.params = b->params ? b->params : params, .density = b->density};
  DlsBodySetup body = fem_block_setup(b);
  DlsDeformableSize size;
  DlsShape shape;
  void *model;
  CHECK_OK(dls_bulk_find(b->law ? b->law : "elastic", &material.law));
  body.material = &material;
  CHECK_OK(dls_body_create(&body, &model));
  CHECK_OK(dls_body_shape(model, &shape));
  const DlsDeformableOperations *kind = dls_body_kind(model);
  kind->size(model, &size);
  double *state = calloc((size_t)size.states, sizeof *state);
  double *v = calloc((size_t)size.velocities, sizeof *v);
  double *nodes = calloc((size_t)(body.nodes * b->dim), sizeof *nodes);
  for (int a = 0; a < body.nodes && velocity; a++)
    for (int k = 0; k < b->dim; k++) nodes[a * b->dim + k] = velocity[k];
  dls_body_new_state(model, state);
  dls_body_take_velocity(model, state, nodes, v);
  const DlsBody what = {.shape = &shape, .material = b->material};
  CHECK_OK(dls_world_add_deformable(world, &what, kind, model, state, v));
  dls_shape_clear(&shape);
  free((void *)body.X), free((void *)body.type), free((void *)body.start);
  free((void *)body.node), free((void *)body.contact), free((void *)body.held);
  free(state), free(v), free(nodes);
}

#endif
