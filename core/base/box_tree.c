#include "base/box_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LEAF = 4, DEPTH = 64 };

void dls_box_tree_clear(DlsBoxTree *t) {
  free(t->order);
  free(t->box);
  *t = (DlsBoxTree){0};
}

static void widen(DlsRange *out, const DlsRange *by) {
  for (int k = 0; k < 3; k++) {
    if (by->low[k] < out->low[k]) out->low[k] = by->low[k];
    if (by->high[k] > out->high[k]) out->high[k] = by->high[k];
  }
}

static void hold(const DlsBoxTree *t, const DlsRange *range, int first, int count, DlsRange *out) {
  *out = range[t->order[first]];
  for (int n = first + 1; n < first + count; n++) widen(out, &range[t->order[n]]);
}

typedef struct {
  double key;
  int item;
} Ranked;

static int compare(const void *a, const void *b) {
  const Ranked *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return p->item - q->item;
}

/* Box number `at` holds order[first ...], split along its longest axis. */
static void split(DlsBoxTree *t, const DlsRange *range, Ranked *room, int at, int first,
                  int count) {
  DlsTreeBox *box = &t->box[at];
  int axis = 0;
  hold(t, range, first, count, &box->range);
  box->first = first, box->count = count;
  if (count <= LEAF) return;
  for (int k = 1; k < 3; k++)
    if (box->range.high[k] - box->range.low[k] > box->range.high[axis] - box->range.low[axis])
      axis = k;
  for (int n = 0; n < count; n++) {
    const int item = t->order[first + n];
    room[n] = (Ranked){range[item].low[axis] + range[item].high[axis], item};
  }
  qsort(room, (size_t)count, sizeof *room, compare);
  for (int n = 0; n < count; n++) t->order[first + n] = room[n].item;
  const int children = t->boxes, half = count / 2;
  t->boxes += 2;
  box->first = children, box->count = 0;
  split(t, range, room, children, first, half);
  split(t, range, room, children + 1, first + half, count - half);
}

DlsStatus dls_box_tree_make(DlsBoxTree *t, int items, const DlsRange *range) {
  Ranked *room = NULL;
  dls_box_tree_clear(t);
  if (items == 0) return DLS_OK;
  DLS_NEW(t->order, items);
  DLS_NEW(t->box, 2 * (size_t)items);
  DLS_NEW(room, items);
  for (int n = 0; n < items; n++) t->order[n] = n;
  t->items = items, t->boxes = 1;
  split(t, range, room, 0, 0, items);
  free(room);
  return DLS_OK;
}

void dls_box_tree_follow(DlsBoxTree *t, const DlsRange *range) {
  for (int b = t->boxes - 1; b >= 0; b--) {
    DlsTreeBox *box = &t->box[b];
    if (box->count > 0) {
      hold(t, range, box->first, box->count, &box->range);
      continue;
    }
    box->range = t->box[box->first].range;
    widen(&box->range, &t->box[box->first + 1].range);
  }
}

void dls_box_tree_near(const DlsBoxTree *t, const DlsRange *where,
                       void (*found)(void *context, int item), void *context) {
  int stack[DEPTH], height = 0;
  if (t->boxes > 0) stack[height++] = 0;
  while (height > 0) {
    const DlsTreeBox *box = &t->box[stack[--height]];
    if (!dls_ranges_meet(&box->range, where)) continue;
    for (int n = 0; n < box->count; n++) found(context, t->order[box->first + n]);
    if (box->count > 0) continue;
    stack[height++] = box->first + 1;
    stack[height++] = box->first;
  }
}
