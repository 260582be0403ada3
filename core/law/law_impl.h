/* What the files of this room share. */
#ifndef DELASSUS_LAW_IMPL_H
#define DELASSUS_LAW_IMPL_H

#include <delassus/laws.h>

/* The checks of a law's declarations beyond ABI, size and name, which are right already. */
DlsStatus dls_law_accept(const DlsLaw *law, const char *from);

/* A failure of the law of `use` at its contact: the sentence begins with both. */
#define FAIL(use, ...) return (dls_fail(DLS_ERR_LAW, __VA_ARGS__), dls_law_blame(use))
DlsStatus dls_law_blame(const DlsLawUse *use);

/* Kinematics that a law can be asked with; what a function returned; numbers that it gave. */
DlsStatus dls_law_check_use(const DlsLawUse *use);
DlsStatus dls_law_check_status(const DlsLawUse *use, const char *function, DlsStatus status);
DlsStatus dls_law_check_finite(const DlsLawUse *use, const char *function, const char *field,
                               const double *x, int count);

#endif
