#include "solver_bench/judge.h"

#include "base/small.h"

#include <math.h>
#include <string.h>

typedef struct {
  int first, size;
  BenchLong mu[2];
} JudgeGroup;

static int judge_groups(const DlsRelation *relation, const BenchShape *shape, BenchLong length,
                        JudgeGroup *groups) {
  const double *mu = relation->mu;
  const int tangents = shape->dim - 1, rolling = relation->cone == DLS_CONE_ROLLING;
  if (!rolling && relation->cone != DLS_CONE_COULOMB) return 0;
  const BenchLong second = rolling ? mu[DLS_MU_1] : mu[DLS_MU_2];
  groups[0] = (JudgeGroup){1, tangents, {mu[DLS_MU_1], second}};
  if (!rolling) return 1;
  const BenchLong roll = mu[DLS_MU_ROLL] / length, torsion = mu[DLS_MU_TORSION] / length;
  groups[1] = (JudgeGroup){1 + tangents, shape->dim - 1, {roll, roll}};
  groups[2] = (JudgeGroup){5, 1, {torsion, torsion}};
  return shape->block == 6 ? 3 : 2;
}

/* Σ (y_k / mu_k)² of y_k = x_k / (1 + λ / mu_k²), over s². */
static BenchLong judge_fill(const JudgeGroup *g, const BenchLong *x, BenchLong lambda,
                            BenchLong s) {
  BenchLong sum = 0;
  for (int k = 0; k < g->size; k++) {
    if (g->mu[k] == 0) continue;
    const BenchLong y = g->mu[k] * x[g->first + k] / (g->mu[k] * g->mu[k] + lambda);
    sum += y * y;
  }
  return sum / (s * s);
}

static BenchLong judge_multiplier(const JudgeGroup *g, const BenchLong *x, BenchLong s) {
  if (judge_fill(g, x, 0, s) <= 1) return 0;
  BenchLong most = 1e-30L, norm = 0;
  for (int k = 0; k < g->size; k++) norm += x[g->first + k] * x[g->first + k];
  const BenchLong mu = g->mu[0], size = sqrtl(norm);
  if (g->size == 1 || g->mu[0] == g->mu[1]) return mu * size / s - mu * mu; /* a disk */
  while (judge_fill(g, x, most, s) > 1) most *= 4;
  BenchLong least = 0;
  for (int k = 0; k < 120; k++) {
    const BenchLong middle = 0.5L * (least + most);
    *(judge_fill(g, x, middle, s) > 1 ? &least : &most) = middle;
  }
  return most;
}

/* x <- P_K(x) of a cone with friction. */
static void judge_friction(const JudgeGroup *groups, int count, int block, BenchLong *x) {
  BenchLong lambda[3] = {0}, least = 0, most = fabsl(x[0]);
  for (int g = 0; g < count; g++)
    for (int k = 0; k < groups[g].size; k++)
      most += (1 + groups[g].mu[k]) * fabsl(x[groups[g].first + k]);
  for (int turn = 0; turn < 130 && most > 0; turn++) {
    const BenchLong s = 0.5L * (least + most);
    BenchLong slope = s - x[0];
    for (int g = 0; g < count; g++) {
      lambda[g] = judge_multiplier(&groups[g], x, s);
      slope -= lambda[g] * s;
    }
    *(slope > 0 ? &most : &least) = s;
  }
  BenchLong y[DLS_MAX_BLOCK] = {most};
  for (int g = 0; g < count && most > 1e-300L; g++)
    for (int k = groups[g].first; k < groups[g].first + groups[g].size; k++) {
      const BenchLong mu = groups[g].mu[k - groups[g].first];
      y[k] = mu > 0 ? x[k] / (1 + judge_multiplier(&groups[g], x, most) / (mu * mu)) : 0;
    }
  memcpy(x, y, (size_t)block * sizeof *x);
}

/* e = r - P_K(r - rho (u + Γ(u) n)), Γ with the share that `associated` leaves; spins and torques
 * as they stand, lengths of the cone over `length`. */
static void judge_map(const BenchPlanted *p, int i, BenchLong rho, BenchLong length,
                      const BenchLong *u, const BenchLong *r, BenchLong *e) {
  const DlsRelation *relation = &p->relations[i];
  const int block = p->shape.block;
  JudgeGroup groups[3];
  const int count = judge_groups(relation, &p->shape, length, groups);
  BenchLong shift = 0, x[DLS_MAX_BLOCK] = {0};
  for (int g = 0; g < count; g++) {
    BenchLong sum = 0;
    for (int k = 0; k < groups[g].size; k++)
      sum += powl(groups[g].mu[k] * u[groups[g].first + k], 2);
    shift += (1 - (BenchLong)relation->associated) * sqrtl(sum);
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
  for (int k = 1; k < block; k++) e[k] = r[k] + (BenchLong)p->viscosity * u[k];
}

/* A pair in standard form. */
typedef struct {
  BenchLong q[BENCH_ROWS], r[BENCH_ROWS], u[BENCH_ROWS],
      noise[BENCH_ROWS]; /* noise: all that u is added up of */
} JudgePair;

static JudgePair judge_pair(const BenchPlanted *p, const double *r) {
  const int n = p->rows, block = p->shape.block;
  JudgePair pair = {{0}, {0}, {0}, {0}};
  for (int i = 0; i < n; i++) {
    const DlsRelation *relation = &p->relations[i / block];
    const BenchLong b = relation->b[i % block], C = relation->C[i % block],
                    a = relation->a[i % block];
    pair.r[i] = r[i] + a;
    pair.u[i] = p->q[i] + b + C * r[i];
    pair.q[i] = p->q[i] + b - C * a;
    pair.noise[i] = fabsl((BenchLong)p->q[i]) + fabsl(b) + C * (fabsl((BenchLong)r[i]) + fabsl(a));
    for (int k = 0; k < n; k++) {
      const BenchLong w = p->W[i * n + k], pull = p->relations[k / block].a[k % block];
      pair.u[i] += w * r[k];
      pair.q[i] -= w * pull;
      pair.noise[i] += fabsl(w) * (fabsl((BenchLong)r[k]) + fabsl(pull));
    }
  }
  return pair;
}

typedef struct {
  BenchLong e2, r2, u2, q2, noise2;
} JudgeSums;

/* Adds contact i, its numbers made even: spins times, torques over the length. */
static void judge_contact(const BenchPlanted *p, int i, BenchLong rho, BenchLong length,
                          const JudgePair *pair, JudgeSums *sums) {
  const int block = p->shape.block, at = i * block;
  const int custom = p->relations[i].cone == DLS_CONE_CUSTOM;
  BenchLong even_u[DLS_MAX_BLOCK] = {0}, even_r[DLS_MAX_BLOCK] = {0}, e[DLS_MAX_BLOCK] = {0};
  for (int k = 0; k < block; k++) {
    const BenchLong turn = k < p->shape.dim ? 1 : length;
    even_u[k] = turn * pair->u[at + k];
    even_r[k] = pair->r[at + k] / turn;
    sums->q2 += powl(rho * turn * pair->q[at + k], 2);
    sums->u2 += powl(rho * even_u[k], 2);
    sums->r2 += even_r[k] * even_r[k];
    const BenchLong weight = custom ? 1 + p->viscosity : rho; /* a law of its own is not scaled */
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
static BenchLong judge_asked2(const BenchPlanted *p, BenchLong length) {
  BenchLong sum = powl(fminl(0, p->q[0]), 2);
  for (int k = 1; k < p->shape.block; k++)
    sum += powl((BenchLong)p->viscosity * p->q[k] / (k < p->shape.dim ? 1 : length), 2);
  return p->relations[0].cone == DLS_CONE_CUSTOM ? sum : 0;
}

/* The largest of |q|, |r| and |u|, those of the problem as it was given; 1 where that is none. */
static BenchLong judge_scale(const BenchPlanted *p, const double *r) {
  BenchLong q2 = 0, r2 = 0, u2 = 0;
  for (int i = 0; i < p->rows; i++) {
    BenchLong u = p->q[i];
    for (int k = 0; k < p->rows; k++) u += (BenchLong)p->W[i * p->rows + k] * r[k];
    q2 += powl(p->q[i], 2);
    r2 += powl(r[i], 2);
    u2 += u * u;
  }
  const BenchLong scale = sqrtl(fmaxl(q2, fmaxl(r2, u2)));
  return scale > 2.3e-16L ? scale : 1;
}

BenchVerdict bench_judge(const BenchPlanted *p, const double *r) {
  const int n = p->rows, block = p->shape.block;
  const JudgePair pair = judge_pair(p, r);
  JudgeSums plain = {0}, even = {0};
  BenchLong pull2 = 0, asked2 = 0, q2 = 0, wrong_speed2 = 0, asked_speed2 = 0;
  for (int i = 0; i < p->contacts; i++) {
    const int at = i * block;
    BenchLong spins = 0, length = 1;
    for (int k = p->shape.dim; k < block; k++)
      spins += (p->W[(at + k) * (n + 1)] + p->relations[i].C[k]) / (block - p->shape.dim);
    const BenchLong w = p->W[at * (n + 1)] + p->relations[i].C[0];
    if (spins > 0 && w > 0) length = sqrtl(w / spins);
    judge_contact(p, i, 1, 1, &pair, &plain);
    const BenchLong rho = w > 0 ? 1 / w : 1;
    JudgeSums one = {0};
    judge_contact(p, i, rho, length, &pair, &even);
    judge_contact(p, i, rho, length, &pair, &one);
    if (i == 0) asked2 = judge_asked2(p, length);
    BenchLong own2 = i == 0 ? fmaxl(one.q2, asked2) : one.q2, pull_here2 = 0;
    for (int k = 0; k < block; k++) {
      pull_here2 += powl(p->relations[i].a[k], 2);
      q2 += pair.q[at + k] * pair.q[at + k];
    }
    pull2 += pull_here2;
    own2 = fmaxl(own2, pull_here2);
    wrong_speed2 += one.e2 / (rho * rho);
    asked_speed2 += own2 / (rho * rho);
  }
  const BenchLong scale = judge_scale(p, r);
  const BenchLong even_scale = sqrtl(fmaxl(even.q2, fmaxl(even.r2, even.u2)));
  const BenchLong allowance = fminl(fmaxl(powl(p->contacts, 1.5L) / sqrtl(3), 1), 30),
                  unit = 1e-14L;
  BenchVerdict v = {.natural = sqrtl(plain.e2) / scale,
                    .scaled = sqrtl(even.e2) / (even_scale > 0 ? even_scale : 1),
                    .error = sqrtl(even.e2),
                    .size = sqrtl(even.r2),
                    .allowance = allowance,
                    .idle = sqrtl(q2) < 1e-11L && pull2 == 0,
                    .speed = asked_speed2 > 0 ? sqrtl(wrong_speed2 / asked_speed2) : 0,
                    .load = sqrtl(fmaxl(asked2, fmaxl(even.q2, pull2)))};
  const BenchLong least = even_scale > 0 ? even_scale : 1, counted = allowance * v.load;
  v.rounding_impulses = unit * sqrtl(even.noise2);
  v.rounding = unit * sqrtl(plain.noise2) / scale + v.rounding_impulses / least;
  if (!(v.size > counted)) return v;
  v.rounding += v.rounding_impulses / (counted > 0 ? counted : least);
  if (v.error > v.rounding_impulses || !(v.idle || v.error <= 0.01L * v.load))
    v.by_load = v.error / (counted > 0 ? counted : least);
  return v;
}

BenchLong bench_judge_error(const BenchVerdict *v, DlsMeasure measure, BenchLong tolerance) {
  const bool natural = measure != DLS_MEASURE_SCALED;
  BenchLong error = fmaxl(natural ? v->natural : v->scaled, v->by_load);
  const BenchLong most = fmaxl(tolerance, 1e-3L);
  const BenchLong most_speed = fmaxl((natural ? 1 : v->allowance) * tolerance, 5e-3L);
  if (error > tolerance || v->idle) return error;
  if (natural && v->error > most * v->load) error = tolerance * v->error / v->load / most;
  return v->speed > most_speed ? fmaxl(error, tolerance * v->speed / most_speed) : error;
}

bool bench_judge_is_true(const BenchVerdict *v, DlsMeasure measure, BenchLong tolerance,
                         bool solvable) {
  const BenchLong error = measure == DLS_MEASURE_SCALED ? v->scaled : v->natural, ten = 10;
  const BenchLong forgiven =
      v->idle ? v->rounding_impulses : fminl(v->rounding_impulses, 0.02L * v->load);
  const bool explained = v->size <= ten * v->load * (1 + 1e-9L);
  return solvable && error <= tolerance * (1 + 1e-6L) + v->rounding &&
         (v->idle || v->speed <= 0.01L) &&
         (explained || v->error <= ten * tolerance * v->load + forgiven);
}
