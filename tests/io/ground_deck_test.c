/* A record of ground motion from its file to a run: restarts and the resolved deck give the same
 * bytes, mistakes are told with their line, and two thousand broken files are read or refused. */
#include "tests/io/app_run.h"
#include "tests/io/mutations.h"
#include "tests/io/run_files.h"

#include "base/random.h"
#include "scene/scene.h"

#include <string.h>

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/ground_deck"

static const char record[] = "# a shake\n"
                             "time [s], x [m/s2], y [mm/s2]\n"
                             "0, 0, 0\n"
                             "0.05, 4, 1000\n"
                             "0.15, -5, -500\n"
                             "0.2, 3.5, 0\n"
                             "0.3, 0, 250\n";

static const char deck_text[] =
    "dimension: 2\ntime: {step: 1 ms, end: 0.4 s}\ngravity: [0, -9.81]\n"
    "materials: {rock: {density: 2000}}\nlaws: [{law: coulomb, parameters: {mu: 0.3}}]\n"
    "ground: {file: record.csv, scale: 1.5}\n"
    "loads: [{on: [top], acceleration: [\"2*t\", 0]}]\n"
    "bodies:\n"
    "  - {name: base, material: rock, position: [0, -0.5], fixed: [all], shape: {kind: box, "
    "lengths: [4, 1]}}\n"
    "  - {name: low, material: rock, position: [0, 0.05], shape: {kind: box, lengths: [0.4, "
    "0.1]}}\n"
    "  - {name: top, material: rock, position: [0.02, 0.15], shape: {kind: box, lengths: [0.3, "
    "0.1]}}\n"
    "output: {every: 0.1 s, checkpoint: 0.2 s}\n";

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0);
  if (file) fclose(file);
}

static void begin(void) {
  app_folder("ground_deck");
  write_file(SCRAPS "/deck.yaml", deck_text);
  write_file(SCRAPS "/record.csv", record);
}

TEST(a_shaken_run_that_goes_on_leaves_the_same_files) {
  static const char *const names[] = {"bodies_000004.vtu", "contacts_000004.vtu", "checkpoint.h5"};
  begin();
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/whole"), 0);
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --set time.end=0.2 --out " SCRAPS
                    "/broken"),
            0);
  CHECK_INT(remove(SCRAPS "/record.csv"), 0); /* the checkpoint has its numbers */
  CHECK_INT(app_run("run --quiet --restart " SCRAPS
                    "/broken/checkpoint.h5 --set time.end=0.4 --out " SCRAPS "/broken"),
            0);
  for (int k = 0; k < DLS_COUNT(names); k++)
    if (!run_same_file(SCRAPS "/whole", SCRAPS "/broken", names[k]))
      test_fail(__FILE__, __LINE__, "%s differs", names[k]);
  CHECK_INT(app_run("run " SCRAPS "/whole/resolved.yaml --overwrite --quiet --out " SCRAPS "/same"),
            0);
  CHECK(run_same_file(SCRAPS "/whole", SCRAPS "/same", "bodies_000004.vtu"));
}

static void refused(const char *text, const char *sentence) {
  write_file(SCRAPS "/record.csv", text);
  CHECK_RUN("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/bad", 2, sentence);
}

TEST(mistakes_of_a_record_are_told_with_their_line) {
  begin();
  refused("0, 1\n1, 2\n", "the first line names the columns and their units");
  refused("time [s], x\n0, 1\n1, 2\n", "the column 'x' has no unit");
  refused("time [s], x [m]\n0, 1\n1, 2\n", "a unit like m/s2 is wanted");
  refused("time [s], w [m/s2]\n0, 1\n1, 2\n", "there is no column of accelerations");
  refused("time [s], x [m/s2]\n0, 1\n1, 2\n1, 3\n",
          "record.csv:4: the time 1 s does not follow 1 s");
  refused("time [s], x [m/s2]\n0, 1\n1, two\n", "record.csv:3");
  refused("time [s], x [m/s2]\n0, 1\n", "lists of two or more");
  refused("time [s], z [m/s2]\n0, 1\n1, 2\n", "out of the plane");
}

/* Bytes changed, taken out, doubled; the record cut. */
static const char *read_broken(int index, bool *accepted) {
  DlsRandom random;
  Bytes bytes = {.count = sizeof record - 1};
  memcpy(bytes.bytes, record, bytes.count);
  dls_random_stream(&random, 15, (uint64_t)index);
  for (int n = 1 + dls_random_below(&random, 4); n > 0 && bytes.count > 2; n--) {
    const size_t at = (size_t)dls_random_below(&random, (int)bytes.count);
    static const char odd[] = "0-9e+.,;\n []#xyzntimes/m2\"\0\xff";
    switch (dls_random_below(&random, 4)) {
    case 0:
      bytes.bytes[at] = (unsigned char)odd[dls_random_below(&random, (int)sizeof odd - 1)];
      break;
    case 1:
      memmove(bytes.bytes + at, bytes.bytes + at + 1, bytes.count - at - 1);
      bytes.count--;
      break;
    case 2:
      memmove(bytes.bytes + at + 1, bytes.bytes + at, bytes.count - at);
      bytes.count++;
      break;
    default:
      if (dls_random_below(&random, 4) == 0) bytes.count = at + 1;
    }
  }
  mutation_save(SCRAPS "/broken.csv", &bytes);
  static const char text[] = "dimension: 2\ntime: {step: 1 ms, end: 1 ms}\n"
                             "materials: {rock: {}}\nlaws: [{law: coulomb}]\n"
                             "ground: {file: broken.csv}\n"
                             "boundaries: {floor: {shape: plane, material: rock}}\n";
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  if (dls_deck_parse(SCRAPS "/deck.yaml", text, strlen(text), &deck) != DLS_OK) return "no deck";
  *accepted = dls_scene_build(deck, &scene) == DLS_OK;
  const char *wrong = NULL;
  if (!*accepted && dls_deck_problem_count(deck) == 0) wrong = "refused without a sentence";
  if (*accepted && dls_scene_step(scene) != DLS_OK) wrong = "accepted, and does not run";
  dls_scene_destroy(&scene);
  dls_deck_destroy(&deck);
  return wrong;
}

TEST(two_thousand_broken_records_are_read_or_refused) {
  begin();
  mutations_run(2000, 10, read_broken);
}
