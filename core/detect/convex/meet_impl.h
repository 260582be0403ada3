/* What the functions by which convex solids meet share. */
#ifndef DELASSUS_DETECT_CONVEX_MEET_IMPL_H
#define DELASSUS_DETECT_CONVEX_MEET_IMPL_H

#include "detect/convex/manifold.h"

/* m: how much any gap between the two may close during the horizon, at most; `reach`: of their
 * farthest points from the origin of their axes, about which they turn. */
double dls_convex_closing(const DlsMeeting *meeting, const DlsSide *a, double reach_a,
                          const DlsSide *b, double reach_b);

/* m2, in 2-D m of 1 m: what meets at an edge or a corner has no face, and laws that give a stress
 * act there too. It is taken for a face of a hundredth of the smaller solid; so is the last of a
 * face that slides off. 0, not known, where one has no faces. */
double dls_convex_small_area(int dim, double size);
double dls_convex_least_area(int dim, const DlsPosed *a, const DlsPosed *b);

/* Adds a point in the order of features, unless the manifold is full. */
void dls_manifold_insert(const DlsManifoldPoint *point, DlsManifold *out);

#endif
