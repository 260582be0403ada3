/* Functions of time written as text: "1.5e-3*sin(2*pi*15*t)". Compiled once, evaluated many times
 * (some 50 ns); a constant costs nothing. The engine is muParser. */
#ifndef DELASSUS_DECK_EXPRESSION_H
#define DELASSUS_DECK_EXPRESSION_H

#include <stdbool.h>

#include <delassus/status.h>

typedef struct DlsExpression DlsExpression;

enum { DLS_EXPRESSION_VARIABLES = 8, DLS_EXPRESSION_BYTES = 2000 };

/* `variables`: their names, "t" or "t|x|y"; NULL stands for "t". The caller owns *out and ends it
 * with dls_expression_destroy(). DLS_ERR_FORMAT gives the character (from 1) and, for an unknown
 * name, the nearest one there is. */
DlsStatus dls_expression_create(const char *text, const char *variables, DlsExpression **out);
/* The constant `value`. */
DlsStatus dls_expression_number(double value, DlsExpression **out);
DlsStatus dls_expression_copy(const DlsExpression *expression, DlsExpression **out);
void dls_expression_destroy(DlsExpression **expression); /* NULL is fine */

/* The value at the first variable = t, the others 0; or at all variables, in the order of their
 * names. Not finite where the mathematics is not. A handle serves one thread at a time; different
 * handles are independent. */
double dls_expression_value(DlsExpression *expression, double t);
double dls_expression_at(DlsExpression *expression, const double *variables);

/* (f(t+h) - f(t-h)) / 2h; of a constant exactly 0. */
double dls_expression_rate(DlsExpression *expression, double t, double h);

/* Finite at `samples` + 1 equidistant times from..to (others 0); else DLS_ERR_NUMERIC names the
 * time. */
DlsStatus dls_expression_check(DlsExpression *expression, double from, double to, int samples);

/* No variable occurs in it. */
bool dls_expression_is_constant(const DlsExpression *expression);
/* As written; of a number, the shortest text that gives the same double. */
const char *dls_expression_text(const DlsExpression *expression);

/* The functions there are: the k-th as "ramp(t,a,b)" with its meaning; NULL behind the last. */
const char *dls_expression_function(int k, const char **meaning);

#endif
