/* Laws whose parameters are formulas, that begin with states and ask for fields, at boundaries by
 * name: a run that is broken and goes on gives the same bytes, and what is changed in between is
 * told. Through the command line, as users do. */
#include "tests/io/app_run.h"

#include <unistd.h>

#define LAWS TEST_BINARY_DIR "/tests/plugins/composed"

static const char deck_text[] =
    "title: a slope that warms\n"
    "time: {step: 1 ms, end: 60 ms, scheme: %s}\n"
    "gravity: [3, 0, -9]\n"
    "materials: {sand: {density: 2500}, steel: {density: 7800}}\n"
    "laws:\n"
    "  - {law: [" LAWS "/warm.so, " LAWS "/damp.so, " LAWS "/pull.so],\n"
    "     parameters: {warm: {mu: \"0.2 + 0.1*x + radius\", beta: 1e-3}, pull: {reach: 1e-4,\n"
    "     force: \"1e-3*(1 + t)\"}}, state: {pull: {age: 5}}}\n"
    "  - {law: mortar, between: [sand, bottom], parameters: {f_t: \"1e4*(1 + x)\"}, state: "
    "{damage: "
    "0.1}}\n"
    "  - {law: coulomb, between: [sand, left], parameters: {mu: 0.1}}\n"
    "fields:\n"
    "  temperature: [{value: \"290 + 100*t + 10*z\"}, {of: left, value: 350 K}]\n"
    "  humidity: [{of: sand, value: \"0.5 + 0.1*x\"}]\n"
    "grains:\n"
    "  - {material: sand, place: lattice, lattice: cubic, pitch: 1 cm, sizes: {radius: 5 mm},\n"
    "     region: {low: [0, 0, 0], high: [0.04, 0.03, 0.03]}}\n"
    "boundaries:\n"
    "  bottom: {shape: plane, material: steel}\n"
    "  left: {shape: plane, material: steel, axis: [1, 0, 0]}\n"
    "output: {every: 20 ms, checkpoint: 20 ms}\n";

static void begin(const char *scheme) {
  char command[2400];
  const char *folder = app_folder("law_deck");
  snprintf(command, sizeof command, "rm -rf '%s/%s' && mkdir '%s/%s'", folder, scheme, folder,
           scheme);
  CHECK_INT(system(command), 0);
  snprintf(command, sizeof command, "%s/%s", folder, scheme);
  CHECK_INT(chdir(command), 0);
  FILE *file = fopen("deck.yaml", "w");
  CHECK(file != NULL);
  if (!file) return;
  fprintf(file, deck_text, scheme);
  fclose(file);
}

TEST(a_restart_gives_the_same_bytes) {
  static const char *const schemes[] = {"moreau", "euler"};
  for (int k = 0; k < DLS_COUNT(schemes); k++) {
    begin(schemes[k]);
    CHECK_RUN("run deck.yaml --out whole", 0, "done after 60 steps");
    CHECK_RUN("run deck.yaml --out broken --set time.end=0.03", 0, "done after 30 steps");
    CHECK_RUN("run --restart broken/checkpoint.h5 --set time.end=0.06", 0, "done after 60 steps");
    CHECK_INT(system("x=$(ls whole/bodies_*.vtu | tail -1) && y=$(ls broken/bodies_*.vtu | tail "
                     "-1) && cmp \"$x\" \"$y\""),
              0);
    CHECK_INT(system("x=$(ls whole/contacts_*.vtu | tail -1) && y=$(ls broken/contacts_*.vtu | "
                     "tail -1) && cmp \"$x\" \"$y\""),
              0);
  }
}

/* The resolved deck says the same: it runs alone, to the same end. */
TEST(the_resolved_deck_gives_the_same_run) {
  begin("moreau");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  CHECK_RUN("run a/resolved.yaml --out b", 0, "done");
  CHECK_INT(system("cmp $(ls a/bodies_*.vtu | tail -1) $(ls b/bodies_*.vtu | tail -1)"), 0);
}

TEST(what_differs_is_told) {
  begin("moreau");
  CHECK_RUN("run deck.yaml --out a --set time.end=0.02", 0, "done");
  CHECK_RUN("run --restart a/checkpoint.h5 --set time.end=0.03 --set "
            "laws[0].parameters.warm.mu='0.3 + x'",
            2, "laws[0].parameters.warm.mu: ");
  CHECK_RUN("run --restart a/checkpoint.h5 --set time.end=0.03 --set fields.humidity[0].value=0.1",
            2, "fields.humidity[0].value: ");
  CHECK_RUN("run --restart a/checkpoint.h5 --set time.end=0.03 --set 'laws[2].between=[sand, "
            "bottom]'",
            2, "laws[2].between");
}
