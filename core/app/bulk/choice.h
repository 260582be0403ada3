/* Which bulk law, with which parameters and measure of strain: shared by the commands that put one
 * to work. */
#ifndef DELASSUS_APP_BULK_CHOICE_H
#define DELASSUS_APP_BULK_CHOICE_H

#include "app/options.h"
#include "bulk_bench/drive.h"

typedef struct {
  const char *name; /* or path */
  const DlsBulk *law;
  double params[DLS_MAX_PARAMS];
  AppTexts settings; /* "young=1e9", in their order */
  double size;       /* m, of the element */
  const char *word;  /* of the measure; NULL: the first that the law takes */
} AppBulkChoice;

#define APP_BULK_ROWS(job, field)                                                                  \
  APP_TEXTS_ROW(job, field.settings, "set", "p=v", "a parameter of the law; may be repeated"),     \
      APP_TEXT_ROW(job, field.word, "measure", "small|log|green",                                  \
                   "of strain; the first of these that the law takes"),                            \
      APP_REAL_ROW(job, field.size, "size", "M", APP_ABOVE_0, APP_ANY,                             \
                   "of the element, for laws that soften; 0.01")

/* After the last argument: the law found, its parameters set, a new point of it. Says what is
 * wrong: false. */
bool app_bulk_choose(const AppCommand *command, AppBulkChoice *choice, DlsBulkDrive *point);

#endif
