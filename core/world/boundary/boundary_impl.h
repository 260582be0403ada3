/* Distances in the local axes of a boundary, shared by boundary.c, boundary_walls.c and
 * boundary_solids.c. */
#ifndef DELASSUS_WORLD_BOUNDARY_BOUNDARY_IMPL_H
#define DELASSUS_WORLD_BOUNDARY_BOUNDARY_IMPL_H

#include "world/boundary/boundary.h"

/* What a search fills, in local axes: distances to the surface before rounding. */
typedef struct {
  double reach; /* m, from the surface before rounding */
  int count;
  DlsNear *near; /* [DLS_MAX_FEATURES]; `point` is filled later */
} DlsNearList;

/* Keeps a feature nearer than reach. */
void dls_near_add(DlsNearList *list, int feature, bool edge, double distance, const double *normal);

/* A straight line of the half-plane (rho, z), rho >= 0, turned about z: side, cap or plate. */
typedef struct {
  double rho, z;   /* m, its middle */
  double along[2]; /* unit */
  double half;     /* m, may be HUGE_VAL */
  double front[2]; /* unit normal, to the side of the grains */
  int feature;     /* the first of three: nearest meridian, and those 120 degrees on */
  bool to_axis;    /* the end at -half lies on the axis: no rim there */
} DlsProfile;

/* The lines of a cylinder, frustum (side, then the caps that are there) or plate, which is its own
 * only line; returns how many, at most three. Front is inside for containers, outside else. */
int dls_boundary_profiles(const DlsBoundary *boundary, DlsProfile out[3]);

/* Signed distance to the endless line, in front above 0. */
static inline double dls_profile_side(const DlsProfile *p, double rho, double z) {
  return (rho - p->rho) * p->front[0] + (z - p->z) * p->front[1];
}

/* Thin walls and containers: one feature or more. Solids and half-spaces: one. */
void dls_near_walls(int dim, const DlsBoundary *boundary, const double c[3], DlsNearList *list);
void dls_near_solid(int dim, const DlsBoundary *boundary, const double c[3], DlsNearList *list);

/* Whether a container has no opening: an endless cylinder has none. */
bool dls_boundary_closed(const DlsBoundary *boundary);

#endif
