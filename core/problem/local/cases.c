/* The one-contact problem with Coulomb friction by every case, in extended precision: for blocks D
 * that are indefinite, singular or so ill-conditioned that the fast path of coulomb.h loses digits.
 * Notation as there: P(s) = mu Δ r_N, n(s) = |adj(S) c + s c|. A slip at s > 0 is a root of
 * P² = n² with P and Δ of one sign; a quartic, whose roots its derivatives separate. */
#include "problem/local/local_impl.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef long double Real;

enum { MAX_DEGREE = 4 };

static Real evaluate(int degree, const Real *p, Real s) {
  Real value = p[degree];
  for (int k = degree - 1; k >= 0; k--) value = value * s + p[k];
  return value;
}

/* The root of p between low and high, where p changes sign: bisection with Newton's method inside.
 */
static Real root_between(int degree, const Real *p, const Real *slope, Real low, Real high) {
  const bool rising = evaluate(degree, p, low) < 0;
  Real s = low + (high - low) / 2;
  for (int iteration = 0; iteration < 200; iteration++) {
    const Real value = evaluate(degree, p, s);
    if (value == 0) return s;
    if ((value < 0) == rising)
      low = s;
    else
      high = s;
    Real next = s - value / evaluate(degree - 1, slope, s);
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (next == s || next <= low || next >= high) return s;
    s = next;
  }
  return s;
}

/* The real roots of p in (0, end), ascending; between two roots of the derivative p is monotone. */
static int positive_roots(int degree, const Real *p, Real end, Real *roots) {
  if (degree == 0) return 0;
  Real slope[MAX_DEGREE + 1], turn[MAX_DEGREE + 2];
  for (int k = 0; k < degree; k++) slope[k] = p[k + 1] * (Real)(k + 1);
  const int turns = positive_roots(degree - 1, slope, end, turn + 1);
  turn[0] = 0;
  turn[turns + 1] = end;
  int count = 0;
  for (int k = 0; k <= turns; k++) {
    const Real left = evaluate(degree, p, turn[k]), right = evaluate(degree, p, turn[k + 1]);
    if ((left < 0) != (right < 0))
      roots[count++] = root_between(degree, p, slope, turn[k], turn[k + 1]);
    else if (left == 0 && turn[k] > 0)
      roots[count++] = turn[k]; /* a double root, where the graph only touches */
  }
  return count;
}

typedef struct {
  int tangents;
  Real D[9], q[3], mu;
  Real free_normal, c[2], g[2], row[2], det, trace;
} Case;

/* How far r is from the relation, relative: û of the right sign, r in the cone, slip opposed. */
static Real violation(const Case *k, const Real *r) {
  const int block = 1 + k->tangents;
  Real u[3] = {0}, size_D = 0, r_size = 0, q_size = 0, ut = 0, rt = 0, along = 0;
  for (int i = 0; i < block; i++) {
    u[i] = k->q[i];
    for (int j = 0; j < block; j++) u[i] += k->D[i * block + j] * r[j];
    size_D += fabsl(k->D[i * block + i]);
    r_size += r[i] * r[i];
    q_size += k->q[i] * k->q[i];
  }
  for (int i = 1; i < block; i++) {
    ut += u[i] * u[i];
    rt += r[i] * r[i];
    along += u[i] * r[i];
  }
  ut = sqrtl(ut);
  rt = sqrtl(rt);
  r_size = sqrtl(r_size);
  const Real u_scale = size_D * r_size + sqrtl(q_size),
             r_scale = u_scale / (size_D > 0 ? size_D : 1);
  if (!(u_scale > 0)) return 0;
  Real worst = fmaxl(-r[0] / r_scale, (rt - k->mu * r[0]) / r_scale);
  worst = fmaxl(worst, -u[0] / u_scale);
  worst = fmaxl(worst, fminl(r_size / r_scale, fabsl(u[0]) / u_scale)); /* u_N r = 0 */
  /* Friction: r_T = -mu r_N u_T / |u_T|, or u_T = 0. */
  const Real opposed = ut > 0 && r_size > 0 ? (along / ut + k->mu * r[0]) / r_scale : 0;
  return fmaxl(worst, fminl(ut / u_scale, fabsl(opposed)));
}

/* r(s) = -(D + sE)^-1 q by elimination with row pivots: backward stable also where D is mostly skew
 * and D_NN is tiny. False where the matrix is singular. */
static bool reaction_at(const Case *k, Real s, Real *r) {
  const int n = 1 + k->tangents;
  Real A[9];
  for (int i = 0; i < n; i++) {
    r[i] = -k->q[i];
    for (int j = 0; j < n; j++) A[i * n + j] = k->D[i * n + j] + (i == j && i > 0 ? s : 0);
  }
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int i = c + 1; i < n; i++)
      if (fabsl(A[i * n + c]) > fabsl(A[pivot * n + c])) pivot = i;
    if (A[pivot * n + c] == 0) return false;
    for (int j = 0; j < n && pivot != c; j++) {
      const Real t = A[c * n + j];
      A[c * n + j] = A[pivot * n + j];
      A[pivot * n + j] = t;
    }
    const Real t = r[c];
    r[c] = r[pivot];
    r[pivot] = t;
    for (int i = c + 1; i < n; i++) {
      const Real factor = A[i * n + c] / A[c * n + c];
      for (int j = c + 1; j < n; j++) A[i * n + j] -= factor * A[c * n + j];
      r[i] -= factor * r[c];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) r[i] -= A[i * n + j] * r[j];
    r[i] /= A[i * n + i];
  }
  return true;
}

static void consider(const Case *k, const Real *r, DlsLocalOutcome kind, Real *best, double *out,
                     DlsLocalOutcome *outcome) {
  const Real error = violation(k, r);
  if (!(error < *best)) return;
  *best = error;
  *outcome = kind;
  for (int i = 0; i <= k->tangents; i++) out[i] = (double)r[i];
}

__attribute__((noinline)) static void prepare(Case *k) {
  const int t = k->tangents, block = 1 + t;
  const Real w = 1 / k->D[0];
  Real S[4] = {0};
  k->free_normal = -k->q[0] * w;
  for (int i = 0; i < t; i++) {
    k->row[i] = k->D[1 + i] * w;
    k->c[i] = k->q[1 + i] + k->D[(1 + i) * block] * k->free_normal;
    for (int j = 0; j < t; j++)
      S[i * t + j] = k->D[(1 + i) * block + 1 + j] - k->D[(1 + i) * block] * k->D[1 + j] * w;
  }
  if (t == 1) {
    k->det = S[0];
    return;
  }
  k->det = S[0] * S[3] - S[1] * S[2];
  k->trace = S[0] + S[3];
  k->g[0] = S[3] * k->c[0] - S[1] * k->c[1];
  k->g[1] = S[0] * k->c[1] - S[2] * k->c[0];
}

/* Coefficients of P² - n² in powers of s / unit; in 2-D both are linear. */
static int slip_polynomial(const Case *k, Real unit, Real *p) {
  Real P[3] = {0}, n2[3] = {0};
  const int t = k->tangents;
  if (t == 1) {
    P[0] = k->mu * (k->free_normal * k->det + k->row[0] * k->c[0]);
    P[1] = k->mu * k->free_normal * unit;
    n2[0] = k->c[0] * k->c[0];
  } else {
    P[0] = k->mu * (k->free_normal * k->det + k->row[0] * k->g[0] + k->row[1] * k->g[1]);
    P[1] = k->mu * (k->free_normal * k->trace + k->row[0] * k->c[0] + k->row[1] * k->c[1]) * unit;
    P[2] = k->mu * k->free_normal * unit * unit;
    for (int i = 0; i < 2; i++) {
      n2[0] += k->g[i] * k->g[i];
      n2[1] += 2 * k->g[i] * k->c[i] * unit;
      n2[2] += k->c[i] * k->c[i] * unit * unit;
    }
  }
  memset(p, 0, (MAX_DEGREE + 1) * sizeof *p);
  for (int i = 0; i < 3; i++) {
    p[i] -= n2[i];
    for (int j = 0; j < 3; j++) p[i + j] += P[i] * P[j];
  }
  int degree = MAX_DEGREE;
  while (degree > 0 && p[degree] == 0) degree--;
  return degree;
}

static void consider_slips(const Case *k, Real *best, double *out, DlsLocalOutcome *outcome) {
  Real p[MAX_DEGREE + 1], roots[MAX_DEGREE + 2], largest = 0;
  Real unit = 0;
  const int block = 1 + k->tangents;
  for (int i = 0; i < block; i++) unit = fmaxl(unit, fabsl(k->D[i * block + i]));
  const int degree = slip_polynomial(k, unit, p);
  for (int i = 0; i < degree; i++) largest = fmaxl(largest, fabsl(p[i] / p[degree]));
  const int count = positive_roots(degree, p, 1 + largest, roots); /* Cauchy's bound */
  for (int i = 0; i < count; i++) {
    Real r[3];
    if (reaction_at(k, roots[i] * unit, r)) consider(k, r, DLS_LOCAL_SLIP, best, out, outcome);
  }
}

static Real cone_gap(const Case *k, Real s, Real *r) {
  if (!reaction_at(k, s, r)) return -INFINITY;
  return k->mu * r[0] - (k->tangents == 2 ? hypotl(r[1], r[2]) : fabsl(r[1]));
}

/* Definite D: mu r_N(s) - |r_T(s)| is negative at 0 and positive at infinity; bisection in log s.
 */
static void consider_bracket(const Case *k, Real *best, double *out, DlsLocalOutcome *outcome) {
  const int block = 1 + k->tangents;
  Real unit = 0, r[3];
  for (int i = 0; i < block * block; i++) unit = fmaxl(unit, fabsl(k->D[i]));
  Real low = unit * 1e-40L, high = unit * 1e40L;
  if (!(cone_gap(k, low, r) < 0) || !(cone_gap(k, high, r) > 0)) return;
  for (int iteration = 0; iteration < 200; iteration++) {
    const Real middle = sqrtl(low) * sqrtl(high);
    if (!(middle > low && middle < high)) break;
    if (cone_gap(k, middle, r) < 0)
      low = middle;
    else
      high = middle;
  }
  for (int end = 0; end < 2; end++)
    if (reaction_at(k, end ? high : low, r)) consider(k, r, DLS_LOCAL_SLIP, best, out, outcome);
}

/* Sticking where S is singular, or as good as: the reactions that stop the contact are r_T = -S⁺c +
 * t z with S z = 0, and t is taken where |r_T| - mu r_N is least. With ω the part of r_T across z,
 * τ the part along it and r_N = const - e τ, that is at τ = -mu e ω / sqrt(1 - mu² e²). */
static void consider_singular(const Case *k, Real *best, double *out, DlsLocalOutcome *outcome) {
  Real r[3] = {k->free_normal, 0, 0};
  consider(k, r, DLS_LOCAL_STICK, best, out, outcome); /* S = 0 */
  const Real c_size = sqrtl(k->c[0] * k->c[0] + k->c[1] * k->c[1]);
  if (k->tangents < 2 || !(k->trace > 0) || !(c_size > 0)) return;
  /* S of rank one: c and S⁺c lie along its range, z across. */
  const Real z[2] = {-k->c[1] / c_size, k->c[0] / c_size};
  const Real across = c_size / k->trace, e = k->row[0] * z[0] + k->row[1] * z[1];
  const Real least = 1 - k->mu * k->mu * e * e;
  const Real far = 4 * (across + fabsl(k->free_normal)) * (1 + 1 / fmaxl(fabsl(e), 1e-9L));
  const Real along[3] = {0, least > 0 ? -k->mu * e * across / sqrtl(least) : 0, e > 0 ? -far : far};
  for (int i = 0; i < 3; i++) {
    r[0] = k->free_normal;
    for (int j = 0; j < 2; j++) {
      r[1 + j] = -k->c[j] / k->trace + along[i] * z[j];
      r[0] -= k->row[j] * r[1 + j];
    }
    consider(k, r, DLS_LOCAL_STICK, best, out, outcome);
  }
}

DlsLocalOutcome dls_local_coulomb_cases(double mu, int tangents, const double *D, const double *q,
                                        double *out) {
  const Real accepted = 1e-9L;
  const int block = 1 + tangents;
  Case k;
  memset(&k, 0, sizeof k);
  k.tangents = tangents;
  k.mu = mu;
  for (int i = 0; i < block * block; i++) k.D[i] = D[i];
  for (int i = 0; i < block; i++) k.q[i] = q[i];
  DlsLocalOutcome outcome = DLS_LOCAL_NONE;
  Real best = INFINITY, r[3] = {0};
  memset(out, 0, (size_t)block * sizeof *out);
  if (q[0] >= 0) return DLS_LOCAL_OPEN;
  if (!(D[0] > 0)) return DLS_LOCAL_NONE;
  prepare(&k);
  if (reaction_at(&k, 0, r)) consider(&k, r, DLS_LOCAL_STICK, &best, out, &outcome);
  consider_singular(&k, &best, out, &outcome);
  consider_slips(&k, &best, out, &outcome);
  consider_bracket(&k, &best, out, &outcome);
  return best <= accepted ? outcome : DLS_LOCAL_NONE;
}
