/* The state that a deck ends in: one line of hash for each of ten decks, printed, so that two trees
 * of the source can be compared on one machine. The program, the library with a folder of results,
 * the library without one, and a run that is closed half-way and goes on end in the same bits:
 * places, turns and velocities of the bodies, impulses and states of the contacts, forces on
 * boundaries. Which bits depends on the machine and the compiler, so that none are written here. */
#include <delassus/run.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/h5/h5.h"
#include "tests/io/app_run.h"

typedef struct {
  const char *deck, *end; /* of input/; a few dozen steps */
} Sample;

static const Sample samples[] = {
    {"pyramid", "30 ms"},      {"bouncing-ball", "0.5 s"}, {"drum", "30 ms"},
    {"vibrated-box", "30 ms"}, {"soft-spheres", "1 ms"},   {"pour", "0.1 s"},
    {"chain", "50 ms"},        {"biaxial", "20 ms"},       {"crowd", "0.5 s"},
    {"hourglass", "20 ms"},
};

/* FNV-1a. */
static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *byte = bytes;
  for (size_t k = 0; k < count; k++) hash = (hash ^ byte[k]) * 1099511628211u;
  return hash;
}

/* The state in a checkpoint; 0 where it cannot be read. */
static uint64_t hash_of(const char *path) {
  static const char *const parts[][2] = {
      {"/bodies", "position"},     {"/bodies", "orientation"}, {"/bodies", "velocity"},
      {"/contacts", "r"},          {"/contacts", "state"},     {"/boundaries", "position"},
      {"/boundaries", "velocity"}, {"/boundaries", "force"},   {"/run", "time"},
      {"/run", "ledger"}};
  uint64_t hash = 14695981039346656037u;
  DlsH5File file;
  if (dls_h5_open(path, &file) != DLS_OK) return 0;
  for (int k = 0; k < DLS_COUNT(parts) && hash; k++) {
    int count = 0;
    double *values = NULL;
    DlsStatus status = dls_h5_length(&file, parts[k][0], parts[k][1], &count);
    if (status == DLS_OK && count) values = malloc((size_t)count * sizeof *values);
    if (status == DLS_OK && count)
      status =
          dls_h5_read(&file, parts[k][0], parts[k][1], DLS_H5_REAL, count, "the state", values);
    hash = status == DLS_OK ? add_bytes(hash, values, (size_t)count * sizeof *values) : 0;
    free(values);
  }
  dls_h5_close(&file);
  return hash;
}

/* A run of the library from its beginning, or from `restart`, closed at `until`. */
static void run_library(const char *deck, const char *set, const char *out, const char *restart,
                        double until, const char *save) {
  DlsRunOptions options = dls_run_options_default();
  DlsRun *run = NULL;
  bool more = true;
  options.out = out;
  options.set = &set;
  options.nset = 1;
  options.restart = restart;
  CHECK_OK(dls_run_open(deck, &options, &run));
  if (!run) return;
  CHECK_OK(dls_run_until(run, until, &more));
  if (save) CHECK_OK(dls_run_save(run, save));
  CHECK_OK(dls_run_close(&run));
}

static uint64_t hash_in(const char *folder) {
  char path[1024];
  snprintf(path, sizeof path, "%s/checkpoint.h5", folder);
  return hash_of(path);
}

static void check_sample(const Sample *sample) {
  const char *root = app_folder("reference_states");
  char deck[512], set[64], line[2048], folder[4][600], half[700], save[700];
  snprintf(deck, sizeof deck, "%s/input/%s.yaml", TEST_SOURCE_DIR, sample->deck);
  snprintf(set, sizeof set, "time.end=%s", sample->end);
  for (int k = 0; k < 4; k++)
    snprintf(folder[k], sizeof folder[k], "%s/%s-%d", root, sample->deck, k);
  snprintf(line, sizeof line, "rm -rf %s/%s-*", root, sample->deck);
  CHECK_INT(system(line), 0);
  snprintf(line, sizeof line, "run %s --set '%s' --out %s --quiet", deck, set, folder[0]);
  const int status = app_run(line);
  CHECK(status == 0 || status == 1);
  const uint64_t expected = hash_in(folder[0]);
  printf("%-14s %016" PRIx64 "\n", sample->deck, expected);
  CHECK(expected != 0);
  run_library(deck, set, folder[1], NULL, INFINITY, NULL);
  CHECK(hash_in(folder[1]) == expected);
  snprintf(save, sizeof save, "%s/%s-2.h5", root, sample->deck);
  run_library(deck, set, NULL, NULL, INFINITY, save);
  CHECK(hash_of(save) == expected);
  /* Closed on the way, and then to its end, in the folder where it was. */
  const double end = strtod(sample->end, NULL) * (strstr(sample->end, "ms") ? 1e-3 : 1);
  run_library(deck, set, folder[3], NULL, end / 2, NULL);
  CHECK(hash_in(folder[3]) != expected);
  snprintf(half, sizeof half, "%s/checkpoint.h5", folder[3]);
  run_library(NULL, set, folder[3], half, INFINITY, NULL);
  CHECK(hash_in(folder[3]) == expected);
}

TEST(program_library_and_restart_end_in_the_same_state) {
  for (int k = 0; k < DLS_COUNT(samples); k++) check_sample(&samples[k]);
}
