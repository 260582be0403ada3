/* Which solvers take a law: found by asking each. */
#ifndef DELASSUS_APP_LAW_SOLVERS_H
#define DELASSUS_APP_LAW_SOLVERS_H

#include <delassus/laws.h>

/* "all", or the names of those that take a contact of the law with its default parameters; "none"
 * where there is no relation to solve. Writes into text. */
void app_law_solvers(const DlsLaw *law, char *text, int size);

/* "complete, homogeneous, swap", or "none". */
void app_law_claims(const DlsLaw *law, char *text, int size);

/* "2, 3, 5, 6" */
void app_law_blocks(const DlsLaw *law, char *text, int size);

#endif
