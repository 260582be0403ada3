/* Questions to block rows. */
#ifndef DELASSUS_PROBLEM_OPERATOR_BLOCK_ROWS_H
#define DELASSUS_PROBLEM_OPERATOR_BLOCK_ROWS_H

#include <delassus/operator.h>

/* Block (row, column) of W, row-major, or NULL where it is zero. */
const double *dls_block_rows_find(const DlsBlockRows *W, int row, int column);

/* max |W - W^T| and max |W| over all entries. */
void dls_block_rows_asymmetry(const DlsBlockRows *W, double *apart, double *largest);

#endif
