/* A pass over contacts between spheres: as sweep_factored.c, on the frame and four numbers of each
 * contact. The block of a contact is diagonal, so its solve is a step along -u, cut at the cone. */
#include "solvers/kit/sweep_lanes.h"

#include "problem/operator/spheres.h"

#include "base/memory.h"

#include <string.h>

/* Isotropic contacts take the short way; a compliance that is not the same along t1 and t2 does
 * not. */
static DlsSweepKind kind_of(const DlsRelation *relation, double normal, double tangent) {
  const double mu = relation->mu[DLS_MU_1];
  const bool plain = relation->cone == DLS_CONE_COULOMB && mu > 0 && mu == relation->mu[DLS_MU_2] &&
                     relation->C[1] == relation->C[2] && normal > 0 && tangent > 0 &&
                     isfinite(1 / normal) && isfinite(1 / tangent);
  if (!plain) return DLS_KIND_GENERAL;
  return relation->associated > 0 ? DLS_KIND_DILATANT : DLS_KIND_COULOMB;
}

static DlsStatus prepare(DlsSweep *sweep) {
  sweep->view = dls_operator_view(dls_problem_operator(sweep->problem), DLS_LAYOUT_SPHERES);
  const DlsSpheres s = *(const DlsSpheres *)sweep->view;
  sweep->stride = DLS_SPHERE_STRIDE;
  sweep->velocities = (size_t)s.bodies * DLS_SPHERE_STRIDE;
  DLS_NEW(sweep->y, ((size_t)s.bodies + 1) * DLS_SPHERE_STRIDE);
  sweep->memory = sweep->y;
  DLS_NEW(sweep->sphere, s.contacts);
  for (int i = 0; i < s.contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(sweep->problem, i);
    double normal, tangent;
    dls_sphere_diagonal(&s.contact[i], &normal, &tangent);
    sweep->same_bodies |= s.contact[i].body[0] == s.contact[i].body[1];
    normal += relation->C[0];
    tangent += relation->C[1];
    sweep->sphere[i] = (DlsSweepSphere){.inverse_nn = 1 / normal,
                                        .inverse_tt = 1 / tangent,
                                        .mu = relation->mu[DLS_MU_1],
                                        .kind = kind_of(relation, normal, tangent)};
  }
  return DLS_OK;
}

static void sphere_block(const DlsSweep *sweep, int i, double *D) {
  const DlsSpheres s = *(const DlsSpheres *)sweep->view;
  memset(D, 0, 9 * sizeof *D);
  dls_sphere_diagonal(&s.contact[i], &D[0], &D[4]);
  D[8] = D[4];
  if (sweep->compliance)
    for (int k = 0; k < 3; k++) D[4 * k] += sweep->compliance[3 * (size_t)i + (size_t)k];
}

static void soften(DlsSweep *sweep) {
  for (int i = 0; i < sweep->contacts; i++) {
    double D[9];
    sphere_block(sweep, i, D);
    sweep->sphere[i].inverse_nn = 1 / D[0];
    sweep->sphere[i].inverse_tt = 1 / D[4];
  }
}

DLS_HOT static void scatter(DlsSweep *sweep, const DlsSweepList *list, const double *r_hat) {
  const DlsSpheres s = *(const DlsSpheres *)sweep->view;
  for (int n = 0; n < list->count; n++) {
    const int i = dls_sweep_contact(list, n);
    dls_sphere_scatter(&s.contact[i], r_hat + 3 * (size_t)i, sweep->y);
  }
}

/* By the general way: q_local = u - D r. */
static void update_general(DlsSweep *sweep, int i, const double *u, double *r) {
  double D[9], local[3];
  sphere_block(sweep, i, D);
  for (int k = 0; k < 3; k++) local[k] = u[k] - D[4 * k] * r[k];
  dls_sweep_general(sweep, i, local, r);
}

/* The step that is cut at the cone (dls_sweep_cut), with dilatancy, α = associated: with n and t
 * what the step along -u gives, t beyond the cone, û_N = α mu |û_T| is at N = (D_NN n + α mu D_TT
 * |t|) / (D_NN + α mu² D_TT). */
static void update_dilatant(const DlsSweepSphere *c, double associated, double omega,
                            const double *u, double *r) {
  const double normal = r[0] - u[0] * c->inverse_nn, mu = c->mu;
  const double t1 = r[1] - u[1] * c->inverse_tt, t2 = r[2] - u[2] * c->inverse_tt;
  const double size = sqrt(t1 * t1 + t2 * t2), tangent = associated * mu;
  double next[3] = {normal, t1, t2};
  if (!(size <= mu * normal)) {
    const double above = normal * c->inverse_tt + tangent * size * c->inverse_nn;
    next[0] = fmax(above / (c->inverse_tt + tangent * mu * c->inverse_nn), 0);
    const double scale = size > 0 ? mu * next[0] / size : 0;
    next[1] = t1 * scale;
    next[2] = t2 * scale;
  }
  dls_sweep_relax(3, omega, next, r);
}

/* A contact that takes another way: no part of the pass, which has few registers to spare, but
 * compiled for the same machines, so that it rounds as it would there. */
DLS_HOT __attribute__((noinline)) void dls_sweep_sphere_other(DlsSweep *sweep, int i,
                                                              const double *u, double *r) {
  if (sweep->update == DLS_SWEEP_SOLVE && sweep->sphere[i].kind == DLS_KIND_DILATANT)
    update_dilatant(&sweep->sphere[i], dls_problem_relation(sweep->problem, i)->associated,
                    sweep->omega, u, r);
  else
    update_general(sweep, i, u, r);
}

/* What the machine does not foresee: that the next list begins at contact i. */
DLS_INLINE void ask_for(const DlsSweep *sweep, const DlsSpheres *s, int i, const double *r) {
  enum { SOME = 8, LINE = 64 };
  const char *contact = (const char *)&s->contact[i], *own = (const char *)&sweep->sphere[i];
  const char *q = (const char *)(sweep->q + 3 * (size_t)i), *ri = (const char *)(r + 3 * (size_t)i);
  for (size_t b = 0; b < SOME * sizeof *s->contact; b += LINE) __builtin_prefetch(contact + b);
  for (size_t b = 0; b < SOME * sizeof *sweep->sphere; b += LINE) __builtin_prefetch(own + b);
  for (size_t b = 0; b < SOME * 3 * sizeof *r; b += LINE) {
    __builtin_prefetch(q + b);
    __builtin_prefetch(ri + b);
  }
}

DLS_HOT static void pass(DlsSweep *sweep, const DlsSweepList *list, long passes, double *r) {
  const DlsSpheres s = *(const DlsSpheres *)sweep->view;
  const double *q = sweep->q, *C = sweep->compliance;
  const int solving = sweep->update == DLS_SWEEP_SOLVE, count = list->count;
  const int *order = list->order;
  double *const y = sweep->y, moved2 = 0;
  if (list->next) ask_for(sweep, &s, list->next, r);
  for (long turn = passes * count, n = 0; turn > 0; turn--, n = n + 1 < count ? n + 1 : 0) {
    const int i = dls_sweep_contact(list, (int)n);
    if (order) { /* a list has gaps that the machine does not foresee */
      const int ahead = order[n + 6 < count ? n + 6 : count - 1];
      __builtin_prefetch(&s.contact[ahead]);
      __builtin_prefetch(&s.contact[ahead].frame[8]);
      __builtin_prefetch(&sweep->sphere[ahead]);
      __builtin_prefetch(q + 3 * (size_t)ahead);
      const int nearer = order[n + 3 < count ? n + 3 : count - 1];
      for (int k = 0; k < 2; k++) {
        __builtin_prefetch(y + 8 * (size_t)s.contact[nearer].body[k]);
      }
    } else if (n + 8 < count) {
      const DlsSphereContact *soon = &s.contact[dls_sweep_contact(list, (int)n + 8)];
      for (int k = 0; k < 2; k++) __builtin_prefetch(y + 8 * (size_t)soon->body[k]);
    }
    double *ri = r + 3 * (size_t)i, u[3], dr[3];
    for (int k = 0; k < 3; k++) u[k] = q[3 * (size_t)i + (size_t)k];
    dls_sphere_gather(&s.contact[i], y, u);
    if (C)
      for (int k = 0; k < 3; k++) u[k] += C[3 * (size_t)i + (size_t)k] * ri[k];
    for (int k = 0; k < 3; k++) dr[k] = -ri[k];
    if (solving && sweep->sphere[i].kind == DLS_KIND_COULOMB)
      dls_sweep_cut(sweep->sphere[i].inverse_nn, sweep->sphere[i].inverse_tt, sweep->sphere[i].mu,
                    sweep->omega, u, ri);
    else
      dls_sweep_sphere_other(sweep, i, u, ri);
    for (int k = 0; k < 3; k++) dr[k] += ri[k];
    if (dr[0] == 0 && dr[1] == 0 && dr[2] == 0) continue; /* an open contact that stays open */
    moved2 += dr[0] * dr[0] + dr[1] * dr[1] + dr[2] * dr[2];
    dls_sphere_scatter(&s.contact[i], dr, y);
  }
  sweep->moved2 = moved2;
}

static bool fits(const DlsOperator *W) { return dls_operator_view(W, DLS_LAYOUT_SPHERES) != NULL; }

const DlsSweepKernel dls_sweep_on_spheres = {.on_parts = true,
                                             .fits = fits,
                                             .prepare = prepare,
                                             .scatter = scatter,
                                             .pass = pass,
                                             .pass_clusters = dls_sweep_in_lanes,
                                             .block = sphere_block,
                                             .soften = soften};
