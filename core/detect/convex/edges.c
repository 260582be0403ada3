/* Two edges: what stands across both, where they are nearest, and the direction between them, also
 * where they are nearly parallel. */
#include <math.h>
#include <string.h>

#include "detect/convex/nearest.h"

static const double parallel = 1e-28;   /* sine squared below which they have no common normal */
static const double small_sine = 1e-3;  /* below which their cross tells the direction less well */
static const double long_enough = 5e-7; /* two places so far apart tell a direction to 1e-9 */

/* The cross of d and g has the round-off of their lengths, and leans on them the more the smaller
 * their angle is. So g is made to stand across d twice, and then crossed: what is found leans on
 * neither. */
bool dls_edges_across(const double d[3], const double g[3], double out[3]) {
  double c[3], u[3], w[3];
  dls_vector_cross(d, g, c);
  const double d2 = dls_vector_dot(d, d), g2 = dls_vector_dot(g, g);
  if (!(dls_vector_dot(c, c) > parallel * d2 * g2)) return false;
  const double length = sqrt(d2);
  for (int k = 0; k < 3; k++) u[k] = d[k] / length, w[k] = g[k];
  for (int pass = 0; pass < 2; pass++) {
    const double part = dls_vector_dot(w, u);
    for (int k = 0; k < 3; k++) w[k] -= part * u[k];
    const double norm = dls_vector_norm(w);
    if (!(norm > 0)) return false;
    for (int k = 0; k < 3; k++) w[k] /= norm;
  }
  dls_vector_cross(u, w, out);
  return true;
}

void dls_segments_nearest(const double a0[3], const double a1[3], const double b0[3],
                          const double b1[3], double on_a[3], double on_b[3]) {
  double u[3], v[3], w[3], n[3], c[3], m[3], s = 0;
  for (int k = 0; k < 3; k++) u[k] = a1[k] - a0[k], v[k] = b1[k] - b0[k], w[k] = b0[k] - a0[k];
  const double uu = dls_vector_dot(u, u), vv = dls_vector_dot(v, v), uv = dls_vector_dot(u, v);
  const double uw = dls_vector_dot(u, w), vw = dls_vector_dot(v, w);
  if (dls_edges_across(u, v,
                       n)) { /* u x v leans on them, which the distance along it would add to s */
    dls_vector_cross(u, v, c);
    dls_vector_cross(w, v, m);
    s = fmax(0, fmin(1, dls_vector_dot(m, n) / dls_vector_dot(c, n)));
  }
  const double t = vv > 0 ? fmax(0, fmin(1, (uv * s - vw) / vv)) : 0;
  s = uu > 0 ? fmax(0, fmin(1, (uv * t + uw) / uu)) : 0;
  for (int k = 0; k < 3; k++) {
    on_a[k] = a0[k] + s * u[k];
    on_b[k] = b0[k] + t * v[k];
  }
}

/* Takes a direction, which need not be a unit one, and the separation along it. */
static void set_direction(const DlsPosed *a, const DlsPosed *b, const double n[3],
                          DlsNearest *out) {
  const double length = dls_vector_norm(n);
  for (int k = 0; k < 3; k++) out->normal[k] = n[k] / length;
  out->distance = dls_convex_apart(a, b, out->normal);
}

/* Of two edges that are nearly parallel the weights are round-off, and so is the direction, which
 * leans on them, and turns about them as the places move along them. From `enough` on the way
 * between the places tells it, but for their own round-off along the edges; nearer, what stands
 * across both edges, if the two are farther apart along it: along no unit vector are they farther
 * apart than they are. */
void dls_edges_place(const DlsPosed *a, const int of_a[2], const DlsPosed *b, const int of_b[2],
                     DlsNearest *out) {
  const double *a0 = a->vertex[of_a[0]], *a1 = a->vertex[of_a[1]];
  const double *b0 = b->vertex[of_b[0]], *b1 = b->vertex[of_b[1]];
  const double enough = long_enough * (a->reach + b->reach);
  double u[3], v[3], c[3], n[3];
  dls_segments_nearest(a0, a1, b0, b1, out->on_a, out->on_b);
  for (int k = 0; k < 3; k++) {
    u[k] = a1[k] - a0[k];
    v[k] = b1[k] - b0[k];
    n[k] = out->on_a[k] - out->on_b[k];
  }
  if (!(out->distance > 0)) return;
  dls_vector_cross(u, v, c);
  const double uu = dls_vector_dot(u, u), vv = dls_vector_dot(v, v);
  if (dls_vector_dot(c, c) > small_sine * small_sine * uu * vv) return;
  if (dls_vector_norm(n) >= enough) {
    const double along = dls_vector_dot(n, u) / uu;
    for (int k = 0; k < 3; k++) n[k] -= along * u[k];
    set_direction(a, b, n, out);
    return;
  }
  DlsNearest crossed = *out;
  set_direction(a, b, out->normal, out);
  if (!dls_edges_across(u, v, n)) return;
  if (dls_vector_dot(n, out->normal) < 0)
    for (int k = 0; k < 3; k++) n[k] = -n[k];
  set_direction(a, b, n, &crossed);
  if (crossed.distance > out->distance) *out = crossed;
}
