/* The operator between spheres, in a quarter of the memory of the factored form, and its kernels,
 * for its own functions and for sweeps. Velocities y of a body take eight numbers, V at 0 and Ω at
 * 4, the fourth of each zero, so that both are one vector. */
#ifndef DELASSUS_PROBLEM_OPERATOR_SPHERES_H
#define DELASSUS_PROBLEM_OPERATOR_SPHERES_H

#include <delassus/operator.h>
#include <delassus/ownership.h>

#include "base/dispatch.h"
#include "base/four.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A contact between two spheres, or of one with the ground, in 3-D. With y = (V, Ω) the velocity
 * and spin of a body scaled so that its mass is the identity,
 *   u = T (m_1 V_1 + m_2 V_2) + (0, t2·O, -t1·O),   O = a_1 Ω_1 + a_2 Ω_2,   T the rows n, t1, t2
 * with m = ±1/sqrt(mass) and a = ±λ/sqrt(inertia), + for the first body, where λ n leads from the
 * centre to the contact. */
typedef struct DlsSphereContact {
  double frame[9];         /* rows n, t1, t2: orthonormal, right-handed */
  double move[2], turn[2]; /* m and a; 0 for the ground, and for a body that is fixed */
  int body[2];             /* 0 .. bodies - 1; the second may be `bodies`, the ground */
} DlsSphereContact;

/* A view of an operator between spheres. */
typedef struct {
  int contacts, bodies;
  const DlsSphereContact *contact;
} DlsSpheres;

/* Blocks of 3, bodies of 6 velocities. scale [bodies]: 1/sqrt(mass), 1/sqrt(inertia), 0 where
 * fixed; copied. What becomes of `contact` says `ownership`. */
DlsStatus dls_operator_create_spheres(int contacts, int bodies, const DlsSphereContact *contact,
                                      const double (*scale)[2], DlsOwnership ownership,
                                      DlsOperator **out);

/* The layout of DlsSpheres; see dls_operator_view(). */
#define DLS_LAYOUT_SPHERES "spheres"

enum { DLS_SPHERE_STRIDE = 8 };

/* A row of a frame is read with the number behind it, which meets a zero, or is cut off. */
#define DLS_FIRST_3(x) ((DlsFour)((DlsFourBits)(x) & (DlsFourBits){-1, -1, -1, 0}))
#define DLS_SUM_3(x)   (((x)[0] + (x)[1]) + (x)[2])

/* u += the velocity of the contact. */
DLS_INLINE void dls_sphere_gather(const DlsSphereContact *restrict c, const double *restrict y,
                                  double *restrict u) {
  const double *first = y + DLS_SPHERE_STRIDE * (size_t)c->body[0];
  const double *second = y + DLS_SPHERE_STRIDE * (size_t)c->body[1];
  const DlsFour V = DLS_FOUR(first) * c->move[0] + DLS_FOUR(second) * c->move[1];
  const DlsFour O = DLS_FOUR(first + 4) * c->turn[0] + DLS_FOUR(second + 4) * c->turn[1];
  const DlsFour n = DLS_FOUR(c->frame), t1 = DLS_FOUR(c->frame + 3), t2 = DLS_FOUR(c->frame + 6);
  const DlsFour normal = n * V, along_1 = t1 * V + t2 * O, along_2 = t2 * V - t1 * O;
  u[0] += DLS_SUM_3(normal);
  u[1] += DLS_SUM_3(along_1);
  u[2] += DLS_SUM_3(along_2);
}

/* Whether the contact moves its body k: one that is fixed, and the ground, are only read, since
 * several threads may do so at a time. */
DLS_INLINE bool dls_sphere_moves(const DlsSphereContact *c, int k) {
  return c->move[k] != 0 || c->turn[k] != 0;
}

/* y += the effect of the impulse dr. */
DLS_INLINE void dls_sphere_scatter(const DlsSphereContact *restrict c, const double *restrict dr,
                                   double *restrict y) {
  double *first = y + DLS_SPHERE_STRIDE * (size_t)c->body[0];
  double *second = y + DLS_SPHERE_STRIDE * (size_t)c->body[1];
  const DlsFour n = DLS_FOUR(c->frame), t1 = DLS_FOUR(c->frame + 3), t2 = DLS_FOUR(c->frame + 6);
  const DlsFour push = DLS_FIRST_3(n * dr[0] + t1 * dr[1] + t2 * dr[2]);
  const DlsFour twist = DLS_FIRST_3(t2 * dr[1] - t1 * dr[2]);
  if (dls_sphere_moves(c, 0)) {
    *(DlsFour *)first += push * c->move[0];
    *(DlsFour *)(first + 4) += twist * c->turn[0];
  }
  if (dls_sphere_moves(c, 1)) {
    *(DlsFour *)second += push * c->move[1];
    *(DlsFour *)(second + 4) += twist * c->turn[1];
  }
}

/* The diagonal block is diag(normal, tangent, tangent). */
DLS_INLINE void dls_sphere_diagonal(const DlsSphereContact *c, double *normal, double *tangent) {
  *normal = c->move[0] * c->move[0] + c->move[1] * c->move[1];
  *tangent = *normal + c->turn[0] * c->turn[0] + c->turn[1] * c->turn[1];
}

#endif
