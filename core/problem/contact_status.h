/* What contact_status.c and errors.c share. */
#ifndef DELASSUS_PROBLEM_CONTACT_STATUS_H
#define DELASSUS_PROBLEM_CONTACT_STATUS_H

#include <delassus/errors.h>

/* e = r̂ - P_K(r̂ - rho (û + Γ(û) n)) of contact i, or its custom residual. */
DlsStatus dls_errors_map(const DlsProblem *problem, int i, double rho, const double *u,
                         const double *r, double *e);

/* Fills open, slip, stick and undecided of *out; `error` is the norm of the scaled error, N s. */
void dls_status_count(const DlsProblem *problem, const double *r_hat, const double *u_hat,
                      double error, DlsErrors *out);

#endif
