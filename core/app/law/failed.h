/* A law that fails under `law path` or `law draw`. */
#ifndef DELASSUS_APP_LAW_FAILED_H
#define DELASSUS_APP_LAW_FAILED_H

#include "app/app.h"

/* Prints the library's sentence. Of a law that failed, what it was asked is kept in
 * law-failure.yaml in the folder of the file `beside`: APP_NOT_CONVERGED, and the command that asks
 * it again. Any other failure: as app_refuse_status(). */
int app_law_failed(const AppCommand *command, DlsStatus status, const char *beside);

#endif
