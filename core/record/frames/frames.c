#include "record/frames/frames.h"

#include "base/file.h"
#include "base/memory.h"
#include "plot/grains.h"
#include "record/frames/frames_surface.h"
#include "record/frames/frames_view.h"
#include "record/leftover_frames.h"
#include "record/pvd.h"
#include "record/wall_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SERIES that every run has; one more where bodies are not balls, and one where laws remember
 * patches of surfaces. */
enum { BODIES, CONTACTS, CHAINS, BOUNDARIES, SERIES, OUTLINES = SERIES, PATCHES, ALL_SERIES };
static const char *const series_name[ALL_SERIES] = {"bodies",     "contacts", "chains",
                                                    "boundaries", "outlines", "patches"};

struct DlsFrames {
  char *folder;
  DlsVtuOptions options;
  DlsPvd *pvd[ALL_SERIES]; /* of outlines and patches NULL until there is one */
  double resume;
  int count;
  unsigned post; /* bits of DlsQuantity */
};

#define REALS(name_, array, n, role_)                                                              \
  {                                                                                                \
    .name = (name_), .values = (array), .type = DLS_VTU_FLOAT64, .components = (n),                \
    .role = (role_)                                                                                \
  }
#define NUMBERS(name_, array, type_)                                                               \
  { .name = (name_), .values = (array), .type = (type_), .components = 1 }

static DlsStatus put(DlsFrames *f, int series, const DlsSimulation *s, const DlsVtuGrid *grid) {
  char file[64], path[4096];
  snprintf(file, sizeof file, "%s_%06d.vtu", series_name[series], f->count);
  snprintf(path, sizeof path, "%s/%s", f->folder, file);
  DLS_TRY(dls_vtu_write(path, grid, &f->options, NULL));
  return dls_pvd_add(f->pvd[series], s->state.time, 0, file);
}

/* Cells of one kind, each with points of its own; arrays belong to the points unless they are
 * moved. */
static DlsVtuGrid grid_of(const DlsSimulation *s, uint8_t type, int64_t cells,
                          const double *position, const DlsVtuArray *data, int arrays) {
  const int size = type == DLS_VTU_LINE ? 2 : 1;
  return (DlsVtuGrid){.points = size * cells,
                      .cells = cells,
                      .position = position,
                      .cell_type = type,
                      .cell_size = size,
                      .point_data = data,
                      .point_arrays = arrays,
                      .timed = true,
                      .time = s->state.time};
}

/* The given arrays and `more` behind them. */
static DlsStatus join_arrays(const DlsVtuArray *data, int count, const DlsVtuArray *more, int extra,
                             DlsVtuArray **out) {
  DLS_NEW(*out, count + extra);
  memcpy(*out, data, (size_t)count * sizeof **out);
  if (extra) memcpy(*out + count, more, (size_t)extra * sizeof **out);
  return DLS_OK;
}

/* The numbers of the walls, which post-processing needs. */
static DlsStatus pack_walls(const DlsPacking *g, double **out) {
  DLS_NEW(*out, DLS_WALL_NUMBERS * (size_t)g->walls);
  for (int k = 0; k < g->walls; k++) dls_wall_pack(&g->wall[k], *out + DLS_WALL_NUMBERS * k);
  return DLS_OK;
}

static DlsStatus put_bodies(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  double *shape;
  DLS_TRY(pack_walls(&v->packing, &shape));
  const DlsVtuArray data[] = {
      REALS("radius", v->radius, 1, DLS_VTU_PLAIN),
      REALS("load", v->load, 1, DLS_VTU_SCALARS),
      REALS("velocity", v->velocity, 3, DLS_VTU_VECTORS),
      REALS("spin", v->spin, 3, DLS_VTU_PLAIN),
      REALS("orientation", v->axes, 9, DLS_VTU_PLAIN),
      REALS("kinetic_energy", v->energy, 1, DLS_VTU_PLAIN),
      NUMBERS("id", v->id, DLS_VTU_INT64),
      NUMBERS("material", v->material, DLS_VTU_INT32),
      NUMBERS("coordination", v->coordination, DLS_VTU_INT32),
  };
  const int32_t dimension = s->world->dim, boundaries = v->packing.boundaries;
  const int32_t walls = v->packing.walls;
  const DlsVtuArray field[] = {
      {.name = "dimension", .values = &dimension, .type = DLS_VTU_INT32, .tuples = 1},
      {.name = "lag", .values = &v->packing.lag, .type = DLS_VTU_FLOAT64, .tuples = 1},
      {.name = "time_step", .values = &v->packing.h, .type = DLS_VTU_FLOAT64, .tuples = 1},
      {.name = "boundaries", .values = &boundaries, .type = DLS_VTU_INT32, .tuples = 1},
      {.name = "gravity", .values = v->packing.gravity, .components = 3, .tuples = 1},
      {.name = "walls", .values = &walls, .type = DLS_VTU_INT32, .tuples = 1},
      {.name = "wall_shape", .values = shape, .components = 9, .tuples = 2 * walls},
  };
  DlsVtuArray *all = NULL, *most = NULL;
  DlsSurfaceArrays surfaces = {0};
  DlsStatus status = join_arrays(data, DLS_COUNT(data), v->post.array, v->post.count, &most);
  if (status == DLS_OK) status = dls_surface_arrays_make(s, v->elements, v->body, &surfaces);
  const int before = DLS_COUNT(data) + v->post.count, count = before + surfaces.count;
  if (status == DLS_OK) status = join_arrays(most, before, surfaces.array, surfaces.count, &all);
  DlsVtuGrid grid = grid_of(s, DLS_VTU_VERTEX, v->elements, v->centre, all, count);
  grid.field_data = field;
  grid.field_arrays = DLS_COUNT(field) - (walls == 0); /* the shapes last, where there are any */
  if (status == DLS_OK) status = put(f, BODIES, s, &grid);
  dls_surface_arrays_clear(&surfaces);
  free(most);
  free(all);
  free(shape);
  return status;
}

static DlsStatus put_contacts(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  const DlsPacking *g = &v->packing;
  const DlsVtuArray data[] = {
      REALS("normal_force", g->normal_force, 1, DLS_VTU_SCALARS),
      REALS("force", g->force, 3, DLS_VTU_VECTORS),
      REALS("normal", g->normal, 3, DLS_VTU_NORMALS),
      REALS("tangential_force", g->tangential_force, 1, DLS_VTU_PLAIN),
      REALS("normal_velocity", v->normal_velocity, 1, DLS_VTU_PLAIN),
      REALS("slip_velocity", v->slip, 1, DLS_VTU_PLAIN),
      REALS("gap", v->gap, 1, DLS_VTU_PLAIN),
      {.name = "friction_limit",
       .values = g->friction_limit,
       .type = DLS_VTU_FLOAT64,
       .components = 1,
       .unknown = true}, /* tied contacts have none, and not every law tells its own */
      NUMBERS("candidate", v->candidate, DLS_VTU_INT64),
      NUMBERS("antagonist", v->antagonist, DLS_VTU_INT64),
      NUMBERS("law", v->law, DLS_VTU_INT32),
      NUMBERS("status", g->status, DLS_VTU_INT32),
      NUMBERS("cohesion", v->cohesion, DLS_VTU_INT32),
      REALS("dissipated", v->dissipated, 1, DLS_VTU_PLAIN),
  };
  const DlsVtuArray torque = REALS("torque", v->torque, 3, DLS_VTU_PLAIN);
  const struct {
    const DlsVtuArray *array;
    int count;
  } more[] = {{&torque, v->torque != NULL},
              {v->states, v->state_count},
              {v->reports.array, v->reports.count}};
  DlsVtuArray *all = NULL;
  int count = DLS_COUNT(data);
  DLS_TRY(join_arrays(data, count, NULL, 0, &all));
  DlsStatus status = DLS_OK;
  for (int k = 0; k < DLS_COUNT(more) && status == DLS_OK; k++) {
    DlsVtuArray *before = all;
    status = join_arrays(before, count, more[k].array, more[k].count, &all);
    count += more[k].count;
    free(before);
  }
  DlsVtuGrid grid = grid_of(s, DLS_VTU_VERTEX, v->contacts, g->point[0], all, count);
  grid.field_data = v->reports.legend;
  grid.field_arrays = v->reports.words;
  if (status == DLS_OK) status = put(f, CONTACTS, s, &grid);
  free(all);
  return status;
}

/* The arrays are those of points, since a Tube filter varies its radius by those alone. */
static DlsStatus put_chains(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  const DlsVtuArray data[] = {
      REALS("normal_force", v->chain_force, 1, DLS_VTU_SCALARS),
      REALS("tangential_force", v->chain_tangential, 1, DLS_VTU_PLAIN),
      NUMBERS("status", v->chain_status, DLS_VTU_INT32),
  };
  const DlsVtuGrid grid = grid_of(s, DLS_VTU_LINE, v->chains, v->ends, data, DLS_COUNT(data));
  return put(f, CHAINS, s, &grid);
}

/* How far endless boundaries are drawn: the size of the box around the grains and the boundaries'
 * origins. */
static double reach_of(const DlsFrameView *v, const DlsWorld *world) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double reach = 0;
  for (int k = 0; k < 3; k++) {
    for (int e = 0; e < v->elements; e++) {
      low[k] = fmin(low[k], v->centre[3 * e + k] - v->radius[e]);
      high[k] = fmax(high[k], v->centre[3 * e + k] + v->radius[e]);
    }
    for (int b = 0; b < world->boundary_count; b++) {
      low[k] = fmin(low[k], world->boundary[b].position[k]);
      high[k] = fmax(high[k], world->boundary[b].position[k]);
    }
    reach = fmax(reach, high[k] - low[k]);
  }
  return reach > 0 ? reach : 1;
}

static DlsStatus put_boundaries(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  DlsOutline outline = {0};
  DlsSurfaceArrays surfaces = {0};
  DlsVtuArray *all = NULL;
  DlsStatus status = dls_world_outline_boundaries(s->world, reach_of(v, s->world), &outline);
  double *force = dls_memory_array((size_t)outline.count * 3, sizeof *force);
  if (!force && status == DLS_OK) status = dls_fail(DLS_ERR_MEMORY, "out of memory for a frame");
  int32_t *number = dls_memory_array((size_t)outline.count, sizeof *number);
  if (!number && status == DLS_OK) status = dls_fail(DLS_ERR_MEMORY, "out of memory for a frame");
  if (status == DLS_OK) {
    for (int k = 0; k < outline.count; k++) {
      number[k] = -1 - outline.owner[k];
      if (s->state.step > 0)
        memcpy(force + 3 * k, s->state.boundary_force[outline.owner[k]], 3 * sizeof *force);
    }
    status = dls_surface_arrays_make(s, outline.count, number, &surfaces);
    for (int k = 0; k < outline.count; k++) number[k] = outline.owner[k];
    const DlsVtuArray data[] = {
        NUMBERS("boundary", number, DLS_VTU_INT32),
        REALS("force", force, 3, DLS_VTU_VECTORS),
    };
    if (status == DLS_OK)
      status = join_arrays(data, DLS_COUNT(data), surfaces.array, surfaces.count, &all);
    DlsVtuGrid grid = grid_of(s, DLS_VTU_LINE, outline.count, outline.ends, NULL, 0);
    grid.cell_data = all;
    grid.cell_arrays = DLS_COUNT(data) + surfaces.count;
    if (status == DLS_OK) status = put(f, BOUNDARIES, s, &grid);
  }
  free(all);
  dls_surface_arrays_clear(&surfaces);
  free(force);
  free(number);
  dls_outline_clear(&outline);
  return status;
}

static DlsStatus open_one(DlsFrames *f, int series) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.pvd", f->folder, series_name[series]);
  if (f->resume == -INFINITY) return dls_pvd_create(path, &f->pvd[series]);
  return dls_pvd_resume(path, f->resume, &f->pvd[series]);
}

/* A series that not every run has, from its first frame on. */
static DlsStatus open_late(DlsFrames *f, int series) {
  if (f->pvd[series]) return DLS_OK;
  DLS_TRY(open_one(f, series));
  return dls_leftover_frames_remove(f->folder, series_name[series], f->count);
}

/* Patches of surfaces that laws have changed. */
static DlsStatus put_patches(DlsFrames *f, const DlsSimulation *s) {
  DlsPatchArrays patches = {0};
  DlsVtuArray *all = NULL;
  DlsStatus status = open_late(f, PATCHES);
  if (status == DLS_OK) status = dls_patch_arrays_make(s, &patches);
  if (status == DLS_OK) {
    const DlsVtuArray data[] = {
        REALS("normal", patches.normal, 3, DLS_VTU_NORMALS),
        REALS("area", patches.area, 1, DLS_VTU_PLAIN),
        NUMBERS("owner", patches.owner, DLS_VTU_INT64),
        NUMBERS("law", patches.law, DLS_VTU_INT32),
    };
    const int count = DLS_COUNT(data) + patches.values.count;
    status = join_arrays(data, DLS_COUNT(data), patches.values.array, patches.values.count, &all);
    const DlsVtuGrid grid = grid_of(s, DLS_VTU_VERTEX, patches.count, patches.point, all, count);
    if (status == DLS_OK) status = put(f, PATCHES, s, &grid);
  }
  free(all);
  dls_patch_arrays_clear(&patches);
  return status;
}

/* Bodies that are not balls, line by line, each with the id of its body. */
static DlsStatus put_outlines(DlsFrames *f, const DlsSimulation *s) {
  DlsOutline outline = {0};
  DlsStatus status = dls_world_outline_bodies(s->world, &outline);
  int64_t *id = dls_memory_array((size_t)outline.count, sizeof *id);
  if (!id && status == DLS_OK) status = dls_fail(DLS_ERR_MEMORY, "out of memory for a frame");
  if (status == DLS_OK) status = open_late(f, OUTLINES);
  if (status == DLS_OK) {
    for (int k = 0; k < outline.count; k++) id[k] = (int64_t)s->world->id[outline.owner[k]];
    const DlsVtuArray data[] = {NUMBERS("id", id, DLS_VTU_INT64)};
    DlsVtuGrid grid = grid_of(s, DLS_VTU_LINE, outline.count, outline.ends, NULL, 0);
    grid.cell_data = data;
    grid.cell_arrays = DLS_COUNT(data);
    status = put(f, OUTLINES, s, &grid);
  }
  free(id);
  dls_outline_clear(&outline);
  return status;
}

static DlsStatus open_series(DlsFrames *f) {
  for (int k = 0; k < SERIES; k++) DLS_TRY(open_one(f, k));
  f->count = dls_pvd_frames(f->pvd[0]);
  for (int k = 0; k < SERIES; k++)
    DLS_TRY(dls_leftover_frames_remove(f->folder, series_name[k], f->count));
  return DLS_OK;
}

DlsStatus dls_frames_create(const char *folder, const DlsVtuOptions *options, double resume,
                            DlsFrames **out) {
  *out = NULL;
  DLS_TRY(dls_file_make_folder(folder));
  DlsFrames *f;
  DLS_NEW(f, 1);
  if (options) f->options = *options;
  f->resume = resume;
  f->folder = strdup(folder);
  DlsStatus status =
      f->folder ? open_series(f) : dls_fail(DLS_ERR_MEMORY, "out of memory for a folder's name");
  if (status == DLS_OK)
    *out = f;
  else
    dls_frames_destroy(&f);
  return status;
}

void dls_frames_destroy(DlsFrames **frames) {
  if (!frames || !*frames) return;
  for (int k = 0; k < ALL_SERIES; k++) dls_pvd_destroy(&(*frames)->pvd[k]);
  free((*frames)->folder);
  free(*frames);
  *frames = NULL;
}

int dls_frames_count(const DlsFrames *f) { return f->count; }

void dls_frames_post(DlsFrames *f, unsigned quantities) { f->post = quantities; }

static DlsStatus write_all(DlsFrames *f, const DlsSimulation *s, DlsFrameView *v) {
  DLS_TRY(dls_frame_view_fill(s, v));
  DLS_TRY(dls_post_arrays_make(&v->packing, f->post, v->grain, v->elements, &v->post));
  DLS_TRY(put_bodies(f, s, v));
  DLS_TRY(put_contacts(f, s, v));
  DLS_TRY(put_chains(f, s, v));
  DLS_TRY(put_boundaries(f, s, v));
  if (s->world->figure) DLS_TRY(put_outlines(f, s));
  if (dls_surface_has_patches(s)) DLS_TRY(put_patches(f, s));
  f->count++;
  return DLS_OK;
}

DlsStatus dls_frames_write(DlsFrames *f, const DlsSimulation *s) {
  DlsFrameView view = {0};
  const DlsStatus status = write_all(f, s, &view);
  dls_frame_view_clear(&view);
  return status;
}

/* The chains as the picture wants them: from [chains][3], to [chains][3], then force [chains]. */
static DlsStatus split_chains(const DlsFrameView *v, double **out) {
  DLS_NEW(*out, 7 * (size_t)v->chains);
  for (int k = 0; k < v->chains; k++) {
    memcpy(*out + 3 * k, v->ends + 6 * k, 3 * sizeof **out);
    memcpy(*out + 3 * (v->chains + k), v->ends + 6 * k + 3, 3 * sizeof **out);
    (*out)[6 * v->chains + k] = v->chain_force[2 * k];
  }
  return DLS_OK;
}

static DlsStatus draw(const DlsSimulation *s, DlsFrameView *v, DlsOutline *outline, double **chains,
                      const char *title, const char *path) {
  char caption[96];
  int bodies = 0;
  for (int b = 0; b < s->world->count; b++) bodies += dls_frame_shows(s->world, b);
  DLS_TRY(dls_frame_view_fill(s, v));
  DLS_TRY(dls_world_outline_boundaries(s->world, reach_of(v, s->world), outline));
  DLS_TRY(dls_world_outline_bodies(s->world, outline));
  DLS_TRY(split_chains(v, chains));
  snprintf(caption, sizeof caption, "t = %.4g s, %d bod%s, %d contact%s", s->state.time, bodies,
           bodies == 1 ? "y" : "ies", v->contacts, v->contacts == 1 ? "" : "s");
  const DlsGrainPicture picture = {.dim = s->world->dim,
                                   .grains = v->elements,
                                   .position = v->centre,
                                   .radius = v->radius,
                                   .load = v->load,
                                   .chains = v->chains,
                                   .from = *chains,
                                   .to = *chains + 3 * v->chains,
                                   .force = *chains + 6 * v->chains,
                                   .walls = outline->count,
                                   .wall = outline->ends,
                                   .map = DLS_MAP_WARM,
                                   .title = title,
                                   .caption = caption};
  return dls_grain_picture_write(&picture, path, NULL);
}

DlsStatus dls_frames_picture(const DlsSimulation *s, const char *title, const char *path) {
  DlsFrameView view = {0};
  DlsOutline outline = {0};
  double *chains = NULL;
  const DlsStatus status = draw(s, &view, &outline, &chains, title, path);
  free(chains);
  dls_outline_clear(&outline);
  dls_frame_view_clear(&view);
  return status;
}
