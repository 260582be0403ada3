#include "tests/io/checkpoint_scene.h"

#include "tests/fem_block.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

static void fall(void *context, double t, double out[3]) {
  const CheckpointScene *scene = context;
  memcpy(out, scene->gravity, 3 * sizeof *out);
  out[0] += 2 * sin(30 * t);
}

/* The box is shaken; the lid, boundary 1, goes as the force on it in the last step says. */
static DlsStatus move(void *context, DlsWorld *world, double t, double h) {
  CheckpointScene *scene = context;
  const int up = world->dim - 1;
  const double push = scene->simulation->state.boundary_force[1][up];
  world->boundary[0].velocity[up] = 2e-3 * (sin(90 * (t + h)) - sin(90 * t)) / h;
  world->boundary[1].velocity[up] = -0.05 + 0.01 * push;
  return DLS_OK;
}

static DlsStatus drag(void *context, const DlsWorld *world, double t, double (*force)[6]) {
  (void)context, (void)t;
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < world->dim; k++) force[b][k] -= 0.01 * world->velocity[b][k];
  return DLS_OK;
}

static void add_body(CheckpointScene *scene, const DlsShape *shape, double x, double y, double z) {
  DlsWorld *world = scene->simulation->world;
  const DlsBody body = {
      .shape = shape,
      .density = 2500,
      .position = {x, world->dim == 3 ? y : z, world->dim == 3 ? z : 0},
      .velocity = {dls_random_between(&scene->random, -0.3, 0.3), -0.1},
      .material = (int)(world->next_id % 2),
  };
  CHECK_OK(dls_world_add_body(world, &body));
}

static void add_sphere(CheckpointScene *scene, double x, double y, double z) {
  DlsShape shape;
  const double radius = dls_random_between(&scene->random, 0.006, 0.01);
  CHECK_OK(dls_shape_sphere(scene->simulation->world->dim, radius, &shape));
  add_body(scene, &shape, x, y, z);
  dls_shape_clear(&shape);
}

static void add_cluster(CheckpointScene *scene, double x, double y, double z) {
  DlsShape shape;
  const DlsElement three[] = {{{0, 0, 0}, 0.008}, {{0.01, 0, 0}, 0.006}, {{0, 0.009, 0}, 0.005}};
  CHECK_OK(dls_shape_cluster(scene->simulation->world->dim, 3, three, &shape));
  add_body(scene, &shape, x, y, z);
  dls_shape_clear(&shape);
}

static void add_boundaries(DlsWorld *world) {
  const bool flat = world->dim == 2;
  DlsBoundary box = {.kind = DLS_BOUNDARY_BOX,
                     .inside = true,
                     .open = flat ? DLS_OPEN_Y1 : DLS_OPEN_Z1,
                     .length = {0.1, flat ? 0.4 : 0.1, 0.4},
                     .depth = 0.02,
                     .orientation = {1, 0, 0, 0}};
  DlsBoundary lid = {.kind = DLS_BOUNDARY_PLANE, .material = 1, .orientation = {0, 1, 0, 0}};
  if (flat) memcpy(lid.orientation, (double[4]){0, 0, 0, 1}, sizeof lid.orientation);
  box.position[world->dim - 1] = 0.2;
  lid.position[world->dim - 1] = 0.16;
  CHECK_OK(dls_world_add_boundary(world, &box));
  CHECK_OK(dls_world_add_boundary(world, &lid));
  const DlsBoundary endless = {.kind = DLS_BOUNDARY_CYLINDER,
                               .inside = true,
                               .length = {HUGE_VAL},
                               .radius = {1},
                               .orientation = {1, 0, 0, 0}};
  CHECK_OK(dls_world_add_boundary(world, &endless));
}

static void give_laws(DlsSimulation *s) {
  const DlsLaw *coulomb = NULL;
  int soft, hard;
  CHECK_OK(dls_law_find("coulomb", &coulomb));
  CHECK_OK(dls_interactions_create(2, &s->settings.laws));
  CHECK_OK(dls_interactions_add(&s->settings.laws, coulomb, &soft));
  CHECK_OK(dls_interactions_add(&s->settings.laws, coulomb, &hard));
  CHECK_OK(dls_law_set(coulomb, s->settings.laws.item[soft].params, "mu", 0.3));
  CHECK_OK(dls_law_set(coulomb, s->settings.laws.item[soft].params, "mu_static", 0.6));
  CHECK_OK(dls_law_set(coulomb, s->settings.laws.item[hard].params, "rho", 0.4));
  CHECK_OK(dls_interactions_give(&s->settings.laws, -1, -1, soft));
  CHECK_OK(dls_interactions_give(&s->settings.laws, 1, 1, hard));
}

void scene_open(CheckpointScene *scene, int dim, const DlsScheme *scheme) {
  DlsWorld *world = NULL;
  memset(scene, 0, sizeof *scene);
  dls_random_seed(&scene->random, 7);
  CHECK_OK(dls_world_create(dim, &world));
  CHECK_OK(dls_materials_add(&world->materials, "sand", 2500, NULL));
  CHECK_OK(dls_materials_add(&world->materials, "steel", 7800, NULL));
  add_boundaries(world);
  CHECK_OK(dls_simulation_create(&world, &scene->simulation));
  DlsSimulation *s = scene->simulation;
  give_laws(s);
  s->settings.scheme = scheme;
  s->settings.h = 1e-3;
  s->settings.limits.tolerance = 1e-6;
  s->settings.limits.max_iterations = 300;
  s->settings.influence =
      (DlsInfluence){.context = scene, .move = move, .gravity = fall, .force = drag};
  scene->gravity[dim - 1] = -9.81;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < (dim == 3 ? 3 : 1); j++)
      for (int k = 0; k < 4; k++)
        add_sphere(scene, -0.034 + 0.022 * i, -0.03 + 0.024 * j, 0.012 + 0.022 * k);
  add_cluster(scene, 0, 0, 0.105);
  dls_simulation_recount(s);
}

void scene_open_soft(CheckpointScene *scene, int dim, const DlsScheme *scheme) {
  const double falling[3] = {0.1, dim == 2 ? -0.4 : 0, -0.4};
  FemBlock block = {.dim = dim,
                    .cells = {2, 2, dim == 3 ? 2 : 0},
                    .size = 0.012,
                    .young = 2e5,
                    .poisson = 0.3,
                    .density = 1500,
                    .radius = 1e-3,
                    .all_round = true,
                    .material = 1};
  scene_open(scene, dim, scheme);
  memcpy(block.low, (double[3]){0.02, dim == 2 ? 0.105 : -0.01, dim == 2 ? 0 : 0.105},
         sizeof block.low);
  fem_block_add(scene->simulation->world, &block, falling);
  block.low[0] = -0.045;
  fem_block_add(scene->simulation->world, &block, NULL);
  dls_simulation_recount(scene->simulation);
}

void scene_close(CheckpointScene *scene) { dls_simulation_destroy(&scene->simulation); }

/* Grains come and go at steps that depend on their number alone. */
static void change_population(CheckpointScene *scene) {
  DlsSimulation *s = scene->simulation;
  if (s->state.step % 23 == 11) {
    const int slot = (int)(scene->poured++ % 8);
    add_sphere(scene, -0.036 + 0.024 * (slot % 4), slot < 4 ? -0.02 : 0.02, 0.13);
  }
  if (s->state.step % 41 == 30) {
    dls_world_doom(s->world, dls_random_below(&scene->random, s->world->count));
    dls_world_compact(s->world, NULL);
  }
}

void scene_run(CheckpointScene *scene, long steps) {
  for (long k = 0; k < steps; k++) {
    change_population(scene);
    CHECK_OK(dls_simulation_step(scene->simulation));
  }
}

DlsStatus scene_save(const CheckpointScene *scene, const char *path) {
  DlsCheckpointExtra extra = {0};
  DlsStatus status = dls_checkpoint_extra_put(&extra, "random", &scene->random, sizeof(DlsRandom));
  if (status == DLS_OK)
    status = dls_checkpoint_extra_put(&extra, "source-1.poured", &scene->poured, sizeof(long));
  if (status == DLS_OK) status = dls_checkpoint_extra_put(&extra, "nothing", NULL, 0);
  if (status == DLS_OK) status = dls_checkpoint_write(path, scene->simulation, &extra);
  dls_checkpoint_extra_clear(&extra);
  return status;
}

DlsStatus scene_load(CheckpointScene *scene, const char *path, bool force) {
  DlsCheckpointExtra extra = {0};
  DLS_TRY(dls_checkpoint_read(path, scene->simulation, force, &extra));
  DlsStatus status =
      dls_checkpoint_extra_get(&extra, "random", &scene->random, sizeof scene->random);
  if (status == DLS_OK)
    status =
        dls_checkpoint_extra_get(&extra, "source-1.poured", &scene->poured, sizeof scene->poured);
  dls_checkpoint_extra_clear(&extra);
  return status;
}
