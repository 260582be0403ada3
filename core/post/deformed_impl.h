/* Private to the files of deformed bodies: deformed.c (what is in them), recover.c (what is made of
 * that at nodes). */
#ifndef DELASSUS_POST_DEFORMED_IMPL_H
#define DELASSUS_POST_DEFORMED_IMPL_H

#include "post/deformed.h"

/* Where a body begins among all; and the points of all. */
typedef struct {
  int node, cell, corner, point, points;
} DlsBodyPlace;

/* Stresses and strains at nodes, and the error of cells. */
DlsStatus dls_deformed_recover(DlsDeformed *deformed);

/* Tractions and pressures of nodes, from reactions; `outward` [nodes]: of any length, zero where
 * there is no contact. */
DlsStatus dls_deformed_press(const DlsWorld *world, const DlsBodyPlace *place,
                             const double (*outward)[3], DlsDeformed *deformed);

#endif
