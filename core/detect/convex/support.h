/* Polygons of support: the corners at which a solid lies on one patch, edge or corner of facets, or
 * on what of a boundary has one normal, gathered from its parts. */
#ifndef DELASSUS_DETECT_CONVEX_SUPPORT_H
#define DELASSUS_DETECT_CONVEX_SUPPORT_H

#include "detect/convex/manifold.h"

enum { DLS_SUPPORTS = 32, DLS_SUPPORT_CORNERS = 96 };

typedef struct {
  int feature;
  double normal[3];
  double area; /* m2, in 2-D m: of an edge: of its patch; of a face: that of its polygon */
  int count;
  DlsCorner corner[DLS_SUPPORT_CORNERS]; /* x on the core of the solid; features of both sides */
} DlsSupport;

/* m, of all corners; HUGE_VAL where there are none. */
double dls_support_least(const DlsSupport *support);

/* Leaves the corners of the convex hull, seen along the normal, counter-clockwise; and the deepest
 * within, where it is deeper than all of them. */
void dls_support_hull(const DlsPosed *solid, DlsSupport *support);

/* Adds a corner; of two with the same features the deeper one stays. */
void dls_support_add(const DlsPosed *solid, const DlsCorner *corner, DlsSupport *support);

/* The points of all, in space axes, of what is or will be within the alert distance: a is the
 * solid, b the boundary, in whose axes the supports are, about `origin`. When there is no room for
 * all, those with the deepest corner count. */
void dls_supports_give(const DlsMeeting *meeting, const DlsSide *a, const DlsSide *b,
                       const DlsPosed *solid, const double origin[3], int count,
                       DlsSupport *support, DlsManifold *out);

#endif
