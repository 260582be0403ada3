/* Deformable bodies in a problem; see coupling.h. */
#include "assemble/coupling.h"

#include "assemble/rigid_motion.h"
#include "assemble/support.h"

#include "base/memory.h"
#include "problem/operator/inertia_impl.h"
#include "world/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 };

/* Of a unit velocity: nodes that are held along the normal do not move along it, and what is left
 * of a direction is round-off. */
static const double held = 1e-9;

/* Of a planted velocity, up to 1: what comes back is this near, in a body that is held. */
static const double returned = 1e-3;
static double planted_velocity(int n) { return 1 - 0.5 * ((n * 37) % 64) / 64.0; }

struct DlsCoupling {
  /* What the inertia was made of. */
  DlsInertia *inertia;
  int soft;            /* deformable bodies: parts 0 .. soft - 1 */
  uint64_t *id;        /* [soft] */
  int *first;          /* [soft + 1]: numbers of each matrix in the next two */
  double *value;       /* those that are factored */
  double *next;        /* those of the step at hand */
  double *load, *size; /* p of all, N s, and the sizes of its terms by body */
  int bodies, room;    /* of the world; that the next two arrays are long enough for */
  int *part;           /* [bodies] */
  double *mass;        /* [rigid bodies][dof^2] */
  double *b, *x, *dv;  /* scratch: [most velocities of a part] twice; [freedom] */
  int most, freedom;

  /* Rows of the step. */
  int contacts, widest; /* room: contacts, and weights of a side */
  int *start, *of, *begin, *velocity;
  double *weight;
  double *reduced; /* kg, [contacts]: 1 / W_NN */
  double *H;       /* scratch, [block][dof] */
};

static void clear_rows(DlsCoupling *k) {
  free(k->start);
  free(k->of);
  free(k->begin);
  free(k->velocity);
  free(k->weight);
  free(k->reduced);
  free(k->H);
  k->start = k->of = k->begin = k->velocity = NULL;
  k->weight = k->reduced = k->H = NULL;
  k->contacts = k->widest = 0;
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

void dls_coupling_destroy(DlsCoupling **coupling) {
  DlsCoupling *k = *coupling;
  *coupling = NULL;
  if (!k) return;
  clear_rows(k);
  dls_inertia_destroy(&k->inertia);
  free(k->id);
  free(k->first);
  free(k->value);
  free(k->next);
  free(k->load);
  free(k->size);
  free(k->part);
  free(k->mass);
  free(k->b);
  free(k->x);
  free(k->dv);
  free(k);
}

long dls_coupling_factorisations(const DlsAssembly *a) {
  const DlsCoupling *k = a->run.coupling;
  return k && k->inertia ? dls_inertia_factorisations(k->inertia) : 0;
}

static int dof_of(const DlsWorld *world) { return world->dim == 2 ? 3 : 6; }

/* Whether the inertia stands on the deformable bodies that there are. */
static bool is_of(const DlsCoupling *k, const DlsWorld *world) {
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
  DLS_TRY(is_of(k, world) ? change(k, world, &about) : make(k, world, &about));
  for (int p = 0; p < k->soft && step->still == 1; p++) DLS_TRY(check_held(k, world, p, step));
  for (int p = 0; p < k->soft; p++) DLS_TRY(free_velocity_of(k, world, p, &about, free_velocity));
  return DLS_OK;
}

/* out += H^T r of part p. */
static void add_push(const DlsAssembly *a, int p, double *out) {
  const DlsCoupling *k = a->run.coupling;
  const int block = a->run.block;
  for (int i = 0; i < a->step.count; i++)
    for (int e = k->start[i]; e < k->start[i + 1]; e++)
      for (int n = k->begin[e]; k->of[e] == p && n < k->begin[e + 1]; n++)
        for (int row = 0; row < block; row++)
          out[k->velocity[n]] += k->weight[n * block + row] * a->solve.r[i * block + row];
}

void dls_coupling_push(const DlsAssembly *a, const DlsWorld *world, double *out) {
  memset(out, 0, (size_t)world->deformable.velocities * sizeof *out);
  for (int p = 0; p < world->deformable.count; p++)
    add_push(a, p, out + world->deformable.item[p].velocity);
}

/* The share of the sizes of its terms that is left of p + H^T r of part p, at v+. */
static DlsStatus left_of(const DlsAssembly *a, const DlsWorld *world, DlsDeformableStep *step,
                         const double (*force)[6], const double *velocity, int p, double *out) {
  const DlsCoupling *k = a->run.coupling;
  const DlsDeformable *d = &world->deformable.item[p];
  double pushed = 0, left = 0, size;
  memset(k->b, 0, (size_t)d->size.velocities * sizeof *k->b);
  add_push(a, p, k->b);
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

DlsStatus dls_coupling_begin(DlsAssembly *a, const DlsWorld *world) {
  DlsCoupling *k = a->run.coupling;
  DLS_CHECK(k && is_of(k, world) && k->bodies == world->count, DLS_ERR_ARGUMENT,
            "the free velocities of deformable bodies were not made for this world");
  int widest = a->run.dof, most = 1;
  for (int p = 0; p < k->soft; p++)
    if (world->deformable.item[p].size.weights > widest)
      widest = world->deformable.item[p].size.weights;
  for (int c = 0; c < a->step.set->count; c++)
    for (int side = 0; side < SIDES; side++)
      if (a->step.set->mean[c][side].count > most) most = a->step.set->mean[c][side].count;
  widest *= most;
  if (a->run.capacity > k->contacts || widest > k->widest || !k->start) {
    const size_t n = (size_t)a->run.capacity, numbers = SIDES * n * (size_t)widest;
    clear_rows(k);
    DLS_NEW(k->start, n + 1);
    DLS_NEW(k->of, SIDES * n);
    DLS_NEW(k->begin, SIDES * n + 1);
    DLS_NEW(k->velocity, numbers);
    DLS_NEW(k->weight, numbers * DLS_MAX_BLOCK);
    DLS_NEW(k->reduced, n);
    DLS_NEW(k->H, (size_t)(DLS_MAX_BLOCK * 6));
    k->contacts = (int)n;
    k->widest = widest;
  }
  return DLS_OK;
}

/* Columns of the velocities of deformable body d that move the point of an element, `share` times;
 * n: where they begin, and then end. `known` gains how it moves besides, where it is driven. */
static void add_element(DlsAssembly *a, const DlsWorld *world, const DlsDeformable *d, int element,
                        const double *point, const double *frame, double share, double *known,
                        int *n) {
  DlsCoupling *k = a->run.coupling;
  DlsPointWeight *w = world->deformable.weights;
  double driven[3] = {0};
  if (d->kind->driven)
    d->kind->driven(d->model, world->deformable.state + d->state, element, driven);
  for (int row = 0; row < a->run.block; row++) {
    bool is_velocity;
    const double *axis = dls_support_axis(world->dim, row, frame, &is_velocity);
    if (is_velocity) known[row] += share * dls_vector_dot(axis, driven);
  }
  const int count =
      d->kind->weights(d->model, world->deformable.state + d->state, element, point, w);
  for (int v = 0; v < count; v++, (*n)++) {
    k->velocity[*n] = w[v].velocity;
    for (int row = 0; row < a->run.block; row++) {
      bool is_velocity;
      const double *axis = dls_support_axis(world->dim, row, frame, &is_velocity);
      k->weight[*n * a->run.block + row] =
          share * dls_vector_dot(axis, is_velocity ? w[v].move : w[v].turn);
    }
  }
}

/* One more entry of contact i, on a body, `sign` times; where the entry before is on the same body,
 * which meets itself, that one goes on. */
static void add_side(DlsAssembly *a, const DlsWorld *world, const DlsContactSet *set, int c, int i,
                     int body, int side) {
  DlsCoupling *k = a->run.coupling;
  const double *point = set->point[c], *frame = set->frame[c], sign = side == 0 ? 1 : -1;
  const DlsDeformable *d = dls_deformable_of(world, body);
  const bool again = k->start[i + 1] > k->start[i] && k->of[k->start[i + 1] - 1] == k->part[body];
  double *w = a->step.w + (size_t)i * (size_t)a->run.block;
  const int block = a->run.block, e = again ? k->start[i + 1] - 1 : k->start[i + 1]++;
  int n = again ? k->begin[e + 1] : k->begin[e];
  k->of[e] = k->part[body];
  if (!d) {
    const int dof = a->run.dof;
    if (set->antagonist[c] < 0 && side == 1)
      dls_support_carrier(a, world, -1 - set->antagonist[c], point, frame, k->H, w);
    else
      dls_support_side(a, world, body, sign, point, frame, k->H, w);
    for (int v = 0; v < dof; v++, n++) {
      k->velocity[n] = v;
      for (int row = 0; row < block; row++) k->weight[n * block + row] = k->H[row * dof + v];
    }
  } else if (set->mean[c][side].count > 0) {
    const DlsContactMean *mean = &set->mean[c][side];
    for (int m = mean->start; m < mean->start + mean->count; m++)
      add_element(a, world, d, set->element[m], point, frame, sign * set->weight[m], w, &n);
  } else {
    const uint64_t features = set->key[c].feature;
    const int element =
        dls_world_element_of(world, body, (uint32_t)(side == 0 ? features >> 32 : features));
    add_element(a, world, d, element, point, frame, sign, w, &n);
  }
  k->begin[e + 1] = n;
}

/* The velocities of a part, of those of all bodies in front and of deformable ones behind; `six`
 * receives those of a rigid body in the order of its columns. */
static const double *velocities_of(const DlsWorld *world, int body, const double (*front)[6],
                                   const double *soft, double *six) {
  const DlsDeformable *d = dls_deformable_of(world, body);
  if (d) return soft + d->velocity;
  dls_support_columns(world->dim, front[body], six);
  return six;
}

/* out += weights times velocities of entry e. */
static void add_velocity(const DlsAssembly *a, int e, const double *v, double *out) {
  const DlsCoupling *k = a->run.coupling;
  for (int n = k->begin[e]; n < k->begin[e + 1]; n++)
    for (int row = 0; row < a->run.block; row++)
      out[row] += k->weight[n * a->run.block + row] * v[k->velocity[n]];
}

/* (H M^-1 H^T)_NN of entry e where all that it moves is on the surface of its part; NAN: not so. */
static double inverse_mass_of_surface(const DlsAssembly *a, int e, const DlsInertiaSurface *s) {
  const DlsCoupling *k = a->run.coupling;
  const int block = a->run.block;
  double sum = 0;
  for (int n = k->begin[e]; n < k->begin[e + 1]; n++) {
    if (s->place[k->velocity[n]] < 0) return NAN;
    const double *S = s->S + (size_t)s->place[k->velocity[n]] * (size_t)s->count;
    for (int m = k->begin[e]; m < k->begin[e + 1]; m++)
      if (s->place[k->velocity[m]] >= 0)
        sum += k->weight[n * block] * k->weight[m * block] * S[s->place[k->velocity[m]]];
  }
  return sum;
}

/* The same of any entry. */
static double inverse_mass(const DlsAssembly *a, int e) {
  const DlsCoupling *k = a->run.coupling;
  const int part = k->of[e],
            freedom = dls_inertia_start(k->inertia, part + 1) - dls_inertia_start(k->inertia, part);
  double sum = 0;
  DlsInertiaSurface s;
  if (dls_inertia_surface(k->inertia, part, &s) != DLS_OK) return NAN;
  if (s.count > 0) {
    sum = inverse_mass_of_surface(a, e, &s);
    if (!isnan(sum)) return sum;
    sum = 0;
  }
  memset(k->b, 0, (size_t)freedom * sizeof *k->b);
  for (int n = k->begin[e]; n < k->begin[e + 1]; n++)
    k->b[k->velocity[n]] += k->weight[n * a->run.block];
  if (dls_inertia_solve_part(k->inertia, part, 1, k->b, k->x) != DLS_OK) return NAN;
  for (int n = 0; n < freedom; n++) sum += k->b[n] * k->x[n];
  return sum;
}

void dls_coupling_fill(DlsAssembly *a, const DlsWorld *world, const DlsContactSet *set,
                       const double *free_velocity, int c, int i) {
  DlsCoupling *k = a->run.coupling;
  const size_t block = (size_t)a->run.block, at = (size_t)i * block;
  int who[SIDES] = {set->candidate[c], set->antagonist[c]};
  double *w = a->step.w + at, *u = a->step.u_before + at, *q = a->step.q + at, W = 0, along = 0;
  memset(w, 0, block * sizeof *w);
  k->start[i + 1] = k->start[i];
  if (who[1] < 0) {
    const int boundary = -1 - who[1];
    who[1] = dls_world_carrier(world, boundary);
    if (who[1] < 0) dls_support_boundary(a, world, boundary, set->point[c], set->frame[c], w);
  }
  for (int side = 0; side < SIDES; side++)
    if (who[side] >= 0) add_side(a, world, set, c, i, who[side], side);
  memcpy(u, w, block * sizeof *w);
  memcpy(q, w, block * sizeof *w);
  for (int e = k->start[i], side = 0; e < k->start[i + 1]; e++, side++) {
    double six[6];
    add_velocity(a, e,
                 velocities_of(world, who[side], (const double(*)[6])world->velocity,
                               world->deformable.velocity, six),
                 u);
    add_velocity(a, e,
                 velocities_of(world, who[side], dls_layout_six(free_velocity),
                               free_velocity + dls_layout_front(world), six),
                 q);
    W += inverse_mass(a, e);
    for (int n = k->begin[e]; n < k->begin[e + 1]; n++)
      along = fmax(along, fabs(k->weight[(size_t)n * block]));
  }
  k->reduced[i] = along > held && (W > 0 || isnan(W)) ? 1 / W : 0;
}

double dls_coupling_mass(const DlsAssembly *a, int i) { return a->run.coupling->reduced[i]; }

DlsStatus dls_coupling_operator(const DlsAssembly *a, DlsOperator **out) {
  const DlsCoupling *k = a->run.coupling;
  const DlsContactRows rows = {a->step.count, a->run.block, k->start, k->of,
                               k->begin,      k->velocity,  k->weight};
  return dls_operator_create(&rows, k->inertia, out);
}

DlsStatus dls_coupling_velocity(const DlsAssembly *a, const DlsWorld *world,
                                const double *free_velocity, double *velocity) {
  const DlsCoupling *k = a->run.coupling;
  const double *dv = k->dv + world->deformable.velocities; /* of rigid bodies */
  const int dof = a->run.dof;
  memset(k->dv, 0, (size_t)dls_inertia_freedom(k->inertia) * sizeof *k->dv);
  if (a->step.count > 0)
    DLS_TRY(dls_operator_velocity(dls_problem_operator(a->solve.problem), a->solve.r, k->dv));
  memcpy(velocity, free_velocity, dls_layout_size(world) * sizeof *velocity);
  for (int n = 0; n < world->deformable.velocities; n++)
    velocity[dls_layout_front(world) + (size_t)n] += k->dv[n];
  for (int b = 0; b < world->count; b++) {
    const DlsDeformable *d = dls_deformable_of(world, b);
    double *six = velocity + 6 * (size_t)b;
    if (d) {
      d->kind->mean_velocity(d->model, world->deformable.state + d->state,
                             velocity + dls_layout_start(world, b), six);
      continue;
    }
    for (int n = 0; n < dof; n++) six[dof == 3 && n == 2 ? 5 : n] += dv[n];
    dv += dof;
  }
  return DLS_OK;
}
