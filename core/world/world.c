/* Storage of bodies: birth, removal, lookup. */
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "world/body_file.h"
#include "world/deformable.h"
#include "world/shape_impl.h"
#include "world/world_impl.h"

/* Every array over bodies, once: what grows, moves and is freed together. */
#define FOR_BODY_ARRAYS(X)                                                                         \
  X(position)                                                                                      \
  X(orientation)                                                                                   \
  X(velocity) X(mass) X(volume) X(inertia) X(id) X(flags) X(material) X(fixed) X(isotropic)

DlsStatus dls_world_grow(void *array, int used, int capacity, size_t bytes) {
  void *old, *new = dls_memory_array((size_t)capacity, bytes);
  DLS_CHECK(new, DLS_ERR_MEMORY, "out of memory: %d items of %zu bytes", capacity, bytes);
  memcpy(&old, array, sizeof old);
  if (used) memcpy(new, old, (size_t)used * bytes);
  free(old);
  memcpy(array, &new, sizeof new);
  return DLS_OK;
}

#define GROW(array, used, capacity)                                                                \
  DLS_TRY(dls_world_grow(&(array), (used), (capacity), sizeof *(array)))

DlsStatus dls_world_create(int dim, DlsWorld **out) {
  DlsWorld *world;
  *out = NULL;
  DLS_CHECK(dim == 2 || dim == 3, DLS_ERR_ARGUMENT, "world: dimension %d is neither 2 nor 3", dim);
  DLS_NEW(world, 1);
  world->dim = dim;
  world->next_id = world->next_boundary_id = 1;
  const DlsStatus status = dls_world_reserve(world, 16, 16);
  if (status != DLS_OK) dls_world_destroy(&world);
  *out = world;
  return status;
}

void dls_world_destroy(DlsWorld **world) {
  DlsWorld *w = *world;
  *world = NULL;
  if (!w) return;
#define FREE(field) free(w->field);
  FOR_BODY_ARRAYS(FREE)
#undef FREE
  for (int e = 0; w->figure && e < w->element_capacity; e++) dls_figure_release(&w->figure[e]);
  free(w->figure);
  free(w->angle);
  free(w->first);
  free(w->element);
  free(w->element_body);
  free(w->boundary);
  dls_facets_list_clear(&w->facets);
  dls_deformables_clear(&w->deformable);
  dls_materials_clear(&w->materials);
  free(w);
}

DlsStatus dls_world_reserve(DlsWorld *world, int bodies, int elements) {
  DlsWorld *w = world;
  if (bodies > w->capacity) {
#define GROW_FIELD(field) GROW(w->field, w->count, bodies);
    FOR_BODY_ARRAYS(GROW_FIELD)
#undef GROW_FIELD
    if (w->dim == 2) GROW(w->angle, w->count, bodies);
    GROW(w->first, w->first ? w->count + 1 : 0, bodies + 1);
    w->capacity = bodies;
  }
  if (elements > w->element_capacity) {
    GROW(w->element, w->first[w->count], elements);
    GROW(w->element_body, w->first[w->count], elements);
    if (w->figure) GROW(w->figure, w->first[w->count], elements);
    w->element_capacity = elements;
  }
  return DLS_OK;
}

DlsStatus dls_world_resize(DlsWorld *world, int bodies, int elements) {
  DLS_CHECK(bodies >= 0 && elements >= bodies, DLS_ERR_ARGUMENT,
            "world: %d bodies cannot have %d spheres", bodies, elements);
  DLS_TRY(dls_deformable_refuse(world, "a world with such bodies is not restarted"));
  DLS_TRY(dls_world_reserve(world, bodies, elements));
  for (int e = elements; world->figure && e < world->element_capacity; e++)
    dls_figure_release(&world->figure[e]);
  world->count = bodies;
  world->first[bodies] = elements;
  world->revision++;
  return DLS_OK;
}

static DlsStatus check_body(const DlsWorld *world, const DlsBody *b) {
  const int number = world->count;
  DLS_CHECK(b->shape && b->shape->count > 0, DLS_ERR_ARGUMENT, "body %d has no shape", number);
  DLS_CHECK(b->shape->dim == world->dim, DLS_ERR_ARGUMENT,
            "body %d: a shape of dimension %d in a world of dimension %d", number, b->shape->dim,
            world->dim);
  DLS_CHECK(isfinite(b->scale) && b->scale >= 0, DLS_ERR_ARGUMENT,
            "body %d: scale %g is not above 0", number, b->scale);
  DLS_CHECK(dls_small_finite(3, b->position) && dls_small_finite(4, b->orientation) &&
                dls_small_finite(6, b->velocity),
            DLS_ERR_ARGUMENT, "body %d: position, orientation or velocity is not finite", number);
  const double given = b->mass > 0 ? b->mass : b->density;
  DLS_CHECK(isfinite(given) && given > 0 && b->mass >= 0, DLS_ERR_ARGUMENT,
            "body %d: give a mass or a density above 0 (mass %g, density %g)", number, b->mass,
            b->density);
  DLS_CHECK(b->material >= 0 && (b->material == 0 || b->material < world->materials.count),
            DLS_ERR_ARGUMENT, "body %d: no material number %d", number, b->material);
  DLS_CHECK(b->id == 0 || (b->id >= world->next_id && b->id < DLS_END_OF_IDS), DLS_ERR_ARGUMENT,
            "body %d: id %llu is not above those given so far", number, (unsigned long long)b->id);
  if (world->dim == 3) return DLS_OK;
  DLS_CHECK(b->position[2] == 0 && b->velocity[2] == 0 && b->velocity[3] == 0 &&
                b->velocity[4] == 0 && b->orientation[1] == 0 && b->orientation[2] == 0,
            DLS_ERR_ARGUMENT, "body %d: place or motion out of the plane in 2-D", number);
  return DLS_OK;
}

/* Room for the first element that is no ball: all so far are. */
static DlsStatus make_figures(DlsWorld *w) {
  if (w->figure) return DLS_OK;
  DlsFigure *figure = dls_memory_array((size_t)w->element_capacity, sizeof *figure);
  DLS_CHECK(figure, DLS_ERR_MEMORY, "out of memory: %d elements", w->element_capacity);
  for (int i = 0; i < w->count; i++)
    for (int e = w->first[i]; e < w->first[i + 1]; e++)
      figure[e].first_feature = (uint32_t)(e - w->first[i]);
  w->figure = figure;
  return DLS_OK;
}

/* Element `number` of a body takes the place `to`, as it is in `from` (NULL: a ball) but for
 * scale. */
static void put_figure(DlsWorld *w, int to, const DlsFigure *from, int number, double scale) {
  w->figure[to] = from ? *from : (DlsFigure){.first_feature = (uint32_t)number};
  w->figure[to].scale *= scale;
  w->figure[to].size *= scale;
  dls_figure_retain(&w->figure[to]);
}

/* Position and orientation of the principal axes from those of the axes of the shape. */
static void place_body(DlsWorld *w, int i, const DlsBody *b, double scale) {
  const DlsShape *shape = b->shape;
  double q[4] = {b->orientation[0], b->orientation[1], b->orientation[2], b->orientation[3]}, c[3];
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) q[0] = 1;
  dls_rotation_normalise(q);
  dls_rotation_apply(q, shape->centre, c);
  for (int k = 0; k < 3; k++) w->position[i][k] = b->position[k] + scale * c[k];
  dls_rotation_multiply(q, shape->rotation, w->orientation[i]);
  if (w->dim == 2) dls_world_set_angle(w, i, 2 * atan2(q[3], q[0]));
}

DlsStatus dls_world_add_body(DlsWorld *world, const DlsBody *body) {
  DlsWorld *w = world;
  const int i = w->count;
  DLS_TRY(check_body(w, body));
  const DlsShape *shape = body->shape;
  const double s = body->scale > 0 ? body->scale : 1;
  const int first = w->first[i], elements = first + shape->count;
  if (i + 1 > w->capacity || elements > w->element_capacity)
    DLS_TRY(dls_world_reserve(w, i + 1 > w->capacity ? 2 * w->capacity : w->capacity,
                              elements > w->element_capacity ? elements + w->element_capacity
                                                             : w->element_capacity));
  if (shape->figure) DLS_TRY(make_figures(w));
  place_body(w, i, body, s);
  memcpy(w->velocity[i], body->velocity, sizeof w->velocity[i]);
  /* Volume goes with s^dim, inertia of unit density with s^(dim + 2). */
  const double volume = shape->volume * (w->dim == 3 ? s * s * s : s * s);
  w->volume[i] = volume;
  w->mass[i] = body->mass > 0 ? body->mass : body->density * volume;
  for (int k = 0; k < 3; k++)
    w->inertia[i][k] = w->mass[i] * (shape->inertia[k] / shape->volume) * s * s;
  w->id[i] = body->id ? body->id : w->next_id;
  w->next_id = w->id[i] + 1;
  w->flags[i] = body->flags;
  w->material[i] = body->material;
  w->fixed[i] = body->fixed & DLS_FIXED_ALL;
  if (w->dim == 2) w->fixed[i] |= DLS_FIXED_IN_PLANE;
  w->isotropic[i] = shape->isotropic;
  for (int e = 0; e < shape->count; e++) {
    DlsElement *element = &w->element[first + e];
    for (int k = 0; k < 3; k++) element->offset[k] = s * shape->element[e].offset[k];
    element->radius = s * shape->element[e].radius;
    w->element_body[first + e] = i;
    if (w->figure) put_figure(w, first + e, shape->figure ? &shape->figure[e] : NULL, e, s);
  }
  w->first[i + 1] = elements;
  w->count++;
  w->revision++;
  return DLS_OK;
}

DlsStatus dls_world_add_copy(DlsWorld *world, const DlsWorld *from, int body, uint64_t id,
                             int material, double density) {
  DlsWorld *w = world;
  const int i = w->count, first = w->first[i], count = from->first[body + 1] - from->first[body];
  DLS_CHECK(from->dim == w->dim, DLS_ERR_ARGUMENT, "a body of a world of dimension %d in one of %d",
            from->dim, w->dim);
  DLS_CHECK(id == 0 || (id >= w->next_id && id < DLS_END_OF_IDS), DLS_ERR_ARGUMENT,
            "body %d: id %llu is not above those given so far", i, (unsigned long long)id);
  DLS_CHECK(!dls_deformable_of(from, body), DLS_ERR_UNSUPPORTED,
            "body %llu is not rigid: it cannot be copied", (unsigned long long)from->id[body]);
  DLS_TRY(dls_world_reserve(w, i + 1 > w->capacity ? 2 * (i + 1) : w->capacity,
                            first + count > w->element_capacity ? 2 * (first + count)
                                                                : w->element_capacity));
  if (from->figure) DLS_TRY(make_figures(w));
#define COPY(field) memcpy(&w->field[i], &from->field[body], sizeof w->field[i]);
  FOR_BODY_ARRAYS(COPY)
#undef COPY
  if (w->angle) w->angle[i] = from->angle[body];
  const double mass = density * w->volume[i];
  for (int k = 0; k < 3 && mass != w->mass[i]; k++) w->inertia[i][k] *= mass / w->mass[i];
  w->mass[i] = mass;
  w->material[i] = material;
  w->id[i] = id ? id : w->next_id;
  w->next_id = w->id[i] + 1;
  memcpy(&w->element[first], &from->element[from->first[body]], (size_t)count * sizeof *w->element);
  for (int e = 0; e < count; e++) {
    w->element_body[first + e] = i;
    if (w->figure)
      put_figure(w, first + e, from->figure ? &from->figure[from->first[body] + e] : NULL, e, 1);
  }
  w->first[i + 1] = first + count;
  w->count++;
  w->revision++;
  return DLS_OK;
}

static void move_body(DlsWorld *w, int from, int to) {
  const int count = w->first[from + 1] - w->first[from], target = w->first[to];
#define MOVE(field) memcpy(&w->field[to], &w->field[from], sizeof w->field[to]);
  FOR_BODY_ARRAYS(MOVE)
#undef MOVE
  if (w->angle) w->angle[to] = w->angle[from];
  memmove(&w->element[target], &w->element[w->first[from]], (size_t)count * sizeof *w->element);
  for (int e = 0; w->figure && e < count; e++) { /* the old place has no user any more */
    w->figure[target + e] = w->figure[w->first[from] + e];
    w->figure[w->first[from] + e].numbers = NULL;
  }
  for (int e = 0; e < count; e++) w->element_body[target + e] = to;
}

int dls_world_compact(DlsWorld *world, int *remap) {
  DlsWorld *w = world;
  const int old = w->count;
  int kept = 0, start = 0;
  if (w->deformable.count) dls_deformables_compact(w);
  for (int i = 0; i < old; i++) {
    const int end = w->first[i + 1], count = end - start;
    const bool doomed = w->flags[i] & DLS_BODY_DOOMED;
    if (remap) remap[i] = doomed ? -1 : kept;
    for (int e = start; doomed && w->figure && e < end; e++) dls_figure_release(&w->figure[e]);
    if (!doomed) {
      if (kept != i) {
        /* first[i] may have been overwritten by a shorter run in front: `start` is the truth. */
        w->first[i] = start;
        move_body(w, i, kept);
      }
      w->first[kept + 1] = w->first[kept] + count;
      kept++;
    }
    start = end;
  }
  w->count = kept;
  if (kept != old) w->revision++;
  return old - kept;
}

int dls_world_find(const DlsWorld *world, uint64_t id) {
  int low = 0, high = world->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (world->id[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < world->count && world->id[low] == id ? low : -1;
}

size_t dls_world_bytes(const DlsWorld *world) {
  size_t body = sizeof *world->first + (world->angle ? sizeof *world->angle : 0);
#define SIZE(field) body += sizeof *world->field;
  FOR_BODY_ARRAYS(SIZE)
#undef SIZE
  return sizeof *world + body * (size_t)world->capacity +
         (sizeof *world->element + sizeof *world->element_body +
          (world->figure ? sizeof *world->figure : 0)) *
             (size_t)world->element_capacity +
         sizeof *world->boundary * (size_t)world->boundary_capacity +
         sizeof *world->deformable.item * (size_t)world->deformable.count +
         sizeof(double) * (size_t)(world->deformable.velocities + world->deformable.states);
}
