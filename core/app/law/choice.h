/* Which law, with which parameters, in which space: shared by the commands that put one law to
 * work. */
#ifndef DELASSUS_APP_LAW_CHOICE_H
#define DELASSUS_APP_LAW_CHOICE_H

#include <delassus/laws.h>

#include "app/options.h"

typedef struct {
  const char *name; /* or path */
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS];
  AppTexts settings; /* "mu=0.5", in their order */
  long dim, block;   /* 0 until chosen */
} AppLawChoice;

/* The rows of a choice that is the field of a job. */
#define APP_LAW_ROWS(job, field)                                                                   \
  APP_TEXTS_ROW(job, field.settings, "set", "p=v", "a parameter of the law; may be repeated"),     \
      APP_NUMBER_ROW(job, field.dim, "dimension", "2|3", "2|3",                                    \
                     "of space; 3 unless given, or 2 where the law wants it"),                     \
      APP_NUMBER_ROW(job, field.block, "block", "N", "2|3|5|6",                                    \
                     "2, 3, 5 or 6 components; the fewest that the law serves")

/* After the last argument: the law found, its parameters set, a dimension that it serves. Says what
 * is wrong: false. */
bool app_law_choose(const AppCommand *command, AppLawChoice *choice);

#endif
