/* Structures of blocks: walls, arches, vaults, columns, packings of cells. Geometry alone: each
 * maker fills a list of convex solids with their places. Blocks that are equal share one shape. In
 * 2-D x goes along and y up; in 3-D x goes along, y through the thickness, z up. Neighbours touch,
 * or stand `gap` apart: they never overlap by more than round-off. Lengths in m, angles in rad.
 * Where numbers are drawn there is a seed, and the same arguments give the same bits. */
#ifndef DELASSUS_WORLD_BLOCKS_BLOCKS_H
#define DELASSUS_WORLD_BLOCKS_BLOCKS_H

#include <stdint.h>

#include "world/convex.h"
#include "world/shape.h"

typedef struct {
  int shape;             /* number in DlsBlocks.shape */
  double position[3];    /* m, of the origin of the shape's axes */
  double orientation[4]; /* of these axes */
  bool base;             /* what the structure stands on: its lowest course, springers of an arch */
} DlsBlock;

/* A zeroed list of a dimension is ready; ended with dls_blocks_clear(), after a failure too. */
typedef struct {
  int dim, count, capacity, base;
  DlsBlock *block; /* [count]; once a maker is done, those of the base come first, `base` of them */
  int shapes, shape_capacity;
  DlsConvexNumbers *numbers; /* [shapes] */
  DlsShape *shape;           /* [shapes] */
} DlsBlocks;

void dls_blocks_clear(DlsBlocks *blocks);

/* m3, in 2-D m2: of all blocks. */
double dls_blocks_volume(const DlsBlocks *blocks);

/* A hole through a wall, from x[0] to x[1] along it and over the courses course[0] .. course[1],
 * counted from 1. A lintel of one course lies above, and reaches `bearing` beyond it on both sides;
 * 0: none. */
typedef struct {
  double x[2], bearing;
  int course[2];
} DlsOpening;

/* Running bond: courses of `bricks` bricks of this size, every second one moved by half a brick,
 * with half bricks at its ends. A brick that a hole cuts keeps its rest; a rest below a quarter of
 * a brick is one with its neighbour. In 3-D `leaves` of them side by side, every second one begins
 * with the other course. The origin is the lower left corner, in front. */
typedef struct {
  double size[3], gap; /* along, up; in 3-D along, through, up */
  int bricks, courses, leaves, openings;
  const DlsOpening *opening;
} DlsBrickWall;
DlsStatus dls_blocks_wall(const DlsBrickWall *wall, DlsBlocks *out);

/* Stones in level courses of random heights, their ends leaning at random: heights and lengths are
 * those of `size` times 1 - spread .. 1 + spread, then made to fill length and courses times the
 * height. Origin as above. */
typedef struct {
  double size[3], length, gap, spread; /* spread 0 .. 0.5 */
  int courses;
  uint64_t seed;
} DlsStoneWall;
DlsStatus dls_blocks_stones(const DlsStoneWall *wall, DlsBlocks *out);

/* Voussoirs of mean radius R and thickness t: `count` equal trapezoids over the angle `span`,
 * symmetric about the upright, with corners on the circles R - t/2 and R + t/2. In 3-D each course
 * is `rows` stones of length `depth` along y, every second course moved by half a stone (rows 1:
 * none), and y runs from 0 to rows depth + (rows - 1) gap: a barrel vault. With `springers` one
 * voussoir more at either end is the base; without, the lowest at both ends are. The origin is the
 * centre of the circles, in front. */
typedef struct {
  double radius, thickness, span, depth, gap;
  int count, rows;
  bool springers;
} DlsArch;
DlsStatus dls_blocks_arch(const DlsArch *arch, DlsBlocks *out);

/* Rings of a dome about z: `count` equal stones in each of `rings` rings between the angles
 * span / 2 and `oculus` from the upright, with corners on the spheres R - t/2, R + t/2; the joints
 * of all rings lie in the same `count` planes through the axis, which keeps all faces flat. 3-D. */
typedef struct {
  double radius, thickness, span, oculus, gap;
  int count, rings;
} DlsDome;
DlsStatus dls_blocks_dome(const DlsDome *dome, DlsBlocks *out);

/* Drums one on the other: prisms, or frusta, of `sides` with corners on circles from radius[0]
 * below to radius[1] on top of the last; in 2-D trapezoids of these half widths. The origin is the
 * middle of the foot. */
typedef struct {
  double radius[2], height, gap; /* height of a drum */
  int drums, sides;
} DlsColumn;
DlsStatus dls_blocks_column(const DlsColumn *column, DlsBlocks *out);

/* Boxes in layers: `count` of them one on the other (stack), or a row, in 3-D a square, of `count`
 * below and one less in each layer above (pyramid). The origin is the middle of the foot. */
DlsStatus dls_blocks_stack(const double size[3], double gap, int count, bool pyramid,
                           DlsBlocks *out);

/* The cells of `count` points drawn in a box [0, length]: all that is nearer to this point than to
 * any other, less gap / 2 at each face between two cells. `relax` times each point moves to the
 * centre of its cell first (Lloyd 1982), which makes cells alike. Those at the floor are the
 * base. */
typedef struct {
  double length[3], gap;
  int count, relax;
  uint64_t seed;
} DlsVoronoi;
DlsStatus dls_blocks_voronoi(const DlsVoronoi *voronoi, DlsBlocks *out);

#endif
