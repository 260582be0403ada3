/* Every solver converges where theory says that it must. The claims are those of the pages in
 * docs/solvers, one row each below; every problem of the class is to be solved to 1e-8, from zero
 * unless the row says more, and where the solution is unique all solvers find the one that was
 * planted. */
#include "tests/planted.h"

#include <stdio.h>

typedef struct {
  const char *claim;
  BenchKind kind;
  const char *solvers; /* names with blanks around, a solver with an option as name:key=value */
  int problems;
  long most;   /* iterations */
  int unique;  /* the planted solution is the only one */
  double near; /* the guess is the planted r, off by this share; 0: zero */
} Claim;

#define FIRST_ORDER " nsgs momentum uzawa jacobi apgd bb aclm tresca admm "
#define DIRECT      " auto proximal newton alm enumerate "

static const BenchShape plane = {2, 2, DLS_CONE_COULOMB}, space = {3, 3, DLS_CONE_COULOMB};

static const Claim claims[] = {
    {"strictly convex: definite, symmetric, no friction",
     {.matrix = BENCH_DEFINITE, .frictionless = 1},
     FIRST_ORDER DIRECT "cpg ",
     300,
     3000,
     1,
     0},
    {"convex: symmetric of any rank, no friction",
     {.matrix = BENCH_SINGULAR, .frictionless = 1},
     FIRST_ORDER DIRECT "cpg ",
     300,
     20000,
     0,
     0},
    {"contracting: definite and little friction",
     {.matrix = BENCH_DEFINITE, .mu_most = 0.3},
     FIRST_ORDER DIRECT,
     300,
     3000,
     1,
     0},
    {"strongly monotone, unsymmetric, no friction",
     {.matrix = BENCH_UNSYMMETRIC, .frictionless = 1},
     " uzawa:method=extragradient admm nsgs" DIRECT,
     300,
     5000,
     1,
     0},
    {"contracting, unsymmetric",
     {.matrix = BENCH_UNSYMMETRIC, .mu_most = 0.3},
     " nsgs momentum uzawa jacobi admm " DIRECT,
     300,
     5000,
     1,
     0},
    {"contracting: definite, little friction, Coulomb's or dilatant",
     {.matrix = BENCH_DEFINITE, .mu_most = 0.3, .dilatant = 1},
     FIRST_ORDER DIRECT,
     300,
     3000,
     1,
     0},
    {"associated: strictly convex, any friction",
     {.matrix = BENCH_DEFINITE, .mu_most = 5, .associated = 1},
     " nsgs momentum uzawa jacobi apgd bb aclm admm " DIRECT,
     300,
     20000,
     1,
     0},
    {"associated: convex, of any rank",
     {.matrix = BENCH_SINGULAR, .mu_most = 1, .associated = 1},
     " nsgs momentum apgd bb aclm admm " DIRECT,
     300,
     100000,
     0,
     0},
    {"convex relaxation: nothing slides",
     {.matrix = BENCH_DEFINITE, .mu_most = 5, .still = 1},
     " apgd:shift=none ",
     300,
     20000,
     0,
     0},
    {"one contact is solved exactly",
     {.matrix = BENCH_DEFINITE, .mu_most = 5, .contacts = 1, .only = &space},
     " auto nsgs momentum jacobi ",
     300,
     3,
     0,
     0},
    {"by cases, definite in 2-D, any friction",
     {.matrix = BENCH_DEFINITE, .mu_most = 5, .only = &plane},
     " enumerate auto ",
     300,
     2000,
     0,
     0},
    {"a handful of contacts, W singular, any friction",
     {.matrix = BENCH_SINGULAR, .mu_most = 5},
     " auto ",
     300,
     100000,
     0,
     0},
    {"Newton's method, near a solution",
     {.matrix = BENCH_DEFINITE, .mu_most = 0.3},
     " proximal newton alm:presweeps=0 ",
     300,
     12,
     1,
     1e-6},
};

static TestRun solve(const Claim *claim, const DlsSolver *solver, const char *option,
                     const BenchPlanted *planted, const DlsProblem *problem, DlsRandom *random) {
  TestRun run = {.n = (size_t)planted->rows};
  const DlsLimits limits = {.tolerance = 1e-8, .max_iterations = claim->most};
  double options[512], r[BENCH_ROWS] = {0};
  char key[64], *value;
  snprintf(key, sizeof key, "%s", option ? option : "");
  dls_solver_defaults(solver, options);
  if ((value = strchr(key, '=')) != NULL) {
    *value = '\0';
    CHECK_OK(dls_solver_set_option(solver, options, key, value + 1));
  }
  for (size_t k = 0; k < run.n && claim->near > 0; k++)
    r[k] = planted->r[k] + claim->near * dls_random_normal(random);
  run.r = calloc(run.n, sizeof *run.r);
  memcpy(run.r, r, run.n * sizeof *r);
  CHECK_OK(dls_solve(solver, problem, options, &limits, NULL, run.r, NULL, &run.report));
  return run;
}

/* Name, or name:option, from the list; returns what follows. */
static const char *next_name(const char *list, char *name, size_t size) {
  list += strspn(list, " ");
  const size_t length = strcspn(list, " ");
  snprintf(name, size, "%.*s", (int)length, list);
  return list + length;
}

static void check_claim(const Claim *claim, uint64_t seed) {
  DlsRandom random;
  dls_random_seed(&random, seed);
  for (int number = 0; number < claim->problems; number++) {
    BenchPlanted planted = bench_draw_planted(&random, &claim->kind);
    DlsProblem *problem = make_planted(&planted);
    char name[64];
    for (const char *list = next_name(claim->solvers, name, sizeof name); *name;
         list = next_name(list, name, sizeof name)) {
      const DlsSolver *solver = NULL;
      char *option = strchr(name, ':');
      if (option) *option++ = '\0';
      CHECK_OK(dls_solver_find(name, &solver));
      if (!solver) continue;
      TestRun run = solve(claim, solver, option, &planted, problem, &random);
      const double apart = test_apart(run.n, run.r, planted.r);
      if (run.report.outcome != DLS_CONVERGED)
        test_fail(__FILE__, __LINE__, "%s, %d: %s ends %s at %.2e after %ld: %s", claim->claim,
                  number, name, dls_outcome_text(run.report.outcome), run.report.error,
                  run.report.iterations, run.report.note);
      else if (claim->unique && !(apart <= 1e-6 * (1 + test_size(run.n, planted.r))))
        test_fail(__FILE__, __LINE__, "%s, %d: %s is %.2e from what was planted", claim->claim,
                  number, name, apart);
      free(run.r);
    }
    dls_problem_destroy(&problem);
  }
}

TEST(solvers_converge_where_theory_says_that_they_must) {
  for (int k = 0; k < DLS_COUNT(claims); k++) check_claim(&claims[k], 500 + (uint64_t)k);
}

/* Two contacts press on a body from both sides: W has a null space inside the cones, along which
 * reactions may grow without end. q drives the tangents apart, so that not both can stick. At r =
 * 1e9 z, both sticking, an error relative to |r| is below 1e-8; u is as wrong as it can be, and
 * nobody may call that a solution. */
TEST(reactions_that_run_off_are_no_solution) {
  const double W[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, q[4] = {0, -1, 0, 1};
  const DlsRelation relations[2] = {{.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}},
                                    {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}}};
  DlsProblem *problem = test_dense_problem(2, 2, 2, W, q, relations);
  const double far[4] = {1e9, 0, 1e9, 0};
  DlsErrors errors;
  CHECK_OK(dls_errors_measure(problem, far, NULL, &errors));
  CHECK_BELOW(errors.natural, 1e-8);
  CHECK_NEAR(errors.amplification, 1e9, 1);
  const DlsSolver *const *solvers = NULL;
  const int count = test_solvers(&solvers);
  const DlsLimits limits = {.tolerance = 1e-8, .max_iterations = 2000};
  for (int k = 0; k < count; k++) {
    double r[4];
    DlsReport report;
    memcpy(r, far, sizeof r);
    CHECK_OK(dls_solve(solvers[k], problem, NULL, &limits, NULL, r, NULL, &report));
    CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
    if (report.outcome == DLS_CONVERGED &&
        errors.natural * errors.amplification > limits.tolerance * DLS_RUN_OFF)
      test_fail(__FILE__, __LINE__, "%s says converged with an error of %.1e times the load",
                solvers[k]->name, errors.natural * errors.amplification);
  }
  dls_problem_destroy(&problem);
}

/* Held by a prestress and asked for nothing, the same structure stays as it is: that is a
 * solution. */
TEST(a_prestress_that_nothing_moves_is_a_solution) {
  const double W[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, q[4] = {0};
  const DlsRelation relations[2] = {{.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}},
                                    {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}}};
  DlsProblem *problem = test_dense_problem(2, 2, 2, W, q, relations);
  const double held[4] = {3, 0, 3, 0};
  FOR_EACH_SOLVER (solver) {
    TestRun run = test_solve_from(solver, problem, 1e-10, held, NULL, NULL);
    CHECK_INT(run.report.outcome, DLS_CONVERGED);
    CHECK_INT(run.report.iterations, 0);
    test_end(&run);
  }
  dls_problem_destroy(&problem);
}
