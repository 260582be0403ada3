/* Problems with a known answer: the answers obey the relations by themselves, the solvers find
 * them, and a wrong one is told from a right one. */
#include "tests/solving.h"

#include <delassus/analytic.h>

#include "base/small.h"
#include "compare/scoreboard.h"

#include <float.h>
#include <stdio.h>

/* The answer in closed form solves the problem that was built, whatever a solver thinks: where r is
 * unique the pair (u, r) is exact. Builder and answer are independent, so that a slip in either
 * shows. */
TEST(closed_forms_solve_their_problems) {
  for (int number = 0; number < dls_analytic_count(); number++) {
    DlsAnalytic a;
    DlsErrors errors;
    DlsAnalyticError wrong;
    CHECK_OK(dls_analytic_create(number, &a));
    const int n = dls_problem_contacts(a.problem) * dls_problem_block(a.problem);
    for (int k = 0; k < a.answers; k++) {
      if (isnan(a.r[0])) continue;
      CHECK_OK(dls_errors_measure(a.problem, a.r + k * n, NULL, &errors));
      CHECK_OK(dls_analytic_judge(&a, a.r + k * n, &wrong));
      if (errors.natural > 1e-12 || wrong.worst > 1e-10)
        test_fail(__FILE__, __LINE__, "%s, answer %d: natural %.1e, off by %.1e", a.name, k,
                  errors.natural, wrong.worst);
      CHECK_INT(wrong.answer, k);
    }
    dls_analytic_clear(&a);
  }
}

/* Rows of spheres (column, chain, heavy) move along one line, where the problem is û = A r̂ + q̂,
 * 0 <= û, r̂ and û·r̂ = 0 with a positive definite A. For such, with e = r̂ - max(0, r̂ - û), the
 * natural map, and r* the answer (Pang 1987),
 *   |r - r*| <= (1 + L) / c |e|,   |u - u*| <= L |r - r*|,   c and L the least and largest
 *       eigenvalue
 * of A, here 1/kg: second differences with a free end, 4 sin²((2k - 1) π / (4n + 2)), or between
 * two open ends, 4 sin²(k π / 2n); or [1, -1; -1, 1 + 1/R]. */
static bool is_line(const DlsAnalytic *a, double *c, double *L) {
  double n;
  if (sscanf(a->name, "column-%lf", &n) == 1) {
    *c = 4 * pow(sin(M_PI / (4 * n + 2)), 2);
    *L = 4;
  } else if (sscanf(a->name, "chain-%lf", &n) == 1) {
    *c = 4 * pow(sin(M_PI / (2 * n)), 2);
    *L = 4;
  } else if (sscanf(a->name, "heavy-%lf", &n) == 1) {
    const double trace = 2 + 1 / n;
    *L = (trace + sqrt(trace * trace - 4 / n)) / 2;
    *c = 1 / n / *L;
  } else {
    return false;
  }
  return true;
}

/* The most that an answer of this natural error can be off on a line, relative as the judge has
 * it. */
static double line_bound(const DlsAnalytic *a, const double *r, double natural) {
  const int n = dls_problem_contacts(a->problem) * dls_problem_block(a->problem);
  const double *q = dls_problem_standard_q(a->problem);
  double c, L, *u = calloc((size_t)n, sizeof *u), size = 0;
  CHECK(is_line(a, &c, &L));
  dls_problem_standard_velocity(a->problem, r, u); /* a = 0: r̂ = r */
  size = fmax(dls_small_norm(n, q), fmax(dls_small_norm(n, r), dls_small_norm(n, u)));
  for (int k = 0; k < n; k++)
    if (k % 3) CHECK_NEAR(r[k], 0, 1e-9 * natural * size); /* along the line alone */
  free(u);
  const double apart = (1 + L) / c * natural * size;
  const double rounded = 4 * DBL_EPSILON * size; /* of the sums of a row, a distance in r alike */
  return fmax((apart + rounded) / a->r_size, L * (apart + rounded) / a->u_size);
}

/* nsgs converges on all but the rows of spheres, newton and proximal on every case; whoever
 * converges is right. On rows of spheres by the theorem above; elsewhere to a thousand tolerances,
 * for which there is no theorem: a regression bound. */
static void check_solver(const DlsSolver *solver, const DlsAnalytic *a) {
  double c, L;
  const bool line = is_line(a, &c, &L);
  const bool exact = strcmp(solver->name, "newton") == 0 || strcmp(solver->name, "proximal") == 0;
  const bool must = exact || (!line && strcmp(solver->name, "nsgs") == 0);
  const DlsLimits limits = {.tolerance = line ? 1e-6 : 1e-9,
                            .max_time = 5,
                            .clock = DLS_CLOCK_CPU,
                            .max_iterations = 200000};
  const int n = dls_problem_contacts(a->problem) * dls_problem_block(a->problem);
  double *r = calloc((size_t)n, sizeof *r);
  DlsReport report = {0};
  DlsAnalyticError wrong;
  DlsErrors errors;
  const DlsStatus status = dls_solve(solver, a->problem, NULL, &limits, NULL, r, NULL, &report);
  CHECK(status == DLS_OK || status == DLS_ERR_UNSUPPORTED);
  CHECK_OK(dls_analytic_judge(a, r, &wrong));
  CHECK_OK(dls_errors_measure(a->problem, r, NULL, &errors));
  if (must && report.outcome != DLS_CONVERGED)
    test_fail(__FILE__, __LINE__, "%s on %s: %s, error %.1e", solver->name, a->name,
              dls_outcome_text(report.outcome), report.error);
  if (status == DLS_OK && report.outcome == DLS_CONVERGED) {
    const double most = line ? line_bound(a, r, errors.natural) : 1e3 * limits.tolerance;
    CHECK_BELOW(errors.natural, limits.tolerance);
    if (!(wrong.worst <= most))
      test_fail(__FILE__, __LINE__,
                "%s on %s: error %.1e, yet off by %.1e (u %.1e, r %.1e), > %.1e", solver->name,
                a->name, report.error, wrong.worst, wrong.velocity, wrong.impulse, most);
  }
  free(r);
}

TEST(solvers_that_converge_are_right) {
  for (int number = 0; number < dls_analytic_count(); number++) {
    DlsAnalytic a;
    CHECK_OK(dls_analytic_create(number, &a));
    FOR_EACH_SOLVER (solver) check_solver(solver, &a);
    dls_analytic_clear(&a);
  }
}

/* The default solver is not misled, not even where the residual is blind: long chains, mass ratios.
 * `Right` is what the scoreboard calls so (DLS_SCORE_FACTOR tolerances), a choice and no theorem:
 * on rows of spheres the theorem above allows up to 1e6 tolerances. So this is a regression bound
 * of `auto`, which by its own rule hands over to direct solves where it takes itself for farther
 * than half of it. */
TEST(auto_is_right_on_every_case) {
  static const double tolerances[] = {1e-6, 1e-8, 1e-10};
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find("auto", &solver));
  for (int number = 0; number < dls_analytic_count(); number++)
    for (int t = 0; t < DLS_COUNT(tolerances); t++) {
      const DlsLimits limits = {.tolerance = tolerances[t]};
      DlsAnalytic a;
      DlsAnalyticError wrong;
      DlsReport report;
      CHECK_OK(dls_analytic_create(number, &a));
      const int n = dls_problem_contacts(a.problem) * dls_problem_block(a.problem);
      double *r = calloc((size_t)n, sizeof *r);
      CHECK_OK(dls_solve(solver, a.problem, NULL, &limits, NULL, r, NULL, &report));
      CHECK_OK(dls_analytic_judge(&a, r, &wrong));
      if (report.outcome != DLS_CONVERGED || wrong.worst > DLS_SCORE_FACTOR * tolerances[t])
        test_fail(__FILE__, __LINE__, "%s at %g: %s, off by %.1e", a.name, tolerances[t],
                  dls_outcome_text(report.outcome), wrong.worst);
      free(r);
      dls_analytic_clear(&a);
    }
}

static int number_of(const char *name) {
  for (int number = 0; number < dls_analytic_count(); number++) {
    DlsAnalytic a;
    CHECK_OK(dls_analytic_create(number, &a));
    const bool found = strcmp(a.name, name) == 0;
    dls_analytic_clear(&a);
    if (found) return number;
  }
  test_fail(__FILE__, __LINE__, "there is no case %s", name);
  return 0;
}

/* One more newton-second through the sliding cube lifts it at once: shared by the four corners it
 * is 0.5 m/s, the speed of the slide; the resultant is off by 1 N s of m g h = 2 x 9.81 x 5e-3. */
TEST(a_lift_while_sliding_is_seen) {
  DlsAnalytic a;
  DlsAnalyticError right, wrong;
  const DlsLimits limits = {.tolerance = 1e-10, .max_time = 5, .clock = DLS_CLOCK_CPU};
  const DlsSolver *solver = NULL;
  DlsReport report;
  double r[12] = {0};
  CHECK_OK(dls_analytic_create(number_of("slide-0.3"), &a));
  CHECK_OK(dls_solver_find("nsgs", &solver));
  CHECK_OK(dls_solve(solver, a.problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK_OK(dls_analytic_judge(&a, r, &right));
  for (int corner = 0; corner < 4; corner++) r[3 * corner] += 0.25;
  CHECK_OK(dls_analytic_judge(&a, r, &wrong));
  CHECK_BELOW(right.worst, 1e-8);
  CHECK_NEAR(wrong.impulse, 1 / (2 * 9.81 * 5e-3), 1e-6);
  CHECK_NEAR(wrong.velocity * a.u_size, 0.5, 1e-6);
  dls_analytic_clear(&a);
}

/* A reaction of a hyperstatic table may be shared in another way, but not be another one. */
TEST(what_is_not_unique_is_not_judged) {
  DlsAnalytic a;
  DlsAnalyticError wrong;
  double r[12] = {0};
  CHECK_OK(dls_analytic_create(number_of("table-4"), &a));
  const double P = a.sum[0];
  /* Legs at +-s: the load at e asks for N_i = P/4 (1 + e_x x_i/s² + e_y y_i/s²), s² = 0.18, and
   * (+,-,+,-) is free. */
  const double x[4] = {1, -1, -1, 1}, y[4] = {1, 1, -1, -1}, s = 0.6 * M_SQRT1_2;
  for (int share = -1; share <= 1; share++) {
    for (int i = 0; i < 4; i++)
      r[3 * i] = P / 4 * (1 + (0.15 * x[i] + 0.1 * y[i]) / s + 0.2 * share * x[i] * y[i]);
    CHECK_OK(dls_analytic_judge(&a, r, &wrong));
    CHECK_BELOW(wrong.worst, 1e-12);
  }
  r[0] += 1e-3 * P;
  CHECK_OK(dls_analytic_judge(&a, r, &wrong));
  CHECK_NEAR(wrong.impulse, 1e-3, 1e-9);
  r[0] = NAN;
  CHECK_OK(dls_analytic_judge(&a, r, &wrong));
  CHECK(isinf(wrong.worst));
  dls_analytic_clear(&a);
}

/* The rod has one answer below the critical friction and when it is stopped, three when its end
 * lifts. */
TEST(painleve_rod_has_as_many_answers_as_theory_says) {
  static const struct {
    const char *name;
    int answers;
  } rods[] = {{"painleve-1", 1}, {"painleve-2", 1}, {"painleve-2-up", 3}};
  for (int k = 0; k < DLS_COUNT(rods); k++) {
    DlsAnalytic a;
    CHECK_OK(dls_analytic_create(number_of(rods[k].name), &a));
    CHECK_INT(a.answers, rods[k].answers);
    dls_analytic_clear(&a);
  }
}

/* Verdicts: a solver that converged is right or misled by how far its answer is, whatever its
 * residual. */
TEST(a_planted_wrong_answer_is_marked) {
  DlsRace race;
  DlsScoreboard board;
  const int number = number_of("column-10");
  CHECK_OK(dls_race_create(dls_analytic_count(), 1, &race));
  race.tolerances = 1;
  race.tolerance[0] = 1e-6;
  CHECK_OK(dls_scoreboard_create(&race, &board));
  DlsRaceRun *run = dls_race_at(&race, number, 0);
  const DlsAnalytic *a = &board.analytic[number];
  double r[30];
  CHECK_INT(dls_scoreboard_verdict(&board, number, 0), DLS_VERDICT_FAILED);
  run->end = DLS_RACE_ENDED;
  run->proof[0].measured = 1e-7;
  memcpy(r, a->r, sizeof r);
  CHECK_OK(dls_analytic_judge(a, r, &board.error[number]));
  CHECK_INT(dls_scoreboard_verdict(&board, number, 0), DLS_VERDICT_RIGHT);
  r[0] *= 1 + 2e-4;
  CHECK_OK(dls_analytic_judge(a, r, &board.error[number]));
  CHECK_INT(dls_scoreboard_verdict(&board, number, 0), DLS_VERDICT_MISLED);
  run->proof[0].measured = 1e-5; /* whatever it said itself */
  run->outcome = DLS_CONVERGED;
  CHECK_INT(dls_scoreboard_verdict(&board, number, 0), DLS_VERDICT_UNFINISHED);
  dls_scoreboard_clear(&board);
  dls_race_clear(&race);
}
