/* The report of a race that was run, or of a part of it, without a solve: from runs.csv,
 * convergence.csv, problems.csv and about.csv of its folder. */
#ifndef DELASSUS_COMPARE_REDRAW_H
#define DELASSUS_COMPARE_REDRAW_H

#include "compare/about.h"
#include "compare/race/race.h"

typedef struct {
  const char *solvers;  /* names with commas, in the order wanted; NULL: all, as they ran */
  const char *problems; /* extended regular expression that names match; NULL: all */
  int tolerances;       /* 0: all */
  const double *tolerance;
} DlsRedraw;

/* The race as the folder tells it. *race is ended with dls_race_clear(). */
DlsStatus dls_redraw_open(const char *folder, const DlsRedraw *what, DlsRace *race,
                          DlsAbout *about);

/* The page into `out`; where that is another folder than `folder`, the tables of the part too. */
DlsStatus dls_redraw_write(DlsRace *race, const DlsAbout *about, const char *folder,
                           const char *out);

#endif
