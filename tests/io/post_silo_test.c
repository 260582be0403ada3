/* delassus post silo on a small run of input/janssen.yaml, whose walls are drawn up from 0.2 s
 * on. */
#include "tests/io/app_run.h"

TEST(a_silo_is_held_against_the_law_of_janssen) {
  char folder[600], arguments[2000];
  snprintf(folder, sizeof folder, "%s/run", app_folder("post_silo"));
  snprintf(arguments, sizeof arguments,
           "run '%s/input/janssen.yaml' --quiet --set time.end=0.5 --set output.every=0.02 --set "
           "'grains[0].count=100' --set 'grains[0].region.high=[0.1, 0.09]' --set "
           "'boundaries.right.position=[0.1, 0]' --out '%s'",
           TEST_SOURCE_DIR, folder);
  CHECK_INT(app_run(arguments), 0);
  snprintf(arguments, sizeof arguments,
           "post silo '%s' --region box:0,0:0.1,1 --layers 6 --mean 0.4:0.5 --json --svg "
           "'%s/silo.svg'",
           folder, folder);
  CHECK_RUN(arguments, 0, "\"mobilised\"");
  CHECK(json_valid(app_output));
  CHECK_INT(json_number(app_output, "instants"), 5);
  const double weight = json_number(app_output, "weight"), K = json_number(app_output, "ratio");
  const double height = json_number(app_output, "height"),
               mu = json_number(app_output, "mobilised");
  CHECK(weight > 120 && weight < 160);
  CHECK_NEAR(json_number(app_output, "gradient"), weight / (0.1 * height), 1e-9 * weight / height);
  CHECK(K > 0.2 && K < 3);
  /* At rest but for the solver's error: n = 180 forces of about weight / 10, off by e = 1e-3 of
   * their norm, add up to 2 e n weight / 10 at most. */
  CHECK_NEAR(json_number(app_output, "walls"), weight - json_number(app_output, "floor"),
             0.036 * weight);
  CHECK(mu > 0.05 && mu < 0.5); /* the walls are drawn up, and slip at mu = 0.5 at most */
  CHECK_NEAR(json_number(app_output, "length"), 0.1 / (2 * K * mu), 1e-9);

  snprintf(arguments, sizeof arguments, "post silo '%s'", folder);
  CHECK_RUN(arguments, 0, "depth,axial,across,law");
  CHECK_RUN("post silo --help", 0, "Janssen");
  snprintf(arguments, sizeof arguments, "post silo '%s' --layers 1", folder);
  CHECK_RUN(arguments, 2, "from 2 to 100");
  snprintf(arguments, sizeof arguments, "post silo '%s' --region sphere:0,0:1", folder);
  CHECK_RUN(arguments, 2, "a box or, in 3-D");
  snprintf(arguments, sizeof arguments, "post silo '%s' --mean 7:8", folder);
  CHECK_RUN(arguments, 2, "no frame with forces");
  snprintf(arguments, sizeof arguments, "post silo '%s' --phase 1/4", folder);
  CHECK_RUN(arguments, 2, "neither --phase");
}
