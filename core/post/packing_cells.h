/* The cells of deformable bodies among the grains of a packing. A cell is to its nodes what a grain
 * is to its contacts (world/deformable_view.h), so that a packing can be refined: bodies that are
 * deformable go, and for them come
 *
 *   cells     grains with volume and mass, which nodes pull at
 *   nodes     grains with neither, which pull at cells; where contacts push at them, a point
 *             between holds the contact and passes it on, to each node its share
 *
 * All forces on nodes and points balance but for what the nodes themselves weigh. Means over
 * regions, cuts, profiles and fields are then those of grains. The inner moment of a cell is the
 * integral of its stress: what forces and arms leave of it, of the order of the strain where arms
 * are those of the moved cell and forces those of the unmoved one, stands as `moment` of the cell
 * and counts at its centre. */
#ifndef DELASSUS_POST_CELLS_H
#define DELASSUS_POST_CELLS_H

#include "post/packing.h"

/* What a node has of a contact. */
typedef struct {
  int contact, side; /* side 0: the body is the candidate */
  int node;
  double force[3]; /* N, on the node */
} DlsNodeShare;

typedef struct {
  int nodes;
  double (*place)[3], (*velocity)[3]; /* m at the end of the step; m/s */
  int cells;
  int *start;            /* [cells + 1] */
  int *node;             /* [start[cells]] */
  double (*force)[3];    /* [start[cells]], N: of the node on the cell */
  int64_t *owner;        /* [cells], id of the body */
  double *volume, *mass; /* [cells], m3, kg */
  double (*moment)[9];   /* [cells], N m: integral of the stress */
  int shares;
  DlsNodeShare *share;
} DlsPackingCells;

/* Arrays of these sizes, zeroed; ended with dls_packing_cells_clear(), also on failure. */
DlsStatus dls_packing_cells_make(int nodes, int cells, int corners, int shares,
                                 DlsPackingCells *out);
void dls_packing_cells_clear(DlsPackingCells *cells);

/* Makes packing->fine, and tells the packing what its deformable bodies are: their part, moment and
 * box. Grains and contacts of the packing are those to which the cells belong. */
DlsStatus dls_packing_refine(DlsPacking *packing, const DlsPackingCells *cells);

#endif
