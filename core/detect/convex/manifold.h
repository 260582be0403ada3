/* The points at which two convex solids meet, from the direction between them.
 *
 * Where a face of one stands across that direction (within 3 degrees, 4 where the two lay face on
 * face a step ago: a block that rocks does not change between the two ways of touching from step to
 * step) it is the reference, and
 * the most opposed face, the edge or the vertex of the other is clipped by its sides (Sutherland
 * and Hodgman 1974): every corner of what remains is a point, its gap the height above the
 * reference. Where two edges run side by side (likewise), the ends of what they share. Else one
 * point, and so where the corners above the reference are all farther than the two are apart.
 *
 * A corner is known by what makes it: (face, vertex), (edge, edge) or (vertex, face), whichever
 * solid is the reference, so that it is the same contact while solids slide, part and touch. In
 * 2-D sides are faces: (side, vertex) or (vertex, side). */
#ifndef DELASSUS_DETECT_CONVEX_MANIFOLD_H
#define DELASSUS_DETECT_CONVEX_MANIFOLD_H

#include "detect/convex/nearest.h"
#include "detect/meeting.h"

typedef struct {
  double x[3];         /* m, on the core that is clipped */
  double gap;          /* m, of the cores along the normal */
  uint32_t feature[2]; /* of a, of b */
} DlsCorner;

enum { DLS_PATCH_CORNERS = 2 * DLS_CONVEX_VERTICES };

typedef struct {
  double normal[3]; /* unit, from b to a, of all its corners */
  bool on_b;        /* corners are points of b, else of a */
  double area;      /* m2; in 2-D m: of the whole; 0 of a point, and of a line in 3-D */
  int count;
  DlsCorner corner[DLS_PATCH_CORNERS]; /* in order round it */
} DlsPatch;

/* meeting: tells how the two touched a step ago, where b is no part of a boundary; NULL: as if they
 * had not. */
void dls_convex_patch(const DlsMeeting *meeting, const DlsPosed *a, const DlsPosed *b,
                      const DlsNearest *nearest, DlsPatch *out);

/* What of b lies above a face of a, as the first case: false where nothing does. */
bool dls_convex_above(const DlsPosed *a, int face, const DlsPosed *b, DlsPatch *out);

/* m2, in 2-D m: of the polygon of its corners, seen along the normal. */
double dls_patch_area(int dim, const DlsPatch *patch);

/* Leaves at most `most` corners: time and again the one goes that costs least area. */
void dls_patch_reduce(DlsPatch *patch, int most);

#endif
