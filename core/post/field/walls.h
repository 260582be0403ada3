/* What of a kernel lies where grains can be: on this side of walls, outside of solids.
 *
 *   share(x) = mean over directions e of  K(distance to the nearest wall along e),
 *       K(s) = int_{|y| < s} phi
 *
 * less K(out) - K(in) of the solids before it; flat, slanted and round walls and their corners
 * alike (dls_boundary_ray). Right to 1e-3 in the plane and 5e-3 in space, of itself: by 360
 * directions there, 600 here (Fibonacci's lattice on the sphere). Before one flat wall alone, the
 * most frequent case, the mean is an integral over one angle, from a table. */
#ifndef DELASSUS_POST_FIELD_WALLS_H
#define DELASSUS_POST_FIELD_WALLS_H

#include "post/kernel.h"
#include "post/packing.h"

enum { DLS_WALL_DIRECTIONS = 600, DLS_WALL_STEPS = 512 };

typedef struct {
  int dim, directions, count;
  const DlsBoundary *wall; /* of the packing, or `box` */
  DlsBoundary box;
  double reach, slack; /* m */
  double direction[DLS_WALL_DIRECTIONS][3];
  double within[DLS_WALL_STEPS + 2]; /* K at steps of the reach */
  double half[DLS_WALL_STEPS + 2];   /* the share before one flat wall, at steps of the reach */
} DlsFieldWalls;

/* Keeps a pointer to the packing's walls. Of a packing that tells none (frames of earlier
 * versions): the sides of the box around the grains at which boundaries are touched. */
void dls_field_walls(const DlsPacking *packing, const DlsKernel *kernel, DlsFieldWalls *out);

/* The share at x; 0 where x lies behind a wall by more than a quarter of the kernel's width. */
double dls_field_share(const DlsFieldWalls *walls, const double x[3]);

#endif
