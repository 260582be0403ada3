/* What of a body of finite elements is made once: its matrices, masses, numbers of velocities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "bulk/bulk.h"
#include "fem/body_impl.h"
#include "fem/cell.h"
#include "fem/plane_stress.h"

static const char *const kinematics_name[] = {
#define NAME(code, name) name,
    DLS_KINEMATICS_LIST(NAME)
#undef NAME
};

/* ---- What a setup must be ---- */

static DlsStatus check_cells(const DlsBodySetup *b) {
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
    DLS_CHECK(!b->material_of || (b->material_of[c] >= 0 && b->material_of[c] < b->materials),
              DLS_ERR_ARGUMENT, "cell %d is of material %d of %d", c,
              b->material_of ? b->material_of[c] : 0, b->materials);
  }
  return DLS_OK;
}

static DlsStatus check_material(const DlsBodySetup *b, int number) {
  const DlsBodyMaterial *material = &b->material[number];
  const uint32_t large = DLS_BULK_GREEN | DLS_BULK_LOG;
  const DlsBulk *law = material->law;
  DLS_CHECK(material->density > 0 && isfinite(material->density), DLS_ERR_ARGUMENT,
            "its density is %g kg/m3; it must be above 0", material->density);
  DLS_TRY(dls_bulk_check_params(law, material->params));
  DLS_CHECK(law->measures &
                (b->kinematics == DLS_KINEMATICS_TOTAL_LAGRANGIAN ? large : DLS_BULK_SMALL),
            DLS_ERR_ARGUMENT, "bulk law '%s' is not meant for strains of a body that is %s",
            law->name, kinematics_name[b->kinematics]);
  DLS_CHECK(b->kinematics != DLS_KINEMATICS_COROTATIONAL || law->claims & DLS_BULK_LINEAR,
            DLS_ERR_UNSUPPORTED,
            "bulk law '%s' is not linear, which co-rotational bodies need: take total-lagrangian",
            law->name);
  return DLS_OK;
}

static DlsStatus check_amount(const DlsBodySetup *b, const DlsBodyAmount *amount) {
  DLS_CHECK(isfinite(amount->value), DLS_ERR_ARGUMENT, "a load of the body is not finite");
  DLS_CHECK(amount->function < 0 || b->functions.at, DLS_ERR_ARGUMENT,
            "a load of the body follows function %d, and there are none", amount->function);
  return DLS_OK;
}

static DlsStatus check_side(const DlsBodySetup *b, const DlsBodySide *side) {
  DLS_CHECK(side->cell >= 0 && side->cell < b->cells && side->side >= 0 &&
                side->side < dls_element_kind((int)b->type[side->cell])->sides,
            DLS_ERR_ARGUMENT, "there is no side %d of cell %d", side->side, side->cell);
  return DLS_OK;
}

static DlsStatus check_axis(const DlsBodySetup *b, int node, int axis) {
  DLS_CHECK(node >= 0 && node < b->nodes && axis >= 0 && axis < b->dim, DLS_ERR_ARGUMENT,
            "there is no axis %d of node %d", axis, node);
  return DLS_OK;
}

static DlsStatus check_loads(const DlsBodySetup *b) {
  for (int k = 0; k < b->drives; k++) {
    DLS_TRY(check_axis(b, b->drive[k].node, b->drive[k].axis));
    DLS_TRY(check_amount(b, &b->drive[k].speed));
  }
  for (int k = 0; k < b->pressures; k++) {
    DLS_TRY(check_side(b, &b->pressure[k].side));
    DLS_TRY(check_amount(b, &b->pressure[k].pressure));
  }
  for (int k = 0; k < b->tractions; k++) {
    DLS_TRY(check_side(b, &b->traction[k].side));
    DLS_TRY(check_axis(b, 0, b->traction[k].axis));
    DLS_TRY(check_amount(b, &b->traction[k].traction));
  }
  for (int k = 0; k < b->forces; k++) {
    DLS_TRY(check_axis(b, 0, b->force[k].axis));
    DLS_TRY(check_amount(b, &b->force[k].force));
  }
  for (int k = 0; k < b->springs; k++) {
    DLS_TRY(check_axis(b, b->spring[k].node, b->spring[k].axis));
    DLS_CHECK(b->spring[k].stiffness >= 0 && isfinite(b->spring[k].stiffness), DLS_ERR_ARGUMENT,
              "a spring of %g N/m; it must not be below 0", b->spring[k].stiffness);
  }
  for (int k = 0; k < b->sides; k++) DLS_TRY(check_side(b, &b->side[k]));
  return DLS_OK;
}

DlsStatus dls_body_check(const DlsBodySetup *b) {
  DLS_CHECK((b->dim == 2 || b->dim == 3) && b->nodes > 0 && b->cells > 0 && b->materials > 0,
            DLS_ERR_ARGUMENT,
            "a body of finite elements has nodes, cells and a material in 2-D or 3-D");
  DLS_CHECK(b->dim == 3 || (b->thickness > 0 && isfinite(b->thickness)), DLS_ERR_ARGUMENT,
            "its thickness is %g m; it must be above 0", b->thickness);
  DLS_CHECK(b->alpha >= 0 && isfinite(b->alpha) && b->beta >= 0 && isfinite(b->beta),
            DLS_ERR_ARGUMENT, "damping by %g M + %g K; both must not be below 0", b->alpha,
            b->beta);
  DLS_CHECK(!b->plane_stress || b->dim == 2, DLS_ERR_ARGUMENT, "plane stress is of 2-D");
  DLS_CHECK(b->tolerance >= 0 && b->tolerance < 1, DLS_ERR_ARGUMENT,
            "the tolerance of Newton's loop is %g; it must be from 0 to 1", b->tolerance);
  for (int k = 0; k < b->materials; k++) DLS_TRY(check_material(b, k));
  DLS_TRY(check_cells(b));
  DLS_TRY(check_loads(b));
  for (int k = 0; k < b->contacts; k++)
    DLS_CHECK(b->contact[k] >= 0 && b->contact[k] < b->nodes, DLS_ERR_ARGUMENT,
              "contact node %d of %d", b->contact[k], b->nodes);
  DLS_CHECK(b->sides == 0 || b->contacts == 0, DLS_ERR_ARGUMENT,
            "a body meets others by sides or by nodes, not by both");
  DLS_CHECK(b->sides > 0 || (b->contacts > 0 && b->radius > 0), DLS_ERR_ARGUMENT,
            "a body needs a side by which it meets others, or a node and a radius above 0 for it");
  return DLS_OK;
}

/* ---- Rows ---- */

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Which nodes share a cell with each, itself among them: near[first[a]] .. in ascending order. */
static DlsStatus neighbours(const DlsBodySetup *b, int **first, int **near) {
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
static DlsStatus make_rows(const int *first, const int *near, bool consistent, DlsBodyModel *m) {
  const int dim = m->dim, n = m->n;
  const size_t entries = (size_t)first[m->nodes] * (size_t)(dim * dim) + 1;
  DLS_NEW(m->start, n + 1);
  DLS_NEW(m->column, entries);
  DLS_NEW(m->K, entries);
  if (consistent) DLS_NEW(m->M, entries);
  DLS_NEW(m->share, n);
  int end = 0;
  for (int a = 0; a < m->nodes; a++)
    for (int k = 0; k < dim; k++) {
      m->start[a * dim + k] = end;
      for (int e = first[a]; e < first[a + 1]; e++)
        for (int l = 0; l < dim; l++) m->column[end++] = near[e] * dim + l;
    }
  m->start[n] = end;
  return DLS_OK;
}

int dls_body_find(const DlsBodyModel *m, int row, int column) {
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

int dls_body_add_block(const DlsBodyModel *m, int a, int b, const double *block, int apart,
                       double *A) {
  const int dim = m->dim, e = dls_body_find(m, a * dim, b * dim);
  const int length = m->start[a * dim + 1] - m->start[a * dim]; /* of all rows of a node */
  for (int k = 0; k < dim; k++)
    for (int l = 0; l < dim; l++) A[e + k * length + l] += block[k * apart + l];
  return e;
}

/* ---- Cells ---- */

/* The shares of contact nodes go to the other nodes of the cell, alike. */
static DlsStatus free_contacts(const DlsBodyModel *m, const bool *meets, int c, double *share) {
  const int *node = m->node + m->first[c], count = m->first[c + 1] - m->first[c];
  double given = 0;
  int others = 0;
  for (int a = 0; a < count; a++) others += !meets[node[a]];
  DLS_CHECK(others > 0, DLS_ERR_ARGUMENT,
            "cell %d meets others by all of its nodes, so that none can have their mass: take "
            "smaller cells or lumped masses",
            c);
  for (int a = 0; a < count; a++)
    if (meets[node[a]]) given += share[a], share[a] = 0;
  for (int a = 0; a < count; a++)
    if (!meets[node[a]]) share[a] += given / others;
  return DLS_OK;
}

static DlsStatus add_cell(const DlsBodySetup *setup, const bool *meets, int c, DlsBodyModel *m) {
  const DlsElementKind *kind = dls_element_kind((int)m->type[c]);
  const int dim = m->dim, own = kind->nodes * dim, *node = m->node + m->first[c];
  const DlsBodyMatter *matter = &m->material[m->material_of[c]];
  double X[DLS_ELEMENT_NODES][3], K[DLS_CELL_VELOCITIES * DLS_CELL_VELOCITIES] = {0};
  double M[DLS_ELEMENT_NODES * DLS_ELEMENT_NODES] = {0}, share[DLS_ELEMENT_NODES];
  DlsCell cell;
  DLS_TRY(dls_body_cell(m, c, X, &cell));
  const double(*at)[3] = (const double(*)[3])X;
  if (matter->law->claims & DLS_BULK_LINEAR && m->kinematics != DLS_KINEMATICS_TOTAL_LAGRANGIAN)
    for (int p = 0; p < kind->inner->count; p++)
      dls_cell_add_stiffness(&cell, p, matter->tangent, K);
  const double mass =
      matter->density * dls_element_volume(kind, at) * (dim == 2 ? m->thickness : 1);
  m->mass += mass;
  if (setup->mass == DLS_MASS_CONSISTENT) {
    dls_cell_mass(kind, at, matter->density, m->thickness, M);
  } else {
    dls_element_lump(kind, at, share);
    if (setup->mass == DLS_MASS_FREE_CONTACT) DLS_TRY(free_contacts(m, meets, c, share));
    for (int a = 0; a < kind->nodes; a++)
      for (int k = 0; k < dim; k++) m->share[node[a] * dim + k] += mass * share[a];
  }
  for (int a = 0; a < kind->nodes; a++)
    for (int b = 0; b < kind->nodes; b++) {
      const int e = dls_body_add_block(m, node[a], node[b], K + a * dim * own + b * dim, own, m->K);
      const int length = m->start[node[a] * dim + 1] - m->start[node[a] * dim];
      for (int k = 0; m->M && k < dim; k++) m->M[e + k * (length + 1)] += M[a * kind->nodes + b];
    }
  /* Integrals of interpolations, as those of masses. */
  memset(M, 0, sizeof M);
  dls_cell_mass(kind, at, 1, m->thickness, M);
  for (int i = 0; i < kind->nodes; i++)
    for (int j = 0; j < kind->nodes; j++) m->room[node[i]] += M[i * kind->nodes + j];
  return DLS_OK;
}

DlsStatus dls_body_cell(const DlsBodyModel *m, int c, double (*X)[3], DlsCell *out) {
  const DlsElementKind *kind = dls_element_kind((int)m->type[c]);
  const int *node = m->node + m->first[c];
  for (int a = 0; a < kind->nodes; a++) memcpy(X[a], m->X[node[a]], 3 * sizeof(double));
  if (dls_cell_prepare(kind, (const double(*)[3])X, m->thickness, out) != DLS_OK)
    return dls_fail(DLS_ERR_ARGUMENT, "cell %d: %s", c, dls_error_message());
  if (m->plane_stress) out->mean_dilatation = 0; /* it has no reason to lock */
  return DLS_OK;
}

/* ---- Velocities ---- */

/* Axes of a co-rotational body turn, those of a node that is held do not. */
static DlsStatus check_turning(const DlsBodyModel *m, const bool *still) {
  for (int a = 0; a < m->nodes; a++) {
    int held = 0;
    for (int k = 0; k < m->dim; k++) held += still[a * m->dim + k];
    DLS_CHECK(
        held == 0 || held == m->dim, DLS_ERR_UNSUPPORTED,
        "node %d of a co-rotational body is held or driven along some axes alone: hold it along "
        "all, or take small or total-lagrangian",
        a);
  }
  for (int i = 0; i < m->n; i++)
    DLS_CHECK(m->spring[i] == 0, DLS_ERR_UNSUPPORTED,
              "a co-rotational body has a spring at node %d: take small or total-lagrangian",
              i / m->dim);
  return DLS_OK;
}

/* Numbers of the velocities, and the rows and columns of these alone. */
static DlsStatus make_pattern(const DlsBodySetup *b, DlsBodyModel *m) {
  const int n = m->n;
  int entries = 0;
  bool *still;
  DLS_NEW(still, n);
  for (int i = 0; i < n; i++) still[i] = b->held && b->held[i / b->dim] >> (i % b->dim) & 1;
  for (int k = 0; k < m->drives; k++) still[m->drive_of[k]] = true;
  const DlsStatus turning =
      m->kinematics == DLS_KINEMATICS_COROTATIONAL ? check_turning(m, still) : DLS_OK;
  m->number = dls_memory_array((size_t)n, sizeof *m->number);
  for (int i = 0; m->number && i < n; i++) m->number[i] = still[i] ? -1 : m->free++;
  free(still);
  DLS_TRY(turning);
  DLS_CHECK(m->number, DLS_ERR_MEMORY, "out of memory for %d velocities", n);
  DLS_CHECK(m->free > 0, DLS_ERR_ARGUMENT, "all nodes of the body are held");
  DLS_NEW(m->pattern.start, m->free + 1);
  DLS_NEW(m->pattern.column, m->start[n] + 1);
  DLS_NEW(m->entry, m->start[n] + 1);
  DLS_NEW(m->diagonal, m->free);
  for (int i = 0; i < n; i++) {
    if (m->number[i] < 0) continue;
    for (int e = m->start[i]; e < m->start[i + 1]; e++) {
      if (m->number[m->column[e]] < 0) continue;
      m->pattern.column[entries] = m->number[m->column[e]];
      if (m->column[e] == i) m->diagonal[m->number[i]] = entries;
      m->entry[entries++] = e;
    }
    m->pattern.start[m->number[i] + 1] = entries;
  }
  m->pattern.rows = m->pattern.columns = m->free;
  return DLS_OK;
}

static void list_node(DlsBodyModel *m, bool *listed, int node) {
  if (listed[node]) return;
  listed[node] = true;
  for (int k = 0; k < m->dim; k++) {
    const int number = m->number[node * m->dim + k];
    if (number >= 0) m->surface[m->surface_count++] = number;
  }
}

/* A node may be named twice; its velocities are listed once. */
static DlsStatus list_surface(DlsBodyModel *m) {
  bool *listed;
  DLS_NEW(m->surface, m->free);
  DLS_NEW(listed, m->nodes);
  for (int c = 0; c < m->contacts; c++) list_node(m, listed, m->contact[c]);
  for (int s = 0; s < m->sides; s++) {
    const DlsBodySide *side = &m->side[s];
    const DlsElementSide *of = &dls_element_kind((int)m->type[side->cell])->side[side->side];
    for (int a = 0; a < dls_element_kind((int)of->type)->nodes; a++)
      list_node(m, listed, m->node[m->first[side->cell] + of->node[a]]);
  }
  free(listed);
  return DLS_OK;
}

/* ---- Copies ---- */

#define COPY(to, from, count)                                                                      \
  do {                                                                                             \
    DLS_NEW(to, count);                                                                            \
    dls_memory_copy(to, from, (size_t)(count), sizeof *(to));                                      \
  } while (0)

static DlsStatus copy_materials(const DlsBodySetup *b, DlsBodyModel *m) {
  DLS_NEW(m->material, b->materials);
  m->materials = b->materials;
  for (int k = 0; k < b->materials; k++) {
    const DlsBodyMaterial *from = &b->material[k];
    DlsBodyMatter *to = &m->material[k];
    to->law = from->law, to->density = from->density;
    DLS_CHECK(from->law->nstates <= DLS_BODY_STATES, DLS_ERR_UNSUPPORTED,
              "bulk law '%s' has %d states; a body keeps %d at most", from->law->name,
              from->law->nstates, DLS_BODY_STATES);
    to->measure = b->kinematics != DLS_KINEMATICS_TOTAL_LAGRANGIAN ? DLS_BULK_SMALL
                  : from->law->measures & DLS_BULK_GREEN           ? DLS_BULK_GREEN
                                                                   : DLS_BULK_LOG;
    to->stores =
        from->law->nstates == 0 && !(from->law->claims & (DLS_BULK_LINEAR | DLS_BULK_RATE));
    if (to->measure == DLS_BULK_LOG && from->law->nstates == 0) to->stores = true;
    if (from->law->nstates > 0 && !m->shown) m->shown = from->law;
    if (from->law->nstates > m->states) m->states = from->law->nstates;
    COPY(to->params, from->params, from->law->nparams);
    if (!(from->law->claims & DLS_BULK_LINEAR)) continue;
    const DlsBulkPoint point = {.measure = to->measure};
    const double zero[6] = {0};
    double stress[6], state[1] = {0};
    DLS_TRY(
        dls_bulk_stress(to->law, &point, to->params, state, zero, zero, stress, to->tangent, NULL));
    if (m->plane_stress) DLS_TRY(dls_plane_stress_tangent(to->tangent));
  }
  return DLS_OK;
}

/* The nodes of the sides meet others; as elements of the world their radius is half an edge. */
static DlsStatus make_surface(const DlsBodySetup *b, DlsBodyModel *m) {
  DlsSurfaceNodes *of = &m->nodes_of_sides;
  const DlsCells cells = {b->dim, b->nodes, b->cells, b->X, b->type, b->start, b->node};
  DLS_TRY(dls_surface_nodes_make(&cells, b->sides, b->side, b->thickness, of));
  of->faces.at_rest = b->kinematics != DLS_KINEMATICS_TOTAL_LAGRANGIAN;
  of->faces.by = b->meet, of->faces.both = b->both, of->faces.self = b->self;
  m->contacts = of->nodes, m->radius = 0.5 * of->faces.size;
  COPY(m->contact, of->node, of->nodes);
  return DLS_OK;
}

static DlsStatus copy(const DlsBodySetup *b, DlsBodyModel *m) {
  m->dim = b->dim, m->nodes = b->nodes, m->cells = b->cells, m->n = b->nodes * b->dim;
  m->kinematics = b->kinematics, m->plane_stress = b->plane_stress, m->thickness = b->thickness;
  m->alpha = b->alpha, m->beta = b->beta, m->tolerance = b->tolerance > 0 ? b->tolerance : 1e-8;
  m->contacts = b->contacts, m->sides = b->sides, m->radius = b->radius;
  m->drives = b->drives, m->pressures = b->pressures, m->tractions = b->tractions;
  m->forces = b->forces, m->functions = b->functions;
  COPY(m->X, b->X, b->nodes);
  COPY(m->type, b->type, b->cells);
  COPY(m->first, b->start, b->cells + 1);
  COPY(m->node, b->node, b->start[b->cells]);
  COPY(m->material_of, b->material_of, b->material_of ? b->cells : 0);
  if (!b->material_of) {
    free(m->material_of);
    DLS_NEW(m->material_of, b->cells);
  }
  if (b->sides > 0)
    DLS_TRY(make_surface(b, m));
  else
    COPY(m->contact, b->contact, b->contacts);
  COPY(m->side, b->side, b->sides);
  COPY(m->pressure, b->pressure, b->pressures);
  COPY(m->traction, b->traction, b->tractions);
  COPY(m->force, b->force, b->forces);
  DLS_NEW(m->drive, b->drives);
  DLS_NEW(m->displaces, b->drives);
  DLS_NEW(m->drive_of, b->drives);
  for (int k = 0; k < b->drives; k++) {
    m->drive[k] = b->drive[k].speed;
    m->displaces[k] = b->drive[k].displaces;
    m->drive_of[k] = b->drive[k].node * b->dim + b->drive[k].axis;
  }
  if (m->drives) DLS_NEW(m->drive_at, m->n);
  for (int i = 0; m->drives && i < m->n; i++) m->drive_at[i] = -1;
  for (int k = 0; k < m->drives; k++) m->drive_at[m->drive_of[k]] = k;
  DLS_NEW(m->spring, m->n);
  for (int k = 0; k < b->springs; k++)
    m->spring[b->spring[k].node * b->dim + b->spring[k].axis] += b->spring[k].stiffness;
  return copy_materials(b, m);
}

static DlsStatus add_cells(const DlsBodySetup *b, DlsBodyModel *m) {
  bool *meets;
  DlsStatus status = DLS_OK;
  DLS_NEW(m->room, m->nodes);
  DLS_NEW(meets, m->nodes);
  for (int k = 0; k < m->contacts; k++) meets[m->contact[k]] = true;
  for (int c = 0; c < b->cells && status == DLS_OK; c++) status = add_cell(b, meets, c, m);
  free(meets);
  return status;
}

DlsStatus dls_body_build(const DlsBodySetup *b, DlsBodyModel *m) {
  int *first = NULL, *near = NULL;
  DLS_TRY(copy(b, m));
  DlsStatus status = neighbours(b, &first, &near);
  if (status == DLS_OK) status = make_rows(first, near, b->mass == DLS_MASS_CONSISTENT, m);
  for (int a = 0; a < b->nodes && status == DLS_OK; a++)
    if (first[a] == first[a + 1])
      status = dls_fail(DLS_ERR_ARGUMENT, "node %d is of no cell: take it out of the mesh", a);
  free(first);
  free(near);
  DLS_TRY(status);
  DLS_TRY(add_cells(b, m));
  for (int i = 0; i < m->n; i++) m->K[dls_body_find(m, i, i)] += m->spring[i];
  for (int i = 0; m->M && i < m->n; i++)
    for (int e = m->start[i]; e < m->start[i + 1]; e++) m->share[i] += m->M[e];
  DLS_TRY(make_pattern(b, m));
  for (int c = 0; c < m->cells; c++) m->points += dls_element_kind((int)m->type[c])->inner->count;
  DLS_NEW(m->name, m->states);
  for (int k = 0; m->shown && k < m->shown->nstates; k++) m->name[k] = m->shown->states[k].name;
  return list_surface(m);
}
