/* What a folder holds of an earlier run, before another one writes there. */
#ifndef DELASSUS_RECORD_RUN_FOLDER_H
#define DELASSUS_RECORD_RUN_FOLDER_H

#include "scene/scene.h"

typedef struct {
  bool any;    /* there is a run */
  bool alike;  /* of this deck, but for where it ends and what it writes */
  int frames;  /* of the series of bodies */
  double time; /* s, how far it came: of its last frame or its checkpoint; -INFINITY unknown */
} DlsRunFolder;

/* A folder that is not there holds nothing. Reads alone. */
DlsStatus dls_run_folder_look(const char *folder, const DlsScene *scene, DlsRunFolder *out);

/* Removes the checkpoints and the certificate of an earlier run, which are none of the one that
 * begins now; of one that is not alike also its picture, averages and captures. Frames and tables
 * are replaced by those who write them. */
DlsStatus dls_run_folder_clear(const char *folder, bool alike);

/* Whether the file stands in the folder, whatever the two paths look like. */
bool dls_run_folder_has(const char *folder, const char *file);

#endif
