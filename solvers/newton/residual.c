/* The residuals of one contact; formulas in residual.h. Alart and Curnier 1991; Jean and Moreau
 * 1987; De Saxcé and Feng 1998 for the natural map; Fukushima, Luo and Tseng 2001 for the
 * Fischer-Burmeister function on second-order cones. */
#include "solvers/newton/residual.h"

#include <delassus/cone.h>

#include "base/ledger.h"
#include "base/small.h"
#include "problem/natural_map.h"

#include <math.h>
#include <string.h>

typedef struct {
  int first, size;
  double mu;
} Group;

static int list_groups(const DlsRelation *relation, int dim, int block, Group groups[3]) {
  const DlsLayout layout = dls_cone_layout(relation->cone, dim, block);
  const int sizes[3] = {layout.tangents, layout.rollings, layout.torsions};
  const double mu[3] = {relation->mu[DLS_MU_1], relation->mu[DLS_MU_ROLL],
                        relation->mu[DLS_MU_TORSION]};
  int count = 0, first = 1;
  for (int g = 0; g < 3; g++) {
    if (sizes[g]) groups[count++] = (Group){first, sizes[g], mu[g]};
    first += sizes[g];
  }
  return count;
}

static bool is_elliptic(const DlsRelation *relation, int dim, int block) {
  return relation->cone == DLS_CONE_COULOMB &&
         dls_cone_layout(relation->cone, dim, block).tangents == 2 &&
         relation->mu[DLS_MU_1] != relation->mu[DLS_MU_2];
}

static void clear(int block, double *A, double *B) {
  if (!A) return;
  memset(A, 0, (size_t)(block * block) * sizeof *A);
  memset(B, 0, (size_t)(block * block) * sizeof *B);
}

/* F = r - P_K(x), x = r - u - Γ(u) n:  A = I - P',  B = P' (I + n ∇Γ^T). */
static void natural_map(const DlsRelation *relation, int dim, int block, const double *u,
                        const double *r, double *F, double *A, double *B) {
  double x[DLS_MAX_BLOCK], P[DLS_MAX_BLOCK * DLS_MAX_BLOCK], gradient[DLS_MAX_BLOCK];
  dls_natural_unit_point(relation, dim, block, u, r, x, gradient);
  dls_natural_rest(relation, dim, block, r, x, F);
  if (!A) return;
  dls_cone_project_derivative(relation, dim, block, x, P);
  for (int i = 0; i < block; i++)
    for (int j = 0; j < block; j++) {
      A[i * block + j] = (i == j) - P[i * block + j];
      B[i * block + j] = P[i * block + j] + P[i * block] * gradient[j];
    }
}

/* The disk of one group: F_g = r_g - P(t), t = r_g - u_g, P on the disk of radius mu p. d_r and d_u
 * are the derivatives of p with respect to r_N and u_N. */
static void disk(const Group *group, double p, double d_r, double d_u, int block, const double *u,
                 const double *r, double *F, double *A, double *B) {
  const int first = group->first, end = first + group->size;
  double t[DLS_MAX_BLOCK];
  for (int k = first; k < end; k++) t[k] = r[k] - u[k];
  const double norm = dls_small_norm(group->size, t + first), radius = group->mu * p;
  const bool slips = norm > radius;
  const double ratio = slips ? radius / norm : 1.0;
  for (int i = first; i < end; i++) {
    F[i] = r[i] - ratio * t[i];
    if (!A) continue;
    for (int j = first; j < end; j++) {
      /* P' = ratio (I - t t^T / |t|^2) beyond the disk, I within. */
      const double along = slips ? t[i] / norm * (t[j] / norm) : 0.0;
      const double derivative = ratio * ((i == j) - along);
      A[i * block + j] = (i == j) - derivative;
      B[i * block + j] = derivative;
    }
    if (!slips) continue;
    A[i * block] = -group->mu * d_r * (t[i] / norm);
    B[i * block] = -group->mu * d_u * (t[i] / norm);
  }
}

/* Alart-Curnier, or Jean-Moreau when `decoupled`: there the radius knows r_N alone. */
static void augmented(bool decoupled, const DlsRelation *relation, int dim, int block,
                      const double *u, const double *r, double *F, double *A, double *B) {
  Group groups[3];
  const int count = list_groups(relation, dim, block, groups);
  const double x = r[0] - u[0], p = fmax(0.0, x);
  const double radius = decoupled ? fmax(0.0, r[0]) : p, active = x > 0;
  const double d_r = decoupled ? r[0] > 0 : active, d_u = decoupled ? 0.0 : -active;
  clear(block, A, B);
  F[0] = r[0] - p;
  if (A) {
    A[0] = 1 - active;
    B[0] = active;
  }
  int end = 1;
  for (int g = 0; g < count; g++) {
    disk(&groups[g], radius, d_r, d_u, block, u, r, F, A, B);
    end = groups[g].first + groups[g].size;
  }
  /* Components that no group holds carry no reaction. */
  for (int k = end; k < block; k++) {
    F[k] = r[k];
    if (A) A[k * block + k] = 1;
  }
}

/* L(z)^-1 L(x), with L(x) y = x∘y the arrow matrix of Jordan's product, d x d; z inside the cone.
 */
static void arrow_quotient(int d, const double *z, const double *x, double *Q) {
  const double tail = dls_small_dot(d - 1, z + 1, z + 1), det = z[0] * z[0] - tail;
  for (int j = 0; j < d; j++) {
    /* column j of L(x), then L(z)^-1: w_0 = (z_0 c_0 - z_T·c_T) / det, w_T = (c_T - w_0 z_T) / z_0
     */
    double column[DLS_MAX_BLOCK];
    for (int i = 0; i < d; i++) column[i] = i == j ? x[0] : (i == 0 ? x[j] : (j == 0 ? x[i] : 0.0));
    const double first = (z[0] * column[0] - dls_small_dot(d - 1, z + 1, column + 1)) / det;
    Q[j] = first;
    for (int i = 1; i < d; i++) Q[i * d + j] = (column[i] - first * z[i]) / z[0];
  }
}

/* The square root of w = x∘x + y∘y; its smaller spectral value is kept a little above 0, so that
 * the derivative exists: an element of the generalised one to round-off. */
static void root(int d, const double *x, const double *y, double *z, double *z_inside) {
  double w[3], direction[3] = {0, 1, 0};
  w[0] = dls_small_dot(d, x, x) + dls_small_dot(d, y, y);
  for (int k = 1; k < d; k++) w[k] = 2 * (x[0] * x[k] + y[0] * y[k]);
  const double norm = dls_small_norm(d - 1, w + 1);
  for (int k = 1; k < d && norm > 0; k++) direction[k] = w[k] / norm;
  const double small = sqrt(fmax(0.0, w[0] - norm)), large = sqrt(w[0] + norm);
  const double inside = fmax(small, 1e-14 * large + 1e-300);
  z[0] = 0.5 * (large + small);
  z_inside[0] = 0.5 * (fmax(large, 1e-300) + inside);
  for (int k = 1; k < d; k++) {
    z[k] = 0.5 * (large - small) * direction[k];
    z_inside[k] = 0.5 * (large - inside) * direction[k];
  }
}

/* Coulomb, mu > 0, m = sqrt(mu), `share` = 1 - associated of De Saxcé's shift. With z = sqrt(x∘x +
 * y∘y): dF = (I - L_z^-1 L_x) dx + (I - L_z^-1 L_y) dy. */
static void fischer_burmeister(double mu, double share, int d, int block, const double *u,
                               const double *r, double *F, double *A, double *B) {
  const double slide = dls_small_norm(d - 1, u + 1), m = sqrt(mu);
  double x[3] = {0}, y[3] = {0}, z[3], inside[3], Qx[9], Qy[9];
  for (int k = 0; k < d; k++) {
    x[k] = k == 0 ? m * r[0] : r[k] / m;
    y[k] = k == 0 ? u[0] / m + share * m * slide : m * u[k];
  }
  root(d, x, y, z, inside);
  clear(block, A, B);
  for (int k = 0; k < d; k++) F[k] = x[k] + y[k] - z[k];
  for (int k = d; k < block; k++) F[k] = r[k];
  if (!A) return;
  arrow_quotient(d, inside, x, Qx);
  arrow_quotient(d, inside, y, Qy);
  for (int i = 0; i < d; i++) {
    const double first = (i == 0) - Qy[i * d]; /* of y_0, which u_T moves too: ∇ share m |u_T| */
    for (int j = 0; j < d; j++) {
      A[i * block + j] = ((i == j) - Qx[i * d + j]) * (j == 0 ? m : 1 / m);
      B[i * block + j] = ((i == j) - Qy[i * d + j]) * (j == 0 ? 1 / m : m);
      if (j > 0 && slide > 0) B[i * block + j] += first * share * m * u[j] / slide;
    }
  }
  for (int k = d; k < block; k++) A[k * block + k] = 1;
}

/* The law's own residual, in N s and physical variables: F' = S^-1 F(S^-1 u', S r'). */
static DlsStatus custom_residual(const NewtonContact *contact, int block, const double *u,
                                 const double *r, double *F, double *A, double *B) {
  const DlsCustomRelation *law = contact->custom;
  const double *S = contact->scale;
  double u_law[DLS_MAX_BLOCK] = {0}, r_law[DLS_MAX_BLOCK] = {0};
  for (int k = 0; k < block; k++) {
    u_law[k] = u[k] / S[k];
    r_law[k] = S[k] * r[k];
  }
  DLS_TRY(law->residual(law->context, u_law, r_law, F, B, A));
  for (int i = 0; i < block; i++) {
    F[i] /= S[i];
    for (int j = 0; A && j < block; j++) {
      A[i * block + j] *= S[j] / S[i];
      B[i * block + j] /= S[i] * S[j];
    }
  }
  return DLS_OK;
}

DlsStatus newton_residual(NewtonResidual kind, const NewtonContact *contact, int dim, int block,
                          const double *u, const double *r, double *F, double *A, double *B) {
  const DlsRelation *relation = &contact->relation;
  const bool frictional = relation->cone == DLS_CONE_COULOMB || relation->cone == DLS_CONE_ROLLING;
  dls_ledger.contacts++;
  if (relation->cone == DLS_CONE_CUSTOM) return custom_residual(contact, block, u, r, F, A, B);
  if (!frictional || is_elliptic(relation, dim, block)) kind = NEWTON_NATURAL;
  if (relation->associated > 0 && kind != NEWTON_FISCHER_BURMEISTER) kind = NEWTON_NATURAL;
  if (kind == NEWTON_FISCHER_BURMEISTER &&
      (relation->cone != DLS_CONE_COULOMB || !(relation->mu[DLS_MU_1] > 0)))
    kind = NEWTON_NATURAL;
  switch (kind) {
  case NEWTON_FISCHER_BURMEISTER: {
    const int d = 1 + dls_cone_layout(relation->cone, dim, block).tangents;
    fischer_burmeister(relation->mu[DLS_MU_1], 1 - relation->associated, d, block, u, r, F, A, B);
    return DLS_OK;
  }
  case NEWTON_ALART_CURNIER:
  case NEWTON_JEAN_MOREAU:
    augmented(kind == NEWTON_JEAN_MOREAU, relation, dim, block, u, r, F, A, B);
    return DLS_OK;
  case NEWTON_NATURAL:
  default:
    natural_map(relation, dim, block, u, r, F, A, B);
    return DLS_OK;
  }
}
