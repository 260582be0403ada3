/* Small random problems of bodies rather than matrices, W = H M⁻¹ Hᵀ, q = H v + w: guided bodies on
 * belts, bodies wedged or squeezed between walls, columns with all ratios of masses, no freedom at
 * all. Nothing is planted: some have a solution, some several, some none; of some it is known that
 * they have none. */
#ifndef DELASSUS_TESTS_MECHANISM_H
#define DELASSUS_TESTS_MECHANISM_H

#include "tests/random_problem.h"

/* A problem, and what is known of it. */
typedef struct {
  Planted planted;        /* u and r of it are those planted, where something is */
  bool impossible;        /* there is no solution */
  bool held;              /* `null` is a guess: a prestress in balance */
  double null[MOST_ROWS]; /* W null = 0, normal parts positive, no tangential; or 0 */
} Mechanism;

static inline double draw_power(DlsRandom *random, double least, double most) {
  return pow(10, dls_random_between(random, least, most));
}

static inline Planted mechanism_begin(DlsRandom *random, int dim, int contacts, double mu_most) {
  Planted p = {.shape = {dim, dim, DLS_CONE_COULOMB}, .contacts = contacts, .rows = contacts * dim};
  for (int i = 0; i < contacts; i++) {
    const double mu = mu_most * dls_random_unit(random);
    p.relations[i] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
  }
  return p;
}

/* W = H M⁻¹ Hᵀ, H [rows][freedoms], M diagonal. */
static inline void mechanism_weigh(Planted *p, int freedoms, const double *H, const double *mass) {
  for (int i = 0; i < p->rows; i++)
    for (int j = 0; j < p->rows; j++) {
      p->W[i * p->rows + j] = 0;
      for (int k = 0; k < freedoms; k++)
        p->W[i * p->rows + j] += H[i * freedoms + k] / mass[k] * H[j * freedoms + k];
    }
}

/* q = H v + (0, w1, w2): free velocities, and belts that run under the contacts. */
static inline void mechanism_drive(DlsRandom *random, Planted *p, int freedoms, const double *H,
                                   double belts) {
  double v[MOST_ROWS];
  for (int k = 0; k < freedoms; k++) v[k] = dls_random_normal(random);
  for (int i = 0; i < p->rows; i++)
    p->q[i] = dls_small_dot(freedoms, H + i * freedoms, v) +
              (i % p->shape.block ? belts * dls_random_normal(random) : 0);
}

/* One or two freedoms, one or two contacts, belts. */
static inline Mechanism draw_guided(DlsRandom *random, int dim) {
  const double unit[2] = {1, 1};
  const int freedoms = 1 + dls_random_below(random, 2);
  Mechanism m = {.planted = mechanism_begin(random, dim, 1 + dls_random_below(random, 2), 1.5)};
  double H[MOST_ROWS * 2];
  for (int k = 0; k < m.planted.rows * freedoms; k++) H[k] = dls_random_normal(random);
  mechanism_weigh(&m.planted, freedoms, H, unit);
  mechanism_drive(random, &m.planted, freedoms, H, 1);
  return m;
}

/* The same with normals that move the body little, by down to 1e-3 of what tangents do: ρ = 1 /
 * W_NN over six decades, so that the impulses of one contact are nothing beside those of another.
 * */
static inline Mechanism draw_weak(DlsRandom *random) {
  const double unit[2] = {1, 1};
  const int freedoms = 1 + dls_random_below(random, 2);
  Mechanism m = {.planted = mechanism_begin(random, 3, 1 + dls_random_below(random, 3), 1.2)};
  double H[MOST_ROWS * 2];
  for (int i = 0; i < m.planted.rows; i++) {
    const double weak = i % 3 == 0 ? draw_power(random, -3, 0) : 1;
    for (int k = 0; k < freedoms; k++) H[i * freedoms + k] = weak * dls_random_normal(random);
  }
  mechanism_weigh(&m.planted, freedoms, H, unit);
  mechanism_drive(random, &m.planted, freedoms, H, 1);
  return m;
}

/* One freedom, one contact: W = h hᵀ, and q in the range of W, or out of it. */
static inline Mechanism draw_rank_one(DlsRandom *random) {
  const double unit[1] = {1}, out = dls_random_below(random, 2);
  Mechanism m = {.planted = mechanism_begin(random, 3, 1, 1.5)};
  double h[3];
  for (int k = 0; k < 3; k++) h[k] = dls_random_normal(random);
  mechanism_weigh(&m.planted, 1, h, unit);
  mechanism_drive(random, &m.planted, 1, h, 0);
  for (int k = 0; k < 3; k++) m.planted.q[k] += out * dls_random_normal(random);
  return m;
}

/* The part of the load, |ρ q|, that no reactions can answer: walls close by `squeeze` loads along z
 * / ρ², the shortest way in ρ u. Then |ρ u| of what penetrates is at least that, whatever r. */
static inline void squeeze_wedge(Mechanism *m, double squeeze) {
  Planted *p = &m->planted;
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

/* Normals that balance, Σ z_i h_i = 0 with z > 0: no reactions along z move anything, and z·u_N =
 * z·q_N whatever r. With `squeeze` > 0 that is negative, and there is no solution. */
static inline Mechanism draw_wedged(DlsRandom *random, double squeeze, double belts) {
  const int dim = 2 + dls_random_below(random, 2), freedoms = dim == 2 ? 3 : 6;
  const double unit[6] = {1, 1, 1, 1, 1, 1};
  Mechanism m = {.planted = mechanism_begin(random, dim, 2 + dls_random_below(random, 3), 1)};
  Planted *p = &m.planted;
  double H[MOST_ROWS * 6];
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

/* Bodies on each other, masses over twelve decades, that fall on the ground or on each other; they
 * do not turn. The upper body of contact i is body i, the lower one i - 1, or the ground. */
static inline Mechanism draw_column(DlsRandom *random) {
  const int dim = 2 + dls_random_below(random, 2), contacts = 1 + dls_random_below(random, 4);
  const int freedoms = contacts * dim;
  Mechanism m = {.planted = mechanism_begin(random, dim, contacts, 1)};
  double H[MOST_ROWS * MOST_CONTACTS * 3] = {0}, mass[MOST_CONTACTS * 3];
  for (int i = 0; i < contacts; i++) {
    const double weight = draw_power(random, -6, 6);
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

/* Nothing gives way: W = 0. Where a normal approaches there is no solution, else r = 0 is one. */
static inline Mechanism draw_rigid(DlsRandom *random) {
  const int dim = 2 + dls_random_below(random, 2);
  Mechanism m = {.planted = mechanism_begin(random, dim, 1 + dls_random_below(random, 4), 1)};
  for (int i = 0; i < m.planted.rows; i++) {
    const double q = dls_random_between(random, 0.2, 1);
    const int closes = dls_random_below(random, 3) == 0;
    m.planted.q[i] = i % dim == 0 && !closes ? q : -q;
    m.impossible |= i % dim == 0 && closes;
  }
  return m;
}

/* Compliance, restitution or gaps, cohesion; (u, r) planted in the standard form. */
static inline Mechanism draw_compliant(DlsRandom *random) {
  const Kind kind = {
      .matrix = SINGULAR, .mu_most = 1, .only = &shapes[dls_random_below(random, 3)]};
  Mechanism m = {.planted = draw_planted(random, &kind)};
  Planted *p = &m.planted;
  for (int i = 0; i < p->rows; i++) {
    DlsRelation *relation = &p->relations[i / p->shape.block];
    const int k = i % p->shape.block;
    relation->C[k] = dls_random_below(random, 2) ? dls_random_unit(random) : 0;
    relation->b[k] = 0.3 * dls_random_normal(random);
    relation->a[k] = k == 0 && dls_random_below(random, 2) ? dls_random_unit(random) : 0;
    p->r[i] -= relation->a[k];
    p->u[i] -= relation->b[k] + relation->C[k] * p->r[i];
  }
  find_q(p);
  return m;
}

/* A wedge under prestress with next to no load. */
static inline Mechanism draw_prestressed(DlsRandom *random) {
  static const double loads[] = {0, 1e-18, 1e-14, 1e-10, 1e-6};
  Mechanism m = draw_wedged(random, 0, 0);
  const double load = loads[dls_random_below(random, 5)], size = draw_power(random, 0, 6);
  for (int i = 0; i < m.planted.rows; i++) {
    m.planted.q[i] *= load;
    m.null[i] *= size;
  }
  m.held = true;
  return m;
}

#endif
