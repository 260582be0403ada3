/* Broad phase: a hierarchy of grids in one hash table. Level l has cells of size s 2^l; a box whose
 * widest side, grown, is 2 A lives in the finest level whose cells are not smaller than 2 A, in the
 * cell of its centre. Two boxes of one level can only overlap from cells that touch; a box and a
 * larger one, only when the larger one's cell is within A + s/2 of the centre, s the larger one's
 * cell size. The box of a ball is its centre and radius. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "detect/detector_impl.h"

enum { MIN_LEVEL = -63, LEVELS = 127, SAMPLE = 64, NEARBY = 120, ROWS_CHUNK = 1024 };

typedef struct {
  int dim;
  double size[LEVELS], inverse[LEVELS]; /* m, of a cell; 1/m */
  int used[LEVELS], nused;              /* levels that hold balls, ascending */
  bool holds[LEVELS];
} Levels;

typedef struct {
  int64_t i[3];
} Cell;

/* Balls and copies of them. */
static int entries(const DlsDetector *d) { return d->count + d->images; }

typedef struct {
  int64_t low[3], high[3];
} Block;

/* What the last search in a level found. */
typedef struct {
  Block block;
  bool valid;
  int count, ball[NEARBY];
} Nearby;

/* Half the widest side of the box around element k of the list, grown, and the middle of the
 * box. */
static double grown(const DlsDetector *d, int k) {
  if (!d->box) return d->ball[k].radius + d->allowance[k];
  const double *half = d->box[k].half;
  return fmax(half[0], fmax(half[1], half[2])) + d->allowance[k];
}

static const double *middle(const DlsDetector *d, int k) {
  return d->box ? d->box[k].centre : d->ball[k].x;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Cells of level 0 fit the larger of the common balls: then equal balls of unequal velocities share
 * a level. */
static double base_size(const DlsDetector *d) {
  double sample[SAMPLE];
  const int count = d->count < SAMPLE ? d->count : SAMPLE;
  for (int n = 0; n < count; n++) sample[n] = grown(d, (int)((int64_t)n * d->count / count));
  qsort(sample, (size_t)count, sizeof *sample, compare);
  return 2 * sample[(count - 1) * 15 / 16];
}

static void make_levels(const DlsDetector *d, int dim, Levels *levels) {
  const double base = base_size(d);
  memset(levels, 0, sizeof *levels);
  levels->dim = dim;
  for (int l = 0; l < LEVELS; l++) {
    levels->size[l] = ldexp(base, l + MIN_LEVEL);
    levels->inverse[l] = 1 / levels->size[l];
  }
}

static int level_of(const Levels *levels, double radius) {
  int exponent;
  const double fraction = frexp(2 * radius * levels->inverse[-MIN_LEVEL], &exponent);
  /* 2 A / s = f 2^e with 1/2 <= f < 1. */
  const int level = (fraction == 0.5 ? exponent - 1 : exponent) - MIN_LEVEL;
  return level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level;
}

static int64_t index_of(double x, double inverse) { return dls_cell_index(x * inverse); }

static Cell cell_at(const Levels *levels, int level, const double *x) {
  Cell c = {{0, 0, 0}};
  for (int k = 0; k < levels->dim; k++) c.i[k] = index_of(x[k], levels->inverse[level]);
  return c;
}

/* 19 bits of each index and 7 of the level. Far cells may share a key; distances tell them
 * apart. */
static uint64_t key_of(int level, int64_t i, int64_t j, int64_t k) {
  const uint64_t mask = 0x7ffff;
  return ((uint64_t)i & mask) | ((uint64_t)j & mask) << 19 | ((uint64_t)k & mask) << 38 |
         (uint64_t)level << 57;
}

/* Blocks of 4 x 4 x 4 cells lie together in the table, blocks are spread. */
static int bucket_of(const DlsDetector *d, uint64_t key) {
  const uint64_t low = 3, block = key & ~(low | low << 19 | low << 38);
  const uint64_t inner = (key & low) | (key >> 17 & 12) | (key >> 34 & 48);
  const uint64_t hash = (block ^ block >> 31) * 0x9e3779b97f4a7c15u;
  return (int)(((hash >> 24 << 6) | inner) & (uint64_t)(d->buckets - 1));
}

static DlsStatus make_table(DlsDetector *d) {
  int buckets = 64;
  while (buckets < 2 * entries(d) && buckets < 1 << 29) buckets *= 2;
  if (buckets + 2 > d->bucket_capacity) {
    free(d->head);
    d->head = NULL;
    d->bucket_capacity = 0;
    DLS_NEW(d->head, buckets + 2);
    d->bucket_capacity = buckets + 2;
  }
  d->buckets = buckets;
  memset(d->head, 0, ((size_t)buckets + 2) * sizeof *d->head);
  return DLS_OK;
}

typedef struct {
  DlsDetector *d;
  const Levels *levels;
} Keys;

static void fill_keys(void *context, size_t begin, size_t end, int lane) {
  const Keys *keys = context;
  DlsDetector *d = keys->d;
  (void)lane;
  for (int k = (int)begin; k < (int)end; k++) {
    const int level = level_of(keys->levels, grown(d, k));
    const Cell c = cell_at(keys->levels, level, middle(d, k));
    d->ball_key[k] = key_of(level, c.i[0], c.i[1], c.i[2]);
  }
}

/* Balls by bucket: a counting sort, ascending within a bucket. Bucket b then begins at head[b + 1]
 * and ends at head[b + 2]. */
static DlsStatus fill_table(DlsDetector *d, Levels *levels) {
  DLS_TRY(make_table(d));
  Keys keys = {d, levels};
  dls_pool_for((size_t)entries(d), ROWS_CHUNK, fill_keys, &keys);
  for (int k = 0; k < entries(d); k++) {
    levels->holds[d->ball_key[k] >> 57] = true;
    d->head[bucket_of(d, d->ball_key[k]) + 1]++;
  }
  for (int b = 0; b < d->buckets; b++) d->head[b + 1] += d->head[b];
  d->head[d->buckets + 1] = entries(d);
  for (int k = entries(d) - 1; k >= 0; k--) {
    const int entry = --d->head[bucket_of(d, d->ball_key[k]) + 1];
    d->entry[entry] = k;
    d->cell_key[entry] = d->ball_key[k];
  }
  for (int l = 0; l < LEVELS; l++)
    if (levels->holds[l]) levels->used[levels->nused++] = l;
  return DLS_OK;
}

DlsStatus dls_pairs_reserve(DlsPairs *pairs, int capacity) {
  if (capacity <= pairs->capacity) return DLS_OK;
  DLS_CHECK(capacity < 1 << 30, DLS_ERR_UNSUPPORTED,
            "detection: more than %d pairs of near spheres", pairs->capacity);
  int(*found)[2] = dls_memory_array((size_t)capacity, sizeof *found);
  int *partner = dls_memory_array((size_t)capacity, sizeof *partner);
  if (!found || !partner) {
    free(found);
    free(partner);
    return dls_fail(DLS_ERR_MEMORY, "out of memory: %d pairs of near spheres", capacity);
  }
  if (pairs->count) memcpy(found, pairs->found, (size_t)pairs->count * sizeof *found);
  free(pairs->found);
  free(pairs->partner);
  pairs->found = found;
  pairs->partner = partner;
  pairs->capacity = capacity;
  return DLS_OK;
}

static DlsStatus more_pairs(DlsPairs *pairs) {
  return dls_pairs_reserve(pairs, pairs->capacity + pairs->capacity / 2 + 1024);
}

/* Whether the boxes, each grown by its allowance, overlap. */
static bool boxes_overlap(const DlsDetector *d, int k, int other) {
  const DlsBox *a = &d->box[k], *b = &d->box[other];
  const double both = d->allowance[k] + d->allowance[other];
  for (int i = 0; i < 3; i++)
    if (fabs(a->centre[i] - b->centre[i]) > a->half[i] + b->half[i] + both) return false;
  return true;
}

/* Whether the balls, each grown by its allowance, overlap. */
static inline bool balls_overlap(const DlsDetector *d, int k, int other) {
  const DlsBall *a = &d->ball[k], *b = &d->ball[other];
  const double x = a->x[0] - b->x[0], y = a->x[1] - b->x[1], z = a->x[2] - b->x[2];
  const double sum = (a->radius + d->allowance[k]) + (b->radius + d->allowance[other]);
  return !(x * x + y * y + z * z > sum * sum);
}

/* Keeps the pair k and other if it is near: by boxes, which tell less than the balls of two balls
 * and so are not asked of a world of balls. Balls around other solids hold what is in the boxes. */
static inline DlsStatus test_pair(const DlsDetector *d, DlsPairs *out, bool boxed, const int *body,
                                  int k, int other) {
  if (boxed && !boxes_overlap(d, k, other)) return DLS_OK;
  if (!balls_overlap(d, k, other)) return DLS_OK;
  const int e = d->element[k], f = d->element[other];
  if (body[e] == body[f]) return DLS_OK;
  /* Across a border a pair comes twice, by a copy of either: by that of the second one it
   * counts. */
  if ((e < f ? k : other) >= d->count) return DLS_OK;
  if (out->count == out->capacity) DLS_TRY(more_pairs(out));
  int *pair = out->found[out->count++];
  pair[0] = e < f ? k : other;
  pair[1] = e < f ? f : e;
  return DLS_OK;
}

/* Tests ball k against the balls of one cell with numbers above `after`. */
static inline DlsStatus test_cell(const DlsDetector *d, DlsPairs *out, bool boxed, const int *body,
                                  int k, uint64_t key, int after) {
  const int bucket = bucket_of(d, key), end = d->head[bucket + 2];
  for (int entry = d->head[bucket + 1]; entry < end; entry++)
    if (d->cell_key[entry] == key && d->entry[entry] > after)
      DLS_TRY(test_pair(d, out, boxed, body, k, d->entry[entry]));
  return DLS_OK;
}

/* Half of the neighbours of the own cell, so that each pair comes once. */
static inline DlsStatus search_peers(const DlsDetector *d, DlsPairs *out, bool boxed,
                                     const Levels *levels, const int *body, int k, int level) {
  const Cell c = cell_at(levels, level, middle(d, k));
  const int64_t high = levels->dim == 3 ? 1 : 0;
  DLS_TRY(test_cell(d, out, boxed, body, k, d->ball_key[k], k));
  for (int64_t z = 0; z <= high; z++)
    for (int64_t y = z ? -1 : 0; y <= 1; y++)
      for (int64_t x = z || y ? -1 : 1; x <= 1; x++)
        DLS_TRY(test_cell(d, out, boxed, body, k, key_of(level, c.i[0] + x, c.i[1] + y, c.i[2] + z),
                          -1));
  return DLS_OK;
}

/* The balls of a block of cells, as far as `near` has room; false when it has not. */
static bool collect(const DlsDetector *d, int level, const Block *block, Nearby *near) {
  near->count = 0;
  for (int64_t z = block->low[2]; z <= block->high[2]; z++)
    for (int64_t y = block->low[1]; y <= block->high[1]; y++)
      for (int64_t x = block->low[0]; x <= block->high[0]; x++) {
        const uint64_t key = key_of(level, x, y, z);
        const int bucket = bucket_of(d, key), end = d->head[bucket + 2];
        for (int entry = d->head[bucket + 1]; entry < end; entry++) {
          if (d->cell_key[entry] != key) continue;
          if (near->count == NEARBY) return false;
          near->ball[near->count++] = d->entry[entry];
        }
      }
  return true;
}

/* Balls come in spatial order, so that the next one mostly asks for the same block of large
 * cells. */
static inline DlsStatus search_larger(const DlsDetector *d, DlsPairs *out, bool boxed,
                                      const Levels *levels, const int *body, int k, int level,
                                      Nearby *near) {
  const double reach = grown(d, k) + levels->size[level] / 2;
  Block block = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < levels->dim; i++) {
    block.low[i] = index_of(middle(d, k)[i] - reach, levels->inverse[level]);
    block.high[i] = index_of(middle(d, k)[i] + reach, levels->inverse[level]);
  }
  if (!near->valid || memcmp(&block, &near->block, sizeof block) != 0) {
    near->block = block;
    near->valid = collect(d, level, &block, near);
  }
  if (near->valid) {
    for (int n = 0; n < near->count; n++) DLS_TRY(test_pair(d, out, boxed, body, k, near->ball[n]));
    return DLS_OK;
  }
  /* Too many to keep at hand: cell by cell. */
  for (int64_t z = block.low[2]; z <= block.high[2]; z++)
    for (int64_t y = block.low[1]; y <= block.high[1]; y++)
      for (int64_t x = block.low[0]; x <= block.high[0]; x++)
        DLS_TRY(test_cell(d, out, boxed, body, k, key_of(level, x, y, z), -1));
  return DLS_OK;
}

static int compare_numbers(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Rows are short, but for a large sphere among small ones. */
static void sort_row(int count, int *row) {
  if (count > 24) {
    qsort(row, (size_t)count, sizeof *row, compare_numbers);
    return;
  }
  for (int n = 1; n < count; n++) {
    const int value = row[n];
    int place = n;
    for (; place > 0 && row[place - 1] > value; place--) row[place] = row[place - 1];
    row[place] = value;
  }
}

static void finish_rows(void *context, size_t begin, size_t end, int lane) {
  DlsDetector *d = context;
  DlsPairs *p = &d->pairs;
  (void)lane;
  for (size_t k = begin; k < end; k++) {
    sort_row(p->row[k + 1] - p->row[k], p->partner + p->row[k]);
    for (int n = p->row[k]; n < p->row[k + 1]; n++) p->partner[n] = d->place[p->partner[n]];
  }
}

/* Rows from the pairs, partners ascending by element; sorted, they become balls, which lie near
 * each other in memory where they do in space. */
static void make_rows(DlsDetector *d) {
  DlsPairs *p = &d->pairs;
  memset(p->row, 0, ((size_t)d->count + 1) * sizeof *p->row);
  for (int n = 0; n < p->count; n++) p->row[p->found[n][0] + 1]++;
  for (int k = 0; k < d->count; k++) p->row[k + 1] += p->row[k];
  for (int n = p->count - 1; n >= 0; n--) p->partner[--p->row[p->found[n][0] + 1]] = p->found[n][1];
  for (int k = 0; k < d->count; k++) p->row[k] = p->row[k + 1];
  p->row[d->count] = p->count;
  if (p->count == 0) return; /* partner may be NULL, to which not even 0 may be added */
  dls_pool_for((size_t)d->count, ROWS_CHUNK, finish_rows, d);
}

/* Balls begin .. end - 1; `boxed`, a constant where it is called, whether there are boxes. */
static inline DlsStatus search(const DlsDetector *d, bool boxed, const Levels *levels,
                               const int *body, int begin, int end, DlsPairs *out) {
  Nearby near[LEVELS];
  for (int l = 0; l < LEVELS; l++) near[l].valid = false;
  for (int k = begin; k < end; k++) {
    const int level = (int)(d->ball_key[k] >> 57);
    DLS_TRY(search_peers(d, out, boxed, levels, body, k, level));
    for (int n = 0; n < levels->nused; n++)
      if (levels->used[n] > level)
        DLS_TRY(
            search_larger(d, out, boxed, levels, body, k, levels->used[n], &near[levels->used[n]]));
  }
  return DLS_OK;
}

typedef struct {
  DlsDetector *d;
  const Levels *levels;
  const int *body;
  int first, end; /* ball of the loop's item 0; behind the last one of all loops */
} Search;

static DlsStatus search_some(const Search *s, int begin, int end, DlsPairs *out) {
  return s->d->box ? search(s->d, true, s->levels, s->body, begin, end, out)
                   : search(s->d, false, s->levels, s->body, begin, end, out);
}

static DlsStatus search_part(void *context, size_t begin, size_t end, int lane) {
  const Search *s = context;
  DlsPairs *out = &s->d->part[begin / DLS_PART_BALLS].pairs;
  (void)lane;
  out->count = 0;
  return search_some(s, s->first + (int)begin, s->first + (int)end, out);
}

/* All pairs of its balls, in the order of the list. */
static DlsStatus search_all(Search *s) {
  DlsDetector *d = s->d;
  bool parts;
  DLS_TRY(dls_parts_begin(d, &parts));
  if (!parts) return search_some(s, s->first, s->end, &d->pairs);
  for (; s->first < s->end; s->first += DLS_PARTS * DLS_PART_BALLS) {
    const int count = dls_parts_count(s->end, s->first);
    DLS_TRY(dls_pool_try((size_t)count, DLS_PART_BALLS, search_part, s));
    for (int k = 0; k * DLS_PART_BALLS < count; k++) {
      const DlsPairs *from = &d->part[k].pairs;
      while (d->pairs.count + from->count > d->pairs.capacity) DLS_TRY(more_pairs(&d->pairs));
      dls_memory_copy(d->pairs.found + d->pairs.count, from->found, (size_t)from->count,
                      sizeof *from->found);
      d->pairs.count += from->count;
    }
  }
  return DLS_OK;
}

DlsStatus dls_grid_pairs(DlsDetector *detector, const DlsWorld *world) {
  DlsDetector *d = detector;
  Levels levels;
  d->pairs.count = 0;
  if (d->count == 0) return DLS_OK;
  make_levels(d, world->dim, &levels);
  DLS_TRY(fill_table(d, &levels));
  DlsTeam *team = dls_together_team(d);
  const int rank = dls_team_rank(team), ranks = dls_team_size(team);
  Search all = {.d = d,
                .levels = &levels,
                .body = world->element_body,
                .first = dls_team_share(entries(d), DLS_PART_BALLS, rank, ranks),
                .end = dls_team_share(entries(d), DLS_PART_BALLS, rank + 1, ranks)};
  DLS_TRY(dls_together_pairs(d, team, search_all(&all)));
  make_rows(d);
  return DLS_OK;
}
