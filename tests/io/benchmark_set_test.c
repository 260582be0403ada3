/* `delassus benchmark`: a subset made twice gives the same bytes, each file small, compressed, read
 * by us and by libfclib, and the table of a race on it. */
#include "tests/files.h"
#include "tests/io/app_run.h"

#include <delassus/fclib.h>
#include <delassus/sample.h>

#include <math.h>

#ifdef TEST_HAVE_FCLIB
#include <fclib.h>
#endif

static void make(const char *folder, const char *names) {
  char line[1024];
  snprintf(line, sizeof line, "benchmark make --out %s/%s %s", app_folder("benchmark"), folder,
           names);
  CHECK_RUN(line, 0, "contacts");
}

static void path_of(const char *folder, const char *name, char path[1024]) {
  snprintf(path, 1024, "%s/%s/%s", app_folder("benchmark"), folder, name);
}

static void check_same(const char *name) {
  char a[1024], b[1024], line[2100];
  path_of("first", name, a);
  path_of("second", name, b);
  snprintf(line, sizeof line, "cmp '%s' '%s'", a, b);
  if (system(line) != 0) test_fail(__FILE__, __LINE__, "%s is not the same twice", name);
}

/* A sample whose bodies are kept, one of rolling, and a step of a run. */
static const char subset[] = "--only wall-18 --only rolling-2d --only elastic";

/* Made by the first test that asks. */
static void need_first(void) {
  static bool there;
  if (!there) make("first", subset);
  there = true;
}

TEST(a_subset_made_twice_is_the_same_to_the_last_byte) {
  const char *const files[] = {"wall-18.hdf5", "rolling-2d.hdf5", "elastic.hdf5", "elastic.yaml",
                               "manifest.csv"};
  need_first();
  make("second", subset);
  for (int k = 0; k < DLS_COUNT(files); k++) check_same(files[k]);
  char path[1024];
  path_of("first", "manifest.csv", path);
  char *manifest = get_text(path);
  CHECK(test_contains(manifest, "wall-18,2,1,3,3,2520,333,2520 coulomb,0.6,0.6,1998,0,7560,"));
  CHECK(test_contains(manifest, ",step 250 of elastic.yaml,"));
  for (int k = 0; k < 3; k++) {
    struct stat info;
    path_of("first", files[k], path);
    CHECK(stat(path, &info) == 0 && info.st_size > 1000 && info.st_size < 5000000);
  }
}

/* What is in the file is the sample: W, entry by entry, through products with unit vectors. */
TEST(a_packed_file_is_the_problem) {
  char path[1024];
  DlsProblem *packed = NULL, *whole = NULL;
  const DlsSample *sample = NULL;
  need_first();
  path_of("first", "wall-18.hdf5", path);
  CHECK_OK(dls_fclib_read(path, &packed, NULL));
  CHECK_OK(dls_sample_find("wall", &sample));
  DlsSampleParams as_made = sample->defaults;
  as_made.size = 18;
  as_made.seed = 1;
  CHECK_OK(dls_sample_create("wall", &as_made, &whole, NULL));
  if (!packed || !whole) return;
  const int n = dls_problem_contacts(whole) * dls_problem_block(whole);
  CHECK_INT(dls_problem_contacts(packed) * dls_problem_block(packed), n);
  double *r = calloc((size_t)n, sizeof *r), *u = calloc((size_t)n, sizeof *u);
  double *v = calloc((size_t)n, sizeof *v), worst = 0, size = 0;
  for (int e = 0; e < n; e += 97) {
    memset(r, 0, (size_t)n * sizeof *r);
    r[e] = 1;
    dls_problem_velocity(packed, r, u);
    dls_problem_velocity(whole, r, v);
    for (int k = 0; k < n; k++) {
      worst = fmax(worst, fabs(u[k] - v[k]));
      size = fmax(size, fabs(v[k]));
    }
  }
  CHECK_BELOW(worst, 1e-12 * size);
  free(r);
  free(u);
  free(v);
  dls_problem_destroy(&packed);
  dls_problem_destroy(&whole);
}

#ifndef TEST_HAVE_FCLIB
TEST(libfclib_reads_the_compressed_files) { test_skip_package("libfclib-dev"); }
#else
TEST(libfclib_reads_the_compressed_files) {
  char path[1024];
  need_first();
  path_of("first", "wall-18.hdf5", path);
  struct fclib_global *global = fclib_read_global(path);
  CHECK(global != NULL);
  if (global) {
    CHECK_INT(global->spacedim, 3);
    CHECK_INT(global->H->n, 3 * 2520);
    CHECK_NEAR(global->mu[2519], 0.6, 0);
    fclib_delete_global(global);
    free(global);
  }
}
#endif

TEST(the_table_tells_the_best_of_a_race) {
  char line[2048];
  const char *base = app_folder("benchmark");
  need_first();
  snprintf(line, sizeof line,
           "compare %s/first/elastic.hdf5 %s/first/rolling-2d.hdf5 --solvers nsgs,cpg --tolerance "
           "1e-1,1e-2 --max-time 20 --out %s/race --quiet",
           base, base, base);
  CHECK_RUN(line, 0, "report:");
  snprintf(line, sizeof line, "benchmark table --set %s/first --race %s/race", base, base);
  CHECK_RUN(line, 0, "| fastest to 0.1 | fastest to 0.01 | best error | hash |");
  CHECK(test_contains(app_output, "| `elastic` | 3 | 2001 | 2001 coulomb |"));
  CHECK(test_contains(app_output, "| `wall-18` | 3 | 2520 | 2520 coulomb | 1998 | not reached |"));
}

TEST(wrong_words_are_refused) {
  CHECK_RUN("benchmark make --only wal-18", 2, "did you mean wall-18?");
  CHECK_RUN("benchmark table --set nowhere", 2, "nowhere/manifest.csv");
  CHECK_RUN("benchmark list", 0, "deposit-20000");
}
