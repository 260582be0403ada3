/* Frames of grains with corners are read back: the same packing, to the last bit, and the surfaces
 * that pictures draw. Spoilt files of surfaces are refused. */
#include "tests/decks.h"
#include "tests/io/app_run.h"
#include "tests/io/mutations.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/random.h"
#include "record/frames/frames.h"
#include "record/packing_read.h"
#include "record/sides.h"
#include "record/sides_read.h"

enum { MUTATIONS = 300, MUTATIONS_LONG = 2000, SECONDS = 10 };

#define SAME(field, count)                                                                         \
  CHECK((count) > 0 && memcmp(now->field, back->field, (size_t)(count) * sizeof *now->field) == 0)

static const char *folder_of(int dim, int packed) {
  static char folder[700];
  snprintf(folder, sizeof folder, "%s/%d%d", app_folder("post_solids"), dim, packed);
  return folder;
}

/* A few steps of a deck of polygons, or of bricks, and a frame of the last one. */
static void open_deck(TestDeck *deck, int dim, int packed) {
  static const char *const rain[] = {"sources[0].rate=400", "sources[0].limit=40",
                                     "sources[0].region={low: [-0.3, 0.1], high: [-0.1, 0.15]}",
                                     "boundaries.right.position=[-0.1,0]", NULL};
  static const char *const none[] = {NULL};
  DlsFrames *frames = NULL;
  const DlsFramesOptions options = {.series.vtu.zlib = packed};
  test_deck_open(deck, dim == 2 ? "polygon-rain.yaml" : "vault.yaml", dim == 2 ? rain : none);
  test_deck_run(deck, dim == 2 ? 0.25 : 0.004);
  test_deck_take(deck);
  CHECK_OK(dls_frames_create(folder_of(dim, packed), &options, -INFINITY, &frames));
  CHECK_OK(dls_frames_write(frames, deck->simulation));
  dls_frames_destroy(&frames);
}

static void compare(const DlsPacking *now, const DlsPacking *back) {
  CHECK_INT(now->grains, back->grains);
  CHECK_INT(now->contacts, back->contacts);
  if (now->grains != back->grains || now->contacts != back->contacts) return;
  SAME(id, now->grains);
  SAME(velocity, now->grains);
  SAME(spin, now->grains);
  SAME(inertia, now->grains);
  SAME(volume, now->grains);
  SAME(low, now->grains);
  SAME(high, now->grains);
  SAME(position, now->grains);
  SAME(centre, now->grains);
  SAME(resultant, now->grains);
  SAME(candidate, now->contacts);
  SAME(antagonist, now->contacts);
  SAME(point, now->contacts);
  SAME(force, now->contacts);
}

/* The surfaces of the file against those of the world, which the frame shows half a step later. */
static void compare_sides(const TestDeck *deck, const DlsGrainSides *sides) {
  const DlsWorld *world = deck->simulation->world;
  const DlsPacking *g = &deck->packing;
  DlsSkin skin = {0};
  DlsGrainSides true_sides = {0};
  int *number = calloc((size_t)world->first[world->count], sizeof *number);
  for (int e = 0; e < world->first[world->count]; e++) number[e] = world->element_body[e];
  CHECK_OK(dls_world_skin(world, &skin));
  CHECK_OK(dls_sides_of_skin(world->dim, &skin, number, &true_sides));
  CHECK_INT(sides->count, true_sides.count);
  CHECK(sides->count >= g->grains);
  for (int n = 0, c = 0; n < sides->count && sides->count == true_sides.count; n++) {
    const int grain = sides->grain[n];
    CHECK_INT(grain, true_sides.grain[n]);
    CHECK_INT(sides->end[n], true_sides.end[n]);
    for (; c < sides->end[n]; c++)
      for (int k = 0; k < 3; k++)
        CHECK_NEAR(sides->corner[3 * c + k] - g->centre[grain][k],
                   true_sides.corner[3 * c + k] - g->position[grain][k], 1e-14);
  }
  free(number);
  dls_skin_clear(&skin);
  dls_grain_sides_clear(&true_sides);
}

TEST(a_frame_of_solids_gives_the_same_packing_and_their_sides) {
  for (int dim = 2; dim <= 3; dim++)
    for (int packed = 0; packed < 2; packed++) {
      TestDeck deck;
      DlsPacking back = {0};
      DlsGrainSides sides = {0};
      open_deck(&deck, dim, packed);
      CHECK_OK(dls_packing_read(folder_of(dim, packed), -1, &back));
      compare(&deck.packing, &back);
      CHECK_OK(dls_sides_read(folder_of(dim, packed), -1, &back, &sides));
      compare_sides(&deck, &sides);
      dls_grain_sides_clear(&sides);
      dls_packing_clear(&back);
      test_deck_close(&deck);
    }
}

static DlsPacking packing; /* of the frame whose surfaces are spoilt */
static Bytes good;
static char spoilt[800];

/* Bytes changed, mostly of numbers of eight bytes, or the end cut off. */
static const char *read_mutation(int index, bool *accepted) {
  static Bytes bytes;
  static const unsigned char special[] = {0, 1, 2, 0x7f, 0x80, 0xff};
  char path[900];
  DlsGrainSides sides;
  DlsRandom random;
  dls_random_seed(&random, 77u + (uint64_t)index);
  bytes = good;
  if (index % 8 == 0) {
    bytes.count = (size_t)dls_random_below(&random, (int)good.count);
  } else {
    for (int c = 1 + dls_random_below(&random, 4); c > 0; c--)
      bytes.bytes[dls_random_below(&random, (int)good.count)] =
          special[dls_random_below(&random, DLS_COUNT(special))];
  }
  snprintf(path, sizeof path, "%s/solids_000000.vtu", spoilt);
  mutation_save(path, &bytes);
  dls_fail(DLS_OK, "%s", "");
  const DlsStatus status = dls_sides_read(spoilt, 0, &packing, &sides);
  const char *wrong = status == DLS_OK || strstr(dls_error_message(), "solids_000000.vtu")
                          ? NULL
                          : "no sentence that names the file";
  for (int n = 0; n < sides.count && status == DLS_OK; n++)
    if (sides.grain[n] < 0 || sides.grain[n] >= packing.grains) wrong = "a grain that is none";
  *accepted = status == DLS_OK;
  dls_grain_sides_clear(&sides);
  return wrong;
}

TEST(spoilt_surfaces_are_refused) {
  const int count = getenv("DELASSUS_LONG") ? MUTATIONS_LONG : MUTATIONS;
  snprintf(spoilt, sizeof spoilt, "%s/spoilt", app_folder("post_solids"));
  CHECK_OK(dls_file_make_folder(spoilt));
  for (int dim = 2; dim <= 3; dim++)
    for (int packed = 0; packed < 2; packed++) { /* of the test above */
      char path[900];
      snprintf(path, sizeof path, "%s/solids_000000.vtu", folder_of(dim, packed));
      CHECK(mutation_load(path, &good));
      CHECK_OK(dls_packing_read(folder_of(dim, packed), 0, &packing));
      const Mutations m = mutations_run(count, SECONDS, read_mutation);
      CHECK(m.accepted > 0 && m.accepted < count);
    }
  dls_packing_clear(&packing);
}
