/* The means over time that a deck asks for under `output: averages:`, while the run goes on. */
#ifndef DELASSUS_APP_AVERAGES_H
#define DELASSUS_APP_AVERAGES_H

#include "post/time_average.h"
#include "record/restart.h"
#include "scene/scene.h"

typedef struct AppAverages AppAverages;

/* Adds a problem to the deck for each that cannot be. */
void app_averages_check(DlsDeck *deck, const DlsScene *scene);

/* *out NULL where the deck asks for none; all below take NULL then. */
DlsStatus app_averages_open(const DlsScene *scene, AppAverages **out);
void app_averages_close(AppAverages **averages);

/* After each step. */
DlsStatus app_averages_step(AppAverages *averages, const DlsSimulation *simulation);

/* Their state in a checkpoint. One that the checkpoint does not know begins anew, if its time has
 * not begun; so does one whose keys the restart has changed, and one that ends with the run where
 * that ends at another time: these are told. */
DlsStatus app_averages_save(const AppAverages *averages, DlsCheckpointExtra *extra);
DlsStatus app_averages_restore(AppAverages *averages, const DlsRestart *restart,
                               const DlsCheckpointExtra *extra, double time);

/* average_NAME.csv, .vtu or .pvd, and a picture, of those that have an instant. */
DlsStatus app_averages_write(const AppAverages *averages, const char *folder, int zlib);

/* A line for each: its file, or that it has not begun. */
void app_averages_say(const AppAverages *averages, const char *folder);

/* "all" and the names of the boundaries, [boundaries + 1]: the rows of walls. Freed by the caller, the names stay with
 * the scene's data. */
DlsStatus app_averages_walls(const DlsSceneData *data, const char ***out);

#endif
