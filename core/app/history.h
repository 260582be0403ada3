/* history.csv: one row for each step. Columns that a scene has no use for are left out; those of wall clock come last. */
#ifndef DELASSUS_APP_HISTORY_H
#define DELASSUS_APP_HISTORY_H

#include "scene/scene.h"

typedef struct AppHistory AppHistory;

/* A new table, or, unless rows is negative, its continuation behind so many. Ended with app_history_close(). */
DlsStatus app_history_open(const char *path, const DlsScene *scene, long rows, AppHistory **out);
DlsStatus app_history_row(AppHistory *history, const DlsScene *scene);
DlsStatus app_history_flush(AppHistory *history);
DlsStatus app_history_sync(AppHistory *history);
DlsStatus app_history_close(AppHistory **history); /* NULL is fine */

#endif
