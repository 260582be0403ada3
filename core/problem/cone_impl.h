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

/* Γ(u) of Coulomb's law, whatever `associated`: u ∈ K* where u_N >= it. `gradient` as that of
 * dls_cone_shift(). */
double dls_cone_gauge(const DlsRelation *relation, int dim, int block, const double *u,
                      double *gradient);

/* associated times that: the least û_N, which a contact that slides has. û without it stands in
 * Coulomb's relation with r̂. */
static inline double dls_cone_dilation(const DlsRelation *relation, int dim, int block,
                                       const double *u, double *gradient) {
  if (relation->associated == 0) {
    for (int k = 0; gradient && k < block; k++) gradient[k] = 0;
    return 0;
  }
  const double dilation = relation->associated * dls_cone_gauge(relation, dim, block, u, gradient);
  for (int k = 0; gradient && k < block; k++) gradient[k] *= relation->associated;
  return dilation;
}

#endif
