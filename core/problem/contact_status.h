/* What errors.c shares with contact_status.c and island_error.c. */
#ifndef DELASSUS_PROBLEM_CONTACT_STATUS_H
#define DELASSUS_PROBLEM_CONTACT_STATUS_H

#include <delassus/errors.h>
#include <stdbool.h>

/* Of a law that fails in one thread and not in the other that asks it the same. */
#define DLS_FAILED_ONCE                                                                            \
  "a law has failed, and not when it was asked the same again: it must be a pure function"

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

/* `scaled` of a pair in standard form, û given. */
DlsStatus dls_errors_scaled_of(const DlsProblem *problem, const double *r_hat, const double *u_hat,
                               double *scaled);

/* What an island, or one contact, is judged by beside its own numbers. */
typedef struct {
  DlsScaledSums sums;
  double asked2, pull2, quiet2; /* N² s²: the load that no q̂ tells, |a|², (ρ v)² of a quiet v */
  double asked_even2;           /* asked2 with torques over ℓ */
} DlsOwnSums;

/* Adds contact i; `slow` in m/s, of a quiet v. */
DlsStatus dls_errors_add_own(const DlsProblem *problem, int i, const double *r_hat,
                             const double *u_hat, double slow, DlsOwnSums *own);
double dls_errors_quiet_speed(const DlsProblem *problem); /* m/s */

/* Whether a contact is so good alone that no island of such ones is wrong by more than `most`. */
bool dls_errors_is_good_alone(const DlsOwnSums *own, double most);

/* dls_errors_status() where limits of friction are known, N s [contacts], NaN: not known. They
 * count for custom laws and for relations without a cone; cones have their own. */
void dls_status_by_limits(const DlsProblem *problem, const double *r_hat, const double *u_hat,
                          const double *limit, DlsContactStatus *status);

/* Fills open, slip, stick and undecided of *out; `error` is the norm of the scaled error, N s. */
void dls_status_count(const DlsProblem *problem, const double *r_hat, const double *u_hat,
                      double error, DlsErrors *out);

#endif
