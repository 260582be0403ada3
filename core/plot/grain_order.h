/* In which order grains with corners are drawn in 3-D, so that those in front hide those behind. */
#ifndef DELASSUS_PLOT_GRAIN_ORDER_H
#define DELASSUS_PLOT_GRAIN_ORDER_H

#include "plot/grains.h"

/* rank [grains]: 0 is drawn first. Of two convex grains that are seen one upon the other the plane
 * of a face that parts them says which is in front; balls, and where no face parts them, go by the
 * depth of their centres, and so does all where the first gives a ring. */
DlsStatus dls_grain_order(const DlsGrainPicture *picture, const DlsSvgCamera *camera, int *rank);

#endif
