/* Rows of contacts on the velocities of parts, in scaled variables: with y the velocities of the
 * parts, scaled so that their mass is the identity,
 *
 *   u' = G y,   y = T^T r',   W' = G T^T,   G = S gather, T = S scatter
 *
 * for operators that tell their parts (dls_operator_has_parts). */
#ifndef DELASSUS_SOLVERS_KIT_PART_ROWS_H
#define DELASSUS_SOLVERS_KIT_PART_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include <delassus/operator.h>

typedef struct {
  int contacts, block;
  int freedom;        /* velocities y */
  int *start;         /* [contacts + 1]: touches of contact i, start[i] <= t < start[i + 1] */
  int *first, *width; /* [touches]: of velocities first[t] .. first[t] + width[t] - 1 */
  size_t *at;         /* [touches + 1]: where G and T of a touch begin, [block][width] */
  double *G, *T;      /* one array where `symmetric` */
  bool symmetric;     /* T = G */
} DlsPartRows;

/* Those of all contacts, velocities numbered as the operator does; scale is S, [contacts][block].
 * On failure *out is what clear takes. */
DlsStatus dls_part_rows_create(const DlsOperator *W, const double *scale, DlsPartRows *out);

/* Those of the contacts number[i], i < contacts, with scale [contacts][block]; velocities of the
 * parts that they move are numbered anew, in the order in which they are met. */
DlsStatus dls_part_rows_create_some(const DlsOperator *W, int contacts, const int *number,
                                    const double *scale, DlsPartRows *out);

void dls_part_rows_clear(DlsPartRows *rows);

/* y = T^T r. */
void dls_part_rows_scatter(const DlsPartRows *rows, const double *r, double *y);

/* u = G y. */
void dls_part_rows_gather(const DlsPartRows *rows, const double *y, double *u);

#endif
