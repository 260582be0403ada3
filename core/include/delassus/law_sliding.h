/* For custom laws of unilateral contact whose friction coefficient follows the speed of sliding
 * within the step: mu = mu(v), v = |u_T|. As an equation (Alart and Curnier 1991), with rho > 0 in
 * kg, g = max(0, r_N - rho û_N), x = r_T - rho u_T, P_s the projection on the disc of radius s:
 *   F_N = r_N - g,   F_T = r_T - P_s(x),   s = mu(v) g,   û_N = u_N + gap_rate
 * and F = r for spins, without torque. A law gives mu and its slope at v; the rest is here. */
#ifndef DELASSUS_LAW_SLIDING_H
#define DELASSUS_LAW_SLIDING_H

#include <string.h>

#include <delassus/law.h>

#ifdef __cplusplus
extern "C" {
#endif

/* m/s: the speed of sliding. */
static inline double dls_sliding_speed(const DlsContact *c, const double *u) {
  return dls_law_length(u + 1, c->dim - 1);
}

/* A point (u, r), and what F and its derivatives share there. */
typedef struct {
  double rho, g, mu, slope, v, s;
  double x[2], size; /* r_T - rho u_T, and its norm */
  int tangents;
} DlsSliding;

/* mu = mu(v) and slope = dmu/dv at v = dls_sliding_speed(c, u). */
static inline DlsSliding dls_sliding_at(const DlsContact *c, double mu, double slope,
                                        const double *u, const double *r) {
  DlsSliding at;
  memset(&at, 0, sizeof at);
  at.rho = c->mass > 0 ? c->mass : 1;
  at.tangents = c->dim - 1;
  at.g = fmax(0, r[0] - at.rho * (u[0] + c->gap_rate));
  at.v = dls_sliding_speed(c, u);
  at.mu = mu;
  at.slope = slope;
  at.s = at.mu * at.g;
  for (int i = 0; i < at.tangents; i++) at.x[i] = r[1 + i] - at.rho * u[1 + i];
  at.size = dls_law_length(at.x, at.tangents);
  return at;
}

/* Row of tangent i in the case of sliding:
 *   P = s x/|x|,   dP/dx = s/|x| (1 - x xᵀ/|x|²),   dP/ds = x/|x|.
 * At u_T = 0 the gradient of |u_T| is taken as 0, which its subdifferential holds. */
static inline void dls_sliding_row(const DlsSliding *at, const double *u, int i, double *du,
                                   double *dr) {
  const double along = at->x[i] / at->size;
  if (at->g > 0) {
    dr[0] = -along * at->mu;
    du[0] = along * at->mu * at->rho;
  }
  for (int j = 0; j < at->tangents; j++) {
    const double dP = at->s / at->size * ((i == j) - along * at->x[j] / at->size);
    dr[1 + j] = (i == j) - dP;
    du[1 + j] = at->rho * dP;
    if (at->v > 0) du[1 + j] -= along * at->slope * at->g * u[1 + j] / at->v;
  }
}

static inline void dls_sliding_derivatives(const DlsContact *c, const DlsSliding *at,
                                           const double *u, double *dF_du, double *dF_dr) {
  const int n = c->block;
  for (int k = 0; k < n * n; k++) dF_du[k] = dF_dr[k] = 0;
  if (at->g > 0)
    dF_du[0] = at->rho;
  else
    dF_dr[0] = 1;
  for (int i = 0; i < at->tangents; i++) {
    double *du = dF_du + (1 + i) * n, *dr = dF_dr + (1 + i) * n;
    if (at->size > at->s)
      dls_sliding_row(at, u, i, du, dr);
    else
      du[1 + i] = at->rho;
  }
  for (int i = c->dim; i < n; i++) dF_dr[i * n + i] = 1;
}

/* For `residual`, once the law has mu and its slope. */
static inline void dls_sliding_residual(const DlsContact *c, double mu, double slope,
                                        const double *u, const double *r, double *F, double *dF_du,
                                        double *dF_dr) {
  const DlsSliding at = dls_sliding_at(c, mu, slope, u, r);
  const double scale = at.size > at.s ? at.s / at.size : 1;
  F[0] = r[0] - at.g;
  for (int i = 0; i < at.tangents; i++) F[1 + i] = r[1 + i] - scale * at.x[i];
  for (int i = c->dim; i < c->block; i++) F[i] = r[i];
  if (dF_du && dF_dr) dls_sliding_derivatives(c, &at, u, dF_du, dF_dr);
}

/* For `project`. */
static inline void dls_sliding_project(const DlsContact *c, double mu, const double *u, double rho,
                                       double *r) {
  r[0] = fmax(0, r[0] - rho * (u[0] + c->gap_rate));
  for (int i = 1; i < c->dim; i++) r[i] -= rho * u[i];
  const double s = mu * r[0], size = dls_law_length(r + 1, c->dim - 1);
  for (int i = 1; i < c->dim; i++) r[i] *= size > s ? s / size : 1;
  for (int i = c->dim; i < c->block; i++) r[i] = 0;
}

#ifdef __cplusplus
}
#endif
#endif
