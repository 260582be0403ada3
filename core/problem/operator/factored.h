/* The factored form of the operator, on an inertia whose parts are all rigid and of one size. */
#ifndef DELASSUS_PROBLEM_OPERATOR_FACTORED_H
#define DELASSUS_PROBLEM_OPERATOR_FACTORED_H

#include "problem/operator/inertia_impl.h"
#include "problem/operator/operator_impl.h"

/* As dls_operator_create_factored(), with the inertia in the place of masses; it is shared. */
DlsStatus dls_operator_create_factored_on(int contacts, int block, DlsInertia *inertia,
                                          const int *start, const int *body, const double *H,
                                          DlsOperator **out);

#endif
