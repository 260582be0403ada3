#include "solver_bench/mechanism.h"

#include "base/small.h"

#include <math.h>
#include <string.h>

double bench_draw_power(DlsRandom *random, double least, double most) {
  return pow(10, dls_random_between(random, least, most));
}

static BenchPlanted mechanism_begin(DlsRandom *random, int dim, int contacts, double mu_most) {
  BenchPlanted p = {
      .shape = {dim, dim, DLS_CONE_COULOMB}, .contacts = contacts, .rows = contacts * dim};
  for (int i = 0; i < contacts; i++) {
    const double mu = mu_most * dls_random_unit(random);
    p.relations[i] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
  }
  return p;
}

/* W = H M⁻¹ Hᵀ, H [rows][freedoms], M diagonal. */
static void mechanism_weigh(BenchPlanted *p, int freedoms, const double *H, const double *mass) {
  for (int i = 0; i < p->rows; i++)
    for (int j = 0; j < p->rows; j++) {
      p->W[i * p->rows + j] = 0;
      for (int k = 0; k < freedoms; k++)
        p->W[i * p->rows + j] += H[i * freedoms + k] / mass[k] * H[j * freedoms + k];
    }
}

/* q = H v + (0, w1, w2): free velocities, and belts that run under the contacts. */
static void mechanism_drive(DlsRandom *random, BenchPlanted *p, int freedoms, const double *H,
                            double belts) {
  double v[BENCH_ROWS];
  for (int k = 0; k < freedoms; k++) v[k] = dls_random_normal(random);
  for (int i = 0; i < p->rows; i++)
    p->q[i] = dls_small_dot(freedoms, H + i * freedoms, v) +
              (i % p->shape.block ? belts * dls_random_normal(random) : 0);
}

BenchMechanism bench_draw_guided(DlsRandom *random, int dim) {
  const double unit[2] = {1, 1};
  const int freedoms = 1 + dls_random_below(random, 2);
  BenchMechanism m = {.planted =
                          mechanism_begin(random, dim, 1 + dls_random_below(random, 2), 1.5)};
  double H[BENCH_ROWS * 2];
  for (int k = 0; k < m.planted.rows * freedoms; k++) H[k] = dls_random_normal(random);
  mechanism_weigh(&m.planted, freedoms, H, unit);
  mechanism_drive(random, &m.planted, freedoms, H, 1);
  return m;
}

BenchMechanism bench_draw_weak(DlsRandom *random) {
  const double unit[2] = {1, 1};
  const int freedoms = 1 + dls_random_below(random, 2);
  BenchMechanism m = {.planted = mechanism_begin(random, 3, 1 + dls_random_below(random, 3), 1.2)};
  double H[BENCH_ROWS * 2];
  for (int i = 0; i < m.planted.rows; i++) {
    const double weak = i % 3 == 0 ? bench_draw_power(random, -3, 0) : 1;
    for (int k = 0; k < freedoms; k++) H[i * freedoms + k] = weak * dls_random_normal(random);
  }
  mechanism_weigh(&m.planted, freedoms, H, unit);
  mechanism_drive(random, &m.planted, freedoms, H, 1);
  return m;
}

BenchMechanism bench_draw_rank_one(DlsRandom *random) {
  const double unit[1] = {1}, out = dls_random_below(random, 2);
  BenchMechanism m = {.planted = mechanism_begin(random, 3, 1, 1.5)};
  double h[3];
  for (int k = 0; k < 3; k++) h[k] = dls_random_normal(random);
  mechanism_weigh(&m.planted, 1, h, unit);
  mechanism_drive(random, &m.planted, 1, h, 0);
  for (int k = 0; k < 3; k++) m.planted.q[k] += out * dls_random_normal(random);
  return m;
}

/* The part of the load, |ρ q|, that no reactions can answer: walls close by `squeeze` loads along z
 * / ρ², the shortest way in ρ u. Then |ρ u| of what penetrates is at least that, whatever r. */
static void squeeze_wedge(BenchMechanism *m, double squeeze) {
  BenchPlanted *p = &m->planted;
  const int dim = p->shape.dim;
  double load2 = 0, size2 = 0;
  for (int i = 0; i < p->rows; i++) {
    const double w = p->W[i / dim * dim * (p->rows + 1)];
    load2 += pow(p->q[i] / w, 2);
    size2 += pow(m->null[i] * w, 2);
  }
  for (int i = 0; i < p->rows; i += dim)
    p->q[i] -= squeeze * sqrt(load2 / size2) * m->null[i] * pow(p->W[i * (p->rows + 1)], 2);
  m->impossible = squeeze > 0;
}

BenchMechanism bench_draw_wedged(DlsRandom *random, double squeeze, double belts) {
  const int dim = 2 + dls_random_below(random, 2), freedoms = dim == 2 ? 3 : 6;
  const double unit[6] = {1, 1, 1, 1, 1, 1};
  BenchMechanism m = {.planted = mechanism_begin(random, dim, 2 + dls_random_below(random, 3), 1)};
  BenchPlanted *p = &m.planted;
  double H[BENCH_ROWS * 6];
  const int last = (p->contacts - 1) * dim;
  for (int k = 0; k < p->rows * freedoms; k++) H[k] = dls_random_normal(random) / sqrt(freedoms);
  for (int i = 0; i < p->contacts; i++) m.null[i * dim] = dls_random_between(random, 0.3, 2);
  for (int k = 0; k < freedoms; k++) {
    H[last * freedoms + k] = 0;
    for (int i = 0; i < last; i += dim)
      H[last * freedoms + k] -= m.null[i] / m.null[last] * H[i * freedoms + k];
  }
  mechanism_weigh(p, freedoms, H, unit);
  mechanism_drive(random, p, freedoms, H, belts);
  squeeze_wedge(&m, squeeze);
  return m;
}

BenchMechanism bench_draw_column(DlsRandom *random) {
  const int dim = 2 + dls_random_below(random, 2), contacts = 1 + dls_random_below(random, 4);
  const int freedoms = contacts * dim;
  BenchMechanism m = {.planted = mechanism_begin(random, dim, contacts, 1)};
  double H[BENCH_ROWS * BENCH_CONTACTS * 3] = {0}, mass[BENCH_CONTACTS * 3];
  for (int i = 0; i < contacts; i++) {
    const double weight = bench_draw_power(random, -6, 6);
    for (int k = 0; k < dim; k++) {
      const int row = i * dim + k;
      H[row * freedoms + row] = 1;
      if (i > 0) H[row * freedoms + row - dim] = -1;
      mass[row] = weight;
    }
  }
  mechanism_weigh(&m.planted, freedoms, H, mass);
  for (int i = 0; i < m.planted.rows; i++) m.planted.q[i] = 0.1 * dls_random_normal(random);
  m.planted.q[0] = -1;
  if (dls_random_below(random, 2)) /* one free fall of all */
    for (int i = 1; i < m.planted.rows; i++) m.planted.q[i] = 0;
  return m;
}

BenchMechanism bench_draw_rigid(DlsRandom *random) {
  const int dim = 2 + dls_random_below(random, 2);
  BenchMechanism m = {.planted = mechanism_begin(random, dim, 1 + dls_random_below(random, 4), 1)};
  for (int i = 0; i < m.planted.rows; i++) {
    const double q = dls_random_between(random, 0.2, 1);
    const int closes = dls_random_below(random, 3) == 0;
    m.planted.q[i] = i % dim == 0 && !closes ? q : -q;
    m.impossible |= i % dim == 0 && closes;
  }
  return m;
}

BenchMechanism bench_draw_compliant(DlsRandom *random) {
  const BenchKind kind = {
      .matrix = BENCH_SINGULAR, .mu_most = 1, .only = &bench_shapes[dls_random_below(random, 3)]};
  BenchMechanism m = {.planted = bench_draw_planted(random, &kind)};
  BenchPlanted *p = &m.planted;
  for (int i = 0; i < p->rows; i++) {
    DlsRelation *relation = &p->relations[i / p->shape.block];
    const int k = i % p->shape.block;
    relation->C[k] = dls_random_below(random, 2) ? dls_random_unit(random) : 0;
    relation->b[k] = 0.3 * dls_random_normal(random);
    relation->a[k] = k == 0 && dls_random_below(random, 2) ? dls_random_unit(random) : 0;
    p->r[i] -= relation->a[k];
    p->u[i] -= relation->b[k] + relation->C[k] * p->r[i];
  }
  bench_find_q(p);
  return m;
}

BenchMechanism bench_draw_prestressed(DlsRandom *random) {
  static const double loads[] = {0, 1e-18, 1e-14, 1e-10, 1e-6};
  BenchMechanism m = bench_draw_wedged(random, 0, 0);
  const double load = loads[dls_random_below(random, 5)], size = bench_draw_power(random, 0, 6);
  for (int i = 0; i < m.planted.rows; i++) {
    m.planted.q[i] *= load;
    m.null[i] *= size;
  }
  m.held = true;
  return m;
}
