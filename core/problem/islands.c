/* Islands by union and find: contacts are nodes, couplings are edges; of each tree the lowest
 * number is the root, so that islands come out in the order of their first contacts. */
#include <delassus/islands.h>

#include <stdlib.h>

#include "base/memory.h"
#include "problem/operator/operator_impl.h"

static int root_of(int *parent, int node) {
  while (parent[node] != node) {
    parent[node] = parent[parent[node]];
    node = parent[node];
  }
  return node;
}

static void join(int *parent, int a, int b) {
  const int ra = root_of(parent, a), rb = root_of(parent, b);
  if (ra < rb)
    parent[rb] = ra;
  else
    parent[ra] = rb;
}

static int is_zero(const double *block, int n) {
  for (int k = 0; k < n; k++)
    if (block[k] != 0) return 0;
  return 1;
}

static void join_block_rows(const DlsBlockRows *W, int *parent) {
  const int n = W->block * W->block;
  for (int i = 0; i < W->contacts; i++)
    for (int k = W->start[i]; k < W->start[i + 1]; k++)
      if (!is_zero(W->value + (size_t)k * (size_t)n, n)) join(parent, i, W->column[k]);
}

/* The first contact of each part speaks for the part; one that never moves couples nothing. */
static DlsStatus join_parts(const DlsPattern *W, int *parent) {
  int *first = NULL;
  DLS_NEW(first, W->parts);
  for (int k = 0; k < W->parts; k++) first[k] = -1;
  for (int i = 0; i < W->contacts; i++)
    for (int s = W->start[i]; s < W->start[i + 1]; s++) {
      if (W->fixed && W->fixed[s]) continue;
      int *speaker = &first[W->part[s]];
      if (*speaker < 0) *speaker = i;
      join(parent, i, *speaker);
    }
  free(first);
  return DLS_OK;
}

/* By the parts that contacts touch, or by the blocks of W. */
static DlsStatus join_all(const DlsOperator *W, int *parent) {
  if (dls_operator_has_pattern(W)) {
    DlsPattern pattern;
    DLS_TRY(dls_operator_pattern(W, &pattern));
    const DlsStatus status = join_parts(&pattern, parent);
    dls_pattern_clear(&pattern);
    return status;
  }
  DlsOperator *own;
  DlsBlockRows rows;
  DLS_TRY(dls_operator_rows(W, &own, &rows));
  join_block_rows(&rows, parent);
  dls_operator_destroy(&own);
  return DLS_OK;
}

DlsStatus dls_islands_find(const DlsOperator *W, int *island, int *count) {
  const int contacts = dls_operator_contacts(W);
  int *parent = NULL;
  *count = 0;
  DLS_NEW(parent, contacts);
  for (int i = 0; i < contacts; i++) parent[i] = i;
  const DlsStatus status = join_all(W, parent);
  for (int i = 0; i < contacts && status == DLS_OK; i++) {
    const int root = root_of(parent, i);
    island[i] = root == i ? (*count)++ : island[root];
  }
  free(parent);
  return status;
}
