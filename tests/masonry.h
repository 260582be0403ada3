/* Masonry in the plane as a linear program (Livesley 1978): blocks and joints, whether forces at
 * the ends of the joints, within their friction, balance every block, and the largest share of the
 * weight that it bears sideways.
 *
 * A joint transmits forces at its two ends; each is a sum, with coefficients x >= 0, of the two
 * edges of its friction cone: n + mu t, n - mu t. */
#ifndef DELASSUS_TESTS_MASONRY_H
#define DELASSUS_TESTS_MASONRY_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/linear_program.h"
#include "tests/test.h"

enum { MOST_BLOCKS = 128, MOST_JOINTS = 400 };

typedef struct {
  int first, second; /* the normal leads from the first, -1 the ground, to the second */
  double end[2][2], normal[2];
} Joint;

typedef struct {
  int blocks, joints;
  double corner[MOST_BLOCKS][4][3]; /* counter-clockwise */
  double centre[MOST_BLOCKS][2], weight[MOST_BLOCKS];
  Joint joint[MOST_JOINTS];
} Masonry;

/* Area and centre of a quadrilateral, by two triangles. */
static inline void masonry_weigh(Masonry *m, int b) {
  double(*c)[3] = m->corner[b];
  double area = 0, first[2] = {0};
  for (int k = 1; k < 3; k++) {
    const double a = 0.5 * ((c[k][0] - c[0][0]) * (c[k + 1][1] - c[0][1]) -
                            (c[k][1] - c[0][1]) * (c[k + 1][0] - c[0][0]));
    area += a;
    for (int i = 0; i < 2; i++) first[i] += a * (c[0][i] + c[k][i] + c[k + 1][i]) / 3;
  }
  m->weight[b] = area;
  for (int i = 0; i < 2; i++) m->centre[b][i] = first[i] / area;
}

static inline void masonry_joint(Masonry *m, int first, int second, const double a[2],
                                 const double b[2], double nx, double ny) {
  CHECK(m->joints < MOST_JOINTS);
  m->joint[m->joints++] = (Joint){first, second, {{a[0], a[1]}, {b[0], b[1]}}, {nx, ny}};
}

/* A force at the end e of a joint, on one of its blocks: its three rows of the program. */
static inline void masonry_force(LinearProgram *lp, const Masonry *m, int block, const double at[2],
                                 const double force[2], double sign, int column) {
  if (block < 0) return;
  *lp_at(lp, 3 * block, column) += sign * force[0];
  *lp_at(lp, 3 * block + 1, column) += sign * force[1];
  *lp_at(lp, 3 * block + 2, column) +=
      sign * ((at[0] - m->centre[block][0]) * force[1] - (at[1] - m->centre[block][1]) * force[0]);
}

/* Whether the masonry can stand under its weight, or (share not NULL) the largest share of the
 * weight that it bears besides, sideways. Joints with a normal along x have a friction of their
 * own. */
static inline bool masonry_stands_by(const Masonry *m, double mu, double mu_upright,
                                     double *share) {
  LinearProgram lp;
  double total = 0, *cost = NULL;
  lp_open(&lp, 3 * m->blocks, 4 * m->joints + (share ? 1 : 0));
  for (int j = 0; j < m->joints; j++)
    for (int k = 0; k < 4; k++) {
      const Joint *joint = &m->joint[j];
      const double *n = joint->normal, *at = joint->end[k / 2];
      const double s = (k % 2 ? 1 : -1) * (fabs(n[0]) == 1 ? mu_upright : mu);
      const double force[2] = {n[0] - s * n[1], n[1] + s * n[0]};
      masonry_force(&lp, m, joint->second, at, force, 1, 4 * j + k);
      masonry_force(&lp, m, joint->first, at, force, -1, 4 * j + k);
    }
  for (int b = 0; b < m->blocks; b++) total += m->weight[b];
  for (int b = 0; b < m->blocks; b++) {
    lp.b[3 * b + 1] = m->weight[b] / total * m->blocks;
    if (share) *lp_at(&lp, 3 * b, 4 * m->joints) = m->weight[b] / total * m->blocks;
  }
  if (share) {
    cost = calloc((size_t)lp.columns, sizeof *cost);
    CHECK(cost);
    cost[lp.columns - 1] = 1;
  }
  const LpOutcome outcome = lp_solve(&lp, cost, share);
  CHECK(outcome == LP_OPTIMAL || (!share && outcome == LP_INFEASIBLE));
  free(cost);
  lp_close(&lp);
  return outcome == LP_OPTIMAL;
}

static inline bool masonry_stands(const Masonry *m, double mu, double *share) {
  return masonry_stands_by(m, mu, mu, share);
}

/* A half circle of mean radius 1 in n voussoirs, corners on the circles of radius 1 -+ t/2. */
static inline void masonry_arch(Masonry *m, int n, double t) {
  memset(m, 0, sizeof *m);
  m->blocks = n;
  for (int k = 0; k <= n; k++) {
    const double angle = 3.14159265358979323846 * k / n, x = k == n ? -1 : cos(angle),
                 y = k == 0 || k == n ? 0 : sin(angle);
    const double in[2] = {(1 - t / 2) * x, (1 - t / 2) * y},
                 out[2] = {(1 + t / 2) * x, (1 + t / 2) * y};
    for (int i = 0; i < 2; i++) {
      if (k < n) m->corner[k][0][i] = in[i], m->corner[k][1][i] = out[i];
      if (k > 0) m->corner[k - 1][2][i] = out[i], m->corner[k - 1][3][i] = in[i];
    }
    if (k < n)
      masonry_joint(m, k - 1, k, in, out, -y, x);
    else
      masonry_joint(m, -1, n - 1, in, out, 0, 1);
  }
  for (int b = 0; b < n; b++) masonry_weigh(m, b);
}

#endif
