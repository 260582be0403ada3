/* Rigid motions of a deformable body that nothing holds, in quasi-static steps. */
#ifndef DELASSUS_ASSEMBLE_RIGID_MOTION_H
#define DELASSUS_ASSEMBLE_RIGID_MOTION_H

#include <stdbool.h>

#include <delassus/sparse.h>
#include <delassus/status.h>

#include "world/deformable_view.h"

/* Whether a mix of translations and turns of the mesh, as it was, of those velocities that are
 * free, has in x . M x no more than 1e-12 of x . D x, D the diagonal: what is no more than
 * round-off. */
DlsStatus dls_rigid_motion_left(const DlsDeformableMesh *mesh, const DlsSparse *M, bool *out);

#endif
