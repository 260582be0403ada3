/* What a kind of boundary knows and can do: one constant struct per kind, and one line in list.h
 * (or a call of dls_boundary_register). Decks, detection, files, pictures and fields ask here;
 * nothing else tells kinds apart. Places and directions are in the local axes of the boundary,
 * distances to its surface before `rounding`. */
#ifndef DELASSUS_WORLD_BOUNDARY_KIND_H
#define DELASSUS_WORLD_BOUNDARY_KIND_H

#include "world/boundary/boundary.h"
#include "world/faces.h"
#include "world/outline.h"

/* What a search for nearest points fills. */
typedef struct {
  double reach; /* m, from the surface before rounding */
  int count;
  DlsNear *near; /* [DLS_MAX_FEATURES]; `point` is filled later */
} DlsNearList;

/* Keeps a feature nearer than reach. */
void dls_near_add(DlsNearList *list, int feature, bool edge, double distance, const double *normal);

/* Keeps a thin wall: `away` from its foot to the centre; front: its side of the grains. */
void dls_near_add_wall(const DlsBoundary *boundary, int feature, bool edge, const double away[3],
                       const double front[3], DlsNearList *list);

/* A ray. A surface with a front stops what comes from there, from `slack` behind it on; others stop
 * what comes from either side. */
typedef struct {
  int dim;
  double from[3], way[3], slack;
  double nearest, leaves; /* m: where it meets the surface; where it leaves a solid */
} DlsRay;

/* A meeting at t with a surface whose unit normal makes `along` with the way; front above 0. */
void dls_ray_meet(DlsRay *ray, double t, double along, bool thin);

static inline double dls_ray_at(const DlsRay *ray, int axis, double t) {
  return ray->from[axis] + t * ray->way[axis];
}

/* Where walls end, or two of them make an outward edge: a circle about z, else a segment, in 2-D a
 * point. */
typedef struct {
  bool round;
  double radius;     /* m, of the circle; 0: a tip */
  double end[2][3];  /* m; of a circle its middle */
  int walls;         /* one of what is thin, else two */
  double into[2][3]; /* unit, away from the rim within each wall; of a circle at angle 0 from x */
} DlsRim;

enum { DLS_MAX_RIMS = 12 };

/* Fields by dimension, [0] in 2-D and [1] in 3-D: see dls_by_dim. */
typedef struct {
  const char *name;           /* in decks, files and messages */
  int only_dim;               /* 2 or 3, the one it exists in; 0: both */
  const char *instead;        /* what to take in the other, "in 3-D use a thin box" */
  int lengths[2];             /* how many it needs; a box its edges */
  int radii;                  /* likewise */
  const char *radius_example; /* of a deck, NULL where it has none */
  bool has_inside;            /* it can be a container; else, or from outside, a solid or thin */
  bool along_x;               /* its axis in a deck is local x; else the last one */
  bool of_facets;             /* it is made of facets */
  unsigned openings[2];       /* DLS_OPEN_... that a container may have */

  /* Refuses sizes that are none; fills area where it is plain and 0. NULL: any will do. */
  DlsStatus (*check)(int dim, DlsBoundary *boundary);
  /* The nearest points to c of the features in reach, in ascending order of feature. */
  void (*near)(int dim, const DlsBoundary *boundary, const double c[3], DlsNearList *list);
  /* As dls_boundary_supports; NULL: never. */
  bool (*supports)(const DlsBoundary *boundary, const DlsNear *near);
  /* Calls dls_ray_meet for every crossing of the surface. */
  void (*ray)(const DlsBoundary *boundary, DlsRay *ray);
  /* As dls_boundary_behind; NULL: nothing is behind. */
  bool (*behind)(int dim, const DlsBoundary *boundary, const double x[3], double depth);
  /* As dls_boundary_flat; NULL: nowhere. */
  bool (*flat)(int dim, const DlsBoundary *boundary, const double x[3], double reach);
  /* Its rims, returns how many; NULL: it has none, or tells of them otherwise. */
  int (*rims)(int dim, const DlsBoundary *boundary, DlsRim out[DLS_MAX_RIMS]);
  /* The surface that moves with radius[0], as dls_boundary_side, and the unit direction in which it
   * does at a place x. NULL, both: the radius stays. */
  double (*side)(int dim, const DlsBoundary *boundary);
  void (*outward)(int dim, const double x[3], double out[3]);
  /* Its lines, endless ones as far as the sight goes. */
  DlsStatus (*outline)(int dim, const DlsBoundary *boundary, const DlsSight *sight,
                       const DlsPose *pose, int owner, DlsOutline *out);
  /* Its surface in 3-D, likewise; NULL: it shows none. */
  DlsStatus (*faces)(const DlsBoundary *boundary, const DlsSight *sight, const DlsPose *pose,
                     int owner, DlsFaces *out);
} DlsBoundaryOperations;

#define dls_by_dim(field, dim) ((field)[(dim) == 3])

#define DLS_BOUNDARY_DECLARE(code, name) extern const DlsBoundaryOperations dls_boundary_##name;
DLS_BOUNDARY_LIST(DLS_BOUNDARY_DECLARE)
#undef DLS_BOUNDARY_DECLARE

/* NULL for a number that no kind has. */
const DlsBoundaryOperations *dls_boundary_operations(DlsBoundaryKind kind);

/* Takes in a kind from elsewhere, kept by address for the life of the process; the same one twice
 * is one. To be called before worlds are made, not beside threads: numbers follow the order of
 * calls, and files hold numbers. */
DlsStatus dls_boundary_register(const DlsBoundaryOperations *operations, DlsBoundaryKind *kind);

/* What checks of kinds share: a length or radius that is not above 0 is refused by name. */
DlsStatus dls_boundary_check_length(const DlsBoundary *boundary, int k, bool endless);
DlsStatus dls_boundary_check_radius(const DlsBoundary *boundary, int k, bool zero);

/* Of convex solids and of what is flat all over, for `supports`. */
bool dls_boundary_supports_always(const DlsBoundary *boundary, const DlsNear *near);
bool dls_boundary_supports_outside(const DlsBoundary *boundary, const DlsNear *near);

#endif
