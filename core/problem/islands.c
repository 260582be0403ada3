/* Islands by union and find: contacts are nodes, couplings are edges; of each tree the lowest
 * number is the root, so that islands come out in the order of their first contacts. */
#include <delassus/islands.h>

#include <stdlib.h>

#include "base/memory.h"

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

/* The first contact of each body speaks for the body. */
static DlsStatus join_supports(const DlsSupports *W, int *parent) {
  int *first = NULL;
  DLS_NEW(first, W->bodies);
  for (int k = 0; k < W->bodies; k++) first[k] = -1;
  for (int i = 0; i < W->contacts; i++)
    for (int s = W->start[i]; s < W->start[i + 1]; s++) {
      int *speaker = &first[W->body[s]];
      if (*speaker < 0) *speaker = i;
      join(parent, i, *speaker);
    }
  free(first);
  return DLS_OK;
}

/* The same between spheres; the ground and bodies that are fixed couple nothing. */
static DlsStatus join_spheres(const DlsSpheres *W, int *parent) {
  int *first = NULL;
  DLS_NEW(first, W->bodies + 1);
  for (int k = 0; k <= W->bodies; k++) first[k] = -1;
  for (int i = 0; i < W->contacts; i++)
    for (int k = 0; k < 2; k++) {
      const DlsSphereContact *contact = &W->contact[i];
      if (contact->move[k] == 0 && contact->turn[k] == 0) continue;
      int *speaker = &first[contact->body[k]];
      if (*speaker < 0) *speaker = i;
      join(parent, i, *speaker);
    }
  free(first);
  return DLS_OK;
}

static DlsStatus join_all(const DlsOperator *W, int *parent) {
  DlsOperator *assembled = NULL;
  if (dls_operator_form(W) == DLS_FORM_FACTORED) {
    const DlsSupports supports = dls_operator_supports(W);
    return join_supports(&supports, parent);
  }
  if (dls_operator_form(W) == DLS_FORM_SPHERES) {
    const DlsSpheres spheres = dls_operator_spheres(W);
    return join_spheres(&spheres, parent);
  }
  if (dls_operator_form(W) != DLS_FORM_ASSEMBLED) {
    DLS_TRY(dls_operator_assemble(W, &assembled));
    W = assembled;
  }
  const DlsBlockRows rows = dls_operator_block_rows(W);
  join_block_rows(&rows, parent);
  dls_operator_destroy(&assembled);
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
