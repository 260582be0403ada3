/* What solvers said and what was measured, on the page of a race. */
#ifndef DELASSUS_COMPARE_CLAIMS_H
#define DELASSUS_COMPARE_CLAIMS_H

#include "base/file.h"
#include "compare/race/race.h"

/* Where they do not agree: a bold claim for each tolerance, as HTML. */
void dls_race_put_claims(DlsFile *file, const DlsRace *race, const DlsRaceRun *run);

#endif
