/* The one-contact problem with isotropic friction that dilates: a slip along the unit vector τ has
 *
 *   r = N (1, -mu τ),   û = v (α mu, τ),   N > 0, v >= 0, α = associated
 *
 * so that û = D r + q gives, with w(τ) = D_TN - mu D_TT τ,
 *
 *   N(τ) = (α mu τ·q_T - q_N) / (D_NN - mu D_NT·τ - α mu τ·w)
 *   v(τ) = τ·(q_T + N w)        and      h(τ) = τ⊥·(q_T + N w) = 0
 *
 * In 2-D τ is 1 or -1 and this is closed form. In 3-D Newton's method finds the angle of τ from
 * that of the last reaction. h times the denominator of N is a trigonometric polynomial of degree
 * 3: where Newton's method, or the digits, do not suffice, all its roots, six at most, are
 * bracketed on the circle and found in extended precision, for D of any kind. At α = 1 and D
 * definite the denominator is (1, -mu τ)·D (1, -mu τ) > 0, and the answer is the one minimum of a
 * convex programme. */
#include "problem/local/local_impl.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/small.h"
#include "problem/coulomb.h"

typedef long double Real;

static bool opens(const DlsDilatant *k, const double *q) {
  return q[0] >= k->associated * k->mu * dls_small_norm(k->tangents, q + 1);
}

static bool is_inside(const DlsDilatant *k, const double *r) {
  return dls_small_norm(k->tangents, r + 1) <= k->mu * r[0];
}

/* û = 0 by Schur's complement of D_NN, as coulomb.h has it, and in 2-D by Cramer's rule; false
 * where the block is as good as singular. */
static bool stops_3(const double *D, const double *q, double *r) {
  const double w = 1 / D[0], c1 = q[1] - D[3] * w * q[0], c2 = q[2] - D[6] * w * q[0];
  const double a = D[4] - D[3] * w * D[1], b = D[5] - D[3] * w * D[2];
  const double c = D[7] - D[6] * w * D[1], d = D[8] - D[6] * w * D[2], det = a * d - b * c;
  if (!(det > DLS_COULOMB_SINGULAR * fabs(D[4] * D[8])) || !isfinite(w)) return false;
  r[1] = -(d * c1 - b * c2) / det;
  r[2] = -(a * c2 - c * c1) / det;
  r[0] = -w * (q[0] + D[1] * r[1] + D[2] * r[2]);
  return true;
}

static bool stops_2(const double *D, const double *q, double *r) {
  const double det = D[0] * D[3] - D[1] * D[2];
  if (!(det > DLS_COULOMB_SINGULAR * fabs(D[0] * D[3]))) return false;
  r[0] = -(D[3] * q[0] - D[1] * q[1]) / det;
  r[1] = -(D[0] * q[1] - D[2] * q[0]) / det;
  return isfinite(r[0]) && isfinite(r[1]);
}

/* û = 0; false where that reaction is not in the cone. */
static bool sticks(const DlsDilatant *k, const double *D, const double *q, double *r) {
  const int n = 1 + k->tangents;
  double A[9];
  if (n == 3 ? stops_3(D, q, r) : stops_2(D, q, r)) return is_inside(k, r);
  memcpy(A, D, (size_t)(n * n) * sizeof *A);
  for (int i = 0; i < n; i++) r[i] = -q[i];
  return dls_small_solve(n, A, r) && is_inside(k, r);
}

/* N and the speed v of a slip along τ = ±1. */
static bool slides_2(const DlsDilatant *k, const double *D, const double *q, double tau,
                     double *r) {
  const double tangent = k->associated * k->mu, w = D[2] - k->mu * D[3] * tau;
  const double below = D[0] - k->mu * D[1] * tau - tangent * tau * w;
  r[0] = (tangent * tau * q[1] - q[0]) / below;
  r[1] = -k->mu * tau * r[0];
  return r[0] > 0 && isfinite(r[0]) && tau * (q[1] + r[0] * w) >= 0;
}

/* From the direction of the guess, or of what moves without friction. */
static void begin(const DlsDilatant *k, const double *D, const double *q, const double *r,
                  double *tau) {
  const double held = dls_small_norm(2, r + 1), push = fmax(-q[0] / D[0], 0);
  tau[0] = -r[1];
  tau[1] = -r[2];
  if (!(r[0] > 0) || !(held > 0.5 * k->mu * r[0])) {
    tau[0] = q[1] + push * D[3];
    tau[1] = q[2] + push * D[6];
  }
  const double size = dls_small_norm(2, tau);
  tau[0] = size > 0 ? tau[0] / size : 1;
  tau[1] = size > 0 ? tau[1] / size : 0;
}

/* Newton's method on h, τ turning by half a radian at most. */
static bool slides_3(const DlsDilatant *k, const double *D, const double *q, double *r) {
  enum { MOST = 20 };
  const double mu = k->mu, tangent = k->associated * mu;
  double tau[2];
  begin(k, D, q, r, tau);
  for (int iteration = 0; iteration < MOST; iteration++) {
    const double c = tau[0], s = tau[1];
    const double w[2] = {D[3] - mu * (D[4] * c + D[5] * s), D[6] - mu * (D[7] * c + D[8] * s)};
    const double dw[2] = {-mu * (D[5] * c - D[4] * s), -mu * (D[8] * c - D[7] * s)};
    const double w_along = w[0] * c + w[1] * s, w_across = w[1] * c - w[0] * s;
    const double q_along = q[1] * c + q[2] * s, q_across = q[2] * c - q[1] * s;
    const double below = D[0] - mu * (D[1] * c + D[2] * s) - tangent * w_along;
    const double N = (tangent * q_along - q[0]) / below;
    const double h = q_across + N * w_across, v = q_along + N * w_along;
    const double turn_below =
        -mu * (D[2] * c - D[1] * s) - tangent * (w_across + dw[0] * c + dw[1] * s);
    const double turn_N = (tangent * q_across - N * turn_below) / below;
    const double slope = -v + turn_N * w_across + N * (dw[1] * c - dw[0] * s);
    const double size = fabs(q[1]) + fabs(q[2]) + fabs(N) * (fabs(w[0]) + fabs(w[1]));
    const double turn = fmax(-0.5, fmin(0.5, -h / slope));
    if (!isfinite(turn) || fabs(h) <= 1e-15 * size || fabs(turn) <= 1e-15) {
      r[0] = N;
      r[1] = -mu * c * N;
      r[2] = -mu * s * N;
      return N > 0 && v >= 0 && fabs(h) <= 1e-12 * size;
    }
    const double x = c - turn * s, y = s + turn * c, length = sqrt(x * x + y * y);
    tau[0] = x / length;
    tau[1] = y / length;
  }
  return false;
}

DlsLocalOutcome dls_local_dilatant(const DlsDilatant *k, const double *D, const double *q,
                                   double *r) {
  double guess[3] = {0};
  const int block = 1 + k->tangents;
  memcpy(guess, r, (size_t)block * sizeof *guess);
  if (opens(k, q)) {
    memset(r, 0, (size_t)block * sizeof *r);
    return DLS_LOCAL_OPEN;
  }
  if (!(D[0] > 0)) return DLS_LOCAL_NONE;
  if (sticks(k, D, q, r)) return DLS_LOCAL_STICK;
  memcpy(r, guess, (size_t)block * sizeof *r);
  if (k->tangents == 1)
    return slides_2(k, D, q, 1, r) || slides_2(k, D, q, -1, r) ? DLS_LOCAL_SLIP : DLS_LOCAL_NONE;
  return slides_3(k, D, q, r) ? DLS_LOCAL_SLIP : DLS_LOCAL_NONE;
}

/* h times the denominator of N at the angle, and r there. */
static Real turning(const DlsDilatant *k, const double *D, const double *q, Real angle, Real *r) {
  const Real c = cosl(angle), s = sinl(angle), mu = k->mu, tangent = k->associated * mu;
  const Real w[2] = {D[3] - mu * (D[4] * c + D[5] * s), D[6] - mu * (D[7] * c + D[8] * s)};
  const Real below = D[0] - mu * (D[1] * c + D[2] * s) - tangent * (w[0] * c + w[1] * s);
  const Real above = tangent * (q[1] * c + q[2] * s) - q[0];
  r[0] = above / below;
  r[1] = -mu * c * r[0];
  r[2] = -mu * s * r[0];
  return below * (q[2] * c - q[1] * s) + above * (w[1] * c - w[0] * s);
}

/* How far r is from the relation, relative: r in the cone, û + Γ(û) n in its dual and across it. */
static Real violation(const DlsDilatant *k, const double *D, const double *q, const double *r) {
  const int n = 1 + k->tangents;
  Real u[3] = {0}, made[3] = {0}, along = 0, slide = 0, held = 0, u_size = 0, r_size = 0;
  Real largest = 0;
  for (int i = 0; i < n; i++) {
    u[i] = q[i];
    made[i] = fabsl(u[i]);
    for (int j = 0; j < n; j++) {
      u[i] += (Real)D[i * n + j] * r[j];
      made[i] += fabsl((Real)D[i * n + j] * r[j]);
      largest = fmaxl(largest, fabsl((Real)D[i * n + j]));
    }
    u_size = fmaxl(u_size, made[i]);
    r_size = fmaxl(r_size, fabsl((Real)r[i]));
    if (i == 0) continue;
    slide += u[i] * u[i];
    held += (Real)r[i] * r[i];
    along += u[i] * r[i];
  }
  slide = sqrtl(slide);
  held = sqrtl(held);
  r_size = fmaxl(r_size, largest > 0 ? u_size / largest : u_size);
  const Real mu = k->mu, normal = u[0] - k->associated * mu * slide;
  if (!(u_size > 0)) return 0;
  Real worst = fmaxl(-r[0] / r_size, (held - mu * r[0]) / r_size);
  worst = fmaxl(worst, -normal / u_size);
  worst = fmaxl(worst, fminl(fabsl(normal) / u_size, fabsl((Real)r[0]) / r_size));
  const Real opposed = slide > 0 ? (along / slide + mu * r[0]) / r_size : 0;
  return fmaxl(worst, fminl(slide / u_size, fabsl(opposed)));
}

static void consider(const DlsDilatant *k, const double *D, const double *q, const Real *r,
                     Real *best, double *out) {
  const double rounded[3] = {(double)r[0], (double)r[1], (double)r[2]};
  const Real error = violation(k, D, q, rounded);
  if (!(error < *best)) return;
  *best = error;
  memcpy(out, rounded, (size_t)(1 + k->tangents) * sizeof *out);
}

/* The root between two angles where h changes sign, by bisection. */
static void consider_root(const DlsDilatant *k, const double *D, const double *q, Real low,
                          Real high, Real *best, double *out) {
  Real r[3];
  const Real sign = turning(k, D, q, low, r) < 0 ? -1 : 1;
  for (int step = 0; step < 70; step++) {
    const Real middle = low + (high - low) / 2;
    *(sign * turning(k, D, q, middle, r) > 0 ? &low : &high) = middle;
  }
  consider(k, D, q, r, best, out);
}

/* Where |h| is least between two angles, h having one sign there and a minimum inside. */
static Real least_between(const DlsDilatant *k, const double *D, const double *q, Real sign,
                          Real low, Real high) {
  Real r[3];
  for (int step = 0; step < 100; step++) {
    const Real left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (sign * turning(k, D, q, left, r) < sign * turning(k, D, q, right, r))
      high = right;
    else
      low = left;
  }
  return low + (high - low) / 2;
}

/* All roots: between angles where the sign changes; between three where |h| has a minimum, which
 * two roots may hide in; and the angles themselves, for h vanishes everywhere where D has rank one.
 * */
static void consider_slips(const DlsDilatant *k, const double *D, const double *q, Real *best,
                           double *out) {
  enum { ANGLES = 128 };
  const Real turn = 2 * acosl(-1) / ANGLES;
  Real r[3], last[2] = {turning(k, D, q, -turn, r), turning(k, D, q, 0, r)};
  for (int n = 1; n <= ANGLES; n++) {
    const Real angle = n * turn, here = turning(k, D, q, angle, r), sign = last[1] < 0 ? -1 : 1;
    consider(k, D, q, r, best, out);
    if ((last[1] < 0) != (here < 0)) consider_root(k, D, q, angle - turn, angle, best, out);
    if (sign * last[1] <= sign * last[0] && sign * last[1] <= sign * here && sign * last[0] > 0 &&
        sign * here > 0) {
      const Real least = least_between(k, D, q, sign, angle - 2 * turn, angle);
      const bool crosses = sign * turning(k, D, q, least, r) < 0;
      consider(k, D, q, r, best, out);
      if (crosses) consider_root(k, D, q, angle - 2 * turn, least, best, out);
      if (crosses) consider_root(k, D, q, least, angle, best, out);
    }
    last[0] = last[1];
    last[1] = here;
  }
}

DlsLocalOutcome dls_local_dilatant_cases(const DlsDilatant *k, const double *D, const double *q,
                                         double *r) {
  const Real accepted = 1e-9L;
  const int n = 1 + k->tangents;
  Real best = INFINITY, exact[3] = {0};
  double A[9], stick[3] = {0};
  memset(r, 0, (size_t)n * sizeof *r);
  if (opens(k, q)) return DLS_LOCAL_OPEN;
  for (int i = 0; i < n; i++) stick[i] = -q[i];
  memcpy(A, D, (size_t)(n * n) * sizeof *A);
  if (dls_small_solve(n, A, stick)) {
    for (int i = 0; i < n; i++) exact[i] = stick[i];
    consider(k, D, q, exact, &best, r);
  }
  const Real still = best;
  for (int way = 0; way < 2 && k->tangents == 1; way++) {
    double slip[3] = {0};
    slides_2(k, D, q, way ? -1 : 1, slip);
    for (int i = 0; i < n; i++) exact[i] = slip[i];
    consider(k, D, q, exact, &best, r);
  }
  if (k->tangents == 2) consider_slips(k, D, q, &best, r);
  if (!(best <= accepted)) return DLS_LOCAL_NONE;
  return best < still ? DLS_LOCAL_SLIP : DLS_LOCAL_STICK;
}
