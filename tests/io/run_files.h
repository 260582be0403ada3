/* The files of two runs, compared byte for byte; but for seconds of wall clock, which stand in the
 * last four columns of history.csv and in one line of summary.json. */
#ifndef DELASSUS_TESTS_IO_RUN_FILES_H
#define DELASSUS_TESTS_IO_RUN_FILES_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"

/* A file whole, freed by the caller; NULL where there is none. */
static inline char *run_file(const char *folder, const char *name, size_t *bytes) {
  char path[2048], *text = NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  text = calloc(1, *bytes + 1);
  if (text && fread(text, 1, *bytes, file) != *bytes) *bytes = 0;
  fclose(file);
  return text;
}

/* Blanks what is wall clock. */
static inline void run_forget_clock(const char *name, char *text) {
  if (strcmp(name, "summary.json") == 0) {
    char *line = strstr(text, "\"wall_clock_s\"");
    if (line) memset(line, ' ', strcspn(line, "\n"));
  }
  if (strcmp(name, "history.csv") != 0) return;
  for (char *end = text; (end = strchr(end, '\n')); end++) {
    char *from = end;
    for (int commas = 0; from > text && from[-1] != '\n' && commas < 4; from--)
      commas += from[-1] == ',';
    memset(from, ' ', (size_t)(end - from));
  }
}

static inline bool run_same_file(const char *a, const char *b, const char *name) {
  size_t bytes[2] = {0, 0};
  char *text[2] = {run_file(a, name, &bytes[0]), run_file(b, name, &bytes[1])};
  const bool clock = strcmp(name, "summary.json") == 0 || strcmp(name, "history.csv") == 0;
  bool same = text[0] && text[1];
  for (int k = 0; k < 2 && same && clock; k++) {
    char *from = text[k], *to = text[k];
    run_forget_clock(name, text[k]);
    for (; *from; from++) /* numbers of seconds have any length */
      if (*from != ' ') *to++ = *from;
    *to = '\0';
    bytes[k] = (size_t)(to - text[k]);
  }
  same = same && bytes[0] == bytes[1] && memcmp(text[0], text[1], bytes[0]) == 0;
  free(text[0]);
  free(text[1]);
  return same;
}

/* How many files are there that both have with the same bytes; a failure names any other. */
static inline int run_compare_folders(const char *a, const char *b) {
  int count[2] = {0, 0};
  const char *const folder[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    DIR *dir = opendir(folder[k]);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
      if (entry->d_name[0] == '.' || entry->d_type == DT_DIR) continue;
      if (run_same_file(a, b, entry->d_name))
        count[k]++;
      else
        test_fail(a, 0, "%s is not that of %s", entry->d_name, b);
    }
    if (dir) closedir(dir);
  }
  CHECK_INT(count[0], count[1]);
  return count[0];
}

#endif
