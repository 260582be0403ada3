/* A command under mpirun: the first rank reads, writes and speaks, the others work in silence. */
#ifndef DELASSUS_APP_RANKS_H
#define DELASSUS_APP_RANKS_H

#include "app/app.h"

/* All but the first rank have no streams from here on. APP_GO_ON, or the exit status of a command
 * that is none of several processes: the first rank says so. */
int app_ranks_begin(const char *word);

/* Meets the other ranks, where there are some. APP_GO_ON, or the exit status after a sentence. */
int app_ranks_join(const AppCommand *command);

#endif
