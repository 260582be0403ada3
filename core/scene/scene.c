/* From a deck to a simulation. Mistakes that need more than one row to be seen become problems of
 * the deck, with their line; what is found there is collected before anything runs. */
#include "scene/scene_impl.h"

#include "base/memory.h"
#include "world/boundary/kind.h"
#include "world/population/population.h"

#include <math.h>
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

static DlsStatus enlist_all(DlsScene *scene) {
  const DlsSceneData *data = &scene->data;
  const DlsSceneGrains *grains = data->grains.items;
  const DlsSceneBody *bodies = data->bodies.items;
  const DlsSceneChain *chains = data->chains.items;
  const DlsSceneBlocks *blocks = data->blocks.items;
  for (int k = 0; k < data->grains.count; k++)
    DLS_TRY(dls_roster_add(&scene->roster, &(DlsRosterEntry){.kind = DLS_ROSTER_GRAINS,
                                                             .index = k,
                                                             .from = grains[k].from,
                                                             .until = grains[k].until}));
  for (int k = 0; k < data->bodies.count; k++)
    DLS_TRY(dls_roster_add(&scene->roster, &(DlsRosterEntry){.kind = DLS_ROSTER_BODY,
                                                             .index = k,
                                                             .name = bodies[k].name,
                                                             .from = bodies[k].from,
                                                             .until = bodies[k].until}));
  for (int k = 0; k < data->chains.count; k++)
    DLS_TRY(dls_roster_add(&scene->roster, &(DlsRosterEntry){.kind = DLS_ROSTER_CHAIN,
                                                             .index = k,
                                                             .name = chains[k].name,
                                                             .from = chains[k].from,
                                                             .until = chains[k].until}));
  for (int k = 0; k < data->blocks.count; k++)
    DLS_TRY(dls_roster_add(&scene->roster, &(DlsRosterEntry){.kind = DLS_ROSTER_BLOCKS,
                                                             .index = k,
                                                             .name = blocks[k].name,
                                                             .from = blocks[k].from,
                                                             .until = blocks[k].until}));
  for (int k = 0; k < scene->servos; k++) {
    scene->servo[k].carrier = (DlsMember){scene->roster.count, 0};
    DLS_TRY(dls_roster_add(&scene->roster, &(DlsRosterEntry){.kind = DLS_ROSTER_SERVO,
                                                             .index = scene->servo[k].boundary,
                                                             .until = NAN}));
  }
  return DLS_OK;
}

static const DlsDeckNode *node_of(const DlsSceneData *data, const DlsRosterEntry *entry) {
  const int k = entry->index;
  switch (entry->kind) {
  case DLS_ROSTER_GRAINS:
    return ((const DlsSceneGrains *)data->grains.items)[k].node;
  case DLS_ROSTER_BODY:
    return ((const DlsSceneBody *)data->bodies.items)[k].node;
  case DLS_ROSTER_CHAIN:
    return ((const DlsSceneChain *)data->chains.items)[k].node;
  case DLS_ROSTER_BLOCKS:
    return ((const DlsSceneBlocks *)data->blocks.items)[k].node;
  case DLS_ROSTER_SERVO:
  default:
    return ((const DlsSceneBoundary *)data->boundaries.items)[k].node;
  }
}

/* Where the sentence of a failed birth belongs. */
static const char *key_of(const DlsSceneData *data, const DlsRosterEntry *entry) {
  const DlsSceneBody *bodies = data->bodies.items;
  if (entry->kind == DLS_ROSTER_GRAINS) return "place";
  if (entry->kind == DLS_ROSTER_BLOCKS) return "kind";
  if (entry->kind != DLS_ROSTER_BODY) return NULL;
  if (bodies[entry->index].deformable) return "deformable";
  return bodies[entry->index].cluster.count ? "cluster" : NULL;
}

/* Later ones are born in a world of their own, and forgotten: their mistakes are seen, and where
 * they will be. */
static DlsStatus rehearse(const DlsScene *scene, DlsRosterEntry *entry, const DlsWorld *world) {
  DlsWorld *stage = NULL;
  DLS_TRY(dls_world_create(world->dim, &stage));
  stage->materials = world->materials;
  const DlsStatus status = dls_scene_birth(scene, entry, stage);
  stage->materials = (DlsMaterials){0};
  dls_world_destroy(&stage);
  entry->state = DLS_ROSTER_WAITS;
  return status;
}

static void add_bodies(Builder *b) {
  DlsScene *scene = b->scene;
  if (!ok(b, dls_deck_root(b->deck), NULL, enlist_all(scene))) return;
  for (int e = 0; e < scene->roster.count; e++) {
    DlsRosterEntry *entry = &scene->roster.entry[e];
    const DlsDeckNode *node = node_of(&scene->data, entry);
    if (material_of(b, node, "material", dls_scene_material(&scene->data, entry)) < 0) continue;
    ok(b, node, key_of(&scene->data, entry),
       entry->from > 0 ? rehearse(scene, entry, b->world)
                       : dls_scene_birth(scene, entry, b->world));
    own(b, node);
  }
  for (int k = 0; k < scene->servos; k++) {
    const DlsServo *servo = &scene->servo[k];
    const int body = dls_roster_number(&scene->roster, b->world, servo->carrier);
    DlsBoundary *wall = &b->world->boundary[servo->boundary];
    if (body >= 0) wall->carrier = b->world->id[body];
    if (servo->swells) wall->flags |= DLS_BOUNDARY_SWELLS;
  }
}

/* The local axis (z; in 2-D y; of a segment x) turned to the wanted one; zero stands for no
 * turn. */
static void turn_axis(int dim, DlsBoundaryKind kind, const double *axis, double *orientation) {
  const double size = dls_vector_norm(axis);
  double from[3] = {0}, to[3];
  orientation[0] = 1;
  if (!(size > 0)) return;
  from[dls_boundary_operations(kind)->along_x ? 0 : dim - 1] = 1;
  for (int k = 0; k < 3; k++) to[k] = axis[k] / size;
  if (dim == 2) { /* about z, also half a turn */
    const double angle = atan2(to[1], to[0]) - atan2(from[1], from[0]);
    orientation[0] = cos(angle / 2);
    orientation[3] = sin(angle / 2);
    return;
  }
  dls_rotation_between(from, to, orientation);
}

/* And then by a rotation vector, in 2-D by an angle. */
static void turn_further(int dim, const double turn[3], double *orientation) {
  const double vector[3] = {dim == 3 ? turn[0] : 0, dim == 3 ? turn[1] : 0,
                            dim == 3 ? turn[2] : turn[0]};
  double q[4], both[4];
  if (dls_vector_norm(vector) == 0) return;
  dls_rotation_exp(vector, q);
  dls_rotation_multiply(q, orientation, both);
  memcpy(orientation, both, sizeof both);
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
    turn_further(b->world->dim, s->turn, boundary.orientation);
    memcpy(b->scene->origin[k], s->position, sizeof b->scene->origin[k]);
    if (!ok(b, s->node, s->file ? "file" : "shape",
            dls_scene_facets(s, b->world->dim, &boundary.facets)))
      continue;
    if (ok(b, s->node, "shape", dls_boundary_check(b->world->dim, &boundary)))
      ok(b, s->node, NULL, dls_world_add_boundary(b->world, &boundary));
    dls_facets_release(&boundary.facets); /* the world holds them */
  }
}

static void set_up(Builder *b) {
  DlsScene *scene = b->scene;
  DlsSimulation *s = scene->simulation;
  const DlsSceneData *data = &scene->data;
  s->settings.scheme = dls_schemes[data->time.scheme];
  s->settings.h = data->time.step;
  s->settings.alert = data->time.alert;
  s->settings.signed_gap = data->time.signed_gap;
  s->settings.influence = dls_scene_influence(scene);
  s->settings.theta = data->time.theta;
  s->settings.correction = (DlsCorrection)data->time.correction;
  s->settings.overlap = data->time.overlap;
  s->settings.control = (DlsControl)data->time.control;
  s->settings.fraction = data->time.fraction;
  s->settings.patches =
      (DlsPatchSizes){.directions = data->surfaces.directions, .cell = data->surfaces.cell};
  if (ok(b, dls_deck_find(dls_deck_root(b->deck), "time"), "correction",
         dls_simulation_check_correction(s)))
    ok(b, dls_deck_root(b->deck), "laws", dls_simulation_check(s));
  s->settings.limits = (DlsLimits){.tolerance = data->solver.tolerance,
                                   .max_iterations = data->solver.max_iterations,
                                   .measure = (DlsMeasure)data->solver.measure};
  s->settings.impossible = (DlsImpossible)data->solver.no_solution;
  if (!ok(b, dls_deck_root(b->deck), "solver",
          dls_solver_find(data->solver.name, &s->settings.solver)))
    return;
  s->settings.solver_options = calloc(1, s->settings.solver->option_bytes + 1);
  if (!s->settings.solver_options) {
    dls_deck_problem(b->deck, dls_deck_root(b->deck), "solver", "out of memory for its options");
    return;
  }
  dls_solver_defaults(s->settings.solver, s->settings.solver_options);
  if (data->solver.options.data)
    memcpy(s->settings.solver_options, data->solver.options.data, s->settings.solver->option_bytes);
}

/* Contacts of the explicit scheme blow up beyond h = 2 sqrt(m / k), as springs do. */
static void check_stiffness(Builder *b) {
  const DlsSimulation *s = b->scene->simulation;
  const DlsDeckNode *node = dls_deck_find(dls_deck_root(b->deck), "time");
  DlsStableStep stable;
  if (!ok(b, dls_deck_root(b->deck), "laws", dls_simulation_stable_step(s, &stable)) ||
      s->settings.h < stable.longest)
    return;
  dls_deck_problem(
      b->deck, node, "step",
      "contacts of %s are as stiff as %.3g N/m between bodies of %.3g kg (reduced), and %g s "
      "is too long a step for them; take one below %.2g s (a fiftieth of a collision "
      "is %.2g s), softer contacts or heavier bodies",
      stable.law, stable.stiffness, stable.mass, s->settings.h, stable.longest,
      0.0314 * stable.longest);
}

static void build(Builder *b, bool restart) {
  dls_scene_fit(b->deck, &b->scene->data);
  if (dls_deck_problem_count(b->deck)) return;
  dls_scene_check(b->deck, &b->scene->data);
  if (dls_deck_problem_count(b->deck)) return;
  if (!ok(b, dls_deck_root(b->deck), "cell", dls_scene_set_cell(&b->scene->data, b->world))) return;
  add_materials(b);
  add_boundaries(b);
  dls_scene_load_regions(b->deck, &b->scene->data);
  if (dls_deck_problem_count(b->deck)) return;
  dls_scene_add_servos(b->deck, b->scene, b->world);
  add_bodies(b);
  dls_scene_check_sources(b->deck, &b->scene->data, b->world);
  dls_scene_check_pairs(b->deck, &b->scene->data, b->world);
  if (dls_deck_problem_count(b->deck)) return;
  dls_scene_add_springs(b->deck, b->scene, b->world);
  dls_scene_add_loads(b->deck, b->scene);
  ok(b, dls_deck_root(b->deck), "ground", dls_scene_set_ground(b->scene));
  if (!ok(b, dls_deck_root(b->deck), NULL, dls_simulation_create(&b->world, &b->scene->simulation)))
    return;
  b->world = b->scene->simulation->world;
  dls_scene_add_laws(b->deck, &b->scene->data, b->world, &b->scene->simulation->settings.laws);
  ok(b, dls_deck_root(b->deck), "fields", dls_scene_tell_fields(b->scene));
  dls_scene_add_links(b->deck, b->scene);
  set_up(b);
  if (dls_deck_problem_count(b->deck)) return;
  dls_scene_check_laws(b->deck, b->scene);
  check_stiffness(b);
  if (!ok(b, dls_deck_root(b->deck), "boundaries",
          dls_scene_move(b->scene, b->world, 0, b->scene->simulation->settings.h)))
    return;
  dls_scene_show_boundaries(b->scene);
  if (!restart) dls_scene_check_overlap(b->deck, &b->scene->data, b->scene->simulation, b->owner);
  dls_simulation_recount(b->scene->simulation);
  ok(b, dls_deck_root(b->deck), NULL, dls_scene_note_files(b->scene));
}

static DlsStatus make_states(DlsScene *scene) {
  DLS_NEW(scene->poured, scene->data.sources.count);
  DLS_NEW(scene->taken, scene->data.sinks.count);
  DLS_NEW(scene->origin, scene->data.boundaries.count);
  return DLS_OK;
}

DlsStatus dls_scene_build(DlsDeck *deck, DlsScene **out) {
  return dls_scene_build_with(deck, &(DlsSceneOptions){0}, out);
}

DlsStatus dls_scene_build_with(DlsDeck *deck, const DlsSceneOptions *options, DlsScene **out) {
  DlsScene *scene;
  *out = NULL;
  DLS_NEW(scene, 1);
  scene->reader = options->reader;
  Builder b = {.deck = deck, .scene = scene};
  DlsStatus status = dls_deck_read(deck, dls_scene_section(), &scene->data);
  if (status == DLS_OK) status = make_states(scene);
  if (status == DLS_OK) status = dls_world_create(scene->data.dimension, &b.world);
  if (status == DLS_OK) {
    build(&b, options->restart);
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
  dls_roster_clear(&(*scene)->roster);
  dls_springs_clear(&(*scene)->springs);
  dls_scene_end_loads(*scene);
  dls_ground_clear(&(*scene)->ground);
  free((*scene)->servo);
  free((*scene)->poured);
  free((*scene)->taken);
  free((*scene)->origin);
  dls_scene_forget_files(*scene);
  dls_scene_unload_regions(&(*scene)->data);
  dls_deck_release(dls_scene_section(), &(*scene)->data);
  free(*scene);
  *scene = NULL;
}
