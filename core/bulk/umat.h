/* UMATs that are there as shared objects, as bulk laws: umat:FILE:PROPS:STATEV, with the number of
 * constants and of state variables that the subroutine wants, and what it claims behind, if
 * anything: umat:./steel.so:4:1:symmetric+isotropic. Its parameters are prop_1, prop_2 ..., its
 * states statev_1 ... and those of delassus/bulk_umat.h. */
#ifndef DELASSUS_BULK_UMAT_LIBRARY_H
#define DELASSUS_BULK_UMAT_LIBRARY_H

#include <stdbool.h>

#include <delassus/bulk.h>

/* Whether a name is meant for dls_umat_find(), or for another way that there is not. */
bool dls_umat_is(const char *name);

/* The same name gives the same pointer, for the life of the process. */
DlsStatus dls_umat_find(const char *name, const DlsBulk **out);

/* The file of a law that dls_umat_find() gave, NULL of others. */
const char *dls_umat_path(const DlsBulk *law);

#endif
