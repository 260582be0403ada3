/* For the rooms above: what stands behind a run. */
#ifndef DELASSUS_RUN_SCENE_H
#define DELASSUS_RUN_SCENE_H

#include <delassus/run.h>

#include "scene/scene.h"

/* Lives as long as the run. */
DlsScene *dls_run_scene(DlsRun *run);

#endif
