/* Narrow phase: which kept pairs, and which boundaries, are contacts; their frames and gaps. How
 * two kinds meet is asked of the table of meeting.h; two balls are met here without a call. */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "detect/mesh/mesh.h"
#include "world/boundary/kind.h"

typedef struct {
  DlsDetector *d;
  const DlsDetectInput *scene;
  DlsMeeting meeting;
  bool plain; /* balls meet every boundary here by its nearest points */
  DlsContactSet *set;
  long *near;
} Narrow;

/* A contact of body i, features of either side given, n from the antagonist to it. */
static inline void add_contact(const Narrow *w, int i, int antagonist, uint64_t id,
                               uint32_t feature, uint32_t other, const DlsManifoldPoint *p) {
  const DlsWorld *world = w->scene->world;
  DlsContactSet *set = w->set;
  const int c = set->count++;
  set->candidate[c] = i;
  set->antagonist[c] = antagonist;
  set->gap[c] = p->gap;
  set->radius[c] = p->radius;
  set->area[c] = p->area;
  memcpy(set->point[c], p->point, sizeof p->point);
  dls_contact_frame(world->dim, p->normal, set->frame[c]);
  set->key[c] = (DlsContactKey){world->id[i], id, dls_key_features(feature, other)};
  set->previous[c] = -1;
  set->mean[c][0] = set->mean[c][1] = (DlsContactMean){0, 0};
  memset(set->shift[c], 0, sizeof set->shift[c]);
}

/* Whether bodies i and j may touch at all. */
static inline bool may_touch(const Narrow *w, int i, int j) {
  const DlsWorld *world = w->scene->world;
  if ((world->flags[i] | world->flags[j]) & (DLS_BODY_GHOST | DLS_BODY_DOOMED)) return false;
  if (!dls_sights_between(&w->scene->sights, world->material[i], world->material[j], -1))
    return false;
  return !(dls_world_is_fixed(world, i) && dls_world_is_fixed(world, j));
}

/* Ball a of element e and ball b, of number `other` in the list. */
static inline void test_balls(const Narrow *w, int e, const DlsBall *a, int other,
                              const DlsBall *b) {
  const DlsWorld *world = w->scene->world;
  DlsManifoldPoint p;
  DlsBall image;
  double d[3], shift[6] = {0}, square;
  if (world->cell.axes) {
    dls_cell_nearest(&world->cell, a->x, b->x, shift);
    image = *b;
    for (int k = 0; k < 3; k++) {
      image.x[k] += shift[k];
      image.way[k] += w->meeting.horizon * shift[3 + k];
    }
    b = &image;
  }
  if (!dls_balls_approach(a, b, w->meeting.alert, d, &square)) return;
  const int f = w->d->element[other], i = world->element_body[e], j = world->element_body[f];
  if (!may_touch(w, i, j)) return;
  if (w->d->meshes && !dls_meshes_nodes_meet(w->d, world, e, f)) return;
  dls_balls_point(world->dim, a, b, d, square, &p);
  add_contact(w, i, j, world->id[j], dls_world_first_feature(world, e),
              dls_world_first_feature(world, f), &p);
  memcpy(w->set->shift[w->set->count - 1], shift, sizeof shift);
  if (w->d->meshes) dls_meshes_to_points(w->d, world, w->set, w->set->count - 1, e, f);
}

static void swap_sides(DlsManifoldPoint *p) {
  const uint32_t first = p->feature[0];
  p->feature[0] = p->feature[1];
  p->feature[1] = first;
  for (int k = 0; k < 3; k++) p->normal[k] = -p->normal[k];
}

/* Whether the boxes of balls k and n, as they are now, come within the alert distance along all
 * three axes while both move straight. The kept list holds more: it was made for some steps. */
static inline bool boxes_approach(const DlsDetector *d, int k, int n, double alert) {
  const DlsBox *a = &d->box[k], *b = &d->box[n];
  const double more = alert + d->ball[k].sag + d->ball[n].sag;
  for (int i = 0; i < 3; i++) {
    const double now = a->centre[i] - b->centre[i];
    const double then = now + d->ball[k].way[i] - d->ball[n].way[i];
    const double limit = a->half[i] + b->half[i] + more;
    if ((now > limit && then > limit) || (now < -limit && then < -limit)) return false;
  }
  return true;
}

/* Two elements, not both balls: e, of ball `one_ball`, and that of ball n. */
static DlsStatus test_elements(const Narrow *w, int e, int one_ball, int n) {
  const DlsWorld *world = w->scene->world;
  const DlsBall *a = &w->d->ball[one_ball], *b = &w->d->ball[n];
  const int f = w->d->element[n], i = world->element_body[e], j = world->element_body[f];
  bool swapped;
  DlsManifold m;
  m.count = 0;
  if (!boxes_approach(w->d, one_ball, n, w->meeting.alert) || !may_touch(w, i, j)) return DLS_OK;
  if (w->d->meshes && !dls_meshes_nodes_meet(w->d, world, e, f)) return DLS_OK;
  ++*w->near;
  const DlsSide *one = dls_sides_of(&w->d->sides, w->scene, e, a);
  const DlsSide *other = dls_sides_of(&w->d->sides, w->scene, f, b);
  DlsMeet *meet = dls_meeting_of(one->solid.kind, other->solid.kind, &swapped);
  DLS_CHECK(meet, DLS_ERR_UNSUPPORTED,
            "bodies %llu and %llu are near, and nothing tells how a %s meets a %s",
            (unsigned long long)world->id[i], (unsigned long long)world->id[j],
            dls_shape_operations(one->solid.kind)->name,
            dls_shape_operations(other->solid.kind)->name);
  DlsMeeting meeting = w->meeting;
  meeting.swapped = swapped;
  meeting.pair = (DlsContactKey){
      world->id[i], world->id[j],
      dls_key_features(dls_world_first_feature(world, e), dls_world_first_feature(world, f))};
  meet(&meeting, swapped ? other : one, swapped ? one : other, &m);
  for (int k = 0; k < m.count; k++) {
    DlsManifoldPoint *p = &m.point[k];
    if (swapped) swap_sides(p);
    add_contact(w, i, j, world->id[j], dls_world_first_feature(world, e) + p->feature[0],
                dls_world_first_feature(world, f) + p->feature[1], p);
    if (w->d->meshes) dls_meshes_to_points(w->d, world, w->set, w->set->count - 1, e, f);
  }
  return DLS_OK;
}

/* By the table. */
static DlsStatus meet_boundary(const Narrow *w, const DlsMeeting *meeting, int e, const DlsBall *a,
                               int number, DlsManifold *m) {
  const DlsWorld *world = w->scene->world;
  const DlsBoundary *b = &w->scene->boundary[number];
  const DlsSide *one = dls_sides_of(&w->d->sides, w->scene, e, a);
  DlsSide wall = {.pose = dls_boundary_pose(b), .boundary = b};
  DlsMeet *meet = dls_meeting_of_boundary(one->solid.kind, b->kind, b->inside);
  memcpy(wall.velocity, b->velocity, sizeof wall.velocity);
  if (meet) {
    meet(meeting, one, &wall, m);
    return DLS_OK;
  }
  dls_ball_meets_boundary(meeting, a, b, m); /* no matter, unless its ball touches */
  DLS_CHECK(m->count == 0, DLS_ERR_UNSUPPORTED,
            "body %llu is near boundary %d, and nothing tells how a %s meets a %s",
            (unsigned long long)world->id[world->element_body[e]], number,
            dls_shape_operations(one->solid.kind)->name, dls_boundary_text(b->kind));
  return DLS_OK;
}

/* Element e, of ball a, and a boundary. */
static inline DlsStatus test_boundary(const Narrow *w, int e, const DlsBall *a, int number) {
  const DlsWorld *world = w->scene->world;
  const DlsBoundary *b = &w->scene->boundary[number];
  DlsBoundary seen;
  DlsManifold m;
  DlsMeeting meeting = w->meeting;
  m.count = 0;
  if (!dls_sights_between(&w->scene->sights, world->material[world->element_body[e]], b->material,
                          number))
    return DLS_OK;
  if (w->d->meshes && !dls_meshes_nodes_meet(w->d, world, e, -1)) return DLS_OK;
  meeting.alert += w->meeting.horizon * fabs(b->growth); /* its surface comes, or goes, along n */
  meeting.pair = (DlsContactKey){world->id[world->element_body[e]], DLS_KEY_BOUNDARY | b->id,
                                 dls_key_features(dls_world_first_feature(world, e), 0)};
  if (w->d->meshes && b->facets && dls_meshes_of(w->d->meshes, world->element_body[e])) {
    seen = dls_meshes_boundary(b, a->radius);
    dls_ball_meets_boundary(&meeting, a, &seen, &m);
  } else if (w->plain && dls_world_is_ball(world, e)) {
    dls_ball_meets_boundary(&meeting, a, b, &m);
  } else {
    DLS_TRY(meet_boundary(w, &meeting, e, a, number, &m));
  }
  for (int k = 0; k < m.count; k++) {
    add_contact(w, world->element_body[e], -1 - number, DLS_KEY_BOUNDARY | b->id,
                dls_world_first_feature(world, e) + m.point[k].feature[0], m.point[k].feature[1],
                &m.point[k]);
    if (w->d->meshes) dls_meshes_to_points(w->d, world, w->set, w->set->count - 1, e, -1);
  }
  return DLS_OK;
}

/* The partners of element e of ball k in the kept list; `figures`, a constant where it is called:
 * whether there is more than balls. */
static inline DlsStatus test_row(const Narrow *w, bool figures, int e, int k) {
  const DlsDetector *d = w->d;
  const DlsWorld *world = w->scene->world;
  const DlsBall *a = &d->ball[k];
  const int *partner = d->pairs.partner, end = d->pairs.row[k + 1];
  const bool *chosen = w->scene->of_interest;
  const bool all = !chosen || chosen[world->element_body[e]];
  const bool ball = !figures || dls_world_is_ball(world, e);
  for (int p = d->pairs.row[k]; p < end; p++) {
    const DlsBall *b = &d->ball[partner[p]];
    if (p > d->pairs.row[k] && partner[p] == partner[p - 1]) continue; /* by two of its copies */
    if (!all && !chosen[world->element_body[d->element[partner[p]]]]) continue;
    if (ball && (!figures || dls_world_is_ball(world, d->element[partner[p]])))
      test_balls(w, e, a, partner[p], b);
    else
      DLS_TRY(test_elements(w, e, k, partner[p]));
  }
  return DLS_OK;
}

static bool by_nearest_points(const DlsDetectInput *scene) {
  for (int n = 0; n < scene->world->boundary_count; n++) {
    const DlsBoundary *b = &scene->boundary[n];
    if (dls_meeting_of_boundary(DLS_SHAPE_BALL, b->kind, b->inside) != dls_meet_ball_boundary)
      return false;
  }
  return true;
}

/* Elements of places begin .. end - 1 on the curve. */
static DlsStatus look_at(const Narrow *w, int begin, int end) {
  const DlsDetector *d = w->d;
  const DlsDetectInput *scene = w->scene;
  const DlsWorld *world = scene->world;
  DlsContactSet *set = w->set;
  const int walls = world->boundary_count, points = world->figure ? DLS_MANIFOLD_POINTS : 1;
  for (int n = begin; n < end; n++) {
    const int e = d->order[n], k = d->place[e], body = world->element_body[e];
    const int partners = d->pairs.row[k + 1] - d->pairs.row[k];
    const int most = set->count + points * partners + walls * DLS_MANIFOLD_POINTS;
    if (most > set->capacity) DLS_TRY(dls_contact_set_reserve(set, most + most / 8 + 64));
    if (world->figure)
      DLS_TRY(test_row(w, true, e, k));
    else
      DLS_TRY(test_row(w, false, e, k));
    if (dls_world_is_fixed(world, body) || world->flags[body] & (DLS_BODY_GHOST | DLS_BODY_DOOMED))
      continue;
    if (scene->of_interest && !scene->of_interest[body]) continue;
    for (int b = 0; b < walls; b++)
      if (!(scene->boundary[b].flags & DLS_BODY_GHOST))
        DLS_TRY(test_boundary(w, e, &d->ball[k], b));
  }
  return DLS_OK;
}

typedef struct {
  const Narrow *narrow;
  int first;         /* place of the loop's item 0 */
  int at[DLS_PARTS]; /* where the contacts of each part go */
} Parts;

static DlsStatus look_part(void *context, size_t begin, size_t end, int lane) {
  const Parts *parts = context;
  DlsPart *part = &parts->narrow->d->part[begin / DLS_PART_BALLS];
  Narrow own = *parts->narrow;
  (void)lane;
  own.set = &part->set;
  own.near = &part->near;
  part->set.count = 0;
  part->near = 0;
  return look_at(&own, parts->first + (int)begin, parts->first + (int)end);
}

static void join_part(void *context, size_t begin, size_t end, int lane) {
  const Parts *parts = context;
  (void)lane;
  for (size_t k = begin; k < end; k++)
    dls_contact_set_put(parts->narrow->set, parts->at[k], &parts->narrow->d->part[k].set);
}

/* As look_at(), by several threads: part by part, one behind the other. */
static DlsStatus look_by_parts(const Narrow *w, int begin, int end) {
  DlsDetector *d = w->d;
  Parts parts = {.narrow = w, .first = begin};
  for (; parts.first < end; parts.first += DLS_PARTS * DLS_PART_BALLS) {
    const int count = dls_parts_count(end, parts.first);
    const int used = (count + DLS_PART_BALLS - 1) / DLS_PART_BALLS;
    int total = w->set->count;
    DLS_TRY(dls_pool_try((size_t)count, DLS_PART_BALLS, look_part, &parts));
    for (int k = 0; k < used; k++) {
      parts.at[k] = total;
      total += d->part[k].set.count;
      *w->near += d->part[k].near;
    }
    if (total > w->set->capacity) DLS_TRY(dls_contact_set_reserve(w->set, total + total / 8 + 64));
    dls_pool_for((size_t)used, 1, join_part, &parts);
    w->set->count = total;
  }
  return DLS_OK;
}

DlsStatus dls_narrow(DlsDetector *detector, const DlsDetectInput *scene, DlsContactSet *set) {
  DlsDetector *d = detector;
  const DlsWorld *world = scene->world;
  const Narrow narrow = {d,
                         scene,
                         {.dim = world->dim,
                          .alert = scene->alert,
                          .horizon = scene->horizon,
                          .memory = scene->memory},
                         by_nearest_points(scene),
                         set,
                         &d->report.near};
  bool parts;
  set->count = set->weights = 0;
  d->report.near = 0;
  DLS_TRY(dls_meshes_begin(d, scene));
  if (world->figure || !narrow.plain || d->meshes) DLS_TRY(dls_sides_begin(&d->sides, world));
  DLS_TRY(dls_parts_begin(d, &parts));
  if (d->meshes) { /* whose sides are made as they are found */
    DLS_TRY(look_at(&narrow, 0, d->count));
    return dls_meshes_meet(d, scene, set);
  }
  int begin, end;
  DlsTeam *team = dls_together_team(d);
  DLS_TRY(dls_together_stretch(d, team, &begin, &end));
  const DlsStatus mine = parts ? look_by_parts(&narrow, begin, end) : look_at(&narrow, begin, end);
  return dls_together_contacts(d, team, world, mine, set);
}
