#include "fem/plane_stress.h"

#include <string.h>

enum { ZZ = 2 };

DlsStatus dls_plane_stress_tangent(double D[36]) {
  double row[6], column[6];
  const double own = D[6 * ZZ + ZZ];
  DLS_CHECK(own > 0, DLS_ERR_LAW, "a bulk law has no stiffness across the plane: %g Pa", own);
  for (int i = 0; i < 6; i++) row[i] = D[6 * ZZ + i], column[i] = D[6 * i + ZZ];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) D[6 * i + j] -= column[i] * row[j] / own;
  for (int i = 0; i < 6; i++) D[6 * ZZ + i] = D[6 * i + ZZ] = 0;
  return DLS_OK;
}
