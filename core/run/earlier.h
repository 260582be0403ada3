/* What a folder holds of an earlier run, before another one writes there. */
#ifndef DELASSUS_RUN_EARLIER_H
#define DELASSUS_RUN_EARLIER_H

#include "scene/scene.h"

typedef struct {
  bool any;    /* there is a run */
  bool alike;  /* of this deck, but for where it ends and what it writes */
  int frames;  /* of the series of bodies */
  double time; /* s, how far it came: of its last frame or its checkpoint; -INFINITY unknown */
} DlsEarlierRun;

/* A folder that is not there holds nothing. Reads alone. */
DlsStatus dls_earlier_look(const char *folder, const DlsScene *scene, DlsEarlierRun *out);

/* Removes the checkpoints and the certificate of an earlier run, which are none of the one that
 * begins now; of one that is not alike also its picture, averages and captures. Frames and tables
 * are replaced by those who write them. */
DlsStatus dls_earlier_clear(const char *folder, bool alike);

/* Whether the file stands in the folder, whatever the two paths look like. */
bool dls_earlier_has(const char *folder, const char *file);

#endif
