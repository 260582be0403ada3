/* The test frame: TEST(name) { CHECK...; } in any number of files; tests/test.c runs them all.
 * A test is silent when it passes; a failure prints both values, file and line, and goes on. */
#ifndef DELASSUS_TEST_H
#define DELASSUS_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <delassus/status.h>

typedef struct TestCase {
  const char *name;
  void (*run)(void);
  struct TestCase *next;
} TestCase;

/* Checks made so far by the running test. One that ends without any, and does not say that it
 * skips, fails: it has tried nothing. */
extern long test_checks;

void test_register(TestCase *test);
void test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the running test as skipped, with the reason. The program exits with 77 when all skipped. */
void test_skip(const char *reason);
/* The same for want of something that the named Debian package holds. .ci/install brings it, so
 * where CI is set in the environment this is a failure: continuous integration tries everything. */
void test_skip_package(const char *package);
/* The folder of the public problems (DELASSUS_SHARED, default ../shared), or NULL where absent. */
const char *test_shared(void);

#define TEST(test_name)                                                                            \
  static void test_name(void);                                                                     \
  __attribute__((constructor)) static void test_name##_join(void) {                                \
    static TestCase test = {#test_name, test_name, NULL};                                          \
    test_register(&test);                                                                          \
  }                                                                                                \
  static void test_name(void)

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    test_checks++;                                                                                 \
    if (!(condition)) test_fail(__FILE__, __LINE__, "%s is false", #condition);                    \
  } while (0)

/* The same with a sentence of one's own, as for printf, in the place of the condition. */
#define CHECK_TOLD(condition, ...)                                                                 \
  do {                                                                                             \
    test_checks++;                                                                                 \
    if (!(condition)) test_fail(__FILE__, __LINE__, __VA_ARGS__);                                  \
  } while (0)

#define CHECK_NEAR(a, b, tolerance)                                                                \
  do {                                                                                             \
    test_checks++;                                                                                 \
    const double check_a = (a), check_b = (b), check_t = (tolerance);                              \
    if (!(fabs(check_a - check_b) <= check_t))                                                     \
      test_fail(__FILE__, __LINE__, "%s = %.17g, %s = %.17g, apart by %.3g > %.3g", #a, check_a,   \
                #b, check_b, fabs(check_a - check_b), check_t);                                    \
  } while (0)

#define CHECK_BELOW(a, bound)                                                                      \
  do {                                                                                             \
    test_checks++;                                                                                 \
    const double check_a = (a), check_b = (bound);                                                 \
    if (!(check_a <= check_b))                                                                     \
      test_fail(__FILE__, __LINE__, "%s = %.17g, above %.3g", #a, check_a, check_b);               \
  } while (0)

#define CHECK_INT(a, b)                                                                            \
  do {                                                                                             \
    test_checks++;                                                                                 \
    const long long check_a = (long long)(a), check_b = (long long)(b);                            \
    if (check_a != check_b)                                                                        \
      test_fail(__FILE__, __LINE__, "%s = %lld, %s = %lld", #a, check_a, #b, check_b);             \
  } while (0)

/* The call succeeds. */
#define CHECK_OK(call)                                                                             \
  do {                                                                                             \
    test_checks++;                                                                                 \
    if ((call) != DLS_OK) test_fail(__FILE__, __LINE__, "%s: %s", #call, dls_error_message());     \
  } while (0)

/* The call fails with this status, and its sentence contains `text`. */
#define CHECK_FAILS(call, status, text)                                                            \
  do {                                                                                             \
    test_checks++;                                                                                 \
    const DlsStatus check_status = (call);                                                         \
    if (check_status != (status) || !test_contains(dls_error_message(), text))                     \
      test_fail(__FILE__, __LINE__, "%s gives %d \"%s\", not %s with \"%s\"", #call, check_status, \
                dls_error_message(), #status, text);                                               \
  } while (0)

bool test_contains(const char *text, const char *part);

/* Equal to the last bit, NaN and the sign of zero included. */
static inline bool test_same_bits(double a, double b) {
  uint64_t x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  return x == y;
}

#endif
