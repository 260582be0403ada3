#include "post/quantity.h"

#include <stdio.h>
#include <string.h>

static const char *const words[] = {
#define DLS_QUANTITY_TEXT(code, text) text,
    DLS_QUANTITY_LIST(DLS_QUANTITY_TEXT)
#undef DLS_QUANTITY_TEXT
};

DlsStatus dls_quantity_add(const char *word, unsigned *mask) {
  char all[200] = "";
  for (int k = 0; k < DLS_QUANTITY_COUNT; k++) {
    if (strcmp(words[k], word) == 0) {
      *mask |= 1u << k;
      return DLS_OK;
    }
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", words[k]);
  }
  return dls_fail(DLS_ERR_ARGUMENT, "post: no quantity is called %s; there are %s", word, all);
}
