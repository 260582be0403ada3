/* The canonical local relation of one contact over one time-step.
 *
 *   û = u + b + C r      b: restitution, gap ...; C >= 0 diagonal: compliance, viscosity
 *   r̂ = r + a            a: cohesion, capillary pull ...
 *   r̂ ∈ K,  û + Γ(û) n ∈ K*,  r̂ ⟂ û + Γ(û) n
 *
 * Γ is (1 - associated) times that of the list of cones. So a contact that slides dilates: û_N =
 * associated mu |û_T|, the tangent of its angle of dilatancy times the sliding velocity. At 0 this
 * is Coulomb's law, which slides without opening; at 1 the flow is normal to the cone, the law is
 * associated, and the problem is a convex programme, min 1/2 r̂·Ŵr̂ + q̂·r̂ over K.
 *
 * Components of a block: [0] normal N; [1], [2] tangential T1, T2; then the relative spins and
 * torques: rolling about T1, T2, last torsion about N. So block 2 = (N, T), 3 = (N, T1, T2) in 3-D
 * or (N, T, R) in 2-D, 5 = (N, T1, T2, R1, R2), 6 = (N, T1, T2, R1, R2, S).
 * u_N > 0 opens, r_N > 0 pushes; u in m/s (spins rad/s), r in N s (torques N m s). */
#ifndef DELASSUS_RELATION_H
#define DELASSUS_RELATION_H

enum { DLS_MAX_BLOCK = 6 };

/* K, and Γ(û) of Coulomb's law where it is not zero. In space dimension 2 there is one tangent,
 * whatever the block: the third component of block 3 is the spin, which ROLLING resists, COULOMB
 * and SIGNORINI leave without reaction, and BILATERAL ties. In dimension 3, block 3 means two
 * tangents. */
#define DLS_CONE_LIST(X)                                                                           \
  X(FREE, "free")           /* K = {0}: no reaction at all */                                      \
  X(BILATERAL, "bilateral") /* K = R^block: û = 0, tied */                                        \
  X(SLIDER, "slider")       /* K = R x {0}: û_N = 0, no tangential reaction */                    \
  X(SIGNORINI, "signorini") /* K = R+ x {0}: unilateral, no friction */                            \
  X(COULOMB, "coulomb")     /* K: |(r1/mu1, r2/mu2)| <= r_N; Γ = |(mu1 u1, mu2 u2)| */            \
  X(ROLLING, "rolling") /* K: |r_T| <= mu r_N, |r_R| <= mu_r r_N, |r_S| <= mu_t r_N;           \
                               Γ = mu|û_T| + mu_r|û_R| + mu_t|û_S| */   \
  X(CUSTOM, "custom")   /* the law's own residual of û and r̂; of the law alone a = b = C = 0 */

typedef enum {
#define DLS_CONE_ENUM(code, text) DLS_CONE_##code,
  DLS_CONE_LIST(DLS_CONE_ENUM)
#undef DLS_CONE_ENUM
      DLS_CONE_COUNT
} DlsCone;

/* Coefficients mu: COULOMB uses [DLS_MU_1] and [DLS_MU_2] (equal: isotropic; the second is not read
 * where there is one tangent); ROLLING uses [DLS_MU_1] for sliding, [DLS_MU_ROLL] and
 * [DLS_MU_TORSION] in metres.
 */
enum { DLS_MU_1, DLS_MU_2, DLS_MU_ROLL, DLS_MU_TORSION, DLS_MU_COUNT };

typedef struct {
  DlsCone cone;
  double mu[DLS_MU_COUNT];
  double b[DLS_MAX_BLOCK];
  double a[DLS_MAX_BLOCK];
  double C[DLS_MAX_BLOCK];
  double associated; /* 0 (Coulomb) to 1 (associated); read for COULOMB and ROLLING alone */
} DlsRelation;

#endif
