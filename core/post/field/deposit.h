/* Sums of kernels on a grid: values at a point, or spread along a line, are added to the nodes that
 * it reaches.
 *
 * A node has two groups of 16 sums, each two cache lines: what comes from grains, and what comes
 * from contacts. The grid is worked off in tiles of rows along x, so small that the sums of a tile
 * stay in the cache while all that reaches it is added; the caller gives everything to every tile:
 *
 *   for (int t = 0; t < deposit.tiles; t++) {
 *     dls_deposit_tile(&deposit, t);
 *     ... dls_deposit_add(&deposit, group, half, &spread) ...
 *     dls_deposit_flush(&deposit);
 *   } */
#ifndef DELASSUS_POST_FIELD_DEPOSIT_H
#define DELASSUS_POST_FIELD_DEPOSIT_H

#include <stdbool.h>

#include "post/field/field.h"

enum { DLS_DEPOSIT_LANES = 16, DLS_DEPOSIT_GROUPS = 2 };
enum { DLS_DEPOSIT_SPOTS = 32, DLS_DEPOSIT_SPREADS = 16 };

/* Values, and the way from a to b along which they are spread evenly; a point where both are the
 * same. */
typedef struct {
  double a[3], b[3];
  double value[DLS_DEPOSIT_LANES];
} DlsSpread;

/* A point of the rule along a way, or the way itself for a top-hat, which has a closed form. */
typedef struct {
  double x[3], way[3], length; /* m; zero for a point; m2: |way|^2 */
  double share;                /* 1/m3: with the factor of the kernel */
  int half, spread;            /* whose it is */
  bool first;                  /* of that spread */
} DlsDepositSpot;

/* Spreads that lie near each other are added together: what a row of nodes costs is paid once. */
typedef struct {
  _Alignas(64) double value[2][DLS_DEPOSIT_SPREADS][DLS_DEPOSIT_LANES];
  int group, spreads[2], spots;
  bool ways;
  double low[3], high[3]; /* m: the box around them */
  DlsDepositSpot spot[DLS_DEPOSIT_SPOTS];
} DlsDepositBatch;

typedef struct {
  int dim;
  DlsFieldGrid grid;
  DlsKernel kernel;
  double factor, reach, step[3];
  double scale;     /* nodes per metre along x */
  double growth[3]; /* exp(-step^2 / width^2) */
  int nodes, tiles, wide[2];
  int from[3], to[3]; /* nodes from .. to - 1 of the tile in work; along x all */
  DlsDepositBatch batch;
  double *sum[DLS_DEPOSIT_GROUPS]; /* [nodes][lanes] */
  /* Of the spots in work, [spots][padded]: squares of distances along each axis; a Gaussian along
   * it. */
  int padded[3]; /* points along each axis, to the next multiple of four */
  double *square[3], *weight[3];
  double *row[2]; /* [spreads][padded along x]: weights */
} DlsDeposit;

DlsStatus dls_deposit_begin(DlsDeposit *deposit, int dim, const DlsFieldGrid *grid,
                            const DlsKernel *kernel);
void dls_deposit_end(DlsDeposit *deposit);

/* Turns to a tile, 0 to tiles - 1. */
void dls_deposit_tile(DlsDeposit *deposit, int tile);

/* Whether a node of the tile may be in reach of the box from a to b: to skip in time what is
 * far. */
static inline bool dls_deposit_reaches(const DlsDeposit *d, const double a[3], const double b[3]) {
  for (int k = 1; k < d->dim; k++) {
    const double low = d->grid.low[k] + d->from[k] * d->step[k] - d->reach;
    const double high = d->grid.low[k] + (d->to[k] - 1) * d->step[k] + d->reach;
    if ((a[k] < low && b[k] < low) || (a[k] > high && b[k] > high)) return false;
  }
  return true;
}

/* sum[group][k] += value[k] times the mean of phi(node - x) along the way, in the tile; in the
 * order of the calls. Half 0 has values k < 12 alone, half 1 those from 8 on. Done for certain
 * after dls_deposit_flush(). */
void dls_deposit_add(DlsDeposit *deposit, int group, int half, const DlsSpread *spread);
void dls_deposit_flush(DlsDeposit *deposit);

#endif
