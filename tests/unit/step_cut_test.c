/* A step that is cut in its solve has not been: the world, the accounts and what contacts
 * remember are those from before, and the run goes on as if nobody had asked. */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

/* A source that finds no room, a servo and grains on the move: all that a step changes. */
static const char text[] =
    "dimension: 2\n"
    "time: {step: 2 ms, end: 1}\n"
    "gravity: [0, -9.81]\n"
    "materials: {grain: {density: 2500}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.4, rho: 0.3}}]\n"
    "grains:\n"
    "  - {material: grain, place: random, region: {low: [0, 0], high: [0.1, 0.08]}, count: 40,\n"
    "     sizes: {kind: uniform, min: 3 mm, max: 5 mm}, velocity: [0.3, -1]}\n"
    "sources:\n"
    "  - {material: grain, region: {low: [0.02, 0.05], high: [0.08, 0.09]}, sizes: {radius: 4 "
    "mm},\n"
    "     rate: 400}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: grain}\n"
    "  left: {shape: plane, material: grain, axis: [1, 0]}\n"
    "  right: {shape: plane, material: grain, position: [0.1, 0], axis: [-1, 0],\n"
    "          servo: {pressure: 500, area: 0.1, mass: 5, damping: 20}}\n"
    "solver: {name: nsgs, tolerance: 1e-6}\n";

static DlsScene *open_scene(const char *scheme, const char *control) {
  char set[64];
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck", text, strlen(text), &deck));
  snprintf(set, sizeof set, "time.scheme=%s", scheme);
  CHECK_OK(dls_deck_set(deck, set));
  snprintf(set, sizeof set, "time.control=%s", control);
  CHECK_OK(dls_deck_set(deck, set));
  CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  if (!scene) exit(1);
  return scene;
}

/* Stops at the k-th measure of a step; 0: never. */
static int calls, stop_at;
static int on_measure(void *context, long iteration, double time_s, double error) {
  (void)context, (void)iteration, (void)time_s, (void)error;
  return ++calls == stop_at;
}

static bool same(const DlsScene *a, const DlsScene *b) {
  const DlsSimulation *s = a->simulation, *t = b->simulation;
  const DlsWorld *v = s->world, *w = t->world;
  const size_t n = (size_t)v->count, c = (size_t)s->state.memory.count;
  if (v->count != w->count || s->state.memory.count != t->state.memory.count ||
      s->state.step != t->state.step)
    return false;
  const DlsSourceState *p = a->poured, *q = b->poured;
  return s->state.time == t->state.time &&
         memcmp(&s->state.ledger, &t->state.ledger, sizeof s->state.ledger) == 0 &&
         memcmp(v->position, w->position, n * sizeof *v->position) == 0 &&
         memcmp(v->velocity, w->velocity, n * sizeof *v->velocity) == 0 &&
         memcmp(v->angle, w->angle, n * sizeof *v->angle) == 0 &&
         memcmp(s->state.memory.key, t->state.memory.key, c * sizeof *s->state.memory.key) == 0 &&
         memcmp(s->state.r, t->state.r, c * (size_t)s->state.block * sizeof *s->state.r) == 0 &&
         p->poured == q->poured && p->tries == q->tries && test_same_bits(p->mass, q->mass);
}

TEST(a_step_that_is_cut_leaves_the_run_as_if_it_had_not_been_tried) {
  static const char *const schemes[] = {"moreau", "euler"}, *const controls[] = {"none", "halve"};
  for (int k = 0; k < 4; k++) {
    DlsScene *alone = open_scene(schemes[k / 2], controls[k % 2]);
    DlsScene *cut = open_scene(schemes[k / 2], controls[k % 2]);
    DlsSimulation *s = cut->simulation;
    int cuts = 0, in_parts = 0;
    s->settings.monitor = (DlsMonitor){on_measure, NULL};
    for (int step = 0; step < 60; step++) {
      CHECK_OK(dls_scene_step(alone));
      /* At its first measure, at its second ... until the step is over before it. */
      for (stop_at = 1;; stop_at += 1 + stop_at / 2) {
        const double time = s->state.time;
        calls = 0;
        CHECK_OK(dls_scene_step(cut));
        if (!s->last.cut) break;
        CHECK(s->state.time == time && s->state.step == step && cut->ready);
        cuts++;
      }
      in_parts += s->last.report.parts > 1;
      CHECK(same(alone, cut));
    }
    CHECK(cuts > 60); /* else the test shows nothing */
    CHECK(k % 2 == 0 || in_parts > 0);
    CHECK(alone->poured[0].tries > 0);
    dls_scene_destroy(&alone);
    dls_scene_destroy(&cut);
  }
}

TEST(a_step_that_nobody_cuts_is_whole) {
  DlsScene *scene = open_scene("moreau", "none");
  CHECK_OK(dls_scene_step(scene));
  CHECK(!scene->simulation->last.cut && !scene->ready);
  CHECK_INT(scene->simulation->state.step, 1);
  dls_scene_destroy(&scene);
}
