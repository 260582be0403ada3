/* What a frame may hold of each grain besides its motion: the words of the deck's `output:
 * post:`. */
#ifndef DELASSUS_POST_QUANTITY_H
#define DELASSUS_POST_QUANTITY_H

#include <delassus/status.h>

#define DLS_QUANTITY_LIST(X)                                                                       \
  X(STRESS, "stress")   /* tensor, principal values, pressure, deviator, ratio */                  \
  X(KINETIC, "kinetic") /* stress of the motion */                                                 \
  X(SPLITS, "splits")   /* parts of the stress: normal, tangential; strong, weak contacts */       \
  X(FABRIC, "fabric")   /* fabric tensor, rattlers */                                              \
  X(CHAINS, "chains")   /* force chains */

typedef enum {
#define DLS_QUANTITY_ENUM(code, text) DLS_QUANTITY_##code,
  DLS_QUANTITY_LIST(DLS_QUANTITY_ENUM)
#undef DLS_QUANTITY_ENUM
      DLS_QUANTITY_COUNT
} DlsQuantity;

/* Bit 1 << DlsQuantity of a word, added to *mask; DLS_ERR_ARGUMENT names the words there are. */
DlsStatus dls_quantity_add(const char *word, unsigned *mask);

static inline int dls_quantity_in(unsigned mask, DlsQuantity quantity) {
  return (mask >> quantity & 1u) != 0;
}

#endif
