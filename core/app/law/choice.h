/* Which law, with which parameters, in which space: shared by the commands that put one law to work. */
#ifndef DELASSUS_APP_LAW_CHOICE_H
#define DELASSUS_APP_LAW_CHOICE_H

#include <delassus/laws.h>

#include "app/arguments.h"

enum { APP_LAW_SETTINGS = 64 };

typedef struct {
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS];
  const char *setting[APP_LAW_SETTINGS]; /* "mu=0.5", in their order */
  int settings;
  int dim, block; /* 0 until chosen */
} AppLawChoice;

/* Each takes the argument just met; on a wrong one it says so, sets the status of the arguments: false. */
bool app_law_choose(AppArguments *arguments, AppLawChoice *choice);
bool app_law_set(AppArguments *arguments, AppLawChoice *choice);
bool app_law_dimension(AppArguments *arguments, AppLawChoice *choice);
bool app_law_block(AppArguments *arguments, AppLawChoice *choice);

/* After the last argument: parameters set, a dimension that the law serves. Says what is wrong: false. */
bool app_law_finish(const AppCommand *command, AppLawChoice *choice);

#endif
