/* A series of frames in a folder: NAME.pvd, and NAME_NNNNNN.vtu for each frame; the rows of the
 * same arrays as NAME_NNNNNN.csv where they are wanted. In pieces a frame is NAME_NNNNNN.pvtu and
 * NAME_NNNNNN_pKK.vtu, which readers that run in parallel share. */
#ifndef DELASSUS_RECORD_FRAMES_SERIES_H
#define DELASSUS_RECORD_FRAMES_SERIES_H

#include "record/vtu/vtu.h"

typedef struct DlsSeries DlsSeries;

/* What frames hold, of all series of a run. */
typedef struct {
  DlsVtuOptions vtu;
  bool csv;
  int pieces;               /* of frames that are rows of points; 0 and 1: none */
  int arrays;               /* how many are chosen; 0: all */
  const char *const *array; /* [arrays], their names */
} DlsSeriesOptions;

/* A new series, or its continuation: frames up to `resume` (s) stay; -INFINITY begins anew. A PVD
 * file that the end of the machine has spoilt is made again from the frames. `folder`, `name` and
 * `options` are lent until the end. */
DlsStatus dls_series_open(const char *folder, const char *name, const DlsSeriesOptions *options,
                          double resume, DlsSeries **out);
int dls_series_frames(const DlsSeries *series);

/* Removes what a longer run has left: frames from this number on. */
DlsStatus dls_series_trim(const DlsSeries *series, int first);

/* Frame `number` at grid->time. `rows`: as CSV too, if CSV is wanted: a row for each point. Grids
 * whose cells have points of their own are cut where pieces are wanted.
 * `seen` [options->arrays] becomes true where the grid has the array. */
DlsStatus dls_series_put(DlsSeries *series, int number, const DlsVtuGrid *grid, bool rows,
                         bool *seen);
/* The PVD file, which is rewritten once a second at most, has all frames after this; close does so
 * too, and tells no failure. NULL is fine. */
DlsStatus dls_series_flush(DlsSeries *series);
void dls_series_close(DlsSeries **series);

#endif
