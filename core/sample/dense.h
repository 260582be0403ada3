/* A problem from a dense W, such as one that a test writes down. */
#ifndef DELASSUS_SAMPLE_DENSE_H
#define DELASSUS_SAMPLE_DENSE_H

#include <delassus/problem.h>

/* W row-major, (contacts block)² numbers, all blocks kept; the rest as in dls_problem_create(). */
DlsStatus dls_sample_dense(int dim, int contacts, int block, const double *W, const double *q,
                           const DlsRelation *relations, const DlsCustomRelation *custom,
                           DlsProblem **out);

#endif
