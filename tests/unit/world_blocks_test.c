/* Structures of blocks: volumes add up, nothing overlaps, the same seed gives the same bits, and
 * what is refused. */
#include "world/blocks/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detect/convex/nearest.h"
#include "tests/test.h"
#include "world/rotation.h"

static const double pi = 3.14159265358979323846;

static DlsPosed *posed(const DlsBlocks *blocks, int k) {
  const DlsBlock *b = &blocks->block[k];
  const DlsConvexNumbers *n = &blocks->numbers[b->shape];
  const DlsSolid solid = {.dim = blocks->dim,
                          .kind = DLS_SHAPE_CONVEX,
                          .count = n->count,
                          .number = n->number,
                          .scale = 1};
  const double origin[3] = {0};
  DlsPose pose = {{0}, {0}};
  DlsPosed *out = calloc(1, sizeof *out);
  memcpy(pose.position, b->position, sizeof pose.position);
  memcpy(pose.orientation, b->orientation, sizeof pose.orientation);
  if (out) dls_posed_solid(&solid, &pose, origin, out);
  return out;
}

/* m: how deep the worst pair overlaps, by the axis of least overlap over all pairs. */
static double deepest(const DlsBlocks *blocks) {
  DlsPosed **all = calloc((size_t)blocks->count, sizeof *all);
  double worst = 0;
  for (int k = 0; all && k < blocks->count; k++) all[k] = posed(blocks, k);
  for (int i = 0; all && i < blocks->count; i++)
    for (int j = 0; j < i; j++) {
      DlsNearest nearest;
      double d[3];
      for (int c = 0; c < 3; c++) d[c] = all[i]->centre[c] - all[j]->centre[c];
      if (dls_vector_norm(d) > all[i]->reach + all[j]->reach) continue;
      dls_convex_separation(all[i], all[j], NULL, &nearest);
      worst = fmax(worst, -nearest.distance);
    }
  for (int k = 0; all && k < blocks->count; k++) free(all[k]);
  free(all);
  return worst;
}

/* m: the least distance of two blocks of which one follows the other in the list. */
static double least_gap(const DlsBlocks *blocks, int i, int j) {
  DlsPosed *a = posed(blocks, i), *b = posed(blocks, j);
  DlsNearest nearest;
  dls_convex_nearest(a, b, HUGE_VAL, &nearest);
  free(a);
  free(b);
  return nearest.distance;
}

static bool same(const DlsBlocks *a, const DlsBlocks *b) {
  if (a->count != b->count || a->shapes != b->shapes) return false;
  for (int k = 0; k < a->shapes; k++)
    if (a->numbers[k].count != b->numbers[k].count ||
        memcmp(a->numbers[k].number, b->numbers[k].number,
               (size_t)a->numbers[k].count * sizeof(double)) != 0)
      return false;
  for (int k = 0; k < a->count; k++)
    if (a->block[k].shape != b->block[k].shape ||
        memcmp(a->block[k].position, b->block[k].position, sizeof a->block[k].position) != 0)
      return false;
  return true;
}

/* A wall of 5 bricks and 6 courses: 3 courses of 5 whole ones, 3 of 4 whole ones and two halves;
 * three shapes at most. Two leaves are twice that. */
TEST(a_wall_is_its_rectangle_and_shares_its_shapes) {
  for (int dim = 2; dim <= 3; dim++) {
    DlsBlocks blocks = {.dim = dim};
    DlsBrickWall wall = {.size = {0.25, 0.1, 0.1}, .bricks = 5, .courses = 6, .leaves = dim - 1};
    CHECK_OK(dls_blocks_wall(&wall, &blocks));
    CHECK_INT(blocks.count, (dim - 1) * (3 * 5 + 3 * 6));
    CHECK_INT(blocks.shapes, 2);
    CHECK_INT(blocks.base, dim == 2 ? 5 : 11);
    CHECK_NEAR(dls_blocks_volume(&blocks), 1.25 * 0.6 * (dim == 2 ? 1 : 0.2), 1e-13);
    CHECK_BELOW(deepest(&blocks), 1e-15);
    dls_blocks_clear(&blocks);
  }
}

/* Bricks, joints and openings: with gap g each cell of length p has a brick of length p - g. A row
 * of the wall has the rectangle's length L less its bricks and its gaps. */
TEST(openings_and_lintels_take_their_volume_and_no_more) {
  const DlsOpening openings[] = {{.x = {0.6, 1.4}, .course = {1, 5}, .bearing = 0.3},
                                 {.x = {2.01, 2.6}, .course = {3, 5}, .bearing = 0.2}};
  for (int dim = 2; dim <= 3; dim++)
    for (int joint = 0; joint < 2; joint++) {
      DlsBlocks blocks = {.dim = dim};
      DlsBrickWall wall = {.size = {0.25, 0.1, 0.1},
                           .gap = joint * 0.01,
                           .bricks = 13,
                           .courses = 8,
                           .leaves = 1,
                           .openings = 2,
                           .opening = openings};
      CHECK_OK(dls_blocks_wall(&wall, &blocks));
      const double L = 13 * (0.25 + wall.gap) - wall.gap, area = dim == 3 ? 0.01 : 0.1;
      /* Along each course: its gaps are one less than its pieces, but for those at an opening. */
      double length = 8 * L - 5 * 0.8 - 3 * 0.59;
      const int pieces = blocks.count, runs = 8 + 5 + 3; /* unbroken runs of bricks */
      length -= (pieces - runs) * wall.gap;
      CHECK_NEAR(dls_blocks_volume(&blocks), length * area, 1e-13);
      CHECK_BELOW(deepest(&blocks), 1e-15);
      int lintels = 0;
      for (int k = 0; k < blocks.count; k++) {
        const double volume = blocks.shape[blocks.block[k].shape].volume / area;
        lintels += fabs(volume - 1.4) < 1e-12 || fabs(volume - 0.99) < 1e-12;
        CHECK(volume > 0.25 * 0.25 - wall.gap);
      }
      CHECK_INT(lintels, 2);
      dls_blocks_clear(&blocks);
    }
}

/* n trapezoids with corners on two circles: area n sin(a) cos(a) (ro^2 - ri^2), a = span / 2n. The
 * end faces of half a circle lie on the ground. */
TEST(an_arch_has_the_area_of_its_trapezoids_and_one_shape) {
  for (int dim = 2; dim <= 3; dim++) {
    DlsBlocks blocks = {.dim = dim};
    const DlsArch arch = {
        .radius = 10, .thickness = 1.2, .span = pi, .depth = 2, .count = 27, .rows = 1};
    const double a = pi / 54, ri = 9.4, ro = 10.6;
    CHECK_OK(dls_blocks_arch(&arch, &blocks));
    CHECK_INT(blocks.count, 27);
    CHECK_INT(blocks.shapes, 1);
    CHECK_INT(blocks.base, 2);
    CHECK_NEAR(dls_blocks_volume(&blocks),
               27 * sin(a) * cos(a) * (ro * ro - ri * ri) * (dim == 2 ? 1 : 2), 1e-11);
    CHECK_BELOW(deepest(&blocks), 1e-14);
    for (int k = 0; k < 2; k++) { /* of the base: corners at height 0 at both radii */
      DlsPosed *p = posed(&blocks, k);
      double inner = HUGE_VAL, outer = 0;
      for (int v = 0; v < p->core.vertices; v++)
        if (fabs(p->vertex[v][dim - 1]) < 1e-13) {
          inner = fmin(inner, fabs(p->vertex[v][0]));
          outer = fmax(outer, fabs(p->vertex[v][0]));
        }
      CHECK_NEAR(inner, ri, 1e-13);
      CHECK_NEAR(outer, ro, 1e-13);
      free(p);
    }
    dls_blocks_clear(&blocks);
  }
}

TEST(gaps_of_an_arch_are_what_is_asked) {
  DlsBlocks blocks = {.dim = 2};
  const DlsArch arch = {.radius = 3,
                        .thickness = 0.5,
                        .span = 2,
                        .gap = 0.01,
                        .count = 7,
                        .rows = 1,
                        .springers = true};
  CHECK_OK(dls_blocks_arch(&arch, &blocks));
  CHECK_INT(blocks.count, 9);
  for (int k = blocks.base + 1; k < blocks.count; k++)
    CHECK_NEAR(least_gap(&blocks, k - 1, k), 0.01, 1e-12);
  dls_blocks_clear(&blocks);
}

TEST(a_vault_is_its_arch_drawn_out) {
  DlsBlocks blocks = {.dim = 3};
  const DlsArch arch = {
      .radius = 2, .thickness = 0.4, .span = pi, .depth = 0.5, .count = 9, .rows = 4};
  const double a = pi / 18;
  CHECK_OK(dls_blocks_arch(&arch, &blocks));
  CHECK_INT(blocks.count, 5 * 4 + 4 * 5);
  CHECK_INT(blocks.shapes, 2);
  CHECK_NEAR(dls_blocks_volume(&blocks), 9 * sin(a) * cos(a) * (2.2 * 2.2 - 1.8 * 1.8) * 2, 1e-12);
  CHECK_BELOW(deepest(&blocks), 1e-15);
  dls_blocks_clear(&blocks);
}

/* A stone between two beds and two meridian planes: the frustum of a pyramid between them, of
 * volume (ro^3 - ri^3) times that of the pyramid at radius 1, whose base has the corners of the
 * ring: chords of half lengths s tan(half) at s = sin(angle) cos(half). */
TEST(a_dome_fills_the_space_between_its_polyhedra) {
  DlsBlocks blocks = {.dim = 3};
  const DlsDome dome = {
      .radius = 4, .thickness = 0.6, .span = pi, .oculus = 0.3, .count = 10, .rings = 5};
  const double half = pi / 10, step = (pi / 2 - 0.3) / 5;
  double unit = 0;
  for (int ring = 0; ring < 5; ring++) {
    const double low = pi / 2 - ring * step, high = low - step;
    const double x[2] = {sin(low) * cos(half), sin(high) * cos(half)};
    const double z[2] = {cos(low), cos(high)};
    /* The base is a trapezoid in a plane across (x, z); its distance from the centre times its
     * area over 3. */
    const double side = hypot(x[0] - x[1], z[1] - z[0]);
    unit += 10 * (x[0] + x[1]) * tan(half) * (x[0] * z[1] - x[1] * z[0]) / 3;
    CHECK(side > 0);
  }
  CHECK_OK(dls_blocks_dome(&dome, &blocks));
  CHECK_INT(blocks.count, 50);
  CHECK_INT(blocks.shapes, 5);
  CHECK_NEAR(dls_blocks_volume(&blocks), unit * (pow(4.3, 3) - pow(3.7, 3)), 1e-11);
  CHECK_BELOW(deepest(&blocks), 1e-14);
  dls_blocks_clear(&blocks);
}

/* A frustum of an n-gon: n/2 sin(2 pi/n) h/3 (a^2 + a b + b^2). */
TEST(a_column_is_its_frusta) {
  DlsBlocks blocks = {.dim = 3};
  const DlsColumn column = {.radius = {1, 0.7}, .height = 0.8, .drums = 6, .sides = 12};
  CHECK_OK(dls_blocks_column(&column, &blocks));
  CHECK_INT(blocks.count, 6);
  CHECK_NEAR(dls_blocks_volume(&blocks), 6 * sin(pi / 6) * 4.8 / 3 * (1 + 0.7 + 0.49), 1e-12);
  CHECK_BELOW(deepest(&blocks), 1e-15);
  dls_blocks_clear(&blocks);
  blocks.dim = 2;
  CHECK_OK(dls_blocks_column(&column, &blocks));
  CHECK_NEAR(dls_blocks_volume(&blocks), 1.7 * 4.8, 1e-12);
  dls_blocks_clear(&blocks);
}

TEST(stacks_and_pyramids_have_their_numbers) {
  const double size[3] = {0.5, 0.4, 0.3};
  for (int dim = 2; dim <= 3; dim++) {
    DlsBlocks blocks = {.dim = dim};
    CHECK_OK(dls_blocks_stack(size, 0, 5, true, &blocks));
    CHECK_INT(blocks.count, dim == 2 ? 15 : 55);
    CHECK_INT(blocks.base, dim == 2 ? 5 : 25);
    CHECK_INT(blocks.shapes, 1);
    CHECK_BELOW(deepest(&blocks), 1e-15);
    dls_blocks_clear(&blocks);
    CHECK_OK(dls_blocks_stack(size, 0, 5, false, &blocks));
    CHECK_INT(blocks.count, 5);
    dls_blocks_clear(&blocks);
  }
}

TEST(dry_stones_fill_their_wall_for_every_seed) {
  for (int dim = 2; dim <= 3; dim++)
    for (int seed = 1; seed <= 5; seed++) {
      DlsBlocks blocks = {.dim = dim}, again = {.dim = dim}, other = {.dim = dim};
      DlsStoneWall wall = {.size = {0.3, 0.2, 0.2},
                           .length = 3,
                           .spread = 0.1 * seed,
                           .courses = 7,
                           .seed = (uint64_t)seed};
      CHECK_OK(dls_blocks_stones(&wall, &blocks));
      CHECK_OK(dls_blocks_stones(&wall, &again));
      CHECK_NEAR(dls_blocks_volume(&blocks), 3 * 7 * 0.2 * (dim == 2 ? 1 : 0.2), 1e-12);
      CHECK_BELOW(deepest(&blocks), 1e-14);
      CHECK(same(&blocks, &again));
      wall.seed += 100;
      CHECK_OK(dls_blocks_stones(&wall, &other));
      CHECK(!same(&blocks, &other));
      dls_blocks_clear(&blocks);
      dls_blocks_clear(&again);
      dls_blocks_clear(&other);
    }
}

/* Cells fill the box; each contains its point's half space: no pair overlaps. With a gap they are
 * that far apart, and the volume is smaller. */
TEST(voronoi_cells_fill_their_box) {
  for (int dim = 2; dim <= 3; dim++)
    for (int seed = 1; seed <= 6; seed++) {
      DlsBlocks blocks = {.dim = dim}, again = {.dim = dim};
      DlsVoronoi voronoi = {.length = {2, 1, dim == 3 ? 0.5 : 0},
                            .count = seed == 6 ? 2 : 40 * seed,
                            .relax = seed % 3 * 4,
                            .seed = (uint64_t)seed};
      CHECK_OK(dls_blocks_voronoi(&voronoi, &blocks));
      CHECK_OK(dls_blocks_voronoi(&voronoi, &again));
      CHECK_INT(blocks.count, voronoi.count);
      CHECK_NEAR(dls_blocks_volume(&blocks), dim == 2 ? 2 : 1, 1e-12);
      CHECK_BELOW(deepest(&blocks), 1e-13);
      CHECK(same(&blocks, &again));
      dls_blocks_clear(&again);
      voronoi.gap = 1e-3;
      CHECK_OK(dls_blocks_voronoi(&voronoi, &again));
      CHECK(dls_blocks_volume(&again) < dls_blocks_volume(&blocks));
      for (int k = 1; k < again.count; k++) CHECK(least_gap(&again, k - 1, k) > 1e-3 - 1e-12);
      dls_blocks_clear(&blocks);
      dls_blocks_clear(&again);
    }
}

#define REFUSED(call, part)                                                                        \
  do {                                                                                             \
    DlsBlocks refused = {.dim = dim};                                                              \
    CHECK(call != DLS_OK);                                                                         \
    if (!strstr(dls_error_message(), part))                                                        \
      test_fail(__FILE__, __LINE__, "'%s' does not say '%s'", dls_error_message(), part);          \
    dls_blocks_clear(&refused);                                                                    \
  } while (0)

TEST(what_makes_no_structure_is_refused) {
  const int dim = 2;
  const double none[3] = {0};
  const DlsOpening outside = {.x = {0.5, 3}, .course = {1, 2}};
  const DlsOpening high = {.x = {0.5, 1}, .course = {2, 4}, .bearing = 0.1};
  const DlsOpening two[] = {{.x = {0.3, 0.5}, .course = {1, 1}},
                            {.x = {0.52, 0.7}, .course = {1, 1}}};
  DlsBrickWall wall = {.size = {0.25, 0.1}, .bricks = 5, .courses = 4, .leaves = 1};
  REFUSED(dls_blocks_wall(&(DlsBrickWall){.bricks = 5, .courses = 1, .leaves = 1}, &refused),
          "give a length above 0");
  wall.openings = 1, wall.opening = &outside;
  REFUSED(dls_blocks_wall(&wall, &refused), "put it within the wall");
  wall.opening = &high;
  REFUSED(dls_blocks_wall(&wall, &refused), "and one for its lintel");
  wall.openings = 2, wall.opening = two;
  REFUSED(dls_blocks_wall(&wall, &refused), "move them apart");
  wall.openings = 0, wall.bricks = 0;
  REFUSED(dls_blocks_wall(&wall, &refused), "give 1 or more of each");
  wall.bricks = 5, wall.gap = 0.2;
  REFUSED(dls_blocks_wall(&wall, &refused), "a quarter of a brick");
  DlsArch arch = {.radius = 1, .thickness = 0.1, .span = pi, .count = 1, .rows = 1};
  REFUSED(dls_blocks_arch(&arch, &refused), "count is 2 or more");
  arch.count = 7, arch.thickness = 3;
  REFUSED(dls_blocks_arch(&arch, &refused), "twice the mean radius");
  arch.thickness = 0.1, arch.span = 7;
  REFUSED(dls_blocks_arch(&arch, &refused), "span");
  arch.span = 5.9, arch.springers = true;
  REFUSED(dls_blocks_arch(&arch, &refused), "springers");
  REFUSED(dls_blocks_dome(&(DlsDome){.radius = 1}, &refused), "of 3-D");
  REFUSED(dls_blocks_column(&(DlsColumn){.radius = {1, 1}, .height = 1}, &refused), "drums");
  REFUSED(dls_blocks_stack(none, 0, 3, false, &refused), "give a length above 0");
  REFUSED(dls_blocks_stones(&(DlsStoneWall){.size = {1, 1}, .length = 1, .courses = 1}, &refused),
          "two stones or more");
  DlsVoronoi voronoi = {.length = {1, 1}, .count = 1};
  REFUSED(dls_blocks_voronoi(&voronoi, &refused), "count is 2 or more");
  voronoi.count = 100, voronoi.gap = 0.06;
  REFUSED(dls_blocks_voronoi(&voronoi, &refused), "the gap leaves nothing");
}
