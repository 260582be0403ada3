/* The coupled form of the operator: W = H M^-1 H^T with a sparse M, for deformable bodies. */
#ifndef DELASSUS_PROBLEM_OPERATOR_COUPLED_H
#define DELASSUS_PROBLEM_OPERATOR_COUPLED_H

#include "problem/operator/operator_impl.h"

/* M and H, already checked, are copied or factored. */
DlsStatus dls_operator_create_coupled(int contacts, int block, const DlsSparse *M,
                                      const DlsSparse *H, DlsOperator **out);

#endif
