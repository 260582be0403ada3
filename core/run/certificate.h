/* The certificate of a run: FOLDER/summary.json. */
#ifndef DELASSUS_RUN_CERTIFICATE_H
#define DELASSUS_RUN_CERTIFICATE_H

#include <stdbool.h>

#include "scene/scene.h"

/* `changes`: what restarts have changed of the deck, a line each (record/restart.h); `impossible`:
 * why the run stopped at a step without a solution, "" where it did not; wall_clock in s. */
DlsStatus dls_certificate_write(const DlsScene *scene, const char *deck, const char *changes,
                                bool finished, const char *impossible, double wall_clock,
                                const char *folder);

/* The name of the deck in a certificate, freed by the caller; NULL where there is none. */
char *dls_certificate_deck(const char *path);

#endif
