/* Shared by the files of delassus post displacements: what it was asked for, and what it found. */
#ifndef DELASSUS_APP_POST_DISPLACEMENTS_IMPL_H
#define DELASSUS_APP_POST_DISPLACEMENTS_IMPL_H

#include "app/post/post.h"
#include "post/flow.h"
#include "post/tracks.h"

typedef struct {
  const AppCommand *command;
  const char *folder, *region_text, *profile_text, *grid_text, *svg, *csv, *vtu, *field;
  double from, to, period; /* s; NaN: not given */
  long count;              /* of periods; 0: as many as there are */
  bool meridian, json;

  int axis, bins; /* of --profile; bins 0: none */
  DlsProbe region;
  DlsTracks tracks;
  double low[3], high[3]; /* m, around all places */
  DlsTrackTurn half[2];   /* left and right of the middle */

  int grid[2]; /* of --grid; 0: none */
  DlsFlow flow;
  int rows;            /* of the flow, which loops take */
  DlsFlowLoop loop[2]; /* left and right of the middle; of a meridian plane one */
} AppDisplacements;

/* The vertical axis of what is looked at: y of a plane, z of space. */
static inline int app_displacements_upright(const AppDisplacements *job) {
  return job->tracks.dim == 2 ? 1 : 2;
}

/* What bodies move in layer n of --profile, and its middle, m. */
DlsTrackMove app_displacements_layer(const AppDisplacements *job, int n, double *place);

/* The files that were asked for: the table, lines and the field for ParaView, the picture. */
DlsStatus app_displacements_write(const AppDisplacements *job);

#endif
