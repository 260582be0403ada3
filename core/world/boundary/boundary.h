/* Boundaries: what bodies meet that no impulse moves. A boundary has a pose (position and
 * orientation), and a velocity and spin that the caller sets each step; its surface is made of
 * features, and each feature gives at most one nearest point to a sphere's centre, so that a grain
 * in the corner of a box touches two or three walls. Smooth neighbours share a feature: a grain
 * that rolls from a plate over its rim keeps its contact's identity.
 *
 * Solids (plane, box, cylinder and frustum from outside, sphere): distance below zero within.
 * Containers that are closed: distance below zero beyond the wall, however far.
 * Walls that end somewhere (segment, plate, open box, cylinder or frustum): thin, met from both
 * sides and at their rims; distance never below zero, unless
 *   `depth` is above zero: a centre up to `depth` behind the wall counts as come through it.
 * Meshes and polylines (facets.h) are thin too, met from their front or from both sides.
 * `rounding` thickens every surface by a ball of that radius.
 *
 * Local axes: cylinder, frustum and plate have their axis along z; the plane's normal is z, in 2-D
 * y; a segment lies along x. In 2-D a cylinder is a circle. */
#ifndef DELASSUS_WORLD_BOUNDARY_BOUNDARY_H
#define DELASSUS_WORLD_BOUNDARY_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/status.h>

#include "world/boundary/list.h"
#include "world/facets.h"
#include "world/pose.h"

/* Numbers of the kinds of list.h; what dls_boundary_register() takes in is numbered from
 * DLS_BOUNDARY_KINDS on. What a kind knows and can do: kind.h. */
typedef enum {
#define DLS_BOUNDARY_ENUM(code, name) DLS_BOUNDARY_##code,
  DLS_BOUNDARY_LIST(DLS_BOUNDARY_ENUM)
#undef DLS_BOUNDARY_ENUM
      DLS_BOUNDARY_KINDS
} DlsBoundaryKind;

/* What is open. Of a box: faces -x +x -y +y -z +z; of a cylinder or frustum, the caps -z +z. */
enum {
  DLS_OPEN_X0 = 1,
  DLS_OPEN_X1 = 2,
  DLS_OPEN_Y0 = 4,
  DLS_OPEN_Y1 = 8,
  DLS_OPEN_Z0 = 16,
  DLS_OPEN_Z1 = 32,
};

/* Nearest points of one boundary to one centre, at most: 3 meridians of a side, 3 of each cap; of
 * a mesh the nearest so many. */
enum { DLS_MAX_FEATURES = 9 };

typedef struct {
  DlsBoundaryKind kind;
  bool inside;       /* box, cylinder, frustum, sphere: grains are inside */
  unsigned open;     /* inside alone: DLS_OPEN_... */
  double length[3];  /* m; HUGE_VAL for an endless cylinder, and in 2-D */
  double radius[2];  /* m */
  DlsFacets *facets; /* mesh, polyline: held by the world it is added to, lent in copies */
  double rounding;   /* m, >= 0 */
  double depth;      /* m, >= 0 */
  int material;
  double area; /* m2 (2-D: m): force = stress x area of a servo wall; 0 unknown */

  double position[3];    /* m, of the local origin */
  double orientation[4]; /* local axes -> space axes; a unit quaternion, (1, 0, 0, 0) */
  double velocity[6];    /* m/s at the local origin, rad/s; space axes */

  /* The body it is fixed to, and goes where that one goes: its id, 0 none. Impulses on the boundary
   * move that body; its own velocity follows. */
  uint64_t carrier;

  uint64_t id;    /* set by dls_world_add_boundary; persistent */
  uint32_t flags; /* the caller's, but DLS_BODY_GHOST: no contacts now; DLS_BOUNDARY_SWELLS */

  /* m/s, by which radius[0] grows: that of the carrier of one that swells, 0 of all else. The
   * surface moves along its normal alone. */
  double growth;
} DlsBoundary;

/* Its carrier is no place but its radius: the body's first velocity is that of radius[0], and
 * radius[0] the body's first coordinate less the boundary's own. The impulse of a contact moves it
 * by its part along the direction in which the side moves. */
enum { DLS_BOUNDARY_SWELLS = 4u };

/* The nearest point of one feature to a centre. */
typedef struct {
  int feature;
  bool edge;        /* the point lies on an edge, rim or corner */
  double distance;  /* m, signed, of the centre to the surface */
  double normal[3]; /* unit, from the boundary towards the centre (out of the solid, if within) */
  double point[3];  /* m, on the surface: centre - distance normal */
} DlsNear;

/* Refuses sizes that are not positive, open walls of a solid, a kind that dim does not have, a
 * quaternion that is not of unit length (then renormalised to round-off). Fills area where it is
 * plain and 0: segment, plate. */
DlsStatus dls_boundary_check(int dim, DlsBoundary *boundary);

const char *dls_boundary_text(DlsBoundaryKind kind);

/* Where its local axes stand. */
static inline DlsPose dls_boundary_pose(const DlsBoundary *boundary) {
  const double *x = boundary->position, *q = boundary->orientation;
  return (DlsPose){{x[0], x[1], x[2]}, {q[0], q[1], q[2], q[3]}};
}

/* The features whose surface is nearer than `reach` to the centre (or has it behind), in ascending
 * order of feature; returns how many. Points that coincide are given once. */
int dls_boundary_near(int dim, const DlsBoundary *boundary, const double centre[3], double reach,
                      DlsNear out[DLS_MAX_FEATURES]);

/* The same with points that coincide, as on an edge that two walls share, given for each feature:
 * what a search along a way needs. */
int dls_boundary_features(int dim, const DlsBoundary *boundary, const double centre[3],
                          double reach, DlsNear out[DLS_MAX_FEATURES]);

/* Whether two results for one centre are the same point. */
bool dls_near_same(const DlsNear *a, const DlsNear *b);

/* How far a ray, its direction of length 1, goes from a place until it meets the surface, m;
 * HUGE_VAL: never. Solids and containers stop what comes from the side of the grains, from up to
 * `slack` behind their surface on; thin plates and segments what comes from either side. *leaves:
 * where it comes out of a solid again, HUGE_VAL for all else. `rounding` is left out. */
double dls_boundary_ray(int dim, const DlsBoundary *boundary, const double from[3],
                        const double direction[3], double slack, double *leaves);

/* Whether a place is deeper than `depth` within a solid or, out of a container, behind its walls;
 * what is beyond an opening is not, and nothing is behind plates and segments. */
bool dls_boundary_behind(int dim, const DlsBoundary *boundary, const double x[3], double depth);

/* Whether the surface is flat, and without an opening, as far as `reach` from a place: its one
 * nearest point then tells all of it. */
bool dls_boundary_flat(int dim, const DlsBoundary *boundary, const double x[3], double reach);

/* Whether the plane through the nearest point, across the normal, has the whole feature behind it:
 * convex solids and flat walls. The distance to that plane then bounds the distance from below. */
bool dls_boundary_supports(const DlsBoundary *boundary, const DlsNear *near);

/* The area of the surface that moves with radius[0], m2, in 2-D its length, m; HUGE_VAL where it is
 * endless, 0 for a kind that has none. */
double dls_boundary_side(int dim, const DlsBoundary *boundary);

/* n . e of a normal at a point in space: e is the direction in which the surface goes there as
 * radius[0] grows. 0 for a kind that does not swell. */
double dls_boundary_outward(int dim, const DlsBoundary *boundary, const double point[3],
                            const double normal[3]);

/* m/s, of the boundary at a point in space, without its growth. */
static inline void dls_boundary_velocity(const DlsBoundary *boundary, const double point[3],
                                         double out[3]) {
  const double *v = boundary->velocity, *w = v + 3;
  const double r[3] = {point[0] - boundary->position[0], point[1] - boundary->position[1],
                       point[2] - boundary->position[2]};
  out[0] = v[0] + w[1] * r[2] - w[2] * r[1];
  out[1] = v[1] + w[2] * r[0] - w[0] * r[2];
  out[2] = v[2] + w[0] * r[1] - w[1] * r[0];
}

/* The pose after h seconds of its constant velocity and spin. */
void dls_boundary_drift(double h, DlsBoundary *boundary);

#endif
