/* Detection against all pairs: clouds of many kinds, fast bodies, and what must not matter. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "detect/detect.h"
#include "tests/test.h"

typedef struct {
  DlsWorld *world;
  DlsDetector *detector;
  DlsContactSet set;
  DlsRandom random;
} Scene;

static Scene new_scene(int dim, uint64_t seed) {
  Scene s = {0};
  CHECK_OK(dls_world_create(dim, &s.world));
  CHECK_OK(dls_detector_create(&s.detector));
  dls_random_seed(&s.random, seed);
  return s;
}

static void end_scene(Scene *s) {
  dls_contact_set_clear(&s->set);
  dls_detector_destroy(&s->detector);
  dls_world_destroy(&s->world);
}

enum { SHAPES = 6 };

/* One sphere, then clusters of two and three that overlap. */
static void make_shapes(Scene *s, DlsShape shapes[SHAPES]) {
  const int dim = s->world->dim;
  for (int n = 0; n < SHAPES; n++) {
    DlsElement e[3] = {{{0, 0, 0}, 1}};
    const int elements = n == 0 ? 1 : 2 + n % 2;
    for (int i = 1; i < elements; i++) {
      e[i].radius = dls_random_between(&s->random, 0.5, 1);
      for (int k = 0; k < dim; k++) e[i].offset[k] = dls_random_between(&s->random, -1.5, 1.5);
    }
    CHECK_OK(dls_shape_cluster(dim, elements, e, &shapes[n]));
  }
}

/* Bodies in a cube of this side: scales from `small` to 1, random motion. */
static void fill_scene(Scene *s, int count, double side, double small, double speed,
                       bool clusters) {
  const int dim = s->world->dim;
  DlsShape shapes[SHAPES];
  make_shapes(s, shapes);
  for (int n = 0; n < count; n++) {
    DlsBody body = {.shape = &shapes[clusters ? n % SHAPES : 0], .density = 1};
    body.scale = pow(small, dls_random_unit(&s->random));
    for (int k = 0; k < dim; k++) {
      body.position[k] = dls_random_between(&s->random, -side / 2, side / 2);
      body.velocity[k] = speed * dls_random_normal(&s->random);
      body.velocity[3 + k] = dim == 3 ? 0.1 * speed * dls_random_normal(&s->random) : 0;
    }
    if (dim == 2) body.velocity[5] = 0.1 * speed * dls_random_normal(&s->random);
    if (n % 7 == 0) body.fixed = DLS_FIXED_ALL;
    if (n % 31 == 0) body.flags = DLS_BODY_GHOST;
    CHECK_OK(dls_world_add_body(s->world, &body));
  }
  for (int n = 0; n < SHAPES; n++) dls_shape_clear(&shapes[n]);
}

static void element_state(const DlsWorld *w, int e, double x[3], double v[3], double *sag) {
  const int body = w->element_body[e];
  double arm[3], turn[3];
  dls_rotation_apply(w->orientation[body], w->element[e].offset, arm);
  dls_vector_cross(w->velocity[body] + 3, arm, turn);
  for (int k = 0; k < 3; k++) {
    x[k] = w->position[body][k] + arm[k];
    v[k] = w->velocity[body][k] + turn[k];
  }
  *sag = 0.5 * dls_vector_dot(w->velocity[body] + 3, w->velocity[body] + 3) * dls_vector_norm(arm);
}

static int find_key(const DlsContactSet *set, DlsContactKey key) {
  for (int i = 0; i < set->count; i++)
    if (memcmp(&set->key[i], &key, sizeof key) == 0) return i;
  return -1;
}

/* Of ball e with the ball or boundary of this id, and its feature. */
static DlsContactKey key_of(const DlsWorld *w, int e, uint64_t antagonist, int feature) {
  const int body = w->element_body[e];
  return (DlsContactKey){w->id[body], antagonist,
                         dls_key_features((uint32_t)(e - w->first[body]), (uint32_t)feature)};
}

/* All pairs by brute force, the least gap along the way by many moments; those within a hair of the
 * limit may be either. Returns how many there are for certain. */
static int check_pairs(const Scene *s, double alert, double horizon) {
  const DlsWorld *w = s->world;
  int found = 0, hair = 0;
  for (int e = 0; e < w->first[w->count]; e++)
    for (int f = e + 1; f < w->first[w->count]; f++) {
      const int i = w->element_body[e], j = w->element_body[f];
      double x[2][3], v[2][3], sag[2], d[3], least = HUGE_VAL;
      element_state(w, e, x[0], v[0], &sag[0]);
      element_state(w, f, x[1], v[1], &sag[1]);
      const double sum = w->element[e].radius + w->element[f].radius;
      double way[3];
      for (int k = 0; k < 3; k++) {
        d[k] = x[0][k] - x[1][k];
        way[k] = horizon * (v[0][k] - v[1][k]);
      }
      /* The moments would not change a thing for those who stay far apart. */
      const bool far = dls_vector_norm(d) - dls_vector_norm(way) > sum + 2;
      const int moments = horizon > 0 && !far ? 400 : 0;
      for (int m = 0; m <= moments; m++) {
        for (int k = 0; k < 3; k++) d[k] = x[0][k] - x[1][k] + (moments ? m * way[k] / moments : 0);
        least = fmin(least, dls_vector_norm(d) - sum);
      }
      const double limit = alert + (sag[0] + sag[1]) * horizon * horizon;
      const bool never = i == j || ((w->flags[i] | w->flags[j]) & DLS_BODY_GHOST) ||
                         (w->fixed[i] == DLS_FIXED_ALL && w->fixed[j] == DLS_FIXED_ALL);
      if (never || least > limit + 1e-3) continue;
      if (least >= limit) {
        hair++;
        continue;
      }
      found++;
      const int at = find_key(&s->set, key_of(w, e, w->id[j], f - w->first[j]));
      CHECK(at >= 0);
      if (at >= 0) {
        for (int k = 0; k < 3; k++) d[k] = x[0][k] - x[1][k];
        const double distance = dls_vector_norm(d);
        CHECK_INT(s->set.candidate[at], i);
        CHECK_INT(s->set.antagonist[at], j);
        CHECK_NEAR(s->set.gap[at], distance - sum, 1e-13);
        CHECK_NEAR(s->set.radius[at], 1 / (1 / w->element[e].radius + 1 / w->element[f].radius),
                   1e-14);
        for (int k = 0; k < 3; k++) {
          CHECK_NEAR(s->set.frame[at][k], d[k] / distance, 1e-12);
          CHECK_NEAR(s->set.point[at][k],
                     x[1][k] + d[k] / distance * (w->element[f].radius + s->set.gap[at] / 2),
                     1e-12);
        }
      }
    }
  /* No others than those. */
  CHECK(s->set.count >= found && s->set.count <= found + hair);
  return found;
}

static int detect(Scene *s, double alert, double horizon) {
  const DlsDetection where = {.alert = alert, .horizon = horizon};
  CHECK_OK(dls_detect(s->detector, s->world, &where, &s->set));
  return s->set.count;
}

TEST(clouds_agree_with_all_pairs) {
  for (int dim = 2; dim <= 3; dim++)
    for (int kind = 0; kind < 6; kind++) {
      Scene s = new_scene(dim, (uint64_t)(10 * dim + kind));
      const bool clusters = kind % 3 == 1, wide = kind % 3 == 2, fast = kind >= 3;
      const double side = (dim == 2 ? 30 : 12) * (wide ? 0.4 : 1);
      fill_scene(&s, 200, side, wide ? 0.01 : 0.8, fast ? 20 : 0.5, clusters);
      detect(&s, 0.05, fast ? 0.1 : 0.01);
      CHECK(check_pairs(&s, 0.05, fast ? 0.1 : 0.01) > 20);
      end_scene(&s);
    }
}

/* Whatever was kept from before: the set is the same, byte for byte, as that of a new detector. */
TEST(history_does_not_matter) {
  for (int kind = 0; kind < 4; kind++) {
    Scene s = new_scene(3, (uint64_t)(50 + kind));
    fill_scene(&s, 400, 14, kind == 1 ? 0.02 : 0.9, kind == 2 ? 5 : 0.2, kind == 3);
    for (int step = 0; step < 60; step++) {
      DlsDetector *fresh;
      DlsContactSet other = {0};
      const DlsDetection where = {.alert = 0.02, .horizon = 0.01};
      if (step == 20) dls_world_doom(s.world, 7);
      if (step == 20) CHECK_INT(dls_world_compact(s.world, NULL), 1);
      if (step == 30) fill_scene(&s, 20, 14, 0.9, 0.2, false);
      detect(&s, 0.02, 0.01);
      CHECK_OK(dls_detector_create(&fresh));
      CHECK_OK(dls_detect(fresh, s.world, &where, &other));
      CHECK_INT(other.count, s.set.count);
      const size_t n = (size_t)other.count;
      CHECK(memcmp(other.key, s.set.key, n * sizeof *other.key) == 0);
      CHECK(memcmp(other.gap, s.set.gap, n * sizeof *other.gap) == 0);
      CHECK(memcmp(other.frame, s.set.frame, n * sizeof *other.frame) == 0);
      CHECK(memcmp(other.point, s.set.point, n * sizeof *other.point) == 0);
      CHECK(memcmp(other.candidate, s.set.candidate, n * sizeof *other.candidate) == 0);
      CHECK(memcmp(other.antagonist, s.set.antagonist, n * sizeof *other.antagonist) == 0);
      dls_contact_set_clear(&other);
      dls_detector_destroy(&fresh);
      dls_world_drift(s.world, 0.01);
    }
    const DlsDetectorReport report = dls_detector_report(s.detector);
    CHECK_INT(report.detections, 60);
    CHECK(report.rebuilds < 60);
    end_scene(&s);
  }
}

/* What is asked of some bodies is what is found of all, less the pairs of the others: the same
 * contacts, to the bit and in their order. */
TEST(bodies_of_interest_give_their_part_of_the_whole) {
  for (int seed = 0; seed < 8; seed++) {
    Scene s = new_scene(2 + seed % 2, 70 + (uint64_t)seed);
    DlsBoundary plane = {.kind = DLS_BOUNDARY_PLANE};
    bool chosen[300];
    DlsContactSet part = {0};
    fill_scene(&s, 300, seed % 2 ? 10 : 25, 0.3, 1, seed % 4 >= 2);
    CHECK_OK(dls_world_add_boundary(s.world, &plane));
    for (int b = 0; b < 300; b++) chosen[b] = dls_random_below(&s.random, seed < 4 ? 2 : 20) == 0;
    const DlsDetection all = {.alert = 0.05, .horizon = 0.1},
                       some = {.alert = 0.05, .horizon = 0.1, .of_interest = chosen};
    CHECK_OK(dls_detect(s.detector, s.world, &all, &s.set));
    CHECK_OK(dls_detect(s.detector, s.world, &some, &part));
    int n = 0, walls = 0;
    for (int c = 0; c < s.set.count; c++) {
      const int i = s.set.candidate[c], j = s.set.antagonist[c];
      if (!chosen[i] && (j < 0 || !chosen[j])) continue;
      walls += j < 0;
      if (n++ >= part.count) continue;
      CHECK(memcmp(&part.key[n - 1], &s.set.key[c], sizeof part.key[0]) == 0);
      CHECK_NEAR(part.gap[n - 1], s.set.gap[c], 0);
      CHECK(memcmp(part.frame[n - 1], s.set.frame[c], sizeof part.frame[0]) == 0);
    }
    CHECK_INT(part.count, n);
    CHECK(n > 0 && n < s.set.count && walls > 0);
    dls_contact_set_clear(&part);
    end_scene(&s);
  }
}

static void add_ball(Scene *s, double radius, double x, double y, double z, double vx) {
  DlsShape shape;
  CHECK_OK(dls_shape_sphere(s->world->dim, radius, &shape));
  const DlsBody body = {
      .shape = &shape, .density = 1, .position = {x, y, z}, .velocity = {vx, 0, 0}};
  CHECK_OK(dls_world_add_body(s->world, &body));
  dls_shape_clear(&shape);
}

/* A bullet fifty radii away that hits within the step is seen, one that flies past is not. */
TEST(fast_bodies_are_seen_in_their_step) {
  Scene s = new_scene(3, 1);
  add_ball(&s, 1, 0, 0, 0, 0);
  add_ball(&s, 1, -50, 1.5, 0, 1e3); /* meets the first within 0.049 s */
  add_ball(&s, 1, -50, 5, 0, 1e3);   /* flies past */
  CHECK_INT(detect(&s, 0.01, 0.05), 1);
  CHECK_INT(s.set.candidate[0], 0);
  CHECK_INT(s.set.antagonist[0], 1);
  CHECK(s.set.frame[0][0] > 0.99); /* from the bullet to the candidate */
  CHECK_NEAR(s.set.gap[0], sqrt(50 * 50 + 1.5 * 1.5) - 2, 1e-12);
  CHECK_INT(detect(&s, 0.01, 0.04), 0);
  end_scene(&s);
}

/* The same through a thin plate, past its rim, through its hole, and onto a wall that comes. */
TEST(fast_bodies_do_not_cross_thin_walls) {
  Scene s = new_scene(3, 1);
  const DlsBoundary plate = {.kind = DLS_BOUNDARY_PLATE,
                             .radius = {3, 10},
                             .orientation = {sqrt(0.5), 0, sqrt(0.5), 0}}; /* axis x */
  CHECK_OK(dls_world_add_boundary(s.world, &plate));
  add_ball(&s, 1, -50, 6, 0, 1e3);    /* through the ring */
  add_ball(&s, 1, -50, 0, 0, 1e3);    /* through the hole */
  add_ball(&s, 1, -50, -12, 0, 1e3);  /* past the rim */
  add_ball(&s, 1, -50, 0, 10.5, 1e3); /* onto the rim */
  CHECK_INT(detect(&s, 0.01, 0.1), 2);
  CHECK_INT(s.set.candidate[0] + s.set.candidate[1], 3);
  CHECK_INT(s.set.antagonist[0], -1);
  s.world->boundary[0].velocity[0] = 1e3; /* the plate flies along with them */
  CHECK_INT(detect(&s, 0.01, 0.1), 0);
  s.world->boundary[0].velocity[0] = -1e3;
  s.world->velocity[0][0] = 0;
  CHECK_INT(detect(&s, 0.01, 0.1), 2);
  s.world->boundary[0].flags = DLS_BODY_GHOST;
  CHECK_INT(detect(&s, 0.01, 0.1), 0);
  end_scene(&s);
}

/* Elements against boundaries: every feature within the alert distance, once, with its gap. */
TEST(boundaries_agree_with_their_distances) {
  for (int dim = 2; dim <= 3; dim++) {
    Scene s = new_scene(dim, 77);
    const DlsBoundary boxes[2] = {
        {.kind = DLS_BOUNDARY_BOX, .inside = true, .length = {12, 12, 12}},
        {.kind = DLS_BOUNDARY_CYLINDER, .radius = {2}, .length = {4}, .position = {1, 1, 0}}};
    fill_scene(&s, 300, 11, 0.3, 0, true);
    for (int b = 0; b < 2; b++) CHECK_OK(dls_world_add_boundary(s.world, &boxes[b]));
    detect(&s, 0.1, 0);
    int expected = 0, got = 0;
    for (int e = 0; e < s.world->first[s.world->count]; e++) {
      const int body = s.world->element_body[e];
      double x[3], v[3], sag;
      element_state(s.world, e, x, v, &sag);
      if (s.world->flags[body] & DLS_BODY_GHOST || s.world->fixed[body] == DLS_FIXED_ALL) continue;
      for (int b = 0; b < 2; b++) {
        DlsNear near[DLS_MAX_FEATURES];
        const double r = s.world->element[e].radius;
        const int count = dls_boundary_near(dim, &s.world->boundary[b], x, r + 0.1, near);
        for (int i = 0; i < count; i++) {
          const uint64_t wall = DLS_KEY_BOUNDARY | s.world->boundary[b].id;
          const int at = find_key(&s.set, key_of(s.world, e, wall, near[i].feature));
          expected++;
          CHECK(at >= 0);
          if (at < 0) continue;
          CHECK_INT(s.set.antagonist[at], -1 - b);
          CHECK_NEAR(s.set.gap[at], near[i].distance - r, 1e-14);
          CHECK_NEAR(dls_vector_dot(s.set.frame[at], near[i].normal), 1, 1e-14);
        }
      }
    }
    for (int i = 0; i < s.set.count; i++) got += s.set.antagonist[i] < 0;
    CHECK_INT(got, expected);
    CHECK(expected > 20);
    end_scene(&s);
  }
}

/* Other positions than the world's, as a midpoint rule has them. */
TEST(detection_works_at_given_positions) {
  Scene s = new_scene(2, 1);
  add_ball(&s, 1, 0, 0, 0, 0);
  add_ball(&s, 1, 5, 0, 0, 0);
  CHECK_INT(detect(&s, 0.1, 0), 0);
  const double x[2][3] = {{0, 0, 0}, {0, 2.05, 0}};
  const DlsDetection where = {.alert = 0.1, .position = x};
  CHECK_OK(dls_detect(s.detector, s.world, &where, &s.set));
  CHECK_INT(s.set.count, 1);
  CHECK_NEAR(s.set.gap[0], 0.05, 1e-15);
  CHECK_NEAR(s.set.frame[0][1], -1, 0);
  CHECK_NEAR(s.set.frame[0][3], 1, 0); /* t1 = (-n_y, n_x) */
  CHECK_NEAR(s.set.point[0][1], 1.025, 1e-15);
  end_scene(&s);
}

/* Grains far away, of any size, change neither the contacts of the others nor the work. */
TEST(strays_do_not_matter) {
  Scene s = new_scene(3, 9);
  fill_scene(&s, 300, 12, 0.9, 0.1, false);
  const int before = detect(&s, 0.02, 0.01);
  const long pairs = dls_detector_report(s.detector).pairs;
  add_ball(&s, 1, 1e9, -1e12, 3e7, 4);
  add_ball(&s, 1e3, -1e6, 0, 0, 4);
  add_ball(&s, 1, 0, 0, -1e100, 0);
  add_ball(&s, 1, 0, 1e7, 0, 1e5);
  CHECK_INT(detect(&s, 0.02, 0.01), before);
  CHECK_NEAR((double)dls_detector_report(s.detector).pairs, (double)pairs, 0.05 * (double)pairs);
  end_scene(&s);
}

/* A block that falls as one keeps its pairs. */
TEST(common_motion_builds_nothing_anew) {
  Scene s = new_scene(3, 12);
  fill_scene(&s, 300, 12, 0.9, 0, false);
  for (int i = 0; i < s.world->count; i++) s.world->velocity[i][2] = -100;
  for (int step = 0; step < 20; step++) {
    detect(&s, 0.02, 0.01);
    dls_world_drift(s.world, 0.01);
  }
  CHECK_INT(dls_detector_report(s.detector).rebuilds, 1);
  end_scene(&s);
}

TEST(penetration_is_the_deepest_gap) {
  Scene s = new_scene(3, 1);
  double depth;
  CHECK_OK(dls_detect_penetration(s.detector, s.world, &depth)); /* of an empty world */
  CHECK_NEAR(depth, 0, 0);
  add_ball(&s, 1, 0, 0, 0, 0);
  add_ball(&s, 1, 1.9, 0, 0, -50);
  add_ball(&s, 1, 0, 1.95, 0, 0);
  CHECK_OK(dls_detect_penetration(s.detector, s.world, &depth));
  CHECK_NEAR(depth, 0.1, 1e-15);
  end_scene(&s);
}

TEST(wrong_numbers_are_refused) {
  Scene s = new_scene(3, 1);
  add_ball(&s, 1, 0, 0, 0, 0);
  DlsDetection where = {.alert = -1};
  CHECK_FAILS(dls_detect(s.detector, s.world, &where, &s.set), DLS_ERR_ARGUMENT, "alert");
  where = (DlsDetection){.horizon = NAN};
  CHECK_FAILS(dls_detect(s.detector, s.world, &where, &s.set), DLS_ERR_ARGUMENT, "horizon");
  s.world->position[0][1] = NAN;
  where = (DlsDetection){0};
  CHECK_FAILS(dls_detect(s.detector, s.world, &where, &s.set), DLS_ERR_NUMERIC, "body 1");
  end_scene(&s);
}

/* Balls on their way against every kind of wall, whose distances are taken at many moments: one
 * that comes within the alert distance has a contact, and a feature that stays away has none. */
TEST(ways_to_boundaries_agree_with_many_moments) {
  const DlsBoundary kinds[] = {
      {.kind = DLS_BOUNDARY_FRUSTUM,
       .inside = true,
       .open = DLS_OPEN_Z0 | DLS_OPEN_Z1,
       .radius = {1.5, 5},
       .length = {4}},
      {.kind = DLS_BOUNDARY_BOX, .inside = true, .open = DLS_OPEN_Z1, .length = {8, 7, 6}},
      {.kind = DLS_BOUNDARY_PLATE, .radius = {2, 5}},
      {.kind = DLS_BOUNDARY_CYLINDER, .radius = {2}, .length = {3}},
      {.kind = DLS_BOUNDARY_CYLINDER, .inside = true, .radius = {5}, .length = {9}},
      {.kind = DLS_BOUNDARY_BOX, .length = {3, 2, 1}},
  };
  enum { MOMENTS = 300 };
  for (int kind = 0; kind < DLS_COUNT(kinds); kind++) {
    Scene s = new_scene(3, (uint64_t)(90 + kind));
    fill_scene(&s, 150, 7, 0.3, 60, false);
    CHECK_OK(dls_world_add_boundary(s.world, &kinds[kind]));
    for (int k = 0; k < 3; k++) s.world->boundary[0].velocity[k] = 5 * k;
    detect(&s, 0.05, 0.05);
    int found = 0, got = 0;
    for (int i = 0; i < s.set.count; i++) got += s.set.antagonist[i] < 0;
    for (int i = 0; i < s.world->count; i++) {
      const double limit = s.world->element[i].radius + 0.05;
      double least[DLS_MAX_FEATURES];
      for (int f = 0; f < DLS_MAX_FEATURES; f++) least[f] = HUGE_VAL;
      if (s.world->flags[i] & DLS_BODY_GHOST || s.world->fixed[i] == DLS_FIXED_ALL) continue;
      for (int m = 0; m <= MOMENTS; m++) {
        DlsNear near[DLS_MAX_FEATURES];
        double x[3];
        for (int k = 0; k < 3; k++)
          x[k] = s.world->position[i][k] + 0.05 * m / MOMENTS * (s.world->velocity[i][k] - 5 * k);
        const int count = dls_boundary_near(3, &s.world->boundary[0], x, HUGE_VAL, near);
        for (int n = 0; n < count; n++)
          least[near[n].feature] = fmin(least[near[n].feature], near[n].distance);
      }
      double nearest = HUGE_VAL;
      int contacts = 0;
      for (int f = 0; f < DLS_MAX_FEATURES; f++) {
        const int at = find_key(&s.set, key_of(s.world, s.world->first[i],
                                               DLS_KEY_BOUNDARY | s.world->boundary[0].id, f));
        contacts += at >= 0;
        nearest = fmin(nearest, least[f]);
        if (least[f] > limit + 0.1) CHECK_INT(at, -1);
      }
      if (nearest < limit) CHECK(contacts > 0);
      found += contacts;
    }
    CHECK_INT(found, got);
    CHECK(found > 5);
    end_scene(&s);
  }
}
