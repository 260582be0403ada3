/* Files made to do harm, each by one lie: the sentence names it, and no memory is taken or touched
 * on its word. */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/memory.h"
#include "post/time_average.h"
#include "record/frames/frames.h"
#include "record/packing_read.h"
#include "tests/fuzz/scene.h"
#include "tests/io/app_run.h"

#define FOLDER TEST_BINARY_DIR "/tests/tmp/hostile"

typedef struct {
  char *bytes;
  size_t size;
} Text;

static Text load(const char *path) {
  struct stat info;
  Text text = {0};
  FILE *file = fopen(path, "rb");
  CHECK(file && fstat(fileno(file), &info) == 0);
  if (!file) return text;
  text.size = (size_t)info.st_size;
  text.bytes = calloc(text.size + 64, 1);
  CHECK(fread(text.bytes, 1, text.size, file) == text.size);
  fclose(file);
  return text;
}

static void save(const char *path, const Text *text) {
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(text->bytes, 1, text->size, file) == text->size);
  if (file) fclose(file);
}

/* A frame of two disks on a floor, without compression, in FOLDER. */
static void write_frame(void) {
  DlsScene *scene = fuzz_scene(2);
  DlsFrames *frames = NULL;
  const DlsFramesOptions raw = {.series.vtu.zlib = 0};
  app_folder("hostile");
  for (int k = 0; k < 20; k++) CHECK_OK(dls_scene_step(scene));
  CHECK_OK(dls_frames_create(FOLDER, &raw, -HUGE_VAL, &frames));
  CHECK_OK(dls_frames_write(frames, scene->simulation));
  dls_frames_destroy(&frames);
  dls_scene_destroy(&scene);
}

/* The numbers of an array of the frame: behind '_' of the appended data, its offset, and the length
 * of 8 bytes. */
static char *numbers(const Text *text, const char *name) {
  char key[64];
  snprintf(key, sizeof key, "Name=\"%s\"", name);
  const char *tag = strstr(text->bytes, key), *offset = tag ? strstr(tag, "offset=\"") : NULL;
  const char *data = strstr(text->bytes, "<AppendedData");
  CHECK(offset && data);
  return offset && data ? strchr(data, '_') + 1 + strtol(offset + 8, NULL, 10) + 8 : NULL;
}

/* Writes `bytes` over entry `at` of an array of the series; the frame must then be refused with the
 * text. */
static void expect_refusal(const char *series, const char *array, int at, const void *number,
                           size_t width, const char *sentence) {
  char path[600];
  DlsPacking packing = {0};
  write_frame();
  snprintf(path, sizeof path, FOLDER "/%s_000000.vtu", series);
  Text text = load(path);
  char *place = numbers(&text, array);
  if (place) memcpy(place + (size_t)at * width, number, width);
  save(path, &text);
  CHECK_FAILS(dls_packing_read(FOLDER, 0, &packing), DLS_ERR_FORMAT, sentence);
  free(text.bytes);
  dls_packing_clear(&packing);
}

/* Cut to 32 bits, -2^32 + 5 is grain 5 of two. */
TEST(an_antagonist_of_64_bits_is_not_cut_to_32) {
  static const int64_t hostile[] = {-4294967291, -4294967297, -2, INT64_MIN, 3, INT64_MAX, 0};
  for (int k = 0; k < DLS_COUNT(hostile); k++)
    expect_refusal("contacts", "antagonist", 0, &hostile[k], 8,
                   "contact 0 is of no body and no boundary of the frame");
}

TEST(numbers_of_a_frame_are_those_of_grains_that_could_be) {
  const int64_t none = 0;
  const int32_t two = 2, huge = INT32_MAX, minus = -2;
  const double nan = NAN, below = -1, large = 1e308;
  expect_refusal("bodies", "held", 0, &two, 4, "held: point 0 has 2, not 0 or 1");
  expect_refusal("bodies", "id", 1, &none, 8, "id: the bodies are not in order at point 1");
  expect_refusal("bodies", "mass", 0, &below, 8, "point 0 has none above 0");
  expect_refusal("bodies", "velocity", 0, &nan, 8, "number 0 is not finite");
  expect_refusal("bodies", "time_step", 0, &below, 8, "a step of -1 s");
  expect_refusal("bodies", "boundaries", 0, &huge, 4, "2147483647 boundaries");
  expect_refusal("bodies", "boundaries", 0, &minus, 4, "-2 boundaries");
  expect_refusal("bodies", "walls", 0, &huge, 4, "2147483647 walls");
  expect_refusal("contacts", "status", 0, &huge, 4, "status: contact 0 has 2147483647");
  expect_refusal("contacts", "normal", 1, &large, 8, "not 1");
}

/* What a child finds, whose memory has a limit. */
static void read_folder(void *context, void *result) {
  DlsPacking packing = {0};
  (void)context;
  *(DlsStatus *)result = dls_packing_read(FOLDER, 0, &packing);
}

/* 50 million points in a file of 7 kB took 9.8 GB. */
TEST(points_are_counted_against_the_bytes_of_the_file) {
  static const char key[] = "NumberOfPoints=\"";
  const DlsChildLimits limits = {.seconds = 60, .megabyte = 200};
  DlsStatus status = DLS_OK;
  write_frame();
  Text text = load(FOLDER "/bodies_000000.vtu"), other = {calloc(text.size + 64, 1), 0};
  const char *at = strstr(text.bytes, key) + sizeof key - 1;
  const size_t before = (size_t)(at - text.bytes), digits = strcspn(at, "\"");
  memcpy(other.bytes, text.bytes, before);
  const size_t claimed = (size_t)sprintf(other.bytes + before, "50000000");
  memcpy(other.bytes + before + claimed, at + digits, text.size - before - digits);
  other.size = text.size + claimed - digits;
  save(FOLDER "/bodies_000000.vtu", &other);
  DlsPacking packing = {0};
  CHECK_FAILS(dls_packing_read(FOLDER, 0, &packing), DLS_ERR_FORMAT,
              "array 'Points' is cut off or spoilt");
#ifndef __SANITIZE_ADDRESS__
  const DlsChildEnd end = dls_child_run(read_folder, NULL, &limits, &status, sizeof status);
  CHECK_INT(end.outcome, DLS_CHILD_DONE);
  CHECK_INT(status, DLS_ERR_FORMAT);
  CHECK_BELOW(end.peak_mb, 200);
#else
  (void)limits, (void)status, (void)read_folder;
#endif
  free(text.bytes);
  free(other.bytes);
}

/* Each number of a saved average becomes an absurd one in turn: it is refused, or goes on. */
static void spoil_average(const DlsPacking *g, DlsObservableKind kind, int *refused) {
  static const int64_t hostile[] = {-1, INT64_C(1) << 33, 3, INT64_MAX, 0x7ff0000000000000};
  static const char *const cuts[] = {"plane:0,0.01:0,1", "plane:0,0.02:0,1"};
  const DlsObservableRequest request = {.kind = kind,
                                        .cuts = cuts,
                                        .ncuts = kind == DLS_OBSERVABLE_CUT ? 2 : 0,
                                        .grid = "3x2",
                                        .along = kind == DLS_OBSERVABLE_PROFILE ? "y:4" : "x:4"};
  const DlsWindow window = {.to = 100, .blocks = 4, .bins = 1};
  DlsTimeAverage *time_average = NULL, *again;
  CHECK_OK(dls_time_average_create(&request, g->dim, &window, &time_average));
  CHECK_OK(dls_time_average_add(time_average, g));
  const size_t size = dls_time_average_bytes(time_average);
  char *bytes = malloc(size), *other = malloc(size);
  dls_time_average_save(time_average, bytes);
  const size_t most = size < 800 ? size : 800;
  for (size_t at = 0; at + 8 <= most; at++)
    for (int k = 0; k < DLS_COUNT(hostile) && (at % 4 == 0); k++) {
      memcpy(other, bytes, size);
      memcpy(other + at, &hostile[k], 8);
      CHECK_OK(dls_time_average_create(&request, g->dim, &window, &again));
      if (dls_time_average_restore(again, other, size) == DLS_OK)
        dls_time_average_add(again, g);
      else
        (*refused)++;
      dls_time_average_destroy(&again);
    }
  for (size_t cut = 0; cut < size; cut += 1 + size / 50) {
    CHECK_OK(dls_time_average_create(&request, g->dim, &window, &again));
    CHECK_FAILS(dls_time_average_restore(again, bytes, cut), DLS_ERR_FORMAT, "average: ");
    dls_time_average_destroy(&again);
  }
  free(bytes);
  free(other);
  dls_time_average_destroy(&time_average);
}

TEST(an_average_of_a_checkpoint_is_checked_field_by_field) {
  DlsPacking packing = {0};
  write_frame();
  CHECK_OK(dls_packing_read(FOLDER, 0, &packing));
  for (int kind = 0; kind < DLS_OBSERVABLE_KINDS; kind++) {
    int refused = 0;
    spoil_average(&packing, (DlsObservableKind)kind, &refused);
    CHECK(refused > 20);
  }
  dls_packing_clear(&packing);
}

/* A deck with one boundary more than the checkpoint: its motion was written behind the array. */
TEST(a_checkpoint_of_fewer_boundaries_is_refused) {
  DlsScene *scene = fuzz_scene(0);
  const size_t size = dls_scene_state_size(scene);
  char *bytes = malloc(size);
  dls_scene_state_save(scene, bytes);
  CHECK_OK(dls_scene_state_restore(scene, bytes, size));
  dls_world_remove_boundary(scene->simulation->world, 2);
  CHECK_FAILS(dls_scene_state_restore(scene, bytes, size), DLS_ERR_FORMAT,
              "the checkpoint has 2 boundaries, the deck 3");
  free(bytes);
  dls_scene_destroy(&scene);
}

TEST(grains_beyond_the_memory_of_the_machine_are_refused_before_any_is_placed) {
  FILE *deck = fopen(app_folder("hostile") ? FOLDER "/many.yaml" : "", "w");
  CHECK(deck != NULL);
  if (!deck) return;
  fputs("dimension: 2\ntime: {step: 1 ms, end: 1 ms}\nmaterials: {grain: {density: 2500}}\n"
        "laws: [{law: coulomb, parameters: {mu: 0.4}}]\n"
        "grains:\n  - {material: grain, place: rain, region: {low: [0, 0], high: [1e6, 1e6]},\n"
        "     sizes: {radius: 1 mm}, count: 99999999}\n",
        deck);
  fclose(deck);
  CHECK_RUN("run " FOLDER "/many.yaml --out " FOLDER "/many --set 'grains[0].count=1e12'", 2,
            "1e+12 is out of bounds; give a value from 0 to 100000000");
  if (dls_memory_physical() > (size_t)99999999 * 1000)
    test_skip("a machine with memory for 99999999 grains, which it may place");
  CHECK_RUN("run " FOLDER "/many.yaml --out " FOLDER "/many", 2,
            "99999999 grains want about 100 GB of memory");
}
