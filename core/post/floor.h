/* The pressure on a floor by place (Sanni et al. 2009, Fig. 9: under a pile): strips along a
 * horizontal axis, or, in 3-D, rings about a vertical one.
 *
 *   pressure = sum over the contacts of the part of f . down / area,   shear = sum of f . e / area
 *
 * f is what the grains give to the floor, e the direction of the strips or outward. Floor is what a
 * grain rests on: boundaries met at a normal within 60 degrees of upward, and held bodies. `error`
 * as in post/profile.h: sqrt(sum of squares) / area. */
#ifndef DELASSUS_POST_FLOOR_H
#define DELASSUS_POST_FLOOR_H

#include "post/probe.h"

typedef struct {
  DlsProbe region; /* contact points in it count */
  bool rings;
  int axis;         /* of strips: 0 or 1 */
  double centre[3]; /* m, of rings */
  int count;
  double low, high; /* m: along the axis, or radii */
  double across;    /* m, width of the strips across the axis; in 2-D 1 */
  double up[3];     /* unit */
} DlsFloorGrid;

typedef struct {
  double place, area; /* m, middle; m2 (2-D: m) */
  double pressure, shear;
  double error, shear_error; /* Pa */
  int contacts;
} DlsFloorPart;

/* `letter` x, y or r. Strips span the box of the region, or the box around the grains; rings reach
 * from `centre` (NULL: the centre of mass of the grains) to the farthest contact with the floor.
 * Upward is against gravity, without gravity along the last axis. */
DlsStatus dls_floor_grid(const DlsPacking *packing, const DlsProbe *region, char letter, int count,
                         const double *centre, DlsFloorGrid *out);

/* out [count]. */
void dls_floor(const DlsPacking *packing, const DlsFloorGrid *grid, DlsFloorPart *out);

#endif
