/* All solvers of a race on one problem, so many side by side as are asked for. */
#ifndef DELASSUS_APP_HEAT_H
#define DELASSUS_APP_HEAT_H

#include "compare/entrants.h"
#include "compare/race/race.h"

enum { APP_HEAT_JOBS = 64 };

typedef struct {
  DlsRace *race;
  const DlsEntrants *field;
  int number; /* of the problem in the race */
  const DlsProblem *problem;
  const double *guess;
  int jobs; /* 1 to APP_HEAT_JOBS */
  /* Told of each run as it is put in its place, one at a time: `kept`, it was there before. */
  DlsStatus (*tell)(void *context, int number, int solver, bool kept);
  void *context;
} AppHeat;

/* Until all have run, something fails, or somebody interrupts. */
DlsStatus app_heat_run(const AppHeat *heat);

#endif
