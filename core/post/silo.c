#include "post/silo.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Weight of the grains that are not held, N, and the height of their centre of mass, m. */
static double weigh(const DlsPacking *g, double *height) {
  const int up = g->dim - 1;
  double weight = 0;
  *height = 0;
  for (int i = 0; i < g->grains; i++) {
    if (g->held[i]) continue;
    weight -= g->mass[i] * g->gravity[up];
    *height -= g->mass[i] * g->gravity[up] * g->centre[i][up];
  }
  if (weight > 0) *height /= weight;
  return weight;
}

/* The region from its foot to the surface, its area and perimeter. */
static DlsStatus cut_section(const DlsPacking *g, const DlsProbe *region, double centre,
                             DlsProbe *out, DlsSiloSums *sums) {
  const int up = g->dim - 1;
  double side[3];
  *out = *region;
  if (region->kind == DLS_PROBE_ALL) {
    out->kind = DLS_PROBE_BOX;
    dls_packing_box(g, out->low, out->high);
  }
  if (out->kind == DLS_PROBE_CYLINDER) {
    const double foot = out->centre[up] - out->length / 2;
    DLS_CHECK(fabs(out->axis[up]) > 1 - 1e-12, DLS_ERR_ARGUMENT,
              "silo: the cylinder does not stand upright");
    out->length = 2 * (centre - foot);
    out->centre[up] = centre;
    sums->area = pi * out->radius * out->radius;
    sums->perimeter = 2 * pi * out->radius;
    DLS_CHECK(out->length > 0, DLS_ERR_ARGUMENT, "silo: the grains are below the foot at %g m",
              foot);
    return DLS_OK;
  }
  DLS_CHECK(out->kind == DLS_PROBE_BOX, DLS_ERR_ARGUMENT,
            "silo: its cross-section is that of a box or, in 3-D, of an upright cylinder");
  out->high[up] = 2 * centre - out->low[up];
  for (int k = 0; k < 3; k++) side[k] = out->high[k] - out->low[k];
  sums->area = g->dim == 3 ? side[0] * side[1] : side[0];
  sums->perimeter = g->dim == 3 ? 2 * (side[0] + side[1]) : 2;
  DLS_CHECK(side[up] > 0 && sums->area > 0, DLS_ERR_ARGUMENT,
            "silo: the grains are below the foot at %g m, or the box has no width", out->low[up]);
  return DLS_OK;
}

DlsStatus dls_silo_begin(const DlsPacking *g, const DlsProbe *region, int layers,
                         DlsSiloSums *out) {
  DlsProbe column;
  double centre;
  memset(out, 0, sizeof *out);
  DLS_CHECK(layers >= 2 && layers <= DLS_SILO_LAYERS, DLS_ERR_ARGUMENT, "silo: %d layers; 2 to %d",
            layers, DLS_SILO_LAYERS);
  DLS_CHECK(weigh(g, &centre) > 0, DLS_ERR_ARGUMENT,
            "silo: no grains with a weight along the last axis");
  DLS_TRY(cut_section(g, region, centre, &column, out));
  return dls_profile_grid(g, &column, DLS_AVERAGE_LINES, g->dim - 1, layers, &out->grid);
}

/* What boundaries and held bodies give to the grains. */
static void add_walls(DlsSiloSums *sums, const DlsPacking *g) {
  const int up = g->dim - 1;
  for (int c = 0; c < g->contacts; c++) {
    const int first = !g->held[g->candidate[c]];
    const int second = dls_packing_is_free(g, g->antagonist[c]);
    const double force = first ? g->force[c][up] : -g->force[c][up];
    if (first == second || !dls_packing_active(g, c)) continue;
    if (fabs(g->normal[c][up]) > 0.5) {
      sums->floor += force;
      sums->floor_contacts++;
    } else {
      sums->wall_up += force;
      sums->wall_normal += g->normal_force[c];
      sums->wall_contacts++;
    }
  }
}

DlsStatus dls_silo_add(DlsSiloSums *sums, const DlsPacking *g) {
  const int up = g->dim - 1;
  DlsLayer layer[DLS_SILO_LAYERS];
  double centre;
  sums->weight += weigh(g, &centre);
  sums->height += 2 * (centre - sums->grid.low[up]);
  DLS_TRY(dls_profile(g, &sums->grid, layer));
  for (int n = 0; n < sums->grid.layers; n++) {
    const double *stress = layer[n].stress;
    sums->axial[n] -= stress[4 * up];
    sums->across[n] -= g->dim == 3 ? (stress[0] + stress[4]) / 2 : stress[0];
    sums->layer_contacts += layer[n].contacts / 2.0; /* each has two arms */
  }
  add_walls(sums, g);
  sums->instants++;
  return DLS_OK;
}

DlsStatus dls_silo_end(const DlsSiloSums *sums, DlsSilo *out) {
  const int layers = sums->grid.layers, up = sums->grid.axis;
  const double by = 1.0 / sums->instants, box = sums->grid.high[up] - sums->grid.low[up];
  double depth[DLS_SILO_LAYERS] = {0}, pressure[DLS_SILO_LAYERS] = {0}, axial = 0, across = 0;
  memset(out, 0, sizeof *out);
  DLS_CHECK(sums->instants > 0, DLS_ERR_ARGUMENT, "silo: no instant was added");
  out->layers = layers;
  out->weight = by * sums->weight;
  out->height = by * sums->height;
  out->gradient = out->weight / (sums->area * out->height);
  out->floor = by * sums->floor;
  out->walls = by * sums->wall_up;
  for (int n = 0; n < layers; n++) {
    depth[n] = out->height - box * (n + 0.5) / layers;
    pressure[n] = by * sums->axial[n];
    axial += sums->axial[n];
    across += sums->across[n];
  }
  DLS_TRY(dls_janssen_fit(layers, depth, pressure, out->gradient, &out->fit));
  for (int n = 0; n < layers; n++)
    out->layer[n] =
        (DlsSiloLayer){.depth = depth[n],
                       .axial = pressure[n],
                       .across = by * sums->across[n],
                       .law = dls_janssen_pressure(out->gradient, out->fit.length, depth[n])};
  out->ratio = across / axial;
  out->mobilised = sums->wall_normal > 0 ? sums->wall_up / sums->wall_normal : 0;
  out->length =
      out->mobilised > 0 ? sums->area / (sums->perimeter * out->ratio * out->mobilised) : HUGE_VAL;
  out->wall_contacts = by * sums->wall_contacts;
  out->floor_contacts = by * sums->floor_contacts;
  out->layer_contacts = by * sums->layer_contacts / layers;
  return DLS_OK;
}
