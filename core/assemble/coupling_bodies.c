/* The bodies of a world with deformable ones, apart from their contacts: M^ and p, the inertia made
 * of them, free velocities, and what is left of their balance; see coupling.h. */
#include "assemble/coupling_impl.h"

#include "assemble/rigid_motion.h"
#include "assemble/support.h"

#include "base/memory.h"
#include "world/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a planted velocity, up to 1: what comes back is this near, in a body that is held. */
static const double returned = 1e-3;
static double planted_velocity(int n) { return 1 - 0.5 * ((n * 37) % 64) / 64.0; }

long dls_coupling_factorisations(const DlsAssembly *a) {
  const DlsCoupling *k = a->run.coupling;
  return k && k->inertia ? dls_inertia_factorisations(k->inertia) : 0;
}

DlsStatus dls_coupling_impulses(const DlsAssembly *a, const DlsWorld *world, const double *velocity,
                                double *out) {
  const DlsInertia *inertia = a->run.coupling->inertia;
  const size_t all = (size_t)dls_inertia_freedom(inertia),
               soft = (size_t)world->deformable.velocities;
  double *v;
  DLS_NEW(v, 2 * all);
  memcpy(v, velocity, soft * sizeof *v); /* their parts come first */
  dls_inertia_apply(inertia, v, v + all);
  memcpy(out, v + all, soft * sizeof *out);
  free(v);
  return DLS_OK;
}

static int dof_of(const DlsWorld *world) { return world->dim == 2 ? 3 : 6; }

bool dls_coupling_is_of(const DlsCoupling *k, const DlsWorld *world) {
  if (!k->inertia || k->soft != world->deformable.count) return false;
  for (int p = 0; p < k->soft; p++)
    if (k->id[p] != world->id[world->deformable.item[p].body]) return false;
  return true;
}

/* A step about a guess of v+. */
typedef struct {
  DlsDeformableStep *step;
  const double (*force)[6]; /* on all bodies */
  const double *guess;      /* [velocities] of deformable ones; NULL: v */
} About;

/* What deformable body number p is taken about: of a linear one always v. */
static const double *guess_of(const DlsWorld *world, const About *about, int p) {
  const DlsDeformable *d = &world->deformable.item[p];
  const bool guessed = about->guess && d->kind->linearise;
  return (guessed ? about->guess : world->deformable.velocity) + d->velocity;
}

/* M^ of all, and p. */
static DlsStatus fill_matrices(const DlsCoupling *k, const DlsWorld *world, const About *about,
                               double *value) {
  for (int p = 0; p < k->soft; p++) {
    const DlsDeformable *d = &world->deformable.item[p];
    const double *state = world->deformable.state + d->state;
    const double *force = about->force[d->body], *v = world->deformable.velocity + d->velocity;
    double *M = value + k->first[p], *load = k->load + d->velocity;
    DLS_CHECK(force[3] == 0 && force[4] == 0 && force[5] == 0, DLS_ERR_UNSUPPORTED,
              "a torque acts on body %llu, a %s: a body that is not rigid takes forces alone",
              (unsigned long long)world->id[d->body], d->kind->name);
    memcpy(about->step->force, force, sizeof about->step->force);
    if (d->kind->linearise) {
      DLS_TRY(d->kind->linearise(d->model, state, about->step, v, guess_of(world, about, p), M,
                                 load, &k->size[p]));
      continue;
    }
    d->kind->matrix(d->model, state, about->step, M);
    DLS_TRY(d->kind->load(d->model, state, about->step, v, load));
  }
  return DLS_OK;
}

/* Masses of the rigid bodies, and the part of each body. */
static DlsStatus fill_rigid(DlsCoupling *k, const DlsWorld *world, int *rigid) {
  const size_t size = (size_t)(dof_of(world) * dof_of(world));
  if (world->count > k->room || !k->part) {
    free(k->part);
    free(k->mass);
    k->part = NULL;
    k->mass = NULL;
    k->room = world->count + world->count / 4 + 16;
    DLS_NEW(k->part, k->room);
    DLS_NEW(k->mass, (size_t)k->room * size);
  }
  k->bodies = world->count;
  *rigid = 0;
  for (int b = 0, p = 0; b < world->count; b++) {
    if (p < k->soft && world->deformable.item[p].body == b) {
      k->part[b] = p++;
      continue;
    }
    k->part[b] = k->soft + *rigid;
    dls_support_body_mass(world, b, k->mass + (size_t)(*rigid)++ * size);
  }
  return DLS_OK;
}

static DlsStatus make_scratch(DlsCoupling *k) {
  const int freedom = dls_inertia_freedom(k->inertia);
  int most = 6;
  for (int p = 0; p < k->soft; p++) {
    const int n = dls_inertia_start(k->inertia, p + 1) - dls_inertia_start(k->inertia, p);
    if (n > most) most = n;
  }
  if (most > k->most) {
    free(k->b);
    free(k->x);
    k->b = k->x = NULL;
    k->most = 0;
    DLS_NEW(k->b, most);
    DLS_NEW(k->x, most);
    k->most = most;
  }
  if (freedom > k->freedom || !k->dv) {
    free(k->dv);
    k->dv = NULL;
    DLS_NEW(k->dv, freedom);
    k->freedom = freedom;
  }
  return DLS_OK;
}

/* The velocities that contacts reach, where W between all of them is worth its memory and its cost:
 * of bodies whose factor lasts. */
static const int *surface_of(const DlsDeformable *d, int *count) {
  enum { MOST = 4000 }; /* 128 MB */
  *count = 0;
  if (d->kind->linearise || !d->kind->surface) return NULL;
  const int *velocity = d->kind->surface(d->model, count);
  if (*count > MOST) *count = 0;
  return velocity;
}

/* With the drag to take, 1/s: a thousandth of what its stiffness does to a node, spread over all of
 * it. It takes that share of a load that comes within a step, and nothing of one that stays. */
static DlsStatus not_held(const DlsWorld *world, int p, const DlsDeformableStep *step,
                          const double *value) {
  const DlsDeformable *d = &world->deformable.item[p];
  const DlsSparse *M = d->kind->pattern(d->model);
  double sum = 0;
  for (int i = 0; i < M->rows; i++)
    for (int e = M->start[i]; e < M->start[i + 1]; e++)
      if (M->column[e] == i) sum += fabs(value[e]);
  return dls_fail(DLS_ERR_NUMERIC,
                  "body %llu, a %s, is not held: it can move without being strained, or gives way, "
                  "and a quasi-static step has no inertia; hold it (fixed, prescribed or springs), "
                  "or let contacts do, with a drag of its own, damping: {mass: %.0e 1/s}",
                  (unsigned long long)world->id[d->body], d->kind->name,
                  1e-3 * sum / M->rows / (step->h * world->mass[d->body]));
}

/* An inertia of the bodies of now. */
static DlsStatus make(DlsCoupling *k, const DlsWorld *world, const About *about) {
  const DlsDeformables *all = &world->deformable;
  int rigid;
  dls_inertia_destroy(&k->inertia);
  free(k->id);
  free(k->first);
  free(k->value);
  free(k->next);
  free(k->load);
  free(k->size);
  k->id = NULL, k->first = NULL, k->value = k->next = k->load = k->size = NULL;
  k->soft = all->count;
  DLS_NEW(k->id, k->soft);
  DLS_NEW(k->first, k->soft + 1);
  for (int p = 0; p < k->soft; p++) {
    const DlsSparse *pattern = all->item[p].kind->pattern(all->item[p].model);
    k->id[p] = world->id[all->item[p].body];
    k->first[p + 1] = k->first[p] + pattern->start[pattern->rows];
  }
  DLS_NEW(k->value, k->first[k->soft]);
  DLS_NEW(k->next, k->first[k->soft]);
  DLS_NEW(k->load, all->velocities);
  DLS_NEW(k->size, k->soft);
  DLS_TRY(fill_matrices(k, world, about, k->value));
  DLS_TRY(fill_rigid(k, world, &rigid));
  DlsInertia *made;
  DLS_TRY(dls_inertia_create(&made));
  DlsStatus status = DLS_OK;
  for (int p = 0; p < k->soft && status == DLS_OK; p++) {
    DlsSparse M = *all->item[p].kind->pattern(all->item[p].model);
    int surface;
    const int *velocity = surface_of(&all->item[p], &surface);
    M.value = k->value + k->first[p];
    status = dls_inertia_add_sparse_surface(made, &M, surface, velocity);
    if (status == DLS_ERR_ARGUMENT && about->step->still == 1)
      status = not_held(world, p, about->step, M.value);
  }
  if (status == DLS_OK) status = dls_inertia_add_rigid(made, rigid, dof_of(world), k->mass);
  if (status != DLS_OK) {
    dls_inertia_destroy(&made);
    return status;
  }
  k->inertia = made;
  return make_scratch(k);
}

/* The numbers of now in the inertia that there is. */
static DlsStatus change(DlsCoupling *k, const DlsWorld *world, const About *about) {
  int rigid;
  DLS_TRY(fill_matrices(k, world, about, k->next));
  for (int p = 0; p < k->soft; p++) {
    const size_t at = (size_t)k->first[p], bytes = sizeof *k->value;
    const size_t entries = (size_t)k->first[p + 1] - at;
    if (memcmp(k->value + at, k->next + at, entries * bytes) == 0) continue;
    k->value[at] = NAN; /* until it is factored */
    const DlsStatus status = dls_inertia_change_sparse(k->inertia, p, k->next + at);
    if (status == DLS_ERR_ARGUMENT && about->step->still == 1)
      return not_held(world, p, about->step, k->next + at);
    DLS_TRY(status);
    memcpy(k->value + at, k->next + at, entries * bytes);
  }
  DLS_TRY(fill_rigid(k, world, &rigid));
  DLS_TRY(dls_inertia_change_rigid(k->inertia, rigid, k->mass));
  return make_scratch(k);
}

/* A planted velocity comes back from M^: a body that can move without being strained, and that
 * nothing drags, has an M^ whose factors are round-off where it should have none. */
static DlsStatus check_held(DlsCoupling *k, const DlsWorld *world, int p,
                            const DlsDeformableStep *step) {
  const DlsDeformable *d = &world->deformable.item[p];
  const int n = d->size.velocities;
  DlsSparse M = *d->kind->pattern(d->model);
  double off = 0;
  bool rigid = false;
  M.value = k->value + k->first[p];
  if (d->kind->mesh) DLS_TRY(dls_rigid_motion_left(d->kind->mesh(d->model), &M, &rigid));
  if (rigid) return not_held(world, p, step, M.value);
  for (int i = 0; i < n; i++) {
    k->b[i] = 0;
    for (int e = M.start[i]; e < M.start[i + 1]; e++)
      k->b[i] += M.value[e] * planted_velocity(M.column[e]);
  }
  DLS_TRY(dls_inertia_solve_part(k->inertia, p, 1, k->b, k->x));
  for (int i = 0; i < n; i++) off = fmax(off, fabs(k->x[i] - planted_velocity(i)));
  return off <= returned ? DLS_OK : not_held(world, p, step, M.value);
}

/* v_free = v + M^ ^-1 p of deformable body number p, and of its centre of mass; about a guess in
 * the place of v. */
static DlsStatus free_velocity_of(const DlsCoupling *k, const DlsWorld *world, int p,
                                  const About *about, double *out) {
  const DlsDeformable *d = &world->deformable.item[p];
  const double *v = guess_of(world, about, p);
  double *free_velocity = out + dls_layout_start(world, d->body);
  DLS_TRY(dls_inertia_solve_part(k->inertia, p, 1, k->load + d->velocity, k->x));
  for (int n = 0; n < d->size.velocities; n++) free_velocity[n] = v[n] + k->x[n];
  double *six = out + 6 * (size_t)d->body;
  memset(six, 0, 6 * sizeof *six);
  d->kind->mean_velocity(d->model, world->deformable.state + d->state, free_velocity, six);
  return DLS_OK;
}

DlsStatus dls_coupling_free_velocity(DlsAssembly *a, const DlsWorld *world, DlsDeformableStep *step,
                                     const double (*force)[6], const double *guess,
                                     double *free_velocity) {
  const About about = {step, force, guess ? guess + dls_layout_front(world) : NULL};
  dls_problem_destroy(&a->solve.problem); /* it stands on the inertia as it was */
  if (!a->run.coupling) DLS_NEW(a->run.coupling, 1);
  DlsCoupling *k = a->run.coupling;
  DLS_TRY(dls_coupling_is_of(k, world) ? change(k, world, &about) : make(k, world, &about));
  for (int p = 0; p < k->soft && step->still == 1; p++) DLS_TRY(check_held(k, world, p, step));
  for (int p = 0; p < k->soft; p++) DLS_TRY(free_velocity_of(k, world, p, &about, free_velocity));
  return DLS_OK;
}

/* The share of the sizes of its terms that is left of p + H^T r of part p, at v+. */
static DlsStatus left_of(const DlsAssembly *a, const DlsWorld *world, DlsDeformableStep *step,
                         const double (*force)[6], const double *velocity, int p, double *out) {
  const DlsCoupling *k = a->run.coupling;
  const DlsDeformable *d = &world->deformable.item[p];
  double pushed = 0, left = 0, size;
  memset(k->b, 0, (size_t)d->size.velocities * sizeof *k->b);
  dls_coupling_add_push(a, p, k->b);
  memcpy(step->force, force[d->body], sizeof step->force);
  DLS_TRY(d->kind->linearise(d->model, world->deformable.state + d->state, step,
                             world->deformable.velocity + d->velocity,
                             velocity + dls_layout_front(world) + d->velocity, NULL, k->x, &size));
  for (int n = 0; n < d->size.velocities; n++) {
    pushed = fmax(pushed, fabs(k->b[n]));
    left = fmax(left, fabs(k->b[n] + k->x[n]));
  }
  *out = left > 0 ? left / (size + pushed) : 0;
  return DLS_OK;
}

DlsStatus dls_coupling_balance(const DlsAssembly *a, const DlsWorld *world, DlsDeformableStep *step,
                               const double (*force)[6], const double *velocity, double *left,
                               int *body) {
  *left = 0;
  *body = -1;
  for (int p = 0; p < world->deformable.count; p++) {
    const DlsDeformable *d = &world->deformable.item[p];
    double own;
    if (!d->kind->linearise) continue;
    DLS_TRY(left_of(a, world, step, force, velocity, p, &own));
    own /= d->kind->tolerance(d->model);
    if (*body >= 0 && own <= *left) continue;
    *left = own;
    *body = d->body;
  }
  return DLS_OK;
}
