/* Surfaces of solids and of deformable bodies as the sides that a picture of grains draws. */
#ifndef DELASSUS_RECORD_SIDES_H
#define DELASSUS_RECORD_SIDES_H

#include "plot/grains.h"
#include "post/deformed.h"
#include "world/skin.h"

/* grain [of elements of the skin]: the grain of the picture that each element is of; below 0: it is
 * not drawn. The caller ends *out with dls_grain_sides_clear(), also on failure. */
DlsStatus dls_sides_of_skin(int dim, const DlsSkin *skin, const int *grain, DlsGrainSides *out);

/* Cells of deformable bodies join the sides: in 2-D each cell, in space what is outside. grain
 * [cells]: as above. */
DlsStatus dls_sides_of_cells(const DlsDeformed *deformed, const int *grain, DlsGrainSides *sides);

#endif
