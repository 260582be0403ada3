/* The kind of bodies with small strains and linear laws. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "fem/body_impl.h"

static void size(const void *model, DlsDeformableSize *out) {
  const DlsBodyModel *m = model;
  *out = (DlsDeformableSize){.velocities = m->free,
                             .states = m->n + 2 * m->drives,
                             .elements = m->contacts,
                             .weights = m->dim};
}

static void begin(const void *model, const DlsDeformableStep *step, double *state,
                  double *velocity) {
  (void)velocity;
  dls_body_begin_drives(model, step, state);
}

static void move(const void *model, double seconds, const double *v, double *u) {
  const DlsBodyModel *m = model;
  for (int i = 0; i < m->n; i++) u[i] += seconds * dls_body_speed(m, u, v, i);
}

void dls_body_linear_matrix(const void *model, const double *u, const DlsDeformableStep *step,
                            double *value) {
  const DlsBodyModel *m = model;
  const double part = 1 - step->still + step->after * m->alpha;
  const double k = step->after * (step->after + m->beta); /* h theta beta + h^2 theta^2 */
  (void)u;
  for (int e = 0; e < m->pattern.start[m->free]; e++) value[e] = k * m->K[m->entry[e]];
  dls_body_add_mass(m, part, value);
}

/* [n], N: weights, other forces by shares of mass, the body's own loads. */
static void add_forces(const DlsBodyModel *m, const DlsDeformableStep *step, double *out) {
  for (int i = 0; i < m->n; i++) {
    const int k = i % m->dim;
    out[i] += m->share[i] * (step->gravity[k] + step->force[k] / m->mass);
  }
  dls_body_add_loads(m, step, NULL, NULL, out);
}

/* p = h (F - K (u + (after - before) v) - C v) - M times what driven nodes gain: these have their
 * speed all along the step. */
static DlsStatus load(const void *model, const double *u, const DlsDeformableStep *step,
                      const double *v, double *out) {
  const DlsBodyModel *m = model;
  const double reach = step->after - step->before + m->beta, moves = 1 - step->still;
  const bool drags = m->drives || m->alpha > 0; /* h alpha v, and what driven nodes gain */
  double *where = dls_memory_array(3 * (size_t)m->n, sizeof *where);
  DLS_CHECK(where, DLS_ERR_MEMORY, "out of memory for %d displacements", m->n);
  double *force = where + m->n, *drag = force + m->n;
  add_forces(m, step, force);
  for (int i = 0; i < m->n; i++) {
    const double now = dls_body_speed(m, u, v, i);
    where[i] = u[i] + reach * now;
    drag[i] = step->h * m->alpha * now;
    if (m->number[i] < 0) drag[i] += moves * (now - dls_body_driven(m, u, i, true));
  }
  for (int i = 0; i < m->n; i++) {
    if (m->number[i] < 0) continue;
    out[m->number[i]] = step->h * (force[i] - dls_body_row(m, m->K, i, where));
    if (drags) out[m->number[i]] -= dls_body_mass_row(m, i, drag);
  }
  free(where);
  return DLS_OK;
}

/* Of products K u, row by row. */
double dls_body_linear_noise(const void *model, const double *u, const DlsDeformableStep *step) {
  const DlsBodyModel *m = model;
  double most = 0;
  for (int i = 0; i < m->n; i++) {
    double sum = 0;
    for (int e = m->start[i]; e < m->start[i + 1]; e++) sum += fabs(m->K[e] * u[m->column[e]]);
    if (m->number[i] >= 0) most = fmax(most, sum);
  }
  return 4 * DBL_EPSILON * step->h * most;
}

static double strain(const void *model, const double *u) {
  const DlsBodyModel *m = model;
  double sum = 0;
  for (int i = 0; i < m->n; i++) sum += 0.5 * u[i] * dls_body_row(m, m->K, i, u);
  return sum;
}

/* Nodes without mass end elsewhere, d beside where the step led: what is stored changes by K (u +
 * d / 2) . d, and own loads work along d. All arrays [n]; `end` is where the step led. */
static void calm(const DlsBodyModel *m, const DlsDeformableStep *step, const double *v,
                 double *next, double *u_M, const double *own, double *end, double *d,
                 DlsDeformableWorks *out) {
  for (int i = 0; i < m->n; i++) end[i] = u_M[i] + step->after * dls_body_speed(m, u_M, next, i);
  if (!dls_body_calm(m, step, v, next, u_M)) return;
  for (int i = 0; i < m->n; i++) {
    d[i] = u_M[i] + step->after * dls_body_speed(m, u_M, next, i) - end[i];
    end[i] += d[i] / 2;
  }
  for (int i = 0; i < m->n; i++) {
    if (d[i] == 0) continue;
    out->lost += (own[i] - dls_body_row(m, m->K, i, end)) * d[i];
    out->force += own[i] * d[i];
  }
}

/* With d = before v + after v+, of driven nodes h w, and u the displacement at the start, internal
 * forces and damping are taken at u + theta d and d / h, and the strain energy gains K (u + d / 2)
 * . d; for theta = 1/2 without damping nothing is lost. Own loads and what changes speeds work
 * along h (v + v+) / 2, in quasi-static steps along h v+; internal forces on driven nodes along
 * their way, which is h w. */
static DlsStatus finish(const void *model, const DlsDeformableStep *step, const double *v,
                        double *next, double *u_M, DlsDeformableWorks *out) {
  const DlsBodyModel *m = model;
  const double theta = step->after / step->h, moves = 1 - step->still;
  double *all = dls_memory_array(6 * (size_t)m->n, sizeof *all);
  DLS_CHECK(all, DLS_ERR_MEMORY, "out of memory for %d displacements", m->n);
  double *way = all, *half = way + m->n, *inner = half + m->n, *mean = inner + m->n;
  double *gain = mean + m->n, *own = gain + m->n;
  const bool loads = m->drives || m->pressures || m->tractions || m->forces;
  for (int i = 0; i < m->n; i++) {
    const double a = m->number[i] < 0 ? dls_body_driven(m, u_M, i, false) : v[m->number[i]];
    const double b = m->number[i] < 0 ? a : next[m->number[i]];
    const double first = m->number[i] < 0 ? dls_body_driven(m, u_M, i, true) : a;
    const double start = u_M[i] - step->before * a;
    way[i] = step->before * a + step->after * b;
    half[i] = 0.5 * step->h * (moves * first + (2 - moves) * b);
    inner[i] = start + theta * way[i] + m->beta * way[i] / step->h;
    mean[i] = start + way[i] / 2;
    gain[i] = moves * (b - first);
  }
  if (loads) dls_body_add_loads(m, step, NULL, NULL, own);
  for (int i = 0; i < m->n; i++) {
    const double path = m->number[i] < 0 ? way[i] : half[i];
    for (int e = m->start[i]; e < m->start[i + 1]; e++) {
      const int j = m->column[e];
      out->lost += m->K[e] * (inner[j] * path - mean[j] * way[i]);
    }
    const double drag = m->alpha > 0 ? m->alpha * dls_body_mass_row(m, i, way) / step->h : 0;
    const double damps = m->beta > 0 ? m->beta * dls_body_row(m, m->K, i, way) / step->h : 0;
    out->lost += drag * path;
    out->viscous += (drag + damps) * path;
    out->force += own[i] * half[i];
    if (m->number[i] >= 0 || (half[i] == 0 && path == 0)) continue;
    /* What holds a driven node: the impulse that its motion needs and other forces do not give. */
    const double weight =
        m->share[i] * (step->gravity[i % m->dim] + step->force[i % m->dim] / m->mass);
    const double speeds = dls_body_mass_row(m, i, gain) / step->h;
    out->force += (speeds - own[i]) * half[i];
    /* The ledger has the work of its weight along the path too. */
    out->force += (drag + dls_body_row(m, m->K, i, inner) - weight) * path;
  }
  calm(m, step, v, next, u_M, own, way, half, out);
  free(all);
  return DLS_OK;
}

/* stress = tangent strain, energy = stress . strain / 2. */
DlsStatus dls_body_linear_stress(const void *model, int c, int p, const double gamma[6],
                                 double stress[6], double *energy, double *state) {
  const DlsBodyModel *m = model;
  const double *tangent = m->material[m->material_of[c]].tangent;
  (void)p, (void)state;
  *energy = 0;
  for (int i = 0; i < 6; i++) {
    stress[i] = dls_small_dot(6, tangent + 6 * i, gamma);
    *energy += 0.5 * stress[i] * gamma[i];
  }
  return DLS_OK;
}

static DlsStatus fields(const void *model, const double *u, const double *v,
                        DlsDeformableFields *out) {
  const DlsBodyModel *m = model;
  for (int i = 0; i < m->n; i++) out->velocity[i / m->dim][i % m->dim] = dls_body_speed(m, u, v, i);
  return dls_body_view_fields(m->view, u, dls_body_linear_stress, model, out);
}

const DlsDeformableOperations dls_body_linear_kind = {
    .name = "linear elastic body",
    DLS_BODY_ALIKE,
    .size = size,
    .begin = begin,
    .move = move,
    .matrix = dls_body_linear_matrix,
    .load = load,
    .noise = dls_body_linear_noise,
    .surface = dls_body_surface,
    .mean_velocity = dls_body_mean_velocity,
    .strain = strain,
    .finish = finish,
    .fields = fields,
};
