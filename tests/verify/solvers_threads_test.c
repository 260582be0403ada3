/* The same bits for any number of threads, on problems that are large enough to be cut, of all
 * layouts and dimensions. */
#include "base/pool.h"
#include "problem/operator/colours.h"
#include "problem/operator/spheres.h"
#include "tests/solving.h"

static const int threads[] = {1, 2, 3, 4, 8};

/* Spheres on a cubic lattice that fall onto a floor, and onto some that are fixed: every normal is
 * an axis. */
static DlsProblem *stacked_spheres(int wide) {
  const int bodies = wide * wide * wide;
  const double radius = 0.01, mass = 0.01, spin = sqrt(0.4 * mass) * radius, fall = -0.01;
  DlsSphereContact *contact = calloc(3 * (size_t)bodies, sizeof *contact);
  double(*scale)[2] = calloc((size_t)bodies, sizeof *scale);
  double *q = calloc(9 * (size_t)bodies, sizeof *q);
  DlsRelation *relation = calloc(3 * (size_t)bodies, sizeof *relation);
  int contacts = 0;
  for (int b = 0; b < bodies; b++) {
    const bool fixed = b % 97 == 5;
    scale[b][0] = fixed ? 0 : 1 / sqrt(mass);
    scale[b][1] = fixed ? 0 : 1 / spin;
  }
  for (int b = 0; b < bodies; b++) {
    const int place[3] = {b % wide, b / wide % wide, b / wide / wide};
    const int step[3] = {1, wide, wide * wide};
    for (int axis = 0; axis < 3; axis++) {
      const int other = place[axis] > 0 ? b - step[axis] : bodies;
      if (other == bodies && axis < 2) continue; /* no side walls */
      DlsSphereContact *c = &contact[contacts];
      for (int k = 0; k < 3; k++) c->frame[3 * k + (axis + k) % 3] = 1;
      c->body[0] = b;
      c->body[1] = other;
      c->move[0] = scale[b][0];
      c->turn[0] = -radius * scale[b][1];
      if (other < bodies) {
        c->move[1] = -scale[other][0];
        c->turn[1] = -radius * scale[other][1];
      }
      /* What falls and drifts, and what does not, meet. */
      const double mine = scale[b][0] > 0, its = other < bodies && scale[other][0] > 0;
      for (int k = 0; k < 3; k++)
        q[3 * contacts + k] = (mine - its) * ((axis + k) % 3 == 2 ? fall : 0.003 * (b % 7 - 3)) +
                              1e-4 * ((b * 31 + k) % 11 - 5);
      relation[contacts++] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}};
    }
  }
  DlsOperator *W;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_operator_create_spheres(contacts, bodies, contact, (const double(*)[2])scale,
                                       DLS_COPY, &W));
  CHECK_OK(dls_problem_create(3, &W, q, relation, NULL, &problem));
  free(contact);
  free(scale);
  free(q);
  free(relation);
  return problem;
}

/* Solvers of rounds that cost some products with W, and ways of theirs. Those that factor matrices
 * would spend minutes on problems of this size, in which threads have no part. */
typedef struct {
  const char *solver, *option, *value;
} Way;
static const Way ways[] = {
    {"nsgs", NULL, NULL},     {"nsgs", "sweep", "symmetric"},
    {"nsgs", "cluster", "1"}, {"nsgs", "acceleration", "anderson"},
    {"momentum", NULL, NULL}, {"momentum", "anchor", "0.1"},
    {"auto", NULL, NULL},     {"jacobi", NULL, NULL},
    {"uzawa", NULL, NULL},    {"apgd", NULL, NULL},
    {"bb", NULL, NULL},       {"cpg", NULL, NULL},
};

/* A few rounds from zero; the answer and all that the report counts. */
static TestRun rounds(const Way *way, const DlsProblem *problem) {
  const DlsLimits limits = {.tolerance = 1e-6, .max_iterations = 25};
  const DlsSolver *solver = NULL;
  TestRun run = {.n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem)};
  CHECK_OK(dls_solver_find(way->solver, &solver));
  void *options = calloc(1, solver->option_bytes + 1);
  run.r = calloc(run.n, sizeof *run.r);
  run.u = calloc(run.n, sizeof *run.u);
  dls_solver_defaults(solver, options);
  if (way->option) CHECK_OK(dls_solver_set_option(solver, options, way->option, way->value));
  CHECK_OK(dls_solve(solver, problem, options, &limits, NULL, run.r, run.u, &run.report));
  free(options);
  return run;
}

static void check_way(const char *what, const Way *way, const DlsProblem *problem) {
  TestRun first = {0};
  for (int t = 0; t < DLS_COUNT(threads); t++) {
    dls_pool_set(threads[t]);
    TestRun run = rounds(way, problem);
    if (t == 0) {
      first = run;
      continue;
    }
    if (memcmp(run.r, first.r, run.n * sizeof *run.r) ||
        memcmp(run.u, first.u, run.n * sizeof *run.u) ||
        memcmp(&run.report.error, &first.report.error, sizeof run.report.error) ||
        run.report.iterations != first.report.iterations ||
        run.report.work.contacts_solved != first.report.work.contacts_solved ||
        run.report.work.rows_applied != first.report.work.rows_applied)
      test_fail(__FILE__, __LINE__, "%s%s%s on %s: another answer by %d threads (%.17g, %.17g)",
                way->solver, way->value ? " with " : "", way->value ? way->value : "", what,
                threads[t], run.report.error, first.report.error);
    test_end(&run);
  }
  test_end(&first);
  dls_pool_set(0);
}

static void check_all(const char *what, DlsProblem *problem) {
  CHECK(dls_problem_contacts(problem) >= 2 * DLS_COLOURS_FROM);
  for (int k = 0; k < DLS_COUNT(ways); k++) check_way(what, &ways[k], problem);
  dls_problem_destroy(&problem);
}

TEST(spheres_do_not_depend_on_threads) { check_all("spheres", stacked_spheres(12)); }
TEST(boxes_do_not_depend_on_threads) { check_all("boxes", test_sample("box", 3000)); }
TEST(disks_do_not_depend_on_threads) { check_all("disks", test_sample("disks", 2000)); }
TEST(rolling_does_not_depend_on_threads) { check_all("rolling", test_sample("rolling", 1200)); }

/* On block rows. */
TEST(rows_do_not_depend_on_threads) {
  DlsProblem *spheres = stacked_spheres(10), *problem = NULL;
  DlsOperator *rows;
  CHECK_OK(dls_operator_assemble(dls_problem_operator(spheres), &rows));
  CHECK_OK(dls_problem_create_like(spheres, &rows, &problem));
  dls_problem_destroy(&spheres);
  check_all("rows", problem);
}
