#include "post/mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/pack.h"

/* What is kept of one number in one bin. */
typedef struct {
  double total, part; /* sums over all instants, over those of the open block */
  double mean,
      spread;         /* of the closed blocks: their mean, sum of squares about it (Welford 1962) */
  double last, jumps; /* the last one; sum of squared steps from one to the next */
  int64_t blocks;
} Number;

/* And of a row: instants in all, and in the open block. */
typedef struct {
  int64_t all, part;
} Count;

typedef struct {
  DlsWindow window;
  double first, last;           /* s */
  int64_t columns, rows, keyed; /* rows -1: not known yet */
} Head;

struct DlsMean {
  Head head;
  int *weight;      /* [columns] */
  int64_t *open;    /* [bins]: number of the block that is open, -1: none */
  int64_t *instant; /* [bins] */
  int64_t *key;     /* [rows]; NULL: none */
  Count *count;     /* [bins][rows] */
  Number *number;   /* [bins][rows][columns] */
};

bool dls_window_takes(const DlsWindow *w, double time, double h) {
  const double middle = time - 0.5 * h;
  return h > 0 && middle >= w->from && middle < w->to;
}

int dls_window_bin(const DlsWindow *w, double time, double h) {
  if (!(w->period > 0)) return 0;
  const double turns = (time - 0.5 * h) / w->period, share = turns - floor(turns);
  return dls_checked_cell(share * w->bins, w->bins);
}

static int64_t block_of(const DlsWindow *w, double time, double h) {
  const double middle = time - 0.5 * h;
  const double last = 0x1p62; /* of blocks that a number of 64 bits can count */
  if (w->period > 0) return (int64_t)fmax(-last, fmin(last, floor(middle / w->period)));
  const int64_t block = (int64_t)((middle - w->from) / (w->to - w->from) * w->blocks);
  return block < w->blocks ? block : w->blocks - 1;
}

static DlsStatus check_window(const DlsWindow *w) {
  DLS_CHECK(isfinite(w->from) && isfinite(w->to) && w->from < w->to, DLS_ERR_ARGUMENT,
            "average: from %g s to %g s is no span of time", w->from, w->to);
  DLS_CHECK(w->period >= 0 && isfinite(w->period), DLS_ERR_ARGUMENT,
            "average: a period of %g s; it is above 0", w->period);
  DLS_CHECK(w->bins >= 1 && (w->period > 0 || w->bins == 1), DLS_ERR_ARGUMENT,
            "average: %d bins of a period of %g s", w->bins, w->period);
  DLS_CHECK(w->period > 0 || w->blocks >= 1, DLS_ERR_ARGUMENT,
            "average: %d blocks; errors want 2 and more", w->blocks);
  return DLS_OK;
}

static DlsStatus make(DlsMean *m, const int *weight) {
  const int columns = (int)m->head.columns;
  DLS_NEW(m->weight, columns);
  DLS_NEW(m->open, m->head.window.bins);
  DLS_NEW(m->instant, m->head.window.bins);
  for (int k = 0; k < columns; k++) m->weight[k] = weight ? weight[k] : -1;
  for (int k = 0; k < m->head.window.bins; k++) m->open[k] = -1;
  return DLS_OK;
}

DlsStatus dls_mean_create(const DlsWindow *window, int columns, const int *weight, DlsMean **out) {
  *out = NULL;
  DLS_TRY(check_window(window));
  DlsMean *m;
  DLS_NEW(m, 1);
  m->head.window = *window;
  m->head.columns = columns;
  m->head.rows = -1;
  const DlsStatus status = make(m, weight);
  if (status == DLS_OK)
    *out = m;
  else
    dls_mean_destroy(&m);
  return status;
}

void dls_mean_destroy(DlsMean **mean) {
  if (!mean || !*mean) return;
  DlsMean *m = *mean;
  void *const all[] = {m->weight, m->open, m->instant, m->key, m->count, m->number};
  for (int k = 0; k < DLS_COUNT(all); k++) free(all[k]);
  free(m);
  *mean = NULL;
}

/* Room for rows with these keys; the numbers of those that were there move along. */
static DlsStatus set_rows(DlsMean *m, int rows, const int64_t *keys) {
  const size_t n = (size_t)rows, bins = (size_t)m->head.window.bins;
  const size_t columns = (size_t)m->head.columns, old = m->head.rows > 0 ? (size_t)m->head.rows : 0;
  int64_t *key = NULL;
  Count *count = dls_memory_array(bins * n, sizeof *count);
  Number *number = dls_memory_array(bins * n * columns, sizeof *number);
  if (keys) key = dls_memory_array(n, sizeof *key);
  if (!count || !number || (keys && !key)) {
    free(count);
    free(number);
    free(key);
    return dls_fail(DLS_ERR_MEMORY,
                    "average: out of memory for %zu numbers in %zu bins; take fewer points or bins",
                    n * columns, bins);
  }
  if (keys) memcpy(key, keys, n * sizeof *key);
  for (size_t i = 0, j = 0; i < old && j < n; j++) {
    if (key && key[j] != m->key[i]) continue;
    for (size_t b = 0; b < bins; b++) {
      count[b * n + j] = m->count[b * old + i];
      memcpy(number + (b * n + j) * columns, m->number + (b * old + i) * columns,
             columns * sizeof *number);
    }
    i++;
  }
  free(m->key);
  free(m->count);
  free(m->number);
  m->key = key;
  m->count = count;
  m->number = number;
  m->head.rows = rows;
  m->head.keyed = keys != NULL;
  return DLS_OK;
}

/* Keys that are new join, in order. */
static DlsStatus join_keys(DlsMean *m, int rows, const int64_t *keys) {
  const int old = (int)m->head.rows;
  int64_t *all;
  int n = 0, i = 0, j = 0, fresh = 0;
  DLS_NEW(all, (size_t)old + (size_t)rows + 1);
  while (i < old || j < rows) {
    if (j == rows || (i < old && m->key[i] < keys[j])) {
      all[n++] = m->key[i++];
    } else {
      const bool known = i < old && m->key[i] == keys[j];
      i += known;
      fresh += !known;
      all[n++] = keys[j++];
    }
  }
  const DlsStatus status = fresh ? set_rows(m, n, all) : DLS_OK;
  free(all);
  return status;
}

static DlsStatus fit_rows(DlsMean *m, int rows, const int64_t *keys) {
  if (m->head.rows < 0) return set_rows(m, rows, keys);
  DLS_CHECK(m->head.keyed == (keys != NULL) && (keys || m->head.rows == rows), DLS_ERR_ARGUMENT,
            "average: %d rows after %d", rows, (int)m->head.rows);
  return keys ? join_keys(m, rows, keys) : DLS_OK;
}

/* The block of a number is over: its mean joins those before. */
static void close_number(double value, Number *x) {
  const double step = value - x->last, off = value - x->mean;
  if (x->blocks > 0) x->jumps += step * step;
  x->blocks++;
  x->mean += off / (double)x->blocks;
  x->spread += off * (value - x->mean);
  x->last = value;
}

/* The mean of the open block; false where it has nothing. */
static bool part_of(const DlsMean *m, const Count *count, const Number *row, int column,
                    double *out) {
  const int w = m->weight[column];
  const double weight = w < 0 ? (double)count->part : row[w].part;
  *out = weight != 0 ? row[column].part / weight : 0;
  return count->part > 0 && weight != 0;
}

static void close_block(DlsMean *m, int bin) {
  const int columns = (int)m->head.columns;
  for (int64_t r = 0; r < m->head.rows; r++) {
    Count *count = m->count + bin * m->head.rows + r;
    Number *row = m->number + (bin * m->head.rows + r) * columns;
    double value;
    for (int k = 0; k < columns; k++)
      if (part_of(m, count, row, k, &value)) close_number(value, &row[k]);
    for (int k = 0; k < columns; k++) row[k].part = 0;
    count->part = 0;
  }
}

static void add_row(const DlsMean *m, const double *values, Count *count, Number *row) {
  count->all++;
  count->part++;
  for (int k = 0; k < m->head.columns; k++) {
    const double x = m->weight[k] < 0 ? values[k] : values[k] * values[m->weight[k]];
    row[k].total += x;
    row[k].part += x;
  }
}

DlsStatus dls_mean_add(DlsMean *m, double time, double h, int rows, const int64_t *keys,
                       const double *values) {
  DLS_CHECK(dls_window_takes(&m->head.window, time, h), DLS_ERR_ARGUMENT,
            "average: the instant %g s is not in the window", time);
  DLS_TRY(fit_rows(m, rows, keys));
  const int bin = dls_window_bin(&m->head.window, time, h);
  const int64_t block = block_of(&m->head.window, time, h), all = m->head.rows;
  if (m->open[bin] >= 0 && m->open[bin] != block) close_block(m, bin);
  m->open[bin] = block;
  if (dls_mean_instants(m, -1) == 0) m->head.first = time;
  m->head.last = time;
  m->instant[bin]++;
  for (int64_t r = 0, i = 0; i < rows; i++, r++) {
    while (keys && m->key[r] != keys[i]) r++;
    add_row(m, values + i * m->head.columns, m->count + bin * all + r,
            m->number + (bin * all + r) * m->head.columns);
  }
  return DLS_OK;
}

const DlsWindow *dls_mean_window(const DlsMean *m) { return &m->head.window; }
int dls_mean_rows(const DlsMean *m) { return m->head.rows > 0 ? (int)m->head.rows : 0; }
const int64_t *dls_mean_keys(const DlsMean *m) { return m->key; }

int64_t dls_mean_instants(const DlsMean *m, int bin) {
  int64_t sum = 0;
  if (bin >= 0) return m->instant[bin];
  for (int k = 0; k < m->head.window.bins; k++) sum += m->instant[k];
  return sum;
}

void dls_mean_span(const DlsMean *m, double *first, double *last) {
  *first = m->head.first;
  *last = m->head.last;
}

DlsMeanValue dls_mean_value(const DlsMean *m, int bin, int row, int column) {
  const Count *count = m->count + bin * m->head.rows + row;
  const Number *numbers = m->number + (bin * m->head.rows + row) * m->head.columns;
  Number x = numbers[column];
  const int w = m->weight[column];
  const double weight = w < 0 ? (double)count->all : numbers[w].total;
  double value;
  if (part_of(m, count, numbers, column, &value)) close_number(value, &x);
  const double n = (double)x.blocks;
  return (DlsMeanValue){.mean = count->all == 0 ? NAN
                                : weight != 0   ? x.total / weight
                                                : 0,
                        .error = x.blocks > 1 ? sqrt(x.spread / (n * (n - 1))) : NAN,
                        .correlation =
                            x.blocks > 2 && x.spread > 0 ? 1 - 0.5 * x.jumps / x.spread : NAN,
                        .blocks = (int)x.blocks,
                        .instants = count->all};
}

/* Blocks that are periods do not change where the window ends later. */
static bool same_window(const DlsWindow *a, const DlsWindow *b) {
  return a->from == b->from && a->period == b->period && a->bins == b->bins &&
         (a->period > 0 || (a->to == b->to && a->blocks == b->blocks));
}

/* The fields of the head; `fits` is false where a number is none that could be saved. */
static void pack_head(DlsPack *pack, Head *h, bool *fits) {
  double reals[] = {h->window.from, h->window.to, h->window.period, h->first, h->last};
  dls_pack_reals(pack, reals, DLS_COUNT(reals));
  for (int k = 0; k < DLS_COUNT(reals); k++) *fits = *fits && isfinite(reals[k]);
  h->window.from = reals[0], h->window.to = reals[1], h->window.period = reals[2];
  h->first = reals[3], h->last = reals[4];
  dls_pack_int(pack, &h->window.blocks, 0, INT32_MAX, fits);
  dls_pack_int(pack, &h->window.bins, 1, INT32_MAX, fits);
  int64_t *const sizes[] = {&h->columns, &h->rows, &h->keyed};
  for (int k = 0; k < DLS_COUNT(sizes); k++) dls_pack_longs(pack, sizes[k], 1);
  *fits = *fits && h->columns >= 1 && h->columns <= INT32_MAX && h->rows >= -1 &&
          h->rows <= INT32_MAX && (h->keyed == 0 || h->keyed == 1);
}

static void pack_numbers(DlsPack *pack, Number *number, size_t count) {
  for (size_t k = 0; k < count; k++) {
    Number *x = &number[k];
    double reals[] = {x->total, x->part, x->mean, x->spread, x->last, x->jumps};
    dls_pack_reals(pack, reals, DLS_COUNT(reals));
    dls_pack_longs(pack, &x->blocks, 1);
    x->total = reals[0], x->part = reals[1], x->mean = reals[2];
    x->spread = reals[3], x->last = reals[4], x->jumps = reals[5];
  }
}

/* What is behind the head and the keys. */
static void pack_rows(DlsPack *pack, DlsMean *m) {
  const size_t bins = (size_t)m->head.window.bins;
  const size_t rows = m->head.rows > 0 ? bins * (size_t)m->head.rows : 0;
  dls_pack_longs(pack, m->open, bins);
  dls_pack_longs(pack, m->instant, bins);
  for (size_t k = 0; k < rows; k++) {
    dls_pack_longs(pack, &m->count[k].all, 1);
    dls_pack_longs(pack, &m->count[k].part, 1);
  }
  pack_numbers(pack, m->number, rows * (size_t)m->head.columns);
}

static void pack_keys(DlsPack *pack, int64_t *key, const Head *h) {
  if (h->keyed && h->rows > 0) dls_pack_longs(pack, key, (size_t)h->rows);
}

/* Bytes behind the head of so many rows. */
static size_t bytes_behind(const Head *h) {
  const size_t number = 7 * sizeof(double), count = 2 * sizeof(int64_t);
  const size_t bins = (size_t)h->window.bins, rows = h->rows > 0 ? (size_t)h->rows : 0;
  size_t per_bin = count + (size_t)h->columns * number, per_row, all;
  if (!dls_checked_product(per_bin, bins, SIZE_MAX / 4, &per_row)) return SIZE_MAX;
  per_row += h->keyed ? sizeof(int64_t) : 0;
  if (!dls_checked_product(per_row, rows, SIZE_MAX / 4, &all)) return SIZE_MAX;
  return all + bins * count;
}

/* The fields are not changed by counting and saving. */
static void pack_all(DlsPack *pack, const DlsMean *mean) {
  DlsMean *m = (DlsMean *)mean;
  bool fits = true;
  pack_head(pack, &m->head, &fits);
  pack_keys(pack, m->key, &m->head);
  pack_rows(pack, m);
}

size_t dls_mean_bytes(const DlsMean *m) {
  DlsPack pack = {.way = DLS_PACK_COUNT};
  pack_all(&pack, m);
  return pack.used;
}

void dls_mean_save(const DlsMean *m, void *out) {
  DlsPack pack = {.way = DLS_PACK_SAVE, .to = out};
  pack_all(&pack, m);
}

static bool ascend(size_t n, const int64_t *keys) {
  for (size_t k = 1; k < n; k++)
    if (keys[k - 1] >= keys[k]) return false;
  return true;
}

/* Rows with the keys of the bytes, if there are any. */
static DlsStatus restore_rows(DlsMean *m, const Head *head, DlsPack *pack) {
  const size_t rows = head->rows > 0 ? (size_t)head->rows : 0;
  int64_t *keys = NULL;
  if (head->keyed) DLS_NEW(keys, rows);
  pack_keys(pack, keys, head);
  DlsStatus status =
      !keys || ascend(rows, keys)
          ? DLS_OK
          : dls_fail(DLS_ERR_FORMAT, "average: its keys do not ascend; the bytes are damaged");
  m->head.rows = -1;
  if (rows && status == DLS_OK) status = set_rows(m, (int)rows, keys);
  free(keys);
  return status;
}

/* Counts that could be: those of a row are among those of its bin. */
static DlsStatus check_counts(const DlsMean *m) {
  const size_t bins = (size_t)m->head.window.bins;
  const size_t rows = m->head.rows > 0 ? (size_t)m->head.rows : 0;
  const size_t columns = (size_t)m->head.columns;
  bool good = true;
  for (size_t b = 0; b < bins; b++) {
    good = good && m->instant[b] >= 0 && m->instant[b] <= INT64_MAX / (int64_t)bins;
    for (size_t r = b * rows; r < (b + 1) * rows && good; r++) {
      const Count *count = &m->count[r];
      good = count->part >= 0 && count->part <= count->all && count->all <= m->instant[b];
      for (size_t k = r * columns; k < (r + 1) * columns; k++)
        good = good && m->number[k].blocks >= 0 && m->number[k].blocks <= INT32_MAX - 1;
    }
  }
  DLS_CHECK(good, DLS_ERR_FORMAT,
            "average: its counts of instants and blocks are impossible; the bytes are damaged");
  return DLS_OK;
}

DlsStatus dls_mean_restore(DlsMean *m, const void *bytes, size_t size) {
  DlsPack pack = {.way = DLS_PACK_RESTORE, .from = bytes, .left = size};
  Head head = m->head;
  bool fits = true;
  pack_head(&pack, &head, &fits);
  DLS_CHECK(!pack.ended && fits, DLS_ERR_FORMAT, "average: its %zu bytes are of no mean", size);
  DLS_CHECK(same_window(&head.window, &m->head.window) && head.columns == m->head.columns,
            DLS_ERR_FORMAT,
            "average: it was of %d columns from %g s to %g s, now of %d from %g s to %g s; keep "
            "what the deck says of it",
            (int)head.columns, head.window.from, head.window.to, (int)m->head.columns,
            m->head.window.from, m->head.window.to);
  /* The sizes must be those of the bytes before room is made for them. */
  DLS_CHECK(pack.left == bytes_behind(&head), DLS_ERR_FORMAT,
            "average: %zu bytes are not those of %d rows", size, (int)head.rows);
  DLS_TRY(restore_rows(m, &head, &pack));
  head.window = m->head.window;
  m->head = head;
  pack_rows(&pack, m);
  return check_counts(m);
}
