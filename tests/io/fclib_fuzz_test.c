/* Malformed FCLIB files: two thousand, mutated from good ones by a seeded generator, and a table of
 * faults that each must be named. No crash, no hang, no leak; a problem of finite numbers, or a
 * sentence that begins with the file. Files are read by children with limits of time and memory,
 * except under AddressSanitizer, which watches one process. */
#include "base/random.h"
#include "tests/io/fclib_make.h"
#include "tests/io/mutations.h"
#include "tests/test.h"

#include <delassus/fclib.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER TEST_BINARY_DIR "/tests/tmp/fclib_fuzz"

enum { MUTATIONS = 2000, SECONDS = 10, MAX_DATASETS = 64 };

/* HDF5's own library loses memory on damaged chunks and filters, so that the sanitizer gets the
 * plainer files only: those that libfclib and our writer make. */
#ifdef __SANITIZE_ADDRESS__
enum { KINDS = MAKE_FOREIGN };
#else
enum { KINDS = MAKE_COUNT };
#endif

static const char *path_of(const char *name) {
  static char paths[4][512];
  static int turn;
  char *path = paths[turn++ % 4];
  mkdir(TEST_BINARY_DIR "/tests", 0777);
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  mkdir(FOLDER, 0777);
  snprintf(path, sizeof paths[0], FOLDER "/%s", name);
  return path;
}

/* The good files, and the names of their datasets. */
static Bytes good[MAKE_COUNT];
static char *datasets[MAKE_COUNT][MAX_DATASETS];
static int dataset_count[MAKE_COUNT];

static void make_good_files(void) {
  for (int k = 0; k < MAKE_COUNT; k++) {
    const char *path = path_of(make_names[k]);
    CHECK(make_file((MakeKind)k, path));
    CHECK(mutation_load(path, &good[k]));
    for (int d = 0; d < dataset_count[k]; d++) free(datasets[k][d]);
    dataset_count[k] = list_datasets(path, datasets[k], MAX_DATASETS);
    CHECK(dataset_count[k] > 10);
  }
}

static void end_good_files(void) {
  for (int k = 0; k < MAKE_COUNT; k++) {
    for (int d = 0; d < dataset_count[k]; d++) free(datasets[k][d]);
    dataset_count[k] = 0;
  }
}

static void spoil_bytes(DlsRandom *random, Bytes *b) {
  static const unsigned char special[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  const int changes = 1 + dls_random_below(random, dls_random_below(random, 4) ? 4 : 40);
  for (int c = 0; c < changes; c++) {
    const size_t at = (size_t)dls_random_below(random, (int)b->count);
    const int run = dls_random_below(random, 4) ? 1 : 8;
    for (size_t k = at; k < at + (size_t)run && k < b->count; k++)
      switch (dls_random_below(random, 3)) {
      case 0:
        b->bytes[k] ^= (unsigned char)(1 << dls_random_below(random, 8));
        break;
      case 1:
        b->bytes[k] = special[dls_random_below(random, DLS_COUNT(special))];
        break;
      default:
        b->bytes[k] = (unsigned char)dls_random_below(random, 256);
      }
  }
}

/* A piece of one good file, or a hole, over a place of another. */
static void splice(DlsRandom *random, Bytes *b) {
  const Bytes *from = &good[dls_random_below(random, KINDS)];
  const size_t length = 1 + (size_t)dls_random_below(random, 512);
  const size_t at = (size_t)dls_random_below(random, (int)b->count);
  const size_t start = (size_t)dls_random_below(random, (int)from->count);
  for (size_t k = 0; k < length && at + k < b->count && start + k < from->count; k++)
    b->bytes[at + k] = from->bytes[start + k];
}

static double any_number(DlsRandom *random) {
  static const double special[] = {
      -1,     0,        1, -2,           -3,           2, 3, 5, NAN, 1e30, 1e-320,
      -1e308, INFINITY, 7, 2147483647.0, -2147483648.0};
  return special[dls_random_below(random, DLS_COUNT(special))];
}

/* Mutation number `index`, the same in every run; DELASSUS_FUZZ_SEED asks for others. */
static void mutate(int index, const char *path) {
  DlsRandom random;
  const char *seed = getenv("DELASSUS_FUZZ_SEED");
  dls_random_seed(&random, 1000003u * (uint64_t)index + (seed ? strtoull(seed, NULL, 10) : 17));
  const int kind = dls_random_below(&random, KINDS);
  static Bytes bytes;
  bytes = good[kind];
  const int way = dls_random_below(&random, 10);
  if (way < 4) spoil_bytes(&random, &bytes);
  if (way == 4) bytes.count = (size_t)dls_random_below(&random, (int)bytes.count);
  if (way == 5) splice(&random, &bytes);
  mutation_save(path, &bytes);
  if (way < 6) return;
  for (int faults = 1 + dls_random_below(&random, 2); faults > 0; faults--) {
    const char *name = datasets[kind][dls_random_below(&random, dataset_count[kind])];
    const SpoilKind spoil = dls_random_below(&random, 2)
                                ? SPOIL_ENTRY
                                : (SpoilKind)dls_random_below(&random, SPOIL_COUNT);
    const int at = dls_random_below(&random, dls_random_below(&random, 2) ? 3 : 40);
    spoil_file(path, spoil, name, at, any_number(&random)); /* some do not apply: then it is good */
  }
}

static bool all_finite(const double *x, int count) {
  for (int k = 0; k < count; k++)
    if (!isfinite(x[k])) return false;
  return true;
}

/* What is wrong with the reader's answer; NULL when nothing is. */
static const char *judge(const char *path, bool *accepted) {
  DlsProblem *problem;
  DlsFclibExtra extra;
  const DlsStatus status = dls_fclib_read(path, &problem, &extra);
  *accepted = status == DLS_OK;
  if (status != DLS_OK) {
    if (problem || extra.solution_r || extra.title) return "a failure leaves something behind";
    const char *text = dls_error_message();
    if (strncmp(text, path, strlen(path)) != 0) return "the sentence does not name the file";
    return strlen(text) > strlen(path) + 10 ? NULL : "the sentence says nothing";
  }
  const char *wrong = NULL;
  const int contacts = dls_problem_contacts(problem), block = dls_problem_block(problem);
  double *D = malloc((size_t)(contacts * block * block) * sizeof *D);
  dls_operator_diagonal(dls_problem_operator(problem), D);
  if (!all_finite(D, contacts * block * block)) wrong = "W is not finite";
  if (!all_finite(dls_problem_q(problem), contacts * block)) wrong = "q is not finite";
  for (int i = 0; i < contacts; i++)
    for (int k = 0; k < DLS_MU_COUNT; k++)
      if (!(dls_problem_relation(problem, i)->mu[k] >= 0)) wrong = "a coefficient is wrong";
  free(D);
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&problem);
  return wrong;
}

static const char *read_one(int index, bool *accepted) {
  char name[32];
  snprintf(name, sizeof name, "mutant%d.hdf5", index % 8);
  const char *path = path_of(name);
  mutate(index, path);
  return judge(path, accepted);
}

TEST(two_thousand_mutations_are_read_or_refused) {
  make_good_files();
  const Mutations m = mutations_run(MUTATIONS, SECONDS, read_one);
  CHECK(m.accepted > MUTATIONS / 100); /* some are harmless: both ways are taken */
  end_good_files();
}

TEST(every_truncation_is_refused) {
  static Bytes cut;
  make_good_files();
  for (int k = 0; k < MAKE_COUNT; k += 3)
    for (size_t length = 0; length < good[k].count; length += 1 + length / 8) {
      cut = good[k];
      cut.count = length;
      const char *path = path_of("cut.hdf5");
      mutation_save(path, &cut);
      DlsProblem *problem;
      CHECK_FAILS(dls_fclib_read(path, &problem, NULL), DLS_ERR_FORMAT, "cut.hdf5: ");
    }
  end_good_files();
}

typedef struct {
  MakeKind file;
  SpoilKind spoil;
  const char *dataset;
  int at;
  double value;
  const char *reason; /* in the sentence, after "FILE: DATASET: " unless it begins with '/' */
} Fault;

#define L "/fclib_local"
#define G "/fclib_global"
#define R "/fclib_global_rolling"

static const Fault faults[] = {
    /* sizes */
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/m", 0, -7, "is -7; the matrix must have 9 rows"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/m", 0, 2e9, "is 2000000000; the matrix must have 9 rows"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/n", 0, 6, "is 6; the matrix must have 9 columns"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/nz", 0, -3, "is -3; a number of triplets"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/nzmax", 0, -1, "is -1, less than the number of entries"},
    {MAKE_TRIPLET, SPOIL_ENTRY, L "/W/nzmax", 0, 2, "is 2, less than the number of entries"},
    {MAKE_TRIPLET, SPOIL_ENTRY, L "/W/nz", 0, 3, NULL}, /* fewer triplets are a problem too */
    {MAKE_LOCAL, SPOIL_RESIZE, L "/W/m", 2, 9, "holds 2 numbers where 1 are expected"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/spacedim", 0, 4, "is 4; 2 or 3 is expected"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/spacedim", 0, 2,
     L "/vectors/q: holds 9 numbers, not a multiple of spacedim = 2"},
    {MAKE_ROLLING, SPOIL_ENTRY, R "/spacedim", 0, 2, "is 2; 5, or 3 in 2-D"},
    {MAKE_MIXED, SPOIL_ENTRY, L "/spacedim", 0, -3, "is -3; 2, 3, 5 or 6 is expected"},
    {MAKE_MIXED, SPOIL_ENTRY, "/delassus/block", 0, 5, "is 5 where spacedim says 3"},
    {MAKE_MIXED, SPOIL_ENTRY, "/delassus/dim", 0, 1, "is 1, not 2 or 3"},
    {MAKE_MIXED, SPOIL_ENTRY, "/delassus/cone", 1, 99, "contact 1 has cone 99"},
    {MAKE_MIXED, SPOIL_ENTRY, "/delassus/cone", 2, 6, "contact 2 has a custom law"},
    {MAKE_MIXED, SPOIL_ENTRY, "/delassus/mu", 5, -1, "coefficient 1 of contact 1 is negative"},
    {MAKE_MIXED, SPOIL_ENTRY, "/delassus/C", 4, -1, "component 1 of contact 1 is negative"},
    {MAKE_MIXED, SPOIL_RESIZE, "/delassus/a", 8, 0, "holds 8 numbers where 9 are expected"},
    {MAKE_MIXED, SPOIL_DELETE, "/delassus/b", 0, 0, "is missing"},
    /* the physical problem beside the standard form */
    {MAKE_MIXED, SPOIL_ENTRY, "/delassus/standard", 0, 2, "is 2, not 0 or 1"},
    {MAKE_MIXED, SPOIL_DELETE, "/delassus/q", 0, 0, "is missing"},
    {MAKE_MIXED, SPOIL_RESIZE, "/delassus/W_diagonal", 4, 0, "holds 4 numbers where 9"},
    {MAKE_MIXED, SPOIL_ENTRY, "/delassus/W_diagonal", 4, 77, "entry 4 and C do not add up"},
    {MAKE_MIXED, SPOIL_ENTRY, "/delassus/q", 3, 77, "entry 3 does not give the q of /fclib_local"},
    {MAKE_MIXED, SPOIL_RESIZE, "/delassus/r", 2, 0, "holds 2 numbers where 9 are expected"},
    /* shapes */
    {MAKE_LOCAL, SPOIL_RESIZE, L "/W/p", 4, 0,
     "holds 4 numbers where 10 are expected (columns + 1)"},
    {MAKE_COLUMNS, SPOIL_RESIZE, L "/W/p", 8, 0,
     "holds 8 numbers where 7 are expected (columns + 1)"},
    {MAKE_LOCAL, SPOIL_RESIZE, L "/W/i", 3, 0, "holds 3 numbers where 45 are expected"},
    {MAKE_LOCAL, SPOIL_RESIZE, L "/W/x", 46, 0, "holds 46 numbers where 45 are expected"},
    {MAKE_LOCAL, SPOIL_RESIZE, L "/vectors/q", 8, 0,
     "holds 8 numbers, not a multiple of spacedim = 3"},
    {MAKE_LOCAL, SPOIL_RESIZE, L "/vectors/q", 12, 0, L "/vectors/mu: holds 3 numbers where 4"},
    {MAKE_LOCAL, SPOIL_RESIZE, L "/vectors/mu", 2, 0, "holds 2 numbers where 3 are expected"},
    {MAKE_ROLLING, SPOIL_RESIZE, R "/vectors/mu_r", 4, 0, "holds 4 numbers where 3 are expected"},
    {MAKE_RIGID, SPOIL_RESIZE, G "/vectors/f", 17, 0, G "/H/m: is 18; the matrix must have 17"},
    {MAKE_RIGID, SPOIL_RESIZE, G "/vectors/w", 6, 0, G "/vectors/mu: holds 3 numbers where 2"},
    {MAKE_LOCAL, SPOIL_RESIZE, "/solution/r", 3, 0, "holds 3 numbers where 9 are expected"},
    {MAKE_RIGID, SPOIL_RESIZE, "/guesses/1/u", 3, 0, "holds 3 numbers where 9 are expected"},
    {MAKE_LOCAL, SPOIL_RANK, L "/W/x", 0, 0, "has more than one dimension"},
    {MAKE_LOCAL, SPOIL_RANK, L "/spacedim", 0, 0, "has more than one dimension"},
    {MAKE_LOCAL, SPOIL_EMPTY, L "/vectors/q", 0, 0, "is empty; the problem has no contact"},
    {MAKE_RIGID, SPOIL_EMPTY, G "/vectors/f", 0, 0, "is empty; the problem has no velocity"},
    {MAKE_LOCAL, SPOIL_EMPTY, L "/W/p", 0, 0, "holds 0 numbers where 10 are expected"},
    /* types */
    {MAKE_LOCAL, SPOIL_TYPE, L "/W/m", 0, 0, "does not hold integers"},
    {MAKE_LOCAL, SPOIL_TYPE, L "/vectors/mu", 0, 0, "does not hold real numbers"},
    {MAKE_LOCAL, SPOIL_TEXT, L "/W/x", 0, 0, "does not hold real numbers"},
    {MAKE_LOCAL, SPOIL_FLOAT, L "/vectors/mu", 0, 0, "does not hold real numbers (IEEE"},
    {MAKE_LOCAL, SPOIL_RESIZE, L "/info/title", 1, 0, "is not a single string"},
    {MAKE_LOCAL, SPOIL_GROUP, L "/W/i", 0, 0, "is not a dataset"},
    /* what is missing */
    {MAKE_LOCAL, SPOIL_DELETE, L, 0, 0,
     "holds no problem: none of the groups /fclib_local, /fclib_global, /fclib_local_rolling, "
     "/fclib_global_rolling is there"},
    {MAKE_LOCAL, SPOIL_DELETE, L "/W", 0, 0, "is missing"},
    {MAKE_LOCAL, SPOIL_DELETE, L "/W/x", 0, 0, "is missing"},
    {MAKE_LOCAL, SPOIL_DELETE, L "/W/nzmax", 0, 0, "is missing"},
    {MAKE_LOCAL, SPOIL_DELETE, L "/spacedim", 0, 0, "is missing"},
    {MAKE_LOCAL, SPOIL_DELETE, L "/vectors", 0, 0, L "/vectors/q: is missing"},
    {MAKE_LOCAL, SPOIL_DELETE, L "/vectors/mu", 0, 0, "is missing"},
    {MAKE_RIGID, SPOIL_DELETE, G "/H", 0, 0, "is missing"},
    {MAKE_RIGID, SPOIL_DELETE, G "/vectors/w", 0, 0, "is missing"},
    {MAKE_ROLLING, SPOIL_DELETE, R "/vectors/mu_r", 0, 0, "is missing"},
    {MAKE_RIGID, SPOIL_DELETE, "/guesses/number_of_guesses", 0, 0, "is missing"},
    {MAKE_RIGID, SPOIL_ENTRY, "/guesses/number_of_guesses", 0, -1, "is -1, but 1 are there"},
    {MAKE_RIGID, SPOIL_ENTRY, "/guesses/number_of_guesses", 0, 1e9,
     "is 1000000000, but 1 are there"},
    /* optional things that are gone are no fault */
    {MAKE_LOCAL, SPOIL_DELETE, L "/info", 0, 0, NULL},
    {MAKE_RIGID, SPOIL_DELETE, "/solution/u", 0, 0, NULL},
    {MAKE_RIGID, SPOIL_DELETE, "/guesses", 0, 0, NULL},
    /* numbers */
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/x", 5, NAN, "entry 5 is nan; all must be finite"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/vectors/q", 8, INFINITY, "entry 8 is inf"},
    {MAKE_RIGID, SPOIL_ENTRY, G "/M/x", 0, NAN, "entry 0 is nan"},
    {MAKE_RIGID, SPOIL_ENTRY, G "/vectors/f", 1, NAN, "entry 1 is nan"},
    {MAKE_LOCAL, SPOIL_ENTRY, "/solution/u", 2, NAN, "entry 2 is nan"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/vectors/mu", 2, -0.5, "contact 2 has the negative"},
    {MAKE_ROLLING, SPOIL_ENTRY, R "/vectors/mu_r", 1, -1, "contact 1 has the negative"},
    {MAKE_RIGID, SPOIL_ENTRY, G "/M/x", 0, -2, G "/M: the mass matrix of body 0 is not positive"},
    {MAKE_RIGID, SPOIL_ENTRY, G "/M/x", 0, 1e-320, G "/M: "},
    {MAKE_ELASTIC, SPOIL_ENTRY, G "/M/x", 0, -2,
     G "/M: the mass matrix of part 0, of 18 velocities, is not positive definite"},
    /* indices */
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/i", 3, 9, "entry 3 is 9, outside 0..8"},
    {MAKE_COLUMNS, SPOIL_ENTRY, L "/W/i", 0, -1, "entry 0 is -1, outside 0..5"},
    {MAKE_TRIPLET, SPOIL_ENTRY, L "/W/p", 2, 77, "entry 2 is 77, outside 0..5"},
    {MAKE_TRIPLET, SPOIL_ENTRY, L "/W/i", 2, -4, "entry 2 is -4, outside 0..5"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/p", 0, 1, "starts at 1, not at 0"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/p", 4, 0, "entry 4 is 0, less than the one before"},
    {MAKE_LOCAL, SPOIL_ENTRY, L "/W/p", 9, 1000, "ends at 1000, above nzmax = 45"},
    /* constraints */
    {MAKE_COLUMNS, SPOIL_ENTRY, L "/V/n", 0, 1, L "/V: equality constraints are not supported"},
    {MAKE_COLUMNS, SPOIL_ENTRY, L "/R/n", 0, 1, L "/R: equality constraints are not supported"},
    /* storage */
    {MAKE_LOCAL, SPOIL_SOFT, L "/vectors/q", 0, 0, "is a link to another place"},
    {MAKE_LOCAL, SPOIL_OUTSIDE, L "/W", 0, 0, "is a link to another place"},
    {MAKE_LOCAL, SPOIL_OUTSIDE, "/solution/r", 0, 0, "is a link to another place"},
    {MAKE_LOCAL, SPOIL_EXTERNAL, L "/vectors/mu", 0, 0, "keeps its data in another file"},
    {MAKE_LOCAL, SPOIL_UNWRITTEN, L "/W/x", 45, 0, "has a size, but no data were ever"},
    {MAKE_LOCAL, SPOIL_UNWRITTEN, L "/W/x", 2000000000, 0, "holds 2000000000 numbers where 45"},
    {MAKE_LOCAL, SPOIL_UNWRITTEN, L "/vectors/q", 2000000001, 0,
     "has a size, but no data were ever written to it"},
    {MAKE_LOCAL, SPOIL_BOMB, L "/W/x", 0, 0, "claims more data than its bytes can hold"},
    {MAKE_LOCAL, SPOIL_CHUNK, L "/W/x", 0, 0, "holds 500000000 numbers where 45"},
    {MAKE_LOCAL, SPOIL_FILTER, L "/W/p", 0, 0, "uses filter 6, which is not read"},
};

TEST(each_fault_is_named_with_its_dataset) {
  static Bytes bytes;
  make_good_files();
  for (int k = 0; k < DLS_COUNT(faults); k++) {
    const Fault *fault = &faults[k];
    const char *path = path_of("fault.hdf5");
    char expected[512];
    bytes = good[fault->file];
    mutation_save(path, &bytes);
    if (!spoil_file(path, fault->spoil, fault->dataset, fault->at, fault->value))
      test_fail(__FILE__, __LINE__, "fault %d (%s) cannot be made", k, fault->dataset);
    DlsProblem *problem;
    DlsFclibExtra extra;
    const DlsStatus status = dls_fclib_read(path, &problem, &extra);
    dls_fclib_extra_clear(&extra);
    dls_problem_destroy(&problem);
    if (!fault->reason) {
      if (status != DLS_OK) test_fail(__FILE__, __LINE__, "fault %d: %s", k, dls_error_message());
      continue;
    }
    const bool whole =
        fault->reason[0] == '/' || strncmp(fault->reason, "holds no problem", 16) == 0;
    snprintf(expected, sizeof expected, "%s: %s%s%s", path, whole ? "" : fault->dataset,
             whole ? "" : ": ", fault->reason);
    if (status == DLS_OK || !test_contains(dls_error_message(), expected))
      test_fail(__FILE__, __LINE__, "fault %d gives %d \"%s\", not \"%s\"", k, status,
                status == DLS_OK ? "" : dls_error_message(), expected);
  }
  end_good_files();
}

/* However its numbers and texts are spelt, the problem is the same; short reals are exact
 * enough. */
static void check_spelling(MakeKind kind, double tolerance) {
  DlsProblem *problem, *usual;
  DlsFclibExtra extra;
  CHECK_OK(dls_fclib_read(path_of(make_names[MAKE_TRIPLET]), &usual, NULL));
  CHECK_OK(dls_fclib_read(path_of(make_names[kind]), &problem, &extra));
  if (!usual || !problem) return;
  CHECK(extra.title && strcmp(extra.title, "made") == 0);
  const DlsBlockRows W = dls_operator_block_rows(dls_problem_operator(problem));
  const DlsBlockRows V = dls_operator_block_rows(dls_problem_operator(usual));
  CHECK_INT(W.start[3], V.start[3]);
  for (int k = 0; k < V.start[3] * 4; k++) CHECK_NEAR(W.value[k], V.value[k], tolerance);
  for (int k = 0; k < 6; k++)
    CHECK_NEAR(dls_problem_q(problem)[k], dls_problem_q(usual)[k], tolerance);
  dls_fclib_extra_clear(&extra);
  dls_problem_destroy(&problem);
  dls_problem_destroy(&usual);
}

TEST(other_spellings_of_a_file_are_read) {
  make_good_files();
  check_spelling(MAKE_FOREIGN, 1e-6);
  check_spelling(MAKE_LATEST, 0);
  end_good_files();
}

TEST(the_good_files_are_good) {
  make_good_files();
  for (int k = 0; k < MAKE_COUNT; k++) {
    DlsProblem *problem;
    DlsFclibExtra extra;
    CHECK_OK(dls_fclib_read(path_of(make_names[k]), &problem, &extra));
    if (!problem) continue;
    CHECK_INT(dls_problem_contacts(problem), 3);
    CHECK(extra.solution_r && extra.solution_u);
    dls_fclib_extra_clear(&extra);
    dls_problem_destroy(&problem);
  }
  end_good_files();
}
