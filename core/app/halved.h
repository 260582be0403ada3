/* The same deck run once more with half the step, beside the run itself: what the length of the
 * step decides is seen in what differs (Moreau 1994, sec. 2: the energy against time of both). */
#ifndef DELASSUS_APP_HALVED_H
#define DELASSUS_APP_HALVED_H

#include <delassus/run.h>

typedef struct AppHalved AppHalved;

/* A second run of `deck` with `options` (those of `run`, which was opened with them), half the step
 * and its results in FOLDER/halved; the table FOLDER/halved.csv is begun. */
DlsStatus app_halved_open(DlsRun *run, const char *deck, const DlsRunOptions *options,
                          AppHalved **out);

/* Takes the steps up to the time of the run, and a row of the table. */
DlsStatus app_halved_follow(AppHalved *self);

/* The largest differences, on stdout, and the figure FOLDER/halved.svg; true where each step of the
 * second run converged and it came as far as the first. */
DlsStatus app_halved_say(AppHalved *self, bool quiet, bool *whole);

DlsStatus app_halved_close(AppHalved **self); /* NULL is fine; sets *self to NULL */

#endif
