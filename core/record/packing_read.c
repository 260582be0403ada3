#include "record/packing_read.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <delassus/errors.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/small.h"
#include "record/cells_read.h"
#include "record/vtu/vtu_read.h"
#include "record/wall_shape.h"

static const double pi = 3.14159265358979323846;

static void name_of(const char *folder, const char *series, int number, char *out, size_t bytes) {
  snprintf(out, bytes, "%s/%s_%06d.vtu", folder, series, number);
}

DlsStatus dls_packing_frames(const char *folder, int *out) {
  char path[4096];
  for (*out = 0;; (*out)++) {
    name_of(folder, "bodies", *out, path, sizeof path);
    if (access(path, F_OK) != 0) break;
  }
  snprintf(path, sizeof path, "%s/bodies_000000.pvtu", folder);
  DLS_CHECK(
      *out > 0 || access(path, F_OK) != 0, DLS_ERR_UNSUPPORTED,
      "%s: its frames are in pieces, which are for ParaView alone; run without output.pieces, "
      "or go on from the checkpoint",
      folder);
  DLS_CHECK(*out > 0, DLS_ERR_FILE,
            "%s: holds no frame (bodies_000000.vtu); give the folder of a run", folder);
  return DLS_OK;
}

/* What a body has in its elements, one after the other. */
typedef struct {
  int64_t elements;
  int64_t *id, *held;
  double (*position)[3], (*velocity)[3], (*resultant)[3], (*spin)[3], (*inertia)[9];
  double (*low)[3], (*high)[3];
  double *mass, *volume;
} Elements;

static void clear_elements(Elements *e) {
  free(e->id);
  free(e->held);
  free(e->position);
  free(e->velocity);
  free(e->resultant);
  free(e->spin);
  free(e->inertia);
  free(e->low);
  free(e->high);
  free(e->mass);
  free(e->volume);
}

/* Round grains have one number. Older files have none: spins count for nothing. */
static DlsStatus read_inertia(const DlsVtuFile *file, bool clusters, Elements *e) {
  const int64_t n = e->elements;
  if (!dls_vtu_has(file, DLS_VTU_OF_POINTS, "inertia")) return DLS_OK;
  if (clusters) return dls_vtu_reals(file, DLS_VTU_OF_POINTS, "inertia", 9, n, e->inertia[0]);
  double *moment;
  DLS_NEW(moment, n);
  const DlsStatus status = dls_vtu_reals(file, DLS_VTU_OF_POINTS, "inertia", 1, n, moment);
  for (int64_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) e->inertia[i][4 * k] = moment[i];
  free(moment);
  return status;
}

/* Of grains that are not round; older files have none. */
static DlsStatus read_extent(const DlsVtuFile *file, Elements *e) {
  const int64_t n = e->elements;
  if (!dls_vtu_has(file, DLS_VTU_OF_POINTS, "extent_low")) return DLS_OK;
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "extent_low", 3, n, e->low[0]));
  return dls_vtu_reals(file, DLS_VTU_OF_POINTS, "extent_high", 3, n, e->high[0]);
}

static DlsStatus read_elements(const DlsVtuFile *file, Elements *e) {
  const int64_t n = e->elements = dls_vtu_points(file);
  const bool clusters = dls_vtu_has(file, DLS_VTU_OF_POINTS, "mass_centre");
  DLS_NEW(e->id, n);
  DLS_NEW(e->held, n);
  DLS_NEW(e->position, n);
  DLS_NEW(e->velocity, n);
  DLS_NEW(e->resultant, n);
  DLS_NEW(e->spin, n);
  DLS_NEW(e->inertia, n);
  DLS_NEW(e->low, n);
  DLS_NEW(e->high, n);
  DLS_NEW(e->mass, n);
  DLS_NEW(e->volume, n);
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "id", n, e->id));
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "held", n, e->held));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, clusters ? "mass_centre" : "Points", 3, n,
                        e->position[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "velocity", 3, n, e->velocity[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "spin", 3, n, e->spin[0]));
  DLS_TRY(read_inertia(file, clusters, e));
  DLS_TRY(read_extent(file, e));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "contact_force", 3, n, e->resultant[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "mass", 1, n, e->mass));
  return dls_vtu_reals(file, DLS_VTU_OF_POINTS, "volume", 1, n, e->volume);
}

/* Ids ascend from body to body, so that they can be searched for; the rest is of a grain that could
 * be. */
static DlsStatus check_elements(const Elements *e, const char *path) {
  for (int64_t i = 0; i < e->elements; i++) {
    DLS_CHECK(e->id[i] > 0 && (i == 0 || e->id[i] >= e->id[i - 1]), DLS_ERR_FORMAT,
              "%s: id: the bodies are not in order at point %" PRId64 "; write the frame again",
              path, i);
    DLS_CHECK(e->held[i] == 0 || e->held[i] == 1, DLS_ERR_FORMAT,
              "%s: held: point %" PRId64 " has %" PRId64 ", not 0 or 1", path, i, e->held[i]);
    DLS_CHECK(e->mass[i] > 0 && e->volume[i] > 0, DLS_ERR_FORMAT,
              "%s: mass, volume: point %" PRId64 " has none above 0", path, i);
  }
  return DLS_OK;
}

static void fill_grains(const Elements *e, double lag, DlsPacking *g) {
  int k = -1;
  for (int64_t i = 0; i < e->elements; i++) {
    if (i > 0 && e->id[i] == e->id[i - 1]) continue;
    k++;
    g->id[k] = e->id[i];
    g->held[k] = e->held[i] != 0;
    g->mass[k] = e->mass[i];
    g->volume[k] = e->volume[i];
    g->radius[k] = g->dim == 3 ? cbrt(0.75 * g->volume[k] / pi) : sqrt(g->volume[k] / pi);
    memcpy(g->spin[k], e->spin[i], sizeof g->spin[k]);
    memcpy(g->inertia[k], e->inertia[i], sizeof g->inertia[k]);
    memcpy(g->low[k], e->low[i], sizeof g->low[k]);
    memcpy(g->high[k], e->high[i], sizeof g->high[k]);
    if (g->dim == 2) g->inertia[k][0] = g->inertia[k][4] = 0;
    for (int c = 0; c < 3; c++) {
      g->velocity[k][c] = e->velocity[i][c];
      g->position[k][c] = e->position[i][c];
      g->centre[k][c] = g->position[k][c] - lag * g->velocity[k][c];
      g->resultant[k][c] = e->resultant[i][c];
    }
  }
}

static int find_grain(const DlsPacking *g, int64_t id) {
  int low = 0, high = g->grains - 1;
  while (low <= high) {
    const int middle = low + (high - low) / 2;
    if (g->id[middle] == id) return middle;
    if (g->id[middle] < id)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

/* A grain by its id, or minus the id of a boundary. */
static bool find_antagonist(const DlsPacking *g, int64_t id, int *out) {
  const int boundaries = g->boundaries >= 0 ? g->boundaries : DLS_PACKING_BOUNDARIES;
  if (id < 0) return dls_checked_int(id, -boundaries, -1, out);
  *out = find_grain(g, id);
  return *out >= 0;
}

static DlsStatus read_numbers(const DlsVtuFile *file, const char *path, int64_t *work,
                              DlsPacking *g) {
  const int n = g->contacts;
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "candidate", n, work));
  for (int c = 0; c < n; c++) {
    g->candidate[c] = find_grain(g, work[c]);
    DLS_CHECK(g->candidate[c] >= 0, DLS_ERR_FORMAT, "%s: contact %d is of no body of the frame",
              path, c);
  }
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "antagonist", n, work));
  for (int c = 0; c < n; c++)
    DLS_CHECK(find_antagonist(g, work[c], &g->antagonist[c]), DLS_ERR_FORMAT,
              "%s: contact %d is of no body and no boundary of the frame", path, c);
  DLS_TRY(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "status", n, work));
  for (int c = 0; c < n; c++)
    DLS_CHECK(dls_checked_int(work[c], DLS_OPEN, DLS_STICK, &g->status[c]), DLS_ERR_FORMAT,
              "%s: status: contact %d has %" PRId64, path, c, work[c]);
  return DLS_OK;
}

static DlsStatus fill_contacts(const DlsVtuFile *file, const char *path, DlsPacking *g) {
  const int n = g->contacts;
  int64_t *work;
  if (n == 0) return DLS_OK;
  DLS_NEW(work, n);
  const DlsStatus status = read_numbers(file, path, work, g);
  free(work);
  DLS_TRY(status);
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "Points", 3, n, g->point[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "normal", 3, n, g->normal[0]));
  for (int c = 0; c < n; c++) {
    const double length = dls_vector_norm(g->normal[c]);
    DLS_CHECK(length > 0.999 && length < 1.001, DLS_ERR_FORMAT,
              "%s: normal: that of contact %d is %g long, not 1", path, c, length);
  }
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "force", 3, n, g->force[0]));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "normal_force", 1, n, g->normal_force));
  DLS_TRY(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "tangential_force", 1, n, g->tangential_force));
  return dls_vtu_reals_or_nan(file, DLS_VTU_OF_POINTS, "friction_limit", 1, n, g->friction_limit);
}

/* Older files tell neither the step nor the boundaries: twice the lag is the step of the scheme
 * moreau. */
static DlsStatus read_step(const DlsVtuFile *bodies, const char *path, DlsPacking *g) {
  int64_t boundaries = -1;
  g->h = 2 * g->lag;
  if (dls_vtu_has(bodies, DLS_VTU_OF_FIELD, "time_step"))
    DLS_TRY(dls_vtu_reals(bodies, DLS_VTU_OF_FIELD, "time_step", 1, 1, &g->h));
  if (dls_vtu_has(bodies, DLS_VTU_OF_FIELD, "boundaries"))
    DLS_TRY(dls_vtu_integers(bodies, DLS_VTU_OF_FIELD, "boundaries", 1, &boundaries));
  DLS_CHECK(dls_checked_int(boundaries, -1, DLS_PACKING_BOUNDARIES, &g->boundaries) && g->h >= 0 &&
                g->lag >= 0,
            DLS_ERR_FORMAT, "%s: %" PRId64 " boundaries, a step of %g s, a lag of %g s: impossible",
            path, boundaries, g->h, g->lag);
  return DLS_OK;
}

/* There where a wall is made of them. */
static DlsStatus read_facets(const DlsVtuFile *bodies, const char *path, DlsPacking *g) {
  int64_t rows;
  double *number;
  if (!dls_vtu_has(bodies, DLS_VTU_OF_FIELD, "wall_facets")) return DLS_OK;
  DLS_TRY(dls_vtu_length(bodies, DLS_VTU_OF_FIELD, "wall_facets", &rows));
  DLS_CHECK(rows % 3 == 0, DLS_ERR_FORMAT, "%s: wall_facets: holds no rows of three", path);
  rows /= 3;
  DLS_NEW(number, 3 * (size_t)rows);
  DlsStatus status = dls_vtu_reals(bodies, DLS_VTU_OF_FIELD, "wall_facets", 3, rows, number);
  if (status == DLS_OK) status = dls_wall_unpack_facets(number, rows, g->dim, path, &g->facets);
  free(number);
  return status;
}

/* Files of earlier versions tell none. */
static DlsStatus read_walls(const DlsVtuFile *bodies, const char *path, DlsPacking *g) {
  int64_t told = 0;
  int walls;
  double *shape;
  if (dls_vtu_has(bodies, DLS_VTU_OF_FIELD, "walls"))
    DLS_TRY(dls_vtu_integers(bodies, DLS_VTU_OF_FIELD, "walls", 1, &told));
  DLS_CHECK(dls_checked_int(told, 0, DLS_PACKING_BOUNDARIES, &walls), DLS_ERR_FORMAT,
            "%s: %" PRId64 " walls", path, told);
  if (walls == 0) return DLS_OK;
  DLS_TRY(dls_vtu_expect(bodies, DLS_VTU_OF_FIELD, "wall_shape", 9, 2 * (int64_t)walls));
  DLS_TRY(dls_packing_walls(g, walls));
  DLS_TRY(read_facets(bodies, path, g));
  DLS_NEW(shape, DLS_WALL_NUMBERS * (size_t)walls);
  DlsStatus status = dls_vtu_reals(bodies, DLS_VTU_OF_FIELD, "wall_shape", 9, 2 * walls, shape);
  for (int k = 0; k < walls && status == DLS_OK; k++)
    status = dls_wall_unpack(shape + DLS_WALL_NUMBERS * k, g->dim, &g->facets, path, &g->wall[k]);
  free(shape);
  return status;
}

/* Files of runs without a periodic cell tell none. */
static DlsStatus read_cell(const DlsVtuFile *bodies, const DlsVtuFile *contacts, const char *path,
                           DlsPacking *g) {
  double rows[DLS_CELL_ROWS][3];
  if (!dls_vtu_has(bodies, DLS_VTU_OF_FIELD, "cell")) return DLS_OK;
  DLS_TRY(dls_vtu_reals(bodies, DLS_VTU_OF_FIELD, "cell", 3, DLS_CELL_ROWS, rows[0]));
  if (dls_cell_unpack(g->dim, rows, &g->cell) != DLS_OK)
    return dls_fail_context(DLS_ERR_FORMAT, "%s: cell", path);
  DLS_TRY(dls_packing_copies(g));
  if (g->contacts == 0) return DLS_OK;
  return dls_vtu_reals(contacts, DLS_VTU_OF_POINTS, "shift", 3, g->contacts, g->shift[0]);
}

static DlsStatus build(const DlsVtuFile *bodies, const DlsVtuFile *contacts, const char *path,
                       const char *second, Elements *e, DlsPacking *g) {
  int64_t told;
  double time, lag, gravity[3];
  int grains = 0, dim;
  DLS_TRY(dls_vtu_integers(bodies, DLS_VTU_OF_FIELD, "dimension", 1, &told));
  DLS_TRY(dls_vtu_reals(bodies, DLS_VTU_OF_FIELD, "TimeValue", 1, 1, &time));
  DLS_TRY(dls_vtu_reals(bodies, DLS_VTU_OF_FIELD, "lag", 1, 1, &lag));
  DLS_TRY(dls_vtu_reals(bodies, DLS_VTU_OF_FIELD, "gravity", 3, 1, gravity));
  DLS_CHECK(dls_checked_int(told, 2, 3, &dim), DLS_ERR_FORMAT, "%s: dimension %" PRId64, path,
            told);
  DLS_TRY(read_elements(bodies, e));
  DLS_TRY(check_elements(e, path));
  for (int64_t i = 0; i < e->elements; i++) grains += i == 0 || e->id[i] != e->id[i - 1];
  DLS_TRY(dls_packing_reserve(g, grains, (int)dls_vtu_points(contacts)));
  g->dim = dim;
  g->time = time;
  g->lag = lag;
  DLS_TRY(read_step(bodies, path, g));
  memcpy(g->gravity, gravity, sizeof g->gravity);
  fill_grains(e, lag, g);
  for (int k = 0; k < g->grains; k++)
    DLS_CHECK(dls_small_finite(3, g->centre[k]), DLS_ERR_FORMAT,
              "%s: body %d moves so fast that it was nowhere finite", path, k);
  DLS_TRY(read_walls(bodies, path, g));
  DLS_TRY(read_cell(bodies, contacts, path, g));
  return fill_contacts(contacts, second, g);
}

static DlsStatus read_frame(const char *folder, int number, DlsPacking *out) {
  char path[4096], second[4096];
  DlsVtuFile *bodies = NULL, *contacts = NULL;
  Elements elements = {0};
  name_of(folder, "bodies", number, path, sizeof path);
  name_of(folder, "contacts", number, second, sizeof second);
  DlsStatus status = dls_vtu_open(path, &bodies);
  if (status == DLS_OK) status = dls_vtu_open(second, &contacts);
  if (status == DLS_OK) status = build(bodies, contacts, path, second, &elements, out);
  clear_elements(&elements);
  dls_vtu_close(&bodies);
  dls_vtu_close(&contacts);
  name_of(folder, "deformable", number, path, sizeof path);
  if (status == DLS_OK && access(path, F_OK) == 0) status = dls_cells_read(path, out);
  if (status != DLS_OK) dls_packing_clear(out);
  return status;
}

DlsStatus dls_packing_read(const char *folder, int number, DlsPacking *out) {
  int frames;
  DLS_TRY(dls_packing_frames(folder, &frames));
  if (number < 0) number = frames - 1;
  DLS_CHECK(number < frames, DLS_ERR_ARGUMENT, "%s: has the frames 0 to %d, none of number %d",
            folder, frames - 1, number);
  return read_frame(folder, number, out);
}
