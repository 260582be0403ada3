/* The end of one run as the start of another: checkpoint and frame to the bit, a table to its
 * digits. */
#include "tests/files.h"
#include "tests/io/app_run.h"

#include <math.h>
#include <unistd.h>

#include "record/bodies_read.h"
#include "scene/scene.h"

static const char first_deck[] =
    "dimension: %d\n"
    "time: {step: 1 ms, end: 40 ms}\n"
    "gravity: [0, %s-9.81]\n"
    "materials: {sand: {density: 2500}, lead: {density: 11000}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.5}}]\n"
    "grains:\n"
    "  - {material: sand, place: random, region: {low: [0, 0%s], high: [0.1, 0.1%s]}, count: 30,\n"
    "     sizes: {kind: uniform, min: 4 mm, max: 7 mm}, velocity: [0.5, 0], spin: [0, 0, 9]}\n"
    "  - {material: lead, place: random, region: {low: [0.2, 0%s], high: [0.3, 0.1%s]}, count: 5,\n"
    "     sizes: {radius: 6 mm}}\n"
    "boundaries: {floor: {shape: plane, material: sand}}\n"
    "solver: {tolerance: 1e-3}\n"
    "output: {every: 10 ms}\n";

static const char second_deck[] =
    "dimension: %d\n"
    "time: {step: 1 ms, end: 0}\n"
    "gravity: [0, %s-9.81]\n"
    "materials: {lead: {density: 11000}, sand: {density: 2500}, glass: {density: 2600}}\n"
    "laws: [{law: coulomb, parameters: {mu: 0.5}}]\n"
    "grains: [{material: %s, place: file, file: %s}]\n"
    "boundaries: {floor: {shape: plane, material: sand}}\n"
    "output: {every: 1}\n";

static void begin(const char *test) {
  char command[1200];
  snprintf(command, sizeof command, "%s", app_folder("body_file"));
  CHECK_INT(chdir(command), 0);
  snprintf(command, sizeof command, "rm -rf %s && mkdir %s", test, test);
  CHECK_INT(system(command), 0);
  CHECK_INT(chdir(test), 0);
}

/* Runs a deck, and another from a file of it; the bodies before and behind. */
static void pass_on(int dim, const char *material, const char *source, DlsBodyFile *before,
                    DlsBodyFile *after) {
  char text[4096];
  const char *up = dim == 3 ? "0, " : "", *low = dim == 3 ? ", 0" : "",
             *high = dim == 3 ? ", 0.1" : "";
  snprintf(text, sizeof text, first_deck, dim, up, low, high, low, high);
  put_text("first.yaml", text);
  snprintf(text, sizeof text, second_deck, dim, up, material, source);
  put_text("second.yaml", text);
  CHECK_RUN("run first.yaml --out a", 0, "done");
  CHECK_OK(dls_bodies_read("a/checkpoint.h5", dim, before));
  CHECK_RUN("run second.yaml --out b", 0, "done");
  CHECK_OK(dls_bodies_read("b/checkpoint.h5", dim, after));
  if (!before->world || !after->world) exit(1);
}

static bool same(const void *a, const void *b, int count, size_t bytes) {
  return memcmp(a, b, (size_t)count * bytes) == 0;
}

static void check_bits(const DlsWorld *a, const DlsWorld *b) {
  CHECK_INT(a->count, b->count);
  if (a->count != b->count) return;
  CHECK(same(a->position, b->position, a->count, sizeof *a->position));
  CHECK(same(a->velocity, b->velocity, a->count, sizeof *a->velocity));
  CHECK(same(a->id, b->id, a->count, sizeof *a->id));
  CHECK(same(a->mass, b->mass, a->count, sizeof *a->mass));
  CHECK(same(a->inertia, b->inertia, a->count, sizeof *a->inertia));
  CHECK(same(a->element, b->element, a->count, sizeof *a->element));
}

static const char *material(const DlsWorld *world, int body) {
  return world->materials.item[world->material[body]].name;
}

TEST(a_checkpoint_gives_its_bodies_to_the_bit) {
  for (int dim = 2; dim <= 3; dim++) {
    DlsBodyFile a, b;
    begin("checkpoint");
    pass_on(dim, "glass", "a/checkpoint.h5", &a, &b);
    check_bits(a.world, b.world);
    CHECK(same(a.world->orientation, b.world->orientation, a.world->count,
               sizeof *a.world->orientation));
    /* Of several materials each finds its name, whatever the order. */
    for (int k = 0; k < a.world->count; k++)
      CHECK(strcmp(material(a.world, k), material(b.world, k)) == 0);
    dls_body_file_clear(&a);
    dls_body_file_clear(&b);
  }
}

TEST(a_frame_gives_its_bodies_to_the_bit) {
  for (int dim = 2; dim <= 3; dim++) {
    DlsBodyFile a, b;
    begin("frame");
    pass_on(dim, "glass", "a/bodies_000004.vtu", &a, &b);
    CHECK(same(a.world->position, b.world->position, a.world->count, sizeof *a.world->position));
    CHECK(same(a.world->velocity, b.world->velocity, a.world->count, sizeof *a.world->velocity));
    CHECK(same(a.world->id, b.world->id, a.world->count, sizeof *a.world->id));
    for (int k = 0; k < a.world->count; k++) {
      const double *p = a.world->orientation[k], *q = b.world->orientation[k];
      CHECK_NEAR(fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]), 1, 1e-14);
      CHECK_INT(a.world->material[k], b.world->material[k]); /* a frame has numbers alone */
    }
    dls_body_file_clear(&a);
    dls_body_file_clear(&b);
  }
}

/* 17 digits are a double; ids in any order; columns by name. */
TEST(a_table_gives_velocities_spins_orientation_material_and_id) {
  DlsBodyFile b;
  char text[2048];
  begin("table");
  put_text("bodies.csv", "id,x,y,z,r,vx,vy,vz,wx,wy,wz,qw,qx,qy,qz,material\n"
                         "7,0.10000000000000001,0.2,0.3,0.01,1.1,-2.2,3.3,4,5,6,0.6,0,0.8,0,2\n"
                         "3,0,0,0.3,0.02,0,0,0,0,0,0,1,0,0,0,0\n");
  snprintf(text, sizeof text, second_deck, 3, "0, ", "sand", "bodies.csv");
  put_text("deck.yaml", text);
  CHECK_RUN("run deck.yaml --out b", 0, "done");
  CHECK_OK(dls_bodies_read("b/checkpoint.h5", 3, &b));
  if (!b.world) return;
  CHECK_INT(b.world->count, 2);
  CHECK_INT(b.world->id[0], 3);
  CHECK_INT(b.world->id[1], 7);
  const double x[3] = {0.1, 0.2, 0.3}, v[6] = {1.1, -2.2, 3.3, 4, 5, 6};
  CHECK(same(b.world->position[1], x, 3, sizeof *x));
  CHECK(same(b.world->velocity[1], v, 6, sizeof *v));
  CHECK_NEAR(b.world->orientation[1][0], 0.6, 1e-15);
  CHECK_NEAR(b.world->orientation[1][2], 0.8, 1e-15);
  CHECK(strcmp(material(b.world, 0), "lead") == 0 && strcmp(material(b.world, 1), "glass") == 0);
  CHECK_NEAR(b.world->mass[1], 2600 * 4.0 / 3 * 3.14159265358979323846 * 1e-6, 1e-12);
  dls_body_file_clear(&b);
  /* In 2-D an angle; what the file does not tell, the deck does. */
  put_text("disks.csv", "x y r angle\n0 0.1 0.01 0.5\n0.1 0.1 0.01 7\n");
  snprintf(text, sizeof text, second_deck, 2, "", "sand", "disks.csv");
  put_text("deck.yaml", text);
  CHECK_RUN("run deck.yaml --out c --set 'grains[0].velocity=[1, 2]'", 0, "done");
  CHECK_OK(dls_bodies_read("c/checkpoint.h5", 2, &b));
  if (!b.world) return;
  CHECK(b.world->angle[1] == 7 && b.world->velocity[1][1] == 2);
  dls_body_file_clear(&b);
}

TEST(a_wrong_table_is_told_with_its_line) {
  static const struct {
    const char *table, *told;
  } cases[] = {
      {"id,x,y,r\n1,0,1,0.01\n1,1,1,0.01\n", "bodies.csv:3: the id 1 is also that of line 2"},
      {"id,x,y,r\n0.5,0,1,0.01\n", "bodies.csv:2: the id is 0.5"},
      {"x,y,r,material\n0,1,0.01,3\n", "material number 3, and the deck has 3"},
      {"x,y,r,material\n0,1,0.01,-1\n", "bodies.csv:2: the material is -1"},
      {"x,y,r,wx\n0,1,0.01,1\n", "bodies.csv:2: body 0: place or motion out of the plane"},
      {"x,y,r,qw,qx\n0,1,0.01,1,0\n", "2 of the columns qw, qx, qy, qz"},
      {"x,y,r,qw,qx,qy,qz\n0,1,0.01,2,0,0,0\n", "bodies.csv:2: the quaternion has the length 2"},
      {"x,y,r,vx\n0,1,0.01,1\n", "tells the velocities of its bodies; leave `velocity` out"},
  };
  begin("wrong");
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    char text[2048];
    put_text("bodies.csv", cases[k].table);
    snprintf(text, sizeof text, second_deck, 2, "", "sand", "bodies.csv, velocity: [1, 0]");
    put_text("deck.yaml", text);
    CHECK_RUN("run deck.yaml --out b", 2, cases[k].told);
  }
  put_text("b.vtu", "no frame");
  char text[2048];
  snprintf(text, sizeof text, second_deck, 2, "", "sand", "b.vtu");
  put_text("deck.yaml", text);
  CHECK_RUN("run deck.yaml --out b", 2, "b.vtu");
}

/* Up to a tenth of the smaller radius is what schemes leave; beyond, the pair and the cure. */
TEST(small_overlaps_of_a_file_are_taken_as_they_are) {
  DlsBodyFile b;
  char text[2048];
  begin("overlap");
  snprintf(text, sizeof text, second_deck, 2, "", "sand", "bodies.csv");
  put_text("deck.yaml", text);
  put_text("bodies.csv", "id,x,y,r\n4,0,0.1,0.01\n9,0.0191,0.1,0.01\n"); /* 9 % */
  CHECK_RUN("run deck.yaml --out b", 0, "done");
  CHECK_OK(dls_bodies_read("b/checkpoint.h5", 2, &b));
  if (b.world) CHECK(b.world->position[1][0] == 0.0191);
  dls_body_file_clear(&b);
  put_text("bodies.csv", "id,x,y,r\n4,0,0.1,0.01\n9,0.0189,0.1,0.01\n"); /* 11 % */
  CHECK_RUN("run deck.yaml --out b", 2,
            "body 9 at (0.0189, 0.1, 0) overlaps body 4 at (0, 0.1, 0) by 0.0011 m");
  put_text("bodies.csv", "id,x,y,r\n4,0,0.0089,0.01\n");
  CHECK_RUN("run deck.yaml --out b", 2, "overlaps boundary floor by 0.0011 m");
}

/* A cluster goes through a checkpoint; a frame does not tell enough of it. */
TEST(clusters_come_from_a_checkpoint) {
  DlsBodyFile a, b;
  char text[2048];
  begin("cluster");
  put_text("first.yaml",
           "time: {step: 1 ms, end: 5 ms}\n"
           "gravity: [0, 0, -9.81]\n"
           "materials: {sand: {density: 2500}}\n"
           "laws: [{law: coulomb}]\n"
           "bodies: [{material: sand, position: [0, 0, 0.5], spin: [1, 2, 3],\n"
           "          cluster: [{at: [0, 0, 0], radius: 0.1}, {at: [0.12, 0, 0], radius: 0.07}]}]\n"
           "output: {every: 5 ms}\n");
  CHECK_RUN("run first.yaml --out a", 0, "done");
  snprintf(text, sizeof text, second_deck, 3, "0, ", "sand", "a/checkpoint.h5");
  put_text("second.yaml", text);
  CHECK_RUN("run second.yaml --out b", 0, "done");
  CHECK_OK(dls_bodies_read("a/checkpoint.h5", 3, &a));
  CHECK_OK(dls_bodies_read("b/checkpoint.h5", 3, &b));
  if (a.world && b.world) {
    check_bits(a.world, b.world);
    CHECK(same(a.world->orientation, b.world->orientation, 1, sizeof *a.world->orientation));
  }
  dls_body_file_clear(&a);
  dls_body_file_clear(&b);
  CHECK_RUN("run second.yaml --out c --set 'grains[0].file=a/bodies_000001.vtu'", 2,
            "is a cluster, whose inertia a frame does not tell; take the checkpoint");
}

/* So does a body with corners. */
TEST(bodies_with_corners_come_from_a_checkpoint) {
  DlsBodyFile a, b;
  char text[2048];
  begin("corners");
  put_text("first.yaml",
           "time: {step: 1 ms, end: 5 ms}\n"
           "gravity: [0, 0, -9.81]\n"
           "materials: {sand: {density: 2500}}\n"
           "laws: [{law: coulomb}]\n"
           "bodies: [{material: sand, position: [0, 0, 0.5], spin: [1, 2, 3],\n"
           "          shape: {kind: box, lengths: [0.1, 0.2, 0.3], rounding: 1 cm}}]\n"
           "output: {every: 5 ms}\n");
  CHECK_RUN("run first.yaml --out a", 0, "done");
  snprintf(text, sizeof text, second_deck, 3, "0, ", "sand", "a/checkpoint.h5");
  put_text("second.yaml", text);
  CHECK_RUN("run second.yaml --out b", 0, "done");
  CHECK_OK(dls_bodies_read("a/checkpoint.h5", 3, &a));
  CHECK_OK(dls_bodies_read("b/checkpoint.h5", 3, &b));
  if (a.world && b.world) {
    check_bits(a.world, b.world);
    CHECK(a.world->figure && b.world->figure && !dls_world_is_ball(b.world, 0));
  }
  dls_body_file_clear(&a);
  dls_body_file_clear(&b);
  CHECK_RUN("run second.yaml --out c --set 'grains[0].file=a/bodies_000001.vtu'", 2,
            "has corners, which a frame does not tell; take the checkpoint");
}
