/* A silo against Janssen's law (post/janssen.h), in the mean over instants.
 *
 * The length of the exponential is found twice: by a fit to the vertical stress of layers, and as A
 * / (P K mu) from
 *   K   the horizontal stress over the vertical one, both of the tensor inside
 *   mu  the upward force of the walls over their normal force
 * Walls are boundaries met at a normal farther than 60 degrees from upward; what grains rest on
 * otherwise is the floor. The surface is that of a column of one density: at twice the height of
 * the centre of mass above the floor. */
#ifndef DELASSUS_POST_SILO_H
#define DELASSUS_POST_SILO_H

#include "post/janssen.h"
#include "post/profile.h"

enum { DLS_SILO_LAYERS = 100 };

typedef struct {
  double depth, axial, across; /* m below the surface, middle of the layer; Pa: compressions */
  double law;                  /* Pa: Janssen's with the length of the fit */
} DlsSiloLayer;

/* Sums while instants are added; the caller looks at nothing in it. */
typedef struct {
  DlsProfileGrid grid;
  int instants;
  double area, perimeter; /* m2, m; 2-D: m, 1 */
  double weight, height;
  double axial[DLS_SILO_LAYERS], across[DLS_SILO_LAYERS];
  double wall_up, wall_normal, floor;
  double wall_contacts, floor_contacts, layer_contacts;
} DlsSiloSums;

typedef struct {
  double weight, floor, walls;     /* N: of the grains; what floor and walls bear */
  double height, gradient;         /* m; Pa/m, weight per volume */
  double ratio, mobilised, length; /* K, mu, A / (P K mu) in m */
  DlsJanssen fit;
  double wall_contacts, floor_contacts; /* with a force, at a time */
  double layer_contacts;                /* in a layer, at a time */
  int layers;
  DlsSiloLayer layer[DLS_SILO_LAYERS]; /* from below */
} DlsSilo;

/* The cross-section is that of `region`, a box or, in 3-D, an upright cylinder; `all` stands for
 * the box around the grains. Layers divide it from its foot, or the floor of the box, to the
 * surface of this packing. Up is against gravity, which is along the last axis. */
DlsStatus dls_silo_begin(const DlsPacking *packing, const DlsProbe *region, int layers,
                         DlsSiloSums *out);
DlsStatus dls_silo_add(DlsSiloSums *sums, const DlsPacking *packing);

/* DLS_ERR_ARGUMENT where there is no instant, or no weight. */
DlsStatus dls_silo_end(const DlsSiloSums *sums, DlsSilo *out);

#endif
