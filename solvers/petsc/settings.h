/* The options that PETSc was given, put to the test before the first solve: one that nobody reads
 * is misspelt, or belongs to a solver that was not chosen. */
#ifndef DELASSUS_SOLVERS_PETSC_SETTINGS_H
#define DELASSUS_SOLVERS_PETSC_SETTINGS_H

#include <delassus/status.h>

/* Sets up a small system as the options say, and asks which of them were not read. Refuses the
 * first with a sentence that gives the nearest name there is; a value that PETSc refuses too. Does
 * nothing after the first call that was well, nor where there are no options. */
DlsStatus newton_settings_check(void);

#endif
