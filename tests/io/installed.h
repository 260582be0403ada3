/* The installed package, for tests that build outside the tree: installed once for each test
 * program, into a folder of its own, then moved. Define INSTALLED_FOLDER, a name below tests/tmp,
 * before this is included. */
#ifndef DELASSUS_TESTS_IO_INSTALLED_H
#define DELASSUS_TESTS_IO_INSTALLED_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/test.h"

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/" INSTALLED_FOLDER
#define PREFIX SCRAPS "/prefix"

/* A program that loads a library with sanitizers must have them too. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZE "-fsanitize=address,undefined"
#else
#define SANITIZE ""
#endif

static char libdir[4096]; /* below the prefix: lib, lib64, lib/x86_64-linux-gnu ... */

/* Runs a command; what it says is in SCRAPS/log, and shown when it fails. */
static inline void run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline void run(const char *format, ...) {
  char command[8192], line[1024];
  va_list arguments;
  va_start(arguments, format);
  const int used = vsnprintf(command, sizeof command, format, arguments);
  va_end(arguments);
  snprintf(command + used, sizeof command - (size_t)used, " > %s/log 2>&1", SCRAPS);
  const int status = system(command);
  CHECK_TOLD(status == 0, "failed: %s", command);
  if (status == 0) return;
  FILE *log = fopen(SCRAPS "/log", "r");
  while (log && fgets(line, sizeof line, log)) fprintf(stderr, "  %s", line);
  if (log) fclose(log);
}

static inline bool exists(const char *format, const char *part) {
  char path[8192];
  snprintf(path, sizeof path, format, part);
  return access(path, R_OK) == 0;
}

static inline void find_libdir(void) {
  FILE *found = popen("find " PREFIX " -name delassus.pc", "r");
  CHECK(found && fgets(libdir, sizeof libdir, found));
  if (found) pclose(found);
  char *end = strstr(libdir, "/pkgconfig/");
  CHECK(end);
  if (end) *end = '\0';
}

static inline void install_once(void) {
  if (libdir[0]) return;
  if (system("cmake --version > /dev/null 2>&1") != 0) test_skip_package("cmake");
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  if (system("rm -rf " SCRAPS) != 0) test_skip("the scratch folder cannot be emptied");
  mkdir(SCRAPS, 0777);
  run("cmake --install %s --prefix %s/there", TEST_BINARY_DIR, SCRAPS);
  run("mv %s/there %s", SCRAPS, PREFIX); /* an installed tree may be moved */
  find_libdir();
}

#endif
