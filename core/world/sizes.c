/* Radii drawn by inverting the distribution function, but for the lognormal (normal numbers,
 * redrawn outside of the cut-offs) and the shares (numbers by largest remainder, then shuffled). */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "world/population/population_impl.h"
#include "world/sizes.h"

static const char *const names[] = {
    [DLS_SIZES_FIXED] = "fixed",         [DLS_SIZES_UNIFORM] = "uniform",
    [DLS_SIZES_LOGNORMAL] = "lognormal", [DLS_SIZES_SHARES] = "shares",
    [DLS_SIZES_POWER] = "power",         [DLS_SIZES_LIST] = "list",
};

const char *dls_sizes_name(DlsSizesKind kind) {
  return (int)kind >= 0 && (int)kind < DLS_COUNT(names) ? names[kind] : NULL;
}

/* Cut-offs of a lognormal: 0 stands for three deviations from the median. */
static double lognormal_low(const DlsSizes *s) {
  return s->min > 0 ? s->min : s->radius * exp(-3 * s->sigma);
}

static double lognormal_high(const DlsSizes *s) {
  return s->max > 0 ? s->max : s->radius * exp(3 * s->sigma);
}

/* The normal distribution's probability between a and b, from the tail where both lie. */
static double normal_between(double a, double b) {
  const double root = 0.70710678118654752;
  if (a > 0) return 0.5 * (erfc(a * root) - erfc(b * root));
  return 0.5 * (erfc(-b * root) - erfc(-a * root));
}

static double lognormal_kept(const DlsSizes *s, double shift) {
  const double low = log(lognormal_low(s) / s->radius), high = log(lognormal_high(s) / s->radius);
  return normal_between(low / s->sigma - shift, high / s->sigma - shift);
}

static bool positive(double x) { return x > 0 && isfinite(x); }

static DlsStatus check_range(const DlsSizes *s) {
  DLS_CHECK(positive(s->min), DLS_ERR_ARGUMENT,
            "sizes: the smallest radius of %s is %g: it must be positive", names[s->kind], s->min);
  DLS_CHECK(positive(s->max) && s->max >= s->min, DLS_ERR_ARGUMENT,
            "sizes: the largest radius of %s is %g, the smallest %g: give min <= max",
            names[s->kind], s->max, s->min);
  return DLS_OK;
}

static DlsStatus check_lognormal(const DlsSizes *s) {
  enum { LEAST = 1000 }; /* at least one draw in so many is kept */
  DLS_CHECK(positive(s->radius), DLS_ERR_ARGUMENT,
            "sizes: the median of lognormal is %g: it must be positive", s->radius);
  DLS_CHECK(positive(s->sigma) && s->sigma <= 10, DLS_ERR_ARGUMENT,
            "sizes: sigma of lognormal is %g: it must be above 0 and at most 10", s->sigma);
  DLS_CHECK(s->min >= 0 && s->max >= 0 && isfinite(s->max) && isfinite(s->min), DLS_ERR_ARGUMENT,
            "sizes: the cut-offs of lognormal are %g and %g: they must not be negative (0: three "
            "deviations)",
            s->min, s->max);
  DLS_CHECK(lognormal_low(s) < lognormal_high(s), DLS_ERR_ARGUMENT,
            "sizes: the cut-offs of lognormal are %g and %g: the first must be the smaller",
            lognormal_low(s), lognormal_high(s));
  const double kept = lognormal_kept(s, 0);
  DLS_CHECK(kept * LEAST >= 1, DLS_ERR_ARGUMENT,
            "sizes: the cut-offs %g and %g keep only %.2g of a lognormal of median %g and sigma "
            "%g: widen them",
            lognormal_low(s), lognormal_high(s), kept, s->radius, s->sigma);
  return DLS_OK;
}

static DlsStatus check_values(const DlsSizes *s) {
  double sum = 0;
  DLS_CHECK(s->count > 0 && s->values, DLS_ERR_ARGUMENT,
            "sizes: %s has no values: give one at "
            "least",
            names[s->kind]);
  for (int i = 0; i < s->count; i++)
    DLS_CHECK(positive(s->values[i]), DLS_ERR_ARGUMENT,
              "sizes: radius %d of %s is %g: it must be positive", i + 1, names[s->kind],
              s->values[i]);
  if (s->kind == DLS_SIZES_LIST) return DLS_OK;
  DLS_CHECK(s->shares, DLS_ERR_ARGUMENT, "sizes: shares has no shares: give one for each radius");
  for (int i = 0; i < s->count; i++) {
    DLS_CHECK(s->shares[i] >= 0 && isfinite(s->shares[i]), DLS_ERR_ARGUMENT,
              "sizes: share %d is %g: it must not be negative", i + 1, s->shares[i]);
    sum += s->shares[i];
  }
  DLS_CHECK(positive(sum), DLS_ERR_ARGUMENT, "sizes: the shares sum up to %g: give a positive one",
            sum);
  return DLS_OK;
}

DlsStatus dls_sizes_check(const DlsSizes *s) {
  switch (s->kind) {
  case DLS_SIZES_FIXED:
    DLS_CHECK(positive(s->radius), DLS_ERR_ARGUMENT, "sizes: the radius is %g: it must be positive",
              s->radius);
    return DLS_OK;
  case DLS_SIZES_UNIFORM:
    return check_range(s);
  case DLS_SIZES_POWER:
    DLS_CHECK(fabs(s->exponent) <= 100, DLS_ERR_ARGUMENT,
              "sizes: the exponent of power is %g: it must lie between -100 and 100", s->exponent);
    return check_range(s);
  case DLS_SIZES_LOGNORMAL:
    return check_lognormal(s);
  case DLS_SIZES_SHARES:
  case DLS_SIZES_LIST:
    return check_values(s);
  }
  return dls_fail(DLS_ERR_ARGUMENT, "sizes: there is no kind %d", (int)s->kind);
}

static double extreme_value(const DlsSizes *s, int sign) {
  double best = 0;
  bool any = false;
  for (int i = 0; i < s->count; i++) {
    if (s->kind == DLS_SIZES_SHARES && !(s->shares[i] > 0)) continue;
    if (!any || sign * s->values[i] > sign * best) best = s->values[i];
    any = true;
  }
  return best;
}

double dls_sizes_min(const DlsSizes *s) {
  if (s->kind == DLS_SIZES_FIXED) return s->radius;
  if (s->kind == DLS_SIZES_LOGNORMAL) return lognormal_low(s);
  if (s->kind == DLS_SIZES_UNIFORM || s->kind == DLS_SIZES_POWER) return s->min;
  return extreme_value(s, -1);
}

double dls_sizes_max(const DlsSizes *s) {
  if (s->kind == DLS_SIZES_FIXED) return s->radius;
  if (s->kind == DLS_SIZES_LOGNORMAL) return lognormal_high(s);
  if (s->kind == DLS_SIZES_UNIFORM || s->kind == DLS_SIZES_POWER) return s->max;
  return extreme_value(s, 1);
}

/* The share by number of entry i, not normalised. Radii are taken over the largest: no
 * underflow. */
static double number_share(const DlsSizes *s, int dim, int i, double largest) {
  if (s->kind == DLS_SIZES_LIST) return 1;
  return s->by_volume ? s->shares[i] / pow(s->values[i] / largest, dim) : s->shares[i];
}

/* The integral of x^k from 1 to q. */
static double power_integral(double k, double q) {
  return fabs(k + 1) < 1e-9 ? log(q) : (pow(q, k + 1) - 1) / (k + 1);
}

double dls_sizes_mean_volume(const DlsSizes *s, int dim) {
  const double q = s->min > 0 ? s->max / s->min : 1;
  switch (s->kind) {
  case DLS_SIZES_FIXED:
    break;
  case DLS_SIZES_UNIFORM:
    if (q > 1) return pow(s->min, dim) * power_integral(dim, q) / (q - 1);
    return pow(s->min, dim);
  case DLS_SIZES_POWER:
    if (q > 1)
      return pow(s->min, dim) * power_integral(s->exponent, q) /
             power_integral(s->exponent - dim, q);
    return pow(s->min, dim);
  case DLS_SIZES_LOGNORMAL:
    return pow(s->radius, dim) * exp(0.5 * dim * dim * s->sigma * s->sigma) *
           lognormal_kept(s, dim * s->sigma) / lognormal_kept(s, 0);
  case DLS_SIZES_SHARES:
  case DLS_SIZES_LIST: {
    const double largest = dls_sizes_max(s);
    double number = 0, volume = 0;
    for (int i = 0; i < s->count; i++) {
      const double share = number_share(s, dim, i, largest);
      number += share;
      volume += share * pow(s->values[i], dim);
    }
    return volume / number;
  }
  }
  return pow(s->radius, dim);
}

/* One radius of the kinds that need no memory of the others. */
static double draw(const DlsSizes *s, int dim, DlsRandom *random) {
  switch (s->kind) {
  case DLS_SIZES_UNIFORM:
    return dls_random_between(random, s->min, s->max);
  case DLS_SIZES_POWER: {
    /* By number r^k, k = exponent - dim: the distribution function of x = r / min is
     * (x^(k+1) - 1) / (q^(k+1) - 1), or ln x / ln q where k = -1. */
    const double k = s->exponent - dim, q = s->max / s->min, unit = dls_random_unit(random);
    const double x =
        fabs(k + 1) < 1e-9 ? pow(q, unit) : pow(1 + unit * (pow(q, k + 1) - 1), 1 / (k + 1));
    return fmin(fmax(s->min * x, s->min), s->max);
  }
  case DLS_SIZES_LOGNORMAL: {
    const double low = lognormal_low(s), high = lognormal_high(s);
    for (;;) {
      const double r = s->radius * exp(s->sigma * dls_random_normal(random));
      if (r >= low && r <= high) return r;
    }
  }
  default:
    return s->radius;
  }
}

static void shuffle(DlsRandom *random, int count, int *item) {
  for (int i = count - 1; i > 0; i--) {
    const int j = dls_random_below(random, i + 1), t = item[i];
    item[i] = item[j];
    item[j] = t;
  }
}

/* One entry with a chance of its share: what a single grain gets, and the odd ones of many. */
static int draw_entry(const DlsSizes *s, int dim, double largest, double total, DlsRandom *random) {
  double left = total * dls_random_unit(random);
  int entry = 0;
  for (int i = 0; i < s->count; i++) {
    const double share = number_share(s, dim, i, largest);
    if (!(share > 0)) continue;
    entry = i;
    if (left < share) break;
    left -= share;
  }
  return entry;
}

/* The whole part of each number, then one more for the largest remainders. Fewer grains than
 * entries are drawn by chance: a single grain gets each size with the chance of its share. */
static DlsStatus deal_shares(const DlsSizes *s, int dim, DlsRandom *random, int count, int *item) {
  const double largest = dls_sizes_max(s);
  double total = 0, *rest;
  int dealt = 0;
  for (int i = 0; i < s->count; i++) total += number_share(s, dim, i, largest);
  for (; count < s->count && dealt < count; dealt++)
    item[dealt] = draw_entry(s, dim, largest, total, random);
  DLS_NEW(rest, s->count);
  for (int i = 0; dealt < count && i < s->count; i++) {
    const double exact = number_share(s, dim, i, largest) / total * count;
    const int whole = (int)fmin(floor(exact), count - dealt);
    rest[i] = exact - whole;
    for (int k = 0; k < whole; k++) item[dealt++] = i;
  }
  while (dealt < count) {
    int best = 0;
    for (int i = 1; i < s->count; i++)
      if (rest[i] > rest[best]) best = i;
    rest[best] -= 1;
    item[dealt++] = best;
  }
  free(rest);
  shuffle(random, count, item);
  return DLS_OK;
}

/* Rounds of all values, each shuffled; the last one is a random choice of what is still wanted
 * (selection sampling: Knuth 1997, algorithm S). */
static void deal_list(const DlsSizes *s, DlsRandom *random, int count, int *item) {
  for (int start = 0; start < count; start += s->count) {
    const int round = count - start < s->count ? count - start : s->count;
    int need = round;
    for (int i = 0; i < s->count && need > 0; i++)
      if (dls_random_below(random, s->count - i) < need) item[start + round - need--] = i;
    shuffle(random, round, item + start);
    if (round < s->count) break;
  }
}

DlsStatus dls_sizes_fill(const DlsSizes *s, int dim, uint64_t seed, int count, double *radius,
                         int *kind) {
  DLS_CHECK(dim == 2 || dim == 3, DLS_ERR_ARGUMENT, "sizes: dimension %d: 2 or 3", dim);
  DLS_CHECK(count >= 0, DLS_ERR_ARGUMENT, "sizes: %d grains", count);
  DLS_TRY(dls_sizes_check(s));
  DlsRandom random;
  dls_random_stream(&random, seed, DLS_STREAM_SIZES);
  if (s->kind != DLS_SIZES_SHARES && s->kind != DLS_SIZES_LIST) {
    for (int i = 0; i < count; i++) radius[i] = draw(s, dim, &random);
    for (int i = 0; kind && i < count; i++) kind[i] = 0;
    return DLS_OK;
  }
  int *item;
  DLS_NEW(item, count);
  DlsStatus status = DLS_OK;
  if (s->kind == DLS_SIZES_SHARES)
    status = deal_shares(s, dim, &random, count, item);
  else
    deal_list(s, &random, count, item);
  for (int i = 0; status == DLS_OK && i < count; i++) {
    radius[i] = s->values[item[i]];
    if (kind) kind[i] = s->kind == DLS_SIZES_SHARES ? item[i] : 0;
  }
  free(item);
  return status;
}
