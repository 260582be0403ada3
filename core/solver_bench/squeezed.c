#include "solver_bench/squeezed.h"

#include "base/small.h"

#include <math.h>
#include <string.h>

static void squeezed_cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void squeezed_direction(DlsRandom *random, int dim, double *n) {
  double norm = 0;
  while (!(norm > 0.1)) {
    n[2] = 0;
    for (int k = 0; k < dim; k++) n[k] = dls_random_normal(random);
    norm = dls_small_norm(3, n);
  }
  for (int k = 0; k < 3; k++) n[k] /= norm;
}

/* Rows n, t1, t2 of a frame, right-handed. */
static void squeezed_frame(int dim, const double *n, double T[9]) {
  double other[3] = {0};
  memcpy(T, n, 3 * sizeof *T);
  if (dim == 2) {
    T[3] = -n[1], T[4] = n[0], T[5] = 0, T[6] = T[7] = 0, T[8] = 1;
    return;
  }
  other[fabs(n[0]) < 0.5 ? 0 : fabs(n[1]) < 0.7 ? 1 : 2] = 1;
  squeezed_cross(n, other, T + 3);
  const double norm = dls_small_norm(3, T + 3);
  for (int k = 0; k < 3; k++) T[3 + k] /= norm;
  squeezed_cross(n, T + 3, T + 6);
}

/* ± the rows of H of one body: T (v + w x lever), then the spins. */
static void squeezed_support(BenchSqueezed *s, int body, double sign, const double *lever,
                             const double *T) {
  const int dim = s->shape.dim, block = s->shape.block, at = s->start[s->contacts + 1]++;
  double *H = s->H + at * block * s->dof;
  s->body[at] = body;
  for (int k = 0; k < block; k++) {
    double turn[3] = {0}, *row = H + k * s->dof;
    const int spins = k >= dim, last = k == 5;
    const double *t = spins ? T + 3 * (last ? 0 : dim == 2 ? 2 : k - 2) : T + 3 * k;
    if (spins)
      memcpy(turn, t, sizeof turn);
    else
      squeezed_cross(lever, t, turn);
    for (int c = 0; c < dim && !spins; c++) row[c] = sign * t[c];
    for (int c = dim; c < s->dof; c++) row[c] = sign * (dim == 2 ? turn[2] : turn[c - 3]);
  }
}

/* A contact: n leads from the antagonist (-1: a wall) to the candidate. */
static int squeezed_touch(BenchSqueezed *s, int candidate, int antagonist, const double *point,
                          const double *n) {
  double T[9], lever[3];
  const int who[2] = {candidate, antagonist};
  squeezed_frame(s->shape.dim, n, T);
  s->start[s->contacts + 1] = s->start[s->contacts];
  for (int side = 0; side < 2; side++) {
    if (who[side] < 0) continue;
    for (int k = 0; k < 3; k++) lever[k] = point[k] - s->x[who[side]][k];
    squeezed_support(s, who[side], side ? -1 : 1, lever, T);
  }
  s->lambda[s->contacts] = 0;
  return s->contacts++;
}

static int squeezed_add(BenchSqueezed *s, DlsRandom *random, const double *x, double decades) {
  memcpy(s->x[s->bodies], x, sizeof s->x[0]);
  s->mass[s->bodies] = pow(10, dls_random_between(random, -decades, decades));
  return s->bodies++;
}

static void squeezed_ball(BenchSqueezed *s, DlsRandom *random) {
  const int dim = s->shape.dim, walls = dls_random_below(random, 2) ? 2 : dim + 1;
  const double zero[3] = {0}, radius = dls_random_between(random, 0.5, 2);
  double sum[3] = {0}, n[3], point[3];
  const int ball = squeezed_add(s, random, zero, 3);
  for (int wall = 0; wall < walls; wall++) {
    double push = dls_random_between(random, 0.2, 1);
    if (wall + 1 < walls) {
      squeezed_direction(random, dim, n);
    } else {
      push = dls_small_norm(3, sum);
      for (int k = 0; k < 3; k++) n[k] = -sum[k] / push;
    }
    for (int k = 0; k < 3; k++) {
      sum[k] += push * n[k];
      point[k] = -radius * n[k];
    }
    s->lambda[squeezed_touch(s, ball, -1, point, n)] = push;
  }
}

static void squeezed_chain(BenchSqueezed *s, DlsRandom *random, double decades) {
  const int count = 1 + dls_random_below(random, 6);
  double n[3], point[3] = {0};
  int last = -1;
  squeezed_direction(random, s->shape.dim, n);
  for (int i = 0; i <= count; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = (2 * i + 1) * n[k];
    for (int k = 0; k < 3; k++) point[k] = 2 * i * n[k];
    const int next = i < count ? squeezed_add(s, random, x, decades) : -1;
    double back[3] = {-n[0], -n[1], -n[2]};
    const int contact = next >= 0 ? squeezed_touch(s, next, last, point, n)
                                  : squeezed_touch(s, last, -1, point, back);
    s->lambda[contact] = 1;
    last = next;
  }
}

static void squeezed_block(BenchSqueezed *s, DlsRandom *random) {
  double zero[3] = {0}, n[3], point[3], lever[3];
  const int block = squeezed_add(s, random, zero, 3);
  squeezed_direction(random, s->shape.dim, n);
  squeezed_direction(random, s->shape.dim, lever);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 3; k++) point[k] = lever[k] + (side ? 1.5 * n[k] : 0);
    const double push[3] = {side ? -n[0] : n[0], side ? -n[1] : n[1], side ? -n[2] : n[2]};
    s->lambda[squeezed_touch(s, block, -1, point, push)] = 1;
  }
}

/* Rows at random, the last normal such that all balance. */
static void squeezed_guided(BenchSqueezed *s, DlsRandom *random) {
  const double zero[3] = {0};
  double sum[BENCH_SQUEEZED_DOF] = {0};
  s->dof = 1 + dls_random_below(random, 3);
  const int block = s->shape.block, count = 1 + s->dof;
  squeezed_add(s, random, zero, 0);
  for (int i = 0; i < count; i++) {
    double *H = s->H + i * block * s->dof, push = dls_random_between(random, 0.3, 1);
    s->body[i] = 0;
    s->start[i + 1] = i + 1;
    for (int e = 0; e < block * s->dof; e++) H[e] = dls_random_normal(random);
    if (i + 1 == count) push = dls_small_norm(s->dof, sum);
    for (int c = 0; c < s->dof && i + 1 == count; c++) H[c] = -sum[c] / push;
    for (int c = 0; c < s->dof; c++) sum[c] += push * H[c];
    s->lambda[i] = push;
    s->contacts++;
  }
}

/* Others touch those there are, each other and walls, anywhere. */
static void squeezed_hide(BenchSqueezed *s, DlsRandom *random) {
  const int more = 2 + dls_random_below(random, 6);
  for (int k = 0; k < more; k++) {
    double x[3], n[3], point[3];
    squeezed_direction(random, s->shape.dim, x);
    for (int c = 0; c < 3; c++) x[c] *= 3;
    const int body = squeezed_add(s, random, x, 1), touches = 1 + dls_random_below(random, 4);
    for (int t = 0; t < touches; t++) {
      const int other = t == 0 ? dls_random_below(random, body)
                               : dls_random_below(random, body + 1) - 1; /* or a wall */
      squeezed_direction(random, s->shape.dim, n);
      for (int c = 0; c < 3; c++) point[c] = x[c] - n[c];
      squeezed_touch(s, body, other, point, n);
    }
  }
}

static void squeezed_relations(BenchSqueezed *s, DlsRandom *random) {
  for (int i = 0; i < s->contacts; i++) {
    DlsRelation *relation = &s->relations[i];
    *relation = (DlsRelation){.cone = s->shape.cone};
    if (dls_random_below(random, 4) == 0) relation->cone = DLS_CONE_SIGNORINI;
    if (s->kind == BENCH_SQUEEZED_JOINT && dls_random_below(random, 2))
      relation->cone = dls_random_below(random, 2) ? DLS_CONE_SLIDER : DLS_CONE_BILATERAL;
    const double mu = dls_random_between(random, 0, 1);
    for (int k = 0; k < DLS_MU_COUNT; k++) relation->mu[k] = mu;
    if (dls_random_below(random, 4) == 0) relation->b[0] = dls_random_normal(random);
    if (dls_random_below(random, 4) == 0) relation->a[0] = dls_random_unit(random);
  }
}

DlsStatus bench_squeezed_operator(const BenchSqueezed *s, double gyroscopic, DlsOperator **out) {
  double mass[BENCH_SQUEEZED_BODIES * BENCH_SQUEEZED_DOF * BENCH_SQUEEZED_DOF] = {0};
  for (int b = 0; b < s->bodies; b++) {
    double *M = mass + b * s->dof * s->dof;
    for (int k = 0; k < s->dof; k++) M[k * (s->dof + 1)] = s->mass[b] * (k < 3 ? 1 : 0.4);
    if (s->dof == 6) {
      M[3 * 6 + 4] = gyroscopic * s->mass[b];
      M[4 * 6 + 3] = -gyroscopic * s->mass[b];
    }
  }
  return dls_operator_create_factored(s->contacts, s->shape.block, s->bodies, s->dof, s->start,
                                      s->body, s->H, mass, out);
}

void bench_squeezed_plant(BenchSqueezed *s, DlsRandom *random, const DlsOperator *W,
                          double prestress, double closing) {
  const BenchKind kind = {.matrix = BENCH_SINGULAR};
  const int block = s->shape.block, rows = s->contacts * block;
  double r[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK], Wr[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK];
  double load = 0, most = 0;
  int chosen = 0;
  for (int i = 0; i < s->contacts; i++) {
    bench_plant(random, &kind, &s->shape, &s->relations[i], s->u + i * block, s->r + i * block);
    if (s->lambda[i] != 0) s->u[i * block] = 0;
    for (int k = 0; k < block; k++) {
      s->r[i * block + k] *= prestress;
      r[i * block + k] = s->r[i * block + k] - s->relations[i].a[k];
    }
  }
  dls_operator_apply(W, r, Wr);
  for (int e = 0; e < rows; e++) s->q[e] = s->u[e] - s->relations[e / block].b[e % block] - Wr[e];
  for (int i = 0; i < s->contacts; i++) {
    if (s->lambda[i] == 0) continue;
    load = fmax(load, fabs(s->q[i * block]) + fabs(s->relations[i].b[0]));
    most = fmax(most, s->lambda[i]);
    if (dls_random_below(random, 2)) chosen = i;
  }
  while (s->lambda[chosen] == 0) chosen++;
  if (load == 0) load = 1;
  s->q[chosen * block] -= closing * load;
  s->closing = closing * load * s->lambda[chosen] / most;
}

BenchSqueezed bench_draw_squeezed(DlsRandom *random, BenchSqueezedKind kind, double decades) {
  static const BenchShape all[] = {{2, 2, DLS_CONE_COULOMB},
                                   {3, 3, DLS_CONE_COULOMB},
                                   {2, 3, DLS_CONE_ROLLING},
                                   {3, 6, DLS_CONE_ROLLING}};
  BenchSqueezed s = {.kind = kind, .shape = all[dls_random_below(random, 8) % 5 % 4]};
  s.dof = s.shape.dim == 2 ? 3 : 6;
  const int hidden = kind == BENCH_SQUEEZED_HIDDEN, either = dls_random_below(random, 2);
  if (kind == BENCH_SQUEEZED_BALL || (hidden && either)) squeezed_ball(&s, random);
  if (kind == BENCH_SQUEEZED_CHAIN || kind == BENCH_SQUEEZED_JOINT)
    squeezed_chain(&s, random, decades);
  if (hidden && !either) squeezed_chain(&s, random, 1);
  if (kind == BENCH_SQUEEZED_BLOCK) squeezed_block(&s, random);
  if (kind == BENCH_SQUEEZED_GUIDED) squeezed_guided(&s, random);
  if (hidden) squeezed_hide(&s, random);
  squeezed_relations(&s, random);
  return s;
}

DlsStatus bench_make_squeezed(DlsRandom *random, BenchSqueezedKind kind, bool solvable,
                              bool gyroscopic, BenchSqueezed *s, DlsProblem **out) {
  const bool assembled = dls_random_below(random, 3) == 0;
  *s = bench_draw_squeezed(random, kind, assembled ? 1 : 6);
  s->assembled = assembled;
  DlsOperator *W = NULL;
  DLS_TRY(bench_squeezed_operator(s, gyroscopic ? 0.3 : 0, &W));
  const double slowest = assembled ? -6 : -8;
  const double prestress =
      dls_random_below(random, 3) ? 1 : pow(10, dls_random_between(random, -3, 3));
  const double closing = pow(10, dls_random_between(random, slowest, 1));
  bench_squeezed_plant(s, random, W, prestress, solvable ? 0 : closing);
  DlsStatus status = DLS_OK;
  if (assembled) {
    DlsOperator *dense = NULL;
    status = dls_operator_assemble(W, &dense);
    dls_operator_destroy(&W);
    W = dense;
  }
  return status == DLS_OK ? dls_problem_create(s->shape.dim, &W, s->q, s->relations, NULL, out)
                          : status;
}
