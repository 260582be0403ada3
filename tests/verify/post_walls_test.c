/* Coarse-grained fields at walls of any shape: an even density is even up to the wall, fields turn
 * with the sample, the wall's reaction is met. */
#include "tests/packing.h"

#include "post/field/field.h"
#include "post/field/walls.h"

static const double pi = 3.14159265358979323846;

/* Places on a lattice of `step` in a cube of half edge 8 that no wall hides: density 1. */
static void fill(DlsPacking *g, int dim, double step, const DlsBoundary *wall, int walls) {
  const int side = (int)(16 / step), all = (dim == 3 ? side : 1) * side * side;
  int count = 0;
  CHECK_OK(dls_packing_reserve(g, all, 0));
  CHECK_OK(dls_packing_walls(g, walls));
  g->dim = dim;
  for (int b = 0; b < walls; b++) {
    g->wall[b] = wall[b];
    CHECK_OK(dls_boundary_check(dim, &g->wall[b]));
  }
  for (int i = 0; i < all; i++) {
    const int place[3] = {i % side, i / side % side, i / side / side};
    bool seen = true;
    for (int k = 0; k < dim; k++) g->centre[count][k] = (place[k] + 0.5) * step - 8;
    for (int b = 0; b < walls; b++)
      seen = seen && !dls_boundary_behind(dim, &g->wall[b], g->centre[count], 0);
    if (!seen) continue;
    g->mass[count] = g->volume[count] = pow(step, dim);
    g->radius[count++] = step / 2;
  }
  g->grains = count;
}

/* The field at one place. */
static void field_at(const DlsPacking *g, const char *kernel, const double x[3], int walls,
                     DlsField *out) {
  DlsFieldGrid grid = {.points = {1, 1, 1}};
  DlsKernel k;
  for (int i = 0; i < 3; i++) grid.low[i] = grid.high[i] = x[i];
  CHECK_OK(dls_kernel_read(kernel, 1, &k));
  CHECK_OK(dls_field(g, &grid, &k, walls, out));
}

static double density_at(const DlsPacking *g, const char *kernel, const double x[3], int walls) {
  DlsField field = {0};
  field_at(g, kernel, x, walls, &field);
  const double density = field.density[0];
  dls_field_clear(&field);
  return density;
}

/* Density 1 at places from the middle to the wall; there the plain sum has lost `lost` or more. */
static void check_even(int dim, double step, const DlsBoundary *wall, int walls, const double to[3],
                       double lost, double tolerance) {
  static const char *const kernels[] = {"gauss:0.5", "lucy:1", "top-hat:1"};
  DlsPacking g = {0};
  fill(&g, dim, step, wall, walls);
  for (int n = 0; n < DLS_COUNT(kernels); n++) {
    for (int i = 0; i <= 4; i++) {
      const double x[3] = {to[0] * i / 4, to[1] * i / 4, to[2] * i / 4};
      CHECK_NEAR(density_at(&g, kernels[n], x, 1), 1, n == 2 ? 2 * tolerance : tolerance);
    }
    CHECK_BELOW(density_at(&g, kernels[n], to, 0), 1 - lost);
  }
  dls_packing_clear(&g);
}

/* Turned by `angle` about y (in the plane about z): a local z (y) of (0, 0, 1) leans towards x. */
static DlsBoundary lean(DlsBoundary wall, int dim, double angle) {
  wall.orientation[0] = cos(angle / 2);
  wall.orientation[dim == 3 ? 2 : 3] = sin(angle / 2);
  return wall;
}

TEST(even_to_a_slanted_wall) {
  const double a = pi / 6;
  const DlsBoundary flat = lean((DlsBoundary){.kind = DLS_BOUNDARY_PLANE}, 2, a);
  const DlsBoundary solid = lean((DlsBoundary){.kind = DLS_BOUNDARY_PLANE}, 3, a);
  check_even(2, 0.05, &flat, 1, (double[]){0.7 * cos(a), 0.7 * sin(a), 0}, 0.45, 0.02);
  check_even(3, 0.25, &solid, 1, (double[]){0.7 * cos(a), 0, -0.7 * sin(a)}, 0.45, 0.03);
}

TEST(even_in_a_wedge) { /* two walls that meet at 60 degrees */
  const DlsBoundary walls[] = {lean((DlsBoundary){.kind = DLS_BOUNDARY_PLANE}, 2, -pi / 3),
                               lean((DlsBoundary){.kind = DLS_BOUNDARY_PLANE}, 2, pi / 3)};
  DlsPacking g = {0};
  fill(&g, 2, 0.05, walls, 2);
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(density_at(&g, "gauss:0.5", (double[]){0, 0.4 + i, 0}, 1), 1, 0.03);
  CHECK_BELOW(density_at(&g, "gauss:0.5", (double[]){0, 0.4, 0}, 0), 0.6);
  CHECK_NEAR(density_at(&g, "gauss:0.5", (double[]){0, -1, 0}, 1), 0, 0); /* behind */
  dls_packing_clear(&g);
}

TEST(even_in_a_drum) {
  const DlsBoundary drum = {.kind = DLS_BOUNDARY_CYLINDER,
                            .inside = true,
                            .radius = {3},
                            .length = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                            .orientation = {1}};
  check_even(2, 0.05, &drum, 1, (double[]){3 * cos(0.4), 3 * sin(0.4), 0}, 0.5, 0.02);
}

TEST(even_in_a_cylinder_and_a_hopper) {
  const DlsBoundary tube = {.kind = DLS_BOUNDARY_CYLINDER,
                            .inside = true,
                            .open = DLS_OPEN_Z1,
                            .radius = {3},
                            .length = {8},
                            .orientation = {1}};
  const DlsBoundary hopper = {.kind = DLS_BOUNDARY_FRUSTUM,
                              .inside = true,
                              .open = DLS_OPEN_Z0 | DLS_OPEN_Z1,
                              .radius = {1, 5},
                              .length = {8},
                              .orientation = {1}};
  check_even(3, 0.25, &tube, 1, (double[]){3 * cos(0.4), 3 * sin(0.4), 0}, 0.5, 0.04);
  check_even(3, 0.25, &tube, 1, (double[]){1, 0.5, -4}, 0.45, 0.04); /* its floor */
  check_even(3, 0.25, &hopper, 1, (double[]){3 * cos(0.4), 3 * sin(0.4), 0}, 0.5, 0.04);
}

TEST(even_about_a_ball) {
  const DlsBoundary ball = {
      .kind = DLS_BOUNDARY_SPHERE, .radius = {3}, .position = {4.1, 2.3, 1.7}, .orientation = {1}};
  const double share = 1 - 3 / dls_vector_norm(ball.position);
  check_even(3, 0.2, &ball, 1, (double[]){4.1 * share, 2.3 * share, 1.7 * share}, 0.3, 0.04);
}

/* In a box the share of a Gaussian is a product of error functions. Held to the cut of the tail and
 * the number of directions. */
TEST(the_share_in_a_box_is_a_product) {
  for (int dim = 2; dim <= 3; dim++) {
    DlsBoundary box = {.kind = DLS_BOUNDARY_BOX,
                       .inside = true,
                       .length = {40, 40, dim == 3 ? 40 : HUGE_VAL},
                       .orientation = {1}};
    const DlsPacking g = {.dim = dim, .walls = 1, .wall = &box};
    const DlsKernel kernel = {DLS_KERNEL_GAUSS, 1};
    DlsFieldWalls walls;
    dls_field_walls(&g, &kernel, &walls);
    for (int i = 0; i < 200; i++) {
      double x[3] = {0}, exact = 1;
      for (int k = 0; k < dim; k++) { /* far from some walls, at or near the others */
        const double away = (i >> k) % 3 == 0 ? 20 : 4.0 / 101 * ((i * (k + 1) * 7919) % 101);
        x[k] = 20 - away;
        exact *= 0.5 * (1 + erf(away / sqrt(2)));
      }
      CHECK_NEAR(dls_field_share(&walls, x), exact, (dim == 2 ? 1e-3 : 5e-3) * exact);
    }
  }
}

/* Gravity, walls and grains turned by 30 degrees: the field turns with them. */
TEST(the_field_turns_with_the_sample) {
  const double a = pi / 6, turn[3][3] = {{cos(a), -sin(a), 0}, {sin(a), cos(a), 0}, {0, 0, 1}};
  TestScene scene;
  DlsPacking g = {0}, turned = {0};
  test_packing(&scene, 2, 10, 10, 0.5, 600);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  CHECK_OK(dls_packing_take(scene.simulation, &turned));
#define TURN(v)                                                                                    \
  do {                                                                                             \
    const double old[3] = {(v)[0], (v)[1], (v)[2]};                                                \
    for (int k = 0; k < 3; k++) (v)[k] = dls_vector_dot(turn[k], old);                             \
  } while (0)
  for (int i = 0; i < g.grains; i++) {
    TURN(turned.centre[i]);
    TURN(turned.velocity[i]);
  }
  for (int c = 0; c < g.contacts; c++) {
    TURN(turned.point[c]);
    TURN(turned.normal[c]);
    TURN(turned.force[c]);
  }
  TURN(turned.wall[0].position);
  turned.wall[0] = lean(turned.wall[0], 2, a);
  for (int n = 0; n < 40; n++) { /* from the corner on along the floor and up */
    const int column = n % 8, line = n / 8;
    double x[3] = {0.0125 * column, 0.0125 * line, 0}, y[3] = {x[0], x[1], 0};
    DlsField one = {0}, other = {0};
    TURN(y);
    field_at(&g, "gauss:0.01", x, 1, &one);
    field_at(&turned, "gauss:0.01", y, 1, &other);
    CHECK_NEAR(other.density[0], one.density[0], 5e-3 * one.density[0]);
    double size = 0;
    for (int k = 0; k < 9; k++) size = fmax(size, fabs(one.stress[0][k]));
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) { /* R sigma R^T */
        double expected = 0;
        for (int k = 0; k < 4; k++)
          expected += turn[i][k / 2] * one.stress[0][3 * (k / 2) + k % 2] * turn[j][k % 2];
        CHECK_NEAR(other.stress[0][3 * i + j], expected, 5e-3 * size);
      }
    dls_field_clear(&one);
    dls_field_clear(&other);
  }
  dls_packing_clear(&g);
  dls_packing_clear(&turned);
  test_scene_close(&scene);
}

/* The traction on the floor, summed along it, is what the floor carries: to a tenth, the layering
 * of grains at a flat wall. */
TEST(the_wall_bears_the_traction) {
  enum { POINTS = 60 };
  TestScene scene;
  DlsPacking g = {0};
  DlsField field = {0};
  double carried = 0, traction = 0;
  test_packing(&scene, 2, 12, 12, 0.5, 800);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  for (int c = 0; c < g.contacts; c++)
    if (g.antagonist[c] < 0 && g.normal[c][1] > 0.9) carried += g.force[c][1];
  const double width = 12 * 0.0125;
  const DlsFieldGrid grid = {{POINTS, 1, 1}, {0, 0, 0}, {width, 0, 0}};
  const DlsKernel kernel = {DLS_KERNEL_GAUSS, 0.005};
  CHECK_OK(dls_field(&g, &grid, &kernel, 1, &field));
  for (int i = 0; i < POINTS; i++)
    traction -= field.stress[i][4] * width / (POINTS - 1) * (i == 0 || i + 1 == POINTS ? 0.5 : 1);
  CHECK_NEAR(traction, carried, 0.1 * carried);
  CHECK(carried > 0);
  dls_field_clear(&field);
  dls_packing_clear(&g);
  test_scene_close(&scene);
}
