/* A target as a program of libFuzzer: FUZZ_TARGET is its name. With DELASSUS_FUZZ_SEEDS=FOLDER it
 * writes its seeds there and ends. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct {
  const char *folder;
  int count;
} Seeds;

static void keep(void *context, const uint8_t *bytes, size_t size) {
  Seeds *seeds = context;
  char path[1024];
  snprintf(path, sizeof path, "%s/seed%03d", seeds->folder, seeds->count++);
  fuzz_save(path, bytes, size);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  Seeds seeds = {getenv("DELASSUS_FUZZ_SEEDS"), 0};
  if (!seeds.folder) return 0;
  FUZZ_TARGET.seeds(keep, &seeds);
  printf("%s: %d seeds\n", FUZZ_TARGET.name, seeds.count);
  exit(0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  FUZZ_TARGET.one(bytes, size);
  return 0;
}
