/* A periodic cell: the world goes on beyond it in copies of itself. Along each of its periodic axes
 * k the copy number n_k of a body stands n_k edge_k beside it, and moves n_k rate_k faster, so that
 * a cell that shears (Lees and Edwards 1972) or shrinks is the same thing as one at rest:
 *
 *   x' = x + sum n_k edge_k,   v' = v + sum n_k rate_k,   d edge_k / dt = rate_k.
 *
 * Bodies have one place each, and two bodies meet by the copies that are nearest: so no pair may
 * reach half across the cell, which detection looks at. Where a body counts as one of the cell is a
 * matter of names: any shift of all bodies, or of one by an edge, is the same world. */
#ifndef DELASSUS_WORLD_CELL_H
#define DELASSUS_WORLD_CELL_H

#include <math.h>
#include <stdbool.h>

#include <delassus/status.h>

typedef struct {
  unsigned axes;     /* bit k: edge k is periodic; 0: there is no cell */
  double corner[3];  /* m, the low one */
  double edge[3][3]; /* m; of axes that are not periodic unit vectors of space */
  double rate[3][3]; /* m/s; 0 of the others */
  double inverse[9]; /* of the matrix whose columns are the edges; follows from them */
} DlsCell;

/* What drives edges of a cell that stand along the axes of space: edge k is a body of the contact
 * problem whose velocity is the growth of the edge, rate_k, and whose mass is told:
 *   mass_k d rate_k / dt = force_k + contacts.
 * A contact with a copy n_k edges away moves with it by n_k rate_k. */
typedef struct {
  unsigned axes;   /* bit k: edge k is driven; 0: none */
  double mass[3];  /* kg */
  double force[3]; /* N, outward above 0, during the step at hand */
} DlsCellDrive;

/* low .. high along the axes of space; below 2 in 2-D. DLS_ERR_ARGUMENT where an edge is no
 * length. */
DlsStatus dls_cell_make(int dim, unsigned axes, const double low[3], const double high[3],
                        DlsCell *out);

/* After edges were written: the inverse. DLS_ERR_NUMERIC where the cell has no volume. */
DlsStatus dls_cell_update(DlsCell *cell);

/* Edges go on for h seconds. */
void dls_cell_drift(DlsCell *cell, double h);

/* The same copies by edges that are as square as they can be: a cell that has been sheared by more
 * than half its length is named anew. */
void dls_cell_reduce(DlsCell *cell);

/* m, between the two faces that edge k joins. */
double dls_cell_width(const DlsCell *cell, int k);

/* m3, in 2-D m2; of axes that are not periodic by the length 1 m. */
double dls_cell_room(const DlsCell *cell);

/* As rows of three numbers, for files: axes, corner, edges, rates. DLS_ERR_FORMAT for what is no
 * cell. */
enum { DLS_CELL_ROWS = 8 };
void dls_cell_pack(const DlsCell *cell, double out[DLS_CELL_ROWS][3]);
DlsStatus dls_cell_unpack(int dim, double in[DLS_CELL_ROWS][3], DlsCell *out);

/* Coordinates by edges: 0 at the corner, 1 at the other end. */
static inline void dls_cell_shares(const DlsCell *cell, const double x[3], double out[3]) {
  const double *A = cell->inverse,
               d[3] = {x[0] - cell->corner[0], x[1] - cell->corner[1], x[2] - cell->corner[2]};
  for (int k = 0; k < 3; k++) out[k] = A[3 * k] * d[0] + A[3 * k + 1] * d[1] + A[3 * k + 2] * d[2];
}

/* shift = sum n_k edge_k, then sum n_k rate_k; n of the periodic axes alone counts. */
static inline void dls_cell_shift(const DlsCell *cell, const double n[3], double shift[6]) {
  for (int i = 0; i < 6; i++) shift[i] = 0;
  for (int k = 0; k < 3; k++) {
    if (!(cell->axes & (1u << k)) || n[k] == 0) continue;
    for (int i = 0; i < 3; i++) {
      shift[i] += n[k] * cell->edge[k][i];
      shift[3 + i] += n[k] * cell->rate[k][i];
    }
  }
}

/* How the copy of `to` that is nearest to `from` stands and moves beside `to`, m and m/s. The
 * nearest where their distance is below half the least width of the cell. */
static inline void dls_cell_nearest(const DlsCell *cell, const double from[3], const double to[3],
                                    double shift[6]) {
  const double *A = cell->inverse, d[3] = {from[0] - to[0], from[1] - to[1], from[2] - to[2]};
  double n[3];
  for (int k = 0; k < 3; k++)
    n[k] = rint(A[3 * k] * d[0] + A[3 * k + 1] * d[1] + A[3 * k + 2] * d[2]);
  dls_cell_shift(cell, n, shift);
}

/* How the copy of x that lies in the cell stands and moves beside x. */
static inline void dls_cell_into(const DlsCell *cell, const double x[3], double shift[6]) {
  double n[3];
  dls_cell_shares(cell, x, n);
  for (int k = 0; k < 3; k++) n[k] = -floor(n[k]);
  dls_cell_shift(cell, n, shift);
}

#endif
