/* The one-contact problem, on which everything rests: given D (block x block, row-major) and q,
 * find (û, r̂) with û = D r̂ + q in the relation of the contact. D need not be symmetric; where its
 * symmetric part is positive definite a solution exists and is found. */
#ifndef DELASSUS_LOCAL_H
#define DELASSUS_LOCAL_H

#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  DLS_LOCAL_OPEN,  /* r̂ = 0 */
  DLS_LOCAL_SLIP,  /* on the boundary of the cone */
  DLS_LOCAL_STICK, /* inside the cone, û = 0 */
  DLS_LOCAL_NONE, /* no solution exists, or D is not definite and none was found; r̂ is the best */
  DLS_LOCAL_BY_NEWTON, /* custom: the law's own solve failed, Newton's method on its residual did
                          not */
  DLS_LOCAL_FAILED, /* custom: no solution was found, and a function of the law failed; r̂ is any,
                         dls_error_message() says what */
} DlsLocalOutcome;

/* Solves to round-off. `custom` is read for DLS_CONE_CUSTOM alone, and may be NULL elsewhere. r
 * holds a guess on entry (used by iterative cases only, any finite numbers will do). */
DLS_EXPORT DlsLocalOutcome dls_local_solve(const DlsRelation *relation, int dim, int block,
                                           const DlsCustomRelation *custom, const double *D,
                                           const double *q, double *r);

/* |r̂ - P_K(r̂ - ρ(û + Γ(û) n))| / max(|r̂|, ρ|q|), ρ = 1 / max|D_ij|: the relative error of an
 * answer, free of units: spins count times, torques over sqrt(D_NN / mean D of the spins). 0 is
 * perfect, and 1 is as bad as r̂ = 0 usually is. */
DLS_EXPORT double dls_local_error(const DlsRelation *relation, int dim, int block,
                                  const DlsCustomRelation *custom, const double *D, const double *q,
                                  const double *r);

#ifdef __cplusplus
}
#endif
#endif
