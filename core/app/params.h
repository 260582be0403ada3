/* Tables of parameters and states of laws of any kind: printed, in a page, and which of them --set
 * holds. */
#ifndef DELASSUS_APP_PARAMS_H
#define DELASSUS_APP_PARAMS_H

#include <stdbool.h>

#include <delassus/law.h>

#include "base/file.h"

/* A title and a line for each row; nothing where there are none. */
void app_params_print(const char *title, const DlsParam *rows, int count);

/* Marks the row that "name=value" sets. */
void app_params_pin(const DlsParam *rows, int count, const char *text, bool *pinned);

/* The table of a page in HTML: values, and between which bounds others are drawn. */
void app_params_write(DlsFile *file, const DlsParam *rows, int count, const double *values,
                      const bool *pinned);

/* "mu = 0.5,  rho = 0, ...  TAIL" in up to two lines, for the head of a drawing. */
enum { APP_PARAMS_LINE = 110, APP_PARAMS_LINES = 2 };
typedef struct {
  char text[APP_PARAMS_LINES][2 * APP_PARAMS_LINE];
  const char *lines[APP_PARAMS_LINES];
  int count;
} AppParamsLines;
void app_params_lines(const DlsParam *rows, int count, const double *values, const char *tail,
                      AppParamsLines *out);

#endif
