/* The units of one contact: S diagonal, one value per group of components (normal, tangents,
 * rolling, torsion), such that the mean diagonal entry of S D S over the group is 1. A cone |r_g|
 * <= mu_g r_N keeps its form in r' = S^-1 r, with mu'_g = mu_g S_N / S_g, and so does De Saxcé's
 * shift in u' = S u. An ellipse becomes a circle: S_i ~ mu_i. */
#ifndef DELASSUS_SOLVERS_KIT_CONTACT_SCALE_H
#define DELASSUS_SOLVERS_KIT_CONTACT_SCALE_H

#include <delassus/relation.h>

/* S [block] for the diagonal block D of the contact; the coefficients of the relation become
 * mu'. */
void dls_contact_scale(int dim, int block, const double *D, DlsRelation *relation, double *S);

/* 1 / sqrt of the mean diagonal entry of components [first, end); of the largest one of the
 * velocities, or of the spins, where that is nothing beside it; of the largest of the block where
 * all those are 0; and 1 when there is none. */
double dls_contact_scale_group(int dim, int block, const double *D, int first, int end);

#endif
