/* Flow: the mean of what bodies move from one moment of their tracks to the next, in the cells of a
 * grid in one plane, and its circulation around a loop of cells.
 *
 * A cell's mean is over all moves that have their middle in it, whichever the interval. Errors are
 * those of the jackknife: the means are made again without each of the n intervals in turn, and
 * error² = (n - 1)/n Σ (mean without m - their mean)². Of one interval there is none (NaN). */
#ifndef DELASSUS_POST_FLOW_H
#define DELASSUS_POST_FLOW_H

#include "post/tracks.h"

typedef struct {
  int axis[2], cells[2];   /* of the plane, and along its axes */
  int intervals;           /* between moments */
  double low[2], width[2]; /* m: the corner of the grid, the sides of a cell */
  double *bodies;          /* [intervals][cells] */
  double (*way)[2];        /* [intervals][cells], m: sums over bodies */
} DlsFlow;

/* The plane of the axes a and b, `across` x `up` cells from low to high, which are indexed by
 * axis. */
DlsStatus dls_flow_take(const DlsTracks *tracks, int a, int b, int across, int up,
                        const double low[3], const double high[3], DlsFlow *flow);
void dls_flow_clear(DlsFlow *flow);

typedef struct {
  double mean[2], error[2]; /* m for an interval; NaN: no body ever, or in one interval alone */
  double bodies;            /* in an interval, averaged */
  int intervals;            /* in which there were some */
} DlsFlowCell;

DlsFlowCell dls_flow_cell(const DlsFlow *flow, int column, int row);

/* How many rows from below have bodies in each of the columns from `first` to `last` in at least
 * half of the intervals: above is what flies. */
int dls_flow_rows(const DlsFlow *flow, int first, int last);

typedef struct {
  double mean, error; /* m² for an interval: ∮ u·dl, counter-clockwise */
  double area;        /* m², within the loop */
} DlsFlowLoop;

/* Around the loop through the middles of the outermost cells of columns `first` to `last`, rows 0
 * to `rows` - 1 (two of each at least), by the trapezium rule: where all turns as a whole by an
 * angle, 2 x area x angle. */
DlsFlowLoop dls_flow_circulation(const DlsFlow *flow, int first, int last, int rows);

#endif
