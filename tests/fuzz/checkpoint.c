/* Checkpoints: edits of a good one, the digest made good; what is accepted goes on for some
 * steps. A byte behind the edits asks for the scene of deformable bodies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "post/time_average.h"
#include "record/checkpoint/checkpoint.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scene.h"
#include "tests/io/checkpoint_seal.h"

/* A scene with a mean of each kind, as a run has them. */
typedef struct {
  DlsScene *scene;
  DlsTimeAverage *time_average[DLS_OBSERVABLE_KINDS];
} Run;

static void run_open(Run *run, bool soft) {
  static const char *const cuts[] = {"plane:0,0.01:0,1"};
  run->scene = fuzz_scene(soft ? FUZZ_DEFORMABLE : 0);
  for (int k = 0; k < DLS_OBSERVABLE_KINDS; k++) {
    const DlsObservableRequest request = {.kind = (DlsObservableKind)k,
                                          .cuts = cuts,
                                          .ncuts = k == DLS_OBSERVABLE_CUT,
                                          .grid = "3x3",
                                          .plain = true,
                                          .along = k == DLS_OBSERVABLE_FLOOR ? "x:3" : NULL};
    const DlsWindow window = {.to = 1, .blocks = 10, .bins = k % 2 ? 3 : 1, .period = k % 2 * 0.01};
    if (dls_time_average_create(&request, 2, &window, &run->time_average[k]) != DLS_OK) abort();
  }
}

static void run_close(Run *run) {
  for (int k = 0; k < DLS_OBSERVABLE_KINDS; k++) dls_time_average_destroy(&run->time_average[k]);
  dls_scene_destroy(&run->scene);
}

static DlsStatus run_step(Run *run) {
  DlsPacking packing = {0};
  DLS_TRY(dls_scene_step(run->scene));
  DlsStatus status = dls_packing_take(run->scene->simulation, &packing);
  for (int k = 0; k < DLS_OBSERVABLE_KINDS && status == DLS_OK; k++)
    status = dls_time_average_add(run->time_average[k], &packing);
  dls_packing_clear(&packing);
  return status;
}

static void put(DlsCheckpointExtra *extra, const char *name, const Run *run, int time_average) {
  const size_t size = time_average < 0 ? dls_scene_state_size(run->scene)
                                       : dls_time_average_bytes(run->time_average[time_average]);
  char *bytes = malloc(size + 1);
  if (time_average < 0)
    dls_scene_state_save(run->scene, bytes);
  else
    dls_time_average_save(run->time_average[time_average], bytes);
  if (dls_checkpoint_extra_put(extra, name, bytes, size) != DLS_OK) abort();
  free(bytes);
}

static const EditedFile *good_file(bool soft) {
  static EditedFile both[2];
  EditedFile *good = &both[soft];
  char path[600], name[16];
  Run run;
  DlsCheckpointExtra extra = {0};
  if (good->bytes) return good;
  run_open(&run, soft);
  for (int k = 0; k < 25; k++)
    if (run_step(&run) != DLS_OK) {
      fprintf(stderr, "fuzz: %s\n", dls_error_message());
      exit(1);
    }
  put(&extra, "scene", &run, -1);
  for (int k = 0; k < DLS_OBSERVABLE_KINDS; k++) {
    snprintf(name, sizeof name, "average%d", k);
    put(&extra, name, &run, k);
  }
  snprintf(path, sizeof path, "%s/good.h5", fuzz_folder());
  if (dls_checkpoint_write(path, run.scene->simulation, &extra) != DLS_OK) abort();
  dls_checkpoint_extra_clear(&extra);
  run_close(&run);
  edited_take(path, good);
  return good;
}

static void seeds(FuzzSink *sink, void *context) {
  static const double values[] = {-1, 1e300, 3, 2147483648.0, 0};
  uint8_t edit[EDIT_BYTES + 1] = {0};
  for (int soft = 0; soft < 2; soft++) {
    const EditedFile *good = good_file(soft);
    sink(context, edit, (size_t)soft);
    for (int k = 0; k < good->count; k++)
      for (int n = 0; n < 5; n++) {
        edit_make(edit, k, (uint32_t)(8 * n * k), values[n], n == 2);
        if (n == 3) memcpy(edit + 8, &(int64_t){INT64_C(1) << 33}, 8);
        sink(context, edit, EDIT_BYTES + (size_t)soft);
      }
  }
}

static DlsStatus restore(Run *run, const DlsCheckpointExtra *extra) {
  char name[16];
  const DlsCheckpointBlob *blob = dls_checkpoint_extra_find(extra, "scene");
  if (!blob) return DLS_ERR_FORMAT;
  DLS_TRY(dls_scene_state_restore(run->scene, blob->bytes, blob->size));
  for (int k = 0; k < DLS_OBSERVABLE_KINDS; k++) {
    snprintf(name, sizeof name, "average%d", k);
    blob = dls_checkpoint_extra_find(extra, name);
    if (!blob) return DLS_ERR_FORMAT;
    DLS_TRY(dls_time_average_restore(run->time_average[k], blob->bytes, blob->size));
  }
  return DLS_OK;
}

static void one(const uint8_t *bytes, size_t size) {
  char path[600];
  Run run;
  DlsCheckpointExtra extra = {0};
  const bool soft = size % EDIT_BYTES == 1;
  const EditedFile *good = good_file(soft);
  snprintf(path, sizeof path, "%s/checkpoint.h5", fuzz_folder());
  edited_write(good, bytes, size, path);
  checkpoint_seal(path, good->name, good->count);
  run_open(&run, soft);
  if (dls_checkpoint_read(path, run.scene->simulation, false, &extra) == DLS_OK &&
      restore(&run, &extra) == DLS_OK)
    for (int k = 0; k < 2 && run_step(&run) == DLS_OK; k++) continue;
  dls_checkpoint_extra_clear(&extra);
  run_close(&run);
}

const FuzzTarget fuzz_checkpoint = {"checkpoint", seeds, one};
