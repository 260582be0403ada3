#include "plot/grain_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_PAIRS = 4000000 }; /* beyond, the rest goes by depth */

/* A grain as the eye sees it: right, up, toward. */
typedef struct {
  double low[3], high[3];
  int first, end; /* of its sides */
  int index;
} Seen;

typedef struct {
  const DlsGrainPicture *picture;
  const DlsSvgCamera *camera;
  int grains;
  Seen *seen;       /* [grains], by the least `right` */
  int *pairs;       /* [count][2]: behind, in front */
  int count, room;  /* of pairs */
  int *start, *put; /* [grains + 1], [count]: those behind each grain */
  int *by_depth;    /* [grains] */
} Sorter;

static void clear(Sorter *s) {
  free(s->seen);
  free(s->pairs);
  free(s->start);
  free(s->put);
  free(s->by_depth);
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void widen(const Sorter *s, Seen *g, const double x[3], double radius) {
  const double *axis[3] = {s->camera->right, s->camera->up, s->camera->toward};
  for (int k = 0; k < 3; k++) {
    g->low[k] = fmin(g->low[k], dot(axis[k], x) - radius);
    g->high[k] = fmax(g->high[k], dot(axis[k], x) + radius);
  }
}

static int first_corner(const DlsGrainSides *sides, int n) { return n ? sides->end[n - 1] : 0; }

static int by_left(const void *left, const void *right) {
  const Seen *a = left, *b = right;
  if (a->low[0] != b->low[0]) return a->low[0] < b->low[0] ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

/* Boxes of all grains as seen; sides of one grain stand together. */
static DlsStatus look(Sorter *s) {
  const DlsGrainPicture *p = s->picture;
  DLS_NEW(s->seen, s->grains);
  for (int i = 0; i < s->grains; i++) {
    s->seen[i] = (Seen){.index = i};
    for (int k = 0; k < 3; k++) s->seen[i].low[k] = HUGE_VAL, s->seen[i].high[k] = -HUGE_VAL;
  }
  for (int n = 0; n < p->sides.count; n++) {
    Seen *g = &s->seen[p->sides.grain[n]];
    if (g->end == 0) g->first = n;
    g->end = n + 1;
    for (int c = first_corner(&p->sides, n); c < p->sides.end[n]; c++)
      widen(s, g, p->sides.corner + (ptrdiff_t)3 * c, 0);
  }
  for (int i = 0; i < s->grains; i++)
    if (s->seen[i].end == 0) widen(s, &s->seen[i], p->position + (ptrdiff_t)3 * i, p->radius[i]);
  qsort(s->seen, (size_t)s->grains, sizeof *s->seen, by_left);
  return DLS_OK;
}

/* m: how far `other` lies outside of a plane, at least. */
static double clearance(const DlsGrainPicture *p, const Seen *other, const double n[3],
                        double level) {
  double least = HUGE_VAL;
  if (other->end == 0) {
    return dot(n, p->position + (ptrdiff_t)3 * other->index) - p->radius[other->index] - level;
  }
  for (int c = first_corner(&p->sides, other->first); c < p->sides.end[other->end - 1]; c++)
    least = fmin(least, dot(n, p->sides.corner + (ptrdiff_t)3 * c) - level);
  return least;
}

/* The face of `own` that parts it best from `other`: *best grows, and *facing tells how far it
 * looks toward the eye. */
static void part(const Sorter *s, const Seen *own, const Seen *other, double sign, double *best,
                 double *facing) {
  const DlsGrainPicture *p = s->picture;
  for (int f = own->first; f < own->end; f++) {
    const int from = first_corner(&p->sides, f);
    const double *x = p->sides.corner + (ptrdiff_t)3 * from;
    double n[3];
    dls_polygon_area(x, p->sides.end[f] - from, n);
    const double size = sqrt(dot(n, n));
    if (!(size > 0)) continue;
    for (int k = 0; k < 3; k++) n[k] /= size;
    const double away = clearance(p, other, n, dot(n, x));
    if (away <= *best) continue;
    *best = away;
    *facing = sign * dot(n, s->camera->toward);
  }
}

/* Above 0: b is in front of a; below: behind; 0: neither hides the other. */
static double in_front(const Sorter *s, const Seen *a, const Seen *b) {
  double best = -HUGE_VAL, facing = 0;
  if (a->low[1] >= b->high[1] || b->low[1] >= a->high[1]) return 0;
  if (b->low[2] >= a->high[2]) return 1;
  if (a->low[2] >= b->high[2]) return -1;
  part(s, a, b, 1, &best, &facing);
  part(s, b, a, -1, &best, &facing);
  if (fabs(facing) > 1e-9) return facing;
  return best > -HUGE_VAL ? 0 : b->low[2] + b->high[2] - a->low[2] - a->high[2];
}

static DlsStatus add_pair(Sorter *s, int behind, int front) {
  if (s->count == s->room) {
    const int room = 2 * s->room + 1024;
    int *pairs = realloc(s->pairs, 2 * (size_t)room * sizeof *pairs);
    DLS_CHECK(pairs, DLS_ERR_MEMORY, "out of memory for a picture of %d grains", s->grains);
    s->pairs = pairs;
    s->room = room;
  }
  s->pairs[2 * s->count] = behind;
  s->pairs[2 * s->count++ + 1] = front;
  return DLS_OK;
}

static DlsStatus find_pairs(Sorter *s) {
  for (int i = 0; i < s->grains; i++)
    for (int j = i + 1; j < s->grains && s->seen[j].low[0] < s->seen[i].high[0]; j++) {
      const double order = s->count < MOST_PAIRS ? in_front(s, &s->seen[i], &s->seen[j]) : 0;
      if (order != 0) DLS_TRY(add_pair(s, order > 0 ? i : j, order > 0 ? j : i));
    }
  DLS_NEW(s->start, (size_t)s->grains + 1);
  DLS_NEW(s->put, s->count);
  for (int k = 0; k < s->count; k++) s->start[s->pairs[2 * k + 1] + 1]++;
  for (int i = 0; i < s->grains; i++) s->start[i + 1] += s->start[i];
  int *at;
  DLS_NEW(at, s->grains);
  for (int k = 0; k < s->count; k++) {
    const int front = s->pairs[2 * k + 1];
    s->put[s->start[front] + at[front]++] = s->pairs[2 * k];
  }
  free(at);
  return DLS_OK;
}

typedef struct {
  double depth;
  int place;
} Depth;

static int by_depth(const void *left, const void *right) {
  const Depth *a = left, *b = right;
  if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

static DlsStatus sort_depths(Sorter *s) {
  Depth *depth;
  DLS_NEW(depth, s->grains);
  for (int i = 0; i < s->grains; i++)
    depth[i] = (Depth){0.5 * (s->seen[i].low[2] + s->seen[i].high[2]), i};
  qsort(depth, (size_t)s->grains, sizeof *depth, by_depth);
  s->by_depth = dls_memory_array((size_t)s->grains, sizeof *s->by_depth);
  for (int i = 0; i < s->grains && s->by_depth; i++) s->by_depth[i] = depth[i].place;
  free(depth);
  DLS_CHECK(s->by_depth, DLS_ERR_MEMORY, "out of memory for a picture of %d grains", s->grains);
  return DLS_OK;
}

/* Each grain after all that are behind it; a ring is opened where it is met. */
static DlsStatus walk(const Sorter *s, int *rank) {
  int *stack, *next, done = 0;
  DLS_NEW(stack, (size_t)2 * (size_t)s->grains + 1);
  next = stack + s->grains; /* -1: not met */
  memset(next, -1, (size_t)s->grains * sizeof *next);
  for (int i = 0; i < s->grains; i++) {
    int height = 0;
    if (next[s->by_depth[i]] >= 0) continue;
    stack[height++] = s->by_depth[i];
    next[stack[0]] = s->start[stack[0]];
    while (height > 0) {
      const int g = stack[height - 1];
      if (next[g] == s->start[g + 1]) {
        rank[s->seen[g].index] = done++;
        height--;
        continue;
      }
      const int behind = s->put[next[g]++];
      if (next[behind] >= 0) continue;
      next[behind] = s->start[behind];
      stack[height++] = behind;
    }
  }
  free(stack);
  return DLS_OK;
}

DlsStatus dls_grain_order(const DlsGrainPicture *picture, const DlsSvgCamera *camera, int *rank) {
  Sorter s = {.picture = picture, .camera = camera, .grains = picture->grains};
  DlsStatus status = look(&s);
  if (status == DLS_OK) status = find_pairs(&s);
  if (status == DLS_OK) status = sort_depths(&s);
  if (status == DLS_OK) status = walk(&s, rank);
  clear(&s);
  return status;
}
