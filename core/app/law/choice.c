#include "app/law/choice.h"

bool app_law_choose(const AppCommand *command, AppLawChoice *choice) {
  if (dls_law_find(choice->name, &choice->law) != DLS_OK) {
    app_refuse_status(command);
    return false;
  }
  const DlsLaw *law = choice->law;
  dls_law_defaults(law, choice->params);
  for (int k = 0; k < choice->settings.count; k++)
    if (dls_law_set_text(law, choice->params, choice->settings.item[k]) != DLS_OK) {
      app_refuse_status(command);
      return false;
    }
  if (!choice->dim)
    choice->dim = choice->block == 2 || (!dls_law_serves(law, 3) && !dls_law_serves(law, 5) &&
                                         !dls_law_serves(law, 6))
                      ? 2
                      : 3;
  if (choice->block && (choice->block < choice->dim || !dls_law_serves(law, (int)choice->block))) {
    app_refuse(command, "law %s does not serve a block of %ld in %ld-D; see delassus law show %s",
               law->name, choice->block, choice->dim, law->name);
    return false;
  }
  return true;
}
