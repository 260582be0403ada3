/* Frames are read back as the same packing, to the last bit; files that are spoilt are refused. */
#include "tests/io/app_run.h"
#include "tests/packing.h"

#include "post/chains.h"
#include "post/quantity.h"
#include "record/frames/frames.h"
#include "record/packing_read.h"
#include "record/vtu/vtu_read.h"

/* A packing with a cluster and a fixed ball in it. */
static void open_scene(TestScene *scene, int dim) {
  const DlsElement pair[2] = {{{-3e-3, 0, 0}, 4e-3}, {{3e-3, 0, 0}, 5e-3}};
  test_packing(scene, dim, 4, 4, 0.4, 0);
  const double top = 0.06;
  test_scene_body(scene, 2, pair, 0.02, dim == 2 ? top : 0.02, dim == 2 ? 0 : top);
  test_scene_sphere(scene, 4e-3, 0.045, dim == 2 ? top : 0.045, dim == 2 ? 0 : top);
  scene->world->fixed[scene->world->count - 1] = DLS_FIXED_ALL;
  test_scene_run(scene, 150);
}

#define SAME(field, count)                                                                         \
  CHECK((count) == 0 || memcmp(a->field, b->field, (size_t)(count) * sizeof *a->field) == 0)

static void compare(const DlsPacking *a, const DlsPacking *b) {
  CHECK_INT(a->grains, b->grains);
  CHECK_INT(a->contacts, b->contacts);
  CHECK_INT(a->dim, b->dim);
  if (a->grains != b->grains || a->contacts != b->contacts) return;
  CHECK(test_same_bits(a->time, b->time) && test_same_bits(a->lag, b->lag));
  for (int k = 0; k < 3; k++) CHECK(test_same_bits(a->gravity[k], b->gravity[k]));
  SAME(id, a->grains);
  SAME(velocity, a->grains);
  SAME(spin, a->grains);
  SAME(inertia, a->grains);
  SAME(mass, a->grains);
  SAME(volume, a->grains);
  SAME(radius, a->grains);
  SAME(resultant, a->grains);
  SAME(held, a->grains);
  SAME(candidate, a->contacts);
  SAME(antagonist, a->contacts);
  SAME(point, a->contacts);
  SAME(normal, a->contacts);
  SAME(force, a->contacts);
  SAME(normal_force, a->contacts);
  SAME(tangential_force, a->contacts);
  SAME(friction_limit, a->contacts);
  SAME(status, a->contacts);
  CHECK_INT(a->walls, b->walls);
  CHECK(a->walls > 0);
  for (int w = 0; w < a->walls && w < b->walls; w++) {
    const DlsBoundary *x = &a->wall[w], *y = &b->wall[w];
    CHECK(x->kind == y->kind && x->inside == y->inside && x->open == y->open);
    for (int k = 0; k < DLS_COUNT(x->length); k++) CHECK_NEAR(x->length[k], y->length[k], 0);
    for (int k = 0; k < DLS_COUNT(x->radius); k++) CHECK_NEAR(x->radius[k], y->radius[k], 0);
    for (int k = 0; k < DLS_COUNT(x->position); k++) CHECK_NEAR(x->position[k], y->position[k], 0);
    for (int k = 0; k < 4; k++) CHECK_NEAR(x->orientation[k], y->orientation[k], 1e-15);
  }
  for (int i = 0; i < a->grains;
       i++) /* of a frame with clusters the centre is written with a rounding */
    for (int k = 0; k < 3; k++) CHECK_NEAR(a->centre[i][k], b->centre[i][k], 1e-16);
}

/* What a frame has of stress and chains, while the run goes on, is what follows from it afterwards:
 * the same bits. */
TEST(quantities_of_a_frame_are_those_computed_from_it) {
  TestScene scene;
  DlsFrames *frames = NULL;
  DlsVtuFile *file = NULL;
  DlsPacking g = {0};
  DlsGrainStress stress = {0};
  DlsChains chains = {0};
  unsigned mask = 0;
  char path[800], folder[600];
  snprintf(folder, sizeof folder, "%s/post", app_folder("post_read"));
  CHECK_OK(dls_quantity_add("stress", &mask));
  CHECK_OK(dls_quantity_add("chains", &mask));
  CHECK_FAILS(dls_quantity_add("strain", &mask), DLS_ERR_ARGUMENT, "there are stress, kinetic");
  test_packing(&scene, 3, 4, 4, 0.4, 200);
  CHECK_OK(dls_frames_create(folder, NULL, -INFINITY, &frames));
  dls_frames_post(frames, mask);
  CHECK_OK(dls_frames_write(frames, scene.simulation));
  CHECK_OK(dls_packing_read(folder, -1, &g));
  CHECK_OK(dls_grain_stress(&g, 0, &stress));
  CHECK_OK(dls_chains(&g, &stress, NULL, &chains));
  snprintf(path, sizeof path, "%s/bodies_000000.vtu", folder);
  CHECK_OK(dls_vtu_open(path, &file));
  double(*written)[9] = calloc((size_t)g.grains, sizeof *written);
  int64_t *number = calloc((size_t)g.grains, sizeof *number);
  CHECK_OK(dls_vtu_reals(file, DLS_VTU_OF_POINTS, "stress", 9, g.grains, written[0]));
  CHECK_OK(dls_vtu_integers(file, DLS_VTU_OF_POINTS, "chain", g.grains, number));
  CHECK(memcmp(written, stress.stress, (size_t)g.grains * sizeof *written) == 0);
  for (int i = 0; i < g.grains; i++) CHECK_INT(number[i], chains.number[i]);
  free(written);
  free(number);
  dls_vtu_close(&file);
  dls_chains_clear(&chains);
  dls_grain_stress_clear(&stress);
  dls_packing_clear(&g);
  dls_frames_destroy(&frames);
  test_scene_close(&scene);
}

TEST(a_frame_gives_the_same_packing) {
  for (int dim = 2; dim <= 3; dim++)
    for (int packed = 0; packed < 2; packed++) {
      TestScene scene;
      DlsFrames *frames = NULL;
      DlsPacking now = {0}, back = {0};
      char folder[600];
      int count = 0;
      const DlsFramesOptions options = {.series.vtu.zlib = packed};
      snprintf(folder, sizeof folder, "%s/%d%d", app_folder("post_read"), dim, packed);
      open_scene(&scene, dim);
      CHECK_OK(dls_frames_create(folder, &options, -INFINITY, &frames));
      for (int k = 0; k < 2; k++) {
        CHECK_OK(dls_frames_write(frames, scene.simulation));
        if (k == 0) test_scene_run(&scene, 1);
      }
      CHECK_OK(dls_packing_take(scene.simulation, &now));
      CHECK_OK(dls_packing_read(folder, -1, &back));
      CHECK(now.contacts > 20);
      compare(&now, &back);
      CHECK_OK(dls_packing_frames(folder, &count));
      CHECK_INT(count, 2);
      CHECK_FAILS(dls_packing_read(folder, 2, &back), DLS_ERR_ARGUMENT, "has the frames 0 to 1");
      dls_packing_clear(&now);
      dls_packing_clear(&back);
      dls_frames_destroy(&frames);
      test_scene_close(&scene);
    }
}

/* Cut off anywhere, or with a byte of its head or data changed, a file is refused or read: never a
 * crash, and never silence about a length. */
TEST(spoilt_files_are_refused) {
  char folder[600], path[800], other[600];
  snprintf(folder, sizeof folder, "%s/31", app_folder("post_read")); /* of the test above */
  snprintf(path, sizeof path, "%s/bodies_000000.vtu", folder);
  snprintf(other, sizeof other, "%s/spoilt", app_folder("post_read"));
  mkdir(other, 0777);
  static char bytes[1 << 20];
  FILE *file = fopen(path, "rb");
  CHECK(file);
  if (!file) return;
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  CHECK(size > 1000 && size < sizeof bytes);
  char command[2000];
  snprintf(command, sizeof command, "cp '%s'/contacts_000000.vtu '%s'/", folder, other);
  CHECK_INT(system(command), 0);
  int refused = 0;
  for (int k = 0; k < 200; k++) {
    DlsPacking g = {0};
    const size_t at = size * (size_t)(k % 100) / 100;
    const bool cut = k < 100;
    snprintf(path, sizeof path, "%s/bodies_000000.vtu", other);
    file = fopen(path, "wb");
    if (!file) break;
    bytes[at] ^= cut ? 0 : 0x55;
    fwrite(bytes, 1, cut ? at : size, file);
    bytes[at] ^= cut ? 0 : 0x55;
    fclose(file);
    const DlsStatus status = dls_packing_read(other, 0, &g);
    CHECK(status == DLS_OK || status == DLS_ERR_FORMAT || status == DLS_ERR_FILE ||
          status == DLS_ERR_MEMORY);
    refused += status != DLS_OK;
    dls_packing_clear(&g);
  }
  CHECK(refused >= 100);
  CHECK_FAILS(dls_packing_read("/nowhere", -1, &(DlsPacking){0}), DLS_ERR_FILE, "holds no frame");
}
