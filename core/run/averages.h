/* The means over time that a deck asks for under `output: averages:`, while the run goes on. */
#ifndef DELASSUS_RUN_AVERAGES_H
#define DELASSUS_RUN_AVERAGES_H

#include "post/time_average.h"
#include "record/restart.h"
#include "scene/scene.h"

typedef struct DlsAverages DlsAverages;

/* Adds a problem to the deck for each that cannot be. */
void dls_averages_check(DlsDeck *deck, const DlsScene *scene);

/* *out NULL where the deck asks for none; all below take NULL then. */
DlsStatus dls_averages_open(const DlsScene *scene, DlsAverages **out);
void dls_averages_close(DlsAverages **averages);

/* After each step. */
DlsStatus dls_averages_step(DlsAverages *averages, const DlsSimulation *simulation);

/* Hears which averages begin anew. */
typedef struct {
  void *context;
  void (*tell)(void *context, const char *sentence);
} DlsAveragesListener;

/* Their state in a checkpoint. One that the checkpoint does not know begins anew, if its time has
 * not begun; so does one whose keys the restart has changed, and one that ends with the run where
 * that ends at another time: these are told. */
DlsStatus dls_averages_save(const DlsAverages *averages, DlsCheckpointExtra *extra);
DlsStatus dls_averages_restore(DlsAverages *averages, const DlsRestart *restart,
                               const DlsCheckpointExtra *extra, double time,
                               const DlsAveragesListener *listener);

/* average_NAME.csv, .vtu or .pvd, and a picture, of those that have an instant. */
DlsStatus dls_averages_write(const DlsAverages *averages, const char *folder, int zlib);

/* Of average number k a line: its file, or that it has not begun; false behind the last. */
bool dls_averages_describe(const DlsAverages *averages, int k, const char *folder, char *text,
                           size_t bytes);

/* "all" and the names of the boundaries, [boundaries + 1]: the rows of walls. Freed by the caller,
 * the names stay with the scene's data. */
DlsStatus dls_averages_walls(const DlsSceneData *data, const char ***out);

#endif
