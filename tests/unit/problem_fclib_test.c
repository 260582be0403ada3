/* FCLIB files of our own: what is written comes back to the last bit, or is refused. */
#include "tests/files.h"

#include <delassus/fclib.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER TEST_BINARY_DIR "/tests/tmp/problem_fclib"

static const char *path_of(const char *name) { return test_path("problem_fclib", name); }

static int files_in_folder(void) {
  int count = 0;
  DIR *folder = opendir(FOLDER);
  while (folder && readdir(folder)) count++;
  if (folder) closedir(folder);
  return count;
}

/* Awkward numbers: a third, tiny, huge, minus zero. */
static double awkward(int k) {
  static const double special[] = {1.0 / 3, -0.0, 5e-324, 1e30, -2.5e-17, 7};
  return special[k % 6] + (k % 6 == 1 ? 0 : 1e-3 * k);
}

/* Contacts in a chain: block (i, i +- 1) and the diagonal. */
static DlsProblem *make_problem(int dim, int contacts, int block, const DlsRelation *relations,
                                const DlsCustomRelation *custom) {
  int start[16] = {0}, column[48], count = 0;
  double value[48 * 36], q[16 * 6];
  for (int i = 0; i < contacts; i++) {
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < contacts; j++) column[count++] = j;
    start[i + 1] = count;
  }
  for (int e = 0; e < count * block * block; e++) value[e] = awkward(e);
  value[1] = -0.0;
  for (int e = 0; e < contacts * block; e++) q[e] = awkward(e + 2);
  DlsOperator *W;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_operator_create_assembled(contacts, block, start, column, value, &W));
  CHECK_OK(dls_problem_create(dim, &W, q, relations, custom, &problem));
  return problem;
}

static bool same_bits(const void *a, const void *b, int count, size_t size) {
  return memcmp(a, b, (size_t)count * size) == 0;
}

static void check_same_problem(const DlsProblem *a, const DlsProblem *b) {
  const DlsBlockRows W = dls_operator_block_rows(dls_problem_operator(a));
  const DlsBlockRows V = dls_operator_block_rows(dls_problem_operator(b));
  CHECK_INT(W.contacts, V.contacts);
  CHECK_INT(W.block, V.block);
  if (W.contacts != V.contacts || W.block != V.block) return;
  CHECK_INT(dls_problem_dim(a), dls_problem_dim(b));
  CHECK(same_bits(W.start, V.start, W.contacts + 1, sizeof(int)));
  const int blocks = W.start[W.contacts];
  CHECK(same_bits(W.column, V.column, blocks, sizeof(int)));
  CHECK(same_bits(W.value, V.value, blocks * W.block * W.block, sizeof(double)));
  CHECK(same_bits(dls_problem_q(a), dls_problem_q(b), W.contacts * W.block, sizeof(double)));
  for (int i = 0; i < W.contacts; i++) {
    const DlsRelation *r = dls_problem_relation(a, i), *s = dls_problem_relation(b, i);
    CHECK_INT(r->cone, s->cone);
    CHECK(same_bits(r->mu, s->mu, DLS_MU_COUNT, sizeof(double)));
    CHECK(same_bits(r->a, s->a, W.block, sizeof(double)));
    CHECK(same_bits(r->b, s->b, W.block, sizeof(double)));
    CHECK(same_bits(r->C, s->C, W.block, sizeof(double)));
    CHECK(same_bits(&r->associated, &s->associated, 1, sizeof(double)));
  }
}

static void check_round_trip(const char *name, int dim, int contacts, int block,
                             const DlsRelation *relations) {
  DlsProblem *problem = make_problem(dim, contacts, block, relations, NULL), *back;
  DlsFclibExtra extra;
  double r[96], u[96], guess[96];
  for (int k = 0; k < contacts * block; k++)
    r[k] = awkward(k), u[k] = awkward(k + 3), guess[k] = awkward(k + 4);
  CHECK_OK(dls_fclib_write(path_of(name), problem, "a title", r, u, guess));
  CHECK_OK(dls_fclib_read(path_of(name), &back, &extra));
  if (back) {
    check_same_problem(problem, back);
    CHECK(extra.solution_r && same_bits(extra.solution_r, r, contacts * block, sizeof *r));
    CHECK(extra.solution_u && same_bits(extra.solution_u, u, contacts * block, sizeof *u));
    CHECK(extra.title && strcmp(extra.title, "a title") == 0);
    CHECK_INT(extra.guesses, 1);
    CHECK(extra.guesses == 1 &&
          same_bits(extra.guess_r[0], guess, contacts * block, sizeof *guess));
  }
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&back);
  dls_problem_destroy(&problem);
}

static DlsRelation coulomb(double mu1, double mu2) {
  return (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {mu1, mu2}};
}

TEST(coulomb_problems_come_back_to_the_last_bit) {
  const DlsRelation relations[] = {coulomb(0.3, 0.3), coulomb(0, 0), coulomb(1e9, 1e9),
                                   coulomb(1.0 / 3, 1.0 / 3)};
  check_round_trip("plane.hdf5", 2, 4, 2, relations);
  check_round_trip("space.hdf5", 3, 4, 3, relations);
  check_round_trip("one.hdf5", 3, 1, 3, relations);
}

TEST(other_relations_come_back_to_the_last_bit) {
  DlsRelation relations[] = {
      coulomb(0.3, 0.4),         {.cone = DLS_CONE_FREE},      {.cone = DLS_CONE_BILATERAL},
      {.cone = DLS_CONE_SLIDER}, {.cone = DLS_CONE_SIGNORINI}, coulomb(0.2, 0.2)};
  check_round_trip("mixed.hdf5", 3, 6, 3, relations);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) {
      relations[i].a[k] = awkward(3 * i + k);
      relations[i].b[k] = awkward(3 * i + k + 1);
      relations[i].C[k] = fabs(awkward(3 * i + k + 2));
    }
  check_round_trip("shifted.hdf5", 3, 6, 3, relations);
}

TEST(rolling_problems_come_back_to_the_last_bit) {
  const DlsRelation relations[] = {
      {.cone = DLS_CONE_ROLLING, .mu = {0.3, 0.3, 0.01, 0.002}},
      {.cone = DLS_CONE_ROLLING, .mu = {0.7, 0.7, 1.0 / 3, 0}},
      {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5, 0, 0}},
  };
  check_round_trip("rolling_plane.hdf5", 2, 3, 3, relations);
  check_round_trip("rolling.hdf5", 3, 3, 5, relations);
  check_round_trip("torsion.hdf5", 3, 3, 6, relations);
}

/* FCLIB has no place for dilatancy: it stands in /delassus, and the description warns who does not
 * read that. */
TEST(contacts_that_dilate_come_back_to_the_last_bit) {
  DlsRelation relations[] = {coulomb(0.3, 0.3), coulomb(0.3, 0.4), coulomb(0.2, 0.2)};
  relations[0].associated = 1.0 / 3;
  relations[1].associated = 1;
  check_round_trip("dilatant.hdf5", 3, 3, 3, relations);
  check_round_trip("dilatant_one.hdf5", 2, 1, 2, relations);
  DlsProblem *problem = make_problem(3, 3, 3, relations, NULL), *back;
  DlsFclibExtra extra;
  CHECK_OK(dls_fclib_write(path_of("dilatant.hdf5"), problem, NULL, NULL, NULL, NULL));
  CHECK_OK(dls_fclib_read(path_of("dilatant.hdf5"), &back, &extra));
  CHECK(extra.description && strstr(extra.description, "solves another problem"));
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&back);
  dls_problem_destroy(&problem);
}

TEST(a_solution_without_velocities_gets_them) {
  const DlsRelation relations[] = {coulomb(0.3, 0.3), coulomb(0.3, 0.3)};
  DlsProblem *problem = make_problem(3, 2, 3, relations, NULL), *back;
  DlsFclibExtra extra;
  const double r[6] = {1, 0.1, -0.1, 2, 0, 0.5};
  double u[6];
  dls_problem_velocity(problem, r, u);
  CHECK_OK(dls_fclib_write(path_of("velocity.hdf5"), problem, NULL, r, NULL, NULL));
  CHECK_OK(dls_fclib_read(path_of("velocity.hdf5"), &back, &extra));
  CHECK(extra.solution_u && same_bits(extra.solution_u, u, 6, sizeof *u));
  CHECK(strcmp(dls_problem_name(back), "velocity") == 0);
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&back);
  CHECK_OK(dls_fclib_write(path_of("velocity.hdf5"), problem, NULL, NULL, NULL, NULL));
  CHECK_OK(dls_fclib_read(path_of("velocity.hdf5"), &back, &extra));
  CHECK(!extra.solution_r && !extra.solution_u);
  CHECK(extra.title && strcmp(extra.title, "problem") == 0);
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&back);
  dls_problem_destroy(&problem);
}

static DlsStatus no_residual(void *context, const double *u, const double *r, double *F,
                             double *dF_du, double *dF_dr) {
  (void)context, (void)u, (void)r, (void)F, (void)dF_du, (void)dF_dr;
  return DLS_OK;
}

/* A refusal leaves the older file as it was, and no other. */
TEST(what_cannot_be_written_is_refused_and_leaves_nothing_behind) {
  const DlsRelation relations[] = {coulomb(0.3, 0.3), {.cone = DLS_CONE_CUSTOM}};
  const DlsCustomRelation custom[] = {{0}, {.law = "two-steps", .residual = no_residual}};
  DlsProblem *good = make_problem(3, 1, 3, relations, NULL), *back;
  DlsProblem *bad = make_problem(3, 2, 3, relations, custom);
  double r[6] = {0, 1, 2, NAN, 4, 5};
  CHECK_OK(dls_fclib_write(path_of("kept.hdf5"), good, NULL, NULL, NULL, NULL));
  const int before = files_in_folder();
  CHECK_FAILS(dls_fclib_write(path_of("kept.hdf5"), bad, NULL, NULL, NULL, NULL),
              DLS_ERR_UNSUPPORTED,
              "kept.hdf5: not written: contact 1 has the custom law `two-steps`");
  r[1] = NAN;
  CHECK_FAILS(dls_fclib_write(path_of("kept.hdf5"), good, NULL, r, NULL, NULL), DLS_ERR_NUMERIC,
              "r of contact 0 is not finite");
  CHECK_FAILS(dls_fclib_write(path_of("absent/kept.hdf5"), good, NULL, NULL, NULL, NULL),
              DLS_ERR_FILE, "absent/kept.hdf5: cannot be opened: it or its folder");
  CHECK_FAILS(dls_fclib_write(FOLDER, good, NULL, NULL, NULL, NULL), DLS_ERR_FILE,
              "cannot be written");
  CHECK_INT(files_in_folder(), before);
  CHECK_OK(dls_fclib_read(path_of("kept.hdf5"), &back, NULL));
  if (back) check_same_problem(good, back);
  dls_problem_destroy(&back);
  dls_problem_destroy(&good);
  dls_problem_destroy(&bad);
}

static void write_bytes(const char *path, const void *bytes, size_t count) {
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(bytes, 1, count, file) == count);
  if (file) fclose(file);
}

TEST(what_is_not_a_problem_file_is_refused_with_a_sentence) {
  DlsProblem *problem;
  CHECK_FAILS(dls_fclib_read(path_of("absent.hdf5"), &problem, NULL), DLS_ERR_FILE,
              "absent.hdf5: cannot be opened: No such file or directory");
  CHECK(problem == NULL);
  CHECK_FAILS(dls_fclib_read(FOLDER, &problem, NULL), DLS_ERR_FILE, "not a regular file");
  write_bytes(path_of("text.hdf5"), "not HDF5 at all", 15);
  CHECK_FAILS(dls_fclib_read(path_of("text.hdf5"), &problem, NULL), DLS_ERR_FORMAT,
              "text.hdf5: is not a readable HDF5 file");
  write_bytes(path_of("empty.hdf5"), "", 0);
  CHECK_FAILS(dls_fclib_read(path_of("empty.hdf5"), &problem, NULL), DLS_ERR_FORMAT,
              "empty.hdf5: is not a readable HDF5 file");
}
