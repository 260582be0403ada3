/* A run into the folder of a longer one would leave that one's last frames beside its own. */
#ifndef DELASSUS_RECORD_STALE_H
#define DELASSUS_RECORD_STALE_H

#include <delassus/status.h>

/* Removes "NAME_NNNNNN.vtu" with numbers from `first` on, and nothing else. */
DLS_EXPORT DlsStatus dls_stale_remove(const char *folder, const char *name, long first);

#endif
