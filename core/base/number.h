/* Numbers as text that every reader understands, whatever the locale of the process: '.' for the
 * decimal point, nan, inf and -inf. */
#ifndef DELASSUS_BASE_NUMBER_H
#define DELASSUS_BASE_NUMBER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DLS_NUMBER_BYTES = 40, DLS_NUMBER_EXACT = 17 };

/* `digits` significant ones, 1 to 17; 0: as few as give the same double back, 15 at least but for
 * zeros at the end. Returns text. */
const char *dls_number_text(char text[DLS_NUMBER_BYTES], double value, int digits);

#endif
