#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detect/contact.h"
#include "world/rotation.h"

#define FOR_CONTACT_ARRAYS(X)                                                                      \
  X(candidate)                                                                                     \
  X(antagonist)                                                                                    \
  X(point) X(frame) X(gap) X(radius) X(area) X(shift) X(key) X(previous) X(mean)

DlsStatus dls_contact_set_reserve(DlsContactSet *set, int capacity) {
  DlsContactSet new = {0};
  if (capacity <= set->capacity) return DLS_OK;
  bool whole = true;
#define MAKE(field)                                                                                \
  new.field = dls_memory_array((size_t)capacity, sizeof *new.field);                               \
  whole = whole && new.field;
  FOR_CONTACT_ARRAYS(MAKE)
#undef MAKE
  new.capacity = capacity;
  if (!whole) {
    dls_contact_set_clear(&new);
    return dls_fail(DLS_ERR_MEMORY, "out of memory: %d contacts", capacity);
  }
#define COPY(field)                                                                                \
  if (set->count) memcpy(new.field, set->field, (size_t)set->count * sizeof *new.field);
  FOR_CONTACT_ARRAYS(COPY)
#undef COPY
  new.count = set->count;
  new.weights = set->weights, new.weight_capacity = set->weight_capacity;
  new.element = set->element, new.weight = set->weight;
  set->element = NULL, set->weight = NULL;
  dls_contact_set_clear(set);
  *set = new;
  return DLS_OK;
}

void dls_contact_set_clear(DlsContactSet *set) {
#define FREE(field) free(set->field);
  FOR_CONTACT_ARRAYS(FREE)
#undef FREE
  free(set->element);
  free(set->weight);
  *set = (DlsContactSet){0};
}

size_t dls_contact_set_bytes(const DlsContactSet *set) {
  size_t bytes = 0;
#define SIZE(field) bytes += sizeof *set->field;
  FOR_CONTACT_ARRAYS(SIZE)
#undef SIZE
  return bytes * (size_t)set->capacity +
         (sizeof *set->element + sizeof *set->weight) * (size_t)set->weight_capacity;
}

DlsStatus dls_contact_set_mean(DlsContactSet *set, int count, const int *element,
                               const double *weight, DlsContactMean *out) {
  if (set->weights + count > set->weight_capacity) {
    const int capacity = 2 * (set->weights + count) + 64;
    int *elements = realloc(set->element, (size_t)capacity * sizeof *elements);
    if (elements) set->element = elements;
    double *numbers = realloc(set->weight, (size_t)capacity * sizeof *numbers);
    if (numbers) set->weight = numbers;
    DLS_CHECK(elements && numbers, DLS_ERR_MEMORY, "out of memory: %d weights of contacts",
              capacity);
    set->weight_capacity = capacity;
  }
  *out = (DlsContactMean){set->weights, count};
  for (int k = 0; k < count; k++, set->weights++) {
    set->element[set->weights] = element[k];
    set->weight[set->weights] = weight[k];
  }
  return DLS_OK;
}

void dls_contact_set_put(DlsContactSet *set, int at, const DlsContactSet *from) {
#define PUT(field)                                                                                 \
  dls_memory_copy(&set->field[at], from->field, (size_t)from->count, sizeof *set->field);
  FOR_CONTACT_ARRAYS(PUT)
#undef PUT
}

DlsStatus dls_contact_set_append(DlsContactSet *set, const DlsContactSet *from, int c) {
  const int i = set->count;
#define COPY(field) memcpy(&set->field[i], &from->field[c], sizeof *set->field);
  FOR_CONTACT_ARRAYS(COPY)
#undef COPY
  for (int side = 0; side < 2; side++) {
    const DlsContactMean *mean = &from->mean[c][side];
    if (mean->count == 0)
      set->mean[i][side] = (DlsContactMean){0, 0};
    else
      DLS_TRY(dls_contact_set_mean(set, mean->count, from->element + mean->start,
                                   from->weight + mean->start, &set->mean[i][side]));
  }
  set->count++;
  return DLS_OK;
}

void dls_contact_frame(int dim, const double n[3], double frame[9]) {
  double *t1 = frame + 3, *t2 = frame + 6;
  memcpy(frame, n, 3 * sizeof *frame);
  if (dim == 2) {
    t1[0] = -n[1], t1[1] = n[0], t1[2] = 0;
    t2[0] = 0, t2[1] = 0, t2[2] = 1;
    return;
  }
  const double sign = copysign(1, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
  t1[0] = 1 + sign * n[0] * n[0] * a, t1[1] = sign * b, t1[2] = -sign * n[0];
  t2[0] = b, t2[1] = sign + n[1] * n[1] * a, t2[2] = -n[1];
}

void dls_contact_turn(const double wanted[3], double frame[9]) {
  const double *n = frame, size = dls_vector_norm(wanted), along = dls_vector_dot(wanted, n);
  const double least = 1e-9; /* of its length: less in the plane is round-off of one along n */
  double t1[3];
  for (int k = 0; k < 3; k++) t1[k] = wanted[k] - along * n[k];
  const double in_plane = dls_vector_norm(t1);
  if (!(in_plane > least * size)) return;
  for (int k = 0; k < 3; k++) frame[3 + k] = t1[k] / in_plane;
  dls_vector_cross(frame, frame + 3, frame + 6);
}
