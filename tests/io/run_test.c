/* delassus run on every deck of input/, shortened: all files are there, VTK reads them, their
 * numbers agree with each other, and the resolved deck gives the same bytes again. */
#include <dirent.h>

#include "tests/io/app_run.h"
#include "tests/io/vtu_expect.h"

typedef struct {
  const char *name;
  const char *settings; /* what makes it short, and something happen in it */
  int dimension, steps, frames;
  int bodies; /* 0: as many as fit */
  int boundaries;
} Deck;

#define SET(key_value) " --set '" key_value "'"

static const Deck decks[] = {
    {"arch", SET("time.end=0.02") SET("output.every=10 ms") SET("blocks[0].thickness=0.3"), 2, 10,
     3, 27, 1},
    {"arch-falls", SET("time.end=0.02") SET("output.every=10 ms"), 2, 10, 3, 27, 1},
    {"ballast", SET("time.end=4 ms") SET("output.every=2 ms"), 2, 4, 3, 400, 3},
    {"bank", SET("time.end=0.02") SET("output.every=10 ms"), 2, 10, 3, 0, 2},
    {"bar-on-wall",
     SET("time.step=2 ms") SET("time.end=0.02") SET("output.every=0.01")
         SET("bodies[0].position=[0, 5.01]"),
     2, 10, 3, 1, 1},
    {"biaxial",
     SET("time.end=0.02") SET("output.every=10 ms") SET("boundaries.top.velocity=[1, 0]")
         SET("output.post=[stress, kinetic, splits, fabric, chains]"),
     2, 20, 3, 400, 4},
    {"biaxial-polygons", SET("time.end=4 ms") SET("output.every=2 ms"), 2, 4, 3, 400, 4},
    {"bilateral", SET("time.end=0.02") SET("output.every=10 ms"), 3, 40, 3, 2, 0},
    {"bouncing-ball",
     SET("time.end=0.02") SET("output.every=5 ms") SET("bodies[0].position=[0, 0, 0.0505]"), 3, 40,
     5, 1, 1},
    {"cantilever", SET("time.end=5 ms") SET("output.every=2.5 ms"), 2, 20, 3, 111, 3},
    {"capillary", SET("time.end=4e-3") SET("output.every=2 ms"), 3, 20, 3, 60, 1},
    {"cell-stress", SET("time.end=0.01") SET("output.every=5 ms") SET("output.averages.end.from=0"),
     2, 10, 3, 150, 0},
    {"chain", SET("time.end=0.02") SET("output.every=10 ms"), 3, 100, 3, 32, 1},
    {"cohesive", SET("time.end=2e-3") SET("output.every=1 ms"), 3, 40, 3, 4, 0},
    {"column", SET("time.end=0.02") SET("output.every=10 ms"), 3, 10, 3, 8, 1},
    {"cook", SET("output.every=1"), 2, 1, 2, 1, 0},
    {"coulomb", SET("time.end=0.02") SET("output.every=10 ms"), 3, 40, 3, 3, 1},
    {"coulomb-anisotropic", SET("time.end=0.02") SET("output.every=10 ms"), 3, 40, 3, 2, 1},
    {"coulomb-polygon", SET("time.end=0.02") SET("output.every=10 ms"), 3, 40, 3, 2, 1},
    {"crowd", SET("time.end=0.6") SET("output.every=0.2"), 2, 60, 4, 80, 5},
    {"deformable-disks", SET("time.end=1 ms") SET("output.every=0.5 ms"), 2, 10, 3, 100, 4},
    {"delamination", SET("time.end=1 ms") SET("output.every=0.5 ms"), 2, 20, 3, 2, 0},
    {"deposit", SET("time.end=0.02") SET("output.every=10 ms") SET("output.post=[stress, splits]"),
     3, 20, 3, 1000, 1},
    {"dominoes", SET("time.end=2e-3") SET("output.every=1 ms"), 2, 20, 3, 30, 1},
    {"drum", SET("time.end=0.06") SET("output.every=20 ms"), 2, 60, 4, 0, 1},
    {"dry-stone", SET("time.end=4 ms") SET("output.every=2 ms"), 3, 2, 3, 84, 1},
    {"elastic", SET("time.end=20 us") SET("output.every=5 us"), 3, 40, 5, 5, 0},
    {"footprint", SET("time.end=4 ms") SET("output.every=2 ms"), 2, 4, 3, 0, 4},
    {"gluey", SET("time.end=0.04") SET("output.every=10 ms"), 3, 40, 5, 4, 2},
    {"heap", SET("time.end=0.2") SET("output.every=0.1 s"), 2, 100, 3, 0, 0},
    {"hertz-cylinder", SET("time.end=0.2") SET("output.every=0.1"), 2, 2, 3, 2, 0},
    {"hertz-impact", SET("time.end=20 us") SET("output.every=10 us"), 3, 8, 3, 1, 1},
    {"hertz-spheres", SET("time.end=0.5"), 3, 2, 3, 2, 0},
    {"hourglass", SET("time.end=0.02") SET("output.every=10 ms"), 3, 20, 3, 0, 2},
    {"hopper-mesh", SET("time.end=4 ms") SET("output.every=2 ms"), 3, 4, 3, 240, 1},
    {"hydrostatic", SET("time.end=0.01") SET("output.every=5 ms"), 2, 10, 3, 1200, 3},
    {"hydrostatic-3d", SET("time.end=4 ms") SET("output.every=2 ms") SET("grains[0].count=800"), 3,
     4, 3, 800, 5},
    {"isotropic", SET("time.end=0.01") SET("output.every=5 ms"), 3, 10, 3, 600, 6},
    {"janssen", SET("time.end=0.02") SET("output.every=10 ms") SET("grains[0].count=400"), 2, 20, 3,
     400, 3},
    {"janssen-3d", SET("time.end=4 ms") SET("output.every=2 ms") SET("grains[0].count=500"), 3, 4,
     3, 500, 2},
    {"k0", SET("time.end=0.01") SET("output.every=5 ms"), 2, 10, 3, 1200, 3},
    {"links", SET("time.end=0.04") SET("output.every=20 ms"), 2, 40, 3, 2, 1},
    {"lubrication", SET("time.end=0.02") SET("output.every=5 ms"), 3, 100, 5, 3, 1},
    {"masonry-2d", SET("time.end=4 ms") SET("output.every=2 ms"), 2, 4, 3, 200, 1},
    {"masonry-3d", SET("time.end=4 ms") SET("output.every=2 ms"), 3, 2, 3, 109, 1},
    {"mohr-coulomb", SET("time.end=0.02") SET("output.every=5 ms"), 3, 20, 5, 15, 1},
    {"mortar", SET("time.end=10 ms") SET("output.every=2 ms"), 2, 50, 6, 24, 1},
    {"powder", SET("time.end=5 ms") SET("output.every=2.5 ms"), 3, 20, 3, 120, 2},
    {"suspension",
     SET("time.end=0.02") SET("output.every=10 ms") SET("output.averages.films.from=0"), 2, 4, 3, 0,
     0},
    {"vault-quake", SET("time.end=0.02") SET("output.every=10 ms"), 3, 10, 3, 67, 1},
    {"press", SET("time.end=1 ms") SET("output.every=0.5 ms"), 2, 20, 3, 2, 0},
    {"punch", SET("time.end=1 ms") SET("output.every=0.5 ms"), 2, 10, 3, 2, 0},
    {"pushover", SET("time.end=10 ms") SET("output.every=5 ms"), 2, 10, 3, 28, 1},
    {"tilting-arch", SET("time.end=0.02") SET("output.every=10 ms"), 2, 10, 3, 27, 1},
    {"pour", SET("time.end=0.2") SET("output.every=50 ms") SET("sources[0].rate=500"), 2, 200, 5, 0,
     5},
    {"pyramid", SET("time.end=0.01") SET("output.every=5 ms") SET("output.compress=false"), 3, 10,
     3, 30, 1},
    {"rolling", SET("time.end=0.02") SET("output.every=10 ms"), 3, 20, 3, 3, 1},
    {"plate-on-spheres", SET("time.end=0.02") SET("output.every=10 ms"), 3, 100, 3, 4, 1},
    {"polygon-rain", SET("time.end=0.04") SET("output.every=20 ms") SET("sources[0].rate=2000"), 2,
     40, 3, 0, 3},
    {"rocking-block", SET("time.end=4 ms") SET("output.every=1 ms"), 2, 20, 5, 1, 1},
    {"shaken-beads", SET("time.step=0.4 ms") SET("time.end=8 ms") SET("output.every=4 ms"), 2, 20,
     3, 1650, 3},
    {"shaken-box", SET("time.end=0.01") SET("output.every=4 ms"), 3, 20, 4, 960, 1},
    {"shaken-bottom", SET("time.end=5 ms") SET("output.every=2.5 ms"), 2, 20, 3, 400, 12},
    {"shaken-disks", SET("time.end=5 ms") SET("output.every=2.5 ms"), 2, 20, 3, 500, 3},
    {"shaken-wall", SET("time.end=0.02") SET("output.every=10 ms"), 2, 20, 3, 28, 1},
    {"shaken-vessel",
     SET("time.end=2 ms") SET("output.every=1 ms") SET("grains[0].count=300")
         SET("grains[0].region.height=4 mm") SET("output.averages.walls.from=0"),
     3, 20, 3, 300, 2},
    {"silo", SET("time.end=0.04") SET("output.every=20 ms"), 3, 80, 3, 1000, 4},
    {"sleeper", SET("time.end=0.03") SET("output.every=15 ms"), 2, 60, 3, 0, 3},
    {"soft-spheres", SET("time.end=2e-3") SET("output.every=1 ms"), 3, 100, 3, 200, 1},
    {"strength", SET("time.end=0.02") SET("output.every=10 ms"), 2, 20, 3, 400, 4},
    {"taylor",
     SET("time.end=4 us") SET("output.every=2 us") SET("bodies[0].deformable.mesh.cells=[1, 4]"), 3,
     10, 3, 1, 1},
    {"triaxial", SET("time.end=0.01") SET("output.every=5 ms"), 3, 10, 3, 600, 6},
    {"vault", SET("time.end=4 ms") SET("output.every=2 ms"), 3, 2, 3, 67, 1},
    {"vibrated-box", SET("time.end=0.01") SET("output.every=4 ms"), 3, 20, 4, 960, 1},
    {"viscoelastic",
     SET("time.end=4 ms") SET("output.every=1 ms") SET("bodies[0].position=[0, 0, 0.0201]"), 3, 200,
     5, 3, 1},
    {"bank-disks", SET("time.end=0.04") SET("output.every=20 ms"), 2, 20, 3, 0, 2},
    {"cone", SET("time.end=0.1") SET("output.every=50 ms"), 3, 20, 3, 0, 1},
    {"disk-rain", SET("time.end=0.06") SET("output.every=30 ms"), 2, 20, 3, 0, 3},
    {"double-bounce", SET("time.end=0.033333333333333333") SET("output.every=0.016666666666666667"),
     2, 20, 3, 1, 1},
    {"dyadic-force", SET("time.end=0.078125") SET("output.every=0.0390625"), 2, 20, 3, 1, 1},
    {"fluids", SET("time.end=0.02") SET("output.every=10 ms"), 3, 20, 3, 6, 1},
    {"gluey-pack", SET("time.end=0.1") SET("output.every=50 ms"), 2, 20, 3, 77, 3},
    {"impact", SET("time.end=0.01") SET("output.every=5 ms"), 3, 20, 3, 205, 1},
    {"langevin", SET("time.end=0.01953125") SET("output.every=0.009765625"), 2, 20, 3, 1000, 1},
    {"large-steps", SET("time.end=2") SET("output.every=1"), 2, 20, 3, 120, 3},
    {"pile", SET("time.end=0.1") SET("output.every=50 ms"), 3, 20, 3, 0, 1},
    {"pin-in-bore", SET("time.end=0.2") SET("output.every=0.1"), 2, 2, 3, 2, 0},
    {"rolling-heap", SET("time.end=0.02") SET("output.every=10 ms"), 3, 20, 3, 0, 1},
    {"sheared-cell", SET("time.end=0.01") SET("output.every=5 ms"), 2, 20, 3, 150, 0},
    {"sphere-rain", SET("time.end=0.06") SET("output.every=30 ms"), 3, 20, 3, 0, 1},
    {"sticky-row", SET("time.end=0.2") SET("output.every=100 ms"), 2, 20, 3, 20, 0},
    {"voronoi", SET("time.end=4 ms") SET("output.every=2 ms"), 2, 4, 3, 120, 4},
    {"wheel", SET("time.end=4 ms") SET("output.every=2 ms"), 2, 8, 3, 44, 3},
};

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t bytes = 0;
  if (!file) return NULL;
  FILE *copy = open_memstream(&text, &bytes);
  for (int c; copy && (c = fgetc(file)) != EOF;) fputc(c, copy);
  fclose(file);
  if (copy) fclose(copy);
  return text;
}

/* Runs the deck; not converging is an outcome, and the summary must say so too. */
static void run_deck(const char *deck, const char *settings, const char *folder) {
  char arguments[4096], path[1100];
  snprintf(arguments, sizeof arguments, "run '%s' --quiet%s --out '%s'", deck, settings, folder);
  const int status = app_run(arguments);
  snprintf(path, sizeof path, "%s/summary.json", folder);
  char *summary = read_all(path);
  if (!summary || status < 0 || status > 1)
    test_fail(__FILE__, __LINE__, "delassus %s: exit %d\n%s", arguments, status, app_output);
  else {
    CHECK(json_valid(summary));
    CHECK_INT(json_number(summary, "steps_not_converged") > 0, status);
  }
  free(summary);
}

/* The checker of the contents; its faults are those of the test. */
static void check_contents(const Deck *deck, const char *folder) {
  char command[4096], line[1024];
  const char *python = getenv("DELASSUS_PYTHON");
  snprintf(command, sizeof command, "%s '%s/tests/io/run_check.py' '%s' %d %d %d %d %d 2>&1",
           python ? python : "/usr/bin/python3", TEST_SOURCE_DIR, folder, deck->dimension,
           deck->steps, deck->frames, deck->bodies, deck->boundaries);
  FILE *pipe = popen(command, "r");
  while (pipe && fgets(line, sizeof line, pipe)) fprintf(stderr, "%s: %s", deck->name, line);
  const int code = pipe ? pclose(pipe) : -1;
  if (WIFEXITED(code) && WEXITSTATUS(code) == 77) test_skip_package("python3-vtk9");
  CHECK_INT(WIFEXITED(code) ? WEXITSTATUS(code) : -1, 0);
}

static void folder_of(const Deck *deck, const char *what, char *out, size_t bytes) {
  snprintf(out, bytes, "%s/%s%s", app_folder("run"), deck->name, what);
}

TEST(every_deck_runs_and_writes_what_vtk_reads) {
  for (int k = 0; k < DLS_COUNT(decks); k++) {
    char folder[1024], path[1024];
    folder_of(&decks[k], "", folder, sizeof folder);
    remove_folder(folder);
    snprintf(path, sizeof path, "%s/input/%s.yaml", TEST_SOURCE_DIR, decks[k].name);
    run_deck(path, decks[k].settings, folder);
  }
  for (int k = 0; k < DLS_COUNT(decks); k++) {
    char folder[1024];
    folder_of(&decks[k], "", folder, sizeof folder);
    check_contents(&decks[k], folder);
  }
}

/* A deck that is added to input/ is tested here too. */
TEST(no_deck_is_left_out) {
  DIR *input = opendir(TEST_SOURCE_DIR "/input");
  CHECK(input);
  for (struct dirent *entry; input && (entry = readdir(input));) {
    const size_t length = strlen(entry->d_name);
    bool known = length < 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0;
    known |= length > 11 && strcmp(entry->d_name + length - 11, "-study.yaml") == 0; /* no deck */
    for (int k = 0; k < DLS_COUNT(decks); k++)
      known |= strlen(decks[k].name) == length - 5 &&
               strncmp(entry->d_name, decks[k].name, length - 5) == 0;
    if (!known) test_fail(__FILE__, __LINE__, "input/%s has no row in this test", entry->d_name);
  }
  if (input) closedir(input);
}

/* Blanks the columns of wall-clock times, the last four. */
static void drop_times(char *text) {
  for (char *line = text; line && *line;) {
    char *end = strchr(line, '\n'), *at = end ? end : line + strlen(line);
    for (int commas = 0; at > line && commas < 4; commas += *at == ',')
      if (*--at != ',') *at = ' ';
    for (char *rest = at; end && rest < end; rest++) *rest = ' ';
    line = end ? end + 1 : NULL;
  }
}

static void compare_folders(const char *first, const char *second) {
  char command[4096];
  snprintf(command, sizeof command,
           "diff -rq --exclude=history.csv --exclude=summary.json '%s' '%s' >&2", first, second);
  CHECK_INT(system(command), 0);
}

static void compare_history(const char *first, const char *second) {
  char path[1200];
  snprintf(path, sizeof path, "%s/history.csv", first);
  char *one = read_all(path);
  snprintf(path, sizeof path, "%s/history.csv", second);
  char *two = read_all(path);
  CHECK(one && two);
  drop_times(one);
  drop_times(two);
  /* Blanks stand for the digits of times, whose number differs. */
  for (char *a = one, *b = two; a && b && (*a || *b);) {
    a += strspn(a, " ");
    b += strspn(b, " ");
    if (*a != *b) {
      test_fail(__FILE__, __LINE__, "%s: history differs from the first run's: \"%.60s\" \"%.60s\"",
                second, a, b);
      break;
    }
    if (!*a) break;
    a++, b++;
  }
  free(one);
  free(two);
}

TEST(the_resolved_deck_gives_the_same_bytes) {
  for (int k = 0; k < DLS_COUNT(decks); k++) {
    char first[1024], second[1024], path[1200];
    folder_of(&decks[k], "", first, sizeof first);
    folder_of(&decks[k], "-again", second, sizeof second);
    snprintf(path, sizeof path, "%s/resolved.yaml", first);
    remove_folder(second);
    run_deck(path, "", second);
    compare_folders(first, second);
    compare_history(first, second);
  }
}

/* A shorter run that may take the place of a longer one leaves no frame of it, and every other
 * file. */
TEST(frames_of_a_longer_run_are_removed) {
  char arguments[3000], folder[1024], path[1200];
  snprintf(folder, sizeof folder, "%s/shorter", app_folder("run"));
  remove_folder(folder);
  for (int run = 0; run < 2; run++) {
    snprintf(arguments, sizeof arguments,
             "run '%s/input/bouncing-ball.yaml' --quiet --set time.end=%g --set output.every=1e-3 "
             "--overwrite --out '%s'",
             TEST_SOURCE_DIR, run ? 3e-3 : 9e-3, folder);
    CHECK_INT(app_run(arguments), 0);
    if (run) continue;
    static const char *const others[] = {"bodies_7.vtu", "bodies_000008.vtu.txt",
                                         "mine_000008.vtu"};
    for (int k = 0; k < DLS_COUNT(others); k++) {
      snprintf(path, sizeof path, "%s/%s", folder, others[k]);
      FILE *file = fopen(path, "w");
      if (file) fclose(file);
    }
  }
  DIR *list = opendir(folder);
  int frames = 0, others = 0;
  for (struct dirent *entry; list && (entry = readdir(list));) {
    const size_t length = strlen(entry->d_name);
    if (length > 4 && strcmp(entry->d_name + length - 4, ".vtu") == 0) frames++;
    others += strstr(entry->d_name, "mine_") || strstr(entry->d_name, "bodies_7") ||
              strstr(entry->d_name, ".txt");
  }
  if (list) closedir(list);
  CHECK_INT(others, 3);
  CHECK_INT(frames, 4 * 4 + 2); /* t = 0, 1, 2, 3 ms of four series, and two that are not ours */
}

/* docs/deck-keys.md is what the program says of itself; the cure stands on the page. */
TEST(the_page_of_keys_is_that_of_the_program) {
  char *page = read_all(TEST_SOURCE_DIR "/docs/deck-keys.md");
  CHECK_INT(app_run("run --schema"), 0);
  CHECK(page && strcmp(page, app_output) == 0);
  free(page);
}

/* Frames at multiples of `every`, a capture each third step, and an end by the clock, told in the
 * summary. */
TEST(captures_and_limits_of_time) {
  char arguments[3000], folder[1024];
  snprintf(folder, sizeof folder, "%s/captures", app_folder("run"));
  remove_folder(folder);
  snprintf(arguments, sizeof arguments,
           "run '%s/input/pyramid.yaml' --set time.end=7e-3 --set output.every=0 --capture 3 --out "
           "'%s'",
           TEST_SOURCE_DIR, folder);
  CHECK_RUN(arguments, 0, "done after 7 steps");
  snprintf(arguments, sizeof arguments,
           "solve '%s/capture_000003.hdf5' '%s/capture_000006.hdf5' --tolerance 1e-4", folder,
           folder);
  CHECK_INT(app_run(arguments), 0);
  snprintf(arguments, sizeof arguments, "show '%s/capture_000007.hdf5'", folder);
  CHECK_INT(app_run(arguments), 2);
  snprintf(arguments, sizeof arguments,
           "run '%s/input/bouncing-ball.yaml' --set time.end=1000 --set output.every=0 --max-time "
           "0.05 --out '%s'",
           TEST_SOURCE_DIR, folder);
  CHECK_RUN(arguments, 3, "stopped after");
  snprintf(arguments, sizeof arguments, "%s/summary.json", folder);
  char *summary = read_all(arguments);
  CHECK(summary && test_contains(summary, "\"finished\": false"));
  free(summary);
}
