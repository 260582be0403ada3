/* Frames of a simulation for ParaView: four series, each a PVD file with VTU files beside it.
 *
 *   bodies    a vertex at the centre of each disk or sphere; sphere glyphs scaled by `radius` show
 *             the grains
 *   contacts  a vertex at each contact point
 *   chains    a line for each contact that carries a force, from centre to centre (to the contact
 *             point at a boundary); a Tube filter by `normal_force` shows the force chains
 *   boundaries  their outline as lines, with the force on each
 *   outlines    where bodies are not balls alone: the lines of the others, each with the id of its
 *   body
 *   solids      where bodies are not balls alone: the others as polygons (2-D) or polyhedra, with
 *               all arrays of bodies
 *   faces       likewise: where they meet, a polygon (2-D: a line) for each pair of faces, with
 *               pressure and resultant
 *   resultants  a vertex at the centre of pressure of each face that is pressed
 *   deformable  where bodies are deformable: their moved meshes, with stresses at nodes and
 *               in cells
 *   gauss       likewise, on request: a vertex at each point of integration
 *   patches     where a law remembers patches of surfaces: a vertex in the middle of each that has
 *               been changed
 *   walls       on request, in 3-D: the boundaries as surfaces, with the force on each
 *
 * Forces are the mean of the last step: impulse over h. */
#ifndef DELASSUS_RECORD_FRAMES_FRAMES_H
#define DELASSUS_RECORD_FRAMES_FRAMES_H

#include "record/frames/series.h"
#include "step/simulation.h"

typedef struct DlsFrames DlsFrames;

typedef struct {
  DlsSeriesOptions series; /* names of arrays are lent until the end */
  bool walls;              /* the series walls, in 3-D */
  bool gauss;              /* the series gauss */
} DlsFramesOptions;

/* A new series in the folder, or its continuation: frames up to `resume` (s) stay; -INFINITY begins
 * anew. Frames of these series with later numbers, left by a longer run, are removed. `options`
 * NULL: all arrays, raw. */
DlsStatus dls_frames_create(const char *folder, const DlsFramesOptions *options, double resume,
                            DlsFrames **out);
/* What the bodies of the next frames hold besides: bits of DlsQuantity (post/quantity.h). */
void dls_frames_post(DlsFrames *frames, unsigned quantities);
DlsStatus dls_frames_write(DlsFrames *frames, const DlsSimulation *simulation);
int dls_frames_count(const DlsFrames *frames);
/* The PVD files have all frames after this, else those of a second ago; destroy does so too, and
 * tells no failure. NULL is fine. */
DlsStatus dls_frames_flush(DlsFrames *frames);
void dls_frames_destroy(DlsFrames **frames);

/* The picture of the last state: grains shaded by load, force chains. */
DlsStatus dls_frames_picture(const DlsSimulation *simulation, const char *title, const char *path);

#endif
