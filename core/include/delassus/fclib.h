/* Contact problems in FCLIB's HDF5 format: fclib_local, fclib_global, and the rolling kinds of
 * both, fclib_local_rolling and fclib_global_rolling, with guesses and solutions, every matrix
 * storage of the format. A malformed file gives an error that
 * names the file, the dataset and the reason, and nothing is left behind. */
#ifndef DELASSUS_FCLIB_H
#define DELASSUS_FCLIB_H

#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a file holds besides the problem. Arrays are [contacts][block]; NULL where absent. */
typedef struct {
  char *title, *description, *math_info; /* NULL where absent */
  double *solution_r, *solution_u;
  int guesses;
  double **guess_r, **guess_u; /* [guesses] */
} DlsFclibExtra;

/* Reads a problem; global ones become factored (block-diagonal M) or coupled operators, with
 * q = H M^-1 f + w. `extra`, unless NULL, is filled and ended with dls_fclib_extra_clear(). */
DLS_EXPORT DlsStatus dls_fclib_read(const char *path, DlsProblem **out, DlsFclibExtra *extra);
DLS_EXPORT void dls_fclib_extra_clear(DlsFclibExtra *extra);

/* Writes the problem as fclib_local (any form is assembled; a ROLLING problem of block 5 adds
 * mu_r), with the solution unless r is NULL and the start of the solve unless `guess` is NULL,
 * whole or not at all (written aside, then renamed). Where a, b or C are not zero the problem and
 * its answer stand there in standard form (problem.h), which other programs read as the problem
 * that it is, and as fclib_global too where the operator keeps its bodies; a group `delassus`
 * beside gives the physical one back. A cone that FCLIB does not know (elliptic, tied ...) is in
 * that group alone, and a custom law is refused. */
DLS_EXPORT DlsStatus dls_fclib_write(const char *path, const DlsProblem *problem, const char *title,
                                     const double *r, const double *u, const double *guess);

#ifdef __cplusplus
}
#endif
#endif
