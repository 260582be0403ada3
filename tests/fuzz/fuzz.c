/* Files of the targets. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void stop(const char *path) {
  fprintf(stderr, "fuzz: %s: cannot be written or read\n", path);
  exit(1);
}

const char *fuzz_folder(void) {
  static char path[512];
  if (path[0]) return path;
  mkdir(TEST_BINARY_DIR "/tests", 0777);
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  mkdir(TEST_BINARY_DIR "/tests/tmp/fuzz", 0777);
  snprintf(path, sizeof path, TEST_BINARY_DIR "/tests/tmp/fuzz/%ld", (long)getpid());
  mkdir(path, 0777);
  return path;
}

void fuzz_save(const char *path, const uint8_t *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) stop(path);
}

uint8_t *fuzz_load(const char *path, size_t *size) {
  struct stat info;
  FILE *file = fopen(path, "rb");
  if (!file || fstat(fileno(file), &info) != 0) stop(path);
  *size = (size_t)info.st_size;
  uint8_t *bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, file) != *size) stop(path);
  fclose(file);
  return bytes;
}
