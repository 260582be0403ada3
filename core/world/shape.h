/* Shapes of rigid bodies: one element or several, each a ball (sphere, in 2-D disk) or a solid of
 * another kind (shape_kind.h), in principal axes about the centre of mass, for unit density. A
 * shape is made once and shared by any number of bodies, which may scale it.
 *
 * Volume, centre and inertia of a cluster of balls are those of the union. Sum over the balls,
 * exact, less what is counted twice where they overlap: that part alone is integrated on a raster
 * of lines, each line exactly (union of intervals), so that balls apart give exact numbers. */
#ifndef DELASSUS_WORLD_SHAPE_H
#define DELASSUS_WORLD_SHAPE_H

#include <stdbool.h>

#include <delassus/status.h>

#include "world/shape_kind.h"

/* One element of a body: a ball, or the ball about the origin of another solid that holds it. */
typedef struct {
  double offset[3]; /* m, of its centre in body axes */
  double radius;    /* m */
} DlsElement;

/* The numbers of solids that are no balls, shared by all elements made of them. */
typedef struct {
  DlsShapeKind kind;
  int users, count;
  double number[];
} DlsShapeNumbers;

/* What an element is, besides its ball. */
typedef struct {
  DlsShapeNumbers *numbers; /* NULL: it is a ball */
  double scale;             /* of its lengths */
  double rotation[4];       /* its axes -> body axes */
  double size;              /* m, its length scale, at that scale */
  uint32_t first_feature;   /* among those of the whole body */
} DlsFigure;

/* An element to be given a place in a shape. */
typedef struct {
  DlsShapeKind kind;
  int count;
  const double *number; /* copied */
  double scale;         /* of a ball the radius; 0 stands for 1 of all others */
  double offset[3];     /* m */
  double rotation[4];   /* (0, 0, 0, 0) stands for none */
} DlsShapePart;

typedef struct {
  int dim, count;
  DlsElement *element; /* [count], about the centre of mass, along the principal axes */
  DlsFigure *figure;   /* [count]; NULL: all are balls */
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

/* Likewise, of a body that has masses of its own, as a deformable one: overlaps count twice, and
 * are not looked for. */
DlsStatus dls_shape_cluster_apart(int dim, int count, const DlsElement *element, DlsShape *out);

/* Solids of any kind side by side: where they overlap, the overlap counts twice; a cluster of balls
 * alone is dls_shape_cluster. Refuses what the kinds refuse. */
DlsStatus dls_shape_compose(int dim, int count, const DlsShapePart *part, DlsShape *out);

/* Another volume, centre and inertia tensor (row-major about that centre, given axes, unit density:
 * kg m2 over kg/m3) in the place of those of the union; tensor[8] alone counts in 2-D. */
DlsStatus dls_shape_set_mass(DlsShape *shape, double volume, const double centre[3],
                             const double tensor[9]);

/* Element e of a shape as its kind sees it. */
DlsSolid dls_shape_solid(const DlsShape *shape, int e);

void dls_shape_clear(DlsShape *shape); /* a zeroed one is fine */

#endif
