/* One contact driven along a path: answers that can be written down. */
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "law_bench/point.h"
#include "tests/test.h"

#define SCRAPS TEST_BINARY_DIR "/tests/tmp/law_path"

static void begin(const char *name, const char *setting, int dim, double mass, DlsPoint *point) {
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS];
  CHECK_OK(dls_law_find(name, &law));
  dls_law_defaults(law, params);
  CHECK_OK(dls_law_set_text(law, params, setting));
  CHECK_OK(dls_point_begin(law, params, dim, 0, mass, point));
}

/* A block pressed by 10 N and dragged: friction 5 N against the motion, and its work. */
TEST(dragging_dissipates_the_work_of_friction) {
  DlsPoint point;
  const DlsDrive drive[3] = {{true, -10}, {false, 0.3}, {false, -0.4}};
  begin("coulomb", "mu=0.5", 3, 2, &point);
  for (int i = 0; i < 100; i++) CHECK_OK(dls_point_step(&point, 1e-3, drive));
  CHECK_NEAR(point.r[0], 10 * 1e-3, 1e-12);
  CHECK_NEAR(point.r[1], -3 * 1e-3, 1e-9);
  CHECK_NEAR(point.r[2], 4 * 1e-3, 1e-9);
  CHECK_NEAR(point.dissipated, 5 * 0.5 * 0.1, 1e-9);
  CHECK_NEAR(point.work, point.dissipated, 1e-12);
  CHECK(!point.held);
}

/* A mass pushed by 3 N against friction of 5 N stays; by 7 N it moves at (7 - 5) / m t. */
TEST(a_force_below_friction_moves_nothing) {
  DlsPoint point;
  DlsDrive drive[2] = {{true, -10}, {true, 3}};
  begin("coulomb", "mu=0.5", 2, 2, &point);
  for (int i = 0; i < 50; i++) CHECK_OK(dls_point_step(&point, 1e-2, drive));
  CHECK_NEAR(point.u[1], 0, 1e-15);
  CHECK_NEAR(point.r[1], -3e-2, 1e-14);
  drive[1].value = 7;
  for (int i = 0; i < 50; i++) CHECK_OK(dls_point_step(&point, 1e-2, drive));
  CHECK_NEAR(point.u[1], 0.5, 1e-12);
}

/* Falls from a gap, lands, rests; the machine that pushes a rigid contact is held back. */
TEST(a_gap_closes_and_a_machine_is_held) {
  DlsPoint point;
  const DlsDrive press[2] = {{true, -1}, {false, 0}}, ram[2] = {{false, -1}, {false, 0}};
  begin("signorini", "rho=0", 2, 1, &point);
  point.contact.gap = 1e-3;
  for (int i = 0; i < 100; i++) CHECK_OK(dls_point_step(&point, 1e-3, press));
  CHECK_NEAR(point.contact.gap, 0, 1e-15);
  CHECK_NEAR(point.r[0], 1e-3, 1e-14);
  CHECK_OK(dls_point_step(&point, 1e-3, ram));
  CHECK(point.held);
}

static const char *file(const char *name, const char *text) {
  static char path[512];
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  mkdir(SCRAPS, 0777);
  snprintf(path, sizeof path, SCRAPS "/%s", name);
  FILE *out = fopen(path, "w");
  if (out) fputs(text, out), fclose(out);
  return path;
}

TEST(paths_from_csv_and_yaml) {
  DlsPath path;
  CHECK_OK(dls_point_path(file("a.csv", "t,u_T1,f_N\n0,0,0\n0.5,1,-2\n1.5,3,-4\n"), 3, 3, &path));
  CHECK(path.count == 2 && path.drive[0].force && !path.drive[1].force);
  CHECK_NEAR(path.time[1], 1.5, 0);
  CHECK_NEAR(path.drive[3].value, -4, 0);
  CHECK_NEAR(path.drive[4].value, 3, 0);
  dls_path_clear(&path);
  CHECK_OK(
      dls_point_path(file("a.yaml", "{step: 0.5, end: 2, u: {T: t}, f: {N: -3}}"), 2, 2, &path));
  CHECK(path.count == 4 && path.drive[0].force);
  CHECK_NEAR(path.drive[7].value, 1.75, 1e-15);
  dls_path_clear(&path);
}

TEST(wrong_paths_are_refused) {
  static const struct {
    const char *name, *text, *part;
  } cases[] = {
      {"b.csv", "0,1\n1,2\n", "holds no names"},
      {"c.csv", "t,u_X\n0,0\n1,1\n", "'u_X' is not known"},
      {"d.csv", "u_N\n0\n1\n", "no column t"},
      {"e.csv", "t,u_N,f_N\n0,0,0\n1,1,1\n", "drive the same component"},
      {"f.csv", "t,u_N\n1,0\n0.5,1\n", "f.csv:3: t = 0.5 comes after"},
      {"g.csv", "t,u_N\n1,0\n", "one row is no path"},
      {"h.yaml", "{end: 1, u: {T2: 1}}", "T2"},
      {"i.yaml", "{end: 1, u: {N: 1}, f: {N: 1}}", "driven by u and by f"},
      {"j.yaml", "{end: 1, step: 1e-9}", "take longer ones"},
      {"k.yaml", "{end: 1, v: {N: 1}}", "k.yaml:1"},
      {"l.txt", "", "a .csv or a .yaml file"},
  };
  DlsPath path;
  for (int i = 0; i < DLS_COUNT(cases); i++) {
    CHECK(dls_point_path(file(cases[i].name, cases[i].text), 2, 2, &path) != DLS_OK);
    CHECK(test_contains(dls_error_message(), cases[i].part));
  }
}
