/* Every cone in every block that it is found in, relations drawn for it, and pairs that obey
 * them. */
#ifndef DELASSUS_TESTS_CONES_H
#define DELASSUS_TESTS_CONES_H

#include <delassus/cone.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"

typedef struct {
  DlsCone cone;
  int dim, block;
  bool elliptic;
} TestCone;

static const TestCone test_cones[] = {
    {DLS_CONE_FREE, 3, 3, false},    {DLS_CONE_BILATERAL, 3, 3, false},
    {DLS_CONE_SLIDER, 2, 2, false},  {DLS_CONE_SIGNORINI, 3, 3, false},
    {DLS_CONE_COULOMB, 2, 2, false}, {DLS_CONE_COULOMB, 3, 3, false},
    {DLS_CONE_COULOMB, 3, 3, true},  {DLS_CONE_COULOMB, 3, 5, false},
    {DLS_CONE_ROLLING, 2, 3, false}, {DLS_CONE_ROLLING, 3, 5, false},
    {DLS_CONE_ROLLING, 3, 6, false}, {DLS_CONE_SIGNORINI, 3, 6, false},
    {DLS_CONE_SLIDER, 3, 3, false},  {DLS_CONE_SIGNORINI, 2, 2, false},
    {DLS_CONE_COULOMB, 3, 6, true},  {DLS_CONE_COULOMB, 2, 3, false},
};

/* Coefficients from 0.1 to 1.5, associated 0, 0.3 or 1. */
static inline DlsRelation test_cone_relation(DlsRandom *random, const TestCone *kind) {
  DlsRelation relation = {.cone = kind->cone};
  for (int k = 0; k < DLS_MU_COUNT; k++) relation.mu[k] = dls_random_between(random, 0.1, 1.5);
  static const double flows[] = {0, 0.3, 1};
  relation.associated = flows[dls_random_below(random, 3)];
  if (!kind->elliptic) relation.mu[DLS_MU_2] = relation.mu[DLS_MU_1];
  return relation;
}

/* A pair that solves: y normal to K at r = P_K(x) gives û + Γ n = P_K(x) - x, and û_N follows. */
static inline void test_cone_pair(DlsRandom *random, const DlsRelation *relation,
                                  const TestCone *kind, double *u, double *r) {
  double x[DLS_MAX_BLOCK];
  for (int k = 0; k < kind->block; k++) r[k] = x[k] = dls_random_normal(random);
  dls_cone_project(relation, kind->dim, kind->block, r);
  for (int k = 0; k < kind->block; k++) u[k] = r[k] - x[k];
  u[0] -= dls_cone_shift(relation, kind->dim, kind->block, u, NULL);
}

#endif
