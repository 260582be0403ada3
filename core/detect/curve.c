/* Order in space: Morton's curve through cells of three mean radii, wrapped around (an order may
 * repeat itself far away: nothing depends on it but speed). */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "detect/detector_impl.h"

enum { DIGIT = 10, BINS = 1 << DIGIT, PASSES = 3, CODES_CHUNK = 2048 };

/* The low 10 (or 15) bits of n, two (or one) zeros between them. */
static uint32_t spread3(uint32_t n) {
  n &= 0x3ff;
  n = (n | n << 16) & 0x30000ff;
  n = (n | n << 8) & 0x300f00f;
  n = (n | n << 4) & 0x30c30c3;
  return (n | n << 2) & 0x9249249;
}

static uint32_t spread2(uint32_t n) {
  n &= 0x7fff;
  n = (n | n << 8) & 0xff00ff;
  n = (n | n << 4) & 0xf0f0f0f;
  n = (n | n << 2) & 0x33333333;
  return (n | n << 1) & 0x55555555;
}

static uint32_t cell_of(double x, double inverse) { return (uint32_t)dls_cell_index(x * inverse); }

static void add_radii(void *context, size_t begin, size_t end, double *sum) {
  const DlsDetector *d = context;
  for (size_t e = begin; e < end; e++) *sum += d->ball[d->place[e]].radius;
}

typedef struct {
  DlsDetector *d;
  int dim;
  double inverse;
  atomic_bool unsorted;
} Codes;

static void fill_some(void *context, size_t begin, size_t end, int lane) {
  const Codes *codes = context;
  DlsDetector *d = codes->d;
  const double inverse = codes->inverse;
  (void)lane;
  for (size_t k = begin; k < end; k++) {
    const double *x = d->ball[k].x;
    const uint32_t i = cell_of(x[0], inverse), j = cell_of(x[1], inverse);
    d->code[d->element[k]] =
        codes->dim == 3 ? spread3(i) | spread3(j) << 1 | spread3(cell_of(x[2], inverse)) << 2
                        : spread2(i) | spread2(j) << 1;
  }
}

static void fill_codes(Codes *codes) {
  DlsDetector *d = codes->d;
  double sum;
  dls_pool_sum((size_t)d->count, 1, add_radii, d, &sum);
  codes->inverse = d->count / (3 * sum);
  dls_pool_for((size_t)d->count, CODES_CHUNK, fill_some, codes);
}

static void look_for_disorder(void *context, size_t begin, size_t end, int lane) {
  Codes *codes = context;
  const DlsDetector *d = codes->d;
  (void)lane;
  for (size_t n = begin > 1 ? begin : 1; n < end; n++) {
    const int a = d->order[n - 1], b = d->order[n];
    if (d->code[a] < d->code[b] || (d->code[a] == d->code[b] && a < b)) continue;
    atomic_store(&codes->unsorted, true);
    return;
  }
}

/* Grains at rest keep their order: look before sorting. */
static bool sorted(Codes *codes) {
  dls_pool_for((size_t)codes->d->count, CODES_CHUNK, look_for_disorder, codes);
  return !atomic_load(&codes->unsorted);
}

void dls_curve_sort(DlsDetector *detector, int dim) {
  DlsDetector *d = detector;
  if (d->count == 0) return;
  Codes codes = {.d = d, .dim = dim};
  fill_codes(&codes);
  if (sorted(&codes)) return;
  /* Digits from the lowest, each pass stable, from the order of the numbers. */
  for (int e = 0; e < d->count; e++) d->order[e] = e;
  for (int pass = 0; pass < PASSES; pass++) {
    int start[BINS + 1] = {0}, *swap = d->next_order;
    const int shift = pass * DIGIT;
    for (int e = 0; e < d->count; e++) start[((d->code[e] >> shift) & (BINS - 1)) + 1]++;
    for (int bin = 0; bin < BINS; bin++) start[bin + 1] += start[bin];
    for (int n = 0; n < d->count; n++) {
      const int e = d->order[n];
      swap[start[(d->code[e] >> shift) & (BINS - 1)]++] = e;
    }
    d->next_order = d->order;
    d->order = swap;
  }
}
