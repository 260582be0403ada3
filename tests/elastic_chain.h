/* A deformable body that lives in tests/ alone: a chain of balls, the masses m of its nodes joined
 * by linear springs of stiffness k along all axes, so that with displacements q
 *
 *   T = m |v|^2 / 2,   V = k Σ |q_i+1 - q_i|^2 / 2,   M^ = m + h^2 theta^2 K
 *
 * It has dim velocities and as many numbers of state for each node: q. */
#ifndef DELASSUS_TESTS_ELASTIC_CHAIN_H
#define DELASSUS_TESTS_ELASTIC_CHAIN_H

#include "tests/simulating.h"
#include "world/layout.h"

#include <stdlib.h>

enum { CHAIN_MOST = 64 }; /* nodes */

typedef struct {
  int dim, nodes;
  double m, k, radius; /* kg, N/m, m */
  double at_ease[CHAIN_MOST][3];
  int start[3 * CHAIN_MOST + 1], column[9 * CHAIN_MOST];
  DlsSparse pattern;
} Chain;

static inline int chain_freedom(const Chain *c) { return c->dim * c->nodes; }

static inline void chain_size(const void *model, DlsDeformableSize *out) {
  const Chain *c = model;
  *out = (DlsDeformableSize){.velocities = chain_freedom(c),
                             .states = chain_freedom(c),
                             .elements = c->nodes,
                             .weights = c->dim};
}

static inline double chain_mass(const void *model) {
  const Chain *c = model;
  return c->m * c->nodes;
}

static inline void chain_place(const void *model, const double *q, double centre[3],
                               double (*element)[3]) {
  const Chain *c = model;
  memset(centre, 0, 3 * sizeof *centre);
  for (int i = 0; i < c->nodes; i++)
    for (int k = 0; k < 3; k++) {
      element[i][k] = c->at_ease[i][k] + (k < c->dim ? q[i * c->dim + k] : 0);
      centre[k] += element[i][k] / c->nodes;
    }
}

static inline void chain_move(const void *model, double seconds, const double *v, double *q) {
  const Chain *c = model;
  for (int i = 0; i < chain_freedom(c); i++) q[i] += seconds * v[i];
}

static inline const DlsSparse *chain_pattern(const void *model) {
  return &((const Chain *)model)->pattern;
}

static inline void chain_matrix(const void *model, const double *q, const DlsDeformableStep *step,
                                double *value) {
  const Chain *c = model;
  const double k = step->after * step->after * c->k; /* h^2 theta^2 */
  const int n = chain_freedom(c);
  (void)q;
  for (int i = 0; i < n; i++)
    for (int e = c->start[i]; e < c->start[i + 1]; e++)
      value[e] = c->column[e] == i ? c->m + k * ((i >= c->dim) + (i + c->dim < n)) : -k;
}

/* out = K x */
static inline void chain_multiply(const Chain *c, const double *x, double *out) {
  const int n = chain_freedom(c);
  memset(out, 0, (size_t)n * sizeof *out);
  for (int i = 0; i + c->dim < n; i++) {
    const double pull = c->k * (x[i + c->dim] - x[i]);
    out[i] -= pull;
    out[i + c->dim] += pull;
  }
}

static inline DlsStatus chain_load(const void *model, const double *q,
                                   const DlsDeformableStep *step, const double *v, double *out) {
  const Chain *c = model;
  double where[3 * CHAIN_MOST], pull[3 * CHAIN_MOST];
  for (int i = 0; i < chain_freedom(c); i++) where[i] = q[i] + (step->after - step->before) * v[i];
  chain_multiply(c, where, pull);
  for (int i = 0; i < chain_freedom(c); i++)
    out[i] =
        step->h * (c->m * step->gravity[i % c->dim] + step->force[i % c->dim] / c->nodes - pull[i]);
  return DLS_OK;
}

static inline int chain_weights(const void *model, const double *q, int element,
                                const double point[3], DlsPointWeight *out) {
  const Chain *c = model;
  (void)q, (void)point;
  for (int k = 0; k < c->dim; k++) {
    out[k] = (DlsPointWeight){.velocity = element * c->dim + k};
    out[k].move[k] = 1;
  }
  return c->dim;
}

static inline void chain_mean(const void *model, const double *q, const double *v, double out[3]) {
  const Chain *c = model;
  (void)q;
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < chain_freedom(c); i++) out[i % c->dim] += v[i] / c->nodes;
}

static inline void chain_angular(const void *model, const double *q, const double *v,
                                 double out[3]) {
  const Chain *c = model;
  double centre[3], x[CHAIN_MOST][3];
  chain_place(model, q, centre, x);
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < c->nodes; i++) {
    double lever[3], w[3] = {0, 0, 0}, L[3];
    for (int k = 0; k < 3; k++) lever[k] = x[i][k] - centre[k];
    memcpy(w, v + i * c->dim, (size_t)c->dim * sizeof *w);
    dls_vector_cross(lever, w, L);
    for (int k = 0; k < 3; k++) out[k] += c->m * L[k];
  }
}

static inline double chain_kinetic(const void *model, const double *q, const double *v) {
  const Chain *c = model;
  (void)q;
  double sum = 0;
  for (int i = 0; i < chain_freedom(c); i++) sum += 0.5 * c->m * v[i] * v[i];
  return sum;
}

static inline double chain_strain(const void *model, const double *q) {
  const Chain *c = model;
  double sum = 0;
  for (int i = 0; i + c->dim < chain_freedom(c); i++)
    sum += 0.5 * c->k * (q[i + c->dim] - q[i]) * (q[i + c->dim] - q[i]);
  return sum;
}

/* h K q_theta . (v + v+) / 2 less the change of V. */
static inline DlsStatus chain_finish(const void *model, const DlsDeformableStep *step,
                                     const double *v, double *next, double *q_M,
                                     DlsDeformableWorks *out) {
  const Chain *c = model;
  const double theta = step->after / step->h;
  double q[3 * CHAIN_MOST], mean[3 * CHAIN_MOST], end[3 * CHAIN_MOST], pull[3 * CHAIN_MOST];
  double taken = 0;
  for (int i = 0; i < chain_freedom(c); i++) {
    const double way = step->before * v[i] + step->after * next[i];
    q[i] = q_M[i] - step->before * v[i];
    mean[i] = q[i] + theta * way;
    end[i] = q[i] + way;
  }
  chain_multiply(c, mean, pull);
  for (int i = 0; i < chain_freedom(c); i++) taken += 0.5 * step->h * pull[i] * (v[i] + next[i]);
  out->lost = taken - (chain_strain(c, end) - chain_strain(c, q));
  return DLS_OK;
}

static const DlsDeformableOperations elastic_chain = {
    .name = "chain",
    .size = chain_size,
    .mass = chain_mass,
    .place = chain_place,
    .move = chain_move,
    .pattern = chain_pattern,
    .matrix = chain_matrix,
    .load = chain_load,
    .weights = chain_weights,
    .mean_velocity = chain_mean,
    .angular_momentum = chain_angular,
    .kinetic = chain_kinetic,
    .strain = chain_strain,
    .finish = chain_finish,
    .destroy = free,
};

/* Nodes on a straight line from `low` on, along `apart`. */
static inline Chain *chain_create(int dim, int nodes, double m, double k, double radius,
                                  const double low[3], const double apart[3]) {
  Chain *c = calloc(1, sizeof *c);
  int count = 0;
  CHECK(c && nodes <= CHAIN_MOST);
  if (!c) exit(1);
  c->dim = dim, c->nodes = nodes, c->m = m, c->k = k, c->radius = radius;
  for (int i = 0; i < nodes; i++)
    for (int e = 0; e < 3; e++) c->at_ease[i][e] = low[e] + i * apart[e];
  for (int i = 0; i < chain_freedom(c); i++) {
    for (int j = i - dim; j <= i + dim; j += dim)
      if (j >= 0 && j < chain_freedom(c)) c->column[count++] = j;
    c->start[i + 1] = count;
  }
  c->pattern = (DlsSparse){chain_freedom(c), chain_freedom(c), c->start, c->column, NULL};
  return c;
}

static inline DlsShape chain_shape(const Chain *c) {
  DlsElement element[CHAIN_MOST] = {{{0}, 0}};
  DlsShape shape;
  for (int i = 0; i < c->nodes; i++) {
    memcpy(element[i].offset, c->at_ease[i], sizeof element[i].offset);
    element[i].radius = c->radius;
  }
  CHECK_OK(dls_shape_cluster(c->dim, c->nodes, element, &shape));
  return shape;
}

/* Its number in the world, which takes it over. All nodes begin with the velocity v, q = 0. */
static inline int chain_add(DlsWorld *world, Chain *c, const double v[3]) {
  double q[3 * CHAIN_MOST] = {0}, all[3 * CHAIN_MOST];
  DlsShape shape = chain_shape(c);
  const DlsBody body = {.shape = &shape};
  for (int i = 0; i < chain_freedom(c); i++) all[i] = v[i % c->dim];
  CHECK_OK(dls_world_add_deformable(world, &body, &elastic_chain, c, q, all));
  dls_shape_clear(&shape);
  return world->count - 1;
}

/* Its velocities and state in the world. */
static inline double *chain_v(const DlsWorld *world, int body) {
  return world->deformable.velocity + dls_deformable_of(world, body)->velocity;
}

static inline double *chain_q(const DlsWorld *world, int body) {
  return world->deformable.state + dls_deformable_of(world, body)->state;
}

#endif
