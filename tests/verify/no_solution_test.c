/* Where no motion is possible it is said, with the proof; where a solution exists it never is. */
#include <delassus/squeeze.h>

#include "solver_bench/squeezed.h"
#include "tests/planted.h"

#include <stdio.h>

static const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-8};

enum { ROUNDS = 833 }; /* of each kind */

typedef struct {
  DlsRandom random;
  const DlsSolver *const *solvers;
  int count, round;
} Course;

static Course begin(uint64_t seed) {
  Course c = {0};
  dls_random_seed(&c.random, seed);
  c.count = test_solvers(&c.solvers);
  return c;
}

/* The solver of a round: auto, then all others in turn. */
static const DlsSolver *solver_of(const Course *c, const BenchSqueezed *s) {
  const DlsSolver *chosen = NULL;
  const int turn = c->round / BENCH_SQUEEZED_KINDS;
  if (turn % 2 == 0) {
    CHECK_OK(dls_solver_find("auto", &chosen));
    return chosen;
  }
  chosen = c->solvers[turn / 2 % c->count];
  if (!test_is_general(chosen) && s->contacts > 3) CHECK_OK(dls_solver_find("nsgs", &chosen));
  return chosen;
}

static DlsProblem *draw(Course *c, int solvable, BenchSqueezed *s) {
  DlsProblem *problem = NULL;
  CHECK_OK(bench_make_squeezed(&c->random, (BenchSqueezedKind)(c->round % BENCH_SQUEEZED_KINDS),
                               solvable, c->round % 5 == 0, s, &problem));
  return problem;
}

/* Whether the pushes prove it: by W itself, here, apart from how they were found. */
static bool is_proof(const BenchSqueezed *s, const DlsProblem *problem, const DlsSqueeze *squeeze) {
  const int block = s->shape.block, rows = s->contacts * block;
  double full[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK] = {0},
                                        out[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK];
  double balance = 0, size = 0, power = 0;
  for (int k = 0; k < squeeze->count; k++)
    for (int c = 0; c < block; c++) {
      const int i = squeeze->contact[k];
      const double push = squeeze->push[k * block + c];
      const DlsCone cone = s->relations[i].cone;
      const bool normal = c == 0 || cone == DLS_CONE_BILATERAL;
      const bool either = cone == DLS_CONE_BILATERAL || cone == DLS_CONE_SLIDER;
      if ((!normal && push != 0) || (!either && push < 0)) return false;
      full[i * block + c] = push;
      power += push * (s->q[i * block + c] + s->relations[i].b[c]);
    }
  dls_operator_apply(dls_problem_operator(problem), full, out);
  for (int e = 0; e < rows; e++) balance = fmax(balance, fabs(out[e]));
  for (int e = 0; e < rows; e++) { /* |W| |λ|, by columns */
    double one[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK] = {0};
    if (full[e] == 0) continue;
    one[e] = full[e];
    dls_operator_apply(dls_problem_operator(problem), one, out);
    for (int k = 0; k < rows; k++) size = fmax(size, fabs(out[k]));
  }
  return balance <= 1e-11 * size && power < 0 &&
         fabs(squeeze->closing + power) <= 1e-9 * fabs(power);
}

static void check_round(Course *c, int solvable, int *wrong) {
  BenchSqueezed s;
  DlsProblem *problem = draw(c, solvable, &s);
  const DlsSolver *solver = solver_of(c, &s);
  const DlsLimits limits = {.tolerance = tolerances[c->round % 23 % 4], .max_iterations = 12};
  double r[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK] = {0};
  DlsReport report;
  DlsSqueeze squeeze;
  if (c->round % 7 == 0) memcpy(r, s.r, sizeof r); /* a warm start */
  if (dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report) != DLS_OK) {
    CHECK(strcmp(solver->name, "enumerate") == 0 || solvable < 2);
    dls_problem_destroy(&problem);
    return;
  }
  CHECK_OK(dls_squeeze_find(problem, r, &squeeze));
  const bool told = report.outcome == DLS_NO_SOLUTION;
  const bool right = solvable ? !told && !squeeze.count : told && is_proof(&s, problem, &squeeze);
  if (!right && (*wrong)++ < 12)
    test_fail(
        __FILE__, __LINE__,
        "round %d, kind %d, %d contacts of %d, %s, %s at %.0e: %s, closing %.3g, told %.3g; %s",
        c->round, s.kind, s.contacts, s.shape.block, s.assembled ? "assembled" : "factored",
        solver->name, limits.tolerance, dls_outcome_text(report.outcome), s.closing,
        squeeze.closing, report.note);
  dls_squeeze_clear(&squeeze);
  dls_problem_destroy(&problem);
}

/* 4998 problems in which nothing can move, at tolerances from 1e-2 to 1e-8 and closing speeds down
 * to 1e-8 of the load (1e-6 where W is assembled). */
TEST(what_is_squeezed_is_told_at_every_tolerance_by_every_solver) {
  Course c = begin(11);
  int wrong = 0;
  for (; c.round < ROUNDS * BENCH_SQUEEZED_KINDS; c.round++) check_round(&c, 0, &wrong);
  CHECK_INT(wrong, 0);
}

/* The same bodies with a solution: contacts that push each other without closing, prestressed up to
 * 1e3 times the load. */
TEST(what_has_a_solution_is_never_said_to_have_none) {
  Course c = begin(12);
  int wrong = 0;
  for (; c.round < ROUNDS * BENCH_SQUEEZED_KINDS; c.round++) check_round(&c, 1, &wrong);
  CHECK_INT(wrong, 0);
}

/* A row of `count` balls between two walls, all falling towards one of them; the other follows
 * slower by `closing`, or not. */
static DlsProblem *make_row(int count, double closing) {
  int *start = calloc((size_t)count + 2, sizeof *start);
  int *body = calloc(2 * (size_t)count, sizeof *body);
  double *H = calloc(8 * (size_t)count, sizeof *H), *q = calloc(2 * (size_t)count + 2, sizeof *q);
  double *mass = calloc(4 * (size_t)count, sizeof *mass);
  DlsRelation *relations = calloc((size_t)count + 1, sizeof *relations);
  DlsOperator *W = NULL;
  DlsProblem *problem = NULL;
  int supports = 0;
  for (int i = 0; i <= count;
       i++) { /* of ball i - 1 below and ball i above, blocks (N, T), two freedoms */
    start[i] = supports;
    for (int side = 0; side < 2; side++) {
      const int ball = i - 1 + side;
      if (ball < 0 || ball == count) continue;
      H[4 * supports] = H[4 * supports + 3] = side ? 1 : -1;
      body[supports++] = ball;
    }
    relations[i] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}};
  }
  start[count + 1] = supports;
  for (int k = 0; k < count; k++) mass[4 * k] = mass[4 * k + 3] = 1;
  q[0] = -1; /* H v_free */
  q[2 * count] = 1 - closing;
  CHECK_OK(dls_operator_create_factored(count + 1, 2, count, 2, start, body, H, mass, &W));
  CHECK_OK(dls_problem_create(2, &W, q, relations, NULL, &problem));
  free(start), free(body), free(H), free(q), free(mass), free(relations);
  return problem;
}

/* BenchLong rows hide what is slow: 1e-6 of the load at a tolerance of 1e-2, among up to 300
 * contacts. */
TEST(a_long_row_that_closes_slowly_is_told) {
  static const int lengths[] = {59, 60, 99, 299};
  const DlsSolver *solver = NULL;
  const DlsLimits limits = {.tolerance = 1e-2, .max_iterations = 2000};
  CHECK_OK(dls_solver_find("auto", &solver));
  for (int k = 0; k < DLS_COUNT(lengths); k++)
    for (int closes = 0; closes < 2; closes++) {
      double *r = calloc(2 * (size_t)lengths[k] + 2, sizeof *r);
      DlsProblem *problem = make_row(lengths[k], closes ? 1e-6 : 0);
      DlsReport report;
      DlsSqueeze squeeze;
      CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
      CHECK_INT(report.outcome == DLS_NO_SOLUTION, closes);
      CHECK_OK(dls_squeeze_find(problem, r, &squeeze));
      CHECK_INT(squeeze.count, closes ? lengths[k] + 1 : 0);
      CHECK_NEAR(squeeze.closing, closes ? 1e-6 : 0, 1e-12);
      dls_squeeze_clear(&squeeze);
      dls_problem_destroy(&problem);
      free(r);
    }
}
