/* Captured problems are the same problem for other programs: what libfclib reads of a file, without
 * our group beside it, is solved by the /solution that stands there; and what we read is the
 * physical problem. Every scheme, every law whose relations FCLIB can say. */
#include "tests/io/captures.h"

#include <delassus/errors.h>
#include <delassus/fclib.h>

#include <math.h>
#include <unistd.h>

#ifndef TEST_HAVE_FCLIB
TEST(captures_are_solved_for_libfclib_too) { test_skip("libfclib is not installed"); }
#else
#include <fclib.h>
#include <hdf5.h>

static double norm(const double *x, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* |r - P_K(r - (u + mu |u_T| n))| over all contacts, and u = W r + q: the natural map, from the
 * numbers of the file alone. */
static double natural_map(const struct fclib_local *problem, const double *r, double *u) {
  const int n = problem->W->n, block = problem->spacedim;
  double sum = 0;
  memcpy(u, problem->q, (size_t)n * sizeof *u);
  for (int j = 0; j < n; j++)
    for (int k = problem->W->p[j]; k < problem->W->p[j + 1]; k++)
      u[problem->W->i[k]] += problem->W->x[k] * r[j];
  for (int i = 0; i < n / block; i++) {
    const double *ri = r + i * block, *ui = u + i * block, mu = problem->mu[i];
    double x[3] = {0}, slip = norm(ui + 1, block - 1);
    for (int k = 0; k < block; k++) x[k] = ri[k] - ui[k] - (k == 0 ? mu * slip : 0);
    const double along = norm(x + 1, block - 1);
    double to[3] = {0};
    if (mu * along <= -x[0]) {
      to[0] = 0; /* in the polar of the cone */
    } else if (along <= mu * x[0]) {
      memcpy(to, x, sizeof to);
    } else {
      to[0] = (x[0] + mu * along) / (1 + mu * mu);
      for (int k = 1; k < block; k++) to[k] = mu * to[0] * x[k] / along;
    }
    for (int k = 0; k < block; k++) sum += (ri[k] - to[k]) * (ri[k] - to[k]);
  }
  return sqrt(sum);
}

/* Whether FCLIB can say the relations of the file; a problem of its own otherwise. */
static bool is_canonical(const DlsProblem *problem) {
  bool canonical = dls_problem_block(problem) == dls_problem_dim(problem);
  for (int i = 0; i < dls_problem_contacts(problem); i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    canonical =
        canonical &&
        (relation->cone == DLS_CONE_SIGNORINI ||
         (relation->cone == DLS_CONE_COULOMB && relation->mu[DLS_MU_1] == relation->mu[DLS_MU_2]));
  }
  return canonical;
}

typedef struct {
  int files, shifted; /* captures checked; those with a, b or C */
} Count;

static bool is_shifted(const DlsProblem *problem) {
  const int block = dls_problem_block(problem);
  for (int e = 0; e < dls_problem_contacts(problem) * block; e++) {
    const DlsRelation *relation = dls_problem_relation(problem, e / block);
    if (relation->a[e % block] != 0 || relation->b[e % block] != 0 || relation->C[e % block] != 0)
      return true;
  }
  return false;
}

/* y += A x of a matrix by columns, or A^T x. */
static void multiply(const struct fclib_matrix *A, bool transposed, const double *x, double *y) {
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
      if (transposed)
        y[j] += A->x[k] * x[A->i[k]];
      else
        y[A->i[k]] += A->x[k] * x[j];
    }
}

/* M v = H r + f and u = H^T v + w, with the v, r and u of the file; rounding is relative to what is
 * summed. */
static void check_global_solution(const char *path, const struct fclib_solution *solution) {
  struct fclib_global *global = fclib_read_global(path);
  CHECK(global != NULL && solution->v != NULL);
  if (!global || !solution->v) return;
  const int n = global->M->n, rows = global->H->n;
  CHECK_INT(global->H->m, n);
  double *left = calloc((size_t)n, sizeof *left), *right = calloc((size_t)n, sizeof *right);
  double *u = calloc((size_t)rows, sizeof *u), size = 0;
  multiply(global->M, false, solution->v, left);
  multiply(global->H, false, solution->r, right);
  memcpy(u, global->w, (size_t)rows * sizeof *u);
  multiply(global->H, true, solution->v, u);
  for (int j = 0; j < n; j++) /* M v of a stiff body is a small difference of large terms */
    for (int k = global->M->p[j]; k < global->M->p[j + 1]; k++)
      size = fmax(size, fabs(global->M->x[k] * solution->v[j]));
  for (int k = 0; k < n; k++) CHECK_NEAR(left[k], right[k] + global->f[k], 1e-12 * size);
  size = fmax(norm(global->w, rows), norm(u, rows));
  for (int k = 0; k < n; k++) size = fmax(size, fabs(solution->v[k]));
  for (int k = 0; k < rows; k++) CHECK_NEAR(u[k], solution->u[k], 1e-11 * size);
  free(left);
  free(right);
  free(u);
  fclib_delete_global(global);
  free(global);
}

static void remove_group(const char *path, const char *group) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  CHECK(file >= 0);
  if (H5Lexists(file, group, H5P_DEFAULT) > 0) CHECK(H5Ldelete(file, group, H5P_DEFAULT) >= 0);
  H5Fclose(file);
}

/* With the global form alone, and with the local one alone, the file is the same problem. */
static void check_both_forms(const char *path) {
  DlsProblem *local = NULL, *global = NULL;
  remove_group(path, "/delassus");
  CHECK_OK(dls_fclib_read(path, &local, NULL));
  remove_group(path, "/fclib_local");
  CHECK_OK(dls_fclib_read(path, &global, NULL));
  if (local && global) {
    const int n = dls_problem_contacts(local) * dls_problem_block(local);
    CHECK(!dls_operator_has_rows(dls_problem_operator(global)));
    CHECK_INT(dls_problem_contacts(global), dls_problem_contacts(local));
    double *x = calloc(3 * (size_t)n, sizeof *x), *y = x + n, *z = y + n;
    for (int k = 0; k < n; k++) x[k] = 1 + (double)(k * 37 % 19) / 19;
    dls_operator_apply(dls_problem_operator(local), x, y);
    dls_operator_apply(dls_problem_operator(global), x, z);
    const double size = norm(y, n), q_size = norm(dls_problem_q(local), n);
    for (int k = 0; k < n; k++) {
      CHECK_NEAR(y[k], z[k], 1e-12 * size);
      CHECK_NEAR(dls_problem_q(local)[k], dls_problem_q(global)[k], 1e-14 * q_size);
    }
    free(x);
  }
  dls_problem_destroy(&local);
  dls_problem_destroy(&global);
}

/* e is the same in both readings, and a solve to the tolerance leaves tolerance * max(|q|, |r|,
 * |u|) of it; the rest is the rounding of W r. */
static void check_for_others(const char *path, const DlsProblem *problem,
                             const DlsFclibExtra *extra) {
  const int n = dls_problem_contacts(problem) * dls_problem_block(problem);
  const double physical = fmax(norm(dls_problem_q(problem), n),
                               fmax(norm(extra->solution_r, n), norm(extra->solution_u, n)));
  struct fclib_local *local = fclib_read_local(path);
  struct fclib_solution *solution = fclib_read_solution(path);
  int guesses = 0;
  struct fclib_solution *guess = fclib_read_guesses(path, &guesses);
  CHECK(local && solution && guess);
  CHECK_INT(guesses, 1);
  if (!local || !solution || !guess) return;
  double *u = calloc((size_t)n, sizeof *u);
  const double error = natural_map(local, solution->r, u);
  double size = fmax(norm(local->q, n), fmax(norm(solution->r, n), norm(u, n)));
  for (int k = 0; k < local->W->p[n]; k++) /* what W r is summed of */
    size = fmax(size, fabs(local->W->x[k]) * norm(solution->r, n));
  const double bound = capture_tolerance * physical + 1e-13 * size;
  if (!(error <= bound))
    test_fail(__FILE__, __LINE__, "%s: the solution misses by %.3g, allowed %.3g", path, error,
              bound);
  for (int k = 0; k < n; k++) CHECK_NEAR(solution->u[k], u[k], 1e-12 * size);
  if (local->spacedim == 3) CHECK_BELOW(fclib_merit_local(local, MERIT_1, solution), bound);
  for (int k = 0; extra->guesses == 1 && k < n; k++) /* r + a, as the reader gives r */
    CHECK_NEAR(guess->r[k] - solution->r[k], extra->guess_r[0][k] - extra->solution_r[k],
               1e-14 * size);
  check_global_solution(path, solution);
  free(u);
  fclib_delete_local(local);
  free(local);
  fclib_delete_solutions(solution, 1);
  fclib_delete_solutions(guess, 1);
}

static void check_file(const char *path, void *context) {
  Count *count = context;
  DlsProblem *problem;
  DlsFclibExtra extra;
  DlsErrors errors;
  CHECK_OK(dls_fclib_read(path, &problem, &extra));
  if (!problem) return;
  CHECK(extra.solution_r && extra.solution_u && extra.guesses == 1);
  CHECK(is_canonical(problem));
  if (extra.solution_r && extra.solution_u && extra.guesses == 1) {
    CHECK_OK(dls_errors_measure(problem, extra.solution_r, NULL, &errors));
    CHECK_BELOW(errors.natural,
                capture_tolerance * (1 + 1e-3)); /* assembled, not as it was solved */
    check_for_others(path, problem, &extra);
    check_both_forms(path);
    count->files++;
    count->shifted += is_shifted(problem);
  }
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&problem);
}

TEST(captures_are_solved_for_libfclib_too) {
  for (int l = 0; l < DLS_COUNT(capture_laws); l++) {
    Count count = {0};
    int ran = 0;
    for (int s = 0; s < DLS_COUNT(capture_schemes); s++)
      for (int dim = 2; dim <= 3; dim++)
        ran +=
            capture_run("capture", &capture_laws[l], capture_schemes[s], dim, check_file, &count);
    if (!(ran > 0 && count.files > 0))
      test_fail(__FILE__, __LINE__, "%s: no capture", capture_laws[l].name);
    if (getenv("TEST_VERBOSE"))
      printf("%-14s %d runs, %d captures, %d with a, b or C\n", capture_laws[l].name, ran,
             count.files, count.shifted);
  }
}

/* Blocks of elements on each other and under a disk: W is assembled from their surfaces. */
TEST(captures_of_deformable_bodies_are_problems_of_others_too) {
  char line[4096], path[768];
  Count count = {0};
  snprintf(line, sizeof line,
           "run " TEST_SOURCE_DIR "/tests/io/deformable.yaml --capture 10 --quiet --overwrite "
           "--set time.end=0.01 --set output.every=0 --out '%s/deformable'",
           app_folder("capture"));
  CHECK_INT(app_run(line), 0);
  for (int step = 10; step <= 20; step += 10) {
    snprintf(path, sizeof path, "%s/deformable/capture_%06d.hdf5", app_folder("capture"), step);
    check_file(path, &count);
  }
  CHECK_INT(count.files, 2);
}

/* Quasi-static, by mortar, with friction, in 2-D and 3-D: read by libfclib and by us from M and H
 * alone, and so solved (check_file leaves nothing else in the file). */
TEST(captures_of_pressed_bodies_are_solved_from_their_M_and_H) {
  static const struct {
    const char *deck, *end;
    int step;
  } runs[] = {{"hertz-cylinder", "0.3", 3}, {"hertz-spheres", "0.5", 2}};
  static const char *const solvers[] = {"auto", "proximal", "nsgs"};
  char line[4096], path[768];
  for (int k = 0; k < DLS_COUNT(runs); k++) {
    Count count = {0};
    snprintf(line, sizeof line,
             "run '%s/input/%s.yaml' --capture %d --quiet --overwrite --set time.end=%s "
             "--set output.every=1 --set laws[0].parameters.mu=0.1 --out '%s/%s'",
             TEST_SOURCE_DIR, runs[k].deck, runs[k].step, runs[k].end, app_folder("capture"),
             runs[k].deck);
    CHECK_INT(app_run(line), 0);
    snprintf(path, sizeof path, "%s/%s/capture_%06d.hdf5", app_folder("capture"), runs[k].deck,
             runs[k].step);
    check_file(path, &count);
    CHECK_INT(count.files, 1);
    for (int i = 0; i < DLS_COUNT(solvers); i++) {
      snprintf(line, sizeof line,
               "solve '%s' --solver %s --measure scaled --tolerance 1e-8 --max-time 300 --quiet",
               path, solvers[i]);
      CHECK_TOLD(app_run(line) == 0, "%s: %s: %s", runs[k].deck, solvers[i], app_output);
    }
  }
}

/* At the start: a law that is always custom is refused before anything is written; a law that may
 * be custom is told, its steps are left out, and the run comes to its end. */
TEST(a_custom_law_is_told_before_a_capturing_run_begins) {
  char line[4096], expected[128], path[768];
  for (int l = 0; l < DLS_COUNT(capture_custom_laws); l++) {
    const char *name = capture_custom_laws[l].name;
    const bool always = strcmp(name, "stribeck") == 0;
    snprintf(path, sizeof path, "%s/custom-%s", app_folder("capture"), name);
    snprintf(line, sizeof line, "rm -rf '%s'", path);
    CHECK_INT(system(line), 0);
    snprintf(line, sizeof line, "%s.yaml", path);
    capture_deck(line, &capture_custom_laws[l], capture_schemes[0], 3);
    snprintf(line, sizeof line, "run '%s.yaml' --capture 2 --out '%s'", path, path);
    snprintf(expected, sizeof expected,
             always ? "the deck has the custom law `%s`, which no file can hold"
                    : "the law `%s` may be custom, which no file can hold",
             name);
    const int status = app_run(line); /* 1: a step has not converged, which is not asked here */
    if (!test_contains(app_output, expected) || (status == 2) != always || status > 2)
      test_fail(__FILE__, __LINE__, "delassus %s: exit %d:\n%s", line, status, app_output);
    if (!always) CHECK(test_contains(app_output, "steps not captured: a contact had a custom law"));
    snprintf(line, sizeof line, "%s/history.csv", path);
    CHECK_INT(access(line, F_OK) == 0, !always);
  }
}
#endif
