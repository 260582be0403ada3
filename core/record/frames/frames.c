#include "record/frames/frames_impl.h"

#include "base/file.h"
#include "base/memory.h"
#include "record/frames/arrays.h"
#include "record/frames/frames_field.h"
#include "record/frames/frames_surface.h"
#include "record/wall_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const series_name[DLS_FRAMES_ALL] = {
    "bodies", "contacts", "chains", "boundaries", "outlines",   "patches",
    "walls",  "solids",   "faces",  "resultants", "deformable", "gauss"};

DlsStatus dls_frames_put(DlsFrames *f, int series, const DlsVtuGrid *grid) {
  const bool rows = series == DLS_FRAMES_BODIES || series == DLS_FRAMES_CONTACTS;
  return dls_series_put(f->series[series], f->count, grid, rows, f->seen);
}

DlsVtuGrid dls_frames_grid(const DlsSimulation *s, uint8_t type, int64_t cells,
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

/* The numbers of the walls, which post-processing needs. */
static DlsStatus pack_walls(const DlsPacking *g, double **out, double **facets) {
  *facets = dls_memory_array(3 * (size_t)dls_wall_facet_rows(&g->facets), sizeof **facets);
  DLS_CHECK(*facets, DLS_ERR_MEMORY, "out of memory for the walls of a frame");
  dls_wall_pack_facets(&g->facets, *facets);
  *out = dls_memory_array(DLS_WALL_NUMBERS * (size_t)g->walls, sizeof **out);
  if (!*out) free(*facets);
  DLS_CHECK(*out, DLS_ERR_MEMORY, "out of memory for the walls of a frame");
  for (int k = 0; k < g->walls; k++)
    dls_wall_pack(&g->wall[k], &g->facets, *out + DLS_WALL_NUMBERS * k);
  return DLS_OK;
}

static DlsStatus put_bodies(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  double *shape, *facets;
  const int64_t rows = dls_wall_facet_rows(&v->packing.facets);
  DLS_TRY(pack_walls(&v->packing, &shape, &facets));
  const DlsVtuArray data[] = {
      DLS_FRAMES_REALS("radius", v->radius, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("load", v->load, 1, DLS_VTU_SCALARS),
      DLS_FRAMES_REALS("velocity", v->velocity, 3, DLS_VTU_VECTORS),
      DLS_FRAMES_REALS("spin", v->spin, 3, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("orientation", v->axes, 9, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("kinetic_energy", v->energy, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_NUMBERS("id", v->id, DLS_VTU_INT64),
      DLS_FRAMES_NUMBERS("material", v->material, DLS_VTU_INT32),
      DLS_FRAMES_NUMBERS("coordination", v->coordination, DLS_VTU_INT32),
      DLS_FRAMES_NUMBERS("neighbours", v->neighbours, DLS_VTU_INT32),
      DLS_FRAMES_NUMBERS("corners", v->corners, DLS_VTU_INT32),
  };
  const int32_t dimension = s->world->dim, boundaries = v->packing.boundaries;
  const int32_t walls = v->packing.walls;
  double cell[DLS_CELL_ROWS][3];
  dls_cell_pack(&v->packing.cell, cell);
  const DlsVtuArray always[] = {
      {.name = "dimension", .values = &dimension, .type = DLS_VTU_INT32, .tuples = 1},
      {.name = "lag", .values = &v->packing.lag, .type = DLS_VTU_FLOAT64, .tuples = 1},
      {.name = "time_step", .values = &v->packing.h, .type = DLS_VTU_FLOAT64, .tuples = 1},
      {.name = "boundaries", .values = &boundaries, .type = DLS_VTU_INT32, .tuples = 1},
      {.name = "gravity", .values = v->packing.gravity, .components = 3, .tuples = 1},
      {.name = "walls", .values = &walls, .type = DLS_VTU_INT32, .tuples = 1},
  };
  const DlsVtuArray periodic = {
      .name = "cell", .values = cell, .components = 3, .tuples = DLS_CELL_ROWS};
  const DlsVtuArray shapes[] = {
      {.name = "wall_shape", .values = shape, .components = 9, .tuples = 2 * walls},
      {.name = "wall_facets", .values = facets, .components = 3, .tuples = rows},
  };
  const DlsArrayList fields_of[] = {{always, DLS_COUNT(always)},
                                    {&periodic, v->packing.cell.axes != 0},
                                    {shapes, (walls != 0) + (rows != 0)}};
  DlsVtuArray *field = NULL;
  int field_count = 0;
  DlsVtuArray *all = NULL;
  DlsSurfaceArrays surfaces = {0};
  DlsFieldArrays fields = {0};
  DlsStatus status = dls_surface_arrays_make(s, v->elements, v->body, &surfaces);
  if (status == DLS_OK)
    status = dls_arrays_join(fields_of, DLS_COUNT(fields_of), &field, &field_count);
  if (status == DLS_OK) status = dls_field_arrays_bodies(s, v->elements, v->body, &fields);
  const int plain = DLS_COUNT(data) - (s->world->figure ? 0 : 2); /* of balls: all but the last */
  const DlsArrayList parts[] = {{data, plain},
                                {v->post.array, v->post.count},
                                {surfaces.array, surfaces.count},
                                {fields.array, fields.count}};
  int count = 0;
  if (status == DLS_OK) status = dls_arrays_join(parts, DLS_COUNT(parts), &all, &count);
  DlsVtuGrid grid = dls_frames_grid(s, DLS_VTU_VERTEX, v->elements, v->centre, all, count);
  grid.field_data = field;
  grid.field_arrays = field_count;
  if (status == DLS_OK) status = dls_frames_put(f, DLS_FRAMES_BODIES, &grid);
  if (status == DLS_OK && s->world->figure) status = dls_frames_put_solids(f, s, all, count);
  dls_surface_arrays_clear(&surfaces);
  dls_field_arrays_clear(&fields);
  free(all);
  free(field);
  free(facets);
  free(shape);
  return status;
}

static DlsStatus put_contacts(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  const DlsPacking *g = &v->packing;
  const DlsVtuArray data[] = {
      DLS_FRAMES_REALS("normal_force", g->normal_force, 1, DLS_VTU_SCALARS),
      DLS_FRAMES_REALS("force", g->force, 3, DLS_VTU_VECTORS),
      DLS_FRAMES_REALS("normal", g->normal, 3, DLS_VTU_NORMALS),
      DLS_FRAMES_REALS("tangential_force", g->tangential_force, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("normal_velocity", v->normal_velocity, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("slip_velocity", v->slip, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("gap", v->gap, 1, DLS_VTU_PLAIN),
      {.name = "friction_limit",
       .values = g->friction_limit,
       .type = DLS_VTU_FLOAT64,
       .components = 1,
       .unknown = true}, /* tied contacts have none, and not every law tells its own */
      DLS_FRAMES_NUMBERS("candidate", v->candidate, DLS_VTU_INT64),
      DLS_FRAMES_NUMBERS("antagonist", v->antagonist, DLS_VTU_INT64),
      DLS_FRAMES_NUMBERS("law", v->law, DLS_VTU_INT32),
      DLS_FRAMES_NUMBERS("status", g->status, DLS_VTU_INT32),
      DLS_FRAMES_NUMBERS("cohesion", v->cohesion, DLS_VTU_INT32),
      DLS_FRAMES_REALS("dissipated", v->dissipated, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_REALS("area", v->area, 1, DLS_VTU_PLAIN),
  };
  const int plain = DLS_COUNT(data) - (s->world->figure ? 0 : 1); /* balls meet at points */
  const DlsVtuArray torque = DLS_FRAMES_REALS("torque", v->torque, 3, DLS_VTU_PLAIN);
  const DlsVtuArray shift = DLS_FRAMES_REALS("shift", g->shift, 3, DLS_VTU_PLAIN);
  DlsVtuArray *all = NULL;
  DlsFieldArrays fields = {0};
  int count = 0;
  DlsStatus status = dls_field_arrays_contacts(s, &fields);
  const DlsArrayList parts[] = {{data, plain},
                                {&torque, v->torque != NULL},
                                {&shift, g->shift != NULL},
                                {v->states, v->state_count},
                                {v->reports.array, v->reports.count},
                                {fields.array, fields.count}};
  if (status == DLS_OK) status = dls_arrays_join(parts, DLS_COUNT(parts), &all, &count);
  DlsVtuGrid grid = dls_frames_grid(s, DLS_VTU_VERTEX, v->contacts, g->point[0], all, count);
  grid.field_data = v->reports.legend;
  grid.field_arrays = v->reports.words;
  if (status == DLS_OK) status = dls_frames_put(f, DLS_FRAMES_CONTACTS, &grid);
  dls_field_arrays_clear(&fields);
  free(all);
  return status;
}

/* The arrays are those of points, since a Tube filter varies its radius by those alone. */
static DlsStatus put_chains(DlsFrames *f, const DlsSimulation *s, const DlsFrameView *v) {
  const DlsVtuArray data[] = {
      DLS_FRAMES_REALS("normal_force", v->chain_force, 1, DLS_VTU_SCALARS),
      DLS_FRAMES_REALS("tangential_force", v->chain_tangential, 1, DLS_VTU_PLAIN),
      DLS_FRAMES_NUMBERS("status", v->chain_status, DLS_VTU_INT32),
  };
  const DlsVtuGrid grid =
      dls_frames_grid(s, DLS_VTU_LINE, v->chains, v->ends, data, DLS_COUNT(data));
  return dls_frames_put(f, DLS_FRAMES_CHAINS, &grid);
}

DlsStatus dls_frames_open(DlsFrames *f, int series) {
  if (f->series[series]) return DLS_OK;
  DLS_TRY(dls_series_open(f->folder, series_name[series], &f->options.series, f->resume,
                          &f->series[series]));
  return dls_series_trim(f->series[series], f->count);
}

/* Patches of surfaces that laws have changed. */
static DlsStatus put_patches(DlsFrames *f, const DlsSimulation *s) {
  DlsPatchArrays patches = {0};
  DlsVtuArray *all = NULL;
  DlsStatus status = dls_frames_open(f, DLS_FRAMES_PATCHES);
  if (status == DLS_OK) status = dls_patch_arrays_make(s, &patches);
  if (status == DLS_OK) {
    const DlsVtuArray data[] = {
        DLS_FRAMES_REALS("normal", patches.normal, 3, DLS_VTU_NORMALS),
        DLS_FRAMES_REALS("area", patches.area, 1, DLS_VTU_PLAIN),
        DLS_FRAMES_NUMBERS("owner", patches.owner, DLS_VTU_INT64),
        DLS_FRAMES_NUMBERS("law", patches.law, DLS_VTU_INT32),
    };
    const DlsArrayList parts[] = {{data, DLS_COUNT(data)},
                                  {patches.values.array, patches.values.count}};
    int count = 0;
    status = dls_arrays_join(parts, DLS_COUNT(parts), &all, &count);
    const DlsVtuGrid grid =
        dls_frames_grid(s, DLS_VTU_VERTEX, patches.count, patches.point, all, count);
    if (status == DLS_OK) status = dls_frames_put(f, DLS_FRAMES_PATCHES, &grid);
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
  if (status == DLS_OK) status = dls_frames_open(f, DLS_FRAMES_OUTLINES);
  if (status == DLS_OK) {
    for (int k = 0; k < outline.count; k++) id[k] = (int64_t)s->world->id[outline.owner[k]];
    const DlsVtuArray data[] = {DLS_FRAMES_NUMBERS("id", id, DLS_VTU_INT64)};
    DlsVtuGrid grid = dls_frames_grid(s, DLS_VTU_LINE, outline.count, outline.ends, NULL, 0);
    grid.cell_data = data;
    grid.cell_arrays = DLS_COUNT(data);
    status = dls_frames_put(f, DLS_FRAMES_OUTLINES, &grid);
  }
  free(id);
  dls_outline_clear(&outline);
  return status;
}

static DlsStatus open_series(DlsFrames *f) {
  for (int k = 0; k < DLS_FRAMES_SERIES; k++)
    DLS_TRY(
        dls_series_open(f->folder, series_name[k], &f->options.series, f->resume, &f->series[k]));
  f->count = dls_series_frames(f->series[0]);
  for (int k = 0; k < DLS_FRAMES_SERIES; k++) DLS_TRY(dls_series_trim(f->series[k], f->count));
  return DLS_OK;
}

static DlsStatus create(DlsFrames *f, const char *folder) {
  f->folder = strdup(folder);
  DLS_CHECK(f->folder, DLS_ERR_MEMORY, "out of memory for a folder's name");
  DLS_NEW(f->seen, f->options.series.arrays);
  return open_series(f);
}

DlsStatus dls_frames_create(const char *folder, const DlsFramesOptions *options, double resume,
                            DlsFrames **out) {
  *out = NULL;
  DLS_TRY(dls_file_make_folder(folder));
  DlsFrames *f;
  DLS_NEW(f, 1);
  if (options) f->options = *options;
  f->resume = resume;
  const DlsStatus status = create(f, folder);
  if (status == DLS_OK)
    *out = f;
  else
    dls_frames_destroy(&f);
  return status;
}

DlsStatus dls_frames_flush(DlsFrames *f) {
  for (int k = 0; f && k < DLS_FRAMES_ALL; k++) DLS_TRY(dls_series_flush(f->series[k]));
  return DLS_OK;
}

void dls_frames_destroy(DlsFrames **frames) {
  if (!frames || !*frames) return;
  for (int k = 0; k < DLS_FRAMES_ALL; k++) dls_series_close(&(*frames)->series[k]);
  free((*frames)->folder);
  free((*frames)->seen);
  free(*frames);
  *frames = NULL;
}

int dls_frames_count(const DlsFrames *f) { return f->count; }

void dls_frames_post(DlsFrames *f, unsigned quantities) { f->post = quantities; }

/* A name that no series has is a mistake, and is told at the first frame. */
static DlsStatus check_chosen(DlsFrames *f) {
  const DlsSeriesOptions *o = &f->options.series;
  for (int k = 0; k < o->arrays && !f->begun; k++)
    DLS_CHECK(f->seen[k], DLS_ERR_ARGUMENT,
              "no frame of this run has an array '%s'; take a name of the tables in docs/run.md, "
              "or leave "
              "out `arrays` for all",
              o->array[k]);
  f->begun = true;
  return DLS_OK;
}

static DlsStatus write_all(DlsFrames *f, const DlsSimulation *s, DlsFrameView *v) {
  DLS_TRY(dls_frame_view_fill(s, v));
  DLS_TRY(dls_post_arrays_make(&v->packing, f->post, v->grain, v->elements, &v->post));
  DLS_TRY(put_bodies(f, s, v));
  DLS_TRY(put_contacts(f, s, v));
  DLS_TRY(put_chains(f, s, v));
  DLS_TRY(dls_frames_put_boundaries(f, s, v));
  if (s->world->figure) {
    DLS_TRY(put_outlines(f, s));
    DLS_TRY(dls_frames_put_faces(f, s, v));
  }
  if (s->world->deformable.count) DLS_TRY(dls_frames_put_deformable(f, s, v));
  if (dls_surface_has_patches(s)) DLS_TRY(put_patches(f, s));
  if (f->options.walls && s->world->dim == 3) DLS_TRY(dls_frames_put_walls(f, s, v));
  f->count++;
  return check_chosen(f);
}

DlsStatus dls_frames_write(DlsFrames *f, const DlsSimulation *s) {
  DlsFrameView view = {0};
  const DlsStatus status = write_all(f, s, &view);
  dls_frame_view_clear(&view);
  return status;
}
