/* A folder with the files of a new plugin, written from texts with @MARKS@: for `law new` and
 * `solver new`. */
#ifndef DELASSUS_APP_NEW_FOLDER_H
#define DELASSUS_APP_NEW_FOLDER_H

#include <stdbool.h>

#include <delassus/status.h>

enum { APP_NEW_NAME = 32, APP_NEW_PATH = 4096 };

/* @mark@ in a text stands for `text`. */
typedef struct {
  const char *mark, *text;
} AppMark;

/* Fails for what is no name of a plugin, and for what CMake calls targets of its own. `noun`: law,
 * solver. */
DlsStatus app_new_check_name(const char *noun, const char *text);

/* Makes the folder; one that is there already is refused and left as it is. */
DlsStatus app_new_folder(const char *folder);

/* FOLDER/NAME from the text, its marks filled in. */
DlsStatus app_new_file(const char *folder, const char *name, const char *text, const AppMark *marks,
                       int count);

/* This program, and the folder PREFIX with PREFIX/bin/delassus; "delassus" and "PREFIX" where they
 * are not known. */
void app_new_places(char program[APP_NEW_PATH], char prefix[APP_NEW_PATH]);

#endif
