/* Means over time: blocks, phases, weights, rows that come and go, bytes of a checkpoint. */
#include "tests/test.h"

#include "base/random.h"
#include "post/mean.h"

#include <stdlib.h>

static DlsMean *open_mean(DlsWindow window, int columns, const int *weight) {
  DlsMean *mean = NULL;
  CHECK_OK(dls_mean_create(&window, columns, weight, &mean));
  return mean;
}

/* x = t over 40 steps in 4 blocks: block means 5, 15, 25, 35 less half a step; spread 500, jumps 3
 * * 100. */
TEST(blocks_of_a_ramp) {
  DlsMean *mean = open_mean((DlsWindow){.to = 40, .blocks = 4, .bins = 1}, 1, NULL);
  for (int k = 1; k <= 40; k++) {
    const double x = k - 0.5;
    CHECK_OK(dls_mean_add(mean, k, 1, 1, NULL, &x));
  }
  const DlsMeanValue v = dls_mean_value(mean, 0, 0, 0);
  CHECK_NEAR(v.mean, 20, 1e-13);
  CHECK_NEAR(v.error, sqrt(500.0 / (4 * 3)), 1e-13);
  CHECK_NEAR(v.correlation, 1 - 0.5 * 300 / 500, 1e-13);
  CHECK_INT(v.blocks, 4);
  CHECK_INT(v.instants, 40);
  dls_mean_destroy(&mean);
}

/* x_k+1 = a x_k + noise, whose mean over N has the error sigma sqrt((1 + a) / (1 - a) / N): blocks
 * tell it, the scatter of instants is too small by sqrt((1 - a) / (1 + a)) = 0.23. 40 blocks tell
 * it within 1/sqrt(80) = 11 %. */
TEST(the_error_of_correlated_instants) {
  enum { N = 40000 };
  const double a = 0.9, sigma = 1 / sqrt(1 - a * a) / sqrt(12);
  const double wanted = sigma * sqrt((1 + a) / (1 - a) / N);
  DlsRandom random;
  DlsMean *mean = open_mean((DlsWindow){.to = N, .blocks = 40, .bins = 1}, 1, NULL);
  double x = 0;
  dls_random_seed(&random, 3);
  for (int k = 1; k <= N; k++) {
    x = a * x + dls_random_unit(&random) - 0.5;
    CHECK_OK(dls_mean_add(mean, k, 1, 1, NULL, &x));
  }
  const DlsMeanValue v = dls_mean_value(mean, 0, 0, 0);
  CHECK_NEAR(v.error, wanted, 0.35 * wanted); /* three times its own error */
  CHECK_BELOW(fabs(v.mean), 4 * wanted);
  CHECK_BELOW(fabs(v.correlation), 3 / sqrt(40));
  dls_mean_destroy(&mean);
}

/* Steps of a tenth of a bin: each bin has the same number whatever round-off t has; its block is
 * the period. */
TEST(phases_hold_whole_steps) {
  enum { BINS = 12, PER_BIN = 10, PERIODS = 7 };
  const double period = 0.1, h = period / (BINS * PER_BIN);
  DlsMean *mean =
      open_mean((DlsWindow){.to = PERIODS * period, .period = period, .bins = BINS}, 1, NULL);
  double t = 0;
  for (int k = 0; k < BINS * PER_BIN * PERIODS; k++) {
    t += h;
    const int bin = k / PER_BIN % BINS, turn = k / PER_BIN / BINS;
    const double x = 10 * bin + turn;
    CHECK(dls_window_takes(dls_mean_window(mean), t, h));
    CHECK_OK(dls_mean_add(mean, t, h, 1, NULL, &x));
  }
  for (int bin = 0; bin < BINS; bin++) {
    const DlsMeanValue v = dls_mean_value(mean, bin, 0, 0);
    CHECK_INT(dls_mean_instants(mean, bin), PER_BIN * PERIODS);
    CHECK_INT(v.blocks, PERIODS);
    CHECK_NEAR(v.mean, 10 * bin + 3, 1e-12);
    CHECK_NEAR(v.error, sqrt(28.0 / (7 * 6)), 1e-12); /* of 0 to 6 */
  }
  CHECK(!dls_window_takes(dls_mean_window(mean), t + h, h));
  dls_mean_destroy(&mean);
}

/* Column 1 is weighed by column 0: ratio of sums; a block without weight does not count. */
TEST(weighted_columns) {
  const int weight[] = {-1, 0};
  const double rows[][2] = {{1, 4}, {3, 8}, {0, 99}, {0, 77}, {2, 5}, {2, 7}};
  DlsMean *mean = open_mean((DlsWindow){.to = 6, .blocks = 3, .bins = 1}, 2, weight);
  for (int k = 0; k < 6; k++) CHECK_OK(dls_mean_add(mean, k + 1, 1, 1, NULL, rows[k]));
  const DlsMeanValue v = dls_mean_value(mean, 0, 0, 1), w = dls_mean_value(mean, 0, 0, 0);
  CHECK_NEAR(v.mean, (4.0 + 24 + 10 + 14) / 8, 1e-14);
  CHECK_INT(v.blocks, 2);
  CHECK_NEAR(v.error, 0.5, 1e-14); /* blocks of 7 and 6 */
  CHECK_NEAR(w.mean, 8.0 / 6, 1e-14);
  dls_mean_destroy(&mean);
}

/* Each row has the mean of the instants at which it was there. */
TEST(rows_come_and_go) {
  const int64_t first[] = {2, 5}, second[] = {1, 5, 9};
  const double a[] = {20, 50}, b[] = {11, 54, 90};
  DlsMean *mean = open_mean((DlsWindow){.to = 10, .blocks = 5, .bins = 1}, 1, NULL);
  CHECK_OK(dls_mean_add(mean, 1, 1, 2, first, a));
  CHECK_OK(dls_mean_add(mean, 4, 1, 3, second, b));
  const double wanted[] = {11, 20, 52, 90};
  const int64_t keys[] = {1, 2, 5, 9}, count[] = {1, 1, 2, 1};
  CHECK_INT(dls_mean_rows(mean), 4);
  for (int k = 0; k < 4; k++) {
    const DlsMeanValue v = dls_mean_value(mean, 0, k, 0);
    CHECK_INT(dls_mean_keys(mean)[k], keys[k]);
    CHECK_INT(v.instants, count[k]);
    CHECK_NEAR(v.mean, wanted[k], 1e-14);
  }
  CHECK_INT(dls_mean_value(mean, 0, 2, 0).blocks, 2);
  CHECK_FAILS(dls_mean_add(mean, 5, 1, 1, NULL, a), DLS_ERR_ARGUMENT, "1 rows after 4");
  dls_mean_destroy(&mean);
}

/* Saved in the middle of a block and gone on with: the bytes at the end are the same. */
TEST(bytes_go_on_where_they_were) {
  const DlsWindow window = {.to = 50, .period = 7, .bins = 3};
  DlsMean *one = open_mean(window, 2, NULL), *two = open_mean(window, 2, NULL);
  DlsRandom random;
  void *bytes = NULL;
  size_t size = 0;
  dls_random_seed(&random, 11);
  for (int k = 1; k <= 49; k++) {
    const int64_t keys[] = {k / 9, k / 9 + 3};
    double values[4];
    for (int i = 0; i < 4; i++) values[i] = dls_random_unit(&random);
    CHECK_OK(dls_mean_add(one, k, 1, 2, keys, values));
    if (k == 23) {
      size = dls_mean_bytes(one);
      bytes = malloc(size);
      dls_mean_save(one, bytes);
      CHECK_OK(dls_mean_restore(two, bytes, size));
    }
    if (k > 23) CHECK_OK(dls_mean_add(two, k, 1, 2, keys, values));
  }
  CHECK_FAILS(dls_mean_restore(two, bytes, size - 8), DLS_ERR_FORMAT, "are not those of");
  DlsMean *other = open_mean((DlsWindow){.from = 1, .to = 50, .period = 7, .bins = 3}, 2, NULL);
  CHECK_FAILS(dls_mean_restore(other, bytes, size), DLS_ERR_FORMAT, "to 50 s, now");
  DlsMean *longer = open_mean((DlsWindow){.to = 80, .period = 7, .bins = 3}, 2, NULL);
  CHECK_OK(dls_mean_restore(longer, bytes, size));
  CHECK_NEAR(dls_mean_window(longer)->to, 80, 0);
  dls_mean_destroy(&longer);
  free(bytes);
  CHECK_INT(dls_mean_bytes(one), dls_mean_bytes(two));
  size = dls_mean_bytes(one);
  char *a = malloc(size), *b = malloc(size);
  dls_mean_save(one, a);
  dls_mean_save(two, b);
  CHECK(memcmp(a, b, size) == 0);
  free(a);
  free(b);
  dls_mean_destroy(&one);
  dls_mean_destroy(&two);
  dls_mean_destroy(&other);
}

TEST(damaged_keys_are_refused) {
  const DlsWindow window = {.to = 10, .blocks = 5, .bins = 1};
  const int64_t keys[] = {7777, 8888};
  const double values[] = {1, 2};
  DlsMean *one = open_mean(window, 1, NULL), *two = open_mean(window, 1, NULL);
  CHECK_OK(dls_mean_add(one, 1, 1, 2, keys, values));
  const size_t words = dls_mean_bytes(one) / sizeof(int64_t);
  int64_t *bytes = calloc(words, sizeof *bytes);
  dls_mean_save(one, bytes);
  CHECK_OK(dls_mean_restore(two, bytes, words * sizeof *bytes));
  for (size_t k = 0; k < words; k++)
    if (bytes[k] == keys[1]) bytes[k] = keys[0];
  CHECK_FAILS(dls_mean_restore(two, bytes, words * sizeof *bytes), DLS_ERR_FORMAT, "do not ascend");
  free(bytes);
  dls_mean_destroy(&one);
  dls_mean_destroy(&two);
}

TEST(windows_that_are_none) {
  DlsMean *mean = NULL;
  const DlsWindow empty = {.from = 1, .to = 1, .blocks = 4, .bins = 1};
  const DlsWindow bins = {.to = 1, .blocks = 4, .bins = 3};
  const DlsWindow good = {.to = 1, .blocks = 4, .bins = 1};
  CHECK_FAILS(dls_mean_create(&empty, 1, NULL, &mean), DLS_ERR_ARGUMENT, "no span of time");
  CHECK_FAILS(dls_mean_create(&bins, 1, NULL, &mean), DLS_ERR_ARGUMENT, "3 bins");
  CHECK(!dls_window_takes(&good, 0.5, 0)); /* no step yet: no forces */
  CHECK(!dls_window_takes(&good, 1.4, 0.5) && dls_window_takes(&good, 1.2, 0.5));
}
