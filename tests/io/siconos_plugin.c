/* Siconos' solvers as entrants of a race, where the library is installed: found by name, named by
 * their methods, judged as any other; and the standard form that they are given. */
#include "tests/files.h"
#include "tests/io/app_run.h"
#include "tests/solving.h"

#include "base/random.h"

#include <math.h>

static char *race(const char *arguments, const char *expected) {
  char line[1024], path[700];
  snprintf(line, sizeof line, "compare %s --out %s --quiet", arguments, app_folder("siconos"));
  CHECK_RUN(line, 0, expected);
  snprintf(path, sizeof path, "%s/runs.csv", app_folder("siconos"));
  return get_text(path);
}

static const DlsSolver *siconos(void) {
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find("siconos", &solver));
  return solver;
}

TEST(it_is_found_by_name_and_in_no_list_of_ours) {
  const DlsSolver *const *list, *solver = siconos();
  int count;
  CHECK_OK(dls_solver_list(&list, &count));
  for (int k = 0; k < count; k++) CHECK(strcmp(list[k]->name, "siconos") != 0);
  CHECK_OK(dls_solver_peers(&list, &count));
  CHECK_INT(count, 1);
  CHECK(count && list[0] == solver);
  CHECK_RUN("solver list", 0, "of other libraries");
  CHECK_RUN("solver show siconos", 0, "nsn_ac");
  CHECK_RUN("compare --sample slope --solvers siconos:nsn_ca", 2, "method of siconos is one of");
  CHECK_RUN("compare --sample slope --solvers auto:all", 2, "which has none");
}

/* A particle on a slope, the reaction known: every method that names the plane or space finds it,
 * all but soclcp, whose own error is of another problem. */
TEST(methods_solve_what_is_known) {
  char *runs = race("--sample slope --solvers nsgs,siconos:all --tolerance 1e-6 --max-time 5",
                    "siconos:nsn_ac");
  const char *const methods[] = {"nsgs",   "nsgs_quartic", "nsgs_projection",
                                 "nsn_ac", "nsn_fb",       "nsn_nm",
                                 "prox",   "admm",         "aclm",
                                 "tfp",    "dsfp",         "fpp",
                                 "eg",     "vi_fpp",       "vi_eg"};
  for (int k = 0; k < DLS_COUNT(methods); k++) {
    char row[96];
    snprintf(row, sizeof row, ",siconos:%s,1e-06,converged,", methods[k]);
    if (!test_contains(runs, row)) test_fail(__FILE__, __LINE__, "no row %s in\n%s", row, runs);
  }
  CHECK(test_contains(runs, ",siconos:lemke,1e-06,refused,"));
  CHECK(test_contains(runs, "it has no method lemke for problems of this kind; there are nsgs;"));
  runs = race("--sample disks:20 --sample rolling:2 --solvers siconos --tolerance 1e-6", "siconos");
  CHECK(test_contains(runs, "disks:20") && test_contains(runs, ",2,siconos,1e-06,converged,"));
  CHECK(test_contains(runs, "rolling:2") && test_contains(runs, ",3,siconos,1e-06,converged,"));
  runs = race("--sample torsion:2 --sample rolling-disks:5 --solvers siconos", "siconos");
  CHECK(test_contains(runs, "there is no problem of 6 components a contact in dimension 3"));
  CHECK(test_contains(runs, "there is no problem of 3 components a contact in dimension 2"));
}

/* No arithmetic reaches 1e-30, so that it goes on past its time on any machine: the
 * jump out of it ends it, within the tenth of a second. */
TEST(a_limit_of_time_is_kept_by_methods_that_tell_iterations) {
  char *runs = race("--sample pile:6 --solvers siconos:nsgs,siconos:nsn_fb --tolerance 1e-30 "
                    "--max-time 0.5",
                    "siconos:nsgs");
  CHECK(test_contains(runs, ",siconos:nsgs,1e-30,time limit,"));
  CHECK(test_contains(runs, ",siconos:nsn_fb,1e-30,time limit,"));
}

/* Cohesion, prestress and compliance, W definite: the one solution is that of nsgs. */
TEST(relations_reach_it_in_standard_form) {
  enum { CONTACTS = 4, BLOCK = 3, N = CONTACTS * BLOCK };
  const DlsSolver *ours = NULL;
  double W[N * N], q[N], G[N * N];
  DlsRelation relations[CONTACTS] = {{0}};
  DlsRandom random;
  dls_random_seed(&random, 5);
  for (int k = 0; k < N * N; k++) G[k] = 0.3 * dls_random_normal(&random);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      W[N * i + j] = i == j;
      for (int k = 0; k < N; k++) W[N * i + j] += G[N * i + k] * G[N * j + k];
    }
  for (int i = 0; i < N; i++) q[i] = i % BLOCK ? 0.2 * dls_random_normal(&random) : -1;
  for (int i = 0; i < CONTACTS; i++) {
    relations[i].cone = DLS_CONE_COULOMB;
    relations[i].mu[DLS_MU_1] = relations[i].mu[DLS_MU_2] = 0.3;
    relations[i].a[0] = 0.2;
    for (int k = 0; k < BLOCK; k++) {
      relations[i].b[k] = 0.1 * dls_random_normal(&random);
      relations[i].C[k] = 0.5 + k;
    }
  }
  DlsProblem *problem = test_dense_problem(3, CONTACTS, BLOCK, W, q, relations);
  CHECK_OK(dls_solver_find("nsgs", &ours));
  TestRun here = test_solve(ours, problem, 1e-12), there = test_solve(siconos(), problem, 1e-12);
  CHECK_BELOW(there.errors.natural, 1e-12);
  CHECK_BELOW(test_apart(here.n, here.r, there.r), 1e-10 * test_size(here.n, here.r));
  CHECK(test_size(here.n, here.r) > 0.1); /* they push: not the answer zero */
  test_end(&here);
  test_end(&there);
  for (int i = 0; i < CONTACTS; i++) relations[i].associated = 0.5;
  dls_problem_destroy(&problem);
  problem = test_dense_problem(3, CONTACTS, BLOCK, W, q, relations);
  DlsReport report;
  double r[N] = {0};
  const DlsLimits limits = {.tolerance = 1e-6};
  CHECK_INT(dls_solve(siconos(), problem, NULL, &limits, NULL, r, NULL, &report), DLS_ERR_SOLVER);
  CHECK(test_contains(dls_error_message(), "without dilatancy"));
  dls_problem_destroy(&problem);
}
