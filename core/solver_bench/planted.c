#include "solver_bench/planted.h"

#include "base/small.h"
#include "sample/dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const BenchShape bench_shapes[BENCH_SHAPES] = {
    {2, 2, DLS_CONE_COULOMB}, {3, 3, DLS_CONE_COULOMB}, {3, 3, DLS_CONE_COULOMB},
    {2, 3, DLS_CONE_ROLLING}, {3, 5, DLS_CONE_ROLLING}, {3, 6, DLS_CONE_ROLLING},
    {3, 6, DLS_CONE_COUNT},   {2, 2, DLS_CONE_COUNT},
};

static DlsRelation draw_relation(DlsRandom *random, const BenchKind *kind,
                                 const BenchShape *shape) {
  DlsRelation relation = {.cone = shape->cone};
  if (shape->cone == DLS_CONE_COUNT) {
    static const DlsCone cones[] = {DLS_CONE_FREE,      DLS_CONE_BILATERAL, DLS_CONE_SLIDER,
                                    DLS_CONE_SIGNORINI, DLS_CONE_COULOMB,   DLS_CONE_ROLLING};
    relation.cone = cones[dls_random_below(random, shape->block > 2 ? 6 : 5)];
  }
  if (kind->frictionless && dls_random_below(random, 2)) relation.cone = DLS_CONE_SIGNORINI;
  for (int k = 0; k < DLS_MU_COUNT; k++)
    relation.mu[k] = dls_random_below(random, 8) ? kind->mu_most * dls_random_unit(random) : 0;
  if (dls_random_below(random, 2))
    relation.mu[DLS_MU_2] = relation.mu[DLS_MU_1]; /* else elliptic */
  static const double flows[] = {0, 0.3, 1};
  relation.associated = kind->dilatant ? flows[dls_random_below(random, 3)] : kind->associated;
  return relation;
}

/* u_N opens by associated mu |u_g|, mu by component. */
static void dilate(double associated, const double *mu, int first, int size, double *u) {
  const double slide[2] = {mu[0] * u[first], size > 1 ? mu[1] * u[first + 1] : 0};
  if (associated > 0) u[0] += associated * dls_small_norm(size, slide);
}

/* One group [first, first + size) sticks or slides; mu by component. */
static void plant_group(DlsRandom *random, int still, const double *mu, int first, int size,
                        double *u, double *r) {
  double slip[2] = {0};
  const int slides = dls_random_below(random, 2) && !still;
  for (int k = 0; k < size; k++) slip[k] = dls_random_normal(random);
  const double scaled[2] = {mu[0] * slip[0], size > 1 ? mu[1] * slip[1] : 0};
  const double norm = fmax(dls_small_norm(size, scaled), 1e-300);
  const double share = slides ? 1 : dls_random_between(random, 0, 0.95);
  for (int k = 0; k < size; k++) {
    r[first + k] = -share * mu[k] * (scaled[k] / norm) * r[0];
    u[first + k] = slides || (mu[k] == 0 && !still) ? slip[k] : 0;
  }
}

void bench_plant(DlsRandom *random, const BenchKind *kind, const BenchShape *shape,
                 const DlsRelation *relation, double *u, double *r) {
  const DlsCone cone = relation->cone;
  const int block = shape->block, tangents = shape->dim - 1, even = cone == DLS_CONE_ROLLING;
  const bool rubs = cone == DLS_CONE_COULOMB || cone == DLS_CONE_ROLLING;
  const double *mu = relation->mu, turning[2] = {mu[DLS_MU_ROLL], mu[DLS_MU_ROLL]};
  const double both[2] = {mu[DLS_MU_1], even ? mu[DLS_MU_1] : mu[DLS_MU_2]};
  const double associated = rubs ? relation->associated : 0;
  for (int k = 0; k < block; k++) {
    u[k] = kind->still && k > 0 ? 0 : dls_random_normal(random);
    r[k] = 0;
  }
  if (cone == DLS_CONE_FREE) return;
  u[0] = fabs(u[0]);
  const bool opens =
      cone != DLS_CONE_BILATERAL && cone != DLS_CONE_SLIDER && dls_random_below(random, 3) == 0;
  if (!opens) u[0] = 0;
  if (!opens) r[0] = dls_random_between(random, 0.1, 2);
  if (cone == DLS_CONE_BILATERAL)
    for (int k = 0; k < block; k++) {
      u[k] = 0;
      r[k] = dls_random_normal(random);
    }
  if (!rubs) return;
  if (!opens) plant_group(random, kind->still, both, 1, tangents, u, r);
  dilate(associated, both, 1, tangents, u);
  if (cone != DLS_CONE_ROLLING) return;
  if (!opens) plant_group(random, kind->still, turning, 1 + tangents, shape->dim - 1, u, r);
  dilate(associated, turning, 1 + tangents, shape->dim - 1, u);
  if (block != 6) return;
  if (!opens) plant_group(random, kind->still, &mu[DLS_MU_TORSION], 5, 1, u, r);
  dilate(associated, &mu[DLS_MU_TORSION], 5, 1, u);
}

static void draw_matrix(DlsRandom *random, const BenchKind *kind, int rows, int twins, double *W) {
  double B[BENCH_ROWS * BENCH_ROWS];
  const int singular = kind->matrix == BENCH_SINGULAR || kind->matrix == BENCH_WORST || twins;
  const int rank = singular ? 1 + rows / 2 : rows;
  const int half = kind->matrix == BENCH_WORST && dls_random_below(random, 2);
  const double skew = twins ? 0 : kind->matrix == BENCH_UNSYMMETRIC ? 0.1 : half ? 0.5 : 0;
  for (int k = 0; k < rows * rank; k++) B[k] = dls_random_normal(random) / sqrt(rank);
  memcpy(B + twins * rank, B, (size_t)(twins * rank) * sizeof *B);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      W[i * rows + j] = singular ? 0 : 1.5 * (i == j);
      for (int k = 0; k < rank; k++) W[i * rows + j] += B[i * rank + k] * B[j * rank + k];
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < i; j++) {
      const double s = skew * dls_random_normal(random);
      W[i * rows + j] += s;
      W[j * rows + i] -= s;
    }
}

void bench_find_q(BenchPlanted *p) {
  for (int i = 0; i < p->rows; i++)
    p->q[i] = p->u[i] - dls_small_dot(p->rows, p->W + i * p->rows, p->r);
}

BenchPlanted bench_draw_planted(DlsRandom *random, const BenchKind *kind) {
  BenchPlanted p = {.shape = kind->only ? *kind->only
                                        : bench_shapes[dls_random_below(random, BENCH_SHAPES)]};
  const int block = p.shape.block;
  p.contacts = kind->contacts ? kind->contacts : 1 + dls_random_below(random, block > 3 ? 3 : 4);
  if (kind->twins && p.contacts < 2) p.contacts = 2;
  p.rows = p.contacts * block;
  draw_matrix(random, kind, p.rows, kind->twins ? block : 0, p.W);
  for (int i = 0; i < p.contacts; i++) {
    p.relations[i] = draw_relation(random, kind, &p.shape);
    if (kind->twins && i == 1) p.relations[1] = p.relations[0];
    bench_plant(random, kind, &p.shape, &p.relations[i], p.u + i * block, p.r + i * block);
  }
  if (kind->twins) {
    memcpy(p.u + block, p.u, (size_t)block * sizeof *p.u);
    memcpy(p.r + block, p.r, (size_t)block * sizeof *p.r);
  }
  bench_find_q(&p);
  return p;
}

void bench_scale_planted(BenchPlanted *p, double mass, double speed) {
  for (int k = 0; k < p->rows * p->rows; k++) p->W[k] /= mass;
  for (int k = 0; k < p->rows; k++) {
    p->u[k] *= speed;
    p->q[k] *= speed;
    p->r[k] *= mass * speed;
  }
  p->viscosity *= mass;
}

/* A law of its own: Signorini's in the normal, a viscous film, r_T = -k u_T, k in kg, in the
 * others. */
static DlsStatus film_residual(void *context, const double *u, const double *r, double *F,
                               double *dF_du, double *dF_dr) {
  const BenchPlanted *p = context;
  const int n = p->shape.block, touches = r[0] > u[0];
  F[0] = touches ? u[0] : r[0];
  for (int k = 1; k < n; k++) F[k] = r[k] + p->viscosity * u[k];
  for (int k = 0; k < n * n && dF_du; k++) dF_du[k] = dF_dr[k] = 0;
  for (int k = 0; k < n && dF_du; k++) {
    dF_du[k * (n + 1)] = k ? p->viscosity : touches;
    dF_dr[k * (n + 1)] = k ? 1 : !touches;
  }
  return DLS_OK;
}

static DlsStatus film_project(void *context, const double *u, double rho, double *r) {
  const BenchPlanted *p = context;
  r[0] = fmax(0, r[0] - rho * u[0]);
  for (int k = 1; k < p->shape.block; k++) r[k] = (r[k] - rho * u[k]) / (1 + rho / p->viscosity);
  return DLS_OK;
}

void bench_plant_film(DlsRandom *random, BenchPlanted *p) {
  p->viscosity = dls_random_between(random, 0.1, 2);
  p->relations[0] = (DlsRelation){.cone = DLS_CONE_CUSTOM};
  p->u[0] = 0;
  p->r[0] = dls_random_unit(random);
  for (int k = 1; k < p->shape.block; k++) {
    p->u[k] = dls_random_normal(random);
    p->r[k] = -p->viscosity * p->u[k];
  }
  bench_find_q(p);
}

DlsStatus bench_make_planted(BenchPlanted *p, DlsProblem **out) {
  const bool film = p->contacts > 0 && p->relations[0].cone == DLS_CONE_CUSTOM;
  const DlsCustomRelation custom[BENCH_CONTACTS] = {
      {.law = "film", .context = p, .residual = film_residual, .project = film_project}};
  return dls_sample_dense(p->shape.dim, p->contacts, p->shape.block, p->W, p->q, p->relations,
                          film ? custom : NULL, out);
}
