#include "problem/parted.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "problem/operator/portions.h"
#include "problem/problem_impl.h"

DlsStatus dls_problem_part(const DlsProblem *p, bool *parted) {
  DlsPortions *portions;
  *parted = false;
  if (p->custom) return DLS_OK;
  DLS_TRY(dls_operator_portions(p->W, &portions));
  if (!portions || portions->parted) return DLS_OK;
  *parted = portions->parted = true;
  return DLS_OK;
}

static DlsStatus gather(const DlsPortions *portions, int block, double *vector) {
  return dls_team_gather(portions->team, vector, (size_t)block * sizeof *vector, portions->start);
}

DlsStatus dls_problem_join(const DlsProblem *p, bool parted, double *vector) {
  if (!parted) return DLS_OK;
  DlsPortions *portions = p->W->portions;
  portions->parted = false;
  return vector ? gather(portions, p->block, vector) : DLS_OK;
}

void dls_problem_stretch(const DlsProblem *p, size_t *begin, size_t *end) {
  dls_operator_stretch(p->W, begin, end);
  *begin *= (size_t)p->block;
  *end *= (size_t)p->block;
}

void dls_problem_sum(const DlsProblem *p, size_t n, int width, DlsPoolTerms terms, void *context,
                     double *sum) {
  DlsPortions *portions = dls_operator_parted(p->W);
  if (portions)
    dls_portions_sum(portions, n, width, terms, context, sum);
  else
    dls_pool_sum(n, width, terms, context, sum);
}

bool dls_problem_any(const DlsProblem *p, bool mine) {
  const DlsPortions *portions = dls_operator_parted(p->W);
  return portions ? dls_team_any(portions->team, mine) : mine;
}

DlsStatus dls_problem_suspend(const DlsProblem *p, const double *const *vector, int count,
                              double **whole) {
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  DlsPortions *portions = dls_operator_parted(p->W);
  DlsStatus status = DLS_OK;
  *whole = NULL;
  if (!portions) return DLS_OK;
  double *copy = dls_memory_array(n * (size_t)count, sizeof *copy);
  if (!copy) status = dls_fail(DLS_ERR_MEMORY, "out of memory for %d vectors", count);
  DLS_TRY(dls_team_agree(portions->team, status));
  for (int k = 0; k < count; k++) {
    memcpy(copy + n * (size_t)k, vector[k], n * sizeof *copy);
    if (status == DLS_OK) status = gather(portions, p->block, copy + n * (size_t)k);
  }
  portions->parted = false;
  *whole = copy;
  return status;
}

void dls_problem_resume(const DlsProblem *p) { p->W->portions->parted = true; }
