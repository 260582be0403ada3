/* The variants of the solvers: every form, order, step and residual reaches the same tolerance. */
#include "tests/solving.h"

#include <stdio.h>

static void check_variants(const char *sample, int size, const char *solver_name,
                           const char *const (*variants)[2], int count, double tolerance) {
  const DlsSolver *solver = NULL;
  const DlsSample *found = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_solver_find(solver_name, &solver));
  CHECK_OK(dls_sample_find(sample, &found));
  DlsSampleParams params = found->defaults;
  params.size = size;
  CHECK_OK(dls_sample_create(sample, &params, &problem, NULL));
  for (int k = 0; k < count; k++) {
    TestRun run = test_solve_from(solver, problem, tolerance, NULL, variants[k][0], variants[k][1]);
    if (run.report.outcome != DLS_CONVERGED)
      test_fail(__FILE__, __LINE__, "%s %s=%s on %s: %s at %.2e", solver_name, variants[k][0],
                variants[k][1], sample, dls_outcome_text(run.report.outcome), run.report.error);
    CHECK_BELOW(run.errors.natural, tolerance);
    test_end(&run);
  }
  dls_problem_destroy(&problem);
}

TEST(nsgs_in_every_form_and_order) {
  static const char *const variants[][2] = {
      {"form", "assembled"}, {"form", "factored"},         {"sweep", "symmetric"},
      {"sweep", "random"},   {"sweep", "drawn"},           {"omega", "0.8"},
      {"omega", "1.2"},      {"check_every", "10"},        {"refresh", "3"},
      {"rescue", "no"},      {"acceleration", "anderson"},
  };
  check_variants("pile", 4, "nsgs", variants, DLS_COUNT(variants), 1e-8);
  check_variants("wall", 3, "nsgs", variants, DLS_COUNT(variants), 1e-6);
  /* Sweeps in other orders creep along the null space of W for long: 1e-4 is what all reach soon.
   */
  check_variants("disks", 30, "nsgs", variants, DLS_COUNT(variants), 1e-4);
  check_variants("rolling", 5, "nsgs", variants, DLS_COUNT(variants), 1e-6);
}

/* Sweeps of nsgs to a natural error of 1e-6 with and without Anderson's mixing. */
static void count_sweeps(const char *sample, int size, const char *form, long *plain, long *mixed) {
  const DlsSolver *nsgs = NULL;
  const DlsSample *found = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_solver_find("nsgs", &nsgs));
  CHECK_OK(dls_sample_find(sample, &found));
  DlsSampleParams params = found->defaults;
  params.size = size;
  CHECK_OK(dls_sample_create(sample, &params, &problem, NULL));
  TestRun run = test_solve_from(nsgs, problem, 1e-6, NULL, "form", form);
  *plain = run.report.iterations;
  test_end(&run);
  void *options = calloc(1, nsgs->option_bytes);
  dls_solver_defaults(nsgs, options);
  CHECK_OK(dls_solver_set_option(nsgs, options, "form", form));
  CHECK_OK(dls_solver_set_option(nsgs, options, "acceleration", "anderson"));
  const DlsLimits limits = {.tolerance = 1e-6, .max_iterations = 1000000};
  double *r =
      calloc((size_t)(dls_problem_contacts(problem) * dls_problem_block(problem)), sizeof *r);
  DlsReport report;
  CHECK_OK(dls_solve(nsgs, problem, options, &limits, NULL, r, NULL, &report));
  CHECK(report.outcome == DLS_CONVERGED);
  CHECK(report.work.mixed_sweeps > 0);
  *mixed = report.iterations;
  free(options);
  free(r);
  dls_problem_destroy(&problem);
}

/* Where sweeps are slow and regular it gains much; where it leads astray, on the disks, plain
 * sweeps from the guess bound what it loses. */
TEST(anderson_saves_sweeps_in_both_forms_in_2d_3d_and_rolling) {
  static const struct {
    const char *sample;
    int size;
    double share; /* of the plain sweeps, at most */
  } cases[] = {{"pile", 4, 0.7}, {"wall", 3, 0.7}, {"disks", 30, 2.0}, {"rolling", 5, 1.1}};
  for (int k = 0; k < DLS_COUNT(cases); k++)
    for (int form = 0; form < 2; form++) {
      long plain = 0, mixed = 0;
      count_sweeps(cases[k].sample, cases[k].size, form ? "factored" : "assembled", &plain, &mixed);
      if (getenv("SHOW"))
        printf("%s %s: %ld plain, %ld mixed\n", cases[k].sample, form ? "factored" : "assembled",
               plain, mixed);
      CHECK_BELOW((double)mixed, cases[k].share * (double)plain + 5);
    }
}

TEST(momentum_in_every_form) {
  static const char *const variants[][2] = {
      {"form", "assembled"}, {"form", "factored"}, {"gentle", "0"},      {"limit", "0"},
      {"limit", "0.7"},      {"growth", "1"},      {"check_every", "5"}, {"refresh", "3"},
      {"rescue", "no"},      {"spots", "0"},       {"spots", "1"},
  };
  check_variants("pile", 4, "momentum", variants, DLS_COUNT(variants), 1e-8);
  check_variants("wall", 3, "momentum", variants, DLS_COUNT(variants), 1e-6);
  check_variants("disks", 30, "momentum", variants, DLS_COUNT(variants), 1e-4);
  check_variants("rolling", 5, "momentum", variants, DLS_COUNT(variants), 1e-6);
}

/* Without momentum the sweeps are those of nsgs, to the last bit. */
TEST(momentum_of_limit_zero_is_nsgs) {
  const DlsSolver *nsgs = NULL, *momentum = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_solver_find("nsgs", &nsgs));
  CHECK_OK(dls_solver_find("momentum", &momentum));
  CHECK_OK(dls_sample_create("pile", &(DlsSampleParams){.size = 4, .mu = 0.5, .h = 1e-3}, &problem,
                             NULL));
  TestRun a = test_solve_from(nsgs, problem, 1e-6, NULL, "form", "assembled");
  void *options = calloc(1, momentum->option_bytes);
  dls_solver_defaults(momentum, options);
  CHECK_OK(dls_solver_set_option(momentum, options, "form", "assembled"));
  CHECK_OK(dls_solver_set_option(momentum, options, "limit", "0"));
  const DlsLimits limits = {.tolerance = 1e-6, .max_iterations = 1000000};
  double *r = calloc(a.n, sizeof *r);
  DlsReport report;
  CHECK_OK(dls_solve(momentum, problem, options, &limits, NULL, r, NULL, &report));
  CHECK(report.iterations == a.report.iterations);
  CHECK(memcmp(r, a.r, a.n * sizeof *r) == 0);
  free(options);
  free(r);
  test_end(&a);
  dls_problem_destroy(&problem);
}

TEST(uzawa_by_every_method) {
  static const char *const variants[][2] = {
      {"method", "projection"},
      {"method", "extragradient"},
      {"method", "bipotential"},
      {"method", "alternate"},
      {"rho", "100"},
      {"rho", "0.01"},
  };
  check_variants("pile", 4, "uzawa", variants, DLS_COUNT(variants), 1e-6);
  check_variants("wall", 3, "uzawa", variants, DLS_COUNT(variants), 1e-5);
  check_variants("disks", 30, "uzawa", variants, DLS_COUNT(variants), 1e-4);
  check_variants("rolling", 30, "uzawa", variants, DLS_COUNT(variants), 1e-4);
  check_variants("torsion", 30, "uzawa", variants, DLS_COUNT(variants), 1e-4);
}

static long predictor_sweeps(const DlsProblem *problem, const char *method) {
  const DlsSolver *uzawa = NULL;
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r), options[16] = {0};
  CHECK_OK(dls_solver_find("uzawa", &uzawa));
  dls_solver_defaults(uzawa, options);
  CHECK_OK(dls_solver_set_option(uzawa, options, "method", method));
  const DlsLimits limits = {
      .tolerance = 1e-6, .max_time = 20, .clock = DLS_CLOCK_CPU, .measure = DLS_MEASURE_SCALED};
  DlsReport report;
  CHECK_OK(dls_solve(uzawa, problem, options, &limits, NULL, r, NULL, &report));
  CHECK(report.outcome == DLS_CONVERGED);
  free(r);
  return report.iterations;
}

/* Between spheres W_ii is diagonal: with steps of its own for contact and for friction a pair of
 * predictor-correctors is the exact solve of a contact, one step is at most as long. */
TEST(two_steps_of_a_sphere_are_its_exact_solve) {
  const DlsSampleParams params = {.size = 60, .seed = 1, .mu = 0.3, .h = 1e-3};
  const DlsSolver *nsgs = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_create("box", &params, &problem, NULL));
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r);
  CHECK_OK(dls_solver_find("nsgs", &nsgs));
  const DlsLimits limits = {
      .tolerance = 1e-6, .max_time = 20, .clock = DLS_CLOCK_CPU, .measure = DLS_MEASURE_SCALED};
  DlsReport report;
  CHECK_OK(dls_solve(nsgs, problem, NULL, &limits, NULL, r, NULL, &report));
  const long two = predictor_sweeps(problem, "alternate");
  CHECK_TOLD(labs(two - report.iterations) <= report.iterations / 10, "%ld sweeps, nsgs %ld", two,
             (long)report.iterations);
  CHECK(predictor_sweeps(problem, "bipotential") > two);
  free(r);
  dls_problem_destroy(&problem);
}

/* Rolling, seen in metres and in millimetres: spins and torques count over a length of the contact,
 * so the one step does not shrink with the unit. */
TEST(predictor_correctors_roll_in_any_unit) {
  static const char *const methods[] = {"bipotential", "alternate"};
  const double length[2] = {1, 1e-3};
  for (int m = 0; m < 2; m++) {
    long sweeps[2];
    for (int c = 0; c < 2; c++) {
      /* One sphere of 1 kg and radius 0.1 m on a plane; W of (N, T1, T2, R1, R2). */
      const double radius = 0.1 / length[c], turn = 2.5 / (radius * radius);
      double W[25] = {0}, q[5] = {-1 / length[c], 0.3 / length[c], 0, 0, 2};
      for (int k = 0; k < 3; k++) W[6 * k] = k ? 3.5 : 1;
      for (int k = 3; k < 5; k++) W[6 * k] = turn;
      W[5 * 1 + 4] = W[5 * 4 + 1] = -2.5 / radius;
      W[5 * 2 + 3] = W[5 * 3 + 2] = 2.5 / radius;
      const DlsRelation relation = {.cone = DLS_CONE_ROLLING, .mu = {0.3, 0.3, 0.1 * radius}};
      DlsProblem *problem = NULL;
      CHECK_OK(dls_sample_dense(3, 1, 5, W, q, &relation, NULL, &problem));
      sweeps[c] = predictor_sweeps(problem, methods[m]);
      dls_problem_destroy(&problem);
    }
    CHECK_TOLD(labs(sweeps[0] - sweeps[1]) <= 1, "%s: %ld and %ld sweeps", methods[m], sweeps[0],
               sweeps[1]);
  }
}

/* A fixed step of 1 on rigid bodies that share contacts: the reason why the step adapts. */
TEST(a_fixed_step_of_one_diverges_and_says_so) {
  const DlsSolver *uzawa = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_solver_find("uzawa", &uzawa));
  CHECK_OK(dls_sample_create("wall", NULL, &problem, NULL));
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r), options[16] = {0};
  CHECK(uzawa->option_bytes <= sizeof options);
  dls_solver_defaults(uzawa, options);
  CHECK_OK(dls_solver_set_option(uzawa, options, "adapt", "no"));
  const DlsLimits limits = {
      .tolerance = 1e-6, .max_time = 20, .clock = DLS_CLOCK_CPU, .max_iterations = 3000};
  DlsReport report;
  CHECK_OK(dls_solve(uzawa, problem, options, &limits, NULL, r, NULL, &report));
  CHECK(report.outcome != DLS_CONVERGED);
  CHECK(isfinite(report.error)); /* the best iterate, not the last */
  free(r);
  dls_problem_destroy(&problem);
}

/* Sweeps in random order: the same seed gives the same answer to the last bit. */
TEST(random_sweeps_are_reproducible) {
  const DlsSolver *nsgs = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_solver_find("nsgs", &nsgs));
  const DlsSampleParams params = {.size = 4, .seed = 1, .mu = 0.5, .h = 1e-3};
  CHECK_OK(dls_sample_create("pile", &params, &problem, NULL));
  TestRun a = test_solve_from(nsgs, problem, 1e-6, NULL, "sweep", "random");
  TestRun b = test_solve_from(nsgs, problem, 1e-6, NULL, "sweep", "random");
  CHECK(memcmp(a.r, b.r, a.n * sizeof *a.r) == 0);
  test_end(&a);
  test_end(&b);
  dls_problem_destroy(&problem);
}
