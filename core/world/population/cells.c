#include "world/population/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dispatch.h"
#include "base/memory.h"

enum { MOST_CELLS = 1 << 20 }; /* along an axis: the number of a cell stays below 2^60 */

static int level_of(const DlsCells *cells, double radius) {
  if (!(radius > 0)) return DLS_CELLS_LEVELS - 1;
  const int octave = ilogb(cells->largest / radius);
  return octave < 0 ? 0 : octave >= DLS_CELLS_LEVELS ? DLS_CELLS_LEVELS - 1 : octave;
}

static DlsStatus create_level(DlsCells *cells, int l, const double *high, int count) {
  DlsCellsLevel *level = &cells->level[l];
  double side = 2 * level->radius + cells->skin, total = 1;
  for (int i = 0; i < cells->dim; i++)
    side = fmax(side, (high[i] - cells->low[i]) / (MOST_CELLS - 1));
  level->inverse = 1 / side;
  for (int i = 0; i < 3; i++) {
    level->along[i] =
        i < cells->dim ? (int64_t)floor((high[i] - cells->low[i]) * level->inverse) + 1 : 1;
    total *= (double)level->along[i];
  }
  size_t buckets = (size_t)fmin(total, 0x1p62);
  level->hashed = total > 4.0 * count + 1024;
  if (level->hashed) {
    int bits = 4;
    while ((1 << bits) < 2 * count && bits < 30) bits++;
    level->shift = 64 - bits;
    buckets = (size_t)1 << bits;
  }
  DLS_NEW(level->head, buckets);
  memset(level->head, -1, buckets * sizeof *level->head);
  return DLS_OK;
}

DlsStatus dls_cells_create(DlsCells *cells, int dim, const double *low, const double *high,
                           double skin, int count, const double *radius) {
  int members[DLS_CELLS_LEVELS] = {0};
  memset(cells, 0, sizeof *cells);
  cells->dim = dim;
  cells->skin = skin;
  cells->capacity = count;
  memcpy(cells->low, low, sizeof cells->low);
  for (int i = 0; i < count; i++) cells->largest = fmax(cells->largest, radius[i]);
  for (int i = 0; i < count; i++) {
    const int l = level_of(cells, radius[i]);
    cells->level[l].radius = fmax(cells->level[l].radius, radius[i]);
    members[l]++;
  }
  for (int l = 0; l < DLS_CELLS_LEVELS; l++)
    if (members[l] > 0) {
      DLS_TRY(create_level(cells, l, high, members[l]));
      cells->levels = l + 1;
    }
  DLS_NEW(cells->grain, count);
  return DLS_OK;
}

void dls_cells_clear(DlsCells *cells) {
  for (int l = 0; l < DLS_CELLS_LEVELS; l++) free(cells->level[l].head);
  free(cells->grain);
  memset(cells, 0, sizeof *cells);
}

DLS_INLINE size_t bucket_of(const DlsCellsLevel *level, int64_t cell) {
  if (!level->hashed) return (size_t)cell;
  return (size_t)(((uint64_t)cell * 0x9e3779b97f4a7c15u) >> level->shift);
}

void dls_cells_empty(DlsCells *cells) {
  for (int i = 0; i < cells->count; i++) {
    const DlsCellsLevel *level = &cells->level[level_of(cells, cells->grain[i].radius)];
    level->head[bucket_of(level, cells->grain[i].cell)] = -1;
  }
  cells->count = 0;
}

DLS_INLINE int64_t coordinate(const DlsCells *cells, const DlsCellsLevel *level, int axis,
                              double x) {
  const double cell = (x - cells->low[axis]) * level->inverse;
  const int64_t last = level->along[axis] - 1;
  return cell <= 0 ? 0 : cell >= (double)last ? last : (int64_t)cell;
}

DLS_INLINE int64_t cell_number(const DlsCellsLevel *level, int64_t i, int64_t j, int64_t k) {
  return (k * level->along[1] + j) * level->along[0] + i;
}

void dls_cells_add(DlsCells *cells, int id, const double *x, double radius) {
  const DlsCellsLevel *level = &cells->level[level_of(cells, radius)];
  int64_t at[3] = {0, 0, 0};
  for (int i = 0; i < cells->dim; i++) at[i] = coordinate(cells, level, i, x[i]);
  const int64_t cell = cell_number(level, at[0], at[1], at[2]);
  int *head = &level->head[bucket_of(level, cell)];
  cells->grain[cells->count] = (DlsCellsGrain){
      .x = {x[0], x[1], x[2]}, .radius = radius, .cell = cell, .next = *head, .id = id};
  *head = cells->count++;
}

DLS_INLINE int visit_cell(const DlsCells *cells, const DlsCellsLevel *level, int64_t cell,
                          DlsCellsVisit *visit, void *context) {
  for (int g = level->head[bucket_of(level, cell)]; g >= 0; g = cells->grain[g].next)
    if (cells->grain[g].cell == cell && visit(context, &cells->grain[g])) return 1;
  return 0;
}

/* The cell itself and its neighbours, the nearest first: a search for any overlap ends soon. */
static const signed char around[27][3] = {
    {0, 0, 0},   {-1, 0, 0}, {1, 0, 0},   {0, -1, 0}, {0, 1, 0},   {0, 0, -1},   {0, 0, 1},
    {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},  {1, 1, 0},  {-1, 0, -1}, {1, 0, -1},   {0, -1, -1},
    {0, 1, -1},  {-1, 0, 1}, {1, 0, 1},   {0, -1, 1}, {0, 1, 1},   {-1, -1, -1}, {1, -1, -1},
    {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1},  {1, 1, 1}};

/* The reach r + R + skin is at most the side of a cell, so one cell to each side is enough. */
DLS_INLINE int near_in_level(const DlsCells *cells, const DlsCellsLevel *level, const double *x,
                             double radius, DlsCellsVisit *visit, void *context) {
  const double reach = radius + level->radius + cells->skin;
  int64_t at[3] = {0, 0, 0}, first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
  for (int i = 0; i < cells->dim; i++) {
    at[i] = coordinate(cells, level, i, x[i]);
    first[i] = coordinate(cells, level, i, x[i] - reach);
    last[i] = coordinate(cells, level, i, x[i] + reach);
  }
  for (int k = 0; k < 27; k++) {
    const int64_t cell[3] = {at[0] + around[k][0], at[1] + around[k][1], at[2] + around[k][2]};
    if (cell[0] < first[0] || cell[0] > last[0] || cell[1] < first[1] || cell[1] > last[1] ||
        cell[2] < first[2] || cell[2] > last[2])
      continue;
    if (visit_cell(cells, level, cell_number(level, cell[0], cell[1], cell[2]), visit, context))
      return 1;
  }
  return 0;
}

DLS_INLINE int near_in_cells(const DlsCells *cells, const double *x, double radius,
                             DlsCellsVisit *visit, void *context) {
  const int own = level_of(cells, radius), last = own < cells->levels ? own : cells->levels - 1;
  for (int l = 0; l <= last; l++)
    if (cells->level[l].head && near_in_level(cells, &cells->level[l], x, radius, visit, context))
      return 1;
  return 0;
}

int dls_cells_near(const DlsCells *cells, const double *x, double radius, DlsCellsVisit *visit,
                   void *context) {
  return near_in_cells(cells, x, radius, visit, context);
}

typedef struct {
  const double *x;
  double radius;
} Ball;

DLS_INLINE int overlaps(void *context, const DlsCellsGrain *grain) {
  const Ball *ball = context;
  const double a = grain->x[0] - ball->x[0], b = grain->x[1] - ball->x[1],
               c = grain->x[2] - ball->x[2], sum = grain->radius + ball->radius;
  return a * a + b * b + c * c < sum * sum;
}

int dls_cells_hits(const DlsCells *cells, const double *x, double radius) {
  Ball ball = {x, radius};
  return near_in_cells(cells, x, radius, overlaps, &ball);
}
