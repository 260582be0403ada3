/* A picture of ways: a line for each body from place to place, darker with time, and the body where
 * it is at last. From plain arrays. */
#ifndef DELASSUS_PLOT_TRACKS_H
#define DELASSUS_PLOT_TRACKS_H

#include <stdbool.h>

#include <delassus/status.h>

typedef struct {
  int moments, bodies;
  const double *place;  /* [moments][bodies][3], m */
  const double *radius; /* [bodies], m */
  int across, up;       /* which coordinates go to the right and upwards */
  bool outlines;        /* circles of the bodies themselves */
  const char *title, *across_label, *up_label;
} DlsTrackPicture;

DlsStatus dls_track_picture_write(const DlsTrackPicture *picture, const char *path);

#endif
