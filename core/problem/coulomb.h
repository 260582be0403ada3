/* The one-contact problem with isotropic Coulomb friction, fast: what does not depend on q is
 * prepared once, and the solve is inlined into sweeps.
 *
 * A reaction that slips has û_N = 0 and û_T = -s r_T with s > 0, that is (D + s E) r = -q with
 * E = diag(0, 1, 1). Eliminating r_N leaves, with S = D_TT - D_TN D_NT / D_NN and
 * c = q_T - D_TN q_N / D_NN,
 *
 *   r_T(s) = -(adj(S) c + s c) / Δ(s),   Δ(s) = det S + s tr S + s²
 *   r_N(s) = -(q_N + D_NT·r_T(s)) / D_NN
 *
 * and s is where the cone is met: mu r_N(s) = |r_T(s)|. Times Δ this reads P(s) = n(s), P a
 * quadratic and n the norm of an affine function; s = 0 is sticking. When D is positive definite
 * (symmetric or not) and q_N < 0, P - n < 0 at 0 unless the contact sticks, and P - n > 0 at
 * infinity: so a root exists, and every root is a solution, r_N = |r_T| / mu >= 0. Newton's method
 * on P/n - 1, which is nearly linear, within a bracket finds it. Quartic formulations (Daviet et
 * al. 2011) solve the same equation squared. */
#ifndef DELASSUS_PROBLEM_COULOMB_H
#define DELASSUS_PROBLEM_COULOMB_H

#include <math.h>

#include "base/dispatch.h"
#include <delassus/local.h>

typedef struct {
  double inverse_nn; /* 1 / D_NN */
  double mu;
  double row[2];                  /* D_NT / D_NN */
  double column[2];               /* D_TN / D_NN */
  double S[4];                    /* D_TT - D_TN D_NT / D_NN, row-major */
  double det, trace, inverse_det; /* of S */
  double tangent; /* 1 / S_11 when S = S_11 I and D_NT = D_TN = 0 (spheres); else 0 */
} DlsCoulomb3;

typedef struct {
  double inverse_nn, mu, row, column;
  double inverse_s;     /* 1 / (D_TT - D_TN D_NT / D_NN); 0 when that is not positive */
  double forward, back; /* r_N / -q_N when slipping along t, and against it */
} DlsCoulomb2;

/* Couplings |D_ij| below this fraction of sqrt(D_ii D_jj) are those of a sphere, whose D is
 * diagonal; in proportion to the two, since a compliance can make D_NN as large as one likes. */
#define DLS_COULOMB_DIAGONAL 2e-14

/* False when the fast path does not hold: D_NN <= 0, or S not definite. */
DLS_INLINE int dls_coulomb3_prepare(double mu, const double *D, DlsCoulomb3 *out) {
  const double w = 1.0 / D[0];
  out->mu = mu;
  out->inverse_nn = w;
  for (int i = 0; i < 2; i++) {
    out->row[i] = D[1 + i] * w;
    out->column[i] = D[3 * (1 + i)] * w;
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      const double d = D[3 * (1 + i) + 1 + j];
      out->S[2 * i + j] = d - D[3 * (1 + i)] * out->row[j];
    }
  out->det = out->S[0] * out->S[3] - out->S[1] * out->S[2];
  out->trace = out->S[0] + out->S[3];
  out->inverse_det = 1.0 / out->det;
  const double size = DLS_COULOMB_DIAGONAL * D[4];
  const double mixed = DLS_COULOMB_DIAGONAL * sqrt(fmax(D[0] * D[4], 0.0));
  const int diagonal = fabs(D[1]) <= mixed && fabs(D[2]) <= mixed && fabs(D[3]) <= mixed &&
                       fabs(D[6]) <= mixed && fabs(D[5]) <= size && fabs(D[7]) <= size &&
                       fabs(D[4] - D[8]) <= size;
  out->tangent = diagonal && D[4] > 0 ? 1.0 / D[4] : 0.0;
  return D[0] > 0 && isfinite(w) && out->det > 0 && out->trace > 0;
}

/* Whether the determinant of S, over that of D's own tangents, is more than round-off: sweeps do
 * not look at what the fast path gives, so they take it only then. */
#define DLS_COULOMB_SINGULAR 1e-12
DLS_INLINE int dls_coulomb3_is_regular(const DlsCoulomb3 *c, const double *D) {
  return c->det > DLS_COULOMB_SINGULAR * fabs(D[4] * D[8]);
}

/* Newton's method for P(s) = n(s) stops after the step that follows |P/n - 1| < rough. In sweeps a
 * rough start is enough: convergence is quadratic, and the next sweep begins where this one
 * ended. */
#define DLS_COULOMB_ROUGH 1e-5
#define DLS_COULOMB_EXACT 1e-15

/* What P and n are made of for a given q. */
typedef struct {
  double free_normal, c1, c2, g1, g2, A, B, P0;
} DlsCoulombSlip;

/* n(s) <= |g| + s |c|: where P(s) equals that bound is above the root. Infinite for mu -> 0. */
DLS_INLINE double dls_coulomb3_bound(const DlsCoulombSlip *t) {
  const double g = sqrt(t->g1 * t->g1 + t->g2 * t->g2);
  const double b = t->B - sqrt(t->c1 * t->c1 + t->c2 * t->c2);
  const double root = sqrt(b * b + 4 * t->A * (g - t->P0));
  return b > 0 ? 2 * (g - t->P0) / (b + root) : (root - b) / (2 * t->A);
}

/* The root within a bracket, by bisection where Newton's step leaves it or does not halve the
 * error; negative when there is none to be had. */
static inline double dls_coulomb3_search(const DlsCoulombSlip *t, double rough) {
  double low = 0, high = dls_coulomb3_bound(t), s = high, last = INFINITY;
  if (!(high < 1e300)) return -1;
  for (int iteration = 0; iteration < 200; iteration++) {
    const double a1 = t->g1 + s * t->c1, a2 = t->g2 + s * t->c2;
    const double n2 = a1 * a1 + a2 * a2, n = sqrt(n2), P = (t->A * s + t->B) * s + t->P0;
    const double f = P - n, size = fabs(f);
    if (f < 0)
      low = s;
    else
      high = s;
    double next = s - f * n2 / ((2 * t->A * s + t->B) * n2 - P * (a1 * t->c1 + a2 * t->c2));
    const int inside = next > low && next < high;
    if (size <= rough * n) return inside && rough > DLS_COULOMB_EXACT ? next : s;
    if (!inside || size > 0.5 * last) next = 0.5 * (low + high);
    if (next == s || !(next > low && next < high)) return s;
    last = inside ? size : INFINITY;
    s = next;
  }
  return s;
}

/* r = the solution for q; *slip is s of the last solve on entry (0: none) and of this one on
 * return. DLS_LOCAL_NONE when there is no slip to be had: take dls_local_solve() then. */
DLS_INLINE DlsLocalOutcome dls_coulomb3_solve(const DlsCoulomb3 *restrict c, double rough,
                                              const double *restrict q, double *restrict slip,
                                              double *restrict r) {
  if (q[0] >= 0) {
    r[0] = r[1] = r[2] = 0;
    return DLS_LOCAL_OPEN;
  }
  DlsCoulombSlip t;
  const double mu = c->mu;
  t.free_normal = -q[0] * c->inverse_nn;
  if (c->tangent > 0) {
    const double t1 = -q[1] * c->tangent, t2 = -q[2] * c->tangent;
    const double size2 = t1 * t1 + t2 * t2, limit = mu * t.free_normal;
    const int sticks = size2 <= limit * limit;
    const double scale = sticks ? 1.0 : limit / sqrt(size2);
    r[0] = t.free_normal;
    r[1] = t1 * scale;
    r[2] = t2 * scale;
    return sticks ? DLS_LOCAL_STICK : DLS_LOCAL_SLIP;
  }
  t.c1 = q[1] - c->column[0] * q[0];
  t.c2 = q[2] - c->column[1] * q[0];
  t.g1 = c->S[3] * t.c1 - c->S[1] * t.c2;
  t.g2 = c->S[0] * t.c2 - c->S[2] * t.c1;
  t.P0 = mu * (t.free_normal * c->det + c->row[0] * t.g1 + c->row[1] * t.g2);
  if (t.P0 >= 0 && t.P0 * t.P0 >= t.g1 * t.g1 + t.g2 * t.g2) {
    r[1] = -t.g1 * c->inverse_det;
    r[2] = -t.g2 * c->inverse_det;
    r[0] = t.free_normal - c->row[0] * r[1] - c->row[1] * r[2];
    return DLS_LOCAL_STICK;
  }
  t.A = mu * t.free_normal;
  t.B = mu * (t.free_normal * c->trace + c->row[0] * t.c1 + c->row[1] * t.c2);
  /* From the last s, as long as the steps stay positive and settle. */
  double s = *slip, a1, a2;
  int settled = 0;
  for (int iteration = 0; s > 0 && iteration < 4 && !settled; iteration++) {
    a1 = t.g1 + s * t.c1;
    a2 = t.g2 + s * t.c2;
    const double n2 = a1 * a1 + a2 * a2, n = sqrt(n2), P = (t.A * s + t.B) * s + t.P0;
    settled = fabs(P - n) <= rough * n;
    s -= (P - n) * n2 / ((2 * t.A * s + t.B) * n2 - P * (a1 * t.c1 + a2 * t.c2));
  }
  if (!(settled && s > 0)) s = dls_coulomb3_search(&t, rough);
  if (!(s >= 0)) return DLS_LOCAL_NONE;
  *slip = s;
  a1 = t.g1 + s * t.c1;
  a2 = t.g2 + s * t.c2;
  const double scale = 1.0 / (c->det + s * (c->trace + s));
  r[0] = t.free_normal + (c->row[0] * a1 + c->row[1] * a2) * scale;
  r[1] = -a1 * scale;
  r[2] = -a2 * scale;
  return r[0] > 0 ? DLS_LOCAL_SLIP : DLS_LOCAL_NONE;
}

DLS_INLINE int dls_coulomb2_prepare(double mu, const double *D, DlsCoulomb2 *out) {
  const double w = 1.0 / D[0], row = D[1] * w, S = D[3] - D[2] * row;
  *out = (DlsCoulomb2){.inverse_nn = w,
                       .mu = mu,
                       .row = row,
                       .column = D[2] * w,
                       .inverse_s = S > 0 ? 1.0 / S : 0.0,
                       .forward = w / (1 - mu * row),
                       .back = w / (1 + mu * row)};
  return D[0] > 0 && isfinite(w) && S > 0 && isfinite(out->inverse_s);
}

DLS_INLINE int dls_coulomb2_is_regular(const DlsCoulomb2 *c, const double *D) {
  return c->inverse_s * DLS_COULOMB_SINGULAR * fabs(D[3]) < 1;
}

/* In 2-D r_T(s) = -c / (S + s) keeps the sign of -c: stick, or slip in one known direction. */
DLS_INLINE DlsLocalOutcome dls_coulomb2_solve(const DlsCoulomb2 *restrict c,
                                              const double *restrict q, double *restrict r) {
  if (q[0] >= 0) {
    r[0] = r[1] = 0;
    return DLS_LOCAL_OPEN;
  }
  const double ct = q[1] - c->column * q[0], stick = -ct * c->inverse_s;
  const double normal = -q[0] * c->inverse_nn - c->row * stick;
  if (fabs(stick) <= c->mu * normal) {
    r[0] = normal;
    r[1] = stick;
    return DLS_LOCAL_STICK;
  }
  r[0] = -q[0] * (ct > 0 ? c->forward : c->back);
  r[1] = (ct > 0 ? -c->mu : c->mu) * r[0];
  return r[0] > 0 && r[0] < INFINITY ? DLS_LOCAL_SLIP : DLS_LOCAL_NONE;
}

#endif
