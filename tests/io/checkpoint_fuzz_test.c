/* Malformed checkpoints: some hundred, mutated from good ones by a seeded generator, most of them
 * with the digest made good again; and a table of faults that each must be named. No crash, no
 * hang, no leak; a sentence that begins with the file, and the simulation as it was; or a
 * simulation that can be stepped. Children with limits of time and memory do the reading, except
 * under AddressSanitizer, which watches one process. */
#include "tests/io/checkpoint_scene.h"
#include "tests/io/checkpoint_seal.h"
#include "tests/io/fclib_make.h"
#include "tests/io/mutations.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/checkpoint_fuzz"

enum { MUTATIONS = 360, SECONDS = 20, MAX_DATASETS = 100 };

static Bytes good;
static char *datasets[MAX_DATASETS];
static int dataset_count;

static const char *path_of(const char *name) {
  static char paths[4][512];
  static int turn;
  char *path = paths[turn++ % 4];
  CHECK_OK(dls_file_make_folder(FOLDER));
  snprintf(path, sizeof paths[0], FOLDER "/%s", name);
  return path;
}

/* A good file of a plane scene with deformable bodies, and the names in it. */
static void make_good(void) {
  CheckpointScene scene;
  const char *path = path_of("good.h5");
  scene_open_soft(&scene, 2, &dls_scheme_moreau);
  scene_run(&scene, 60);
  CHECK_OK(scene_save(&scene, path));
  scene_close(&scene);
  CHECK(mutation_load(path, &good) && good.count > 1000);
  dataset_count = list_datasets(path, datasets, MAX_DATASETS);
  CHECK(dataset_count > 40 && dataset_count < MAX_DATASETS);
}

static void end_good(void) {
  for (int k = 0; k < dataset_count; k++) free(datasets[k]);
  dataset_count = 0;
}

static void spoil_bytes(DlsRandom *random, Bytes *b) {
  static const unsigned char special[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  const int changes = 1 + dls_random_below(random, dls_random_below(random, 4) ? 4 : 40);
  for (int c = 0; c < changes; c++) {
    const size_t at = (size_t)dls_random_below(random, (int)b->count);
    const size_t run = dls_random_below(random, 4) ? 1 : 8;
    for (size_t k = at; k < at + run && k < b->count; k++)
      if (dls_random_below(random, 2))
        b->bytes[k] ^= (unsigned char)(1 << dls_random_below(random, 8));
      else
        b->bytes[k] = special[dls_random_below(random, DLS_COUNT(special))];
  }
}

static double any_number(DlsRandom *random) {
  static const double special[] = {-1,  0,      1,      2,        3,  1000,         1e9,
                                   NAN, 1e-320, -1e308, INFINITY, 63, 2147483647.0, 1.7e19};
  return special[dls_random_below(random, DLS_COUNT(special))];
}

/* Mutation number `index`, the same in every run; DELASSUS_FUZZ_SEED asks for others. */
static void mutate(int index, const char *path) {
  DlsRandom random;
  const char *seed = getenv("DELASSUS_FUZZ_SEED");
  dls_random_seed(&random, 1000003u * (uint64_t)index + (seed ? strtoull(seed, NULL, 10) : 17));
  static Bytes bytes;
  bytes = good;
  const int way = dls_random_below(&random, 10);
  if (way < 3) spoil_bytes(&random, &bytes);
  if (way == 3) bytes.count = (size_t)dls_random_below(&random, (int)bytes.count);
  mutation_save(path, &bytes);
  if (way <= 3) return;
  for (int faults = 1 + dls_random_below(&random, 2); faults > 0; faults--) {
    const char *name = datasets[dls_random_below(&random, dataset_count)];
    const SpoilKind spoil = dls_random_below(&random, 3)
                                ? SPOIL_ENTRY
                                : (SpoilKind)dls_random_below(&random, SPOIL_COUNT);
    const int at = dls_random_below(&random, dls_random_below(&random, 2) ? 3 : 40);
    spoil_file(path, spoil, name, at, any_number(&random)); /* some do not apply: then it is good */
  }
  checkpoint_seal(path, datasets, dataset_count);
}

/* What is wrong with the reader's answer; NULL when nothing is. */
static const char *judge(const char *path, bool *accepted) {
  CheckpointScene scene;
  const char *wrong = NULL;
  scene_open_soft(&scene, 2, &dls_scheme_moreau);
  DlsSimulation *s = scene.simulation;
  const int bodies = s->world->count;
  const DlsStatus status = dls_checkpoint_read(path, s, false, NULL);
  *accepted = status == DLS_OK;
  if (*accepted) {
    scene_load(&scene, path, false);
    dls_simulation_step(s); /* absurd numbers may end it, with a sentence */
  } else {
    const char *text = dls_error_message();
    if (s->state.step != 0 || s->world->count != bodies) wrong = "a failure changes the simulation";
    if (strncmp(text, path, strlen(path)) != 0) wrong = "the sentence does not name the file";
    if (strlen(text) < strlen(path) + 10) wrong = "the sentence says nothing";
  }
  scene_close(&scene);
  return wrong;
}

static const char *read_one(int index, bool *accepted) {
  char name[32];
  snprintf(name, sizeof name, "mutant%d.h5", index % 8);
  const char *path = path_of(name);
  mutate(index, path);
  return judge(path, accepted);
}

TEST(mutations_are_read_or_refused) {
  make_good();
  const Mutations m = mutations_run(MUTATIONS, SECONDS, read_one);
  CHECK(m.accepted > MUTATIONS / 100); /* some are harmless: both ways are taken */
  end_good();
}

/* One bit of the numbers is enough; of the rest of the file, either it is seen or nothing is
 * lost. */
TEST(a_flipped_bit_never_gets_into_a_run) {
  CheckpointScene scene, again;
  static Bytes bytes;
  DlsRandom random;
  dls_random_seed(&random, 5);
  make_good();
  scene_open_soft(&scene, 2, &dls_scheme_moreau);
  CHECK_OK(scene_load(&scene, path_of("good.h5"), false));
  for (int k = 0; k < 100; k++) {
    const char *path = path_of("bit.h5");
    bytes = good;
    bytes.bytes[dls_random_below(&random, (int)good.count)] ^=
        (unsigned char)(1 << dls_random_below(&random, 8));
    mutation_save(path, &bytes);
    scene_open_soft(&again, 2, &dls_scheme_moreau);
    if (dls_checkpoint_read(path, again.simulation, false, NULL) == DLS_OK) {
      const DlsSimulation *a = scene.simulation, *b = again.simulation;
      const size_t n = (size_t)a->world->count;
      CHECK(a->world->count == b->world->count && a->state.memory.count == b->state.memory.count);
      CHECK(memcmp(a->world->position, b->world->position, n * sizeof *a->world->position) == 0);
      CHECK(memcmp(a->world->velocity, b->world->velocity, n * sizeof *a->world->velocity) == 0);
      CHECK(a->state.ledger.balance == b->state.ledger.balance && a->state.time == b->state.time);
    }
    scene_close(&again);
  }
  scene_close(&scene);
  end_good();
}

TEST(every_truncation_is_refused) {
  static Bytes cut;
  CheckpointScene scene;
  make_good();
  scene_open_soft(&scene, 2, &dls_scheme_moreau);
  for (size_t length = 0; length < good.count; length += 1 + length / 6) {
    const char *path = path_of("cut.h5");
    cut = good;
    cut.count = length;
    mutation_save(path, &cut);
    CHECK_FAILS(dls_checkpoint_read(path, scene.simulation, true, NULL), DLS_ERR_FORMAT,
                "cut.h5: ");
  }
  scene_close(&scene);
  end_good();
}

typedef struct {
  SpoilKind spoil;
  const char *dataset;
  int at;
  double value;
  const char *reason; /* behind "FILE: DATASET: ", unless it begins with '/' */
  DlsStatus status;   /* DLS_OK stands for DLS_ERR_FORMAT */
} Fault;

static const Fault faults[] = {
    {SPOIL_DELETE, "/delassus_checkpoint", 0, 0, "is missing: this is no checkpoint", 0},
    {SPOIL_ENTRY, "/delassus_checkpoint", 0, 99, "is of format 99, by version ",
     DLS_ERR_UNSUPPORTED},
    {SPOIL_ENTRY, "/delassus_checkpoint", 0, 0, "is of format 0, by version ", DLS_ERR_UNSUPPORTED},
    {SPOIL_ENTRY, "/dimension", 0, 4, "is 4, not 2 or 3", 0},
    {SPOIL_ENTRY, "/dimension", 0, 3, "/contacts/block: is 2", 0},
    {SPOIL_ENTRY, "/run/time", 0, NAN, "is not finite", 0},
    {SPOIL_ENTRY, "/run/step", 0, 1.7e19, "a number of steps or iterations is impossible", 0},
    {SPOIL_ENTRY, "/run/report", 2, 99, "entry 2 is 99", 0},
    {SPOIL_ENTRY, "/run/report_note", 239, 65, "does not end", 0},
    {SPOIL_RESIZE, "/run/ledger", 7, 0, "holds 7 numbers where 15 are expected", 0},
    {SPOIL_DELETE, "/bodies/mass", 0, 0, "is missing; go on from another checkpoint", 0},
    {SPOIL_TYPE, "/bodies/mass", 0, 0, "does not hold real numbers of 8 bytes", 0},
    {SPOIL_ENTRY, "/bodies/mass", 3, 0, "body 3 has no mass above 0", 0},
    {SPOIL_ENTRY, "/bodies/volume", 2, 0, "body 2 has no volume above 0", 0},
    {SPOIL_ENTRY, "/bodies/position", 7, NAN, "body 2 is nowhere finite", 0},
    {SPOIL_ENTRY, "/bodies/position", 8, 1, "/bodies/velocity: body 2 leaves the plane", 0},
    {SPOIL_ENTRY, "/bodies/velocity", 6, INFINITY, "body 1 has no finite velocity", 0},
    {SPOIL_ENTRY, "/bodies/orientation", 0, 3, "body 0 has no unit quaternion", 0},
    {SPOIL_ENTRY, "/bodies/inertia", 2, -1, "body 0 has no inertia above 0", 0},
    {SPOIL_ENTRY, "/bodies/angle", 4, NAN, "body 4 has no finite angle", 0},
    {SPOIL_ENTRY, "/bodies/id", 4, 1, "body 4 has an id out of order", 0},
    {SPOIL_ENTRY, "/bodies/next_id", 0, 3, "/bodies/id: body 2 has an id out of order", 0},
    {SPOIL_ENTRY, "/bodies/next_id", 0, 1.7e19, "the next id is impossible", 0},
    {SPOIL_ENTRY, "/bodies/material", 1, 2, "body 1 is of a material that is not there", 0},
    {SPOIL_ENTRY, "/bodies/material", 1, -1, "body 1 is of a material that is not there", 0},
    {SPOIL_ENTRY, "/bodies/fixed", 1, 255, "body 1 has unknown bits", 0},
    {SPOIL_ENTRY, "/bodies/isotropic", 1, 2, "body 1 has neither 0 nor 1", 0},
    {SPOIL_ENTRY, "/bodies/first", 2, 2e9, "body 1 has an impossible number of spheres", 0},
    {SPOIL_ENTRY, "/bodies/first", 2, -5, "body 1 has an impossible number of spheres", 0},
    {SPOIL_ENTRY, "/bodies/first", 0, 1, "body 21 does not end with the last sphere", 0},
    {SPOIL_ENTRY, "/bodies/element", 3, 0, "sphere 0 has an impossible place or radius", 0},
    {SPOIL_RESIZE, "/bodies/element", 7, 0, "holds 7 numbers, not a multiple of 4", 0},
    {SPOIL_RESIZE, "/bodies/element", 4, 0, "1 spheres for ", 0},
    {SPOIL_UNWRITTEN, "/bodies/position", 2000000000, 0, "holds 2000000000 numbers where ", 0},
    {SPOIL_UNWRITTEN, "/contacts/key", 1999999998, 0, "has a size, but no data", 0},
    {SPOIL_UNWRITTEN, "/settings", 2000000000, 0, "has a size, but no data", 0},
    {SPOIL_CHUNK, "/bodies/id", 0, 0, "has a size, but no data", 0},
    {SPOIL_BOMB, "/bodies/element", 0, 0, "claims more data than its bytes can hold", 0},
    {SPOIL_OUTSIDE, "/bodies/position", 0, 0, "is a link to another place", 0},
    {SPOIL_EXTERNAL, "/bodies/mass", 0, 0, "keeps its data in another file", 0},
    {SPOIL_GROUP, "/bodies/mass", 0, 0, "is not a dataset", 0},
    {SPOIL_ENTRY, "/boundaries/kind", 0, 99, "boundary 0 is of an unknown kind", 0},
    {SPOIL_ENTRY, "/boundaries/inside", 1, 2, "boundary 1 has 2, not 0 or 1", 0},
    {SPOIL_ENTRY, "/boundaries/length", 0, -1, "/boundaries/kind: boundary 0 is impossible: box",
     0},
    {SPOIL_ENTRY, "/boundaries/material", 1, 9, "boundary 1 is of a material that is not there", 0},
    {SPOIL_ENTRY, "/boundaries/id", 1, 1, "boundary 1 has an id out of order", 0},
    {SPOIL_ENTRY, "/boundaries/force", 3, NAN, "boundary 0 has no finite force", 0},
    {SPOIL_ENTRY, "/contacts/block", 0, 3, "/contacts/r: holds ", 0},
    {SPOIL_ENTRY, "/contacts/block", 0, 7, "is 7", 0},
    {SPOIL_ENTRY, "/contacts/states", 0, -1, "is -1", 0},
    {SPOIL_ENTRY, "/contacts/key", 3, 0, "contact 1 is between bodies that never were", 0},
    {SPOIL_ENTRY, "/contacts/r", 0, NAN, "contact 0 has no finite impulse", 0},
    {SPOIL_ENTRY, "/contacts/state", 0, NAN, "contact 0 has no finite state", 0},
    {SPOIL_RESIZE, "/contacts/frame", 9, 0, "1 frames for ", 0}, /* no law here keeps vectors */
    {SPOIL_ENTRY, "/contacts/moment", 0, NAN, "is not finite", 0},
    {SPOIL_RESIZE, "/contacts/place", 14, 0, "1 places for ", 0},
    {SPOIL_ENTRY, "/deformable/id", 0, 5, "body 5 was deformable, and is not now; go",
     DLS_ERR_ARGUMENT},
    {SPOIL_ENTRY, "/deformable/id", 0, 999, "deformable body 0 is none of the bodies", 0},
    {SPOIL_ENTRY, "/deformable/id", 1, 1, "deformable body 1 is none of the bodies, or out", 0},
    {SPOIL_ENTRY, "/deformable/size", 0, 0, "deformable body 0 has 0 velocities and 18 states", 0},
    {SPOIL_ENTRY, "/deformable/size", 1, 2e9, "tells of 36 velocities and 2000000018 states", 0},
    {SPOIL_ENTRY, "/deformable/digest", 0, 1, "the mesh of body 18, a linear elastic body, is not ",
     DLS_ERR_ARGUMENT},
    {SPOIL_ENTRY, "/deformable/velocity", 3, NAN, "a number is not finite", 0},
    {SPOIL_ENTRY, "/deformable/state", 7, INFINITY, "a number is not finite", 0},
    {SPOIL_RESIZE, "/deformable/state", 7, 0, "/deformable/size: tells of ", 0},
    {SPOIL_DELETE, "/deformable/velocity", 0, 0, "is missing", 0},
    {SPOIL_ENTRY, "/settings", 0, 65, "there was `Aersion` where", DLS_ERR_ARGUMENT},
    {SPOIL_ENTRY, "/pairs", 0, 1, "the laws are given to other pairs", DLS_ERR_ARGUMENT},
    {SPOIL_ENTRY, "/extra_names", 0, 47, "has a name that is none, or twice", 0},
    {SPOIL_DELETE, "/extra/random", 0, 0, "is missing", 0},
    {SPOIL_DELETE, "/digest", 0, 0, "is missing", 0},
};

TEST(every_fault_is_named) {
  CheckpointScene scene;
  make_good();
  scene_open_soft(&scene, 2, &dls_scheme_moreau);
  for (int k = 0; k < DLS_COUNT(faults); k++) {
    const Fault *fault = &faults[k];
    char expected[512];
    const char *path = path_of("fault.h5");
    mutation_save(path, &good);
    CHECK(spoil_file(path, fault->spoil, fault->dataset, fault->at, fault->value));
    checkpoint_seal(path, datasets, dataset_count);
    if (fault->reason[0] == '/')
      snprintf(expected, sizeof expected, "fault.h5: %s", fault->reason);
    else
      snprintf(expected, sizeof expected, "fault.h5: %s: %s", fault->dataset, fault->reason);
    CHECK_FAILS(dls_checkpoint_read(path, scene.simulation, false, NULL),
                fault->status ? fault->status : DLS_ERR_FORMAT, expected);
    CHECK_INT(scene.simulation->state.step, 0);
  }
  scene_close(&scene);
  end_good();
}

/* Files that are no checkpoints at all. */
TEST(foreign_files_are_refused) {
  CheckpointScene scene;
  const char *path = path_of("foreign.h5");
  scene_open_soft(&scene, 2, &dls_scheme_moreau);
  CHECK(make_file(MAKE_LOCAL, path));
  CHECK_FAILS(dls_checkpoint_read(path, scene.simulation, true, NULL), DLS_ERR_FORMAT,
              "this is no checkpoint");
  mutation_save(path, &(Bytes){.bytes = "bodies:\n  - radius: 1\n", .count = 23});
  CHECK_FAILS(dls_checkpoint_read(path, scene.simulation, true, NULL), DLS_ERR_FORMAT,
              "is not a readable HDF5 file");
  CHECK_FAILS(dls_checkpoint_read(FOLDER, scene.simulation, true, NULL), DLS_ERR_FILE,
              "not a regular file");
  CHECK_FAILS(dls_checkpoint_read("", scene.simulation, true, NULL), DLS_ERR_ARGUMENT,
              "the path is empty");
  scene_close(&scene);
}
