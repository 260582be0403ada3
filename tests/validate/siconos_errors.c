/* `natural` is Siconos' own full error, on every shared problem and in the corners of its rule. */
#include "base/child.h"
#include "tests/bench/siconos.h"
#include "tests/test.h"

#include <delassus/cone.h>
#include <delassus/errors.h>
#include <delassus/fclib.h>

#include "base/random.h"

#include <glob.h>
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
  peer_solve(t->peer, &silent, 0, 5, result, &run);
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
