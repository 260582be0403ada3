/* One iteration of the alternating direction method of multipliers, in scaled variables, on
 *
 *   min 1/2 r·W'r + r·(q' + s n)  over z ∈ K with r = z,   s = Γ of the multiplier y = u' + s n
 *
 *   (W' + rho) r = y + rho z - q' - s n
 *   x = relax r + (1 - relax) z,   z <- P_K(x - y / rho),   y <- y - rho (x - z)
 *
 * for the solver `admm` and for the first-order phase of Newton's method, which differ in what
 * holds the factor of W' + rho and the cones. (Boyd et al. 2011, sec. 3; Acary, Brémond and Huber
 * 2018 for Γ.) */
#ifndef DELASSUS_SOLVERS_KIT_ADMM_ITERATION_H
#define DELASSUS_SOLVERS_KIT_ADMM_ITERATION_H

#include <stddef.h>

#include <delassus/status.h>

typedef struct {
  void (*shift)(void *context, const double *y, double *s); /* s [contacts], brought up to date */
  DlsStatus (*solve)(void *context, const double *b, double *r); /* r = (W' + rho)^-1 b */
  /* z = P_K(x - y / rho) */
  DlsStatus (*project)(void *context, double rho, const double *y, const double *x, double *z);
} DlsAdmmActions;

typedef struct {
  const DlsAdmmActions *actions;
  void *context;
  size_t contacts, block;
  const double *q; /* q' */
  double rho, relax;
  double *r, *z, *y, *b, *x; /* [contacts][block] each; b and x are scratch */
  double *shift;             /* [contacts] */
  double primal, dual; /* |r - z| over |z|, rho |z - z before| over |y|, of the last iteration */
} DlsAdmm;

DlsStatus dls_admm_iterate(DlsAdmm *s);

#endif
