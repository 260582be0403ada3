/* Shared by the files of the scene. */
#ifndef DELASSUS_STEP_SCENE_IMPL_H
#define DELASSUS_STEP_SCENE_IMPL_H

#include "step/scene.h"

enum {
  DLS_PLACE_LATTICE,
  DLS_PLACE_PYRAMID,
  DLS_PLACE_RANDOM,
  DLS_PLACE_PACKED,
  DLS_PLACE_RAIN,
  DLS_PLACE_DEPOSIT,
  DLS_PLACE_FILE
}; /* in the order of the choices of grains.place */

/* Adds a problem for what is wrong between keys of one section, or with the dimension: no body is made yet. */
void dls_scene_check(DlsDeck *deck, const DlsSceneData *data);

/* Adds a problem where bodies would meet without a law, and where they overlap at the start. `owner` [count] says
 * which section each body comes from. */
void dls_scene_check_laws(DlsDeck *deck, const DlsSimulation *simulation);
void dls_scene_check_overlap(DlsDeck *deck, const DlsSceneData *data, DlsSimulation *simulation,
                             const DlsDeckNode *const *owner);

#endif
