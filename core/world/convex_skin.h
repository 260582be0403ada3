/* The surface of a convex solid; an operation of its kind. */
#ifndef DELASSUS_WORLD_CONVEX_SKIN_H
#define DELASSUS_WORLD_CONVEX_SKIN_H

#include "world/convex.h"

DlsStatus dls_convex_skin(const DlsSolid *solid, const DlsPose *pose, DlsSkin *out);

#endif
