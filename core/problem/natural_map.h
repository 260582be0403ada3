/* The natural map of one contact, e = r - P_K(r - rho (u + Γ(u) n)): zero where (u, r) obeys the
 * relation, for every rho > 0 (De Saxcé and Feng 1998). The one place where it is written; errors,
 * the one-contact solve, the status of contacts and the solvers take it from here, in line. */
#ifndef DELASSUS_PROBLEM_NATURAL_MAP_H
#define DELASSUS_PROBLEM_NATURAL_MAP_H

#include <math.h>
#include <stddef.h>

#include <delassus/cone.h>

#include "base/dispatch.h"
#include "base/four.h"

/* x = r - rho (u + Γ(u) n), whose projection on K is r where the relation holds; `gradient`, unless
 * NULL, receives that of Γ. x may be r. */
static inline void dls_natural_point(const DlsRelation *relation, int dim, int block, double rho,
                                     const double *u, const double *r, double *x,
                                     double *gradient) {
  const double shift = dls_cone_shift(relation, dim, block, u, gradient);
  for (int k = 0; k < block; k++) x[k] = r[k] - rho * (u[k] + (k == 0 ? shift : 0.0));
}

/* The same with rho = 1, added up from left to right, as solvers in scaled variables have it: last
 * digits decide between iterates there. */
static inline void dls_natural_unit_point(const DlsRelation *relation, int dim, int block,
                                          const double *u, const double *r, double *x,
                                          double *gradient) {
  const double shift = dls_cone_shift(relation, dim, block, u, gradient);
  for (int k = 0; k < block; k++) x[k] = r[k] - u[k] - (k == 0 ? shift : 0.0);
}

/* e = r - P_K(x) for a point x; e may be x. */
static inline void dls_natural_rest(const DlsRelation *relation, int dim, int block,
                                    const double *r, const double *x, double *e) {
  for (int k = 0; k < block; k++) e[k] = x[k];
  dls_cone_project(relation, dim, block, e);
  for (int k = 0; k < block; k++) e[k] = r[k] - e[k];
}

/* e; none of the three may overlap. */
static inline void dls_natural_map(const DlsRelation *relation, int dim, int block, double rho,
                                   const double *u, const double *r, double *e) {
  dls_natural_point(relation, dim, block, rho, u, r, e, NULL);
  dls_natural_rest(relation, dim, block, r, e, e);
}

/* |e|² of Coulomb's cone |r_T| <= mu r_N, with 1 or 2 `tangents` and Γ = theta |u_T|, by the same
 * formulas with nothing to call: solvers measure often. */
DLS_INLINE double dls_natural_coulomb2(double mu, double theta, int tangents, double rho,
                                       const double *u, const double *r) {
  double slide2 = 0, size2 = 0, e2 = 0, x[3];
  for (int k = 1; k <= tangents; k++) {
    x[k] = r[k] - rho * u[k];
    slide2 += u[k] * u[k];
    size2 += x[k] * x[k];
  }
  x[0] = r[0] - rho * (u[0] + theta * (tangents == 1 ? fabs(u[1]) : sqrt(slide2)));
  double scale = 1, normal = x[0];
  if (!(x[0] >= 0 && size2 <= mu * mu * x[0] * x[0])) { /* outside the cone */
    const double size = tangents == 1 ? fabs(x[1]) : sqrt(size2);
    normal = (x[0] + mu * size) / (1 + mu * mu);
    if (!(normal > 0)) normal = 0;
    scale = size > 0 ? mu * normal / size : 0;
  }
  e2 += (r[0] - normal) * (r[0] - normal);
  for (int k = 1; k <= tangents; k++) e2 += (r[k] - scale * x[k]) * (r[k] - scale * x[k]);
  return e2;
}

/* The same for four contacts in 3-D at a time, without a branch: what lies outside the cone is hard
 * to foresee. u, r: three numbers of each, contact by contact; the others one of each. e2 [4]. */
enum { DLS_NATURAL_FOUR = 4 };
DLS_INLINE void dls_natural_coulomb2_four(const double *restrict mu_of,
                                          const double *restrict theta,
                                          const double *restrict rho_of, const double *restrict u,
                                          const double *restrict r, double *restrict e2) {
  const DlsFour none = {0}, one = DLS_FOUR_OF(1.0), mu = DLS_FOUR(mu_of), rho = DLS_FOUR(rho_of);
  DlsFour u0, u1, u2, r0, r1, r2;
  DLS_FOUR_TRIPLES(u, u0, u1, u2);
  DLS_FOUR_TRIPLES(r, r0, r1, r2);
  DlsFour slide = u1 * u1 + u2 * u2;
  DLS_FOUR_ROOT(slide);
  const DlsFour x0 = r0 - rho * (u0 + DLS_FOUR(theta) * slide);
  const DlsFour x1 = r1 - rho * u1, x2 = r2 - rho * u2;
  const DlsFour size2 = x1 * x1 + x2 * x2, limit = mu * x0;
  DlsFour size = size2;
  DLS_FOUR_ROOT(size);
  const DlsFour above = (x0 + mu * size) / (one + mu * mu);
  const DlsFour onto = DLS_FOUR_CHOOSE(above > none, above, none), share = mu * onto / size;
  const DlsFourBits inside = (x0 >= none) & (size2 <= limit * limit);
  const DlsFour outer = DLS_FOUR_CHOOSE(size > none, share, none);
  const DlsFour normal = DLS_FOUR_CHOOSE(inside, x0, onto);
  const DlsFour scale = DLS_FOUR_CHOOSE(inside, one, outer);
  const DlsFour d0 = r0 - normal, d1 = r1 - scale * x1, d2 = r2 - scale * x2;
  *(DlsFour *)e2 = d0 * d0 + d1 * d1 + d2 * d2;
}

#endif
