#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "fem/body_view.h"
#include "fem/element.h"
#include "post/deformed_impl.h"

/* N of the nodes of cell c, in VTK's order, at its point p of integration. Cells that are no
 * elements, or have other points: all nodes alike. */
static void interpolate(const DlsDeformed *d, int c, int p, double *N) {
  const int first = d->cells.start[c], nodes = d->cells.start[c + 1] - first;
  const int type = dls_element_of_vtk(d->type[c]);
  const DlsElementKind *kind = type < 0 ? NULL : dls_element_kind(type);
  double own[DLS_ELEMENT_NODES], dN[DLS_ELEMENT_NODES][3];
  if (!kind || kind->inner->count != d->point[c + 1] - d->point[c] || kind->nodes != nodes) {
    for (int k = 0; k < nodes; k++) N[k] = 1.0 / nodes;
    return;
  }
  kind->interpolate(kind->inner->point[p - d->point[c]].x, own, dN);
  for (int k = 0; k < nodes; k++) N[k] = own[dls_element_vtk_node(type, k)];
}

static bool is_linear(const DlsDeformed *d, int c) {
  const int type = dls_element_of_vtk(d->type[c]);
  return type >= 0 && dls_element_kind(type)->corners == dls_element_kind(type)->nodes;
}

DlsStatus dls_deformed_recover(DlsDeformed *d) {
  const DlsPackingCells *cells = &d->cells;
  double *sum, N[DLS_ELEMENT_NODES];
  DLS_NEW(sum, cells->nodes);
  for (int c = 0; c < cells->cells; c++) {
    const bool linear = is_linear(d, c);
    const int *node = cells->node + cells->start[c], nodes = cells->start[c + 1] - cells->start[c];
    if (nodes > DLS_ELEMENT_NODES) continue;
    for (int p = d->point[c]; p < d->point[c + 1]; p++) {
      interpolate(d, c, p, N);
      for (int k = 0; k < nodes; k++) {
        const double share = d->weight[p] * (linear ? N[k] : N[k] * N[k]);
        sum[node[k]] += share;
        for (int i = 0; i < 6; i++) {
          d->node_stress[node[k]][i] += share * d->point_stress[p][i];
          d->node_strain[node[k]][i] += share * d->point_strain[p][i];
        }
      }
    }
  }
  for (int a = 0; a < cells->nodes; a++)
    for (int i = 0; i < 6 && sum[a] > 0; i++)
      d->node_stress[a][i] /= sum[a], d->node_strain[a][i] /= sum[a];
  free(sum);
  for (int c = 0; c < cells->cells; c++) {
    const int *node = cells->node + cells->start[c], nodes = cells->start[c + 1] - cells->start[c];
    if (nodes > DLS_ELEMENT_NODES) continue;
    for (int p = d->point[c]; p < d->point[c + 1]; p++) {
      interpolate(d, c, p, N);
      for (int i = 0; i < 6; i++) {
        double away = -d->point_stress[p][i];
        for (int k = 0; k < nodes; k++) away += N[k] * d->node_stress[node[k]][i];
        d->error[c] += d->weight[p] / cells->volume[c] * (i < 3 ? 1 : 2) * away * away;
      }
    }
    d->error[c] = sqrt(d->error[c]);
  }
  return DLS_OK;
}

/* What of the area of an outer side each node stands for, along `outward`: of its area where
 * nothing is strained, `at_rest`, or now. Pressures leave the corners of a T6 without force, and
 * without area: to these a fifth is added of both, of the middle nodes beside them (as Popp,
 * Wohlmuth, Gee and Wall 2012 take their bases), so that they have a mean about them. */
static const double part_of_middle = 0.2;

static void add_side(const DlsDeformed *d, const DlsOuterSide *s, const DlsDeformableMesh *m,
                     const double (*outward)[3], double *area) {
  double X[DLS_ELEMENT_NODES][3], w[DLS_ELEMENT_NODES], vector[3], rest[3];
  for (int k = 0; k < s->kind->nodes; k++) memcpy(X[k], d->cells.place[s->node[k]], sizeof X[k]);
  dls_element_side_weights(s->kind, (const double(*)[3])X, w, vector);
  for (int k = 0; k < s->kind->nodes; k++)
    for (int i = 0; i < 3; i++) X[k][i] -= d->displacement[s->node[k]][i];
  if (m->at_rest) dls_element_side_weights(s->kind, (const double(*)[3])X, w, rest);
  for (int k = 0; k < 3 && s->kind->nodes == 6; k++)
    w[k] += part_of_middle * (w[3 + k] + w[3 + (k + 2) % 3]);
  const double size = dls_vector_norm(vector);
  for (int k = 0; k < s->kind->nodes && size > 0; k++) {
    const double *n = outward[s->node[k]], length = dls_vector_norm(n);
    const double seen = length > 0 ? dls_vector_dot(n, vector) / (length * size) : 0;
    if (seen > 0) area[s->node[k]] += seen * w[k] * m->thickness;
  }
}

/* The same of forces: each middle node once, whatever sides it is of. */
static void add_middles(const DlsDeformed *d, const DlsOuterSide *s, bool *taken,
                        double (*force)[3]) {
  for (int m = 3; m < 6 && s->kind->nodes == 6; m++) {
    const int middle = s->node[m], end[2] = {s->node[m - 3], s->node[(m - 2) % 3]};
    if (taken[middle]) continue;
    taken[middle] = true;
    for (int e = 0; e < 2; e++)
      for (int k = 0; k < 3; k++) force[end[e]][k] += part_of_middle * d->reaction[middle][k];
  }
}

/* Of one body, whose cells begin there. */
static DlsStatus add_sides(const DlsDeformed *d, int first, const DlsDeformableMesh *m,
                           const double (*outward)[3], double *area, bool *taken,
                           double (*force)[3]) {
  DlsOuterSide *side;
  int sides;
  DLS_TRY(dls_deformed_outside(d, first, first + m->cells, &sides, &side));
  for (int k = 0; k < sides; k++) {
    add_side(d, &side[k], m, outward, area);
    add_middles(d, &side[k], taken, force);
  }
  free(side);
  return DLS_OK;
}

static DlsStatus press(const DlsWorld *world, const DlsBodyPlace *place, const double (*outward)[3],
                       DlsDeformed *d, double *area, bool *taken) {
  double(*force)[3] = d->traction;
  dls_memory_copy(force, d->reaction, (size_t)d->cells.nodes, sizeof *force);
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *body = &world->deformable.item[k];
    if (!body->kind->mesh) continue;
    const DlsDeformableMesh *m = body->kind->mesh(body->model);
    DLS_TRY(add_sides(d, place[k].cell, m, outward, area, taken, force));
  }
  for (int a = 0; a < d->cells.nodes; a++) {
    const double length = dls_vector_norm(outward[a]);
    for (int k = 0; k < 3; k++) d->traction[a][k] = area[a] > 0 ? force[a][k] / area[a] : 0;
    if (area[a] > 0) d->pressure[a] = -dls_vector_dot(d->traction[a], outward[a]) / length;
  }
  return DLS_OK;
}

DlsStatus dls_deformed_press(const DlsWorld *world, const DlsBodyPlace *place,
                             const double (*outward)[3], DlsDeformed *d) {
  double *area = NULL;
  bool *taken = NULL;
  DLS_NEW(area, d->cells.nodes);
  taken = dls_memory_array((size_t)d->cells.nodes, sizeof *taken);
  const DlsStatus status = taken ? press(world, place, outward, d, area, taken)
                                 : dls_fail(DLS_ERR_MEMORY, "out of memory for contact pressures");
  free(area);
  free(taken);
  return status;
}
