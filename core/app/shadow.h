/* Shadow solvers: every k-th step of a run is solved by other solvers too, from the same start, each in a process of its
 * own, without touching the run. The report is that of `delassus compare`, in FOLDER/shadow; the contacts on which they
 * disagree with the run are FOLDER/shadow/disagree.pvd. */
#ifndef DELASSUS_APP_SHADOW_H
#define DELASSUS_APP_SHADOW_H

#include "compare/entrants.h"
#include "step/simulation.h"

typedef struct AppShadow AppShadow;

/* Begins to look on. The run's own solver is the first of the race. `entrants` are taken over: *entrants is empty after.
 * `steps` is the most that the run may make. */
DlsStatus app_shadow_begin(DlsSimulation *simulation, DlsEntrants *entrants, long every, long steps,
                           const char *folder, AppShadow **out);

/* Writes the report; says how many steps were raced. */
DlsStatus app_shadow_report(const AppShadow *shadow, int *raced, const char **folder);
void app_shadow_end(AppShadow **shadow); /* NULL is fine */

#endif
