/* Irregular convex solids drawn at random: polygons, and hulls of points on an ellipsoid. */
#ifndef DELASSUS_WORLD_IRREGULAR_H
#define DELASSUS_WORLD_IRREGULAR_H

#include "base/random.h"
#include "world/convex.h"

typedef struct {
  int least, most;     /* corners, each number as likely; most 0 stands for least */
  double elongation;   /* (0, 1]: intermediate over longest axis; in 2-D shortest over longest */
  double flatness;     /* (0, 1]: shortest over intermediate axis; 3-D alone */
  double irregularity; /* [0, 1]: 0 spaces the corners evenly */
  double radius;       /* m, of the ball about its centre of mass that holds it */
  double rounding;     /* m, below radius, within it */
} DlsIrregular;

/* All corners lie on an ellipse with the semi-axes 1, elongation, or on an ellipsoid with 1,
 * elongation, elongation flatness, and so every one is a corner of the hull; then it is moved so
 * that its centre of mass is the origin, and scaled so that its farthest point has the distance
 * `radius`. The longest axis is x, the shortest z.
 *   2-D: n corners at the angles 2 pi (k + phi + 0.45 a s_k) / n of the ellipse, s_k in [-1, 1],
 *        phi in [0, 1), a the irregularity.
 *   3-D: the n points of a Fibonacci lattice on the sphere, turned at random, each moved by a
 *        vector from the ball of radius a d / 3, d = sqrt(4 pi / n), and put back on the sphere;
 *        then the axes are scaled. n from 4 to 128.
 * The same state of `random` gives the same bits. */
DlsStatus dls_convex_irregular(int dim, const DlsIrregular *solid, DlsRandom *random,
                               DlsConvexNumbers *out);

/* A unit quaternion, each turn as likely (four normal numbers, normalised); in 2-D about z. */
void dls_rotation_draw(int dim, DlsRandom *random, double q[4]);

#endif
