/* PVD files: a series of VTU files with their times, as ParaView opens it.
 *
 * The file is rewritten whole, aside and renamed, so that a run that is killed leaves a valid
 * series of the frames it has finished: at each frame, or at most so often as dls_pvd_pace()
 * says. */
#ifndef DELASSUS_RECORD_PVD_H
#define DELASSUS_RECORD_PVD_H

#include <delassus/status.h>

typedef struct DlsPvd DlsPvd;

/* A new series, written at once with no frame in it. Ended with dls_pvd_destroy(). */
DlsStatus dls_pvd_create(const char *path, DlsPvd **out);

/* Goes on with the series of a file: the frames up to `time`, in s, stay, later ones are dropped,
 * and the file is rewritten at once. A file that is not there is an empty series. */
DlsStatus dls_pvd_resume(const char *path, double time, DlsPvd **out);

/* To put a file in the place of another costs milliseconds, more than a small frame: with `seconds`
 * above 0 the file is rewritten when so many went by since the last time, looked at frame by frame.
 * dls_pvd_flush() rewrites it now where it is behind; dls_pvd_destroy() does not. */
void dls_pvd_pace(DlsPvd *pvd, double seconds);
DlsStatus dls_pvd_flush(DlsPvd *pvd);

/* Adds a frame and rewrites the file. `file` is named as seen from the folder of the series; `part`
 * is 0, or the number of the process that wrote it. Times never fall; a frame of the same time and
 * part takes the place of the one there is. */
DlsStatus dls_pvd_add(DlsPvd *pvd, double time, int part, const char *file);

int dls_pvd_frames(const DlsPvd *pvd);  /* rows, parts counted each */
double dls_pvd_last(const DlsPvd *pvd); /* s, time of the last frame; -inf without */
void dls_pvd_destroy(DlsPvd **pvd);     /* NULL is fine; leaves the file */

#endif
