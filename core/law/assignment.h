/* "name = number", as options --set of laws of any kind give it. */
#ifndef DELASSUS_LAW_ASSIGNMENT_H
#define DELASSUS_LAW_ASSIGNMENT_H

#include <delassus/status.h>

enum { DLS_ASSIGNMENT_NAME = 64 };

/* Blanks around both are cut off. DLS_ERR_ARGUMENT for another form; `who` begins the sentence:
 * "contact law 'coulomb'". */
DlsStatus dls_assignment_read(const char *who, const char *text, char name[DLS_ASSIGNMENT_NAME],
                              double *value);

#endif
