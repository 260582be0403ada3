/* Entrants that differ in PETSc's options: newton:-ksp_type=gmres:-pc_type=jacobi. PETSc reads its
 * options once in a process, when it starts, from the environment; each solve of a race has a
 * process of its own, in which a stand-in for the solver sets them first. */
#ifndef DELASSUS_COMPARE_PETSC_ENTRANT_H
#define DELASSUS_COMPARE_PETSC_ENTRANT_H

#include <delassus/solver.h>

enum { DLS_PETSC_TEXT = 256 };

/* Appends "-ksp_type gmres" to text for the word "-ksp_type=gmres"; refuses what is too long. */
DlsStatus dls_petsc_add(const char *word, char text[DLS_PETSC_TEXT]);

/* Puts the stand-in in the place of the solver, and options that hold the text in that of those
 * there are, which are freed. Refuses a solver that does not stand on PETSc, and options that
 * PETSc does not know: they are tried in a process aside. */
DlsStatus dls_petsc_stand_in(const char *text, const DlsSolver **solver, void **options);

#endif
