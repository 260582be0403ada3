/* The logarithmic strain ln sqrt(F^T F) and what is conjugate to it (Miehe, Apel and Lambrecht
 * 2002), from and to Green's strain E and the second Piola-Kirchhoff stress S. */
#ifndef DELASSUS_FEM_LOG_STRAIN_H
#define DELASSUS_FEM_LOG_STRAIN_H

#include <delassus/status.h>

/* The principal stretches of E, kept for the way back. */
typedef struct {
  double square[3], axis[3][3]; /* of 1 + 2 E; axis[k] a column each, space first: axis[i][k] */
} DlsLogStrain;

/* DLS_ERR_NUMERIC where 1 + 2 E is not positive. */
DlsStatus dls_log_strain(const double E[6], DlsLogStrain *out, double strain[6]);

/* S and, unless NULL, dS / dE of T and dT / d strain, in place. */
void dls_log_stress(const DlsLogStrain *log, double stress[6], double *tangent);

#endif
