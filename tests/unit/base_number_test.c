/* Doubles as text: what printf and strtod find by trying, for numbers of every kind. */
#include "base/number.h"
#include "base/random.h"
#include "tests/test.h"

#include <stdint.h>

/* The definition. */
static const char *tried(char *text, double value) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, DLS_NUMBER_BYTES, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return text;
}

static void check(double value) {
  char text[DLS_NUMBER_BYTES], expected[DLS_NUMBER_BYTES];
  dls_number_text(text, value, 0);
  tried(expected, value);
  CHECK_TOLD(strcmp(text, expected) == 0, "%a is written %s, not %s", value, text, expected);
}

TEST(the_fewest_digits_that_give_the_number_back) {
  enum { MANY = 200000 };
  DlsRandom random;
  dls_random_seed(&random, 1);
  for (int k = 0; k < MANY; k++) {
    uint64_t bits = 0;
    double any, x = dls_random_between(&random, -1, 1);
    for (int b = 0; b < 4; b++) bits = bits << 16 | (uint64_t)dls_random_between(&random, 0, 65536);
    memcpy(&any, &bits, sizeof any);
    if (isfinite(any)) check(any); /* of any size */
    check(x);                      /* of the size of numbers in tables */
    check(x * pow(10, (double)(k % 40) - 20));
    check(round(x * 1e6) / 1e6 * pow(10, (double)(k % 30) - 15)); /* short, and nearly so */
    check(round(x * 1e15) / 1e15);
    check(round(x * 1e16) / 1e16);
    check(nextafter(round(x * 1e14) / 1e14, k % 2 ? 2 : -2));
    check(round(x * 1e9));
    check(ldexp(1, k % 2000 - 1000));
    check(nextafter(ldexp(1, k % 2000 - 1000), k % 3 ? 0 : INFINITY));
    check(nextafter(pow(10, k % 600 - 300), k % 3 ? 0 : INFINITY));
    check(pow(10, k % 600 - 300));
  }
  const double few[] = {0,
                        -0.0,
                        1,
                        -1,
                        1e15,
                        1e15 - 1,
                        1e15 + 1,
                        999999999999999.5,
                        1e16,
                        1e17,
                        1e22,
                        1e23,
                        1e-4,
                        9.9999e-5,
                        0.1,
                        0.30000000000000004,
                        5e-324,
                        1e-308,
                        2.2250738585072014e-308,
                        1.7976931348623157e308,
                        123456.5};
  for (int k = 0; k < DLS_COUNT(few); k++) check(few[k]), check(-few[k]);
}

TEST(what_is_no_number_and_a_number_of_digits) {
  char text[DLS_NUMBER_BYTES];
  CHECK(strcmp(dls_number_text(text, NAN, 0), "nan") == 0);
  CHECK(strcmp(dls_number_text(text, -INFINITY, 3), "-inf") == 0);
  CHECK(strcmp(dls_number_text(text, 2.0 / 3, 3), "0.667") == 0);
}
