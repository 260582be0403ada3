/* The cones of the canonical relation: projection, its derivative, and De Saxcé's shift.
 *
 * All take the relation for its cone and coefficients only. `dim` is the dimension of space: block
 * 3 with ROLLING has one tangent in 2-D. CUSTOM has no projection here. */
#ifndef DELASSUS_CONE_H
#define DELASSUS_CONE_H

#include <delassus/relation.h>
#include <delassus/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A contact that gives no reaction: cone FREE, all numbers 0. */
DLS_EXPORT DlsRelation dls_relation_default(void);

/* The components of a block and their cone: tangents [1, 1 + tangents), then rolling, torsion. */
typedef struct {
  int block, tangents, rollings, torsions;
} DlsLayout;

DLS_EXPORT DlsLayout dls_cone_layout(DlsCone cone, int dim, int block);

/* x <- P_K(x), the nearest point of K in the Euclidean norm. */
DLS_EXPORT void dls_cone_project(const DlsRelation *relation, int dim, int block, double *x);

/* An element J of the generalised derivative of P_K at x, row-major block x block. */
DLS_EXPORT void dls_cone_project_derivative(const DlsRelation *relation, int dim, int block,
                                            const double *x, double *J);

/* Γ(u) of the relation, (1 - associated) times that of Coulomb's law, and its gradient (an element
 * of the subdifferential where u_T = 0) unless NULL. */
DLS_EXPORT double dls_cone_shift(const DlsRelation *relation, int dim, int block, const double *u,
                                 double *gradient);

/* x <- P_K*(x): by Moreau's decomposition x = P_K(x) - P_K*(-x). */
DLS_EXPORT void dls_cone_project_dual(const DlsRelation *relation, int dim, int block, double *x);

DLS_EXPORT const char *dls_cone_name(DlsCone cone);

#ifdef __cplusplus
}
#endif
#endif
