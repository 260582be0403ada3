/* delassus compare --analytic: the scoreboard, on the terminal and as a report. */
#ifndef DELASSUS_APP_SCOREBOARD_H
#define DELASSUS_APP_SCOREBOARD_H

#include "compare/entrants.h"

/* Runs the entrants on every analytic problem. The race has room for them, its tolerances and
 * limits are set. */
DlsStatus app_scoreboard(const DlsEntrants *field, DlsRace *race, const char *out, bool quiet);

#endif
