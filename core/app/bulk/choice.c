#include "app/bulk/choice.h"

#include <string.h>

#include "app/bulk/words.h"

/* The measure of a word, 0 without one, -1 for another word or what the law does not take. */
static int measure_of(const AppBulkChoice *choice) {
  if (!choice->word) return 0;
  for (int bit = DLS_BULK_SMALL; bit <= DLS_BULK_LOG; bit *= 2)
    if (strcmp(app_bulk_measure(bit), choice->word) == 0)
      return choice->law->measures & (uint32_t)bit ? bit : -1;
  return -1;
}

bool app_bulk_choose(const AppCommand *command, AppBulkChoice *choice, DlsBulkDrive *point) {
  char taken[APP_BULK_WORDS];
  bool fine = dls_bulk_find(choice->name, &choice->law) == DLS_OK;
  if (fine) dls_bulk_defaults(choice->law, choice->params);
  for (int k = 0; k < choice->settings.count && fine; k++)
    fine = dls_bulk_set_text(choice->law, choice->params, choice->settings.item[k]) == DLS_OK;
  const int measure = fine ? measure_of(choice) : 0;
  if (measure < 0) {
    app_bulk_measures(choice->law, taken);
    app_refuse(command, "--measure %s: the law %s takes %s", choice->word, choice->law->name,
               taken);
    return false;
  }
  fine = fine && dls_bulk_drive_begin(choice->law, choice->params, measure,
                                      choice->size > 0 ? choice->size : 0.01, point) == DLS_OK;
  if (!fine) app_refuse_status(command);
  return fine;
}
