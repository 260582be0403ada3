/* Deformable bodies in checkpoints: a run in parts is the unbroken one, whose bodies are struck,
 * ring and go; and what is refused. */
#include "tests/fem_block.h"
#include "tests/io/checkpoint_scene.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/checkpoint_deformable"

static bool same_files(const char *a, const char *b) {
  size_t size[2];
  char *text[2] = {NULL, NULL};
  CHECK_OK(dls_file_read(a, &text[0], &size[0]));
  CHECK_OK(dls_file_read(b, &text[1], &size[1]));
  const bool same = size[0] == size[1] && memcmp(text[0], text[1], size[0]) == 0;
  free(text[0]);
  free(text[1]);
  return same;
}

static void check_same(const DlsSimulation *a, const DlsSimulation *b) {
  const DlsDeformables *one = &a->world->deformable, *other = &b->world->deformable;
  CHECK_INT(one->count, other->count);
  CHECK_INT(one->velocities, other->velocities);
  CHECK_INT(one->states, other->states);
  CHECK(memcmp(one->velocity, other->velocity, (size_t)one->velocities * sizeof *one->velocity) ==
        0);
  CHECK(memcmp(one->state, other->state, (size_t)one->states * sizeof *one->state) == 0);
  CHECK(memcmp(&a->state.ledger, &b->state.ledger, sizeof a->state.ledger) == 0);
}

/* Whether a contact of the last step is on a deformable body. */
static bool is_struck(const DlsSimulation *s) {
  bool struck = false;
  for (int i = 0; i < s->last.assembly.step.count; i++) {
    const int body = s->last.contacts.candidate[s->last.assembly.step.in_set[i]];
    struck = struck || (dls_deformable_of(s->world, body) && s->last.assembly.solve.r[i] != 0);
  }
  return struck;
}

TEST(a_run_in_parts_is_the_unbroken_run) {
  const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};
  CHECK_OK(dls_file_make_folder(FOLDER));
  for (int which = 0; which < 4; which++) {
    const int dim = 2 + which % 2;
    const DlsScheme *scheme = schemes[which / 2];
    CheckpointScene whole, part;
    bool struck = false;
    scene_open_soft(&whole, dim, scheme);
    for (int k = 0; k < 150; k++) {
      scene_run(&whole, 1);
      struck = struck || is_struck(whole.simulation);
    }
    CHECK(struck && whole.simulation->state.ledger.strain > 0);
    for (long at = 0; at < 150; at += 50) {
      scene_open_soft(&part, dim, scheme);
      if (at == 100) scene_run(&part, 7); /* one with steps behind it is as good as a fresh one */
      if (at) CHECK_OK(scene_load(&part, FOLDER "/part.h5", false));
      CHECK_INT(part.simulation->state.step, at);
      scene_run(&part, 50);
      CHECK_OK(scene_save(&part, FOLDER "/part.h5"));
      if (at < 100) scene_close(&part);
    }
    check_same(whole.simulation, part.simulation);
    CHECK_OK(scene_save(&whole, FOLDER "/whole.h5"));
    CHECK(same_files(FOLDER "/whole.h5", FOLDER "/part.h5"));
    scene_close(&part);
    scene_close(&whole);
  }
}

/* One that was removed before the checkpoint goes when it is read; one that is read back is written
 * alike. */
TEST(bodies_that_are_gone_stay_away) {
  CheckpointScene scene, again;
  CHECK_OK(dls_file_make_folder(FOLDER));
  scene_open_soft(&scene, 2, &dls_scheme_moreau);
  DlsWorld *world = scene.simulation->world;
  CHECK_INT(world->deformable.count, 2);
  dls_world_doom(world, world->deformable.item[0].body);
  dls_world_compact(world, NULL);
  scene_run(&scene, 10);
  CHECK_OK(scene_save(&scene, FOLDER "/gone.h5"));
  scene_open_soft(&again, 2, &dls_scheme_moreau);
  CHECK_OK(scene_load(&again, FOLDER "/gone.h5", false));
  CHECK_INT(again.simulation->world->deformable.count, 1);
  CHECK_OK(scene_save(&again, FOLDER "/again.h5"));
  CHECK(same_files(FOLDER "/gone.h5", FOLDER "/again.h5"));
  scene_run(&scene, 10);
  scene_run(&again, 10);
  check_same(scene.simulation, again.simulation);
  scene_close(&again);
  scene_close(&scene);
}

static void add_other(CheckpointScene *scene, double size, int held, int cells) {
  const FemBlock block = {.dim = 2,
                          .cells = {cells, 2},
                          .low = {0.02, 0.105},
                          .size = size,
                          .young = 2e5,
                          .poisson = 0.3,
                          .density = 1500,
                          .radius = 1e-3,
                          .all_round = true,
                          .held = held};
  fem_block_add(scene->simulation->world, &block, NULL);
}

TEST(other_meshes_are_refused) {
  CheckpointScene scene;
  DlsWorld *bodies = NULL;
  CHECK_OK(dls_file_make_folder(FOLDER));
  scene_open(&scene, 2, &dls_scheme_moreau);
  add_other(&scene, 0.012, 0, 2);
  CHECK_OK(scene_save(&scene, FOLDER "/mesh.h5"));
  scene_close(&scene);
  static const struct {
    double size;
    int held, cells;
    const char *reason;
  } others[] = {
      {0.012, 0, 3, "/deformable/size: body 18 had 18 velocities and 18 states, and is a linear"},
      {0.013, 0, 2, "/deformable/digest: the mesh of body 18, a linear elastic body, is not"},
      {0.012, 1, 2, "/deformable/size: body 18 had 18 velocities and 18 states, and is a linear"},
      {0, 0, 0, "/deformable/id: body 18 was deformable, and is not now; go on with the deck"},
  };
  for (int k = 0; k < DLS_COUNT(others); k++) {
    scene_open(&scene, 2, &dls_scheme_moreau);
    if (others[k].cells) add_other(&scene, others[k].size, others[k].held, others[k].cells);
    const int count = scene.simulation->world->count;
    CHECK_FAILS(scene_load(&scene, FOLDER "/mesh.h5", false), DLS_ERR_ARGUMENT, others[k].reason);
    CHECK_INT(scene.simulation->world->count, count);
    CHECK_INT(scene.simulation->world->deformable.count, others[k].cells > 0);
    scene_run(&scene, 2);
    scene_close(&scene);
  }
  CHECK_FAILS(dls_checkpoint_bodies(FOLDER "/mesh.h5", &bodies), DLS_ERR_UNSUPPORTED,
              "body 18 is deformable, and what it is made of is not in the file");
}
