/* What the files of this room share. */
#ifndef DELASSUS_LAW_IMPL_H
#define DELASSUS_LAW_IMPL_H

#include <delassus/laws.h>

/* The checks of a law's declarations beyond ABI, size and name, which are right already. */
DlsStatus dls_law_accept(const DlsLaw *law, const char *from);

#endif
