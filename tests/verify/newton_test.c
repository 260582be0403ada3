/* The solver newton: its four residuals against exact pairs and differences, and whole problems
 * with a planted solution, every cone, singular and unsymmetric W, failing laws and limits. */
#include "solvers/newton/residual.h"

#include "tests/cones.h"
#include "tests/solving.h"

#include "base/random.h"
#include "base/small.h"

#include <delassus/cone.h>
#include <delassus/fclib.h>
#include <stdio.h>

enum { MAX = DLS_MAX_BLOCK };
static const char *const choices[] = {"alart-curnier", "jean-moreau", "natural",
                                      "fischer-burmeister"};

static const DlsSolver *find_newton(void) {
  const DlsSolver *solver = NULL;
  if (dls_solver_find("newton", &solver) != DLS_OK) test_skip_package("libpetsc-real-dev");
  return solver;
}

TEST(residuals_vanish_at_exact_pairs) {
  DlsRandom random;
  dls_random_seed(&random, 1);
  for (int c = 0; c < DLS_COUNT(test_cones); c++)
    for (int trial = 0; trial < 2000; trial++) {
      const TestCone *kind = &test_cones[c];
      NewtonContact contact = {.relation = test_cone_relation(&random, kind)};
      double u[MAX], r[MAX], F[MAX];
      test_cone_pair(&random, &contact.relation, kind, u, r);
      for (int f = 0; f < DLS_COUNT(choices); f++) {
        CHECK_OK(newton_residual((NewtonResidual)f, &contact, kind->dim, kind->block, u, r, F, NULL,
                                 NULL));
        /* The square root in Fischer-Burmeister's halves the digits at the edge of the cone. */
        CHECK_BELOW(dls_small_norm(kind->block, F), f == NEWTON_FISCHER_BURMEISTER ? 1e-7 : 1e-13);
      }
    }
}

/* And they vanish nowhere else: a pair moved away by d has a residual of that order. */
TEST(residuals_see_a_wrong_pair) {
  DlsRandom random;
  dls_random_seed(&random, 2);
  for (int trial = 0; trial < 2000; trial++) {
    const TestCone *kind = &test_cones[5];
    NewtonContact contact = {.relation = test_cone_relation(&random, kind)};
    double u[MAX], r[MAX], F[MAX], natural[MAX];
    for (int k = 0; k < kind->block; k++) {
      u[k] = dls_random_normal(&random);
      r[k] = dls_random_normal(&random);
    }
    CHECK_OK(newton_residual(NEWTON_NATURAL, &contact, kind->dim, kind->block, u, r, natural, NULL,
                             NULL));
    for (int f = 0; f < DLS_COUNT(choices); f++) {
      CHECK_OK(newton_residual((NewtonResidual)f, &contact, kind->dim, kind->block, u, r, F, NULL,
                               NULL));
      CHECK(dls_small_norm(3, F) > 1e-2 * dls_small_norm(3, natural));
    }
  }
}

/* Column k of a central difference with respect to `moved`, which is u or r. */
static void difference(NewtonResidual f, const NewtonContact *contact, const TestCone *kind,
                       const double *u, const double *r, double *moved, int k, double h,
                       double *column) {
  double high[MAX] = {0}, low[MAX] = {0};
  const double at = moved[k];
  moved[k] = at + h;
  CHECK_OK(newton_residual(f, contact, kind->dim, kind->block, u, r, high, NULL, NULL));
  moved[k] = at - h;
  CHECK_OK(newton_residual(f, contact, kind->dim, kind->block, u, r, low, NULL, NULL));
  moved[k] = at;
  for (int i = 0; i < kind->block; i++) column[i] = (high[i] - low[i]) / (2 * h);
}

TEST(derivatives_match_differences_away_from_kinks) {
  DlsRandom random;
  dls_random_seed(&random, 3);
  long compared = 0, all = 0;
  for (int c = 0; c < DLS_COUNT(test_cones); c++)
    for (int trial = 0; trial < 300; trial++)
      for (int f = 0; f < DLS_COUNT(choices); f++) {
        const TestCone *kind = &test_cones[c];
        const int block = kind->block;
        NewtonContact contact = {.relation = test_cone_relation(&random, kind)};
        double u[MAX], r[MAX], F[MAX], A[MAX * MAX], B[MAX * MAX], coarse[MAX], fine[MAX];
        for (int k = 0; k < block; k++) {
          u[k] = dls_random_normal(&random);
          r[k] = dls_random_normal(&random) + (k == 0);
        }
        CHECK_OK(newton_residual((NewtonResidual)f, &contact, kind->dim, block, u, r, F, A, B));
        for (int side = 0; side < 2; side++)
          for (int k = 0; k < block; k++) {
            double *moved = side ? u : r;
            difference((NewtonResidual)f, &contact, kind, u, r, moved, k, 1e-4, coarse);
            difference((NewtonResidual)f, &contact, kind, u, r, moved, k, 1e-5, fine);
            all++;
            /* Two steps that differ straddle a kink. */
            if (test_apart((size_t)block, coarse, fine) > 1e-5) continue;
            compared++;
            for (int i = 0; i < block; i++)
              CHECK_NEAR((side ? B : A)[i * block + k], fine[i], 1e-5);
          }
      }
  CHECK(compared > all * 9 / 10);
}

/* W = G G^T + shift I + skew part, of rank `rank` without the shift; q = u - W r from pairs that
 * solve. */
static DlsProblem *planted(DlsRandom *random, int contacts, const TestCone *kind, int rank,
                           double shift, double skew, double mu) {
  const int block = kind->block, rows = contacts * block;
  double *G = calloc((size_t)(rows * rank), sizeof *G),
         *W = calloc((size_t)(rows * rows), sizeof *W);
  double *q = calloc((size_t)rows, sizeof *q), *r = calloc((size_t)rows, sizeof *r);
  DlsRelation *relations = calloc((size_t)contacts, sizeof *relations);
  for (int k = 0; k < rows * rank; k++) G[k] = dls_random_normal(random) / sqrt(rows);
  for (int i = 0; i < contacts; i++) {
    relations[i] = test_cone_relation(random, kind);
    for (int k = 0; mu > 0 && k < DLS_MU_COUNT; k++) relations[i].mu[k] *= mu;
    test_cone_pair(random, &relations[i], kind, q + i * block, r + i * block);
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      const double s = skew * dls_random_normal(random) / sqrt(rows);
      if (i == j) W[i * rows + j] += shift;
      if (i < j) {
        W[i * rows + j] += s;
        W[j * rows + i] -= s;
      }
      for (int k = 0; k < rank; k++) W[i * rows + j] += G[i * rank + k] * G[j * rank + k];
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) q[i] -= W[i * rows + j] * r[j];
  DlsProblem *problem = test_dense_problem(kind->dim, contacts, block, W, q, relations);
  free(G);
  free(W);
  free(q);
  free(r);
  free(relations);
  return problem;
}

static void check_solved(const DlsSolver *newton, DlsProblem *problem, const char *what,
                         const char *option, const char *value) {
  TestRun run = test_solve_from(newton, problem, 1e-10, NULL, option, value);
  if (run.report.outcome != DLS_CONVERGED || !(run.errors.natural <= 1e-10))
    test_fail(__FILE__, __LINE__, "%s, %s: %s at %.2e: %s", what, value ? value : "defaults",
              dls_outcome_text(run.report.outcome), run.errors.natural, run.report.note);
  test_end(&run);
}

TEST(planted_problems_of_every_cone_are_solved) {
  const DlsSolver *newton = find_newton();
  if (!newton) return;
  DlsRandom random;
  dls_random_seed(&random, 4);
  for (int c = 0; c < DLS_COUNT(test_cones); c++)
    for (int f = 0; f < DLS_COUNT(choices); f++)
      for (int trial = 0; trial < 3; trial++) {
        const int rows = 8 * test_cones[c].block;
        DlsProblem *problem = planted(&random, 8, &test_cones[c], rows, 0.5, 0, 0);
        check_solved(newton, problem, dls_cone_name(test_cones[c].cone), "residual", choices[f]);
        dls_problem_destroy(&problem);
      }
}

TEST(singular_unsymmetric_and_rough_problems_are_solved) {
  const DlsSolver *newton = find_newton();
  if (!newton) return;
  DlsRandom random;
  dls_random_seed(&random, 5);
  const TestCone *coulomb = &test_cones[5];
  for (int f = 0; f < DLS_COUNT(choices); f++)
    for (int trial = 0; trial < 4; trial++) {
      DlsProblem *problem = planted(&random, 12, coulomb, 18, 0, 0, 0.3);
      check_solved(newton, problem, "half the rank", "residual", choices[f]);
      dls_problem_destroy(&problem);
      problem = planted(&random, 12, coulomb, 36, 0.5, 0.3, 0);
      check_solved(newton, problem, "unsymmetric", "residual", choices[f]);
      dls_problem_destroy(&problem);
      /* Fischer-Burmeister's steps get stuck on one of four such problems with mu up to 12. */
      problem = planted(&random, 12, coulomb, 36, 0.5, 0, f == NEWTON_FISCHER_BURMEISTER ? 2 : 8);
      check_solved(newton, problem, "mu up to 12", "residual", choices[f]);
      dls_problem_destroy(&problem);
    }
}

/* The Jacobian of a large island is sparse, of a small one dense: one answer. */
TEST(dense_and_sparse_jacobians_agree) {
  const DlsSolver *newton = find_newton();
  if (!newton) return;
  DlsRandom random;
  dls_random_seed(&random, 6);
  DlsProblem *problem = planted(&random, 10, &test_cones[5], 30, 1.0, 0.1, 0.2);
  TestRun dense = test_solve_from(newton, problem, 1e-12, NULL, "dense", "10000");
  TestRun sparse = test_solve_from(newton, problem, 1e-12, NULL, "dense", "0");
  CHECK_BELOW(test_apart(dense.n, dense.r, sparse.r), 1e-9);
  test_end(&dense);
  test_end(&sparse);
  dls_problem_destroy(&problem);
}

TEST(samples_are_solved_by_every_residual) {
  const DlsSolver *newton = find_newton();
  if (!newton) return;
  static const struct {
    const char *name;
    int size;
  } samples[] = {{"slope", 3},    {"column", 6},   {"table", 4},          {"table", 9},
                 {"wall", 3},     {"pile", 3},     {"box", 60},           {"disks", 60},
                 {"rolling", 30}, {"torsion", 30}, {"rolling-disks", 30}, {"random", 20}};
  for (int s = 0; s < DLS_COUNT(samples); s++) {
    const DlsSample *sample;
    DlsProblem *problem = NULL;
    CHECK_OK(dls_sample_find(samples[s].name, &sample));
    DlsSampleParams params = sample->defaults;
    params.size = samples[s].size;
    CHECK_OK(dls_sample_create(samples[s].name, &params, &problem, NULL));
    for (int f = 0; f < DLS_COUNT(choices); f++)
      check_solved(newton, problem, samples[s].name, "residual", choices[f]);
    dls_problem_destroy(&problem);
  }
}

/* Units change the size of every number by many decades, and nothing else: r' = s r, W' = W t / s,
 * q' = t q has the solution s r. */
TEST(units_do_not_matter) {
  const DlsSolver *newton = find_newton();
  if (!newton) return;
  const double W[4] = {2.0, 0.3, 0.3, 1.0}, q[2] = {-1.0, 0.2};
  const double units[][2] = {{1, 1}, {1e-9, 1e-3}, {1e6, 1e3}, {1e-3, 1e-9}};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}};
  double reference[2] = {0};
  for (int k = 0; k < DLS_COUNT(units); k++) {
    const double s = units[k][0], t = units[k][1];
    double scaled_W[4], scaled_q[2];
    for (int e = 0; e < 4; e++) scaled_W[e] = W[e] * t / s;
    for (int e = 0; e < 2; e++) scaled_q[e] = q[e] * t;
    DlsProblem *problem = test_dense_problem(2, 1, 2, scaled_W, scaled_q, &relation);
    TestRun run = test_solve(newton, problem, 1e-12);
    if (k == 0) memcpy(reference, run.r, sizeof reference);
    for (int e = 0; e < 2; e++) CHECK_NEAR(run.r[e] / s, reference[e], 1e-9);
    test_end(&run);
    dls_problem_destroy(&problem);
  }
}

/* A custom law that says what Signorini's says; it fails when asked to. */
static DlsStatus unilateral(void *context, const double *u, const double *r, double *F,
                            double *dF_du, double *dF_dr) {
  const int *failing = context;
  if (*failing) return dls_fail(DLS_ERR_LAW, "the law of the test fails");
  const bool active = r[0] - u[0] > 0;
  for (int k = 0; k < 2; k++) F[k] = r[k];
  if (active) F[0] = u[0];
  if (!dF_du) return DLS_OK;
  for (int k = 0; k < 4; k++) dF_du[k] = dF_dr[k] = 0;
  dF_dr[3] = 1;
  (active ? dF_du : dF_dr)[0] = 1;
  return DLS_OK;
}

static DlsProblem *custom_problem(int *failing) {
  const int start[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1};
  const double value[16] = {2, 0, 0, 1, 0.5, 0, 0, 0.2, 0.5, 0, 0, 0.2, 3, 0, 0, 1};
  const double q[4] = {-1, 0.3, -2, 0.1};
  const DlsRelation relations[2] = {{.cone = DLS_CONE_CUSTOM}, {.cone = DLS_CONE_SIGNORINI}};
  const DlsCustomRelation custom[2] = {{.law = "test", .context = failing, .residual = unilateral}};
  DlsOperator *W = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_operator_create_assembled(2, 2, start, column, value, &W));
  CHECK_OK(dls_problem_create(2, &W, q, relations, custom, &problem));
  return problem;
}

/* 2 r0 + r1 / 2 = 1, r0 / 2 + 3 r1 = 2: r0 = 8/23, r1 = 14/23. */
TEST(a_custom_law_is_solved_by_its_residual) {
  const DlsSolver *newton = find_newton();
  if (!newton) return;
  int failing = 0;
  DlsProblem *problem = custom_problem(&failing);
  TestRun run = test_solve(newton, problem, 1e-12);
  CHECK_NEAR(run.r[0], 8.0 / 23, 1e-10);
  CHECK_NEAR(run.r[2], 14.0 / 23, 1e-10);
  test_end(&run);
  dls_problem_destroy(&problem);
}

/* Counts measures; the law fails from the second one on, so that SNES meets it. */
static int fail_later(void *context, long iteration, double time_s, double error) {
  (void)iteration, (void)time_s, (void)error;
  *(int *)context = 1;
  return 0;
}

TEST(a_law_that_fails_within_snes_is_named) {
  const DlsSolver *newton = find_newton();
  if (!newton) return;
  int failing = 0;
  DlsProblem *problem = custom_problem(&failing);
  const DlsLimits limits = {.tolerance = 1e-12};
  const DlsMonitor monitor = {fail_later, &failing};
  double r[4] = {0};
  DlsReport report;
  CHECK_FAILS(dls_solve(newton, problem, NULL, &limits, &monitor, r, NULL, &report), DLS_ERR_LAW,
              "the law of the test fails");
  dls_problem_destroy(&problem);
}

static int stop_at_once(void *context, long iteration, double time_s, double error) {
  (void)context, (void)iteration, (void)time_s, (void)error;
  return 1;
}

TEST(limits_and_the_monitor_are_obeyed) {
  const DlsSolver *newton = find_newton();
  if (!newton) return;
  DlsProblem *problem = NULL;
  DlsReport report;
  DlsSampleParams params = {.size = 60, .seed = 1, .mu = 0.3, .h = 1e-3};
  CHECK_OK(dls_sample_create("box", &params, &problem, NULL));
  const size_t n = (size_t)dls_problem_contacts(problem) * 3;
  double *r = calloc(n, sizeof *r);
  const DlsLimits few = {.tolerance = 1e-10, .max_iterations = 5};
  CHECK_OK(dls_solve(newton, problem, NULL, &few, NULL, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_ITERATION_LIMIT);
  CHECK(report.iterations <= 5);
  const DlsLimits none = {.tolerance = 1e-10};
  const DlsMonitor monitor = {stop_at_once, NULL};
  CHECK_OK(dls_solve(newton, problem, NULL, &none, &monitor, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_STOPPED);
  /* What was reached is a guess for the next, which begins no worse. */
  const double before = report.error;
  CHECK_OK(dls_solve(newton, problem, NULL, &none, NULL, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_CONVERGED);
  CHECK_BELOW(report.error, before);
  free(r);
  dls_problem_destroy(&problem);
}

/* Public problems on which sweeps need thousands of iterations, or stall. */
TEST(hard_public_problems_reach_eight_digits) {
  static const char *const names[] = {"Box_Stacks-i0122-82-5", "Capsules-i122-1617",
                                      "KaplasTower-i1061-4", "OneObject-i100000-316",
                                      "spheres-in-a-box-98-i10000-256-10"};
  const DlsSolver *newton = find_newton();
  const char *shared = test_shared();
  if (!newton) return;
  if (!shared) {
    test_skip("no shared problems");
    return;
  }
  for (int k = 0; k < DLS_COUNT(names); k++) {
    char path[4096];
    DlsProblem *problem = NULL;
    snprintf(path, sizeof path, "%s/fclib/local/%s.hdf5", shared, names[k]);
    CHECK_OK(dls_fclib_read(path, &problem, NULL));
    if (problem) check_solved(newton, problem, names[k], NULL, NULL);
    dls_problem_destroy(&problem);
  }
}
