/* What is round: arches and barrel vaults of voussoirs, domes of rings, columns of drums. */
#include "world/blocks/blocks_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rotation.h"

static const double pi = 3.14159265358979323846;

/* The voussoir about its own place, R cos(a) above the centre of the arch, a half of its angle. A
 * joint is the radius at angle a moved inwards by gap / 2; on the chord at height r cos(a) it is at
 *   x = (r - gap/2 tan a) sin a - gap/2 cos a = r sin a - gap / (2 cos a). */
static DlsStatus voussoir(const DlsArch *s, double a, double depth, DlsBlocks *out, int *shape,
                          double upright[4]) {
  const double inner = s->radius - s->thickness / 2, outer = s->radius + s->thickness / 2;
  const double less = s->gap / (2 * cos(a)), low = (inner - s->radius) * cos(a);
  const double high = (outer - s->radius) * cos(a);
  const double near = inner * sin(a) - less, far = outer * sin(a) - less;
  const double corner[4][3] = {{-near, low}, {near, low}, {far, high}, {-far, high}};
  return dls_blocks_plate(out, 4, corner, depth, shape, upright);
}

/* One voussoir from y on, turned by `angle` from the upright towards x. */
static DlsStatus put(const DlsArch *s, double half, double angle, double y, double depth, bool base,
                     DlsBlocks *out) {
  const int up = out->dim - 1;
  /* Towards x: in 2-D about -z, in 3-D about +y. */
  double turn[3] = {0}, q[4], upright[4], whole[4], place[3] = {0};
  int shape;
  DLS_TRY(voussoir(s, half, depth, out, &shape, upright));
  turn[out->dim == 2 ? 2 : 1] = out->dim == 2 ? -angle : angle;
  dls_rotation_exp(turn, q);
  dls_rotation_multiply(q, upright, whole);
  place[0] = s->radius * cos(half) * sin(angle);
  if (out->dim == 3) place[1] = y + depth / 2;
  place[up] = s->radius * cos(half) * cos(angle);
  return dls_blocks_add(out, shape, place, whole, base);
}

/* A course along y: stones of the depth, or half ones at its ends. */
static DlsStatus put_course(const DlsArch *s, double half, double angle, bool moved, bool base,
                            DlsBlocks *out) {
  const double pitch = s->depth + s->gap;
  if (out->dim == 2) return put(s, half, angle, 0, 0, base, out);
  for (int k = 0; k < s->rows + moved; k++) {
    const double first = moved ? k - 0.5 : k;
    const double from = fmax(0, first) * pitch, to = fmin(s->rows, first + 1) * pitch - s->gap;
    DLS_TRY(put(s, half, angle, from, dls_blocks_snap(to - from, s->depth, s->gap), base, out));
  }
  return DLS_OK;
}

static DlsStatus check_round(double radius, double thickness, double span, double most) {
  DLS_TRY(dls_blocks_check_length("radius", radius));
  DLS_TRY(dls_blocks_check_length("thickness", thickness));
  DLS_CHECK(thickness < 2 * radius, DLS_ERR_ARGUMENT,
            "thickness %g m is not below twice the mean radius %g m", thickness, radius);
  DLS_CHECK(span > 0 && span <= most * (1 + 1e-12), DLS_ERR_ARGUMENT,
            "span %g rad is not above 0 and up to %g rad", span, most);
  return DLS_OK;
}

DlsStatus dls_blocks_arch(const DlsArch *s, DlsBlocks *out) {
  DLS_TRY(check_round(s->radius, s->thickness, s->span, 1.9 * pi));
  DLS_CHECK(s->count >= 2 && s->count <= 100000, DLS_ERR_ARGUMENT,
            "an arch of %d voussoirs; count is 2 or more", s->count);
  DLS_CHECK(s->span / s->count < 0.9 * pi, DLS_ERR_ARGUMENT,
            "%d voussoirs over %g rad: one takes nearly half a turn; give more", s->count, s->span);
  DLS_CHECK(!s->springers || s->span * (s->count + 2) < 2 * pi * s->count, DLS_ERR_ARGUMENT,
            "springers beside a span of %g rad would meet; take a smaller span, or none", s->span);
  DLS_CHECK(s->rows >= 1 && (out->dim == 3 || s->rows == 1), DLS_ERR_ARGUMENT,
            "%d rows: in 3-D 1 or more, in 2-D 1", s->rows);
  if (out->dim == 3) DLS_TRY(dls_blocks_check_length("depth", s->depth));
  const double half = s->span / s->count / 2;
  DLS_TRY(dls_blocks_check_gap(s->gap, (s->radius - s->thickness / 2) * sin(half) * cos(half),
                               "half of a voussoir's inner side"));
  if (out->dim == 3) DLS_TRY(dls_blocks_check_gap(s->gap, s->depth / 2, "half of its depth"));
  const int more = s->springers ? 1 : 0;
  for (int k = -more; k < s->count + more; k++)
    DLS_TRY(put_course(s, half, (2 * k + 1 - s->count) * half, s->rows > 1 && (k + more) % 2,
                       k <= -more || k >= s->count - 1 + more, out));
  return dls_blocks_finish(out);
}

/* Faces of a solid with eight corners: 0 .. 3 below, counter-clockwise from above, 4 .. 7 above
 * them. */
static DlsStatus brick_of(const double (*corner)[3], DlsConvexNumbers *out) {
  static const int start[] = {0, 4, 8, 12, 16, 20, 24};
  static const int list[] = {3, 2, 1, 0, 4, 5, 6, 7, 0, 1, 5, 4,
                             1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};
  return dls_convex_build(3, 0, 8, corner, 6, start, list, out);
}

/* A stone of a dome between the angles `low` and `high` from the upright, in its plane of symmetry
 * x, z. With g = gap / 2 it stands back from the bed planes along their normals, and from the
 * meridian planes at +- half. */
static DlsStatus dome_stone(const DlsDome *s, double half, double low, double high, DlsBlocks *out,
                            int *shape) {
  const double g = s->gap / 2, c = cos(half), t = tan(half);
  double corner[8][3];
  for (int k = 0; k < 8; k++) {
    const bool top = k >= 4, outside = k % 4 == 1 || k % 4 == 2, left = k % 4 >= 2;
    const double angle = top ? high : low, r = s->radius + (outside ? 0.5 : -0.5) * s->thickness;
    /* The chord of the ring lies at r sin(angle) cos(half) from the axis. In the plane x, z: the
     * line of the bed through (sin(angle) c, cos(angle)), moved into the stone. */
    const double d[2] = {sin(angle) * c, cos(angle)}, size = hypot(d[0], d[1]);
    const double n[2] = {top ? d[1] / size : -d[1] / size, top ? -d[0] / size : d[0] / size};
    corner[k][0] = r * d[0] + g * n[0];
    corner[k][2] = r * d[1] + g * n[1];
    corner[k][1] = (left ? 1 : -1) * (corner[k][0] * t - g / c);
  }
  DlsConvexNumbers numbers;
  return dls_blocks_shape(brick_of((const double(*)[3])corner, &numbers), &numbers, out, shape);
}

DlsStatus dls_blocks_dome(const DlsDome *s, DlsBlocks *out) {
  DLS_CHECK(out->dim == 3, DLS_ERR_ARGUMENT, "a dome is of 3-D; in 2-D take an arch");
  DLS_TRY(check_round(s->radius, s->thickness, s->span, pi));
  DLS_CHECK(s->count >= 4 && s->count <= 10000 && s->rings >= 1 && s->rings <= 10000,
            DLS_ERR_ARGUMENT, "a dome of %d rings of %d stones; give 1 ring or more, of 4 or more",
            s->rings, s->count);
  DLS_CHECK(s->oculus > 0 && s->oculus < s->span / 2, DLS_ERR_ARGUMENT,
            "oculus %g rad is not above 0 and below half of the span, %g rad", s->oculus,
            s->span / 2);
  const double half = pi / s->count, step = (s->span / 2 - s->oculus) / s->rings;
  const double inner = s->radius - s->thickness / 2;
  DLS_TRY(dls_blocks_check_gap(s->gap, inner * fmin(step / 2, sin(s->oculus) * sin(half) / 2),
                               "half of its smallest stone"));
  for (int ring = 0; ring < s->rings; ring++) {
    const double low = s->span / 2 - ring * step, high = low - step;
    int shape;
    DLS_TRY(dome_stone(s, half, low, high, out, &shape));
    for (int k = 0; k < s->count; k++) {
      const double origin[3] = {0}, turn[3] = {0, 0, 2 * half * k};
      double q[4];
      dls_rotation_exp(turn, q);
      DLS_TRY(dls_blocks_add(out, shape, origin, q, ring == 0));
    }
  }
  return dls_blocks_finish(out);
}

/* A frustum on a regular polygon about z, half its height to both sides; corners in the middle of
 * a side's half angle, so that a side looks along x. */
static DlsStatus frustum(int sides, double low, double high, double height, DlsConvexNumbers *out) {
  double vertex[DLS_CONVEX_VERTICES][3];
  int start[DLS_CONVEX_FACES + 1], corner[6 * DLS_CONVEX_VERTICES], n = 0;
  for (int k = 0; k < sides; k++) {
    const double angle = (2 * k + 1) * pi / sides;
    const double point[2][3] = {{low * cos(angle), low * sin(angle), -height / 2},
                                {high * cos(angle), high * sin(angle), height / 2}};
    memcpy(vertex[k], point[0], sizeof point[0]);
    memcpy(vertex[sides + k], point[1], sizeof point[1]);
  }
  for (int k = 0; k < sides; k++) {
    const int next = (k + 1) % sides, face[4] = {k, next, sides + next, sides + k};
    start[k] = n;
    for (int i = 0; i < 4; i++) corner[n++] = face[i];
  }
  start[sides] = n;
  for (int k = sides - 1; k >= 0; k--) corner[n++] = k;
  start[sides + 1] = n;
  for (int k = 0; k < sides; k++) corner[n++] = sides + k;
  start[sides + 2] = n;
  return dls_convex_build(3, 0, 2 * sides, (const double(*)[3])vertex, sides + 2, start, corner,
                          out);
}

DlsStatus dls_blocks_column(const DlsColumn *s, DlsBlocks *out) {
  const int up = out->dim - 1;
  DLS_TRY(dls_blocks_check_length("radius", s->radius[0]));
  DLS_TRY(dls_blocks_check_length("radius_top", s->radius[1]));
  DLS_TRY(dls_blocks_check_length("the height of a drum", s->height));
  DLS_CHECK(s->drums >= 1 && s->drums <= 1000000, DLS_ERR_ARGUMENT,
            "a column of %d drums; count is 1 or more", s->drums);
  DLS_CHECK(out->dim == 2 || (s->sides >= 3 && s->sides <= DLS_CONVEX_VERTICES / 2),
            DLS_ERR_ARGUMENT, "drums of %d sides; from 3 to %d", s->sides, DLS_CONVEX_VERTICES / 2);
  DLS_TRY(dls_blocks_check_gap(s->gap, s->height, "the height of a drum"));
  for (int k = 0; k < s->drums; k++) {
    const double slope = (s->radius[1] - s->radius[0]) / s->drums;
    const double low = s->radius[0] + k * slope, high = s->radius[0] + (k + 1) * slope;
    const double corner[4][3] = {{-low, -s->height / 2},
                                 {low, -s->height / 2},
                                 {high, s->height / 2},
                                 {-high, s->height / 2}};
    DlsConvexNumbers numbers;
    int shape;
    double place[3] = {0};
    const DlsStatus made = out->dim == 3
                               ? frustum(s->sides, low, high, s->height, &numbers)
                               : dls_convex_build(2, 0, 4, corner, 0, NULL, NULL, &numbers);
    place[up] = s->height / 2 + k * (s->height + s->gap);
    DLS_TRY(dls_blocks_shape(made, &numbers, out, &shape));
    DLS_TRY(dls_blocks_add(out, shape, place, NULL, k == 0));
  }
  return dls_blocks_finish(out);
}
