#include "detect/convex/nearest.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 64 };
/* Shares of the size. Below the first, the direction is not that of the distance. Where the search
 * ends with a duality gap above the second, round-off has stopped it, as happens to slivers that
 * nearly touch; up to the third, axes then tell. */
static const double near_share = 1e-10, open_gap = 1e-12, doubtful = 1e-6;

/* Vertices of a - b with the weights of the point nearest to 0. */
typedef struct {
  int count, ia[4], ib[4];
  double w[4][3], weight[4];
} Simplex;

static void keep(const Simplex *s, const int *which, const double *weight, int count,
                 Simplex *out) {
  Simplex kept = {.count = 0};
  for (int i = 0; i < count; i++) {
    if (!(weight[i] > 0)) continue;
    const int k = kept.count++;
    kept.ia[k] = s->ia[which[i]];
    kept.ib[k] = s->ib[which[i]];
    memcpy(kept.w[k], s->w[which[i]], sizeof kept.w[k]);
    kept.weight[k] = weight[i];
  }
  *out = kept;
}

/* The point of a simplex nearest to 0, once its weights are known. The sum of weighted vertices has
 * the round-off of their lengths, which for short distances is a wrong direction: of a segment it
 * is made to stand across it, of a triangle taken along its normal. */
static double point_of(const Simplex *s, double v[3]) {
  double d[2][3], n[3];
  v[0] = v[1] = v[2] = 0;
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < 3; k++) {
      v[k] += s->weight[i] * s->w[i][k];
      if (i == 1 || i == 2) d[i - 1][k] = s->w[i][k] - s->w[0][k];
    }
  if (s->count == 2) {
    const double part = dls_vector_dot(v, d[0]) / dls_vector_dot(d[0], d[0]);
    for (int k = 0; k < 3; k++) v[k] -= part * d[0][k];
  } else if (s->count == 3) {
    dls_vector_cross(d[0], d[1], n);
    const double height = dls_vector_dot(n, s->w[0]) / dls_vector_dot(n, n);
    for (int k = 0; k < 3; k++) v[k] = height * n[k];
  }
  return dls_vector_dot(v, v);
}

static void nearest_of_two(const Simplex *s, int i, int j, Simplex *out) {
  const int which[2] = {i, j};
  double d[3];
  for (int k = 0; k < 3; k++) d[k] = s->w[j][k] - s->w[i][k];
  const double square = dls_vector_dot(d, d);
  const double t = square > 0 ? -dls_vector_dot(s->w[i], d) / square : 0;
  const double along = t < 0 ? 0 : t > 1 ? 1 : t, weight[2] = {1 - along, along};
  keep(s, which, weight, 2, out);
}

/* Of candidates keeps the one nearest to 0. */
static void take_nearer(const Simplex *candidate, double *least, Simplex *best) {
  double v[3];
  const double square = point_of(candidate, v);
  if (square < *least) *least = square, *best = *candidate;
}

/* The foot of 0 on the plane lies in the triangle where the areas of the three parts, seen along
 * the axis that the normal is nearest to, have the sign of the whole; else on an edge opposite a
 * vertex whose part has not. */
static void nearest_of_three(const Simplex *s, const int which[3], Simplex *out) {
  const double *a = s->w[which[0]], *b = s->w[which[1]], *c = s->w[which[2]];
  double ab[3], ac[3], n[3], foot[3], part[3], weight[3], least = HUGE_VAL;
  for (int k = 0; k < 3; k++) ab[k] = b[k] - a[k], ac[k] = c[k] - a[k];
  dls_vector_cross(ab, ac, n);
  const double square = dls_vector_dot(n, n);
  const double size = fmax(dls_vector_dot(ab, ab), dls_vector_dot(ac, ac));
  bool inside = square > 1e-30 * size * size;
  if (inside) {
    int x = 0;
    for (int k = 1; k < 3; k++)
      if (fabs(n[k]) > fabs(n[x])) x = k;
    const int y = (x + 1) % 3, z = (x + 2) % 3;
    for (int k = 0; k < 3; k++) foot[k] = n[k] * (dls_vector_dot(a, n) / square);
    const double *v[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
      const double *p = v[(i + 1) % 3], *q = v[(i + 2) % 3];
      part[i] = (p[y] - foot[y]) * (q[z] - foot[z]) - (p[z] - foot[z]) * (q[y] - foot[y]);
    }
    const double whole = part[0] + part[1] + part[2];
    for (int i = 0; i < 3; i++) {
      weight[i] = part[i] / whole;
      inside = inside && weight[i] > 0;
    }
    if (inside) {
      keep(s, which, weight, 3, out);
      return;
    }
  }
  Simplex one;
  for (int i = 0; i < 3; i++) {
    if (square > 1e-30 * size * size && weight[i] > 0) continue;
    nearest_of_two(s, which[(i + 1) % 3], which[(i + 2) % 3], &one);
    take_nearer(&one, &least, out);
  }
}

static double volume(const double a[3], const double b[3], const double c[3]) {
  double n[3];
  dls_vector_cross(b, c, n);
  return dls_vector_dot(a, n);
}

static void nearest_of_four(const Simplex *s, Simplex *out) {
  double part[4], weight[4], least = HUGE_VAL;
  for (int i = 0; i < 4; i++) {
    const double *p = s->w[(i + 1) % 4], *q = s->w[(i + 2) % 4], *r = s->w[(i + 3) % 4];
    part[i] = volume(p, q, r) * (i % 2 ? 1 : -1);
  }
  const double whole = part[0] + part[1] + part[2] + part[3];
  bool inside = whole != 0;
  for (int i = 0; i < 4; i++) {
    weight[i] = part[i] / whole;
    inside = inside && weight[i] > 0;
  }
  if (inside) {
    const int all[4] = {0, 1, 2, 3};
    keep(s, all, weight, 4, out);
    return;
  }
  for (int i = 0; i < 4; i++) {
    if (whole != 0 && weight[i] > 0) continue;
    const int face[3] = {(i + 1) % 4, (i + 2) % 4, (i + 3) % 4};
    Simplex one;
    nearest_of_three(s, face, &one);
    take_nearer(&one, &least, out);
  }
}

static void reduce(Simplex *s) {
  const Simplex all = *s;
  static const int three[3] = {0, 1, 2};
  if (all.count == 1) s->weight[0] = 1;
  if (all.count == 2) nearest_of_two(&all, 0, 1, s);
  if (all.count == 3) nearest_of_three(&all, three, s);
  if (all.count == 4) nearest_of_four(&all, s);
}

static bool holds(const Simplex *s, int i, int j) {
  for (int k = 0; k < s->count; k++)
    if (s->ia[k] == i && s->ib[k] == j) return true;
  return false;
}

/* Each vertex once. */
static int distinct_of(const int *vertex, int count, int distinct[4]) {
  int n = 0;
  for (int i = 0; i < count; i++) {
    bool seen = false;
    for (int k = 0; k < n; k++) seen = seen || distinct[k] == vertex[i];
    if (!seen) distinct[n++] = vertex[i];
  }
  return n;
}

/* What the nearest point lies on: one vertex, the edge of two, else the face that has them. */
static uint32_t feature_of(const DlsPosed *p, const int *distinct, int n) {
  const DlsConvex *c = &p->core;
  if (n == 1) return dls_convex_vertex_feature(distinct[0]);
  if (n == 2) {
    const int e = dls_posed_edge(p, distinct[0], distinct[1]);
    if (e >= 0) return dls_convex_edge_feature(c, e);
  }
  for (int f = 0; f < c->faces; f++) {
    int found = 0;
    for (int k = (int)c->start[f]; k < (int)c->start[f + 1]; k++)
      for (int i = 0; i < n; i++) found += (int)c->corner[k] == distinct[i];
    if (found == n) return dls_convex_face_feature(c, f);
  }
  return dls_convex_vertex_feature(distinct[0]);
}

static void finish(const DlsPosed *a, const DlsPosed *b, const Simplex *s, const double v[3],
                   DlsNearest *out) {
  out->distance = dls_vector_norm(v);
  for (int k = 0; k < 3; k++) {
    out->normal[k] = v[k] / out->distance;
    out->on_a[k] = out->on_b[k] = 0;
    for (int i = 0; i < s->count; i++) {
      out->on_a[k] += s->weight[i] * a->vertex[s->ia[i]][k];
      out->on_b[k] += s->weight[i] * b->vertex[s->ib[i]][k];
    }
  }
  int i[4] = {0}, j[4] = {0};
  const int of_a = distinct_of(s->ia, s->count, i), of_b = distinct_of(s->ib, s->count, j);
  out->feature[0] = feature_of(a, i, of_a);
  out->feature[1] = feature_of(b, j, of_b);
  if (of_a == 2 && of_b == 2) dls_edges_place(a, i, b, j, out);
}

/* Where the two have a point in common, the round-off of which is far below a billionth. */
static DlsCommon common_of(const DlsPosed *a, const DlsPosed *b, const Simplex *s) {
  DlsCommon out = {.x = {0}};
  double apart[3] = {0};
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < 3; k++) {
      out.x[k] += s->weight[i] * a->vertex[s->ia[i]][k];
      apart[k] += s->weight[i] * (a->vertex[s->ia[i]][k] - b->vertex[s->ib[i]][k]);
    }
  out.slack = dls_vector_norm(apart) + 1e-9 * (a->reach + b->reach);
  return out;
}

void dls_convex_nearest(const DlsPosed *a, const DlsPosed *b, double enough, DlsNearest *out) {
  const double size = a->reach + b->reach, small = near_share * size;
  Simplex s = {.count = 0};
  double v[3], square = HUGE_VAL, gap = HUGE_VAL;
  out->far = false;
  for (int k = 0; k < 3; k++) v[k] = a->centre[k] - b->centre[k];
  if (!(dls_vector_dot(v, v) > 0)) v[0] = 1;
  for (out->iterations = 1; out->iterations <= MAX_ITERATIONS; out->iterations++) {
    const double back[3] = {-v[0], -v[1], -v[2]};
    const int i = dls_posed_support(a, back), j = dls_posed_support(b, v);
    double w[3];
    for (int k = 0; k < 3; k++) w[k] = a->vertex[i][k] - b->vertex[j][k];
    const double along = dls_vector_dot(v, w), length = dls_vector_norm(v);
    if (along > enough * length) {
      *out = (DlsNearest){.distance = along / length, .far = true, .iterations = out->iterations};
      for (int k = 0; k < 3; k++) out->normal[k] = v[k] / length;
      return;
    }
    gap = (square - along) / length;
    if (s.count && (holds(&s, i, j) || gap <= 1e-15 * size)) break;
    Simplex next = s;
    next.ia[s.count] = i;
    next.ib[s.count] = j;
    memcpy(next.w[s.count++], w, sizeof w);
    next.count = s.count;
    reduce(&next);
    double u[3];
    const double nearer = point_of(&next, u);
    if (next.count == 4 || nearer <= small * small) { /* 0 is within, or as good as */
      const DlsCommon common = common_of(a, b, &next);
      dls_convex_separation(a, b, &common, out);
      return;
    }
    if (!(nearer < square)) { /* round-off: the one before was the best */
      s.count--;
      break;
    }
    s = next;
    square = nearer;
    memcpy(v, u, sizeof v);
  }
  if (gap > open_gap * size && square < doubtful * doubtful * size * size)
    dls_convex_separation(a, b, NULL, out);
  else
    finish(a, b, &s, v, out);
}
