/* Populations of clusters and of solids with corners: each in the ball that was placed, its centre
 * of mass in the middle, its mass exact. */
#include "tests/test.h"

#include "scene/scene_impl.h"
#include "world/convex.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD(dim)                                                                                  \
  "dimension: " dim "\n"                                                                           \
  "time: {step: 1 ms, end: 1 s}\n"                                                                 \
  "materials: {sand: {density: 2500}}\n"                                                           \
  "laws: [{law: coulomb}]\n"

#define GRAINS_2D(form)                                                                            \
  HEAD("2")                                                                                        \
  "grains:\n"                                                                                      \
  "  - {material: sand, place: random, region: {low: [0, 0], high: [1, 1]}, count: 100,\n"         \
  "     seed: 4, sizes: {kind: uniform, min: 1 cm, max: 3 cm}, " form "}\n"

#define GRAINS_3D(form)                                                                            \
  HEAD("3")                                                                                        \
  "grains:\n"                                                                                      \
  "  - {material: sand, place: random, region: {low: [0, 0, 0], high: [1, 1, 1]}, count: 100,\n"   \
  "     seed: 4, sizes: {kind: uniform, min: 3 cm, max: 8 cm}, " form "}\n"

static DlsScene *scene_of(const char *text) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (deck) CHECK_OK(dls_scene_build(deck, &scene));
  for (int k = 0; deck && !scene && k < dls_deck_problem_count(deck); k++)
    fprintf(stderr, "%s\n", dls_deck_problem_text(deck, k));
  dls_deck_destroy(&deck);
  return scene;
}

static void refused(const char *text, const char *sentence) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  bool told = false;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (!deck) return;
  CHECK(dls_scene_build(deck, &scene) != DLS_OK);
  for (int k = 0; k < dls_deck_problem_count(deck); k++)
    told |= test_contains(dls_deck_problem_text(deck, k), sentence);
  CHECK_TOLD(told, "\"%s\" is told in the place of \"%s\"", dls_deck_problem_text(deck, 0),
             sentence);
  dls_deck_destroy(&deck);
  dls_scene_destroy(&scene);
}

/* The farthest point of a body from its centre of mass, over all its elements. */
static double farthest(const DlsWorld *w, int b) {
  double most = 0;
  for (int e = w->first[b]; e < w->first[b + 1]; e++) {
    const DlsSolid solid = dls_world_solid(w, e);
    DlsPose pose;
    dls_world_element_pose(w, e, w->position[b], w->orientation[b], &pose);
    if (solid.kind == DLS_SHAPE_BALL) {
      double d[3];
      for (int k = 0; k < 3; k++) d[k] = pose.position[k] - w->position[b][k];
      most = fmax(most, dls_vector_norm(d) + w->element[e].radius);
      continue;
    }
    const DlsConvex c = dls_convex_view(&solid);
    for (int v = 0; v < c.vertices; v++) {
      double x[3];
      dls_rotation_apply(pose.orientation, c.vertex + 3 * v, x);
      for (int k = 0; k < 3; k++) x[k] = solid.scale * x[k] + pose.position[k] - w->position[b][k];
      most = fmax(most, dls_vector_norm(x) + solid.scale * c.rounding);
    }
  }
  return most;
}

/* The same places with balls tell radii and centres. */
static void check_held(const char *with, const char *balls, double share) {
  DlsScene *scene = scene_of(with), *ball = scene_of(balls);
  if (scene && ball) {
    const DlsWorld *w = scene->simulation->world, *o = ball->simulation->world;
    CHECK_INT(w->count, o->count);
    for (int b = 0; b < w->count; b++) {
      const double r = o->element[b].radius;
      CHECK_NEAR(farthest(w, b), r, 1e-12 * r);
      for (int k = 0; k < 3; k++) CHECK_NEAR(w->position[b][k], o->position[b][k], 1e-14);
      if (share > 0) CHECK_NEAR(w->mass[b], share * o->mass[b], 1e-12 * o->mass[b]);
      CHECK_NEAR(w->mass[b], 2500 * w->volume[b], 1e-12 * w->mass[b]);
    }
  }
  dls_scene_destroy(&scene);
  dls_scene_destroy(&ball);
}

/* Area of the square over that of its circle: 2 / pi; volume of the cube over that of its sphere:
 * 2 / (sqrt(3) pi). A triangle given far from its centre: 3 sqrt(3) / (4 pi). */
TEST(grains_fill_the_balls_that_were_placed) {
  const double pi = 3.14159265358979323846;
  check_held(GRAINS_2D("shape: {kind: box, lengths: [2, 2]}"), GRAINS_2D("turns: none"), 2 / pi);
  check_held(GRAINS_2D("shape: {kind: polygon, points: [5, 0, 6, 0, 5.5, 0.8660254037844386]}"),
             GRAINS_2D("turns: none"), 3 * sqrt(3) / (4 * pi));
  check_held(GRAINS_3D("shape: {kind: box, lengths: [0.1, 0.1, 0.1]}"), GRAINS_3D("turns: none"),
             2 / (sqrt(3) * pi));
  check_held(GRAINS_2D("shape: {kind: irregular, corners: 4, most_corners: 9}"),
             GRAINS_2D("turns: none"), 0);
  check_held(GRAINS_3D("shape: {kind: irregular, corners: 12, elongation: 0.7, flatness: 0.6}"),
             GRAINS_3D("turns: none"), 0);
  check_held(GRAINS_3D("shape: {kind: irregular, corners: 12, radius: 1 cm, rounding: 1 mm}"),
             GRAINS_3D("turns: none"), 0);
}

/* Two balls of radius 1 that touch, each 1 from the middle: a ball of radius 2 holds them, a
 * quarter of its area in 2-D is half, of its volume in 3-D a quarter filled. */
TEST(clusters_too) {
  check_held(GRAINS_2D("cluster: [{at: [3, 1], radius: 1}, {at: [5, 1], radius: 1}]"),
             GRAINS_2D("turns: none"), 0.5);
  check_held(GRAINS_3D("cluster: [{at: [0, 0, 7], radius: 1}, {at: [0, 0, 9], radius: 1}]"),
             GRAINS_3D("turns: none"), 0.25);
}

TEST(shapes_are_shared_and_turned) {
  DlsScene *scene = scene_of(GRAINS_3D("shape: {kind: irregular, corners: 8, variants: 3}"));
  if (scene) {
    const DlsWorld *w = scene->simulation->world;
    const DlsShapeNumbers *set[3] = {NULL};
    int sets = 0;
    for (int b = 0; b < w->count; b++) {
      int k = 0;
      while (k < sets && set[k] != w->figure[b].numbers) k++;
      if (k == sets && sets < 3) set[sets++] = w->figure[b].numbers;
      CHECK(k < 3);
      if (b) CHECK(memcmp(w->orientation[b], w->orientation[b - 1], sizeof w->orientation[b]) != 0);
    }
    CHECK_INT(sets, 3);
  }
  dls_scene_destroy(&scene);
  scene = scene_of(GRAINS_2D("turns: none, shape: {kind: regular, corners: 5, radius: 1}"));
  if (scene) {
    const DlsWorld *w = scene->simulation->world;
    for (int b = 0; b < w->count; b++) {
      CHECK(w->figure[b].numbers == w->figure[0].numbers);
      CHECK_NEAR(w->angle[b], 0, 0);
    }
  }
  dls_scene_destroy(&scene);
}

/* A source of cubes that pours a mass a second: 0.3 kg in 30 steps of 1 ms at 10 kg/s. Each cube
 * of reach 1 cm has 2500 (2 cm / sqrt(3))^3 kg. */
TEST(sources_pour_solids_by_their_own_mass) {
  DlsScene *scene = scene_of(
      HEAD("3") "sources:\n"
                "  - {material: sand, region: {low: [0, 0, 0], high: [1, 1, 1]}, mass_rate: 10,\n"
                "     sizes: {radius: 1 cm}, shape: {kind: box, lengths: [1, 1, 1]}}\n");
  if (scene) {
    const double cube = 2500 * pow(0.02 / sqrt(3), 3);
    for (int k = 0; k < 30; k++) CHECK_OK(dls_scene_step(scene));
    const DlsWorld *w = scene->simulation->world;
    double mass = 0;
    for (int b = 0; b < w->count; b++) {
      CHECK_NEAR(w->mass[b], cube, 1e-12 * cube);
      mass += w->mass[b];
    }
    CHECK_NEAR(mass, 0.3, 10 * 1e-3 + cube); /* a step and a grain */
  }
  dls_scene_destroy(&scene);
}

TEST(mistakes_are_told_at_their_key) {
  refused(GRAINS_2D("shape: {kind: box, lengths: [1, 1]}, cluster: [{radius: 1}]"),
          "take one of them away");
  refused(GRAINS_2D("shape: {kind: irregular, corners: 5, rounding: 1 mm}"), "give the radius");
  refused(GRAINS_2D("shape: {kind: irregular, corners: 9, most_corners: 4}"), "lesser number");
  refused(GRAINS_3D("shape: {kind: polygon, points: [0, 0, 1, 0, 0, 1]}"), "a polygon is of 2-D");
  refused(HEAD("2") "grains: [{material: sand, place: file, file: /dev/null, "
                    "shape: {kind: box, lengths: [1, 1]}}]\n",
          "what the file says");
}
