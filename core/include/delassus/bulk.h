/* What a bulk law is: the stress within a deformable body, from its strain and its history. This
 * header and law.h, which it takes DlsParam from, are enough to write one: a law is one constant
 * DlsBulk behind one exported function, built as a shared object, linked with nothing of ours.
 *
 * Functions are pure: no globals, no printing, no memory. History lives in `state`, which the core
 * owns for each point of integration, saves and restores. A function returns DLS_OK, or DLS_ERR_LAW
 * when it cannot answer; the core then names law, body and element.
 *
 * A law is always asked in 3-D, by six numbers in this order
 *
 *   xx yy zz xy yz xz
 *
 * strains with gamma = 2 epsilon for the last three, so that stress . strain is a work. Plane
 * strain asks with zz = yz = xz = 0; for plane stress the core itself finds the zz at which
 * sigma_zz is 0.
 *
 * Which strain, the body's kinematics say, and the law says by .measures which it is meant for:
 *
 *   small   epsilon = sym grad u, Cauchy's sigma (in co-rotational bodies both in the axes that
 *           turn with the body)
 *   green   E = (F^T F - 1) / 2, the second Piola-Kirchhoff S: total Lagrangian
 *   log     ln sqrt(F^T F), its conjugate: the core goes from and to S (Miehe, Apel and Lambrecht
 *           2002), so that laws of small strains, plasticity above all, serve large ones
 *
 * All three are blind to rigid turns of the body: a law cannot break objectivity. */
#ifndef DELASSUS_BULK_H
#define DELASSUS_BULK_H

#include <delassus/law.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a struct of this header changes its meaning or its layout. */
#define DLS_BULK_ABI  1
#define DLS_BULK_HEAD .abi = DLS_BULK_ABI, .size = (uint32_t)sizeof(DlsBulk)

enum { DLS_BULK_SMALL = 1, DLS_BULK_GREEN = 2, DLS_BULK_LOG = 4 };

/* What a law says of itself, in .claims. */
enum {
  DLS_BULK_SYMMETRIC = 1, /* the tangent is: else solves take factors of unsymmetric matrices */
  DLS_BULK_LINEAR = 2,    /* stress is tangent . strain, and the tangent one for all: it is asked
                             once, and so is the factor of the body */
  DLS_BULK_RATE = 4,      /* the answer depends on dt */
  DLS_BULK_ISOTROPIC = 8, /* it has no axes of its own */
};

/* Where, and when, the law is asked. SI. */
typedef struct {
  int measure;     /* DLS_BULK_SMALL ... : which strain it is */
  double time, dt; /* s, at the start of the step, and its length; dt = 0: at once */
  double point[3]; /* m, in the body as it was made */
  double size;     /* m, of the element: the cube root of its volume, in 2-D the root of its area;
                      for laws that soften */
} DlsBulkPoint;

typedef struct DlsBulk {
  uint32_t abi, size; /* DLS_BULK_HEAD, always the first two fields */
  const char *name;   /* [a-z][a-z0-9-]*, the name in decks and of the file name.so */
  const char *summary;
  const char *description; /* may be NULL */
  const char *references;
  const DlsParam *params; /* .kind is not read */
  int nparams;
  const DlsParam *states;
  int nstates;
  uint32_t measures; /* DLS_BULK_SMALL ... joined by | */
  uint32_t claims;
  const char *maturity; /* as of contact laws */

  /* Optional: whether the parameters make sense together; the sentence by `why`, a constant text,
   * where they do not. Bounds are checked before. */
  DlsStatus (*check)(const double *params, const char **why);

  /* stress [6], Pa, of strain [6]; next [nstates], the state if the step ends so, arrives as
   * `state`, NULL: not wanted; tangent [6][6], row-major, d stress / d strain for the step taken
   * whole (algorithmic), NULL: not wanted. strain_before [6]: at the start of the step. */
  DlsStatus (*stress)(const DlsBulkPoint *point, const double *params, const double *state,
                      const double *strain_before, const double *strain, double *stress,
                      double *tangent, double *next);

  /* J/m3: stored at the end of the step, `next` being the state there; and dissipated during it,
   * >= 0. What is dissipated and what more is stored than before is the work of the stress, as
   * steps get small. */
  DlsStatus (*energy)(const DlsBulkPoint *point, const double *params, const double *state,
                      const double *strain_before, const double *strain, const double *next,
                      double *stored, double *dissipated);
} DlsBulk;

/* The one symbol that a bulk law exports. */
DLS_EXPORT const DlsBulk *dls_bulk_entry(void);

/* lambda and mu, Pa, from Young's modulus and Poisson's ratio. */
static inline void dls_bulk_lame(double young, double poisson, double *lambda, double *mu) {
  *mu = young / (2 * (1 + poisson));
  *lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
}

/* Hooke: stress and, unless NULL, the tangent. */
static inline void dls_bulk_hooke(double lambda, double mu, const double *strain, double *stress,
                                  double *tangent) {
  const double trace = strain[0] + strain[1] + strain[2];
  for (int i = 0; i < 6; i++)
    stress[i] = i < 3 ? lambda * trace + 2 * mu * strain[i] : mu * strain[i];
  if (!tangent) return;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      tangent[6 * i + j] = (i < 3 && j < 3 ? lambda : 0) + (i == j ? (i < 3 ? 2 * mu : mu) : 0);
}

/* a : b of two stresses. */
static inline double dls_bulk_stress_product(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* The work of a stress along a strain. */
static inline double dls_bulk_work(const double *stress, const double *strain) {
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += stress[i] * strain[i];
  return sum;
}

#ifdef __cplusplus
}
#endif
#endif
