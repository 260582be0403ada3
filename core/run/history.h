/* history.csv: one row for each step. Columns that a scene has no use for are left out; which there
 * are follows from the deck alone, and their order is that of docs/run.md; those of wall clock come
 * last. */
#ifndef DELASSUS_RUN_HISTORY_H
#define DELASSUS_RUN_HISTORY_H

#include "scene/scene.h"

typedef struct DlsHistory DlsHistory;

/* A new table, or, unless rows is negative, its continuation behind so many. Ended with
 * dls_history_close(). */
DlsStatus dls_history_open(const char *path, const DlsScene *scene, long rows, DlsHistory **out);
DlsStatus dls_history_row(DlsHistory *history, const DlsScene *scene);
DlsStatus dls_history_flush(DlsHistory *history);
DlsStatus dls_history_sync(DlsHistory *history);
DlsStatus dls_history_close(DlsHistory **history); /* NULL is fine */

#endif
