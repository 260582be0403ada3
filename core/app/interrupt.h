/* Ctrl-C and its kin: SIGINT, SIGTERM and SIGHUP end a command with the status APP_INTERRUPTED. Files
 * are whole or not there, whenever it comes. */
#ifndef DELASSUS_APP_INTERRUPT_H
#define DELASSUS_APP_INTERRUPT_H

#include <stdbool.h>

/* From now on a signal ends the program at once: what main() does for every command. A SIGHUP that is
 * ignored, as under nohup, stays so. */
void app_signals_end(void);

/* From now on the first signal asks the command to end well, to report the best iterate or to write a
 * checkpoint, and only the second ends it at once. For commands that look at app_interrupted(). */
void app_catch_signals(void);

/* Since app_catch_signals() a signal has come. */
bool app_interrupted(void);

#endif
