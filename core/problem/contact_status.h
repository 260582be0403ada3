/* What errors.c shares with contact_status.c and island_error.c. */
#ifndef DELASSUS_PROBLEM_CONTACT_STATUS_H
#define DELASSUS_PROBLEM_CONTACT_STATUS_H

#include <delassus/errors.h>

/* e = r̂ - P_K(r̂ - rho (û + Γ(û) n)) of contact i, or its custom residual. */
DlsStatus dls_errors_map(const DlsProblem *problem, int i, double rho, const double *u,
                         const double *r, double *e);

/* What the scaled error is made of, all in N² s². */
typedef struct {
  double error2, r2, q2, u2;
} DlsScaledSums;

/* Adds contact i; u and r are its own. */
DlsStatus dls_errors_add_scaled(const DlsProblem *problem, int i, const double *u, const double *r,
                                DlsScaledSums *sums);

/* Fills open, slip, stick and undecided of *out; `error` is the norm of the scaled error, N s. */
void dls_status_count(const DlsProblem *problem, const double *r_hat, const double *u_hat,
                      double error, DlsErrors *out);

#endif
