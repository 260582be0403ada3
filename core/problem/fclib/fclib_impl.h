/* Private to the FCLIB reader and writer, which stand on base/h5/h5.h. */
#ifndef DELASSUS_PROBLEM_FCLIB_FCLIB_IMPL_H
#define DELASSUS_PROBLEM_FCLIB_FCLIB_IMPL_H

#include <delassus/fclib.h>

#include "base/h5/h5.h"

/* A matrix of the format, in any of its storages, rows x columns as the problem asks; `why` says
 * where these come from. *rows_in_i tells which way a triplet matrix was read (rows in `i`, columns
 * in `p`, or the other way round), and on entry which way to prefer where both fit. */
DlsStatus dls_fclib_read_matrix(const DlsH5File *file, const char *group, int rows, int columns,
                                const char *why, bool *rows_in_i, DlsSparse *out);

/* The relations that FCLIB itself cannot hold, in the group /delassus. */
DlsStatus dls_fclib_read_relations(const DlsH5File *file, int contacts, int block, int *dim,
                                   DlsRelation *relations);
DlsStatus dls_fclib_write_relations(const char *path, hid_t group, const DlsProblem *problem);

/* The standard form, which is what other programs are given; the file's own story is in
 * standard.c. Whether a, b and C are zero, so that the problem is its own standard form: */
bool dls_fclib_is_standard(const DlsProblem *problem);
/* r̂ = r + a; û = u + b + C r unless u is NULL. */
void dls_fclib_to_standard(const DlsProblem *problem, const double *r, const double *u,
                           double *r_hat, double *u_hat);
/* Into the open group /delassus: q, the diagonal of W, r and u unless r is NULL, guess unless
 * NULL. */
DlsStatus dls_fclib_write_standard(const char *path, hid_t group, const DlsProblem *problem,
                                   const double *diagonal, const double *r, const double *u,
                                   const double *guess);
/* Whether the file holds the standard form beside the physical one. */
DlsStatus dls_fclib_find_standard(const DlsH5File *file, bool *standard);
/* W and q in the place of Ŵ and q̂, as they were read; then, of the problem made of them, that q̂
 * is its own; last the physical solution and guesses in the place of r̂ and û. */
DlsStatus dls_fclib_restore(const DlsH5File *file, int block, const DlsRelation *relations,
                            DlsSparse *W, double **q);
DlsStatus dls_fclib_check_standard(const DlsH5File *file, const double *q_hat,
                                   const DlsProblem *problem);
DlsStatus dls_fclib_restore_extra(const DlsH5File *file, const DlsProblem *problem,
                                  DlsFclibExtra *extra);

/* M and H of the standard form, for /fclib_global; n = 0 where the operator does not keep them. */
typedef struct {
  int n;       /* velocities, those of compliances last */
  DlsSparse M; /* by columns: row k of the struct is column k of M */
  DlsSparse H; /* row k is the column of the file's H, n x (contacts block), for component k */
} DlsFclibBodies;

DlsStatus dls_fclib_bodies_create(const DlsProblem *problem, DlsFclibBodies *out);
void dls_fclib_bodies_clear(DlsFclibBodies *bodies);
DlsStatus dls_fclib_bodies_velocity(const DlsProblem *problem, const double *r_hat, double *v);

/* Texts, solution and guesses; `problem` is the group of the problem, `rows` the length of r. */
DlsStatus dls_fclib_read_extra(const DlsH5File *file, const char *problem, int rows,
                               DlsFclibExtra *extra);

#endif
