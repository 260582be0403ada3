/* Cuts: the force transmitted across a portion of a plane (Moreau 2001, secs. 3.4 and 3.5).
 *
 * A contact carries its force along the line from the centre of one grain to the contact point and
 * on to the centre of the other; at a boundary the line ends at the contact point. The force counts
 * where the line crosses the portion. For a whole plane this is the resultant of the contact forces
 * that grains with centres on one side (and boundaries touched there) exert on those of the
 * other. */
#ifndef DELASSUS_POST_CUT_H
#define DELASSUS_POST_CUT_H

#include "post/probe.h"

typedef enum { DLS_CUT_PLANE, DLS_CUT_DISK, DLS_CUT_SEGMENT, DLS_CUT_CYLINDER } DlsCutKind;

typedef struct {
  DlsCutKind kind;
  double centre[3], normal[3]; /* m; unit; of a cylinder: its axis */
  double radius;               /* m, of a disk or cylinder; half the length of a segment */
  double length;               /* m, of a cylinder along its axis */
} DlsCut;

typedef struct {
  double
      force[3]; /* N: what the side that the normal points to exerts on the other; tension along the
                   normal is positive. Of a cylinder: what the outside exerts on the inside */
  double area;  /* m2 (2-D: m); of a plane 0: it has none */
  double traction[3]; /* Pa: force / area; zero for a plane */
  /* N: of a cylinder, normal part of the force (sum over contacts of f . e_r), and along its
   * axis */
  double normal_force, axial_force;
  int contacts; /* that cross */
} DlsCutForce;

/* "plane:POINT:NORMAL", "disk:CENTRE:NORMAL:RADIUS" (in 2-D the segment of that half length),
 * "segment:A:B" (2-D; its normal points to the left of the way from A to B),
 * "cylinder:CENTRE:AXIS:RADIUS:LENGTH". */
DlsStatus dls_cut_read(const char *text, int dim, DlsCut *out);

void dls_cut(const DlsPacking *packing, const DlsCut *cut, DlsCutForce *out);

#endif
