/* Detection in a periodic cell against all copies of all bodies, and what must not matter: where
 * the border is, which copy a body is named by, what the detector did before. */
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

/* Balls and pairs of balls in and about a skewed cell, periodic along `axes`, whose edges
 * change. */
static Scene new_scene(int dim, unsigned axes, uint64_t seed) {
  Scene s = {0};
  const double low[3] = {-3, 1, 2}, high[3] = {8, 13, 14.5};
  const DlsElement element[2] = {{{-0.4, 0, 0}, 0.6}, {{0.5, 0, 0}, 0.5}};
  DlsShape shapes[2];
  CHECK_OK(dls_world_create(dim, &s.world));
  CHECK_OK(dls_detector_create(&s.detector));
  dls_random_seed(&s.random, seed);
  DlsCell *cell = &s.world->cell;
  CHECK_OK(dls_cell_make(dim, axes, low, high, cell));
  for (int k = 0; k < dim; k++)
    for (int i = 0; i < dim && axes & (1u << k); i++) {
      if (axes & (1u << i) && i < k) cell->edge[k][i] = dls_random_between(&s.random, -4, 4);
      if (axes & (1u << i)) cell->rate[k][i] = dls_random_between(&s.random, -1, 1);
    }
  CHECK_OK(dls_cell_update(cell));
  CHECK_OK(dls_shape_cluster(dim, 1, &(DlsElement){{0, 0, 0}, 0.6}, &shapes[0]));
  CHECK_OK(dls_shape_cluster(dim, 2, element, &shapes[1]));
  for (int n = 0; n < (dim == 2 ? 90 : 400); n++) {
    DlsBody body = {.shape = &shapes[n % 2], .density = 1};
    body.scale = dls_random_between(&s.random, 0.3, 1);
    for (int k = 0; k < dim; k++) { /* copies far beside the cell too */
      body.position[k] = dls_random_between(&s.random, low[k] - 20, high[k] + 20);
      if (!(axes & (1u << k))) body.position[k] = dls_random_between(&s.random, low[k], high[k]);
      body.velocity[k] = 2 * dls_random_normal(&s.random);
    }
    body.velocity[5] = dls_random_normal(&s.random);
    CHECK_OK(dls_world_add_body(s.world, &body));
  }
  for (int k = 0; k < 2; k++) dls_shape_clear(&shapes[k]);
  return s;
}

static void end_scene(Scene *s) {
  dls_contact_set_clear(&s->set);
  dls_detector_destroy(&s->detector);
  dls_world_destroy(&s->world);
}

static void element_centre(const DlsWorld *w, int e, double x[3]) {
  double arm[3];
  const int body = w->element_body[e];
  dls_rotation_apply(w->orientation[body], w->element[e].offset, arm);
  for (int k = 0; k < 3; k++) x[k] = w->position[body][k] + arm[k];
}

static int find(const DlsContactSet *set, const DlsWorld *w, int e, int f) {
  const int i = w->element_body[e], j = w->element_body[f];
  const DlsContactKey key = {
      w->id[i], w->id[j],
      dls_key_features((uint32_t)(e - w->first[i]), (uint32_t)(f - w->first[j]))};
  for (int c = 0; c < set->count; c++)
    if (memcmp(&set->key[c], &key, sizeof key) == 0) return c;
  return -1;
}

/* The copy of y nearest to x among all within seven edges; its distance. */
static double nearest(const DlsCell *cell, const double x[3], const double y[3], double out[6]) {
  int most[3];
  double best = HUGE_VAL;
  for (int k = 0; k < 3; k++) most[k] = cell->axes & (1u << k) ? 7 : 0;
  for (int a = -most[0]; a <= most[0]; a++)
    for (int b = -most[1]; b <= most[1]; b++)
      for (int c = -most[2]; c <= most[2]; c++) {
        double way[6], d[3];
        for (int k = 0; k < 3; k++) {
          way[k] = a * cell->edge[0][k] + b * cell->edge[1][k] + c * cell->edge[2][k];
          way[3 + k] = a * cell->rate[0][k] + b * cell->rate[1][k] + c * cell->rate[2][k];
          d[k] = y[k] + way[k] - x[k];
        }
        if (dls_vector_norm(d) >= best) continue;
        best = dls_vector_norm(d);
        memcpy(out, way, sizeof way);
      }
  return best;
}

static int check_all(const Scene *s, double alert) {
  const DlsWorld *w = s->world;
  int found = 0;
  for (int e = 0; e < w->first[w->count]; e++)
    for (int f = e + 1; f < w->first[w->count]; f++) {
      double x[3], y[3], way[6] = {0};
      if (w->element_body[e] == w->element_body[f]) continue;
      element_centre(w, e, x);
      element_centre(w, f, y);
      const double gap = nearest(&w->cell, x, y, way) - w->element[e].radius - w->element[f].radius;
      const int c = find(&s->set, w, e, f);
      if (gap > alert + 1e-9) {
        CHECK_INT(c, -1);
        continue;
      }
      if (gap > alert - 1e-9) continue;
      found++;
      CHECK(c >= 0);
      if (c < 0) continue;
      CHECK_NEAR(s->set.gap[c], gap, 1e-12);
      for (int k = 0; k < 6; k++) CHECK_NEAR(s->set.shift[c][k], way[k], 1e-12);
      for (int k = 0; k < 3; k++) { /* on the surface of both, halfway */
        const double sum = w->element[e].radius + w->element[f].radius;
        const double n = (x[k] - y[k] - way[k]) / (gap + sum);
        CHECK_NEAR(s->set.frame[c][k], n, 1e-11);
        CHECK_NEAR(s->set.point[c][k], x[k] - n * (w->element[e].radius + gap / 2), 1e-11);
      }
    }
  CHECK(s->set.count <= found + 2);
  return found;
}

static void detect(Scene *s, double alert, double horizon) {
  const DlsDetection where = {.alert = alert, .horizon = horizon};
  CHECK_OK(dls_detect(s->detector, s->world, &where, &s->set));
}

TEST(pairs_are_those_of_all_copies) {
  for (int dim = 2; dim <= 3; dim++)
    for (unsigned axes = 1; axes < 1u << dim; axes++) {
      Scene s = new_scene(dim, axes, 10 * (uint64_t)dim + axes);
      detect(&s, 0.1, 0);
      CHECK(check_all(&s, 0.1) > 15);
      end_scene(&s);
    }
}

/* What closes within the horizon, copies with their own velocities: the set with a horizon holds
 * all that has a gap below the alert at that time. */
TEST(what_will_touch_is_seen) {
  const double horizon = 0.05;
  for (int dim = 2; dim <= 3; dim++) {
    int later = 0;
    Scene s = new_scene(dim, dim == 2 ? 3 : 7, 70 + (uint64_t)dim);
    detect(&s, 0.02, horizon);
    DlsContactSet then = s.set;
    s.set = (DlsContactSet){0};
    for (int b = 0; b < s.world->count; b++) memset(s.world->velocity[b] + 3, 0, 24);
    detect(&s, 0.02, horizon);
    dls_contact_set_clear(&then);
    then = s.set;
    s.set = (DlsContactSet){0};
    dls_world_drift(s.world, horizon);
    detect(&s, 0.02, 0);
    for (int c = 0; c < s.set.count; c++) {
      bool known = false;
      for (int k = 0; k < then.count; k++)
        known |= memcmp(&then.key[k], &s.set.key[c], sizeof then.key[k]) == 0;
      CHECK(known);
      later++;
    }
    CHECK(later > 15);
    dls_contact_set_clear(&then);
    end_scene(&s);
  }
}

/* A kept list of pairs gives the bytes of a new one, while bodies cross borders, are named anew and
 * the cell deforms. */
TEST(history_does_not_matter) {
  for (int dim = 2; dim <= 3; dim++) {
    Scene s = new_scene(dim, dim == 2 ? 3 : 7, 90 + (uint64_t)dim);
    long rebuilds = 0;
    for (int step = 0; step < 150; step++) {
      DlsDetector *fresh;
      DlsContactSet other = {0};
      const DlsDetection where = {.alert = 0.05, .horizon = 0.004};
      if (step % 10 == 0) dls_world_wrap(s.world);
      detect(&s, 0.05, 0.004);
      CHECK_OK(dls_detector_create(&fresh));
      CHECK_OK(dls_detect(fresh, s.world, &where, &other));
      CHECK_INT(other.count, s.set.count);
      const size_t n = (size_t)other.count;
      CHECK(memcmp(other.key, s.set.key, n * sizeof *other.key) == 0);
      CHECK(memcmp(other.gap, s.set.gap, n * sizeof *other.gap) == 0);
      CHECK(memcmp(other.point, s.set.point, n * sizeof *other.point) == 0);
      CHECK(memcmp(other.shift, s.set.shift, n * sizeof *other.shift) == 0);
      dls_contact_set_clear(&other);
      dls_detector_destroy(&fresh);
      dls_world_drift(s.world, 0.004);
    }
    rebuilds = dls_detector_report(s.detector).rebuilds;
    CHECK(rebuilds > 1 && rebuilds < 150);
    end_scene(&s);
  }
}

TEST(a_cell_that_is_too_narrow_is_refused) {
  DlsWorld *world = NULL;
  DlsDetector *detector = NULL;
  DlsContactSet set = {0};
  DlsShape ball;
  const double low[3] = {0, 0, 0}, high[3] = {3.9, 10, 10};
  const DlsDetection where = {0};
  CHECK_OK(dls_world_create(3, &world));
  CHECK_OK(dls_detector_create(&detector));
  CHECK_OK(dls_cell_make(3, 1, low, high, &world->cell));
  CHECK_OK(dls_shape_sphere(3, 1, &ball));
  CHECK_OK(dls_world_add_body(world, &(DlsBody){.shape = &ball, .density = 1}));
  CHECK_FAILS(dls_detect(detector, world, &where, &set), DLS_ERR_ARGUMENT,
              "the periodic cell is 3.9 m wide along x");
  world->cell.edge[0][0] = 4.1;
  CHECK_OK(dls_cell_update(&world->cell));
  CHECK_OK(dls_detect(detector, world, &where, &set));
  CHECK_FAILS(dls_cell_make(3, 0, low, high, &world->cell), DLS_ERR_ARGUMENT, "along one axis");
  CHECK_FAILS(dls_cell_make(2, 4, low, high, &world->cell), DLS_ERR_ARGUMENT, "none beyond z");
  CHECK_FAILS(dls_cell_make(3, 1, high, low, &world->cell), DLS_ERR_ARGUMENT, "above low");
  dls_shape_clear(&ball);
  dls_contact_set_clear(&set);
  dls_detector_destroy(&detector);
  dls_world_destroy(&world);
}
