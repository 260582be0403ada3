/* delassus post on the result of a run: what it prints, what it writes, what it refuses. */
#include "tests/io/app_run.h"

static char folder[600];

/* A short run of disks in a box, made once. */
static const char *result(void) {
  static bool made;
  if (made) return folder;
  char arguments[2000];
  snprintf(folder, sizeof folder, "%s/run", app_folder("post_command"));
  snprintf(
      arguments, sizeof arguments,
      "run '%s/input/biaxial.yaml' --quiet --set time.end=0.12 --set output.every=0.1 --out '%s'",
      TEST_SOURCE_DIR, folder);
  const int status = app_run(arguments);
  if (status < 0 || status > 1)
    test_fail(__FILE__, __LINE__, "delassus %s: %s", arguments, app_output);
  made = true;
  return folder;
}

static void post(const char *words, int status, const char *text) {
  app_post(result(), words, status, text);
}

/* A picture that holds a text. */
static void check_file(const char *name, const char *text) {
  char path[800], line[4096];
  bool found = false;
  snprintf(path, sizeof path, "%s/%s", app_folder("post_command"), name);
  FILE *file = fopen(path, "rb");
  while (file && fgets(line, sizeof line, file)) found |= strstr(line, text) != NULL;
  if (file) fclose(file);
  if (!found) test_fail(__FILE__, __LINE__, "%s has no \"%s\"", path, text);
}

static const char *with_file(const char *words, const char *name) {
  static char text[2000];
  snprintf(text, sizeof text, "%s '%s/%s'", words, app_folder("post_command"), name);
  return text;
}

TEST(stress_of_a_region) {
  post(with_file("stress --region sphere:0.09,0.09:0.05 --svg", "mohr.svg"), 0, "pressure");
  check_file("mohr.svg", "Mohr: pressure");
  post("stress --json", 0, "\"outer_error\"");
  CHECK(json_valid(app_output));
  CHECK_BELOW(json_number(app_output, "outer_error"), 1e-10);
  CHECK_INT(json_number(app_output, "grains"), 400);
  const double last = json_number(app_output, "pressure");
  CHECK(last > 100);
  post("stress --json --frame 1", 0, "pressure");
  CHECK(json_number(app_output, "pressure") != last);
  post(with_file("stress --profile y:8 --svg", "profile.svg"), 0, "y,stress_xx");
  check_file("profile.svg", "stress profile");
}

TEST(fabric_and_chains) {
  post(with_file("fabric --svg", "rose.svg"), 0, "rattlers");
  check_file("rose.svg", "24 sectors");
  post("fabric --json --region box:0.02,0.02:0.15,0.15", 0, "harmonics");
  CHECK(json_valid(app_output));
  post(with_file("chains --angle 30 --svg", "chains.svg"), 0, "percolation");
  check_file("chains.svg", "Force chains");
  post("chains --json", 0, "longest");
  CHECK(json_valid(app_output));
}

/* The two halves of a plane carry what the whole does. */
TEST(cuts_add_up) {
  post("cut --json --cut plane:0.09,0.08:0,1", 0, "force");
  CHECK(json_valid(app_output));
  const double all = json_number(app_output, "contacts");
  post("cut --json --cut segment:-1,0.08:0.09,0.08", 0, "force");
  const double left = json_number(app_output, "contacts");
  post("cut --json --cut segment:0.09,0.08:2,0.08", 0, "force");
  CHECK_NEAR(left + json_number(app_output, "contacts"), all, 0);
  CHECK(left > 0 && left < all);
  post("cut --cut plane:0.09,0.08:0,1", 0, "tension positive");
}

TEST(a_field_that_vtk_reads) {
  char command[3000], line[500];
  const char *python = getenv("DELASSUS_PYTHON");
  post(with_file("field --grid 20x15 --kernel lucy:2d --svg", "field.svg"), 0,
       "20 x 15 x 1 points");
  check_file("field.svg", "pressure (Pa)");
  post("field --grid 60x60 --no-walls", 0, "of the pressure per width");
  snprintf(command, sizeof command, "%s '%s/tests/io/vtu_check.py' '%s/field_last.vtu' 2>&1",
           python ? python : "/usr/bin/python3", TEST_SOURCE_DIR, result());
  FILE *pipe = popen(command, "r");
  while (pipe && fgets(line, sizeof line, pipe))
    if (strstr(line, "field_last.vtu:")) fprintf(stderr, "%s", line);
  const int code = pipe ? pclose(pipe) : -1;
  if (WIFEXITED(code) && WEXITSTATUS(code) == 77) test_skip_package("python3-vtk9");
  CHECK_INT(WIFEXITED(code) ? WEXITSTATUS(code) : -1, 0);
}

TEST(the_probe_of_moreau) {
  post(with_file("probe --svg", "probe.svg"), 0, "correlation");
  check_file("probe.svg", "31 cuts");
  post("probe --json --cuts 7", 0, "tractions");
  CHECK(json_valid(app_output));
}

TEST(mistakes_are_told) {
  CHECK_RUN("post", 2, "what? stress, fabric");
  CHECK_RUN("post stress", 2, "which result?");
  CHECK_RUN("post stress /nowhere", 2, "holds no frame");
  CHECK_RUN("post --help", 0, "docs/stress.md");
  CHECK_RUN("post stress --help", 0, "--profile");
  post("stress --region ball:1,1:1", 2, "no region is called ball");
  post("stress --region sphere:1,1,1:1", 2, "with 2 numbers");
  post("stress --frame 99", 2, "has the frames 0 to 2");
  post("stress --frame x", 2, "is no number");
  post("stress --profile z", 2, "is in 2-D");
  post("stress --profile w:3", 2, "x, y or z");
  post("stress --average both", 2, "write centres or lines");
  post("cut", 2, "which cut?");
  post("cut --cut plane:0,0", 2, "plane:POINT:NORMAL");
  post("field --grid 40", 2, "is written 40x40");
  post("field --kernel box:1d", 2, "none of gauss");
  post("probe --region box:0,0:1,1", 2, "sphere:CENTRE:RADIUS");
  post("probe --cuts 100000", 2, "not 1 to 720");
  post("chains --region all", 2, "leave out --region");
}
