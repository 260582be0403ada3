/* A run with populations and a source of clusters and solids, and its restart, to the byte. */
#include "tests/io/app_run.h"

#include <unistd.h>

static const char deck_text[] =
    "dimension: 2\n"
    "time: {step: 1 ms, end: 60 ms}\n"
    "gravity: [0, -9.81]\n"
    "materials: {grain: {density: 2500}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.4}}]\n"
    "grains:\n"
    "  - {material: grain, place: rain, region: {low: [0, 0], high: [0.2, 0.1]}, count: 40,\n"
    "     sizes: {kind: uniform, min: 5 mm, max: 9 mm}, gap: 0.1 mm, seed: 2,\n"
    "     shape: {kind: irregular, corners: 4, most_corners: 7, variants: 5}}\n"
    "  - {material: grain, place: random, region: {low: [0, 0.3], high: [0.2, 0.4]}, count: 8,\n"
    "     sizes: {radius: 8 mm}, velocity: [0, -1],\n"
    "     cluster: [{at: [0, 0], radius: 1}, {at: [1.5, 0], radius: 1}]}\n"
    "sources:\n"
    "  - {material: grain, region: {low: [0, 0.5], high: [0.2, 0.6]}, rate: 300,\n"
    "     sizes: {radius: 7 mm}, shape: {kind: irregular, corners: 5}, velocity: [0, -1]}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: grain}\n"
    "  left: {shape: plane, material: grain, axis: [1, 0]}\n"
    "  right: {shape: plane, material: grain, position: [0.2, 0], axis: [-1, 0]}\n"
    "solver: {tolerance: 1e-4}\n"
    "output: {every: 10 ms}\n";

static bool same(const char *file) {
  char command[512];
  snprintf(command, sizeof command, "cmp whole/%s half/%s", file, file);
  return system(command) == 0;
}

TEST(a_restart_of_solids_and_clusters_gives_the_same_bytes) {
  remove_folder(app_folder("forms_deck"));
  CHECK_INT(chdir(app_folder("forms_deck")), 0);
  FILE *file = fopen("deck.yaml", "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs(deck_text, file);
  fclose(file);
  CHECK_RUN("run deck.yaml --quiet --out whole", 0, "");
  CHECK_RUN("run deck.yaml --quiet --set time.end=0.03 --out half", 0, "");
  CHECK_RUN("run --restart half/checkpoint.h5 --quiet --set time.end=0.06", 0, "");
  CHECK(same("bodies_000006.vtu"));
  CHECK(same("contacts_000006.vtu"));
  CHECK(same("outlines_000006.vtu"));
  /* Another seed is another deposit; a restart refuses it by name. */
  CHECK_RUN("run deck.yaml --quiet --set grains[0].shape.seed=7 --out other", 0, "");
  CHECK(system("cmp -s whole/bodies_000000.vtu other/bodies_000000.vtu") != 0);
  CHECK_RUN("run --restart half/checkpoint.h5 --set grains[0].shape.corners=5 --set time.end=0.07",
            2, "grains[0].shape.corners: 4 -> 5");
}
