/* What rounding adds to a convex core: all points within r of it. Around the core stand a prism on
 * each face, a sector of a cylinder on each edge and a sector of a ball on each vertex (Steiner),
 * whose moments are known in closed form. At scale 1. */
#ifndef DELASSUS_WORLD_ROUNDED_H
#define DELASSUS_WORLD_ROUNDED_H

#include "world/convex.h"

/* Of the core and of what rounding adds. In 2-D strips on the sides and sectors at the corners. */
void dls_rounded_moments(int dim, const DlsConvex *core, DlsMoments *out);

/* Whether x is within r of the core. */
bool dls_rounded_contains(int dim, const DlsConvex *core, const double x[3]);

/* 2-D: sides moved outwards, and arcs. */
DlsStatus dls_rounded_outline(const DlsConvex *core, double scale, const DlsPose *pose, int owner,
                              DlsOutline *out);

#endif
