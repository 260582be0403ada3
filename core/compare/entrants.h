/* The solvers that enter a race, as a user lists them: a,b or all (of ours); one with options is
 * name:key=value:..., where a value of a choice may stand alone; name:all is each value of the
 * solver's first choice: siconos:all, siconos:nsn_ac. PETSc's options begin with a dash:
 * newton:-ksp_type=gmres. */
#ifndef DELASSUS_COMPARE_ENTRANTS_H
#define DELASSUS_COMPARE_ENTRANTS_H

#include "compare/race/race.h"

enum { DLS_MAX_ENTRANTS = 64 };

typedef struct {
  const DlsSolver *solver;
  void *options; /* option_bytes, filled */
  char label[DLS_RACE_NAME];
} DlsEntrant;

typedef struct {
  DlsEntrant entrant[DLS_MAX_ENTRANTS];
  int count;
} DlsEntrants;

/* Adds the solvers of the list; `option` is named in the sentence of a mistake. What was added
 * before it stays: the caller ends *entrants with dls_entrants_clear() in any case. */
DlsStatus dls_entrants_read(const char *option, const char *list, DlsEntrants *entrants);
void dls_entrants_clear(DlsEntrants *entrants);

#endif
