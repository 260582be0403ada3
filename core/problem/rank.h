/* The numerical rank of the symmetric part of an assembled W, island by island. */
#ifndef DELASSUS_PROBLEM_RANK_H
#define DELASSUS_PROBLEM_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include <delassus/operator.h>

typedef struct {
  int rank;
  int bounded;      /* rows of islands too large to factor, which count with their bound */
  double condition; /* largest over smallest pivot, the worst of the islands that were measured with
                       pivots, those of up to 2000 rows; 0 without any */
  int pivoted;      /* rows of these */
} DlsRank;

/* island [contacts] as dls_islands_find() gives it; freedom [islands], unless NULL, bounds the rank
 * of each island by the degrees of freedom of its bodies. */
DlsStatus dls_rank_measure(const DlsBlockRows *W, const int *island, int islands,
                           const int *freedom, DlsRank *out);

/* Of a symmetric semi-definite A, dense, n x n; `room` [n (n + 1)]. */
int dls_rank_dense(const double *A, size_t n, double *room);

#endif
