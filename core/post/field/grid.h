/* The grid of a field from a text: "40x40", "40x40x40". */
#ifndef DELASSUS_POST_FIELD_GRID_H
#define DELASSUS_POST_FIELD_GRID_H

#include "post/field/field.h"
#include "post/probe.h"

/* Points over the box of the region, or around the grains for `all`; other regions are refused.
 * Text NULL: 40 along x, the others at the same distance. */
DlsStatus dls_field_grid_read(const char *text, const DlsPacking *packing, const DlsProbe *region,
                              DlsFieldGrid *out);

/* Whether the text is a grid in `dim`; DLS_ERR_ARGUMENT says how it is written. out [3]: points. */
DlsStatus dls_field_points_read(const char *text, int dim, int out[3]);

#endif
