/* What a bulk law says of itself, in words. */
#ifndef DELASSUS_APP_BULK_WORDS_H
#define DELASSUS_APP_BULK_WORDS_H

#include "bulk/bulk.h"

enum { APP_BULK_WORDS = 128 };

/* "small, green, log"; the word of one measure. */
void app_bulk_measures(const DlsBulk *law, char text[APP_BULK_WORDS]);
const char *app_bulk_measure(int measure);

/* "symmetric, isotropic", or "none". */
void app_bulk_claims(const DlsBulk *law, char text[APP_BULK_WORDS]);

#endif
