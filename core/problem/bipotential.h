/* The bi-potential of De Saxcé for one contact: what errors.c sums, and a measure is made of. */
#ifndef DELASSUS_PROBLEM_BIPOTENTIAL_H
#define DELASSUS_PROBLEM_BIPOTENTIAL_H

#include <delassus/relation.h>

/* J: the term of one contact in eq. 32 of Sanni et al., Γ(û) r̂_N + û·r̂ for a pair made
 * admissible, û + Γ(û) n ∈ K* (û_N >= 0 for Coulomb's law) and r̂ ∈ K. Never negative; 0 for a law
 * of one's own, which has none. v and s, [block], receive the admissible pair. */
double dls_bipotential_contact(const DlsRelation *relation, int dim, int block, const double *u,
                               const double *r, double *v, double *s);

#endif
