/* How dense W is, without assembling it. */
#include "problem/operator/operator_impl.h"

#include "base/memory.h"

#include <stdlib.h>

/* Pairs of contacts at a part, over all parts. */
static DlsStatus count_pairs(const DlsPattern *pattern, double *pairs) {
  const int entries = pattern->start[pattern->contacts];
  int *touch; /* [parts] */
  DLS_NEW(touch, pattern->parts);
  for (int k = 0; k < entries; k++) touch[pattern->part[k]]++;
  *pairs = 0;
  for (int k = 0; k < entries; k++) *pairs += touch[pattern->part[k]];
  free(touch);
  return DLS_OK;
}

DlsStatus dls_operator_count_blocks(const DlsOperator *W, double *per_row) {
  const int contacts = W->contacts;
  *per_row = contacts;
  if (contacts == 0) return DLS_OK;
  if (dls_operator_has_rows(W)) {
    *per_row = (double)dls_operator_block_rows(W).start[contacts] / contacts;
    return DLS_OK;
  }
  if (!dls_operator_has_pattern(W)) return DLS_OK;
  DlsPattern pattern;
  DLS_TRY(dls_operator_pattern(W, &pattern));
  double pairs = 0;
  const DlsStatus status = count_pairs(&pattern, &pairs);
  *per_row = pairs / contacts;
  dls_pattern_clear(&pattern);
  return status;
}
