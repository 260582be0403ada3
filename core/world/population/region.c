/* Regions: boxes, and bodies of revolution about an upright axis, seen in the half plane (rho, s)
 * of distance from the axis and height above the bottom. All are convex, so the distance to the
 * nearest wall is the least of those to each wall. Meshes need not be, and know the distance to
 * their nearest facet. */
#include <math.h>
#include <stdbool.h>

#include "world/population/population_impl.h"

static double slope(const DlsRegion *region) {
  return (region->radius_top - region->radius) / region->height;
}

/* The distance from the axis of revolution. */
static double axis_distance(const DlsRegion *region, int dim, const double *x) {
  const double a = x[0] - region->centre[0];
  return dim == 2 ? fabs(a) : hypot(a, x[1] - region->centre[1]);
}

static double box_depth(const DlsRegion *region, int dim, const double *x) {
  double depth = INFINITY;
  for (int i = 0; i < dim; i++)
    depth = fmin(depth, fmin(x[i] - region->low[i], region->high[i] - x[i]));
  return depth;
}

static double ball_depth(const DlsRegion *region, int dim, const double *x) {
  double square = 0;
  for (int i = 0; i < dim; i++) square += (x[i] - region->centre[i]) * (x[i] - region->centre[i]);
  return region->radius - sqrt(square);
}

/* Whichever side of the facets is their front. */
static double mesh_depth(const DlsRegion *region, const double *x) {
  double place[3];
  for (int i = 0; i < 3; i++) place[i] = x[i] - region->centre[i];
  const double height = dls_facets_depth(region->facets, place);
  return region->volume > 0 ? -height : height;
}

double dls_region_depth(const DlsRegion *region, int dim, const double *x) {
  if (region->kind == DLS_REGION_MESH) return mesh_depth(region, x);
  if (region->kind == DLS_REGION_BOX) return box_depth(region, dim, x);
  if (region->kind == DLS_REGION_SPHERE) return ball_depth(region, dim, x);
  const double rho = axis_distance(region, dim, x), s = x[dim - 1] - region->centre[dim - 1];
  double side = region->radius - rho;
  if (region->kind == DLS_REGION_FRUSTUM) {
    const double k = slope(region);
    side = (side + k * s) / sqrt(1 + k * k);
  }
  return fmin(side, fmin(s, region->height - s));
}

void dls_region_bounds(const DlsRegion *region, int dim, double *low, double *high) {
  const bool box = region->kind == DLS_REGION_BOX;
  if (region->kind == DLS_REGION_MESH) {
    for (int i = 0; i < 3; i++) {
      low[i] = region->centre[i] + region->facets->box[0].low[i];
      high[i] = region->centre[i] + region->facets->box[0].high[i];
    }
    return;
  }
  double radius = region->radius;
  if (region->kind == DLS_REGION_FRUSTUM) radius = fmax(radius, region->radius_top);
  for (int i = 0; i < 3; i++) {
    low[i] = i >= dim ? 0 : box ? region->low[i] : region->centre[i] - radius;
    high[i] = i >= dim ? 0 : box ? region->high[i] : region->centre[i] + radius;
  }
  if (box || region->kind == DLS_REGION_SPHERE) return;
  low[dim - 1] = region->centre[dim - 1];
  high[dim - 1] = region->centre[dim - 1] + region->height;
}

double dls_region_volume(const DlsRegion *region, int dim) {
  const double pi = 3.14159265358979323846, a = region->radius, b = region->radius_top;
  double volume = 1;
  switch (region->kind) {
  case DLS_REGION_BOX:
    for (int i = 0; i < dim; i++) volume *= region->high[i] - region->low[i];
    return volume;
  case DLS_REGION_SPHERE:
    return dls_ball_volume(dim, a);
  case DLS_REGION_CYLINDER:
    return (dim == 2 ? 2 * a : pi * a * a) * region->height;
  case DLS_REGION_FRUSTUM:
    return (dim == 2 ? a + b : pi / 3 * (a * a + a * b + b * b)) * region->height;
  case DLS_REGION_MESH:
    return fabs(region->volume);
  }
  return 0;
}

DlsStatus dls_region_check(const DlsRegion *region, int dim) {
  static const char *const names[] = {"box", "cylinder", "sphere", "frustum", "mesh"};
  DLS_CHECK(dim == 2 || dim == 3, DLS_ERR_ARGUMENT, "region: dimension %d: 2 or 3", dim);
  DLS_CHECK((int)region->kind >= 0 && (int)region->kind < DLS_COUNT(names), DLS_ERR_ARGUMENT,
            "region: there is no kind %d", (int)region->kind);
  const char *name = names[region->kind];
  const bool box = region->kind == DLS_REGION_BOX;
  for (int i = 0; i < dim; i++) {
    const double low = box ? region->low[i] : region->centre[i];
    const double high = box ? region->high[i] : region->centre[i];
    DLS_CHECK(isfinite(low) && isfinite(high), DLS_ERR_ARGUMENT,
              "region: coordinate %c of the %s is not finite", "xyz"[i], name);
    DLS_CHECK(!box || low < high, DLS_ERR_ARGUMENT,
              "region: the box goes from %g to %g along %c: the first must be the smaller", low,
              high, "xyz"[i]);
  }
  if (region->kind == DLS_REGION_MESH) {
    DLS_CHECK(dim == 3, DLS_ERR_ARGUMENT, "region: a mesh is one of 3-D; take a box in 2-D");
    DLS_CHECK(region->facets && region->facets->closed, DLS_ERR_ARGUMENT,
              "region: a mesh needs closed facets");
    return DLS_OK;
  }
  if (box) return DLS_OK;
  const bool frustum = region->kind == DLS_REGION_FRUSTUM;
  const double largest = frustum ? fmax(region->radius, region->radius_top) : region->radius;
  DLS_CHECK(largest > 0 && isfinite(largest), DLS_ERR_ARGUMENT,
            "region: the radius of the %s is %g: it must be positive", name, largest);
  DLS_CHECK(!frustum || (region->radius >= 0 && region->radius_top >= 0), DLS_ERR_ARGUMENT,
            "region: the radii of the frustum are %g and %g: none may be negative", region->radius,
            region->radius_top);
  DLS_CHECK(region->kind == DLS_REGION_SPHERE || (region->height > 0 && isfinite(region->height)),
            DLS_ERR_ARGUMENT, "region: the height of the %s is %g: it must be positive", name,
            region->height);
  return DLS_OK;
}

/* Heights above the bottom that the centre of a ball may have: those where the side leaves room. */
static void heights(const DlsRegion *region, double r, double *low, double *high) {
  *low = r;
  *high = region->height - r;
  if (region->kind != DLS_REGION_FRUSTUM) return;
  const double k = slope(region);
  /* radius + k s >= r sqrt(1 + k^2) */
  if (k != 0) {
    const double s = (r * sqrt(1 + k * k) - region->radius) / k;
    *(k > 0 ? low : high) = k > 0 ? fmax(*low, s) : fmin(*high, s);
  } else if (region->radius < r)
    *high = *low - 1;
}

int dls_region_fits(const DlsRegion *region, int dim, double radius) {
  double low, high;
  switch (region->kind) {
  case DLS_REGION_BOX:
    for (int i = 0; i < dim; i++)
      if (region->high[i] - region->low[i] < 2 * radius) return 0;
    return 1;
  case DLS_REGION_SPHERE:
    return region->radius >= radius;
  case DLS_REGION_CYLINDER:
    return region->radius >= radius && region->height >= 2 * radius;
  case DLS_REGION_FRUSTUM:
    heights(region, radius, &low, &high);
    return low <= high;
  case DLS_REGION_MESH:
    for (int i = 0; i < dim; i++)
      if (region->facets->box[0].high[i] - region->facets->box[0].low[i] < 2 * radius) return 0;
    return 1;
  }
  return 0;
}

static double clamp(double x, double low, double high) { return fmin(fmax(x, low), high); }

/* Pulls x towards the axis until it is at most `most` away. */
static void pull_in(const DlsRegion *region, int dim, double most, double *x) {
  const double rho = axis_distance(region, dim, x);
  if (rho <= most) return;
  for (int i = 0; i < dim - 1; i++)
    x[i] = region->centre[i] + (x[i] - region->centre[i]) * (most / rho);
}

static void push_frustum(const DlsRegion *region, int dim, double radius, double *x) {
  const double k = slope(region), bottom = region->centre[dim - 1], c2 = 1 / (1 + k * k);
  double low, high, s = x[dim - 1] - bottom;
  heights(region, radius, &low, &high);
  /* Along the side's normal (1, -k) / sqrt(1 + k^2) of the half plane, then back between the ends,
   * then straight to the axis. */
  const double room = region->radius + k * s - radius / sqrt(c2);
  const double out = axis_distance(region, dim, x) - room;
  if (out > 0) {
    pull_in(region, dim, fmax(room + out * (1 - c2), 0), x);
    s += out * k * c2;
  }
  s = clamp(s, low, high);
  x[dim - 1] = bottom + s;
  pull_in(region, dim, fmax(region->radius + k * s - radius / sqrt(c2), 0), x);
}

void dls_region_push(const DlsRegion *region, int dim, double radius, double *x) {
  double out;
  switch (region->kind) {
  case DLS_REGION_BOX:
    for (int i = 0; i < dim; i++)
      x[i] = clamp(x[i], region->low[i] + radius, region->high[i] - radius);
    return;
  case DLS_REGION_CYLINDER:
    x[dim - 1] = clamp(x[dim - 1], region->centre[dim - 1] + radius,
                       region->centre[dim - 1] + region->height - radius);
    pull_in(region, dim, region->radius - radius, x);
    return;
  case DLS_REGION_SPHERE:
    out = region->radius - ball_depth(region, dim, x);
    if (out <= region->radius - radius) return;
    for (int i = 0; i < dim; i++)
      x[i] = region->centre[i] + (x[i] - region->centre[i]) * ((region->radius - radius) / out);
    return;
  case DLS_REGION_FRUSTUM:
    push_frustum(region, dim, radius, x);
    return;
  case DLS_REGION_MESH: /* refused by who would push */
    return;
  }
}

void dls_region_try(const DlsRegion *region, int dim, double radius, DlsRandom *random, double *x) {
  double low[3], high[3];
  dls_region_bounds(region, dim, low, high);
  x[2] = 0;
  for (int i = 0; i < dim; i++)
    x[i] = dls_random_between(random, low[i] + radius, high[i] - radius);
}
