/* A run into the folder of a longer one would leave that one's last frames beside its own. */
#ifndef DELASSUS_RECORD_LEFTOVER_FRAMES_H
#define DELASSUS_RECORD_LEFTOVER_FRAMES_H

#include <delassus/status.h>

/* Removes "NAME_NNNNNN.vtu" and "NAME_NNNNNN.csv" with numbers from `first` on, and nothing
 * else. */
DlsStatus dls_leftover_frames_remove(const char *folder, const char *name, long first);

#endif
