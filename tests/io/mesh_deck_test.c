/* Meshes and polylines from their files to a run: mistakes are told with their line and cure, a run
 * that goes on leaves the same bytes, frames are read back, files of Gmsh itself stand as walls. */
#include "tests/io/app_run.h"
#include "tests/io/run_files.h"

#include <string.h>

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/mesh_deck"

static const char head[] =
    "time: {step: 1 ms, end: 0.2 s}\nmaterials: {rock: {density: 2000}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.3}}]\noutput: {every: 50 ms, checkpoint: 0.1 s}\n";

static const char bowl[] = "o floor\nv -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n"
                           "o sides\nv -2 -2 1\nv 2 -2 1\nv 2 2 1\nv -2 2 1\n"
                           "f 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n";

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0);
  if (file) fclose(file);
}

static void write_deck(int dim, const char *boundary, const char *bodies) {
  char text[4096];
  snprintf(text, sizeof text, "dimension: %d\ngravity: [0, %s-9.81]\n%sboundaries:\n  wall: %s\n%s",
           dim, dim == 3 ? "0, " : "", head, boundary, bodies);
  write_file(SCRAPS "/deck.yaml", text);
}

static const char bodies3[] =
    "bodies:\n  - {material: rock, radius: 0.2, position: [0.5, 0.1, 0.25]}\n"
    "  - {material: rock, shape: {kind: box, lengths: [0.4, 0.3, 0.2]}, position: [-0.5, 0.1, "
    "0.15], "
    "velocity: [-2, 0.3, 0]}\n";
static const char bodies2[] =
    "bodies:\n  - {material: rock, radius: 0.2, position: [0.5, 0.25]}\n"
    "  - {material: rock, shape: {kind: regular, corners: 5, radius: 0.2}, position: [-0.5, 0.3], "
    "velocity: [-2, 0.3]}\n";

static void begin(void) {
  app_folder("mesh_deck");
  write_file(SCRAPS "/bowl.obj", bowl);
}

static void goes_on(void) {
  static const char *const names[] = {"bodies_000004.vtu",     "walls_000004.vtu",
                                      "boundaries_000004.vtu", "contacts_000004.vtu",
                                      "history.csv",           "checkpoint.h5"};
  CHECK_INT(app_run("run " SCRAPS
                    "/deck.yaml --overwrite --quiet --set output.walls=true --out " SCRAPS
                    "/whole"),
            0);
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --set output.walls=true --set "
                    "time.end=0.1 --out " SCRAPS "/broken"),
            0);
  CHECK_INT(app_run("run --quiet --restart " SCRAPS "/broken/checkpoint.h5 --set time.end=0.2 "
                    "--out " SCRAPS "/broken"),
            0);
  for (int k = 0; k < DLS_COUNT(names); k++) {
    size_t bytes;
    char *there = run_file(SCRAPS "/whole", names[k], &bytes);
    if (there && !run_same_file(SCRAPS "/whole", SCRAPS "/broken", names[k]))
      test_fail(__FILE__, __LINE__, "%s differs", names[k]);
    CHECK(there || strstr(names[k], "walls"));
    free(there);
  }
  CHECK_RUN("post stress " SCRAPS "/whole", 0, "pressure"); /* the walls are read back */
}

TEST(a_run_on_a_mesh_goes_on_with_the_same_bytes) {
  begin();
  write_deck(3, "{shape: mesh, material: rock, file: bowl.obj, spin: [0, 0, 0.5]}", bodies3);
  goes_on();
}

TEST(a_run_on_a_polyline_goes_on_with_the_same_bytes) {
  begin();
  write_deck(2,
             "{shape: polyline, material: rock, points: [-2, 1, -1, 0, 1, 0, 2, 1], turn: [0.1]}",
             bodies2);
  goes_on();
}

/* box.geo: two cubes; their outer faces have groups. */
TEST(surfaces_of_gmsh_are_walls_in_each_of_its_formats) {
  static const char *const names[] = {"box-22.msh", "box-22-binary.msh", "box-41.msh",
                                      "box-41-binary.msh"};
  begin();
  for (int k = 0; k < DLS_COUNT(names); k++) {
    char boundary[1400];
    snprintf(boundary, sizeof boundary,
             "{shape: mesh, material: rock, file: " TEST_SOURCE_DIR
             "/meshes/%s, groups: [left, right], side: both, position: [0, 0, -3]}",
             names[k]);
    write_deck(3, boundary, bodies3);
    CHECK_INT(app_run("run " SCRAPS
                      "/deck.yaml --overwrite --quiet --set time.end=5e-3 --out " SCRAPS "/gmsh"),
              0);
  }
}

static void refused(int dim, const char *boundary, const char *sentence) {
  write_deck(dim, boundary, dim == 3 ? bodies3 : bodies2);
  CHECK_RUN("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/bad", 2, sentence);
}

TEST(mistakes_are_told_with_their_line_and_cure) {
  begin();
  refused(3, "{shape: mesh, material: rock}", "deck.yaml:8: boundaries.wall.file: a mesh needs");
  refused(3, "{shape: mesh, material: rock, file: none.stl}", "none.stl");
  write_file(SCRAPS "/bowl.ply", "ply");
  refused(3, "{shape: mesh, material: rock, file: bowl.ply}", "a mesh is a file .stl, .obj");
  refused(3, "{shape: mesh, material: rock, file: bowl.obj, groups: [lid]}",
          "has no group 'lid'; it has floor, sides");
  refused(3, "{shape: mesh, material: rock, file: bowl.obj, groups: [floor, floor]}",
          "named twice");
  refused(3, "{shape: mesh, material: rock, file: bowl.obj, points: [0, 0]}", "leave one of them");
  refused(3, "{shape: mesh, material: rock, file: bowl.obj, axis: [0, 1, 0]}", "turn it by `turn`");
  refused(3, "{shape: mesh, material: rock, file: bowl.obj, length: [1]}", "set its `scale`");
  refused(3, "{shape: mesh, material: rock, file: bowl.obj, closed: true}",
          "deck.yaml:8: boundaries.wall.file: " SCRAPS "/bowl.obj: is not closed: 4 edges are of "
          "one triangle alone, the first from (");
  refused(3, "{shape: plane, material: rock, closed: true}", "closed: is of a mesh or polyline");
  refused(3, "{shape: plane, material: rock, file: bowl.obj}", "a plane has none; set shape: mesh");
  refused(3, "{shape: polyline, material: rock, points: [0, 0, 1, 0]}", "take a mesh");
  refused(2, "{shape: mesh, material: rock, file: bowl.obj}", "take a polyline");
  refused(2, "{shape: polyline, material: rock}", "a polyline needs its points");
  refused(2, "{shape: polyline, material: rock, points: [0, 0, 1]}", "3 numbers are no pairs");
  refused(2, "{shape: polyline, material: rock, points: [0, 0]}", "1 points; a line needs 2");
  refused(2, "{shape: polyline, material: rock, points: [0, 0, 1, 0, 1, 0]}",
          "twice; leave one out");
  refused(2, "{shape: polyline, material: rock, points: [0, 0, 1, 0], turn: [1, 2, 3]}",
          "in 2-D is one angle");
  write_file(SCRAPS "/bowl.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n");
  refused(3, "{shape: mesh, material: rock, file: bowl.obj}", "one of them is inverted");
  write_file(SCRAPS "/bowl.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  refused(3, "{shape: mesh, material: rock, file: bowl.obj}", "has no area");
}

static const char vessel[] = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv -1 -1 1\nv 1 -1 1\n"
                             "v 1 1 1\nv -1 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\n"
                             "f 3 4 8 7\nf 4 1 5 8\n";

static bool told(const char *text) { return strstr(app_output, text) != NULL; }

/* What is met from one side alone is told where it is open; a closed one, and one that is met from
 * both sides, are not. */
TEST(open_edges_are_told) {
  static const char run[] = "run " SCRAPS "/deck.yaml --overwrite --quiet --set time.end=1e-3 "
                            "--out " SCRAPS "/open";
  begin();
  write_deck(3, "{shape: mesh, material: rock, file: bowl.obj}", bodies3);
  CHECK_RUN(run, 0, "boundary wall: " SCRAPS "/bowl.obj is open at 4 edges, the first from (");
  write_deck(3, "{shape: mesh, material: rock, file: bowl.obj, side: both}", bodies3);
  CHECK_INT(app_run(run), 0);
  CHECK(!told("is open at"));
  write_file(SCRAPS "/bowl.obj", vessel);
  write_deck(3, "{shape: mesh, material: rock, file: bowl.obj, side: back, closed: true}", bodies3);
  CHECK_INT(app_run(run), 0);
  CHECK(!told("is open at"));
}

/* The same name, another content: refused by a restart, with both fingerprints, unless it is asked
 * for; then the wall is the new one. */
TEST(a_mesh_that_has_changed_is_told_at_a_restart) {
  static const char restart[] =
      "run --quiet --restart " SCRAPS "/broken/checkpoint.h5 --set time.end=0.2 ";
  begin();
  write_deck(3, "{shape: mesh, material: rock, file: bowl.obj}", bodies3);
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --set time.end=0.1 --out " SCRAPS
                    "/broken"),
            0);
  char command[1024], lower[sizeof bowl + 16];
  /* A floor without its sides, 0.5 m below. */
  snprintf(lower, sizeof lower, "v -1 -1 -0.5\nv 1 -1 -0.5\nv 1 1 -0.5\nv -1 1 -0.5\nf 1 2 3 4\n");
  write_file(SCRAPS "/bowl.obj", lower);
  CHECK_RUN(restart, 2, "bowl.obj: boundaries.wall.file: ");
  CHECK(told(" bytes, fingerprint "));
  CHECK(told("or ask for the change"));
  snprintf(command, sizeof command,
           "%s--change boundaries.wall.file --overwrite --out " SCRAPS "/lower", restart);
  CHECK_INT(app_run(command), 0);
  size_t bytes;
  char *frame = run_file(SCRAPS "/lower", "boundaries_000002.vtu", &bytes);
  CHECK(frame != NULL);
  free(frame);
  write_file(SCRAPS "/bowl.obj", bowl);
  CHECK_INT(app_run(restart), 0);
}

TEST(grains_are_put_into_a_closed_mesh) {
  static const char grains[] =
      "grains:\n  - {material: rock, place: random, count: 20, sizes: {radius: 0.1},\n"
      "     region: {shape: mesh, file: vessel.obj}}\n";
  begin();
  write_file(SCRAPS "/vessel.obj", vessel);
  write_deck(3, "{shape: mesh, material: rock, file: vessel.obj, side: back, closed: true}",
             grains);
  CHECK_INT(app_run("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/within"), 0);
  write_file(SCRAPS "/vessel.obj", bowl);
  write_deck(3, "{shape: plane, material: rock}", grains);
  CHECK_RUN("run " SCRAPS "/deck.yaml --overwrite --quiet --out " SCRAPS "/bad", 2,
            "grains[0].region.file: " SCRAPS "/vessel.obj: is not closed: 4 edges");
}
