#include "fem/linear_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "fem/body_view.h"
#include "fem/cell.h"

typedef struct {
  int dim, nodes, free; /* velocities that are not held */
  double (*X)[3];       /* m */
  int *number;          /* [nodes][dim], of a velocity, -1 held */
  double mass;          /* kg */
  /* Of all nodes and axes, held ones too: */
  int *start, *column; /* rows of K and M */
  double *K, *M;
  double *share; /* [nodes][dim], kg: the sums of rows of M, which weights and mean speeds go by */
  /* Of the velocities: */
  DlsSparse pattern;
  int *entry; /* where each number of the pattern is in K and M */
  int contacts, *contact;
  int *surface, surface_count; /* velocities of contact nodes */
  double radius;
  double tangent[36];
  DlsBodyView *view;
} Model;

static int size_of(const Model *m) { return m->nodes * m->dim; }

static DlsStatus check(const DlsLinearBody *b) {
  DLS_CHECK((b->dim == 2 || b->dim == 3) && b->nodes > 0 && b->cells > 0, DLS_ERR_ARGUMENT,
            "a body of finite elements has nodes and cells in 2-D or 3-D");
  DLS_CHECK(b->density > 0 && isfinite(b->density), DLS_ERR_ARGUMENT,
            "its density is %g kg/m3; it must be above 0", b->density);
  DLS_CHECK(b->dim == 3 || (b->thickness > 0 && isfinite(b->thickness)), DLS_ERR_ARGUMENT,
            "its thickness is %g m; it must be above 0", b->thickness);
  for (int c = 0; c < b->cells; c++) {
    const DlsElementKind *kind = dls_element_kind((int)b->type[c]);
    DLS_CHECK(kind && kind->dim == b->dim, DLS_ERR_ARGUMENT,
              "cell %d is a %s, which is no element of %d-D", c, kind ? kind->name : "stranger",
              b->dim);
    DLS_CHECK(b->start[c + 1] - b->start[c] == kind->nodes, DLS_ERR_ARGUMENT,
              "cell %d, a %s, has %d nodes and not %d", c, kind->name,
              b->start[c + 1] - b->start[c], kind->nodes);
    for (int k = b->start[c]; k < b->start[c + 1]; k++)
      DLS_CHECK(b->node[k] >= 0 && b->node[k] < b->nodes, DLS_ERR_ARGUMENT,
                "cell %d has node %d of %d", c, b->node[k], b->nodes);
  }
  for (int k = 0; k < b->contacts; k++)
    DLS_CHECK(b->contact[k] >= 0 && b->contact[k] < b->nodes, DLS_ERR_ARGUMENT,
              "contact node %d of %d", b->contact[k], b->nodes);
  DLS_CHECK(b->contacts > 0 && b->radius > 0, DLS_ERR_ARGUMENT,
            "a body needs a node by which it meets others, and a radius above 0 for it");
  return DLS_OK;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Which nodes share a cell with each, itself among them: near[first[a]] .. in ascending order. */
static DlsStatus neighbours(const DlsLinearBody *b, int **first, int **near) {
  int *count = NULL;
  *first = *near = NULL;
  DLS_NEW(count, b->nodes);
  DLS_NEW(*first, b->nodes + 1);
  for (int c = 0; c < b->cells; c++)
    for (int k = b->start[c]; k < b->start[c + 1]; k++)
      count[b->node[k]] += b->start[c + 1] - b->start[c];
  int total = 0;
  for (int a = 0; a < b->nodes; a++) {
    (*first)[a] = total;
    total += count[a];
    count[a] = 0;
  }
  (*first)[b->nodes] = total;
  DLS_NEW(*near, total + 1);
  for (int c = 0; c < b->cells; c++)
    for (int k = b->start[c]; k < b->start[c + 1]; k++)
      for (int l = b->start[c]; l < b->start[c + 1]; l++) {
        const int a = b->node[k];
        (*near)[(*first)[a] + count[a]++] = b->node[l];
      }
  /* Sorted, each once, moved together. */
  int end = 0;
  for (int a = 0; a < b->nodes; a++) {
    int *list = *near + (*first)[a];
    qsort(list, (size_t)count[a], sizeof *list, ascending);
    const int begin = end;
    for (int k = 0; k < count[a]; k++)
      if (k == 0 || list[k] != list[k - 1]) (*near)[end++] = list[k];
    (*first)[a] = begin;
  }
  (*first)[b->nodes] = end;
  free(count);
  return DLS_OK;
}

/* Rows of K and M, from the lists of neighbours. */
static DlsStatus make_rows(const DlsLinearBody *b, const int *first, const int *near, Model *m) {
  const int dim = b->dim, n = size_of(m);
  DLS_NEW(m->start, n + 1);
  DLS_NEW(m->column, (size_t)first[b->nodes] * (size_t)(dim * dim) + 1);
  DLS_NEW(m->K, (size_t)first[b->nodes] * (size_t)(dim * dim) + 1);
  DLS_NEW(m->M, (size_t)first[b->nodes] * (size_t)(dim * dim) + 1);
  int end = 0;
  for (int a = 0; a < b->nodes; a++)
    for (int k = 0; k < dim; k++) {
      m->start[a * dim + k] = end;
      for (int e = first[a]; e < first[a + 1]; e++)
        for (int l = 0; l < dim; l++) m->column[end++] = near[e] * dim + l;
    }
  m->start[n] = end;
  return DLS_OK;
}

static int find(const Model *m, int row, int column) {
  int low = m->start[row], high = m->start[row + 1] - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (m->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The shares of contact nodes go to the other nodes of the cell, alike. */
static DlsStatus free_contacts(const DlsLinearBody *b, int c, double *share) {
  const int *node = b->node + b->start[c], count = b->start[c + 1] - b->start[c];
  double given = 0;
  int others = 0;
  bool met[DLS_ELEMENT_NODES];
  for (int a = 0; a < count; a++) {
    met[a] = false;
    for (int k = 0; k < b->contacts; k++) met[a] |= b->contact[k] == node[a];
    others += !met[a];
  }
  DLS_CHECK(others > 0, DLS_ERR_ARGUMENT,
            "cell %d meets others by all of its nodes, so that none can have their mass: take "
            "smaller cells or lumped masses",
            c);
  for (int a = 0; a < count; a++)
    if (met[a]) given += share[a], share[a] = 0;
  for (int a = 0; a < count; a++)
    if (!met[a]) share[a] += given / others;
  return DLS_OK;
}

static DlsStatus add_cell(const DlsLinearBody *b, int c, Model *m) {
  const DlsElementKind *kind = dls_element_kind((int)b->type[c]);
  const int dim = b->dim, own = kind->nodes * dim, *node = b->node + b->start[c];
  double X[DLS_ELEMENT_NODES][3], K[DLS_CELL_VELOCITIES * DLS_CELL_VELOCITIES] = {0};
  double M[DLS_ELEMENT_NODES * DLS_ELEMENT_NODES] = {0}, share[DLS_ELEMENT_NODES];
  DlsCell cell;
  for (int a = 0; a < kind->nodes; a++) memcpy(X[a], b->X[node[a]], sizeof X[a]);
  const double(*at)[3] = (const double(*)[3])X;
  if (dls_cell_prepare(kind, at, b->thickness, &cell) != DLS_OK)
    return dls_fail(DLS_ERR_ARGUMENT, "cell %d: %s", c, dls_error_message());
  for (int p = 0; p < kind->inner->count; p++) dls_cell_add_stiffness(&cell, p, b->tangent, K);
  const double mass = b->density * dls_element_volume(kind, at) * (dim == 2 ? b->thickness : 1);
  m->mass += mass;
  if (b->mass == DLS_MASS_CONSISTENT) {
    dls_cell_mass(kind, at, b->density, b->thickness, M);
  } else {
    dls_element_lump(kind, at, share);
    if (b->mass == DLS_MASS_FREE_CONTACT) DLS_TRY(free_contacts(b, c, share));
    for (int a = 0; a < kind->nodes; a++) M[a * (kind->nodes + 1)] = mass * share[a];
  }
  for (int i = 0; i < own; i++)
    for (int j = 0; j < own; j++) {
      const int e = find(m, node[i / dim] * dim + i % dim, node[j / dim] * dim + j % dim);
      m->K[e] += K[i * own + j];
      if (i % dim == j % dim) m->M[e] += M[i / dim * kind->nodes + j / dim];
    }
  return DLS_OK;
}

/* Numbers of the velocities, and the rows and columns of these alone. */
static DlsStatus make_pattern(const DlsLinearBody *b, Model *m) {
  const int n = size_of(m);
  int entries = 0;
  DLS_NEW(m->number, n);
  for (int i = 0; i < n; i++)
    m->number[i] = b->held && b->held[i / b->dim] >> (i % b->dim) & 1 ? -1 : m->free++;
  DLS_CHECK(m->free > 0, DLS_ERR_ARGUMENT, "all nodes of the body are held");
  DLS_NEW(m->pattern.start, m->free + 1);
  DLS_NEW(m->pattern.column, m->start[n] + 1);
  DLS_NEW(m->entry, m->start[n] + 1);
  for (int i = 0; i < n; i++) {
    if (m->number[i] < 0) continue;
    for (int e = m->start[i]; e < m->start[i + 1]; e++) {
      if (m->number[m->column[e]] < 0) continue;
      m->pattern.column[entries] = m->number[m->column[e]];
      m->entry[entries++] = e;
    }
    m->pattern.start[m->number[i] + 1] = entries;
  }
  m->pattern.rows = m->pattern.columns = m->free;
  return DLS_OK;
}

/* A node may be named twice; its velocities are listed once. */
static DlsStatus list_surface(Model *m) {
  DLS_NEW(m->surface, m->free);
  for (int c = 0; c < m->contacts; c++) {
    bool listed = false;
    for (int e = 0; e < c && !listed; e++) listed = m->contact[e] == m->contact[c];
    for (int k = 0; k < m->dim && !listed; k++) {
      const int number = m->number[m->contact[c] * m->dim + k];
      if (number >= 0) m->surface[m->surface_count++] = number;
    }
  }
  return DLS_OK;
}

static DlsStatus fill(const DlsLinearBody *b, Model *m) {
  int *first = NULL, *near = NULL;
  m->dim = b->dim, m->nodes = b->nodes, m->contacts = b->contacts, m->radius = b->radius;
  DLS_NEW(m->X, b->nodes);
  memcpy(m->X, b->X, (size_t)b->nodes * sizeof *m->X);
  DLS_NEW(m->contact, b->contacts);
  memcpy(m->contact, b->contact, (size_t)b->contacts * sizeof *m->contact);
  DlsStatus status = neighbours(b, &first, &near);
  if (status == DLS_OK) status = make_rows(b, first, near, m);
  for (int a = 0; a < b->nodes && status == DLS_OK; a++)
    if (first[a] == first[a + 1])
      status = dls_fail(DLS_ERR_ARGUMENT, "node %d is of no cell: take it out of the mesh", a);
  free(first);
  free(near);
  DLS_TRY(status);
  for (int c = 0; c < b->cells; c++) DLS_TRY(add_cell(b, c, m));
  DLS_NEW(m->share, size_of(m));
  for (int i = 0; i < size_of(m); i++)
    for (int e = m->start[i]; e < m->start[i + 1]; e++) m->share[i] += m->M[e];
  DLS_TRY(make_pattern(b, m));
  DLS_TRY(list_surface(m));
  memcpy(m->tangent, b->tangent, sizeof m->tangent);
  const DlsBodyViewSetup view = {.dim = b->dim,
                                 .nodes = b->nodes,
                                 .cells = b->cells,
                                 .X = b->X,
                                 .type = b->type,
                                 .start = b->start,
                                 .node = b->node,
                                 .velocity = m->number,
                                 .thickness = b->thickness};
  return dls_body_view_create(&view, &m->view);
}

DlsStatus dls_linear_body_create(const DlsLinearBody *setup, void **model) {
  Model *m = NULL;
  *model = NULL;
  DLS_TRY(check(setup));
  DLS_NEW(m, 1);
  const DlsStatus status = fill(setup, m);
  if (status != DLS_OK) {
    dls_linear_body_destroy(m);
    return status;
  }
  *model = m;
  return DLS_OK;
}

void dls_linear_body_destroy(void *model) {
  Model *m = model;
  if (!m) return;
  dls_body_view_destroy(&m->view);
  free(m->X), free(m->number), free(m->start), free(m->column), free(m->K), free(m->M);
  free(m->share), free(m->pattern.start), free(m->pattern.column), free(m->entry);
  free(m->surface), free(m->contact), free(m);
}

DlsStatus dls_linear_body_shape(const void *model, DlsShape *out) {
  const Model *m = model;
  DlsElement *element = NULL;
  DLS_NEW(element, m->contacts);
  for (int k = 0; k < m->contacts; k++) {
    memcpy(element[k].offset, m->X[m->contact[k]], sizeof element[k].offset);
    element[k].radius = m->radius;
  }
  const DlsStatus status = dls_shape_cluster(m->dim, m->contacts, element, out);
  free(element);
  return status;
}

int dls_linear_body_velocity(const void *model, int node, int axis) {
  const Model *m = model;
  return m->number[node * m->dim + axis];
}

static double row_times(const Model *m, const double *A, int row, const double *x) {
  double sum = 0;
  for (int e = m->start[row]; e < m->start[row + 1]; e++) sum += A[e] * x[m->column[e]];
  return sum;
}

void dls_linear_body_forces(const void *model, const double *u, double *out) {
  const Model *m = model;
  for (int i = 0; i < size_of(m); i++) out[i] = row_times(m, m->K, i, u);
}

/* ---- The kind ---- */

static void size(const void *model, DlsDeformableSize *out) {
  const Model *m = model;
  *out = (DlsDeformableSize){
      .velocities = m->free, .states = size_of(m), .elements = m->contacts, .weights = m->dim};
}

static double mass(const void *model) { return ((const Model *)model)->mass; }

static void place(const void *model, const double *u, double centre[3], double (*element)[3]) {
  const Model *m = model;
  memset(centre, 0, 3 * sizeof *centre);
  for (int a = 0; a < m->nodes; a++)
    for (int k = 0; k < m->dim; k++)
      centre[k] += m->share[a * m->dim + k] * (m->X[a][k] + u[a * m->dim + k]) / m->mass;
  for (int c = 0; c < m->contacts; c++)
    for (int k = 0; k < 3; k++) {
      const int a = m->contact[c];
      element[c][k] = m->X[a][k] + (k < m->dim ? u[a * m->dim + k] : 0);
    }
}

/* Of the velocity of number i, where it is not held. */
static double speed(const Model *m, const double *v, int i) {
  return m->number[i] < 0 ? 0 : v[m->number[i]];
}

static void move(const void *model, double seconds, const double *v, double *u) {
  const Model *m = model;
  for (int i = 0; i < size_of(m); i++) u[i] += seconds * speed(m, v, i);
}

static const DlsSparse *pattern(const void *model) { return &((const Model *)model)->pattern; }

static void matrix(const void *model, const double *u, const DlsDeformableStep *step,
                   double *value) {
  const Model *m = model;
  const double k = step->after * step->after; /* h^2 theta^2 */
  (void)u;
  for (int e = 0; e < m->pattern.start[m->free]; e++)
    value[e] = (1 - step->still) * m->M[m->entry[e]] + k * m->K[m->entry[e]];
}

/* p = h (weights + other forces by shares of mass - K (u + (after - before) v)). */
static DlsStatus load(const void *model, const double *u, const DlsDeformableStep *step,
                      const double *v, double *out) {
  const Model *m = model;
  double *where = dls_memory_array((size_t)size_of(m), sizeof *where);
  DLS_CHECK(where, DLS_ERR_MEMORY, "out of memory for %d displacements", size_of(m));
  for (int i = 0; i < size_of(m); i++)
    where[i] = u[i] + (step->after - step->before) * speed(m, v, i);
  for (int i = 0; i < size_of(m); i++) {
    const int k = i % m->dim;
    if (m->number[i] < 0) continue;
    out[m->number[i]] = step->h * (m->share[i] * (step->gravity[k] + step->force[k] / m->mass) -
                                   row_times(m, m->K, i, where));
  }
  free(where);
  return DLS_OK;
}

static int weights(const void *model, const double *u, int element, const double point[3],
                   DlsPointWeight *out) {
  const Model *m = model;
  int count = 0;
  (void)u, (void)point;
  for (int k = 0; k < m->dim; k++) {
    const int number = m->number[m->contact[element] * m->dim + k];
    if (number < 0) continue;
    out[count] = (DlsPointWeight){.velocity = number};
    out[count++].move[k] = 1;
  }
  return count;
}

static const int *surface(const void *model, int *count) {
  const Model *m = model;
  *count = m->surface_count;
  return m->surface;
}

static void mean_velocity(const void *model, const double *v, double out[3]) {
  const Model *m = model;
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < size_of(m); i++) out[i % m->dim] += m->share[i] * speed(m, v, i) / m->mass;
}

static double momentum(const Model *m, const double *v, int i) {
  double sum = 0;
  for (int e = m->start[i]; e < m->start[i + 1]; e++) sum += m->M[e] * speed(m, v, m->column[e]);
  return sum;
}

static void angular_momentum(const void *model, const double *u, const double *v, double out[3]) {
  const Model *m = model;
  double centre[3] = {0};
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < size_of(m); i++)
    centre[i % m->dim] += m->share[i] * (m->X[i / m->dim][i % m->dim] + u[i]) / m->mass;
  for (int a = 0; a < m->nodes; a++) {
    double lever[3] = {0}, p[3] = {0}, L[3];
    for (int k = 0; k < m->dim; k++) {
      lever[k] = m->X[a][k] + u[a * m->dim + k] - centre[k];
      p[k] = momentum(m, v, a * m->dim + k);
    }
    dls_vector_cross(lever, p, L);
    for (int k = 0; k < 3; k++) out[k] += L[k];
  }
}

static double kinetic(const void *model, const double *v) {
  const Model *m = model;
  double sum = 0;
  for (int i = 0; i < size_of(m); i++) sum += 0.5 * speed(m, v, i) * momentum(m, v, i);
  return sum;
}

static double strain(const void *model, const double *u) {
  const Model *m = model;
  double sum = 0;
  for (int i = 0; i < size_of(m); i++) sum += 0.5 * u[i] * row_times(m, m->K, i, u);
  return sum;
}

/* h K u_theta . (v + v+) / 2 less the change of the strain energy. With d = before v + after v+ and
 * u the displacement at the start, that change is K (u + d / 2) . d; at theta = 1/2 both are equal.
 */
static double lost(const void *model, const double *u_M, const DlsDeformableStep *step,
                   const double *v, const double *next) {
  const Model *m = model;
  const double theta = step->after / step->h;
  double sum = 0;
  for (int i = 0; i < size_of(m); i++) {
    const double way = step->before * speed(m, v, i) + step->after * speed(m, next, i);
    const double half = 0.5 * step->h * (speed(m, v, i) + speed(m, next, i));
    for (int e = m->start[i]; e < m->start[i + 1]; e++) {
      const int j = m->column[e];
      const double d = step->before * speed(m, v, j) + step->after * speed(m, next, j);
      const double start = u_M[j] - step->before * speed(m, v, j);
      sum += m->K[e] * ((start + theta * d) * half - (start + d / 2) * way);
    }
  }
  return sum;
}

static const DlsDeformableMesh *mesh(const void *model) {
  return dls_body_view_mesh(((const Model *)model)->view);
}

/* stress = tangent strain, energy = stress . strain / 2. */
static DlsStatus stress_at(const void *model, int p, const double gamma[6], double stress[6],
                           double *energy, double *state) {
  const Model *m = model;
  (void)p, (void)state;
  *energy = 0;
  for (int i = 0; i < 6; i++) {
    stress[i] = dls_small_dot(6, m->tangent + 6 * i, gamma);
    *energy += 0.5 * stress[i] * gamma[i];
  }
  return DLS_OK;
}

static DlsStatus fields(const void *model, const double *u, const double *v,
                        DlsDeformableFields *out) {
  return dls_body_view_fields(((const Model *)model)->view, u, v, stress_at, model, out);
}

const DlsDeformableOperations dls_linear_body_kind = {
    .name = "linear elastic body",
    .size = size,
    .mass = mass,
    .place = place,
    .move = move,
    .pattern = pattern,
    .matrix = matrix,
    .load = load,
    .weights = weights,
    .surface = surface,
    .mean_velocity = mean_velocity,
    .angular_momentum = angular_momentum,
    .kinetic = kinetic,
    .strain = strain,
    .lost = lost,
    .destroy = dls_linear_body_destroy,
    .mesh = mesh,
    .fields = fields,
};
