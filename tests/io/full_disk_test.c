/* A disk that fills up, for every kind of file that the program writes: the limit of the size of a
 * file (RLIMIT_FSIZE, `ulimit -f`, whose signal the program ignores, so that write() fails with
 * EFBIG) stands for the full disk, and is put below the size of each file in turn. Exit status 2
 * and a sentence that names a file; never a crash, never a success with a short file, nothing left
 * aside. */
#define _GNU_SOURCE /* nftw, FTW_PHYS */
#include "tests/io/app_run.h"

#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_FILES = 200, MOST_LIMITS = 14, SMALL = 16 };

typedef struct {
  char path[512];
  long long bytes;
} Found;

static Found found[MOST_FILES];
static int found_count;

static int keep(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)at;
  if (kind != FTW_F || found_count == MOST_FILES) return 0;
  snprintf(found[found_count].path, sizeof found[0].path, "%s", path);
  found[found_count++].bytes = (long long)info->st_size;
  return 0;
}

static int drop(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)info, (void)kind, (void)at;
  remove(path);
  return 0;
}

static void look(const char *folder) {
  found_count = 0;
  nftw(folder, keep, 8, FTW_PHYS);
}

static void clean(const char *folder) {
  nftw(folder, drop, 8, FTW_PHYS | FTW_DEPTH);
  mkdir(folder, 0777);
}

static int by_size(const void *a, const void *b) {
  const long long x = *(const long long *)a, y = *(const long long *)b;
  return x < y ? -1 : x > y;
}

/* A tenth less than each size that is there (reports tell times, and differ by some bytes), at most
 * MOST_LIMITS of them, the largest first. */
static int limits_of_files(long long limit[MOST_LIMITS]) {
  static long long size[MOST_FILES];
  int distinct = 0, count = 0;
  for (int k = 0; k < found_count; k++) size[k] = found[k].bytes;
  qsort(size, (size_t)found_count, sizeof *size, by_size);
  for (int k = 0; k < found_count; k++)
    if (size[k] > 0 && (k == 0 || size[k] != size[k - 1])) size[distinct++] = size[k];
  for (int k = 0; k < distinct && count < MOST_LIMITS; k++)
    if (distinct <= MOST_LIMITS || k % ((distinct + MOST_LIMITS - 1) / MOST_LIMITS) == 0)
      limit[count++] = size[distinct - 1 - k] * 9 / 10;
  return count;
}

static int run_limited(const char *arguments, long long bytes) {
  struct rlimit before, now;
  getrlimit(RLIMIT_FSIZE, &before);
  now = before;
  now.rlim_cur = (rlim_t)bytes;
  signal(SIGXFSZ, SIG_DFL); /* a child inherits one that is ignored, and could not fail */
  setrlimit(RLIMIT_FSIZE, &now);
  const int status = app_run(arguments);
  setrlimit(RLIMIT_FSIZE, &before);
  return status;
}

/* `arguments` writes into `folder` alone, and ends with `good` when it can. */
static void fill_up(const char *folder, const char *arguments, int good) {
  long long limit[MOST_LIMITS + 2];
  clean(folder);
  const int status = app_run(arguments);
  look(folder);
  const bool works = status == good && found_count > 0;
  CHECK_TOLD(works, "delassus %s: exit %d, %d files:\n%s", arguments, status, found_count,
             app_output);
  if (!works) return;
  int count = limits_of_files(limit);
  limit[count++] = 0;
  limit[count++] = SMALL;
  for (int k = 0; k < count; k++) {
    clean(folder);
    const int end = run_limited(arguments, limit[k]);
    const bool sentence = test_contains(app_output, ": cannot be written: ");
    CHECK_TOLD(end == 2 && sentence,
               "delassus %s: with %lld bytes: exit %d, not 2 with a sentence:\n%s", arguments,
               limit[k], end, app_output);
    look(folder);
    for (int f = 0; f < found_count; f++)
      if (test_contains(found[f].path, ".part"))
        test_fail(__FILE__, __LINE__, "delassus %s: leaves %s", arguments, found[f].path);
  }
}

#define FOLDER TEST_BINARY_DIR "/tests/tmp/full_disk"
#define DECK   TEST_SOURCE_DIR "/tests/io/restart.yaml --set time.end=0.03 --set output.every=0.01"

static void make_folder(void) { app_folder("full_disk"); }

/* What the words of post read. */
static void make_result(void) {
  make_folder();
  if (access(FOLDER "/result/summary.json", F_OK) == 0) return;
  CHECK_RUN("run " TEST_SOURCE_DIR "/input/heap.yaml --set time.end=0.02 --quiet --out " FOLDER
            "/result",
            0, "");
}

TEST(a_full_disk_ends_a_run_with_a_sentence) {
  make_folder();
  fill_up(FOLDER "/run",
          "run " DECK " --capture 10 --shadow nsgs,jacobi --shadow-every 10 --quiet --out " FOLDER
          "/run",
          0);
}

TEST(a_full_disk_ends_a_solve_with_a_sentence) {
  make_folder();
  fill_up(FOLDER "/solve", "solve --sample box:50 --quiet --write " FOLDER "/solve/answer.hdf5", 0);
  fill_up(FOLDER "/solve",
          "solve --sample box:50 --sample box:60 --quiet --tolerance 1e-10 --convergence " FOLDER
          "/solve/convergence.csv",
          0);
}

TEST(a_full_disk_ends_a_race_with_a_sentence) {
  make_folder();
  fill_up(FOLDER "/race",
          "compare --sample box:20 --solvers nsgs,jacobi --tolerance 1e-2 --quiet --out " FOLDER
          "/race",
          0);
  fill_up(FOLDER "/scoreboard",
          "compare --analytic --solvers nsgs --tolerance 1e-2 --max-time 0.05 --quiet --out " FOLDER
          "/scoreboard",
          0);
}

TEST(a_full_disk_ends_the_pages_of_a_law_with_a_sentence) {
  make_folder();
  fill_up(FOLDER "/law", "law draw coulomb --out " FOLDER "/law/coulomb.svg", 0);
  fill_up(FOLDER "/law", "law new disk --out " FOLDER "/law/disk", 0);
  fill_up(FOLDER "/law", "law check coulomb --only frame --report " FOLDER "/law/coulomb.html", 0);
  FILE *path = fopen(FOLDER "/slide.yaml", "w");
  CHECK(path != NULL);
  if (!path) return;
  fputs("{step: 1 ms, end: 0.2 s, u: {T1: 0.1}, f: {N: -10}}\n", path);
  fclose(path);
  fill_up(FOLDER "/law", "law path coulomb " FOLDER "/slide.yaml --out " FOLDER "/law/coulomb.csv",
          0);
}

TEST(a_full_disk_ends_post_with_a_sentence) {
  static const char *const words[] = {
      "stress " FOLDER "/result --svg " FOLDER "/post/stress.svg",
      "stress " FOLDER "/result --mean all --out " FOLDER "/post/stress",
      "fabric " FOLDER "/result --svg " FOLDER "/post/fabric.svg",
      "chains " FOLDER "/result --svg " FOLDER "/post/chains.svg",
      "probe " FOLDER "/result --svg " FOLDER "/post/probe.svg",
      "field " FOLDER "/result --grid 8x8 --out " FOLDER "/post/field.vtu",
      "grains " FOLDER "/result --mean all --out " FOLDER "/post/grains",
      "walls " FOLDER "/result --mean all --out " FOLDER "/post/walls --svg " FOLDER
      "/post/walls.svg",
  };
  make_result();
  for (int k = 0; k < DLS_COUNT(words); k++) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "post %s", words[k]);
    fill_up(FOLDER "/post", arguments, 0);
  }
}

TEST(a_full_disk_leaves_the_old_solution) {
  static char old[1 << 16], now[1 << 16];
  const char *path = FOLDER "/kept/answer.hdf5";
  make_folder();
  clean(FOLDER "/kept");
  CHECK_RUN("solve --sample box:20 --quiet --write " FOLDER "/kept/answer.hdf5", 0, "");
  FILE *file = fopen(path, "rb");
  const size_t count = file ? fread(old, 1, sizeof old, file) : 0;
  if (file) fclose(file);
  CHECK(count > 1000);
  CHECK_INT(run_limited("solve --sample box:60 --quiet --write " FOLDER "/kept/answer.hdf5", 4096),
            2);
  file = fopen(path, "rb");
  CHECK(file && fread(now, 1, sizeof now, file) == count && memcmp(old, now, count) == 0);
  if (file) fclose(file);
}
