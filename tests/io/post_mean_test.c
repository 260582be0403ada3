/* Means over time: while a run goes on and from its frames the same bytes; what is refused. */
#include "tests/io/app_run.h"

static char folder[600];

static const char *result(void) {
  static bool made;
  if (made) return folder;
  char arguments[2000];
  snprintf(folder, sizeof folder, "%s/run", app_folder("post_mean"));
  snprintf(arguments, sizeof arguments, "run '%s/tests/io/post_mean.yaml' --quiet --out '%s'",
           TEST_SOURCE_DIR, folder);
  CHECK_RUN(arguments, 0, "");
  made = true;
  return folder;
}

static void post(const char *words, int status, const char *text) {
  app_post(result(), words, status, text);
}

static void check_same(const char *one, const char *two) {
  char path[2][800];
  FILE *file[2];
  int a = 0, b = 0;
  long bytes = 0;
  snprintf(path[0], sizeof path[0], "%s/%s", result(), one);
  snprintf(path[1], sizeof path[1], "%s/%s", result(), two);
  for (int k = 0; k < 2; k++) file[k] = fopen(path[k], "rb");
  while (file[0] && file[1] && a == b && (a = getc(file[0])) != EOF) b = getc(file[1]), bytes++;
  if (!file[0] || !file[1] || a != EOF || getc(file[1]) != EOF || bytes < 100)
    test_fail(__FILE__, __LINE__, "%s and %s are not the same", path[0], path[1]);
  for (int k = 0; k < 2; k++)
    if (file[k]) fclose(file[k]);
}

TEST(frames_give_the_numbers_of_the_run) {
  post("stress --mean 0.1:0.3", 0, "standard error from 10 blocks");
  check_same("average_stress.csv", "mean_stress.csv");
  post("stress --mean 0.1:0.3 --region box:0,0:0.05,0.02 --average lines --blocks 5", 0,
       "pressure");
  check_same("average_lines.csv", "mean_stress.csv");
  post("fabric --mean 0.1:0.3", 0, "coordination");
  check_same("average_fabric.csv", "mean_fabric.csv");
  post("walls --mean 0.1:0.3 --phase 0.05/5", 0, "5 phases");
  check_same("average_walls.csv", "mean_walls.csv");
  post("stress --mean 0.1:0.3 --profile y:4", 0, "mean_profile.csv");
  check_same("average_profile.csv", "mean_profile.csv");
  post("floor --mean 0.1:0.3 --along x:5", 0, "mean_floor.csv");
  check_same("average_floor.csv", "mean_floor.csv");
  post("cut --mean 0.1:0.3 --cut plane:0,0.01:0,1 --cut segment:0,0.02:0.02,0.02", 0, "traction_y");
  check_same("average_cut.csv", "mean_cut.csv");
  post("grains --mean 0.1:0.3", 0, "mean_grains.vtu");
  check_same("average_grains.vtu", "mean_grains.vtu");
  post("field --mean 0.1:0.3 --grid 6x6 --kernel lucy:1d --phase 0.05/5", 0, "mean_field.pvd");
  check_same("average_field_000003.vtu", "mean_field_000003.vtu");
}

/* The mean over the whole is the mean over its phases, which hold as many instants each. */
TEST(phases_add_up) {
  double sum = 0;
  post("walls --mean 0.1:0.3 --json", 0, "\"name\": \"left\"");
  CHECK(json_valid(app_output));
  const double whole = json_number(app_output, "normal");
  post("walls --mean 0.1:0.3 --phase 0.05/5 --json", 0, "normal_error");
  CHECK(json_valid(app_output));
  const char *at = app_output;
  for (int bin = 0; bin < 5; bin++) {
    at = strstr(at, "\"rows\"");
    CHECK(at != NULL);
    if (!at) return;
    sum += json_number(at, "normal") / 5;
    at++;
  }
  CHECK(whole > 1);
  CHECK_NEAR(sum, whole, 1e-9 * whole);
}

TEST(pictures_and_single_moments) {
  char words[900];
  snprintf(words, sizeof words, "walls --mean all --phase 0.05/5 --svg '%s/walls.svg'",
           app_folder("post_mean"));
  post(words, 0, "mean_walls.csv");
  snprintf(words, sizeof words, "floor --along x:5 --svg '%s/floor.svg'", app_folder("post_mean"));
  post(words, 0, "x,pressure,pressure_error");
  post("walls", 0, "right");
  post("walls --frame 50 --json", 0, "\"reaction\"");
  CHECK(json_valid(app_output));
}

TEST(what_is_refused) {
  char deck[2000];
  post("stress --mean 1:0.5", 2, "FROM:TO");
  post("stress --phase 0.1", 2, "PERIOD/BINS");
  post("stress --mean 5:6", 2, "no frame with forces between 5 s and 6 s");
  post("stress --mean 0.1:0.3 --frame 3", 2, "--frame is one moment");
  post("probe --mean 0.1:0.3", 2, "of one moment");
  post("grains", 2, "--mean");
  post("floor --along r:5 --mean all", 2, "is not x with 1 to");
  post("stress --profile z:5", 2, "2-D");
#define DECK(setting)                                                                              \
  (snprintf(deck, sizeof deck, "run '%s/tests/io/post_mean.yaml' --quiet --out '%s/no' --set %s",  \
            TEST_SOURCE_DIR, app_folder("post_mean"), setting),                                    \
   deck)
  CHECK_RUN(DECK("output.averages.stress.region=ball:1"), 2, "output.averages.stress.region");
  CHECK_RUN(DECK("output.averages.stress.from=0.7"), 2, "let it begin before it ends");
  CHECK_RUN(DECK("time.end=0.02 --set output.averages='{late: {of: walls, from: 9}}'"), 0, "");
  CHECK_RUN(DECK("output.averages.stress.grid=4x4"), 2, "stress has no use for it");
  CHECK_RUN(DECK("output.averages.cut.of=stress"), 2, "has no use for it");
  CHECK_RUN(DECK("output.averages.floor.along=z:3"), 2, "is not x with 1 to");
  CHECK_RUN(DECK("output.averages.stress.of=heat"), 2, "heat");
}
