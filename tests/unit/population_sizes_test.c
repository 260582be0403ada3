/* Sizes: moments and quantiles of what is drawn against the distribution, within five deviations of
 * the estimate, s / sqrt(N); shares to a grain; files. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/files.h"
#include "world/sizes.h"

enum { N = 40000 };

static double radius[N];
static int kind[N];

static void fill(DlsSizes sizes, int dim) {
  CHECK_OK(dls_sizes_fill(&sizes, dim, 7, N, radius, kind));
  for (int i = 0; i < N; i++)
    if (!(radius[i] >= dls_sizes_min(&sizes) && radius[i] <= dls_sizes_max(&sizes)))
      test_fail(__FILE__, __LINE__, "radius %d is %g", i, radius[i]);
}

/* The part of the grains with a radius below r has to be p: binomial, deviation sqrt(p (1-p) / N).
 */
static void check_below(double r, double p) {
  int below = 0;
  for (int i = 0; i < N; i++) below += radius[i] < r;
  CHECK_NEAR((double)below / N, p, 5 * sqrt(p * (1 - p) / N) + 1e-15);
}

/* The mean of r^power has to be this; the deviation is taken from the sample. */
static void check_mean(int power, double mean) {
  double sum = 0, square = 0;
  for (int i = 0; i < N; i++) {
    const double x = pow(radius[i], power) / mean;
    sum += x;
    square += x * x;
  }
  const double average = sum / N, variance = square / N - average * average;
  CHECK_NEAR(average, 1, 5 * sqrt(fmax(variance, 0) / N) + 1e-12);
}

TEST(fixed_is_fixed) {
  fill((DlsSizes){.kind = DLS_SIZES_FIXED, .radius = 0.005}, 3);
  for (int i = 0; i < N; i++) CHECK(radius[i] == 0.005 && kind[i] == 0);
}

TEST(uniform_has_its_moments) {
  const double a = 1e-3, b = 4e-3;
  const DlsSizes sizes = {.kind = DLS_SIZES_UNIFORM, .min = a, .max = b};
  fill(sizes, 3);
  check_mean(1, (a + b) / 2);
  check_mean(2, (a * a + a * b + b * b) / 3);
  check_mean(3, dls_sizes_mean_volume(&sizes, 3));
  check_below(a + 0.25 * (b - a), 0.25);
  check_below(a + 0.75 * (b - a), 0.75);
}

TEST(lognormal_has_its_quantiles_and_cut_offs) {
  const double median = 2e-3, sigma = 0.4;
  const DlsSizes sizes = {.kind = DLS_SIZES_LOGNORMAL, .radius = median, .sigma = sigma};
  const double kept = erf(3 / sqrt(2)), one = erf(1 / sqrt(2));
  fill(sizes, 3);
  CHECK_NEAR(dls_sizes_max(&sizes) / dls_sizes_min(&sizes), exp(6 * sigma), 1e-12 * exp(6 * sigma));
  check_below(median, 0.5);
  check_below(median * exp(sigma), 0.5 + 0.5 * one / kept);
  check_below(median * exp(-sigma), 0.5 - 0.5 * one / kept);
  check_mean(2, dls_sizes_mean_volume(&sizes, 2));
  check_mean(3, dls_sizes_mean_volume(&sizes, 3));
  /* Cut-offs of one's own: nothing below the median, half a deviation above. */
  const DlsSizes cut = {.kind = DLS_SIZES_LOGNORMAL,
                        .radius = median,
                        .sigma = sigma,
                        .min = median,
                        .max = median * exp(sigma)};
  fill(cut, 3);
  check_below(median * exp(sigma / 2), erf(0.5 / sqrt(2)) / one);
  check_mean(3, dls_sizes_mean_volume(&cut, 3));
}

/* Volume between a and r over the whole: (r^(e+1) - a^(e+1)) / (b^(e+1) - a^(e+1)). */
TEST(power_law_fills_the_volume_it_promises) {
  const double a = 1e-3, b = 5e-3;
  for (int dim = 2; dim <= 3; dim++)
    for (int e = -2; e <= 2; e++) {
      const DlsSizes sizes = {.kind = DLS_SIZES_POWER, .min = a, .max = b, .exponent = e};
      double part = 0, total = 0, square = 0;
      const double r = 0.5 * (a + b);
      fill(sizes, dim);
      check_mean(dim, dls_sizes_mean_volume(&sizes, dim));
      const double expected =
          e == -1 ? log(r / a) / log(b / a)
                  : (pow(r, e + 1) - pow(a, e + 1)) / (pow(b, e + 1) - pow(a, e + 1));
      for (int i = 0; i < N; i++) {
        const double v = pow(radius[i], dim);
        part += radius[i] < r ? v : 0;
        total += v;
        square += v * v;
      }
      /* A ratio of sums: deviation below sqrt(sum v^2) / sum v. */
      CHECK_NEAR(part / total, expected, 5 * sqrt(square) / total);
      /* By number, exponent e - dim. */
      const double k = e - dim + 1;
      check_below(r, fabs(k) < 1e-12 ? log(r / a) / log(b / a)
                                     : (pow(r, k) - pow(a, k)) / (pow(b, k) - pow(a, k)));
    }
}

TEST(shares_are_met_to_a_grain) {
  const double values[] = {1e-3, 2e-3, 4e-3}, shares[] = {2, 1, 1};
  DlsSizes sizes = {
      .kind = DLS_SIZES_SHARES, .count = 3, .values = values, .shares = shares, .by_volume = 0};
  for (int volume = 0; volume <= 1; volume++) {
    sizes.by_volume = volume;
    for (int n = 3; n <= 1003; n += 100) {
      int got[3] = {0, 0, 0};
      double weight[3], total = 0;
      CHECK_OK(dls_sizes_fill(&sizes, 3, 1, n, radius, kind));
      for (int i = 0; i < 3; i++)
        total += weight[i] = volume ? shares[i] / pow(values[i], 3) : shares[i];
      for (int i = 0; i < n; i++) {
        CHECK(radius[i] == values[kind[i]]);
        got[kind[i]]++;
      }
      for (int i = 0; i < 3; i++) CHECK_BELOW(fabs(got[i] - n * weight[i] / total), 1);
    }
  }
  /* One grain at a time, as a source asks: by chance. */
  int first = 0;
  sizes.by_volume = 0;
  for (uint64_t seed = 0; seed < 4000; seed++) {
    CHECK_OK(dls_sizes_fill(&sizes, 3, seed, 1, radius, kind));
    first += kind[0] == 0;
  }
  CHECK_NEAR(first / 4000.0, 0.5, 5 * 0.5 / sqrt(4000));
}

TEST(the_same_seed_gives_the_same_sizes) {
  const DlsSizes sizes = {.kind = DLS_SIZES_LOGNORMAL, .radius = 1, .sigma = 1};
  double again[100];
  CHECK_OK(dls_sizes_fill(&sizes, 3, 3, 100, radius, NULL));
  CHECK_OK(dls_sizes_fill(&sizes, 3, 3, 100, again, NULL));
  for (int i = 0; i < 100; i++) CHECK(radius[i] == again[i]);
  CHECK_OK(dls_sizes_fill(&sizes, 3, 4, 100, again, NULL));
  for (int i = 0; i < 100; i++) CHECK(radius[i] != again[i]);
}

TEST(what_is_no_distribution_is_refused) {
  const double good[] = {1, 2}, bad[] = {1, -2}, none[] = {0, 0};
  const struct {
    DlsSizes sizes;
    const char *text;
  } cases[] = {
      {{.kind = DLS_SIZES_FIXED, .radius = 0}, "radius is 0"},
      {{.kind = DLS_SIZES_FIXED, .radius = NAN}, "must be positive"},
      {{.kind = DLS_SIZES_UNIFORM, .min = 2, .max = 1}, "min <= max"},
      {{.kind = DLS_SIZES_UNIFORM, .min = 0, .max = 1}, "smallest radius"},
      {{.kind = DLS_SIZES_POWER, .min = 1, .max = 2, .exponent = NAN}, "exponent"},
      {{.kind = DLS_SIZES_LOGNORMAL, .radius = 1, .sigma = 0}, "sigma"},
      {{.kind = DLS_SIZES_LOGNORMAL, .radius = 1, .sigma = 0.1, .min = 9, .max = 10}, "widen"},
      {{.kind = DLS_SIZES_LOGNORMAL, .radius = 1, .sigma = 0.1, .min = 2, .max = 1}, "smaller"},
      {{.kind = DLS_SIZES_SHARES, .count = 0}, "no values"},
      {{.kind = DLS_SIZES_SHARES, .count = 2, .values = bad, .shares = good}, "radius 2"},
      {{.kind = DLS_SIZES_SHARES, .count = 2, .values = good, .shares = bad}, "share 2"},
      {{.kind = DLS_SIZES_SHARES, .count = 2, .values = good, .shares = none}, "sum up"},
      {{.kind = (DlsSizesKind)9}, "no kind"},
  };
  for (int i = 0; i < DLS_COUNT(cases); i++)
    CHECK_FAILS(dls_sizes_fill(&cases[i].sizes, 3, 1, 1, radius, NULL), DLS_ERR_ARGUMENT,
                cases[i].text);
}

static const char *file(const char *name, const char *text) {
  return test_file("population_sizes", name, text);
}

TEST(a_column_of_a_file_is_dealt_out) {
  DlsSizes sizes;
  const char *path =
      file("good.csv", "\xef\xbb\xbf# sieved\r\n\"mass\", Diameter\r\n\r\n1, 2e-3\r\n"
                       "1, 4e-3\r\n1;6e-3\r\n");
  int seen[4] = {0};
  CHECK_OK(dls_sizes_read(path, "diameter", 0.5, &sizes));
  CHECK_INT(sizes.count, 3);
  CHECK_OK(dls_sizes_fill(&sizes, 3, 1, 8, radius, kind));
  for (int i = 0; i < 8; i++) seen[lround(radius[i] * 1e3)]++;
  for (int i = 1; i <= 3; i++) CHECK(seen[i] == 2 || seen[i] == 3);
  CHECK_NEAR(dls_sizes_max(&sizes), 3e-3, 1e-18);
  dls_sizes_clear(&sizes);
}

TEST(bad_files_are_named_with_their_line) {
  DlsSizes sizes;
  CHECK_FAILS(dls_sizes_read("/no/such/file.csv", NULL, 1, &sizes), DLS_ERR_FILE, "file.csv");
  CHECK_FAILS(dls_sizes_read(file("a.csv", "d,m\n1,2\n"), "dd", 1, &sizes), DLS_ERR_ARGUMENT,
              "is 'd' meant?");
  CHECK_FAILS(dls_sizes_read(file("b.csv", "d,m\n1,2\n"), NULL, 1, &sizes), DLS_ERR_ARGUMENT,
              "2 columns");
  CHECK_FAILS(dls_sizes_read(file("c.csv", "d\n1\n\n-2\n"), "d", 1, &sizes), DLS_ERR_FORMAT,
              "c.csv:4");
  CHECK_FAILS(dls_sizes_read(file("e.csv", "d\n1\n2x\n"), "d", 1, &sizes), DLS_ERR_FORMAT,
              "e.csv:3: column 1 is '2x'");
  CHECK_FAILS(dls_sizes_read(file("f.csv", "d,e\n1,2\n3\n"), "d", 1, &sizes), DLS_ERR_FORMAT,
              "f.csv:3: this row has 1");
  CHECK_FAILS(dls_sizes_read(file("g.csv", "d,e\n1,2\n3,,\n"), "d", 1, &sizes), DLS_ERR_FORMAT,
              "g.csv:3");
  CHECK_FAILS(dls_sizes_read(file("h.csv", "d,e\n1,2\n3,\n"), "d", 1, &sizes), DLS_ERR_FORMAT,
              "column 2 is empty");
  CHECK_FAILS(dls_sizes_read(file("i.csv", "d\n"), "d", 1, &sizes), DLS_ERR_FORMAT, "no row");
  CHECK_FAILS(dls_sizes_read(file("j.csv", "d\ninf\n"), "d", 1, &sizes), DLS_ERR_FORMAT, "j.csv:2");
  CHECK_FAILS(dls_sizes_read(file("k.csv", "1\n2\n"), "d", 1, &sizes), DLS_ERR_FORMAT, "no names");
  CHECK_FAILS(dls_sizes_read(TEST_BINARY_DIR, NULL, 1, &sizes), DLS_ERR_FILE, "is a folder");
}
