/* The guard of the program: a contact law that dies, or calls exit(), ends the command with a
 * sentence and APP_NOT_CONVERGED, not the process. */
#ifndef DELASSUS_APP_GUARD_H
#define DELASSUS_APP_GUARD_H

/* Puts it up. DELASSUS_LAW_TIME in the environment sets the processor time that one call of a law
 * may last, s; 0: any. APP_GO_ON, or APP_WRONG_INPUT where that is no such number. */
int app_guard_begin(void);

/* The exit status at the end of a command: `status`, unless a law has died and nobody told. */
int app_guard_close(int status);

#endif
