/* Private to the files of frames: frames.c (bodies, contacts, chains, and when), frames_walls.c
 * (boundaries), frames_solids.c (bodies with corners), frames_faces.c (where these meet),
 * frames_deformable.c (deformable bodies). */
#ifndef DELASSUS_RECORD_FRAMES_FRAMES_IMPL_H
#define DELASSUS_RECORD_FRAMES_FRAMES_IMPL_H

#include "record/frames/frames.h"
#include "record/frames/frames_view.h"
#include "world/outline.h"

/* DLS_FRAMES_SERIES that every run has; four more where bodies are not balls, one where laws
 * remember patches of surfaces, one where boundaries are wanted as surfaces, two where bodies are
 * deformable. */
enum {
  DLS_FRAMES_BODIES,
  DLS_FRAMES_CONTACTS,
  DLS_FRAMES_CHAINS,
  DLS_FRAMES_BOUNDARIES,
  DLS_FRAMES_SERIES,
  DLS_FRAMES_OUTLINES = DLS_FRAMES_SERIES,
  DLS_FRAMES_PATCHES,
  DLS_FRAMES_WALLS,
  DLS_FRAMES_SOLIDS,
  DLS_FRAMES_FACES,
  DLS_FRAMES_RESULTANTS,
  DLS_FRAMES_DEFORMABLE,
  DLS_FRAMES_GAUSS,
  DLS_FRAMES_ALL
};

struct DlsFrames {
  char *folder;
  DlsFramesOptions options;
  DlsSeries *series[DLS_FRAMES_ALL]; /* NULL until there is a frame of it */
  bool *seen;                        /* [options.series.arrays]: a series has it */
  bool begun;                        /* a frame has been written */
  double resume;
  int count;
  unsigned post; /* bits of DlsQuantity */
};

#define DLS_FRAMES_REALS(name_, array, n, role_)                                                   \
  {                                                                                                \
    .name = (name_), .values = (array), .type = DLS_VTU_FLOAT64, .components = (n),                \
    .role = (role_)                                                                                \
  }
#define DLS_FRAMES_NUMBERS(name_, array, type_)                                                    \
  { .name = (name_), .values = (array), .type = (type_), .components = 1 }

/* Cells of one kind, each with points of its own; arrays belong to the points unless they are
 * moved. */
DlsVtuGrid dls_frames_grid(const DlsSimulation *simulation, uint8_t type, int64_t cells,
                           const double *position, const DlsVtuArray *data, int arrays);

/* The frame of a series that is open; dls_frames_open() opens one that not every run has. */
DlsStatus dls_frames_put(DlsFrames *frames, int series, const DlsVtuGrid *grid);
DlsStatus dls_frames_open(DlsFrames *frames, int series);

/* Endless boundaries are drawn about the grains, a little farther than these. */
DlsSight dls_frames_sight(const DlsFrameView *view, const DlsWorld *world);

/* boundaries.vtu, their lines, and walls.vtu, their surfaces. */
DlsStatus dls_frames_put_boundaries(DlsFrames *frames, const DlsSimulation *simulation,
                                    const DlsFrameView *view);
/* solids.vtu: the surfaces of bodies that are no balls, with the arrays of bodies [elements]. */
DlsStatus dls_frames_put_solids(DlsFrames *frames, const DlsSimulation *simulation,
                                const DlsVtuArray *array, int arrays);

/* faces.vtu and resultants.vtu: where they meet, and where the force of each face acts. */
DlsStatus dls_frames_put_faces(DlsFrames *frames, const DlsSimulation *simulation,
                               const DlsFrameView *view);

/* deformable.vtu and gauss.vtu, where bodies are deformable. */
DlsStatus dls_frames_put_deformable(DlsFrames *frames, const DlsSimulation *simulation,
                                    const DlsFrameView *view);

DlsStatus dls_frames_put_walls(DlsFrames *frames, const DlsSimulation *simulation,
                               const DlsFrameView *view);

#endif
