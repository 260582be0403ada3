#include "solvers/kit/scaled_problem.h"

#include <delassus/cone.h>

#include "base/ledger.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/small.h"
#include "solvers/kit/contact_scale.h"
#include "solvers/kit/solver_state.h"

#include <stdlib.h>

static DlsStatus fill(DlsScaled *s, const double *D) {
  const size_t block = (size_t)s->block;
  const double *q = dls_problem_standard_q(s->problem);
  bool soft = false;
  for (size_t i = 0; i < (size_t)s->contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(s->problem, (int)i);
    s->relations[i] = *relation;
    dls_contact_scale(s->dim, s->block, D + i * block * block, &s->relations[i],
                      s->scale + i * block);
    /* A custom law knows one rho for all components, so they have one scale. */
    const double even =
        dls_contact_scale_group(s->dim, s->block, D + i * block * block, 0, s->block);
    for (size_t k = 0; k < block && relation->cone == DLS_CONE_CUSTOM; k++)
      s->scale[i * block + k] = even;
    for (size_t e = i * block; e < (i + 1) * block; e++) {
      s->q[e] = s->scale[e] * q[e];
      s->compliance[e] = s->scale[e] * s->scale[e] * relation->C[e - i * block];
      soft |= s->compliance[e] != 0;
    }
  }
  if (!soft) s->compliance = NULL;
  for (int i = 0; i < s->contacts; i++) {
    const DlsRelation *relation = &s->relations[i];
    const bool circle = s->dim == 2 || relation->mu[DLS_MU_1] == relation->mu[DLS_MU_2];
    const bool plain = relation->cone == DLS_CONE_COULOMB && s->block == s->dim && circle;
    s->plain[i] = plain ? relation->mu[DLS_MU_1] : -1;
    s->theta[i] = (1 - relation->associated) * relation->mu[DLS_MU_1];
  }
  return DLS_OK;
}

static DlsStatus prepare(DlsScaled *s, const DlsProblem *problem) {
  s->problem = problem;
  s->contacts = dls_problem_contacts(problem);
  s->block = dls_problem_block(problem);
  s->dim = dls_problem_dim(problem);
  s->n = dls_solver_state_size(problem);
  DLS_NEW(s->relations, s->contacts);
  DLS_NEW(s->memory, 5 * s->n + 2 * (size_t)s->contacts);
  double *next = s->memory, *D;
  s->scale = dls_solver_state_slice(&next, s->n);
  s->q = dls_solver_state_slice(&next, s->n);
  s->compliance = dls_solver_state_slice(&next, s->n);
  s->physical = dls_solver_state_slice(&next, s->n);
  s->image = dls_solver_state_slice(&next, s->n);
  s->plain = dls_solver_state_slice(&next, (size_t)s->contacts);
  s->theta = dls_solver_state_slice(&next, (size_t)s->contacts);
  DLS_NEW(D, s->n * (size_t)s->block);
  dls_problem_standard_diagonal(problem, D);
  const DlsStatus status = fill(s, D);
  free(D);
  return status;
}

DlsStatus dls_scaled_create(const DlsProblem *problem, DlsScaled **out) {
  DlsScaled *s;
  *out = NULL;
  DLS_NEW(s, 1);
  const DlsStatus status = prepare(s, problem);
  if (status == DLS_OK)
    *out = s;
  else
    dls_scaled_destroy(s);
  return status;
}

void dls_scaled_destroy(DlsScaled *scaled) {
  if (!scaled) return;
  free(scaled->relations);
  free(scaled->memory);
  free(scaled);
}

void dls_scaled_multiply(const DlsScaled *s, const double *x, double *y) {
  for (size_t e = 0; e < s->n; e++) s->physical[e] = s->scale[e] * x[e];
  dls_operator_apply(dls_problem_operator(s->problem), s->physical, s->image);
  for (size_t e = 0; e < s->n; e++) y[e] = s->scale[e] * s->image[e];
  for (size_t e = 0; s->compliance && e < s->n; e++) y[e] += s->compliance[e] * x[e];
}

void dls_scaled_velocity(const DlsScaled *s, const double *r, double *u) {
  dls_scaled_multiply(s, r, u);
  for (size_t e = 0; e < s->n; e++) u[e] += s->q[e];
}

void dls_scaled_take(const DlsScaled *s, const double *r_hat, double *r) {
  for (size_t e = 0; e < s->n; e++) r[e] = r_hat[e] / s->scale[e];
}

void dls_scaled_give(const DlsScaled *s, const double *r, double *r_hat) {
  for (size_t e = 0; e < s->n; e++) r_hat[e] = s->scale[e] * r[e];
}

void dls_scaled_shift(const DlsScaled *s, const double *u, double *shift) {
  for (int i = 0; i < s->contacts; i++) {
    const double *ui = u + (size_t)i * (size_t)s->block;
    if (s->plain[i] >= 0)
      shift[i] = s->theta[i] * (s->block == 2 ? fabs(ui[1]) : sqrt(ui[1] * ui[1] + ui[2] * ui[2]));
    else
      shift[i] = dls_cone_shift(&s->relations[i], s->dim, s->block, ui, NULL);
  }
}

/* The cone |x_T| <= mu x_N as dls_cone_project() has it, in line: first-order solvers do little
 * else. */
static inline void project_plain(double mu, int block, double *x) {
  const double norm = block == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
  if (x[0] >= 0 && norm <= mu * x[0]) return;
  const double normal = fmax(0.0, (x[0] + mu * norm) / (1 + mu * mu));
  const double ratio = norm > 0 ? mu * normal / norm : 0;
  x[0] = normal;
  for (int k = 1; k < block; k++) x[k] *= ratio;
}

/* The projection of a law, in its own units: step S^2 is the rho that it is given. */
static DlsStatus project_custom(const DlsScaled *s, int i, double step, const double *u,
                                const double *r, double *out) {
  const DlsCustomRelation *custom = &dls_problem_custom(s->problem)[i];
  const double S = s->scale[(size_t)i * (size_t)s->block];
  double u_law[DLS_MAX_BLOCK] = {0}, r_law[DLS_MAX_BLOCK] = {0};
  for (int k = 0; k < s->block; k++) {
    u_law[k] = u[k] / S;
    r_law[k] = S * r[k];
  }
  DLS_TRY(custom->project(custom->context, u_law, step * S * S, r_law));
  for (int k = 0; k < s->block; k++) out[k] = r_law[k] / S;
  return DLS_OK;
}

typedef struct {
  const DlsScaled *s;
  double step;
  const double *shift, *u, *r;
  double *out;
} Projection;

enum { PROJECT_CHUNK = 512 }; /* contacts, some 10 us */

static DlsStatus project_some(void *context, size_t begin, size_t end, int lane) {
  const Projection *p = context;
  const DlsScaled *s = p->s;
  const size_t block = (size_t)s->block;
  (void)lane;
  for (size_t i = begin; i < end; i++) {
    const size_t at = i * block;
    if (s->relations[i].cone == DLS_CONE_CUSTOM) {
      DLS_TRY(project_custom(s, (int)i, p->step, p->u + at, p->r + at, p->out + at));
      continue;
    }
    for (size_t e = at; e < at + block; e++) p->out[e] = p->r[e] - p->step * p->u[e];
    if (p->shift) p->out[at] -= p->step * p->shift[i];
    if (s->plain[i] >= 0)
      project_plain(s->plain[i], s->block, p->out + at);
    else
      dls_cone_project(&s->relations[i], s->dim, s->block, p->out + at);
  }
  return DLS_OK;
}

DlsStatus dls_scaled_project(const DlsScaled *s, double step, const double *shift, const double *u,
                             const double *r, double *out) {
  Projection all = {s, step, shift, u, r, out};
  dls_ledger.contacts += s->contacts;
  return dls_pool_try((size_t)s->contacts, PROJECT_CHUNK, project_some, &all);
}

int dls_scaled_groups(const DlsScaled *s, int i, DlsConeGroup groups[3]) {
  const DlsRelation *relation = &s->relations[i];
  const double *mu = relation->mu;
  const int count = dls_cone_groups(relation, s->dim, s->block, groups);
  if (relation->cone == DLS_CONE_COULOMB && count && groups[0].size == 2 &&
      mu[DLS_MU_1] != mu[DLS_MU_2])
    groups[0] =
        mu[DLS_MU_1] > 0 ? (DlsConeGroup){1, 1, mu[DLS_MU_1]} : (DlsConeGroup){2, 1, mu[DLS_MU_2]};
  return count;
}

void dls_scaled_disks(const DlsScaled *s, int i, const double *radius, double *x) {
  DlsConeGroup groups[3] = {{0}};
  double out[DLS_MAX_BLOCK] = {fmax(x[0], 0.0)};
  const int count = dls_scaled_groups(s, i, groups);
  for (int g = 0; g < count; g++) {
    const DlsConeGroup *group = &groups[g];
    const double norm = dls_small_norm(group->size, x + group->first);
    const double most = radius ? radius[g] : group->mu * out[0];
    const double ratio = norm > most ? most / norm : 1;
    for (int k = group->first; k < group->first + group->size; k++) out[k] = ratio * x[k];
  }
  memcpy(x, out, (size_t)s->block * sizeof *x);
}

double dls_scaled_dilation(const DlsScaled *s, int i, const double *u) {
  return dls_cone_dilation(&s->relations[i], s->dim, s->block, u, NULL);
}

double dls_scaled_dot(const DlsScaled *s, const double *x, const double *y) {
  double sum = 0;
  for (size_t e = 0; e < s->n; e++) sum += x[e] * y[e];
  return sum;
}

DlsStatus dls_scaled_residual(const DlsScaled *s, const double *shift, const double *u,
                              const double *r, double *work, double *norm) {
  DLS_TRY(dls_scaled_project(s, 1, shift, u, r, work));
  for (size_t e = 0; e < s->n; e++) work[e] = r[e] - work[e];
  *norm = sqrt(dls_scaled_dot(s, work, work));
  return DLS_OK;
}
