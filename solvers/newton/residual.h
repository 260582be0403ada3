/* Four equations F(u, r) = 0 that say the same as the relation of one contact, and an element of
 * their generalised derivatives.
 *
 *   alart-curnier    r_N - p,  r_g - P_disk(mu_g p)(r_g - u_g),       p = max(0, r_N - u_N)
 *   jean-moreau      as above, the radius of the disks is mu_g max(0, r_N)
 *   natural          r - P_K(r - (u + Γ(u) n))
 *   fischer-burmeister  x + y - sqrt(x∘x + y∘y),   with m = sqrt(mu):
 *                       x = (m r_N, r_T / m),   y = ((u_N + Γ(u)) / m, m u_T)
 *
 * g runs over the groups of the cone: tangents, rolling, torsion. Cones without friction, those
 * that a choice does not know, and contacts that dilate under the first two choices take the
 * natural map (the disks would need u_N - associated mu |u_T|, and ten times the iterations); a
 * custom law its own residual. */
#ifndef DELASSUS_SOLVERS_NEWTON_RESIDUAL_H
#define DELASSUS_SOLVERS_NEWTON_RESIDUAL_H

#include <delassus/problem.h>

typedef enum {
  NEWTON_ALART_CURNIER,
  NEWTON_JEAN_MOREAU,
  NEWTON_NATURAL,
  NEWTON_FISCHER_BURMEISTER,
} NewtonResidual;

#define NEWTON_RESIDUAL_CHOICES "alart-curnier|jean-moreau|natural|fischer-burmeister"

/* One contact in scaled variables r = S r', u' = S u, S diagonal: the cone keeps its form, with
 * coefficients mu' (see island.h). An isotropic relation stands for the elliptic one it came from.
 */
typedef struct {
  DlsRelation relation;
  const DlsCustomRelation *custom; /* of a custom contact; else NULL */
  double scale[DLS_MAX_BLOCK];     /* S */
} NewtonContact;

/* F [block] at the scaled pair (u, r); A = dF/dr and B = dF/du, row-major block x block, unless
 * both are NULL. Fails only where a custom law does, or on numbers that are not finite. */
DlsStatus newton_residual(NewtonResidual kind, const NewtonContact *contact, int dim, int block,
                          const double *u, const double *r, double *F, double *A, double *B);

#endif
