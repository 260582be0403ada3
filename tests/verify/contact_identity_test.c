/* What a contact remembers is not lost where it is known by other features than a step ago. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/rotation.h"
#include "detect/place.h"
#include "record/checkpoint/checkpoint.h"
#include "tests/blocks.h"
#include "tests/facets.h"

static const double pi = 3.14159265358979323846;
static const double side[3] = {0.2, 0.2, 0.1};

/* A block on a fixed one of the same sides, edge above edge, held down by mortar alone. */
static void bonded(TestScene *scene, int dim, const DlsScheme *scheme) {
  const double length[3] = {side[0], dim == 2 ? side[2] : side[1], side[2]};
  double x[3] = {0};
  test_scene_open(scene, dim, scheme, 1e-4, "mortar");
  test_scene_set(scene, 0, "k_n", 1e10);
  test_scene_set(scene, 0, "k_t", 1e10);
  test_scene_set(scene, 0, "f_t", 1e6);
  test_scene_set(scene, 0, "c", 1e6);
  test_scene_set(scene, 0, "area", dim == 2 ? side[0] / 2 : side[0] * side[1] / 4);
  scene->simulation->settings.limits.tolerance = 1e-8;
  test_scene_box(scene, length, x, NULL, DLS_FIXED_ALL);
  x[dim - 1] = side[2];
  test_scene_box(scene, length, x, NULL, 0);
}

/* Loads that go round, so that corners cross edges this way and that, and pull. */
static void load(TestScene *scene, int step) {
  const int dim = scene->world->dim;
  scene->gravity[0] = 60 * cos(0.05 * step);
  if (dim == 3) scene->gravity[1] = 60 * sin(0.071 * step);
  scene->gravity[dim - 1] = 20;
}

/* Contacts of now whose key no contact of `memory` has. */
static int renamed(const DlsContactMemory *memory, const DlsContactSet *set) {
  int count = 0;
  for (int c = 0; c < set->count; c++) {
    bool known = false;
    for (int k = 0; k < memory->count; k++)
      known |= memcmp(&memory->key[k], &set->key[c], sizeof set->key[c]) == 0;
    count += !known;
  }
  return count;
}

/* Steps [from, to) under these loads; how many contacts changed their names. */
static int go(TestScene *scene, int from, int to) {
  DlsContactMemory before = {0};
  int count = 0;
  for (int k = from; k < to; k++) {
    const DlsSimulation *s = scene->simulation;
    CHECK_OK(
        dls_contact_memory_remember(&before, s->state.memory.count, s->state.memory.key, NULL));
    load(scene, k);
    CHECK_OK(dls_simulation_step(scene->simulation));
    if (k > 0) count += renamed(&before, &s->last.contacts);
  }
  dls_contact_memory_clear(&before);
  return count;
}

/* Bonds are made in the first step: where one were lost with its name, no other would come, and the
 * block would fly off at 20 m/s2. It stays within twice what the springs give: of mass m, at m g /
 * A k. */
TEST(bonds_outlive_the_names_of_their_corners) {
  static const DlsScheme *const schemes[2] = {&dls_scheme_moreau, &dls_scheme_euler};
  for (int which = 0; which < 4; which++) {
    TestScene scene;
    const int dim = 2 + which % 2;
    bonded(&scene, dim, schemes[which / 2]);
    const int names = go(&scene, 0, 1000);
    const double area = dim == 2 ? side[0] : side[0] * side[1];
    const double give = scene.world->mass[1] * 80 / (area * 1e10);
    if (getenv("DELASSUS_SHOW"))
      printf("%d-D %s: %d names changed\n", dim, schemes[which / 2]->name, names);
    CHECK(names > 20);
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(scene.world->position[1][k], k == dim - 1 ? side[2] : 0, 4 * give);
    CHECK_INT(scene.simulation->last.report.contacts, dim == 2 ? 2 : 4);
    dls_simulation_destroy(&scene.simulation);
  }
}

/* The step after a checkpoint inherits as the run that goes on. */
TEST(places_are_in_checkpoints) {
  const char *path = TEST_BINARY_DIR "/tests/tmp/contact_identity.h5";
  CHECK_OK(dls_file_make_folder(TEST_BINARY_DIR "/tests/tmp"));
  for (int at = 100; at < 110; at++) {
    TestScene whole, rest;
    bonded(&whole, 3, &dls_scheme_moreau);
    bonded(&rest, 3, &dls_scheme_moreau);
    go(&whole, 0, at);
    CHECK_OK(dls_checkpoint_write(path, whole.simulation, NULL));
    CHECK_OK(dls_checkpoint_read(path, rest.simulation, false, NULL));
    go(&whole, at, at + 60);
    go(&rest, at, at + 60);
    CHECK(memcmp(whole.world->position[1], rest.world->position[1], 24) == 0);
    CHECK(memcmp(whole.world->velocity[1], rest.world->velocity[1], 48) == 0);
    CHECK_INT(whole.simulation->state.memory.placed, 1);
    dls_simulation_destroy(&whole.simulation);
    dls_simulation_destroy(&rest.simulation);
  }
}

/* A fixed block whose right upper edge is the y axis, and one that leans over it, its lowest edge
 * `apart` from that in a direction at `angle` from the first one's upper face, turned by `twist`
 * about z. */
typedef struct {
  TestScene scene;
  DlsDetector *detector;
  DlsContactMemory memory;
  DlsContactSet set;
} Leaning;

/* The surface of a box about the origin, of triangles, in 2-D of segments. */
static DlsFacets *box_of_facets(int dim, const double length[3]) {
  static const int corner[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                    {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                    {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  static const int around[4] = {0, 2, 3, 1}; /* clockwise: the left of the way is outside */
  double node[8][3] = {{0}};
  DlsFacets *out = NULL;
  for (int n = 0; n < (dim == 2 ? 4 : 8); n++)
    for (int k = 0; k < dim; k++)
      node[n][k] = length[k] * (((dim == 2 ? around[n] : n) >> k & 1) - 0.5);
  if (dim == 2) return test_line(4, (const double(*)[3])node, true, false);
  CHECK_OK(dls_facets_make(3, false, "box", 8, (const double(*)[3])node, 12, corner, &out));
  return out;
}

/* facets: the lower one is a boundary of them. */
static void open_leaning(Leaning *l, int dim, bool facets) {
  const double one[3] = {1, 1, 1}, two[3] = {1, dim == 2 ? 1 : 0.6, 1};
  double x[3] = {-0.5, 0, 0};
  memset(l, 0, sizeof *l);
  test_scene_open(&l->scene, dim, &dls_scheme_euler, 1e-3, "coulomb");
  x[dim - 1] = -0.5;
  if (facets)
    memcpy(test_scene_facets(&l->scene, box_of_facets(dim, one))->position, x, sizeof x);
  else
    test_scene_box(&l->scene, one, x, NULL, DLS_FIXED_ALL);
  test_scene_box(&l->scene, two, x, NULL, 0);
  CHECK_OK(dls_detector_create(&l->detector));
}

static void close_leaning(Leaning *l) {
  dls_contact_set_clear(&l->set);
  dls_contact_memory_clear(&l->memory);
  dls_detector_destroy(&l->detector);
  dls_simulation_destroy(&l->scene.simulation);
}

/* How many points they have at this angle and twist (degrees); what is found is remembered. */
static int points(Leaning *l, double angle, double twist, bool remember) {
  const double lean = 20 * pi / 180, apart = 0.2, phi = angle * pi / 180;
  const int dim = l->scene.world->dim, up = dim - 1;
  DlsWorld *world = l->scene.world;
  const int above = world->count - 1;
  double *q = world->orientation[above], *x = world->position[above], low[3];
  double corner[3] = {0.5, 0, 0};
  const double half = twist * pi / 360;
  corner[up] = -0.5;
  const double about[4] = {cos(lean / 2), 0, dim == 3 ? sin(lean / 2) : 0,
                           dim == 2 ? -sin(lean / 2) : 0};
  const double turned[4] = {cos(half), 0, 0, sin(half)};
  if (dim == 3)
    dls_rotation_multiply(turned, about, q);
  else
    memcpy(q, about, sizeof about);
  if (dim == 2) world->angle[above] = -lean;
  dls_rotation_apply(q, corner, low);
  for (int k = 0; k < 3; k++) x[k] = -low[k];
  x[0] += apart * sin(phi);
  x[up] += apart * cos(phi);
  const DlsDetection where = {.alert = 0.8, .memory = &l->memory};
  dls_detector_forget(l->detector);
  CHECK_OK(dls_detect(l->detector, l->scene.world, &where, &l->set));
  if (remember) CHECK_OK(dls_contact_memory_remember(&l->memory, l->set.count, l->set.key, NULL));
  return l->set.count;
}

TEST(face_on_face_is_left_at_a_larger_angle_than_it_is_entered) {
  for (int dim = 2; dim <= 3; dim++) {
    Leaning l;
    open_leaning(&l, dim, false);
    const int edge = dim == 2 ? 1 : 2, face = dim == 2 ? 2 : 4;
    CHECK_INT(points(&l, 2.9, 0, false), face); /* nothing is known of a step before */
    CHECK_INT(points(&l, 3.1, 0, false), edge);
    CHECK_INT(points(&l, 10, 0, true), edge);
    CHECK_INT(points(&l, 3.1, 0, true), edge);
    CHECK_INT(points(&l, 2.9, 0, true), face);
    for (int k = 0; k < 20; k++) { /* jitter about the angle of entry */
      DlsContactKey key[8];
      const int count = l.set.count;
      memcpy(key, l.set.key, (size_t)count * sizeof *key);
      CHECK_INT(points(&l, k % 2 ? 2.9 : 3.1 + 0.04 * k, 0, true), face);
      CHECK(memcmp(key, l.set.key, (size_t)count * sizeof *key) == 0);
    }
    CHECK_INT(points(&l, 3.9, 0, true), face);
    CHECK_INT(points(&l, 4.1, 0, true), edge);
    for (int k = 0; k < 20; k++) CHECK_INT(points(&l, k % 2 ? 3.9 : 4.1, 0, true), edge);
    close_leaning(&l);
  }
}

TEST(edge_along_edge_is_left_at_a_larger_angle_than_it_is_entered) {
  Leaning l;
  open_leaning(&l, 3, false);
  CHECK_INT(points(&l, 12, 2.9, false), 2);
  CHECK_INT(points(&l, 12, 3.1, false), 1);
  CHECK_INT(points(&l, 12, 4.5, true), 1);
  CHECK_INT(points(&l, 12, 3.1, true), 1);
  CHECK_INT(points(&l, 12, 2.9, true), 2);
  for (int k = 0; k < 20; k++) CHECK_INT(points(&l, 12, k % 2 ? 2.9 : 3.9, true), 2);
  CHECK_INT(points(&l, 12, 4.1, true), 1);
  CHECK_INT(points(&l, 12, 3.9, true), 1);
  close_leaning(&l);
}

/* The same block over a boundary of triangles, of segments: the same names, too. */
TEST(a_face_of_facets_is_left_at_a_larger_angle_than_it_is_entered) {
  for (int dim = 2; dim <= 3; dim++) {
    Leaning l;
    open_leaning(&l, dim, true);
    const int face = points(&l, 2.9, 0, false), edge = points(&l, 3.1, 0, false);
    CHECK(face > edge && edge >= 1);
    CHECK_INT(points(&l, 10, 0, true), edge);
    CHECK_INT(points(&l, 3.1, 0, true), edge);
    CHECK_INT(points(&l, 2.9, 0, true), face);
    for (int k = 0; k < 20; k++) { /* jitter about the angle of entry */
      DlsContactKey key[16];
      const int count = l.set.count;
      memcpy(key, l.set.key, (size_t)count * sizeof *key);
      CHECK_INT(points(&l, k % 2 ? 2.9 : 3.1 + 0.04 * k, 0, true), face);
      CHECK(memcmp(key, l.set.key, (size_t)count * sizeof *key) == 0);
    }
    CHECK_INT(points(&l, 3.9, 0, true), face);
    CHECK_INT(points(&l, 4.1, 0, true), edge);
    for (int k = 0; k < 20; k++) CHECK_INT(points(&l, k % 2 ? 3.9 : 4.1, 0, true), edge);
    close_leaning(&l);
  }
}

static void freeze(TestScene *scene) { scene->simulation->settings.laws.item[0].frozen = true; }

/* Both blocks turn as one, a quarter about an axis askew: every point is where it was on both, its
 * gap, area and name too, and the normal turns with them; of a manifold the corners change
 * names. */
TEST(frozen_points_turn_with_the_bodies) {
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    bonded(&scene, dim, &dls_scheme_euler);
    freeze(&scene);
    test_scene_set(&scene, 0, "G_I", 2000); /* range 4 mm: x + h v leads outward by h w r a step */
    const DlsWorld *world = scene.world;
    const DlsContactSet *set = &scene.simulation->last.contacts;
    const DlsContactMemory *memory = &scene.simulation->state.memory;
    DlsContactPlace first[8], now;
    DlsContactKey key[8];
    for (int b = 0; b < 2; b++) scene.world->fixed[b] = dim == 2 ? DLS_FIXED_IN_PLANE : 0;
    for (int k = 0; k < 3; k++) scene.gravity[k] = 0;
    test_scene_run(&scene, 2);
    const int count = set->count;
    CHECK_INT(count, dim == 2 ? 2 : 4);
    CHECK_INT(memory->count, count);
    memcpy(first, memory->place, (size_t)count * sizeof *first);
    memcpy(key, memory->key, (size_t)count * sizeof *key);
    /* Spin of both about the middle of them, 1.6 rad in all. */
    const double spin[3] = {dim == 3 ? 60 : 0, dim == 3 ? 40 : 0, 80}, middle = side[2] / 2;
    for (int b = 0; b < 2; b++) {
      double arm[3] = {0};
      arm[dim - 1] = world->position[b][dim - 1] - middle;
      dls_vector_cross(spin, arm, scene.world->velocity[b]);
      memcpy(scene.world->velocity[b] + 3, spin, sizeof spin);
    }
    test_scene_run(&scene, 150);
    CHECK_INT(set->count, count);
    CHECK_INT(memory->count, count);
    for (int k = 0; k < count; k++) {
      int found = -1;
      for (int i = 0; i < memory->count; i++)
        if (memcmp(&memory->key[i], &key[k], sizeof *key) == 0) found = i;
      CHECK(found >= 0);
      if (found < 0) continue;
      CHECK(memcmp(&memory->place[found], &first[k], sizeof *first) == 0);
      const int c = scene.simulation->last.assembly.step.in_set[found];
      CHECK_NEAR(set->area[c], first[k].area, 0);
      dls_place_take(world, &(DlsDetection){0}, set, c, &now);
      for (int i = 0; i < 3; i++) /* after the last h of the turn */
        CHECK_NEAR(now.normal[0][i], first[k].normal[0][i], 0.02);
    }
    dls_simulation_destroy(&scene.simulation);
  }
}

/* As the run that goes on, to the last bit. */
TEST(frozen_points_are_in_checkpoints) {
  const char *path = TEST_BINARY_DIR "/tests/tmp/contact_frozen.h5";
  CHECK_OK(dls_file_make_folder(TEST_BINARY_DIR "/tests/tmp"));
  TestScene whole, rest, other;
  bonded(&whole, 3, &dls_scheme_moreau);
  bonded(&rest, 3, &dls_scheme_moreau);
  bonded(&other, 3, &dls_scheme_moreau);
  freeze(&whole);
  freeze(&rest);
  CHECK_INT(go(&whole, 0, 150), 0); /* they keep their names */
  CHECK_OK(dls_checkpoint_write(path, whole.simulation, NULL));
  CHECK_OK(dls_checkpoint_read(path, rest.simulation, false, NULL));
  CHECK_FAILS(dls_checkpoint_read(path, other.simulation, false, NULL), DLS_ERR_ARGUMENT,
              "points of law 0");
  go(&whole, 150, 300);
  go(&rest, 150, 300);
  CHECK_INT(whole.simulation->last.report.contacts, 4);
  CHECK(memcmp(whole.world->position[1], rest.world->position[1], 24) == 0);
  CHECK(memcmp(whole.world->orientation[1], rest.world->orientation[1], 32) == 0);
  CHECK(memcmp(whole.world->velocity[1], rest.world->velocity[1], 48) == 0);
  CHECK(memcmp(whole.simulation->state.memory.place, rest.simulation->state.memory.place,
               4 * sizeof(DlsContactPlace)) == 0);
  dls_simulation_destroy(&whole.simulation);
  dls_simulation_destroy(&rest.simulation);
  dls_simulation_destroy(&other.simulation);
}

/* A block that slides by its own length is borne by four points all the way, near its corners. */
TEST(frozen_points_let_go_of_what_slides) {
  static const DlsScheme *const schemes[2] = {&dls_scheme_moreau, &dls_scheme_euler};
  for (int which = 0; which < 2; which++) {
    TestScene scene;
    const double floor[3] = {5, 5, 1}, length[3] = {0.3, 0.2, 0.1}, mu = 0.1, h = 1e-3;
    test_scene_open(&scene, 3, schemes[which], h, "coulomb");
    test_scene_set(&scene, 0, "mu", mu);
    freeze(&scene);
    test_scene_box(&scene, floor, (const double[3]){0, 0, -0.5}, NULL, DLS_FIXED_ALL);
    const int body = test_scene_box(&scene, length, (const double[3]){0, 0, 0.05}, NULL, 0);
    scene.world->velocity[body][0] = 1;
    test_scene_run(&scene, 400);
    const DlsContactSet *set = &scene.simulation->last.contacts;
    CHECK_INT(set->count, 4);
    CHECK(scene.world->position[body][0] > length[0]);
    CHECK_NEAR(scene.world->velocity[body][0], 1 - mu * test_g * 0.4, 1e-8);
    CHECK_NEAR(scene.world->position[body][2], 0.05, 1e-8);
    for (int c = 0; c < set->count; c++) { /* half of a twentieth of the reduced size, and a step */
      const double *x = scene.world->position[body];
      const double off = fabs(fabs(set->point[c][0] - x[0]) - length[0] / 2);
      CHECK_BELOW(off, 0.05 * dls_contact_size(scene.world, set, c) + 1e-3);
      CHECK_NEAR(fabs(set->point[c][1] - x[1]), length[1] / 2, 1e-9);
    }
    test_scene_close(&scene);
  }
}
