/* Every public problem is read, solved by nsgs at 1e-4, and by at least one solver at 1e-8; errors
 * measured from scratch. Skipped where the collection is absent. */
#include "tests/solving.h"

#include <delassus/fclib.h>
#include <glob.h>
#include <stdio.h>

/* nsgs first, which is enough for most; `newton`, where it was built, for the rest. */
static const char *const accurate[] = {"nsgs", "newton", "uzawa"};

static bool solved_by(const char *name, const DlsProblem *problem, double tolerance, long sweeps) {
  const DlsSolver *solver = NULL;
  if (dls_solver_find(name, &solver) != DLS_OK) return false;
  const DlsLimits limits = {
      .tolerance = tolerance, .max_iterations = sweeps, .max_time = 200, .clock = DLS_CLOCK_CPU};
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n + 1, sizeof *r);
  DlsReport report;
  DlsErrors errors = {.natural = INFINITY};
  CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
  free(r);
  if (report.outcome == DLS_CONVERGED) CHECK_BELOW(errors.natural, tolerance);
  return report.outcome == DLS_CONVERGED;
}

static void solve_file(const char *path) {
  DlsProblem *problem = NULL;
  CHECK_OK(dls_fclib_read(path, &problem, NULL));
  if (!problem) return;
  if (!solved_by("nsgs", problem, 1e-4, 100000))
    test_fail(__FILE__, __LINE__, "%s: nsgs does not reach 1e-4", path);
  bool done = false;
  for (int k = 0; k < DLS_COUNT(accurate) && !done; k++)
    done = solved_by(accurate[k], problem, 1e-8, 20000);
  if (!done) test_fail(__FILE__, __LINE__, "%s: no solver reaches 1e-8", path);
  dls_problem_destroy(&problem);
}

static void solve_folder(const char *folder) {
  const char *shared = test_shared();
  if (!shared) test_skip("the public problems are absent; set DELASSUS_SHARED to their folder");
  char pattern[4200];
  glob_t files;
  snprintf(pattern, sizeof pattern, "%s/fclib/%s/*.hdf5", shared, folder);
  CHECK_INT(glob(pattern, 0, NULL, &files), 0);
  CHECK(files.gl_pathc > 0);
  for (size_t k = 0; k < files.gl_pathc; k++) solve_file(files.gl_pathv[k]);
  globfree(&files);
}

TEST(local_problems_are_solved) { solve_folder("local"); }
TEST(global_problems_are_solved) { solve_folder("global"); }
