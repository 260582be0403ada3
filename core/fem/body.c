/* A body of finite elements: its life, and what is alike for all kinematics. */
#include "fem/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "bulk/bulk.h"
#include "fem/body_impl.h"

static DlsStatus make_view(DlsBodyModel *m) {
  double *density;
  DLS_NEW(density, m->cells);
  for (int c = 0; c < m->cells; c++) density[c] = m->material[m->material_of[c]].density;
  const DlsBodyViewSetup view = {.dim = m->dim,
                                 .nodes = m->nodes,
                                 .cells = m->cells,
                                 .X = (const double(*)[3])m->X,
                                 .type = m->type,
                                 .start = m->first,
                                 .node = m->node,
                                 .velocity = m->number,
                                 .density = density,
                                 .thickness = m->thickness,
                                 .states = m->shown ? m->shown->nstates : 0,
                                 .state = m->name,
                                 .plane_stress = m->plane_stress,
                                 .at_rest = m->kinematics != DLS_KINEMATICS_TOTAL_LAGRANGIAN};
  const DlsStatus status = dls_body_view_create(&view, &m->view);
  free(density);
  return status;
}

static DlsStatus choose_kind(DlsBodyModel *m) {
  bool linear = true;
  for (int k = 0; k < m->materials; k++)
    linear = linear && m->material[k].law->claims & DLS_BULK_LINEAR;
  m->kind = m->kinematics == DLS_KINEMATICS_COROTATIONAL      ? &dls_body_turning_kind
            : linear && m->kinematics == DLS_KINEMATICS_SMALL ? &dls_body_linear_kind
                                                              : &dls_body_points_kind;
  return DLS_OK;
}

static DlsStatus make(const DlsBodySetup *setup, DlsBodyModel *m) {
  DLS_TRY(dls_body_build(setup, m));
  DLS_TRY(choose_kind(m));
  DLS_CHECK(m->sides == 0 || m->kind->faces, DLS_ERR_UNSUPPORTED,
            "a %s meets others by balls about nodes alone, not by sides", m->kind->name);
  return make_view(m);
}

DlsStatus dls_body_create(const DlsBodySetup *setup, void **model) {
  DlsBodyModel *m = NULL;
  *model = NULL;
  DLS_TRY(dls_body_check(setup));
  DLS_NEW(m, 1);
  const DlsStatus status = make(setup, m);
  if (status != DLS_OK) {
    dls_body_destroy(m);
    return status;
  }
  *model = m;
  return DLS_OK;
}

void dls_body_destroy(void *model) {
  DlsBodyModel *m = model;
  if (!m) return;
  dls_body_view_destroy(&m->view);
  dls_surface_nodes_clear(&m->nodes_of_sides);
  for (int k = 0; m->material && k < m->materials; k++) free(m->material[k].params);
  free(m->material), free(m->X), free(m->type), free(m->first), free(m->node);
  free(m->material_of), free(m->number), free(m->drive_of), free(m->drive_at), free(m->drive),
      free(m->displaces), free(m->start);
  free(m->column), free(m->K), free(m->M), free(m->share), free(m->room), free(m->spring);
  free(m->pattern.start), free(m->pattern.column), free(m->entry), free(m->diagonal);
  free(m->contact), free(m->surface), free(m->name), free(m->side), free(m->pressure),
      free(m->traction), free(m->force), free(m);
}

const DlsDeformableOperations *dls_body_kind(const void *model) {
  return ((const DlsBodyModel *)model)->kind;
}

void dls_body_new_state(const void *model, double *state) {
  const DlsBodyModel *m = model;
  DlsDeformableSize size;
  m->kind->size(model, &size);
  memset(state, 0, (size_t)size.states * sizeof *state);
  if (m->kind == &dls_body_points_kind) dls_body_points_new(m, state);
  if (m->kind == &dls_body_turning_kind) dls_body_turning_new(m, state);
}

DlsStatus dls_body_shape(const void *model, DlsShape *out) {
  const DlsBodyModel *m = model;
  DlsElement *element = NULL;
  DLS_NEW(element, m->contacts);
  for (int k = 0; k < m->contacts; k++) {
    memcpy(element[k].offset, m->X[m->contact[k]], sizeof element[k].offset);
    element[k].radius = m->radius;
  }
  const DlsStatus status = dls_shape_cluster_apart(m->dim, m->contacts, element, out);
  free(element);
  return status;
}

int dls_body_velocity(const void *model, int node, int axis) {
  const DlsBodyModel *m = model;
  return m->number[node * m->dim + axis];
}

const DlsBodySide *dls_body_sides(const void *model, int *count) {
  const DlsBodyModel *m = model;
  *count = m->sides;
  return m->side;
}

void dls_body_place(const void *model, const double *state, int node, double out[3]) {
  const DlsBodyModel *m = model;
  for (int k = 0; k < 3; k++) out[k] = m->X[node][k] + (k < m->dim ? state[node * m->dim + k] : 0);
}

/* ---- Velocities ---- */

double dls_body_driven(const DlsBodyModel *m, const double *state, int i, bool old) {
  if (!m->drives || m->drive_at[i] < 0) return 0;
  return state[m->n + (old ? m->drives : 0) + m->drive_at[i]];
}

double dls_body_speed(const DlsBodyModel *m, const double *state, const double *v, int i) {
  if (m->number[i] >= 0) return v[m->number[i]];
  return m->drives ? dls_body_driven(m, state, i, false) : 0;
}

void dls_body_begin_drives(const DlsBodyModel *m, const DlsDeformableStep *step, double *state) {
  double *now = state + m->n, *old = now + m->drives;
  for (int k = 0; k < m->drives; k++) {
    old[k] = now[k];
    const double t = step->time, h = step->h;
    now[k] =
        m->displaces[k]
            ? (dls_body_amount(m, &m->drive[k], t + h) - dls_body_amount(m, &m->drive[k], t)) / h
            : dls_body_amount(m, &m->drive[k], t + 0.5 * h);
  }
}

void dls_body_take_velocity(const void *model, const double *state, const double *nodes,
                            double *velocity) {
  const DlsBodyModel *m = model;
  const double *R = dls_body_turn(m, state);
  for (int i = 0; i < m->n; i++) {
    if (m->number[i] < 0) continue;
    double *v = &velocity[m->number[i]];
    *v = R ? 0 : nodes[i];
    for (int k = 0; R && k < m->dim; k++) *v += R[3 * k + i % m->dim] * nodes[i - i % m->dim + k];
  }
}

void dls_body_node_velocity(const void *model, const double *state, const double *velocity,
                            double *nodes) {
  const DlsBodyModel *m = model;
  dls_body_space_velocity(m, state, velocity, nodes);
}

int dls_body_node_weights(const void *model, const double *state, int node, double share,
                          DlsPointWeight *out) {
  const DlsBodyModel *m = model;
  const double *R = dls_body_turn(m, state);
  int count = 0;
  for (int k = 0; k < m->dim; k++) {
    const int number = m->number[node * m->dim + k];
    if (number < 0) continue;
    out[count] = (DlsPointWeight){.velocity = number};
    for (int i = 0; R && i < m->dim; i++) out[count].move[i] = share * R[3 * i + k];
    if (!R) out[count].move[k] = share;
    count++;
  }
  return count;
}

/* ---- What all kinds share ---- */

double dls_body_mass(const void *model) { return ((const DlsBodyModel *)model)->mass; }

const DlsSparse *dls_body_pattern(const void *model) {
  return &((const DlsBodyModel *)model)->pattern;
}

const int *dls_body_surface(const void *model, int *count) {
  const DlsBodyModel *m = model;
  *count = m->surface_count;
  return m->surface;
}

const DlsDeformableMesh *dls_body_mesh(const void *model) {
  return dls_body_view_mesh(((const DlsBodyModel *)model)->view);
}

const DlsContactFaces *dls_body_faces(const void *model) {
  const DlsBodyModel *m = model;
  return m->sides > 0 ? &m->nodes_of_sides.faces : NULL;
}

int dls_body_weights(const void *model, const double *state, int element, const double point[3],
                     DlsPointWeight *out) {
  (void)point;
  return dls_body_node_weights(model, state, ((const DlsBodyModel *)model)->contact[element], 1,
                               out);
}

void dls_body_driven_element(const void *model, const double *state, int element, double out[3]) {
  const DlsBodyModel *m = model;
  const int node = m->contact[element];
  for (int k = 0; k < m->dim; k++) out[k] += dls_body_driven(m, state, node * m->dim + k, false);
}

void dls_body_place_all(const void *model, const double *u, double centre[3],
                        double (*element)[3]) {
  const DlsBodyModel *m = model;
  memset(centre, 0, 3 * sizeof *centre);
  for (int a = 0; a < m->nodes; a++)
    for (int k = 0; k < m->dim; k++)
      centre[k] += m->share[a * m->dim + k] * (m->X[a][k] + u[a * m->dim + k]) / m->mass;
  for (int c = 0; c < m->contacts; c++) dls_body_place(m, u, m->contact[c], element[c]);
}

double dls_body_row(const DlsBodyModel *m, const double *A, int row, const double *x) {
  double sum = 0;
  for (int e = m->start[row]; e < m->start[row + 1]; e++) sum += A[e] * x[m->column[e]];
  return sum;
}

void dls_body_mean_velocity(const void *model, const double *state, const double *v,
                            double out[3]) {
  const DlsBodyModel *m = model;
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < m->n; i++)
    out[i % m->dim] += m->share[i] * dls_body_speed(m, state, v, i) / m->mass;
}

double dls_body_mass_row(const DlsBodyModel *m, int row, const double *x) {
  return m->M ? dls_body_row(m, m->M, row, x) : m->share[row] * x[row];
}

void dls_body_add_mass(const DlsBodyModel *m, double part, double *value) {
  for (int e = 0; m->M && e < m->pattern.start[m->free]; e++) value[e] += part * m->M[m->entry[e]];
  for (int i = 0; !m->M && i < m->n; i++)
    if (m->number[i] >= 0) value[m->diagonal[m->number[i]]] += part * m->share[i];
}

/* Velocities of nodes in space, [n]; none where there is no memory. */
static double *space_of(const DlsBodyModel *m, const double *state, const double *v) {
  double *out = dls_memory_array((size_t)m->n, sizeof *out);
  if (out) dls_body_space_velocity(m, state, v, out);
  return out;
}

void dls_body_angular_momentum(const void *model, const double *u, const double *v, double out[3]) {
  const DlsBodyModel *m = model;
  double centre[3] = {0}, *speed = space_of(m, u, v);
  for (int k = 0; k < 3; k++) out[k] = speed ? 0 : NAN;
  for (int i = 0; i < m->n; i++)
    centre[i % m->dim] += m->share[i] * (m->X[i / m->dim][i % m->dim] + u[i]) / m->mass;
  for (int a = 0; speed && a < m->nodes; a++) {
    double lever[3] = {0}, p[3] = {0}, L[3];
    for (int k = 0; k < m->dim; k++) {
      lever[k] = m->X[a][k] + u[a * m->dim + k] - centre[k];
      p[k] = dls_body_mass_row(m, a * m->dim + k, speed);
    }
    dls_vector_cross(lever, p, L);
    for (int k = 0; k < 3; k++) out[k] += L[k];
  }
  free(speed);
}

double dls_body_kinetic(const void *model, const double *state, const double *v) {
  const DlsBodyModel *m = model;
  double sum = 0, *speed = space_of(m, state, v);
  for (int i = 0; speed && i < m->n; i++) sum += 0.5 * speed[i] * dls_body_mass_row(m, i, speed);
  if (!speed) return NAN;
  free(speed);
  return sum;
}

DlsStatus dls_body_settle(const void *model, double *state) {
  const DlsBodyModel *m = model;
  if (m->kind == &dls_body_points_kind) return dls_body_points_settle(m, state);
  return m->kind == &dls_body_turning_kind ? dls_body_turning_settle(m, state) : DLS_OK;
}

DlsStatus dls_body_forces(const void *model, const double *state, double *out) {
  const DlsBodyModel *m = model;
  if (m->kind == &dls_body_points_kind) return dls_body_points_forces(m, state, out);
  if (m->kind == &dls_body_turning_kind) return dls_body_turning_forces(m, state, out);
  for (int i = 0; i < m->n; i++) out[i] = dls_body_row(m, m->K, i, state);
  return DLS_OK;
}
