/* The operator of rows and an inertia: rigid parts of one size give the factored form, all else the
 * coupled one. */
#include "base/memory.h"
#include "problem/operator/coupled.h"
#include "problem/operator/factored.h"
#include "problem/operator/sparse.h"

#include <delassus/relation.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static DlsStatus check(const DlsContactRows *H, const DlsInertia *inertia) {
  const int parts = dls_inertia_parts(inertia);
  DLS_TRY(dls_operator_check_shape(H->contacts, H->block));
  DLS_CHECK(H->start[0] == 0 && H->first[0] == 0, DLS_ERR_ARGUMENT,
            "the rows of contacts start at %d and %d, not 0", H->start[0], H->first[0]);
  for (int i = 0; i < H->contacts; i++) {
    DLS_CHECK(H->start[i + 1] >= H->start[i], DLS_ERR_ARGUMENT, "contact %d touches %d parts", i,
              H->start[i + 1] - H->start[i]);
    for (int e = H->start[i]; e < H->start[i + 1]; e++) {
      DLS_CHECK(H->part[e] >= 0 && H->part[e] < parts, DLS_ERR_ARGUMENT,
                "contact %d touches part %d, outside 0..%d", i, H->part[e], parts - 1);
      DLS_CHECK(H->first[e + 1] >= H->first[e] &&
                    H->first[e + 1] <= INT_MAX / (H->block * H->block),
                DLS_ERR_ARGUMENT, "contact %d: entry %d ends at %d, which is not possible", i, e,
                H->first[e + 1]);
      const int freedom =
          dls_inertia_start(inertia, H->part[e] + 1) - dls_inertia_start(inertia, H->part[e]);
      for (int c = H->first[e]; c < H->first[e + 1]; c++) {
        DLS_CHECK(H->velocity[c] >= 0 && H->velocity[c] < freedom, DLS_ERR_ARGUMENT,
                  "contact %d moves velocity %d of part %d, outside 0..%d", i, H->velocity[c],
                  H->part[e], freedom - 1);
        for (int k = 0; k < H->block; k++)
          DLS_CHECK(isfinite(H->weight[c * H->block + k]), DLS_ERR_NUMERIC,
                    "contact %d has a weight on part %d that is not finite", i, H->part[e]);
      }
    }
  }
  return DLS_OK;
}

/* Dense block x dof pieces, one per entry. */
static DlsStatus create_factored(const DlsContactRows *H, DlsInertia *inertia, int dof,
                                 DlsOperator **out) {
  const size_t entries = (size_t)H->start[H->contacts], size = (size_t)(H->block * dof);
  double *dense;
  DLS_NEW(dense, entries * size);
  for (size_t e = 0; e < entries; e++)
    for (int c = H->first[e]; c < H->first[e + 1]; c++)
      for (int k = 0; k < H->block; k++)
        dense[e * size + (size_t)(k * dof + H->velocity[c])] += H->weight[c * H->block + k];
  const DlsStatus status = dls_operator_create_factored_on(H->contacts, H->block, inertia, H->start,
                                                           H->part, dense, out);
  free(dense);
  return status;
}

/* H by scalar rows over all velocities. */
typedef struct {
  int count, *row, *column;
  double *value;
} Entries;

static DlsStatus collect(const DlsContactRows *H, const DlsInertia *inertia, Entries *a,
                         DlsSparse *out) {
  const size_t most = (size_t)H->first[H->start[H->contacts]] * (size_t)H->block;
  DLS_NEW(a->row, most);
  DLS_NEW(a->column, most);
  DLS_NEW(a->value, most);
  for (int i = 0; i < H->contacts; i++)
    for (int e = H->start[i]; e < H->start[i + 1]; e++)
      for (int c = H->first[e]; c < H->first[e + 1]; c++)
        for (int k = 0; k < H->block; k++) {
          a->row[a->count] = i * H->block + k;
          a->column[a->count] = dls_inertia_start(inertia, H->part[e]) + H->velocity[c];
          a->value[a->count++] = H->weight[c * H->block + k];
        }
  return dls_sparse_from_triplets(H->contacts * H->block, dls_inertia_freedom(inertia), a->count,
                                  a->row, a->column, a->value, out);
}

static DlsStatus create_coupled(const DlsContactRows *H, DlsInertia *inertia, DlsOperator **out) {
  Entries entries = {0};
  DlsSparse rows = {0};
  DlsStatus status = collect(H, inertia, &entries, &rows);
  free(entries.row);
  free(entries.column);
  free(entries.value);
  if (status == DLS_OK)
    status = dls_operator_create_coupled(H->contacts, H->block, inertia, &rows, out);
  return status;
}

DlsStatus dls_operator_create(const DlsContactRows *H, DlsInertia *inertia, DlsOperator **out) {
  int parts, dof;
  bool symmetric;
  *out = NULL;
  DLS_TRY(check(H, inertia));
  if (dls_inertia_rigid(inertia, &parts, &dof, &symmetric))
    return create_factored(H, inertia, dof, out);
  return create_coupled(H, inertia, out);
}
