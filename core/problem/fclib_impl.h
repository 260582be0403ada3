/* Private to the FCLIB reader and writer, which stand on base/h5.h. */
#ifndef DELASSUS_FCLIB_IMPL_H
#define DELASSUS_FCLIB_IMPL_H

#include <delassus/fclib.h>

#include "base/h5.h"

/* A matrix of the format, in any of its storages, rows x columns as the problem asks; `why` says
 * where these come from. *rows_in_i tells which way a triplet matrix was read (rows in `i`, columns
 * in `p`, or the other way round), and on entry which way to prefer where both fit. */
DlsStatus dls_fclib_read_matrix(const DlsH5File *file, const char *group, int rows, int columns,
                                const char *why, bool *rows_in_i, DlsSparse *out);

/* The relations that FCLIB itself cannot hold, in the group /delassus. */
DlsStatus dls_fclib_read_relations(const DlsH5File *file, int contacts, int block, int *dim,
                                   DlsRelation *relations);
DlsStatus dls_fclib_write_relations(const char *path, hid_t file, const DlsProblem *problem);

/* Texts, solution and guesses; `problem` is the group of the problem, `rows` the length of r. */
DlsStatus dls_fclib_read_extra(const DlsH5File *file, const char *problem, int rows,
                               DlsFclibExtra *extra);

#endif
