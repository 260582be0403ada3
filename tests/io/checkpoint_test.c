/* Runs that are broken off and go on from a checkpoint, against the same run left alone: every bit
 * of it. And what is refused: other settings, laws or files. */
#include "tests/io/checkpoint_scene.h"
#include "tests/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/checkpoint"

/* A fresh path: no file there, nor one before it. */
static const char *path_of(const char *name) {
  static char paths[4][512];
  static int turn;
  char *path = paths[turn++ % 4], *previous;
  CHECK_OK(dls_file_make_folder(FOLDER));
  snprintf(path, sizeof paths[0], FOLDER "/%s", name);
  previous = dls_checkpoint_previous(path);
  unlink(path);
  unlink(previous);
  free(previous);
  return path;
}

static bool same_files(const char *a, const char *b) {
  FILE *one = fopen(a, "rb"), *other = fopen(b, "rb");
  bool same = one && other;
  for (int x = 0, y = 0; same && x != EOF;) {
    x = fgetc(one), y = fgetc(other);
    same = x == y;
  }
  if (one) fclose(one);
  if (other) fclose(other);
  return same;
}

/* Bits, not values: -0 is not 0 here. */
static bool same_bits(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

#define CHECK_SAME(a, b, count)                                                                    \
  do {                                                                                             \
    if (!same_bits((a), (b), (size_t)(count) * sizeof *(a)))                                       \
      test_fail(__FILE__, __LINE__, "%s and %s differ", #a, #b);                                   \
  } while (0)

static void check_same_worlds(const DlsWorld *a, const DlsWorld *b) {
  CHECK_INT(a->count, b->count);
  CHECK_INT(a->first[a->count], b->first[b->count]);
  CHECK_INT(a->boundary_count, b->boundary_count);
  CHECK_INT(a->next_id, b->next_id);
  CHECK_INT(a->next_boundary_id, b->next_boundary_id);
  if (a->count != b->count || a->first[a->count] != b->first[b->count]) return;
  CHECK_SAME(a->position, b->position, a->count);
  CHECK_SAME(a->orientation, b->orientation, a->count);
  CHECK_SAME(a->velocity, b->velocity, a->count);
  CHECK_SAME(a->mass, b->mass, a->count);
  CHECK_SAME(a->volume, b->volume, a->count);
  CHECK_SAME(a->inertia, b->inertia, a->count);
  CHECK_SAME(a->id, b->id, a->count);
  CHECK_SAME(a->flags, b->flags, a->count);
  CHECK_SAME(a->material, b->material, a->count);
  CHECK_SAME(a->first, b->first, a->count + 1);
  CHECK_SAME(a->fixed, b->fixed, a->count);
  CHECK_SAME(a->isotropic, b->isotropic, a->count);
  CHECK_SAME(a->element, b->element, a->first[a->count]);
  CHECK_SAME(a->element_body, b->element_body, a->first[a->count]);
  if (a->dim == 2) CHECK_SAME(a->angle, b->angle, a->count);
  for (int k = 0; k < a->boundary_count; k++) {
    CHECK_SAME(a->boundary[k].position, b->boundary[k].position, 3);
    CHECK_SAME(a->boundary[k].orientation, b->boundary[k].orientation, 4);
    CHECK_SAME(a->boundary[k].velocity, b->boundary[k].velocity, 6);
    CHECK(a->boundary[k].id == b->boundary[k].id && a->boundary[k].kind == b->boundary[k].kind);
  }
}

static void check_same(const CheckpointScene *one, const CheckpointScene *other) {
  const DlsSimulation *a = one->simulation, *b = other->simulation;
  check_same_worlds(a->world, b->world);
  CHECK_SAME(&a->state.time, &b->state.time, 1);
  CHECK_INT(a->state.step, b->state.step);
  CHECK_INT(a->state.unconverged, b->state.unconverged);
  CHECK_SAME(&a->state.ledger, &b->state.ledger, 1);
  CHECK_SAME(&a->state.worst_error, &b->state.worst_error, 1);
  CHECK_SAME(&a->state.worst_penetration, &b->state.worst_penetration, 1);
  CHECK_SAME(a->state.boundary_force, b->state.boundary_force, a->world->boundary_count);
  CHECK_INT(a->state.memory.count, b->state.memory.count);
  CHECK_SAME(&one->random, &other->random, 1);
  if (a->state.memory.count != b->state.memory.count) return;
  CHECK_SAME(a->state.memory.key, b->state.memory.key, a->state.memory.count);
  CHECK_SAME(a->state.r, b->state.r, a->state.memory.count * a->state.block);
  CHECK_SAME(a->state.law_state, b->state.law_state, a->state.memory.count * a->state.states);
}

/* The scene has what it is made for; else the tests below would say little. */
static void check_rich(const DlsSimulation *s) {
  int sliding = 0, resting = 0;
  CHECK_INT(s->state.states, 1);
  for (int c = 0; c < s->state.memory.count; c++)
    *(s->state.law_state[c] != 0 ? &sliding : &resting) += 1;
  CHECK(sliding > 0 && resting > 0);
  CHECK(s->state.boundary_force[0][s->world->dim - 1] < 0);
  CHECK(s->state.ledger.dissipated > 0 && s->state.worst_error > 0);
}

/* `parts` runs that end at these steps, each in a simulation of its own. */
static void run_in_parts(int dim, const DlsScheme *scheme, const long *ends, int parts,
                         const char *path, CheckpointScene *last) {
  for (int k = 0; k < parts; k++) {
    scene_open(last, dim, scheme);
    if (k) {
      /* one that has steps behind it is as good as a fresh one */
      if (k == 2) scene_run(last, 9);
      CHECK_OK(scene_load(last, path, false));
    }
    scene_run(last, ends[k] - last->simulation->state.step);
    if (k == parts - 1) return;
    CHECK_OK(scene_save(last, path));
    scene_close(last);
  }
}

TEST(a_run_in_parts_is_the_unbroken_run) {
  const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};
  const long once[] = {73, 200}, thrice[] = {31, 32, 140, 200};
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(schemes); k++) {
      CheckpointScene whole, parts;
      scene_open(&whole, dim, schemes[k]);
      scene_run(&whole, 200);
      check_rich(whole.simulation);
      run_in_parts(dim, schemes[k], once, DLS_COUNT(once), path_of("once.h5"), &parts);
      check_same(&whole, &parts);
      const char *one = path_of("whole.h5"), *other = path_of("parts.h5");
      CHECK_OK(scene_save(&whole, one));
      CHECK_OK(scene_save(&parts, other));
      CHECK(same_files(one, other));
      scene_close(&parts);
      run_in_parts(dim, schemes[k], thrice, DLS_COUNT(thrice), path_of("thrice.h5"), &parts);
      check_same(&whole, &parts);
      scene_close(&parts);
      scene_close(&whole);
    }
}

/* What was read and is written again, without a step, is the same file; before the first step
 * too. */
TEST(reading_and_writing_gives_the_same_bytes) {
  for (int steps = 0; steps <= 60; steps += 30) {
    CheckpointScene scene, again;
    const char *one = path_of("one.h5"), *other = path_of("other.h5");
    scene_open(&scene, 3, &dls_scheme_moreau);
    scene_run(&scene, steps);
    CHECK_OK(scene_save(&scene, one));
    scene_open(&again, 3, &dls_scheme_moreau);
    CHECK_OK(scene_load(&again, one, false));
    CHECK_INT(again.simulation->last.report.contacts, scene.simulation->last.report.contacts);
    CHECK_OK(scene_save(&again, other));
    CHECK(same_files(one, other));
    scene_close(&again);
    scene_close(&scene);
  }
}

/* Goes on from `path` if it is there, and saves every 5 steps. Never returns. */
static void run_child(const char *path, long steps) {
  CheckpointScene scene;
  scene_open(&scene, 3, &dls_scheme_moreau);
  if (access(path, F_OK) == 0 && scene_load(&scene, path, false) != DLS_OK) _exit(3);
  while (scene.simulation->state.step < steps) {
    scene_run(&scene, 5);
    if (scene_save(&scene, path) != DLS_OK) _exit(4);
  }
  _exit(0);
}

/* 20 times SIGKILL, whatever the run is doing; the last child is left to its end. */
TEST(killed_at_any_moment_a_run_gives_the_same_file) {
  enum { KILLS = 20, STEPS = 200 };
  const char *alone = path_of("alone.h5"), *killed = path_of("killed.h5");
  DlsRandom random;
  dls_random_seed(&random, 11);
  for (int kill_number = 0; kill_number <= KILLS + 1; kill_number++) {
    const bool lonely = kill_number == KILLS + 1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) run_child(lonely ? alone : killed, STEPS);
    if (kill_number < KILLS) {
      usleep((useconds_t)dls_random_below(&random, 40000));
      kill(child, SIGKILL);
    }
    int state;
    waitpid(child, &state, 0);
    CHECK(kill_number < KILLS ? WIFSIGNALED(state) || WEXITSTATUS(state) == 0
                              : WIFEXITED(state) && WEXITSTATUS(state) == 0);
  }
  CHECK(same_files(alone, killed));
}

TEST(the_last_two_are_kept) {
  CheckpointScene scene, again;
  const char *path = path_of("two.h5");
  char *previous = dls_checkpoint_previous(path);
  scene_open(&scene, 2, &dls_scheme_moreau);
  CHECK_OK(scene_save(&scene, path));
  CHECK(access(previous, F_OK) != 0);
  for (int k = 1; k <= 3; k++) {
    scene_run(&scene, 4);
    CHECK_OK(scene_save(&scene, path));
    scene_open(&again, 2, &dls_scheme_moreau);
    CHECK_OK(scene_load(&again, previous, false));
    CHECK_INT(again.simulation->state.step, 4 * (k - 1));
    CHECK_OK(scene_load(&again, path, false));
    CHECK_INT(again.simulation->state.step, 4 * k);
    scene_close(&again);
  }
  CHECK_OK(truncate(path, 5000) == 0 ? DLS_OK : DLS_ERR_FILE);
  CHECK_FAILS(scene_load(&scene, path, false), DLS_ERR_FORMAT,
              "the checkpoint before it is " FOLDER "/two.prev.h5");
  CHECK_INT(scene.simulation->state.step, 12);
  unlink(path);
  CHECK_FAILS(scene_load(&scene, path, false), DLS_ERR_FILE, "two.prev.h5");
  scene_close(&scene);
  free(previous);
}

TEST(names_of_the_one_before) {
  const char *const pairs[][2] = {{"run.h5", "run.prev.h5"},
                                  {"a.b/run", "a.b/run.prev"},
                                  {"a/.hidden", "a/.hidden.prev"},
                                  {"run.1.h5", "run.1.prev.h5"}};
  for (int k = 0; k < DLS_COUNT(pairs); k++) {
    char *previous = dls_checkpoint_previous(pairs[k][0]);
    CHECK(strcmp(previous, pairs[k][1]) == 0);
    free(previous);
  }
}

/* A state that could not be read back replaces nothing. */
TEST(a_sick_simulation_is_not_saved) {
  CheckpointScene scene, again;
  const char *path = path_of("sick.h5");
  scene_open(&scene, 3, &dls_scheme_moreau);
  scene_run(&scene, 3);
  CHECK_OK(scene_save(&scene, path));
  scene.simulation->world->velocity[5][1] = NAN;
  CHECK_FAILS(scene_save(&scene, path), DLS_ERR_NUMERIC, "/bodies/velocity: body 5");
  scene_open(&again, 3, &dls_scheme_moreau);
  CHECK_OK(scene_load(&again, path, false));
  CHECK_INT(again.simulation->state.step, 3);
  CHECK_FAILS(scene_save(&again, FOLDER "/none/run.h5"), DLS_ERR_FILE, "does not exist");
  scene_close(&again);
  scene_close(&scene);
}

/* One setting changed after scene_open(). */
typedef struct {
  const char *key; /* "" for the laws and materials */
  const char *text;
  bool keeps_contacts; /* when forced */
} Change;

static void change_setting(int number, DlsSimulation *s) {
  const DlsLaw *other = NULL;
  int interaction;
  switch (number) {
  case 0:
    s->settings.h = 2e-3;
    return;
  case 1:
    s->settings.scheme = &dls_scheme_euler;
    return;
  case 2:
    s->settings.limits.tolerance = 1e-7;
    return;
  case 3:
    CHECK_OK(dls_solver_find("uzawa", &s->settings.solver));
    return;
  case 4:
    s->settings.laws.item[0].params[0] = 0.31;
    return;
  case 5:
    CHECK_OK(dls_law_find("signorini", &other));
    s->settings.laws.item[1] = (DlsInteraction){.law = other};
    dls_law_defaults(other, s->settings.laws.item[1].params);
    return;
  case 6:
    CHECK_OK(dls_interactions_add(&s->settings.laws, s->settings.laws.item[0].law, &interaction));
    return;
  case 7:
    CHECK_OK(dls_interactions_give(&s->settings.laws, 0, 1, 1));
    return;
  case 8:
    strcpy(s->world->materials.item[1].name, "stone");
    return;
  default:
    s->settings.alert = 1e-4;
  }
}

TEST(other_settings_are_refused_unless_forced) {
  static const Change changes[] = {
      {"h", "/settings: time-step h was 0.001 and is 0.002", true},
      {"scheme", "/settings: scheme was moreau and is euler now", true},
      {"tolerance", "/settings: tolerance was ", true},
      {"solver", "/settings: solver was auto and is uzawa now (and ", true},
      {"mu", "parameter mu of law 0 (coulomb) was 0.2", true},
      {"law", "law 1 was coulomb with 1 state variables and is signorini", false},
      {"laws", "there was `nothing` where there is `law 2` now", false},
      {"pairs", "/pairs: the laws are given to other pairs", false},
      {"material", "material 1 was steel and is stone now", true},
      {"alert", "alert distance was 0 and is ", true},
  };
  CheckpointScene scene;
  const char *path = path_of("settings.h5");
  scene_open(&scene, 3, &dls_scheme_moreau);
  scene_run(&scene, 60);
  const long contacts = scene.simulation->state.memory.count;
  CHECK(contacts > 0);
  CHECK_OK(scene_save(&scene, path));
  scene_close(&scene);
  for (int k = 0; k < DLS_COUNT(changes); k++) {
    scene_open(&scene, 3, &dls_scheme_moreau);
    change_setting(k, scene.simulation);
    CHECK_FAILS(scene_load(&scene, path, false), DLS_ERR_ARGUMENT, changes[k].text);
    CHECK_INT(scene.simulation->state.step, 0);
    CHECK_OK(scene_load(&scene, path, true));
    CHECK_INT(scene.simulation->state.step, 60);
    CHECK_INT(scene.simulation->state.memory.count, changes[k].keeps_contacts ? contacts : 0);
    scene_run(&scene, 5);
    scene_close(&scene);
  }
  scene_open(&scene, 2, &dls_scheme_moreau);
  CHECK_FAILS(scene_load(&scene, path, true), DLS_ERR_ARGUMENT, "the run was in 3-D");
  scene_close(&scene);
}

TEST(extras_are_found_by_name_and_size) {
  DlsCheckpointExtra extra = {0};
  double x = 1, y = 2;
  char long_name[DLS_CHECKPOINT_NAME + 1];
  memset(long_name, 'a', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = '\0';
  CHECK_OK(dls_checkpoint_extra_put(&extra, "x", &x, sizeof x));
  CHECK_OK(dls_checkpoint_extra_put(&extra, "x", &y, sizeof y));
  CHECK_INT(extra.count, 1);
  CHECK_OK(dls_checkpoint_extra_get(&extra, "x", &x, sizeof x));
  CHECK(x == 2);
  CHECK_FAILS(dls_checkpoint_extra_get(&extra, "x", &x, 4), DLS_ERR_FORMAT, "has 8 bytes where 4");
  CHECK_FAILS(dls_checkpoint_extra_get(&extra, "z", &x, 8), DLS_ERR_FORMAT, "/extra/z: is missing");
  CHECK_FAILS(dls_checkpoint_extra_put(&extra, "a/b", &x, 8), DLS_ERR_ARGUMENT, "is no name");
  CHECK_FAILS(dls_checkpoint_extra_put(&extra, "", &x, 8), DLS_ERR_ARGUMENT, "is no name");
  CHECK_FAILS(dls_checkpoint_extra_put(&extra, "..", &x, 8), DLS_ERR_ARGUMENT, "is no name");
  CHECK_FAILS(dls_checkpoint_extra_put(&extra, long_name, &x, 8), DLS_ERR_ARGUMENT, "is no name");
  dls_checkpoint_extra_clear(&extra);
  CHECK(dls_checkpoint_extra_find(&extra, "x") == NULL);
}
