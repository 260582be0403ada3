/* Lattices, layer after layer, and the deposit that the benchmarks share.
 *
 * Sites (i, j, k) in pitches, nearest ones a pitch apart:
 *   square     (i, j)
 *   hexagonal  (i + [j odd] / 2, j sqrt(3)/2)
 *   cubic      (i, j, k)
 *   fcc        (i + [k odd] / 2, j + [k odd] / 2, k / sqrt(2))
 *   hcp        (i + [j + k odd] / 2, (j + [k odd] / 3) sqrt(3)/2, k sqrt(2/3)) */
#include <math.h>
#include <string.h>

#include "world/population/population_impl.h"

static const double half_root3 = 0.86602540378443865, root_half = 0.70710678118654752,
                    root_two_thirds = 0.81649658092772603;

static const struct {
  const char *name;
  int dim;
} kinds[] = {
    [DLS_LATTICE_SQUARE] = {"square", 2}, [DLS_LATTICE_HEXAGONAL] = {"hexagonal", 2},
    [DLS_LATTICE_CUBIC] = {"cubic", 3},   [DLS_LATTICE_FCC] = {"fcc", 3},
    [DLS_LATTICE_HCP] = {"hcp", 3},
};

static void site(DlsLatticeKind kind, int64_t i, int64_t j, int64_t k, double *x) {
  const double odd_j = (double)(j & 1), odd_k = (double)(k & 1), odd = (double)((j + k) & 1);
  x[0] = (double)i;
  x[1] = (double)j;
  x[2] = (double)k;
  switch (kind) {
  case DLS_LATTICE_SQUARE:
  case DLS_LATTICE_CUBIC:
    return;
  case DLS_LATTICE_HEXAGONAL:
    x[0] += 0.5 * odd_j;
    x[1] *= half_root3;
    return;
  case DLS_LATTICE_FCC:
    x[0] += 0.5 * odd_k;
    x[1] += 0.5 * odd_k;
    x[2] *= root_half;
    return;
  case DLS_LATTICE_HCP:
    x[0] += 0.5 * odd;
    x[1] = (x[1] + odd_k / 3) * half_root3;
    x[2] *= root_two_thirds;
    return;
  }
}

/* What the walk over the sites needs, and the sites it has found. */
typedef struct {
  const DlsLattice *lattice;
  const DlsRegion *region;
  int dim;
  double low[3], room; /* m: the least depth of a site */
  int64_t cells[3];    /* along each axis, at least as many as there are sites */
  int64_t most, found; /* sites wanted, and so far */
  double *centre;      /* [most][3], or NULL to count */
} Walk;

static void take_site(Walk *walk, int64_t i, int64_t j, int64_t k) {
  double x[3];
  site(walk->lattice->kind, i, j, k, x);
  for (int a = 0; a < 3; a++)
    x[a] = a < walk->dim ? walk->low[a] + (x[a] + 0.5) * walk->lattice->pitch : 0;
  if (dls_region_depth(walk->region, walk->dim, x) < walk->room) return;
  if (walk->centre) memcpy(walk->centre + 3 * walk->found, x, sizeof x);
  walk->found++;
}

static void walk_sites(Walk *walk) {
  walk->found = 0;
  for (int64_t k = 0; k < walk->cells[2]; k++)
    for (int64_t j = 0; j < walk->cells[1]; j++)
      for (int64_t i = 0; i < walk->cells[0] && walk->found < walk->most; i++)
        take_site(walk, i, j, k);
}

static DlsStatus begin_walk(const DlsLattice *lattice, const DlsRegion *region, int dim,
                            double largest, Walk *walk) {
  /* Rows lie at least these parts of a pitch apart. */
  static const double step[3] = {1, 0.866, 0.707};
  double high[3], total = 1;
  *walk = (Walk){.lattice = lattice, .region = region, .dim = dim};
  /* Round-off of the sites must not lose the ones that touch a wall. */
  walk->room = largest + lattice->jitter - 1e-9 * lattice->pitch;
  dls_region_bounds(region, dim, walk->low, high);
  for (int a = 0; a < 3; a++) {
    const double cells =
        a < dim ? floor((high[a] - walk->low[a]) / (step[a] * lattice->pitch)) + 1 : 1;
    total *= cells;
    walk->cells[a] = (int64_t)fmin(cells, 0x1p40);
  }
  DLS_CHECK(total <= 8.0 * DLS_POPULATION_MOST, DLS_ERR_ARGUMENT,
            "lattice: the region has room for %.2g sites of pitch %g: a larger pitch", total,
            lattice->pitch);
  walk->most = lattice->count > 0 ? lattice->count : DLS_POPULATION_MOST;
  return DLS_OK;
}

static DlsStatus check(const DlsLattice *lattice, const DlsRegion *region, int dim,
                       const DlsSizes *sizes) {
  DLS_TRY(dls_region_check(region, dim));
  DLS_TRY(dls_sizes_check(sizes));
  DLS_CHECK((int)lattice->kind >= 0 && (int)lattice->kind < DLS_COUNT(kinds), DLS_ERR_ARGUMENT,
            "lattice: there is no kind %d", (int)lattice->kind);
  DLS_CHECK(kinds[lattice->kind].dim == dim, DLS_ERR_ARGUMENT,
            "lattice: %s is for %d-D, the region has %d dimensions", kinds[lattice->kind].name,
            kinds[lattice->kind].dim, dim);
  DLS_CHECK(lattice->pitch > 0 && isfinite(lattice->pitch), DLS_ERR_ARGUMENT,
            "lattice: the pitch is %g: it must be positive", lattice->pitch);
  DLS_CHECK(lattice->jitter >= 0 && isfinite(lattice->jitter), DLS_ERR_ARGUMENT,
            "lattice: the jitter is %g: it must not be negative", lattice->jitter);
  DLS_CHECK(lattice->count >= 0, DLS_ERR_ARGUMENT, "lattice: %d grains", lattice->count);
  const double need = 2 * (dls_sizes_max(sizes) + lattice->jitter);
  DLS_CHECK(
      need <= lattice->pitch * (1 + 1e-12), DLS_ERR_ARGUMENT,
      "lattice: grains of radius %g with jitter %g need a pitch of %g, it is %g: widen it, or "
      "less jitter",
      dls_sizes_max(sizes), lattice->jitter, need, lattice->pitch);
  return DLS_OK;
}

/* Moves each centre by a vector uniform in the ball of radius `jitter`. */
static void shake(double jitter, uint64_t seed, DlsPopulation *p) {
  DlsRandom random;
  dls_random_stream(&random, seed, DLS_STREAM_JITTER);
  for (int g = 0; jitter > 0 && g < p->count; g++) {
    double d[3] = {0, 0, 0}, square;
    do {
      square = 0;
      for (int a = 0; a < p->dim; a++) {
        d[a] = dls_random_between(&random, -1, 1);
        square += d[a] * d[a];
      }
    } while (square > 1);
    for (int a = 0; a < p->dim; a++) p->centre[3 * (size_t)g + (size_t)a] += jitter * d[a];
  }
}

DlsStatus dls_population_lattice(const DlsLattice *lattice, const DlsRegion *region, int dim,
                                 const DlsSizes *sizes, uint64_t seed, DlsPopulation *out) {
  Walk walk;
  dls_population_clear(out);
  DLS_TRY(check(lattice, region, dim, sizes));
  DLS_TRY(begin_walk(lattice, region, dim, dls_sizes_max(sizes), &walk));
  walk_sites(&walk);
  DLS_CHECK(walk.found > 0, DLS_ERR_ARGUMENT,
            "lattice: no site of pitch %g lies in the region: a larger region or a smaller pitch",
            lattice->pitch);
  DLS_CHECK(walk.found >= lattice->count, DLS_ERR_ARGUMENT,
            "lattice: %lld sites of pitch %g lie in the region, %d grains are asked for: a larger "
            "region or a smaller pitch",
            (long long)walk.found, lattice->pitch, lattice->count);
  DLS_TRY(dls_population_create("lattice", dim, walk.found, out));
  walk.most = out->count;
  walk.centre = out->centre;
  walk_sites(&walk);
  shake(lattice->jitter, seed, out);
  const DlsStatus status = dls_sizes_fill(sizes, dim, seed, out->count, out->radius, out->kind);
  if (status != DLS_OK) dls_population_clear(out);
  return status;
}

static const double deposit_pitch = 2.2; /* radii */

double dls_population_deposit_side(int count, double radius) {
  int64_t edge = 1; /* ceil(count^(1/3)), in whole numbers */
  while (edge * edge * edge < count) edge++;
  return (double)edge * (deposit_pitch * radius);
}

DlsStatus dls_population_deposit(int count, double radius, uint64_t seed, DlsPopulation *out,
                                 double *side) {
  dls_population_clear(out);
  DLS_CHECK(count > 0 && count <= DLS_POPULATION_MOST, DLS_ERR_ARGUMENT,
            "deposit: %d grains: 1 to %d", count, (int)DLS_POPULATION_MOST);
  const double pitch = deposit_pitch * radius;
  const double length = dls_population_deposit_side(count, radius);
  const DlsLattice lattice = {
      .kind = DLS_LATTICE_CUBIC, .pitch = pitch, .jitter = 0.1 * radius, .count = count};
  const DlsRegion box = {.kind = DLS_REGION_BOX, .high = {length, length, length}};
  const DlsSizes sizes = {.kind = DLS_SIZES_FIXED, .radius = radius};
  *side = length;
  return dls_population_lattice(&lattice, &box, 3, &sizes, seed, out);
}
