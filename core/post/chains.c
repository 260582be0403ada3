#include "post/chains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Sets of grains that are joined, by their roots (Tarjan); the root of a set is its smallest
 * member. */
static int root_of(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void join(int *parent, int i, int j) {
  const int a = root_of(parent, i), b = root_of(parent, j);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

void dls_chains_clear(DlsChains *chains) {
  free(chains->number);
  free(chains->size);
  memset(chains, 0, sizeof *chains);
}

static double mean_compression(const DlsPacking *g, const DlsGrainStress *s) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < g->grains; i++)
    if (!g->held[i] && s->state[i].principal[0] < 0) sum -= s->state[i].principal[0], count++;
  return count ? sum / count : 0;
}

/* Whether the line between the centres of contact c lies along the compression of both. */
static bool in_row(const DlsPacking *g, const DlsGrainStress *s, int c, double cosine) {
  const int i = g->candidate[c], j = g->antagonist[c];
  double line[3];
  for (int k = 0; k < 3; k++)
    line[k] = g->centre[j][k] - g->centre[i][k] + (g->shift ? g->shift[c][k] : 0);
  const double size = dls_vector_norm(line);
  return fabs(dls_vector_dot(line, s->state[i].axis[0])) >= cosine * size &&
         fabs(dls_vector_dot(line, s->state[j].axis[0])) >= cosine * size;
}

typedef struct {
  int root, size;
} Set;

static int larger_first(const void *a, const void *b) {
  const Set *x = a, *y = b;
  return x->size != y->size ? y->size - x->size : x->root - y->root;
}

/* Numbers the sets that are large enough, by size; `work` [grains] counts members and then holds
 * numbers. */
static DlsStatus number_sets(const DlsPacking *g, int *parent, int least, int *work,
                             DlsChains *out) {
  Set *set;
  for (int i = 0; i < g->grains; i++) work[root_of(parent, i)]++;
  for (int i = 0; i < g->grains; i++) out->count += work[i] >= least;
  DLS_NEW(set, out->count + 1);
  int n = 0;
  for (int i = 0; i < g->grains; i++) {
    if (work[i] >= least) set[n++] = (Set){i, work[i]};
    work[i] = 0;
  }
  qsort(set, (size_t)n, sizeof *set, larger_first);
  out->size = dls_memory_array((size_t)n + 1, sizeof *out->size);
  for (int k = 0; k < n && out->size; k++) {
    out->size[k] = set[k].size;
    work[set[k].root] = k + 1;
  }
  free(set);
  DLS_CHECK(out->size, DLS_ERR_MEMORY, "out of memory for %d chains", out->count);
  for (int i = 0; i < g->grains; i++) out->number[i] = work[root_of(parent, i)];
  return DLS_OK;
}

static void measure(const DlsPacking *g, const DlsGrainStress *s, DlsChains *out) {
  double all = 0, in = 0;
  int free_grains = 0, members = 0;
  for (int i = 0; i < g->grains; i++) {
    if (g->held[i]) continue;
    const double load = fmax(0, -s->state[i].principal[0]) * g->volume[i];
    free_grains++;
    all += load;
    if (out->number[i] == 0) continue;
    members++;
    in += load;
  }
  out->grains = free_grains ? (double)members / free_grains : 0;
  out->load = all > 0 ? in / all : 0;
}

/* `parent` and `work` are of the length of the grains. */
static DlsStatus find(const DlsPacking *g, const DlsGrainStress *s, DlsChainRule rule, int *parent,
                      int *work, DlsChains *out) {
  const double cosine = cos(rule.angle);
  out->mean = mean_compression(g, s);
  for (int i = 0; i < g->grains; i++) parent[i] = i;
  for (int pass = 0; pass < 2; pass++) { /* joins, then counts the links of those that stayed */
    for (int c = 0; c < g->contacts; c++) {
      const int i = g->candidate[c], j = g->antagonist[c];
      if (!(g->normal_force[c] > 0) || g->held[i] || !dls_packing_is_free(g, j)) continue;
      if (!(-s->state[i].principal[0] > out->mean) || !(-s->state[j].principal[0] > out->mean))
        continue;
      if (!in_row(g, s, c, cosine)) continue;
      if (pass == 0)
        join(parent, i, j);
      else
        out->links += out->number[i] > 0;
    }
    if (pass == 0) DLS_TRY(number_sets(g, parent, rule.least, work, out));
  }
  measure(g, s, out);
  return DLS_OK;
}

DlsStatus dls_chains(const DlsPacking *g, const DlsGrainStress *stress, const DlsChainRule *rule,
                     DlsChains *out) {
  static const DlsChainRule plain = {0.78539816339744831, 3};
  int *parent;
  DLS_NEW(parent, 2 * (size_t)g->grains);
  out->number = dls_memory_array((size_t)g->grains, sizeof *out->number);
  DlsStatus status = out->number
                         ? find(g, stress, rule ? *rule : plain, parent, parent + g->grains, out)
                         : dls_fail(DLS_ERR_MEMORY, "out of memory for force chains");
  free(parent);
  if (status != DLS_OK) dls_chains_clear(out);
  return status;
}

typedef struct {
  double force;
  int contact;
} Rank;

static int stronger_first(const void *a, const void *b) {
  const Rank *x = a, *y = b;
  if (x->force != y->force) return x->force < y->force ? 1 : -1;
  return x->contact - y->contact;
}

/* Adds contacts from the strongest on until low and high end, two nodes behind the grains, are
 * joined. */
static double percolate(const DlsPacking *g, const Rank *rank, int count, int axis, int *parent) {
  double low[3], high[3];
  const double reach = 0.5 * dls_packing_diameter(g);
  dls_packing_box(g, low, high);
  for (int i = 0; i < g->grains + 2; i++) parent[i] = i;
  for (int i = 0; i < g->grains; i++) {
    if (g->held[i]) continue;
    if (dls_packing_side(g, i, axis, -1) < low[axis] + reach) join(parent, i, g->grains);
    if (dls_packing_side(g, i, axis, 1) > high[axis] - reach) join(parent, i, g->grains + 1);
  }
  for (int k = 0; k < count; k++) {
    const int c = rank[k].contact;
    join(parent, g->candidate[c], g->antagonist[c]);
    if (root_of(parent, g->grains) == root_of(parent, g->grains + 1)) return rank[k].force;
  }
  return 0;
}

DlsStatus dls_percolation(const DlsPacking *g, double out[3]) {
  const double mean = dls_packing_mean_force(g);
  Rank *rank;
  int count = 0;
  out[0] = out[1] = out[2] = 0;
  DLS_NEW(rank, g->contacts + 1);
  for (int c = 0; c < g->contacts; c++)
    if (g->normal_force[c] > 0 && !g->held[g->candidate[c]] &&
        dls_packing_is_free(g, g->antagonist[c]))
      rank[count++] = (Rank){g->normal_force[c], c};
  qsort(rank, (size_t)count, sizeof *rank, stronger_first);
  int *parent = dls_memory_array((size_t)g->grains + 2, sizeof *parent);
  for (int axis = 0; axis < g->dim && parent && mean > 0; axis++)
    out[axis] = percolate(g, rank, count, axis, parent) / mean;
  free(rank);
  DLS_CHECK(parent, DLS_ERR_MEMORY, "out of memory for %d grains", g->grains);
  free(parent);
  return DLS_OK;
}
