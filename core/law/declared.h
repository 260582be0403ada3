/* What laws of any kind declare: texts, and tables of parameters and of state variables. `who`
 * begins the sentence of a refusal, DLS_ERR_PLUGIN: "contact law lib/coulomb.so". */
#ifndef DELASSUS_LAW_DECLARED_H
#define DELASSUS_LAW_DECLARED_H

#include <delassus/laws.h>

DlsStatus dls_declared_texts(const char *who, const char *summary, const char *references,
                             const char *description, const char *maturity);

/* Row i of a table, `what` being "parameter" or the like; a whole table. */
DlsStatus dls_declared_row(const char *who, const char *what, const DlsParam *rows, int i);
DlsStatus dls_declared_table(const char *who, const char *what, const DlsParam *rows, int count);

/* Whether a name is [A-Za-z][A-Za-z0-9_]* of at most 32 letters: what a deck can write as a key. */
int dls_declared_key(const char *name);

#endif
