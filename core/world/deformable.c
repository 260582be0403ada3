/* Deformable bodies of a world: birth, removal, motion, energy. */
#include "world/deformable.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "world/world_impl.h"

static const double *state_of(const DlsWorld *world, const DlsDeformable *d) {
  return world->deformable.state + d->state;
}

static const double *velocity_of(const DlsWorld *world, const DlsDeformable *d) {
  return world->deformable.velocity + d->velocity;
}

/* Room for one more of this size; on failure all is as it was, but longer. */
static DlsStatus make_room(DlsDeformables *all, const DlsDeformableSize *size) {
  const int velocities = all->velocities + size->velocities, states = all->states + size->states;
  int elements = size->elements, weights = size->weights;
  for (int k = 0; k < all->count; k++) {
    if (all->item[k].size.elements > elements) elements = all->item[k].size.elements;
    if (all->item[k].size.weights > weights) weights = all->item[k].size.weights;
  }
  DLS_TRY(dls_world_grow(&all->item, all->count, all->count + 1, sizeof *all->item));
  DLS_TRY(dls_world_grow(&all->velocity, all->velocities, velocities, sizeof *all->velocity));
  DLS_TRY(dls_world_grow(&all->state, all->states, states, sizeof *all->state));
  DLS_TRY(dls_world_grow(&all->centre, 0, elements, sizeof *all->centre));
  return dls_world_grow(&all->weights, 0, weights, sizeof *all->weights);
}

static DlsStatus check(const DlsWorld *world, const DlsBody *body,
                       const DlsDeformableOperations *kind, const DlsDeformableSize *size,
                       const void *model, const double *state, const double *velocity) {
  const DlsSparse *pattern = kind->pattern(model);
  const int number = world->count, parts = body->shape ? body->shape->count : 0;
  DLS_CHECK(size->velocities > 0 && size->states >= 0 && size->weights > 0, DLS_ERR_ARGUMENT,
            "body %d, a %s: %d velocities, %d states, %d of them at a point", number, kind->name,
            size->velocities, size->states, size->weights);
  DLS_CHECK(size->elements == parts, DLS_ERR_ARGUMENT,
            "body %d, a %s of %d elements, has a shape of %d", number, kind->name, size->elements,
            parts);
  const DlsContactFaces *faces = kind->faces ? kind->faces(model) : NULL;
  DLS_CHECK(!faces || (faces->elements == parts && faces->dim == world->dim), DLS_ERR_ARGUMENT,
            "body %d, a %s of %d elements, has faces between %d in %d-D", number, kind->name, parts,
            faces ? faces->elements : 0, faces ? faces->dim : 0);
  DLS_CHECK(pattern->rows == size->velocities && pattern->columns == size->velocities,
            DLS_ERR_ARGUMENT, "body %d, a %s of %d velocities, has a matrix of %d x %d", number,
            kind->name, size->velocities, pattern->rows, pattern->columns);
  DLS_CHECK(!body->shape->figure, DLS_ERR_UNSUPPORTED,
            "body %d, a %s: its elements must be balls, other shapes would have to turn", number,
            kind->name);
  DLS_CHECK(!body->fixed, DLS_ERR_UNSUPPORTED,
            "body %d, a %s, cannot have fixed components: leave what is held out of its velocities",
            number, kind->name);
  DLS_CHECK(dls_small_finite(size->velocities, velocity) && dls_small_finite(size->states, state),
            DLS_ERR_ARGUMENT, "body %d, a %s: a number of its state or velocity is not finite",
            number, kind->name);
  return DLS_OK;
}

/* Centre of mass and elements in the arrays of the world. */
static void place(DlsWorld *world, const DlsDeformable *d) {
  double *x = world->position[d->body], (*centre)[3] = world->deformable.centre;
  d->kind->place(d->model, state_of(world, d), x, centre);
  for (int e = 0; e < d->size.elements; e++)
    for (int k = 0; k < 3; k++)
      world->element[world->first[d->body] + e].offset[k] = centre[e][k] - x[k];
}

DlsStatus dls_world_add_deformable(DlsWorld *world, const DlsBody *body,
                                   const DlsDeformableOperations *kind, void *model,
                                   const double *state, const double *velocity) {
  DlsDeformables *all = &world->deformable;
  DlsDeformableSize size;
  DlsBody born = *body;
  kind->size(model, &size);
  DLS_TRY(check(world, body, kind, &size, model, state, velocity));
  born.mass = kind->mass(model);
  memset(born.position, 0, sizeof born.position);
  memset(born.orientation, 0, sizeof born.orientation);
  kind->mean_velocity(model, state, velocity, born.velocity);
  memset(born.velocity + 3, 0, 3 * sizeof *born.velocity);
  DLS_TRY(make_room(all, &size));
  DLS_TRY(dls_world_add_body(world, &born));
  const int number = world->count - 1;
  static const double unturned[4] = {1, 0, 0, 0};
  memcpy(world->orientation[number], unturned, sizeof unturned);
  if (world->angle) world->angle[number] = 0;
  if (kind->mesh) world->volume[number] = kind->mesh(model)->volume;
  DlsDeformable *d = &all->item[all->count++];
  *d = (DlsDeformable){.body = number,
                       .kind = kind,
                       .model = model,
                       .size = size,
                       .faces = kind->faces ? kind->faces(model) : NULL,
                       .velocity = all->velocities,
                       .state = all->states};
  dls_memory_copy(all->velocity + d->velocity, velocity, (size_t)size.velocities, sizeof *velocity);
  dls_memory_copy(all->state + d->state, state, (size_t)size.states, sizeof *state);
  all->velocities += size.velocities;
  all->states += size.states;
  place(world, d);
  return DLS_OK;
}

const DlsDeformable *dls_deformable_of(const DlsWorld *world, int body) {
  int low = 0, high = world->deformable.count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (world->deformable.item[middle].body < body)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == world->deformable.count || world->deformable.item[low].body != body) return NULL;
  return &world->deformable.item[low];
}

DlsStatus dls_deformable_refuse(const DlsWorld *world, const char *what) {
  if (world->deformable.count == 0) return DLS_OK;
  const DlsDeformable *d = world->deformable.item;
  return dls_fail(DLS_ERR_UNSUPPORTED, "body %llu is a %s, which is not rigid: %s",
                  (unsigned long long)world->id[d->body], d->kind->name, what);
}

void dls_deformable_velocity(const DlsWorld *world, const DlsDeformable *d, int element,
                             const double point[3], const double *velocity, double out[3]) {
  DlsPointWeight *w = world->deformable.weights;
  const int count = d->kind->weights(d->model, state_of(world, d), element, point, w);
  memset(out, 0, 3 * sizeof *out);
  for (int c = 0; c < count; c++)
    for (int k = 0; k < 3; k++) out[k] += velocity[w[c].velocity] * w[c].move[k];
  if (d->kind->driven) d->kind->driven(d->model, state_of(world, d), element, out);
}

double dls_deformable_length(const DlsWorld *world, const DlsDeformable *d) {
  const DlsDeformableMesh *m = d->kind->mesh ? d->kind->mesh(d->model) : NULL;
  if (d->faces) return d->faces->size;
  if (!m || m->cells == 0) return dls_world_size(world, d->body);
  const double room = m->volume / m->cells;
  return m->dim == 2 ? sqrt(room / m->thickness) : cbrt(room);
}

double dls_deformable_speed(const DlsWorld *world, const DlsDeformable *d, const double *velocity,
                            const double beside[3]) {
  const double *x = world->position[d->body];
  double fastest = 0;
  for (int e = 0; e < d->size.elements; e++) {
    const double *offset = world->element[world->first[d->body] + e].offset;
    const double centre[3] = {x[0] + offset[0], x[1] + offset[1], x[2] + offset[2]};
    double v[3];
    dls_deformable_velocity(world, d, e, centre, velocity, v);
    for (int k = 0; k < 3; k++) v[k] -= beside[k];
    fastest = fmax(fastest, dls_vector_norm(v));
  }
  return fastest;
}

double dls_world_strain_energy(const DlsWorld *world) {
  double sum = 0;
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    sum += d->kind->strain(d->model, state_of(world, d));
  }
  return sum;
}

void dls_deformables_show(DlsWorld *world) {
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    d->kind->mean_velocity(d->model, state_of(world, d), velocity_of(world, d),
                           world->velocity[d->body]);
    place(world, d);
  }
}

void dls_deformables_drift(DlsWorld *world, double h) {
  for (int k = 0; k < world->deformable.count; k++) {
    const DlsDeformable *d = &world->deformable.item[k];
    d->kind->move(d->model, h, velocity_of(world, d), world->deformable.state + d->state);
    place(world, d);
  }
}

static void end(const DlsDeformable *d) {
  if (d->kind->destroy) d->kind->destroy(d->model);
}

/* FNV-1a. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
  for (const unsigned char *b = bytes; size > 0; b++, size--)
    hash = (hash ^ *b) * UINT64_C(0x100000001b3);
  return hash;
}

uint64_t dls_deformable_digest(const DlsDeformable *d) {
  const int sizes[] = {d->size.velocities, d->size.states, d->size.elements};
  uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), d->kind->name, strlen(d->kind->name));
  hash = mix(hash, sizes, sizeof sizes);
  if (!d->kind->mesh) return hash;
  const DlsDeformableMesh *m = d->kind->mesh(d->model);
  hash = mix(hash, m->X, (size_t)m->nodes * sizeof *m->X);
  hash = mix(hash, m->type, (size_t)m->cells * sizeof *m->type);
  hash = mix(hash, m->node, (size_t)m->start[m->cells] * sizeof *m->node);
  return mix(hash, m->velocity, (size_t)m->nodes * (size_t)m->dim * sizeof *m->velocity);
}

DlsStatus dls_deformables_choose(const DlsWorld *from, int count, const uint64_t *id,
                                 const int *body, DlsDeformables *out) {
  for (int k = 0; k < count; k++) {
    const int number = dls_world_find(from, id[k]);
    const DlsDeformable *d = number < 0 ? NULL : dls_deformable_of(from, number);
    DLS_CHECK(d, DLS_ERR_ARGUMENT,
              "body %llu was deformable, and is not now; go on with the deck of that run",
              (unsigned long long)id[k]);
    DLS_CHECK(k == 0 || id[k] > id[k - 1], DLS_ERR_FORMAT, "body %llu stands out of order",
              (unsigned long long)id[k]);
    DLS_TRY(make_room(out, &d->size));
    out->item[out->count] = *d;
    out->item[out->count].body = body[k];
    out->item[out->count].velocity = out->velocities;
    out->item[out->count++].state = out->states;
    out->velocities += d->size.velocities;
    out->states += d->size.states;
  }
  return DLS_OK;
}

void dls_deformables_pass(DlsDeformables *from, const DlsDeformables *to) {
  int next = 0; /* both ascend, and `to` holds some of `from` */
  for (int k = 0; k < from->count; k++)
    if (next < to->count && to->item[next].model == from->item[k].model)
      next++;
    else
      end(&from->item[k]);
  from->count = 0;
  dls_deformables_clear(from);
}

void dls_deformables_compact(DlsWorld *world) {
  DlsDeformables *all = &world->deformable;
  const DlsDeformables old = *all;
  int gone = 0, body = 0;
  all->count = all->velocities = all->states = 0;
  for (int k = 0; k < old.count; k++) {
    DlsDeformable d = old.item[k];
    for (; body < d.body; body++) gone += (world->flags[body] & DLS_BODY_DOOMED) != 0;
    if (world->flags[d.body] & DLS_BODY_DOOMED) {
      end(&d);
      continue;
    }
    memmove(all->velocity + all->velocities, old.velocity + d.velocity,
            (size_t)d.size.velocities * sizeof *all->velocity);
    memmove(all->state + all->states, old.state + d.state,
            (size_t)d.size.states * sizeof *all->state);
    d.body -= gone;
    d.velocity = all->velocities;
    d.state = all->states;
    all->velocities += d.size.velocities;
    all->states += d.size.states;
    all->item[all->count++] = d;
  }
}

void dls_deformables_clear(DlsDeformables *all) {
  for (int k = 0; k < all->count; k++) end(&all->item[k]);
  free(all->item);
  free(all->velocity);
  free(all->state);
  free(all->centre);
  free(all->weights);
  *all = (DlsDeformables){0};
}
