/* Birth: the bodies of one entry of the deck come into a world, at the start or later. */
#include "scene/scene_impl.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

DlsSizes dls_scene_sizes(const DlsSceneSizes *s) {
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

DlsStatus dls_scene_populate(const DlsSceneGrains *g, int dim, DlsPopulation *out) {
  const DlsRegion region = dls_scene_region(&g->region);
  const DlsSizes sizes = dls_scene_sizes(&g->sizes);
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
  case DLS_PLACE_FILE: /* bodies, not places alone: file.c */
  default:
    return dls_fail(DLS_ERR_ARGUMENT, "place: file is no population");
  }
}

static DlsStatus add_grains(const DlsSceneGrains *g, int material, DlsWorld *world) {
  DlsPopulation population = {0};
  double(*velocity)[6] = NULL;
  DlsStatus status = dls_scene_populate(g, world->dim, &population);
  if (status == DLS_OK) {
    velocity = dls_memory_array((size_t)population.count, sizeof *velocity);
    if (!velocity) status = dls_fail(DLS_ERR_MEMORY, "out of memory: %d grains", population.count);
  }
  for (int k = 0; k < population.count && status == DLS_OK; k++) {
    memcpy(velocity[k], g->velocity, sizeof g->velocity);
    memcpy(velocity[k] + 3, g->spin, sizeof g->spin);
  }
  const DlsSceneMake make = {
      .form = &g->form, .seed = (uint64_t)g->seed, .material = material, .mass = g->mass};
  if (status == DLS_OK)
    status = dls_scene_add_grains(world, &population, &make, (const double(*)[6])velocity);
  free(velocity);
  dls_population_clear(&population);
  return status;
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

/* What is prescribed is fixed for forces and impulses. */
static uint8_t driven_of(const DlsSceneMotion *motion) {
  uint8_t fixed = 0;
  for (int k = 0; k < 3; k++) {
    if (motion->displacement[k] || motion->velocity[k]) fixed = (uint8_t)(fixed | (1u << k));
    if (motion->spin[k]) fixed = (uint8_t)(fixed | (8u << k));
  }
  return fixed;
}

uint8_t dls_scene_fixed(const DlsSceneData *data, const DlsRosterEntry *entry, int member) {
  const DlsSceneBlocks *blocks = (const DlsSceneBlocks *)data->blocks.items + entry->index;
  const DlsSceneBody *body = (const DlsSceneBody *)data->bodies.items + entry->index;
  const DlsSceneGrains *grains = (const DlsSceneGrains *)data->grains.items + entry->index;
  if (entry->kind == DLS_ROSTER_BODY)
    return (uint8_t)(fixed_of(&body->fixed) | driven_of(&body->motion));
  if (entry->kind == DLS_ROSTER_GRAINS)
    return (uint8_t)(fixed_of(&grains->fixed) | driven_of(&grains->motion));
  if (entry->kind == DLS_ROSTER_BLOCKS && member < entry->base)
    return blocks->base || driven_of(&blocks->motion) ? DLS_FIXED_ALL : 0;
  return 0;
}

static DlsStatus shape_of(const DlsSceneBody *s, int dim, DlsShape *out) {
  if (s->radius > 0) return dls_shape_sphere(dim, s->radius, out);
  if (s->shape) return dls_scene_solid(s->shape, dim, out);
  return dls_scene_cluster(&s->cluster, dim, out);
}

/* Its turn at the start as a rotation. */
static void turn_of(const DlsSceneBody *s, int dim, double out[4]) {
  const double flat[3] = {0, 0, s->turn[0]};
  out[0] = 1, out[1] = out[2] = out[3] = 0;
  dls_rotation_turn(1, dim == 2 ? flat : s->turn, out);
}

static DlsStatus add_deformable(const DlsSceneBody *s, int material, DlsWorld *world) {
  double turn[4], velocity[6];
  turn_of(s, world->dim, turn);
  memcpy(velocity, s->velocity, sizeof s->velocity);
  memcpy(velocity + 3, s->spin, sizeof s->spin);
  return dls_scene_add_deformable(s->deformable, material, 0, s->position, turn, velocity, world);
}

static DlsStatus add_body(const DlsSceneBody *s, int material, DlsWorld *world) {
  DlsShape shape = {0};
  if (s->deformable) return add_deformable(s, material, world);
  DLS_TRY(shape_of(s, world->dim, &shape));
  DlsBody body = {.shape = &shape,
                  .density = world->materials.item[material].density,
                  .mass = s->mass,
                  .material = material};
  memcpy(body.position, s->position, sizeof body.position);
  memcpy(body.velocity, s->velocity, sizeof s->velocity);
  memcpy(body.velocity + 3, s->spin, sizeof s->spin);
  turn_of(s, world->dim, body.orientation);
  const DlsStatus status = dls_world_add_body(world, &body);
  dls_shape_clear(&shape);
  return status;
}

static DlsStatus add_chain(const DlsSceneChain *s, int material, DlsWorld *world) {
  DlsShape bead = {0};
  DLS_TRY(dls_shape_sphere(world->dim, s->radius, &bead));
  DlsStatus status = DLS_OK;
  for (int k = 0; k < s->count && status == DLS_OK; k++) {
    const double share = (double)k / (s->count - 1);
    DlsBody body = {.shape = &bead,
                    .density = world->materials.item[material].density,
                    .mass = s->mass,
                    .material = material};
    for (int c = 0; c < 3; c++) body.position[c] = s->start[c] + share * (s->end[c] - s->start[c]);
    for (int e = 0; e < s->fixed.count; e++)
      if (k == (strcmp(s->fixed.values[e], "first") == 0 ? 0 : s->count - 1))
        body.fixed = DLS_FIXED_ALL;
    if (!body.fixed) memcpy(body.velocity, s->velocity, sizeof s->velocity);
    status = dls_world_add_body(world, &body);
  }
  dls_shape_clear(&bead);
  return status;
}

/* Small, so that it is near to few grains: it has no contacts, and its size no meaning. */
static double carrier_radius(const DlsSceneData *data, const DlsWorld *world) {
  const DlsSceneSource *sources = data->sources.items;
  double least, largest;
  dls_world_sizes(world, &least, &largest);
  double radius = fmin(1, least);
  for (int k = 0; k < data->sources.count; k++) {
    const DlsSizes sizes = dls_scene_sizes(&sources[k].sizes);
    radius = fmin(radius, dls_sizes_min(&sizes));
  }
  return radius;
}

static DlsStatus add_carrier(const DlsSceneData *data, const DlsServo *servo, DlsWorld *world) {
  const int boundary = servo->boundary, axis = servo->axis;
  const DlsSceneBoundary *s = (const DlsSceneBoundary *)data->boundaries.items + boundary;
  const unsigned moves = axis >= 0 ? 1u << axis : 0; /* no axis: a mistake, told by its check */
  DlsShape ball = {0};
  DLS_TRY(dls_shape_sphere(world->dim, carrier_radius(data, world), &ball));
  DlsBody body = {.shape = &ball,
                  .mass = s->servo->mass,
                  .material = world->boundary[boundary].material,
                  .fixed = (uint8_t)(DLS_FIXED_ALL & ~moves),
                  .flags = DLS_BODY_GHOST};
  memcpy(body.position, s->position, sizeof body.position);
  if (servo->swells) body.position[0] += world->boundary[boundary].radius[0];
  const DlsStatus status = dls_world_add_body(world, &body);
  dls_shape_clear(&ball);
  return status;
}

const char *dls_scene_material(const DlsSceneData *data, const DlsRosterEntry *entry) {
  switch (entry->kind) {
  case DLS_ROSTER_GRAINS:
    return ((const DlsSceneGrains *)data->grains.items)[entry->index].material;
  case DLS_ROSTER_BODY:
    return ((const DlsSceneBody *)data->bodies.items)[entry->index].material;
  case DLS_ROSTER_CHAIN:
    return ((const DlsSceneChain *)data->chains.items)[entry->index].material;
  case DLS_ROSTER_BLOCKS:
    return ((const DlsSceneBlocks *)data->blocks.items)[entry->index].material;
  case DLS_ROSTER_SERVO:
  default:
    return ((const DlsSceneBoundary *)data->boundaries.items)[entry->index].material;
  }
}

/* Where bodies are born: displacements count from there. Of a file ids may have gaps. */
static DlsStatus keep_centres(const DlsSceneData *data, DlsRosterEntry *entry,
                              const DlsWorld *world, int before) {
  const DlsSceneGrains *grains = (const DlsSceneGrains *)data->grains.items + entry->index;
  if (entry->centre) return DLS_OK;
  if (entry->kind == DLS_ROSTER_GRAINS && !grains->motion.displacement[0] &&
      !grains->motion.displacement[1] && !grains->motion.displacement[2] && !data->ground)
    return DLS_OK;
  DLS_NEW(entry->centre, entry->count);
  for (int b = before; b < world->count; b++)
    memcpy(entry->centre[world->id[b] - entry->first], world->position[b], sizeof *entry->centre);
  return DLS_OK;
}

DlsStatus dls_scene_birth(const DlsScene *scene, DlsRosterEntry *entry, DlsWorld *world) {
  const DlsSceneData *data = &scene->data;
  const int before = world->count, k = entry->index;
  const DlsSceneGrains *grains;
  int material;
  DLS_TRY(dls_materials_require(&world->materials, dls_scene_material(data, entry), &material));
  entry->first = world->next_id;
  switch (entry->kind) {
  case DLS_ROSTER_GRAINS:
    grains = (const DlsSceneGrains *)data->grains.items + k;
    DLS_TRY(grains->place == DLS_PLACE_FILE ? dls_scene_add_file(scene, grains, material, world)
                                            : add_grains(grains, material, world));
    break;
  case DLS_ROSTER_BODY:
    DLS_TRY(add_body((const DlsSceneBody *)data->bodies.items + k, material, world));
    break;
  case DLS_ROSTER_CHAIN:
    DLS_TRY(add_chain((const DlsSceneChain *)data->chains.items + k, material, world));
    break;
  case DLS_ROSTER_BLOCKS:
    DLS_TRY(dls_scene_add_blocks((const DlsSceneBlocks *)data->blocks.items + k, material, world,
                                 &entry->base));
    break;
  case DLS_ROSTER_SERVO:
  default:
    for (int s = 0; s < scene->servos; s++)
      if (scene->servo[s].boundary == k) DLS_TRY(add_carrier(data, &scene->servo[s], world));
  }
  if (world->count > before) entry->first = world->id[before];
  entry->count = (int)(world->next_id - entry->first); /* ids of a file may have gaps */
  entry->state = DLS_ROSTER_HERE;
  for (int b = before; b < world->count; b++)
    world->fixed[b] = (uint8_t)(world->fixed[b] | dls_scene_fixed(data, entry, b - before));
  return keep_centres(data, entry, world, before);
}
