/* Ctrl-C and its kin: SIGINT, SIGTERM and SIGHUP end a command with the status APP_INTERRUPTED.
 * Files are whole or not there, whenever it comes. */
#ifndef DELASSUS_APP_INTERRUPT_H
#define DELASSUS_APP_INTERRUPT_H

#include <stdbool.h>

/* From now on a signal ends the program at once: what main() does for every command. A SIGHUP that
 * is ignored, as under nohup, stays so. */
void app_signals_end(void);

/* From now on the first signal asks the command to end well, to report the best iterate or to write
 * a checkpoint, and only the second ends it at once. For commands that look at
 * app_interrupted(). */
void app_catch_signals(void);

/* Since app_catch_signals() a signal has come. */
bool app_interrupted(void);
/* The same, for those who ask with a context of their own. */
bool app_stop_asked(void *nobody);

/* While a command prepares what it runs, which may be 20 million grains to place: after two seconds
 * a line on standard error says so (never where `quiet`), and after `limit` seconds (0: none) the
 * program ends with a sentence and APP_INTERRUPTED. Nothing is written yet, so there is nothing to
 * save. */
void app_prepare_begin(double limit, bool quiet);
void app_prepare_end(void);

/* While a solver works, which may be in a factorisation of minutes that nobody can break off: two
 * seconds after a signal, or after `limit` seconds of wall clock (0: none), the program ends with a
 * sentence and APP_INTERRUPTED, whatever the solver does. The sentence has what was told last. */
void app_watch_begin(double limit);
void app_watch_tell(long iteration, double error);
void app_watch_end(void);

/* Of a run of several ranks: once it is asked to end and its rank has waited for the others for a
 * while, which `waits` tells in s, one of them is gone; the program ends with a sentence. Handlers
 * of signals call it. From app_catch_signals() on. */
void app_watch_ranks(double (*waits)(void));

#endif
