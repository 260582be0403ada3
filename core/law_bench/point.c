/* One contact alone; formulas in point.h. */
#include "law_bench/point.h"

#include <delassus/local.h>

#include <math.h>
#include <string.h>

#include "base/small.h"

const char *dls_point_component(int dim, int block, int k) {
  static const char *const space[] = {"N", "T1", "T2", "R1", "R2", "S"};
  static const char *const plane[] = {"N", "T", "R"};
  if (k < 0 || k >= block) return "";
  return dim == 2 ? plane[k] : space[k];
}

static int smallest_block(const DlsLaw *law, int dim) {
  static const int blocks[2][3] = {{2, 3, 0}, {3, 5, 6}};
  for (int k = 0; k < 3; k++)
    if (blocks[dim - 2][k] && dls_law_serves(law, blocks[dim - 2][k])) return blocks[dim - 2][k];
  return 0;
}

DlsStatus dls_point_begin(const DlsLaw *law, const double *params, int dim, int block, double mass,
                          DlsPoint *out) {
  memset(out, 0, sizeof *out);
  DLS_CHECK(dim == 2 || dim == 3, DLS_ERR_ARGUMENT, "space has %d dimensions, not 2 or 3", dim);
  if (!block) block = smallest_block(law, dim);
  DLS_CHECK(block >= dim && dls_law_serves(law, block), DLS_ERR_LAW,
            "contact law '%s' serves no such block in %d-D", law->name, dim);
  DLS_CHECK(mass > 0 && isfinite(mass), DLS_ERR_ARGUMENT, "the mass is %g kg; it must be positive",
            mass);
  out->law = law;
  memcpy(out->params, params, (size_t)law->nparams * sizeof *params);
  dls_law_new_state(law, out->state);
  for (int side = 0; side < 2; side++) dls_law_default_fields(law, out->fields[side]);
  dls_law_default_tables(law, 0, out->tables);
  const DlsLawUse use = {.law = law};
  for (int side = 0; side < 2; side++) dls_law_new_surface(&use, out->surface[side]);
  out->mass = mass;
  out->machine = 1e9;
  out->fresh = true;
  DlsContact *c = &out->contact;
  c->dim = dim;
  c->block = block;
  c->mass = mass;
  c->radius = 0.005;
  c->area = 1e-4;
  for (int i = 0; i < 3; i++) c->frame[i][i] = c->axes[0][i][i] = c->axes[1][i][i] = 1;
  return DLS_OK;
}

/* What a law may read of the coming step. */
static DlsContact contact_of(const DlsPoint *point, double h) {
  DlsContact c = dls_point_contact(point);
  c.h = h;
  c.gap_rate = c.gap > 0 ? c.gap / h : 0;
  return c;
}

/* r of the law for u = D r + q, D diagonal. */
static DlsStatus answer(const DlsPoint *point, const DlsContact *c, const double *diagonal,
                        const double *q, double *u, double *r) {
  const int block = c->block;
  const DlsLawUse use = {
      .law = point->law, .kinematics = c, .params = point->params, .state = point->state};
  DlsRelation relation;
  DlsCustomRelation custom;
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0}, q_hat[DLS_MAX_BLOCK], r_hat[DLS_MAX_BLOCK];
  DLS_TRY(dls_law_prepare(&use, &relation));
  const bool is_custom = relation.cone == DLS_CONE_CUSTOM;
  if (is_custom) DLS_TRY(dls_law_custom(&use, &custom));
  for (int k = 0; k < block; k++) {
    D[k * (block + 1)] = diagonal[k] + relation.C[k];
    q_hat[k] = q[k] + relation.b[k] - D[k * (block + 1)] * relation.a[k];
    r_hat[k] = r[k] + relation.a[k];
  }
  const DlsLocalOutcome outcome =
      dls_local_solve(&relation, c->dim, block, is_custom ? &custom : NULL, D, q_hat, r_hat);
  if (outcome == DLS_LOCAL_FAILED) return DLS_ERR_LAW;
  DLS_CHECK(outcome != DLS_LOCAL_NONE, DLS_ERR_LAW,
            "contact law '%s' has no answer at t = %g s, gap %g m; see delassus law check",
            point->law->name, c->time, c->gap);
  for (int k = 0; k < block; k++) {
    r[k] = r_hat[k] - relation.a[k];
    u[k] = diagonal[k] * r[k] + q[k];
  }
  return DLS_OK;
}

DlsStatus dls_point_answer(const DlsPoint *point, double h, const double *q, double *u, double *r) {
  const DlsContact c = contact_of(point, h);
  double diagonal[DLS_MAX_BLOCK];
  for (int k = 0; k < c.block; k++) diagonal[k] = 1 / point->mass;
  memset(r, 0, (size_t)c.block * sizeof *r);
  return answer(point, &c, diagonal, q, u, r);
}

/* A law for the explicit scheme alone: its force at the velocity of the start. */
static DlsStatus push(const DlsPoint *point, const DlsContact *c, const double *diagonal,
                      const double *q, double *u, double *r) {
  const DlsLawUse use = {
      .law = point->law, .kinematics = c, .params = point->params, .state = point->state};
  double force[DLS_MAX_BLOCK] = {0};
  DLS_TRY(dls_law_force(&use, c->u_before, force));
  for (int k = 0; k < c->block; k++) {
    r[k] = c->h * force[k];
    u[k] = q[k] + diagonal[k] * r[k];
  }
  return DLS_OK;
}

/* What the step adds to the surfaces, within their bounds. */
static DlsStatus change_surfaces(DlsPoint *point, const DlsLawUse *use) {
  const DlsLaw *law = point->law;
  double change[2 * DLS_MAX_PARAMS];
  if (law->nsurfaces == 0) return DLS_OK;
  DLS_TRY(dls_law_surface(use, point->u, point->r, change));
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < law->nsurfaces; k++) {
      const double sum = point->surface[side][k] + change[side * law->nsurfaces + k];
      point->surface[side][k] = fmin(fmax(sum, law->surfaces[k].min), law->surfaces[k].max);
    }
  return DLS_OK;
}

/* Energies and the state, after the step that ended with u and r. */
static DlsStatus settle(DlsPoint *point, const DlsContact *c) {
  const DlsLawUse use = {
      .law = point->law, .kinematics = c, .params = point->params, .state = point->state};
  double dissipated;
  DLS_TRY(dls_law_energy(&use, point->u, point->r, &point->stored, &dissipated));
  point->dissipated += dissipated;
  for (int k = 0; k < c->block; k++)
    point->work -= 0.5 * point->r[k] * (point->u[k] + c->u_before[k]);
  DLS_TRY(change_surfaces(point, &use));
  return dls_law_commit(&use, point->u, point->r, point->state);
}

DlsStatus dls_point_step(DlsPoint *point, double h, const DlsDrive *drive) {
  DlsContact c = contact_of(point, h);
  double diagonal[DLS_MAX_BLOCK], q[DLS_MAX_BLOCK];
  DLS_CHECK(h > 0 && isfinite(h), DLS_ERR_ARGUMENT, "the time-step is %g s at t = %g s", h, c.time);
  const DlsLawUse use = {.law = point->law, .kinematics = &c, .params = point->params};
  if (point->fresh && point->law->begin) DLS_TRY(dls_law_begin(&use, point->state));
  for (int k = 0; k < c.block; k++) {
    if (point->fresh && !drive[k].force) c.u_before[k] = drive[k].value; /* moves already */
    diagonal[k] = 1 / (drive[k].force ? point->mass : point->machine * point->mass);
    q[k] = drive[k].force ? c.u_before[k] + h * drive[k].value / point->mass : drive[k].value;
  }
  point->fresh = false;
  if (point->law->prepare || point->law->residual || point->law->traction)
    DLS_TRY(answer(point, &c, diagonal, q, point->u, point->r));
  else
    DLS_TRY(push(point, &c, diagonal, q, point->u, point->r));
  point->held = false;
  for (int k = 0; k < c.block; k++)
    point->held |= !drive[k].force && fabs(point->u[k] - q[k]) > 1e-3 * fabs(q[k]);
  DLS_TRY(settle(point, &c));
  point->contact.time += h;
  point->contact.gap += h * point->u[0];
  memcpy(point->contact.u_before, point->u, sizeof point->u);
  return DLS_OK;
}

DlsStatus dls_point_path(const char *file, int dim, int block, DlsPath *out) {
  DlsPathKind kind = {
      .count = block, .key = {"u", "f"}, .meaning = {"velocities, m/s", "forces, N"}, .at = 0.5};
  for (int k = 0; k < block; k++) kind.name[k] = dls_point_component(dim, block, k);
  return dls_path_read(&kind, file, out);
}
