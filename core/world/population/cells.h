/* Grains in cells, for "what is near": levels of cells, each for the radii of one octave, so that a
 * ratio of sizes of 100 costs seven levels and not a million grains a cell.
 *
 * Level l holds radii in (R 2^-(l+1), R 2^-l], R the largest, in cells of side 2^(1-l) R + skin. A
 * search looks at the levels of its own radius and of larger ones; so every pair is found from its
 * smaller member. Buckets are the cells themselves, or a hash of them where most would be empty. */
#ifndef DELASSUS_WORLD_POPULATION_CELLS_H
#define DELASSUS_WORLD_POPULATION_CELLS_H

#include <stdint.h>

#include "world/population/population.h"

enum { DLS_CELLS_LEVELS = 32 };

typedef struct {
  double x[3], radius;
  int64_t cell; /* its number within the level */
  int next, id; /* the next one of the bucket, -1: none; the caller's number */
} DlsCellsGrain;

typedef struct {
  double inverse;   /* 1 / side of a cell */
  double radius;    /* the largest of the level */
  int64_t along[3]; /* cells along each axis */
  int hashed, shift;
  int *head; /* first grain of each bucket, -1: none; NULL: no grain in this level */
} DlsCellsLevel;

typedef struct {
  int dim, count, capacity, levels;
  double low[3], largest, skin;
  DlsCellsLevel level[DLS_CELLS_LEVELS];
  DlsCellsGrain *grain;
} DlsCells;

/* Room for `count` grains of these radii with centres between low and high; no grain yet. Ended
 * with dls_cells_clear(), also after a failure. */
DlsStatus dls_cells_create(DlsCells *cells, int dim, const double *low, const double *high,
                           double skin, int count, const double *radius);
void dls_cells_clear(DlsCells *cells);
void dls_cells_empty(DlsCells *cells); /* takes all grains out, keeps the room */

void dls_cells_add(DlsCells *cells, int id, const double *x, double radius);

/* Calls visit for each grain with radius above half of this one's whose surface may be within the
 * skin of the ball, each once; ends with 1 as soon as visit returns 1. */
typedef int DlsCellsVisit(void *context, const DlsCellsGrain *grain);
int dls_cells_near(const DlsCells *cells, const double *x, double radius, DlsCellsVisit *visit,
                   void *context);

/* 1 when the ball overlaps a grain that was added; as dls_cells_near() blind for grains of less
 * than half its radius, so that the largest must be added first. */
int dls_cells_hits(const DlsCells *cells, const double *x, double radius);

#endif
