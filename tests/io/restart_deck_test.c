/* Going on from a checkpoint: with the deck that it holds, with changes that are asked for by
 * name, in another folder, as a stage; and what a folder loses. Through the command line, as
 * users do. */
#include "tests/io/app_run.h"

#include <signal.h>
#include <unistd.h>

#include "record/bodies_read.h"
#include "record/restart.h"
#include "scene/scene.h"

/* Grains in a box under a servo wall: a key of every kind that a restart compares. */
static const char deck_text[] =
    "title: a box\n"
    "dimension: 2\n"
    "time: {step: 1 ms, end: 50 ms}\n"
    "gravity: [0, -9.81]\n"
    "drag: 0.5\n"
    "random: {variance: 1e-4, seed: 3}\n"
    "materials: {grain: {density: 2500}, wall: {density: 7800}}\n"
    "laws:\n"
    "  - {law: coulomb, parameters: {mu: 0.4}}\n"
    "grains:\n"
    "  - {material: grain, place: lattice, lattice: square, region: {low: [0, 0], high: [0.1, "
    "0.06]},\n"
    "     sizes: {radius: 4.75 mm}, pitch: 1 cm}\n"
    "bodies:\n"
    "  - {name: plum, material: grain, radius: 5 mm, position: [0.05, 0.08], velocity: [0, -1]}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: wall}\n"
    "  left: {shape: plane, material: wall, axis: [1, 0]}\n"
    "  right: {shape: plane, material: wall, position: [0.1, 0], axis: [-1, 0],\n"
    "          servo: {pressure: 500, area: 0.1, mass: 5, damping: 20}}\n"
    "solver: {name: nsgs, tolerance: 1e-3, max_iterations: 20000}\n"
    "output: {every: 10 ms}\n";

/* A folder of its own with the deck in it; the working directory of what follows. */
static void begin(const char *test) {
  char command[2400];
  const char *folder = app_folder("restart_deck");
  snprintf(command, sizeof command, "rm -rf '%s/%s' && mkdir '%s/%s'", folder, test, folder, test);
  CHECK_INT(system(command), 0);
  snprintf(command, sizeof command, "%s/%s", folder, test);
  CHECK_INT(chdir(command), 0);
  FILE *file = fopen("deck.yaml", "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs(deck_text, file);
  fclose(file);
}

static bool shell(const char *command) { return system(command) == 0; }

static bool has(const char *text) { return strstr(app_output, text) != NULL; }

/* The last frame of bodies and the energies have the same bits. */
static bool same_end(const char *a, const char *b) {
  char command[1024];
  snprintf(
      command, sizeof command,
      "x=$(ls '%s'/bodies_*.vtu | tail -1) && y=$(ls '%s'/bodies_*.vtu | tail -1) && cmp \"$x\" "
      "\"$y\" && tail -1 '%s/history.csv' | rev | cut -d, -f5- > a.row && "
      "tail -1 '%s/history.csv' | rev | cut -d, -f5- > b.row && cmp a.row b.row",
      a, b, a, b);
  return shell(command);
}

TEST(a_restart_names_every_key_that_differs) {
  static const struct {
    const char *set, *told;
  } cases[] = {
      {"gravity=[0, -1.62]", "gravity: [0, -9.81] -> [0, -1.62]"},
      {"drag=2", "drag: 0.5 -> 2"},
      {"random.seed=4", "random.seed: 3 -> 4"},
      {"boundaries.right.servo.pressure=900", "boundaries.right.servo.pressure: 500 -> 900"},
      {"boundaries.left.position=[-0.01, 0]", "boundaries.left.position: [0, 0] -> [-0.01, 0]"},
      {"laws[0].parameters.mu=0.5", "laws[0].parameters.mu: 0.4 -> 0.5"},
      {"materials.grain.density=2600", "materials.grain.density: 2500 -> 2600"},
      {"time.step=2 ms", "time.step: 0.001 -> 0.002"},
      {"time.scheme=euler", "time.scheme: moreau -> euler"},
      {"solver.tolerance=1e-5", "solver.tolerance: 0.001 -> 1e-05"},
      {"solver.name=jacobi", "solver.name: \"nsgs\" -> \"jacobi\""},
  };
  begin("names");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  CHECK(shell("cp -r a before"));
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    char command[512], place[256];
    snprintf(command, sizeof command,
             "run deck.yaml --restart a/checkpoint.h5 --set time.end=0.06 --set '%s'",
             cases[k].set);
    CHECK_RUN(command, 2, cases[k].told);
    snprintf(place, sizeof place, "set %s: ", cases[k].set);
    CHECK(has(place));
    CHECK(has("`change`"));
  }
  CHECK(shell("diff -r a before")); /* nothing was run */
  /* A line of the file in the place of --set. */
  CHECK(shell("sed 's/drag: 0.5/drag: 0.7/' deck.yaml > other.yaml"));
  CHECK_RUN("run other.yaml --restart a/checkpoint.h5", 2, "other.yaml:5: drag: 0.5 -> 0.7");
  CHECK_RUN("run deck.yaml --restart a/checkpoint.h5 --set time.end=0.06 --set output.every=20ms",
            0, "done after 60 steps");
}

TEST(a_change_asked_for_is_taken_and_recorded) {
  static const char *const sets[] = {"gravity=[0, -1.62]",   "drag=2",
                                     "random.seed=4",        "boundaries.right.servo.pressure=900",
                                     "time.step=2 ms",       "materials.grain.density=2600",
                                     "time.scheme=euler",    "laws[0].parameters.mu=0.5",
                                     "solver.name=jacobi",   "boundaries.left.velocity=[0.01, 0]",
                                     "solver.tolerance=1e-5"};
  begin("changes");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  for (int k = 0; k < DLS_COUNT(sets); k++) {
    char command[512], key[128], line[200];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(sets[k], "="), sets[k]);
    const bool solver = strcmp(key, "solver.name") == 0; /* its options change with it */
    snprintf(command, sizeof command,
             "run --restart a/checkpoint.h5 --set time.end=0.06 --set '%s' --change '%s' --out b "
             "--overwrite",
             sets[k], solver ? "solver" : key);
    CHECK_RUN(command, 0, "done");
    snprintf(line, sizeof line, "grep -q 't = 0.05 s, step 50: %s: ' b/changes.txt b/summary.json",
             strcmp(key, "laws[0].parameters.mu") == 0 ? "laws.0..parameters.mu" : key);
    CHECK(shell(line));
    CHECK(shell("rm -r b"));
  }
  /* A section stands for all below it; a key that no deck has is a slip of the pen. */
  CHECK_RUN("run --restart a/checkpoint.h5 --set time.end=0.06 --set laws[0].parameters.mu=0.1 "
            "--change laws --out c",
            0, "done");
  CHECK_RUN("run --restart a/checkpoint.h5 --set drag=1 --change dragg", 2, "did you mean 'drag'?");
  /* The change stays in the certificate of all that goes on from there, which needs no word. */
  CHECK_RUN("run --restart c/checkpoint.h5 --set time.end=0.07", 0, "done after 70 steps");
  CHECK(shell("grep -q 'step 50: laws.0..parameters.mu: 0.4 -> 0.1' c/summary.json"));
}

TEST(another_gravity_acts_from_the_restart_on) {
  begin("gravity");
  CHECK_RUN("run deck.yaml --out a --set gravity=[0,0] --set drag=0 --set random.variance=0 --set "
            "time.end=10ms",
            0, "done");
  CHECK_RUN(
      "run --restart a/checkpoint.h5 --set gravity=[0,-10] --change gravity --set time.end=11ms "
      "--out b",
      0, "done");
  /* The plum flies free, before and behind the restart: -1 m/s, and -1 m/s - g h a step later. */
  DlsBodyFile a, b;
  CHECK_OK(dls_bodies_read("a/checkpoint.h5", 2, &a));
  CHECK_OK(dls_bodies_read("b/checkpoint.h5", 2, &b));
  CHECK_NEAR(a.world->velocity[60][1], -1, 1e-15);
  CHECK_NEAR(b.world->velocity[60][1], -1 - 10 * 1e-3, 1e-15);
  dls_body_file_clear(&a);
  dls_body_file_clear(&b);
}

TEST(what_cannot_change_is_refused_with_its_reason) {
  begin("impossible");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  CHECK_RUN(
      "run deck.yaml --restart a/checkpoint.h5 --set grains[0].sizes.radius=4mm --change grains", 2,
      "bodies come from the checkpoint");
  CHECK(has("grains[0].sizes.radius: 0.00475 -> 0.004"));
  CHECK_RUN("run deck.yaml --restart a/checkpoint.h5 --set 'bodies=[]' --change bodies", 2,
            "bodies come from the checkpoint");
  CHECK_RUN("run --restart a/checkpoint.h5 --set dimension=3 --set grains[0].lattice=cubic --set "
            "'grains[0].region.high=[0.1, 0.06, 0.02]' --change dimension",
            2, "bodies cannot change their dimension");
  CHECK_RUN(
      "run --restart a/checkpoint.h5 --set boundaries.left.position=[0.03,0] --change boundaries "
      "--set time.end=0.06 --out b",
      2, "boundary left, which the deck has moved or added, stands");
  CHECK_RUN("run deck.yaml --change drag", 2, "goes with --restart");
  CHECK_RUN("run deck.yaml --stage deck.yaml --restart a/checkpoint.h5", 2, "two decks");
}

TEST(another_law_drops_what_contacts_remember_and_says_so) {
  begin("laws");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  CHECK_RUN("run --restart a/checkpoint.h5 --set laws[0].parameters.mu=0.3 --change laws --set "
            "time.end=0.06 --out b",
            0, "done");
  CHECK(!has("dropped"));
  CHECK_RUN("run --restart a/checkpoint.h5 --set 'laws=[{law: signorini}]' --change laws --set "
            "time.end=0.06 --out c",
            0, "is dropped, and they begin anew");
}

/* A wall that a servo drove stands where it is; other columns need another table. */
TEST(a_servo_is_taken_away_and_the_wall_stays) {
  begin("servo");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  CHECK(shell("cp -r a before"));
  CHECK_RUN(
      "run --restart a/checkpoint.h5 --set boundaries.right.servo=~ --change boundaries --set "
      "time.end=0.06",
      2, "a/history.csv: its columns are not those of this run; write to another folder");
  CHECK(shell("diff -r a before"));
  CHECK_RUN(
      "run --restart a/checkpoint.h5 --set boundaries.right.servo=~ --change boundaries --set "
      "time.end=0.06 --out b",
      0, "done");
  CHECK(shell("grep -q 'boundaries.right.servo: {.* -> nothing' b/changes.txt"));
  DlsCheckpointExtra extra = {0};
  DlsRestart *restart = NULL;
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  double stood[2] = {0};
  for (int k = 0; k < 2; k++) {
    CHECK_OK(dls_restart_open(k ? "b/checkpoint.h5" : "a/checkpoint.h5", &restart));
    if (!restart) return;
    CHECK_OK(dls_restart_deck(restart, &deck));
    CHECK_OK(dls_scene_build_with(deck, &(DlsSceneOptions){.restart = true}, &scene));
    if (!scene) return;
    CHECK_OK(dls_restart_compare(restart, deck, scene, false, NULL, 0));
    CHECK_OK(dls_restart_apply(restart, scene, &extra));
    stood[k] = scene->simulation->world->boundary[2].position[0];
    CHECK_INT(scene->servos, 1 - k);
    CHECK_INT(scene->simulation->world->count, 62 - k); /* the body that carried the wall is gone */
    dls_checkpoint_extra_clear(&extra);
    dls_scene_destroy(&scene);
    dls_deck_destroy(&deck);
    dls_restart_close(&restart);
  }
  CHECK(stood[0] != 0.1 && stood[0] == stood[1]);
}

/* What one average loses is told; the others go on. */
TEST(averages_whose_keys_change_begin_anew_and_say_so) {
  begin("averages");
  CHECK_RUN(
      "run deck.yaml --out a --set 'output.averages={whole: {of: stress, to: 80ms}, open: {of: "
      "stress}, other: {of: fabric, to: 80ms}}'",
      0, "average whole: 50 instants");
  CHECK_RUN(
      "run --restart a/checkpoint.h5 --set time.end=60ms --set output.averages.other.from=20ms "
      "--change output.averages --out b",
      0, "average whole: 60 instants");
  CHECK(has("average open begins anew at t = 0.05 s: it ends with the run"));
  CHECK(has("average other begins anew at t = 0.05 s: the deck says something else"));
  CHECK(has("average open: 10 instants") && has("average other: 10 instants"));
}

/* A run that its time limit ends before the first step, with its state kept. Where reading the deck
 * takes longer than a tick of 0.1 s, on a busy machine or under a sanitizer, it is ended there, and
 * leaves all as it was: then again, and after so many times the test has nothing to look at. */
static bool stops_before_its_first_step(const char *arguments) {
  for (int tries = 0; tries < 20; tries++) {
    const int status = app_run(arguments);
    CHECK_INT(status, 3);
    if (has("go on with: ")) return true;
    CHECK_TOLD(has("--max-time is over before the first step"), "%s", app_output);
    if (status != 3 || !has("nothing was run")) return false;
  }
  fprintf(stderr, "start-up takes longer than 0.1 s here: stopped runs are not looked at\n");
  return false;
}

/* The line that a stopped run prints, given to the shell as it is. The name has a blank and
 * quotes, and the settings are not in the deck. */
TEST(the_line_go_on_with_works_as_it_stands) {
  static const char mark[] = "go on with: ";
  begin("line");
  CHECK_RUN("run deck.yaml --set 'gravity=[0, -3.3]' --set title='it'\\''s' --out alone", 0,
            "done");
  CHECK_RUN(
      "run deck.yaml --set 'gravity=[0, -3.3]' --set title='it'\\''s' --set time.end=20ms --out "
      "\"a 'b' \\$HOME\"",
      0, "done");
  /* Stopped before its first step. */
  if (!stops_before_its_first_step(
          "run --restart \"a 'b' \\$HOME/checkpoint.h5\" --set time.end=50ms --max-time 1e-9"))
    return;
  char *line = strstr(app_output, mark);
  CHECK(line != NULL);
  if (!line) return;
  line += strlen(mark);
  line[strcspn(line, "\n")] = '\0';
  CHECK(shell(line));
  CHECK(shell("mv \"a 'b' \\$HOME\" broken"));
  CHECK(same_end("alone", "broken"));
  CHECK(shell("grep -v wall_clock alone/summary.json > a.json; grep -v wall_clock "
              "broken/summary.json | cmp - a.json"));
}

TEST(a_restart_into_another_folder_leaves_the_old_one_and_is_whole) {
  begin("elsewhere");
  CHECK_RUN("run deck.yaml --out alone --set time.end=80ms", 0, "done");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  CHECK(shell("cp -r a before"));
  CHECK_RUN("run --restart a/checkpoint.h5 --set time.end=65ms --out b", 0, "done after 65 steps");
  CHECK(shell("diff -r a before"));
  CHECK(shell("mv a gone")); /* nothing of the old folder is needed */
  CHECK_RUN("run --restart b/checkpoint.h5 --set time.end=80ms", 0, "done after 80 steps");
  CHECK(same_end("alone", "b"));
  /* Its series begins at the restart: 50, 60, 65 (an end), 70, 80 ms, and the rows behind step
   * 50. */
  CHECK(shell(
      "test $(grep -c DataSet b/bodies.pvd) = 5 && test $(wc -l < b/history.csv) = 31 && sed -n "
      "2p b/history.csv | grep -q ^51,"));
}

/* A servo wall becomes a driven one; the bodies stay where they are, and the clock begins at 0. */
TEST(a_stage_takes_the_bodies_of_another_run_and_a_deck_of_its_own) {
  begin("stage");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  CHECK(shell(
      "grep -v -e '^grains' -e '^  - .material: grain' -e '^     sizes' -e '^bodies' -e '^  - "
      ".name' -e servo deck.yaml | sed -e 's/axis: .-1, 0.,/axis: [-1, 0], velocity: [0.1, "
      "0]}/' -e 's/end: 50 ms/end: 30 ms/' > stage.yaml && ! grep -q grain..p stage.yaml"));
  CHECK_RUN("run --stage stage.yaml --restart a/checkpoint.h5 --out a", 2,
            "a stage has results of its own");
  CHECK_RUN("run --stage stage.yaml --restart a/checkpoint.h5 --out s", 0, "done after 30 steps");
  CHECK(shell(
      "head -1 s/history.csv | grep -q 'force_x_right.*position_x_right.*position_y_right' && "
      "! head -1 s/history.csv | grep -q servo_energy"));
  CHECK(shell("grep -q 'a stage begins from a/checkpoint.h5' s/changes.txt && grep -q "
              "'boundaries.right.servo' s/summary.json"));
  /* The first frame of the stage has the bodies of the last one of the run. */
  DlsBodyFile last, first;
  CHECK_OK(dls_bodies_read("a/bodies_000005.vtu", 2, &last));
  CHECK_OK(dls_bodies_read("s/bodies_000000.vtu", 2, &first));
  const size_t count = (size_t)last.world->count;
  CHECK_INT(first.world->count, last.world->count);
  CHECK(memcmp(first.world->position, last.world->position, count * 3 * sizeof(double)) == 0);
  CHECK(memcmp(first.world->velocity, last.world->velocity, count * 6 * sizeof(double)) == 0);
  dls_body_file_clear(&last);
  dls_body_file_clear(&first);
  /* The stage goes on by itself, and with its own deck, which tells of no bodies. */
  CHECK_RUN("run --restart s/checkpoint.h5 --set time.end=35ms", 0, "done after 35 steps");
  CHECK_RUN("run stage.yaml --restart s/checkpoint.h5 --set time.end=40ms", 0,
            "done after 40 steps");
  CHECK_RUN("run --stage stage.yaml --restart a/checkpoint.h5 --set time.end=40ms --out t", 0,
            "done");
  CHECK(same_end("s", "t"));
}

TEST(a_shorter_rerun_does_not_take_a_longer_run_away) {
  begin("shorter");
  CHECK_RUN("run deck.yaml --out a", 0, "done");
  CHECK(shell("cp -r a before"));
  CHECK_RUN("run deck.yaml --out a --set time.end=10ms", 2,
            "a: holds a run of 6 frames to t = 0.05 s, longer than this one, to t = 0.01 s");
  CHECK(shell("diff -r a before"));
  CHECK_RUN("run deck.yaml --out a --quiet", 0, ""); /* the same again: nothing is lost */
  CHECK(app_output[0] == '\0');
  CHECK_RUN("run deck.yaml --out a --set drag=1 --quiet", 0,
            "a: replaces the run that is there (6 frames, to t = 0.05 s, of another deck)");
  CHECK_RUN("run deck.yaml --out a --set time.end=10ms --overwrite", 0, "done");
  CHECK(shell("test $(ls a/bodies_*.vtu | wc -l) = 2"));
}

TEST(two_runs_cannot_share_a_folder) {
  begin("lock");
  const pid_t first = fork();
  if (first == 0) {
    execl(APP_PROGRAM, "delassus", "run", "deck.yaml", "--out", "a", "--set", "time.end=1000",
          "--quiet", (char *)NULL);
    _exit(127);
  }
  for (int k = 0; k < 2000 && access("a/history.csv", F_OK) != 0; k++) usleep(10000);
  char told[64];
  snprintf(told, sizeof told, "a: process %ld writes its results there", (long)first);
  CHECK_RUN("run deck.yaml --out a --set drag=1", 2, told);
  int state;
  kill(first, SIGTERM);
  CHECK_INT(waitpid(first, &state, 0), first);
  CHECK(WIFEXITED(state) && WEXITSTATUS(state) == 3);
  stops_before_its_first_step("run --restart a/checkpoint.h5 --max-time 1e-9");
}

/* A solve that takes minutes is cut, and the state before its step is kept: the rest is that of
 * a run in which it was not tried. */
TEST(a_time_limit_holds_inside_a_step) {
#define PYRAMID                                                                                    \
  TEST_SOURCE_DIR "/input/pyramid.yaml --set grains[0].layers=8 --set solver.name=nsgs "
  begin("limit");
  CHECK_RUN("run " PYRAMID
            "--set solver.tolerance=1e-15 --set solver.max_iterations=2147483647 --out a "
            "--max-time 0.3",
            3, "stopped after 0 steps at t = 0 s");
  CHECK_RUN(
      "run --restart a/checkpoint.h5 --set solver.tolerance=1e-2 --set solver.max_iterations=100 "
      "--change solver --set time.end=3ms",
      0, "done after 3 steps");
  CHECK_RUN("run " PYRAMID
            "--set solver.tolerance=1e-2 --set solver.max_iterations=100 --set time.end=3ms "
            "--out alone",
            0, "done");
  CHECK(same_end("alone", "a"));
}

TEST(a_checkpoint_without_a_deck_is_told_from_one_with) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  begin("old");
  CHECK_OK(dls_deck_open("deck.yaml", &deck));
  CHECK_OK(dls_scene_build(deck, &scene));
  if (scene) CHECK_OK(dls_checkpoint_write("old.h5", scene->simulation, NULL));
  dls_scene_destroy(&scene);
  dls_deck_destroy(&deck);
  CHECK_RUN("run deck.yaml --restart old.h5", 2,
            "old.h5: holds no deck: it is of an older version");
  CHECK_RUN("run --restart deck.yaml", 2, "deck.yaml");
  CHECK_RUN("run", 2, "which deck?");
}
