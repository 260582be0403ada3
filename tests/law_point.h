/* One body on one contact with a law, stepped by euler's or moreau's scheme without a world: the
 * gap, the velocity and the accounts of energy are all there is. For closed forms of laws. */
#ifndef DELASSUS_TESTS_LAW_POINT_H
#define DELASSUS_TESTS_LAW_POINT_H

#include "base/random.h"
#include "tests/test.h"

#include <delassus/laws.h>
#include <delassus/local.h>

typedef struct {
  const DlsLaw *law;
  bool moreau; /* else euler */
  bool found;  /* the contact was there in the last step */
  double h, time, mass, gap;
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
  double stored, dissipated, work; /* J; the last two since the beginning */
  double least;                    /* J, the smallest dissipation of a step */
  DlsContact contact;
  double params[DLS_MAX_PARAMS], state[DLS_MAX_PARAMS];
} LawPoint;

/* At rest, the gap closed, n = z (y in 2-D). */
static inline void point_open(LawPoint *point, const char *name, int dim, double h, double mass) {
  *point = (LawPoint){.h = h, .mass = mass, .contact = {.dim = dim, .block = dim, .h = h}};
  if (dls_law_find(name, &point->law) != DLS_OK) test_skip("the law is not built");
  dls_law_defaults(point->law, point->params);
  double(*frame)[3] = point->contact.frame;
  if (dim == 3) {
    frame[0][2] = frame[1][0] = frame[2][1] = 1;
  } else {
    frame[0][1] = frame[2][2] = 1;
    frame[1][0] = -1;
  }
}

static inline void point_set(LawPoint *point, const char *name, double value) {
  CHECK_OK(dls_law_set(point->law, point->params, name, value));
}

/* û = (D + C) r̂ + q + b - (D + C) a for r̂, then r = r̂ - a. */
static inline void point_solve(LawPoint *point, const DlsLawUse *use, const double *q) {
  const int n = point->contact.block;
  DlsRelation relation;
  DlsCustomRelation custom;
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0}, q_hat[DLS_MAX_BLOCK];
  CHECK_OK(dls_law_prepare(use, &relation));
  const bool own = relation.cone == DLS_CONE_CUSTOM;
  if (own) CHECK_OK(dls_law_custom(use, &custom));
  for (int i = 0; i < n; i++) {
    D[i * (n + 1)] = 1 / point->mass + relation.C[i];
    q_hat[i] = q[i] + relation.b[i] - D[i * (n + 1)] * relation.a[i];
    point->r[i] += relation.a[i];
  }
  const int dim = point->contact.dim;
  CHECK(dls_local_solve(&relation, dim, n, own ? &custom : NULL, D, q_hat, point->r) !=
        DLS_LOCAL_NONE);
  for (int i = 0; i < n; i++) point->r[i] -= relation.a[i];
}

static inline void point_contact(LawPoint *point, const double *q) {
  DlsContact *c = &point->contact;
  const DlsLawUse use = {
      .law = point->law, .kinematics = c, .params = point->params, .state = point->state};
  double u[DLS_MAX_BLOCK], stored, dissipated;
  const bool closed = point->gap <= 0;
  c->time = point->time;
  c->gap = point->gap;
  c->gap_rate = closed ? 0 : point->gap / point->h;
  c->mass = point->mass;
  memcpy(c->u_before, point->u, sizeof point->u);
  if (!point->found) {
    memset(point->r, 0, sizeof point->r);
    dls_law_new_state(point->law, point->state);
    if (point->law->begin) CHECK_OK(point->law->begin(c, point->params, point->state));
  }
  point->found = true;
  point_solve(point, &use, q);
  for (int i = 0; i < c->block; i++) {
    u[i] = q[i] + point->r[i] / point->mass;
    point->work += 0.5 * point->r[i] * (u[i] + point->u[i]);
  }
  CHECK_OK(dls_law_energy(&use, u, point->r, &stored, &dissipated));
  point->least = fmin(point->least, dissipated);
  point->stored = stored;
  point->dissipated += dissipated;
  CHECK_OK(dls_law_commit(&use, u, point->r, point->state));
  memcpy(point->u, u, sizeof u);
}

/* One step under a force [block], N. Moreau leaves out what is open beyond the law's range. */
static inline void point_step(LawPoint *point, const double *force) {
  double q[DLS_MAX_BLOCK];
  if (point->moreau) point->gap += 0.5 * point->h * point->u[0];
  for (int i = 0; i < point->contact.block; i++)
    q[i] = point->u[i] + point->h * force[i] / point->mass;
  const DlsPair pair = dls_law_pair(&point->contact);
  const double range = point->law->range ? point->law->range(&pair, point->params) : 0;
  if (point->moreau && point->gap > range) {
    point->found = false;
    memset(point->r, 0, sizeof point->r);
    memcpy(point->u, q, sizeof *q * (size_t)point->contact.block);
  } else {
    point_contact(point, q);
  }
  point->gap += (point->moreau ? 0.5 : 1) * point->h * point->u[0];
  point->time += point->h;
}

/* Entries of dF/du and dF/dr that agree with central differences; those over a kink do not
 * count. */
static inline int point_check_derivatives(const DlsCustomRelation *custom, int n, double *u,
                                          double *r) {
  const double step = 1e-6;
  double F[DLS_MAX_BLOCK], du[DLS_MAX_BLOCK * DLS_MAX_BLOCK], dr[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  int checked = 0;
  CHECK_OK(custom->residual(custom->context, u, r, F, du, dr));
  for (int which = 0; which < 2; which++)
    for (int j = 0; j < n; j++) {
      double *x = which ? r : u, above[DLS_MAX_BLOCK], below[DLS_MAX_BLOCK], wide[DLS_MAX_BLOCK];
      const double kept = x[j];
      x[j] = kept + step;
      CHECK_OK(custom->residual(custom->context, u, r, above, NULL, NULL));
      x[j] = kept - step;
      CHECK_OK(custom->residual(custom->context, u, r, below, NULL, NULL));
      x[j] = kept + 2 * step;
      CHECK_OK(custom->residual(custom->context, u, r, wide, NULL, NULL));
      x[j] = kept;
      for (int i = 0; i < n; i++) {
        const double centre = (above[i] - below[i]) / (2 * step);
        if (fabs(centre - (wide[i] - F[i]) / (2 * step)) > 1e-4 * (1 + fabs(centre))) continue;
        checked++;
        CHECK_NEAR((which ? dr : du)[i * n + j], centre, 1e-4 * (1 + fabs(centre)));
      }
    }
  return checked;
}

/* The law's own relation at (u, r): F = r - project(r) at rho = mass, derivatives, and the solve of
 * a problem that passes through u. Kinematics are those of point->contact. */
static inline int point_check_own(LawPoint *point, double *u, double *r) {
  const int n = point->contact.block;
  const DlsLawUse use = {.law = point->law,
                         .kinematics = &point->contact,
                         .params = point->params,
                         .state = point->state};
  DlsCustomRelation custom;
  double F[DLS_MAX_BLOCK], p[DLS_MAX_BLOCK], D[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  CHECK_OK(dls_law_custom(&use, &custom));
  memcpy(p, r, sizeof *p * (size_t)n);
  CHECK_OK(custom.residual(custom.context, u, r, F, NULL, NULL));
  CHECK_OK(custom.project(custom.context, u, point->contact.mass, p));
  for (int i = 0; i < n; i++) CHECK_NEAR(F[i], r[i] - p[i], 1e-13);
  for (int i = 0; i < n; i++) /* coupled, definite */
    for (int j = 0; j < n; j++) D[i * n + j] = (i == j) + 0.3 * u[i] * u[j];
  const DlsRelation relation = {.cone = DLS_CONE_CUSTOM};
  double answer[DLS_MAX_BLOCK] = {0};
  CHECK(dls_local_solve(&relation, point->contact.dim, n, &custom, D, u, answer) != DLS_LOCAL_NONE);
  return point_check_derivatives(&custom, n, u, r);
}

/* The same at a pair drawn from -1 to 1. */
static inline int point_check_own_anywhere(LawPoint *point, DlsRandom *random) {
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
  for (int i = 0; i < point->contact.block; i++) {
    u[i] = dls_random_between(random, -1, 1);
    r[i] = dls_random_between(random, -1, 1);
  }
  return point_check_own(point, u, r);
}

#endif
