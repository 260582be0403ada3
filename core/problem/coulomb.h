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
  double row[2];     /* D_NT / D_NN */
  double column[2];  /* D_TN / D_NN */
  double S[4];       /* D_TT - D_TN D_NT / D_NN, row-major */
  double det, trace; /* of S */
  double tangent;    /* 1 / S_11 when S = S_11 I and D_NT = D_TN = 0 (spheres); else 0 */
} DlsCoulomb3;

typedef struct {
  double inverse_nn, mu, row, column;
  double inverse_s; /* 1 / (D_TT - D_TN D_NT / D_NN); 0 when that is not positive */
} DlsCoulomb2;

/* Couplings below this fraction of the diagonal are those of a sphere, whose D is diagonal. */
#define DLS_COULOMB_DIAGONAL 1e-14

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
  const double size = fmax(D[0], fmax(fabs(D[4]), fabs(D[8]))) * DLS_COULOMB_DIAGONAL;
  const int diagonal = fabs(D[1]) <= size && fabs(D[2]) <= size && fabs(D[3]) <= size &&
                       fabs(D[6]) <= size && fabs(D[5]) <= size && fabs(D[7]) <= size &&
                       fabs(D[4] - D[8]) <= size;
  out->tangent = diagonal && D[4] > 0 ? 1.0 / D[4] : 0.0;
  return D[0] > 0 && isfinite(w) && out->det > 0 && out->trace > 0;
}

/* Newton's method for P(s) = n(s) stops once |P/n - 1| < rough, after the step that follows. */
#define DLS_COULOMB_ROUGH 1e-7 /* for sweeps: quadratic convergence leaves 1e-12 or so */
#define DLS_COULOMB_EXACT 1e-15

/* r = the solution for q; *slip is s of the last solve on entry (0: none) and of this one on
 * return. DLS_LOCAL_NONE when Newton's method did not settle: take dls_local_solve() then. */
DLS_INLINE DlsLocalOutcome dls_coulomb3_solve(const DlsCoulomb3 *restrict c, double rough,
                                              const double *restrict q, double *restrict slip,
                                              double *restrict r) {
  if (q[0] >= 0) {
    r[0] = r[1] = r[2] = 0;
    return DLS_LOCAL_OPEN;
  }
  const double mu = c->mu, free_normal = -q[0] * c->inverse_nn;
  if (c->tangent > 0) {
    const double t1 = -q[1] * c->tangent, t2 = -q[2] * c->tangent;
    const double size2 = t1 * t1 + t2 * t2, limit = mu * free_normal;
    r[0] = free_normal;
    if (size2 <= limit * limit) {
      r[1] = t1;
      r[2] = t2;
      return DLS_LOCAL_STICK;
    }
    const double scale = limit / sqrt(size2);
    r[1] = t1 * scale;
    r[2] = t2 * scale;
    return DLS_LOCAL_SLIP;
  }
  const double c1 = q[1] - c->column[0] * q[0], c2 = q[2] - c->column[1] * q[0];
  const double g1 = c->S[3] * c1 - c->S[1] * c2, g2 = c->S[0] * c2 - c->S[2] * c1;
  const double P0 = mu * (free_normal * c->det + c->row[0] * g1 + c->row[1] * g2);
  const double g = sqrt(g1 * g1 + g2 * g2);
  if (P0 >= g) {
    const double scale = 1.0 / c->det;
    r[1] = -g1 * scale;
    r[2] = -g2 * scale;
    r[0] = free_normal - c->row[0] * r[1] - c->row[1] * r[2];
    return DLS_LOCAL_STICK;
  }
  const double A = mu * free_normal;
  const double B = mu * (free_normal * c->trace + c->row[0] * c1 + c->row[1] * c2);
  /* n(s) <= |g| + s |c| bounds the root from above, and is where a first solve begins. */
  double low = 0, high, s = *slip;
  const double b = B - sqrt(c1 * c1 + c2 * c2), root = sqrt(b * b + 4 * A * (g - P0));
  high = b > 0 ? 2 * (g - P0) / (b + root) : (root - b) / (2 * A);
  if (!(high < 1e300)) { /* mu = 0, or close to it: no friction */
    r[0] = free_normal;
    r[1] = r[2] = 0;
    return mu == 0 ? DLS_LOCAL_SLIP : DLS_LOCAL_NONE;
  }
  if (!(s > 0 && s < high)) s = high;
  double a1, a2, n, last = INFINITY;
  for (int iteration = 0;; iteration++) {
    a1 = g1 + s * c1;
    a2 = g2 + s * c2;
    n = sqrt(a1 * a1 + a2 * a2);
    const double P = (A * s + B) * s + P0, f = P - n;
    if (f < 0)
      low = s;
    else
      high = s;
    const double size = fabs(f);
    /* slope of P/n, times n: P' - P n'/n */
    const double slope = 2 * A * s + B - P * (a1 * c1 + a2 * c2) / (n * n);
    double next = s - f / slope;
    const int inside = next > low && next < high;
    if (size <= rough * n || size == 0 || next == s) {
      if (inside && rough > DLS_COULOMB_EXACT) {
        s = next;
        a1 = g1 + s * c1;
        a2 = g2 + s * c2;
        n = sqrt(a1 * a1 + a2 * a2);
      }
      break;
    }
    if (iteration >= 100) return DLS_LOCAL_NONE;
    /* Bisect when Newton's step leaves the bracket or does not halve the error. */
    if (!inside || size > 0.5 * last) next = 0.5 * (low + high);
    if (next == s || !(high > low)) break;
    last = inside ? size : INFINITY;
    s = next;
  }
  *slip = s;
  const double scale = 1.0 / (c->det + s * (c->trace + s));
  const double normal = free_normal + (c->row[0] * a1 + c->row[1] * a2) * scale;
  r[0] = normal;
  r[1] = n > 0 ? -mu * normal * a1 / n : 0;
  r[2] = n > 0 ? -mu * normal * a2 / n : 0;
  return normal > 0 ? DLS_LOCAL_SLIP : DLS_LOCAL_NONE;
}

DLS_INLINE int dls_coulomb2_prepare(double mu, const double *D, DlsCoulomb2 *out) {
  const double w = 1.0 / D[0], S = D[3] - D[2] * D[1] * w;
  *out = (DlsCoulomb2){w, mu, D[1] * w, D[2] * w, S > 0 ? 1.0 / S : 0.0};
  return D[0] > 0 && isfinite(w) && S > 0 && isfinite(out->inverse_s);
}

/* In 2-D r_T(s) = -c / (S + s) keeps the sign of -c: stick, or slip in one known direction. */
DLS_INLINE DlsLocalOutcome dls_coulomb2_solve(const DlsCoulomb2 *restrict c,
                                              const double *restrict q, double *restrict r) {
  if (q[0] >= 0) {
    r[0] = r[1] = 0;
    return DLS_LOCAL_OPEN;
  }
  const double free_normal = -q[0] * c->inverse_nn, ct = q[1] - c->column * q[0];
  const double stick = -ct * c->inverse_s, normal = free_normal - c->row * stick;
  if (fabs(stick) <= c->mu * normal) {
    r[0] = normal;
    r[1] = stick;
    return DLS_LOCAL_STICK;
  }
  const double friction = ct > 0 ? -c->mu : c->mu;
  r[0] = free_normal / (1 + friction * c->row);
  r[1] = friction * r[0];
  return r[0] > 0 ? DLS_LOCAL_SLIP : DLS_LOCAL_NONE;
}

#endif
