/* The coupled form of the operator: W = H M^-1 H^T on an inertia of any parts, for deformable
 * bodies, alone or among rigid ones. */
#ifndef DELASSUS_PROBLEM_OPERATOR_COUPLED_H
#define DELASSUS_PROBLEM_OPERATOR_COUPLED_H

#include "problem/operator/inertia_impl.h"
#include "problem/operator/operator_impl.h"

/* The inertia is shared; H, (contacts block) x freedom and checked, is taken over, also on failure:
 * it is empty then. */
DlsStatus dls_operator_create_coupled(int contacts, int block, DlsInertia *inertia, DlsSparse *H,
                                      DlsOperator **out);

#endif
