/* The solvers that enter a race, as the command line lists them: a,b or all; one with options is name:key=value:... */
#ifndef DELASSUS_APP_ENTRANTS_H
#define DELASSUS_APP_ENTRANTS_H

#include "app/app.h"
#include "compare/race/race.h"

enum { APP_MAX_ENTRANTS = 64 };

typedef struct {
  const DlsSolver *solver;
  void *options; /* option_bytes, filled */
  char label[DLS_RACE_NAME];
} AppEntrant;

typedef struct {
  AppEntrant entrant[APP_MAX_ENTRANTS];
  int count;
} AppEntrants;

/* Adds the solvers of the list; on a mistake it says so: false. `option` is named in the sentence. */
bool app_entrants_read(const AppCommand *command, const char *option, const char *list,
                       AppEntrants *entrants);
void app_entrants_clear(AppEntrants *entrants);

#endif
