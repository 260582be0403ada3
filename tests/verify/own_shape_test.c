/* A shape and a kind of boundary that live in tests/ alone (tests/capsule.c): composed, detected,
 * keyed, stepped and drawn, without a line of theirs in core/. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"
#include "record/checkpoint/checkpoint.h"
#include "record/frames/frames.h"
#include "record/vtu/vtu_read.h"
#include "tests/capsule.h"
#include "tests/simulating.h"
#include "world/body_file.h"

static const double half = 0.03, radius = 0.01; /* m */

static void make_capsule(int dim, const double *offset, const double *rotation, DlsShape *out) {
  const double number[] = {half, radius};
  DlsShapePart part = {.kind = capsule_register(), .count = 2, .number = number};
  if (offset) memcpy(part.offset, offset, sizeof part.offset);
  if (rotation) memcpy(part.rotation, rotation, sizeof part.rotation);
  CHECK_OK(dls_shape_compose(dim, 1, &part, out));
}

static int add(DlsWorld *world, const DlsShape *shape, double x, double y, double z) {
  const DlsBody body = {.shape = shape, .density = 2500, .position = {x, y, z}};
  CHECK_OK(dls_world_add_body(world, &body));
  return world->count - 1;
}

/* V = 2 pi r2 a + 4/3 pi r3; about its axis J = rho pi r4 a + 2/5 m_ball r2, whatever the axes in
 * which it was given; its centre follows the offset. */
TEST(mass_does_not_depend_on_the_axes_a_part_is_given_in) {
  const double offset[3] = {0.1, -0.2, 0.3}, turn[4] = {0.5, 0.5, -0.5, 0.5};
  const double tilt[4] = {0.8, 0.36, 0.48, 0}, *turns[] = {NULL, turn, tilt};
  const double pi = 3.14159265358979323846, r = radius, ball = 4.0 / 3.0 * pi * r * r * r;
  const double rod = 2 * pi * r * r * half, axial = rod * r * r / 2 + 0.4 * ball * r * r;
  for (int n = 0; n < 3; n++) {
    DlsShape shape;
    make_capsule(3, offset, turns[n], &shape);
    CHECK_NEAR(shape.volume, rod + ball, 1e-15 * shape.volume);
    for (int k = 0; k < 3; k++) CHECK_NEAR(shape.centre[k], offset[k], 1e-15);
    double least = INFINITY, sum = 0;
    for (int k = 0; k < 3; k++) least = fmin(least, shape.inertia[k]), sum += shape.inertia[k];
    /* Differences of squares of the offset, 0.14 m2, in those of the radius, 1e-4 m2. */
    CHECK_NEAR(least, axial, 1e-10 * axial);
    CHECK_NEAR(shape.reach, half + radius, 1e-15);
    /* Its axis, in principal axes, is that of the least inertia. */
    double along[3] = {1, 0, 0};
    dls_rotation_apply(shape.figure[0].rotation, along, along);
    for (int k = 0; k < 3; k++) CHECK_NEAR(fabs(along[k]), shape.inertia[k] < 1.01 * least, 1e-9);
    dls_shape_clear(&shape);
  }
}

/* Falls flat on the plane and stays: the gap of both ends 0, half of the weight on each; the keys
 * are those of its two ends, and the same in every step. */
TEST(a_capsule_rests_on_a_plane_with_half_its_weight_on_each_end) {
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    DlsShape shape;
    const double h = 1e-3;
    test_scene_open(&scene, dim, &dls_scheme_euler, h, "coulomb");
    test_scene_boundary(&scene, 0);
    make_capsule(dim, NULL, NULL, &shape);
    const double lift = radius + 0.002;
    add(scene.world, &shape, 0.2, dim == 2 ? lift : 0.1, dim == 3 ? lift : 0);
    dls_shape_clear(&shape);
    test_scene_run(&scene, 200);
    const DlsSimulation *s = scene.simulation;
    const DlsAssembly *a = &s->last.assembly;
    const double weight = scene.world->mass[0] * test_g;
    CHECK_INT(a->step.count, 2);
    for (int i = 0; i < a->step.count && i < 2; i++) {
      const int c = a->step.in_set[i];
      CHECK_NEAR(s->last.contacts.gap[c], 0, 1e-9 * radius);
      CHECK_NEAR(a->solve.r[(size_t)i * (size_t)a->run.block] / h, weight / 2, 1e-9 * weight);
      CHECK_INT(s->last.contacts.key[c].feature >> 32, i);
      CHECK_INT(s->last.contacts.key[c].antagonist, DLS_KEY_BOUNDARY | 1);
      CHECK(s->last.contacts.previous[c] >= 0);
      CHECK_NEAR(s->last.contacts.point[c][0], 0.2 + (i ? half : -half), 1e-9);
    }
    CHECK(!a->step.spheres); /* one element about the centre, but no ball */
    CHECK_NEAR(dls_vector_norm(scene.world->velocity[0]), 0, 1e-9);
    CHECK_FAILS(dls_checkpoint_write("unwritten.h5", s, NULL), DLS_ERR_UNSUPPORTED,
                "body 1 is a capsule");
    test_scene_close(&scene);
  }
}

/* A ball beside a capsule, either of them first: one contact on the line between ball and axis. */
TEST(a_capsule_meets_a_ball_whichever_came_first) {
  for (int first = 0; first < 2; first++) {
    DlsWorld *world;
    DlsDetector *detector;
    DlsShape capsule, ball;
    DlsContactSet set = {0};
    const DlsDetection where = {.alert = 0.01};
    CHECK_OK(dls_world_create(3, &world));
    CHECK_OK(dls_detector_create(&detector));
    make_capsule(3, NULL, NULL, &capsule);
    CHECK_OK(dls_shape_sphere(3, 0.02, &ball));
    for (int k = 0; k < 2; k++)
      if (k == first)
        add(world, &capsule, 0, 0, 0);
      else
        add(world, &ball, 0.02, 0.035, 0);
    CHECK_OK(dls_detect(detector, world, &where, &set));
    CHECK_INT(set.count, 1);
    CHECK_NEAR(set.gap[0], 0.035 - 0.02 - radius, 1e-15);
    CHECK_NEAR(set.frame[0][1], first == 0 ? -1 : 1, 1e-15);
    CHECK_NEAR(set.point[0][0], 0.02, 1e-15);
    CHECK_NEAR(set.point[0][1], radius + set.gap[0] / 2, 1e-15);
    CHECK_NEAR(set.radius[0], 0.02 * radius / (0.02 + radius), 1e-15);
    CHECK_NEAR(dls_world_size(world, first), radius, 0);
    CHECK_NEAR(dls_world_reach(world, first), half + radius, 1e-15);
    CHECK_NEAR(dls_world_arm(world, first), half + radius, 1e-15);
    CHECK_NEAR(dls_world_arm(world, 1 - first), 0, 0);
    dls_contact_set_clear(&set);
    dls_detector_destroy(&detector);
    dls_shape_clear(&capsule);
    dls_shape_clear(&ball);
    dls_world_destroy(&world);
  }
}

/* How near two elements are, by their segments. */
static double gap_of(const DlsWorld *w, int i, int j) {
  double ends[2][2][3], on[2][3], r = 0;
  for (int side = 0; side < 2; side++) {
    const int e = w->first[side ? j : i];
    const bool is_ball = dls_world_is_ball(w, e);
    DlsPose pose;
    dls_world_element_pose(w, e, w->position[side ? j : i], w->orientation[side ? j : i], &pose);
    r += is_ball ? w->element[e].radius : w->figure[e].scale * radius;
    for (int end = 0; end < 2; end++) {
      const double x[3] = {is_ball ? 0 : (end ? 1 : -1) * w->figure[e].scale * half, 0, 0};
      dls_pose_to_space(&pose, x, ends[side][end]);
    }
  }
  return sqrt(segment_distance(ends[0][0], ends[0][1], ends[1][0], ends[1][1], on[0], on[1])) - r;
}

/* Capsules and balls of many sizes that tumble, come and go: the kept list of boxes holds every
 * pair that brute force finds, moment after moment. */
TEST(boxes_miss_no_pair_of_tumbling_capsules) {
  enum { COUNT = 120, STEPS = 200 };
  DlsWorld *world;
  DlsDetector *detector;
  DlsShape capsule, ball;
  DlsContactSet set = {0};
  DlsRandom random;
  const DlsDetection where = {.alert = 0.002};
  long found = 0;
  dls_random_seed(&random, 3);
  CHECK_OK(dls_world_create(3, &world));
  CHECK_OK(dls_detector_create(&detector));
  make_capsule(3, NULL, NULL, &capsule);
  CHECK_OK(dls_shape_sphere(3, radius, &ball));
  for (int n = 0; n < COUNT; n++) {
    DlsBody body = {.shape = n % 3 == 0 ? &ball : &capsule,
                    .scale = pow(4, dls_random_between(&random, -1, 1)),
                    .density = 2500};
    for (int k = 0; k < 3; k++) {
      body.position[k] = dls_random_between(&random, -0.2, 0.2);
      body.velocity[k] = dls_random_between(&random, -0.002, 0.002); /* they turn, mostly */
      body.velocity[3 + k] = dls_random_between(&random, -10, 10);
    }
    for (int k = 0; k < 4; k++) body.orientation[k] = dls_random_normal(&random);
    CHECK_OK(dls_world_add_body(world, &body));
  }
  for (int step = 0; step < STEPS; step++) {
    int expected = 0;
    if (step == STEPS / 2) {
      for (int n = 0; n < COUNT; n += 7) dls_world_doom(world, n);
      CHECK_OK(dls_world_add_copy(world, world, 1, 0, 0, 2500));
      dls_world_compact(world, NULL);
    }
    CHECK_OK(dls_detect(detector, world, &where, &set));
    for (int i = 0; i < world->count; i++)
      for (int j = i + 1; j < world->count; j++) expected += gap_of(world, i, j) <= where.alert;
    CHECK_INT(set.count, expected);
    for (int c = 0; c < set.count; c++)
      CHECK_NEAR(set.gap[c], gap_of(world, set.candidate[c], set.antagonist[c]), 1e-14);
    found += expected;
    dls_world_drift(world, 1e-3);
  }
  CHECK(found > 20 * STEPS);
  CHECK(dls_detector_report(detector).rebuilds < STEPS); /* some lists were kept */
  dls_contact_set_clear(&set);
  dls_detector_destroy(&detector);
  dls_shape_clear(&capsule);
  dls_shape_clear(&ball);
  dls_world_destroy(&world);
}

TEST(a_pair_without_a_function_is_named) {
  DlsWorld *world;
  DlsDetector *detector;
  DlsShape capsule;
  DlsContactSet set = {0};
  const DlsDetection where = {.alert = 0.01};
  DlsBoundary box = {.kind = DLS_BOUNDARY_BOX, .length = {1, 1, 1}};
  CHECK_OK(dls_world_create(3, &world));
  CHECK_OK(dls_detector_create(&detector));
  CHECK_OK(dls_world_add_boundary(world, &box));
  make_capsule(3, NULL, NULL, &capsule);
  add(world, &capsule, 0, 0, 2);
  CHECK_OK(dls_detect(detector, world, &where, &set)); /* far away it does not matter */
  world->position[0][2] = 0.51;
  CHECK_FAILS(dls_detect(detector, world, &where, &set), DLS_ERR_UNSUPPORTED,
              "body 1 is near boundary 0, and nothing tells how a capsule meets a box");
  dls_contact_set_clear(&set);
  dls_detector_destroy(&detector);
  dls_shape_clear(&capsule);
  dls_world_destroy(&world);
}

/* A ball on the slab: its weight on the top, which is half the thickness above the origin. */
TEST(a_ball_rests_on_a_boundary_of_ones_own) {
  TestScene scene;
  const double h = 1e-3, thickness = 0.1;
  test_scene_open(&scene, 3, &dls_scheme_euler, h, "coulomb");
  const DlsBoundary slab = {
      .kind = slab_register(), .length = {thickness}, .orientation = {1, 0, 0, 0}};
  CHECK_OK(dls_world_add_boundary(scene.world, &slab));
  const int body = test_scene_sphere(&scene, 0.02, 0, 0, 0.073);
  test_scene_run(&scene, 200);
  const double weight = scene.world->mass[body] * test_g;
  CHECK_NEAR(scene.world->position[body][2], thickness / 2 + 0.02, 1e-10);
  CHECK_NEAR(scene.simulation->state.boundary_force[0][2], -weight, 1e-9 * weight);
  CHECK(strcmp(dls_boundary_text(slab.kind), "slab") == 0);
  DlsOutline outline = {0};
  CHECK_OK(dls_world_outline_boundaries(scene.world, &(DlsSight){.reach = 1}, &outline));
  CHECK_INT(outline.count, 2);
  CHECK_NEAR(outline.ends[2], -thickness / 2, 1e-15);
  dls_outline_clear(&outline);
  test_scene_close(&scene);
}

/* Every line of a frame's outline lies within the capsule, its ends on the surface. */
TEST(a_frame_holds_the_outline_of_a_capsule) {
  const char *folder = TEST_BINARY_DIR "/tests/tmp/own_shape";
  const double tilt[4] = {0.8, 0.36, 0.48, 0};
  TestScene scene;
  DlsShape shape;
  DlsFrames *frames;
  DlsVtuFile *file;
  DlsOutline outline = {0};
  test_scene_open(&scene, 3, &dls_scheme_euler, 1e-3, "coulomb");
  make_capsule(3, NULL, tilt, &shape);
  add(scene.world, &shape, 0.1, 0.2, 0.3);
  test_scene_run(&scene, 1);
  CHECK_OK(dls_world_outline_bodies(scene.world, &outline));
  CHECK(outline.count > 4);
  double axis[2][3];
  DlsPose pose;
  dls_world_element_pose(scene.world, 0, scene.world->position[0], scene.world->orientation[0],
                         &pose);
  for (int end = 0; end < 2; end++) {
    const double x[3] = {end ? half : -half, 0, 0};
    dls_pose_to_space(&pose, x, axis[end]);
  }
  for (int k = 0; k < 2 * outline.count; k++) {
    const double *p = outline.ends + 3 * k;
    double on[2][3];
    CHECK_NEAR(sqrt(segment_distance(axis[0], axis[1], p, p, on[0], on[1])), radius, 1e-14);
  }
  CHECK_OK(dls_file_make_folder(TEST_BINARY_DIR "/tests/tmp"));
  CHECK_OK(dls_frames_create(folder, NULL, -INFINITY, &frames));
  CHECK_OK(dls_frames_write(frames, scene.simulation));
  dls_frames_destroy(&frames);
  CHECK_OK(dls_vtu_open(TEST_BINARY_DIR "/tests/tmp/own_shape/outlines_000000.vtu", &file));
  CHECK_INT(dls_vtu_points(file), 2 * outline.count);
  dls_vtu_close(&file);
  dls_outline_clear(&outline);
  dls_shape_clear(&shape);
  test_scene_close(&scene);
}
