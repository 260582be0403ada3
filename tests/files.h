/* Text files of a test, written and read whole. */
#ifndef DELASSUS_TESTS_FILES_H
#define DELASSUS_TESTS_FILES_H

#include <stdio.h>
#include <sys/stat.h>

#include "tests/test.h"

/* A place for the files of a test, in a folder of its own that is made here; valid until the next
 * call. */
static inline const char *test_path(const char *folder, const char *name) {
  static char path[4096];
  mkdir(TEST_BINARY_DIR "/tests", 0777);
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  snprintf(path, sizeof path, TEST_BINARY_DIR "/tests/tmp/%s", folder);
  mkdir(path, 0777);
  snprintf(path, sizeof path, TEST_BINARY_DIR "/tests/tmp/%s/%s", folder, name);
  return path;
}

/* What is in a file, "" where there is none; the caller may cut it; valid until the next
 * call. */
static inline char *get_text(const char *path) {
  static char text[1 << 20];
  FILE *file = fopen(path, "rb");
  text[file ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
  if (file) fclose(file);
  return text;
}

static inline void put_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  CHECK(file && fputs(text, file) >= 0);
  if (file) fclose(file);
}

/* A file with this text; its path is valid until the next call. */
static inline const char *test_file(const char *folder, const char *name, const char *text) {
  const char *path = test_path(folder, name);
  put_text(path, text);
  return path;
}

#endif
