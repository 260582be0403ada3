/* Plane stress: the zz of the strain is that at which sigma_zz is 0 (delassus/bulk.h). */
#ifndef DELASSUS_FEM_PLANE_STRESS_H
#define DELASSUS_FEM_PLANE_STRESS_H

#include <delassus/bulk.h>

/* The tangent for xx yy xy where zz follows: D - D_z D_zz^-1 D_z^T; rows and columns of zz become
 * 0. DLS_ERR_LAW where D_zz is not above 0. */
DlsStatus dls_plane_stress_tangent(double tangent[36]);

#endif
