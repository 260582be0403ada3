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
  refused(3, "{shape: mesh, material: rock, file: bowl.obj, closed: true}", "is of a polyline");
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
