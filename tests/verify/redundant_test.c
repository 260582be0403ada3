/* Towers of boxes with a dozen points in each joint, of which three would do: reactions are not
 * unique, their resultants are. Forces and moments of the joints are known from the weights above;
 * interior points share loads by symmetry; Newton's steps on bodies are those on reactions; sweeps
 * that stand still are helped. */
#include "tests/solving.h"

#include <delassus/fclib.h>

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { FEW = 5, POINTS = 12, DOF = 6, MANY = 12 };

static const double mass = 2, inertia = 1.0 / 3, step_g = 0.0981, half = 0.5;

/* Where point k of a joint stands, seen from its middle. */
static void place(int k, double *x, double *y) {
  const double angle = 2 * M_PI * k / POINTS;
  *x = half * cos(angle);
  *y = half * sin(angle);
}

/* Rows of a contact in the velocities of a box whose centre is `below` above it. */
static void write_rows(double sign, double below, double x, double y, double *H) {
  /* arm (x, y, -below); axes z, x, y; columns v and omega: u = v + omega x arm */
  const double arm[3] = {x, y, -below};
  static const int axis[3] = {2, 0, 1};
  memset(H, 0, 3 * DOF * sizeof *H);
  for (int a = 0; a < 3; a++) {
    const int i = axis[a], j = (i + 1) % 3, k = (i + 2) % 3;
    H[a * DOF + i] = sign;
    H[a * DOF + 3 + j] = sign * arm[k];
    H[a * DOF + 3 + k] = -sign * arm[j];
  }
}

/* A tower of boxes on ground that leans by `lean`, gravity turned instead; soft: compliance. */
static DlsProblem *make_tower(int boxes, double lean, double mu, bool soft, bool assembled) {
  enum { MOST = MANY * POINTS };
  int start[MOST + 1], body[2 * MOST], contacts = 0, touches = 0;
  double H[2 * MOST * 3 * DOF], M[MANY * DOF * DOF] = {0}, q[3 * MOST];
  DlsRelation relations[MOST] = {{0}};
  DlsOperator *W = NULL, *rows = NULL;
  DlsProblem *problem = NULL;
  for (int b = 0; b < boxes; b++)
    for (int k = 0; k < DOF; k++) M[(b * DOF + k) * DOF + k] = k < 3 ? mass : inertia;
  for (int b = 0; b < boxes; b++)
    for (int k = 0; k < POINTS; k++, contacts++) {
      double x, y;
      place(k, &x, &y);
      start[contacts] = touches;
      body[touches] = b;
      write_rows(1, half, x, y, H + touches++ * 3 * DOF);
      if (b > 0) {
        body[touches] = b - 1;
        write_rows(-1, -half, x, y, H + touches++ * 3 * DOF);
      }
      q[3 * contacts] = b == 0 ? -step_g * cos(lean) : 0;
      q[3 * contacts + 1] = b == 0 ? -step_g * sin(lean) : 0;
      q[3 * contacts + 2] = 0;
      relations[contacts] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
      for (int a = 0; a < 3 && soft; a++) relations[contacts].C[a] = 1e-3 * (1 + a);
    }
  start[contacts] = touches;
  CHECK_OK(dls_operator_create_factored(contacts, 3, boxes, DOF, start, body, H, M, &W));
  if (assembled) {
    CHECK_OK(dls_operator_assemble(W, &rows));
    dls_operator_destroy(&W);
    W = rows;
  }
  CHECK_OK(dls_problem_create(3, &W, q, relations, NULL, &problem));
  return problem;
}

/* Force and moment about the middle of each joint, from the boxes above it. */
static void check_resultants(int boxes, double lean, const double *r, double bound) {
  for (int b = 0; b < boxes; b++) {
    double force[3] = {0}, turning = 0;
    for (int k = 0; k < POINTS; k++) {
      const double *rk = r + 3 * (b * POINTS + k);
      double x, y;
      place(k, &x, &y);
      for (int a = 0; a < 3; a++) force[a] += rk[a];
      turning += rk[0] * x;
    }
    const double above = (boxes - b) * mass * step_g, middle = (boxes - b) * half;
    CHECK_NEAR(force[0], above * cos(lean), bound);
    CHECK_NEAR(force[1], above * sin(lean), bound);
    CHECK_NEAR(force[2], 0, bound);
    /* The weight pulls along +x at the height `middle`, against it: moment about y. */
    CHECK_NEAR(fabs(turning), above * sin(lean) * middle, bound);
  }
}

TEST(interior_points_find_the_resultants) {
  const DlsSolver *interior = NULL;
  CHECK_OK(dls_solver_find("interior", &interior));
  for (int assembled = 0; assembled < 2; assembled++) {
    DlsProblem *tower = make_tower(FEW, 0.1, 0.5, false, assembled);
    TestRun run = test_solve(interior, tower, 1e-9);
    CHECK_INT(run.report.outcome, DLS_CONVERGED);
    CHECK(run.report.iterations < 60);
    check_resultants(FEW, 0.1, run.r, 1e-7);
    test_end(&run);
    dls_problem_destroy(&tower);
  }
}

TEST(points_alike_carry_alike) {
  const DlsSolver *interior = NULL;
  CHECK_OK(dls_solver_find("interior", &interior));
  DlsProblem *tower = make_tower(FEW, 0, 0.5, false, false);
  TestRun run = test_solve(interior, tower, 1e-9);
  CHECK_INT(run.report.outcome, DLS_CONVERGED);
  for (int b = 0; b < FEW; b++)
    for (int k = 0; k < POINTS; k++)
      CHECK_NEAR(run.r[3 * (b * POINTS + k)], (FEW - b) * mass * step_g / POINTS, 1e-6);
  test_end(&run);
  dls_problem_destroy(&tower);
}

/* A box on ground too steep slides: Coulomb's law, whose shift the interior points follow. */
TEST(interior_points_slide) {
  const DlsSolver *interior = NULL;
  const double lean = 0.3, mu = 0.2;
  CHECK_OK(dls_solver_find("interior", &interior));
  DlsProblem *box = make_tower(1, lean, mu, false, false);
  TestRun run = test_solve(interior, box, 1e-8);
  CHECK_INT(run.report.outcome, DLS_CONVERGED);
  for (int k = 0; k < POINTS; k++) {
    CHECK_NEAR(run.u[3 * k], 0, 1e-8);
    CHECK_NEAR(run.u[3 * k + 1], -step_g * (sin(lean) - mu * cos(lean)), 1e-8);
  }
  test_end(&run);
  dls_problem_destroy(&box);
}

/* On bodies a Newton step solves 30 equations, on reactions 180: the same steps. Where compliance
 * makes the answer unique it is the same; else round-off moves reactions along the null space of W,
 * and velocities and resultants are. */
TEST(newton_on_bodies_is_newton_on_reactions) {
  const DlsSolver *proximal = NULL;
  CHECK_OK(dls_solver_find("proximal", &proximal));
  for (int soft = 0; soft < 2; soft++) {
    DlsProblem *bodies = make_tower(FEW, 0.1, 0.5, soft, false);
    DlsProblem *rows = make_tower(FEW, 0.1, 0.5, soft, true);
    TestRun a = test_solve(proximal, bodies, 1e-9), b = test_solve(proximal, rows, 1e-9);
    CHECK_INT(a.report.outcome, DLS_CONVERGED);
    CHECK_INT(b.report.outcome, DLS_CONVERGED);
    CHECK_INT(a.report.iterations, b.report.iterations);
    CHECK_BELOW(test_apart(a.n, a.u, b.u), 1e-7);
    if (soft) CHECK_BELOW(test_apart(a.n, a.r, b.r), 1e-6 * test_size(b.n, b.r));
    if (!soft) check_resultants(FEW, 0.1, a.r, 1e-7);
    test_end(&a);
    test_end(&b);
    dls_problem_destroy(&bodies);
    dls_problem_destroy(&rows);
  }
}

/* Whether `auto` that hands over as soon as it may asks interior points, as its note tells. */
static bool asks_interior(DlsProblem *problem) {
  const DlsSolver *ours = NULL;
  CHECK_OK(dls_solver_find("auto", &ours));
  TestRun run = test_solve_from(ours, problem, 1e-10, NULL, "patience", "0");
  CHECK_INT(run.report.outcome, DLS_CONVERGED);
  CHECK(strstr(run.report.note, "by turns") != NULL);
  const bool asked = strstr(run.report.note, "interior points") != NULL;
  test_end(&run);
  dls_problem_destroy(&problem);
  return asked;
}

/* 432 reactions of 72 velocities; not where bodies are unknown, nor of 600 on 1200, a column. */
TEST(auto_asks_interior_points_where_reactions_are_far_more) {
  CHECK(asks_interior(make_tower(MANY, 0.1, 0.5, false, false)));
  CHECK(!asks_interior(make_tower(MANY, 0.1, 0.5, false, true)));
  CHECK(!asks_interior(test_sample("column", 200)));
}

/* A file that holds the bodies beside W is read as W on the bodies; one with compliance, whose
 * bodies are others, as W. */
TEST(files_give_the_bodies_back) {
  for (int soft = 0; soft < 2; soft++) {
    char path[64];
    DlsProblem *tower = make_tower(FEW, 0.1, 0.5, soft, false), *read = NULL;
    snprintf(path, sizeof path, "redundant-%d-%d.hdf5", (int)getpid(), soft);
    CHECK_OK(dls_fclib_write(path, tower, "a tower", NULL, NULL, NULL));
    CHECK_OK(dls_fclib_read(path, &read, NULL));
    CHECK(strcmp(dls_operator_form(dls_problem_operator(read)), soft ? "assembled" : "factored") ==
          0);
    double r[3 * FEW * POINTS], u[3 * FEW * POINTS], v[3 * FEW * POINTS];
    for (int e = 0; e < 3 * FEW * POINTS; e++) r[e] = sin(e);
    dls_operator_apply(dls_problem_operator(tower), r, u);
    dls_operator_apply(dls_problem_operator(read), r, v);
    CHECK_BELOW(test_apart(3 * FEW * POINTS, u, v), 1e-12);
    unlink(path);
    dls_problem_destroy(&tower);
    dls_problem_destroy(&read);
  }
}

/* Rolling is no cone of this kind: refused with a sentence. */
TEST(other_laws_are_refused) {
  const DlsSolver *interior = NULL;
  void *state = NULL;
  double options[64];
  DlsProblem *problem = NULL;
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0};
  const DlsRelation tied = {.cone = DLS_CONE_BILATERAL};
  CHECK_OK(dls_solver_find("interior", &interior));
  dls_solver_defaults(interior, options);
  problem = test_dense_problem(3, 1, 3, W, q, &tied);
  CHECK_FAILS(interior->create(problem, options, &state), DLS_ERR_UNSUPPORTED, "contact 0");
  dls_problem_destroy(&problem);
}
