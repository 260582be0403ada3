/* Input that would be waited for, or filled in, for ever is refused with a sentence, at once. A
 * program that hangs is killed after a time that is far beyond any machine's. */
#include <signal.h>
#include <unistd.h>

#include "tests/io/app_run.h"

static const char scene[] = "time: {step: 1 ms, end: 2 ms}\n"
                            "materials: {m: {density: 1000}}\n"
                            "laws: [{law: coulomb}]\n"
                            "boundaries: {floor: {shape: plane, material: m}}\n";

/* Runs "delassus ARGUMENTS" in the folder of this test, killed after two minutes. */
static void refused(const char *arguments, const char *sentence) {
  char command[4096], said[4096];
  snprintf(command, sizeof command, "cd %s && timeout -s KILL 120 %s %s 2>&1 < /dev/null",
           app_folder("hang"), APP_PROGRAM, arguments);
  FILE *pipe = popen(command, "r");
  CHECK(pipe != NULL);
  if (!pipe) return;
  said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
  const int status = pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 2 || !strstr(said, sentence))
    test_fail(__FILE__, __LINE__, "delassus %s: status %d, not 2 with \"%s\":\n%s", arguments,
              WIFEXITED(status) ? WEXITSTATUS(status) : -1, sentence, said);
}

static void deck_refused(const char *lines, const char *sentence) {
  char path[1024];
  snprintf(path, sizeof path, "%s/deck.yaml", app_folder("hang"));
  FILE *file = fopen(path, "w");
  CHECK(file && fprintf(file, "%s%s\n", scene, lines) > 0 && fclose(file) == 0);
  refused("run deck.yaml --out never", sentence);
}

TEST(a_pipe_or_a_device_as_input_is_refused_by_every_reader) {
  char path[1024];
  for (int csv = 0; csv < 2; csv++) {
    snprintf(path, sizeof path, "%s/pipe%s", app_folder("hang"), csv ? ".csv" : "");
    unlink(path);
    CHECK_INT(mkfifo(path, 0666), 0);
  }
  static const char *const readers[] = {
      "run pipe",
      "run /dev/zero",
      "run /dev/tty0 --equilibrium",
      "solve pipe",
      "solve /dev/zero",
      "show pipe",
      "compare pipe --out c",
      "law path coulomb pipe.csv",
      "law path --replay pipe",
      "law page coulomb --readme pipe",
  };
  for (int i = 0; i < DLS_COUNT(readers); i++)
    if (access("/dev/tty0", R_OK) == 0 || !strstr(readers[i], "tty0"))
      refused(readers[i], "not a regular file");
  deck_refused("grains: [{material: m, place: file, file: pipe}]", "not a regular file");
  char script[4096];
  snprintf(script, sizeof script,
           "cd %s && %s run %s/input/bouncing-ball.yaml --set time.end=0.01 --out ball > /dev/null "
           "2>&1 && "
           "rm ball/checkpoint.h5 ball/contacts*.vtu && mkfifo ball/checkpoint.h5 && "
           "for f in $(ls ball/bodies*.vtu); do rm $f; mkfifo $f; mkfifo $(echo $f | sed "
           "s/bodies/contacts/); done",
           app_folder("hang"), APP_PROGRAM, TEST_SOURCE_DIR);
  CHECK_INT(system("rm -rf " TEST_BINARY_DIR "/tests/tmp/hang/ball"), 0);
  CHECK_INT(system(script), 0);
  refused("post stress ball", "not a regular file");
  CHECK_INT(
      system("mkdir -p " TEST_BINARY_DIR "/tests/tmp/hang/race && cd " TEST_BINARY_DIR
             "/tests/tmp/hang/race && rm -f *.csv && mkfifo runs.csv && mkfifo convergence.csv"),
      0);
  refused("compare --sample box:5 --solvers nsgs --resume --out race",
          "is no file that could be replaced");
  snprintf(script, sizeof script,
           "run %s/input/bouncing-ball.yaml --restart ball/checkpoint.h5 --out again",
           TEST_SOURCE_DIR);
  refused(script, "not a regular file");
}

/* More grains than can be placed in the time: the limit holds before the first step too, and what
 * the program does is told. */
TEST(the_time_limit_holds_while_grains_are_placed) {
  static const char *const places[] = {"random", "packed", "rain"};
  for (int k = 0; k < DLS_COUNT(places); k++) {
    char path[1024], line[4096];
    snprintf(path, sizeof path, "%s/many.yaml", app_folder("hang"));
    FILE *file = fopen(path, "w");
    CHECK(file &&
          fprintf(file,
                  "%sgrains: [{material: m, place: %s, count: 4e6, sizes: {radius: 1e-4}, "
                  "region: {low: [0, 0, 0], high: [10, 10, 10]}}]\n",
                  scene, places[k]) > 0 &&
          fclose(file) == 0);
    snprintf(line, sizeof line, "run '%s' --max-time 0.2 --out '%s.out'", path, path);
    CHECK_RUN(line, 3, "--max-time is over before the first step");
  }
}

#define BOX "region: {low: [0, 0, 0], high: [1, 1, 1]}"

TEST(a_source_without_bound_is_refused_with_its_key) {
  deck_refused("sources: [{material: m, rate: 1e300, sizes: {radius: 1e-3}, " BOX "}]",
               "sources[0].rate: pours up to");
  deck_refused("sources: [{material: m, mass_rate: 1e300, sizes: {radius: 1e-3}, " BOX "}]",
               "sources[0].mass_rate: pours up to");
  deck_refused("sources: [{material: m, mass_rate: 1, sizes: {radius: 1e-9}, " BOX "}]",
               "sources[0].mass_rate: pours up to");
}

TEST(grains_below_the_resolution_of_places_are_refused) {
  deck_refused("grains: [{material: m, place: rain, count: 10, sizes: {radius: 1e-30}, " BOX "}]",
               "check the unit");
  deck_refused("grains: [{material: m, place: rain, count: 10, sizes: {radius: 1e-30}, region: "
               "{shape: frustum, centre: [0, 0, 0.1], radius: 0.001, radius_top: 1, height: 1}}]",
               "check the unit");
  deck_refused("grains: [{material: m, place: lattice, pitch: 1e-30, sizes: {radius: 1e-31}, " BOX
               "}]",
               "lattice");
}
