/* Contacts that dilate, û + (1 - associated) Γ(û) n ∈ K*: a convex programme where they are wholly
 * associated, and between that and Coulomb's law what an enumeration of all cases says. */
#include "tests/planted.h"

#include "base/random.h"
#include "base/small.h"

#include <delassus/errors.h>
#include <delassus/local.h>
#include <stdio.h>

typedef long double Real;

enum { MOST_CONTACTS = 4, MOST_ROWS = 3 * MOST_CONTACTS };

/* Dense problems with isotropic Coulomb cones, W = G G^T + 1/2, 2-D or 3-D. */
typedef struct {
  int dim, contacts, rows;
  double W[MOST_ROWS * MOST_ROWS], q[MOST_ROWS];
  DlsRelation relations[MOST_CONTACTS];
} Dense;

static Dense draw(DlsRandom *random, int dim, double mu_most) {
  Dense p = {.dim = dim, .contacts = 1 + dls_random_below(random, MOST_CONTACTS)};
  double G[MOST_ROWS * MOST_ROWS];
  p.rows = p.contacts * dim;
  for (int k = 0; k < p.rows * p.rows; k++) G[k] = dls_random_normal(random) / sqrt(p.rows);
  for (int i = 0; i < p.rows; i++) {
    for (int j = 0; j < p.rows; j++)
      p.W[i * p.rows + j] =
          dls_small_dot(p.rows, G + i * p.rows, G + j * p.rows) + (i == j ? 0.5 : 0);
    p.q[i] = dls_random_normal(random) - (i % dim == 0 ? 0.5 : 0);
  }
  for (int i = 0; i < p.contacts; i++) {
    const double mu = mu_most * dls_random_unit(random);
    p.relations[i] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
  }
  return p;
}

static DlsProblem *make(Dense *p, double associated) {
  for (int i = 0; i < p->contacts; i++) p->relations[i].associated = associated;
  return test_dense_problem(p->dim, p->contacts, p->dim, p->W, p->q, p->relations);
}

static Real slide_of(int dim, const Real *x) {
  return dim == 2 ? fabsl(x[1]) : sqrtl(x[1] * x[1] + x[2] * x[2]);
}

/* The nearest point of |x_T| <= mu x_N. */
static void project(Real mu, int dim, Real *x) {
  const Real size = slide_of(dim, x);
  if (size <= mu * x[0]) return;
  const Real normal = fmaxl(0, (x[0] + mu * size) / (1 + mu * mu));
  for (int k = 1; k < dim; k++) x[k] *= size > 0 ? mu * normal / size : 0;
  x[0] = normal;
}

static void velocity(const Dense *p, const Real *r, Real *u) {
  for (int i = 0; i < p->rows; i++) {
    u[i] = p->q[i];
    for (int j = 0; j < p->rows; j++) u[i] += p->W[i * p->rows + j] * r[j];
  }
}

/* argmin 1/2 r·Wr + q·r over the cones: Nesterov's method with the step 1 / trace W, begun again
 * where it turns against itself. */
static void minimise(const Dense *p, Real *r) {
  enum { MOST = 20000 };
  Real y[MOST_ROWS] = {0}, u[MOST_ROWS], trace = 0, t = 1;
  for (int i = 0; i < p->rows; i++) {
    r[i] = 0;
    trace += p->W[i * (p->rows + 1)];
  }
  for (int iteration = 0; iteration < MOST; iteration++) {
    Real next[MOST_ROWS], against = 0, moved = 0;
    velocity(p, y, u);
    for (int i = 0; i < p->rows; i++) next[i] = y[i] - u[i] / trace;
    for (int i = 0; i < p->contacts; i++) project(p->relations[i].mu[0], p->dim, next + i * p->dim);
    for (int i = 0; i < p->rows; i++) {
      against += (y[i] - next[i]) * (next[i] - r[i]);
      moved = fmaxl(moved, fabsl(next[i] - r[i]));
    }
    const Real later = against > 0 ? 1 : (1 + sqrtl(1 + 4 * t * t)) / 2;
    const Real share = against > 0 ? 0 : (t - 1) / later;
    for (int i = 0; i < p->rows; i++) {
      y[i] = next[i] + share * (next[i] - r[i]);
      r[i] = next[i];
    }
    t = later;
    if (moved < 1e-18L && iteration > 10) break;
  }
}

/* W is definite, so that the minimum is one; and what Karush, Kuhn and Tucker ask for is the
 * relation: r ∈ K, u ∈ K*, r·u = 0. */
TEST(an_associated_problem_is_a_convex_programme) {
  DlsRandom random;
  dls_random_seed(&random, 1);
  int sliding = 0;
  for (int trial = 0; trial < 40; trial++) {
    Dense p = draw(&random, 2 + trial % 2, 2);
    DlsProblem *problem = make(&p, 1);
    Real least[MOST_ROWS], u[MOST_ROWS];
    double expected[MOST_ROWS];
    minimise(&p, least);
    velocity(&p, least, u);
    for (int i = 0; i < p.contacts; i++) {
      const Real *ri = least + i * p.dim, *ui = u + i * p.dim, mu = p.relations[i].mu[0];
      Real power = 0;
      for (int k = 0; k < p.dim; k++) power += ri[k] * ui[k];
      CHECK(slide_of(p.dim, ri) <= mu * ri[0] + 1e-15L);
      CHECK(ui[0] >= mu * slide_of(p.dim, ui) - 1e-15L);
      CHECK_NEAR((double)power, 0, 1e-15);
      sliding += ri[0] > 1e-6L && slide_of(p.dim, ui) > 1e-6L;
    }
    for (int k = 0; k < p.rows; k++) expected[k] = (double)least[k];
    FOR_EACH_SOLVER (solver) {
      TestRun run = test_solve(solver, problem, 1e-11);
      if (run.report.outcome != DLS_CONVERGED) {
        /* No theory of these two covers such friction; they say so. */
        CHECK(strcmp(solver->name, "cpg") == 0 || strcmp(solver->name, "tresca") == 0);
      } else if (!(test_apart(run.n, run.r, expected) <= 1e-9)) {
        test_fail(__FILE__, __LINE__, "%d: %s is %.2e from the minimum", trial, solver->name,
                  test_apart(run.n, run.r, expected));
      }
      test_end(&run);
    }
    dls_problem_destroy(&problem);
  }
  CHECK(sliding > 20);
}

/* One solution of a 2-D problem for each choice of open, stick, slip either way that is admissible:
 *   open  r = 0;  stick  u = 0;  slip along s = ±1:  r_T = -s mu r_N,  u_N = associated mu s u_T */
static int enumerate(const Dense *p, double associated, double solutions[][MOST_ROWS]) {
  const double admitted = 1e-9;
  int cases = 1, found = 0;
  for (int i = 0; i < p->contacts; i++) cases *= 4;
  for (int number = 0; number < cases; number++) {
    const int n = p->rows;
    double A[MOST_ROWS * MOST_ROWS] = {0}, r[MOST_ROWS] = {0};
    int code = number;
    for (int i = 0; i < p->contacts; i++, code /= 4) {
      const double mu = p->relations[i].mu[0], s = code % 4 == 2 ? 1 : -1;
      const int N = 2 * i, T = 2 * i + 1;
      if (code % 4 == 0) A[N * n + N] = A[T * n + T] = 1;
      for (int j = 0; j < n && code % 4 == 1; j++) {
        A[N * n + j] = p->W[N * n + j];
        A[T * n + j] = p->W[T * n + j];
        r[N] = -p->q[N];
        r[T] = -p->q[T];
      }
      if (code % 4 < 2) continue;
      A[T * n + T] = 1;
      A[T * n + N] = s * mu;
      for (int j = 0; j < n; j++)
        A[N * n + j] = p->W[N * n + j] - associated * mu * s * p->W[T * n + j];
      r[N] = associated * mu * s * p->q[T] - p->q[N];
    }
    if (!dls_small_solve(n, A, r)) continue;
    bool right = true;
    code = number;
    for (int i = 0; i < p->contacts; i++, code /= 4) {
      const double mu = p->relations[i].mu[0], *ri = r + 2 * i, s = code % 4 == 2 ? 1 : -1;
      double u[2];
      for (int k = 0; k < 2; k++)
        u[k] = p->q[2 * i + k] + dls_small_dot(n, p->W + (2 * i + k) * n, r);
      if (code % 4 == 0) right = right && u[0] >= associated * mu * fabs(u[1]) - admitted;
      if (code % 4 == 1) right = right && fabs(ri[1]) <= mu * ri[0] + admitted;
      if (code % 4 > 1) right = right && ri[0] >= -admitted && s * u[1] >= -admitted;
    }
    for (int k = 0; k < found && right; k++) /* a case on the edge of two is one solution */
      right = test_apart((size_t)n, r, solutions[k]) > 1e-7;
    if (!right || found == 16) continue;
    memcpy(solutions[found++], r, sizeof r);
  }
  return found;
}

/* From Coulomb's law to the associated one in steps, each solver going on from its last answer. */
TEST(a_continuation_from_coulomb_to_associated_meets_what_an_enumeration_finds) {
  enum { STEPS = 10 };
  DlsRandom random;
  dls_random_seed(&random, 2);
  double changed = 0;
  for (int trial = 0; trial < 12; trial++) {
    Dense p = draw(&random, 2, 1);
    const DlsSolver *const *solvers = NULL;
    const int count = test_solvers(&solvers);
    for (int k = 0; k < count; k++) {
      double r[MOST_ROWS] = {0}, first[MOST_ROWS] = {0};
      for (int step = 0; step <= STEPS; step++) {
        const double associated = (double)step / STEPS;
        DlsProblem *problem = make(&p, associated);
        double solutions[16][MOST_ROWS], nearest = INFINITY;
        const int found = enumerate(&p, associated, solutions);
        CHECK(found >= 1);
        if (step == STEPS) CHECK_INT(found, 1);
        TestRun run = test_solve_from(solvers[k], problem, 1e-11, r, NULL, NULL);
        for (int s = 0; s < found; s++)
          nearest = fmin(nearest, test_apart(run.n, run.r, solutions[s]));
        if (run.report.outcome != DLS_CONVERGED || !(nearest <= 1e-8))
          test_fail(__FILE__, __LINE__, "%d: %s ends %s at associated %g, %.2e from %d solutions",
                    trial, solvers[k]->name, dls_outcome_text(run.report.outcome), associated,
                    nearest, found);
        memcpy(r, run.r, run.n * sizeof *r);
        if (step == 0) memcpy(first, r, sizeof first);
        test_end(&run);
        dls_problem_destroy(&problem);
      }
      changed = fmax(changed, test_apart((size_t)p.rows, first, r));
    }
  }
  CHECK(changed > 0.1); /* the two laws differ */
}

/* Every solver, every cone, contacts of Coulomb's law beside others that dilate: what says that it
 * is solved is what was planted, and hardly any problem is left. */
TEST(planted_problems_that_dilate_are_solved_by_every_solver) {
  enum { PROBLEMS = 60, SOLVERS = 40 };
  const BenchKind kind = {.matrix = BENCH_DEFINITE, .mu_most = 0.5, .dilatant = 1};
  const DlsLimits limits = {.tolerance = 1e-9, .max_iterations = 20000};
  const DlsSolver *const *solvers = NULL;
  const int count = test_solvers(&solvers);
  int solved[SOLVERS] = {0};
  DlsRandom random;
  dls_random_seed(&random, 3);
  CHECK(count <= SOLVERS);
  for (int trial = 0; trial < PROBLEMS; trial++) {
    BenchPlanted planted = bench_draw_planted(&random, &kind);
    DlsProblem *problem = make_planted(&planted);
    DlsErrors errors;
    CHECK_OK(dls_errors_measure(problem, planted.r, NULL, &errors));
    CHECK_BELOW(errors.natural, 1e-13);
    CHECK_BELOW(errors.bipotential, 1e-13);
    for (int k = 0; k < count; k++) {
      double r[BENCH_ROWS] = {0};
      DlsReport report;
      CHECK_OK(dls_solve(solvers[k], problem, NULL, &limits, NULL, r, NULL, &report));
      if (report.outcome != DLS_CONVERGED) continue;
      solved[k]++;
      const double apart = test_apart((size_t)planted.rows, r, planted.r);
      if (!(apart <= 1e-7 * (1 + test_size((size_t)planted.rows, planted.r))))
        test_fail(__FILE__, __LINE__, "%d: %s is %.2e from what was planted", trial,
                  solvers[k]->name, apart);
    }
    dls_problem_destroy(&problem);
  }
  for (int k = 0; k < count; k++)
    if (solved[k] < PROBLEMS * 9 / 10)
      test_fail(__FILE__, __LINE__, "%s solves %d of %d", solvers[k]->name, solved[k], PROBLEMS);
}

/* A block of mass m on a slope, from rest, one step h: q = h g (-cos a, sin a), W = 1/m. Where it
 * slides, N = m (q_T associated mu - q_N) / (1 + associated mu²), and it lifts off its plane by the
 * tangent of the angle of dilatancy, u_N = associated mu u_T, while it still slides. */
TEST(a_block_on_a_slope_slides_up_its_angle_of_dilatancy) {
  const double m = 3, h = 1e-2, g = 9.81, mu = 0.4;
  for (int dim = 2; dim <= 3; dim++)
    for (int step = 0; step <= 4; step++) {
      const double associated = step / 4.0, a = 2 * atan(mu);
      const double q[3] = {-h * g * cos(a), h * g * sin(a), 0};
      const double W[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m}, W2[4] = {1 / m, 0, 0, 1 / m};
      const DlsRelation relation = {
          .cone = DLS_CONE_COULOMB, .mu = {mu, mu}, .associated = associated};
      DlsProblem *problem = test_dense_problem(dim, 1, dim, dim == 3 ? W : W2, q, &relation);
      const double N = m * (associated * mu * q[1] - q[0]) / (1 + associated * mu * mu);
      const double slide = q[1] - mu * N / m;
      CHECK(slide > 0);
      FOR_EACH_SOLVER (solver) {
        TestRun run = test_solve(solver, problem, 1e-12);
        DlsContactStatus status;
        CHECK_NEAR(run.r[0], N, 1e-10 * N);
        CHECK_NEAR(run.r[1], -mu * N, 1e-10 * N);
        CHECK_NEAR(run.u[1], slide, 1e-10 * slide);
        CHECK_NEAR(run.u[0], associated * mu * slide, 1e-10 * slide);
        dls_errors_status(problem, run.r, run.u, &status);
        CHECK_INT(status, DLS_SLIP);
        CHECK_NEAR(dls_errors_limit(problem, 0, run.r, run.u), mu * run.r[0], 1e-15);
        test_end(&run);
      }
      dls_problem_destroy(&problem);
    }
}

/* Below the angle of friction it sticks, whatever the dilatancy; thrown up faster than that angle
 * it is open. */
TEST(sticking_and_open_contacts_do_not_know_the_dilatancy) {
  const double W[4] = {1, 0, 0, 1}, mu = 0.4;
  for (int step = 0; step <= 4; step++) {
    const DlsRelation relation = {
        .cone = DLS_CONE_COULOMB, .mu = {mu, mu}, .associated = step / 4.0};
    const double held[2] = {-1, 0.9 * mu}, thrown[2] = {1.01 * relation.associated * mu, 1};
    double r[2] = {0};
    CHECK_INT(dls_local_solve(&relation, 2, 2, NULL, W, held, r), DLS_LOCAL_STICK);
    CHECK_NEAR(r[0], 1, 1e-15);
    CHECK_NEAR(r[1], -0.9 * mu, 1e-15);
    CHECK_INT(dls_local_solve(&relation, 2, 2, NULL, W, thrown, r), DLS_LOCAL_OPEN);
    CHECK_NEAR(r[0], 0, 0);
  }
}

TEST(associated_is_from_0_to_1) {
  const double W[4] = {1, 0, 0, 1}, q[2] = {-1, 1}, wrong[] = {-0.1, 1.1, NAN};
  for (int k = 0; k < 3; k++) {
    const DlsRelation relation = {
        .cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}, .associated = wrong[k]};
    DlsProblem *problem = NULL;
    CHECK(dls_sample_dense(2, 1, 2, W, q, &relation, NULL, &problem) != DLS_OK);
    CHECK(strstr(dls_error_message(), "associated") != NULL);
    dls_problem_destroy(&problem);
  }
}

static double norm(size_t n, const double *x) {
  double sum = 0;
  for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* The same packing under Coulomb's law and under the convex one. Velocities of the second are
 * unique; what slides there opens by mu |u_T|, and by nothing under the first. SHOW=1 prints how
 * far the two answers are apart: the table of docs/theory.md. */
TEST(what_slides_opens_under_the_convex_law_and_not_under_coulombs) {
  static const struct {
    const char *name;
    int size;
  } samples[] = {{"box", 200}, {"disks", 200}, {"pile", 6}, {"wall", 8}};
  const DlsLimits limits = {
      .tolerance = 1e-9, .max_iterations = 1000000, .max_time = 60, .clock = DLS_CLOCK_CPU};
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find("auto", &solver));
  for (int k = 0; k < DLS_COUNT(samples); k++) {
    double *r[2], *u[2], opens[2] = {0}, pushes[2] = {0}, fastest = 0, free_speed = 0;
    size_t n = 0;
    for (int law = 0; law < 2; law++) {
      DlsProblem *problem = test_sample(samples[k].name, samples[k].size);
      DlsReport report;
      const int dim = dls_problem_dim(problem), contacts = dls_problem_contacts(problem);
      n = (size_t)contacts * (size_t)dls_problem_block(problem);
      r[law] = calloc(n, sizeof *r[law]);
      u[law] = calloc(n, sizeof *u[law]);
      CHECK_OK(dls_problem_associate(problem, law));
      CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r[law], u[law], &report));
      CHECK_INT(report.outcome, DLS_CONVERGED);
      const double *q = dls_problem_q(problem);
      fastest = test_size(n, q);
      free_speed = norm(n, q);
      for (int i = 0; i < contacts; i++) {
        const double *ri = r[law] + i * dim, *ui = u[law] + i * dim;
        const double mu = dls_problem_relation(problem, i)->mu[0];
        if (!(ri[0] > 1e-6 * test_size(n, r[law]))) continue;
        CHECK_NEAR(ui[0], law * mu * dls_small_norm(dim - 1, ui + 1), 1e-5 * fastest);
        opens[law] = fmax(opens[law], ui[0]);
        pushes[law] += ri[0];
      }
      dls_problem_destroy(&problem);
    }
    for (size_t e = 0; e < n; e++) u[0][e] -= u[1][e];
    if (getenv("SHOW"))
      printf("%s:%d  |u| apart %.2g of |q|, pushes x %.3g, opening %.2g of the largest q\n",
             samples[k].name, samples[k].size, norm(n, u[0]) / free_speed, pushes[1] / pushes[0],
             opens[1] / fastest);
    for (int law = 0; law < 2; law++) {
      free(r[law]);
      free(u[law]);
    }
  }
}
