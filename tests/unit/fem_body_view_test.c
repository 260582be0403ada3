/* What files see of a body of finite elements: for each element, alone and bent out of shape, the
 * stress of a displacement that is linear in space is that of Hooke's law, and forces of the cell
 * are in balance with it: sum f = 0, sum f (x) X = V stress. */
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bulk/bulk.h"
#include "fem/body.h"
#include "fem/body_view.h"

/* Places of the reference cell, moved a little so that nothing is symmetric; straight edges. */
static void bend(const DlsElementKind *kind, double (*X)[3]) {
  double corner[8][3] = {{0}};
  for (int a = 0; a < kind->corners; a++)
    for (int k = 0; k < kind->dim; k++)
      corner[a][k] = 2 * kind->place[a][k] + 0.1 * sin(3 * a + 2 * k + 1);
  for (int a = 0; a < kind->nodes; a++) {
    /* Middle nodes stand halfway between the two corners whose places they are the mean of. */
    memset(X[a], 0, sizeof X[a]);
    if (a < kind->corners) memcpy(X[a], corner[a], sizeof X[a]);
    for (int b = 0; a >= kind->corners && b < kind->corners; b++)
      for (int c = 0; c < b; c++) {
        double off = 0;
        for (int k = 0; k < kind->dim; k++)
          off += fabs(kind->place[a][k] - (kind->place[b][k] + kind->place[c][k]) / 2);
        for (int k = 0; k < 3 && off < 1e-12; k++) X[a][k] = (corner[b][k] + corner[c][k]) / 2;
      }
  }
}

typedef struct {
  DlsDeformableFields f;
  const DlsDeformableMesh *mesh;
} Seen;

static void see(const void *model, const double *u, const double *v, Seen *s) {
  s->mesh = dls_body_kind(model)->mesh(model);
  const size_t points = (size_t)s->mesh->point[s->mesh->cells];
  const size_t nodes = (size_t)s->mesh->nodes;
  s->f = (DlsDeformableFields){
      .displacement = calloc(nodes, sizeof *s->f.displacement),
      .velocity = calloc(nodes, sizeof *s->f.velocity),
      .force = calloc((size_t)s->mesh->start[s->mesh->cells], sizeof *s->f.force),
      .place = calloc(points, sizeof *s->f.place),
      .weight = calloc(points, sizeof *s->f.weight),
      .stress = calloc(points, sizeof *s->f.stress),
      .strain = calloc(points, sizeof *s->f.strain),
      .energy = calloc(points, sizeof *s->f.energy)};
  CHECK_OK(dls_body_kind(model)->fields(model, u, v, &s->f));
}

static void end(Seen *s) {
  free(s->f.displacement), free(s->f.velocity), free(s->f.force), free(s->f.place);
  free(s->f.weight), free(s->f.stress), free(s->f.strain), free(s->f.energy);
}

static const double G[3][3] = {{1e-3, 2e-3, -1e-3}, {5e-4, -2e-3, 3e-3}, {-4e-4, 1e-3, 7e-4}};

/* xx yy zz xy yz xz of the gradient G. */
static void strain_of(int dim, double gamma[6]) {
  static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; k++) {
    const int i = row[k], j = column[k];
    gamma[k] = i >= dim || j >= dim ? 0 : i == j ? G[i][i] : G[i][j] + G[j][i];
  }
}

static void check_element(int type) {
  const DlsElementKind *kind = dls_element_kind(type);
  const DlsElementType types[1] = {(DlsElementType)type};
  const int start[2] = {0, kind->nodes}, contact[1] = {0}, dim = kind->dim;
  int node[DLS_ELEMENT_NODES];
  double X[DLS_ELEMENT_NODES][3], u[3 * DLS_ELEMENT_NODES], v[3 * DLS_ELEMENT_NODES];
  bend(kind, X);
  for (int a = 0; a < kind->nodes; a++) node[a] = a;
  const double params[2] = {5.2e6, 0.3}; /* lambda 3e6, mu 2e6 */
  DlsBodyMaterial material = {.params = params, .density = 2};
  DlsBodySetup body = {.dim = dim,
                       .nodes = kind->nodes,
                       .cells = 1,
                       .X = (const double(*)[3])X,
                       .type = types,
                       .start = start,
                       .node = node,
                       .materials = 1,
                       .material = &material,
                       .thickness = 0.5,
                       .contacts = 1,
                       .contact = contact,
                       .radius = 1e-3};
  double gamma[6], stress[6];
  void *model;
  Seen s;
  strain_of(dim, gamma);
  dls_bulk_hooke(3e6, 2e6, gamma, stress, NULL);
  CHECK_OK(dls_bulk_find("elastic", &material.law));
  CHECK_OK(dls_body_create(&body, &model));
  for (int a = 0; a < kind->nodes; a++)
    for (int k = 0; k < dim; k++) {
      u[a * dim + k] = 0.1 * k;
      v[a * dim + k] = a + 10 * k;
      for (int i = 0; i < dim; i++) u[a * dim + k] += G[k][i] * X[a][i];
    }
  see(model, u, v, &s);
  double volume = 0, energy = 0, sum[3] = {0}, moment[3][3] = {{0}}, volume_force = 0;
  for (int p = 0; p < s.mesh->point[1]; p++) {
    for (int k = 0; k < 6; k++) {
      CHECK_NEAR(s.f.stress[p][k], stress[k], 1e-9 * 1e4);
      CHECK_NEAR(s.f.strain[p][k], k < 3 ? gamma[k] : gamma[k] / 2, 1e-15);
    }
    volume += s.f.weight[p];
    energy += s.f.weight[p] * s.f.energy[p];
  }
  CHECK_NEAR(volume, s.mesh->volume, 1e-12 * volume);
  CHECK_NEAR(volume, dls_body_kind(model)->mass(model) / material.density, 1e-12 * volume);
  CHECK_NEAR(energy, dls_body_kind(model)->strain(model, u), 1e-10 * energy);
  for (int k = 0; k < kind->nodes; k++) {
    const int a = s.mesh->node[k];
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(s.f.displacement[a][i], i < dim ? u[a * dim + i] : 0, 0);
      CHECK_NEAR(s.f.velocity[a][i], i < dim ? v[a * dim + i] : 0, 0);
      sum[i] += s.f.force[k][i];
      volume_force = fmax(volume_force, fabs(s.f.force[k][i]));
      for (int j = 0; j < 3; j++) moment[i][j] += s.f.force[k][i] * X[a][j];
    }
  }
  static const int full[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  for (int i = 0; i < dim; i++) {
    CHECK_NEAR(sum[i], 0, 1e-10 * volume_force);
    for (int j = 0; j < dim; j++)
      CHECK_NEAR(moment[i][j], volume * stress[full[i][j]], 1e-10 * volume_force);
  }
  end(&s);
  dls_body_destroy(model);
}

TEST(fields_of_each_element_are_in_balance) {
  static const int types[] = {DLS_T3,   DLS_T6,    DLS_Q4,   DLS_Q8,
                              DLS_TET4, DLS_TET10, DLS_HEX8, DLS_WEDGE6};
  for (int k = 0; k < DLS_COUNT(types); k++) check_element(types[k]);
}

TEST(cells_have_the_numbers_of_vtk) {
  for (int type = 0; type < DLS_ELEMENTS; type++)
    CHECK_INT(dls_element_of_vtk(dls_element_vtk(type)), type);
  CHECK_INT(dls_element_of_vtk(42), -1);
  CHECK_INT(dls_element_vtk(-1), 0);
  CHECK_INT(dls_element_vtk_node(DLS_WEDGE6, 1), 2);
}
