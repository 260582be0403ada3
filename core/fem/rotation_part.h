/* The rotation within a linear map: P = R U, U symmetric (the polar decomposition). */
#ifndef DELASSUS_FEM_ROTATION_PART_H
#define DELASSUS_FEM_ROTATION_PART_H

#include <delassus/status.h>

/* DLS_ERR_NUMERIC where det P is not above 0. */
DlsStatus dls_rotation_part(const double P[3][3], double R[3][3]);

#endif
