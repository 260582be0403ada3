/* The targets of the fuzzers (tests/fuzz) without a fuzzer: their seeds, mutations of them by a
 * seeded generator, and all that was once found (tests/fuzz/found, TARGET-NAME). Whoever runs it
 * under the sanitizers sees what they see. DELASSUS_FUZZ_SEED asks for other mutations. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/fuzz/fuzz.h"
#include "tests/test.h"

enum { MUTATIONS = 150, SEEDS = 400 };

typedef struct {
  int count;
  uint8_t *bytes[SEEDS];
  size_t size[SEEDS];
} Seeds;

static void keep(void *context, const uint8_t *bytes, size_t size) {
  Seeds *seeds = context;
  if (seeds->count == SEEDS) return;
  seeds->bytes[seeds->count] = malloc(size + 1);
  if (size) memcpy(seeds->bytes[seeds->count], bytes, size);
  seeds->size[seeds->count++] = size;
}

/* Some bytes become others: single ones, numbers of 8 bytes, a part cut out, the end lost. */
static size_t mutate(DlsRandom *random, uint8_t *bytes, size_t size) {
  static const uint64_t special[] = {0,
                                     1,
                                     UINT64_MAX,
                                     INT64_MAX,
                                     (uint64_t)1 << 32,
                                     0x80000000u,
                                     0x7ff0000000000000u,
                                     0x7fe0000000000000u,
                                     0x8000000000000000u,
                                     (uint64_t)-3000000000};
  for (int changes = 1 + dls_random_below(random, 3); changes > 0 && size > 0; changes--) {
    const size_t at = (size_t)dls_random_below(random, (int)size);
    const uint64_t number = special[dls_random_below(random, DLS_COUNT(special))];
    const size_t left = size - at;
    switch (dls_random_below(random, 6)) {
    case 0:
      bytes[at] ^= (uint8_t)(1 << dls_random_below(random, 8));
      break;
    case 1:
      bytes[at] = (uint8_t)dls_random_below(random, 256);
      break;
    case 2:
      bytes[at] = (uint8_t)("0123456789-.e"[dls_random_below(random, 13)]);
      break;
    case 3: {
      const size_t gone = 1 + (size_t)dls_random_below(random, 40);
      if (dls_random_below(random, 8) || gone >= left) break;
      memmove(bytes + at, bytes + at + gone, left - gone);
      size -= gone;
      break;
    }
    default:
      memcpy(bytes + at, &number, left < 8 ? left : 8);
    }
  }
  return size;
}

static void play_found(const FuzzTarget *target) {
  static const char folder[] = TEST_SOURCE_DIR "/tests/fuzz/found";
  DIR *all = opendir(folder);
  const size_t length = strlen(target->name);
  for (struct dirent *entry; all && (entry = readdir(all));) {
    char path[1024];
    size_t size;
    if (strncmp(entry->d_name, target->name, length) != 0 || entry->d_name[length] != '-') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    uint8_t *bytes = fuzz_load(path, &size);
    target->one(bytes, size);
    free(bytes);
  }
  if (all) closedir(all);
}

static void play(const FuzzTarget *target, int mutations) {
  static Seeds seeds;
  DlsRandom random;
  const char *seed = getenv("DELASSUS_FUZZ_SEED");
  dls_random_seed(&random, seed ? strtoull(seed, NULL, 10) : 29);
  seeds.count = 0;
  target->seeds(keep, &seeds);
  CHECK(seeds.count > 2);
  for (int k = 0; k < seeds.count; k += 1 + seeds.count / mutations)
    target->one(seeds.bytes[k], seeds.size[k]);
  for (int k = 0; k < mutations; k++) {
    const int which = dls_random_below(&random, seeds.count);
    uint8_t *bytes = malloc(seeds.size[which] + 1);
    if (seeds.size[which]) memcpy(bytes, seeds.bytes[which], seeds.size[which]);
    target->one(bytes, mutate(&random, bytes, seeds.size[which]));
    free(bytes);
  }
  for (int k = 0; k < seeds.count; k++) free(seeds.bytes[k]);
  play_found(target);
}

TEST(hostile_frames_are_read_or_refused) { play(&fuzz_frame, MUTATIONS); }
TEST(hostile_checkpoints_are_read_or_refused) { play(&fuzz_checkpoint, MUTATIONS); }
TEST(restarts_from_hostile_runs_go_on_or_are_refused) { play(&fuzz_restart, MUTATIONS / 3); }
TEST(hostile_decks_are_read_or_refused) { play(&fuzz_deck, MUTATIONS); }
TEST(hostile_tables_are_read_or_refused) { play(&fuzz_table, MUTATIONS); }
TEST(hostile_problems_are_read_or_refused) { play(&fuzz_problem, MUTATIONS); }
