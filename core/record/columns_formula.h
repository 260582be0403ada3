/* A formula of the columns of a table: the name of one, or an expression in which names stand for
 * the numbers of a row, such as "kinetic + potential" or "-axial_strain". `t` is the column `time`
 * where no other has that name. */
#ifndef DELASSUS_RECORD_COLUMNS_FORMULA_H
#define DELASSUS_RECORD_COLUMNS_FORMULA_H

#include "record/columns.h"

typedef struct DlsColumnsFormula DlsColumnsFormula;

/* Keeps a pointer to the columns. Fails with a sentence that names the nearest column, or the
 * character at which the expression goes wrong. Ended with dls_columns_formula_destroy(). */
DlsStatus dls_columns_formula_create(const char *text, const DlsColumns *columns,
                                     DlsColumnsFormula **out);
void dls_columns_formula_destroy(DlsColumnsFormula **formula); /* NULL is fine */

double dls_columns_formula_at(DlsColumnsFormula *formula, int row);

/* That of the column; "" of an expression. */
const char *dls_columns_formula_unit(const DlsColumnsFormula *formula);

#endif
