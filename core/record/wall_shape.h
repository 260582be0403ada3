/* Walls of a packing as numbers of a frame, [walls][DLS_WALL_NUMBERS]: kind, inside, open, length
 * (3), radius (2), rounding, depth, position (3), orientation (4), number of its facets from 1 on
 * or 0. A file has them as arrays of nine.
 *
 * Facets are rows of three numbers, set by set: both sides or not, nodes, facets; then places of
 * the nodes; then corners of the facets. */
#ifndef DELASSUS_RECORD_WALL_SHAPE_H
#define DELASSUS_RECORD_WALL_SHAPE_H

#include "world/boundary/boundary.h"

enum { DLS_WALL_NUMBERS = 18 };

void dls_wall_pack(const DlsBoundary *wall, const DlsFacetsList *facets,
                   double out[DLS_WALL_NUMBERS]);

/* DLS_ERR_FORMAT for what is no boundary; `path` is named. Facets are those of the list. */
DlsStatus dls_wall_unpack(const double number[DLS_WALL_NUMBERS], int dim,
                          const DlsFacetsList *facets, const char *path, DlsBoundary *out);

/* Rows of three; out[rows][3]. */
int64_t dls_wall_facet_rows(const DlsFacetsList *facets);
void dls_wall_pack_facets(const DlsFacetsList *facets, double *out);
DlsStatus dls_wall_unpack_facets(const double *number, int64_t rows, int dim, const char *path,
                                 DlsFacetsList *out);

#endif
