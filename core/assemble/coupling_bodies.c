/* The bodies of a world with deformable ones, apart from their contacts: M^ and p, the inertia
 * made of them, free velocities, and what is left of their balance; see coupling.h.
 *
 * In a quasi-static step M^ is singular for a body that only its contacts hold: rigid motions
 * strain nothing. Such a body gets a drag D, a small multiple of the identity, about the v* that
 * the step was solved for last,
 *
 *   (M^ + D) (v_free - v*) = p - M^ v*,   v+ = v_free + (M^ + D)^-1 H^T r,
 *
 * and is solved for again until v+ = v*, where the drag is nothing: what is left of the balance, p
 * - M^ v+ + H^T r, is D (v+ - v*). (A proximal point iteration, Rockafellar 1976: each round
 * leaves about the share of the drag in what the contacts hold.) */
#include "assemble/coupling_impl.h"

#include "assemble/rigid_motion.h"
#include "assemble/support.h"

#include "base/memory.h"
#include "world/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A body that is loose has a tenth of the mean of the diagonal of M^ as its drag, on all of it:
 * less would cost the contact problem its digits, more would cost rounds (1, 0.1, 0.001: a block
 * on a floor to 1e-8 in 14, 5, 2). Where it is strained so that M^ is not positive definite with
 * it, ten times as much, and so on. */
static const double looseness = DLS_COUPLING_LOOSENESS, stiffer = 10;
enum { MOST_DRAGS = 5 };

/* Of the sizes of the terms of a balance: what may be left of it in a body that is linear. */
static const double in_balance = 1e-8;

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

/* What deformable body number p is taken about: of a linear one that is held always v. */
static const double *guess_of(const DlsCoupling *k, const DlsWorld *world, const About *about,
                              int p) {
  const DlsDeformable *d = &world->deformable.item[p];
  const bool guessed = about->guess && (d->kind->linearise || k->loose[p]);
  return (guessed ? about->guess : world->deformable.velocity) + d->velocity;
}

/* p -= M^ x, M^ without its drag; the largest of what is taken off. */
static double take_off(const DlsSparse *M, const double *value, double drag, const double *x,
                       double *p) {
  double most = 0;
  for (int i = 0; i < M->rows; i++) {
    double sum = -drag * x[i];
    for (int e = M->start[i]; e < M->start[i + 1]; e++) sum += value[e] * x[M->column[e]];
    p[i] -= sum;
    most = fmax(most, fabs(sum));
  }
  return most;
}

/* value += drag on the diagonal. */
static void add_to_diagonal(const DlsSparse *M, double drag, double *value) {
  for (int i = 0; i < M->rows; i++)
    for (int e = M->start[i]; e < M->start[i + 1]; e++)
      if (M->column[e] == i) value[e] += drag;
}

/* A drag that is felt: a share of what its stiffness does to a node, on all of it. */
static double least_drag(const DlsSparse *M) {
  double sum = 0;
  for (int i = 0; i < M->rows; i++)
    for (int e = M->start[i]; e < M->start[i + 1]; e++)
      if (M->column[e] == i) sum += fabs(M->value[e]);
  return looseness * sum / M->rows / M->rows;
}

/* The drag of part p where M^ lets it move as a rigid body, added to it. */
static DlsStatus add_drag(const DlsCoupling *k, const DlsDeformable *d, int p, double *value) {
  DlsSparse M = *d->kind->pattern(d->model);
  bool rigid = false;
  M.value = value;
  if (d->kind->mesh) DLS_TRY(dls_rigid_motion_left(d->kind->mesh(d->model), &M, &rigid));
  k->loose[p] = rigid;
  if (!rigid) return DLS_OK;
  k->drag[p] = least_drag(&M);
  add_to_diagonal(&M, k->drag[p], value);
  return DLS_OK;
}

/* M^ and p of deformable body number p. */
static DlsStatus fill_matrix(const DlsCoupling *k, const DlsWorld *world, const About *about, int p,
                             double *M) {
  const DlsDeformable *d = &world->deformable.item[p];
  const double *state = world->deformable.state + d->state;
  const double *force = about->force[d->body], *v = world->deformable.velocity + d->velocity;
  double *load = k->load + d->velocity;
  DLS_CHECK(force[3] == 0 && force[4] == 0 && force[5] == 0, DLS_ERR_UNSUPPORTED,
            "a torque acts on body %llu, a %s: a body that is not rigid takes forces alone",
            (unsigned long long)world->id[d->body], d->kind->name);
  memcpy(about->step->force, force, sizeof about->step->force);
  k->drag[p] = 0;
  k->loose[p] = false;
  if (d->kind->linearise) {
    DLS_TRY(d->kind->linearise(d->model, state, about->step, v, guess_of(k, world, about, p), M,
                               load, &k->size[p]));
    return about->step->still == 1 ? add_drag(k, d, p, M) : DLS_OK;
  }
  d->kind->matrix(d->model, state, about->step, M);
  DLS_TRY(d->kind->load(d->model, state, about->step, v, load));
  if (about->step->still != 1) return DLS_OK;
  DLS_TRY(add_drag(k, d, p, M));
  if (k->loose[p] && about->guess) /* v is 0 in a quasi-static step */
    take_off(d->kind->pattern(d->model), M, k->drag[p], about->guess + d->velocity, load);
  return DLS_OK;
}

/* M^ of all, and p. */
static DlsStatus fill_matrices(const DlsCoupling *k, const DlsWorld *world, const About *about,
                               double *value) {
  for (int p = 0; p < k->soft; p++) DLS_TRY(fill_matrix(k, world, about, p, value + k->first[p]));
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

static DlsStatus not_held(const DlsWorld *world, int p) {
  const DlsDeformable *d = &world->deformable.item[p];
  return dls_fail(DLS_ERR_NUMERIC,
                  "body %llu, a %s, is not held: it can move without being strained, or gives way, "
                  "and a quasi-static step has no inertia; hold it (fixed, prescribed or springs)",
                  (unsigned long long)world->id[d->body], d->kind->name);
}

/* More drag on part p, whose M^ is not positive definite: it is solved for again about what comes
 * out, so that the drag is nothing in the end. False: it is not, or has had as much as it may. */
static bool drag_more(const DlsCoupling *k, const DlsWorld *world, int p, const DlsSparse *M,
                      int *times) {
  const bool again = k->loose[p] || world->deformable.item[p].kind->linearise;
  if (!again || (*times)++ == MOST_DRAGS) return false;
  const double more = k->drag[p] > 0 ? (stiffer - 1) * k->drag[p] : least_drag(M);
  add_to_diagonal(M, more, M->value);
  k->drag[p] += more;
  return true;
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
  free(k->drag);
  free(k->loose);
  k->id = NULL, k->first = NULL, k->value = k->next = k->load = k->size = k->drag = NULL;
  k->loose = NULL;
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
  DLS_NEW(k->drag, k->soft);
  DLS_NEW(k->loose, k->soft);
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
    for (int more = 0; status == DLS_ERR_ARGUMENT && about->step->still == 1 &&
                       drag_more(k, world, p, &M, &more);)
      status = dls_inertia_add_sparse_surface(made, &M, surface, velocity);
    if (status == DLS_ERR_ARGUMENT && about->step->still == 1) status = not_held(world, p);
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
    DlsSparse M = *world->deformable.item[p].kind->pattern(world->deformable.item[p].model);
    M.value = k->next + at;
    DlsStatus status = dls_inertia_change_sparse(k->inertia, p, k->next + at);
    for (int more = 0; status == DLS_ERR_ARGUMENT && about->step->still == 1 &&
                       drag_more(k, world, p, &M, &more);)
      status = dls_inertia_change_sparse(k->inertia, p, k->next + at);
    if (status == DLS_ERR_ARGUMENT && about->step->still == 1) return not_held(world, p);
    DLS_TRY(status);
    memcpy(k->value + at, k->next + at, entries * bytes);
  }
  DLS_TRY(fill_rigid(k, world, &rigid));
  DLS_TRY(dls_inertia_change_rigid(k->inertia, rigid, k->mass));
  return make_scratch(k);
}

/* A planted velocity comes back from M^: a body that gives way, and that nothing drags, has an M^
 * whose factors are round-off where it should have none. */
static DlsStatus check_held(DlsCoupling *k, const DlsWorld *world, int p) {
  const DlsDeformable *d = &world->deformable.item[p];
  const int n = d->size.velocities;
  DlsSparse M = *d->kind->pattern(d->model);
  double off = 0;
  M.value = k->value + k->first[p];
  for (int i = 0; i < n; i++) {
    k->b[i] = 0;
    for (int e = M.start[i]; e < M.start[i + 1]; e++)
      k->b[i] += M.value[e] * planted_velocity(M.column[e]);
  }
  DLS_TRY(dls_inertia_solve_part(k->inertia, p, 1, k->b, k->x));
  for (int i = 0; i < n; i++) off = fmax(off, fabs(k->x[i] - planted_velocity(i)));
  return off <= returned ? DLS_OK : not_held(world, p);
}

/* v_free = v + M^ ^-1 p of deformable body number p, and of its centre of mass; about a guess in
 * the place of v. */
static DlsStatus free_velocity_of(const DlsCoupling *k, const DlsWorld *world, int p,
                                  const About *about, double *out) {
  const DlsDeformable *d = &world->deformable.item[p];
  const double *v = guess_of(k, world, about, p);
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
  for (int p = 0; p < k->soft && step->still == 1; p++) DLS_TRY(check_held(k, world, p));
  for (int p = 0; p < k->soft; p++) DLS_TRY(free_velocity_of(k, world, p, &about, free_velocity));
  return DLS_OK;
}

/* p of part p at v+, without its drag, in k->x, and the sizes of its terms; N s that may be left of
 * it by round-off. */
static DlsStatus balance_of(const DlsCoupling *k, const DlsWorld *world, DlsDeformableStep *step,
                            const double *velocity, int p, double *size, double *noise) {
  const DlsDeformable *d = &world->deformable.item[p];
  const double *state = world->deformable.state + d->state;
  const double *v = world->deformable.velocity + d->velocity;
  const double *next = velocity + dls_layout_front(world) + d->velocity;
  *noise = 0;
  if (d->kind->linearise)
    return d->kind->linearise(d->model, state, step, v, next, NULL, k->x, size);
  DLS_TRY(d->kind->load(d->model, state, step, v, k->x));
  *size = 0;
  for (int n = 0; n < d->size.velocities; n++) *size = fmax(*size, fabs(k->x[n]));
  *size += take_off(d->kind->pattern(d->model), k->value + k->first[p], k->drag[p], next, k->x);
  if (d->kind->noise) *noise = d->kind->noise(d->model, state, step);
  return DLS_OK;
}

/* Whether a body is solved for again until it is in balance. */
static bool goes_on(const DlsCoupling *k, const DlsWorld *world, int p) {
  return world->deformable.item[p].kind->linearise || k->loose[p];
}

/* What is left of p + push of part p, at v+, over what may be; *square gains its square. */
static DlsStatus left_of(const DlsCoupling *k, const DlsWorld *world, const DlsBalance *b, int p,
                         double *square, double *out) {
  const DlsDeformable *d = &world->deformable.item[p];
  const double *push = b->push + d->velocity;
  double pushed = 0, left = 0, all_pushed = 0, all_left = 0, size, noise;
  double share = d->kind->linearise ? d->kind->tolerance(d->model) : in_balance;
  if (k->loose[p]) share = fmax(share, b->tolerance);
  memcpy(b->step->force, b->force[d->body], sizeof b->step->force);
  DLS_TRY(balance_of(k, world, b->step, b->velocity, p, &size, &noise));
  for (int n = 0; n < d->size.velocities; n++) {
    const double rest = push[n] + k->x[n];
    pushed = fmax(pushed, fabs(push[n]));
    left = fmax(left, fabs(rest));
    all_pushed += fabs(push[n]);
    all_left += fabs(rest);
    *square += rest * rest;
  }
  *out = left > 0 ? left / (share * (size + pushed) + noise) : 0;
  if (k->loose[p] && all_left > 0) /* a drag is spread over all of the body */
    *out = fmax(*out, all_left / (share * (size + all_pushed) + d->size.velocities * noise));
  return DLS_OK;
}

DlsStatus dls_coupling_balance(const DlsAssembly *a, const DlsWorld *world, const DlsBalance *asked,
                               DlsBalanceLeft *out) {
  const DlsCoupling *k = a->run.coupling;
  double square = 0;
  *out = (DlsBalanceLeft){.body = -1};
  for (int p = 0; p < world->deformable.count; p++) {
    double own;
    if (!goes_on(k, world, p)) continue;
    DLS_TRY(left_of(k, world, asked, p, &square, &own));
    if (out->body >= 0 && own <= out->left) continue;
    out->left = own;
    out->body = world->deformable.item[p].body;
  }
  out->norm = sqrt(square);
  return DLS_OK;
}

double dls_coupling_begun(const DlsAssembly *a, const DlsWorld *world, const double *push) {
  const DlsCoupling *k = a->run.coupling;
  double square = 0;
  for (int p = 0; p < world->deformable.count; p++) {
    const DlsDeformable *d = &world->deformable.item[p];
    for (int n = d->velocity; goes_on(k, world, p) && n < d->velocity + d->size.velocities; n++)
      square += (k->load[n] + push[n]) * (k->load[n] + push[n]);
  }
  return sqrt(square);
}

bool dls_coupling_any_loose(const DlsAssembly *a) {
  const DlsCoupling *k = a->run.coupling;
  for (int p = 0; k && p < k->soft; p++)
    if (k->loose[p]) return true;
  return false;
}

bool dls_coupling_is_loose(const DlsAssembly *a, const DlsWorld *world, int body) {
  const DlsCoupling *k = a->run.coupling;
  for (int p = 0; k && p < world->deformable.count; p++)
    if (world->deformable.item[p].body == body) return k->loose[p];
  return false;
}
