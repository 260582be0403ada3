/* "Converged" is true: every solver on random problems of thirteen kinds, at tolerances 1e-3 to
 * 1e-8, from guesses that are zero, wild or a prestress, asked as users ask, and judged in long
 * double by code of its own (core/solver_bench/judge.h says what is true). And where `enumerate`
 * finds a solution, `auto` finds one.
 *
 * DELASSUS_TRIALS sets the number of problems of each kind (make check-long: 8400, that is 1e5 for
 * each solver); DELASSUS_SEED draws others; SHOW=1 prints how many converged. */
#include "solver_bench/drawn.h"
#include "solver_bench/judge.h"
#include "tests/planted.h"

#include <stdio.h>

enum { SOLVERS = 32, TRIALS = 60 };

typedef struct {
  BenchDrawn trial;
  bool exhaustive; /* enumerate goes through all cases */
} Trial;

static long count_of_trials(void) {
  const char *asked = getenv("DELASSUS_TRIALS");
  return asked ? atol(asked) : TRIALS;
}

/* Another for each kind, and other problems where DELASSUS_SEED says so. */
static void seed(DlsRandom *random, int test, int kind) {
  const char *asked = getenv("DELASSUS_SEED");
  dls_random_seed(random, (uint64_t)(asked ? atol(asked) : 0) * 1000 +
                              (uint64_t)(test * BENCH_KINDS + kind));
}

/* Returns whether it converged. */
static bool try_solver(const Trial *t, const DlsSolver *solver, int kind, long number) {
  double r[BENCH_ROWS];
  DlsReport report;
  DlsLimits limits = t->trial.limits;
  if (!test_is_general(solver) && !t->exhaustive) limits.max_iterations = 1; /* a millisecond */
  memcpy(r, t->trial.guess, sizeof r);
  CHECK_OK(dls_solve(solver, t->trial.problem, NULL, &limits, NULL, r, NULL, &report));
  if (report.outcome != DLS_CONVERGED) return false;
  const BenchVerdict v = bench_judge(&t->trial.mechanism.planted, r);
  if (!bench_judge_is_true(&v, t->trial.limits.measure, t->trial.limits.tolerance,
                           !t->trial.mechanism.impossible))
    test_fail(
        __FILE__, __LINE__,
        "%s %ld: %s says converged at %.0e (%s): natural %.1Le, scaled %.1Le, |e| %.1Le and |r| "
        "%.1Le loads%s",
        bench_kind_names[kind], number, solver->name, t->trial.limits.tolerance,
        t->trial.limits.measure == DLS_MEASURE_SCALED ? "scaled" : "natural", v.natural, v.scaled,
        v.error / v.load, v.size / v.load, t->trial.mechanism.impossible ? ", impossible" : "");
  return true;
}

TEST(what_is_said_to_be_converged_is) {
  const DlsSolver *const *solvers = NULL;
  const int count = test_solvers(&solvers);
  const long trials = count_of_trials();
  CHECK(count <= SOLVERS);
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    long converged[SOLVERS] = {0};
    DlsRandom random;
    seed(&random, 4, kind);
    for (long number = 0; number < trials; number++) {
      Trial trial = {0};
      CHECK_OK(bench_draw(&random, kind, &trial.trial));
      for (int k = 0; k < count && k < SOLVERS; k++)
        converged[k] += try_solver(&trial, solvers[k], kind, number);
      bench_drawn_clear(&trial.trial);
    }
    for (int k = 0; k < count && getenv("SHOW"); k++)
      printf("%-12s %-10s %6ld of %6ld\n", bench_kind_names[kind], solvers[k]->name, converged[k],
             trials);
  }
}

/* Up to three contacts of any kind, at 1e-8. */
TEST(auto_finds_what_enumerate_finds) {
  const DlsSolver *automatic = NULL, *cases = NULL;
  const DlsLimits limits = {.tolerance = 1e-8, .max_iterations = 200000};
  const long trials = 1 + count_of_trials() / 3;
  long found = 0;
  CHECK_OK(dls_solver_find("auto", &automatic));
  CHECK_OK(dls_solver_find("enumerate", &cases));
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    DlsRandom random;
    seed(&random, 5, kind);
    for (long number = 0; number < trials; number++) {
      BenchMechanism m = bench_draw_kind(&random, kind);
      if (m.planted.contacts > 3 || m.impossible) continue;
      DlsProblem *problem = make_planted(&m.planted);
      double exact[BENCH_ROWS] = {0}, r[BENCH_ROWS] = {0};
      DlsReport report;
      CHECK_OK(dls_solve(cases, problem, NULL, &limits, NULL, exact, NULL, &report));
      if (report.outcome == DLS_CONVERGED) {
        found++;
        CHECK_OK(dls_solve(automatic, problem, NULL, &limits, NULL, r, NULL, &report));
        if (report.outcome != DLS_CONVERGED)
          test_fail(__FILE__, __LINE__, "%s %ld: auto ends %s at %.1e: %s", bench_kind_names[kind],
                    number, dls_outcome_text(report.outcome), report.error, report.note);
      }
      dls_problem_destroy(&problem);
    }
  }
  CHECK(found > trials);
}

static BenchMechanism guided(DlsRandom *random) { return bench_draw_guided(random, 3); }

/* Bodies of one or two freedoms, from no guess at 1e-8: whoever says converged is right, and auto
 * finds what enumerate finds. Of the first kind auto was falsely converged on 97, of the second on
 * 30. */
TEST(bodies_with_one_or_two_freedoms_are_solved_or_told) {
  const struct {
    BenchMechanism (*draw)(DlsRandom *random);
    int count;
  } sets[] = {{bench_draw_rank_one, 423}, {guided, 400}};
  const DlsSolver *const *solvers = NULL;
  const int count = test_solvers(&solvers);
  for (int set = 0; set < DLS_COUNT(sets); set++) {
    int converged[SOLVERS] = {0}, both = 0, exact = -1, automatic = -1;
    DlsRandom random;
    seed(&random, 6, set);
    for (int k = 0; k < count; k++) {
      if (strcmp(solvers[k]->name, "enumerate") == 0) exact = k;
      if (strcmp(solvers[k]->name, "auto") == 0) automatic = k;
    }
    for (int number = 0; number < sets[set].count; number++) {
      bool solved[SOLVERS] = {0};
      Trial t = {.trial = {.mechanism = sets[set].draw(&random), .limits = {.tolerance = 1e-8}},
                 .exhaustive = true};
      t.trial.problem = make_planted(&t.trial.mechanism.planted);
      t.trial.limits.max_iterations = 20000;
      solved[exact] = try_solver(&t, solvers[exact], 1, number);
      for (int k = 0; k < count; k++) {
        t.trial.limits.max_iterations = k == automatic && solved[exact] ? 20000 : 100;
        if (k != exact) solved[k] = try_solver(&t, solvers[k], 1, number);
        converged[k] += solved[k];
      }
      both += solved[exact] && solved[automatic];
      bench_drawn_clear(&t.trial);
    }
    CHECK_INT(both, converged[exact]);
    CHECK(converged[exact] > sets[set].count / 2);
    for (int k = 0; k < count && getenv("SHOW"); k++)
      printf("set %d: %-10s %d of %d\n", set, solvers[k]->name, converged[k], sets[set].count);
  }
}

/* A problem, from a guess, by every solver at tolerances 1e-3 to 1e-8: what converges is right.
 * Returns how often that was so. */
static int try_all(BenchPlanted *p, const double *guess, bool impossible) {
  const DlsSolver *const *solvers = NULL;
  const int count = test_solvers(&solvers);
  Trial t = {.trial = {.mechanism = {.planted = *p, .impossible = impossible}}};
  int converged = 0;
  t.trial.problem = make_planted(&t.trial.mechanism.planted);
  if (guess) memcpy(t.trial.guess, guess, (size_t)p->rows * sizeof *guess);
  for (int k = 0; k < 12; k++) {
    t.trial.limits = (DlsLimits){.tolerance = pow(10, -3 - k / 2),
                                 .max_iterations = 1000,
                                 .measure = k % 2 ? DLS_MEASURE_SCALED : DLS_MEASURE_NATURAL};
    for (int j = 0; j < count; j++) converged += try_solver(&t, solvers[j], 0, -k);
  }
  bench_drawn_clear(&t.trial);
  return converged;
}

static BenchPlanted one_contact(const double *W, const double *q, double mu) {
  BenchPlanted p = {.shape = {3, 3, DLS_CONE_COULOMB}, .contacts = 1, .rows = 3};
  memcpy(p.W, W, 9 * sizeof *W);
  memcpy(p.q, q, 3 * sizeof *q);
  p.relations[0] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
  return p;
}

/* W = h hᵀ: one freedom on a belt, reactions across h move nothing. auto finds the answer, nobody
 * another. */
TEST(a_body_with_one_freedom_on_a_belt_is_solved) {
  const double h[3] = {0.2, -1, 0.9}, q[3] = {-0.2, 2, -0.9};
  const DlsLimits limits = {.tolerance = 1e-10, .max_iterations = 100000};
  const DlsSolver *solver = NULL;
  double W[9], r[3] = {0};
  DlsReport report;
  for (int k = 0; k < 9; k++) W[k] = h[k / 3] * h[k % 3];
  BenchPlanted p = one_contact(W, q, 0.8);
  CHECK(try_all(&p, NULL, false) > 0);
  DlsProblem *problem = make_planted(&p);
  CHECK_OK(dls_solver_find("auto", &solver));
  CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_CONVERGED);
  CHECK_BELOW((double)bench_judge(&p, r).error, 1e-9);
  dls_problem_destroy(&problem);
}

/* No reaction helps: whatever the tolerance, nobody says that one does. */
TEST(a_contact_that_nothing_moves_apart_is_not_solved) {
  const double W[9] = {0}, q[3] = {-1, 0.5, 0};
  BenchPlanted p = one_contact(W, q, 0.5);
  CHECK_INT(try_all(&p, NULL, true), 0);
}

/* A guess of 1e16 along the null space of a wedge, where belts run: dropped, or worked off. */
TEST(a_guess_that_is_made_up_is_no_solution) {
  DlsRandom random;
  dls_random_seed(&random, 11);
  for (int k = 0; k < 3; k++) {
    BenchMechanism m = bench_draw_wedged(&random, 0, 1);
    for (int e = 0; e < BENCH_ROWS; e++) m.null[e] *= 1e16;
    try_all(&m.planted, m.null, false);
  }
}

/* A body of 1 kg under one of 1e6 kg: definite, and soft. Reactions of 1e6 loads are right; auto
 * finds them. */
TEST(a_thousand_tons_on_a_kilogram_are_carried) {
  const double q[6] = {-0.01};
  BenchPlanted p = {.shape = {3, 3, DLS_CONE_COULOMB}, .contacts = 2, .rows = 6};
  for (int k = 0; k < 3; k++) {
    p.W[k * 7] = 1;
    p.W[k * 6 + k + 3] = p.W[(k + 3) * 6 + k] = -1;
    p.W[(k + 3) * 7] = 1 + 1e-6;
  }
  memcpy(p.q, q, sizeof q);
  for (int i = 0; i < 2; i++)
    p.relations[i] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  CHECK(try_all(&p, NULL, false) >= 12); /* auto, at each tolerance */
  DlsProblem *problem = make_planted(&p);
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find("auto", &solver));
  TestRun run = test_solve(solver, problem, 1e-8);
  CHECK_INT(run.report.outcome, DLS_CONVERGED);
  CHECK_NEAR(run.r[0], 0.01 * (1e6 + 1), 1);
  test_end(&run);
  dls_problem_destroy(&problem);
}
