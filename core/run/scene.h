/* For the rooms above: what stands behind a run. */
#ifndef DELASSUS_RUN_SCENE_H
#define DELASSUS_RUN_SCENE_H

#include <delassus/run.h>

#include "run/averages.h"
#include "scene/scene.h"

/* Lives as long as the run. */
DlsScene *dls_run_scene(DlsRun *run);

/* Who draws the averages at the end of the run; without, they have no pictures. */
void dls_run_paint_averages(DlsRun *run, DlsAveragesPainter *painter);

#endif
