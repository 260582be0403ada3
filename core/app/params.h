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

#endif
