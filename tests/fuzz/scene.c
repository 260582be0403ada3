#include "tests/fuzz/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/bodies_read.h"
#include "scene/scene_impl.h"

const char *const fuzz_deck_text[FUZZ_SCENES + 1] = {
    "dimension: 2\n"
    "time: {step: 2 ms, end: 1 s}\n"
    "gravity: [0, \"-9.81*(1 + 0.2*sin(20*t))\"]\n"
    "materials:\n"
    "  grain: {density: 2500}\n"
    "  wall: {density: 7800}\n"
    "laws:\n"
    "  - {law: coulomb, parameters: {mu: 0.4, rho: 0.2}}\n"
    "grains:\n"
    "  - {material: grain, place: rain, region: {low: [0, 1 cm], high: [0.1, 0.1]},\n"
    "     sizes: {kind: uniform, min: 4 mm, max: 6 mm}, count: 10, gap: 1 mm}\n"
    "bodies:\n"
    "  - {name: guest, material: grain, radius: 8 mm, position: [0.05, 0.2], until: 0.08}\n"
    "chains:\n"
    "  - {name: rope, material: grain, count: 3, radius: 4 mm, start: [0.02, 0.15],\n"
    "     end: [0.05, 0.15], stiffness: 500, damping: 0.1}\n"
    "sources:\n"
    "  - {material: grain, region: {low: [0.02, 0.2], high: [0.09, 0.25]},\n"
    "     sizes: {radius: 3 mm}, rate: 50, from: 0.01, until: 0.5}\n"
    "sinks:\n"
    "  - {region: {low: [-1, -1], high: [1, -0.05]}}\n"
    "boundaries:\n"
    "  floor: {shape: segment, material: wall, position: [0.05, 0], length: [0.1], depth: 5 mm}\n"
    "  left: {shape: plane, material: wall, axis: [1, 0]}\n"
    "  right: {shape: plane, material: wall, position: [0.1, 0], axis: [-1, 0],\n"
    "          servo: {pressure: 300, area: 0.1, mass: 5, damping: 20}}\n"
    "solver: {tolerance: 1e-2, max_iterations: 30}\n",
    "dimension: 3\n"
    "time: {step: 2 ms, end: 1 s}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials:\n"
    "  grain: {density: 2500}\n"
    "laws:\n"
    "  - {law: coulomb, parameters: {mu: 0.4}}\n"
    "bodies:\n"
    "  - {name: a, material: grain, radius: 1 cm, position: [0, 0, 0.01]}\n"
    "  - {name: b, material: grain, radius: 1 cm, position: [0.005, 0, 0.0295]}\n"
    "  - {name: c, material: grain, position: [0.03, 0, 0.012],\n"
    "     cluster: [{radius: 1 cm, at: [0, 0, 0]}, {radius: 8 mm, at: [0.01, 0, 0]}]}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: grain, axis: [0, 0, 1]}\n"
    "  drum: {shape: cylinder, material: grain, axis: [0, 0, 1], radius: [0.2], length: [0.5], "
    "inside: true}\n"
    "solver: {tolerance: 1e-2, max_iterations: 30}\n",
    "dimension: 2\n"
    "time: {step: 2 ms, end: 1 s}\n"
    "gravity: [0, -9.81]\n"
    "materials: {grain: {density: 2500}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.4}}]\n"
    "bodies:\n"
    "  - {material: grain, radius: 1 cm, position: [0, 0.01]}\n"
    "  - {material: grain, radius: 1 cm, position: [0.005, 0.0295]}\n"
    "boundaries: {floor: {shape: plane, material: grain, axis: [0, 1]}}\n"
    "solver: {tolerance: 1e-2, max_iterations: 30}\n",
    "dimension: 2\n"
    "time: {step: 0.2 ms, end: 1 s, theta: 0.6}\n"
    "gravity: [0, -9.81]\n"
    "materials: {grain: {density: 2500}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.4}}]\n"
    "bodies:\n"
    "  - {material: grain, radius: 4 mm, position: [0, 0.0145]}\n"
    "  - material: grain\n"
    "    position: [0, 0.005]\n"
    "    velocity: [0, -1]\n"
    "    deformable:\n"
    "      mesh: {kind: block, size: [3 cm, 1 cm], cells: [3, 1]}\n"
    "      bulk: {law: j2, parameters: {young: 1 MPa, poisson: 0.3, yield: 2 kPa}}\n"
    "boundaries: {floor: {shape: plane, material: grain, axis: [0, 1]}}\n"
    "solver: {tolerance: 1e-2, max_iterations: 30}\n",
};

DlsScene *fuzz_scene(int which) {
  const char *text = fuzz_deck_text[which];
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  if (dls_deck_parse("deck.yaml", text, strlen(text), &deck) != DLS_OK ||
      dls_scene_build(deck, &scene) != DLS_OK) {
    fprintf(stderr, "fuzz: scene %d: %s\n", which, dls_error_message());
    exit(1);
  }
  dls_deck_destroy(&deck);
  return scene;
}

/* Bodies that the deck brings in its first two steps, at most; infinite where only placing them
 * would tell. */
static double bodies_of(const DlsSceneData *data) {
  const DlsSceneGrains *grains = data->grains.items;
  const DlsSceneChain *chains = data->chains.items;
  const DlsSceneSource *sources = data->sources.items;
  double bodies = data->bodies.count;
  for (int k = 0; k < data->grains.count; k++) {
    const bool counted = grains[k].place == DLS_PLACE_RANDOM ||
                         grains[k].place == DLS_PLACE_PACKED || grains[k].place == DLS_PLACE_RAIN;
    if (grains[k].place == DLS_PLACE_FILE) continue; /* as many as the file has bytes for */
    bodies += counted && grains[k].count > 0 ? grains[k].count : HUGE_VAL;
  }
  for (int k = 0; k < data->chains.count; k++) bodies += chains[k].count;
  for (int k = 0; k < data->sources.count; k++)
    bodies += sources[k].rate > 0 ? 1 + 2 * sources[k].rate * data->time.step : HUGE_VAL;
  return bodies;
}

DlsStatus fuzz_build(DlsDeck *deck, bool restart, DlsScene **out) {
  enum { MOST = 200 };
  const DlsSceneOptions options = {.reader = dls_bodies_read, .restart = restart};
  DlsSceneData data;
  *out = NULL;
  DLS_TRY(dls_deck_set(deck, "solver.max_iterations=30"));
  DLS_TRY(dls_deck_read(deck, dls_scene_section(), &data));
  const double bodies = bodies_of(&data);
  dls_deck_release(dls_scene_section(), &data);
  DLS_CHECK(bodies <= MOST, DLS_ERR_UNSUPPORTED, "a scene of %g bodies", bodies);
  return dls_scene_build_with(deck, &options, out);
}

void fuzz_begin_from(const char *path, int dim) {
  char text[1200];
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  snprintf(text, sizeof text,
           "dimension: %d\n"
           "time: {step: 2 ms, end: 1 s}\n"
           "gravity: [0, %s-9.81]\n"
           "materials: {grain: {density: 2500}, wall: {density: 7800}}\n"
           "laws: [{law: coulomb, parameters: {mu: 0.4}}]\n"
           "grains: [{material: grain, place: file, file: '%s'}]\n"
           "boundaries: {floor: {shape: plane, material: wall, position: [0, %s-1]}}\n",
           dim, dim == 3 ? "0, " : "", path, dim == 3 ? "0, " : "");
  if (dls_deck_parse("deck.yaml", text, strlen(text), &deck) != DLS_OK) abort();
  if (fuzz_build(deck, false, &scene) == DLS_OK)
    for (int k = 0; k < 2 && dls_scene_step(scene) == DLS_OK; k++) continue;
  dls_scene_destroy(&scene);
  dls_deck_destroy(&deck);
}
