/* Frames of deformable bodies: what is read back gives the numbers of the simulation, and what is
 * spoilt is refused. deformable_check.py reads the same files with VTK. */
#include "base/random.h"
#include "tests/io/mutations.h"
#include "tests/loaded_block.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "post/average.h"
#include "post/cut.h"
#include "post/deformed.h"
#include "record/cells_read.h"
#include "record/frames/frames.h"
#include "record/packing_read.h"

/* A place in the folder of this test, or of who runs it. */
static const char *at(const char *name) {
  static char path[4][512];
  static int turn;
  const char *given = getenv("DELASSUS_TEST_FOLDER");
  const char *folder = given ? given : TEST_BINARY_DIR "/tests/tmp/deformable_frames";
  char *out = path[turn++ % 4];
  CHECK_OK(dls_file_make_folder(folder));
  snprintf(out, sizeof path[0], "%s/%s", folder, name);
  return out;
}

static void write_frames(DlsSimulation *s, const char *folder) {
  DlsFrames *frames = NULL;
  const DlsFramesOptions options = {.gauss = true, .series.vtu.zlib = 1};
  CHECK_OK(dls_frames_create(folder, &options, -INFINITY, &frames));
  CHECK_OK(dls_frames_write(frames, s));
  dls_frames_destroy(&frames);
}

TEST(what_is_read_back_is_what_was_there) {
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    DlsPacking now = {0}, read = {0};
    const FemBlock block = block_carrying(&scene, dim);
    test_scene_run(&scene, 60);
    write_frames(scene.simulation, at(dim == 2 ? "plane" : "space"));
    CHECK_OK(dls_packing_take(scene.simulation, &now));
    CHECK_OK(dls_packing_read(at(dim == 2 ? "plane" : "space"), -1, &read));
    CHECK(now.fine && read.fine);
    CHECK_INT(read.fine->grains, now.fine->grains);
    CHECK_INT(read.fine->contacts, now.fine->contacts);
    const double weight = 2 * scene.world->mass[1] * test_g;
    for (int layer = 0; layer < 4; layer++) {
      DlsCut cut = {.kind = DLS_CUT_PLANE};
      DlsCutForce one, other;
      cut.normal[dim - 1] = 1;
      cut.centre[dim - 1] = (layer + 0.75) * block_size;
      dls_cut(&now, &cut, &one);
      dls_cut(&read, &cut, &other);
      const double expected = -weight - block_above(&block, layer);
      CHECK_NEAR(other.force[dim - 1], expected, 1e-9 * weight);
      CHECK_NEAR(other.force[dim - 1], one.force[dim - 1], 1e-12 * weight);
      CHECK_INT(other.contacts, one.contacts);
    }
    DlsAverage one, other;
    const DlsProbe all = {.kind = DLS_PROBE_ALL};
    CHECK_OK(dls_average(&now, &all, DLS_AVERAGE_LINES, &one));
    CHECK_OK(dls_average(&read, &all, DLS_AVERAGE_LINES, &other));
    CHECK_INT(other.cells, now.fine->contacts ? one.cells : 0);
    CHECK_INT(other.grains, 2);
    for (int k = 0; k < 9; k++)
      CHECK_NEAR(other.stress[k], one.stress[k], 1e-12 * fabs(one.state.pressure));
    dls_packing_clear(&now);
    dls_packing_clear(&read);
    test_scene_close(&scene);
  }
}

static int count_of(const char *text, const char *word) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) n++;
  return n;
}

/* The block is drawn by its cells, in space by those of its sides that look at the eye (5 x 4 in
 * front, 2 x 4 at the right, 5 x 2 on top), and not by what it meets others with; only the two
 * grains are balls. */
TEST(pictures_show_the_skin) {
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    char *text = NULL;
    size_t bytes;
    const char *path = at("picture.svg");
    block_carrying(&scene, dim);
    test_scene_run(&scene, 5);
    CHECK_OK(dls_frames_picture(scene.simulation, NULL, path));
    CHECK_OK(dls_file_read(path, &text, &bytes));
    CHECK_INT(count_of(text, "<circle"), 2);
    CHECK_INT(count_of(text, "Z\""), dim == 2 ? 20 : 38);
    free(text);
    test_scene_close(&scene);
  }
}

/* Mutations of the file: refused with its name, or read. */
static const char *judge(int index, bool *accepted) {
  static Bytes good, bytes;
  static bool loaded;
  DlsPacking packing = {0};
  DlsRandom random;
  const char *path = at("mutant.vtu"), *wrong = NULL;
  if (!loaded) loaded = mutation_load(at("plain/deformable_000000.vtu"), &good);
  dls_random_seed(&random, 977u * (uint64_t)index + 5);
  bytes = good;
  if (index % 5 == 0)
    bytes.count = (size_t)dls_random_below(&random, (int)bytes.count);
  else
    for (int k = 1 + dls_random_below(&random, 6); k > 0; k--)
      bytes.bytes[dls_random_below(&random, (int)bytes.count)] ^=
          (unsigned char)(1 << dls_random_below(&random, 8));
  mutation_save(path, &bytes);
  CHECK_OK(dls_packing_read(at("plain"), 0, &packing));
  if (packing.fine) dls_packing_clear(packing.fine);
  free(packing.fine), free(packing.part), free(packing.moment);
  packing.fine = NULL, packing.part = NULL, packing.moment = NULL;
  *accepted = dls_cells_read(path, &packing) == DLS_OK;
  if (!*accepted && !strstr(dls_error_message(), "mutant.vtu"))
    wrong = "the sentence does not name the file";
  if (*accepted) {
    DlsAverage average;
    const DlsProbe all = {.kind = DLS_PROBE_ALL};
    (void)dls_average(&packing, &all, DLS_AVERAGE_CENTRES, &average);
  }
  dls_packing_clear(&packing);
  return wrong;
}

TEST(mutations_are_read_or_refused) {
  TestScene scene;
  DlsFrames *frames = NULL;
  block_carrying(&scene, 2);
  test_scene_run(&scene, 5);
  CHECK_OK(dls_frames_create(at("plain"), NULL, -INFINITY, &frames));
  CHECK_OK(dls_frames_write(frames, scene.simulation));
  dls_frames_destroy(&frames);
  test_scene_close(&scene);
  const Mutations m = mutations_run(300, 20, judge);
  CHECK(m.accepted > 3);
}
