/* Tables of bodies, and of the corners of polygons: what they say, and 2000 broken copies of each,
 * read or refused with a sentence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "scene/scene_impl.h"
#include "tests/files.h"
#include "tests/io/mutations.h"
#include "world/body_file.h"

static const char bodies[] = "x, y, z, r, vx, vy, vz, qw, qx, qy, qz, material, id\n"
                             "0, 0, 0, 0.5, 1, 0, 0, 1, 0, 0, 0, 0, 4\n"
                             "2, 0, 0, 0.25, 0, -1, 0, 0.6, 0.8, 0, 0, 1, 2\n"
                             "0, 3, 1e-1, 5e-1, 0, 0, 2.5, 1, 0, 0, 0, 0, 9\n";
static const char corners[] = "x, y\n0, 0\n3, 0\n3.5, 2\n1, 4\n-1, 2.5\n";

static const char *path_of(const char *name, const char *text) {
  static char path[4096];
  snprintf(path, sizeof path, "%s", test_file("world_body_file", name, text));
  return path;
}

TEST(a_table_gives_bodies_their_places_and_motion) {
  DlsBodyFile file = {0};
  CHECK_OK(dls_body_file_table(path_of("bodies.csv", bodies), 3, &file));
  CHECK_INT(file.world->count, 3);
  CHECK(file.velocities && file.ids && file.materials && !file.spins);
  for (int i = 0; i < file.world->count; i++) { /* by ascending ids: 2, 4, 9 */
    static const double r[3] = {0.25, 0.5, 0.5}, x[3] = {2, 0, 0}, speed[3] = {1, 1, 2.5};
    CHECK_NEAR(file.world->element[i].radius, r[i], 0);
    CHECK_NEAR(file.world->position[i][0], x[i], 0);
    CHECK_NEAR(dls_vector_norm(file.world->velocity[i]), speed[i], 0);
  }
  dls_body_file_clear(&file);
}

static const char *under_test;

/* One to three bytes changed, taken out or told twice; sometimes cut there. */
static const char *broken_copy(int index) {
  static const char odd[] = "0123456789-+.eExyzrvwq,;\t \n\"#\xff";
  static char text[1024];
  DlsRandom random;
  size_t count = strlen(under_test);
  memcpy(text, under_test, count + 1);
  dls_random_seed(&random, (uint64_t)index + 1);
  const int edits = 1 + dls_random_below(&random, 3);
  for (int e = 0; e < edits && count > 1; e++) {
    const size_t at = (size_t)dls_random_below(&random, (int)count);
    switch (dls_random_below(&random, 4)) {
    case 0:
      text[at] = odd[dls_random_below(&random, (int)sizeof odd - 1)];
      break;
    case 1:
      memmove(text + at, text + at + 1, count-- - at);
      break;
    case 2:
      memmove(text + at + 1, text + at, ++count - at);
      break;
    default:
      if (dls_random_below(&random, 4) == 0) text[count = at] = '\0';
    }
  }
  return path_of("broken.csv", text);
}

static const char *read_bodies(int index, bool *accepted) {
  DlsBodyFile file = {0};
  const char *wrong = NULL, *path = broken_copy(index);
  dls_fail(DLS_OK, "%s", "");
  *accepted = dls_body_file_table(path, 3, &file) == DLS_OK;
  if (!*accepted) return dls_error_message()[0] ? NULL : "refused without a sentence";
  for (int i = 0; i < file.world->count; i++) {
    double sum = file.world->element[i].radius;
    if (!(sum > 0)) wrong = "a radius that is none";
    for (int k = 0; k < 3; k++) sum += file.world->position[i][k] + file.world->velocity[i][k];
    if (!isfinite(sum)) wrong = "a number that is none";
  }
  dls_body_file_clear(&file);
  return wrong;
}

static const char *read_corners(int index, bool *accepted) {
  DlsShape shape = {0};
  char path[4096];
  snprintf(path, sizeof path, "%s", broken_copy(index));
  const DlsSceneShape s = {.kind = DLS_SCENE_POLYGON, .scale = 1, .file = path};
  dls_fail(DLS_OK, "%s", "");
  *accepted = dls_scene_solid(&s, 2, &shape) == DLS_OK;
  if (!*accepted) return dls_error_message()[0] ? NULL : "refused without a sentence";
  const bool whole = shape.volume > 0 && isfinite(shape.volume + shape.centre[0]);
  dls_shape_clear(&shape);
  return whole ? NULL : "a polygon without area";
}

TEST(two_thousand_broken_tables_are_read_or_refused) {
  static const struct {
    const char *text;
    MutationReader read;
  } tables[] = {{bodies, read_bodies}, {corners, read_corners}};
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
    under_test = tables[k].text;
    const Mutations m = mutations_run(2000, 10, tables[k].read);
    CHECK(m.accepted > 100 && m.accepted < 1900);
  }
}
