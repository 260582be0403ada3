/* Contacts of deformable bodies in a problem; see coupling.h. */
#include "assemble/coupling_impl.h"

#include "assemble/support.h"

#include "base/memory.h"
#include "world/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 };

/* Of a unit velocity: nodes that are held along the normal do not move along it, and what is left
 * of a direction is round-off. */
static const double held = 1e-9;

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
  free(k->drag);
  free(k->loose);
  free(k->part);
  free(k->mass);
  free(k->b);
  free(k->x);
  free(k->dv);
  free(k);
}

void dls_coupling_add_push(const DlsAssembly *a, int p, double *out) {
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
    dls_coupling_add_push(a, p, out + world->deformable.item[p].velocity);
}

DlsStatus dls_coupling_begin(DlsAssembly *a, const DlsWorld *world) {
  DlsCoupling *k = a->run.coupling;
  DLS_CHECK(k && dls_coupling_is_of(k, world) && k->bodies == world->count, DLS_ERR_ARGUMENT,
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
