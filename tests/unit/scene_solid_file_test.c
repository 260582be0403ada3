/* Bodies from files: volume, centre and inertia against closed forms; what is no solid is refused
 * with its edge. */
#include <stdio.h>
#include <string.h>

#include "scene/scene_impl.h"
#include "tests/files.h"
#include "tests/test.h"

/* Adds a box to an OBJ as an object; `cut` faces are left out, `turn`: the first one inward. */
static void add_box(char *text, size_t room, const char *name, const double low[3],
                    const double high[3], int cut, bool turn) {
  static const int face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  char *at = text + strlen(text);
  const char *end = text + room;
  at += snprintf(at, (size_t)(end - at), "o %s\n", name);
  for (int n = 0; n < 8; n++)
    at += snprintf(at, (size_t)(end - at), "v %.17g %.17g %.17g\n", (n & 1 ? high : low)[0],
                   (n & 2 ? high : low)[1], (n & 4 ? high : low)[2]);
  for (int f = cut; f < 6; f++) {
    const int *c = face[f], second = turn && f == 0 ? 3 : 1;
    at += snprintf(at, (size_t)(end - at), "f %d %d %d %d\n", c[0] - 8, c[second] - 8, c[2] - 8,
                   c[4 - second] - 8);
  }
}

static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};

static DlsStatus read(int kind, double scale, double rounding, const char *text, DlsShape *out) {
  char path[4096];
  snprintf(path, sizeof path, "%s", test_file("scene_solid_file", "body.obj", text));
  const DlsSceneShape s = {.kind = kind, .scale = scale, .rounding = rounding, .file = path};
  *out = (DlsShape){0};
  return dls_scene_solid(&s, 3, out);
}

static void sort(double x[3]) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (x[k] > x[k + 1]) {
        const double y = x[k];
        x[k] = x[k + 1], x[k + 1] = y;
      }
}

/* An L of a box 2 x 1 x 1 and a cube on its end: volume 3, principal inertias 5/6, 3/2, 11/6. */
TEST(an_l_of_two_boxes_has_its_inertia) {
  static const double high[3] = {2, 1, 1}, low_b[3] = {0, 1, 0}, high_b[3] = {1, 2, 1};
  for (int k = 0; k < 2; k++) {
    const double s = k ? 1e-3 : 1;
    char text[4096] = "";
    DlsShape shape;
    add_box(text, sizeof text, "foot", zero, high, 0, false);
    add_box(text, sizeof text, "upright", low_b, high_b, 0, false);
    CHECK_OK(read(DLS_SCENE_PARTS, s, 0, text, &shape));
    CHECK_INT(shape.count, 2);
    CHECK_NEAR(shape.volume, 3 * s * s * s, 1e-14 * s * s * s);
    CHECK_NEAR(shape.centre[0], s * 5 / 6, 1e-15);
    CHECK_NEAR(shape.centre[1], s * 5 / 6, 1e-15);
    CHECK_NEAR(shape.centre[2], s / 2, 1e-15);
    double J[3] = {shape.inertia[0], shape.inertia[1], shape.inertia[2]};
    sort(J);
    const double unit = s * s * s * s * s;
    CHECK_NEAR(J[0], unit * 5 / 6, 1e-13 * unit);
    CHECK_NEAR(J[1], unit * 3 / 2, 1e-13 * unit);
    CHECK_NEAR(J[2], unit * 11 / 6, 1e-13 * unit);
    dls_shape_clear(&shape);
  }
}

/* Quadrilaterals are read as two triangles each, and are one face again: a cube has 26 features. */
TEST(triangles_in_one_plane_are_one_face) {
  static const int kinds[] = {DLS_SCENE_SOLID, DLS_SCENE_HULL};
  for (int k = 0; k < 2; k++) {
    char text[4096] = "";
    DlsShape shape;
    add_box(text, sizeof text, "cube", zero, one, 0, false);
    CHECK_OK(read(kinds[k], 1, 0, text, &shape));
    const DlsSolid solid = dls_shape_solid(&shape, 0);
    CHECK_INT(dls_shape_operations(solid.kind)->features(&solid), 8 + 12 + 6);
    CHECK_NEAR(shape.volume, 1, 1e-15);
    dls_shape_clear(&shape);
    CHECK_OK(read(kinds[k], 1, 0.1, text, &shape)); /* Steiner: V + A r + 12 pi/4 r2 + 4/3 pi r3 */
    CHECK_NEAR(shape.volume, 1 + 0.6 + 3 * M_PI * 0.01 + 4 * M_PI / 3 * 1e-3, 1e-13);
    dls_shape_clear(&shape);
  }
}

TEST(what_is_no_solid_is_refused_with_its_edge) {
  static const double half[3] = {0.5, 0.5, 0.5}, more[3] = {1.5, 1.5, 1.5};
  DlsShape shape;
  char text[4096] = "";
  add_box(text, sizeof text, "open", zero, one, 1, false);
  CHECK_FAILS(read(DLS_SCENE_SOLID, 1, 0, text, &shape), DLS_ERR_FORMAT,
              "the surface is open at the edge from (0, 0, 1) to (0, 0, 0)");
  text[0] = '\0';
  add_box(text, sizeof text, "turned", zero, one, 0, true);
  CHECK_FAILS(read(DLS_SCENE_SOLID, 1, 0, text, &shape), DLS_ERR_FORMAT, "is inverted");
  text[0] = '\0';
  add_box(text, sizeof text, "inside out", one, zero, 0, false);
  CHECK(read(DLS_SCENE_SOLID, 1, 0, text, &shape) != DLS_OK);
  text[0] = '\0';
  add_box(text, sizeof text, "a", zero, one, 0, false);
  add_box(text, sizeof text, "b", half, more, 0, false);
  CHECK_FAILS(read(DLS_SCENE_PARTS, 1, 0, text, &shape), DLS_ERR_FORMAT,
              "the parts 'a' and 'b' overlap by 0.5 m");
  /* A notch: the cube with one corner pulled to its middle is not convex. */
  CHECK(read(DLS_SCENE_SOLID, 1, 0,
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 0.1\nv 0 0 1\nf 1 3 2\nf 1 2 5\nf 1 5 3\n"
             "f 2 4 5\nf 3 5 4\nf 2 3 4\n",
             &shape) != DLS_OK);
}

TEST(corners_of_polygons_come_from_a_table) {
  char path[4096];
  DlsShape shape = {0};
  snprintf(path, sizeof path, "%s",
           test_file("scene_solid_file", "corners.csv", "y, x\n0, 0\n0, 3\n4, 3\n"));
  const DlsSceneShape s = {.kind = DLS_SCENE_POLYGON, .scale = 0.1, .file = path};
  CHECK_OK(dls_scene_solid(&s, 2, &shape));
  CHECK_NEAR(shape.volume, 0.06, 1e-16);
  CHECK_NEAR(shape.centre[0], 0.2, 1e-15);
  dls_shape_clear(&shape);
  const DlsSceneShape none = {.kind = DLS_SCENE_SOLID, .scale = 1};
  CHECK_FAILS(dls_scene_solid(&none, 3, &shape), DLS_ERR_ARGUMENT, "give the `file`");
}
