/* delassus demo: two problems of public size, every solver there is, one table. */
#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/options.h"
#include "app/result.h"

static const AppOption options[] = {
    APP_REAL_ROW(DlsLimits, tolerance, "tolerance", "T", 0, APP_ANY,
                 "natural error to reach (default 1e-4)"),
    APP_REAL_ROW(DlsLimits, max_time, "max-time", "S", 0, APP_ANY,
                 "seconds for each solve (default 2)"),
};

static const AppProblemName problems[] = {{.text = "box:1200", .is_sample = true},
                                          {.text = "wall:18", .is_sample = true}};

/* 1 when the solver converged, 0 when not or when it refused the problem. */
static int race(const DlsProblem *problem, const DlsSolver *solver, const DlsLimits *limits) {
  const int width = 8;
  AppProgress progress = {.quiet = true};
  AppResult result;
  const size_t rows = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(rows, sizeof *r);
  DlsStatus status = r ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "no memory for %zu reactions", rows);
  if (status == DLS_OK)
    status = app_result_solve(problem, solver, NULL, limits, &progress, r, NULL, &result);
  if (status == DLS_OK)
    app_result_table_row(&result, width);
  else
    printf("%-*s %8s  %-9s refused\n", width, dls_problem_name(problem), "", solver->name);
  fflush(stdout);
  free(r);
  return status == DLS_OK && result.report.outcome == DLS_CONVERGED;
}

static void say_what_next(void) {
  printf("\nEvery error above is measured from scratch, not by the solver. Two seconds each; "
         "`delassus\n"
         "compare` gives them more and draws the curves. Next:\n"
         "  delassus show --sample wall      bodies, islands, rank, scaling of a problem\n"
         "  delassus solver show nsgs        what a solver can be told\n"
         "  delassus law new mine            a contact law of your own, see docs/law-author.md\n"
         "  delassus solve FILE.hdf5         a problem of your own, in FCLIB form\n"
         "  docs/index.md                    theory, files, guide, architecture\n"
         "(the program is build/bin/delassus until `make install`)\n");
}

static int run_all(const AppCommand *self, const DlsLimits *limits) {
  const DlsSolver *const *solvers;
  int nsolvers, unsolved = 0;
  if (dls_solver_list(&solvers, &nsolvers) != DLS_OK) return app_refuse_status(self);
  printf("Spheres falling into a box and a wall of bricks on tilted ground; natural error wanted "
         "%.0e.\n\n",
         limits->tolerance);
  app_result_table_head(8);
  for (int i = 0; i < DLS_COUNT(problems); i++) {
    AppProblem loaded;
    int solved = 0;
    if (app_problem_load(&problems[i], APP_FORM_AUTO, &loaded) != DLS_OK)
      return app_refuse_status(self);
    for (int k = 0; k < nsolvers && !app_interrupted(); k++)
      solved += race(loaded.problem, solvers[k], limits);
    app_problem_clear(&loaded);
    unsolved += solved == 0;
  }
  if (app_interrupted()) return APP_INTERRUPTED;
  app_print_lines("\nsolvers that were not loaded:", dls_solver_failures());
  say_what_next();
  return unsolved ? APP_NOT_CONVERGED : APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  DlsLimits limits = {.tolerance = 1e-4, .max_time = 2};
  const int status = app_options_read(self, argc, argv, &limits);
  if (status != APP_GO_ON) return status;
  app_catch_signals();
  return run_all(self, &limits);
}

const AppCommand app_demo = {
    .name = "demo",
    .usage = "[--tolerance T] [--max-time S]",
    .summary = "Solve two problems of public size with every solver and print the table",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
