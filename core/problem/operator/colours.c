/* Colours by the greedy rule: clusters in their order, each the lowest colour that none of those
 * before that it meets has. What meets is told by the bodies, or by the blocks of W where the
 * operator knows no bodies. */
#include "problem/operator/colours.h"

#include "base/memory.h"
#include "base/pool.h"
#include "problem/operator/portions.h"

#include <stdint.h>
#include <stdlib.h>

/* Colours of a 64-bit set; a cluster that finds none of them free joins the large parts. */
enum { MOST = 64, NONE = MOST };

/* What is known on the way. */
typedef struct {
  int contacts, size, clusters;
  int *colour;    /* [clusters]: or NONE */
  uint8_t *apart; /* [contacts]: of a large part */
} Draft;

static int lowest_free(uint64_t taken) { return ~taken ? __builtin_ctzll(~taken) : NONE; }

static int cluster_begin(const Draft *d, int cluster) { return cluster * d->size; }

static int cluster_end(const Draft *d, int cluster) {
  const int end = (cluster + 1) * d->size;
  return end < d->contacts ? end : d->contacts;
}

static bool moves(const DlsPattern *pattern, int s) {
  return !pattern->fixed || !pattern->fixed[s];
}

/* The contacts of parts that more than DLS_COLOURS_LARGE clusters touch. */
static void set_large_apart(const DlsPattern *pattern, int *last, int *count, Draft *d) {
  for (int k = 0; k < pattern->parts; k++) last[k] = -1;
  for (int i = 0; i < d->contacts; i++)
    for (int s = pattern->start[i]; s < pattern->start[i + 1]; s++) {
      const int part = pattern->part[s];
      if (!moves(pattern, s) || last[part] == i / d->size) continue;
      last[part] = i / d->size;
      count[part]++;
    }
  for (int i = 0; i < d->contacts; i++)
    for (int s = pattern->start[i]; s < pattern->start[i + 1]; s++)
      if (moves(pattern, s) && count[pattern->part[s]] > DLS_COLOURS_LARGE) d->apart[i] = 1;
}

/* taken[part]: the colours of the clusters that touch the part. */
static void colour_by_parts(const DlsPattern *pattern, uint64_t *taken, Draft *d) {
  for (int c = 0; c < d->clusters; c++) {
    uint64_t met = 0;
    for (int i = cluster_begin(d, c); i < cluster_end(d, c); i++)
      for (int s = pattern->start[i]; s < pattern->start[i + 1] && !d->apart[i]; s++)
        if (moves(pattern, s)) met |= taken[pattern->part[s]];
    d->colour[c] = lowest_free(met);
    for (int i = cluster_begin(d, c); i < cluster_end(d, c); i++)
      for (int s = pattern->start[i]; s < pattern->start[i + 1] && !d->apart[i]; s++)
        if (moves(pattern, s) && d->colour[c] < MOST)
          taken[pattern->part[s]] |= UINT64_C(1) << d->colour[c];
  }
}

static DlsStatus draft_by_parts(const void *told, Draft *d) {
  const DlsPattern *pattern = told;
  int *last;
  uint64_t *taken;
  DLS_NEW(last, 2 * (size_t)pattern->parts);
  set_large_apart(pattern, last, last + pattern->parts, d);
  free(last);
  DLS_NEW(taken, pattern->parts);
  colour_by_parts(pattern, taken, d);
  free(taken);
  return DLS_OK;
}

/* taken[j]: the colours of the clusters that read the reaction of contact j. Both ways count: W
 * need not have a block ji for its block ij. */
static DlsStatus draft_by_rows(const void *told, Draft *d) {
  const DlsBlockRows *W = told;
  uint64_t *taken;
  DLS_NEW(taken, d->contacts);
  for (int c = 0; c < d->clusters; c++) {
    uint64_t met = 0;
    for (int i = cluster_begin(d, c); i < cluster_end(d, c); i++) {
      met |= taken[i];
      for (int k = W->start[i]; k < W->start[i + 1]; k++) {
        const int other = W->column[k] / d->size;
        if (other < c && d->colour[other] < MOST) met |= UINT64_C(1) << d->colour[other];
      }
    }
    d->colour[c] = lowest_free(met);
    for (int i = cluster_begin(d, c); i < cluster_end(d, c) && d->colour[c] < MOST; i++)
      for (int k = W->start[i]; k < W->start[i + 1]; k++)
        taken[W->column[k]] |= UINT64_C(1) << d->colour[c];
  }
  free(taken);
  return DLS_OK;
}

/* Clusters by colour, each in its order; then those of what stands apart. */
static void write_down(const Draft *d, DlsColours *out) {
  int next = 0;
  for (int colour = 0; colour < MOST; colour++) {
    const int before = out->clusters;
    for (int c = 0; c < d->clusters; c++) {
      const int begin = next;
      for (int i = cluster_begin(d, c); i < cluster_end(d, c) && d->colour[c] == colour; i++)
        if (!d->apart[i]) out->contact[next++] = i;
      if (next > begin) out->cluster[++out->clusters] = next;
    }
    if (out->clusters > before) out->colour[++out->colours] = out->clusters;
  }
  for (int i = 0, size = 0; i < d->contacts; i++) {
    if (!d->apart[i] && d->colour[i / d->size] != NONE) continue;
    if (size == 0) {
      out->clusters++;
      out->colour[++out->colours] = out->clusters;
    }
    out->contact[next++] = i;
    out->cluster[out->clusters] = next;
    size = size + 1 < d->size ? size + 1 : 0;
  }
}

/* A cluster belongs to the zone of its first contact. */
static DlsStatus find_zones(DlsColours *out) {
  DLS_NEW(out->zone, (size_t)out->colours * (DLS_COLOURS_ZONES + 1));
  for (int k = 0; k < out->colours; k++) {
    int *zone = out->zone + (size_t)k * (DLS_COLOURS_ZONES + 1), cluster = out->colour[k];
    for (int z = 0; z <= DLS_COLOURS_ZONES; z++) {
      const long first = (long)z * out->contacts / DLS_COLOURS_ZONES;
      while (cluster < out->colour[k + 1] && out->contact[out->cluster[cluster]] < first) cluster++;
      zone[z] = z < DLS_COLOURS_ZONES ? cluster : out->colour[k + 1];
    }
  }
  return DLS_OK;
}

/* Each cluster of the draft may leave some that stand apart: as many again at most, and one that
 * is not full; of the colours MOST are of clusters of the draft. */
static DlsStatus find(int contacts, int size, DlsStatus (*draft)(const void *told, Draft *d),
                      const void *told, DlsColours *out) {
  const int clusters = (contacts + size - 1) / size;
  const size_t most = 2 * (size_t)clusters + 2;
  *out = (DlsColours){.contacts = contacts};
  DLS_NEW(out->contact, (size_t)contacts + 2 * most);
  out->cluster = out->contact + contacts;
  out->colour = out->cluster + most;
  Draft d = {.contacts = contacts, .size = size, .clusters = clusters};
  d.colour = dls_memory_array((size_t)clusters, sizeof *d.colour);
  d.apart = dls_memory_array((size_t)contacts, sizeof *d.apart);
  DlsStatus status =
      d.colour && d.apart
          ? draft(told, &d)
          : dls_fail(DLS_ERR_MEMORY, "out of memory for the colours of %d contacts", contacts);
  if (status == DLS_OK) {
    write_down(&d, out);
    status = find_zones(out);
  }
  free(d.colour);
  free(d.apart);
  if (status != DLS_OK) dls_colours_clear(out);
  return status;
}

DlsStatus dls_colours_of_parts(const DlsPattern *pattern, int size, DlsColours *out) {
  return find(pattern->contacts, size, draft_by_parts, pattern, out);
}

DlsStatus dls_colours_of_rows(const DlsBlockRows *W, int size, DlsColours *out) {
  return find(W->contacts, size, draft_by_rows, W, out);
}

void dls_colours_clear(DlsColours *colours) {
  free(colours->contact);
  free(colours->zone);
  *colours = (DlsColours){0};
}

static DlsStatus make_own(DlsOperator *W) {
  DlsPattern pattern;
  DlsColours *own;
  DLS_TRY(dls_operator_pattern(W, &pattern));
  DlsStatus status = DLS_OK;
  own = dls_memory_array(1, sizeof *own);
  if (own)
    status = dls_colours_of_parts(&pattern, DLS_COLOURS_CLUSTER, own);
  else
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for the colours of %d contacts", W->contacts);
  dls_pattern_clear(&pattern);
  if (status == DLS_OK)
    W->colours = own;
  else
    free(own);
  return status;
}

DlsStatus dls_operator_colours(const DlsOperator *W, const DlsColours **out) {
  *out = NULL;
  if (W->contacts < DLS_COLOURS_FROM || !dls_operator_has_parts(W)) return DLS_OK;
  /* Kept beside what they are made of, which does not change: no part of its value. */
  if (!W->colours) DLS_TRY(make_own((DlsOperator *)(uintptr_t)W));
  *out = W->colours;
  return DLS_OK;
}

typedef struct {
  DlsClusterWork work;
  void *context;
  const int *zone; /* of the colour */
} Colour;

static DlsStatus do_zones(void *context, size_t begin, size_t end, int lane) {
  const Colour *colour = context;
  (void)lane;
  for (int c = colour->zone[begin]; c < colour->zone[end]; c++)
    DLS_TRY(colour->work(colour->context, c));
  return DLS_OK;
}

static DlsStatus do_colour(const DlsColours *colours, int k, int worth, DlsClusterWork work,
                           void *context) {
  const int contacts =
      colours->cluster[colours->colour[k + 1]] - colours->cluster[colours->colour[k]];
  Colour colour = {work, context, colours->zone + (size_t)k * (DLS_COLOURS_ZONES + 1)};
  if (contacts < worth) return do_zones(&colour, 0, DLS_COLOURS_ZONES, 0);
  return dls_pool_try(DLS_COLOURS_ZONES, 1, do_zones, &colour);
}

DlsStatus dls_colours_each(const DlsColours *colours, bool backwards, int worth,
                           DlsClusterWork work, void *context, const DlsColourSeam *seam) {
  for (int n = 0; n < colours->colours; n++) {
    const int k = backwards ? colours->colours - 1 - n : n;
    if (seam && seam->before) DLS_TRY(seam->before(seam->context, k));
    DLS_TRY(do_colour(colours, k, worth, work, context));
    if (seam && seam->after) DLS_TRY(seam->after(seam->context, k));
  }
  return DLS_OK;
}

/* Clusters of a colour in pieces, the same but for one that all threads have. */
typedef struct {
  DlsClustersWork work;
  void *context;
  int first, count, pieces;
} Run;

static int piece_begin(const Run *run, size_t piece) {
  return (int)((long)piece * run->count / run->pieces);
}

static DlsStatus do_pieces(void *context, size_t begin, size_t end, int lane) {
  const Run *run = context;
  (void)lane;
  for (size_t k = begin; k < end; k++) {
    const int from = piece_begin(run, k), to = piece_begin(run, k + 1);
    DLS_TRY(run->work(run->context, run->first + from, to - from));
  }
  return DLS_OK;
}

/* As many pieces as threads; several for each, so that one that is late is helped, where they are
 * large enough. */
static int pieces_of(int clusters, int together) {
  enum { EACH = 4 };
  const int threads = dls_pool_threads(), packs = (clusters + together - 1) / together;
  if (packs < threads) return packs;
  return packs < 2 * EACH * threads ? threads : EACH * threads;
}

static DlsStatus do_run(const DlsColours *colours, int k, int worth, int together,
                        DlsClustersWork work, void *context) {
  const int first = colours->colour[k], count = colours->colour[k + 1] - first;
  const int contacts = colours->cluster[first + count] - colours->cluster[first];
  Run run = {work, context, first, count, pieces_of(count, together)};
  if (contacts < worth || run.pieces < 2) return work(context, first, count);
  return dls_pool_try((size_t)run.pieces, 1, do_pieces, &run);
}

DlsStatus dls_colours_each_run(const DlsColours *colours, bool backwards, int worth, int together,
                               DlsClustersWork work, void *context, const DlsColourSeam *seam) {
  for (int n = 0; n < colours->colours; n++) {
    const int k = backwards ? colours->colours - 1 - n : n;
    if (seam && seam->before) DLS_TRY(seam->before(seam->context, k));
    DLS_TRY(do_run(colours, k, worth, together, work, context));
    if (seam && seam->after) DLS_TRY(seam->after(seam->context, k));
  }
  return DLS_OK;
}

typedef struct {
  const DlsColours *colours;
  DlsContactsWork work;
  void *context;
} Scatter;

static DlsStatus scatter_cluster(void *context, int cluster) {
  const Scatter *all = context;
  const int begin = all->colours->cluster[cluster], end = all->colours->cluster[cluster + 1];
  all->work(all->context, all->colours->contact + begin, end - begin);
  return DLS_OK;
}

void dls_operator_scatter(const DlsOperator *W, DlsContactsWork work, void *context, void *parts,
                          size_t bytes) {
  Scatter all = {.work = work, .context = context};
  DlsPortions *portions = dls_operator_parted(W);
  /* Where there is no memory for colours the sums are added in another order, and no worse. */
  (void)dls_operator_colours(W, &all.colours);
  if (portions)
    (void)dls_portions_each(portions, false, DLS_WORTH_ADDING, scatter_cluster, &all,
                            (DlsSharedRows){parts, bytes}, (DlsSharedRows){NULL, 0});
  else if (all.colours)
    (void)dls_colours_each(all.colours, false, DLS_WORTH_ADDING, scatter_cluster, &all, NULL);
  else
    work(context, NULL, W->contacts);
}
