/* Surfaces remember: numbers of bodies, boundaries and patches outlive contacts, parts of steps and
 * restarts. The law of this file counts: each contact that pushes adds its impulse to both sides,
 * up to a bound. */
#include "tests/io/run_files.h"
#include "tests/simulating.h"

#include "record/checkpoint/checkpoint.h"
#include "record/frames/frames.h"
#include "record/vtu/vtu_read.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/file.h"

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/surface_memory"

static const double radius = 0.05, h = 1e-3;

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)p, (void)state;
  CHECK(c->surface[0] && c->surface[1]);
  out->cone = DLS_CONE_COULOMB;
  out->mu[0] = out->mu[1] = 0.3;
  out->b[0] = c->gap_rate;
  return DLS_OK;
}

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *out) {
  (void)p, (void)state, (void)u;
  CHECK(c->surface[0] && c->surface[1]);
  for (int k = 0; k < c->block; k++) out[k] = 0;
  out[0] = fmax(0, -1e6 * c->gap);
  return DLS_OK;
}

static DlsStatus surface(const DlsContact *c, const double *p, const double *state, const double *u,
                         const double *r, double *change) {
  (void)c, (void)p, (void)state, (void)u;
  for (int side = 0; side < 2; side++) {
    change[2 * side] = r[0];
    change[2 * side + 1] = r[0] > 0;
  }
  return DLS_OK;
}

enum { PUSHED, STEPS };
static const DlsParam numbers[] = {
    [PUSHED] = {"pushed", "N s", "sum of impulses", .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [STEPS] = {"steps", "1", "with a push, up to 40", .value = 1, .min = 0, .max = 40},
};

static DlsLaw counting = {
    DLS_LAW_HEAD,   .name = "counting", .summary = "",  .references = "",   .surfaces = numbers,
    .nsurfaces = 2, .prepare = prepare, .force = force, .surface = surface,
};

static void open_scene(TestScene *scene, int dim, const DlsScheme *scheme, int scope) {
  int number;
  counting.surface_scope = scope;
  CHECK_OK(dls_law_check(&counting, "counting"));
  test_scene_open(scene, dim, scheme, scheme == &dls_scheme_explicit ? 1e-5 : h, "coulomb");
  DlsInteractions *laws = &scene->simulation->settings.laws;
  dls_interactions_clear(laws);
  CHECK_OK(dls_interactions_create(1, laws));
  CHECK_OK(dls_interactions_add(laws, &counting, &number));
  CHECK_OK(dls_interactions_give(laws, -1, -1, number));
  scene->law[0] = &counting;
}

/* What a body, or boundary -1 - who, has over all patches. */
static double total(const TestScene *scene, int who, int variable, int *patches) {
  const DlsSurface *s = dls_surfaces_of(&scene->simulation->state.surfaces, &counting);
  double sum = 0;
  *patches = 0;
  for (int k = 0; s && k < s->count; k++) {
    if (dls_surface_owner(scene->world, &s->key[k]) != who) continue;
    sum += s->value[2 * k + variable];
    (*patches)++;
  }
  return sum;
}

/* Two balls on a plane, one of them bounced up and down again: contacts come and go, the sums stay.
 * The sum over all of the plane is m g t and what the balls brought, whatever the scheme. */
TEST(surfaces_add_up_over_contacts_that_come_and_go) {
  const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler, &dls_scheme_explicit};
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(schemes); k++)
      for (int scope = 0; scope < 2; scope++) {
        TestScene scene;
        int patches;
        double impulse = 0;
        bool met[200] = {false}; /* cells of 10 mm of the plane */
        open_scene(&scene, dim, schemes[k], scope);
        test_scene_boundary(&scene, 0);
        for (int b = 0; b < 2; b++) {
          const double up = radius + 0.002 * b;
          const int ball = dim == 3 ? test_scene_sphere(&scene, radius, 0.3 * b, 0, up)
                                    : test_scene_sphere(&scene, radius, 0.3 * b, up, 0);
          scene.world->velocity[ball][0] = 0.5;
        }
        const long steps = k == 2 ? 10000 : 100;
        for (long step = 0; step < steps; step++) {
          test_scene_run(&scene, 1);
          const DlsAssembly *a = &scene.simulation->last.assembly;
          for (int i = 0; i < a->step.count; i++) {
            const double push = a->solve.r[i * a->run.block];
            const double x = scene.simulation->last.contacts.point[a->step.in_set[i]][0];
            if (push > 0) met[(int)floor(x / 0.01 + 0.5)] = true;
            impulse += push;
          }
        }
        const double wall = total(&scene, -1, PUSHED, &patches);
        CHECK(impulse > 0);
        CHECK_NEAR(wall, impulse, 1e-12 * impulse);
        int cells = 0;
        for (int n = 0; n < DLS_COUNT(met); n++) cells += met[n];
        CHECK(cells >= 6);
        CHECK_INT(patches, scope == DLS_SURFACE_PATCH ? cells : 1);
        double bodies = 0;
        for (int b = 0; b < 2; b++) bodies += total(&scene, b, PUSHED, &patches);
        CHECK_NEAR(bodies, impulse, 1e-12 * impulse);
        /* within its bounds, from its value on */
        const DlsSurface *s = dls_surfaces_of(&scene.simulation->state.surfaces, &counting);
        double most = 0;
        for (int n = 0; n < s->count; n++) {
          CHECK(s->value[2 * n + STEPS] >= 2 && s->value[2 * n + STEPS] <= 40);
          most = fmax(most, s->value[2 * n + STEPS]);
        }
        if (scope == DLS_SURFACE_BODY) CHECK_NEAR(most, 40, 0);
        test_scene_close(&scene);
      }
}

/* A step that is halved counts each of its parts once: what they pushed is what gravity gave. */
TEST(steps_in_parts_add_up) {
  TestScene scene;
  int patches;
  open_scene(&scene, 3, &dls_scheme_euler, DLS_SURFACE_PATCH);
  test_scene_boundary(&scene, 0);
  scene.simulation->settings.control = DLS_CONTROL_HALVE;
  scene.simulation->settings.fraction = 0.005;
  const int ball = test_scene_sphere(&scene, radius, 0, 0, radius);
  scene.world->velocity[ball][0] = 1;
  scene.world->fixed[ball] = DLS_FIXED_X;
  long parts = 0;
  for (int step = 0; step < 20; step++) {
    test_scene_run(&scene, 1);
    parts += scene.simulation->last.report.parts;
  }
  CHECK(parts >= 80);
  const double given = scene.world->mass[ball] * test_g * 20 * h;
  CHECK_NEAR(total(&scene, -1, PUSHED, &patches), given, 1e-9 * given);
  test_scene_close(&scene);
}

typedef struct {
  int left;
} Stop;

static int stop_later(void *context, long iteration, double time_s, double error) {
  Stop *stop = context;
  (void)iteration, (void)time_s, (void)error;
  return stop->left-- <= 0;
}

/* A step that the monitor cuts in its third part leaves surfaces as they were, to the last bit. */
TEST(a_step_that_is_cut_leaves_surfaces_as_they_were) {
  TestScene scene;
  DlsSurfaces before = {0};
  Stop stop = {INT_MAX};
  open_scene(&scene, 3, &dls_scheme_euler, DLS_SURFACE_PATCH);
  test_scene_boundary(&scene, 0);
  DlsStepSettings *set = &scene.simulation->settings;
  set->control = DLS_CONTROL_HALVE;
  set->fraction = 0.005;
  CHECK_OK(dls_solver_find("nsgs", &set->solver));
  const int ball = test_scene_sphere(&scene, radius, 0, 0, radius);
  scene.world->velocity[ball][0] = 1;
  scene.world->fixed[ball] = DLS_FIXED_X;
  test_scene_run(&scene, 3);
  CHECK_OK(dls_surfaces_copy(&scene.simulation->state.surfaces, &before));
  set->monitor = (DlsMonitor){.context = &stop, .call = stop_later};
  for (int calls = 1; calls < 40; calls++) {
    stop.left = calls;
    CHECK_OK(dls_simulation_step(scene.simulation));
    if (!scene.simulation->last.cut) break;
    const DlsSurface *a = &before.of[0], *b = &scene.simulation->state.surfaces.of[0];
    CHECK_INT(b->count, a->count);
    CHECK(memcmp(a->value, b->value, 2 * (size_t)a->count * sizeof *a->value) == 0);
    for (int k = 0; k < a->count; k++) CHECK(a->key[k].patch.number == b->key[k].patch.number);
    CHECK(calls < 39);
  }
  CHECK(!scene.simulation->last.cut);
  dls_surfaces_clear(&before);
  test_scene_close(&scene);
}

static void pour(TestScene *scene) {
  const double x = 1e-3 * (double)scene->simulation->state.step;
  const int ball = test_scene_sphere(scene, radius, x, 0.2 * (scene->world->count % 3), 0.06);
  scene->world->velocity[ball][0] = 0.7;
}

/* 400 steps with bodies that come and go, and the same with a restart in their middle: the same
 * sets in the same order, and the same bytes of a checkpoint. Bodies that are gone leave
 * nothing. */
TEST(a_restart_gives_the_same_bytes) {
  CHECK_OK(dls_file_make_folder(SCRAPS));
  CHECK_OK(dls_file_make_folder(SCRAPS "/whole"));
  CHECK_OK(dls_file_make_folder(SCRAPS "/broken"));
  for (int scope = 0; scope < 2; scope++) {
    for (int broken = 0; broken < 2; broken++) {
      TestScene scene;
      open_scene(&scene, 3, &dls_scheme_moreau, scope);
      test_scene_boundary(&scene, 0);
      for (int step = 0; step < 400; step++) {
        if (step % 60 == 0) pour(&scene);
        if (step == 250) {
          dls_world_doom(scene.world, 1);
          CHECK_INT(dls_world_compact(scene.world, NULL), 1);
        }
        test_scene_run(&scene, 1);
        if (broken && step == 200) {
          CHECK_OK(dls_checkpoint_write(SCRAPS "/middle.h5", scene.simulation, NULL));
          dls_surfaces_clear(&scene.simulation->state.surfaces);
          CHECK_OK(dls_checkpoint_read(SCRAPS "/middle.h5", scene.simulation, false, NULL));
        }
      }
      const DlsSurface *s = dls_surfaces_of(&scene.simulation->state.surfaces, &counting);
      CHECK(s->count >= 6); /* five balls and the plane */
      for (int k = 0; k < s->count; k++) CHECK(s->key[k].owner != 2);
      CHECK_OK(dls_checkpoint_write(broken ? SCRAPS "/broken/run.h5" : SCRAPS "/whole/run.h5",
                                    scene.simulation, NULL));
      test_scene_close(&scene);
    }
    CHECK(run_same_file(SCRAPS "/whole", SCRAPS "/broken", "run.h5"));
  }
}

/* With other patches than those of the checkpoint the numbers of patches mean nothing: refused, and
 * dropped where that is forced. */
TEST(other_patches_are_refused_at_a_restart) {
  TestScene scene;
  CHECK_OK(dls_file_make_folder(SCRAPS));
  open_scene(&scene, 3, &dls_scheme_moreau, DLS_SURFACE_PATCH);
  test_scene_boundary(&scene, 0);
  pour(&scene);
  test_scene_run(&scene, 100);
  CHECK_OK(dls_checkpoint_write(SCRAPS "/patches.h5", scene.simulation, NULL));
  scene.simulation->settings.patches.directions = 50;
  CHECK_FAILS(dls_checkpoint_read(SCRAPS "/patches.h5", scene.simulation, false, NULL),
              DLS_ERR_ARGUMENT, "patches of surfaces was 100 directions");
  CHECK_OK(dls_checkpoint_read(SCRAPS "/patches.h5", scene.simulation, true, NULL));
  CHECK_INT(scene.simulation->state.surfaces.of[0].count, 0);
  test_scene_close(&scene);
}

/* A link is a contact of no element: a ball that hangs on a wire of its own radius and a half wears
 * the patch where the wire is fixed, below it on the plane's side, and no other. */
TEST(links_remember_where_they_are_fixed) {
  TestScene scene;
  int patches;
  open_scene(&scene, 3, &dls_scheme_moreau, DLS_SURFACE_PATCH);
  DlsBoundary *roof = test_scene_boundary(&scene, 0);
  roof->position[2] = -5; /* far below: the wire alone holds */
  const int ball = test_scene_sphere(&scene, radius, 0, 0, 0);
  const DlsLink link = {.kind = DLS_LINK_AXIAL,
                        .id = {DLS_KEY_BOUNDARY | roof->id, scene.world->id[ball]},
                        .at = {{0, 0, 5 + 2 * radius}, {0, 0, radius}},
                        .length = radius};
  CHECK_OK(dls_links_add(&scene.simulation->settings.links, &link));
  test_scene_run(&scene, 20);
  const double given = scene.world->mass[ball] * test_g * 20 * h;
  CHECK_NEAR(total(&scene, ball, PUSHED, &patches), given, 1e-9 * given);
  CHECK_INT(patches, 1);
  CHECK_NEAR(total(&scene, -1, PUSHED, &patches), given, 1e-9 * given);
  CHECK_INT(patches, 1);
  test_scene_close(&scene);
}

/* So that a series has the same arrays from its first frame on. */
TEST(a_frame_before_the_first_step_has_the_arrays_of_the_others) {
  for (int scope = 0; scope < 2; scope++) {
    TestScene scene;
    DlsFrames *frames;
    DlsVtuFile *file = NULL;
    double value;
    open_scene(&scene, 3, &dls_scheme_moreau, scope);
    test_scene_boundary(&scene, 0);
    (void)test_scene_sphere(&scene, radius, 0, 0, radius);
    CHECK_OK(dls_frames_create(SCRAPS, NULL, -INFINITY, &frames));
    CHECK_OK(dls_frames_write(frames, scene.simulation));
    dls_frames_destroy(&frames);
    CHECK_OK(dls_vtu_open(SCRAPS "/bodies_000000.vtu", &file));
    CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, scope ? "counting.steps_max" : "counting.steps",
                           1, 1, &value));
    CHECK_NEAR(value, 1, 0);
    dls_vtu_close(&file);
    if (scope) {
      CHECK_OK(dls_vtu_open(SCRAPS "/patches_000000.vtu", &file));
      CHECK(file && dls_vtu_has(file, DLS_VTU_OF_POINTS, "counting.steps"));
      dls_vtu_close(&file);
    }
    test_scene_close(&scene);
  }
}

/* Frames have the numbers of bodies and boundaries, and the patches where they are in space. */
TEST(surfaces_are_in_frames) {
  for (int scope = 0; scope < 2; scope++) {
    TestScene scene;
    DlsFrames *frames;
    DlsVtuFile *file = NULL;
    double value[2], most[2], point[64][3], pushed[64];
    int64_t owner[64];
    int patches;
    open_scene(&scene, 3, &dls_scheme_moreau, scope);
    DlsBoundary *floor = test_scene_boundary(&scene, 0);
    floor->position[2] = 2;
    for (int b = 0; b < 2; b++) {
      const int ball = test_scene_sphere(&scene, radius, 0.3 * b, 0, 2 + radius);
      scene.world->velocity[ball][0] = 0.5 * b;
    }
    test_scene_run(&scene, 50);
    CHECK_OK(dls_frames_create(SCRAPS, NULL, -INFINITY, &frames));
    CHECK_OK(dls_frames_write(frames, scene.simulation));
    dls_frames_destroy(&frames);
    CHECK_OK(dls_vtu_open(SCRAPS "/bodies_000000.vtu", &file));
    CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS,
                           scope ? "counting.pushed_sum" : "counting.pushed", 1, 2, value));
    if (scope) CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "counting.pushed_max", 1, 2, most));
    for (int b = 0; b < 2; b++) {
      CHECK_NEAR(value[b], total(&scene, b, PUSHED, &patches), 1e-15);
      if (scope) CHECK(most[b] <= value[b] && most[b] >= value[b] / patches);
    }
    dls_vtu_close(&file);
    CHECK_OK(dls_vtu_open(SCRAPS "/boundaries_000000.vtu", &file));
    CHECK(dls_vtu_has(file, DLS_VTU_OF_CELLS, scope ? "counting.steps_max" : "counting.steps"));
    dls_vtu_close(&file);
    if (scope == DLS_SURFACE_PATCH) {
      CHECK_OK(dls_vtu_open(SCRAPS "/patches_000000.vtu", &file));
      const int64_t count = file ? dls_vtu_points(file) : 0;
      CHECK(count >= 4 && count <= 64);
      CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "Points", 3, count, point[0]));
      CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "counting.pushed", 1, count, pushed));
      CHECK_OK(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "owner", count, owner));
      for (int64_t k = 0; k < count; k++) {
        if (owner[k] > 0) continue;
        CHECK_INT(owner[k], -1);
        CHECK_NEAR(point[k][2], 2, 1e-6);
        CHECK(pushed[k] > 0);
      }
      dls_vtu_close(&file);
    }
    test_scene_close(&scene);
  }
}
