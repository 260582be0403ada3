/* Frames: the bytes are bodies_000000.vtu and contacts_000000.vtu one behind the other. */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "post/chains.h"
#include "post/diameters.h"
#include "post/silo.h"
#include "post/time_average.h"
#include "record/frames/frames.h"
#include "record/packing_read.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scene.h"

static void read_pair(const char *folder, FuzzSink *sink, void *context) {
  char path[600];
  size_t size[2];
  uint8_t *part[2];
  snprintf(path, sizeof path, "%s/bodies_000000.vtu", folder);
  part[0] = fuzz_load(path, &size[0]);
  snprintf(path, sizeof path, "%s/contacts_000000.vtu", folder);
  part[1] = fuzz_load(path, &size[1]);
  uint8_t *both = malloc(size[0] + size[1]);
  memcpy(both, part[0], size[0]);
  memcpy(both + size[0], part[1], size[1]);
  sink(context, both, size[0] + size[1]);
  free(both);
  free(part[0]);
  free(part[1]);
}

/* Each scene with raw data, and one packed. */
static void seeds(FuzzSink *sink, void *context) {
  for (int k = 0; k <= FUZZ_SCENES; k++) {
    DlsScene *scene = fuzz_scene(k % FUZZ_SCENES);
    DlsFrames *frames = NULL;
    const DlsFramesOptions options = {.series.vtu.zlib = k == FUZZ_SCENES};
    for (int n = 0; n < 25; n++) dls_scene_step(scene);
    if (dls_frames_create(fuzz_folder(), &options, -HUGE_VAL, &frames) == DLS_OK &&
        dls_frames_write(frames, scene->simulation) == DLS_OK)
      read_pair(fuzz_folder(), sink, context);
    dls_frames_destroy(&frames);
    dls_scene_destroy(&scene);
  }
}

/* A mean of one instant, saved, restored, and gone on with. */
static void take_mean(const DlsPacking *g, DlsObservableKind kind) {
  const char *const cuts[] = {g->dim == 3 ? "plane:0,0,0.01:0,0,1" : "plane:0,0.01:0,1"};
  const DlsObservableRequest request = {.kind = kind,
                                        .cuts = cuts,
                                        .ncuts = kind == DLS_OBSERVABLE_CUT,
                                        .grid = g->dim == 3 ? "4x4x3" : "6x5",
                                        .kernel = kind % 2 ? "lucy:1d" : "gauss:1d"};
  const DlsWindow window = {.from = 0, .to = 100, .blocks = 4, .bins = 1};
  DlsTimeAverage *average = NULL, *again = NULL;
  if (dls_time_average_create(&request, g->dim, &window, &average) == DLS_OK &&
      dls_time_average_add(average, g) == DLS_OK) {
    const size_t size = dls_time_average_bytes(average);
    char *bytes = malloc(size);
    dls_time_average_save(average, bytes);
    if (dls_time_average_create(&request, g->dim, &window, &again) == DLS_OK &&
        dls_time_average_restore(again, bytes, size) == DLS_OK)
      dls_time_average_add(again, g);
    free(bytes);
  }
  dls_time_average_destroy(&average);
  dls_time_average_destroy(&again);
}

static void take_rest(const DlsPacking *g) {
  DlsGrainStress stress = {0};
  DlsChains chains = {0};
  DlsSiloSums sums;
  DlsSilo silo;
  DlsDiameters diameters;
  DlsProbe all, ball;
  double share[3];
  const DlsChainRule rule = {0.5, 3};
  if (dls_grain_stress(g, 1, &stress) == DLS_OK) dls_chains(g, &stress, &rule, &chains);
  dls_chains_clear(&chains);
  dls_grain_stress_clear(&stress);
  dls_percolation(g, share);
  if (dls_probe_read("all", g->dim, &all) == DLS_OK &&
      dls_silo_begin(g, &all, 5, &sums) == DLS_OK && dls_silo_add(&sums, g) == DLS_OK)
    dls_silo_end(&sums, &silo);
  if (dls_probe_read(g->dim == 3 ? "sphere:0,0,0.02:0.02" : "sphere:0.05,0.02:0.03", g->dim,
                     &ball) == DLS_OK)
    dls_diameters(g, &ball, 0, 8, &diameters);
}

static void one(const uint8_t *bytes, size_t size) {
  static const char end[] = "</VTKFile>";
  char path[600];
  const uint8_t *cut = memmem(bytes, size, end, sizeof end - 1);
  const size_t first = cut ? (size_t)(cut - bytes) + sizeof end - 1 : size;
  DlsPacking packing = {0};
  snprintf(path, sizeof path, "%s/bodies_000000.vtu", fuzz_folder());
  fuzz_save(path, bytes, first);
  snprintf(path, sizeof path, "%s/contacts_000000.vtu", fuzz_folder());
  fuzz_save(path, bytes + first, size - first);
  if (dls_packing_read(fuzz_folder(), 0, &packing) == DLS_OK) {
    for (int kind = 0; kind < DLS_OBSERVABLE_KINDS; kind++)
      take_mean(&packing, (DlsObservableKind)kind);
    take_rest(&packing);
  }
  dls_packing_clear(&packing);
  snprintf(path, sizeof path, "%s/bodies_000000.vtu", fuzz_folder());
  for (int dim = 2; dim <= 3; dim++) fuzz_begin_from(path, dim);
}

const FuzzTarget fuzz_frame = {"frame", seeds, one};
