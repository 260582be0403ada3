/* The public problems: all are read, and the global ones are what their condensed twins say. */
#include "tests/test.h"

#include <delassus/fclib.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file_of(const char *kind, const char *name) {
  static char path[4096];
  const char *shared = test_shared();
  if (!shared) test_skip("no shared problems; set DELASSUS_SHARED");
  snprintf(path, sizeof path, "%s/fclib/%s%s%s", shared, kind, name ? "/" : "", name ? name : "");
  return path;
}

static void check_file(const char *kind, const char *name) {
  DlsProblem *problem;
  DlsFclibExtra extra;
  CHECK_OK(dls_fclib_read(file_of(kind, name), &problem, &extra));
  if (!problem) return;
  const int contacts = dls_problem_contacts(problem), block = dls_problem_block(problem);
  CHECK(contacts > 0);
  CHECK(test_contains(name, dls_problem_name(problem)));
  CHECK((dls_operator_has_rows(dls_problem_operator(problem))) == (strcmp(kind, "local") == 0));
  double *D = malloc((size_t)(contacts * block * block) * sizeof *D);
  dls_operator_diagonal(dls_problem_operator(problem), D);
  for (int i = 0; i < contacts; i++)
    for (int k = 0; k < block; k++) CHECK(D[(i * block + k) * block + k] > 0);
  CHECK(extra.title && extra.description && extra.math_info);
  free(D);
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&problem);
}

static int check_folder(const char *kind) {
  int files = 0;
  DIR *folder = opendir(file_of(kind, NULL));
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    if (!strstr(entry->d_name, ".hdf5")) continue;
    check_file(kind, entry->d_name);
    files++;
  }
  if (folder) closedir(folder);
  return files;
}

TEST(every_public_problem_is_read) {
  CHECK(check_folder("local") >= 37);
  CHECK(check_folder("global") >= 7);
}

/* max |A - B| and max |B| over the block rows of both. */
static void compare_rows(const DlsBlockRows *A, const DlsBlockRows *B, double *apart,
                         double *largest) {
  const int size = B->block * B->block;
  double *row = calloc((size_t)(B->contacts * size), sizeof *row);
  *apart = *largest = 0;
  for (int i = 0; i < B->contacts; i++) {
    for (int e = B->start[i] * size; e < B->start[i + 1] * size; e++) {
      row[B->column[e / size] * size + e % size] = B->value[e];
      *largest = fmax(*largest, fabs(B->value[e]));
    }
    for (int e = A->start[i] * size; e < A->start[i + 1] * size; e++)
      row[A->column[e / size] * size + e % size] -= A->value[e];
    for (int e = 0; e < B->contacts * size; e++) {
      *apart = fmax(*apart, fabs(row[e]));
      row[e] = 0;
    }
  }
  free(row);
}

static void check_twins(const DlsProblem *global, const DlsProblem *local) {
  DlsOperator *assembled;
  double apart, largest;
  CHECK_INT(dls_problem_contacts(global), dls_problem_contacts(local));
  CHECK_INT(dls_problem_block(global), dls_problem_block(local));
  CHECK_OK(dls_operator_assemble(dls_problem_operator(global), &assembled));
  const DlsBlockRows A = dls_operator_block_rows(assembled);
  const DlsBlockRows B = dls_operator_block_rows(dls_problem_operator(local));
  compare_rows(&A, &B, &apart, &largest);
  CHECK_BELOW(apart, 1e-9 * largest);
  const double *q = dls_problem_q(global), *p = dls_problem_q(local);
  apart = largest = 0;
  for (int k = 0; k < A.contacts * A.block; k++) {
    apart = fmax(apart, fabs(q[k] - p[k]));
    largest = fmax(largest, fabs(p[k]));
  }
  CHECK_BELOW(apart, 1e-9 * largest);
  for (int i = 0; i < A.contacts; i++)
    CHECK_NEAR(dls_problem_relation(global, i)->mu[0], dls_problem_relation(local, i)->mu[0], 0);
  dls_operator_destroy(&assembled);
}

TEST(global_problems_condense_to_their_local_twins) {
  static const struct {
    const char *name;
    const char *form;
  } twins[] = {{"Box_Stacks-i0122-82-5.hdf5", "factored"},
               {"CubeH8.hdf5", "coupled"},
               {"LMGC_GFC3D-i00001-1-00000.hdf5", "coupled"},
               {"LMGC_GFC3D-i00501-4-00000.hdf5", "coupled"},
               {"Spheres-i099-356-679.hdf5", "factored"},
               {"spheres-in-a-box-98-i10000-256-10.hdf5", "factored"}};
  for (int k = 0; k < DLS_COUNT(twins); k++) {
    DlsProblem *global, *local;
    CHECK_OK(dls_fclib_read(file_of("global", twins[k].name), &global, NULL));
    CHECK_OK(dls_fclib_read(file_of("local", twins[k].name), &local, NULL));
    if (global && local) {
      CHECK(strcmp(dls_operator_form(dls_problem_operator(global)), twins[k].form) == 0);
      check_twins(global, local);
    }
    dls_problem_destroy(&global);
    dls_problem_destroy(&local);
  }
}

/* The chute: balls of 6 velocities, whose blocks of M are not quite symmetric. */
TEST(the_rolling_problem_is_rolling) {
  DlsProblem *problem;
  CHECK_OK(dls_fclib_read(file_of("global", "Chute-ndof-768-nc-4-3.hdf5"), &problem, NULL));
  if (!problem) return;
  const DlsOperator *W = dls_problem_operator(problem);
  CHECK_INT(dls_problem_dim(problem), 3);
  CHECK_INT(dls_problem_block(problem), 5);
  CHECK_INT(dls_problem_contacts(problem), 4);
  CHECK(strcmp(dls_operator_form(W), "factored") == 0);
  CHECK_INT(dls_operator_supports(W).dof, 6);
  CHECK(dls_operator_supports(W).gather != dls_operator_supports(W).scatter);
  for (int i = 0; i < 4; i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    CHECK_INT(relation->cone, DLS_CONE_ROLLING);
    CHECK(relation->mu[DLS_MU_1] == 1 && relation->mu[DLS_MU_2] == 1);
    CHECK(relation->mu[DLS_MU_ROLL] > 0 && relation->mu[DLS_MU_TORSION] == 0);
  }
  dls_problem_destroy(&problem);
}

/* Vectors that libfclib was not given are there without data: no solution, and no error. */
TEST(an_unwritten_solution_is_none) {
  DlsProblem *problem;
  DlsFclibExtra extra;
  CHECK_OK(dls_fclib_read(file_of("global", "Box_Stacks-i0122-82-5.hdf5"), &problem, &extra));
  CHECK(!extra.solution_r);
  CHECK_INT(extra.guesses, 1);
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&problem);
}
