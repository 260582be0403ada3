/* Text files of a test, written and read whole. */
#ifndef DELASSUS_TESTS_FILES_H
#define DELASSUS_TESTS_FILES_H

#include <stdio.h>

#include "tests/test.h"

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

#endif
