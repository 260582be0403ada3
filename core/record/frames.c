#include "record/frames.h"

#include "base/file.h"
#include "base/memory.h"
#include "record/frames_post.h"
#include "record/outline.h"
#include "record/pvd.h"
#include "record/stale.h"
#include "record/svg_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES, CONTACTS, CHAINS, BOUNDARIES, SERIES };
static const char *const series_name[SERIES] = {"bodies", "contacts", "chains", "boundaries"};

struct DlsFrames {
  char *folder;
  DlsVtuOptions options;
  DlsPvd *pvd[SERIES];
  int count;
  unsigned post; /* bits of DlsQuantity */
};

enum { STATE_NAME = 112 }; /* law.state */

/* What is derived from a step, in arrays of the length of elements or contacts. */
typedef struct {
  int elements, contacts, chains;
  int *grain; /* [elements]: of the granulate */
  DlsGranulate granulate;
  DlsPostArrays post;
  double *centre, *radius, *velocity, *spin, *axes, *load, *energy;
  int64_t *id;
  int32_t *material, *coordination;
  double *normal_velocity, *slip, *gap;
  int64_t *candidate, *antagonist;
  int32_t *law, *cohesion;
  double *state;       /* [states][contacts]: of all laws, each once */
  DlsVtuArray *states; /* their names, and where they are */
  char (*state_name)[STATE_NAME];
  int state_count;
  double *ends, *chain_force,
      *chain_tangential; /* [chains][2][3]; [chains][2], one value for both ends */
  int32_t *chain_status; /* [chains][2] */
  double *body_load;     /* [bodies] */
  int32_t *body_contacts;
} View;

static void view_clear(View *v) {
  void *const all[] = {v->centre,        v->radius,       v->velocity,
                       v->spin,          v->axes,         v->load,
                       v->energy,        v->id,           v->material,
                       v->slip,          v->gap,          v->candidate,
                       v->law,           v->antagonist,   v->normal_velocity,
                       v->ends,          v->chain_force,  v->coordination,
                       v->body_load,     v->chain_status, v->chain_tangential,
                       v->body_contacts, v->cohesion,     v->state,
                       v->states,        v->state_name,   v->grain};
  for (int k = 0; k < DLS_COUNT(all); k++) free(all[k]);
  dls_granulate_clear(&v->granulate);
  dls_post_arrays_clear(&v->post);
}

/* Bodies without contacts, which carry walls, are not shown. */
static bool is_shown(const DlsWorld *world, int body) {
  return !(world->flags[body] & DLS_BODY_GHOST);
}

static int count_elements(const DlsWorld *world) {
  int count = 0;
  for (int b = 0; b < world->count; b++)
    if (is_shown(world, b)) count += world->first[b + 1] - world->first[b];
  return count;
}

static DlsStatus view_make(View *v, const DlsSimulation *s) {
  const size_t e = (size_t)count_elements(s->world), c = (size_t)v->granulate.contacts;
  const size_t b = (size_t)s->world->count;
  v->elements = (int)e;
  v->contacts = (int)c;
  DLS_NEW(v->grain, e);
  DLS_NEW(v->centre, 3 * e);
  DLS_NEW(v->radius, e);
  DLS_NEW(v->velocity, 3 * e);
  DLS_NEW(v->spin, 3 * e);
  DLS_NEW(v->axes, 9 * e);
  DLS_NEW(v->load, e);
  DLS_NEW(v->energy, e);
  DLS_NEW(v->id, e);
  DLS_NEW(v->material, e);
  DLS_NEW(v->coordination, e);
  DLS_NEW(v->normal_velocity, c);
  DLS_NEW(v->slip, c);
  DLS_NEW(v->gap, c);
  DLS_NEW(v->candidate, c);
  DLS_NEW(v->antagonist, c);
  DLS_NEW(v->law, c);
  DLS_NEW(v->cohesion, c);
  DLS_NEW(v->ends, 6 * c);
  DLS_NEW(v->chain_force, 2 * c);
  DLS_NEW(v->chain_tangential, 2 * c);
  DLS_NEW(v->chain_status, 2 * c);
  DLS_NEW(v->body_load, b);
  DLS_NEW(v->body_contacts, b);
  return DLS_OK;
}

static double length(int n, const double *x) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* A line between the bodies of contact i, if it carries anything. */
static void fill_chain(View *v, const DlsSimulation *s, int i, int c) {
  const DlsGranulate *g = &v->granulate;
  if (!(g->normal_force[i] > 0) && !(g->tangential_force[i] > 0)) return;
  const int who = s->contacts.antagonist[c], k = v->chains++;
  const double *from = s->world->position[s->contacts.candidate[c]];
  const double *to = who >= 0 ? s->world->position[who] : s->contacts.point[c];
  memcpy(v->ends + 6 * k, from, 3 * sizeof *from);
  memcpy(v->ends + 6 * k + 3, to, 3 * sizeof *to);
  for (int end = 2 * k; end < 2 * k + 2; end++) {
    v->chain_force[end] = g->normal_force[i];
    v->chain_tangential[end] = g->tangential_force[i];
    v->chain_status[end] = g->status[i];
  }
}

static void fill_contacts(View *v, const DlsSimulation *s) {
  const DlsAssembly *a = &s->assembly;
  const DlsWorld *world = s->world;
  for (int i = 0; i < v->contacts; i++) {
    const int c = a->source[i], who = s->contacts.antagonist[c], body = s->contacts.candidate[c];
    const double *r = a->r + (size_t)i * (size_t)a->block;
    const double *u = a->u + (size_t)i * (size_t)a->block;
    v->normal_velocity[i] = u[0];
    v->slip[i] = length(world->dim - 1, u + 1);
    v->gap[i] = s->contacts.gap[c];
    v->candidate[i] = (int64_t)world->id[body];
    v->antagonist[i] = who >= 0 ? (int64_t)world->id[who] : -(int64_t)world->boundary[-1 - who].id;
    v->law[i] = a->interaction[i];
    v->cohesion[i] = r[0] < 0 ? 2 : dls_assemble_relation(a, i)->a[0] > 0;
    const int touching = r[0] != 0;
    const double load = fabs(v->granulate.normal_force[i]);
    v->body_load[body] += load;
    v->body_contacts[body] += touching;
    if (who >= 0) {
      v->body_load[who] += load;
      v->body_contacts[who] += touching;
    }
    fill_chain(v, s, i, c);
  }
}

/* Element e of body b as the k-th of the view. */
static void fill_element(View *v, const DlsWorld *world, int b, int e, int k) {
  dls_rotation_apply(world->orientation[b], world->element[e].offset, v->centre + 3 * k);
  for (int c = 0; c < 3; c++) v->centre[3 * k + c] += world->position[b][c];
  memcpy(v->velocity + 3 * k, world->velocity[b], 3 * sizeof *v->velocity);
  memcpy(v->spin + 3 * k, world->velocity[b] + 3, 3 * sizeof *v->spin);
  dls_rotation_matrix(world->orientation[b], v->axes + 9 * k);
  v->radius[k] = world->element[e].radius;
  v->id[k] = (int64_t)world->id[b];
  v->material[k] = world->material[b];
  v->load[k] = v->body_load[b];
  v->coordination[k] = v->body_contacts[b];
  v->energy[k] = dls_world_body_energy(world, b);
}

static void fill_elements(View *v, const DlsWorld *world) {
  int k = 0, grain = 0;
  for (int b = 0; b < world->count; b++) {
    if (!is_shown(world, b)) continue;
    for (int e = world->first[b]; e < world->first[b + 1]; e++) {
      v->grain[k] = grain;
      fill_element(v, world, b, e, k++);
    }
    grain++;
  }
}

/* The array of a law's first state variable, made when it is met first; the others follow. */
static int states_of(View *v, const DlsLaw *law) {
  char name[STATE_NAME];
  snprintf(name, sizeof name, "%s.%s", law->name, law->states[0].name);
  for (int k = 0; k < v->state_count; k++)
    if (strcmp(v->state_name[k], name) == 0) return k;
  for (int k = 0; k < law->nstates; k++) {
    char *own = v->state_name[v->state_count + k];
    snprintf(own, STATE_NAME, "%s.%s", law->name, law->states[k].name);
    v->states[v->state_count + k] =
        (DlsVtuArray){.name = own,
                      .values = v->state + (size_t)(v->state_count + k) * (size_t)v->contacts,
                      .type = DLS_VTU_FLOAT64,
                      .components = 1};
  }
  v->state_count += law->nstates;
  return v->state_count - law->nstates;
}

/* State variables of contacts, zero where another law acts. */
static DlsStatus fill_states(View *v, const DlsSimulation *s) {
  const DlsAssembly *a = &s->assembly;
  int most = 0;
  for (int k = 0; k < s->laws.count; k++) {
    const DlsLawUse use = dls_interaction_use(&s->laws.item[k], -1, NULL, NULL);
    most += dls_law_count_states(&use);
  }
  DLS_NEW(v->state, (size_t)most * (size_t)v->contacts);
  DLS_NEW(v->states, most);
  DLS_NEW(v->state_name, most);
  for (int k = 0; k < s->laws.count; k++) {
    const DlsInteraction *item = &s->laws.item[k];
    int at = 0, next = 0;
    for (const DlsLaw *law = item->law; law; at += law->nstates, law = item->then[next++]) {
      if (law->nstates == 0) continue;
      const int first = states_of(v, law);
      for (int i = 0; i < v->contacts; i++)
        for (int n = 0; n < law->nstates && a->interaction[i] == k; n++)
          v->state[(size_t)(first + n) * (size_t)v->contacts + (size_t)i] =
              a->state[(size_t)i * (size_t)a->states + (size_t)(at + n)];
    }
  }
  return DLS_OK;
}

static DlsStatus view_fill(View *v, const DlsSimulation *s) {
  DLS_TRY(dls_granulate_take(s, &v->granulate));
  DLS_TRY(view_make(v, s));
  fill_contacts(v, s);
  fill_elements(v, s->world);
  return fill_states(v, s);
}

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
  return dls_pvd_add(f->pvd[series], s->time, 0, file);
}

/* Cells of one kind, each with points of its own; arrays belong to the points unless they are moved. */
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
                      .time = s->time};
}

/* The given arrays and `more` behind them. */
static DlsStatus join_arrays(const DlsVtuArray *data, int count, const DlsVtuArray *more, int extra,
                             DlsVtuArray **out) {
  DLS_NEW(*out, count + extra);
  memcpy(*out, data, (size_t)count * sizeof **out);
  if (extra) memcpy(*out + count, more, (size_t)extra * sizeof **out);
  return DLS_OK;
}

static DlsStatus put_bodies(DlsFrames *f, const DlsSimulation *s, const View *v) {
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
  const int32_t dimension = s->world->dim;
  const DlsVtuArray field[] = {
      {.name = "dimension", .values = &dimension, .type = DLS_VTU_INT32, .tuples = 1},
      {.name = "lag", .values = &v->granulate.lag, .type = DLS_VTU_FLOAT64, .tuples = 1},
      {.name = "gravity", .values = v->granulate.gravity, .components = 3, .tuples = 1},
  };
  DlsVtuArray *all;
  const int count = DLS_COUNT(data) + v->post.count;
  DLS_TRY(join_arrays(data, DLS_COUNT(data), v->post.array, v->post.count, &all));
  DlsVtuGrid grid = grid_of(s, DLS_VTU_VERTEX, v->elements, v->centre, all, count);
  grid.field_data = field;
  grid.field_arrays = DLS_COUNT(field);
  const DlsStatus status = put(f, BODIES, s, &grid);
  free(all);
  return status;
}

static DlsStatus put_contacts(DlsFrames *f, const DlsSimulation *s, const View *v) {
  const DlsGranulate *g = &v->granulate;
  const DlsVtuArray data[] = {
      REALS("normal_force", g->normal_force, 1, DLS_VTU_SCALARS),
      REALS("force", g->force, 3, DLS_VTU_VECTORS),
      REALS("normal", g->normal, 3, DLS_VTU_NORMALS),
      REALS("tangential_force", g->tangential_force, 1, DLS_VTU_PLAIN),
      REALS("normal_velocity", v->normal_velocity, 1, DLS_VTU_PLAIN),
      REALS("slip_velocity", v->slip, 1, DLS_VTU_PLAIN),
      REALS("gap", v->gap, 1, DLS_VTU_PLAIN),
      REALS("friction_limit", g->friction_limit, 1, DLS_VTU_PLAIN),
      NUMBERS("candidate", v->candidate, DLS_VTU_INT64),
      NUMBERS("antagonist", v->antagonist, DLS_VTU_INT64),
      NUMBERS("law", v->law, DLS_VTU_INT32),
      NUMBERS("status", g->status, DLS_VTU_INT32),
      NUMBERS("cohesion", v->cohesion, DLS_VTU_INT32),
  };
  DlsVtuArray *all;
  DLS_TRY(join_arrays(data, DLS_COUNT(data), v->states, v->state_count, &all));
  const DlsVtuGrid grid =
      grid_of(s, DLS_VTU_VERTEX, v->contacts, g->point[0], all, DLS_COUNT(data) + v->state_count);
  const DlsStatus status = put(f, CONTACTS, s, &grid);
  free(all);
  return status;
}

/* The arrays are those of points, since a Tube filter varies its radius by those alone. */
static DlsStatus put_chains(DlsFrames *f, const DlsSimulation *s, const View *v) {
  const DlsVtuArray data[] = {
      REALS("normal_force", v->chain_force, 1, DLS_VTU_SCALARS),
      REALS("tangential_force", v->chain_tangential, 1, DLS_VTU_PLAIN),
      NUMBERS("status", v->chain_status, DLS_VTU_INT32),
  };
  const DlsVtuGrid grid = grid_of(s, DLS_VTU_LINE, v->chains, v->ends, data, DLS_COUNT(data));
  return put(f, CHAINS, s, &grid);
}

/* How far endless boundaries are drawn: the size of the box around the grains and the boundaries' origins. */
static double reach_of(const View *v, const DlsWorld *world) {
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

static DlsStatus put_boundaries(DlsFrames *f, const DlsSimulation *s, const View *v) {
  DlsOutline outline = {0};
  DlsStatus status = dls_outline_make(s->world, reach_of(v, s->world), &outline);
  double *force = dls_memory_array((size_t)outline.count * 3, sizeof *force);
  if (!force && status == DLS_OK) status = dls_fail(DLS_ERR_MEMORY, "out of memory for a frame");
  int32_t *number = dls_memory_array((size_t)outline.count, sizeof *number);
  if (!number && status == DLS_OK) status = dls_fail(DLS_ERR_MEMORY, "out of memory for a frame");
  if (status == DLS_OK) {
    for (int k = 0; k < outline.count; k++) {
      number[k] = outline.boundary[k];
      if (s->step > 0)
        memcpy(force + 3 * k, s->boundary_force[outline.boundary[k]], 3 * sizeof *force);
    }
    const DlsVtuArray data[] = {
        NUMBERS("boundary", number, DLS_VTU_INT32),
        REALS("force", force, 3, DLS_VTU_VECTORS),
    };
    DlsVtuGrid grid = grid_of(s, DLS_VTU_LINE, outline.count, outline.ends, NULL, 0);
    grid.cell_data = data;
    grid.cell_arrays = DLS_COUNT(data);
    status = put(f, BOUNDARIES, s, &grid);
  }
  free(force);
  free(number);
  dls_outline_clear(&outline);
  return status;
}

static DlsStatus open_series(DlsFrames *f, double resume) {
  for (int k = 0; k < SERIES; k++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.pvd", f->folder, series_name[k]);
    if (resume == -INFINITY)
      DLS_TRY(dls_pvd_create(path, &f->pvd[k]));
    else
      DLS_TRY(dls_pvd_resume(path, resume, &f->pvd[k]));
  }
  f->count = dls_pvd_frames(f->pvd[0]);
  for (int k = 0; k < SERIES; k++) DLS_TRY(dls_stale_remove(f->folder, series_name[k], f->count));
  return DLS_OK;
}

DlsStatus dls_frames_create(const char *folder, const DlsVtuOptions *options, double resume,
                            DlsFrames **out) {
  *out = NULL;
  DLS_TRY(dls_file_make_folder(folder));
  DlsFrames *f;
  DLS_NEW(f, 1);
  if (options) f->options = *options;
  f->folder = strdup(folder);
  DlsStatus status = f->folder ? open_series(f, resume)
                               : dls_fail(DLS_ERR_MEMORY, "out of memory for a folder's name");
  if (status == DLS_OK)
    *out = f;
  else
    dls_frames_destroy(&f);
  return status;
}

void dls_frames_destroy(DlsFrames **frames) {
  if (!frames || !*frames) return;
  for (int k = 0; k < SERIES; k++) dls_pvd_destroy(&(*frames)->pvd[k]);
  free((*frames)->folder);
  free(*frames);
  *frames = NULL;
}

int dls_frames_count(const DlsFrames *f) { return f->count; }

void dls_frames_post(DlsFrames *f, unsigned quantities) { f->post = quantities; }

static DlsStatus write_all(DlsFrames *f, const DlsSimulation *s, View *v) {
  DLS_TRY(view_fill(v, s));
  DLS_TRY(dls_post_arrays_make(&v->granulate, f->post, v->grain, v->elements, &v->post));
  DLS_TRY(put_bodies(f, s, v));
  DLS_TRY(put_contacts(f, s, v));
  DLS_TRY(put_chains(f, s, v));
  DLS_TRY(put_boundaries(f, s, v));
  f->count++;
  return DLS_OK;
}

DlsStatus dls_frames_write(DlsFrames *f, const DlsSimulation *s) {
  View view = {0};
  const DlsStatus status = write_all(f, s, &view);
  view_clear(&view);
  return status;
}

/* The chains as the picture wants them: from [chains][3], to [chains][3], then force [chains]. */
static DlsStatus split_chains(const View *v, double **out) {
  DLS_NEW(*out, 7 * (size_t)v->chains);
  for (int k = 0; k < v->chains; k++) {
    memcpy(*out + 3 * k, v->ends + 6 * k, 3 * sizeof **out);
    memcpy(*out + 3 * (v->chains + k), v->ends + 6 * k + 3, 3 * sizeof **out);
    (*out)[6 * v->chains + k] = v->chain_force[2 * k];
  }
  return DLS_OK;
}

static DlsStatus draw(const DlsSimulation *s, View *v, DlsOutline *outline, double **chains,
                      const char *title, const char *path) {
  char caption[96];
  int bodies = 0;
  for (int b = 0; b < s->world->count; b++) bodies += is_shown(s->world, b);
  DLS_TRY(view_fill(v, s));
  DLS_TRY(dls_outline_make(s->world, reach_of(v, s->world), outline));
  DLS_TRY(split_chains(v, chains));
  snprintf(caption, sizeof caption, "t = %.4g s, %d bod%s, %d contact%s", s->time, bodies,
           bodies == 1 ? "y" : "ies", v->contacts, v->contacts == 1 ? "" : "s");
  const DlsSvgScene scene = {.dim = s->world->dim,
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
  return dls_svg_scene_write(&scene, path, NULL);
}

DlsStatus dls_frames_picture(const DlsSimulation *s, const char *title, const char *path) {
  View view = {0};
  DlsOutline outline = {0};
  double *chains = NULL;
  const DlsStatus status = draw(s, &view, &outline, &chains, title, path);
  free(chains);
  dls_outline_clear(&outline);
  view_clear(&view);
  return status;
}
