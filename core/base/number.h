/* Numbers as text that every reader understands, whatever the locale of the process: '.' for the
 * decimal point, nan, inf and -inf. */
#ifndef DELASSUS_BASE_NUMBER_H
#define DELASSUS_BASE_NUMBER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DLS_NUMBER_BYTES = 40, DLS_NUMBER_EXACT = 17 };

/* `digits` significant ones, 1 to 17; 0: as few as give the same double back. Returns text. */
static inline const char *dls_number_text(char text[DLS_NUMBER_BYTES], double value, int digits) {
  if (isnan(value)) return strcpy(text, "nan");
  if (isinf(value)) return strcpy(text, value > 0 ? "inf" : "-inf");
  if (digits > 0) {
    snprintf(text, DLS_NUMBER_BYTES, "%.*g", digits, value);
  } else {
    for (digits = 15; digits <= DLS_NUMBER_EXACT; digits++) {
      snprintf(text, DLS_NUMBER_BYTES, "%.*g", digits, value);
      if (strtod(text, NULL) == value) break;
    }
  }
  char *point = strchr(text, ',');
  if (point) *point = '.';
  return text;
}

#endif
