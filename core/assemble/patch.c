#include "assemble/patch.h"

#include "detect/link.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Leopardi 2006, without his rounding of the collars' widths: collars end where whole cells do, so
 * that all have exactly the area 4 pi / cells. Up to z the sphere has the area 2 pi (1 - z). */
void dls_directions_make(int dim, int cells, DlsDirections *d) {
  *d = (DlsDirections){.dim = dim, .cells = cells, .collars = 1, .first = {0, cells}};
  if (dim == 2 || cells < 2) return;
  const double cap = acos(1 - 2.0 / cells), width = sqrt(4 * pi / cells);
  const int between = cells == 2 ? 0 : (int)fmax(1, round((pi - 2 * cap) / width));
  d->collars = between + 2;
  d->first[1] = 1;
  for (int k = 1; k <= between; k++) {
    const double z = cos(cap + k * (pi - 2 * cap) / between);
    const int last = (int)round(0.5 * cells * (1 - z));
    d->first[k + 1] = last > d->first[k] ? last : d->first[k] + 1;
  }
  d->first[between + 1] = cells - 1;
  d->first[between + 2] = cells;
}

/* Which of `count` equal parts of a turn, the first about the angle 0. */
static int part_of_turn(double y, double x, int count) {
  const int part = (int)floor(atan2(y, x) / (2 * pi) * count + 0.5);
  return (part % count + count) % count;
}

int dls_directions_find(const DlsDirections *d, const double x[3]) {
  if (d->dim == 2) return part_of_turn(x[1], x[0], d->cells);
  const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const double z = length > 0 ? x[2] / length : 1, above = 0.5 * d->cells * (1 - z);
  int k = 0;
  while (k + 1 < d->collars && above >= d->first[k + 1]) k++;
  return d->first[k] + part_of_turn(x[1], x[0], d->first[k + 1] - d->first[k]);
}

void dls_directions_centre(const DlsDirections *d, int cell, double out[3]) {
  int k = 0;
  while (k + 1 < d->collars && cell >= d->first[k + 1]) k++;
  const int count = d->first[k + 1] - d->first[k];
  const double angle = 2 * pi * (cell - d->first[k]) / count;
  double z = 0;
  if (d->dim == 3 && d->collars > 1)
    z = k == 0                ? 1
        : k + 1 == d->collars ? -1
                              : 1 - (double)(d->first[k] + d->first[k + 1]) / d->cells;
  const double across = sqrt(1 - z * z);
  out[0] = across * cos(angle), out[1] = across * sin(angle), out[2] = z;
}

/* A patch of a body: number of the element in it, 32 bits, and the cell. Of a boundary: 1 to 6, the
 * axis that the normal is nearest to and its sign, then two numbers of the grid from -2^29 on. */
enum { GRID_BITS = 30 };
static const int64_t grid_half = (int64_t)1 << (GRID_BITS - 1);

static int element_of(const DlsWorld *world, int body, uint32_t feature) {
  int e = world->first[body];
  const uint32_t last = (uint32_t)(world->first[body + 1] - 1 - e);
  if (!world->figure) return e + (int)(feature < last ? feature : last);
  while (e + 1 < world->first[body + 1] && dls_world_first_feature(world, e + 1) <= feature) e++;
  return e;
}

/* Where a link holds a body: by the direction from its centre. */
static DlsPatch of_link(const DlsDirections *d, const DlsWorld *world, const double point[3],
                        int body) {
  double out[3];
  for (int k = 0; k < 3; k++) out[k] = point[k] - world->position[body][k];
  const double height = dls_vector_norm(out);
  dls_rotation_apply_inverse(world->orientation[body], out, out);
  return (DlsPatch){(uint64_t)dls_directions_find(d, out), height};
}

static DlsPatch of_body(const DlsDirections *d, const DlsWorld *world, const DlsContactSet *set,
                        int c, int side, int body) {
  const uint64_t feature = set->key[c].feature;
  if (dls_key_is_link(&set->key[c])) return of_link(d, world, set->point[c], body);
  const int e = set->mean[c][!side].count > 0
                    ? world->first[body] + dls_contact_element(world, set, c, !side)
                    : element_of(world, body, (uint32_t)(side ? feature >> 32 : feature));
  double out[3]; /* of the solid: towards the other body */
  double height = dls_world_element_size(world, e);
  for (int k = 0; k < 3; k++) out[k] = (side ? -1 : 1) * set->frame[c][k];
  if (!dls_world_is_ball(world, e)) {
    DlsPose pose;
    dls_world_element_pose(world, e, world->position[body], world->orientation[body], &pose);
    for (int k = 0; k < 3; k++) out[k] = set->point[c][k] - pose.position[k];
    height = dls_vector_norm(out);
  }
  dls_rotation_apply_inverse(world->orientation[body], out, out);
  const uint64_t number = (uint64_t)(e - world->first[body]) << 32;
  return (DlsPatch){number | (uint64_t)dls_directions_find(d, out), height};
}

static uint64_t grid_number(double x, double cell) {
  const double n = floor(x / cell + 0.5), most = (double)(grid_half - 1);
  return (uint64_t)((int64_t)fmin(fmax(n, -most), most) + grid_half);
}

static DlsPatch of_boundary(const DlsWorld *world, const DlsContactSet *set, int c, double cell,
                            const DlsBoundary *b) {
  double normal[3], point[3];
  int axis = 0, at = 0;
  for (int k = 0; k < 3; k++) point[k] = set->point[c][k] - b->position[k];
  dls_rotation_apply_inverse(b->orientation, set->frame[c], normal);
  dls_rotation_apply_inverse(b->orientation, point, point);
  for (int k = 1; k < world->dim; k++)
    if (fabs(normal[k]) > fabs(normal[axis])) axis = k;
  uint64_t number = (uint64_t)(1 + 2 * axis + (normal[axis] < 0)) << (2 * GRID_BITS);
  for (int k = 0; k < world->dim; k++)
    if (k != axis) number |= grid_number(point[k], cell) << (GRID_BITS * at++);
  return (DlsPatch){number, point[axis]};
}

DlsPatch dls_patch_find(const DlsDirections *d, double cell, const DlsWorld *world,
                        const DlsContactSet *set, int c, int side) {
  const int who = side ? set->candidate[c] : set->antagonist[c];
  if (who >= 0) return of_body(d, world, set, c, side, who);
  return of_boundary(world, set, c, cell, &world->boundary[-1 - who]);
}

static bool place_on_body(const DlsDirections *d, const DlsWorld *world, int body,
                          const DlsPatch *patch, double point[3], double normal[3], double *area) {
  const uint64_t inner = patch->number >> 32, cell = patch->number & 0xffffffffu;
  DlsPose pose;
  if (inner >= (uint64_t)(world->first[body + 1] - world->first[body])) return false;
  if (cell >= (uint64_t)d->cells) return false;
  const int e = world->first[body] + (int)inner;
  const double radius = patch->height;
  dls_directions_centre(d, (int)cell, normal);
  dls_rotation_apply(world->orientation[body], normal, normal);
  dls_world_element_pose(world, e, world->position[body], world->orientation[body], &pose);
  for (int k = 0; k < 3; k++) point[k] = pose.position[k] + radius * normal[k];
  *area = (world->dim == 3 ? 4 * pi * radius * radius : 2 * pi * radius) / d->cells;
  return true;
}

static bool place_on_boundary(const DlsWorld *world, const DlsBoundary *b, double cell,
                              const DlsPatch *patch, double point[3], double normal[3],
                              double *area) {
  const int side = (int)(patch->number >> (2 * GRID_BITS)) - 1, axis = side / 2;
  int at = 0;
  if (side < 0 || axis >= world->dim) return false;
  for (int k = 0; k < 3; k++) {
    normal[k] = k == axis ? (side % 2 ? -1 : 1) : 0;
    point[k] = k == axis ? patch->height : 0;
    if (k == axis || k >= world->dim) continue;
    const uint64_t number = patch->number >> (GRID_BITS * at++) & (((uint64_t)1 << GRID_BITS) - 1);
    point[k] = cell * (double)((int64_t)number - grid_half);
  }
  dls_rotation_apply(b->orientation, normal, normal);
  dls_rotation_apply(b->orientation, point, point);
  for (int k = 0; k < 3; k++) point[k] += b->position[k];
  *area = world->dim == 3 ? cell * cell : cell;
  return true;
}

bool dls_patch_place(const DlsDirections *d, double cell, const DlsWorld *world, int who,
                     const DlsPatch *patch, double point[3], double normal[3], double *area) {
  if (who >= 0) return place_on_body(d, world, who, patch, point, normal, area);
  return place_on_boundary(world, &world->boundary[-1 - who], cell, patch, point, normal, area);
}
