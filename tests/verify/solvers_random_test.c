/* Every solver on thousands of small random problems with a solution planted in them: 2-D and 3-D,
 * elliptic, rolling, torsion, without friction, all cones mixed; W definite, singular or unsymmetric; mu
 * from 0 to 5.
 *
 *   1. No solver ever says converged with an error above the tolerance: the error is measured here, and
 *      what the solver itself says is judged, not what dls_solve() makes of it.
 *   2. Each converges where theory, or its page, says that it must: see `must`.
 *   3. Where the solution is unique all agree with `enumerate`, which goes through all cases.
 *
 * SHOW=1 prints which share of each class each solver reached. */
#include "tests/solving.h"

#include "base/random.h"
#include "base/small.h"

#include <stdio.h>

enum { MOST = 4, ROWS = MOST * DLS_MAX_BLOCK, SOLVERS = 32 };

typedef enum { DEFINITE, SINGULAR, UNSYMMETRIC, WORST } Matrix;

typedef struct {
  const char *name;
  Matrix matrix;
  double mu_most; /* mu is from 0 to this */
  int frictionless;
  int problems;
  long most; /* iterations */
  int unique;
} Class;

/* Definite: condition below 10 and friction that the coupling of W does not outdo, so that there is one
 * solution. Worst: rank deficient and unsymmetric, friction of any size. */
static const Class classes[] = {
    {"definite, frictionless", DEFINITE, 0, 1, 300, 3000, 1},
    {"definite, little friction", DEFINITE, 0.3, 0, 400, 3000, 1},
    {"definite, any friction", DEFINITE, 5, 0, 300, 1000, 0},
    {"singular, frictionless", SINGULAR, 0, 1, 200, 20000, 0},
    {"singular, any friction", SINGULAR, 5, 0, 300, 1000, 0},
    {"unsymmetric, little friction", UNSYMMETRIC, 0.3, 0, 200, 5000, 1},
    {"worst", WORST, 5, 0, 300, 1000, 0},
};

/* Which classes a solver must solve to the last problem. All: definite W with little friction, where the
 * maps contract, and convex programmes, W symmetric and no friction, also where W is singular. Without
 * symmetry those that minimise nothing; proximal steps and cases solve nearly everything, and are asked
 * for what has a unique solution. */
static int must(const char *solver, const Class *class) {
  static const char *const minimisers[] = {"apgd", "cpg", "tresca", "aclm", "bb"};
  if (class->matrix == DEFINITE) return class->unique;
  if (class->matrix == SINGULAR) return class->frictionless;
  for (int k = 0; k < DLS_COUNT(minimisers); k++)
    if (strcmp(solver, minimisers[k]) == 0) return 0;
  return class->unique;
}

typedef struct {
  int dim, block;
  DlsCone cone; /* COUNT: all mixed */
} Shape;

static const Shape shapes[] = {
    {2, 2, DLS_CONE_COULOMB}, {3, 3, DLS_CONE_COULOMB}, {3, 3, DLS_CONE_COULOMB},
    {2, 3, DLS_CONE_ROLLING}, {3, 5, DLS_CONE_ROLLING}, {3, 6, DLS_CONE_ROLLING},
    {3, 6, DLS_CONE_COUNT},   {2, 2, DLS_CONE_COUNT},
};

static DlsRelation draw_relation(DlsRandom *random, const Class *class, const Shape *shape) {
  const double *unit = &class->mu_most;
  DlsRelation relation = {.cone = shape->cone};
  if (shape->cone == DLS_CONE_COUNT) {
    static const DlsCone cones[] = {DLS_CONE_FREE,      DLS_CONE_BILATERAL, DLS_CONE_SLIDER,
                                    DLS_CONE_SIGNORINI, DLS_CONE_COULOMB,   DLS_CONE_ROLLING};
    relation.cone = cones[dls_random_below(random, shape->block > 2 ? 6 : 5)];
  }
  if (class->frictionless && dls_random_below(random, 2)) relation.cone = DLS_CONE_SIGNORINI;
  for (int k = 0; k < DLS_MU_COUNT; k++)
    relation.mu[k] = dls_random_below(random, 8) ? *unit * dls_random_unit(random) : 0;
  if (dls_random_below(random, 2))
    relation.mu[DLS_MU_2] = relation.mu[DLS_MU_1]; /* else elliptic */
  return relation;
}

/* One group [first, first + size) sticks or slides; mu by component. */
static void plant_group(DlsRandom *random, const double *mu, int first, int size, double *u,
                        double *r) {
  double slip[2] = {0};
  const int slides = dls_random_below(random, 2);
  for (int k = 0; k < size; k++) slip[k] = dls_random_normal(random);
  const double scaled[2] = {mu[0] * slip[0], size > 1 ? mu[1] * slip[1] : 0};
  const double norm = fmax(dls_small_norm(size, scaled), 1e-300);
  const double share = slides ? 1 : dls_random_between(random, 0, 0.95);
  for (int k = 0; k < size; k++) {
    r[first + k] = -share * mu[k] * (scaled[k] / norm) * r[0];
    u[first + k] = slides || mu[k] == 0 ? slip[k] : 0;
  }
}

/* A pair (u, r) in the relation. */
static void plant(DlsRandom *random, const Shape *shape, const DlsRelation *relation, double *u,
                  double *r) {
  const DlsCone cone = relation->cone;
  const int block = shape->block;
  const double *mu = relation->mu, *roll = mu + DLS_MU_ROLL;
  for (int k = 0; k < block; k++) {
    u[k] = dls_random_normal(random);
    r[k] = 0;
  }
  if (cone == DLS_CONE_FREE) return;
  u[0] = fabs(u[0]);
  if (cone != DLS_CONE_BILATERAL && cone != DLS_CONE_SLIDER && dls_random_below(random, 3) == 0)
    return; /* open */
  u[0] = 0;
  r[0] = dls_random_between(random, 0.1, 2);
  if (cone == DLS_CONE_BILATERAL)
    for (int k = 0; k < block; k++) {
      u[k] = 0;
      r[k] = dls_random_normal(random);
    }
  if (cone != DLS_CONE_COULOMB && cone != DLS_CONE_ROLLING) return;
  const int tangents = shape->dim - 1, even = cone == DLS_CONE_ROLLING;
  const double both[2] = {mu[DLS_MU_1], even ? mu[DLS_MU_1] : mu[DLS_MU_2]};
  plant_group(random, both, 1, tangents, u, r);
  if (cone != DLS_CONE_ROLLING) return;
  const double turning[2] = {roll[0], roll[0]};
  plant_group(random, turning, 1 + tangents, shape->dim - 1, u, r);
  if (block == 6) plant_group(random, &mu[DLS_MU_TORSION], 5, 1, u, r);
}

static void draw_matrix(DlsRandom *random, Matrix kind, int rows, double *W) {
  double B[ROWS * ROWS];
  const int singular = kind == SINGULAR || kind == WORST;
  const int rank = singular ? 1 + rows / 2 : rows;
  const double skew = kind == UNSYMMETRIC                            ? 0.1
                      : kind == WORST && dls_random_below(random, 2) ? 0.5
                                                                     : 0;
  for (int k = 0; k < rows * rank; k++) B[k] = dls_random_normal(random) / sqrt(rank);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      W[i * rows + j] = singular ? 0 : 1.5 * (i == j);
      for (int k = 0; k < rank; k++) W[i * rows + j] += B[i * rank + k] * B[j * rank + k];
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < i; j++) {
      const double s = skew * dls_random_normal(random);
      W[i * rows + j] += s;
      W[j * rows + i] -= s;
    }
}

static DlsProblem *draw(DlsRandom *random, const Class *class) {
  const Shape *shape = &shapes[dls_random_below(random, DLS_COUNT(shapes))];
  const int contacts = 1 + dls_random_below(random, shape->block > 3 ? 3 : MOST);
  const int block = shape->block, rows = contacts * block;
  double W[ROWS * ROWS], q[ROWS], u[ROWS], r[ROWS];
  DlsRelation relations[MOST];
  draw_matrix(random, class->matrix, rows, W);
  for (int i = 0; i < contacts; i++) {
    relations[i] = draw_relation(random, class, shape);
    plant(random, shape, &relations[i], u + i * block, r + i * block);
  }
  for (int i = 0; i < rows; i++) q[i] = u[i] - dls_small_dot(rows, W + i * rows, r);
  DlsProblem *problem = test_dense_problem(shape->dim, contacts, block, W, q, relations);
  DlsErrors errors = {0};
  CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
  CHECK_BELOW(errors.natural, 1e-13);
  return problem;
}

/* create + solve + destroy, without the certificate of dls_solve(). */
static DlsReport solve_bare(const DlsSolver *solver, const DlsProblem *problem,
                            const DlsLimits *limits, double *r) {
  static const DlsMonitor silent = {NULL, NULL};
  char options[4096];
  void *self = NULL;
  DlsReport report = {.outcome = DLS_DIVERGED, .error = INFINITY};
  CHECK(solver->option_bytes <= sizeof options);
  dls_solver_defaults(solver, options);
  CHECK_OK(solver->create(problem, options, &self));
  if (self) CHECK_OK(solver->solve(self, problem, limits, &silent, r, &report));
  solver->destroy(self);
  return report;
}

typedef struct {
  int solved[SOLVERS];
  double first[ROWS]; /* what enumerate found */
} Tally;

static void check_one(const Class *class, int number, const DlsSolver *solver, int which,
                      const DlsProblem *problem, const DlsLimits *limits, Tally *tally) {
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double r[ROWS] = {0};
  DlsErrors errors = {0};
  const DlsReport report = solve_bare(solver, problem, limits, r);
  CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
  const double error = limits->measure == DLS_MEASURE_SCALED ? errors.scaled : errors.natural;
  if (report.outcome == DLS_CONVERGED && !(error <= limits->tolerance * (1 + 1e-6)))
    test_fail(__FILE__, __LINE__, "%s %d: %s says converged at %.3e", class->name, number,
              solver->name, error);
  if (isfinite(error) && fabs(error - report.error) > 1e-12 + 1e-6 * error)
    test_fail(__FILE__, __LINE__, "%s %d: %s reports the error %.3e, which is %.3e", class->name,
              number, solver->name, report.error, error);
  if (report.outcome == DLS_CONVERGED) {
    tally->solved[which]++;
    if (strcmp(solver->name, "enumerate") == 0) memcpy(tally->first, r, sizeof r);
    if (class->unique && test_apart(n, r, tally->first) > 1e-6 * (1 + test_size(n, tally->first)))
      test_fail(__FILE__, __LINE__, "%s %d: %s is %.2e from what enumerate gives", class->name,
                number, solver->name, test_apart(n, r, tally->first));
  } else if (must(solver->name, class)) {
    test_fail(__FILE__, __LINE__, "%s %d: %s ends %s at %.2e after %ld: %s", class->name, number,
              solver->name, dls_outcome_text(report.outcome), error, report.iterations,
              report.note);
  }
}

static void check_class(const Class *class, uint64_t seed) {
  const DlsSolver *const *solvers = NULL, *enumerate = NULL;
  const int count = test_solvers(&solvers);
  Tally tally = {{0}, {0}};
  DlsRandom random;
  CHECK(count <= SOLVERS);
  CHECK_OK(dls_solver_find("enumerate", &enumerate));
  dls_random_seed(&random, seed);
  for (int number = 0; number < class->problems; number++) {
    DlsProblem *problem = draw(&random, class);
    const DlsLimits limits = {.tolerance = 1e-8,
                              .max_iterations = class->most,
                              .measure = number % 2 ? DLS_MEASURE_SCALED : DLS_MEASURE_NATURAL};
    memset(tally.first, 0, sizeof tally.first);
    for (int k = 0; k < count; k++) /* the oracle first */
      if (solvers[k] == enumerate)
        check_one(class, number, solvers[k], k, problem, &limits, &tally);
    for (int k = 0; k < count && k < SOLVERS; k++)
      if (solvers[k] != enumerate)
        check_one(class, number, solvers[k], k, problem, &limits, &tally);
    dls_problem_destroy(&problem);
  }
  for (int k = 0; k < count && getenv("SHOW"); k++)
    printf("%-30s %-10s %4d of %4d\n", class->name, solvers[k]->name, tally.solved[k],
           class->problems);
}

TEST(no_solver_says_converged_where_it_is_not) {
  for (int k = 0; k < DLS_COUNT(classes); k++) check_class(&classes[k], 1000 + (uint64_t)k);
}
