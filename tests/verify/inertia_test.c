/* An inertia of rigid and deformable parts side by side: two bars of nodes on springs, M + K of
 * which is sparse, and rigid bodies of six velocities. Everything that W = H M^-1 H^T does is
 * compared with dense matrices written out here, and every solver gives on it the velocities that
 * it gives on the dense W. */
#include "tests/solving.h"

#include "base/random.h"
#include "problem/operator/operator_impl.h"
#include "problem/operator/sparse.h"

#include <delassus/inertia.h>
#include <delassus/islands.h>

enum { NODES = 7, BAR = 3 * NODES, RIGID = 3, CONTACTS = 6, BLOCK = 3, ROWS = CONTACTS * BLOCK };
enum { FREEDOM = 2 * BAR + 6 * RIGID, MOST = 64, WEIGHTS = 512 };

/* Parts: bar 0, three rigid bodies, bar 1. */
enum { FIRST_BAR, BODY_A, BODY_B, BODY_C, SECOND_BAR, PARTS };

typedef struct {
  double M[FREEDOM][FREEDOM], inverse[FREEDOM][FREEDOM], H[ROWS][FREEDOM], W[ROWS * ROWS];
  double q[ROWS];
  DlsInertia *inertia;
  DlsOperator *operator;
  double bar[BAR * 9]; /* the numbers of the first bar, row after row */
} Scene;

/* M + K of nodes in a row: masses 1 + 0.1 i, springs of stiffness k between neighbours, `skew` as a
 * gyroscopic term between the axes. Written at `at` of the dense M too. */
static void add_bar(Scene *s, int at, double k, double skew, double *numbers) {
  int start[BAR + 1] = {0}, column[BAR * 9], count = 0;
  double value[BAR * 9];
  for (int i = 0; i < BAR; i++) {
    for (int j = 0; j < BAR; j++) {
      const int apart = abs(i / 3 - j / 3), same = i % 3 == j % 3;
      double m = 0;
      if (i == j) m = 1 + 0.1 * (i / 3) + (i / 3 == 0 || i / 3 == NODES - 1 ? k : 2 * k);
      if (apart == 1 && same) m = -k;
      if (apart == 0 && !same) m = i < j ? skew : -skew;
      if (m == 0) continue;
      s->M[at + i][at + j] = m;
      column[count] = j;
      value[count++] = m;
    }
    start[i + 1] = count;
  }
  if (numbers) memcpy(numbers, value, (size_t)count * sizeof *value);
  const DlsSparse M = {BAR, BAR, start, column, value};
  CHECK_OK(dls_inertia_add_sparse(s->inertia, &M));
}

/* Full blocks of six, positive definite. */
static void add_bodies(Scene *s, DlsRandom *random, int at) {
  double mass[RIGID][36];
  for (int b = 0; b < RIGID; b++) {
    double A[36];
    for (int e = 0; e < 36; e++) A[e] = dls_random_normal(random);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        double sum = i == j ? 2 : 0;
        for (int c = 0; c < 6; c++) sum += 0.2 * A[6 * i + c] * A[6 * j + c];
        mass[b][6 * i + j] = s->M[at + 6 * b + i][at + 6 * b + j] = sum;
      }
  }
  CHECK_OK(dls_inertia_add_rigid(s->inertia, RIGID, 6, mass[0]));
}

static void invert(Scene *s) {
  static double A[FREEDOM][FREEDOM];
  memcpy(A, s->M, sizeof A);
  memset(s->inverse, 0, sizeof s->inverse);
  for (int i = 0; i < FREEDOM; i++) s->inverse[i][i] = 1;
  for (int k = 0; k < FREEDOM; k++) { /* Gauss and Jordan; M has dominant pivots */
    const double pivot = A[k][k];
    for (int j = 0; j < FREEDOM; j++) {
      A[k][j] /= pivot;
      s->inverse[k][j] /= pivot;
    }
    for (int i = 0; i < FREEDOM; i++) {
      const double factor = A[i][k];
      if (i == k || factor == 0) continue;
      for (int j = 0; j < FREEDOM; j++) {
        A[i][j] -= factor * A[k][j];
        s->inverse[i][j] -= factor * s->inverse[k][j];
      }
    }
  }
}

/* What each contact touches: points inside faces of bars, bodies, the ground (nothing). */
static const struct {
  int parts, part[2];
} touches[CONTACTS] = {{2, {FIRST_BAR, BODY_A}}, {2, {FIRST_BAR, BODY_B}}, {1, {FIRST_BAR, 0}},
                       {2, {BODY_A, BODY_B}},    {1, {BODY_C, 0}},         {1, {SECOND_BAR, 0}}};

static void draw_rows(Scene *s, DlsRandom *random, bool use) {
  int start[CONTACTS + 1] = {0}, part[MOST], first[MOST] = {0}, velocity[WEIGHTS];
  double weight[WEIGHTS * BLOCK];
  int entries = 0, columns = 0;
  memset(s->H, 0, sizeof s->H);
  for (int i = 0; i < CONTACTS; i++) {
    for (int k = 0; k < touches[i].parts; k++) {
      const int p = touches[i].part[k], bar = p == FIRST_BAR || p == SECOND_BAR;
      const int origin = dls_inertia_start(s->inertia, p), node = (i + 2 * k) % (NODES - 1);
      for (int c = 0; c < 6; c++) { /* two neighbouring nodes, or all of a rigid body */
        velocity[columns] = bar ? 3 * node + c : c;
        for (int a = 0; a < BLOCK; a++) {
          const double w = dls_random_normal(random);
          weight[columns * BLOCK + a] = w;
          s->H[i * BLOCK + a][origin + velocity[columns]] += w;
        }
        columns++;
      }
      part[entries++] = p;
      first[entries] = columns;
    }
    start[i + 1] = entries;
  }
  const DlsContactRows H = {CONTACTS, BLOCK, start, part, first, velocity, weight};
  if (use) CHECK_OK(dls_operator_create(&H, s->inertia, &s->operator));
}

static void write_W(Scene *s) {
  static double X[FREEDOM];
  for (int j = 0; j < ROWS; j++) {
    for (int k = 0; k < FREEDOM; k++) {
      X[k] = 0;
      for (int l = 0; l < FREEDOM; l++) X[k] += s->inverse[k][l] * s->H[j][l];
    }
    for (int i = 0; i < ROWS; i++) {
      s->W[i * ROWS + j] = 0;
      for (int k = 0; k < FREEDOM; k++) s->W[i * ROWS + j] += s->H[i][k] * X[k];
    }
  }
}

static Scene *draw(uint64_t seed, double skew) {
  Scene *s = calloc(1, sizeof *s);
  DlsRandom random;
  dls_random_seed(&random, seed);
  CHECK_OK(dls_inertia_create(&s->inertia));
  add_bar(s, 0, 3, skew, s->bar);
  add_bodies(s, &random, BAR);
  add_bar(s, BAR + 6 * RIGID, 50, 0, NULL);
  CHECK_INT(dls_inertia_parts(s->inertia), PARTS);
  CHECK_INT(dls_inertia_freedom(s->inertia), FREEDOM);
  CHECK_INT(dls_inertia_start(s->inertia, BODY_C), BAR + 12);
  invert(s);
  draw_rows(s, &random, true);
  write_W(s);
  for (int e = 0; e < ROWS; e++) s->q[e] = dls_random_normal(&random) - (e % BLOCK == 0);
  return s;
}

static void clear(Scene *s) {
  dls_operator_destroy(&s->operator);
  dls_inertia_destroy(&s->inertia);
  free(s);
}

static double size_of(const Scene *s) { return test_size(ROWS * ROWS, s->W); }

static void check_operator(const Scene *s) {
  const DlsOperator *W = s->operator;
  const double close = 1e-12 * size_of(s);
  double r[ROWS], u[ROWS], D[ROWS * BLOCK], v[FREEDOM], b[FREEDOM], x[FREEDOM], p[FREEDOM];
  DlsOperator *own = NULL;
  DlsBlockRows rows;
  DlsSparse M, H;
  for (int e = 0; e < ROWS; e++) r[e] = sin(1.0 + e);
  dls_operator_apply(W, r, u);
  dls_operator_diagonal(W, D);
  CHECK_OK(dls_operator_rows(W, &own, &rows));
  for (int i = 0; i < ROWS; i++) {
    double sum = 0;
    for (int j = 0; j < ROWS; j++) sum += s->W[i * ROWS + j] * r[j];
    CHECK_NEAR(u[i], sum, 10 * close);
    for (int a = 0; a < BLOCK; a++)
      CHECK_NEAR(D[i * BLOCK + a], s->W[i * ROWS + i / BLOCK * BLOCK + a], close);
  }
  double dense[ROWS * ROWS] = {0};
  for (int i = 0; i < CONTACTS; i++)
    for (int k = rows.start[i]; k < rows.start[i + 1]; k++)
      for (int e = 0; e < BLOCK * BLOCK; e++)
        dense[(i * BLOCK + e / BLOCK) * ROWS + rows.column[k] * BLOCK + e % BLOCK] =
            rows.value[k * BLOCK * BLOCK + e];
  CHECK_BELOW(test_apart(ROWS * ROWS, dense, s->W), close);
  CHECK_OK(dls_operator_velocity(W, r, v));
  for (int k = 0; k < FREEDOM; k++) {
    b[k] = 0;
    for (int i = 0; i < ROWS; i++) b[k] += s->H[i][k] * r[i];
  }
  CHECK_OK(dls_operator_solve_mass(W, b, x));
  dls_inertia_apply(s->inertia, x, p);
  for (int k = 0; k < FREEDOM; k++) {
    double sum = 0;
    for (int l = 0; l < FREEDOM; l++) sum += s->inverse[k][l] * b[l];
    CHECK_NEAR(v[k], sum, 1e-12 * (1 + test_size(FREEDOM, b)));
    CHECK_NEAR(x[k], sum, 1e-12 * (1 + test_size(FREEDOM, b)));
    CHECK_NEAR(p[k], b[k], 1e-12 * (1 + test_size(FREEDOM, b)));
  }
  CHECK_OK(dls_operator_bodies(W, &M, &H));
  CHECK_INT(M.rows, FREEDOM);
  double found = 0, told = 0;
  for (int i = 0; i < FREEDOM; i++) {
    for (int j = 0; j < FREEDOM; j++) found += s->M[i][j] * cos(i + 2.0 * j);
    for (int k = M.start[i]; k < M.start[i + 1]; k++)
      told += M.value[k] * cos(i + 2.0 * M.column[k]);
  }
  CHECK_NEAR(told, found, 1e-10);
  dls_sparse_clear(&M);
  dls_sparse_clear(&H);
  dls_operator_destroy(&own);
}

TEST(rigid_and_deformable_parts_give_the_dense_W) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    Scene *s = draw(seed, seed == 3 ? 0.4 : 0);
    check_operator(s);
    clear(s);
  }
}

/* The second bar, and body C on the ground, are alone. */
TEST(parts_tell_the_islands) {
  Scene *s = draw(4, 0);
  int island[CONTACTS], count;
  CHECK_OK(dls_islands_find(s->operator, island, &count));
  CHECK_INT(count, 3);
  CHECK(island[0] == island[1] && island[1] == island[2] && island[2] == island[3]);
  CHECK(island[4] != island[0] && island[5] != island[0] && island[5] != island[4]);
  clear(s);
}

static void check_solvers(double skew) {
  Scene *s = draw(5, skew);
  DlsRelation relations[CONTACTS];
  DlsProblem *problem = NULL;
  for (int i = 0; i < CONTACTS; i++)
    relations[i] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}, .C = {0.1, 0.1, 0.1}};
  DlsProblem *known = test_dense_problem(3, CONTACTS, BLOCK, s->W, s->q, relations);
  CHECK_OK(dls_problem_create(3, &s->operator, s->q, relations, NULL, &problem));
  int solved = 0;
  FOR_EACH_SOLVER (solver) {
    TestRun a = test_solve(solver, problem, 1e-10), b = test_solve(solver, known, 1e-10);
    if (a.report.outcome != DLS_CONVERGED || b.report.outcome != DLS_CONVERGED)
      test_fail(__FILE__, __LINE__, "%s: %s and %s", solver->name,
                dls_outcome_text(a.report.outcome), dls_outcome_text(b.report.outcome));
    CHECK_BELOW(test_apart(ROWS, a.u, b.u), 1e-7 * (1 + test_size(ROWS, b.u)));
    solved++;
    test_end(&a);
    test_end(&b);
  }
  CHECK(solved >= 13); /* the built-in ones but enumerate; the plugin newton where it is built */
  dls_problem_destroy(&problem);
  dls_problem_destroy(&known);
  clear(s);
}

TEST(every_solver_solves_with_rigid_and_deformable_parts) { check_solvers(0); }
TEST(every_solver_solves_with_an_unsymmetric_part) { check_solvers(0.2); }

/* Rows change from step to step, the inertia does not: two bars, two factorisations for ten
 * operators and their use. Other numbers in the first bar cost one more. */
TEST(an_inertia_is_factored_once_for_ten_operators) {
  Scene *s = draw(6, 0);
  DlsRandom random;
  dls_random_seed(&random, 60);
  for (int step = 0; step < 10; step++) {
    dls_operator_destroy(&s->operator);
    draw_rows(s, &random, true);
    write_W(s);
    check_operator(s);
  }
  CHECK_INT(dls_inertia_factorisations(s->inertia), 2);
  for (int k = 0; k < BAR * 9; k++) s->bar[k] *= 2;
  for (int i = 0; i < BAR; i++)
    for (int j = 0; j < BAR; j++) s->M[i][j] *= 2;
  CHECK_OK(dls_inertia_change_sparse(s->inertia, FIRST_BAR, s->bar));
  invert(s);
  dls_operator_destroy(&s->operator);
  draw_rows(s, &random, true);
  write_W(s);
  check_operator(s);
  CHECK_INT(dls_inertia_factorisations(s->inertia), 3);
  clear(s);
}

/* The first bar with its gyroscopic terms, without them, and with them again. */
TEST(a_part_is_symmetric_for_a_while) {
  Scene *s = draw(7, 0.4);
  DlsRandom random;
  double bar[BAR * 9];
  dls_random_seed(&random, 70);
  for (int time = 0; time < 3; time++) {
    for (int i = 0, k = 0; i < BAR; i++)
      for (int j = 0; j < BAR; j++) {
        if (s->M[i][j] == 0 && (i / 3 != j / 3)) continue;
        bar[k] = i / 3 == j / 3 && i != j && time == 1 ? 0 : s->bar[k];
        s->M[i][j] = bar[k++];
      }
    CHECK_OK(dls_inertia_change_sparse(s->inertia, FIRST_BAR, bar));
    invert(s);
    dls_operator_destroy(&s->operator);
    draw_rows(s, &random, true);
    write_W(s);
    check_operator(s);
    CHECK_INT(dls_inertia_factorisations(s->inertia), 3 + time);
  }
  clear(s);
}

/* Bodies come, go and turn: the factors of what is deformable stay. */
TEST(other_rigid_parts_leave_the_factors_of_sparse_ones) {
  enum { MOST_BODIES = 5, BODY = 3 };
  int start[] = {0, 1, 2}, column[] = {0, 1};
  double value[] = {2, 5}, mass[MOST_BODIES][BODY * BODY] = {{0}};
  const DlsSparse M = {2, 2, start, column, value};
  DlsInertia *inertia = NULL;
  CHECK_OK(dls_inertia_create(&inertia));
  CHECK_FAILS(dls_inertia_change_rigid(inertia, 1, mass[0]), DLS_ERR_ARGUMENT, "not rigid ones");
  CHECK_OK(dls_inertia_add_sparse(inertia, &M));
  CHECK_FAILS(dls_inertia_change_rigid(inertia, 1, mass[0]), DLS_ERR_ARGUMENT, "not rigid ones");
  CHECK_OK(dls_inertia_add_rigid(inertia, 0, BODY, mass[0]));
  for (int count = MOST_BODIES; count >= 0; count--) {
    const int freedom = 2 + BODY * count;
    double b[2 + BODY * MOST_BODIES], x[2 + BODY * MOST_BODIES];
    for (int e = 0; e < count * BODY; e++) mass[e / BODY][e % BODY * (BODY + 1)] = 1 + e + count;
    CHECK_OK(dls_inertia_change_rigid(inertia, count, mass[0]));
    CHECK_INT(dls_inertia_parts(inertia), 1 + count);
    CHECK_INT(dls_inertia_freedom(inertia), freedom);
    CHECK_INT(dls_inertia_start(inertia, 1 + count), freedom);
    for (int k = 0; k < freedom; k++) b[k] = 1;
    CHECK_OK(dls_inertia_solve(inertia, b, x));
    for (int k = 0; k < freedom; k++)
      CHECK_NEAR(x[k] * (k < 2 ? value[k] : 1 + (k - 2) + count), 1, 1e-15);
  }
  mass[0][0] = -1;
  CHECK_FAILS(dls_inertia_change_rigid(inertia, 1, mass[0]), DLS_ERR_ARGUMENT,
              "not positive definite");
  CHECK_INT(dls_inertia_parts(inertia), 1);
  CHECK_INT(dls_inertia_factorisations(inertia), 1);
  dls_inertia_destroy(&inertia);
}

/* The maker may let go first. */
TEST(an_operator_keeps_its_inertia_alive) {
  Scene *s = draw(7, 0);
  double r[ROWS] = {1}, u[ROWS];
  dls_inertia_destroy(&s->inertia);
  CHECK(!s->inertia);
  dls_operator_apply(s->operator, r, u);
  for (int i = 0; i < ROWS; i++) CHECK_NEAR(u[i], s->W[i * ROWS], 1e-12 * size_of(s));
  clear(s);
}

/* Rigid parts of one size need no sparse method: the form on which sweeps run on velocities. */
TEST(rigid_parts_alone_are_swept_on_their_velocities) {
  const int start[] = {0, 1}, part[] = {1}, first[] = {0, 2}, velocity[] = {0, 2};
  const double mass[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {2, 0, 0, 0, 2, 0, 0, 0, 4}};
  const double weight[] = {1, 0, 0, 2};
  const DlsContactRows H = {1, 2, start, part, first, velocity, weight};
  DlsInertia *inertia = NULL;
  DlsOperator *W = NULL;
  double D[4];
  CHECK_OK(dls_inertia_create(&inertia));
  CHECK_OK(dls_inertia_add_rigid(inertia, 2, 3, mass[0]));
  CHECK_OK(dls_operator_create(&H, inertia, &W));
  CHECK(dls_operator_has_parts(W));
  dls_operator_diagonal(W, D);
  CHECK_NEAR(D[0], 0.5, 1e-15);
  CHECK_NEAR(D[1], 0, 0);
  CHECK_NEAR(D[3], 1, 1e-15);
  dls_operator_destroy(&W);
  dls_inertia_destroy(&inertia);
}

TEST(what_does_not_fit_is_refused_with_contact_and_part) {
  const int start[] = {0, 1}, first[] = {0, 1}, second[] = {2}, none[] = {0}, far[] = {7};
  const double weight[] = {1, 0}, no_mass[] = {-1}, mass[] = {1};
  DlsInertia *inertia = NULL;
  DlsOperator *W = NULL;
  CHECK_OK(dls_inertia_create(&inertia));
  CHECK_FAILS(dls_inertia_add_rigid(inertia, 1, 1, no_mass), DLS_ERR_ARGUMENT,
              "body 0 is not positive definite");
  CHECK_OK(dls_inertia_add_rigid(inertia, 1, 1, mass));
  const DlsContactRows other_part = {1, 2, start, second, first, none, weight};
  CHECK_FAILS(dls_operator_create(&other_part, inertia, &W), DLS_ERR_ARGUMENT,
              "contact 0 touches part 2, outside 0..0");
  const DlsContactRows other_velocity = {1, 2, start, none, first, far, weight};
  CHECK_FAILS(dls_operator_create(&other_velocity, inertia, &W), DLS_ERR_ARGUMENT,
              "contact 0 moves velocity 7 of part 0, outside 0..0");
  int M_start[] = {0, 2, 4}, M_column[] = {0, 1, 0, 1};
  double M_value[] = {1, 2, 2, 1};
  const DlsSparse M = {2, 2, M_start, M_column, M_value};
  CHECK_FAILS(dls_inertia_add_sparse(inertia, &M), DLS_ERR_ARGUMENT,
              "part 1, of 2 velocities, is not positive definite");
  CHECK_INT(dls_inertia_parts(inertia), 1);
  dls_inertia_destroy(&inertia);
}
