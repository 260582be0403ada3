/* The files of a new solver, as texts with @MARKS@ that new.c fills in. */
#ifndef DELASSUS_APP_SOLVER_NEW_H
#define DELASSUS_APP_SOLVER_NEW_H

extern const char solver_new_source[], solver_new_cmake[], solver_new_readme[];

#endif
