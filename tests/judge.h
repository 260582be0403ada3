/* A judge of its own: `natural` and `scaled` of a planted problem's r, and what they become where
 * reactions are larger than the load explains, from the dense W, in long double, by other formulas
 * than core/problem/errors.c: the projection on a cone is found by bisection on its normal part s,
 *
 *   min 1/2 (s - x_N)² + Σ_g 1/2 |x_g - y_g|²,  |y_g / mu_g| <= s,   slope s - x_N - Σ_g λ_g s,
 *
 * λ_g the multiplier of the ellipse of group g.
 *
 * And what is true. "Converged" at a tolerance is false
 *
 *   - where the error that was asked for, |e| over the largest of |q|, |r| and |u|, is above the
 *     tolerance;
 *   - where |r| is more than ten times the load, |ρ q̂| or |a|, and |e| is above ten tolerances of
 *     the load: a few contacts hand on a few times the load (five in a column of four), so that a
 *     pair that is right to the tolerance beside its reactions is right to ten tolerances beside
 *     its load, or its reactions have been made up;
 *   - where e_α / ρ_α, the same as velocities, is above 1 % of |q̂| (of |a / ρ|) together: no contact
 *     may be wrong beside the impulses of another, whose normal hardly moves anything;
 *   - where there is no solution.
 *
 * Round-off of û = Ŵ r̂ + q̂ is forgiven up to 2 % of the load; without a load, |q̂| below 1e-11 m/s
 * and a = 0, all of it. */
#ifndef DELASSUS_TESTS_JUDGE_H
#define DELASSUS_TESTS_JUDGE_H

#include "tests/random_problem.h"

typedef long double Long;

typedef struct {
  Long natural, scaled;   /* relative to the largest of |q|, |r|, |u| */
  Long error, size, load; /* N s: |e|, |r|, the load */
  Long speed;             /* |e / ρ| over |q̂|, as velocities */
  Long by_load;           /* as in errors.h; 0 where the load explains the reactions */
  Long rounding,
      rounding_impulses; /* what doubles may leave of natural and scaled; of error, N s */
  Long allowance;        /* A of errors.h */
  bool idle;             /* there is no load */
} Verdict;

typedef struct {
  int first, size;
  Long mu[2];
} JudgeGroup;

static inline int judge_groups(const DlsRelation *relation, const Shape *shape, Long length,
                               JudgeGroup *groups) {
  const double *mu = relation->mu;
  const int tangents = shape->dim - 1, rolling = relation->cone == DLS_CONE_ROLLING;
  if (!rolling && relation->cone != DLS_CONE_COULOMB) return 0;
  const Long second = rolling ? mu[DLS_MU_1] : mu[DLS_MU_2];
  groups[0] = (JudgeGroup){1, tangents, {mu[DLS_MU_1], second}};
  if (!rolling) return 1;
  const Long roll = mu[DLS_MU_ROLL] / length, torsion = mu[DLS_MU_TORSION] / length;
  groups[1] = (JudgeGroup){1 + tangents, shape->dim - 1, {roll, roll}};
  groups[2] = (JudgeGroup){5, 1, {torsion, torsion}};
  return shape->block == 6 ? 3 : 2;
}

/* Σ (y_k / mu_k)² of y_k = x_k / (1 + λ / mu_k²), over s². */
static inline Long judge_fill(const JudgeGroup *g, const Long *x, Long lambda, Long s) {
  Long sum = 0;
  for (int k = 0; k < g->size; k++) {
    if (g->mu[k] == 0) continue;
    const Long y = g->mu[k] * x[g->first + k] / (g->mu[k] * g->mu[k] + lambda);
    sum += y * y;
  }
  return sum / (s * s);
}

static inline Long judge_multiplier(const JudgeGroup *g, const Long *x, Long s) {
  if (judge_fill(g, x, 0, s) <= 1) return 0;
  Long most = 1e-30L, norm = 0;
  for (int k = 0; k < g->size; k++) norm += x[g->first + k] * x[g->first + k];
  const Long mu = g->mu[0], size = sqrtl(norm);
  if (g->size == 1 || g->mu[0] == g->mu[1]) return mu * size / s - mu * mu; /* a disk */
  while (judge_fill(g, x, most, s) > 1) most *= 4;
  Long least = 0;
  for (int k = 0; k < 120; k++) {
    const Long middle = 0.5L * (least + most);
    *(judge_fill(g, x, middle, s) > 1 ? &least : &most) = middle;
  }
  return most;
}

/* x <- P_K(x) of a cone with friction. */
static inline void judge_friction(const JudgeGroup *groups, int count, int block, Long *x) {
  Long lambda[3] = {0}, least = 0, most = fabsl(x[0]);
  for (int g = 0; g < count; g++)
    for (int k = 0; k < groups[g].size; k++)
      most += (1 + groups[g].mu[k]) * fabsl(x[groups[g].first + k]);
  for (int turn = 0; turn < 130 && most > 0; turn++) {
    const Long s = 0.5L * (least + most);
    Long slope = s - x[0];
    for (int g = 0; g < count; g++) {
      lambda[g] = judge_multiplier(&groups[g], x, s);
      slope -= lambda[g] * s;
    }
    *(slope > 0 ? &most : &least) = s;
  }
  Long y[DLS_MAX_BLOCK] = {most};
  for (int g = 0; g < count && most > 1e-300L; g++)
    for (int k = groups[g].first; k < groups[g].first + groups[g].size; k++) {
      const Long mu = groups[g].mu[k - groups[g].first];
      y[k] = mu > 0 ? x[k] / (1 + judge_multiplier(&groups[g], x, most) / (mu * mu)) : 0;
    }
  memcpy(x, y, (size_t)block * sizeof *x);
}

/* e = r - P_K(r - rho (u + Γ(u) n)); spins and torques as they stand, lengths of the cone over
 * `length`. */
static inline void judge_map(const Planted *p, int i, Long rho, Long length, const Long *u,
                             const Long *r, Long *e) {
  const DlsRelation *relation = &p->relations[i];
  const int block = p->shape.block;
  JudgeGroup groups[3];
  const int count = judge_groups(relation, &p->shape, length, groups);
  Long shift = 0, x[DLS_MAX_BLOCK] = {0};
  for (int g = 0; g < count; g++) {
    Long sum = 0;
    for (int k = 0; k < groups[g].size; k++)
      sum += powl(groups[g].mu[k] * u[groups[g].first + k], 2);
    shift += sqrtl(sum);
  }
  for (int k = 0; k < block; k++) x[k] = r[k] - rho * (u[k] + (k ? 0 : shift));
  for (int k = 0; k < block; k++)
    if (relation->cone == DLS_CONE_FREE ||
        (k && (relation->cone == DLS_CONE_SLIDER || relation->cone == DLS_CONE_SIGNORINI)))
      x[k] = 0;
  if (relation->cone == DLS_CONE_SIGNORINI) x[0] = fmaxl(0, x[0]);
  if (count) judge_friction(groups, count, block, x);
  for (int k = 0; k < block; k++) e[k] = r[k] - x[k];
  if (relation->cone != DLS_CONE_CUSTOM) return;
  e[0] = fminl(r[0], u[0]);
  for (int k = 1; k < block; k++) e[k] = r[k] + (Long)p->viscosity * u[k];
}

/* A pair in standard form. */
typedef struct {
  Long q[MOST_ROWS], r[MOST_ROWS], u[MOST_ROWS],
      noise[MOST_ROWS]; /* noise: all that u is added up of */
} JudgePair;

static inline JudgePair judge_pair(const Planted *p, const double *r) {
  const int n = p->rows, block = p->shape.block;
  JudgePair pair = {{0}, {0}, {0}, {0}};
  for (int i = 0; i < n; i++) {
    const DlsRelation *relation = &p->relations[i / block];
    const Long b = relation->b[i % block], C = relation->C[i % block], a = relation->a[i % block];
    pair.r[i] = r[i] + a;
    pair.u[i] = p->q[i] + b + C * r[i];
    pair.q[i] = p->q[i] + b - C * a;
    pair.noise[i] = fabsl((Long)p->q[i]) + fabsl(b) + C * (fabsl((Long)r[i]) + fabsl(a));
    for (int k = 0; k < n; k++) {
      const Long w = p->W[i * n + k], pull = p->relations[k / block].a[k % block];
      pair.u[i] += w * r[k];
      pair.q[i] -= w * pull;
      pair.noise[i] += fabsl(w) * (fabsl((Long)r[k]) + fabsl(pull));
    }
  }
  return pair;
}

typedef struct {
  Long e2, r2, u2, q2, noise2;
} JudgeSums;

/* Adds contact i, its numbers made even: spins times, torques over the length. */
static inline void judge_contact(const Planted *p, int i, Long rho, Long length,
                                 const JudgePair *pair, JudgeSums *sums) {
  const int block = p->shape.block, at = i * block;
  const int custom = p->relations[i].cone == DLS_CONE_CUSTOM;
  Long even_u[DLS_MAX_BLOCK] = {0}, even_r[DLS_MAX_BLOCK] = {0}, e[DLS_MAX_BLOCK] = {0};
  for (int k = 0; k < block; k++) {
    const Long turn = k < p->shape.dim ? 1 : length;
    even_u[k] = turn * pair->u[at + k];
    even_r[k] = pair->r[at + k] / turn;
    sums->q2 += powl(rho * turn * pair->q[at + k], 2);
    sums->u2 += powl(rho * even_u[k], 2);
    sums->r2 += even_r[k] * even_r[k];
    const Long weight = custom ? 1 + p->viscosity : rho; /* a law of its own is not scaled */
    sums->noise2 += powl(weight * turn * pair->noise[at + k], 2) + even_r[k] * even_r[k];
  }
  if (custom) {
    judge_map(p, i, rho, 1, pair->u + at, pair->r + at, e);
    for (int k = p->shape.dim; k < block; k++) e[k] /= length;
  } else {
    judge_map(p, i, rho, length, even_u, even_r, e);
  }
  for (int k = 0; k < block; k++) sums->e2 += e[k] * e[k];
}

/* |F(q, 0)|² of the law of its own, which no q tells. */
static inline Long judge_asked2(const Planted *p, Long length) {
  Long sum = powl(fminl(0, p->q[0]), 2);
  for (int k = 1; k < p->shape.block; k++)
    sum += powl((Long)p->viscosity * p->q[k] / (k < p->shape.dim ? 1 : length), 2);
  return p->relations[0].cone == DLS_CONE_CUSTOM ? sum : 0;
}

/* The largest of |q|, |r| and |u|, those of the problem as it was given; 1 where that is none. */
static inline Long judge_scale(const Planted *p, const double *r) {
  Long q2 = 0, r2 = 0, u2 = 0;
  for (int i = 0; i < p->rows; i++) {
    Long u = p->q[i];
    for (int k = 0; k < p->rows; k++) u += (Long)p->W[i * p->rows + k] * r[k];
    q2 += powl(p->q[i], 2);
    r2 += powl(r[i], 2);
    u2 += u * u;
  }
  const Long scale = sqrtl(fmaxl(q2, fmaxl(r2, u2)));
  return scale > 2.3e-16L ? scale : 1;
}

static inline Verdict judge(const Planted *p, const double *r) {
  const int n = p->rows, block = p->shape.block;
  const JudgePair pair = judge_pair(p, r);
  JudgeSums plain = {0}, even = {0};
  Long pull2 = 0, asked2 = 0, q2 = 0, wrong_speed2 = 0, asked_speed2 = 0;
  for (int i = 0; i < p->contacts; i++) {
    const int at = i * block;
    Long spins = 0, length = 1;
    for (int k = p->shape.dim; k < block; k++)
      spins += (p->W[(at + k) * (n + 1)] + p->relations[i].C[k]) / (block - p->shape.dim);
    const Long w = p->W[at * (n + 1)] + p->relations[i].C[0];
    if (spins > 0 && w > 0) length = sqrtl(w / spins);
    judge_contact(p, i, 1, 1, &pair, &plain);
    const Long rho = w > 0 ? 1 / w : 1;
    JudgeSums one = {0};
    judge_contact(p, i, rho, length, &pair, &even);
    judge_contact(p, i, rho, length, &pair, &one);
    if (i == 0) asked2 = judge_asked2(p, length);
    Long own2 = i == 0 ? fmaxl(one.q2, asked2) : one.q2, pull_here2 = 0;
    for (int k = 0; k < block; k++) {
      pull_here2 += powl(p->relations[i].a[k], 2);
      q2 += pair.q[at + k] * pair.q[at + k];
    }
    pull2 += pull_here2;
    own2 = fmaxl(own2, pull_here2);
    wrong_speed2 += one.e2 / (rho * rho);
    asked_speed2 += own2 / (rho * rho);
  }
  const Long scale = judge_scale(p, r);
  const Long even_scale = sqrtl(fmaxl(even.q2, fmaxl(even.r2, even.u2)));
  const Long allowance = fminl(fmaxl(powl(p->contacts, 1.5L) / sqrtl(3), 1), 30), unit = 1e-14L;
  Verdict v = {.natural = sqrtl(plain.e2) / scale,
               .scaled = sqrtl(even.e2) / (even_scale > 0 ? even_scale : 1),
               .error = sqrtl(even.e2),
               .size = sqrtl(even.r2),
               .allowance = allowance,
               .idle = sqrtl(q2) < 1e-11L && pull2 == 0,
               .speed = asked_speed2 > 0 ? sqrtl(wrong_speed2 / asked_speed2) : 0,
               .load = sqrtl(fmaxl(asked2, fmaxl(even.q2, pull2)))};
  const Long least = even_scale > 0 ? even_scale : 1, counted = allowance * v.load;
  v.rounding_impulses = unit * sqrtl(even.noise2);
  v.rounding = unit * sqrtl(plain.noise2) / scale + v.rounding_impulses / least;
  if (!(v.size > counted)) return v;
  v.rounding += v.rounding_impulses / (counted > 0 ? counted : least);
  if (v.error > v.rounding_impulses || !(v.idle || v.error <= 0.01L * v.load))
    v.by_load = v.error / (counted > 0 ? counted : least);
  return v;
}

/* By what a solver stops: as in errors.h. Who asks for `natural` gets 0.1 % of the load asked for
 * too, and all get 0.5 % of the velocities, as so many tolerances as that is exceeded. */
static inline Long judge_error(const Verdict *v, DlsMeasure measure, Long tolerance) {
  const bool natural = measure != DLS_MEASURE_SCALED;
  Long error = fmaxl(natural ? v->natural : v->scaled, v->by_load);
  const Long most = fmaxl(tolerance, 1e-3L);
  const Long most_speed = fmaxl((natural ? 1 : v->allowance) * tolerance, 5e-3L);
  if (error > tolerance || v->idle) return error;
  if (natural && v->error > most * v->load) error = tolerance * v->error / v->load / most;
  return v->speed > most_speed ? fmaxl(error, tolerance * v->speed / most_speed) : error;
}

/* Whether "converged" would be true; `solvable` tells whether there is a solution. */
static inline bool judge_is_true(const Verdict *v, DlsMeasure measure, Long tolerance,
                                 bool solvable) {
  const Long error = measure == DLS_MEASURE_SCALED ? v->scaled : v->natural, ten = 10;
  const Long forgiven =
      v->idle ? v->rounding_impulses : fminl(v->rounding_impulses, 0.02L * v->load);
  const bool explained = v->size <= ten * v->load * (1 + 1e-9L);
  return solvable && error <= tolerance * (1 + 1e-6L) + v->rounding &&
         (v->idle || v->speed <= 0.01L) &&
         (explained || v->error <= ten * tolerance * v->load + forgiven);
}

#endif
