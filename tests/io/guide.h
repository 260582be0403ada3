/* A guide of docs/ followed word by word: what stands between ```sh and ``` as one script, and
 * commands run where the reader would stand. */
#ifndef DELASSUS_TESTS_IO_GUIDE_H
#define DELASSUS_TESTS_IO_GUIDE_H

#include "tests/io/app_run.h"

/* The commands of docs/PAGE as one script that ends at the first that fails; counts the blocks. */
static inline int guide_script(const char *page, const char *path) {
  char line[4096];
  snprintf(line, sizeof line, TEST_SOURCE_DIR "/docs/%s", page);
  FILE *guide = fopen(line, "r"), *script = fopen(path, "w");
  int blocks = 0;
  bool inside = false;
  CHECK(guide && script);
  if (guide && script) fputs("set -e\n", script);
  while (guide && script && fgets(line, sizeof line, guide)) {
    if (strncmp(line, "```", 3) == 0) {
      inside = strcmp(line, "```sh\n") == 0;
      blocks += inside;
    } else if (inside) {
      fputs(line, script);
    }
  }
  if (guide) fclose(guide);
  if (script) fclose(script);
  return blocks;
}

/* The status of a command in `folder` with PREFIX, where Delassus is installed; the end of what it
 * said is shown when it fails. */
static inline int guide_shell(const char *folder, const char *prefix, const char *command) {
  char line[4096];
  snprintf(line, sizeof line, "cd %s && PREFIX=%s %s > guide.log 2>&1", folder, prefix, command);
  const int status = system(line);
  if (status == 0) return 0;
  snprintf(line, sizeof line, "tail -30 %s/guide.log >&2", folder);
  return system(line) == 0 ? status : -1;
}

#endif
