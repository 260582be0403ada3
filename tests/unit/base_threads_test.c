/* One thread for BLAS while a solve is under way, and the number of before behind it. The switches
 * of OpenBLAS and of OpenMP are played by this program: the library looks them up by name. */
#include <delassus/sample.h>
#include <delassus/solver.h>

#include "base/threads.h"
#include "tests/test.h"

static int blas = 4, openmp = 8, seen_blas, seen_openmp;

DLS_EXPORT int openblas_get_num_threads(void);
DLS_EXPORT void openblas_set_num_threads(int count);
DLS_EXPORT int omp_get_max_threads(void);
DLS_EXPORT void omp_set_num_threads(int count);
int openblas_get_num_threads(void) { return blas; }
void openblas_set_num_threads(int count) { blas = count; }
int omp_get_max_threads(void) { return openmp; }
void omp_set_num_threads(int count) { openmp = count; }

TEST(threads_are_one_between_the_two_calls) {
  const DlsThreads outer = dls_threads_one();
  CHECK_INT(blas, 1);
  CHECK_INT(openmp, 1);
  const DlsThreads inner = dls_threads_one();
  dls_threads_restore(inner);
  CHECK_INT(blas, 1); /* those of the outer call */
  dls_threads_restore(outer);
  CHECK_INT(blas, 4);
  CHECK_INT(openmp, 8);
}

/* Two solves at once: who ends first leaves the other with one. */
TEST(threads_come_back_with_the_last_of_two_that_overlap) {
  const DlsThreads one = dls_threads_one(), other = dls_threads_one();
  dls_threads_restore(one);
  CHECK_INT(blas, 1);
  dls_threads_restore(other);
  CHECK_INT(blas, 4);
}

static DlsStatus create(const DlsProblem *problem, const void *options, void **out) {
  (void)problem, (void)options;
  seen_blas = blas;
  *out = NULL;
  return DLS_OK;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  (void)self, (void)problem, (void)limits, (void)monitor, (void)r, (void)report;
  seen_openmp = openmp;
  return DLS_OK;
}

static void destroy(void *self) { (void)self; }

TEST(every_solver_works_with_one_thread_of_blas) {
  static const DlsSolver looking = {DLS_SOLVER_HEAD,   .name = "looking", .summary = "looks",
                                    .references = "",  .create = create,  .solve = solve,
                                    .destroy = destroy};
  DlsProblem *problem = NULL;
  DlsReport report;
  double r[64] = {0};
  const DlsSampleParams params = {.size = 3, .mu = 0.3, .h = 0.01};
  CHECK_OK(dls_sample_create("slope", &params, &problem, NULL));
  if (!problem) return;
  CHECK_OK(
      dls_solve(&looking, problem, NULL, &(DlsLimits){.tolerance = 1}, NULL, r, NULL, &report));
  CHECK_INT(seen_blas, 1);
  CHECK_INT(seen_openmp, 1);
  CHECK_INT(blas, 4);
  CHECK_INT(openmp, 8);
  dls_problem_destroy(&problem);
}
