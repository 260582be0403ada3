#include "detect/convex/manifold.h"

#include <math.h>
#include <string.h>

static const double face_cosine = 0.998629534754574;   /* of 3 degrees */
static const double edge_sine = 0.0523359562429438;    /* likewise */
static const double leave_cosine = 0.9975640502598242; /* of 4 degrees: those that touched so */
static const double leave_sine = 0.0697564737441253;   /* likewise */
static const double reference_bias = 1e-6; /* of cosines: of two faces alike a's is the reference */
static const double clip_slack = 1e-10;    /* of the size: a corner on the border is within */
static const double tell_slack = 1e-6;     /* of the size: a patch tells the distance to that */
static const double one_corner = 1e-6;     /* of the smaller one: two corners so near are one */

/* What clips: a face of one solid, and the other, whose part is clipped. */
typedef struct {
  const DlsPosed *reference, *incident;
  int face;        /* of the reference */
  bool flipped;    /* the reference is b */
  double slack;    /* m */
  const double *n; /* outward, of the reference face */
} Clip;

static void set_corner(const Clip *c, const double x[3], uint32_t reference, uint32_t incident,
                       DlsCorner *out) {
  memcpy(out->x, x, sizeof out->x);
  out->gap = dls_vector_dot(c->n, x) - c->n[3];
  out->feature[c->flipped] = reference;
  out->feature[!c->flipped] = incident;
}

/* The outward plane of side k of the reference face: n . x = offset. */
static void side_plane(const Clip *c, int k, double plane[4]) {
  const DlsConvex *core = &c->reference->core;
  const int first = (int)core->start[c->face], count = (int)core->start[c->face + 1] - first;
  const double *p = c->reference->vertex[(int)core->corner[first + k]];
  const double *q = c->reference->vertex[(int)core->corner[first + (k + 1) % count]];
  double along[3];
  for (int i = 0; i < 3; i++) along[i] = q[i] - p[i];
  if (c->reference->dim == 2) { /* at corner k; the next of the last one is the first */
    for (int i = 0; i < 3; i++) plane[i] = -along[i];
  } else {
    dls_vector_cross(along, c->n, plane);
  }
  const double length = dls_vector_norm(plane);
  for (int i = 0; i < 3; i++) plane[i] /= length;
  plane[3] = dls_vector_dot(plane, p);
}

static int sides_of(const Clip *c) {
  const double *start = c->reference->core.start;
  return (int)(start[c->face + 1] - start[c->face]);
}

/* What side k of the reference is: an edge; in 2-D an end of the side, a vertex. */
static uint32_t feature_of_side(const Clip *c, int k) {
  const DlsConvex *core = &c->reference->core;
  const int corner = (int)core->start[c->face] + k;
  return c->reference->dim == 2 ? dls_convex_vertex_feature((int)core->corner[corner])
                                : dls_convex_edge_feature(core, (int)core->side[corner]);
}

/* A polygon while it is clipped: `line` is what the way to the next corner lies on, an edge of the
 * incident solid or, from `border` on, a side of the reference. */
typedef struct {
  double x[3];
  uint32_t reference, incident;
  int line;
} Turn;

enum { BORDER = 1 << 16, MOST_OF_PAIR = 64 };

/* Where two sides of the reference meet: their common vertex, or the side where they have none. */
static uint32_t corner_of_sides(const Clip *c, int one, int other) {
  const DlsConvex *core = &c->reference->core;
  const int first = (int)core->start[c->face], count = sides_of(c);
  if ((one + 1) % count == other) return (uint32_t)core->corner[first + other];
  if ((other + 1) % count == one) return (uint32_t)core->corner[first + one];
  return feature_of_side(c, other);
}

/* Which share of a way from one height to another, on either side of `slack`, lies before height 0:
 * the nearer end where both are above it, for between 0 and `slack` they count as inside. */
static double share_before(double from_height, double to_height) {
  return fmin(1, fmax(0, from_height / (from_height - to_height)));
}

/* Where the way from `from` on crosses side k. */
static Turn crossing(const Clip *c, int k, uint32_t face, const Turn *from, const Turn *to,
                     double from_height, double to_height) {
  Turn out = {.line = from->line};
  const double t = share_before(from_height, to_height);
  for (int i = 0; i < 3; i++) out.x[i] = from->x[i] + t * (to->x[i] - from->x[i]);
  if (from->line >= BORDER) { /* a corner of the reference above the incident face */
    out.reference = corner_of_sides(c, from->line - BORDER, k);
    out.incident = face;
  } else {
    out.reference = feature_of_side(c, k);
    out.incident = dls_convex_edge_feature(&c->incident->core, from->line);
  }
  return out;
}

static int clip_side(const Clip *c, int k, uint32_t face, int count, const Turn *in, Turn *out) {
  double plane[4];
  int n = 0;
  side_plane(c, k, plane);
  for (int i = 0; i < count; i++) {
    const Turn *p = &in[i], *q = &in[(i + 1) % count];
    const double hp = dls_vector_dot(plane, p->x) - plane[3];
    const double hq = dls_vector_dot(plane, q->x) - plane[3];
    const bool from = hp <= c->slack, to = hq <= c->slack;
    if (from) out[n++] = *p;
    if (from == to) continue;
    out[n] = crossing(c, k, face, p, q, hp, hq);
    if (from) out[n].line = BORDER + k; /* on along the border */
    n++;
  }
  return n;
}

/* A face of the incident solid, 3-D. */
static void clip_face(const Clip *c, int face, DlsPatch *out) {
  static _Thread_local Turn turns[2][DLS_PATCH_CORNERS];
  const DlsConvex *core = &c->incident->core;
  const int first = (int)core->start[face];
  const uint32_t reference = dls_convex_face_feature(&c->reference->core, c->face);
  int count = (int)core->start[face + 1] - first, now = 0;
  for (int k = 0; k < count; k++) {
    const int v = (int)core->corner[first + k];
    Turn *t = &turns[0][k];
    memcpy(t->x, c->incident->vertex[v], sizeof t->x);
    t->reference = reference;
    t->incident = dls_convex_vertex_feature(v);
    t->line = (int)core->side[first + k];
  }
  for (int k = 0; k < sides_of(c) && count > 0; k++, now = !now)
    count = clip_side(c, k, dls_convex_face_feature(core, face), count, turns[now], turns[!now]);
  for (int k = 0; k < count; k++)
    set_corner(c, turns[now][k].x, turns[now][k].reference, turns[now][k].incident,
               &out->corner[k]);
  out->count = count;
}

/* A segment of the incident solid between two of its vertices, on `line` (an edge, in 2-D a
 * side): what the sides of the reference leave of it. */
static void clip_segment(const Clip *c, int v, int w, uint32_t line, DlsPatch *out) {
  const double *p = c->incident->vertex[v], *q = c->incident->vertex[w];
  const uint32_t reference = dls_convex_face_feature(&c->reference->core, c->face);
  double from = 0, to = 1, x[3];
  int first = -1, last = -1; /* the sides that cut */
  for (int k = 0; k < sides_of(c); k++) {
    double plane[4];
    side_plane(c, k, plane);
    const double hp = dls_vector_dot(plane, p) - plane[3], hq = dls_vector_dot(plane, q) - plane[3];
    if (hp > c->slack && hq > c->slack) return;
    if (hp > c->slack && share_before(hp, hq) > from) from = share_before(hp, hq), first = k;
    if (hq > c->slack && share_before(hp, hq) < to) to = share_before(hp, hq), last = k;
  }
  if (from > to) return;
  for (int end = 0; end < 2; end++) {
    const int cut = end ? last : first;
    const double t = end ? to : from;
    for (int k = 0; k < 3; k++) x[k] = p[k] + t * (q[k] - p[k]);
    set_corner(c, x, cut < 0 ? reference : feature_of_side(c, cut),
               cut < 0 ? dls_convex_vertex_feature(end ? w : v) : line, &out->corner[out->count++]);
  }
}

/* The face of p whose normal is nearest to d, -1 where it has none; its cosine. */
static int face_along(const DlsPosed *p, const double d[3], double *cosine) {
  int best = -1;
  *cosine = -2;
  for (int f = 0; f < p->core.faces; f++) {
    const double along = dls_vector_dot(p->plane[f], d);
    if (along > *cosine) *cosine = along, best = f;
  }
  return best;
}

static void clip_other(const Clip *c, DlsPatch *out) {
  const DlsPosed *p = c->incident;
  const double back[3] = {-c->n[0], -c->n[1], -c->n[2]};
  double cosine;
  const int face = face_along(p, back, &cosine);
  if (face < 0) {
    if (p->core.edges) clip_segment(c, 0, 1, dls_convex_edge_feature(&p->core, 0), out);
  } else if (p->dim == 2) {
    const double *corner = p->core.corner + (int)p->core.start[face];
    clip_segment(c, (int)corner[0], (int)corner[1], dls_convex_face_feature(&p->core, face), out);
  } else {
    clip_face(c, face, out);
  }
}

double dls_patch_area(int dim, const DlsPatch *p) {
  double sum[3] = {0};
  if (p->count < 2) return 0;
  if (dim == 2)
    return hypot(p->corner[1].x[0] - p->corner[0].x[0], p->corner[1].x[1] - p->corner[0].x[1]);
  for (int k = 1; k + 1 < p->count; k++) {
    double a[3], b[3], c[3];
    for (int i = 0; i < 3; i++) {
      a[i] = p->corner[k].x[i] - p->corner[0].x[i];
      b[i] = p->corner[k + 1].x[i] - p->corner[0].x[i];
    }
    dls_vector_cross(a, b, c);
    for (int i = 0; i < 3; i++) sum[i] += c[i] / 2;
  }
  return fabs(dls_vector_dot(sum, p->normal)); /* across the normal */
}

/* Whether x has the lower features. */
static bool is_first(const DlsCorner *x, const DlsCorner *y) {
  if (x->feature[0] != y->feature[0]) return x->feature[0] < y->feature[0];
  return x->feature[1] < y->feature[1];
}

/* What two faces share without width, as where a solid ends at the edge of another, has both ends
 * of its line twice: of two corners at one place that of the lower features stays, whichever is the
 * deeper, so that it keeps its name. */
static void merge_corners(double near, DlsPatch *p) {
  for (int i = 0; i < p->count; i++)
    for (int j = i + 1; j < p->count; j++) {
      double d[3];
      for (int k = 0; k < 3; k++) d[k] = p->corner[i].x[k] - p->corner[j].x[k];
      if (dls_vector_dot(d, d) > near * near) continue;
      if (is_first(&p->corner[j], &p->corner[i])) p->corner[i] = p->corner[j];
      memmove(&p->corner[j], &p->corner[j + 1], (size_t)(p->count - j - 1) * sizeof *p->corner);
      p->count--;
      j--;
    }
}

/* How two solids touched a step ago. */
typedef enum { APART, AT_A_POINT, ALONG_EDGES, ON_FACES } Touch;

/* By the features of their contacts then: on faces corners have one of a face or, where sides
 * cross, are edges of both; along edges one of the two ends is a vertex. */
static Touch touched(const DlsMeeting *m, const DlsPosed *a, const DlsPosed *b) {
  int number[MOST_OF_PAIR];
  if (!m || !m->memory) return APART;
  const int count = dls_contact_memory_pair(m->memory, &m->pair, MOST_OF_PAIR, number);
  const uint32_t first[2] = {(uint32_t)(m->pair.feature >> 32), (uint32_t)m->pair.feature};
  int points = 0, crossings = 0;
  for (int k = 0; k < count; k++) {
    const uint64_t features = m->memory->key[number[k]].feature;
    const uint32_t own[2] = {(uint32_t)(features >> 32) - first[0], (uint32_t)features - first[1]};
    const uint32_t of_a = own[m->swapped], of_b = own[!m->swapped];
    const uint32_t all_a = (uint32_t)(a->core.vertices + a->core.edges + a->core.faces);
    const uint32_t all_b = (uint32_t)(b->core.vertices + b->core.edges + b->core.faces);
    if (of_a >= all_a || of_b >= all_b) continue; /* of other elements of the bodies */
    if (dls_convex_is_face(&a->core, of_a) || dls_convex_is_face(&b->core, of_b)) return ON_FACES;
    points++;
    crossings += of_a >= (uint32_t)a->core.vertices && of_b >= (uint32_t)b->core.vertices;
  }
  return crossings >= 2 ? ON_FACES : points >= 2 ? ALONG_EDGES : points ? AT_A_POINT : APART;
}

static bool by_faces(const DlsMeeting *m, const DlsPosed *a, const DlsPosed *b,
                     const DlsNearest *nearest, DlsPatch *out) {
  const double *n = nearest->normal, back[3] = {-n[0], -n[1], -n[2]};
  double of_a, of_b;
  const int fa = face_along(a, back, &of_a), fb = face_along(b, n, &of_b);
  const double cosine = fmax(of_a, of_b);
  if (cosine < leave_cosine) return false;
  if (cosine < face_cosine && touched(m, a, b) != ON_FACES) return false;
  const bool flipped = of_b > of_a + reference_bias;
  const Clip clip = {.reference = flipped ? b : a,
                     .incident = flipped ? a : b,
                     .face = flipped ? fb : fa,
                     .flipped = flipped,
                     .slack = clip_slack * (a->reach + b->reach),
                     .n = flipped ? b->plane[fb] : a->plane[fa]};
  out->on_b = !flipped;
  for (int k = 0; k < 3; k++) out->normal[k] = flipped ? clip.n[k] : -clip.n[k];
  clip_other(&clip, out);
  out->area = dls_patch_area(a->dim, out);
  merge_corners(one_corner * fmin(a->reach, b->reach), out);
  return out->count > 0;
}

bool dls_convex_above(const DlsPosed *a, int face, const DlsPosed *b, DlsPatch *out) {
  const Clip clip = {.reference = a,
                     .incident = b,
                     .face = face,
                     .slack = clip_slack * (a->reach + b->reach),
                     .n = a->plane[face]};
  out->count = 0;
  out->on_b = true;
  for (int k = 0; k < 3; k++) out->normal[k] = -clip.n[k];
  clip_other(&clip, out);
  out->area = dls_patch_area(a->dim, out);
  return out->count > 0;
}

/* The edge of p that lies across d and is its farthest along d, -1 none. */
static int edge_along(const DlsPosed *p, const double d[3], double *sine_of) {
  const int v = dls_posed_support(p, d);
  int best = -1;
  double least = leave_sine;
  for (int e = 0; e < p->core.edges; e++) {
    const int from = (int)p->core.edge[4 * e], to = (int)p->core.edge[4 * e + 1];
    if (from != v && to != v) continue;
    double way[3];
    for (int k = 0; k < 3; k++) way[k] = p->vertex[to][k] - p->vertex[from][k];
    const double sine = fabs(dls_vector_dot(way, d)) / dls_vector_norm(way);
    if (sine < least) least = sine, best = e;
  }
  *sine_of = least;
  return best;
}

/* Two edges side by side, 3-D: the ends of what they share, seen along the first. */
static bool by_edges(const DlsMeeting *m, const DlsPosed *a, const DlsPosed *b,
                     const DlsNearest *nearest, DlsPatch *out) {
  const double *n = nearest->normal, back[3] = {-n[0], -n[1], -n[2]};
  double of_a, of_b;
  const int e = edge_along(a, back, &of_a), f = edge_along(b, n, &of_b);
  if (e < 0 || f < 0) return false;
  const int va[2] = {(int)a->core.edge[4 * e], (int)a->core.edge[4 * e + 1]};
  const int vb[2] = {(int)b->core.edge[4 * f], (int)b->core.edge[4 * f + 1]};
  double u[3], w[3], across[3];
  for (int k = 0; k < 3; k++) {
    u[k] = a->vertex[va[1]][k] - a->vertex[va[0]][k];
    w[k] = b->vertex[vb[1]][k] - b->vertex[vb[0]][k];
  }
  dls_vector_cross(u, w, across);
  const double length = dls_vector_norm(u), other = dls_vector_norm(w);
  const double sine = fmax(dls_vector_norm(across) / (length * other), fmax(of_a, of_b));
  if (sine > leave_sine || (sine >= edge_sine && touched(m, a, b) != ALONG_EDGES)) return false;
  /* Along u: a from 0 to its length, b from s[0] to s[1]. */
  double s[2];
  for (int i = 0; i < 2; i++) {
    s[i] = 0;
    for (int k = 0; k < 3; k++) s[i] += (b->vertex[vb[i]][k] - a->vertex[va[0]][k]) * u[k] / length;
  }
  const double slack = clip_slack * (a->reach + b->reach);
  const int low = s[0] < s[1] ? 0 : 1;
  const double from = fmax(0, s[low]), to = fmin(length, s[!low]);
  if (to <= from + slack) return false;
  memcpy(out->normal, n, sizeof out->normal);
  out->on_b = true;
  for (int end = 0; end < 2; end++) {
    const double at = end ? to : from;
    const bool ends_b = end ? s[!low] <= length + slack : s[low] >= -slack;
    const double t = (at - s[low]) / (s[!low] - s[low]);
    DlsCorner *c = &out->corner[out->count++];
    c->gap = 0;
    for (int k = 0; k < 3; k++) {
      const double p = b->vertex[vb[low]][k], q = b->vertex[vb[!low]][k];
      c->x[k] = p + t * (q - p);
      c->gap += n[k] * (a->vertex[va[0]][k] + at / length * u[k] - c->x[k]);
    }
    c->feature[0] =
        ends_b ? dls_convex_edge_feature(&a->core, e) : dls_convex_vertex_feature(va[end ? 1 : 0]);
    c->feature[1] = ends_b ? dls_convex_vertex_feature(vb[end ? !low : low])
                           : dls_convex_edge_feature(&b->core, f);
  }
  return true;
}

static void by_point(const DlsNearest *nearest, DlsPatch *out) {
  out->count = 1;
  out->on_b = true;
  out->area = 0;
  memcpy(out->normal, nearest->normal, sizeof out->normal);
  out->corner[0].gap = nearest->distance;
  memcpy(out->corner[0].x, nearest->on_b, sizeof nearest->on_b);
  memcpy(out->corner[0].feature, nearest->feature, sizeof nearest->feature);
}

/* Whether the nearest corner of a patch of faces is as near as the two are, but for what faces
 * lean. What touches the border of the reference from without, with a face that lies almost along
 * it, is clipped away and leaves corners far off. */
static bool tells_distance(const DlsPosed *a, const DlsPosed *b, const DlsNearest *nearest,
                           const DlsPatch *patch) {
  double least = HUGE_VAL;
  for (int k = 0; k < patch->count; k++) least = fmin(least, patch->corner[k].gap);
  return least <= nearest->distance + edge_sine * fabs(nearest->distance) +
                      tell_slack * (a->reach + b->reach);
}

void dls_convex_patch(const DlsMeeting *m, const DlsPosed *a, const DlsPosed *b,
                      const DlsNearest *nearest, DlsPatch *out) {
  out->count = 0;
  out->area = 0;
  const bool point = a->core.vertices == 1 || b->core.vertices == 1;
  if (!point && by_faces(m, a, b, nearest, out) && tells_distance(a, b, nearest, out)) return;
  out->count = 0;
  if (!point && a->dim == 3 && by_edges(m, a, b, nearest, out)) return;
  by_point(nearest, out);
}

static double cost(const DlsPatch *p, int k) {
  const double *x = p->corner[(k + p->count - 1) % p->count].x, *y = p->corner[k].x,
               *z = p->corner[(k + 1) % p->count].x;
  double a[3], b[3], c[3];
  for (int i = 0; i < 3; i++) a[i] = y[i] - x[i], b[i] = z[i] - x[i];
  dls_vector_cross(a, b, c);
  return dls_vector_norm(c);
}

void dls_patch_reduce(DlsPatch *p, int most) {
  while (p->count > most) {
    int worst = 0;
    double least = HUGE_VAL;
    for (int k = 0; k < p->count; k++)
      if (cost(p, k) < least) least = cost(p, k), worst = k;
    memmove(&p->corner[worst], &p->corner[worst + 1],
            (size_t)(p->count - worst - 1) * sizeof *p->corner);
    p->count--;
  }
}
