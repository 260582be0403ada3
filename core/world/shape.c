#include "world/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "base/symmetric.h"
#include "world/rotation.h"
#include "world/shape_impl.h"

static const double pi = 3.14159265358979323846;

/* Adds a sphere (4/3 pi r3, second moments V r2/5) or a disk (pi r2, A r2/4). */
static void add_element(int dim, const DlsElement *e, DlsMoments *sum) {
  const double r = e->radius, *c = e->offset;
  const double volume = dim == 3 ? 4.0 / 3.0 * pi * r * r * r : pi * r * r;
  const double own = volume * r * r / (dim == 3 ? 5 : 4);
  sum->volume += volume;
  for (int k = 0; k < 3; k++) {
    sum->first[k] += volume * c[k];
    sum->second[k] += volume * c[k] * c[k] + (k < dim ? own : 0);
    sum->second[3 + k] += volume * c[k] * c[(k + 1) % 3];
  }
}

/* The inertia tensor about the centre of mass from moments about the origin, row-major. */
static void inertia_tensor(const DlsMoments *m, const double centre[3], double out[9]) {
  double second[6];
  for (int k = 0; k < 3; k++) {
    second[k] = m->second[k] - m->volume * centre[k] * centre[k];
    second[3 + k] = m->second[3 + k] - m->volume * centre[k] * centre[(k + 1) % 3];
  }
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3;
    out[4 * k] = second[next] + second[(k + 2) % 3];
    out[3 * k + next] = out[3 * next + k] = -second[3 + k];
  }
}

/* Principal inertia and axes of a tensor; isotropic ones keep the given axes. */
static DlsStatus set_inertia(DlsShape *shape, const double tensor[9]) {
  double A[9], V[9], J[3];
  shape->rotation[0] = 1;
  shape->rotation[1] = shape->rotation[2] = shape->rotation[3] = 0;
  if (shape->dim == 2) {
    DLS_CHECK(tensor[8] > 0, DLS_ERR_ARGUMENT, "shape: inertia %g about z is not above 0",
              tensor[8]);
    shape->inertia[0] = shape->inertia[1] = 0;
    shape->inertia[2] = tensor[8];
    shape->isotropic = true;
    return DLS_OK;
  }
  memcpy(A, tensor, sizeof A);
  dls_symmetric_axes(A, J, V);
  const double low = fmin(J[0], fmin(J[1], J[2])), high = fmax(J[0], fmax(J[1], J[2]));
  DLS_CHECK(low > 0 && J[0] + J[1] + J[2] >= 2 * high * (1 - 1e-9), DLS_ERR_ARGUMENT,
            "shape: principal inertias %g %g %g are of no solid (each above 0, none above the sum "
            "of the others)",
            J[0], J[1], J[2]);
  shape->isotropic = high - low <= 1e-12 * high;
  for (int i = 0; i < 3; i++)
    shape->inertia[i] = shape->isotropic ? (J[0] + J[1] + J[2]) / 3 : J[i];
  if (!shape->isotropic) dls_rotation_from_matrix(V, shape->rotation);
  return DLS_OK;
}

/* Elements from the given axes to principal axes about the centre; `old` frame -> new frame. */
static void move_elements(DlsShape *shape, const double shift[3], const double rotation[4]) {
  shape->reach = 0;
  for (int i = 0; i < shape->count; i++) {
    double *offset = shape->element[i].offset;
    for (int k = 0; k < 3; k++) offset[k] -= shift[k];
    dls_rotation_apply_inverse(rotation, offset, offset);
    shape->reach = fmax(shape->reach, dls_vector_norm(offset) + shape->element[i].radius);
  }
}

static DlsStatus check_elements(int dim, int count, const DlsElement *element) {
  DLS_CHECK(dim == 2 || dim == 3, DLS_ERR_ARGUMENT, "shape: dimension %d is neither 2 nor 3", dim);
  DLS_CHECK(count >= 1, DLS_ERR_ARGUMENT, "shape: %d spheres, not 1 or more", count);
  for (int i = 0; i < count; i++) {
    DLS_CHECK(dls_small_finite(3, element[i].offset), DLS_ERR_ARGUMENT,
              "shape: the offset of sphere %d is not finite", i);
    DLS_CHECK(isfinite(element[i].radius) && element[i].radius > 0, DLS_ERR_ARGUMENT,
              "shape: radius %g of sphere %d is not above 0", element[i].radius, i);
    DLS_CHECK(dim == 3 || element[i].offset[2] == 0, DLS_ERR_ARGUMENT,
              "shape: disk %d lies out of the plane by %g", i, element[i].offset[2]);
  }
  return DLS_OK;
}

static DlsStatus fill_cluster(DlsShape *shape) {
  DlsMoments sum = {0}, excess;
  double tensor[9];
  for (int i = 0; i < shape->count; i++) add_element(shape->dim, &shape->element[i], &sum);
  DLS_TRY(dls_shape_excess(shape->dim, shape->count, shape->element, &excess));
  sum.volume -= excess.volume;
  for (int k = 0; k < 3; k++) sum.first[k] -= excess.first[k];
  for (int k = 0; k < 6; k++) sum.second[k] -= excess.second[k];
  for (int k = 0; k < 3; k++) shape->centre[k] = sum.first[k] / sum.volume;
  inertia_tensor(&sum, shape->centre, tensor);
  shape->volume = sum.volume;
  DLS_TRY(set_inertia(shape, tensor));
  move_elements(shape, shape->centre, shape->rotation);
  return DLS_OK;
}

DlsStatus dls_shape_cluster(int dim, int count, const DlsElement *element, DlsShape *out) {
  *out = (DlsShape){0};
  DLS_TRY(check_elements(dim, count, element));
  out->dim = dim;
  out->count = count;
  DLS_NEW(out->element, count);
  memcpy(out->element, element, (size_t)count * sizeof *element);
  const DlsStatus status = fill_cluster(out);
  if (status != DLS_OK) dls_shape_clear(out);
  return status;
}

DlsStatus dls_shape_sphere(int dim, double radius, DlsShape *out) {
  const DlsElement element = {{0, 0, 0}, radius};
  return dls_shape_cluster(dim, 1, &element, out);
}

DlsStatus dls_shape_set_mass(DlsShape *shape, double volume, const double centre[3],
                             const double tensor[9]) {
  DLS_CHECK(isfinite(volume) && volume > 0, DLS_ERR_ARGUMENT, "shape: volume %g is not above 0",
            volume);
  DLS_CHECK(dls_small_finite(3, centre) && dls_small_finite(9, tensor), DLS_ERR_ARGUMENT,
            "shape: centre or inertia is not finite");
  DlsShape new = *shape;
  DLS_TRY(set_inertia(&new, tensor));
  /* Back to the given axes, then to the new ones. */
  const double back[4] = {shape->rotation[0], -shape->rotation[1], -shape->rotation[2],
                          -shape->rotation[3]};
  const double none[4] = {1, 0, 0, 0}, zero[3] = {0, 0, 0};
  const double away[3] = {-shape->centre[0], -shape->centre[1], -shape->centre[2]};
  move_elements(shape, zero, back);
  move_elements(shape, away, none);
  new.volume = volume;
  memcpy(new.centre, centre, sizeof new.centre);
  move_elements(&new, new.centre, new.rotation);
  *shape = new;
  return DLS_OK;
}

void dls_shape_clear(DlsShape *shape) {
  free(shape->element);
  *shape = (DlsShape){0};
}
