/* What the files of this room share. */
#ifndef DELASSUS_LAW_IMPL_H
#define DELASSUS_LAW_IMPL_H

#include <delassus/laws.h>

#include "base/plugin.h"

/* Laws among plugins. */
const DlsPluginKind *dls_law_kind(void);

/* The checks of a law's declarations beyond ABI, size and name, which are right already. */
DlsStatus dls_law_accept(const DlsLaw *law, const char *from);

/* A part of it: the tables. `who` is "contact law" and `from`. */
DlsStatus dls_law_check_tables(const DlsLaw *law, const char *who, const char *from);

/* A failure of the law of `use` at its contact: the sentence begins with both. */
#define FAIL(use, ...) return (dls_fail(DLS_ERR_LAW, __VA_ARGS__), dls_law_blame(use))
DlsStatus dls_law_blame(const DlsLawUse *use);

/* Kinematics that a law can be asked with; what a function returned; numbers that it gave. */
DlsStatus dls_law_check_use(const DlsLawUse *use);
DlsStatus dls_law_check_status(const DlsLawUse *use, const char *function, DlsStatus status);
DlsStatus dls_law_check_finite(const DlsLawUse *use, const char *function, const char *field,
                               const double *x, int count);

/* Calls of the law's functions, which it must have, each with its status checked: DLS_ERR_LAW also
 * where it dies (ask.c). */
DlsStatus dls_law_ask_range(const DlsLawUse *use, const DlsPair *pair, double *range);
DlsStatus dls_law_ask_orient(const DlsLawUse *use, double t1[3]);
DlsStatus dls_law_ask_begin(const DlsLawUse *use, double *state);
DlsStatus dls_law_ask_prepare(const DlsLawUse *use, DlsRelation *out);
DlsStatus dls_law_ask_residual(const DlsLawUse *use, const double *u, const double *r, double *F,
                               double *dF_du, double *dF_dr);
DlsStatus dls_law_ask_solve(const DlsLawUse *use, const double *D, const double *q, double *r);
DlsStatus dls_law_ask_project(const DlsLawUse *use, const double *u, double rho, double *r);
DlsStatus dls_law_ask_force(const DlsLawUse *use, const double *u, double *force);
DlsStatus dls_law_ask_commit(const DlsLawUse *use, const double *u, const double *r, double *state);
DlsStatus dls_law_ask_energy(const DlsLawUse *use, const double *u, const double *r, double *stored,
                             double *dissipated);
DlsStatus dls_law_ask_traction(const DlsLawUse *use, const double *jump, const double *u, double *t,
                               double *dt_djump, double *dt_du, double *next);
DlsStatus dls_law_ask_surface(const DlsLawUse *use, const double *u, const double *r,
                              double *change);
DlsStatus dls_law_ask_report(const DlsLawUse *use, const double *u, const double *r, int *status,
                             double *friction_limit, double *outputs);

#endif
