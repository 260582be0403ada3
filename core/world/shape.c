#include "world/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "base/symmetric.h"
#include "world/rotation.h"
#include "world/shape_impl.h"

/* Adds a solid at an offset c, turned by q (NULL: not), its moments about its own origin known:
 *   int (c + x) = V c + F,   int (c + x)(c + x)^T = V c c^T + S + c F^T + F c^T. */
static void add_moments(const DlsMoments *m, const double c[3], const double *q, DlsMoments *sum) {
  double F[3] = {m->first[0], m->first[1], m->first[2]}, S[6];
  memcpy(S, m->second, sizeof S);
  if (q) {
    double R[9], T[9], A[9] = {S[0], S[3], S[5], S[3], S[1], S[4], S[5], S[4], S[2]};
    dls_rotation_apply(q, F, F);
    dls_rotation_matrix(q, R);
    for (int i = 0; i < 9; i++) { /* T = R A */
      T[i] = 0;
      for (int k = 0; k < 3; k++) T[i] += R[i / 3 * 3 + k] * A[3 * k + i % 3];
    }
    for (int i = 0; i < 9; i++) { /* A = T R^T */
      A[i] = 0;
      for (int k = 0; k < 3; k++) A[i] += T[i / 3 * 3 + k] * R[i % 3 * 3 + k];
    }
    for (int k = 0; k < 3; k++) S[k] = A[4 * k], S[3 + k] = A[3 * k + (k + 1) % 3];
  }
  sum->volume += m->volume;
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3;
    sum->first[k] += m->volume * c[k] + F[k];
    sum->second[k] += m->volume * c[k] * c[k] + S[k] + 2 * c[k] * F[k];
    sum->second[3 + k] += m->volume * c[k] * c[next] + S[3 + k] + c[k] * F[next] + c[next] * F[k];
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
    if (shape->figure) {
      const double back[4] = {rotation[0], -rotation[1], -rotation[2], -rotation[3]};
      double turned[4];
      dls_rotation_multiply(back, shape->figure[i].rotation, turned);
      memcpy(shape->figure[i].rotation, turned, sizeof turned);
    }
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

DlsSolid dls_shape_solid(const DlsShape *shape, int e) {
  const DlsFigure *figure = shape->figure ? &shape->figure[e] : NULL;
  if (!figure || !figure->numbers)
    return (DlsSolid){.dim = shape->dim, .kind = DLS_SHAPE_BALL, .scale = shape->element[e].radius};
  return (DlsSolid){.dim = shape->dim,
                    .kind = figure->numbers->kind,
                    .count = figure->numbers->count,
                    .number = figure->numbers->number,
                    .scale = figure->scale};
}

/* Centre, inertia and principal axes from the elements; a cluster of balls is their union, unless
 * they are `apart`. */
static DlsStatus fill_mass(DlsShape *shape, bool apart) {
  DlsMoments sum = {0}, own, excess = {0};
  double tensor[9];
  for (int i = 0; i < shape->count; i++) {
    const DlsSolid solid = dls_shape_solid(shape, i);
    dls_shape_operations(solid.kind)->moments(&solid, &own);
    add_moments(&own, shape->element[i].offset, shape->figure ? shape->figure[i].rotation : NULL,
                &sum);
  }
  if (!shape->figure && !apart)
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

static DlsStatus make_cluster(int dim, int count, const DlsElement *element, bool apart,
                              DlsShape *out) {
  *out = (DlsShape){0};
  DLS_TRY(check_elements(dim, count, element));
  out->dim = dim;
  out->count = count;
  DLS_NEW(out->element, count);
  memcpy(out->element, element, (size_t)count * sizeof *element);
  const DlsStatus status = fill_mass(out, apart);
  if (status != DLS_OK) dls_shape_clear(out);
  return status;
}

DlsStatus dls_shape_cluster(int dim, int count, const DlsElement *element, DlsShape *out) {
  return make_cluster(dim, count, element, false, out);
}

DlsStatus dls_shape_cluster_apart(int dim, int count, const DlsElement *element, DlsShape *out) {
  return make_cluster(dim, count, element, true, out);
}

DlsStatus dls_shape_sphere(int dim, double radius, DlsShape *out) {
  const DlsElement element = {{0, 0, 0}, radius};
  return dls_shape_cluster(dim, 1, &element, out);
}

static DlsStatus put_part(DlsShape *shape, int i, const DlsShapePart *part, uint32_t *features) {
  const DlsShapeOperations *kind = dls_shape_operations(part->kind);
  DlsFigure *figure = &shape->figure[i];
  DLS_CHECK(kind, DLS_ERR_ARGUMENT, "shape: element %d is of an unknown kind %d", i,
            (int)part->kind);
  DLS_CHECK(dls_small_finite(3, part->offset) && dls_small_finite(4, part->rotation) &&
                isfinite(part->scale) && part->count >= 0,
            DLS_ERR_ARGUMENT, "shape: place, turn or scale of element %d is not finite", i);
  DLS_CHECK(shape->dim == 3 ||
                (part->offset[2] == 0 && part->rotation[1] == 0 && part->rotation[2] == 0),
            DLS_ERR_ARGUMENT, "shape: element %d lies out of the plane", i);
  memcpy(shape->element[i].offset, part->offset, sizeof part->offset);
  memcpy(figure->rotation, part->rotation, sizeof figure->rotation);
  if (dls_small_norm(4, figure->rotation) == 0) figure->rotation[0] = 1;
  dls_rotation_normalise(figure->rotation);
  if (part->kind != DLS_SHAPE_BALL) {
    figure->scale = part->scale > 0 ? part->scale : 1;
    figure->numbers =
        dls_memory_array(1, sizeof *figure->numbers + (size_t)part->count * sizeof(double));
    DLS_CHECK(figure->numbers, DLS_ERR_MEMORY, "out of memory: %d numbers of a shape", part->count);
    figure->numbers->kind = part->kind;
    figure->numbers->count = part->count;
    figure->numbers->users = 1;
    dls_memory_copy(figure->numbers->number, part->number, (size_t)part->count, sizeof(double));
  }
  shape->element[i].radius = part->scale; /* of a ball */
  const DlsSolid solid = dls_shape_solid(shape, i);
  if (kind->check(&solid) != DLS_OK)
    return dls_fail_context(DLS_ERR_ARGUMENT, "shape: element %d, a %s", i, kind->name);
  shape->element[i].radius = kind->reach(&solid);
  figure->size = kind->size(&solid);
  figure->first_feature = *features;
  *features += kind->features ? kind->features(&solid) : 1;
  return DLS_OK;
}

DlsStatus dls_shape_compose(int dim, int count, const DlsShapePart *part, DlsShape *out) {
  uint32_t features = 0;
  *out = (DlsShape){0};
  DLS_CHECK(dim == 2 || dim == 3, DLS_ERR_ARGUMENT, "shape: dimension %d is neither 2 nor 3", dim);
  DLS_CHECK(count >= 1, DLS_ERR_ARGUMENT, "shape: %d elements, not 1 or more", count);
  out->dim = dim;
  DLS_NEW(out->element, count);
  out->figure = dls_memory_array((size_t)count, sizeof *out->figure);
  DlsStatus status = out->figure ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory: a shape");
  for (int i = 0; i < count && status == DLS_OK; i++) {
    out->count = i + 1;
    status = put_part(out, i, &part[i], &features);
  }
  if (status == DLS_OK) status = fill_mass(out, false);
  if (status != DLS_OK) dls_shape_clear(out);
  return status;
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
  for (int i = 0; i < shape->count && shape->figure; i++) dls_figure_release(&shape->figure[i]);
  free(shape->figure);
  free(shape->element);
  *shape = (DlsShape){0};
}

void dls_figure_retain(DlsFigure *figure) {
  if (figure->numbers) figure->numbers->users++;
}

void dls_figure_release(DlsFigure *figure) {
  if (figure->numbers && --figure->numbers->users == 0) free(figure->numbers);
  figure->numbers = NULL;
}
