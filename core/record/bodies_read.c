#include "record/bodies_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/checkpoint/checkpoint.h"
#include "record/vtu/vtu_read.h"

/* The arrays of a frame, a row for each body. */
typedef struct {
  int64_t *id, *material, *held;
  double (*position)[3], (*velocity)[3], (*spin)[3], (*axes)[9], *radius;
  double *volume; /* NULL where the frame does not tell it */
  int64_t count;
} Frame;

static void clear(Frame *f) {
  free(f->id);
  free(f->material);
  free(f->held);
  free(f->position);
  free(f->velocity);
  free(f->spin);
  free(f->axes);
  free(f->radius);
  free(f->volume);
}

static DlsStatus get(const DlsVtuFile *file, int64_t n, Frame *f) {
  f->count = n;
  DLS_NEW(f->id, n);
  DLS_NEW(f->material, n);
  DLS_NEW(f->held, n);
  DLS_NEW(f->position, n);
  DLS_NEW(f->velocity, n);
  DLS_NEW(f->spin, n);
  DLS_NEW(f->axes, n);
  DLS_NEW(f->radius, n);
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "id", n, f->id));
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "material", n, f->material));
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "held", n, f->held));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "Points", 3, n, f->position[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "velocity", 3, n, f->velocity[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "spin", 3, n, f->spin[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "orientation", 9, n, f->axes[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "radius", 1, n, f->radius));
  if (!dls_vtu_has(file, DLS_VTU_OF_POINTS, "volume")) return DLS_OK;
  DLS_NEW(f->volume, n);
  return dls_vtu_reals(file, DLS_VTU_OF_POINTS, "volume", 1, n, f->volume);
}

/* What has corners has another volume than the ball of its radius; frames may hold seven digits. */
static bool is_ball(const Frame *f, int64_t i, int dim) {
  const double pi = 3.14159265358979323846, r = f->radius[i];
  const double ball = dim == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
  return !f->volume || fabs(f->volume[i] - ball) <= 1e-5 * ball;
}

static DlsStatus add_body(const char *path, const Frame *f, int64_t i, const DlsShape *unit,
                          DlsWorld *world) {
  DlsBody body = {.shape = unit,
                  .scale = f->radius[i],
                  .density = 1,
                  .id = (uint64_t)f->id[i],
                  .fixed = f->held[i] ? DLS_FIXED_ALL : 0};
  DLS_CHECK(i + 1 == f->count || f->id[i] != f->id[i + 1], DLS_ERR_UNSUPPORTED,
            "%s: body %lld is a cluster, whose inertia a frame does not tell; take the checkpoint",
            path, (long long)f->id[i]);
  DLS_CHECK(is_ball(f, i, world->dim), DLS_ERR_UNSUPPORTED,
            "%s: body %lld has corners, which a frame does not tell; take the checkpoint", path,
            (long long)f->id[i]);
  DLS_CHECK(f->id[i] > 0 && f->radius[i] > 0 && f->material[i] >= 0 && f->material[i] < 1000000,
            DLS_ERR_FORMAT, "%s: point %lld has no sound id, radius or material", path,
            (long long)i);
  memcpy(body.position, f->position[i], sizeof body.position);
  memcpy(body.velocity, f->velocity[i], sizeof f->velocity[i]);
  memcpy(body.velocity + 3, f->spin[i], sizeof f->spin[i]);
  dls_rotation_from_matrix(f->axes[i], body.orientation);
  if (dls_world_add_body(world, &body) != DLS_OK)
    return dls_fail_context(DLS_ERR_FORMAT, "%s: point %lld", path, (long long)i);
  world->material[world->count - 1] = (int)f->material[i];
  return DLS_OK;
}

static DlsStatus take(const char *path, int dim, const DlsVtuFile *file, Frame *f,
                      DlsBodyFile *out) {
  int64_t dimension;
  DlsShape unit = {0};
  const int64_t n = dls_vtu_points(file);
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_FIELD, "dimension", 1, &dimension));
  DLS_CHECK(dimension == dim, DLS_ERR_ARGUMENT, "%s: is in %d-D, and the deck in %d-D", path,
            (int)dimension, dim);
  DLS_TRY(get(file, n, f));
  DLS_TRY(dls_world_create(dim, &out->world));
  DLS_TRY(dls_shape_sphere(dim, 1, &unit));
  DlsStatus status = DLS_OK;
  for (int64_t i = 0; i < n && status == DLS_OK; i++)
    status = add_body(path, f, i, &unit, out->world);
  dls_shape_clear(&unit);
  return status;
}

static DlsStatus read_frame(const char *path, int dim, DlsBodyFile *out) {
  DlsVtuFile *file = NULL;
  Frame frame = {0};
  DlsStatus status = dls_vtu_open(path, &file);
  if (status == DLS_OK) status = take(path, dim, file, &frame, out);
  if (status != DLS_OK && strncmp(dls_error_message(), path, strlen(path)) != 0)
    dls_fail_context(status, "%s", path);
  clear(&frame);
  dls_vtu_close(&file);
  return status;
}

static DlsStatus read_checkpoint(const char *path, int dim, DlsBodyFile *out) {
  DLS_TRY(dls_checkpoint_bodies(path, &out->world));
  DLS_CHECK(out->world->dim == dim, DLS_ERR_ARGUMENT, "%s: is in %d-D, and the deck in %d-D", path,
            out->world->dim, dim);
  return DLS_OK;
}

DlsStatus dls_bodies_read(const char *path, int dim, DlsBodyFile *out) {
  const size_t length = strlen(path);
  const bool frame = length >= 4 && strcmp(path + length - 4, ".vtu") == 0;
  *out = (DlsBodyFile){.velocities = true, .spins = true, .ids = true, .materials = true};
  const DlsStatus status = frame ? read_frame(path, dim, out) : read_checkpoint(path, dim, out);
  if (status != DLS_OK) dls_body_file_clear(out);
  return status;
}
