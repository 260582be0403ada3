/* A problem whose vectors are spread over the ranks of a team (base/team.h). While it is parted, of
 * arrays [contacts][block] each rank reads and writes what belongs to its stretch of the contacts,
 * and to contacts of large bodies, which all do; sums over contacts are those of all, the same bits
 * as of a whole problem. Sweeps, W r, sums and errors are done so; whatever else reads a vector
 * does so when it is whole again. All ranks part it and join it alike. */
#ifndef DELASSUS_PROBLEM_PARTED_H
#define DELASSUS_PROBLEM_PARTED_H

#include <stdbool.h>
#include <stddef.h>

#include <delassus/problem.h>

#include "base/pool.h"

/* From here on it is parted, where ranks share it: *parted. Not where a law is custom: laws that
 * fail are told by the rank that asks. A problem that is parted already is not parted again. */
DlsStatus dls_problem_part(const DlsProblem *problem, bool *parted);

/* It is whole again, and so is `vector` [contacts][block], which may be NULL. Nothing where it was
 * not parted here. */
DlsStatus dls_problem_join(const DlsProblem *problem, bool parted, double *vector);

/* Numbers begin .. end - 1 of a vector are of this rank; all of a whole one. */
void dls_problem_stretch(const DlsProblem *problem, size_t *begin, size_t *end);

/* As dls_pool_sum(), of as many terms of each contact. */
void dls_problem_sum(const DlsProblem *problem, size_t n, int width, DlsPoolTerms terms,
                     void *context, double *sum);

/* Whether any rank says yes. */
bool dls_problem_any(const DlsProblem *problem, bool mine);

/* For what needs whole vectors while the problem is parted: copies of `count` of them, one behind
 * the other, that the caller frees; the problem is whole until dls_problem_resume(). *whole is NULL
 * where it was not parted: then the vectors are whole. */
DlsStatus dls_problem_suspend(const DlsProblem *problem, const double *const *vector, int count,
                              double **whole);
void dls_problem_resume(const DlsProblem *problem);

#endif
