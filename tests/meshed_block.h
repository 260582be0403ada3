/* Blocks of Q4 or HEX8 cells as bodies of finite elements with surfaces. */
#ifndef DELASSUS_TESTS_MESHED_BLOCK_H
#define DELASSUS_TESTS_MESHED_BLOCK_H

#include "tests/simulating.h"

#include <math.h>
#include <stdlib.h>

#include "bulk/bulk.h"
#include "fem/body.h"
#include "world/deformable.h"

typedef struct {
  int cells[3];             /* along x, y, z; the last is not read in 2-D */
  double low[3], length[3]; /* m */
  double E, nu, density;    /* Pa, 1, kg/m3 */
  DlsKinematics kinematics;
  DlsMeetBy meet;
  bool both, self;
  double shake;       /* inner places of nodes, but along the last axis, are moved by this share of
                           a cell */
  double velocity[3]; /* m/s, at the beginning */
  void (*bend)(double x[3]); /* where a node of the block is; NULL: where it was */
  /* Axes of a node that are held and, of the others, driven at these speeds, times function number
   * `axis` of time; m/s. */
  unsigned char (*held)(const double X[3]);
  unsigned char (*driven)(const double X[3]);
  double speed[3];
  double (*function)(const void *context, int function, double t); /* NULL: 1 */
  /* Of the outer sides with this middle: whether they meet others (NULL: all do); Pa, the pressure
   * on them (NULL: none); Pa, the tractions along the axes. */
  bool (*meets)(const double X[3]);
  double (*pressure)(const double X[3]);
  double (*traction)(const double X[3], int axis);
} BlockSetup;

typedef struct {
  int body, nodes, dim;
  void *model;
  double (*X)[3];
} Block;

static inline double block_one(const void *context, int function, double t) {
  (void)context, (void)function, (void)t;
  return 1;
}

static inline int block_node(const BlockSetup *s, int dim, int i, int j, int k) {
  return i + (s->cells[0] + 1) * (j + (s->cells[1] + 1) * (dim == 3 ? k : 0));
}

static inline void block_place(const BlockSetup *s, int dim, double (*X)[3]) {
  const int n[3] = {s->cells[0], s->cells[1], dim == 3 ? s->cells[2] : 0};
  for (int k = 0; k <= n[2]; k++)
    for (int j = 0; j <= n[1]; j++)
      for (int i = 0; i <= n[0]; i++) {
        const int at[3] = {i, j, k}, a = block_node(s, dim, i, j, k);
        for (int e = 0; e < dim; e++) {
          double place = (double)at[e] / n[e];
          if (e < dim - 1 && at[e] > 0 && at[e] < n[e])
            place += s->shake / n[e] * sin(3.0 * i + 5.0 * k + e);
          X[a][e] = s->low[e] + s->length[e] * place;
        }
        if (s->bend) s->bend(X[a]);
      }
}

static inline Block block_add(TestScene *scene, const BlockSetup *s) {
  const int dim = scene->world->dim, corners = dim == 3 ? 8 : 4, deep = dim == 3 ? s->cells[2] : 1;
  const int cells = s->cells[0] * s->cells[1] * deep;
  Block b = {.dim = dim};
  b.nodes = (s->cells[0] + 1) * (s->cells[1] + 1) * (dim == 3 ? deep + 1 : 1);
  const size_t n = (size_t)b.nodes, axes = (size_t)dim;
  b.X = calloc(n, sizeof *b.X);
  unsigned char *held = calloc(n, 1);
  DlsElementType *type = calloc((size_t)cells, sizeof *type);
  int *start = calloc((size_t)cells + 1, sizeof *start);
  int *node = calloc((size_t)(cells * corners), sizeof *node);
  DlsBodyDrive *drive = calloc(n * axes, sizeof *drive);
  block_place(s, dim, b.X);
  for (int k = 0, c = 0; k < deep; k++)
    for (int j = 0; j < s->cells[1]; j++)
      for (int i = 0; i < s->cells[0]; i++, c++) {
        type[c] = dim == 3 ? DLS_HEX8 : DLS_Q4;
        start[c + 1] = corners * (c + 1);
        for (int q = 0; q < corners; q++)
          node[start[c] + q] =
              block_node(s, dim, i + ((q & 3) == 1 || (q & 3) == 2), j + ((q & 3) > 1), k + q / 4);
      }
  const double params[2] = {s->E, s->nu};
  DlsBodyMaterial material = {.params = params, .density = s->density};
  CHECK_OK(dls_bulk_find(
      s->kinematics == DLS_KINEMATICS_TOTAL_LAGRANGIAN ? "neo-hookean" : "elastic", &material.law));
  DlsBodySetup body = {.dim = dim,
                       .nodes = b.nodes,
                       .cells = cells,
                       .X = (const double(*)[3])b.X,
                       .type = type,
                       .start = start,
                       .node = node,
                       .materials = 1,
                       .material = &material,
                       .thickness = 1,
                       .mass = DLS_MASS_LUMPED,
                       .held = held,
                       .drive = drive,
                       .functions = {NULL, s->function ? s->function : block_one},
                       .kinematics = s->kinematics,
                       .meet = s->meet,
                       .both = s->both,
                       .self = s->self};
  for (int a = 0; a < b.nodes; a++) {
    held[a] = s->held ? s->held(b.X[a]) : 0;
    for (int e = 0; e < dim; e++)
      if (s->driven && s->driven(b.X[a]) >> e & 1)
        drive[body.drives++] = (DlsBodyDrive){a, e, {s->speed[e], e}, false};
  }
  const DlsCells mesh = {dim, b.nodes, cells, body.X, type, start, node};
  DlsBodySide *side, *meets;
  int sides;
  CHECK_OK(dls_cells_outside(&mesh, &sides, &side));
  meets = calloc((size_t)sides, sizeof *meets);
  DlsBodyPressure *pressure = calloc((size_t)sides, sizeof *pressure);
  DlsBodyTraction *traction = calloc(3 * (size_t)sides, sizeof *traction);
  for (int q = 0; q < sides; q++) {
    const DlsElementSide *own = &dls_element_kind((int)type[side[q].cell])->side[side[q].side];
    const int count = dls_element_kind((int)own->type)->nodes;
    double middle[3] = {0};
    for (int c = 0; c < count; c++)
      for (int e = 0; e < 3; e++)
        middle[e] += b.X[node[start[side[q].cell] + own->node[c]]][e] / count;
    if (!s->meets || s->meets(middle)) meets[body.sides++] = side[q];
    const double p = s->pressure ? s->pressure(middle) : 0;
    if (p != 0) pressure[body.pressures++] = (DlsBodyPressure){side[q], {p, -1}};
    for (int e = 0; s->traction && e < dim; e++)
      if (s->traction(middle, e) != 0)
        traction[body.tractions++] = (DlsBodyTraction){side[q], e, {s->traction(middle, e), -1}};
  }
  body.side = meets, body.pressure = pressure, body.traction = traction;
  CHECK_OK(dls_body_create(&body, &b.model));
  DlsDeformableSize size;
  DlsShape shape;
  dls_body_kind(b.model)->size(b.model, &size);
  double *u = calloc((size_t)(size.states + size.velocities) + n * axes, sizeof *u);
  double *v = u + size.states, *nodes = v + size.velocities;
  for (int i = 0; i < b.nodes * dim; i++) nodes[i] = s->velocity[i % dim];
  dls_body_take_velocity(b.model, u, nodes, v);
  CHECK_OK(dls_body_shape(b.model, &shape));
  const DlsBody what = {.shape = &shape};
  CHECK_OK(dls_world_add_deformable(scene->world, &what, dls_body_kind(b.model), b.model, u, v));
  dls_shape_clear(&shape);
  b.body = scene->world->count - 1;
  free(u), free(held), free(type), free(start), free(node), free(drive);
  free(side), free(meets), free(pressure), free(traction);
  return b;
}

static inline void block_clear(Block *b) { free(b->X); }

/* m, of node a along an axis. */
static inline double block_u(const TestScene *scene, const Block *b, int a, int axis) {
  const DlsDeformable *d = dls_deformable_of(scene->world, b->body);
  return scene->world->deformable.state[d->state + a * b->dim + axis];
}

/* Calls back for each point of integration, with its place and stress. */
static inline void block_stress(const TestScene *scene, const Block *b,
                                void (*see)(void *, const double x[3], const double stress[6]),
                                void *context) {
  const DlsDeformable *d = dls_deformable_of(scene->world, b->body);
  const DlsDeformableMesh *m = d->kind->mesh(d->model);
  const size_t points = (size_t)m->point[m->cells], ends = (size_t)m->start[m->cells];
  const size_t nodes = (size_t)m->nodes;
  DlsDeformableFields f = {.displacement = calloc(nodes, sizeof *f.displacement),
                           .velocity = calloc(nodes, sizeof *f.velocity),
                           .force = calloc(ends, sizeof *f.force),
                           .place = calloc(points, sizeof *f.place),
                           .weight = calloc(points, sizeof *f.weight),
                           .stress = calloc(points, sizeof *f.stress),
                           .strain = calloc(points, sizeof *f.strain),
                           .energy = calloc(points, sizeof *f.energy),
                           .state = calloc(points + 1, sizeof *f.state)};
  CHECK_OK(d->kind->fields(d->model, scene->world->deformable.state + d->state,
                           scene->world->deformable.velocity + d->velocity, &f));
  for (size_t p = 0; p < points; p++) see(context, f.place[p], f.stress[p]);
  free(f.displacement), free(f.velocity), free(f.force), free(f.place), free(f.weight);
  free(f.stress), free(f.strain), free(f.energy), free(f.state);
}

#endif
