#include "post/quantity.h"

#include "base/choices.h"

DlsStatus dls_quantity_add(const char *word, unsigned *mask) {
  const int number = dls_choice_find(DLS_CHOICES(DLS_QUANTITY_LIST), word);
  char all[200];
  dls_choice_list(DLS_CHOICES(DLS_QUANTITY_LIST), ", ", all, sizeof all);
  DLS_CHECK(number >= 0, DLS_ERR_ARGUMENT, "post: no quantity is called %s; there are %s", word,
            all);
  *mask |= 1u << number;
  return DLS_OK;
}
