#include "world/population_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dispatch.h"
#include "base/memory.h"

enum { MOST_CELLS = 1 << 20 }; /* along an axis: the number of a cell stays below 2^60 */

static int level_of(const DlsGrid *grid, double radius) {
  if (!(radius > 0)) return DLS_GRID_LEVELS - 1;
  const int octave = ilogb(grid->largest / radius);
  return octave < 0 ? 0 : octave >= DLS_GRID_LEVELS ? DLS_GRID_LEVELS - 1 : octave;
}

static DlsStatus create_level(DlsGrid *grid, int l, const double *high, int count) {
  DlsGridLevel *level = &grid->level[l];
  double side = 2 * level->radius + grid->skin, total = 1;
  for (int i = 0; i < grid->dim; i++)
    side = fmax(side, (high[i] - grid->low[i]) / (MOST_CELLS - 1));
  level->inverse = 1 / side;
  for (int i = 0; i < 3; i++) {
    level->cells[i] =
        i < grid->dim ? (int64_t)floor((high[i] - grid->low[i]) * level->inverse) + 1 : 1;
    total *= (double)level->cells[i];
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

DlsStatus dls_grid_create(DlsGrid *grid, int dim, const double *low, const double *high,
                          double skin, int count, const double *radius) {
  int members[DLS_GRID_LEVELS] = {0};
  memset(grid, 0, sizeof *grid);
  grid->dim = dim;
  grid->skin = skin;
  grid->capacity = count;
  memcpy(grid->low, low, sizeof grid->low);
  for (int i = 0; i < count; i++) grid->largest = fmax(grid->largest, radius[i]);
  for (int i = 0; i < count; i++) {
    const int l = level_of(grid, radius[i]);
    grid->level[l].radius = fmax(grid->level[l].radius, radius[i]);
    members[l]++;
  }
  for (int l = 0; l < DLS_GRID_LEVELS; l++)
    if (members[l] > 0) {
      DLS_TRY(create_level(grid, l, high, members[l]));
      grid->levels = l + 1;
    }
  DLS_NEW(grid->grain, count);
  return DLS_OK;
}

void dls_grid_clear(DlsGrid *grid) {
  for (int l = 0; l < DLS_GRID_LEVELS; l++) free(grid->level[l].head);
  free(grid->grain);
  memset(grid, 0, sizeof *grid);
}

DLS_INLINE size_t bucket_of(const DlsGridLevel *level, int64_t cell) {
  if (!level->hashed) return (size_t)cell;
  return (size_t)(((uint64_t)cell * 0x9e3779b97f4a7c15u) >> level->shift);
}

void dls_grid_empty(DlsGrid *grid) {
  for (int i = 0; i < grid->count; i++) {
    const DlsGridLevel *level = &grid->level[level_of(grid, grid->grain[i].radius)];
    level->head[bucket_of(level, grid->grain[i].cell)] = -1;
  }
  grid->count = 0;
}

DLS_INLINE int64_t coordinate(const DlsGrid *grid, const DlsGridLevel *level, int axis, double x) {
  const double cell = (x - grid->low[axis]) * level->inverse;
  const int64_t last = level->cells[axis] - 1;
  return cell <= 0 ? 0 : cell >= (double)last ? last : (int64_t)cell;
}

DLS_INLINE int64_t cell_number(const DlsGridLevel *level, int64_t i, int64_t j, int64_t k) {
  return (k * level->cells[1] + j) * level->cells[0] + i;
}

void dls_grid_add(DlsGrid *grid, int id, const double *x, double radius) {
  const DlsGridLevel *level = &grid->level[level_of(grid, radius)];
  int64_t at[3] = {0, 0, 0};
  for (int i = 0; i < grid->dim; i++) at[i] = coordinate(grid, level, i, x[i]);
  const int64_t cell = cell_number(level, at[0], at[1], at[2]);
  int *head = &level->head[bucket_of(level, cell)];
  grid->grain[grid->count] = (DlsGridGrain){
      .x = {x[0], x[1], x[2]}, .radius = radius, .cell = cell, .next = *head, .id = id};
  *head = grid->count++;
}

DLS_INLINE int visit_cell(const DlsGrid *grid, const DlsGridLevel *level, int64_t cell,
                          DlsGridVisit *visit, void *context) {
  for (int g = level->head[bucket_of(level, cell)]; g >= 0; g = grid->grain[g].next)
    if (grid->grain[g].cell == cell && visit(context, &grid->grain[g])) return 1;
  return 0;
}

/* The cell itself and its neighbours, the nearest first: a search for any overlap ends soon. */
static const signed char around[27][3] = {
    {0, 0, 0},   {-1, 0, 0}, {1, 0, 0},   {0, -1, 0}, {0, 1, 0},   {0, 0, -1},   {0, 0, 1},
    {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},  {1, 1, 0},  {-1, 0, -1}, {1, 0, -1},   {0, -1, -1},
    {0, 1, -1},  {-1, 0, 1}, {1, 0, 1},   {0, -1, 1}, {0, 1, 1},   {-1, -1, -1}, {1, -1, -1},
    {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1},  {1, 1, 1}};

/* The reach r + R + skin is at most the side of a cell, so one cell to each side is enough. */
DLS_INLINE int near_in_level(const DlsGrid *grid, const DlsGridLevel *level, const double *x,
                             double radius, DlsGridVisit *visit, void *context) {
  const double reach = radius + level->radius + grid->skin;
  int64_t at[3] = {0, 0, 0}, first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
  for (int i = 0; i < grid->dim; i++) {
    at[i] = coordinate(grid, level, i, x[i]);
    first[i] = coordinate(grid, level, i, x[i] - reach);
    last[i] = coordinate(grid, level, i, x[i] + reach);
  }
  for (int k = 0; k < 27; k++) {
    const int64_t cell[3] = {at[0] + around[k][0], at[1] + around[k][1], at[2] + around[k][2]};
    if (cell[0] < first[0] || cell[0] > last[0] || cell[1] < first[1] || cell[1] > last[1] ||
        cell[2] < first[2] || cell[2] > last[2])
      continue;
    if (visit_cell(grid, level, cell_number(level, cell[0], cell[1], cell[2]), visit, context))
      return 1;
  }
  return 0;
}

DLS_INLINE int near_in_grid(const DlsGrid *grid, const double *x, double radius,
                            DlsGridVisit *visit, void *context) {
  const int own = level_of(grid, radius), last = own < grid->levels ? own : grid->levels - 1;
  for (int l = 0; l <= last; l++)
    if (grid->level[l].head && near_in_level(grid, &grid->level[l], x, radius, visit, context))
      return 1;
  return 0;
}

int dls_grid_near(const DlsGrid *grid, const double *x, double radius, DlsGridVisit *visit,
                  void *context) {
  return near_in_grid(grid, x, radius, visit, context);
}

typedef struct {
  const double *x;
  double radius;
} Ball;

DLS_INLINE int overlaps(void *context, const DlsGridGrain *grain) {
  const Ball *ball = context;
  const double a = grain->x[0] - ball->x[0], b = grain->x[1] - ball->x[1],
               c = grain->x[2] - ball->x[2], sum = grain->radius + ball->radius;
  return a * a + b * b + c * c < sum * sum;
}

int dls_grid_hits(const DlsGrid *grid, const double *x, double radius) {
  Ball ball = {x, radius};
  return near_in_grid(grid, x, radius, overlaps, &ball);
}
