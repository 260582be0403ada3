/* Surfaces that remember, from a deck to files: a run that is broken off and goes on leaves the
 * same frames and the same checkpoint; other patches must be asked for; a failure keeps what the
 * law was told of them. */
#include "tests/io/app_run.h"
#include "tests/io/run_files.h"

#include "law_bench/failure_file.h"

#include <math.h>

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/surface_deck"

static const char deck[] =
    "time: {step: 1 ms, end: 0.3 s}\ngravity: [3, 0, -9]\nmaterials: {steel: {density: 7800}}\n"
    "laws: [{law: [coulomb, wear], parameters: {coulomb: {mu: 0.2}, wear: {k: 1e-2, hardness: 1e8, "
    "area: 1e-4}}}]\n"
    "surfaces: {directions: 60, cell: 2 cm}\n"
    "bodies:\n"
    "  - {material: steel, radius: 2 cm, position: [0, 0, 0.03], velocity: [0.3, 0, 0]}\n"
    "  - {material: steel, radius: 2 cm, position: [0.06, 0.01, 0.03]}\n"
    "  - {material: steel, radius: 2 cm, position: [0.03, 0, 0.08], until: 0.25 s}\n"
    "boundaries: {floor: {shape: plane, material: steel}}\n"
    "output: {every: 0.1 s, checkpoint: 0.2 s}\n";

static bool write_deck(void) {
  app_folder("surface_deck");
  FILE *file = fopen(SCRAPS "/deck.yaml", "w");
  CHECK(file != NULL);
  if (!file) return false;
  fputs(deck, file);
  return fclose(file) == 0;
}

TEST(a_worn_run_that_goes_on_leaves_the_same_files) {
  static const char *const names[] = {
      "patches_000000.vtu",    "patches_000003.vtu",  "patches.pvd",  "bodies_000003.vtu",
      "boundaries_000003.vtu", "contacts_000003.vtu", "checkpoint.h5"};
  if (!write_deck()) return;
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/whole"), 0);
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --set time.end=0.2 --out " SCRAPS
                    "/broken"),
            0);
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --restart " SCRAPS
                    "/broken/checkpoint.h5 --out " SCRAPS "/broken"),
            0);
  for (int k = 0; k < DLS_COUNT(names); k++)
    if (!run_same_file(SCRAPS "/whole", SCRAPS "/broken", names[k]))
      test_fail(__FILE__, __LINE__, "%s differs", names[k]);
  CHECK_RUN("run " SCRAPS
            "/deck.yaml --overwrite --quiet --set surfaces.directions=50 --restart " SCRAPS
            "/broken/checkpoint.h5 --out " SCRAPS "/other",
            2, "surfaces.directions");
  CHECK_INT(app_run("run " SCRAPS
                    "/deck.yaml --overwrite --quiet --set surfaces.directions=50 --set "
                    "time.end=0.35 --change surfaces --restart " SCRAPS
                    "/broken/checkpoint.h5 --out " SCRAPS "/other"),
            0);
}

TEST(a_deck_with_impossible_patches_is_refused) {
  if (!write_deck()) return;
  CHECK_RUN("run " SCRAPS "/deck.yaml --set surfaces.directions=1 --out " SCRAPS "/wrong", 2,
            "surfaces.directions");
  CHECK_RUN("run " SCRAPS "/deck.yaml --set surfaces.cell=0 --out " SCRAPS "/wrong", 2,
            "surfaces.cell");
}

TEST(a_failure_keeps_what_the_law_was_told_of_surfaces) {
  DlsLawFailure kept = {.function = "surface", .sentence = "it failed", .contact = 3}, read;
  app_folder("surface_deck");
  CHECK_OK(dls_law_find("coulomb", &kept.law[0]));
  CHECK_OK(dls_law_find("wear", &kept.law[1]));
  dls_law_defaults(kept.law[0], kept.params);
  dls_law_defaults(kept.law[1], kept.params + kept.law[0]->nparams);
  kept.kinematics = dls_contact_default(3);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 2; k++) kept.surface[side][k] = 1e-9 * (1 + 2 * side + k);
  CHECK_OK(dls_failure_write(&kept, SCRAPS "/failure.yaml"));
  CHECK_OK(dls_failure_read(SCRAPS "/failure.yaml", &read));
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 2; k++) CHECK_NEAR(read.surface[side][k], kept.surface[side][k], 0);
  CHECK_OK(dls_law_failure_repeat(&read)); /* no failure now */
}
