/* Convex solids and boundaries with rims: plates, cylinders and frustums from outside, and open
 * containers. All is done in the axes of the boundary.
 *
 * What is flat or hollow is met by the corners of the solid, a round side from outside by its edges
 * too. Rims meet edges and faces of the solid: a straight rim is a thin segment, a circle a polygon
 * of chords with corners on it. What a chord tells is then taken out to the circle itself: the
 * point goes outward by what the chord lacks there, and where a face lies across a chord, the place
 * of the circle that is the highest below it is added. The direction of a rim counts only away from
 * the walls that end there. Points of one normal are merged into one polygon of support. */
#include <math.h>
#include <string.h>

#include "detect/convex/meet_impl.h"
#include "detect/convex/support.h"
#include "world/boundary/kind.h"

enum {
  CHORDS = 144,     /* of a circle */
  SIDE_FEATURE = 9, /* of what edges of the solid touch; below it are those of nearest points */
  RIM_FEATURE = 16  /* of the first rim: chord, corner at which it begins, next chord ... */
};

static const double turn = 6.283185307179586 / CHORDS;
static const double one_normal = 1e-10; /* 1 - cosine: directions so near are one */
static const double cone_slack = 1e-3; /* of cosines: so far towards a wall is still away from it */
static const double end_slack = 1e-6;  /* likewise beyond the end of a chord */

typedef struct {
  const DlsBoundary *wall;
  const DlsPosed *solid;
  const double *origin; /* of the solid's places, boundary axes */
  double limit;         /* m, of the gaps of cores */
  int groups;
  DlsSupport *group;
} Search;

static DlsSupport *group_of(Search *s, const double normal[3]) {
  DlsSupport *far = NULL;
  for (int k = 0; k < s->groups; k++) {
    if (dls_vector_dot(s->group[k].normal, normal) > 1 - one_normal) return &s->group[k];
    if (!far || dls_support_least(&s->group[k]) > dls_support_least(far)) far = &s->group[k];
  }
  if (s->groups < DLS_SUPPORTS) far = &s->group[s->groups++];
  far->count = 0;
  far->area = 0;
  memcpy(far->normal, normal, sizeof far->normal);
  return far;
}

static void add(Search *s, const double x[3], double gap, const double normal[3], uint32_t own,
                uint32_t other) {
  if (gap > s->limit) return;
  DlsCorner corner = {.gap = gap, .feature = {own, other}};
  memcpy(corner.x, x, sizeof corner.x);
  dls_support_add(s->solid, &corner, group_of(s, normal));
}

static bool is_round(const DlsBoundary *b) {
  return b->kind == DLS_BOUNDARY_CYLINDER || b->kind == DLS_BOUNDARY_FRUSTUM;
}

/* The round side of a cylinder or frustum: (f, g) its outward normal in (rho, z), its middle. */
typedef struct {
  double f, g, middle, length; /* the last two m */
} Side;

static Side side_of(const DlsBoundary *b) {
  const bool cylinder = b->kind == DLS_BOUNDARY_CYLINDER;
  const double r0 = b->radius[0], r1 = cylinder ? r0 : b->radius[1], length = b->length[0];
  const double slant = hypot(r1 - r0, length);
  return (Side){cylinder ? 1 : length / slant, cylinder ? 0 : (r0 - r1) / slant, (r0 + r1) / 2,
                length};
}

/* m: above 0 outside of it, and of what goes on beyond its ends. */
static double height_over(const Side *side, const double x[3]) {
  return side->f * (hypot(x[0], x[1]) - side->middle) + (side->g == 0 ? 0 : side->g * x[2]);
}

/* Whether a corner of the solid has come through a thin wall: the way to it from the middle of the
 * solid crosses the wall, and not beyond its rim. */
static bool is_through(const Search *s, const double x[3], const DlsNear *near) {
  const DlsBoundary *b = s->wall;
  double middle[3], y[3], of_middle, of_corner = near->distance;
  for (int k = 0; k < 3; k++) middle[k] = s->origin[k] + s->solid->centre[k];
  if (is_round(b) && near->feature < 3) {
    const Side side = side_of(b);
    of_middle = height_over(&side, middle);
    of_corner = height_over(&side, x);
    if (near->feature > 0) return false; /* the other meridians of what plugs it */
  } else {
    of_middle = near->distance;
    for (int k = 0; k < 3; k++) of_middle += near->normal[k] * (middle[k] - x[k]);
  }
  if (of_middle * of_corner >= 0) return false;
  const double t = of_middle / (of_middle - of_corner);
  for (int k = 0; k < 3; k++) y[k] = middle[k] + t * (x[k] - middle[k]);
  DlsNear there[DLS_MAX_FEATURES];
  DlsNearList list = {HUGE_VAL, 0, there};
  dls_boundary_operations(b->kind)->near(s->solid->dim, b, y, &list);
  for (int i = 0; i < list.count; i++)
    if (there[i].feature == near->feature) return !there[i].edge;
  return false;
}

/* Corners of the solid, by the nearest points of the boundary that are on no rim. */
static void meet_corners(Search *s) {
  const DlsPosed *p = s->solid;
  const bool thin = s->wall->inside || s->wall->kind == DLS_BOUNDARY_PLATE;
  for (int v = 0; v < p->core.vertices; v++) {
    DlsNear near[DLS_MAX_FEATURES];
    DlsNearList list = {thin ? s->limit + p->reach : s->limit, 0, near};
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = s->origin[k] + p->vertex[v][k];
    dls_boundary_operations(s->wall->kind)->near(p->dim, s->wall, x, &list);
    for (int i = 0; i < list.count; i++) {
      bool seen = near[i].edge;
      for (int j = 0; j < i; j++) seen = seen || dls_near_same(&near[i], &near[j]);
      if (seen) continue;
      const double sign = thin && is_through(s, x, &near[i]) ? -1 : 1;
      for (int k = 0; k < 3; k++) near[i].normal[k] *= sign;
      add(s, p->vertex[v], sign * near[i].distance, near[i].normal, dls_convex_vertex_feature(v),
          (uint32_t)near[i].feature);
    }
  }
}

/* Whether the solid goes away from an edge, along both of its faces, as n does. */
static bool edge_faces(const DlsPosed *p, int e, const double n[3]) {
  const double *edge = p->core.edge + 4 * e;
  const double *x = p->vertex[(int)edge[0]], *y = p->vertex[(int)edge[1]];
  double along[3], inward[3];
  if (edge[2] < 0) return true;
  for (int k = 0; k < 3; k++) along[k] = y[k] - x[k];
  for (int f = 0; f < 2; f++) {
    const double *own = p->plane[(int)edge[2 + f]], *other = p->plane[(int)edge[3 - f]];
    dls_vector_cross(own, along, inward);
    const double sign = dls_vector_dot(inward, other) > 0 ? -1 : 1;
    if (sign * dls_vector_dot(inward, n) < -cone_slack * dls_vector_norm(inward)) return false;
  }
  return true;
}

/* Edges of the solid over the round side, from outside. With front (f, g) in (rho, z) the height of
 * x + t u is f |x + t u|_xy + g (z + t w) + constant: convex, with its least value where
 * f d rho / dt = -g w. */
static void meet_side(Search *s) {
  const DlsPosed *p = s->solid;
  const Side side = side_of(s->wall);
  const double f = side.f, g = side.g;
  for (int e = 0; e < p->core.edges; e++) {
    const double *from = p->vertex[(int)p->core.edge[4 * e]];
    const double *to = p->vertex[(int)p->core.edge[4 * e + 1]];
    double x[3], u[3], foot[3], n[3];
    for (int k = 0; k < 3; k++) x[k] = s->origin[k] + from[k], u[k] = to[k] - from[k];
    const double a = u[0] * u[0] + u[1] * u[1], m = g * u[2], across = f * f * a - m * m;
    if (!(across > 1e-12 * dls_vector_dot(u, u))) continue;       /* it has no least place within */
    const double nearest = -(x[0] * u[0] + x[1] * u[1]) / a;      /* to the axis */
    const double rho = fabs(x[0] * u[1] - x[1] * u[0]) / sqrt(a); /* there */
    const double t = nearest - m * rho / sqrt(a * across);
    if (!(t > 0 && t < 1)) continue;
    for (int k = 0; k < 3; k++) foot[k] = x[k] + t * u[k];
    const double away = hypot(foot[0], foot[1]), gap = height_over(&side, foot);
    const double up = foot[2] - gap * g; /* of the place on the side */
    if (!(away > 0) || fabs(up) > side.length / 2 || gap > s->limit) continue;
    n[0] = f * foot[0] / away, n[1] = f * foot[1] / away, n[2] = g;
    if (!edge_faces(p, e, n)) continue;
    for (int k = 0; k < 3; k++) foot[k] -= s->origin[k];
    add(s, foot, gap, n, dls_convex_edge_feature(&p->core, e), SIDE_FEATURE);
  }
}

/* Whether the solid's middle is outside of the round side. */
static bool is_outside(const Search *s) {
  const Side side = side_of(s->wall);
  double middle[3];
  for (int k = 0; k < 3; k++) middle[k] = s->origin[k] + s->solid->centre[k];
  return height_over(&side, middle) > 0;
}

/* One straight piece of a rim. */
typedef struct {
  const DlsRim *rim;
  double end[2][3]; /* boundary axes */
  uint32_t feature; /* its own; then of its ends */
  uint32_t corner[2];
} Piece;

static void pose_piece(const Search *s, const Piece *piece, DlsPosed *out) {
  static const double edge[4] = {0, 1, -1, -1};
  const int dim = s->solid->dim;
  double square = 0;
  const bool point = piece->end[0][0] == piece->end[1][0] && piece->end[0][1] == piece->end[1][1] &&
                     piece->end[0][2] == piece->end[1][2];
  out->dim = dim;
  out->rounding = 0;
  out->core =
      point ? (DlsConvex){.vertices = 1} : (DlsConvex){.vertices = 2, .edges = 1, .edge = edge};
  for (int k = 0; k < 3; k++) {
    for (int v = 0; v < 2; v++) out->vertex[v][k] = piece->end[v][k] - s->origin[k];
    out->centre[k] = (out->vertex[0][k] + out->vertex[1][k]) / 2;
    square += (out->vertex[1][k] - out->centre[k]) * (out->vertex[1][k] - out->centre[k]);
  }
  out->reach = sqrt(square);
}

/* A lower bound of the distance: by the balls around both, then by the faces of the solid. */
static bool is_far(const Search *s, const DlsPosed *piece) {
  const DlsPosed *p = s->solid;
  double apart[3];
  for (int k = 0; k < 3; k++) apart[k] = piece->centre[k] - p->centre[k];
  if (dls_vector_norm(apart) > p->reach + piece->reach + s->limit) return true;
  for (int f = 0; f < p->core.faces; f++) {
    double least = HUGE_VAL;
    for (int v = 0; v < piece->core.vertices; v++)
      least = fmin(least, dls_vector_dot(p->plane[f], piece->vertex[v]) - p->plane[f][3]);
    if (least > s->limit) return true;
  }
  return false;
}

/* Whether the direction leads away from all walls that end at this place of the rim. */
static bool is_away(const DlsRim *rim, const double place[3], const double n[3]) {
  const double rho = hypot(place[0], place[1]);
  for (int w = 0; w < rim->walls; w++) {
    const double *into = rim->into[w];
    double along = dls_vector_dot(into, n);
    if (rim->round && !(rim->radius > 0)) /* a tip has its wall all around */
      along = fabs(into[0]) * hypot(n[0], n[1]) + into[2] * n[2];
    else if (rim->round && rho > 0)
      along = into[0] * (n[0] * place[0] + n[1] * place[1]) / rho + into[2] * n[2];
    if (along > cone_slack) return false;
  }
  return true;
}

/* Whether it is the end of a chord and the direction leads to the next one, which is nearer. */
static bool is_of_next(const Piece *piece, const DlsNearest *nearest) {
  if (!piece->rim->round || nearest->feature[1] > 1) return false;
  const double *at = piece->end[nearest->feature[1]], sign = nearest->feature[1] ? 1 : -1;
  const double n =
      (-at[1] * nearest->normal[0] + at[0] * nearest->normal[1]) * cos(turn / 2) +
      sign * -sin(turn / 2) * (at[0] * nearest->normal[0] + at[1] * nearest->normal[1]);
  return sign * n > end_slack * piece->rim->radius;
}

/* Where the circle is highest below a face that lies across the chord. */
static void add_top(Search *s, const Piece *piece, const DlsNearest *nearest,
                    const DlsPatch *patch) {
  const double *n = patch->normal, level = hypot(n[0], n[1]), radius = piece->rim->radius;
  const DlsCorner *c = patch->corner;
  double foot[2][3], from = 0, to = 0, at = 0, x[3];
  if (!(level > 1e-9)) return;
  const double top[3] = {radius * n[0] / level, radius * n[1] / level, piece->end[0][2]};
  for (int k = 0; k < 3; k++) {
    const double way = piece->end[1][k] - piece->end[0][k];
    for (int i = 0; i < 2; i++)
      foot[i][k] = s->origin[k] + c[i].x[k] - (patch->on_b ? 0 : c[i].gap * n[k]);
    from += foot[0][k] * way, to += foot[1][k] * way, at += top[k] * way;
  }
  const double side = top[0] * (piece->end[0][0] + piece->end[1][0]) +
                      top[1] * (piece->end[0][1] + piece->end[1][1]);
  if (side <= 0 || at <= fmin(from, to) || at >= fmax(from, to) || !is_away(piece->rim, top, n))
    return;
  double gap = c[0].gap;
  for (int k = 0; k < 3; k++) gap -= n[k] * (top[k] - foot[0][k]);
  for (int k = 0; k < 3; k++) x[k] = top[k] - s->origin[k] + gap * n[k];
  add(s, x, gap, n, nearest->feature[0], piece->feature);
}

static void meet_piece(Search *s, const Piece *piece) {
  static _Thread_local DlsPosed posed;
  static _Thread_local DlsPatch patch;
  const DlsRim *rim = piece->rim;
  DlsNearest nearest;
  pose_piece(s, piece, &posed);
  if (is_far(s, &posed)) return;
  const double lacks = rim->round ? rim->radius * (1 - cos(turn / 2)) : 0;
  dls_convex_nearest(s->solid, &posed, s->limit + lacks, &nearest);
  if (nearest.far || is_of_next(piece, &nearest)) return;
  dls_convex_patch(NULL, s->solid, &posed, &nearest, &patch);
  const double *n = patch.normal;
  for (int i = 0; i < patch.count; i++) {
    const DlsCorner *c = &patch.corner[i];
    double gap = c->gap, place[3], x[3];
    for (int k = 0; k < 3; k++) {
      place[k] = s->origin[k] + c->x[k] - (patch.on_b ? 0 : gap * n[k]);
      x[k] = c->x[k] + (patch.on_b ? gap * n[k] : 0);
    }
    if (!is_away(rim, place, n)) continue;
    const double rho = hypot(place[0], place[1]);
    const bool corner = c->feature[1] < 2;
    if (rim->round && !corner && rho > 0) /* out from the chord to the circle */
      gap -= (rim->radius - rho) / rho * (n[0] * place[0] + n[1] * place[1]);
    add(s, x, gap, n, c->feature[0], corner ? piece->corner[c->feature[1]] : piece->feature);
  }
  if (rim->round && patch.count == 2) add_top(s, piece, &nearest, &patch);
}

/* Where the balls around both allow the solid to be near a circle: chords within `half` of `first`,
 * counted round it. */
typedef struct {
  double first, half;
} Window;

static Window window_of(const Search *s, const DlsRim *rim) {
  const DlsPosed *p = s->solid;
  const double x = p->centre[0] + s->origin[0], y = p->centre[1] + s->origin[1];
  const double z = p->centre[2] + s->origin[2] - rim->end[0][2], rho = hypot(x, y), r = rim->radius;
  const double reach = p->reach + s->limit + r * turn;
  const double level = reach * reach - z * z; /* what is left of it in the plane, squared */
  const double cosine = (rho * rho + r * r - level) / (2 * rho * r);
  const Window out = {atan2(y, x) / turn, cosine > -1 ? acos(fmin(cosine, 1)) / turn + 1 : CHORDS};
  if (!(level > 0) || fabs(rho - r) > sqrt(level)) return (Window){0, -1};
  return rho > 0 ? out : (Window){0, CHORDS};
}

/* The chords of a circle, or the one piece of what is straight. Returns the next free feature. */
static uint32_t meet_rim(Search *s, const DlsRim *rim, uint32_t feature) {
  Piece piece = {.rim = rim, .feature = feature, .corner = {feature + 1, feature + 2}};
  memcpy(piece.end, rim->end, sizeof piece.end);
  if (!rim->round || !(rim->radius > 0)) {
    meet_piece(s, &piece);
    return feature + 3;
  }
  const Window window = window_of(s, rim);
  for (int k = 0; k < CHORDS && window.half > 0; k++) {
    const double off = fabs(remainder(k + 0.5 - window.first, CHORDS));
    if (off > window.half) continue;
    piece.feature = feature + 2 * (uint32_t)k;
    for (int end = 0; end < 2; end++) {
      const int corner = (k + end) % CHORDS;
      piece.corner[end] = feature + 2 * (uint32_t)corner + 1;
      piece.end[end][0] = rim->radius * cos(corner * turn);
      piece.end[end][1] = rim->radius * sin(corner * turn);
    }
    meet_piece(s, &piece);
  }
  return feature + 2 * CHORDS;
}

void dls_meet_convex_rims(const DlsMeeting *m, const DlsSide *a, const DlsSide *b,
                          DlsManifold *out) {
  static _Thread_local DlsSupport group[DLS_SUPPORTS];
  static _Thread_local DlsPosed solid;
  const DlsBoundary *wall = b->boundary;
  const double *q = b->pose.orientation, back[4] = {q[0], -q[1], -q[2], -q[3]};
  double origin[3];
  DlsPose local;
  DlsRim rim[DLS_MAX_RIMS];
  if (wall->inside && !wall->open) {
    dls_meet_convex_vertices(m, a, b, out);
    return;
  }
  if (m->dim == 2 && wall->kind == DLS_BOUNDARY_CYLINDER) { /* a circle */
    dls_meet_convex_solid(m, a, b, out);
    return;
  }
  out->count = 0;
  dls_pose_to_local(&b->pose, a->pose.position, origin);
  memcpy(local.position, origin, sizeof origin);
  dls_rotation_multiply(back, a->pose.orientation, local.orientation);
  dls_posed_solid(&a->solid, &local, origin, &solid);
  const double own = dls_vector_norm(solid.centre) + solid.reach + solid.rounding;
  const double far = own + dls_vector_norm(origin);
  const double limit =
      m->alert + dls_convex_closing(m, a, own, b, far) + solid.rounding + wall->rounding;
  Search s = {.wall = wall, .solid = &solid, .origin = origin, .limit = limit, .group = group};
  meet_corners(&s);
  if (is_round(wall) && m->dim == 3 && is_outside(&s)) meet_side(&s);
  const int rims = dls_boundary_operations(wall->kind)->rims(m->dim, wall, rim);
  uint32_t feature = RIM_FEATURE;
  for (int k = 0; k < rims; k++) feature = meet_rim(&s, &rim[k], feature);
  dls_supports_give(m, a, b, &solid, origin, s.groups, group, out);
}
