/* Shadow solvers: every k-th step of a run is solved by other solvers too, from the same start,
 * each in a process of its own, without touching the run. The report is that of `delassus compare`,
 * in FOLDER/shadow; the contacts on which they disagree with the run are
 * FOLDER/shadow/disagree.pvd. */
#ifndef DELASSUS_RUN_SHADOW_H
#define DELASSUS_RUN_SHADOW_H

#include "compare/entrants.h"
#include "step/simulation.h"

typedef struct DlsShadow DlsShadow;

/* Who may end a race: true stops it. */
typedef struct {
  bool (*asked)(void *context);
  void *context;
} DlsShadowStop;

/* Begins to look on. The run's own solver is the first of the race. `entrants` are taken over:
 * *entrants is empty after. `steps` is the most that the run may make. */
DlsStatus dls_shadow_begin(DlsSimulation *simulation, DlsEntrants *entrants, long every, long steps,
                           const char *folder, DlsShadowStop stop, DlsShadow **out);

/* Writes the report; says how many steps were raced. */
DlsStatus dls_shadow_report(const DlsShadow *shadow, int *raced);
void dls_shadow_end(DlsShadow **shadow); /* NULL is fine */

#endif
