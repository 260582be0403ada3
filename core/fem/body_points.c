/* The kind of bodies whose points have a history or a law that is not linear, with small strains or
 * total Lagrangian. Behind displacements and drives their state has the displacements at the start
 * of the step, and for each point what it remembers (Memory).
 *
 * Forces of a step are those of the stress in its mean,
 *
 *   S_theta = (1 - theta) S_n + theta S_n+1 + beta D (E_n+1 - E_n) / h,   f = integral B^T S_theta,
 *
 * with B at the displacements u_theta in total Lagrangian bodies: for theta = 1/2 the work of f is
 * S_theta (E_n+1 - E_n) then, so that a law of Saint-Venant and Kirchhoff keeps its energy exactly
 * (Simo and Tarnow 1992); other stored energies of Green's strain are made to by a multiple of
 * E_n+1 - E_n in the stress (Gonzalez 2000). Where the mean dilatation is taken B is not linear in
 * u, and the energy is kept to the second order of the step. The tangent has B at u_theta on both
 * sides, so that Newton's loop converges at a rate that goes with the turn in a step, and
 * quadratically where strains are small: it is as symmetric as the law's, that of a law that does
 * not claim to be is taken as it is (M^ is then factored by L U). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "bulk/bulk.h"
#include "fem/body_ask.h"
#include "fem/cell_large.h"

/* Of a point in the state: stress, Pa, of Cauchy or the second of Piola and Kirchhoff; J stored in
 * the volume that it stands for; in plane stress the zz of the law's strain; the law's states. */
enum { STRESS = 0, ENERGY = 6, ACROSS = 7, MEMORY = 8 };

static int stride(const DlsBodyModel *m) { return MEMORY + m->states; }
static int start_of(const DlsBodyModel *m) { return m->n + 2 * m->drives; }

static size_t memory_of(const DlsBodyModel *m, int point) {
  return (size_t)(start_of(m) + m->n) + (size_t)point * (size_t)stride(m);
}

static void size(const void *model, DlsDeformableSize *out) {
  const DlsBodyModel *m = model;
  *out = (DlsDeformableSize){.velocities = m->free,
                             .states = start_of(m) + m->n + m->points * stride(m),
                             .elements = m->contacts,
                             .weights = m->dim};
}

void dls_body_points_new(const DlsBodyModel *m, double *state) {
  const int *point = dls_body_mesh(m)->point;
  for (int c = 0; c < m->cells; c++)
    for (int p = point[c]; p < point[c + 1]; p++)
      dls_bulk_new_state(m->material[m->material_of[c]].law, state + memory_of(m, p) + MEMORY);
}

static void begin(const void *model, const DlsDeformableStep *step, double *state,
                  double *velocity) {
  const DlsBodyModel *m = model;
  (void)velocity;
  dls_body_begin_drives(m, step, state);
  memcpy(state + start_of(m), state, (size_t)m->n * sizeof *state);
}

static void move(const void *model, double seconds, const double *v, double *u) {
  const DlsBodyModel *m = model;
  for (int i = 0; i < m->n; i++) u[i] += seconds * dls_body_speed(m, u, v, i);
}

/* ---- A cell in a step ---- */

typedef struct {
  int c, nodes, points, first; /* its number, of its nodes and points, of its first point */
  const int *node;
  double X[DLS_ELEMENT_NODES][3];
  DlsCell cell;
  bool large;
  double far;                       /* m: the largest displacement, at the start or the end */
  double u[3][DLS_CELL_VELOCITIES]; /* at the start, at the end, at theta */
  DlsCellLarge at[3];               /* likewise, where strains are large */
} Work;

enum { START, END, MEAN };

static DlsStatus take_cell(const DlsBodyModel *m, int c, const double *start, const double *end,
                           double theta, Work *w) {
  w->c = c, w->node = m->node + m->first[c];
  w->large = m->kinematics == DLS_KINEMATICS_TOTAL_LAGRANGIAN;
  DLS_TRY(dls_body_cell(m, c, w->X, &w->cell));
  w->nodes = w->cell.kind->nodes, w->points = w->cell.kind->inner->count;
  w->first = dls_body_mesh(m)->point[c];
  for (int i = 0; i < w->nodes * m->dim; i++) {
    /* Beside the first node: far from where it was made a body would lose digits of its strain. */
    const int at = w->node[i / m->dim] * m->dim + i % m->dim, of = w->node[0] * m->dim + i % m->dim;
    w->u[START][i] = start[at] - start[of];
    w->far = fmax(i ? w->far : 0, fmax(fabs(start[at]), fabs(end[at])));
    w->u[END][i] = end[at] - end[of];
    w->u[MEAN][i] = (1 - theta) * w->u[START][i] + theta * w->u[END][i];
  }
  for (int k = 0; w->large && k < 3; k++)
    if (dls_cell_large_prepare(&w->cell, w->u[k], &w->at[k]) != DLS_OK)
      return dls_fail(DLS_ERR_NUMERIC, "cell %d: %s", c, dls_error_message());
  return DLS_OK;
}

static void strain_at(const Work *w, int p, int when, double strain[6]) {
  if (w->large)
    dls_cell_large_strain(&w->at[when], p, strain);
  else
    dls_cell_strain(&w->cell, p, w->u[when], strain);
}

static DlsStatus ask_point(const DlsBodyModel *m, const Work *w, int p, const double *state,
                           const DlsDeformableStep *step, bool energy, double start[6],
                           DlsBodyEnd *out) {
  const DlsBodyMatter *matter = &m->material[m->material_of[w->c]];
  const double volume = m->dim == 2 ? w->cell.volume / m->thickness : w->cell.volume;
  double N[DLS_ELEMENT_NODES], dN[DLS_ELEMENT_NODES][3], end[6];
  DlsBodyAsked asked = {.m = m,
                        .matter = matter,
                        .cell = w->c,
                        .across = state[memory_of(m, w->first + p) + ACROSS],
                        .state = state + memory_of(m, w->first + p) + MEMORY,
                        .point = {.measure = matter->measure,
                                  .time = step->time,
                                  .dt = step->h,
                                  .size = m->dim == 2 ? sqrt(volume) : cbrt(volume)}};
  w->cell.kind->interpolate(w->cell.kind->inner->point[p].x, N, dN);
  for (int a = 0; a < w->nodes; a++)
    for (int k = 0; k < 3; k++) asked.point.point[k] += N[a] * w->X[a][k];
  strain_at(w, p, START, start);
  strain_at(w, p, END, end);
  if (dls_body_ask(&asked, start, end, energy, out) != DLS_OK)
    return dls_fail(DLS_ERR_LAW, "cell %d: %s", w->c, dls_error_message());
  return DLS_OK;
}

/* Gains of strain, squared, below which the multiple fades out: round-off of stored energies, 1e-16
 * of the stiffness, would be 1e-13 of it in the stress. The energy that is then missing goes with
 * the third power of the gain, 1e-9 of the stiffness. */
static const double least = 1e-6;

/* The stress that acts in the step, that of Rayleigh's damping in it, and in D what it gains with
 * the strain at the end, over theta. */
static void act(const DlsBodyModel *m, const Work *w, int p, const double *memory,
                const DlsDeformableStep *step, const double start[6], const DlsBodyEnd *end,
                double S[6], double rate[6], double D[36]) {
  const DlsBodyMatter *matter = &m->material[m->material_of[w->c]];
  const double theta = step->after / step->h;
  double along = 0, work = 0;
  memset(rate, 0, 6 * sizeof *rate);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6 && m->beta > 0; j++)
      rate[i] += end->D[6 * i + j] * (end->strain[j] - start[j]) * m->beta / step->h;
  for (int i = 0; i < 6; i++) {
    const double gain = end->strain[i] - start[i];
    S[i] = (1 - theta) * memory[STRESS + i] + theta * end->stress[i];
    work += S[i] * gain;
    along += (i < 3 ? gain : gain / 2) * gain;
  }
  const bool exact = w->large && matter->stores && theta == 0.5;
  const double missing = exact ? (end->energy - memory[ENERGY] / w->cell.point[p].weight - work) *
                                     along / (along * along + least * least)
                               : 0;
  for (int i = 0; i < 6; i++) {
    const double gain = end->strain[i] - start[i];
    S[i] += missing * (i < 3 ? gain : gain / 2) + rate[i];
  }
  /* With theta D for the share of u_n+1 in B at theta; symmetric to the last digit where it is. */
  const bool symmetric = matter->law->claims & DLS_BULK_SYMMETRIC;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      D[6 * i + j] = symmetric ? (end->D[6 * i + j] + end->D[6 * j + i]) / 2 : end->D[6 * i + j];
}

static void add_force(const Work *w, int p, const double *S, double *f) {
  if (w->large)
    dls_cell_large_add_force(&w->at[MEAN], p, S, f);
  else
    dls_cell_add_force(&w->cell, p, S, f);
}

/* ---- The body in a step ---- */

/* What a guess of v+ makes of the step: [n] each. */
typedef struct {
  const DlsDeformableStep *step;
  double *all;
  double *end;   /* m, displacements */
  double *force; /* N: internal, that hold the body */
  double *outer; /* N: weights and loads */
  double *drag;  /* m/s: v+ - v + h alpha v_theta, of driven nodes too */
  double *half;  /* m: h (v + v+) / 2; h v+ in quasi-static steps */
  double *mean;  /* m, displacements at theta */
  double *rough; /* N: sums of the sizes of what cells add to `force`, and as much as that round-off
                    is no more than the tolerance of it */
  double *speed; /* m/s: v_theta, the mean of the step */
  double *damps; /* N: of `force` that of Rayleigh's damping by stiffness, NULL: not wanted */
  double *stiff; /* entries of K, NULL: not wanted */
} Trial;

static DlsStatus open_trial(const DlsBodyModel *m, const double *state,
                            const DlsDeformableStep *step, const double *v, const double *guess,
                            bool stiff, bool damps, Trial *t) {
  const size_t n = (size_t)m->n;
  const double theta = step->after / step->h, moves = 1 - step->still;
  *t = (Trial){.step = step};
  const size_t entries = stiff ? (size_t)m->start[m->n] : 0;
  t->all = dls_memory_array((damps ? 9 : 8) * n + entries, sizeof *t->all);
  DLS_CHECK(t->all, DLS_ERR_MEMORY, "out of memory for %d displacements", m->n);
  t->end = t->all, t->force = t->end + n, t->outer = t->force + n, t->drag = t->outer + n;
  t->half = t->drag + n, t->mean = t->half + n;
  t->speed = t->mean + n, t->rough = t->speed + n;
  t->stiff = stiff ? t->rough + n : NULL;
  t->damps = damps ? t->rough + n + entries : NULL;
  for (int i = 0; i < m->n; i++) {
    const int number = m->number[i];
    const double now = number < 0 ? dls_body_driven(m, state, i, false) : guess[number];
    const double old = number < 0 ? dls_body_driven(m, state, i, true) : v[number];
    const double first = number < 0 ? now : old;
    t->end[i] = state[i] + step->after * now;
    t->mean[i] = (1 - theta) * state[start_of(m) + i] + theta * t->end[i];
    t->speed[i] = (1 - theta) * first + theta * now;
    t->drag[i] = moves * (now - old) + m->alpha * step->h * t->speed[i];
    t->half[i] = 0.5 * step->h * (moves * old + (2 - moves) * now);
    t->outer[i] = m->share[i] * (step->gravity[i % m->dim] + step->force[i % m->dim] / m->mass);
  }
  const bool large = m->kinematics == DLS_KINEMATICS_TOTAL_LAGRANGIAN;
  dls_body_add_loads(m, step, NULL, large ? t->mean : NULL, t->outer);
  return DLS_OK;
}

/* N: what round-off of displacements, and of stretches near 1, makes of the force on a node at
 * point p. */
static double noise_of(const DlsBodyModel *m, const Work *w, int p, const double *D) {
  double stiff = 0, steep = 0;
  for (int i = 0; i < 36; i++) stiff = fmax(stiff, fabs(D[i]));
  for (int a = 0; a < w->nodes; a++)
    for (int k = 0; k < m->dim; k++) steep = fmax(steep, fabs(w->cell.point[p].gradient[a][k]));
  const double strain = w->far * steep + w->large;
  return 4 * DBL_EPSILON * w->cell.point[p].weight * stiff * strain * steep;
}

static DlsStatus add_cell(const DlsBodyModel *m, const double *state, int c, Trial *t, Work *w) {
  const DlsDeformableStep *step = t->step;
  const double theta = step->after / step->h, share = step->after * (step->after + m->beta);
  double f[DLS_CELL_VELOCITIES] = {0}, damping[DLS_CELL_VELOCITIES] = {0}, noise = 0;
  double K[DLS_CELL_VELOCITIES * DLS_CELL_VELOCITIES];
  DLS_TRY(take_cell(m, c, state + start_of(m), t->end, theta, w));
  const int own = w->nodes * m->dim;
  if (t->stiff) memset(K, 0, (size_t)(own * own) * sizeof *K);
  if (t->stiff && w->large) dls_cell_large_curve(&w->at[MEAN]);
  for (int p = 0; p < w->points; p++) {
    double start[6], S[6], rate[6], D[36];
    DlsBodyEnd end;
    const bool stores = w->large && m->material[m->material_of[c]].stores;
    DLS_TRY(ask_point(m, w, p, state, step, stores, start, &end));
    act(m, w, p, state + memory_of(m, w->first + p), step, start, &end, S, rate, D);
    add_force(w, p, S, f);
    if (t->damps) add_force(w, p, rate, damping);
    noise += noise_of(m, w, p, D);
    if (!t->stiff) continue;
    for (int i = 0; i < 36; i++) D[i] *= share;
    if (w->large)
      dls_cell_large_add_stiffness(&w->at[MEAN], p, D, S, step->after * step->after, K);
    else
      dls_cell_add_stiffness(&w->cell, p, D, K);
  }
  for (int i = 0; i < own; i++) {
    const int row = w->node[i / m->dim] * m->dim + i % m->dim;
    t->force[row] += f[i];
    t->rough[row] += fabs(f[i]) + noise / m->tolerance;
    if (t->damps) t->damps[row] += damping[i];
  }
  for (int a = 0; t->stiff && a < w->nodes; a++)
    for (int b = 0; b < w->nodes; b++)
      dls_body_add_block(m, w->node[a], w->node[b], K + a * m->dim * own + b * m->dim, own,
                         t->stiff);
  return DLS_OK;
}

static DlsStatus add_cells(const DlsBodyModel *m, const double *state, Trial *t) {
  DlsStatus status = DLS_OK;
  Work *w = NULL;
  DLS_NEW(w, 1);
  for (int c = 0; c < m->cells && status == DLS_OK; c++) status = add_cell(m, state, c, t, w);
  free(w);
  const double share = t->step->after * (t->step->after + m->beta);
  for (int i = 0; i < m->n; i++) {
    if (m->spring[i] == 0) continue;
    const double way = t->end[i] - state[start_of(m) + i];
    t->force[i] += m->spring[i] * (t->mean[i] + m->beta * way / t->step->h);
    if (t->damps) t->damps[i] += m->spring[i] * m->beta * way / t->step->h;
    if (t->stiff) t->stiff[dls_body_find(m, i, i)] += share * m->spring[i];
  }
  return status;
}

static DlsStatus linearise(const void *model, const double *state, const DlsDeformableStep *step,
                           const double *v, const double *guess, double *value, double *p,
                           double *sizes) {
  const DlsBodyModel *m = model;
  const double part = 1 - step->still + step->after * m->alpha;
  double inner = 0, outer = 0, drag = 0;
  Trial t;
  DlsStatus status = open_trial(m, state, step, v, guess, value != NULL, false, &t);
  if (status == DLS_OK) status = add_cells(m, state, &t);
  for (int i = 0; i < m->n && status == DLS_OK; i++) {
    if (m->number[i] < 0) continue;
    const double dragged = dls_body_mass_row(m, i, t.drag);
    p[m->number[i]] = step->h * (t.outer[i] - t.force[i]) - dragged;
    inner = fmax(inner, step->h * t.rough[i]);
    outer = fmax(outer, fabs(step->h * t.outer[i]));
    drag = fmax(drag, fabs(dragged));
  }
  *sizes = inner + outer + drag;
  for (int e = 0; value && status == DLS_OK && e < m->pattern.start[m->free]; e++)
    value[e] = t.stiff[m->entry[e]];
  if (value && status == DLS_OK) dls_body_add_mass(m, part, value);
  free(t.all);
  return status;
}

/* What points remember moves on, cell by cell; what they store more than before, and what their
 * laws lose, is told. */
static DlsStatus remember(const DlsBodyModel *m, double *state, const Trial *t, double *gained,
                          DlsDeformableWorks *works) {
  DlsStatus status = DLS_OK;
  Work *w = NULL;
  DLS_NEW(w, 1);
  for (int c = 0; c < m->cells && status == DLS_OK; c++) {
    const DlsBulk *law = m->material[m->material_of[c]].law;
    double *lost = law->claims & DLS_BULK_RATE ? &works->viscous : &works->plastic;
    status = take_cell(m, c, state + start_of(m), t->end, 0.5, w);
    for (int p = 0; status == DLS_OK && p < w->points; p++) {
      double start[6], *own = state + memory_of(m, w->first + p);
      DlsBodyEnd end;
      status = ask_point(m, w, p, state, t->step, true, start, &end);
      if (status != DLS_OK) break;
      const double stored = end.energy * w->cell.point[p].weight;
      *gained += stored - own[ENERGY];
      *lost += end.lost * w->cell.point[p].weight;
      memcpy(own + STRESS, end.stress, sizeof end.stress);
      own[ENERGY] = stored;
      own[ACROSS] = end.across;
      memcpy(own + MEMORY, end.next, (size_t)law->nstates * sizeof *own);
    }
  }
  free(w);
  return status;
}

/* Lost: what internal forces and damping take along h (v + v+) / 2, of driven nodes along their
 * way, less what is stored. */
static DlsStatus finish(const void *model, const DlsDeformableStep *step, const double *v,
                        double *next, double *state, DlsDeformableWorks *out) {
  const DlsBodyModel *m = model;
  double gained = 0;
  Trial t;
  DlsStatus status = open_trial(m, state, step, v, next, false, m->beta > 0, &t);
  if (status == DLS_OK) status = add_cells(m, state, &t);
  for (int i = 0; i < m->n && status == DLS_OK; i++) {
    const double weight =
        m->share[i] * (step->gravity[i % m->dim] + step->force[i % m->dim] / m->mass);
    const double start = state[start_of(m) + i];
    const double way = t.end[i] - start, path = m->number[i] < 0 ? way : t.half[i];
    const double drag = m->alpha > 0 ? m->alpha * dls_body_mass_row(m, i, t.speed) : 0;
    out->lost += (t.force[i] + drag) * path;
    out->viscous += (drag + (t.damps ? t.damps[i] : 0)) * path;
    gained -= 0.5 * m->spring[i] * start * start;
    out->force += (t.outer[i] - weight) * t.half[i];
    if (m->number[i] >= 0 || (t.half[i] == 0 && path == 0)) continue;
    const double speeds = dls_body_mass_row(m, i, t.drag) / step->h - drag;
    out->force += (speeds - t.outer[i]) * t.half[i] + (t.force[i] + drag) * path;
    /* The ledger has the work of its weight along the path. */
    out->force += weight * (t.half[i] - path);
  }
  if (status == DLS_OK && dls_body_calm(m, step, v, next, state))
    for (int i = 0; i < m->n; i++) {
      const double end = state[i] + step->after * dls_body_speed(m, state, next, i);
      const double weight =
          m->share[i] * (step->gravity[i % m->dim] + step->force[i % m->dim] / m->mass);
      const double work = (t.outer[i] - weight) * (end - t.end[i]);
      t.end[i] = end;
      out->force += work, out->lost += work;
    }
  for (int i = 0; i < m->n && status == DLS_OK; i++)
    gained += 0.5 * m->spring[i] * t.end[i] * t.end[i];
  if (status == DLS_OK) status = remember(m, state, &t, &gained, out);
  out->lost -= gained;
  free(t.all);
  return status;
}

static double strain(const void *model, const double *state) {
  const DlsBodyModel *m = model;
  double sum = 0;
  for (int i = 0; i < m->n; i++) sum += 0.5 * m->spring[i] * state[i] * state[i];
  for (int p = 0; p < m->points; p++) sum += state[memory_of(m, p) + ENERGY];
  return sum;
}

static double tolerance(const void *model) { return ((const DlsBodyModel *)model)->tolerance; }

/* ---- What files see ---- */

static DlsStatus show_cell(const DlsBodyModel *m, const double *state, int c, Work *w,
                           DlsDeformableFields *out) {
  const DlsDeformableMesh *mesh = dls_body_mesh(m);
  const DlsBulk *law = m->material[m->material_of[c]].law;
  double f[DLS_CELL_VELOCITIES] = {0};
  DLS_TRY(take_cell(m, c, state, state, 0.5, w));
  for (int p = 0; p < w->points; p++) {
    const int at = w->first + p;
    const double *memory = state + memory_of(m, at);
    double strain[6], N[DLS_ELEMENT_NODES], dN[DLS_ELEMENT_NODES][3];
    strain_at(w, p, MEAN, strain);
    add_force(w, p, memory + STRESS, f);
    if (w->large)
      dls_cell_large_cauchy(&w->at[MEAN], p, memory + STRESS, out->stress[at]);
    else
      memcpy(out->stress[at], memory + STRESS, sizeof out->stress[at]);
    if (m->plane_stress && !w->large) strain[2] = memory[ACROSS];
    for (int k = 0; k < 6; k++) out->strain[at][k] = k < 3 ? strain[k] : strain[k] / 2;
    out->weight[at] = w->cell.point[p].weight * (w->large ? w->at[MEAN].point[p].J : 1);
    out->energy[at] = memory[ENERGY] / w->cell.point[p].weight;
    w->cell.kind->interpolate(w->cell.kind->inner->point[p].x, N, dN);
    for (int a = 0; a < w->nodes; a++)
      for (int k = 0; k < 3; k++)
        out->place[at][k] +=
            N[a] * (w->X[a][k] + (k < m->dim ? state[w->node[a] * m->dim + k] : 0));
    for (int k = 0; k < mesh->states && law == m->shown; k++)
      out->state[k * mesh->point[m->cells] + at] = memory[MEMORY + k];
  }
  for (int k = 0; k < w->nodes; k++)
    for (int i = 0; i < m->dim; i++)
      out->force[m->first[c] + k][i] = f[dls_element_vtk_node((int)m->type[c], k) * m->dim + i];
  return DLS_OK;
}

static DlsStatus fields(const void *model, const double *state, const double *v,
                        DlsDeformableFields *out) {
  const DlsBodyModel *m = model;
  DlsStatus status = DLS_OK;
  Work *w = NULL;
  DLS_NEW(w, 1);
  for (int i = 0; i < m->n; i++) {
    out->displacement[i / m->dim][i % m->dim] = state[i];
    out->velocity[i / m->dim][i % m->dim] = dls_body_speed(m, state, v, i);
  }
  for (int c = 0; c < m->cells && status == DLS_OK; c++) status = show_cell(m, state, c, w, out);
  free(w);
  return status;
}

/* The forces of what points remember, where the nodes are. */
DlsStatus dls_body_points_forces(const DlsBodyModel *m, const double *state, double *out) {
  DlsStatus status = DLS_OK;
  Work *w = NULL;
  DLS_NEW(w, 1);
  for (int i = 0; i < m->n; i++) out[i] = m->spring[i] * state[i];
  for (int c = 0; c < m->cells && status == DLS_OK; c++) {
    double f[DLS_CELL_VELOCITIES] = {0};
    status = take_cell(m, c, state, state, 0.5, w);
    for (int p = 0; p < w->points && status == DLS_OK; p++)
      add_force(w, p, state + memory_of(m, w->first + p) + STRESS, f);
    for (int i = 0; i < w->nodes * m->dim && status == DLS_OK; i++)
      out[w->node[i / m->dim] * m->dim + i % m->dim] += f[i];
  }
  free(w);
  return status;
}

/* As a step of no length from nothing to where the nodes are. */
DlsStatus dls_body_points_settle(const DlsBodyModel *m, double *state) {
  const DlsDeformableStep step = {.h = 0};
  double gained = 0;
  DlsDeformableWorks works = {0};
  DlsStatus status;
  Trial t = {.step = &step};
  DLS_NEW(t.all, m->n);
  t.end = t.all;
  memcpy(t.end, state, (size_t)m->n * sizeof *state);
  memset(state + start_of(m), 0, (size_t)m->n * sizeof *state);
  dls_body_points_new(m, state);
  status = remember(m, state, &t, &gained, &works);
  memcpy(state + start_of(m), state, (size_t)m->n * sizeof *state);
  free(t.all);
  return status;
}

const DlsDeformableOperations dls_body_points_kind = {
    .name = "body of finite elements",
    DLS_BODY_ALIKE,
    .size = size,
    .begin = begin,
    .move = move,
    .linearise = linearise,
    .tolerance = tolerance,
    .surface = dls_body_surface,
    .mean_velocity = dls_body_mean_velocity,
    .strain = strain,
    .finish = finish,
    .fields = fields,
};
