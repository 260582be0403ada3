#include "world/irregular.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "world/rotation.h"
#include "world/rounded.h"

static const double pi = 3.14159265358979323846;

void dls_rotation_draw(int dim, DlsRandom *random, double q[4]) {
  if (dim == 2) {
    const double angle = dls_random_between(random, 0, 2 * pi);
    q[0] = cos(angle / 2), q[1] = q[2] = 0, q[3] = sin(angle / 2);
    return;
  }
  for (int k = 0; k < 4; k++) q[k] = dls_random_normal(random);
  dls_rotation_normalise(q);
}

/* A vector from the unit ball. */
static void draw_in_ball(DlsRandom *random, double v[3]) {
  do {
    for (int k = 0; k < 3; k++) v[k] = dls_random_between(random, -1, 1);
  } while (dls_vector_dot(v, v) > 1);
}

static void draw_polygon(const DlsIrregular *s, int n, DlsRandom *random, double (*point)[3]) {
  const double phase = dls_random_unit(random);
  for (int k = 0; k < n; k++) {
    const double off = 0.45 * s->irregularity * dls_random_between(random, -1, 1);
    const double angle = 2 * pi * (k + phase + off) / n;
    point[k][0] = cos(angle), point[k][1] = s->elongation * sin(angle), point[k][2] = 0;
  }
}

static void draw_cloud(const DlsIrregular *s, int n, DlsRandom *random, double (*point)[3]) {
  const double golden = pi * (3 - sqrt(5)), step = s->irregularity * sqrt(4 * pi / n) / 3;
  const double axis[3] = {1, s->elongation, s->elongation * s->flatness};
  double q[4];
  dls_rotation_draw(3, random, q);
  for (int k = 0; k < n; k++) {
    const double z = 1 - (2 * k + 1.0) / n, r = sqrt(1 - z * z);
    double *p = point[k], move[3];
    p[0] = r * cos(golden * k), p[1] = r * sin(golden * k), p[2] = z;
    dls_rotation_apply(q, p, p);
    draw_in_ball(random, move);
    for (int i = 0; i < 3; i++) p[i] += step * move[i];
    const double length = dls_vector_norm(p);
    for (int i = 0; i < 3; i++) p[i] *= axis[i] / length;
  }
}

static DlsStatus check(int dim, const DlsIrregular *s, int most) {
  const int fewest = dim == 2 ? 3 : 4, limit = dim == 2 ? DLS_CONVEX_VERTICES : 128;
  DLS_CHECK(s->least >= fewest && most >= s->least && most <= limit, DLS_ERR_ARGUMENT,
            "an irregular grain of %d to %d corners: from %d to %d, the lesser number first",
            s->least, most, fewest, limit);
  DLS_CHECK(s->elongation > 0 && s->elongation <= 1 && s->flatness > 0 && s->flatness <= 1 &&
                s->irregularity >= 0 && s->irregularity <= 1,
            DLS_ERR_ARGUMENT,
            "elongation %g and flatness %g are above 0 and at most 1, irregularity %g from 0 to 1",
            s->elongation, s->flatness, s->irregularity);
  DLS_CHECK(s->radius > 0 && isfinite(s->radius) && s->rounding >= 0 && s->rounding < s->radius,
            DLS_ERR_ARGUMENT,
            "an irregular grain needs a radius, and a rounding (%g m) below it "
            "(%g m)",
            s->rounding, s->radius);
  return DLS_OK;
}

/* Its centre of mass to the origin, its farthest corner to `radius` less rounding. Returns how far
 * that was from true, over the radius. */
static double fit(int dim, const DlsIrregular *s, const DlsConvexNumbers *numbers, int n,
                  double (*point)[3]) {
  const DlsSolid solid = {.dim = dim,
                          .kind = DLS_SHAPE_CONVEX,
                          .count = numbers->count,
                          .number = numbers->number,
                          .scale = 1};
  DlsMoments m;
  double most = 0, off = 0;
  dls_shape_convex.moments(&solid, &m);
  for (int p = 0; p < n; p++) {
    for (int k = 0; k < dim; k++) point[p][k] -= m.first[k] / m.volume;
    most = fmax(most, dls_vector_norm(point[p]));
  }
  for (int k = 0; k < dim; k++) off = fmax(off, fabs(m.first[k] / m.volume));
  const double scale = (s->radius - s->rounding) / most;
  for (int p = 0; p < n; p++)
    for (int k = 0; k < dim; k++) point[p][k] *= scale;
  return fmax(off / s->radius, fabs(scale - 1));
}

/* What is rounded has its centre where its size puts it: a few rounds, each far nearer. */
static DlsStatus build(int dim, const DlsIrregular *s, int n, double (*point)[3],
                       DlsConvexNumbers *out) {
  enum { MOST_ROUNDS = 50 };
  double off = 1;
  for (int round = 0; round < MOST_ROUNDS && off > 1e-13; round++) {
    free(out->number);
    DLS_TRY(dls_convex_hull(dim, s->rounding, n, (const double(*)[3])point, out));
    off = fit(dim, s, out, n, point);
  }
  return DLS_OK;
}

DlsStatus dls_convex_irregular(int dim, const DlsIrregular *solid, DlsRandom *random,
                               DlsConvexNumbers *out) {
  const int most = solid->most ? solid->most : solid->least;
  double(*point)[3];
  *out = (DlsConvexNumbers){0};
  DLS_TRY(check(dim, solid, most));
  const int n = solid->least + dls_random_below(random, most - solid->least + 1);
  DLS_NEW(point, n);
  (dim == 2 ? draw_polygon : draw_cloud)(solid, n, random, point);
  for (int p = 0; p < n; p++) /* near its size from the first round on */
    for (int k = 0; k < 3; k++) point[p][k] *= solid->radius - solid->rounding;
  const DlsStatus status = build(dim, solid, n, point, out);
  free(point);
  return status;
}
