/* Shapes of rigid bodies: a sphere (disk in 2-D) or a cluster of them, in principal axes about the
 * centre of mass, for unit density. A shape is made once and shared by any number of bodies, which
 * may scale it.
 *
 * Volume, centre and inertia are those of the union. Sum over the spheres, exact, less what is
 * counted twice where they overlap: that part alone is integrated on a raster of lines, each line
 * exactly (union of intervals), so that spheres apart give exact numbers. */
#ifndef DELASSUS_WORLD_SHAPE_H
#define DELASSUS_WORLD_SHAPE_H

#include <stdbool.h>

#include <delassus/status.h>

/* One sphere or disk of a body. */
typedef struct {
  double offset[3]; /* m, of its centre in body axes */
  double radius;    /* m */
} DlsElement;

typedef struct {
  int dim, count;
  DlsElement *element; /* [count], about the centre of mass, along the principal axes */
  double volume;       /* m3; in 2-D m2, the area */
  double inertia[3];   /* m5, principal, of unit density; in 2-D m4, about z alone: (0, 0, J) */
  /* From the axes in which the elements were given: */
  double centre[3];   /* m, of mass */
  double rotation[4]; /* principal axes -> given axes; the identity for a sphere and in 2-D */
  double reach;       /* m, of the farthest point from the centre of mass */
  bool isotropic;     /* equal principal inertias to round-off: no gyroscopic torque */
} DlsShape;

/* A sphere, or a disk where dim is 2. The caller ends *out with dls_shape_clear(). */
DlsStatus dls_shape_sphere(int dim, double radius, DlsShape *out);

/* A cluster; offsets in any axes. Refuses radii that are not positive, numbers that are not finite,
 * offsets out of the plane in 2-D. */
DlsStatus dls_shape_cluster(int dim, int count, const DlsElement *element, DlsShape *out);

/* Another volume, centre and inertia tensor (row-major about that centre, given axes, unit density:
 * kg m2 over kg/m3) in the place of those of the union; tensor[8] alone counts in 2-D. */
DlsStatus dls_shape_set_mass(DlsShape *shape, double volume, const double centre[3],
                             const double tensor[9]);

void dls_shape_clear(DlsShape *shape); /* a zeroed one is fine */

#endif
