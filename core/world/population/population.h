/* Populations: where grains are at the start, and how large. Geometry alone: centres, radii, kinds;
 * no mass, no material, no time. 2-D (disks, z = 0) and 3-D (spheres); "up" is y in 2-D, z in 3-D.
 *
 * Every generator takes a seed where it draws numbers and gives the same grains for the same
 * arguments, to the last bit. None leaves grains that overlap by more than round-off, nor outside
 * of their region. docs/populations.md shows them side by side. */
#ifndef DELASSUS_WORLD_POPULATION_POPULATION_H
#define DELASSUS_WORLD_POPULATION_POPULATION_H

#include <stdint.h>

#include <delassus/status.h>

#include "world/facets.h"
#include "world/sizes.h"

/* Zero it before its first use. A generator frees what it held, and leaves it empty on failure. */
typedef struct {
  int dim; /* 2 or 3 */
  int count;
  double *centre; /* [count][3], m; z = 0 in 2-D */
  double *radius; /* [count], m */
  int *kind;      /* [count]: which of the shares, or the column `kind` of a file; else 0 */
} DlsPopulation;

void dls_population_clear(DlsPopulation *population); /* NULL is fine */

/* The volume (area in 2-D) of all grains, m^dim. */
double dls_population_volume(const DlsPopulation *population);

/* How grains overlap: the deepest pair, and how many pairs are deeper than a tolerance. */
typedef struct {
  int64_t pairs;     /* with r_i + r_j - |x_i - x_j| > tolerance min(r_i, r_j) */
  int first, second; /* the pair of the largest relative depth; -1 where none overlaps */
  double depth;      /* m, of that pair; 0 where none overlaps */
  double relative;   /* the same over the smaller radius */
} DlsOverlap;

/* In linear time, whatever the ratio of sizes. */
DlsStatus dls_population_overlap(const DlsPopulation *population, double tolerance,
                                 DlsOverlap *out);

/* Regions. In 2-D a cylinder is a rectangle, a sphere a disk, a frustum a symmetric trapezoid. */
/* A frustum: a funnel has radius < radius_top, a cone has one of them 0. */
#define DLS_REGION_LIST(X)                                                                         \
  X(BOX, "box")           /* low, high */                                                          \
  X(CYLINDER, "cylinder") /* upright: centre of its bottom, radius, height */                      \
  X(SPHERE, "sphere")     /* centre, radius */                                                     \
  X(FRUSTUM, "frustum")   /* upright: centre of its bottom, radius there, radius_top, height */    \
  X(MESH, "mesh")         /* 3-D: within closed facets, whose origin is at centre */

typedef enum {
#define DLS_REGION_ENUM(code, word) DLS_REGION_##code,
  DLS_REGION_LIST(DLS_REGION_ENUM)
#undef DLS_REGION_ENUM
} DlsRegionKind;

typedef struct {
  DlsRegionKind kind;
  double low[3], high[3];
  double centre[3];
  double radius, radius_top, height;
  const DlsFacets *facets; /* lent; closed */
  double volume;           /* m3, of these, as dls_facets_volume() has it */
} DlsRegion;

DlsStatus dls_region_check(const DlsRegion *region, int dim);
double dls_region_volume(const DlsRegion *region, int dim); /* m^dim */

/* The distance from x to the nearest wall, m; below 0 outside. A ball lies in the region exactly
 * when this is not below its radius. */
double dls_region_depth(const DlsRegion *region, int dim, const double *x);

/* The bounding box: low and high [3], 0 in the third place in 2-D. */
void dls_region_bounds(const DlsRegion *region, int dim, double *low, double *high);

/* 1 when a ball of this radius has a place in the region; in a mesh: in the box around it. */
int dls_region_fits(const DlsRegion *region, int dim, double radius);

/* Moves x so that the ball lies in the region: the nearest place for boxes, cylinders and spheres,
 * a near one for frustums. The ball must fit. Not for meshes. */
void dls_region_push(const DlsRegion *region, int dim, double radius, double *x);

/* How much is wanted: a number of grains, or a solid fraction of the region's volume; the other
 * is 0. A fraction is met from above, by less than the volume of one grain, but with `shares`,
 * where the number is that of the mean volume. */
typedef struct {
  int count;
  double fraction;
} DlsAmount;

#define DLS_LATTICE_LIST(X)                                                                        \
  X(SQUARE, "square")       /* 2-D */                                                              \
  X(HEXAGONAL, "hexagonal") /* 2-D */                                                              \
  X(CUBIC, "cubic")         /* 3-D, and so the next two */                                         \
  X(FCC, "fcc")             /* square layers, each in the hollows of the one below */              \
  X(HCP, "hcp")             /* hexagonal layers, every second one alike */

typedef enum {
#define DLS_LATTICE_ENUM(code, word) DLS_LATTICE_##code,
  DLS_LATTICE_LIST(DLS_LATTICE_ENUM)
#undef DLS_LATTICE_ENUM
} DlsLatticeKind;

/* The sites of a lattice, layer after layer from below, that lie in the region with room for the
 * largest grain and its jitter; the first one half a pitch from the region's low corner.
 * `pitch` is the distance of nearest sites, m; each grain is moved by a vector drawn from the ball
 * of radius `jitter`, m. Refused unless 2 r_max + 2 jitter <= pitch. count 0 takes every site. */
typedef struct {
  DlsLatticeKind kind;
  double pitch, jitter;
  int count;
} DlsLattice;

DlsStatus dls_population_lattice(const DlsLattice *lattice, const DlsRegion *region, int dim,
                                 const DlsSizes *sizes, uint64_t seed, DlsPopulation *out);

/* m: ceil(count^(1/3)) 2.2 r. */
double dls_population_deposit_side(int count, double radius);

/* The deposit: `count` spheres on a cubic lattice of pitch 2.2 r with jitter 0.1 r in the open box
 * [0, side]^2 x [0, inf), side = ceil(count^(1/3)) 2.2 r. */
DlsStatus dls_population_deposit(int count, double radius, uint64_t seed, DlsPopulation *out,
                                 double *side);

#define DLS_PYRAMID_LIST(X)                                                                        \
  X(SQUARE, "square")                                                                              \
  X(TRIANGULAR, "triangular")

typedef enum {
#define DLS_PYRAMID_ENUM(code, word) DLS_PYRAMID_##code,
  DLS_PYRAMID_LIST(DLS_PYRAMID_ENUM)
#undef DLS_PYRAMID_ENUM
} DlsPyramidBase;

/* Cannon balls: `layers` layers, the lowest of layers^2 (square base) or layers (layers + 1) / 2
 * (triangular base) balls, the top one single. In 2-D rows of layers, layers - 1 ... 1 disks,
 * whatever the base. Neighbours are `gap` apart, >= 0. `foot` [3] is the middle of the floor
 * below; the lowest balls touch the floor. */
DlsStatus dls_population_pyramid(DlsPyramidBase base, int dim, int layers, double radius,
                                 double gap, const double *foot, DlsPopulation *out);

/* Places drawn at random, one grain after the other, the largest first, each kept where it hits
 * none (random sequential addition). Ends near a solid fraction of 0.35 with equal spheres, 0.52
 * with equal disks; then fails, with the fraction reached. */
DlsStatus dls_population_random(const DlsRegion *region, int dim, const DlsSizes *sizes,
                                DlsAmount amount, uint64_t seed, DlsPopulation *out);

/* Dense and random: grains at places drawn at random push each other apart until none overlaps
 * (force-biased: Moscinski and Bargiel 1989). Up to about 0.60 with spheres, 0.80 with disks, a
 * little less where the region is only a few grains wide; beyond, fails with the overlap left. */
DlsStatus dls_population_packed(const DlsRegion *region, int dim, const DlsSizes *sizes,
                                DlsAmount amount, uint64_t seed, DlsPopulation *out);

/* Rain: `count` grains in loose layers from the region's bottom upward, each alone in a square
 * column of side 2 r_max + gap and at random in it, so that they fall without overlap. A layer is
 * as thick as its largest grain and gap. Boxes, cylinders and frustums go on above their top with
 * the section they have there; a sphere does not. */
DlsStatus dls_population_rain(const DlsRegion *region, int dim, const DlsSizes *sizes, int count,
                              double gap, uint64_t seed, DlsPopulation *out);

/* Grains of a CSV file with the columns x, y, z (none in 2-D) and r (or d, the diameter), and
 * perhaps kind (a whole number >= 0); without names in its first line, in this order. A bad row
 * fails with its line. Overlap is not looked at. */
DlsStatus dls_population_read(const char *path, int dim, DlsPopulation *out);

#endif
