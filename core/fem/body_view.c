#include "fem/body_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fem/cell.h"

/* VTK's numbers; its wedge has the normal of nodes 0 1 2 pointing out, ours pointing in. */
static const uint8_t vtk_number[DLS_ELEMENTS] = {
    [DLS_LINE2] = 3, [DLS_LINE3] = 21, [DLS_T3] = 5,     [DLS_T6] = 22,   [DLS_Q4] = 9,
    [DLS_Q8] = 23,   [DLS_TET4] = 10,  [DLS_TET10] = 24, [DLS_HEX8] = 12, [DLS_WEDGE6] = 13};

int dls_element_vtk(int type) { return type >= 0 && type < DLS_ELEMENTS ? vtk_number[type] : 0; }

int dls_element_of_vtk(int vtk) {
  for (int type = 0; type < DLS_ELEMENTS; type++)
    if (vtk_number[type] == vtk) return type;
  return -1;
}

int dls_element_vtk_node(int type, int k) {
  static const int wedge[] = {0, 2, 1, 3, 5, 4};
  return type == DLS_WEDGE6 ? wedge[k] : k;
}

struct DlsBodyView {
  DlsDeformableMesh mesh;
  double (*X)[3];
  uint8_t *type;
  int *start, *node, *point;
  double *mass;
  bool plane_stress;
};

static DlsStatus fill(const DlsBodyViewSetup *s, DlsBodyView *v) {
  double N[DLS_ELEMENT_NODES], gradient[DLS_ELEMENT_NODES][3], X[DLS_ELEMENT_NODES][3];
  double volume = 0;
  const double depth = s->dim == 2 ? s->thickness : 1;
  v->plane_stress = s->plane_stress;
  DLS_NEW(v->X, s->nodes);
  DLS_NEW(v->type, s->cells);
  DLS_NEW(v->start, s->cells + 1);
  DLS_NEW(v->point, s->cells + 1);
  DLS_NEW(v->mass, s->cells);
  DLS_NEW(v->node, s->start[s->cells]);
  memcpy(v->X, s->X, (size_t)s->nodes * sizeof *v->X);
  memcpy(v->start, s->start, (size_t)(s->cells + 1) * sizeof *v->start);
  for (int c = 0; c < s->cells; c++) {
    const DlsElementKind *kind = dls_element_kind((int)s->type[c]);
    v->type[c] = vtk_number[s->type[c]];
    v->point[c + 1] = v->point[c] + kind->inner->count;
    for (int k = 0; k < kind->nodes; k++) {
      v->node[s->start[c] + k] = s->node[s->start[c] + dls_element_vtk_node((int)s->type[c], k)];
      memcpy(X[k], s->X[s->node[s->start[c] + k]], sizeof X[k]);
    }
    double own = 0;
    for (int p = 0; p < kind->inner->count; p++)
      own +=
          kind->inner->point[p].weight *
          dls_element_gradient(kind, (const double(*)[3])X, kind->inner->point[p].x, N, gradient);
    volume += own;
    v->mass[c] = s->density[c] * own * depth;
  }
  v->mesh = (DlsDeformableMesh){.dim = s->dim,
                                .nodes = s->nodes,
                                .cells = s->cells,
                                .X = (const double(*)[3])v->X,
                                .type = v->type,
                                .start = v->start,
                                .node = v->node,
                                .point = v->point,
                                .velocity = s->velocity,
                                .volume = volume * depth,
                                .mass = v->mass,
                                .thickness = depth,
                                .at_rest = s->at_rest,
                                .states = s->states,
                                .state = s->state};
  return DLS_OK;
}

DlsStatus dls_body_view_create(const DlsBodyViewSetup *setup, DlsBodyView **out) {
  DLS_NEW(*out, 1);
  const DlsStatus status = fill(setup, *out);
  if (status != DLS_OK) dls_body_view_destroy(out);
  return status;
}

void dls_body_view_destroy(DlsBodyView **view) {
  DlsBodyView *v = *view;
  if (!v) return;
  free(v->X), free(v->type), free(v->start), free(v->node), free(v->point), free(v->mass), free(v);
  *view = NULL;
}

const DlsDeformableMesh *dls_body_view_mesh(const DlsBodyView *view) { return &view->mesh; }

/* Cell c with its nodes in the element's order. */
typedef struct {
  int type, node[DLS_ELEMENT_NODES];
  const DlsElementKind *kind;
  DlsCell cell;
  double u[DLS_CELL_VELOCITIES], x[DLS_ELEMENT_NODES][3]; /* m; where the nodes are now */
  double f[DLS_CELL_VELOCITIES];                          /* N */
} Work;

static DlsStatus take_cell(const DlsBodyView *view, int c, const double *u, Work *w) {
  const DlsDeformableMesh *m = &view->mesh;
  double X[DLS_ELEMENT_NODES][3];
  w->type = dls_element_of_vtk(m->type[c]);
  w->kind = dls_element_kind(w->type);
  memset(w->f, 0, sizeof w->f);
  for (int k = 0; k < w->kind->nodes; k++) {
    const int a = m->node[m->start[c] + k], own = dls_element_vtk_node(w->type, k);
    w->node[own] = a;
    for (int i = 0; i < 3; i++) {
      X[own][i] = m->X[a][i];
      w->x[own][i] = m->X[a][i] + (i < m->dim ? u[a * m->dim + i] : 0);
    }
    memcpy(w->u + own * m->dim, u + a * m->dim, (size_t)m->dim * sizeof *u);
  }
  DLS_TRY(dls_cell_prepare(w->kind, (const double(*)[3])X, m->thickness, &w->cell));
  if (view->plane_stress) w->cell.mean_dilatation = 0;
  return DLS_OK;
}

/* Point p of the cell, number `at` of all. */
static DlsStatus take_point(const DlsDeformableMesh *m, int c, int p, int at, DlsBodyStress *stress,
                            const void *body, Work *w, DlsDeformableFields *out) {
  double strain[6], N[DLS_ELEMENT_NODES], dN[DLS_ELEMENT_NODES][3], state[64];
  DLS_CHECK(m->states <= DLS_COUNT(state), DLS_ERR_UNSUPPORTED,
            "a bulk law with %d states; files show %d at most", m->states, DLS_COUNT(state));
  dls_cell_strain(&w->cell, p, w->u, strain);
  DLS_TRY(stress(body, c, at, strain, out->stress[at], &out->energy[at], state));
  dls_cell_add_force(&w->cell, p, out->stress[at], w->f);
  for (int k = 0; k < 6; k++) out->strain[at][k] = k < 3 ? strain[k] : strain[k] / 2;
  out->weight[at] = w->cell.point[p].weight;
  w->kind->interpolate(w->kind->inner->point[p].x, N, dN);
  for (int a = 0; a < w->kind->nodes; a++)
    for (int k = 0; k < 3; k++) out->place[at][k] += N[a] * w->x[a][k];
  for (int k = 0; k < m->states; k++) out->state[k * m->point[m->cells] + at] = state[k];
  return DLS_OK;
}

DlsStatus dls_body_view_fields(const DlsBodyView *view, const double *u, DlsBodyStress *stress,
                               const void *body, DlsDeformableFields *out) {
  const DlsDeformableMesh *m = &view->mesh;
  Work w;
  for (int a = 0; a < m->nodes; a++)
    for (int k = 0; k < m->dim; k++) {
      out->displacement[a][k] = u[a * m->dim + k];
    }
  for (int c = 0; c < m->cells; c++) {
    DLS_TRY(take_cell(view, c, u, &w));
    for (int p = 0; p < w.kind->inner->count; p++)
      DLS_TRY(take_point(m, c, p, m->point[c] + p, stress, body, &w, out));
    for (int k = 0; k < w.kind->nodes; k++)
      for (int i = 0; i < m->dim; i++)
        out->force[m->start[c] + k][i] = w.f[dls_element_vtk_node(w.type, k) * m->dim + i];
  }
  return DLS_OK;
}
