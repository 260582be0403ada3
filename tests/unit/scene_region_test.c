/* Regions of a deck: a section of keys and a line of text say the same, wherever one may stand. */
#include <stdio.h>

#include "deck/deck.h"
#include "post/probe.h"
#include "scene/scene.h"
#include "tests/test.h"

static const char deck_text[] = "dimension: %d\n"
                                "time: {end: 1}\n"
                                "materials: {rock: {}}\n"
                                "grains:\n"
                                "  - {material: rock, place: random, region: %s}\n"
                                "sinks:\n"
                                "  - {region: %s}\n"
                                "output: {averages: {mean: {of: stress, region: %s}}}\n";

/* The data of a deck with one region in all places; false where it is refused, with the problems
 * in `why`. */
static bool read_deck(int dim, const char *region, DlsSceneData *data, char *why, size_t bytes) {
  char text[2048];
  DlsDeck *deck = NULL;
  snprintf(text, sizeof text, deck_text, dim, region, region, region);
  CHECK_OK(dls_deck_parse("deck", text, strlen(text), &deck));
  const bool good = dls_deck_read(deck, dls_scene_section(), data) == DLS_OK;
  why[0] = '\0';
  for (int k = 0; k < dls_deck_problem_count(deck); k++) {
    const size_t used = strlen(why);
    snprintf(why + used, bytes - used, "%s\n", dls_deck_problem_text(deck, k));
  }
  dls_deck_destroy(&deck);
  return good;
}

static const DlsSceneRegion *grains_region(const DlsSceneData *data) {
  return &((const DlsSceneGrains *)data->grains.items)->region;
}

static const char *average_region(const DlsSceneData *data) {
  return ((const DlsSceneAverage *)data->output.averages.items)->region;
}

TEST(sections_and_texts_say_the_same_everywhere) {
  static const struct {
    int dim;
    const char *section, *text;
  } pairs[] = {
      {2, "{low: [1 mm, 2 cm], high: [0.25, 0.5]}", "\"box:0.001,0.02:0.25,0.5\""},
      {3, "{low: [0, 0, -1], high: [1, 2, 3]}", "\"box:0,0,-1:1,2,3\""},
      {2, "{shape: sphere, centre: [0.5, 1], radius: 25 cm}", "\"sphere:0.5,1:0.25\""},
      {3, "{shape: cylinder, centre: [1, 2, 3], radius: 0.5, height: 2}",
       "\"cylinder:1,2,4:0,0,1:0.5:2\""},
  };
  for (int n = 0; n < DLS_COUNT(pairs); n++) {
    DlsSceneData a = {0}, b = {0};
    DlsProbe probe[2];
    char why[4096];
    const bool good = read_deck(pairs[n].dim, pairs[n].section, &a, why, sizeof why);
    if (!good) test_fail(__FILE__, __LINE__, "%s: %s", pairs[n].section, why);
    if (!good) continue;
    const bool other = read_deck(pairs[n].dim, pairs[n].text, &b, why, sizeof why);
    if (!other) test_fail(__FILE__, __LINE__, "%s: %s", pairs[n].text, why);
    if (other) {
      const DlsSceneRegion *r = grains_region(&a), *s = grains_region(&b);
      const DlsSceneSink *sink = b.sinks.items;
      CHECK_INT(r->shape, s->shape);
      CHECK_INT(r->shape, sink->region.shape);
      for (int k = 0; k < 3; k++) {
        CHECK_NEAR(r->low[k], s->low[k], 0);
        CHECK_NEAR(r->high[k], s->high[k], 0);
        CHECK_NEAR(r->centre[k], s->centre[k], 0);
      }
      CHECK_NEAR(r->radius, s->radius, 0);
      CHECK_NEAR(r->height, s->height, 0);
      CHECK_OK(dls_probe_read(average_region(&a), pairs[n].dim, &probe[0]));
      CHECK_OK(dls_probe_read(average_region(&b), pairs[n].dim, &probe[1]));
      CHECK(memcmp(&probe[0], &probe[1], sizeof probe[0]) == 0);
      dls_deck_release(dls_scene_section(), &b);
    }
    dls_deck_release(dls_scene_section(), &a);
  }
}

TEST(regions_that_cannot_be_are_refused_with_the_cure) {
  static const struct {
    const char *region, *sentence;
  } cases[] = {
      {"\"half:0,0,0:0,0,1\"", "is no region of bodies; write box:LOW:HIGH"},
      {"\"frustum:0,0,0:1:2:3\"", "{shape: frustum, centre:"},
      {"\"cylinder:0,0,0:1,0,0:1:1\"", "does not stand upright; its axis is 0,0,1"},
      {"\"box:0,0,0:1,1\"", "is written box:LOW:HIGH"},
      {"{shape: frustum, radius: 1, height: 1}", "no average is over a frustum; take a box"},
      {"{shape: bx}", "did you mean 'box'?"},
      {"[0, 1]", "is a section, not a list"},
  };
  for (int n = 0; n < DLS_COUNT(cases); n++) {
    DlsSceneData data = {0};
    char why[8192];
    CHECK(!read_deck(3, cases[n].region, &data, why, sizeof why));
    if (!test_contains(why, cases[n].sentence))
      test_fail(__FILE__, __LINE__, "%s: no \"%s\" in:\n%s", cases[n].region, cases[n].sentence,
                why);
  }
}
