#include "compare/claims.h"

#include <string.h>

void dls_race_put_claims(DlsFile *file, const DlsRace *race, const DlsRaceRun *run) {
  char before[64] = "", claim[64];
  for (int t = 0; t < race->tolerances; t++) {
    dls_race_claim(race, run, t, claim);
    if (claim[0] && strcmp(claim, before) != 0)
      dls_file_print(file, "<b class=bad>%s</b> (to %g). ", claim, race->tolerance[t]);
    memcpy(before, claim, sizeof before);
  }
}
