/* The operator between spheres is the factored one, whose rows and masses are written out here. */
#include "problem/operator/spheres.h"
#include "tests/test.h"

#include <delassus/problem.h>
#include <delassus/solver.h>

#include "base/random.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = 9, BODIES = 5 };

/* Contacts of random frames between random bodies, some with the ground; body 4 is fixed. */
typedef struct {
  DlsSphereContact contact[CONTACTS];
  double scale[BODIES][2];
  int start[CONTACTS + 1], body[2 * CONTACTS];
  double H[2 * CONTACTS][18], mass[BODIES][36];
} Pair;

static void cross(const double *a, const double *b, double *c) {
  for (int k = 0; k < 3; k++)
    c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void random_frame(DlsRandom *random, double *frame) {
  double a[3], *n = frame, *t1 = frame + 3, *t2 = frame + 6, size = 0;
  for (int k = 0; k < 3; k++) {
    n[k] = dls_random_between(random, -1, 1);
    a[k] = dls_random_between(random, -1, 1);
    size += n[k] * n[k];
  }
  for (int k = 0; k < 3; k++) n[k] /= sqrt(size);
  cross(n, a, t1);
  size = sqrt(t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2]);
  for (int k = 0; k < 3; k++) t1[k] /= size;
  cross(n, t1, t2);
}

/* One side of contact i in both forms: rows (sign e, sign lever x e) of H, lever = length n. */
static void add_side(Pair *p, int i, int side, int body, double length, int *supports) {
  DlsSphereContact *c = &p->contact[i];
  const double sign = side == 0 ? 1 : -1;
  c->body[side] = body;
  if (body == BODIES) return;
  c->move[side] = sign * p->scale[body][0];
  c->turn[side] = sign * length * p->scale[body][1];
  double *H = p->H[*supports], lever[3], turn[3];
  for (int k = 0; k < 3; k++) lever[k] = length * c->frame[k];
  for (int row = 0; row < 3; row++) {
    cross(lever, c->frame + 3 * row, turn);
    for (int k = 0; k < 3; k++) {
      H[6 * row + k] = p->scale[body][0] > 0 ? sign * c->frame[3 * row + k] : 0;
      H[6 * row + 3 + k] = p->scale[body][0] > 0 ? sign * turn[k] : 0;
    }
  }
  p->body[(*supports)++] = body;
}

static void make_pair(Pair *p) {
  DlsRandom random;
  int supports = 0;
  memset(p, 0, sizeof *p);
  dls_random_seed(&random, 3);
  for (int b = 0; b < BODIES; b++) {
    const double mass = 1 + 0.3 * b, inertia = 0.1 + 0.05 * b;
    for (int k = 0; k < 6; k++) p->mass[b][7 * k] = k < 3 ? mass : inertia;
    if (b == BODIES - 1) continue;
    p->scale[b][0] = 1 / sqrt(mass);
    p->scale[b][1] = 1 / sqrt(inertia);
  }
  for (int i = 0; i < CONTACTS; i++) {
    random_frame(&random, p->contact[i].frame);
    add_side(p, i, 0, i % (BODIES - 1), dls_random_between(&random, -1, -0.5), &supports);
    add_side(p, i, 1, (i % (BODIES - 1) + 1 + i / 4) % (BODIES + 1),
             dls_random_between(&random, 0.5, 1), &supports);
    p->start[i + 1] = supports;
  }
}

static void make_operators(Pair *p, DlsOperator **spheres, DlsOperator **factored) {
  make_pair(p);
  CHECK_OK(dls_operator_create_spheres(CONTACTS, BODIES, p->contact, (const double(*)[2])p->scale,
                                       DLS_COPY, spheres));
  CHECK_OK(dls_operator_create_factored(CONTACTS, 3, BODIES, 6, p->start, p->body, p->H[0],
                                        p->mass[0], factored));
}

TEST(the_operator_between_spheres_is_the_factored_one) {
  Pair pair;
  DlsOperator *S, *F, *A;
  DlsRandom random;
  double r[3 * CONTACTS], u[3][3 * CONTACTS], v[2][6 * BODIES], D[2][9 * CONTACTS];
  make_operators(&pair, &S, &F);
  CHECK_OK(dls_operator_assemble(S, &A));
  dls_random_seed(&random, 5);
  for (int k = 0; k < 3 * CONTACTS; k++) r[k] = dls_random_between(&random, -1, 1);
  dls_operator_apply(S, r, u[0]);
  dls_operator_apply(F, r, u[1]);
  dls_operator_apply(A, r, u[2]);
  dls_operator_diagonal(S, D[0]);
  dls_operator_diagonal(F, D[1]);
  CHECK_OK(dls_operator_velocity(S, r, v[0]));
  CHECK_OK(dls_operator_velocity(F, r, v[1]));
  for (int k = 0; k < 3 * CONTACTS; k++) {
    CHECK_NEAR(u[0][k], u[1][k], 1e-13);
    CHECK_NEAR(u[2][k], u[1][k], 1e-13);
  }
  for (int k = 0; k < 6 * BODIES; k++) CHECK_NEAR(v[0][k], v[1][k], 1e-13);
  for (int k = 0; k < 9 * CONTACTS; k++) CHECK_NEAR(D[0][k], D[1][k], 1e-13);
  CHECK_FAILS(dls_operator_velocity(A, r, v[0]), DLS_ERR_ARGUMENT, "no bodies to move");
  dls_operator_destroy(&S);
  dls_operator_destroy(&F);
  dls_operator_destroy(&A);
}

/* M^-1 of every free body, and nothing of a fixed one. */
TEST(spheres_solve_with_their_masses) {
  Pair pair;
  DlsOperator *S, *F;
  double b[6 * BODIES], x[2][6 * BODIES];
  make_operators(&pair, &S, &F);
  for (int k = 0; k < 6 * BODIES; k++) b[k] = 1 + k;
  CHECK_OK(dls_operator_solve_mass(S, b, x[0]));
  CHECK_OK(dls_operator_solve_mass(F, b, x[1]));
  for (int k = 0; k < 6 * BODIES; k++)
    CHECK_NEAR(x[0][k], k < 6 * (BODIES - 1) ? x[1][k] : 0, 1e-13 * fabs(x[1][k]));
  dls_operator_destroy(&S);
  dls_operator_destroy(&F);
}

/* Cones and compliances that take the short way in a sweep, and that do not. */
static void relate(DlsRelation *relation) {
  memset(relation, 0, CONTACTS * sizeof *relation);
  for (int i = 0; i < CONTACTS; i++) {
    relation[i].cone = i == 2 ? DLS_CONE_SIGNORINI : i == 5 ? DLS_CONE_BILATERAL : DLS_CONE_COULOMB;
    if (relation[i].cone == DLS_CONE_COULOMB) {
      relation[i].mu[DLS_MU_1] = 0.4;
      relation[i].mu[DLS_MU_2] = i == 3 ? 0.2 : 0.4;
    }
    if (i == 1) relation[i].C[0] = 0.3;
    if (i == 4) relation[i].C[1] = 0.2;
  }
}

TEST(solvers_find_the_same_between_spheres) {
  const char *const names[] = {"nsgs", "uzawa", "momentum"};
  for (int n = 0; n < DLS_COUNT(names); n++) {
    Pair pair;
    DlsOperator *W[2];
    DlsRelation relation[CONTACTS];
    const DlsSolver *solver;
    double q[3 * CONTACTS], r[2][3 * CONTACTS] = {{0}}, u[2][3 * CONTACTS];
    const DlsLimits limits = {.tolerance = 1e-12, .max_iterations = 100000};
    make_operators(&pair, &W[0], &W[1]);
    relate(relation);
    for (int k = 0; k < 3 * CONTACTS; k++) q[k] = sin(1 + 7 * k) - (k % 3 == 0);
    CHECK_OK(dls_solver_find(names[n], &solver));
    double chosen[64];
    dls_solver_defaults(solver, chosen);
    if (n == 2) { /* in proximal steps */
      CHECK_OK(dls_solver_set_option(solver, chosen, "anchor", "1e-2"));
      CHECK_OK(dls_solver_set_option(solver, chosen, "hold", "20"));
    }
    for (int k = 0; k < 2; k++) {
      DlsProblem *problem;
      DlsReport report;
      CHECK_OK(dls_problem_create(3, &W[k], q, relation, NULL, &problem));
      CHECK_OK(dls_solve(solver, problem, chosen, &limits, NULL, r[k], u[k], &report));
      CHECK_INT(report.outcome, DLS_CONVERGED);
      dls_problem_destroy(&problem);
    }
    for (int k = 0; k < 3 * CONTACTS; k++) CHECK_NEAR(u[0][k], u[1][k], 1e-8);
  }
}

TEST(spheres_that_cannot_be_are_refused) {
  Pair pair;
  DlsOperator *W;
  make_pair(&pair);
  pair.contact[3].body[0] = BODIES; /* the ground comes second */
  CHECK_FAILS(dls_operator_create_spheres(CONTACTS, BODIES, pair.contact,
                                          (const double(*)[2])pair.scale, DLS_USE, &W),
              DLS_ERR_ARGUMENT, "contact 3 stands on sphere 5");
  make_pair(&pair);
  pair.contact[4].turn[1] = NAN;
  CHECK_FAILS(dls_operator_create_spheres(CONTACTS, BODIES, pair.contact,
                                          (const double(*)[2])pair.scale, DLS_USE, &W),
              DLS_ERR_NUMERIC, "contact 4 holds a number");
}
