/* A cohesive zone between faces of solids takes its fracture energy times their area, whatever the
 * number of contact points that share the face, the number of blocks that share it, and the step.
 *
 * The lower block is held, the upper ones leave it at v. Free of weight, they lose what the joint
 * takes: with the scheme's theta of 1/2 the loss of kinetic energy is the work of the contacts to
 * round-off, and once all is broken nothing is stored:
 *   start - kinetic = dissipated = G A. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulating.h"
#include "world/convex.h"

static const double pi = 3.14159265358979323846;
static const double G_I = 20, G_II = 100, f_t = 2e5, c_t = 3e5; /* the defaults of the law */

enum { TURNS = DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z };

static void open_scene(TestScene *scene, int dim, double h) {
  test_scene_open(scene, dim, &dls_scheme_moreau, h, "cohesive-zone");
  memset(scene->gravity, 0, sizeof scene->gravity);
  test_scene_set(scene, 0, "mu", 0);
  test_scene_set(scene, 0, "reach", 2e-6); /* a step goes 0.7e-6 m */
}

/* A body of one convex part, its numbers freed. No body turns: the moment of a shear would press
 * one side of the face. */
static int add(TestScene *scene, DlsConvexNumbers *n, const double x[3], double density,
               uint8_t fixed) {
  const DlsShapePart part = {.kind = DLS_SHAPE_CONVEX, .count = n->count, .number = n->number};
  DlsShape shape;
  CHECK_OK(dls_shape_compose(scene->world->dim, 1, &part, &shape));
  const DlsBody body = {
      .shape = &shape, .density = density, .position = {x[0], x[1], x[2]}, .fixed = fixed | TURNS};
  CHECK_OK(dls_world_add_body(scene->world, &body));
  dls_shape_clear(&shape);
  free(n->number);
  return scene->world->count - 1;
}

/* A box that stands on the height 0, or, held, lies below it. */
static int add_box(TestScene *scene, double side, double x, double y, double density,
                   uint8_t fixed) {
  const int dim = scene->world->dim;
  const double half = 0.05, length[3] = {side, dim == 2 ? 2 * half : side, 2 * half};
  const double z = fixed ? -half : half, at[3] = {x, dim == 2 ? z : y, dim == 2 ? 0 : z};
  DlsConvexNumbers n;
  CHECK_OK(dls_convex_box(dim, 0, length, &n));
  return add(scene, &n, at, density, fixed);
}

/* A prism of `corners` about (0, 0), its base at height 0; returns the area of the base. */
static double add_prism(TestScene *scene, int corners, double radius, double density) {
  double corner[8][3];
  const double x[3] = {0, 0, 0.05};
  DlsConvexNumbers n;
  for (int k = 0; k < corners; k++) {
    const double angle = 2 * pi * k / corners + 0.2;
    corner[k][0] = radius * cos(angle), corner[k][1] = radius * sin(angle), corner[k][2] = 0;
  }
  CHECK_OK(dls_convex_prism(0, corners, corner, 0.1, &n));
  add(scene, &n, x, density, 0);
  return corners / 2.0 * radius * radius * sin(2 * pi / corners);
}

/* All free bodies leave along `way` at `speed`; the joint is broken after `length`. What it has
 * taken, J. */
static double tear(TestScene *scene, const double way[3], double speed, double length) {
  DlsSimulation *s = scene->simulation;
  DlsWorld *w = scene->world;
  for (int i = 1; i < w->count; i++)
    for (int k = 0; k < 3; k++) w->velocity[i][k] = speed * way[k];
  dls_simulation_recount(s);
  const double start = s->state.ledger.kinetic;
  test_scene_run(scene, (long)(1.5 * length / (speed * s->settings.h)));
  const DlsLedger *e = &s->state.ledger;
  const double lost = start - e->kinetic;
  /* Neighbours on one face stay bonded to each other, at rest but for what the solves leave. */
  CHECK_NEAR(e->stored, 0, 1e-7 * lost);
  CHECK_NEAR(e->dissipated + e->stored, lost, 1e-9 * start);
  return lost;
}

/* kg/m3, so heavy that a block of this volume at `speed` has 50 times the energy. */
static double heavy(double energy, double speed, double volume) {
  return 100 * energy / (speed * speed * volume);
}

TEST(a_face_of_any_number_of_corners_takes_its_fracture_energy) {
  const double opening = 2 * G_I / f_t, speed = 0.2, up[3] = {0, 0, 1};
  for (int steps = 250; steps <= 1000; steps *= 2)
    for (int corners = 3; corners <= 8; corners++) {
      TestScene scene;
      open_scene(&scene, 3, opening / (speed * steps));
      add_box(&scene, 0.4, 0, 0, 2500, DLS_FIXED_ALL);
      const double area = corners / 2.0 * 0.01 * sin(2 * pi / corners);
      add_prism(&scene, corners, 0.1, heavy(G_I * area, speed, 0.1 * area));
      const double lost = tear(&scene, up, speed, opening);
      if (getenv("SHOW")) printf("corners %d steps %d: %g\n", corners, steps, lost / (G_I * area));
      CHECK_NEAR(lost, G_I * area, 0.01 * G_I * area);
      test_scene_close(&scene);
    }
}

TEST(a_face_split_over_blocks_takes_the_same_energy) {
  const double opening = 2 * G_I / f_t, speed = 0.2, side = 0.2;
  for (int dim = 2; dim <= 3; dim++)
    for (int same = 0; same < 2; same++) /* below: wider, or as wide */
      for (int n = 1; n <= 4; n *= 2) {
        TestScene scene;
        const double area = dim == 2 ? side : side * side, up[3] = {0, dim == 2, dim == 3};
        open_scene(&scene, dim, opening / (speed * 400));
        add_box(&scene, same ? side : 2 * side, 0, 0, 2500, DLS_FIXED_ALL);
        for (int i = 0; i < n; i++)
          for (int j = 0; j < (dim == 2 ? 1 : n); j++)
            add_box(&scene, side / n, side * ((i + 0.5) / n - 0.5), side * ((j + 0.5) / n - 0.5),
                    heavy(G_I * area, speed, 0.1 * area), 0);
        const double lost = tear(&scene, up, speed, opening);
        if (getenv("SHOW")) printf("dim %d same %d n %d: %g\n", dim, same, n, lost / (G_I * area));
        CHECK_NEAR(lost, G_I * area, 0.01 * G_I * area);
        test_scene_close(&scene);
      }
}

/* Slid along the face by less than 0.4 % of its side; where both are as wide the area goes down by
 * as much. The upper face must keep its bonds while corners of the overlap change hands. */
TEST(a_face_slid_off_takes_its_energy_of_shear) {
  const double slip = 2 * G_II / c_t, speed = 0.2, side = 0.2;
  for (int dim = 2; dim <= 3; dim++)
    for (int same = 0; same < 2; same++)
      for (int oblique = 0; oblique < dim - 1; oblique++)
        for (int n = 1; n <= 2; n++) {
          TestScene scene;
          const double area = dim == 2 ? side : side * side;
          const double way[3] = {oblique ? 0.8 : 1, oblique ? 0.6 : 0, 0};
          open_scene(&scene, dim, slip / (speed * 400));
          add_box(&scene, same ? side : 2 * side, 0, 0, 2500, DLS_FIXED_ALL);
          for (int i = 0; i < n; i++)
            for (int j = 0; j < (dim == 2 ? 1 : n); j++)
              add_box(&scene, side / n, side * ((i + 0.5) / n - 0.5), side * ((j + 0.5) / n - 0.5),
                      heavy(G_II * area, speed, 0.1 * area), 0);
          const double lost = tear(&scene, way, speed, slip);
          if (getenv("SHOW"))
            printf("shear dim %d same %d oblique %d n %d: %g\n", dim, same, oblique, n,
                   lost / (G_II * area));
          CHECK_NEAR(lost, G_II * area, 0.01 * G_II * area);
          test_scene_close(&scene);
        }
}
