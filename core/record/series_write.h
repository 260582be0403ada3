/* The series of a run (post/series.h) from its frames, as one table. */
#ifndef DELASSUS_RECORD_SERIES_WRITE_H
#define DELASSUS_RECORD_SERIES_WRITE_H

#include "post/series.h"

/* A row for each frame of the folder of a run, as CSV into the file, which appears whole or not at
 * all. `region` as dls_probe_read() takes it, NULL: all; the axis as in DlsSeries. *rows, which may
 * be NULL, tells how many. */
DlsStatus dls_series_write(const char *folder, const char *region, DlsAverageKind average, int axis,
                           const char *path, int *rows);

#endif
