#include "problem/operator/portions.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "problem/operator/operator_impl.h"

enum { ALL = -1, WORD = 64 };

void dls_portions_destroy(DlsPortions **portions) {
  DlsPortions *s = *portions;
  *portions = NULL;
  if (!s) return;
  for (int k = 0; s->moved && k < s->colours->colours; k++) dls_halo_destroy(s->team, &s->moved[k]);
  free(s->moved);
  free(s->start);
  free(s->owner);
  free(s->mine);
  free(s->part);
  free(s->kept);
  free(s->kept_start);
  free(s->sorted);
  free(s->first);
  free(s->row);
  free(s->row_start);
  free(s->piece);
  free(s);
}

/* A cluster that does not lie in the stretch of one rank is everybody's. */
static void share_out(DlsPortions *s) {
  const DlsColours *colours = s->colours;
  for (int k = 0; k <= s->ranks; k++)
    s->start[k] = dls_team_share(s->contacts, DLS_POOL_TERMS, k, s->ranks);
  for (int k = 0; k < colours->colours; k++)
    for (int c = colours->colour[k]; c < colours->colour[k + 1]; c++) {
      const int first = colours->contact[colours->cluster[c]];
      const int last = colours->contact[colours->cluster[c + 1] - 1];
      int rank = 0;
      while (first >= s->start[rank + 1]) rank++;
      const bool alone = colours->colour[k + 1] - colours->colour[k] == 1;
      s->owner[c] = alone || last >= s->start[rank + 1] ? ALL : rank;
    }
}

/* Clusters of one rank, by rank, and the rows in which each rank tells of its own: they follow each
 * other, and behind those of a rank is its status. */
static void sort_clusters(DlsPortions *s) {
  const int clusters = s->colours->clusters;
  for (int c = 0; c < clusters; c++)
    if (s->owner[c] != ALL) s->first[s->owner[c] + 1]++;
  for (int k = 0; k < s->ranks; k++) s->first[k + 1] += s->first[k];
  for (int c = 0; c < clusters; c++)
    if (s->owner[c] != ALL) s->sorted[s->first[s->owner[c]]++] = c;
  for (int k = s->ranks; k > 0; k--) s->first[k] = s->first[k - 1];
  s->first[0] = 0;
  for (int k = 0; k <= s->ranks; k++) s->row_start[k] = s->first[k] + k;
}

/* The ranks that have a part: a set of bits, `words` of them. */
typedef struct {
  int words;
  uint64_t *bits; /* [parts][words] */
} Havers;

static bool has(const Havers *h, int part, int rank) {
  return h->bits[(size_t)part * (size_t)h->words + (size_t)(rank / WORD)] >> (rank % WORD) & 1;
}

static void give(const Havers *h, int part, int rank) {
  h->bits[(size_t)part * (size_t)h->words + (size_t)(rank / WORD)] |= UINT64_C(1) << (rank % WORD);
}

/* The next entry of the pattern from s on, of a part that moves; -1 behind the last. */
static int next_entry(const DlsPattern *pattern, int s, int end) {
  while (s < end && pattern->fixed && pattern->fixed[s]) s++;
  return s < end ? s : -1;
}

#define FOR_PARTS_OF(colours, pattern, cluster_, part_)                                            \
  for (int at_ = (colours)->cluster[cluster_]; at_ < (colours)->cluster[(cluster_) + 1]; at_++)    \
    for (int i_ = (colours)->contact[at_], end_ = (pattern)->start[i_ + 1], part_ = 0,             \
             s_ = next_entry(pattern, (pattern)->start[i_], end_);                                 \
         s_ >= 0 && (part_ = (pattern)->part[s_], true); s_ = next_entry(pattern, s_ + 1, end_))

static void find_havers(const DlsPortions *s, const DlsPattern *pattern, const Havers *h) {
  for (int c = 0; c < s->colours->clusters; c++) {
    const int owner = s->owner[c];
    FOR_PARTS_OF(s->colours, pattern, c, part) {
      if (owner != ALL)
        give(h, part, owner);
      else
        for (int rank = 0; rank < s->ranks; rank++) give(h, part, rank);
    }
  }
  for (int part = 0; part < s->parts; part++) s->mine[part] = has(h, part, s->rank);
}

static int lowest_haver(const Havers *h, int part) {
  for (int w = 0; w < h->words; w++) {
    const uint64_t bits = h->bits[(size_t)part * (size_t)h->words + (size_t)w];
    if (bits) return w * WORD + __builtin_ctzll(bits);
  }
  return -1;
}

/* Parts by their keepers. */
static DlsStatus find_kept(DlsPortions *s, const Havers *h) {
  int *const start = s->kept_start;
  for (int p = 0; p < s->parts; p++) {
    const int keeper = lowest_haver(h, p);
    if (keeper >= 0) start[keeper + 1]++;
  }
  for (int k = 0; k < s->ranks; k++) start[k + 1] += start[k];
  DLS_NEW(s->kept, start[s->ranks]);
  for (int p = 0; p < s->parts; p++) {
    const int keeper = lowest_haver(h, p);
    if (keeper >= 0) s->kept[start[keeper]++] = p;
  }
  for (int k = s->ranks; k > 0; k--) start[k] = start[k - 1];
  start[0] = 0;
  return DLS_OK;
}

/* A growing list of rows. */
typedef struct {
  DlsHaloRow *row;
  int count, capacity;
} Rows;

static DlsStatus put(Rows *rows, int rank, int row) {
  if (rows->count == rows->capacity) {
    const int capacity = 2 * rows->capacity + 256;
    DlsHaloRow *more = realloc(rows->row, (size_t)capacity * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for a halo of %d rows", capacity);
    rows->row = more;
    rows->capacity = capacity;
  }
  rows->row[rows->count++] = (DlsHaloRow){rank, row};
  return DLS_OK;
}

static DlsStatus give_to_others(const DlsPortions *s, const Havers *h, int part, Rows *out) {
  for (int w = 0; w < h->words; w++) {
    uint64_t left = h->bits[(size_t)part * (size_t)h->words + (size_t)w];
    for (; left; left &= left - 1) {
      const int rank = w * WORD + __builtin_ctzll(left);
      if (rank != s->rank) DLS_TRY(put(out, rank, part));
    }
  }
  return DLS_OK;
}

/* Both ends go through the clusters of a colour in the same order. seen[part]: the last cluster + 1
 * that had it, so that it is told once. */
static DlsStatus find_halo(DlsPortions *s, const DlsPattern *pattern, const Havers *h, int colour,
                           int *seen, Rows *get, Rows *giving) {
  const DlsColours *colours = s->colours;
  get->count = giving->count = 0;
  for (int c = colours->colour[colour]; c < colours->colour[colour + 1]; c++) {
    const int owner = s->owner[c];
    if (owner == ALL) continue;
    FOR_PARTS_OF(colours, pattern, c, part) {
      if (!s->mine[part] || seen[part] == c + 1) continue;
      seen[part] = c + 1;
      if (owner == s->rank)
        DLS_TRY(give_to_others(s, h, part, giving));
      else
        DLS_TRY(put(get, owner, part));
    }
  }
  return dls_halo_create(s->team, get->row, get->count, giving->row, giving->count,
                         &s->moved[colour]);
}

static DlsStatus find_halos(DlsPortions *s, const DlsPattern *pattern) {
  Havers h = {.words = (s->ranks + WORD - 1) / WORD};
  Rows get = {0}, giving = {0};
  DlsStatus status = DLS_OK;
  int *seen;
  DLS_NEW(seen, s->parts);
  h.bits = dls_memory_array((size_t)s->parts * (size_t)h.words, sizeof *h.bits);
  if (h.bits)
    find_havers(s, pattern, &h);
  else
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for the ranks of %d parts", s->parts);
  if (status == DLS_OK) status = find_kept(s, &h);
  for (int k = 0; k < s->colours->colours && status == DLS_OK; k++)
    status = find_halo(s, pattern, &h, k, seen, &get, &giving);
  free(get.row);
  free(giving.row);
  free(h.bits);
  free(seen);
  return status;
}

static DlsStatus fill(DlsPortions *s, const DlsOperator *W) {
  const size_t clusters = (size_t)s->colours->clusters, ranks = (size_t)s->ranks;
  const size_t pieces = (size_t)s->contacts / DLS_POOL_TERMS + 1;
  DlsPattern pattern;
  DLS_NEW(s->start, ranks + 1);
  DLS_NEW(s->owner, clusters);
  DLS_NEW(s->moved, s->colours->colours);
  DLS_NEW(s->sorted, clusters);
  DLS_NEW(s->first, ranks + 1);
  DLS_NEW(s->row, (clusters + ranks) * DLS_POOL_WIDTH);
  DLS_NEW(s->row_start, 2 * (ranks + 1)); /* those of a sum behind them */
  DLS_NEW(s->piece, pieces * DLS_POOL_WIDTH);
  DLS_NEW(s->kept_start, ranks + 1);
  share_out(s);
  sort_clusters(s);
  DLS_TRY(dls_operator_pattern(W, &pattern));
  s->parts = pattern.parts;
  s->mine = dls_memory_array((size_t)s->parts, sizeof *s->mine);
  const DlsStatus status = s->mine
                               ? find_halos(s, &pattern)
                               : dls_fail(DLS_ERR_MEMORY, "out of memory for the parts of a rank");
  dls_pattern_clear(&pattern);
  DLS_TRY(status);
  for (int p = 0; p < s->parts; p++) s->own += s->mine[p];
  DLS_NEW(s->part, s->own);
  for (int p = 0, n = 0; p < s->parts; p++)
    if (s->mine[p]) s->part[n++] = p;
  return DLS_OK;
}

DlsStatus dls_operator_portions(const DlsOperator *W, DlsPortions **out) {
  DlsTeam *team = dls_team_here();
  const DlsColours *colours;
  DlsPortions *s;
  *out = W->portions;
  if (W->portions || !team || W->contacts < DLS_PORTIONS_FROM || !W->does->parts_alike)
    return DLS_OK;
  DLS_TRY(dls_operator_colours(W, &colours));
  if (!colours) return DLS_OK;
  DLS_NEW(s, 1);
  s->team = team;
  s->rank = dls_team_rank(team), s->ranks = dls_team_size(team);
  s->contacts = W->contacts;
  s->colours = colours;
  DlsStatus status = dls_team_agree(team, fill(s, W));
  if (status == DLS_OK)
    ((DlsOperator *)(uintptr_t)W)->portions = *out = s; /* beside its value, as its colours are */
  else
    dls_portions_destroy(&s);
  return status;
}

DlsPortions *dls_operator_parted(const DlsOperator *W) {
  return W->portions && W->portions->parted ? W->portions : NULL;
}

void dls_operator_stretch(const DlsOperator *W, size_t *begin, size_t *end) {
  const DlsPortions *s = dls_operator_parted(W);
  *begin = s ? (size_t)s->start[s->rank] : 0;
  *end = s ? (size_t)s->start[s->rank + 1] : (size_t)W->contacts;
}

void dls_portions_clear(const DlsPortions *s, void *rows, size_t bytes) {
  for (int n = 0; n < s->own; n++) memset((char *)rows + (size_t)s->part[n] * bytes, 0, bytes);
}

DlsStatus dls_portions_gather(const DlsPortions *s, void *rows, size_t bytes) {
  const int *start = s->kept_start;
  char *room;
  DLS_NEW(room, (size_t)start[s->ranks] * bytes);
  for (int n = start[s->rank]; n < start[s->rank + 1]; n++)
    memcpy(room + (size_t)n * bytes, (char *)rows + (size_t)s->kept[n] * bytes, bytes);
  const DlsStatus status = dls_team_gather(s->team, room, bytes, start);
  for (int n = 0; n < start[s->ranks]; n++)
    memcpy((char *)rows + (size_t)s->kept[n] * bytes, room + (size_t)n * bytes, bytes);
  free(room);
  return status;
}

/* A pass of this rank. */
typedef struct {
  DlsPortions *portions;
  DlsClusterWork work;
  void *context;
  DlsSharedRows rows[2];
} Pass;

static DlsStatus do_cluster(void *context, int cluster) {
  const Pass *pass = context;
  return dls_portions_does(pass->portions, cluster) ? pass->work(pass->context, cluster) : DLS_OK;
}

static DlsStatus after_colour(void *context, int colour) {
  Pass *pass = context;
  DlsPortions *s = pass->portions;
  s->done++;
  for (int k = 0; k < 2; k++)
    if (pass->rows[k].rows)
      DLS_TRY(
          dls_halo_exchange(s->team, s->moved[colour], pass->rows[k].rows, pass->rows[k].bytes));
  return DLS_OK;
}

/* A rank whose work fails has left the colours; the others wait for it behind each. */
static DlsStatus exchange_what_is_left(Pass *pass, bool backwards) {
  DlsPortions *s = pass->portions;
  const int colours = s->colours->colours;
  while (s->done < colours)
    DLS_TRY(after_colour(pass, backwards ? colours - 1 - s->done : s->done));
  return DLS_OK;
}

DlsStatus dls_portions_each(DlsPortions *portions, bool backwards, int worth, DlsClusterWork work,
                            void *context, DlsSharedRows first, DlsSharedRows second) {
  Pass pass = {portions, work, context, {first, second}};
  const DlsColourSeam seam = {.after = after_colour, .context = &pass};
  portions->done = 0;
  const DlsStatus mine =
      dls_colours_each(portions->colours, backwards, worth, do_cluster, &pass, &seam);
  const DlsStatus left = exchange_what_is_left(&pass, backwards);
  return mine != DLS_OK ? mine : left;
}

DlsStatus dls_portions_each_run(DlsPortions *portions, bool backwards, int worth, int together,
                                DlsClustersWork work, void *context, DlsSharedRows rows) {
  Pass pass = {.portions = portions, .rows = {rows}};
  const DlsColourSeam seam = {.after = after_colour, .context = &pass};
  portions->done = 0;
  const DlsStatus mine =
      dls_colours_each_run(portions->colours, backwards, worth, together, work, context, &seam);
  const DlsStatus left = exchange_what_is_left(&pass, backwards);
  return mine != DLS_OK ? mine : left;
}

DlsStatus dls_portions_tell(DlsPortions *s, void *told, size_t bytes, DlsStatus mine) {
  char *const row = (char *)s->row, *const of_cluster = told;
  double status = mine;
  bool failed = false;
  for (int n = s->first[s->rank]; n < s->first[s->rank + 1]; n++)
    memcpy(row + (size_t)(n + s->rank) * bytes, of_cluster + (size_t)s->sorted[n] * bytes, bytes);
  memcpy(row + (size_t)(s->row_start[s->rank + 1] - 1) * bytes, &status, sizeof status);
  DLS_TRY(dls_team_gather(s->team, row, bytes, s->row_start));
  for (int rank = 0; rank < s->ranks; rank++) {
    for (int n = s->first[rank]; n < s->first[rank + 1]; n++)
      memcpy(of_cluster + (size_t)s->sorted[n] * bytes, row + (size_t)(n + rank) * bytes, bytes);
    memcpy(&status, row + (size_t)(s->row_start[rank + 1] - 1) * bytes, sizeof status);
    failed |= status != DLS_OK;
  }
  return failed ? dls_team_agree(s->team, mine) : DLS_OK;
}

/* Chunks of a sum. */
typedef struct {
  DlsPoolTerms terms;
  void *context;
  size_t n, first; /* terms; the first chunk of this rank */
  int width;
  double *piece;
} Sum;

static void add_chunks(void *context, size_t begin, size_t end, int lane) {
  const Sum *sum = context;
  (void)lane;
  for (size_t k = sum->first + begin; k < sum->first + end; k++) {
    const size_t from = k * DLS_POOL_TERMS;
    const size_t to = sum->n - from > DLS_POOL_TERMS ? from + DLS_POOL_TERMS : sum->n;
    double *piece = sum->piece + k * (size_t)sum->width;
    for (int i = 0; i < sum->width; i++) piece[i] = 0;
    sum->terms(sum->context, from, to, piece);
  }
}

void dls_portions_sum(DlsPortions *s, size_t n, int width, DlsPoolTerms terms, void *context,
                      double *sum) {
  const size_t each = n / (size_t)s->contacts, together = 8;
  const size_t chunks = (n + DLS_POOL_TERMS - 1) / DLS_POOL_TERMS;
  int *const start = s->row_start + s->ranks + 1;
  for (int k = 0; k <= s->ranks; k++)
    start[k] = (int)(((size_t)s->start[k] * each + DLS_POOL_TERMS - 1) / DLS_POOL_TERMS);
  Sum mine = {terms, context, n, (size_t)start[s->rank], width, s->piece};
  dls_pool_for((size_t)(start[s->rank + 1] - start[s->rank]), together, add_chunks, &mine);
  (void)dls_team_gather(s->team, s->piece, (size_t)width * sizeof *s->piece, start);
  for (int i = 0; i < width; i++) sum[i] = 0;
  for (size_t k = 0; k < chunks; k++)
    for (int i = 0; i < width; i++) sum[i] += s->piece[k * (size_t)width + (size_t)i];
}
