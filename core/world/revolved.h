/* Upright cylinders and cones of 3-D: their surface is a prism, or a pyramid, on a regular polygon
 * whose corners lie on the true surface; their volume, centre and inertia are those of the true
 * solid. A polygon of n sides lies within R (1 - cos(pi / n)) of its circle. The axis is z, the
 * origin the centre of mass. */
#ifndef DELASSUS_WORLD_REVOLVED_H
#define DELASSUS_WORLD_REVOLVED_H

#include "world/shape.h"

enum { DLS_REVOLVED_SIDES = 120 }; /* at most */

/* The caller ends *out with dls_shape_clear(). */
DlsStatus dls_shape_cylinder(int sides, double radius, double height, DlsShape *out);
/* Its tip is up. */
DlsStatus dls_shape_cone(int sides, double radius, double height, DlsShape *out);

#endif
