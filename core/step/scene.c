/* From a deck to a simulation. Mistakes that need more than one row to be seen become problems of the deck, with their
 * line; what is found there is collected before anything runs. */
#include "step/scene_impl.h"

#include "base/memory.h"
#include "world/population.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  DlsDeck *deck;
  DlsScene *scene;
  DlsWorld *world;
  const DlsDeckNode **owner; /* of each body: the section it comes from */
  int owners;
} Builder;

/* The bodies made since the last call come from this section. */
static void own(Builder *b, const DlsDeckNode *node) {
  const size_t count = (size_t)b->world->count;
  const DlsDeckNode **owner = realloc(b->owner, (count + 1) * sizeof *owner);
  if (!owner) {
    dls_deck_problem(b->deck, node, NULL, "out of memory for %zu bodies; ask for fewer", count);
    return;
  }
  b->owner = owner;
  while (b->owners < b->world->count) b->owner[b->owners++] = node;
}

/* The number of a material, or -1 with a problem at `key`. */
static int material_of(Builder *b, const DlsDeckNode *node, const char *key, const char *name) {
  int number = -1;
  if (dls_materials_require(&b->world->materials, name, &number) != DLS_OK)
    dls_deck_problem(b->deck, node, key, "%s", dls_error_message());
  return number;
}

/* A failure of the library becomes a problem at the node. */
static bool ok(Builder *b, const DlsDeckNode *node, const char *key, DlsStatus status) {
  if (status != DLS_OK) dls_deck_problem(b->deck, node, key, "%s", dls_error_message());
  return status == DLS_OK;
}

static void add_materials(Builder *b) {
  const DlsDeckList *list = &b->scene->data.materials;
  const DlsSceneMaterial *items = list->items;
  for (int k = 0; k < list->count; k++) {
    int number;
    ok(b, dls_deck_find(dls_deck_root(b->deck), "materials"), items[k].name,
       dls_materials_add(&b->world->materials, items[k].name, items[k].density, &number));
  }
}

static DlsRegion region_of(const DlsSceneRegion *r) {
  DlsRegion region = {.kind = (DlsRegionKind)r->shape,
                      .radius = r->radius,
                      .radius_top = r->radius_top,
                      .height = r->height};
  memcpy(region.low, r->low, sizeof region.low);
  memcpy(region.high, r->high, sizeof region.high);
  memcpy(region.centre, r->centre, sizeof region.centre);
  return region;
}

static DlsSizes sizes_of(const DlsSceneSizes *s) {
  return (DlsSizes){.kind = (DlsSizesKind)s->kind,
                    .radius = s->radius,
                    .min = s->min,
                    .max = s->max,
                    .sigma = s->sigma,
                    .exponent = s->exponent,
                    .count = s->values.count,
                    .values = s->values.values,
                    .shares = s->shares.values,
                    .by_volume = s->by};
}

static DlsStatus populate(const DlsSceneGrains *g, int dim, DlsPopulation *out) {
  const DlsRegion region = region_of(&g->region);
  const DlsSizes sizes = sizes_of(&g->sizes);
  const uint64_t seed = (uint64_t)g->seed;
  const DlsAmount amount = {.count = g->fraction > 0 ? 0 : g->count, .fraction = g->fraction};
  const DlsLattice lattice = {(DlsLatticeKind)g->lattice, g->pitch, g->jitter, g->count};
  double side;
  switch (g->place) {
  case DLS_PLACE_LATTICE:
    return dls_population_lattice(&lattice, &region, dim, &sizes, seed, out);
  case DLS_PLACE_PYRAMID:
    return dls_population_pyramid((DlsPyramidBase)g->base, dim, g->layers, g->sizes.radius, g->gap,
                                  g->foot, out);
  case DLS_PLACE_RANDOM:
    return dls_population_random(&region, dim, &sizes, amount, seed, out);
  case DLS_PLACE_PACKED:
    return dls_population_packed(&region, dim, &sizes, amount, seed, out);
  case DLS_PLACE_RAIN:
    return dls_population_rain(&region, dim, &sizes, g->count, g->gap, seed, out);
  case DLS_PLACE_DEPOSIT:
    return dls_population_deposit(g->count, g->sizes.radius, seed, out, &side);
  case DLS_PLACE_FILE:
  default:
    return dls_population_read(g->file, dim, out);
  }
}

/* One shape serves all grains: a unit sphere, scaled. */
static DlsStatus add_population(Builder *b, const DlsSceneGrains *g, const DlsPopulation *p,
                                int material) {
  DlsShape unit;
  DLS_TRY(dls_shape_sphere(b->world->dim, 1, &unit));
  DlsStatus status = dls_world_reserve(b->world, b->world->count + p->count,
                                       b->world->first[b->world->count] + p->count);
  for (int k = 0; k < p->count && status == DLS_OK; k++) {
    DlsBody body = {.shape = &unit,
                    .scale = p->radius[k],
                    .density = b->world->materials.item[material].density,
                    .material = material};
    memcpy(body.position, p->centre + 3 * k, sizeof body.position);
    memcpy(body.velocity, g->velocity, sizeof g->velocity);
    memcpy(body.velocity + 3, g->spin, sizeof g->spin);
    status = dls_world_add_body(b->world, &body);
  }
  dls_shape_clear(&unit);
  return status;
}

static void add_grains(Builder *b) {
  const DlsDeckList *list = &b->scene->data.grains;
  const DlsSceneGrains *items = list->items;
  for (int k = 0; k < list->count; k++) {
    const int material = material_of(b, items[k].node, "material", items[k].material);
    DlsPopulation population = {0};
    if (material >= 0 &&
        ok(b, items[k].node, "place", populate(&items[k], b->world->dim, &population)))
      ok(b, items[k].node, NULL, add_population(b, &items[k], &population, material));
    own(b, items[k].node);
    dls_population_clear(&population);
  }
}

static uint8_t fixed_of(const DlsDeckStrings *names) {
  static const char *const all[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  uint8_t fixed = 0;
  for (int i = 0; i < names->count; i++) {
    if (strcmp(names->values[i], "all") == 0) fixed = DLS_FIXED_ALL;
    for (int k = 0; k < DLS_COUNT(all); k++)
      if (strcmp(names->values[i], all[k]) == 0) fixed = (uint8_t)(fixed | (1u << k));
  }
  return fixed;
}

static DlsStatus shape_of(const DlsSceneBody *s, int dim, DlsShape *out) {
  if (s->radius > 0) return dls_shape_sphere(dim, s->radius, out);
  const DlsSceneElement *from = s->cluster.items;
  DlsElement *elements;
  DLS_NEW(elements, s->cluster.count);
  for (int k = 0; k < s->cluster.count; k++) {
    memcpy(elements[k].offset, from[k].at, sizeof elements[k].offset);
    elements[k].radius = from[k].radius;
  }
  const DlsStatus status = dls_shape_cluster(dim, s->cluster.count, elements, out);
  free(elements);
  return status;
}

static void add_bodies(Builder *b) {
  const DlsDeckList *list = &b->scene->data.bodies;
  const DlsSceneBody *items = list->items;
  for (int k = 0; k < list->count; k++) {
    const DlsSceneBody *s = &items[k];
    const int material = material_of(b, s->node, "material", s->material);
    DlsShape shape = {0};
    if (material < 0 || !ok(b, s->node, "cluster", shape_of(s, b->world->dim, &shape))) continue;
    DlsBody body = {.shape = &shape,
                    .density = b->world->materials.item[material].density,
                    .mass = s->mass,
                    .material = material,
                    .fixed = fixed_of(&s->fixed)};
    memcpy(body.position, s->position, sizeof body.position);
    memcpy(body.velocity, s->velocity, sizeof s->velocity);
    memcpy(body.velocity + 3, s->spin, sizeof s->spin);
    ok(b, s->node, NULL, dls_world_add_body(b->world, &body));
    own(b, s->node);
    dls_shape_clear(&shape);
  }
}

/* The local axis (z; in 2-D y; of a segment x) turned to the wanted one; zero stands for no turn. */
static void turn_axis(int dim, DlsBoundaryKind kind, const double *axis, double *orientation) {
  const double size = dls_vector_norm(axis);
  double from[3] = {0}, to[3];
  orientation[0] = 1;
  if (!(size > 0)) return;
  from[kind == DLS_BOUNDARY_SEGMENT ? 0 : dim - 1] = 1;
  for (int k = 0; k < 3; k++) to[k] = axis[k] / size;
  if (dim == 2) { /* about z, also half a turn */
    const double angle = atan2(to[1], to[0]) - atan2(from[1], from[0]);
    orientation[0] = cos(angle / 2);
    orientation[3] = sin(angle / 2);
    return;
  }
  dls_rotation_between(from, to, orientation);
}

static unsigned open_of(const DlsDeckStrings *names) {
  static const char *const all[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
  unsigned open = 0;
  for (int i = 0; i < names->count; i++)
    for (int k = 0; k < DLS_COUNT(all); k++)
      if (strcmp(names->values[i], all[k]) == 0) open |= 1u << k;
  return open;
}

static void add_boundaries(Builder *b) {
  const DlsDeckList *list = &b->scene->data.boundaries;
  const DlsSceneBoundary *items = list->items;
  for (int k = 0; k < list->count; k++) {
    const DlsSceneBoundary *s = &items[k];
    const int material = material_of(b, s->node, "material", s->material);
    if (material < 0) continue;
    DlsBoundary boundary = {.kind = (DlsBoundaryKind)s->shape,
                            .inside = s->inside,
                            .open = open_of(&s->open),
                            .rounding = s->rounding,
                            .depth = s->depth,
                            .material = material};
    memcpy(boundary.length, s->length, sizeof boundary.length);
    memcpy(boundary.radius, s->radius, sizeof boundary.radius);
    memcpy(boundary.position, s->position, sizeof boundary.position);
    turn_axis(b->world->dim, boundary.kind, s->axis, boundary.orientation);
    if (ok(b, s->node, "shape", dls_boundary_check(b->world->dim, &boundary)))
      ok(b, s->node, NULL, dls_world_add_boundary(b->world, &boundary));
  }
}

/* The laws of one item, with their parameters. */
static DlsStatus add_interaction(const DlsSceneLaw *s, DlsInteractions *laws, int *number) {
  const double *given = s->parameters.data;
  for (int n = 0; n < s->law.count; n++) {
    const DlsLaw *law;
    double *params;
    DLS_TRY(dls_law_find(s->law.values[n], &law));
    if (n == 0) {
      DLS_TRY(dls_interactions_add(laws, law, number));
      params = laws->item[*number].params;
    } else {
      DLS_TRY(dls_interactions_follow(laws, *number, law, &params));
    }
    if (given) memcpy(params, given + n * DLS_MAX_PARAMS, (size_t)law->nparams * sizeof *params);
  }
  return DLS_OK;
}

static void add_laws(Builder *b, DlsInteractions *laws) {
  const DlsDeckList *list = &b->scene->data.laws;
  const DlsSceneLaw *items = list->items;
  const int materials = b->world->materials.count;
  if (!ok(b, dls_deck_root(b->deck), NULL, dls_interactions_create(materials, laws))) return;
  for (int k = 0; k < list->count; k++) {
    const DlsSceneLaw *s = &items[k];
    int who[2], number;
    for (int side = 0; side < 2; side++)
      who[side] = strcmp(s->between.values[side], "*") == 0
                      ? -1
                      : material_of(b, s->place, "between", s->between.values[side]);
    if (!ok(b, s->place, "law", add_interaction(s, laws, &number))) continue;
    ok(b, s->place, NULL, dls_interactions_give(laws, who[0], who[1], number));
  }
  int block;
  double farthest;
  ok(b, dls_deck_root(b->deck), "laws", dls_interactions_block(laws, b->world->dim, &block));
  ok(b, dls_deck_root(b->deck), "laws", dls_interactions_range(laws, NULL, &farthest));
}

static void gravity_at(void *context, double t, double out[3]) {
  const DlsScene *scene = context;
  for (int k = 0; k < 3; k++)
    out[k] = scene->data.gravity[k] ? dls_expression_value(scene->data.gravity[k], t) : 0;
}

/* Poses at t, and the velocities that take them to t + h. */
static DlsStatus move_boundaries(void *context, DlsWorld *world, double t, double h) {
  const DlsScene *scene = context;
  const DlsSceneBoundary *items = scene->data.boundaries.items;
  for (int b = 0; b < scene->data.boundaries.count; b++) {
    const DlsSceneBoundary *s = &items[b];
    DlsBoundary *boundary = &world->boundary[b];
    for (int k = 0; k < 3; k++) {
      if (s->displacement[k]) {
        const double now = dls_expression_value(s->displacement[k], t);
        boundary->position[k] = s->position[k] + now;
        boundary->velocity[k] = (dls_expression_value(s->displacement[k], t + h) - now) / h;
      }
      if (s->velocity[k]) boundary->velocity[k] = dls_expression_value(s->velocity[k], t + h / 2);
      if (s->spin[k]) boundary->velocity[3 + k] = dls_expression_value(s->spin[k], t + h / 2);
      DLS_CHECK(isfinite(boundary->velocity[k]) && isfinite(boundary->velocity[3 + k]),
                DLS_ERR_NUMERIC, "the motion of boundary %s is not finite at t = %g s", s->name, t);
    }
  }
  return DLS_OK;
}

static DlsStatus add_drag(void *context, const DlsWorld *world, double t, double (*force)[6]) {
  const DlsScene *scene = context;
  (void)t;
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < 3; k++)
      force[b][k] -= scene->data.drag * world->mass[b] * world->velocity[b][k];
  return DLS_OK;
}

static void set_up(Builder *b) {
  DlsScene *scene = b->scene;
  DlsSimulation *s = scene->simulation;
  const DlsSceneData *data = &scene->data;
  s->scheme = (DlsScheme)data->time.scheme;
  s->h = data->time.step;
  s->alert = data->time.alert;
  s->signed_gap = data->time.signed_gap;
  s->influence = (DlsInfluence){scene, move_boundaries, gravity_at, NULL};
  if (data->drag > 0) s->influence.force = add_drag;
  s->limits = (DlsLimits){.tolerance = data->solver.tolerance,
                          .max_iterations = data->solver.max_iterations,
                          .measure = (DlsMeasure)data->solver.measure};
  if (!ok(b, dls_deck_root(b->deck), "solver", dls_solver_find(data->solver.name, &s->solver)))
    return;
  s->solver_options = calloc(1, s->solver->option_bytes + 1);
  if (!s->solver_options) {
    dls_deck_problem(b->deck, dls_deck_root(b->deck), "solver", "out of memory for its options");
    return;
  }
  dls_solver_defaults(s->solver, s->solver_options);
  if (data->solver.options.data)
    memcpy(s->solver_options, data->solver.options.data, s->solver->option_bytes);
}

static void build(Builder *b) {
  dls_scene_check(b->deck, &b->scene->data);
  if (dls_deck_problem_count(b->deck)) return;
  add_materials(b);
  add_grains(b);
  add_bodies(b);
  add_boundaries(b);
  if (dls_deck_problem_count(b->deck)) return;
  if (!ok(b, dls_deck_root(b->deck), NULL, dls_simulation_create(&b->world, &b->scene->simulation)))
    return;
  b->world = b->scene->simulation->world;
  add_laws(b, &b->scene->simulation->laws);
  set_up(b);
  if (dls_deck_problem_count(b->deck)) return;
  dls_scene_check_laws(b->deck, b->scene->simulation);
  if (!ok(b, dls_deck_root(b->deck), "boundaries",
          move_boundaries(b->scene, b->world, 0, b->scene->simulation->h)))
    return;
  dls_scene_check_overlap(b->deck, &b->scene->data, b->scene->simulation, b->owner);
  dls_simulation_recount(b->scene->simulation);
}

DlsStatus dls_scene_build(DlsDeck *deck, DlsScene **out) {
  DlsScene *scene;
  *out = NULL;
  DLS_NEW(scene, 1);
  Builder b = {.deck = deck, .scene = scene};
  DlsStatus status = dls_deck_read(deck, dls_scene_section(), &scene->data);
  if (status == DLS_OK) status = dls_world_create(scene->data.dimension, &b.world);
  if (status == DLS_OK) {
    build(&b);
    status = dls_deck_status(deck);
  }
  free(b.owner);
  if (!scene->simulation) dls_world_destroy(&b.world);
  if (status == DLS_OK)
    *out = scene;
  else
    dls_scene_destroy(&scene);
  return status;
}

void dls_scene_destroy(DlsScene **scene) {
  if (!scene || !*scene) return;
  dls_simulation_destroy(&(*scene)->simulation);
  dls_deck_release(dls_scene_section(), &(*scene)->data);
  free(*scene);
  *scene = NULL;
}
