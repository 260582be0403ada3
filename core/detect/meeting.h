/* How two kinds of shapes meet: one table of functions, [kind][kind] for elements of bodies and
 * [kind][kind of boundary]. A function fills a manifold: up to eight points a face, each with its
 * gap, normal, place, reduced radius, area and the pair of features that make it.
 *
 * A point is given when the two are within `alert` of each other there now, or will be at some
 * moment of `horizon` seconds at their present velocities; more points than that cost time, fewer
 * miss contacts. Normals, gaps and places are those of now. */
#ifndef DELASSUS_DETECT_MEETING_H
#define DELASSUS_DETECT_MEETING_H

#include "detect/contact.h"
#include "world/world.h"

/* Of one face; of all faces that one element meets at once: the walls of a corner of a mesh. */
enum { DLS_FACE_POINTS = 8, DLS_MANIFOLD_POINTS = 3 * DLS_FACE_POINTS };

/* One element at this moment; a cache line. */
typedef struct {
  double x[3], radius; /* m; of what is no ball, of the ball about its origin that holds it */
  double way[3];       /* m, during the horizon along a straight line */
  double sag;          /* m, how far a turning element leaves that line */
} DlsBall;

typedef struct {
  double gap;          /* m; < 0 interpenetrated */
  double normal[3];    /* unit, from the second side to the first */
  double point[3];     /* m, halfway between the two surfaces */
  double radius;       /* m, reduced: 1 / (1/R1 + 1/R2); 0: none is known */
  double area;         /* m2, the share of the surface that the point stands for, in 2-D its length
                          times the thickness; 0: none is known. At edges and
                          corners of solids a small one, detect/convex/meet.c */
  uint32_t feature[2]; /* of either side, below its number of features; 0 of what is smooth */
} DlsManifoldPoint;

typedef struct {
  int count;
  DlsManifoldPoint point[DLS_MANIFOLD_POINTS]; /* ascending by the pair of features */
} DlsManifold;

typedef struct {
  int dim;
  double alert, horizon; /* m, s */
  /* The contacts of the step before, NULL: none are known; and the two that meet: ids as in keys,
   * and the first features of a and b there. */
  const DlsContactMemory *memory;
  DlsContactKey pair;
  bool swapped; /* a is the antagonist */
} DlsMeeting;

/* One of two that meet. */
typedef struct {
  const DlsBall *ball; /* NULL of a boundary */
  DlsSolid solid;
  DlsPose pose;                /* of its axes */
  const double *turned;        /* of a convex solid (detect/convex/posed.h); NULL: to be found */
  double velocity[6];          /* m/s of their origin, rad/s */
  const DlsBoundary *boundary; /* NULL of an element */
} DlsSide;

typedef void DlsMeet(const DlsMeeting *meeting, const DlsSide *a, const DlsSide *b,
                     DlsManifold *out);

/* Gives two kinds the function by which they meet, the first one as its side a; the other way round
 * it is called with sides changed and the result turned. Of a boundary the function is for both its
 * inside and its outside. To be called before detections, not beside
 * threads. Replaces the one there is. */
DlsStatus dls_meeting_register(DlsShapeKind a, DlsShapeKind b, DlsMeet *meet);
DlsStatus dls_meeting_register_boundary(DlsShapeKind a, DlsBoundaryKind b, DlsMeet *meet);

/* NULL: these two have none. *swapped: the function takes b first. */
DlsMeet *dls_meeting_of(DlsShapeKind a, DlsShapeKind b, bool *swapped);
DlsMeet *dls_meeting_of_boundary(DlsShapeKind a, DlsBoundaryKind b, bool inside);

/* Adds a point unless the manifold is full. */
void dls_manifold_add(DlsManifold *manifold, const DlsManifoldPoint *point);

/* m: how much a gap with this normal at this place may close during the horizon. For what meets. */
double dls_meeting_closing(const DlsMeeting *meeting, const DlsSide *a, const DlsSide *b,
                           const double point[3], const double normal[3]);

/* Two balls, the table's own function for them; detection calls the two parts directly.
 * Whether they come within the alert distance while both move straight: d from b to a. */
static inline bool dls_balls_approach(const DlsBall *a, const DlsBall *b, double alert, double d[3],
                                      double *square) {
  double way[3];
  for (int k = 0; k < 3; k++) {
    d[k] = a->x[k] - b->x[k];
    way[k] = a->way[k] - b->way[k];
  }
  const double limit = a->radius + b->radius + alert + a->sag + b->sag;
  *square = dls_vector_dot(d, d);
  if (*square <= limit * limit) return true;
  const double closing = -dls_vector_dot(d, way);
  if (closing <= 0) return false;
  const double w2 = dls_vector_dot(way, way), t = closing < w2 ? closing / w2 : 1;
  return *square - 2 * t * closing + t * t * w2 <= limit * limit;
}

static inline void dls_balls_point(int dim, const DlsBall *a, const DlsBall *b, const double d[3],
                                   double square, DlsManifoldPoint *out) {
  const double distance = sqrt(square), sum = a->radius + b->radius;
  double *n = out->normal;
  n[0] = 0, n[1] = dim == 2, n[2] = dim == 3; /* of the same centre: up */
  if (distance > 0)
    for (int k = 0; k < 3; k++) n[k] = d[k] / distance;
  out->gap = distance - sum;
  out->radius = a->radius * b->radius / sum;
  out->area = 0;
  for (int k = 0; k < 3; k++) out->point[k] = a->x[k] - n[k] * (a->radius + out->gap / 2);
  out->feature[0] = out->feature[1] = 0;
}

/* A ball and a boundary of any kind, the table's own function for them, without the sides. */
void dls_ball_meets_boundary(const DlsMeeting *meeting, const DlsBall *ball,
                             const DlsBoundary *boundary, DlsManifold *out);
DlsMeet dls_meet_ball_boundary;
/* Likewise where the boundary is made of facets. */
void dls_ball_meets_facets(const DlsMeeting *meeting, const DlsBall *ball,
                           const DlsBoundary *boundary, DlsManifold *out);

/* A convex solid and another or a ball; and the boundaries that it can meet: detect/convex. */
DlsMeet dls_meet_convex;
DlsMeet dls_meet_convex_vertices; /* by its vertices: planes, and closed containers from inside */
DlsMeet dls_meet_convex_solid;    /* boxes, spheres and circles from outside, segments */
DlsMeet dls_meet_convex_rims;     /* plates, cylinders and frustums from outside, containers */
DlsMeet dls_meet_convex_facets;   /* meshes and polylines */

#endif
