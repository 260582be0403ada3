/* How a race was run, told line by line: the table at the head of the page, kept as about.csv
 * beside it so that a page can be made again. A line whose value is empty is left out. */
#ifndef DELASSUS_COMPARE_ABOUT_H
#define DELASSUS_COMPARE_ABOUT_H

#include <stddef.h>

#include <delassus/status.h>

enum { DLS_ABOUT_LINES = 32, DLS_ABOUT_KEY = 40, DLS_ABOUT_VALUE = 2048 };

typedef struct {
  char key[DLS_ABOUT_KEY];
  char value[DLS_ABOUT_VALUE];
} DlsAboutLine;

typedef struct {
  char title[96];
  int count;
  DlsAboutLine line[DLS_ABOUT_LINES];
} DlsAbout;

/* A line more, or another value for a key that is there; what is too long is cut. */
void dls_about_put(DlsAbout *about, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* NULL where there is no such line. */
const char *dls_about_get(const DlsAbout *about, const char *key);

/* The line `command`: `first`, then the words of a command line, those with blanks or signs of the
 * shell in quotes; of many files in a row the first and the last. */
void dls_about_command(DlsAbout *about, const char *first, int argc, char *const *argv);

DlsStatus dls_about_write(const DlsAbout *about, const char *folder);
DlsStatus dls_about_read(const char *folder, DlsAbout *out); /* no file: no lines */

#endif
