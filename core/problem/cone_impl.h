/* The groups of components that share one second-order cone with the normal: |x_g| <= mu x_N. */
#ifndef DELASSUS_PROBLEM_CONE_IMPL_H
#define DELASSUS_PROBLEM_CONE_IMPL_H

#include <delassus/cone.h>

typedef struct {
  int first, size;
  double mu;
} DlsConeGroup;

/* The groups of a COULOMB or ROLLING cone (tangents, rolling, torsion), at most 3; returns how
 * many. An elliptic cone gives one group with mu1. */
int dls_cone_groups(const DlsRelation *relation, int dim, int block, DlsConeGroup groups[3]);

#endif
