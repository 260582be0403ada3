/* Rigid bodies on faces: a ball by the nearest face, a convex solid by its vertices; and points of
 * integration on rigid bodies and boundaries. Nodes on these are met as balls of no radius
 * (narrow.c). Edges of a solid across edges of faces are not looked at. */
#include <math.h>
#include <string.h>

#include "detect/convex/meet_impl.h"
#include "detect/convex/posed.h"
#include "detect/mesh/mesh.h"
#include "world/boundary/kind.h"
#include "world/deformable.h"

/* A point of rigid element e, `round` from its surface, on the nearest face; it stands for
 * `area`. */
static DlsStatus try_point(const DlsMeshMeeting *m, const DlsFacesNow *on, int e, uint32_t feature,
                           DlsPlace *place, const double way[3], double round, double radius,
                           double area) {
  const DlsWorld *world = m->scene->world;
  DlsFoot foot;
  double closing = 0;
  place->reach = m->scene->alert + round + dls_vector_norm(way) + on->fastest;
  place->depth = fmax(on->faces->size - round, 0);
  place->apart = -1;
  if (!dls_faces_foot(on, place, &foot)) return DLS_OK;
  for (int k = 0; k < 3; k++) closing += (way[k] - foot.way[k]) * foot.normal[k];
  DlsMeshPoint p = {.gap = foot.gap - round, .area = area, .radius = radius};
  if (p.gap + fmin(0, closing) > m->scene->alert) return DLS_OK;
  memcpy(p.normal, foot.normal, sizeof p.normal);
  for (int k = 0; k < 3; k++) p.point[k] = place->x[k] - (round + 0.5 * p.gap) * foot.normal[k];
  const DlsMeshSide rigid = {.body = world->element_body[e],
                             .feature = dls_world_first_feature(world, e) + feature};
  const DlsMeshSide soft = {.body = on->body,
                            .feature = DLS_FEATURE_FACE,
                            .count = foot.at.count,
                            .element = foot.at.element,
                            .weight = foot.at.N};
  return dls_mesh_add(m, &rigid, &soft, &p);
}

static DlsStatus try_ball(const DlsMeshMeeting *m, const DlsFacesNow *on, int e,
                          const DlsBall *ball) {
  DlsPlace place;
  memset(&place, 0, sizeof place);
  memcpy(place.x, ball->x, sizeof place.x);
  return try_point(m, on, e, 0, &place, ball->way, ball->radius, ball->radius, 0);
}

static DlsStatus try_vertices(const DlsMeshMeeting *m, const DlsFacesNow *on, int e,
                              const DlsBall *ball) {
  const DlsSide *side = dls_sides_of(&m->d->sides, m->scene, e, ball);
  DlsPosed posed;
  dls_posed_turned(&side->solid, side->turned, side->pose.position, ball->x, &posed);
  /* As an edge of a solid on a face of another. */
  const double small = fmin(posed.reach + posed.rounding, on->faces->size);
  for (int v = 0; v < posed.core.vertices; v++) {
    double outward[1][3], arm[3], way[3];
    const int own = 0;
    DlsPlace place;
    memset(&place, 0, sizeof place);
    place.normal = (const double(*)[3])outward;
    place.face = &own, place.faces = 1;
    for (int k = 0; k < 3; k++) {
      place.x[k] = ball->x[k] + posed.vertex[v][k];
      outward[0][k] = posed.vertex[v][k] - posed.centre[k];
      arm[k] = place.x[k] - side->pose.position[k];
    }
    const double length = dls_vector_norm(outward[0]);
    dls_vector_cross(side->velocity + 3, arm, way);
    for (int k = 0; k < 3; k++) {
      outward[0][k] /= length;
      way[k] = m->scene->horizon * (way[k] + side->velocity[k]);
    }
    DLS_TRY(try_point(m, on, e, dls_convex_vertex_feature(v), &place, way, posed.rounding, 0,
                      dls_convex_small_area(m->scene->world->dim, small)));
  }
  return DLS_OK;
}

/* A point of integration as a ball of no radius: its contacts are those of a ball, farther by its
 * radius. */
typedef struct {
  DlsMeshSide side;
  DlsBall ball;
  double area;
} FacePoint;

static DlsStatus add_manifold(const DlsMeshMeeting *m, const FacePoint *point, int other,
                              uint32_t first, bool swapped, const DlsManifold *manifold,
                              double radius) {
  for (int k = 0; k < manifold->count; k++) {
    const DlsManifoldPoint *from = &manifold->point[k];
    DlsMeshPoint p = {.gap = from->gap + point->ball.radius, .area = point->area, .radius = radius};
    for (int i = 0; i < 3; i++) {
      p.normal[i] = swapped ? -from->normal[i] : from->normal[i];
      p.point[i] = point->ball.x[i] - 0.5 * p.gap * p.normal[i];
    }
    const DlsMeshSide rigid = {.body = other, .feature = first + from->feature[swapped ? 0 : 1]};
    DLS_TRY(dls_mesh_add(m, &point->side, &rigid, &p));
  }
  return DLS_OK;
}

static DlsStatus point_on_element(const DlsMeshMeeting *m, const FacePoint *point, int e,
                                  const DlsBall *ball) {
  const DlsWorld *world = m->scene->world;
  const DlsMeeting meeting = {
      .dim = world->dim, .alert = m->scene->alert, .horizon = m->scene->horizon};
  const double far = m->scene->alert + point->ball.radius + ball->radius + ball->sag +
                     dls_vector_norm(point->ball.way) + dls_vector_norm(ball->way);
  const double apart[3] = {ball->x[0] - point->ball.x[0], ball->x[1] - point->ball.x[1],
                           ball->x[2] - point->ball.x[2]};
  DlsManifold manifold;
  bool swapped;
  if (dls_vector_dot(apart, apart) > far * far) return DLS_OK;
  DlsSide own = {.ball = &point->ball,
                 .solid = {.dim = world->dim, .kind = DLS_SHAPE_BALL, .scale = point->ball.radius}};
  memcpy(own.pose.position, point->ball.x, sizeof own.pose.position);
  own.pose.orientation[0] = 1;
  for (int k = 0; k < 3 && m->scene->horizon > 0; k++)
    own.velocity[k] = point->ball.way[k] / m->scene->horizon;
  const DlsSide *rigid = dls_sides_of(&m->d->sides, m->scene, e, ball);
  DlsMeet *meet = dls_meeting_of(own.solid.kind, rigid->solid.kind, &swapped);
  if (!meet) return DLS_OK;
  manifold.count = 0;
  meet(&meeting, swapped ? rigid : &own, swapped ? &own : rigid, &manifold);
  return add_manifold(m, point, world->element_body[e], dls_world_first_feature(world, e), swapped,
                      &manifold, dls_world_is_ball(world, e) ? ball->radius : 0);
}

static DlsStatus point_on_boundaries(const DlsMeshMeeting *m, const FacePoint *point) {
  const DlsWorld *world = m->scene->world;
  const DlsMeeting meeting = {
      .dim = world->dim, .alert = m->scene->alert, .horizon = m->scene->horizon};
  DlsManifold manifold;
  for (int b = 0; b < world->boundary_count; b++) {
    if (m->scene->boundary[b].flags & DLS_BODY_GHOST) continue;
    const DlsBoundary seen = dls_meshes_boundary(&m->scene->boundary[b], point->ball.radius);
    dls_ball_meets_boundary(&meeting, &point->ball, &seen, &manifold);
    DLS_TRY(add_manifold(m, point, -1 - b, 0, false, &manifold, 0));
  }
  return DLS_OK;
}

/* Whether rigid element e may be near the faces at all. */
static bool is_near(const DlsMeshMeeting *m, const DlsFacesNow *on, const DlsBall *ball) {
  const double far = m->scene->alert + on->fastest + on->faces->size + ball->radius + ball->sag +
                     dls_vector_norm(ball->way);
  for (int k = 0; k < 3; k++)
    if (ball->x[k] < on->whole.low[k] - far || ball->x[k] > on->whole.high[k] + far) return false;
  return true;
}

static DlsStatus points_meet(const DlsMeshMeeting *m, const DlsFacesNow *from, const int *rigid,
                             int count) {
  const bool *chosen = m->scene->of_interest;
  DlsFacePoint at[DLS_FACE_CORNERS];
  for (int f = 0; f < from->faces->count; f++) {
    const int points = dls_mesh_face_points(from, f, at);
    for (int q = 0; q < points; q++) {
      const DlsNodesThere *own = &at[q].at;
      const uint32_t feature = DLS_FEATURE_POINT | (uint32_t)(f * DLS_FACE_CORNERS + q);
      FacePoint point = {.side = {from->body, feature, own->count, own->element, own->N},
                         .ball = {.radius = 0.5 * from->faces->size},
                         .area = dls_faces_told(from, f, at[q].share * from->area[f])};
      for (int k = 0; k < 3; k++)
        for (int c = 0; c < own->count; c++) {
          point.ball.x[k] += own->N[c] * from->x[own->element[c]][k];
          point.ball.way[k] += own->N[c] * from->way[own->element[c]][k];
        }
      for (int n = 0; n < count; n++)
        DLS_TRY(point_on_element(m, &point, rigid[n], &m->d->ball[m->d->place[rigid[n]]]));
      if (!chosen || chosen[from->body]) DLS_TRY(point_on_boundaries(m, &point));
    }
  }
  return DLS_OK;
}

DlsStatus dls_mesh_rigid(const DlsMeshMeeting *m, const DlsFacesNow *on) {
  const DlsWorld *world = m->scene->world;
  DlsMeshes *all = m->d->meshes;
  const bool points = on->faces->by == DLS_MEET_BY_QUADRATURE;
  int count = 0;
  for (int n = 0; n < all->others; n++) {
    const int e = all->other[n];
    const DlsBall *ball = &m->d->ball[m->d->place[e]];
    if (!is_near(m, on, ball) || !dls_mesh_may_touch(m, world->element_body[e], on->body)) continue;
    all->near[count++] = e;
    if (dls_world_is_ball(world, e)) {
      if (points || !dls_meshes_nodes_meet(m->d, world, e, on->first))
        DLS_TRY(try_ball(m, on, e, ball));
    } else if (world->figure[e].numbers->kind == DLS_SHAPE_CONVEX) {
      DLS_TRY(try_vertices(m, on, e, ball));
    }
  }
  return points ? points_meet(m, on, all->near, count) : DLS_OK;
}
