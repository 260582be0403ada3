/* Newton's method on islands takes linear algebra from outside: a table made here, of elimination
 * on dense rows and through delassus/newton.h alone, solves what `proximal` solves, step by step
 * the same; what it refuses and what a law refuses is told. */
#include <delassus/newton.h>

#include "tests/solving.h"

#include "base/small.h"

/* What the table below was asked. */
static int created, destroyed, solved_dense, solved_sparse;
static bool refuses;

typedef struct {
  bool dense;
  int n;
  double *J, *sparse, *F, *r, *trial;
} System;

static void destroy(void *system) {
  System *s = system;
  if (!s) return;
  destroyed++;
  free(s->J);
  free(s->sparse);
  free(s->F);
  free(s->r);
  free(s->trial);
  free(s);
}

static double *numbers(size_t n) { return calloc(n + 1, sizeof(double)); }

static DlsStatus create(const DlsBlockRows *rows, bool dense, void **out) {
  System *s = calloc(1, sizeof *s);
  const size_t n = (size_t)rows->contacts * (size_t)rows->block;
  *out = s;
  created++;
  s->dense = dense;
  s->n = (int)n;
  s->J = numbers(n * n);
  s->sparse = numbers((size_t)rows->start[rows->contacts] * (size_t)(rows->block * rows->block));
  s->F = numbers(n);
  s->r = numbers(n);
  s->trial = numbers(n);
  return refuses ? dls_fail(DLS_ERR_SOLVER, "no linear algebra today") : DLS_OK;
}

/* Rows of scalars from either layout. */
static void to_rows(System *s, const DlsBlockRows *rows) {
  const int n = s->n, block = rows->block;
  if (s->dense) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        const double t = s->J[i * n + j];
        s->J[i * n + j] = s->J[j * n + i];
        s->J[j * n + i] = t;
      }
    return;
  }
  memset(s->J, 0, (size_t)(n * n) * sizeof *s->J);
  const double *value = s->sparse;
  for (int i = 0; i < rows->contacts; i++)
    for (int a = 0; a < block; a++)
      for (int k = rows->start[i]; k < rows->start[i + 1]; k++)
        for (int b = 0; b < block; b++)
          s->J[(i * block + a) * n + rows->column[k] * block + b] = *value++;
}

static DlsStatus solve(void *system, DlsNewtonStep *step, double *r, int *iterations,
                       bool *converged) {
  System *s = system;
  const DlsBlockRows rows = dls_newton_step_rows(step);
  double size;
  *converged = false;
  *iterations = 0;
  *(s->dense ? &solved_dense : &solved_sparse) += 1;
  memcpy(s->r, r, (size_t)s->n * sizeof *r);
  DLS_TRY(dls_newton_step_residual(step, s->r, s->F));
  size = dls_small_norm(s->n, s->F);
  for (;; ++*iterations) {
    const DlsNewtonVerdict verdict = dls_newton_step_judge(step, *iterations, size);
    if (verdict == DLS_NEWTON_GIVE_UP) return DLS_OK;
    if (verdict == DLS_NEWTON_CONVERGED) break;
    DLS_TRY(dls_newton_step_jacobian(step, s->dense, s->r, s->dense ? s->J : s->sparse));
    to_rows(s, &rows);
    if (!dls_small_eliminate(s->n, 0, s->J, s->F)) return DLS_OK;
    bool accepted = false;
    double t = 1;
    double *way = s->sparse; /* spent by now, and long enough: every row has its diagonal block */
    memcpy(way, s->F, (size_t)s->n * sizeof *way);
    for (int k = 0; k < DLS_NEWTON_HALVINGS && !accepted; k++, t *= 0.5) {
      for (int e = 0; e < s->n; e++) s->trial[e] = s->r[e] - t * way[e];
      DLS_TRY(dls_newton_step_residual(step, s->trial, s->F));
      size = dls_small_norm(s->n, s->F);
      accepted = dls_newton_step_accepts(step, *iterations, t, size);
    }
    if (!accepted) return DLS_OK;
    memcpy(s->r, s->trial, (size_t)s->n * sizeof *s->r);
  }
  memcpy(r, s->r, (size_t)s->n * sizeof *r);
  *converged = true;
  return DLS_OK;
}

static const DlsNewtonAlgebra algebra = {create, solve, destroy};
static bool without_dense;

static DlsStatus create_solver(const DlsProblem *problem, const void *options, void **out) {
  return dls_newton_create(problem, options, &algebra, without_dense, out);
}

static DlsSolver own_solver(void) {
  DlsSolver own = {DLS_SOLVER_HEAD,
                   .name = "own",
                   .summary = "Newton's method on elimination",
                   .references = "",
                   .create = create_solver,
                   .solve = dls_newton_solve,
                   .destroy = dls_newton_destroy};
  own.options = dls_newton_options(&own.noptions, &own.option_bytes);
  created = destroyed = solved_dense = solved_sparse = 0;
  refuses = without_dense = false;
  return own;
}

/* The same steps and iterations as with the library's own factors, and reactions apart by round-off
 * of the solves: both end below the tolerance, and Newton's last step squares what is left. */
static void check_as_proximal(const DlsSolver *own, const DlsProblem *problem) {
  const double tolerance = 1e-10;
  const DlsSolver *proximal = NULL;
  CHECK_OK(dls_solver_find("proximal", &proximal));
  TestRun mine = test_solve(own, problem, tolerance);
  TestRun theirs = test_solve(proximal, problem, tolerance);
  CHECK_INT(mine.report.outcome, DLS_CONVERGED);
  CHECK_BELOW(mine.errors.natural, tolerance);
  CHECK_INT(mine.report.iterations, theirs.report.iterations);
  CHECK(strcmp(mine.report.note, theirs.report.note) == 0);
  CHECK_INT(created, destroyed);
  test_end(&mine);
  test_end(&theirs);
}

TEST(a_table_of_ones_own_solves_dense_islands_as_proximal_does) {
  const DlsSolver own = own_solver();
  DlsProblem *problem = test_sample("wall", 2);
  check_as_proximal(&own, problem);
  CHECK(solved_dense > 0 && solved_sparse == 0);
  dls_problem_destroy(&problem);
}

TEST(a_table_of_ones_own_gets_sparse_islands_when_it_asks) {
  const DlsSolver own = own_solver();
  DlsProblem *problem = test_sample("wall", 3);
  without_dense = true;
  check_as_proximal(&own, problem);
  CHECK(solved_sparse > 0 && solved_dense == 0);
  dls_problem_destroy(&problem);
}

TEST(what_a_table_cannot_make_is_told_and_nothing_is_left) {
  const DlsSolver own = own_solver();
  DlsProblem *problem = test_sample("wall", 3);
  void *self = NULL, *options = calloc(1, own.option_bytes);
  dls_solver_defaults(&own, options);
  refuses = true;
  CHECK_FAILS(own.create(problem, options, &self), DLS_ERR_SOLVER, "no linear algebra today");
  CHECK(self == NULL);
  CHECK(created > 0);
  CHECK_INT(created, destroyed);
  free(options);
  dls_problem_destroy(&problem);
}
