/* What is to stand on the bench, loaded in a process of its own first. */
#ifndef DELASSUS_APP_CHECK_LOAD_H
#define DELASSUS_APP_CHECK_LOAD_H

#include "app/check.h"

/* Finds check->subject in a child, which then ends: constructors, the entry function and
 * destructors run there before they do here. APP_GO_ON where that goes well, or where `find`
 * refuses it with a sentence, which the command hears again. Where the child dies, exits, hangs or
 * leaves processes behind, the check `load` has failed: it is printed, stands in the page and the
 * object that are asked for, and the exit status comes back. */
int app_check_load(const AppCommand *command, const AppCheckKind *kind, AppCheck *check,
                   DlsStatus (*find)(const char *subject));

#endif
