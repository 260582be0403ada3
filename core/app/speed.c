/* Speed of memory and of one sweep. */
#include "app/speed.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/result.h"

double app_speed_triad(void) {
  const size_t n = 8u << 20;
  const int runs = 5;
  double best = 0, *a = malloc(3 * n * sizeof *a);
  if (!a) return 0;
  double *b = a + n, *c = b + n;
  for (size_t i = 0; i < 3 * n; i++) a[i] = (double)(i & 7u);
  for (int k = 0; k < runs; k++) {
    const double start = app_clock(), factor = 1.0 + k;
    for (size_t i = 0; i < n; i++) a[i] = b[i] + factor * c[i];
    const double seconds = app_clock() - start;
    const double rate = 3e-9 * (double)(n * sizeof *a) / (seconds > 0 ? seconds : 1);
    if (rate > best) best = rate;
  }
  volatile double keep = a[n / 2]; /* so that the loop is not left out */
  (void)keep;
  free(a);
  return best;
}

DlsStatus app_speed_sweep(const char *sample, int size, int assembled, double *ns) {
  char spec[64];
  const AppProblemName name = {.text = spec, .is_sample = true};
  const DlsLimits limits = {.tolerance = 0, .max_iterations = 200, .max_time = 5};
  AppProgress progress = {.quiet = true};
  const DlsSolver *solver;
  AppProblem loaded;
  AppResult result;
  double *r = NULL;
  snprintf(spec, sizeof spec, "%s:%d", sample, size);
  DLS_TRY(dls_solver_find("nsgs", &solver));
  DLS_TRY(app_problem_load(&name, assembled ? APP_FORM_ASSEMBLED : APP_FORM_AUTO, &loaded));
  DlsStatus status = app_problem_guess(&loaded, "zero", &r);
  if (status == DLS_OK)
    status = app_result_solve(loaded.problem, solver, NULL, &limits, &progress, r, NULL, &result);
  if (status == DLS_OK)
    *ns = 1e9 * result.report.time_s / ((double)result.contacts * (double)result.report.iterations);
  free(r);
  app_problem_clear(&loaded);
  return status;
}
