#include "post/probe.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct {
  double from, to; /* of t in [0, 1]; empty where from > to */
} Span;

/* Keeps of the span where low <= a + t (b - a) <= high. */
static void clip_slab(double a, double b, double low, double high, Span *span) {
  const double way = b - a;
  if (way == 0) {
    if (a < low || a > high) span->to = -1;
    return;
  }
  const double t = (low - a) / way, s = (high - a) / way;
  span->from = fmax(span->from, fmin(t, s));
  span->to = fmin(span->to, fmax(t, s));
}

/* Keeps of the span where |p + t d| <= radius. */
static void clip_ball(const double p[3], const double d[3], double radius, Span *span) {
  const double a = dls_vector_dot(d, d), b = dls_vector_dot(p, d);
  const double c = dls_vector_dot(p, p) - radius * radius;
  if (a == 0) {
    if (c > 0) span->to = -1;
    return;
  }
  const double square = b * b - a * c;
  if (square < 0) {
    span->to = -1;
    return;
  }
  /* The root without cancellation first; the other from the product c / a. */
  const double q = -(b + (b >= 0 ? sqrt(square) : -sqrt(square)));
  const double t = q / a, s = q != 0 ? c / q : t;
  span->from = fmax(span->from, fmin(t, s));
  span->to = fmin(span->to, fmax(t, s));
}

static Span clip(const DlsProbe *probe, int dim, const double a[3], const double b[3]) {
  Span span = {0, 1};
  double p[3], d[3];
  for (int k = 0; k < 3; k++) {
    p[k] = a[k] - probe->centre[k];
    d[k] = b[k] - a[k];
  }
  const double along = dls_vector_dot(p, probe->axis), way = dls_vector_dot(d, probe->axis);
  switch (probe->kind) {
  case DLS_PROBE_SPHERE:
    clip_ball(p, d, probe->radius, &span);
    break;
  case DLS_PROBE_BOX:
    for (int k = 0; k < dim; k++) clip_slab(a[k], b[k], probe->low[k], probe->high[k], &span);
    break;
  case DLS_PROBE_CYLINDER:
    clip_slab(along, along + way, -probe->length / 2, probe->length / 2, &span);
    for (int k = 0; k < 3; k++) {
      p[k] -= along * probe->axis[k];
      d[k] -= way * probe->axis[k];
    }
    clip_ball(p, d, probe->radius, &span);
    break;
  case DLS_PROBE_HALF:
    clip_slab(along, along + way, 0, INFINITY, &span);
    break;
  case DLS_PROBE_LAYER:
    clip_slab(along, along + way, -probe->length / 2, probe->length / 2, &span);
    break;
  default:
    break;
  }
  return span;
}

bool dls_probe_holds(const DlsProbe *probe, int dim, const double x[3]) {
  const Span span = clip(probe, dim, x, x);
  return span.from <= span.to;
}

double dls_probe_share(const DlsProbe *probe, int dim, const double a[3], const double b[3]) {
  const Span span = clip(probe, dim, a, b);
  return span.to > span.from ? span.to - span.from : 0;
}

/* Of the part of a box with edges `length` where normal . x <= d, x from the corner at which normal
 * . x is least: the simplex of the corner less those beyond the other corners. */
static double corner_volume(int dim, const double *normal, const double *length, double d) {
  double n[3], l[3], factor = 1, sum = 0, size = 0;
  int count = 0;
  for (int k = 0; k < dim; k++) size += fabs(normal[k]) * length[k];
  for (int k = 0; k < dim; k++) {
    if (fabs(normal[k]) * length[k] <= 1e-7 * size) { /* along the plane */
      factor *= length[k];
      continue;
    }
    n[count] = fabs(normal[k]);
    l[count++] = length[k];
  }
  for (int set = 0; set < 1 << count; set++) {
    double rest = d;
    int sign = 1;
    for (int k = 0; k < count; k++)
      if (set >> k & 1) rest -= n[k] * l[k], sign = -sign;
    if (rest > 0) sum += sign * pow(rest, count);
  }
  for (int k = 0; k < count; k++) sum /= n[k] * (k + 1);
  return factor * sum;
}

/* Of the box low .. high where axis . (x - centre) >= from. */
static double half_volume(const DlsProbe *probe, int dim, const double low[3], const double high[3],
                          double from) {
  double length[3] = {0}, least = 0, all = 1, size = 0;
  for (int k = 0; k < dim; k++) {
    length[k] = high[k] - low[k];
    all *= length[k];
    size += fabs(probe->axis[k]) * length[k];
    least += probe->axis[k] * ((probe->axis[k] > 0 ? low[k] : high[k]) - probe->centre[k]);
  }
  const double depth = from - least;
  if (depth <= 0) return all;
  return depth >= size ? 0 : all - corner_volume(dim, probe->axis, length, depth);
}

double dls_probe_volume(const DlsProbe *probe, const DlsPacking *g) {
  double low[3], high[3], volume = 1;
  const double r = probe->radius;
  const bool boxed = probe->kind == DLS_PROBE_BOX;
  if (probe->kind == DLS_PROBE_SPHERE) return g->dim == 3 ? 4.0 / 3.0 * pi * r * r * r : pi * r * r;
  if (probe->kind == DLS_PROBE_CYLINDER) return pi * r * r * probe->length;
  dls_packing_box(g, low, high);
  if (probe->kind == DLS_PROBE_HALF) return half_volume(probe, g->dim, low, high, 0);
  if (probe->kind == DLS_PROBE_LAYER)
    return half_volume(probe, g->dim, low, high, -probe->length / 2) -
           half_volume(probe, g->dim, low, high, probe->length / 2);
  if (!boxed) return dls_packing_volume(g);
  for (int k = 0; k < g->dim; k++) volume *= probe->high[k] - probe->low[k];
  return volume;
}
