/* What a solve did, in one number. */
#include <delassus/solver.h>

#include "base/ledger.h"
#include "problem/operator/operator_impl.h"

void dls_work_add(DlsWork *sum, const DlsWork *work) {
#define ADD(name) sum->name += work->name;
  DLS_WORK_LIST(ADD)
#undef ADD
}

void dls_work_count(long rows, long contacts, long flops) {
  dls_ledger.rows += rows;
  dls_ledger.contacts += contacts;
  dls_ledger.flops += flops;
}

DlsStatus dls_work_price(const DlsProblem *problem, DlsWorkPrice *out) {
  const double block = dls_problem_block(problem);
  double blocks;
  DLS_TRY(dls_operator_count_blocks(dls_problem_operator(problem), &blocks));
  out->row = 2 * block * block * blocks;
  out->contact = DLS_CONTACT_FLOPS(block);
  out->product = dls_problem_contacts(problem) * out->row;
  return DLS_OK;
}

double dls_work_units(const DlsWorkPrice *price, const DlsWork *work) {
  const double flops = (double)work->rows_applied * price->row +
                       (double)work->contacts_solved * price->contact + (double)work->factor_flops;
  return price->product > 0 ? flops / price->product : 0;
}
