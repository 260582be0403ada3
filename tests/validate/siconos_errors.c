/* `natural` is Siconos' own full error, on every shared problem and in the corners of its rule. */
#include "base/child.h"
#include "solvers/siconos/peer.h"
#include "tests/io/captures.h"

#include <delassus/cone.h>
#include <delassus/errors.h>
#include <delassus/fclib.h>

#include "base/random.h"

#include <float.h>
#include <glob.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Errors are relative to |q|, |r| or |u|: below 1e-14 they are the rounding of W r + q. */
static const double relative = 1e-10, rounding = 1e-14;

typedef struct {
  const char *name;
  DlsProblem *problem;
  Peer *peer;
  size_t n; /* contacts * block */
  double *r;
  double largest_row; /* of |W|, the sum of a row */
  DlsRandom random;
} Trial;

static void compare(Trial *t, const char *reaction) {
  DlsErrors errors;
  const DlsStatus status = dls_errors_measure(t->problem, t->r, NULL, &errors);
  CHECK_OK(status);
  if (status != DLS_OK) return;
  const double theirs = peer_error(t->peer, t->r), apart = fabs(errors.natural - theirs);
  if (!(apart <= relative * theirs + rounding))
    test_fail(__FILE__, __LINE__, "%s, %s: natural = %.17g, Siconos %.17g, apart by %.3g", t->name,
              reaction, errors.natural, theirs, apart);
}

static double largest_row_of(const DlsProblem *problem) {
  DlsOperator *copy = NULL;
  if (dls_operator_assemble(dls_problem_operator(problem), &copy) != DLS_OK) return 0;
  const DlsBlockRows rows = dls_operator_block_rows(copy);
  const int block = rows.block;
  double largest = 0;
  for (int i = 0; i < rows.contacts; i++)
    for (int a = 0; a < block; a++) {
      double sum = 0;
      for (int k = rows.start[i]; k < rows.start[i + 1]; k++)
        for (int b = 0; b < block; b++)
          sum +=
              fabs(rows.value[((size_t)k * (size_t)block + (size_t)a) * (size_t)block + (size_t)b]);
      largest = fmax(largest, sum);
    }
  dls_operator_destroy(&copy);
  return largest;
}

/* Reactions of the size that the problem asks for: |q| over the largest row of W, times `size`. */
static void random_reaction(Trial *t, double size, bool inside) {
  const int block = dls_problem_block(t->problem), dim = dls_problem_dim(t->problem);
  const double *q = dls_problem_q(t->problem);
  double q_max = 1e-12;
  for (size_t k = 0; k < t->n; k++) q_max = fmax(q_max, fabs(q[k]));
  const double scale = size * q_max / t->largest_row;
  for (size_t k = 0; k < t->n; k++) t->r[k] = scale * dls_random_normal(&t->random);
  for (int i = 0; inside && i < dls_problem_contacts(t->problem); i++)
    dls_cone_project(dls_problem_relation(t->problem, i), dim, block,
                     t->r + (size_t)i * (size_t)block);
}

static void sweeps(void *context, void *result) {
  const Trial *t = context;
  const PeerVariant silent = peer_without_errors(peer_variants(t->peer, &(int){0}));
  PeerRun run;
  peer_solve(t->peer, &silent, 0, 5, NULL, result, &run);
}

static void try_reactions(Trial *t) {
  memset(t->r, 0, t->n * sizeof *t->r);
  compare(t, "zero");
  const DlsChildLimits limits = {.seconds = 60};
  const DlsChildEnd end = dls_child_run(sweeps, t, &limits, t->r, t->n * sizeof *t->r);
  if (end.outcome == DLS_CHILD_DONE) compare(t, "five sweeps of Siconos' nsgs");
  for (int k = 0; k < 3; k++) {
    random_reaction(t, pow(100, k - 1), true);
    compare(t, "random in the cone");
    random_reaction(t, pow(100, k - 1), false);
    compare(t, "random anywhere");
  }
}

static void try_problem(const char *name, DlsProblem *problem) {
  Trial t = {.name = name, .problem = problem};
  t.n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  t.r = calloc(t.n, sizeof *t.r);
  t.largest_row = largest_row_of(problem);
  dls_random_seed(&t.random, 1);
  CHECK_OK(peer_create(problem, &t.peer));
  if (t.peer) try_reactions(&t);
  peer_destroy(&t.peer);
  free(t.r);
}

static void try_folder(const char *folder) {
  if (!test_shared()) test_skip("no shared problems");
  char pattern[4200];
  glob_t files;
  snprintf(pattern, sizeof pattern, "%s/fclib/%s/*.hdf5", test_shared(), folder);
  CHECK_INT(glob(pattern, 0, NULL, &files), 0);
  for (size_t k = 0; k < files.gl_pathc; k++) {
    DlsProblem *problem = NULL;
    CHECK_OK(dls_fclib_read(files.gl_pathv[k], &problem, NULL));
    if (problem) try_problem(strrchr(files.gl_pathv[k], '/') + 1, problem);
    dls_problem_destroy(&problem);
  }
  globfree(&files);
}

TEST(natural_is_the_error_of_siconos_on_local_problems) { try_folder("local"); }
TEST(natural_is_the_error_of_siconos_on_global_problems) { try_folder("global"); }

/* Two free contacts of unit mass: W = 1. */
static DlsProblem *unit_problem(int block, double q_size) {
  const int start[] = {0, 1, 2}, column[] = {0, 1};
  double value[2 * 25] = {0}, q[2 * 5];
  DlsRelation relations[2] = {{0}};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < block; k++) value[block * block * i + (block + 1) * k] = 1;
    relations[i].cone = block == 5 ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
    relations[i].mu[DLS_MU_1] = relations[i].mu[DLS_MU_2] = 0.4;
    relations[i].mu[DLS_MU_ROLL] = block == 5 ? 0.02 : 0;
  }
  for (int k = 0; k < 2 * block; k++) q[k] = q_size * (k % 3 - 1);
  DlsOperator *W = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_operator_create_assembled(2, block, start, column, value, &W));
  CHECK_OK(dls_problem_create(block == 2 ? 2 : 3, &W, q, relations, NULL, &problem));
  return problem;
}

/* The rule divides by max(|q|, |r|, |u|), and not at all where that is below DBL_EPSILON. */
TEST(natural_scales_as_siconos_does_where_q_and_r_vanish) {
  const int blocks[] = {2, 3, 5};
  const double sizes[] = {0, 1e-18, 1e-16, 1e-9, 1, 1e9};
  for (int b = 0; b < DLS_COUNT(blocks); b++)
    for (int j = 0; j < DLS_COUNT(sizes); j++) {
      Trial t = {.name = "two unit masses", .problem = unit_problem(blocks[b], sizes[j])};
      t.n = 2 * (size_t)blocks[b];
      t.r = calloc(t.n, sizeof *t.r);
      t.largest_row = 1;
      dls_random_seed(&t.random, 2);
      CHECK_OK(peer_create(t.problem, &t.peer));
      for (int k = 0; t.peer && k < DLS_COUNT(sizes); k++) {
        for (size_t i = 0; i < t.n; i++) t.r[i] = sizes[k] * dls_random_normal(&t.random);
        compare(&t, "random anywhere");
      }
      peer_destroy(&t.peer);
      dls_problem_destroy(&t.problem);
      free(t.r);
    }
}

/* What another program sees of a file: all but our group. */
static void leave_ours_out(const char *path) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  CHECK(file >= 0);
  if (H5Lexists(file, "/delassus", H5P_DEFAULT) > 0)
    CHECK(H5Ldelete(file, "/delassus", H5P_DEFAULT) >= 0);
  H5Fclose(file);
}

/* max(|q|, |r|, |u|). */
static double norms(const double *q, const double *r, const double *u, int n) {
  double q2 = 0, r2 = 0, u2 = 0;
  for (int k = 0; k < n; k++) q2 += q[k] * q[k], r2 += r[k] * r[k], u2 += u[k] * u[k];
  return sqrt(fmax(q2, fmax(r2, u2)));
}

/* e is the same in both readings: Siconos' own error may be larger by the norms that it divides
 * by. */
static void check_capture(const char *path, void *context) {
  DlsProblem *physical, *seen;
  DlsFclibExtra ours, theirs;
  Peer *peer = NULL;
  CHECK_OK(dls_fclib_read(path, &physical, &ours));
  leave_ours_out(path);
  CHECK_OK(dls_fclib_read(path, &seen, &theirs));
  if (physical && seen) {
    const int n = dls_problem_contacts(seen) * dls_problem_block(seen);
    CHECK_OK(peer_create(seen, &peer));
    double *u = calloc((size_t)n + 1, sizeof *u);
    dls_problem_velocity(seen, theirs.solution_r, u);
    const double there = norms(dls_problem_q(physical), ours.solution_r, ours.solution_u, n);
    const double here = norms(dls_problem_q(seen), theirs.solution_r, u, n);
    const double error = peer ? peer_error(peer, theirs.solution_r) : INFINITY;
    /* it does not divide by norms below DBL_EPSILON */
    CHECK_BELOW(error * (here < DBL_EPSILON ? 1 : here),
                capture_tolerance * (1 + 1e-6) * there + 1e-13 * here);
    free(u);
    (*(int *)context)++;
  }
  peer_destroy(&peer);
  dls_fclib_extra_clear(&ours);
  dls_fclib_extra_clear(&theirs);
  dls_problem_destroy(&physical);
  dls_problem_destroy(&seen);
}

TEST(captures_are_solved_for_siconos_too) {
  for (int l = 0; l < DLS_COUNT(capture_laws); l++) {
    int files = 0;
    for (int s = 0; s < DLS_COUNT(capture_schemes); s++)
      for (int dim = 2; dim <= 3; dim++)
        capture_run("siconos", &capture_laws[l], capture_schemes[s], dim, check_capture, &files);
    CHECK(files > 0);
  }
}
