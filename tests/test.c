/* Runs the registered tests; arguments, if any, choose by part of the name. */
#include "tests/test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static TestCase *tests;
static int failures, failures_of_test;
static jmp_buf skipping;
static const char *skip_reason;
static int run, skipped; /* tests */
long test_checks;

void test_register(TestCase *test) {
  TestCase **end = &tests;
  while (*end) end = &(*end)->next;
  *end = test;
}

void test_fail(const char *file, int line, const char *format, ...) {
  const int shown = 20; /* of one test */
  failures++;
  if (failures_of_test++ >= shown) return;
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s:%d: ", file, line);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

void test_skip(const char *reason) {
  skip_reason = reason;
  longjmp(skipping, 1);
}

static bool in_ci(void) {
  const char *word = getenv("CI");
  return word && *word && strcmp(word, "false") != 0 && strcmp(word, "0") != 0;
}

void test_skip_package(const char *package) {
  static char reason[256];
  snprintf(reason, sizeof reason, "%s is not installed", package);
  if (in_ci()) test_fail(__FILE__, __LINE__, "%s, and .ci/install should bring it", reason);
  test_skip(reason);
}

bool test_contains(const char *text, const char *part) { return strstr(text, part) != NULL; }

const char *test_shared(void) {
  static char path[4096];
  const char *root = getenv("DELASSUS_SHARED");
  struct stat info;
  snprintf(path, sizeof path, "%s/fclib", root ? root : TEST_SOURCE_DIR "/../shared");
  if (stat(path, &info) != 0) return NULL;
  path[strlen(path) - strlen("/fclib")] = '\0';
  return path;
}

static bool chosen(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strstr(name, argv[i])) return true;
  return argc < 2;
}

static void run_one(TestCase *test) {
  failures_of_test = 0;
  test_checks = 0;
  run++;
  if (setjmp(skipping) == 0) {
    test->run();
    if (test_checks == 0) test_fail(__FILE__, __LINE__, "%s checks nothing", test->name);
  } else {
    skipped++;
    printf("skipped %s: %s\n", test->name, skip_reason);
  }
  if (failures_of_test) fprintf(stderr, "FAILED %s: %d checks\n", test->name, failures_of_test);
}

int main(int argc, char **argv) {
  for (TestCase *test = tests; test; test = test->next)
    if (chosen(test->name, argc, argv)) run_one(test);
  if (run == 0) fprintf(stderr, "no test of that name\n");
  if (failures || run == 0) return 1;
  return run == skipped ? 77 : 0;
}
