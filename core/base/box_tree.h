/* A tree of boxes along the axes: which of many things are near a place. It is split at the median
 * once, and follows what moves by new boxes in the same order. */
#ifndef DELASSUS_BASE_BOX_TREE_H
#define DELASSUS_BASE_BOX_TREE_H

#include <delassus/status.h>

typedef struct {
  double low[3], high[3]; /* m */
} DlsRange;

typedef struct {
  DlsRange range;
  int first, count; /* a leaf: order[first ...]; else count 0, children first and first + 1 */
} DlsTreeBox;

typedef struct {
  int items, boxes;
  int *order;
  DlsTreeBox *box;
} DlsBoxTree;

/* A zeroed tree is ready; what it was is dropped. */
DlsStatus dls_box_tree_make(DlsBoxTree *tree, int items, const DlsRange *range);
/* The same items where they are now. */
void dls_box_tree_follow(DlsBoxTree *tree, const DlsRange *range);
void dls_box_tree_clear(DlsBoxTree *tree);

static inline int dls_ranges_meet(const DlsRange *a, const DlsRange *b) {
  for (int k = 0; k < 3; k++)
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return 0;
  return 1;
}

/* Calls `found` for every item of the leaves that `where` meets: all whose ranges it meets are
 * among them. In an order that follows from when the tree was made, and others besides: what is
 * made of them must be the same in any. */
void dls_box_tree_near(const DlsBoxTree *tree, const DlsRange *where,
                       void (*found)(void *context, int item), void *context);

#endif
