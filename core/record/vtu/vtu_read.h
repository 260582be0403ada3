/* Reads the VTU files that vtu.h writes: appended raw data, of zlib or not, byte order of the
 * machine. Other files are refused: VTK reads those. */
#ifndef DELASSUS_RECORD_VTU_VTU_READ_H
#define DELASSUS_RECORD_VTU_VTU_READ_H

#include "record/vtu/vtu.h"

/* MESH: connectivity, offsets, types, faces and faceoffsets, which say what cells are. */
typedef enum { DLS_VTU_OF_POINTS, DLS_VTU_OF_CELLS, DLS_VTU_OF_FIELD, DLS_VTU_OF_MESH } DlsVtuPlace;

typedef struct DlsVtuFile DlsVtuFile; /* opaque: the whole file in memory */

/* The caller ends *out with dls_vtu_close(). DLS_ERR_FILE or DLS_ERR_FORMAT with the file and what
 * is wrong. */
DlsStatus dls_vtu_open(const char *path, DlsVtuFile **out);
void dls_vtu_close(DlsVtuFile **file); /* NULL is fine */

int64_t dls_vtu_points(const DlsVtuFile *file);
bool dls_vtu_has(const DlsVtuFile *file, DlsVtuPlace place, const char *name);

/* The numbers of an array (of floats, as doubles), `tuples` times `components` of them;
 * DLS_ERR_FORMAT where the file has another number or type, names the array and what wrote it. The
 * positions are called "Points". */
DlsStatus dls_vtu_reals(const DlsVtuFile *file, DlsVtuPlace place, const char *name, int components,
                        int64_t tuples, double *out);
/* The same of an array in which NaN stands for a number that is not known. */
DlsStatus dls_vtu_reals_or_nan(const DlsVtuFile *file, DlsVtuPlace place, const char *name,
                               int components, int64_t tuples, double *out);
/* Whether an array of doubles has so many numbers, and the file the bytes for them: asked before
 * room is made. */
DlsStatus dls_vtu_expect(const DlsVtuFile *file, DlsVtuPlace place, const char *name,
                         int components, int64_t tuples);
/* How many numbers of 8 bytes an array has; 0 where there is none. */
DlsStatus dls_vtu_length(const DlsVtuFile *file, DlsVtuPlace place, const char *name, int64_t *out);
DlsStatus dls_vtu_integers(const DlsVtuFile *file, DlsVtuPlace place, const char *name,
                           int64_t tuples, int64_t *out);

#endif
