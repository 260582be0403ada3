#include "app/law/choice.h"

bool app_law_choose(AppArguments *arguments, AppLawChoice *choice) {
  if (dls_law_find(arguments->value, &choice->law) == DLS_OK) return true;
  arguments->status = app_refuse_status(arguments->command);
  return false;
}

bool app_law_set(AppArguments *arguments, AppLawChoice *choice) {
  if (choice->settings == APP_LAW_SETTINGS) {
    arguments->status = app_refuse(arguments->command, "more than %d --set", APP_LAW_SETTINGS);
    return false;
  }
  choice->setting[choice->settings++] = arguments->value;
  return true;
}

bool app_law_dimension(AppArguments *arguments, AppLawChoice *choice) {
  long dim;
  if (!app_arguments_count(arguments, "dimension", 2, &dim)) return false;
  choice->dim = (int)dim;
  if (dim <= 3) return true;
  arguments->status = app_refuse(arguments->command, "--dimension %ld: 2 or 3", dim);
  return false;
}

bool app_law_block(AppArguments *arguments, AppLawChoice *choice) {
  long block;
  if (!app_arguments_count(arguments, "block", 2, &block)) return false;
  choice->block = (int)block;
  if (block == 2 || block == 3 || block == 5 || block == 6) return true;
  arguments->status = app_refuse(arguments->command, "--block %ld: 2, 3, 5 or 6", block);
  return false;
}

bool app_law_finish(const AppCommand *command, AppLawChoice *choice) {
  const DlsLaw *law = choice->law;
  dls_law_defaults(law, choice->params);
  for (int k = 0; k < choice->settings; k++)
    if (dls_law_set_text(law, choice->params, choice->setting[k]) != DLS_OK) {
      app_refuse_status(command);
      return false;
    }
  if (!choice->dim)
    choice->dim = choice->block == 2 || (!dls_law_serves(law, 3) && !dls_law_serves(law, 5) &&
                                         !dls_law_serves(law, 6))
                      ? 2
                      : 3;
  if (choice->block && (choice->block < choice->dim || !dls_law_serves(law, choice->block))) {
    app_refuse(command, "law %s does not serve a block of %d in %d-D; see delassus law show %s",
               law->name, choice->block, choice->dim, law->name);
    return false;
  }
  return true;
}
